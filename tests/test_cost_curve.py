"""Cost curves and differences: a worked example, references written differently, invariants, errors."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores
from confroc.cost import cost_curve, cost_difference, cost_pmf, cost_weight, lower_envelope
from confroc.methods import FAMILIES
from support import furthest, mid_p_limit

Z = 1.959963984540054
COST_METHODS, COST_DIFFERENCE_METHODS = FAMILIES["cost_curve"].names, FAMILIES["cost_difference"].names

# --- six cases worked by hand ------------------------------------------------------------------------
#
#   score   6  5  4  3  2  1
#   label   1  1  0  1  0  0
#
#   threshold   FNR   FPR    cost at w = 1/4              at w = 1/2    at w = 3/4
#   inf         1     0      1/4                          1/2           3/4
#   6           2/3   0      1/6                          1/3           1/2
#   5           1/3   0      1/4·1/3 = 1/12   <-          1/6  <-       1/4
#   4           1/3   1/3    1/12 + 3/4·1/3 = 1/3         1/3           1/4 + 1/12 = 1/3
#   3           0     1/3    3/4·1/3 = 1/4                1/6           1/4·1/3 = 1/12   <-
#   2           0     2/3    1/2                          1/3           1/6
#   1           0     1      3/4                          1/2           1/4
#
#   At w = 1/2 thresholds 5 and 3 tie, and the higher is taken. Wald at w = 1/4, threshold 5 (eq. 5 with its
#   divisors): V = (1/16)·(1/3)(2/3)/3 + (9/16)·0 = 1/216, so the half-width is 1.96·√(1/216) = 0.1334.

SIX = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])


def test_six_cases_by_hand() -> None:
    own = cost_curve(SIX, w=[0.25, 0.5, 0.75], method="wald")
    np.testing.assert_array_equal(own.threshold, [5, 5, 3])
    assert own.threshold_source == "same_sample"
    assert (own.optimism > 0.0).all()
    np.testing.assert_allclose(own.estimate - own.optimism, [1 / 12, 1 / 6, 1 / 12], atol=1e-15)
    curve = cost_curve(SIX, w=[0.25, 0.5, 0.75], threshold=[5, 5, 3], method="wald")
    np.testing.assert_allclose(curve.estimate, [1 / 12, 1 / 6, 1 / 12], atol=1e-15)
    assert curve.upper[0] == pytest.approx(1 / 12 + Z / math.sqrt(216), rel=1e-12)
    assert curve.lower[0] == 0.0


def test_full_sampling_on_six_cases_by_hand() -> None:
    # At w = 1/4 with equal classes c_FN : c_FP = 1 : 3; threshold 5 has one false negative of 6 cases, and
    # the cost over the larger unit cost is (1/3)·1/6 = 1/18, with variance (1/9)·(1/6)(5/6)/6 = 5/1944.
    curve = cost_curve(SIX, w=0.25, threshold=5, sampling="full", method="wald")
    assert curve.estimate[0] == pytest.approx(1 / 18)
    assert curve.upper[0] == pytest.approx(1 / 18 + Z * math.sqrt(5 / 1944), rel=1e-12)


def test_equal_unit_costs_under_full_sampling_give_the_error_rate() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.2
    score = rng.normal(size=300) + y
    scores = Scores(y, score)
    w = cost_weight(false_negative=7.0, false_positive=7.0, prior=scores.n_pos / 300)
    curve = cost_curve(scores, w=w, threshold=0.8, sampling="full", method="wald")
    wrong = float(np.mean((score >= 0.8) != y))
    assert curve.estimate[0] == pytest.approx(wrong, rel=1e-12)
    # And its interval is that of a proportion.
    assert curve.upper[0] - wrong == pytest.approx(Z * math.sqrt(wrong * (1 - wrong) / 300), rel=1e-10)


# --- references --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fn", "fp"), [(0, 0), (3, 1), (20, 0), (0, 30), (12, 9)])
def test_mid_p_against_scalar_arithmetic(fn: int, fp: int) -> None:
    n_pos, n_neg, w = 20, 30, 0.3
    scores = Scores.from_counts([2, 1], pos=[n_pos - fn, fn], neg=[fp, n_neg - fp])
    curve = cost_curve(scores, w=w, threshold=2)
    p, q = fn / n_pos, fp / n_neg
    assert curve.estimate[0] == pytest.approx(w * p + (1 - w) * q, abs=1e-15)
    for z, end in ((-Z, curve.lower[0]), (Z, curve.upper[0])):
        x = w * abs(mid_p_limit(fn, n_pos, z) - p)
        y = (1 - w) * abs(mid_p_limit(fp, n_neg, z) - q)
        far = math.hypot(x, y) or 1.0
        limits = mid_p_limit(fn, n_pos, z * x / far), mid_p_limit(fp, n_neg, z * y / far)
        assert end == pytest.approx(w * limits[0] + (1 - w) * limits[1], abs=1e-9)


@pytest.mark.slow
def test_mid_p_under_full_sampling_is_the_furthest_on_the_sphere() -> None:
    """Within 1% of the width of the largest cost at deviates whose squares add up to z²."""
    w, miss, alarm = 0.3, 0.3 / 0.4, 0.7 / 0.6
    scores = Scores.from_counts([2, 1], pos=[14, 6], neg=[9, 21])
    curve = cost_curve(scores, w=w, threshold=2, sampling="full")
    ends = furthest(
        lambda share, x, y: (miss * share * x + alarm * (1.0 - share) * y) / max(miss, alarm),
        [(20, 50), (6, 20), (9, 30)],
    )
    slack = 0.01 * (ends[1] - ends[0])
    assert ends[0] - 1e-4 * slack <= curve.lower[0] <= ends[0] + slack
    assert ends[1] - slack <= curve.upper[0] <= ends[1] + 1e-4 * slack


@pytest.mark.parametrize("w", [0.5, 0.2, 0.05])
def test_coverage_of_mid_p_by_enumeration(w: float) -> None:
    """All counts of errors among 15 + 20 cases, over a grid of both rates."""
    n_pos, n_neg, rates = 15, 20, np.linspace(0.02, 0.98, 49)
    fn, fp = (k.ravel() for k in np.meshgrid(np.arange(n_pos + 1), np.arange(n_neg + 1), indexing="ij"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        tables = [
            Scores.from_counts([2, 1], [n_pos - x, x], [y, n_neg - y])
            for x, y in zip(fn.tolist(), fp.tolist(), strict=True)
        ]
    ends = [cost_curve(scores, w=w, threshold=2) for scores in tables]
    lower, upper = (np.array([getattr(e, name)[0] for e in ends]) for name in ("lower", "upper"))
    p, q = (r.ravel()[:, None] for r in np.meshgrid(rates, rates))
    truth = w * p + (1 - w) * q
    mass = stats.binom.pmf(fn, n_pos, p) * stats.binom.pmf(fp, n_neg, q)
    covered = (mass * ((lower <= truth) & (truth <= upper))).sum(axis=1)
    assert covered.min() > 0.92
    assert 0.95 < covered.mean() < 0.968


def test_agresti_coull_is_wald_on_augmented_counts_at_each_end_of_w() -> None:
    scores = Scores.from_counts([2, 1], pos=[17, 3], neg=[1, 29])
    more = Scores.from_counts([2, 1], pos=[19, 5], neg=[3, 31])
    smooth = cost_curve(scores, w=[0, 0.4, 1], threshold=2, method="agresti_coull")
    wald = cost_curve(more, w=[0, 0.4, 1], threshold=2, method="wald")
    np.testing.assert_allclose(smooth.lower, wald.lower, atol=1e-14)
    np.testing.assert_allclose(smooth.upper, wald.upper, atol=1e-14)


def test_agresti_min_is_wald_on_augmented_tables() -> None:
    # Pairs of calls (a, b) in {0, 1}²; doubling all counts makes the added halves whole.
    pos, neg = np.array([8, 3, 5, 1]), np.array([1, 2, 4, 7])
    a, b = [1, 1, 0, 0], [1, 0, 1, 0]
    pair = PairedScores.from_counts(a, b, pos, neg)
    got = cost_difference(pair, w=0.4, threshold_a=1, threshold_b=1)
    doubled = PairedScores.from_counts(a, b, 2 * pos + 1, 2 * neg + 1)
    wald = cost_difference(doubled, w=0.4, threshold_a=1, threshold_b=1, method="wald")
    center, half = (wald.lower + wald.upper) / 2, (wald.upper - wald.lower) / 2
    np.testing.assert_allclose((got.lower + got.upper) / 2, center, atol=1e-14)
    np.testing.assert_allclose((got.upper - got.lower) / 2, half * math.sqrt(2), rtol=1e-12)


def test_unpaired_agresti_adds_one_of_each_per_model() -> None:
    a, b = Scores.from_counts([2, 1], [8, 2], [1, 14]), Scores.from_counts([2, 1], [5, 4], [0, 11])
    one = UnpairedScores(a, b)
    more = UnpairedScores(
        Scores.from_counts([2, 1], [9, 3], [2, 15]), Scores.from_counts([2, 1], [6, 5], [1, 12])
    )
    got = cost_difference(one, w=0.3, threshold_a=2, threshold_b=2)
    want = cost_difference(more, w=0.3, threshold_a=2, threshold_b=2, method="wald")
    np.testing.assert_allclose([got.lower, got.upper], [want.lower, want.upper], atol=1e-14)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_exact_bootstrap_gives_the_laws_quantiles(sampling: Any) -> None:
    scores = Scores.from_counts([3, 2, 1], pos=[6, 3, 2], neg=[1, 4, 9])
    curve = cost_curve(scores, w=[0.3, 0.6], threshold=2, sampling=sampling, method="exact_bootstrap")
    for i, w in enumerate((0.3, 0.6)):
        support, pmf = cost_pmf(scores, w=w, threshold=2, sampling=sampling)
        ends = support[np.searchsorted(np.cumsum(pmf), np.array([0.025, 0.975]) * (1 - 1e-12))]
        np.testing.assert_allclose([curve.lower[i], curve.upper[i]], ends, atol=1e-13)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("design", ["single", "paired", "unpaired"])
def test_bootstrap_agrees_with_the_exact_law(sampling: Any, design: str) -> None:
    rng = np.random.default_rng(8)
    y = np.arange(160) < 60
    a, b = rng.normal(size=160) + y, rng.normal(size=160) + y
    w = np.array([0.2, 0.5, 0.7])
    pair: Any = PairedScores(y, a, b)
    if design == "unpaired":
        pair = UnpairedScores(pair.a, pair.b)
    # Thresholds in no order, so that both ways of counting discordant cases are used here and above.
    given: dict[str, Any] = {"threshold_a": [0.9, 0.2, 0.6], "threshold_b": [0.1, 0.8, 0.5]}
    call: Any = cost_difference
    if design == "single":
        pair, given, call = pair.a, {"threshold": [0.9, 0.2, 0.6]}, cost_curve
    exact = call(pair, w=w, sampling=sampling, method="exact_bootstrap", **given)
    drawn = call(pair, w=w, sampling=sampling, method="bootstrap", n_resamples=4000, rng=1, **given)
    # A 2.5% quantile of 4000 draws has a standard error of about 0.042 of the law's deviation, which is a
    # quarter of the interval; 6 of them and a lattice step: false alarm below 1e-7.
    slack = 6 * 0.042 * (exact.upper - exact.lower) / 4 + 1 / 60 * w
    assert (np.abs(drawn.lower - exact.lower) < slack).all()
    assert (np.abs(drawn.upper - exact.upper) < slack).all()


# --- invariants --------------------------------------------------------------------------------------

tables = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6).filter(
    lambda rows: sum(p for p, _ in rows) > 0 and sum(q for _, q in rows) > 0
)
weights = st.lists(st.floats(0, 1), min_size=1, max_size=4)


def scores_of(rows: list[tuple[int, int]]) -> Scores:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return Scores.from_counts(range(len(rows)), [p for p, _ in rows], [q for _, q in rows])


@pytest.mark.slow
@given(tables, weights, st.sampled_from(["stratified", "full"]))
def test_default_interval_holds_the_estimate_and_never_vanishes(
    rows: list[tuple[int, int]], w: list[float], sampling: Any
) -> None:
    curve = cost_curve(scores_of(rows), w=w, sampling=sampling)
    assert (curve.lower <= curve.estimate + 1e-12).all()
    assert (curve.estimate <= curve.upper + 1e-12).all()
    assert (curve.upper > curve.lower).all()
    assert (curve.lower >= 0).all()
    assert (curve.upper <= 1).all()


@given(tables, weights)
def test_same_sample_cost_is_the_lower_envelope(rows: list[tuple[int, int]], w: list[float]) -> None:
    scores = scores_of(rows)
    fn, fp = scores.n_pos - np.append(0, scores.pos_above), np.append(0, scores.neg_above)
    least = [min(v * fn / scores.n_pos + (1 - v) * fp / scores.n_neg) for v in w]
    curve = cost_curve(scores, w=w)
    np.testing.assert_allclose(curve.estimate - np.nan_to_num(curve.optimism), least, atol=1e-12)
    np.testing.assert_allclose(lower_envelope(scores).cost_at(w), least, atol=1e-12)


@given(tables, weights)
def test_monotone_transform_changes_nothing_but_thresholds(
    rows: list[tuple[int, int]], w: list[float]
) -> None:
    scores = scores_of(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        other = Scores.from_counts(np.exp(scores.score), scores.pos, scores.neg)
    one, two = cost_curve(scores, w=w), cost_curve(other, w=w)
    np.testing.assert_array_equal(one.lower, two.lower)
    np.testing.assert_array_equal(one.upper, two.upper)
    np.testing.assert_array_equal(np.exp(one.threshold), two.threshold)


@given(tables, weights, st.sampled_from(["mid_p", "agresti_coull", "wald"]))
def test_swapping_the_labels_and_w(rows: list[tuple[int, int]], w: list[float], method: Any) -> None:
    """Exchange the classes, reverse the scores and w: every error changes its name and nothing else."""
    scores = scores_of(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        turned = Scores.from_counts(-scores.score, scores.neg, scores.pos)
        # score >= 1 there is -score > -1 here, i.e. not score >= 0.5.
        one = cost_curve(scores, w=w, threshold=0.5, method=method)
        two = cost_curve(turned, w=1 - np.array(w), threshold=-0.5, method=method)
    np.testing.assert_allclose(one.estimate, two.estimate, atol=1e-12)
    np.testing.assert_allclose(one.lower, two.lower, atol=1e-12)
    np.testing.assert_allclose(one.upper, two.upper, atol=1e-12)


@pytest.mark.parametrize("method", [m for m in COST_DIFFERENCE_METHODS if m != "bootstrap"])
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_difference_is_antisymmetric(method: Any, sampling: Any) -> None:
    rng = np.random.default_rng(2)
    y = np.arange(60) < 25
    a, b = rng.integers(0, 6, 60) + y, rng.integers(0, 6, 60) + y
    at = {"w": [0.2, 0.6], "sampling": sampling, "method": method}
    one = cost_difference(PairedScores(y, a, b), threshold_a=3, threshold_b=[4, 2], **at)
    two = cost_difference(PairedScores(y, b, a), threshold_a=[4, 2], threshold_b=3, **at)
    np.testing.assert_allclose(one.estimate, -two.estimate, atol=1e-14)
    # A lattice law's upper quantile is the mirrored lower one or the value next to it.
    np.testing.assert_allclose(one.lower, -two.upper, atol=1e-12 if method != "exact_bootstrap" else 0.03)


def test_difference_of_costs_is_cost_of_difference() -> None:
    rng = np.random.default_rng(4)
    y = np.arange(80) < 30
    pair = PairedScores(y, rng.integers(0, 9, 80) + y, rng.integers(0, 9, 80) + y)
    w = np.linspace(0, 1, 23)
    for data in (pair, UnpairedScores(pair.a, pair.b)):
        difference = cost_difference(data, w=w)
        one, two = cost_curve(pair.a, w=w), cost_curve(pair.b, w=w)
        np.testing.assert_allclose(difference.estimate, one.estimate - two.estimate, atol=1e-14)
        np.testing.assert_array_equal(difference.threshold_a, one.threshold)
        np.testing.assert_array_equal(difference.threshold_b, two.threshold)


def test_rows_in_any_order_and_counts_equal_arrays() -> None:
    rng = np.random.default_rng(6)
    y = np.arange(50) < 20
    score = rng.integers(0, 7, 50) + 2 * y
    order = rng.permutation(50)
    one, two = cost_curve(Scores(y, score)), cost_curve(Scores(y[order], score[order]))
    np.testing.assert_array_equal(one.upper, two.upper)
    values, code = np.unique(score, return_inverse=True)
    table = Scores.from_counts(values, np.bincount(code, y), np.bincount(code, ~y))
    np.testing.assert_array_equal(one.lower, cost_curve(table).lower)


def test_bootstrap_is_reproducible() -> None:
    one = cost_curve(SIX, w=[0.4], threshold=3, method="bootstrap", rng=5, n_resamples=200)
    two = cost_curve(SIX, w=[0.4], threshold=3, method="bootstrap", rng=5, n_resamples=200)
    np.testing.assert_array_equal(one.lower, two.lower)


def test_size_scales_the_uncertainty() -> None:
    scores = Scores.from_counts([2, 1], pos=[60, 40], neg=[30, 70])
    own = cost_curve(scores, w=0.5, threshold=2, method="wald")
    small = cost_curve(scores, w=0.5, threshold=2, method="wald", size=(25, 25))
    assert (small.upper - small.lower)[0] == pytest.approx(2 * (own.upper - own.lower)[0], rel=1e-12)
    exact = cost_curve(scores, w=0.5, threshold=2, method="exact_bootstrap", size=(25, 25))
    assert (exact.upper - exact.lower)[0] == pytest.approx((small.upper - small.lower)[0], abs=0.03)


# --- thresholds and results --------------------------------------------------------------------------


def test_validation_thresholds_are_those_of_the_validation_sample() -> None:
    rng = np.random.default_rng(9)
    y = np.arange(200) < 80
    test, validation = (Scores(y, rng.normal(size=200) + y) for _ in range(2))
    w = [0.1, 0.5, 0.8]
    curve = cost_curve(test, w=w, validation=validation)
    np.testing.assert_array_equal(curve.threshold, cost_curve(validation, w=w).threshold)
    assert curve.threshold_source == "validation"
    assert curve.notes == ()
    given = cost_curve(test, w=w, threshold=curve.threshold)
    np.testing.assert_array_equal(given.upper, curve.upper)


def test_default_grid_and_frame() -> None:
    pytest.importorskip("pandas")
    curve = cost_curve(SIX)
    assert len(curve) == 101
    frame = curve.to_frame("pandas")
    assert list(frame.columns) == ["w", "cost", "lower", "upper", "threshold", "optimism"]
    assert curve.kind == "pointwise"
    assert curve.guarantee == "asymptotic"
    assert curve.to_dict()["threshold_source"] == "same_sample"
    with pytest.raises(ValueError, match="read-only"):
        curve.threshold[0] = 1.0


def test_threshold_outside_the_scores() -> None:
    # Nobody above: cost w, and the default interval still has room for false positives to come.
    curve = cost_curve(SIX, w=0.2, threshold=100)
    assert curve.estimate[0] == pytest.approx(0.2)
    assert curve.upper[0] > 0.5
    with pytest.warns(ConfrocWarning, match="zero width"):
        wald = cost_curve(SIX, w=0.2, threshold=100, method="wald")
    assert wald.lower[0] == wald.upper[0]
    assert "zero width" in wald.notes[0]
    with pytest.warns(ConfrocWarning, match="zero width"):
        cost_curve(SIX, w=0.2, threshold=100, method="exact_bootstrap")


def bad_calls() -> list[Any]:
    pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [4, 2, 3, 1])
    return [
        (cost_curve, (SIX,), {"w": 1.2}, "`w` must lie between 0 and 1; got 1.2"),
        (cost_curve, (SIX,), {"w": [-0.1]}, "`w` must lie"),
        (cost_curve, (SIX,), {"w": [np.nan]}, "`w` must lie"),
        (
            cost_curve,
            (SIX,),
            {"w": [0.1, 0.2, 0.3], "threshold": [1, 2]},
            r"`threshold` must be one number, or one per",
        ),
        (cost_curve, (SIX,), {"w": 0.1, "threshold": np.nan}, "`threshold` must not contain NaN"),
        (cost_curve, (SIX,), {"w": 0.1, "threshold": 1, "validation": SIX}, "`threshold` must be omitted"),
        (cost_curve, (SIX,), {"w": 0.1, "method": "walt"}, "Did you mean 'wald'"),
        (cost_curve, (SIX,), {"w": 0.1, "sampling": "both"}, "`sampling` must be one of"),
        (cost_curve, (SIX,), {"w": 0.1, "confidence_level": 95}, "`confidence_level` must lie"),
        (cost_curve, (SIX,), {"w": 0.1, "size": (9, 9)}, "`size` must be omitted with method 'mid_p'"),
        (cost_curve, (SIX,), {"w": 0.1, "method": "bootstrap", "n_resamples": 10}, "`n_resamples` must"),
        (
            cost_difference,
            (pair,),
            {"w": 0.1, "threshold_a": 1},
            "`threshold_b` must be given together with `threshold_a`",
        ),
        (cost_difference, (pair,), {"w": 0.1, "threshold_b": 1}, "`threshold_a` must be given together"),
        (
            cost_difference,
            (pair,),
            {"w": 0.1, "threshold_b": 1, "validation": pair},
            "`threshold_b` must be omitted",
        ),
        (cost_difference, (pair,), {"w": 0.1, "method": "mid_p"}, "`method` must be one of"),
        (cost_difference, (pair,), {"w": 0.1, "size": (0, 9)}, r"`size\[0\]` must be"),
    ]


@pytest.mark.parametrize(("call", "args", "options", "text"), bad_calls())
def test_bad_input(call: Any, args: Any, options: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call(*args, **options)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="`scores` must be a Scores"):
        cost_curve([1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`validation` must be a Scores"):
        cost_curve(SIX, validation=[1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`pair` must be"):
        cost_difference(SIX)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`y_true` must contain both classes"):
        cost_curve(SIX, validation=Scores([1, 1], [1, 2]))


def test_every_method_runs_in_every_setting() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(90) < 40
    pair = PairedScores(y, rng.normal(size=90) + y, rng.normal(size=90) + y)
    for method, sampling in itertools.product(COST_METHODS, ("stratified", "full")):
        curve = cost_curve(pair.a, w=[0.3, 0.5], sampling=sampling, method=method, rng=1)  # type: ignore[arg-type]
        assert (curve.lower < curve.upper).all()
        assert str(curve.method) == method
    for method, sampling in itertools.product(COST_DIFFERENCE_METHODS, ("stratified", "full")):
        for data in (pair, UnpairedScores(pair.a, pair.b)):
            result = cost_difference(data, w=[0.3, 0.5], sampling=sampling, method=method, rng=1)  # type: ignore[arg-type]
            assert (result.lower < result.upper).all()
            assert result.design == ("paired" if data is pair else "unpaired")
