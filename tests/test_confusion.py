"""Metrics of the confusion matrix: against scikit-learn, DTComPair, SciPy, and exact coverage."""

from __future__ import annotations

import json
import math
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk
from scipy import stats
from scipy.special import gammaln, xlogy

from confroc import (
    ConfrocWarning,
    Interval,
    Intervals,
    PairedScores,
    Scores,
    UnpairedScores,
    comparison,
    confusion_at_threshold,
    difference,
    interval,
    ratio,
    read_scores,
)
from confroc.distributions import normal_quantile
from confroc.points.confusion_methods import MidPMetric, limits
from confroc.results import Difference
from confroc.statistics import Auc, Metric
from confroc.statistics.metrics import METRICS, gradient

SCORES = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
RNG = np.random.default_rng(3)
Y = np.repeat([1, 0], [40, 90])
A, B = (shift * Y + RNG.normal(size=130) for shift in (1.4, 0.9))
PAIR = PairedScores(Y, A, B)


def paired1() -> PairedScores:
    """The data `Paired1` of the R package DTComPair: results of y1 and y2, diseased, others."""
    cells = [((1, 1), 319, 31), ((1, 0), 78, 53), ((0, 1), 22, 22), ((0, 0), 32, 155)]
    y = np.concatenate([np.repeat([1, 0], [pos, neg]) for _, pos, neg in cells])
    return PairedScores(
        y, *(np.concatenate([np.full(p + n, c[i] + 0.0) for c, p, n in cells]) for i in (0, 1))
    )


@pytest.mark.filterwarnings("ignore:.*predicted classes")
class TestAgainstDTComPair:
    def test_one_model(self) -> None:
        scores = paired1().a
        found = confusion_at_threshold(scores, threshold=0.5, method="clopper_pearson")
        assert (found.tp, found.fp, found.fn, found.tn) == (397, 84, 54, 177)
        assert found.ppv.lower == pytest.approx(0.7884240, abs=5e-8)
        assert found.ppv.upper == pytest.approx(0.8582440, abs=5e-8)
        assert found.ppv.guarantee == "finite-sample"
        assert found.mcc.guarantee == "asymptotic"
        found = confusion_at_threshold(scores, threshold=0.5, method="delta")
        for i, wanted in (
            (found.lr_positive, (2.7351124, 2.2860079, 3.2724472)),
            (found.lr_negative, (0.1765568, 0.1356142, 0.2298601)),
        ):
            assert (i.estimate, i.lower, i.upper) == pytest.approx(wanted, abs=6e-8)

    def test_ratios_of_predictive_values(self) -> None:
        pair = paired1()[1, 0]
        for name, wanted in (
            ("ppv", (1.04860694, 1.0084705, 1.0903408)),
            ("npv", (0.8536403, 0.7926258, 0.9193516)),
        ):
            found = ratio(pair, Metric(name, 0.5), method="moskowitz_pepe")
            assert (found.estimate, found.lower, found.upper) == pytest.approx(wanted, abs=6e-8)
            assert found.quantity == f"{name}_b / {name}_a"

    def test_weighted_generalized_score(self) -> None:
        for name, wanted in (("ppv", 5.46588745), ("npv", 16.5354)):
            found = difference(paired1(), Metric(name, 0.5), method="generalized_score")
            assert isinstance(found, Difference)
            assert found.statistic**2 == pytest.approx(wanted, rel=1e-6)
            assert found.pvalue == pytest.approx(stats.chi2.sf(wanted, 1), rel=1e-5)
            edge = difference(
                paired1(), Metric(name, 0.5), method="generalized_score", confidence_level=1 - found.pvalue
            )
            assert isinstance(edge, Difference)
            assert min(abs(edge.lower), abs(edge.upper)) < 1e-9

    def test_it_is_refused_for_other_metrics(self) -> None:
        for metric in (Metric("f1", 0.5), Metric("ppv", 0.5, prior=0.1)):
            with pytest.raises(ValueError, match=r"`method`.*'ppv' or 'npv'"):
                difference(paired1(), metric, method="generalized_score")


def test_values_are_those_of_scikit_learn() -> None:
    called = A >= 0.7
    of: dict[str, Any] = {
        "tpr": sk.recall_score(Y, called),
        "ppv": sk.precision_score(Y, called),
        "npv": sk.precision_score(1 - Y, ~called),
        "tnr": sk.recall_score(1 - Y, ~called),
        "accuracy": sk.accuracy_score(Y, called),
        "balanced_accuracy": sk.balanced_accuracy_score(Y, called),
        "f1": sk.f1_score(Y, called),
        "fbeta": sk.fbeta_score(Y, called, beta=0.5),
        "mcc": sk.matthews_corrcoef(Y, called),
        "kappa": sk.cohen_kappa_score(Y, called),
    }
    ratios: Any = sk.class_likelihood_ratios(Y, called)
    of |= dict(zip(("lr_positive", "lr_negative"), ratios, strict=True))
    for name, wanted in of.items():
        assert Metric(name, 0.7, beta=0.5).value(PAIR.a) == pytest.approx(wanted, rel=1e-15), name
    found = confusion_at_threshold(Y, A, threshold=0.7)
    tn, fp, fn, tp = sk.confusion_matrix(Y, called).ravel()
    assert (found.tp, found.fp, found.fn, found.tn) == (tp, fp, fn, tn)
    assert found.diagnostic_odds_ratio.estimate == pytest.approx(tp * tn / (fp * fn))
    assert found.lift.estimate == pytest.approx(found.ppv.estimate / Y.mean())
    assert found.number_needed_to_evaluate.lower == pytest.approx(1 / found.ppv.upper)
    assert found.fnr.lower == pytest.approx(1 - found.tpr.upper)


def test_shares_have_the_limits_of_proportions() -> None:
    found = interval(SCORES, Metric("ppv", [np.inf, 2.0, -np.inf]), method="wilson", confidence_level=0.9)
    assert isinstance(found, Intervals)
    assert np.isnan([found.estimate[0], found.lower[0], found.upper[0]]).all()
    wanted = stats.binomtest(45, 65).proportion_ci(0.9, method="wilson")
    assert (found.lower[1], found.upper[1]) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    found = confusion_at_threshold(SCORES, threshold=2, method="clopper_pearson")  # type: ignore[assignment]
    # F1 is 2J/(1 + J) of the Jaccard index J, the share 45 of 45 + 20 + 5.
    low, high = stats.binomtest(45, 70).proportion_ci()
    assert (found.f1.lower, found.f1.upper) == pytest.approx(  # type: ignore[attr-defined]
        (2 * low / (1 + low), 2 * high / (1 + high))
    )


def test_influence_is_the_derivative() -> None:
    for name in METRICS:
        full, stratified = (Metric(name, 2, sampling=s).influence(SCORES) for s in ("full", "stratified"))
        for side, counts in enumerate((SCORES.pos, SCORES.neg)):
            assert np.average(stratified[side], weights=counts) == pytest.approx(0.0, abs=1e-12)
            assert np.diff(stratified[side]) == pytest.approx(np.diff(full[side]), abs=1e-12)
            for row in range(3):
                # One case more among a million times as many.
                more = [SCORES.pos * 10**6, SCORES.neg * 10**6]
                more[side][row] += 1
                moved = Metric(name, 2).value(Scores.from_counts(SCORES.score, *more))
                moved = (moved - Metric(name, 2).value(SCORES)) * counts.sum() * 1e6
                assert moved == pytest.approx(full[side][row], rel=1e-4, abs=1e-4), name
    assert np.isnan(gradient(lambda c: 1.0 / c[0], np.zeros((1, 1)))).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_coverage_is_near_the_level(name: str, sampling: Literal["full", "stratified"]) -> None:
    """Exact, over all tables of 20 + 20 cases, or of 25 cases drawn whatever their class."""
    if sampling == "stratified":
        n_pos, n_neg = 20, 20
        tp, fp = (v.ravel().astype(float) for v in np.meshgrid(np.arange(21), np.arange(21)))
        counts = np.array([tp, fp, 20 - tp, 20 - fp])
    else:
        n_pos, n_neg = 10, 15
        every = [
            (i, j, k, 25 - i - j - k) for i in range(26) for j in range(26 - i) for k in range(26 - i - j)
        ]
        counts = np.array(every, float).T
        counts = counts[:, (counts[0] + counts[2] > 0) & (counts[1] + counts[3] > 0)]
    table = Scores.from_counts([1.0, 0.0], [n_pos, 0], [0, n_neg])
    metric = Metric(name, 0.5, sampling=sampling, beta=2.0)
    formula = metric.formula
    parts = metric.proportions(table, counts)
    z = np.full(counts.shape[1], normal_quantile(0.95))
    lower, upper = limits(parts, z, formula.log, MidPMetric.limit)
    with np.errstate(all="ignore"):
        estimate = formula.of(*counts)
    lower, upper = np.fmin(lower, estimate), np.fmax(upper, estimate)
    assert (upper > lower)[~np.isnan(estimate)].all()
    orders = gammaln(counts.sum(axis=0) + 1) - gammaln(counts + 1).sum(axis=0)
    if sampling == "stratified":
        orders = 2 * gammaln(21) - gammaln(counts + 1).sum(axis=0)
    covered = []
    for tpr in (0.05, 0.2, 0.5, 0.8, 0.95):
        for fpr in (0.05, 0.2, 0.5, 0.8, 0.95):
            if name == "kappa" and tpr < fpr:
                continue
            share = n_pos / (n_pos + n_neg)
            cells = np.array([share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr)])
            chance = cells if sampling == "full" else np.array([tpr, fpr, 1 - tpr, 1 - fpr])
            truth = formula.of(*cells)
            mass = np.exp(orders + xlogy(counts, chance[:, None]).sum(axis=0)) * ~np.isnan(estimate)
            inside = (lower <= truth + 1e-12) & (truth * (1 - 1e-12) - 1e-12 <= upper)
            covered.append(mass[inside].sum() / mass.sum())
    assert min(covered) > 0.915
    assert 0.945 < np.mean(covered) < 0.98


def test_a_stated_prevalence() -> None:
    known = confusion_at_threshold(SCORES, threshold=2, prior=0.1)
    tpr, fpr = 0.9, 0.2
    assert known.ppv.estimate == pytest.approx(0.1 * tpr / (0.1 * tpr + 0.9 * fpr))
    assert known.tpr == confusion_at_threshold(SCORES, threshold=2).tpr
    counted = confusion_at_threshold(SCORES, threshold=2, prior=(10, 100))
    assert counted.ppv.estimate == known.ppv.estimate
    assert counted.ppv.lower < known.ppv.lower < known.ppv.upper < counted.ppv.upper
    assert interval(SCORES, Metric("ppv", 2, prior=np.array([10, 100]))) == counted.ppv
    assert counted.ppv.notes == ("The interval includes the uncertainty of the prevalence.",)
    far = confusion_at_threshold(SCORES, threshold=2, prior=(10**9, 10**10))
    assert far.ppv.lower == pytest.approx(known.ppv.lower, abs=1e-5)
    # The delta method's logit, by hand (Mercaldo, Lau & Zhou 2007): logit PPV = logit π + log TPR/FPR.
    found = confusion_at_threshold(SCORES, threshold=2, prior=(10, 100), method="delta").ppv
    error = math.sqrt(1 / (100 * 0.1 * 0.9) + 0.1 / (50 * 0.9) + 0.8 / (100 * 0.2))
    logit = math.log(found.estimate / (1 - found.estimate))
    assert math.log(found.upper / (1 - found.upper)) - logit == pytest.approx(1.959964 * error, rel=1e-6)
    with pytest.raises(ValueError, match="`prior` must be a number if cases are resampled"):
        interval(SCORES, Metric("ppv", 2, prior=(10, 100)), method="bootstrap", rng=0)
    with pytest.raises(ValueError, match=r"`prior` must be omitted under"):
        Metric("ppv", 2, prior=0.1, sampling="full")
    # A shared estimate of the prevalence moves both models.
    apart = [difference(PAIR, Metric("ppv", 0.7, prior=p)) for p in (0.1, (10, 100), (10**9, 10**10))]
    widths = [d.upper - d.lower for d in apart if isinstance(d, Difference)]
    assert widths[0] < widths[1]
    assert widths[0] == pytest.approx(widths[2], abs=1e-4)


def test_nothing_is_called_positive_and_no_error_is_seen() -> None:
    none = confusion_at_threshold(SCORES, threshold=np.inf)
    assert math.isnan(none.ppv.estimate)
    assert math.isnan(none.mcc.lower)
    assert "All cases are on the same side of the threshold" in none.ppv.notes[0]
    assert "0/0" in str(none)
    assert none.to_dict()["ppv"]["estimate"] is None
    assert (none.tpr.lower, none.tpr.estimate) == (0.0, 0.0)
    assert none.tpr.upper > 0.03
    all_right = confusion_at_threshold([1] * 8 + [0] * 12, [1.0] * 7 + [2.0] + [0.0] * 12, threshold=0.5)
    for found in all_right._intervals():
        assert found.lower <= found.estimate <= found.upper, found.quantity
        assert found.upper > found.lower, found.quantity
    assert all_right.lr_positive.estimate == all_right.lr_positive.upper == math.inf
    assert all_right.lr_positive.lower > 3
    assert all_right.to_dict()["lr_positive"]["upper"] is None


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"`threshold`.*NaN"):
        confusion_at_threshold(SCORES, threshold=np.nan)
    with pytest.raises(TypeError, match=r"`threshold`.*one number"):
        confusion_at_threshold(SCORES, threshold=[1.0, 2.0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`metric`"):
        Metric("f2", 0.5)
    with pytest.raises(ValueError, match="`beta`"):
        Metric("fbeta", 0.5, beta=0.0)
    with pytest.raises(ValueError, match=r"`threshold`.*one number"):
        interval(SCORES, Metric("ppv", [1.0, 2.0]), method="logit")
    with pytest.raises(ValueError, match=r"`statistic`.*a number"):
        ratio(PAIR, Metric("ppv", [1.0, 2.0]))
    with pytest.raises(ValueError, match="`alternative`"):
        ratio(PAIR, Auc(), alternative="equivalence")  # type: ignore[arg-type]


def test_result_is_a_table_a_frame_and_json() -> None:
    found = confusion_at_threshold(SCORES, threshold=2)
    assert list(found.to_frame()["metric"])[:5] == ["tpr", "tnr", "fpr", "fnr", "ppv"]
    assert json.loads(found.to_json())["f1"]["quantity"] == "f1"
    assert str(found).splitlines()[-1].startswith("TP 45, FP 20, FN 5, TN 80; 95%")
    assert isinstance(found.kappa, Interval)


def test_differences_and_ratios_agree_with_their_tests() -> None:
    for name in ("ppv", "f1", "mcc", "lr_positive"):
        metric = Metric(name, 0.7)
        for data in (PAIR, UnpairedScores(PAIR.a, PAIR.b)):
            found = difference(data, metric)
            assert isinstance(found, Difference)
            assert found.estimate == pytest.approx(metric.value(PAIR.a) - metric.value(PAIR.b))
            edge = difference(data, metric, confidence_level=1 - found.pvalue)
            assert isinstance(edge, Difference)
            assert min(abs(edge.lower), abs(edge.upper)) < 1e-6
            wald = difference(data, metric, method="wald")
            assert isinstance(wald, Difference)
            assert found.upper - found.lower == pytest.approx(wald.upper - wald.lower, rel=0.25)
    near = ratio(PAIR, Auc())
    assert near.estimate == pytest.approx(PAIR.a.auc / PAIR.b.auc)
    assert ratio(PAIR, Auc(), confidence_level=1 - near.pvalue).lower == pytest.approx(1.0)
    assert "auc_a / auc_b" in str(near)
    assert "+" not in str(near)
    drawn = ratio(PAIR, Metric("ppv", 0.7), method="bootstrap", n_resamples=999, rng=0)
    usual = ratio(PAIR, Metric("ppv", 0.7))
    assert (drawn.lower, drawn.upper) == pytest.approx((usual.lower, usual.upper), rel=0.1)
    assert ratio(PAIR, Metric("ppv", 0.7), alternative="greater").upper == math.inf
    with pytest.warns(ConfrocWarning, match="whole range"):
        nothing = ratio(PAIR, (Metric("tpr", np.inf), Metric("tpr", 0.7)))
    assert (nothing.estimate, nothing.lower, nothing.upper, nothing.pvalue) == (0.0, 0.0, math.inf, 1.0)
    assert comparison(PAIR, Metric("number_needed_to_evaluate", 0.7)).ranking == ("a", "b")


def test_dependent_cases() -> None:
    y, s = np.repeat(Y, 3), np.repeat(A, 3)
    metrics = [Metric(name, 0.7) for name in ("ppv", "f1", "tpr", "kappa")]
    for metric in metrics:
        alone = interval(Scores(Y, A), metric)
        grouped = interval(Scores(y, s, cluster=np.repeat(np.arange(130), 3)), metric)
        assert isinstance(alone, Interval)
        assert isinstance(grouped, Interval)
        assert grouped.estimate == pytest.approx(alone.estimate)
        # Three equal rows are as informative as one, less what is not known of the variance.
        assert grouped.upper - grouped.lower == pytest.approx(alone.upper - alone.lower, rel=0.12)
        assert grouped.design_effect == pytest.approx(3.0, rel=0.1)
        doubled = interval(Scores(Y, A, sample_weight=np.full(130, 2.0)), metric)
        assert doubled == alone
    several = interval(Scores(y, s, cluster=np.repeat(np.arange(130), 3)), Metric("ppv", [0.5, 0.7]))
    one = interval(Scores(y, s, cluster=np.repeat(np.arange(130), 3)), Metric("ppv", 0.7))
    assert isinstance(several, Intervals)
    assert isinstance(one, Interval)
    assert several.lower[1] == one.lower
    pair = PairedScores(y, s, np.repeat(B, 3), cluster=np.repeat(np.arange(130), 3))
    gaps = [difference(data, Metric("ppv", 0.7)) for data in (PAIR, pair)]
    assert gaps[1].upper - gaps[1].lower == pytest.approx(gaps[0].upper - gaps[0].lower, rel=0.12)


def test_rounded_scores_widen_intervals() -> None:
    exact = Scores(Y, A)
    rounded = read_scores(pd.DataFrame({"y": Y, "s": A}), label="y", score="s", resolution=12)
    assert isinstance(rounded, Scores)
    for name in METRICS:
        metric = Metric(name, 0.9)
        down, up = metric.rounding(rounded)
        assert metric.value(rounded) - down <= metric.value(exact) <= metric.value(rounded) + up, name
    found = interval(rounded, Metric("positive_rate", 0.9))
    assert any("rounded" in note for note in found.notes)
