"""Differences of two areas: against pROC, all resamples, all swaps, and repeated samples."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, auc_difference
from confroc._kernels import compiled
from confroc._kernels.auc import difference_moments, four_joint_wins
from confroc.auc import permutation
from confroc.auc.asymptotic import newcombe_ends
from confroc.auc.bootstrap import (
    exact_bootstrap_covariance,
    exact_bootstrap_variance,
    joint_wins,
)
from confroc.auc.difference import AUC_DIFFERENCE
from confroc.hypotheses import ALTERNATIVES, Alternative
from confroc.influence import covariance, delong_covariance, delong_variances, difference_of_placements
from confroc.moments import spread
from confroc.statistics.areas_resampled import joint_replicates
from support import paired_sample, read_csv, wins

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "reference" / "proc_reference.json").read_text()
)
below_half = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
fallback = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
LABELS = [0, 0, 0, 0, 1, 1, 1, 1]
EVERY = cast(tuple[Alternative, ...], ALTERNATIVES)
PAIR = PairedScores(LABELS, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
cases = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9
).filter(lambda rows: 0 < sum(y for y, _, _ in rows) < len(rows))


def expanded(pair: PairedScores) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Scores a and b of the positives, then of the negatives."""
    rows = np.arange(len(pair.pos))
    pos, neg = np.repeat(rows, pair.pos), np.repeat(rows, pair.neg)
    return pair.score_a[pos], pair.score_b[pos], pair.score_a[neg], pair.score_b[neg]


# --- pROC --------------------------------------------------------------------------------------------


def columns(folder: Path, name: str) -> tuple[list[int], dict[str, list[float]]]:
    """Labels and markers of a data set of the reference file."""
    if name.startswith("synthetic"):
        rows = read_csv(Path(__file__).parent / "reference" / f"{name}.csv")
        return [int(r["label"]) for r in rows], {
            m: [float(r[m]) for r in rows] for m in ("score_a", "score_b")
        }
    if name == "asah":
        rows = read_csv(folder / "aSAH.csv")
        y = [int(r["outcome"] == "Poor") for r in rows]
        return y, {m: [float(r[m]) for r in rows] for m in ("s100b", "ndka", "wfns")}
    if name == "wieand1989":
        rows = read_csv(folder / "wieand1989_pancreatic.csv")
        return [int(r["cancer"]) for r in rows], {m: [float(r[m]) for r in rows] for m in ("ca199", "ca125")}
    rows = read_csv(folder / "delong1988_ovarian.csv")
    markers = {m: [float(r[m]) for r in rows] for m in ("albumin", "total_protein")}
    return [int(r["popind"]) for r in rows], {**markers, "kg": [10 - float(r["kg_raw"]) for r in rows]}


@pytest.mark.parametrize(
    "name", ["asah", "wieand1989", "delong1988", "synthetic_tied", "synthetic_continuous"]
)
def test_paired_delong_agrees_with_proc(data_folder: Path, name: str) -> None:
    y, markers = columns(data_folder, name)
    for block in REFERENCE[name]["paired_delong"]:
        pair = PairedScores(y, markers[block["a"]], markers[block["b"]])
        for level, key in ((0.95, "ci_95"), (0.90, "ci_90")):
            result = auc_difference(pair, method="delong", confidence_level=level)
            assert result.estimate == pytest.approx(block["difference"], abs=1e-13)
            assert result.statistic == pytest.approx(block["statistic"], rel=1e-9)
            assert result.pvalue == pytest.approx(block["p_value"], rel=1e-8)
            assert [result.lower, result.upper] == pytest.approx(block[key], abs=1e-11)


def test_alternatives_agree_with_proc(data_folder: Path) -> None:
    y, markers = columns(data_folder, "asah")
    pair = PairedScores(y, markers["s100b"], markers["ndka"])
    for block in REFERENCE["asah"]["paired_delong_alternatives"]:
        result = auc_difference(pair, method="delong", alternative=block["alternative"])
        assert result.pvalue == pytest.approx(block["p_value"], rel=1e-9)
        assert result.statistic == pytest.approx(block["statistic"], rel=1e-9)


def test_unpaired_delong_agrees_with_proc(data_folder: Path) -> None:
    y, markers = columns(data_folder, "asah")
    for block in REFERENCE["asah"]["unpaired_delong"]:
        pair = UnpairedScores(Scores(y, markers[block["a"]]), Scores(y, markers[block["b"]]))
        result = auc_difference(pair, method="delong", alternative=block["alternative"])
        assert result.statistic == pytest.approx(block["statistic"], rel=1e-9)
        assert result.pvalue == pytest.approx(block["p_value"], rel=1e-7)
    female = np.array([r["gender"] == "Female" for r in read_csv(data_folder / "aSAH.csv")])
    for block in REFERENCE["asah"]["by_gender"]["unpaired_delong"]:
        parts = [Scores(np.array(y)[m], np.array(markers[block["marker"]])[m]) for m in (female, ~female)]
        result = auc_difference(UnpairedScores(*parts), method="delong", alternative=block["alternative"])
        assert result.statistic == pytest.approx(block["statistic"], rel=1e-9)
        assert result.pvalue == pytest.approx(block["p_value"], rel=1e-7)


def test_bootstrap_agrees_with_proc(data_folder: Path) -> None:
    y, markers = columns(data_folder, "asah")
    pair = PairedScores(y, markers["s100b"], markers["ndka"])
    block = REFERENCE["asah"]["bootstrap_test"][0]
    assert block["stratified"]
    # The standard deviation of 20,000 replicates has a relative error of 0.5% on either side; five of √2
    # times it.
    result = auc_difference(pair, method="bootstrap", n_resamples=20_000, rng=2, n_jobs=2)
    assert result.statistic == pytest.approx(block["statistic"], rel=0.036)
    exact = auc_difference(pair, method="exact_bootstrap")
    assert exact.statistic == pytest.approx(block["statistic"], rel=0.025)


def test_wieand(data_folder: Path) -> None:
    y, markers = columns(data_folder, "wieand1989")
    pair = PairedScores(y, markers["ca199"], markers["ca125"])
    assert [round(pair.a.auc, 4), round(pair.b.auc, 4)] == [0.8614, 0.7056]
    result = auc_difference(pair, method="delong")
    assert result.statistic == pytest.approx(2.72206, abs=5e-6)
    assert result.standard_error == pytest.approx(0.0572662, abs=5e-8)


# --- enumeration -------------------------------------------------------------------------------------


@below_half
@given(cases)
def test_exact_bootstrap_variance_by_enumeration(rows: list[tuple[int, int, int]]) -> None:
    pair = PairedScores(*zip(*rows, strict=True))
    if pair.n_pos**pair.n_pos * pair.n_neg**pair.n_neg > 3000:
        return
    ya, yb, xa, xb = expanded(pair)
    d = wins(ya, xa) - wins(yb, xb)
    differences = [
        d[np.ix_(i, j)].mean()
        for i in itertools.product(range(pair.n_pos), repeat=pair.n_pos)
        for j in itertools.product(range(pair.n_neg), repeat=pair.n_neg)
    ]
    size = (pair.n_pos, pair.n_neg)
    variance = sum(exact_bootstrap_variance(s, size) for s in (pair.a, pair.b))
    variance -= 2 * exact_bootstrap_covariance(pair, (pair.a, pair.b), size)
    assert variance == pytest.approx(np.var(differences), abs=1e-13)


@below_half
@given(cases)
def test_joint_wins_kernel_agrees_with_matrix(rows: list[tuple[int, int, int]]) -> None:
    pair = PairedScores(*zip(*rows, strict=True))
    ya, yb, xa, xb = expanded(pair)
    expected = float((wins(ya, xa) * wins(yb, xb)).mean())
    assert joint_wins(pair) == pytest.approx(expected, abs=1e-14)
    arguments = (pair.index_a, pair.index_b, pair.pos, pair.neg, len(pair.b.score))
    assert four_joint_wins(*arguments) / 4 / pair.n_pos / pair.n_neg == pytest.approx(expected, abs=1e-14)


def test_joint_wins_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = paired_sample(1, 300, 400, (1.2, 0.8))
    arguments = (pair.index_a, pair.index_b, pair.pos, pair.neg, len(pair.b.score))
    whole = joint_wins(pair)
    assert compiled(four_joint_wins)(*arguments) == round(4 * whole * 300 * 400)
    # Too many rows to be laid out take the kernel's way to the same mean.
    monkeypatch.setattr("confroc.auc.bootstrap.ENUMERABLE", 0)
    assert joint_wins(pair) == pytest.approx(whole, rel=1e-14)


@below_half
@given(cases)
def test_covariance_by_its_definition_and_kernel(rows: list[tuple[int, int, int]]) -> None:
    pair = PairedScores(*zip(*rows, strict=True))
    if min(pair.n_pos, pair.n_neg) < 2:
        return
    ya, yb, xa, xb = expanded(pair)
    a, b = wins(ya, xa), wins(yb, xb)
    expected = [np.cov(a.mean(axis=k), b.mean(axis=k))[0, 1] / a.shape[1 - k] for k in (1, 0)]
    matrix = delong_covariance(pair)
    assert matrix[:, 0, 1] == pytest.approx(expected, abs=1e-14)
    assert np.array_equal(matrix, matrix.swapaxes(1, 2))
    assert matrix[:, 0, 0] == pytest.approx(delong_variances(pair.a), abs=1e-14)
    assert matrix[:, 1, 1] == pytest.approx(delong_variances(pair.b), abs=1e-14)
    d = a - b
    of_difference = [np.var(d.mean(axis=k), ddof=1) / d.shape[1 - k] for k in (1, 0)]
    found = difference_of_placements(pair)
    assert [m.variance for m in found] == pytest.approx(of_difference, abs=1e-14)
    both = sum(delong_variances(pair.a)) + sum(delong_variances(pair.b)) - 2.0 * sum(expected)
    assert sum(m.variance for m in found) == pytest.approx(both, abs=1e-14)
    index, mean = (pair.index_a, pair.index_b), pair.a.auc - pair.b.auc
    for own, others, scale, m in (
        (pair.pos, (pair.a.neg, pair.b.neg), -0.5 / pair.n_neg, found[0]),
        (pair.neg, (pair.a.pos, pair.b.pos), 0.5 / pair.n_pos, found[1]),
    ):
        n = int(own.sum())
        second, fourth = difference_moments(*index, own, *others, scale, mean)
        assert second / (n - 1) / n == pytest.approx(m.variance, abs=1e-14)
        if m.df > 0.0:
            s2 = second / (n - 1)
            noise = (fourth / n - s2 * s2 * (n - 3) / (n - 1)) / n
            assert m.df == pytest.approx(min(n - 1, 2 * s2 * s2 / noise) if noise > 0 else n - 1, rel=1e-6)


def test_covariance_of_several_models() -> None:
    rng = np.random.default_rng(5)
    count = rng.integers(0, 4, 30)
    values = rng.standard_normal((4, 30)) @ np.diag(np.linspace(1, 2, 30))
    values -= (values @ count / count.sum())[:, None]
    expected = np.cov(np.repeat(values, count, axis=1)) / count.sum()
    assert covariance(values, count) == pytest.approx(expected, rel=1e-12)
    assert np.isnan(covariance([values[0]], np.array([1] + [0] * 29))).all()


def test_difference_moments_compiled() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    pair = PairedScores(y, rng.integers(0, 60, 500) + 20 * y, rng.normal(size=500) + y)
    arguments = (pair.index_a, pair.index_b, pair.pos, pair.a.neg, pair.b.neg, -0.5 / pair.n_neg)
    difference = pair.a.auc - pair.b.auc
    fast = compiled(difference_moments)(*arguments, difference)
    assert fast == pytest.approx(difference_moments(*arguments, difference), rel=1e-12)
    assert spread(*fast, pair.n_pos) == pytest.approx(difference_of_placements(pair)[0], rel=1e-10)


def swapped_differences(pair: PairedScores) -> np.ndarray:
    """Differences of areas over all 2ⁿ ways to swap two models' mid-ranks within cases."""
    ya, yb, xa, xb = expanded(pair)
    ranks = [stats.rankdata(np.concatenate(both)) for both in ((ya, xa), (yb, xb))]
    n, n_pos = len(ranks[0]), pair.n_pos
    result = []
    for flips in itertools.product([False, True], repeat=n):
        one, other = np.where(flips, ranks[1], ranks[0]), np.where(flips, ranks[0], ranks[1])
        result.append(wins(one[:n_pos], one[n_pos:]).mean() - wins(other[:n_pos], other[n_pos:]).mean())
    return np.array(result)


@below_half
@settings(max_examples=40)
@given(cases)
@fallback
def test_permutation_by_enumeration(rows: list[tuple[int, int, int]]) -> None:
    pair = PairedScores(*zip(*rows, strict=True))
    all_ = swapped_differences(pair)
    observed = pair.a.auc - pair.b.auc
    result = {
        a: auc_difference(pair, method="permutation", alternative=a) for a in ("two-sided", "less", "greater")
    }
    if result["less"].method != "permutation":
        return  # DeLong's variance is zero: the interval could not be made.
    less, greater = np.mean(all_ <= observed + 1e-9), np.mean(all_ >= observed - 1e-9)
    assert result["less"].pvalue == pytest.approx(less, abs=1e-12)
    assert result["greater"].pvalue == pytest.approx(greater, abs=1e-12)
    assert result["two-sided"].pvalue == pytest.approx(
        np.mean(np.abs(all_) >= abs(observed) - 1e-9), abs=1e-12
    )
    assert result["less"].standard_error == pytest.approx(all_.std(), abs=1e-12)


def test_permutation_of_more_cases_is_near_normal() -> None:
    pair = paired_sample(4, 40, 50, (1.2, 0.8))
    weights, counts = permutation.sign_weights(pair)
    observed = int(np.dot(weights, counts))
    less, greater, exact = permutation.tail_probabilities(weights, counts, observed)
    assert exact
    z = observed / math.sqrt(float(np.dot(weights.astype(float) ** 2, counts)))
    assert less == pytest.approx(stats.norm.cdf(z), abs=0.01)
    assert less + greater == pytest.approx(1.0, abs=0.01)
    # Far out the transform's rounding, some 1e-16, is all that it has.
    weights, counts = np.array([1, 2]), np.array([60, 60])
    assert permutation.tail_probabilities(weights, counts, 180.0)[1] == permutation.LEAST_TAIL > 2.0**-120
    # Without a case whose ranks differ the sum is zero for certain.
    assert permutation.tail_probabilities(np.zeros(2, np.int64), np.array([3, 4]), 0.0) == (1.0, 1.0, True)
    large = auc_difference(paired_sample(4, 2000, 2000, (1.2, 0.8)), method="permutation")
    assert "permutation test" in large.notes[0]
    assert large.guarantee == "asymptotic"
    assert auc_difference(pair, method="permutation").guarantee == "finite-sample"


# --- designs and hypotheses --------------------------------------------------------------------------


def test_partially_paired_against_its_definition() -> None:
    pair = paired_sample(8, 30, 40, (1.2, 0.8))
    rng = np.random.default_rng(9)
    only_a = Scores(np.repeat([1, 0], [20, 10]), np.r_[1 + rng.standard_normal(20), rng.standard_normal(10)])
    only_b = Scores(np.repeat([1, 0], [5, 25]), np.r_[1 + rng.standard_normal(5), rng.standard_normal(25)])
    result = auc_difference(pair, method="delong", only_a=only_a, only_b=only_b)
    ya, yb, xa, xb = expanded(pair)
    full = {}
    for name, y, x, extra in (("a", ya, xa, only_a), ("b", yb, xb, only_b)):
        y = np.concatenate([y, np.repeat(extra.score, extra.pos)])
        x = np.concatenate([x, np.repeat(extra.score, extra.neg)])
        full[name] = wins(y, x)
    w_a, w_b = full["a"], full["b"]
    variance = sum(
        np.var(w.mean(axis=1), ddof=1) / w.shape[0] + np.var(w.mean(axis=0), ddof=1) / w.shape[1]
        for w in (w_a, w_b)
    )
    for k, n in ((1, 30), (0, 40)):
        u, v = w_a.mean(axis=k)[:n], w_b.mean(axis=k)[:n]
        variance -= 2 * np.cov(u, v)[0, 1] * n / (w_a.shape[1 - k] * w_b.shape[1 - k])
    assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert result.estimate == pytest.approx(w_a.mean() - w_b.mean(), abs=1e-13)
    assert "Only some cases" in result.notes[0]
    boot = auc_difference(pair, only_a=only_a, only_b=only_b, method="bootstrap", n_resamples=4000, rng=3)
    # Relative error of the standard deviation 1.1%, plus the small-sample gap of DeLong's; eight of the
    # first.
    assert boot.standard_error == pytest.approx(result.standard_error, rel=0.09)
    assert boot.estimate == result.estimate


def test_partially_paired_bootstrap_without_extras_is_the_paired_one() -> None:
    pair = paired_sample(8, 30, 40, (1.2, 0.8))
    one = Scores([1, 0], [0.3, 0.1])
    full = pair.a.merge(one), pair.b
    values = joint_replicates(pair, None, 500, 1, None, 1, full=full, only=(one, None))
    assert values.shape == (500, 2)
    plain = joint_replicates(pair, None, 500, 1, (30, 40), 1)
    # Two spreads of 500 replicates: relative error 4.5% together; four of it.
    assert np.diff(values).std() == pytest.approx(np.diff(plain).std(), rel=0.18)


def test_hypotheses_are_consistent() -> None:
    pair = paired_sample(10, 60, 80, (1.2, 0.8))
    results = {
        a: auc_difference(
            pair,
            method="delong",
            alternative=a,
            margin=0.1 if a in ("equivalence", "non-inferiority") else None,
        )
        for a in EVERY
    }
    two = results["two-sided"]
    assert results["less"].pvalue + results["greater"].pvalue == pytest.approx(1.0, abs=1e-12)
    assert two.pvalue == pytest.approx(2 * min(results["less"].pvalue, results["greater"].pvalue), rel=1e-12)
    shifted = stats.norm.sf((two.estimate + 0.1) / two.standard_error)
    assert results["non-inferiority"].pvalue == pytest.approx(shifted, rel=1e-10)
    other = stats.norm.cdf((two.estimate - 0.1) / two.standard_error)
    assert results["equivalence"].pvalue == pytest.approx(max(shifted, other), rel=1e-10)
    assert results["less"].lower == -1.0
    assert results["greater"].upper == results["non-inferiority"].upper == 1.0
    # Two one-sided tests at 5% agree with the 90% interval.
    less = auc_difference(pair, method="delong", confidence_level=0.9)
    assert results["equivalence"].confidence_interval == pytest.approx(less.confidence_interval, abs=1e-12)
    assert results["equivalence"].confidence_level == 0.9
    assert "equivalence within 0.1" in str(results["equivalence"])


@pytest.mark.parametrize("method", ["delong", "bootstrap", "exact_bootstrap"])
def test_tests_and_intervals_agree(method: Any) -> None:
    pair = paired_sample(12, 50, 50, (1.4, 0.6))
    for alternative in ("less", "greater", "non-inferiority"):
        margin = 0.05 if alternative == "non-inferiority" else None
        result = auc_difference(pair, method=method, alternative=alternative, margin=margin, rng=1)
        null = -0.05 if margin else 0.0
        inside = result.lower <= null <= result.upper
        # Percentiles and the normal p-value of the bootstrap agree this far from the border.
        assert (result.pvalue > 0.05) == inside


@below_half
@settings(max_examples=30)
@given(cases)
@fallback
def test_swapping_the_models_turns_the_sign(rows: list[tuple[int, int, int]]) -> None:
    y, a, b = zip(*rows, strict=True)
    for method in ("delong", "exact_bootstrap", "permutation"):
        one, other = (auc_difference(PairedScores(y, *p), method=method) for p in ((a, b), (b, a)))
        assert one.estimate == pytest.approx(-other.estimate, abs=1e-15)
        assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-10)
        assert one.pvalue == pytest.approx(other.pvalue, abs=1e-10)
        assert -1.0 <= one.lower < one.upper <= 1.0
        assert 0.0 <= one.pvalue <= 1.0


@pytest.mark.parametrize("method", ["delong", "bootstrap", "exact_bootstrap", "permutation"])
def test_no_spread_falls_back(method: Any) -> None:
    y, s = [1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    swaps = method == "permutation"
    for alternative in EVERY:
        margin = 0.3 if alternative in ("equivalence", "non-inferiority") else None
        if swaps and margin:
            continue
        with pytest.warns(ConfrocWarning, match="Newcombe's interval"):
            result = auc_difference(
                PairedScores(y, s, s),
                method=method,
                alternative=alternative,
                margin=margin,
                rng=1,
                # A paired permutation counts all swaps.
                **({} if swaps else AUC_DIFFERENCE.taken(method, {"n_resamples": 50})),
            )
        assert str(result.method) == ("permutation" if swaps else "newcombe")
        assert result.estimate == 0.0
        assert result.lower < 0.0 < result.upper
        if swaps:
            assert result.pvalue == 1.0
        elif margin is None:
            assert result.pvalue == (1.0 if alternative == "two-sided" else 0.5)
        else:
            assert 0.0 < result.pvalue < 0.5


def test_fallback_p_value_is_where_the_interval_ends() -> None:
    a = Scores([1] * 6 + [0] * 6, range(12, 0, -1))
    b = Scores([1] * 6 + [0] * 6, [1] * 12)
    with pytest.warns(ConfrocWarning, match="Newcombe's interval"):
        result = auc_difference(UnpairedScores(a, b), method="delong")
    with pytest.warns(ConfrocWarning, match="Newcombe's interval"):
        at = auc_difference(UnpairedScores(a, b), method="delong", confidence_level=1.0 - result.pvalue)
    assert at.lower == pytest.approx(0.0, abs=1e-9)
    assert result.design == "unpaired"


def test_newcombe_squares_and_adds() -> None:
    pair = paired_sample(3, 30, 40, (1.2, 0.8))
    z, difference = stats.norm.ppf(0.975), pair.a.auc - pair.b.auc
    (low_a, high_a), (low_b, high_b) = (newcombe_ends(s.auc, 30, 40, z) for s in (pair.a, pair.b))
    for design in (pair, UnpairedScores(pair.a, pair.b)):
        result = auc_difference(design, method="newcombe")
        down, up = (
            math.hypot(pair.a.auc - low_a, high_b - pair.b.auc),
            math.hypot(high_a - pair.a.auc, pair.b.auc - low_b),
        )
        assert (result.lower, result.upper) == pytest.approx((difference - down, difference + up), rel=1e-12)
        assert (str(result.method), result.guarantee, result.notes) == ("newcombe", "asymptotic", ())
    # Whoever asks for it needs no warning that nothing varies.
    assert auc_difference(PairedScores([1, 0], [2, 1], [2, 1]), method="newcombe").notes == ()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "delongs"}, "`method`"),
        ({"alternative": "two.sided"}, "`alternative`.*two-sided"),
        ({"margin": 0.1}, "`margin`.*omitted"),
        ({"alternative": "equivalence"}, "`margin`.*between 0 and 1"),
        ({"alternative": "non-inferiority", "margin": -0.1}, "`margin`"),
        (
            {"method": "permutation", "alternative": "equivalence", "margin": 0.1},
            "`margin`.*omitted with method 'permutation'",
        ),
        (
            {"method": "permutation", "only_a": Scores([1, 0], [1, 0])},
            "`only_a`.*omitted with method 'permutation'",
        ),
        ({"method": "exact_bootstrap", "only_a": Scores([1, 0], [1, 0]), "size": (3, 3)}, "`size`"),
        ({"method": "permutation", "max_fpr": 0.2}, "`max_fpr`.*omitted with method 'permutation'"),
        ({"max_fpr": 0.2, "min_tpr": 0.5}, "`max_fpr`.*combined"),
        ({"method": "bootstrap", "only_a": Scores([1, 0], [1, 0]), "size": (3, 3)}, "`size`"),
    ],
)
def test_errors_name_the_argument(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        auc_difference(PAIR, **arguments)


def test_unpaired_restrictions() -> None:
    pair = UnpairedScores(PAIR.a, PAIR.b)
    with pytest.raises(ValueError, match="`only_b`"):
        auc_difference(pair, only_b=Scores([1, 0], [1, 0]))
    for method in ("bootstrap", "exact_bootstrap"):
        result = auc_difference(pair, method=method, rng=1)
        assert result.design == "unpaired"
        assert result.standard_error == pytest.approx(auc_difference(pair).standard_error, rel=0.3)
    with pytest.raises(TypeError, match="`only_a`"):
        auc_difference(PAIR, only_a=[1])  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:This method under-covers")
@pytest.mark.parametrize("seed", [2, 5, 8])
def test_bootstrap_intervals_of_either_sign_hold_the_estimate(seed: int) -> None:
    # Of these five positives the middle percentiles of the differences leave the estimate out.
    a, b = np.random.default_rng(seed).normal(size=(2, 45))
    y = np.repeat([1, 0], [5, 40])
    for pair in (PairedScores(y, a + 2.5 * y, b + y), PairedScores(y, b + y, a + 2.5 * y)):
        found = auc_difference(pair, method="bootstrap", confidence_level=0.05, n_resamples=999, rng=1)
        assert found.lower <= found.estimate <= found.upper
        assert found.estimate in (found.lower, found.upper)
