"""The best threshold by a criterion: choice, optimism, set of thresholds that may be the best, picture."""

from __future__ import annotations

import functools
import itertools
import json
import math
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import ndtr

from confroc import (
    PairedScores,
    Scores,
    best_threshold,
    comparison,
    confusion_at_threshold,
    difference,
    expected_cost,
    interval,
    read_scores,
    threshold_at,
)
from confroc.cost.best import NOT_CHEAPER, OPTIONS, By
from confroc.plot import BestThresholdDisplay
from confroc.statistics import CostPerCase, Metric
from confroc.statistics.cheapest import optimism_at
from confroc.statistics.metrics import CRITERIA
from support import sample_arrays, slow

REFERENCE = Path(__file__).parent / "reference"
NEEDED: dict[str, dict[str, Any]] = {
    "fbeta": {"beta": 2.0},
    "net_benefit": {"risk": 0.2},
    "max_tpr": {"max_fpr": 0.2},
}
FEW: dict[str, Any] = {"n_resamples": 60, "rng": 1}
TIED = [(1, 3), (1, 2), (0, 2), (1, 1), (0, 1), (0, 1), (0, 0), (1, 2), (0, 3), (0, 0), (1, 3), (1, 0)]
Y, S = (np.array(column) for column in zip(*TIED, strict=True))


def best(scores: Any, criterion: Any, **options: Any) -> Any:
    return best_threshold(scores, criterion=criterion, **(FEW | NEEDED.get(criterion, {}) | options))


# --- the choice ----------------------------------------------------------------------------------------

BY_SKLEARN = {
    "f1": sk.f1_score,
    "fbeta": functools.partial(sk.fbeta_score, beta=2.0),
    "mcc": sk.matthews_corrcoef,
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "kappa": sk.cohen_kappa_score,
    "youden": lambda y, p: sk.balanced_accuracy_score(y, p, adjusted=True),
}


@pytest.mark.parametrize("criterion", BY_SKLEARN)
@pytest.mark.parametrize("seed", range(3))
def test_the_curve_is_scikit_learns_metric_and_the_best_its_maximum(criterion: str, seed: int) -> None:
    y, s = sample_arrays(seed, 30, 50, 1.0)
    s = s.round(1)
    found = best(Scores(y, s), criterion)
    values = [BY_SKLEARN[criterion](y, s >= t) for t in found.curve.threshold]
    assert np.nan_to_num(found.curve.estimate) == pytest.approx(values, abs=1e-12)
    # The highest of several.
    assert found.threshold == found.curve.threshold[np.argmax(np.round(values, 12))]
    assert found.apparent == pytest.approx(max(values))


def test_the_suicide_data_of_cutpointr() -> None:
    """Counts from the values that cutpointr's own tests print for its 13 cutpoints (kappa, tp)."""
    scores = Scores.from_counts(
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        pos=[1, 1, 1, 1, 3, 9, 4, 8, 1, 3, 2, 2],
        neg=[0, 1, 0, 0, 0, 5, 10, 28, 12, 12, 52, 376],
    )
    assert scores.auc == pytest.approx(0.9237791, abs=5e-8)
    kappa = best(scores, "kappa")
    printed = [0.0, 0.05058128, 0.09312293, 0.13833841, 0.18161477, 0.30098108, 0.52746652, 0.52329749,
               0.47076829, 0.42463778, 0.41208251, 0.27878034, 0.0]  # fmt: skip
    assert kappa.curve.estimate == pytest.approx(printed, abs=1e-8)
    assert kappa.threshold == 6.0
    found = best(scores, "youden")
    at = confusion_at_threshold(scores, threshold=found.threshold)
    assert found.threshold == 2.0
    assert (at.tpr.estimate, at.tnr.estimate) == pytest.approx((0.888889, 0.862903), abs=5e-7)
    assert found.apparent == pytest.approx(0.751792, abs=5e-7)
    assert at.accuracy.estimate == pytest.approx(0.864662, abs=5e-7)


RECORDED = json.loads((REFERENCE / "proc_best.json").read_text(encoding="utf-8"))["best"]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda r: f"{r['marker']}-{r['best']}")
def test_best_thresholds_are_procs(recorded: dict[str, Any]) -> None:
    scores: Any = read_scores(
        REFERENCE / "data" / "aSAH.csv", label="outcome", score=recorded["marker"], pos_label="Poor"
    )
    found = best(scores, "youden" if recorded["best"] == "youden" else "closest_corner")
    at = confusion_at_threshold(scores, threshold=found.threshold)
    assert at.tnr.estimate == pytest.approx(recorded["specificity"])
    assert at.tpr.estimate == pytest.approx(recorded["sensitivity"])
    # pROC's threshold is halfway to the next lower score.
    (below,) = scores.score[scores.score < found.threshold][:1]
    assert recorded["threshold"] == pytest.approx(0.5 * (below + found.threshold))


def test_max_tpr_is_the_best_point_left_of_its_fpr() -> None:
    y, s = sample_arrays(5, 40, 60, 1.0)
    scores = Scores(y, s)
    for most in (0.05, 0.21, 0.5):
        found = best(scores, "max_tpr", max_fpr=most)
        allowed = scores.neg_above / scores.n_neg <= most
        top = (scores.pos_above[allowed] / scores.n_pos).max()
        assert found.apparent == pytest.approx(top)
        assert np.mean(s[y == 0] >= found.threshold) <= most
        ends = threshold_at(scores, fpr=most).threshold
        inside = found.curve.threshold[found.curve.may_be_best]
        assert (inside <= ends.upper[0]).all()
        assert (inside >= ends.lower[0]).all()


def test_corrections_never_improve_a_rate() -> None:
    corrections = []
    for seed in range(8):
        y, s = sample_arrays(seed, 40, 60, 2.0)
        s = s.round()
        found = best(Scores(y, s), "max_tpr", max_fpr=0.05)
        assert found.fpr.estimate >= np.mean(s[y == 0] >= found.threshold) - 1e-12
        corrections.append(found.optimism)
    # Without the limit at zero two of these are positive.
    assert max(corrections) <= 0.0


def test_linear_criteria_are_costs() -> None:
    y, s = sample_arrays(6, 40, 80, 1.0)
    scores = Scores(y, s)
    youden, balanced = best(scores, "youden"), best(scores, "balanced_accuracy")
    half = expected_cost(scores, false_negative=1, false_positive=1, prior=0.5, **FEW)
    for found in (balanced, half):
        assert found.threshold == youden.threshold
        assert (found.threshold_lower, found.threshold_upper) == (
            youden.threshold_lower,
            youden.threshold_upper,
        )
    assert balanced.optimism == pytest.approx(youden.optimism / 2)
    assert half.optimism == pytest.approx(-youden.optimism / 2)
    assert (1.0 - half.upper, 1.0 - half.lower) == pytest.approx((balanced.lower, balanced.upper), abs=1e-4)
    error, right = best(scores, "cost"), best(scores, "accuracy")
    assert error.estimate == pytest.approx(1.0 - right.estimate)
    assert error.threshold_lower == right.threshold_lower
    # Net benefit is the prevalence less what is lost.
    benefit = best(scores, "net_benefit", risk=0.2)
    cost = best(scores, "cost", false_negative=1.0, false_positive=0.25)
    assert benefit.threshold == cost.threshold
    assert benefit.estimate == pytest.approx(1 / 3 - cost.estimate)
    assert benefit.optimism == pytest.approx(-cost.optimism)


def test_cost_is_expected_cost() -> None:
    scores = Scores(*sample_arrays(7, 40, 80, 1.0))
    options: dict[str, Any] = {"false_negative": 5.0, "false_positive": 2.0, "prior": (10, 40)}
    found, cost = best(scores, "cost", **options), expected_cost(scores, **FEW, **options)
    for name in ("estimate", "lower", "upper", "threshold", "threshold_lower", "threshold_upper", "curve"):
        assert getattr(found, name) == getattr(cost, name), name
    assert cost.curve.estimate.min() == pytest.approx(cost.apparent)
    # Ten of forty cases are positive.
    assert found.trivial == cost.trivial == pytest.approx(min(5.0 * 0.25, 2.0 * 0.75))
    assert "; without a model 1.2500" in " ".join(str(found).split())


# --- optimism --------------------------------------------------------------------------------------------

SHARES = (0.5, 0.3, 0.2), (0.2, 0.3, 0.5)
LEVELS = (3.0, 2.0, 1.0)


def tables(n: int) -> Iterator[tuple[tuple[int, ...], tuple[float, float]]]:
    """Counts of n cases of a class on three levels, and their probabilities as positives and as negatives."""
    for i, j in itertools.combinations(range(n + 2), 2):
        counts = i, j - i - 1, n + 1 - j
        ways = math.factorial(n) / math.prod(map(math.factorial, counts))
        yield counts, tuple(ways * math.prod(np.power(p, counts)) for p in SHARES)  # type: ignore[misc]


@functools.cache
def samples(n: int) -> list[tuple[float, Scores]]:
    """All samples of n positives and n negatives, with their probabilities."""
    found = []
    for (pos, (p, _)), (neg, (_, q)) in itertools.product(tables(n), repeat=2):
        held = [i for i in range(3) if pos[i] + neg[i]]
        columns = ([column[i] for i in held] for column in (LEVELS, pos, neg))
        found.append((p * q, Scores.from_counts(*columns)))
    return found


def rates(threshold: float) -> tuple[float, float]:
    """TPR and FPR of a threshold in the population."""
    tpr, fpr = (sum(x for x, level in zip(p, LEVELS, strict=True) if level >= threshold) for p in SHARES)
    return tpr, fpr


STATISTICS = {name: Metric(name) for name in ("youden", "accuracy", "f1", "closest_corner")} | {
    "cost": CostPerCase(false_negative=2.0, false_positive=1.0)
}


@pytest.mark.filterwarnings("ignore:.*AUC below 0.5")
@pytest.mark.parametrize("name", slow(STATISTICS, *(set(STATISTICS) - {"f1", "cost"})))
def test_the_corrected_value_is_that_of_the_threshold_on_new_cases(name: str) -> None:
    """Exact, over all 441 samples of 5 + 5 cases: nine tenths of the optimism are removed."""
    statistic, expected = STATISTICS[name], np.zeros(3)
    for chance, scores in samples(5):
        here = statistic.settled(scores, (scores,))
        tpr, fpr = rates(float(np.ravel(here.threshold)[0]))
        true = (1.0 - tpr) + 0.5 * fpr if name == "cost" else statistic.of_rates(0.5, tpr, fpr)  # type: ignore[union-attr]
        apparent = here.value(scores)
        expected += chance * np.array([apparent, apparent + here.optimism(scores), true])
    apparent, corrected, true = expected
    assert abs(apparent - true) > 0.06
    assert abs(corrected - true) < 0.1 * abs(apparent - true)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*AUC below 0.5")
def test_cross_validation_is_unbiased_for_thresholds_of_smaller_samples() -> None:
    """Over all samples: five folds of 5 + 5 cases expect what thresholds chosen on 4 + 4 cases are worth.

    The error of 60 random deals is below 0.002; for 5 + 5 cases the value is 0.010 higher.
    """
    youden = Metric("youden")
    worth = sum(
        chance * youden.of_rates(0.5, *rates(youden.settled(scores).threshold))  # type: ignore[arg-type]
        for chance, scores in samples(4)
    )
    rng, found = np.random.default_rng(1), 0.0
    for chance, scores in samples(5):
        criterion = youden.criterion(scores)
        bias = float(optimism_at(scores, criterion, 5, 60, rng)[0])
        found += chance * (youden.settled(scores).value(scores) - bias)
    assert found == pytest.approx(worth, abs=0.005)


def test_rates_are_corrected_at_the_same_threshold() -> None:
    """Of one threshold that all folds choose, no rate changes."""
    scores = Scores.from_counts([2, 1], pos=[30, 5], neg=[4, 40])
    found = best(scores, "youden")
    assert (found.optimism, found.tpr.estimate, found.fpr.estimate) == (0.0, 30 / 35, 4 / 44)
    y, s = sample_arrays(3, 30, 30, 0.6)
    found = best(Scores(y, s), "youden")
    assert found.tpr.estimate < np.mean(s[y == 1] >= found.threshold)
    assert found.fpr.estimate >= np.mean(s[y == 0] >= found.threshold)


@pytest.mark.slow
def test_intervals_and_sets_cover() -> None:
    """Of 200 samples fewer than 178 are covered with probability 2e-4 at coverage 0.95, 0.97 at 0.85."""
    rng, share = np.random.default_rng(4), 1 / 3
    grid = np.linspace(-2.0, 3.0, 2001)
    f1 = Metric("f1")
    best_one = grid[np.argmax(f1.of_rates(share, ndtr(1.5 - grid), ndtr(-grid)))]
    covered = np.zeros(4)
    for _ in range(200):
        y = rng.random(150) < share
        scores = Scores(y, rng.normal(size=150) + 1.5 * y)
        found = best(scores, "f1", n_resamples=100)
        tpr, fpr = ndtr(1.5 - found.threshold), ndtr(-found.threshold)
        below = scores.score[scores.score < found.threshold_lower]
        truths = f1.of_rates(share, tpr, fpr), tpr, fpr
        covered[:3] += [
            i.lower <= t <= i.upper for i, t in zip((found, found.tpr, found.fpr), truths, strict=True)
        ]
        covered[3] += (below[0] if len(below) else -np.inf) <= best_one <= found.threshold_upper
    assert (covered >= 178).all(), covered


# --- invariants --------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=15)
@given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=4, max_size=30),
    criterion=st.sampled_from(get_args(By)),
    seed=st.integers(0, 99),
)
@pytest.mark.filterwarnings("ignore:.*AUC below 0.5")
def test_order_ties_transforms_and_counts(rows: list[tuple[int, int]], criterion: str, seed: int) -> None:
    y, s = (np.array(column) for column in zip(*[(1, 3), (0, 2), *rows], strict=True))
    found, order = best(Scores(y, s), criterion), np.random.default_rng(seed).permutation(len(y))
    moved = best(Scores(y[order], np.exp(s[order])), criterion)
    level, code = np.unique(s, return_inverse=True)
    counted = best(
        Scores.from_counts(level, *(np.bincount(code[y == c], minlength=len(level)) for c in (1, 0))),
        criterion,
    )
    for other, back in ((moved, np.log), (counted, lambda t: t)):
        for name in ("threshold", "threshold_lower", "threshold_upper"):
            assert back(getattr(other, name)) == pytest.approx(getattr(found, name), nan_ok=True)
        for name in ("estimate", "lower", "upper", "optimism"):
            assert getattr(other, name) == pytest.approx(getattr(found, name), nan_ok=True)
    assert found.threshold_lower <= found.threshold <= found.threshold_upper
    assert found.threshold in (*s, np.inf)
    assert not found.lower > found.estimate
    # Choosing never makes the value better than it looks.
    if criterion != "max_tpr" and not math.isnan(found.optimism):
        assert found.optimism * (1 if criterion in ("cost", "closest_corner") else -1) >= 0.0


def test_weights_and_clusters() -> None:
    y, s = sample_arrays(8, 40, 60, 1.0)
    plain = best(Scores(y, s), "f1")
    # Each case twice: as many clusters as cases, and the same set of thresholds.
    twice = best(
        Scores(np.tile(y, 2), np.tile(s, 2), cluster=np.tile(np.arange(100), 2)), "f1", n_resamples=300
    )
    assert (twice.threshold, twice.apparent) == pytest.approx((plain.threshold, plain.apparent))
    assert twice.optimism == pytest.approx(plain.optimism, abs=0.02)
    assert twice.upper - twice.lower == pytest.approx(plain.upper - plain.lower, rel=0.2)
    many = best(Scores(y, s, sample_weight=np.full(100, 3), weight_kind="frequency"), "f1")
    assert many.estimate == best(Scores(np.repeat(y, 3), np.repeat(s, 3)), "f1").estimate
    heavy = best(Scores(y, s, sample_weight=np.where(s > 1.0, 2.0, 0.5)), "f1")
    values = [
        sk.f1_score(y, s >= t, sample_weight=np.where(s > 1.0, 2.0, 0.5)) for t in heavy.curve.threshold
    ]
    assert heavy.apparent == pytest.approx(max(values))


# --- the result --------------------------------------------------------------------------------------------


def test_thresholds_chosen_on_other_cases() -> None:
    y, s = sample_arrays(9, 40, 60, 1.0)
    other = Scores(*sample_arrays(10, 30, 50, 1.0))
    for criterion in get_args(By):
        found, own = best(Scores(y, s), criterion, validation=other), best(other, criterion)
        assert (found.threshold in other.score, found.threshold_source, found.optimism) == (
            True,
            "validation",
            0,
        )
        if criterion in ("cost", "net_benefit"):
            # The prevalence in use is that of the cases evaluated.
            continue
        assert (found.threshold_lower, found.curve.threshold[0]) == (
            own.threshold_lower,
            own.curve.threshold[0],
        )
        at = confusion_at_threshold(Scores(y, s), threshold=found.threshold)
        assert found.tpr.lower == at.tpr.lower
        if criterion in CRITERIA and criterion not in ("fbeta", "closest_corner"):
            assert (found.estimate, found.lower) == (
                getattr(at, criterion).estimate,
                getattr(at, criterion).lower,
            )


def test_a_metric_without_a_threshold_is_at_its_best() -> None:
    y, a = sample_arrays(11, 50, 70, 1.2)
    b = a + np.random.default_rng(1).normal(size=120)
    pair = PairedScores(y, {"a": a, "b": b})
    for name in ("f1", "youden"):
        found = [best(pair[model], name) for model in ("a", "b")]
        single = interval(pair["a"], Metric(name))
        assert (single.estimate, single.lower) == (found[0].estimate, found[0].lower)  # type: ignore[union-attr]
        gap = difference(pair, Metric(name))
        assert gap.estimate == pytest.approx(found[0].estimate - found[1].estimate)
        # A comparison ranks by corrected values.
        ranked = sorted(zip(found, ("a", "b"), strict=True), key=lambda row: -row[0].estimate)
        assert comparison(pair, Metric(name)).ranking == tuple(model for _, model in ranked)
    with pytest.raises(ValueError, match="`threshold` must be given for 'ppv', which has no best one"):
        Metric("ppv")


def test_what_is_refused() -> None:
    scores = Scores(Y, S)
    for criterion, options, words in (
        ("gini", {}, "`criterion` must be"),
        ("youden", {"beta": 2.0}, "`beta` must be omitted with criterion 'youden'"),
        ("f1", {"false_negative": 2.0}, "`false_negative` must be omitted with criterion 'f1'"),
        ("fbeta", {"beta": None}, "`beta` must be given with criterion 'fbeta'"),
        ("fbeta", {"beta": -1.0}, "`beta` must be positive"),
        ("max_tpr", {"max_fpr": None}, "`max_fpr` must be given"),
        ("max_tpr", {"max_fpr": 1.0}, "`max_fpr` must lie strictly"),
        ("net_benefit", {"risk": 0.0}, "`risk` must lie strictly"),
        ("cost", {"false_positive": 0.0}, "`false_positive` must be positive"),
        ("youden", {"validation": Scores(Y[::-1], S[::-1])}, "`validation` must contain other cases"),
        ("f1", {"n_resamples": 5}, "`n_resamples` must be at least"),
    ):
        with pytest.raises(ValueError, match=words):
            best(scores, criterion, **options)
    assert set(OPTIONS) <= set(get_args(By))
    # One positive: nothing can be left out.
    alone = best(Scores([1, 0, 0, 0], [3, 2, 1, 4]), "f1")
    assert math.isnan(alone.optimism)
    assert "so the estimate is optimistic" in alone.notes[0]
    # Two identifiers a row: no cluster can be left out, and no set is known.
    crossed = Scores(Y, S, cluster=(np.arange(12) // 2, np.arange(12) % 3))
    assert math.isnan(best(crossed, "f1").threshold_lower)


def test_what_is_shown() -> None:
    found = best_threshold(Y, S, criterion="youden", **FEW)
    assert found == pickle.loads(pickle.dumps(found))
    text = " ".join(str(found).split())
    assert text.startswith("youden ")
    # Youden's index and the TPR do not depend on the prevalence, F1 does.
    assert "prevalence" not in text + str(best(Scores(Y, S), "max_tpr"))
    assert "prevalence estimated" in " ".join(str(best(Scores(Y, S), "f1")).split())
    assert (
        f"at threshold {found.threshold:g} ({found.threshold_lower:g} to {found.threshold_upper:g})" in text
    )
    content = found.to_dict()
    assert "curve" not in content
    assert content["tpr"]["lower"] == found.tpr.lower  # type: ignore[union-attr]
    row = found.to_frame()
    assert len(row) == 1
    assert row["tpr_lower"][0] == found.tpr.lower  # type: ignore[union-attr]
    curve = found.curve.to_frame()  # type: ignore[union-attr]
    assert list(curve.columns) == ["threshold", "youden", "may_be_best"]
    assert curve["may_be_best"].sum() >= 1


@pytest.mark.parametrize(
    "make", [lambda s: best(s, "f1"), lambda s: expected_cost(s, false_negative=2, false_positive=1, **FEW)]
)
def test_picture(make: Any) -> None:
    from matplotlib.figure import Figure

    found = make(Scores(*sample_arrays(12, 40, 60, 1.0)))
    shown = found.plot(ax=Figure().add_subplot(), name="new")
    assert isinstance(shown, BestThresholdDisplay)
    x, y = shown.line_.get_data()
    assert np.isfinite(x).all()
    assert found.apparent == pytest.approx(np.asarray(y)[np.asarray(x) == found.threshold][0])
    ends = shown.set_.get_x(), shown.set_.get_x() + shown.set_.get_width()
    assert ends == pytest.approx((found.threshold_lower, min(found.threshold_upper, np.max(x))))
    (point, *_), (bars,) = shown.bars_[0].get_xydata(), shown.bars_[2]
    assert point == pytest.approx((found.threshold, found.estimate))
    assert bars.get_segments()[0][:, 1] == pytest.approx((found.lower, found.upper))
    given = expected_cost(Y, S, false_negative=2, false_positive=1, threshold=2.0)
    assert not isinstance(given.plot(ax=Figure().add_subplot()), BestThresholdDisplay)


def test_costs_are_printed_and_compared_with_no_model() -> None:
    weak = Scores.from_counts([4, 3, 2, 1], pos=[10, 6, 5, 4], neg=[6, 7, 8, 9])
    good = Scores.from_counts([2, 1], pos=[90, 10], neg=[10, 90])
    assert best_threshold(weak, rng=1).quantity == "error rate"
    for scores, cheaper in ((weak, False), (good, True)):
        for function in (best_threshold, expected_cost):
            found = function(scores, false_negative=2, false_positive=0.5, rng=1)
            assert found.quantity == "cost per case (false negative 2, false positive 0.5)"
            assert found.cheaper is cheaper is (found.upper < found.trivial)
            assert (NOT_CHEAPER in found.notes) is not cheaper
    assert best_threshold(weak, criterion="youden", rng=1).cheaper is None


@pytest.mark.slow
def test_the_set_contains_the_best_threshold_of_rare_positives() -> None:
    """400 positives and 200,000 negatives, so that the errors are among a few of the highest negatives.

    With coverage 0.95 the probability of fewer than 34 of 40 is 0.0005. Sets of thresholds at even steps of
    all cases were single thresholds, and contained the best in 0 of 40 samples.
    """
    at = optimize.minimize_scalar(
        lambda t: 400.0 * stats.norm.cdf(t - 4.0) + 10.0 * 200_000.0 * stats.norm.sf(t),
        bounds=(2.0, 6.0),
        method="bounded",
    ).x
    held, y = 0, np.repeat([1, 0], [400, 200_000])
    for seed in range(40):
        score = np.random.default_rng(seed).normal(size=len(y)) + 4.0 * y
        options = {"false_negative": 1.0, "false_positive": 10.0, "n_resamples": 200, "rng": seed}
        found = best_threshold(Scores(y, score), **options)
        held += found.threshold_lower <= at <= found.threshold_upper
    assert held >= 34
