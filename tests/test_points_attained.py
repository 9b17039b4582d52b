"""Thresholds for a wanted rate, against every sample of a few cases, order statistics and scikit-learn."""

from __future__ import annotations

import csv
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats
from sklearn.metrics import precision_recall_curve

from confroc import (
    Scores,
    confusion_at_threshold,
    fpr_at_tpr,
    interval,
    rates_at_positive_rate,
    rates_at_threshold,
    roc_curve,
    threshold_at,
    tpr_at_fpr,
)
from confroc.plot import AttainedThresholdsDisplay
from confroc.statistics import Metric

pytestmark = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], [200, 150])
CONTINUOUS = Scores(Y, RNG.normal(size=350) + Y)
TIED = Scores(Y, np.round(RNG.normal(size=350) + Y, 1))
REFERENCE = Path(__file__).parent / "reference"
RECORDED = json.loads((REFERENCE / "proc_coords.json").read_text(encoding="utf-8"))["coords"]
WANTED: list[dict[str, Any]] = [{"fpr": 0.1}, {"tpr": 0.8}, {"positive_rate": 0.3}, {"precision": 0.75}]


@pytest.mark.parametrize("scores", [CONTINUOUS, TIED])
def test_thresholds_are_those_that_the_rates_carry(scores: Scores) -> None:
    at = [0.05, 0.2, 0.9]
    for name, rate in (("fpr", tpr_at_fpr), ("tpr", fpr_at_tpr), ("positive_rate", rates_at_positive_rate)):
        found: Any = rate(scores, **{name: at})
        mine = threshold_at(scores, **{name: at})
        attained = ~np.isnan(found.threshold)
        np.testing.assert_array_equal(mine.threshold.estimate[attained], found.threshold[attained])
        assert attained.sum() >= (3 if scores is CONTINUOUS else 1)


@pytest.mark.parametrize("scores", [CONTINUOUS, TIED])
@pytest.mark.parametrize("wanted", WANTED)
def test_rates_are_those_at_the_threshold_by_clopper_and_pearson(
    scores: Scores, wanted: dict[str, Any]
) -> None:
    found = threshold_at(scores, **wanted)
    at = found.threshold.estimate
    rates = rates_at_threshold(scores, threshold=at, method="clopper_pearson", joint=False)
    for mine, other in ((found.fpr, rates.fpr), (found.tpr, rates.tpr)):
        np.testing.assert_array_equal(mine.estimate, other.estimate)
        np.testing.assert_allclose([mine.lower, mine.upper], [other.lower, other.upper], rtol=1e-12)
    if found.precision is not None:
        other = interval(scores, Metric("ppv", at), method="clopper_pearson")
        np.testing.assert_array_equal(found.precision.lower, other.lower)


@pytest.mark.parametrize("masses", [(0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.1, 0.8, 0.1), (0.25, 0.25, 0.5)])
@pytest.mark.parametrize("rate", [0.2, 0.3, 0.6])
@pytest.mark.parametrize("name", ["fpr", "tpr"])
def test_coverage_over_every_sample_of_five_of_tied_scores(
    masses: tuple[float, ...], rate: float, name: str
) -> None:
    # Scores 0, 1, 2; the other class, at -1, 0.5 and 3, must not matter.
    reach = np.cumsum(masses[::-1])[::-1]
    if name == "fpr":
        true = float(next((t for t in range(3) if reach[t] - masses[t] <= rate + 1e-12), 2))
    else:
        true = float(max(t for t in range(3) if reach[t] >= rate - 1e-12))
    covered = kept = 0.0
    for sample in itertools.combinations_with_replacement(range(3), 5):
        chance = float(stats.multinomial.pmf(np.bincount(sample, minlength=3), 5, masses))
        y = np.array([0] * 5 + [1] * 3) if name == "fpr" else np.array([1] * 5 + [0] * 3)
        table = Scores(y, [*sample, -1.0, 0.5, 3.0])
        found = threshold_at(table, confidence_level=0.7, **{name: rate})
        covered += chance * bool(found.threshold.lower[0] <= true <= found.threshold.upper[0])
        assert found.guaranteed is not None
        at = found.guaranteed[0]
        attained = sum(m for s, m in enumerate(masses) if s >= at)
        kept += chance * (attained <= rate + 1e-12 if name == "fpr" else attained >= rate - 1e-12)
    assert covered >= 0.7 - 1e-12
    assert kept >= 0.7 - 1e-12


@pytest.mark.parametrize(("n_neg", "n_pos"), [(5, 5), (4, 2), (1, 3)])
@pytest.mark.parametrize("name", ["fpr", "tpr", "positive_rate"])
def test_every_ranking_of_a_few_cases_gives_the_order_statistics(n_neg: int, n_pos: int, name: str) -> None:
    rates, n = np.array([0.15, 0.4, 0.5]), n_neg + n_pos
    m = {"fpr": n_neg, "tpr": n_pos, "positive_rate": n}[name]
    # The r-th highest score is at least the quantile if Bin(m, f) cases or more reach it.
    high = [next(r for r in range(m + 1) if stats.binom.cdf(r, m, f) > 0.1) for f in rates]
    low = [next(r for r in range(m + 2) if stats.binom.sf(r - 1, m, f) <= 0.1) for f in rates]
    score = np.arange(n, 0.0, -1.0)
    for places in itertools.combinations(range(n), n_pos):
        y = np.isin(np.arange(n), places).astype(int)
        own = {"fpr": score[y == 0], "tpr": score[y == 1], "positive_rate": score}[name]
        found = threshold_at(Scores(y, score), confidence_level=0.8, **{name: rates})
        ends, estimate = np.array([np.inf, *own, -np.inf]), found.threshold.estimate
        np.testing.assert_array_equal(found.threshold.upper, np.maximum(ends[high], estimate))
        np.testing.assert_array_equal(found.threshold.lower, np.minimum(ends[low], estimate))
        side: Any = getattr(found, name)
        assert side.guarantee == "finite-sample"
        # The rate attained lies between those of the r-th and the next highest case.
        r = (own >= estimate[:, None]).sum(axis=1)
        some = r > 0
        tail = stats.beta.cdf(side.lower[some], r[some], m - r[some] + 1)
        np.testing.assert_allclose(tail, 0.1, rtol=1e-9)
        np.testing.assert_allclose(stats.beta.sf(side.upper[r < m], r[r < m] + 1, (m - r)[r < m]), 0.1)


@pytest.mark.parametrize("scores", [CONTINUOUS, TIED])
@pytest.mark.parametrize("prior", [None, 0.1])
def test_precision_has_scikit_learns_threshold(scores: Scores, prior: float | None) -> None:
    y, score = np.repeat([1, 0], [scores.n_pos, scores.n_neg]), np.repeat(scores.score, scores.pos)
    score = np.append(score, np.repeat(scores.score, scores.neg))
    weight = None if prior is None else np.where(y == 1, prior / 150, (1 - prior) / 200)
    precision, _, threshold = precision_recall_curve(y, score, sample_weight=weight)
    wanted = np.linspace(0.15, precision[:-1].max() - 1e-9, 25)
    found = threshold_at(scores, precision=wanted, prior=prior)
    expected = [threshold[np.argmax(precision[:-1] >= p)] for p in wanted]
    np.testing.assert_array_equal(found.threshold.estimate, expected)
    assert found.guaranteed is None
    assert found.precision is not None
    assert (found.precision.estimate >= wanted).all()


@pytest.mark.parametrize("known", RECORDED, ids=lambda k: f"{k['marker']} {k['wanted']} {k['rate']}")
def test_points_and_intervals_are_those_of_proc(known: dict[str, Any]) -> None:
    with (REFERENCE / "data" / "aSAH.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    scores = Scores([row["outcome"] == "Poor" for row in rows], [float(row[known["marker"]]) for row in rows])
    found = threshold_at(scores, **{known["wanted"]: known["rate"]})
    # pROC's threshold is halfway to the next lower score.
    assert found.threshold.estimate[0] == scores.score[scores.score >= known["threshold"]].min()
    assert 1.0 - found.fpr.estimate[0] == pytest.approx(known["specificity"])
    assert found.tpr.estimate[0] == pytest.approx(known["sensitivity"])
    if found.precision is not None:
        assert found.precision.estimate[0] == pytest.approx(known["ppv"])
    # Percentiles of resamples are closer to the estimate than exact ends, by about a half to one case of 41.
    mine = [1.0 - found.fpr.upper[0], 1.0 - found.fpr.lower[0], found.tpr.lower[0], found.tpr.upper[0]]
    np.testing.assert_allclose(mine, [*known["ci_specificity"], *known["ci_sensitivity"]], atol=0.05)


@pytest.mark.parametrize("wanted", [0.55, 0.75, 0.9])
def test_interval_for_a_precision_inverts_the_binomial_test(wanted: float) -> None:
    found = threshold_at(CONTINUOUS, precision=wanted, confidence_level=0.9).threshold
    row = int(np.flatnonzero(CONTINUOUS.score == found.estimate[0])[0])
    above = [*zip(CONTINUOUS.pos_above, CONTINUOUS.neg_above, strict=True)]

    def rejects(row: int, side: str) -> bool:
        hits, alarms = above[row]
        return bool(stats.binomtest(int(hits), int(hits + alarms), wanted, side).pvalue <= 0.05)

    higher = next((r for r in range(row, -1, -1) if rejects(r, "greater")), None)
    lower = next((r for r in range(row, len(above)) if rejects(r, "less")), None)
    assert found.upper[0] == (
        math.inf if higher is None else max(CONTINUOUS.score[higher + 1], found.estimate[0])
    )
    assert found.lower[0] == (-math.inf if lower is None else CONTINUOUS.score[lower])


def test_precision_in_use_is_that_of_the_sample_at_the_same_likelihood_ratio() -> None:
    # 150 positives and 200 negatives: the odds of the precision are 4·150/200 times those in use.
    odds = 0.6 / 0.4 * 4.0 * 150 / 200
    here = threshold_at(CONTINUOUS, precision=odds / (1.0 + odds)).threshold
    used = threshold_at(CONTINUOUS, precision=0.6, prior=0.2).threshold
    assert used.estimate == here.estimate
    # A known prevalence leaves less to chance than the sample's.
    assert here.lower < used.lower < used.estimate < used.upper <= here.upper


@pytest.mark.parametrize("wanted", WANTED)
def test_invariants(wanted: dict[str, Any]) -> None:
    scores = TIED
    found = threshold_at(scores, **wanted)
    curved = threshold_at(Scores.from_counts(np.exp(scores.score), scores.pos, scores.neg), **wanted)
    y, score = np.repeat([1, 0], [150, 200]), np.repeat(scores.score, scores.pos)
    score = np.append(score, np.repeat(scores.score, scores.neg))
    order = RNG.permutation(350)
    shuffled = threshold_at(y[order], score[order], **wanted)
    for end in ("lower", "estimate", "upper"):
        value = getattr(found.threshold, end)
        np.testing.assert_array_equal(getattr(shuffled.threshold, end), value)
        np.testing.assert_array_equal(getattr(curved.threshold, end), np.exp(value))
    assert found.tpr.estimate == curved.tpr.estimate
    # Rows that only repeat others of their cluster add no information.
    twice = Scores(np.tile(y, 2), np.tile(score, 2), cluster=np.tile(np.arange(350), 2))
    clustered = threshold_at(twice, **wanted)
    alone = threshold_at(Scores(y, score, cluster=np.arange(350)), **wanted)
    for end in ("lower", "estimate", "upper"):
        value = getattr(alone.threshold, end)
        np.testing.assert_array_equal(getattr(clustered.threshold, end), value)
    assert clustered.threshold.guarantee == clustered.fpr.guarantee == "asymptotic"


def test_number_of_cases_needed() -> None:
    y = np.repeat([0, 1], [58, 5])
    found = threshold_at(Scores(y, np.arange(63.0)), fpr=0.05)
    assert found.guaranteed is not None
    assert found.guaranteed[0] == np.inf
    assert "at least 59 negatives are required" in found.threshold.notes[0]
    enough = threshold_at(Scores(np.repeat([0, 1], [59, 5]), np.arange(64.0)), fpr=0.05)
    assert enough.guaranteed is not None
    assert enough.guaranteed[0] == 59.0
    assert not enough.threshold.notes
    unseen, guarantee = threshold_at(CONTINUOUS, fpr=1e-4).notes
    assert "A rate of 0.0001 cannot be estimated from 200 negatives; at least 10,000" in unseen
    assert "29,956 negatives" in guarantee
    assert "positives" in threshold_at(CONTINUOUS, tpr=0.999).threshold.notes[0]
    assert (
        "cannot be estimated from 350 cases"
        in threshold_at(CONTINUOUS, positive_rate=0.001).threshold.notes[0]
    )


@pytest.mark.parametrize("wanted", [{"fpr": [0.05, 0.2]}, {"tpr": 0.9}, {"positive_rate": 0.3}])
def test_rates_at_the_guaranteed_threshold_are_those_of_the_cases(wanted: dict[str, Any]) -> None:
    y, score = np.repeat([0, 1], [90, 60]), np.append(np.arange(90.0), np.arange(45.0, 105.0))
    found = threshold_at(Scores(y, score), **wanted)
    assert found.guaranteed is not None
    for name, one_class in (("fpr", score[y == 0]), ("tpr", score[y == 1])):
        shares = [(one_class >= at).mean() for at in found.guaranteed]
        np.testing.assert_allclose(getattr(found, f"guaranteed_{name}"), shares, rtol=1e-12)
    confusion = confusion_at_threshold(Scores(y, score), threshold=found.guaranteed[:1])
    np.testing.assert_allclose(confusion.tpr.estimate, (score[y == 1] >= found.guaranteed[0]).mean())


def test_result_is_shown_and_kept() -> None:
    found = threshold_at(CONTINUOUS, fpr=[0.05, 0.2])
    assert "guaranteed" in str(found)
    assert "attained_tpr_upper" in found.to_frame().columns
    plain = found.to_dict()
    assert plain["threshold"]["at_name"] == "fpr"
    assert "precision" not in plain
    assert "attained_fpr: at threshold; method: clopper_pearson; guarantee: finite-sample" in str(found)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({}, "one of the four"),
        ({"fpr": 0.1, "tpr": 0.9}, "one of the four"),
        ({"fpr": 0.0}, "`fpr` must lie strictly between 0 and 1; got 0.0"),
        ({"positive_rate": 1.0}, "`positive_rate` must lie strictly between"),
        ({"precision": 0.0}, "`precision` must be above 0 and at most 1"),
        ({"precision": 0.9999, "prior": 0.001}, "must be at most .*, the maximum precision"),
        ({"precision": 0.5, "prior": (12, 150)}, "`prior` must be one finite number"),
        ({"fpr": 0.5, "prior": 0.1}, "`prior` must be omitted without `precision`"),
    ],
)
def test_refusals(wanted: dict[str, Any], words: str) -> None:
    scores = Scores([1, 0, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]) if "prior" in wanted else CONTINUOUS
    with pytest.raises(ValueError, match=words):
        threshold_at(scores, **wanted)


@pytest.mark.parametrize("target", ["fpr", "tpr", "precision"])
def test_plots_show_the_target_and_the_guaranteed_threshold(target: str) -> None:
    scores = Scores([0] * 100 + [1] * 100, [*range(100), *range(50, 150)])
    found = threshold_at(scores, **{target: [0.6, 0.8]})
    shown = roc_curve(scores).plot(ax=Figure().add_subplot())
    drawn = found.plot(ax=shown.ax_)
    assert isinstance(drawn, AttainedThresholdsDisplay)
    lines = {line.get_label(): line for line in drawn.ax_.lines}
    if target == "precision":
        assert drawn.guaranteed_ is None
        assert "target" not in lines
        return
    ends = lines["target"].get_xdata() if target == "fpr" else lines["target"].get_ydata()
    assert list(ends) == [0.6, 0.6]
    assert drawn.guaranteed_ is not None
    x, y = drawn.guaranteed_.get_data()
    for threshold, fpr, tpr in zip(found.guaranteed, x, y, strict=True):
        assert fpr == (np.arange(100) >= threshold).mean()
        assert tpr == (np.arange(50, 150) >= threshold).mean()
