"""Any statistic: intervals, differences and comparisons, of ours and of functions of the user's own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import special, stats
from sklearn import metrics

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_difference,
    auc_interval,
    comparison,
    difference,
    interval,
    methods,
    tpr_at_fpr,
)
from confroc.base import Statistic
from confroc.inference import minus, one
from confroc.influence import contrast_moments
from confroc.statistics import (
    Auc,
    AveragePrecision,
    BrierScore,
    Cost,
    CostPerCase,
    Custom,
    Gini,
    KolmogorovSmirnov,
    Metric,
    NetBenefit,
    RatesAtThreshold,
    TprAtFpr,
)

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")


def drawn(n: int, seed: int, k: int = 2) -> tuple[Any, list[Any]]:
    """Labels and the scores of some models, with a few ties."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    common = rng.normal(size=n)
    return y, [np.round(y + common + rng.normal(size=n), 1) for _ in range(k)]


Y, COLUMNS = drawn(240, 5, k=5)
ONE, PAIR = Scores(Y, COLUMNS[0]), PairedScores(Y, *COLUMNS[:2])
FIVE = PairedScores(Y, {f"m{i}": column for i, column in enumerate(COLUMNS)})

REGULAR: dict[str, Statistic] = {
    "auc": Auc(),
    "fpr part": Auc(max_fpr=0.3),
    "tpr part": Auc(min_tpr=0.6, standardize=True),
    "average precision": AveragePrecision(sampling="stratified"),
    "gini": Gini(),
    "ks": KolmogorovSmirnov(),
    "cost": Cost(w=0.4, threshold=0.5),
    "cost per case": CostPerCase(
        false_negative=5.0, false_positive=1.0, threshold=0.5, sampling="stratified"
    ),
    "net benefit": NetBenefit(risk=0.3, threshold=0.5, sampling="stratified"),
}


def left_out(statistic: Statistic, table: Scores) -> float:
    """Variance by the jackknife within each class: one case left out at a time."""
    value, total = statistic.value, 0.0
    for side, own in enumerate((table.pos, table.neg)):
        n = int(own.sum())
        changed = []
        for row in np.flatnonzero(own):
            counts = [table.pos.copy(), table.neg.copy()]
            counts[side][row] -= 1
            kept = counts[0] + counts[1] > 0
            other = Scores.from_counts(table.score[kept], counts[0][kept], counts[1][kept])
            changed += [value(other)] * int(own[row])
        total += (n - 1) / n * float(np.sum((np.array(changed) - np.mean(changed)) ** 2))
    return total


@pytest.mark.parametrize("name", REGULAR)
def test_variances_by_influence_are_the_jackknifes_in_the_limit(name: str) -> None:
    """The relative gap falls with the number of cases: at 960 it is below 4%, and less than at 60."""
    gaps = []
    for n in (60, 960):
        y, (column, _) = drawn(n, 11)
        table = Scores(y, column)
        own = sum(m.variance for m in contrast_moments(one(table, REGULAR[name])))
        gaps.append(abs(own / left_out(REGULAR[name], table) - 1.0))
    assert gaps[1] < 0.04
    assert gaps[1] < gaps[0] + 0.005


@pytest.mark.parametrize("name", REGULAR)
def test_influence_is_centered_and_is_a_derivative(name: str) -> None:
    """A case more at a score moves the value by its influence over the class, to first order.

    What any case more of the class does, by changing the prevalence, is the same at two scores.
    """
    y, (column, _) = drawn(3000, 3)
    table, statistic = Scores(y, column), REGULAR[name]
    of_pos, of_neg = statistic.influence(table)
    assert np.dot(of_pos, table.pos) == pytest.approx(0.0, abs=1e-8)
    assert np.dot(of_neg, table.neg) == pytest.approx(0.0, abs=1e-8)
    rows = (len(table.score) // 10, len(table.score) // 2, len(table.score) - 6)
    for side, influence in enumerate((of_pos, of_neg)):
        moved = []
        for row in rows:
            counts = [table.pos.copy(), table.neg.copy()]
            counts[side][row] += 1
            moved.append(statistic.value(Scores.from_counts(table.score, *counts)) * counts[side].sum())
        for i, j in ((0, 1), (1, 2)):
            expected = influence[rows[i]] - influence[rows[j]]
            assert moved[i] - moved[j] == pytest.approx(expected, abs=0.02, rel=0.05)


def test_walds_interval_is_welchs() -> None:
    # Influence on the area, case by case, is the share of the other class that the case is on the right side
    # of; a sum of two variances has the degrees of freedom of Welch (1947).
    pos, neg = (COLUMNS[0][k == Y] for k in (1, 0))
    wins = np.sign(pos[:, None] - neg[None, :]) / 2.0 + 0.5
    part = [wins.mean(axis=1 - k).var(ddof=1) / wins.shape[k] for k in (0, 1)]
    df = sum(part) ** 2 / sum(v**2 / (n - 1) for v, n in zip(part, wins.shape, strict=True))
    found = interval(ONE, Auc(), method=methods.Wald(), confidence_level=0.9)
    half = stats.t.ppf(0.95, df) * math.sqrt(sum(part))
    assert (found.lower, found.upper) == pytest.approx((wins.mean() - half, wins.mean() + half), abs=1e-12)


def test_influence_of_a_function_of_the_users_own() -> None:
    # The area is a mean over each class, of which the jackknife gives each case's part exactly.
    y, (column, _) = drawn(60, 11)
    table = Scores(y, column)
    area = Custom(metrics.roc_auc_score, sampling="stratified")
    risks = Scores(y, special.expit(column))
    for custom, known, data in (
        (area, Auc(), table),
        (Custom(metrics.brier_score_loss), BrierScore(), risks),
    ):
        both = zip(custom.influence(data), known.influence(data), (data.pos, data.neg), strict=True)
        for own, wanted, count in both:
            np.testing.assert_allclose(own[count > 0], wanted[count > 0], atol=1e-11)


def test_class_sizes_vary_in_resamples_for_a_function() -> None:
    y, (column, _) = drawn(80, 20)
    risks = Scores(y, special.expit(column))
    known = interval(risks, BrierScore(), method="bootstrap", n_resamples=400, rng=1)
    own = interval(risks, metrics.brier_score_loss, n_resamples=400, rng=1)
    assert own.confidence_interval == pytest.approx(known.confidence_interval, abs=1e-12)
    fixed = interval(risks, Custom(metrics.brier_score_loss, sampling="stratified"), n_resamples=400, rng=1)
    assert fixed.confidence_interval != own.confidence_interval


@pytest.mark.slow
@quiet
def test_a_function_of_the_users_own_is_the_statistic() -> None:
    """The same resamples, so the same numbers, whichever way the average precision is computed."""
    ours, theirs = (
        AveragePrecision(sampling="stratified"),
        Custom(metrics.average_precision_score, sampling="stratified"),
    )
    for scores in (PAIR, UnpairedScores(PAIR.a, PAIR.b)):
        a = difference(scores, ours, method="bootstrap", n_resamples=99, rng=1)
        b = difference(scores, theirs, n_resamples=99, rng=1)
        assert [b.estimate, b.lower, b.upper, b.pvalue] == pytest.approx(
            [a.estimate, a.lower, a.upper, a.pvalue]
        )
    a = interval(ONE, ours, method="bootstrap_bca", n_resamples=199, rng=2)
    b = interval(ONE, theirs, method="bootstrap_bca", n_resamples=199, rng=2)
    assert [b.lower, b.upper] == pytest.approx([a.lower, a.upper], abs=0.004)
    auc = interval(ONE, metrics.roc_auc_score, n_resamples=99, rng=4)
    assert auc == interval(ONE, Custom(metrics.roc_auc_score), n_resamples=99, rng=4)
    own = auc_interval(ONE, method="bootstrap", n_resamples=99, rng=4)
    assert auc.estimate == pytest.approx(own.estimate)
    assert abs(auc.lower - own.lower) < 0.05
    many = comparison(FIVE, theirs, n_resamples=400, rng=1)
    assert many.intervals.estimate == pytest.approx([ours.value(model) for model in FIVE.models])
    assert many.differences.pvalue == pytest.approx(
        comparison(FIVE, ours, method="bootstrap", n_resamples=400, rng=1).differences.pvalue
    )


@pytest.mark.parametrize("method", ["score_delong", "delong"])
def test_general_functions_are_the_named_ones(method: str) -> None:
    assert interval(ONE, Auc(), method=method) == auc_interval(ONE, method=method)
    assert difference(PAIR, Auc(max_fpr=0.4), method=method) == auc_difference(
        PAIR, max_fpr=0.4, method=method
    )
    assert comparison(FIVE, Auc(), method=method) == auc_comparison(FIVE, method=method)
    assert interval(ONE, TprAtFpr([0.1, 0.3])) == tpr_at_fpr(ONE, fpr=[0.1, 0.3])


def test_wald_is_delong_with_students_t() -> None:
    """Of areas both have DeLong's variance; general methods take the quantile of Student's t."""
    found, own = interval(ONE, Auc(), method=methods.Wald()), auc_interval(ONE, method="delong")
    assert found.standard_error == pytest.approx(own.standard_error, rel=1e-12)
    two, delong = difference(PAIR, Auc(), method=methods.Wald()), auc_difference(PAIR, method="delong")
    assert two.standard_error == pytest.approx(delong.standard_error, rel=1e-12)
    assert found.upper - found.estimate > own.upper - own.estimate
    many = comparison(FIVE, Auc(), method=methods.Wald())
    gap = many["m0", "m1"]
    assert gap.standard_error == pytest.approx(
        auc_difference(FIVE["m0", "m1"], method="delong").standard_error
    )


@quiet
def test_ten_models_at_a_rate_and_at_a_cost() -> None:
    """A comparison of any number: adjusted p-values, simultaneous intervals, and the set of the best."""
    at_rate = comparison(FIVE, TprAtFpr(0.1), n_resamples=400, rng=1)
    assert str(at_rate.method) == "bootstrap"
    assert at_rate.intervals.estimate == pytest.approx([TprAtFpr(0.1).value(m) for m in FIVE.models])
    rows = at_rate.differences
    assert (rows.pvalue >= rows.pvalue_unadjusted - 1e-12).all()
    assert ((rows.lower <= rows.estimate) & (rows.estimate <= rows.upper)).all()
    cost = comparison(FIVE, Cost(w=0.4, threshold=0.5))
    alone = difference(FIVE["m0", "m1"], Cost(w=0.4, threshold=0.5), method=methods.Wald())
    assert cost["m0", "m1"].estimate == pytest.approx(alone.estimate)
    assert cost["m0", "m1"].lower < alone.lower


@quiet
def test_thresholds_of_their_own() -> None:
    """One statistic a model: rates at thresholds of their own are the named function's."""
    from confroc import rates_difference_at_threshold

    named = rates_difference_at_threshold(PAIR, threshold_a=0.5, threshold_b=1.0, joint=False)
    pair = (RatesAtThreshold(0.5), RatesAtThreshold(1.0))
    found = methods.BonettPrice()(minus(PAIR, pair), 0.95)
    assert found.lower[:, 0] == pytest.approx([named.fpr.lower[0], named.tpr.lower[0]])


@pytest.mark.slow
def test_the_best_of_costs_is_the_cheapest() -> None:
    """As of the negated function, whose best is the largest: same tests, same set."""
    cheap = comparison(FIVE, CostPerCase(false_negative=5.0, false_positive=1.0, threshold=0.5))
    values = cheap.intervals.estimate
    assert [values[cheap.names.index(name)] for name in cheap.ranking] == sorted(values)
    assert cheap.ranking[0] in cheap.may_be_best

    def loss(y_true: Any, y_score: Any, sample_weight: Any) -> float:
        return 1.0 - float(metrics.roc_auc_score(y_true, y_score, sample_weight=sample_weight))

    apart = PairedScores(Y, {"good": COLUMNS[0] + 2.0 * Y, "near": COLUMNS[1] + 1.9 * Y, "bad": COLUMNS[2]})
    least = comparison(apart, Custom(loss, lower_is_better=True), n_resamples=400, rng=1)
    largest = comparison(apart, Custom(metrics.roc_auc_score), n_resamples=400, rng=1)
    assert least.ranking == largest.ranking
    assert least.may_be_best == largest.may_be_best
    assert "bad" not in least.may_be_best


# --- bad input -------------------------------------------------------------------------------------------


def test_a_statistic_without_influence_is_refused_by_methods_that_need_one() -> None:
    for method in (methods.Wald(), methods.Logit(), methods.BootstrapBca(n_resamples=99)):
        with pytest.raises(
            ValueError, match="`method` must not need an influence function, which 'tpr_at_fpr'"
        ):
            interval(ONE, TprAtFpr(0.1), method=method)
    with pytest.raises(ValueError, match="`method` must not need an influence function, which 'tpr_at_fpr'"):
        comparison(PAIR, TprAtFpr(0.1), method="wald")
    with pytest.raises(ValueError, match="Use method='bootstrap'"):
        interval(Scores(np.arange(6000) % 2, np.arange(6000.0)), Custom(metrics.roc_auc_score), method="wald")


def test_functions_that_fail() -> None:
    def nan(*_: Any, **__: Any) -> float:
        return math.nan

    def array(*_: Any, **__: Any) -> Any:
        return np.zeros(2)

    for function in (nan, array):
        with pytest.raises(ValueError, match="`function` must return one finite number"):
            interval(ONE, Custom(function), n_resamples=99)
    with pytest.raises(TypeError, match="`function` must be callable"):
        Custom(3)  # type: ignore[arg-type]
    for given in (Auc, "auc", None):
        with pytest.raises(ValueError, match=r"`statistic` must be .*Statistic.*Auc"):
            interval(ONE, given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'error_rate'"):
        interval(ONE, AveragePrecision(), error_rate=0.2)


def test_failed_resamples_are_counted_and_not_more_than_a_few() -> None:
    few = Scores([0] * 30 + [1] * 3, range(33))
    calls = iter(range(10**6))

    def sometimes(every: int) -> Custom:
        def function(_: Any, y_score: Any, sample_weight: Any) -> float:
            if next(calls) % every == every - 1:
                raise ValueError("too few")
            return float(np.average(y_score, weights=sample_weight))

        return Custom(function)

    found = interval(few, sometimes(50), n_resamples=200, rng=1)
    assert "failed in 4 of 200 resamples" in " ".join(found.notes)
    with pytest.raises(ValueError, match="`statistic` must be defined in at least 95% of the resamples"):
        interval(few, sometimes(5), n_resamples=200, rng=1)


def test_no_spread_warns_and_is_the_whole_range() -> None:
    perfect = Scores([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    with pytest.warns(ConfrocWarning, match="the interval is the whole range"):
        found = interval(perfect, AveragePrecision(), method="logit")
    assert (found.lower, found.upper) == (0.0, 1.0)
    with pytest.warns(ConfrocWarning, match="whole range"):
        two = difference(PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [4, 3, 2, 1]), AveragePrecision())
    assert (two.lower, two.upper, two.pvalue) == (-1.0, 1.0, 1.0)


def test_normal_quantiles_of_large_samples() -> None:
    """With many cases the logit interval is the delta method's, checked by hand."""
    y, (column, _) = drawn(3000, 9)
    table = Scores(y, column)
    found = interval(table, AveragePrecision(), method="logit", confidence_level=0.9)
    se, v = found.standard_error, found.estimate
    half = stats.norm.ppf(0.95) * se / v / (1.0 - v)
    expected = 1.0 / (1.0 + np.exp(-(np.log(v / (1.0 - v)) + np.array([-half, half]))))
    assert [found.lower, found.upper] == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    "statistic",
    [
        AveragePrecision(),
        KolmogorovSmirnov(),
        Gini(),
        TprAtFpr(0.2),
        Metric("f1", threshold=0.5),
        Auc(max_fpr=0.3),
    ],
    ids=lambda s: s.name,
)
def test_models_of_a_comparison_have_the_default_intervals_of_one_model(statistic: Statistic) -> None:
    scores = PairedScores(Y, {"a": COLUMNS[0], "b": COLUMNS[1]})
    found = comparison(scores, statistic, adjust="bonferroni").intervals
    joint = comparison(scores, statistic).intervals
    for place, name in enumerate(scores.names):
        alone = interval(scores[name], statistic, confidence_level=0.975)
        assert str(found.method) == str(alone.method)
        assert [found.lower[place], found.upper[place]] == pytest.approx(
            [alone.lower, alone.upper], abs=1e-12
        )
        pointwise = interval(scores[name], statistic)
        assert joint.lower[place] < pointwise.lower < pointwise.upper < joint.upper[place]
