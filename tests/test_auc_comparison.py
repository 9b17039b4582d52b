"""Comparison of the AUCs of several models or groups."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_difference,
    auc_interval,
)
from confroc.auc.comparison import AUC_COMPARISON
from confroc.comparing.contrasts import difference_vectors
from confroc.influence import (
    delong_covariance,
    delong_variances,
    difference_of_placements,
    estimate_area,
    placements,
)
from confroc.results import Comparison
from confroc.scores import PlacementSums

Floats = NDArray[np.float64]
NUMBERS = ("estimate", "lower", "upper", "standard_error", "statistic", "pvalue")
ADJUSTMENTS = ("max_t", "holm", "bonferroni", "none")


def drawn(k: int, n_pos: int = 40, n_neg: int = 60, seed: int = 0, ties: bool = False) -> tuple[Any, Floats]:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.normal(size=len(y))
    scores = np.stack([common + rng.normal(size=len(y)) + (0.6 + 0.4 * i) * y for i in range(k)])
    return y, np.round(scores, 1) if ties else scores


def paired(k: int, **options: Any) -> PairedScores:
    y, scores = drawn(k, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return PairedScores(y, *scores)


def groups(k: int, seed: int = 0) -> UnpairedScores:
    rng = np.random.default_rng(seed)
    sizes = [(20 + 5 * i, 30 + 7 * i) for i in range(k)]
    return UnpairedScores(
        *(
            Scores(
                np.repeat([1, 0], size), rng.normal(size=sum(size)) + np.repeat([0.8 + 0.3 * i, 0.0], size)
            )
            for i, size in enumerate(sizes)
        )
    )


def quietly(scores: PairedScores | UnpairedScores, **options: Any) -> Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return auc_comparison(scores, **options)


METHODS = AUC_COMPARISON.names


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("adjust", ADJUSTMENTS)
@pytest.mark.parametrize(
    "part", [{}, {"max_fpr": 0.4}, {"min_tpr": 0.5, "standardize": True}], ids=["whole", "fpr", "tpr"]
)
def test_two_models_are_the_difference_to_the_last_bit(
    method: str, adjust: str, part: dict[str, Any]
) -> None:
    if part and method == "permutation":
        with pytest.raises(ValueError, match="be omitted with method 'permutation'"):
            auc_comparison(paired(2), method=method, **part)
        return
    for scores in (paired(2, ties=True), groups(2)):
        drawn = method == "bootstrap" or (method, scores.__class__) == ("permutation", UnpairedScores)
        options = part | ({"n_resamples": 200, "rng": 3} if drawn else {})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConfrocWarning)
            one = auc_difference(scores, method=method, **options)
        found = quietly(scores, method=method, adjust=adjust, **options).differences
        for name in NUMBERS:
            assert getattr(found, name).tolist() == [getattr(one, name)], name
        assert found.pvalue_unadjusted.tolist() == found.pvalue_single_step.tolist() == [one.pvalue]
        assert str(found.row(0)) == str(one)


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
@pytest.mark.parametrize("reference", [None, "c"])
def test_rows_and_what_is_adjusted(adjust: str, reference: str | None) -> None:
    for scores in (paired(4), groups(4)):
        found = auc_comparison(scores, adjust=adjust, reference=reference)
        rows = found.differences
        expected = ["ab", "ac", "ad", "bc", "bd", "cd"] if reference is None else ["ac", "bc", "dc"]
        assert [a + b for a, b in zip(rows.a, rows.b, strict=True)] == expected
        for place, (a, b) in enumerate(expected):
            alone = auc_difference(scores[a, b])
            assert rows.estimate[place] == alone.estimate
            assert rows.pvalue_unadjusted[place] == pytest.approx(alone.pvalue, rel=1e-9)
            assert rows.lower[place] <= alone.lower + 1e-12
            assert rows.upper[place] >= alone.upper - 1e-12
        assert (rows.pvalue >= rows.pvalue_unadjusted).all()
        assert (rows.pvalue_single_step >= rows.pvalue).all()
        outside = (rows.lower > 0.0) | (rows.upper < 0.0)
        assert (outside == (rows.pvalue_single_step <= 0.05)).all()
        assert found.kind == rows.kind == ("pointwise" if adjust == "none" else "simultaneous")
        gaps = np.abs(rows.estimate)
        assert abs(found.largest_gap.estimate) == gaps.max()
        m = len(expected)
        if adjust == "bonferroni":
            assert rows.pvalue == pytest.approx(np.minimum(1.0, m * rows.pvalue_unadjusted))
        if adjust == "none":
            assert rows.pvalue.tolist() == rows.pvalue_unadjusted.tolist()


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_intervals_of_areas(adjust: str) -> None:
    for scores in (paired(4), groups(4)):
        found = auc_comparison(scores, adjust=adjust).intervals
        for place, (name, model) in enumerate(scores.items()):
            alone = auc_interval(model)
            assert found.at[place] == name
            assert found.estimate[place] == alone.estimate
            if adjust == "none":
                assert (found.lower[place], found.upper[place]) == (alone.lower, alone.upper)
            else:
                assert found.lower[place] < alone.lower < alone.upper < found.upper[place]
        if adjust == "bonferroni":
            alone = auc_interval(scores[0], confidence_level=1.0 - 0.05 / 4)
            assert found.lower[0] == pytest.approx(alone.lower, rel=1e-12)


def plain(found: Comparison, names: tuple[str, ...]) -> dict[Any, list[float]]:
    """Everything that is said of these models, by their names."""
    told: dict[Any, list[float]] = {}
    for place, name in enumerate(found.names):
        if name in names:
            told[name] = [float(getattr(found.intervals, c)[place]) for c in ("estimate", "lower", "upper")]
            told[name].append(name in found.may_be_best)
    rows = found.differences
    for place, (a, b) in enumerate(zip(rows.a, rows.b, strict=True)):
        if a in names and b in names:
            columns = (*NUMBERS, "pvalue_single_step", "pvalue_unadjusted")
            told[str(a), str(b)] = [float(getattr(rows, c)[place]) for c in columns]
    told["test"] = [found.test.statistic, found.test.df, found.test.pvalue]
    return told


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("adjust", "of"), [("max_t", 0), ("max_t", 2), ("holm", 0), ("none", 2)])
def test_a_monotone_copy_changes_nothing_but_its_own_rows(method: str, adjust: str, of: int) -> None:
    y, scores = drawn(4, ties=True)
    copy = np.exp(scores[of]) + 3.0
    names = ("a", "b", "c", "d")
    options = {"n_resamples": 250, "rng": 0} if method == "bootstrap" else {}
    before = plain(quietly(PairedScores(y, *scores), method=method, adjust=adjust, **options), names)
    many = quietly(
        PairedScores(y, *scores, copy, names=[*names, "copy"]), method=method, adjust=adjust, **options
    )
    assert plain(many, names) == before
    assert many.alike == ((names[of], "copy"),)
    assert (names[of] in many.may_be_best) == ("copy" in many.may_be_best)
    other = names[1]
    one, two = many[names[of], other], many["copy", other]
    assert [getattr(one, c) for c in NUMBERS] == [getattr(two, c) for c in NUMBERS]
    assert many[names[of], "copy"].pvalue == 1.0


@pytest.mark.parametrize("method", ["score_delong", "delong"])
def test_order_of_models_rows_and_labels(method: str) -> None:
    y, scores = drawn(5, seed=3)
    names = list("abcde")
    found = auc_comparison(PairedScores(y, *scores, names=names), method=method)
    order, rows = [3, 0, 4, 2, 1], np.random.default_rng(0).permutation(len(y))
    turned = auc_comparison(
        PairedScores(y[rows], *scores[order][:, rows], names=[names[i] for i in order]), method=method
    )
    assert set(turned.may_be_best) == set(found.may_be_best)
    assert turned.test.statistic == pytest.approx(found.test.statistic, rel=1e-9)
    for a in names:
        assert turned.intervals.lower[turned.names.index(a)] == pytest.approx(
            found.intervals.lower[found.names.index(a)], rel=1e-9
        )
        for b in names:
            if a != b:
                for column in NUMBERS:
                    assert getattr(turned[a, b], column) == pytest.approx(
                        getattr(found[a, b], column), rel=1e-8, abs=1e-12
                    )
    # Classes exchanged and scores turned round: the same areas.
    other = auc_comparison(PairedScores(1 - y, *-scores, names=names), method=method)
    for column in NUMBERS:
        assert getattr(other.differences, column) == pytest.approx(
            getattr(found.differences, column), rel=1e-8, abs=1e-12
        )


def test_counts_are_arrays() -> None:
    y, scores = drawn(3, ties=True)
    one = PairedScores(y, *scores)
    again = PairedScores._of([one._column(i) for i in range(3)], one.pos, one.neg, names=one.names)
    assert auc_comparison(one) == auc_comparison(again)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_bits_for_any_number_of_threads(method: str) -> None:
    few = {"n_resamples": 300} if method == "bootstrap" else {}
    scores = paired(3)
    assert auc_comparison(scores, method=method, rng=1, n_jobs=2, **few) == auc_comparison(
        scores, method=method, rng=1, **few
    )


@pytest.mark.filterwarnings("ignore:.*predicted classes")
@pytest.mark.parametrize("method", METHODS)
def test_degenerate_models(method: str) -> None:
    y, scores = drawn(2, 15, 15)
    perfect, constant = y.astype(float), np.zeros(len(y))
    few = {"n_resamples": 400, "rng": 0} if method == "bootstrap" else {}
    found = quietly(
        PairedScores(y, perfect, *scores, constant, 2.0 * perfect, names=["p", "a", "b", "c", "q"]),
        method=method,
        **few,
    )
    assert found.intervals.estimate[[0, 3, 4]].tolist() == [1.0, 0.5, 1.0]
    assert (found.intervals.lower < found.intervals.upper).all()
    assert (found.differences.lower < found.differences.upper).all()
    assert np.isfinite(found.differences.pvalue).all()
    assert 0.0 <= found.test.pvalue <= 1.0
    assert {"p", "q"} <= set(found.may_be_best)
    assert "c" not in found.may_be_best
    if method != "bootstrap":
        # A difference without variance leaves no Wald test: its value would depend on the order of models.
        flat = quietly(PairedScores(y, perfect, constant, scores[0]), method=method)
        assert np.isnan(flat.test.statistic)
        assert flat.test.pvalue == pytest.approx(flat.differences.pvalue_single_step.min(), rel=1e-12)
    # Nothing at all to tell apart.
    none = quietly(PairedScores(y, constant, constant, constant), method=method, **few)
    assert none.may_be_best == ("a", "b", "c")
    assert (none.test.df, none.test.pvalue) == (0, 1.0)
    assert none.differences.pvalue.tolist() == [1.0, 1.0, 1.0]


def test_models_that_agree_in_a_part_or_separate_perfectly_are_no_copies() -> None:
    y, scores = drawn(2, 12, 12)
    scores += 1.5 * y
    # The same curve up to a false positive rate, ranks exchanged beyond it.
    top = np.where(scores[0] > np.quantile(scores[0], 0.3), scores[0], -scores[0] - 20.0)
    part = quietly(
        PairedScores(y, scores[0], scores[1], top), method="bootstrap", max_fpr=0.1, n_resamples=200, rng=0
    )
    # Separated perfectly, ranks within the classes of their own.
    perfect = quietly(
        PairedScores(y, 10.0 * y, scores[0], 100.0 * y + scores[1]), method="permutation", adjust="bonferroni"
    )
    assert part.alike == perfect.alike == ()
    for found in (part.differences, perfect.differences):
        assert (found.pvalue >= found.pvalue_unadjusted).all()
    expected = np.minimum(1.0, 3.0 * perfect.differences.pvalue_unadjusted)
    assert perfect.differences.pvalue.tolist() == expected.tolist()


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (1, 30), (2, 2), (3, 4)])
def test_fewer_cases_than_models(n_pos: int, n_neg: int) -> None:
    for method in METHODS:
        few = {"n_resamples": 240, "rng": 0} if method == "bootstrap" else {}
        for seed in range(2):
            found = quietly(paired(4, n_pos=n_pos, n_neg=n_neg, seed=seed), method=method, **few)
            assert found.test.df <= 3
            assert np.isfinite(found.differences.pvalue).all()
            assert 0.0 <= found.test.pvalue <= 1.0
            assert found.names[int(np.argmax(found.intervals.estimate))] in found.may_be_best


def test_clearly_better_models_are_found() -> None:
    y, _ = drawn(2, 200, 200)
    rng = np.random.default_rng(1)
    models = [rng.normal(size=400) + shift * y for shift in (0.0, 0.3, 2.5, 2.6)]
    found = auc_comparison(PairedScores(y, *models, names=["none", "weak", "good", "better"]))
    assert found.may_be_best == ("good", "better")
    assert found.test.pvalue < 1e-20
    assert found["good", "weak"].pvalue < 1e-6
    assert found["good", "better"].pvalue > 0.05


def test_seven_groups_are_homogeneous_or_not() -> None:
    found = auc_comparison(groups(7))
    assert found.test.df == 6
    assert found.intervals.at_name == "group"
    assert found.design == found.differences.design == "unpaired"
    assert len(found.differences) == 21


def test_intervals_of_disjoint_groups_are_independent() -> None:
    # The chance that all seven contain their areas is the product of their levels.
    apart = groups(7)
    found = quietly(apart, confidence_level=0.9).intervals
    alone = [auc_interval(model, confidence_level=0.9 ** (1 / 7)) for model in apart.samples]
    assert list(found.lower) == pytest.approx([x.lower for x in alone], abs=1e-12)
    assert list(found.upper) == pytest.approx([x.upper for x in alone], abs=1e-12)


def without_joint(scores: PairedScores) -> PairedScores:
    """The same models, of whose joint counts only the sums of squares and fourth powers are kept."""
    k = len(scores.models)
    sums = np.zeros((2, 2, k, k))
    columns = [
        [v[index] for v in placements(m)] for m, index in zip(scores.models, scores.index, strict=True)
    ]
    for side, count in enumerate((scores.pos, scores.neg)):
        for i, j in np.ndindex(k, k):
            apart = columns[i][side] - columns[j][side]
            sums[0, side, i, j], sums[1, side, i, j] = apart**2 @ count, apart**4 @ count
    return PairedScores._without_joint(scores.models, PlacementSums(*sums), scores.names)


@pytest.mark.parametrize("method", ["score_delong", "delong"])
def test_no_joint_counts_are_needed(method: str) -> None:
    scores = paired(5, ties=True)
    copied = PairedScores._of(
        [*(scores._column(i) for i in range(5)), np.exp(scores._column(2))], scores.pos, scores.neg
    )
    expected = auc_comparison(copied, method=method)
    found = auc_comparison(without_joint(copied), method=method)
    assert found.notes == expected.notes
    assert "with identical rankings" in found.notes[0]
    for name in (*NUMBERS, "pvalue_single_step"):
        assert getattr(found.differences, name) == pytest.approx(
            getattr(expected.differences, name), rel=1e-9, abs=1e-14
        )
    assert found.may_be_best == expected.may_be_best
    assert found.test.statistic == pytest.approx(expected.test.statistic, rel=1e-10)
    for options in ({"max_fpr": 0.3}, {"method": "bootstrap"}, {"method": "permutation"}):
        with pytest.raises(ValueError, match="resolution=4096"):
            quietly(without_joint(copied), **options)


def test_joint_test_against_matrices() -> None:
    # Krishnamoorthy & Yu (2004) with any contrasts; here each model against the last.
    scores = paired(4, n_pos=12, n_neg=30)
    parts = delong_covariance(scores)
    contrasts = np.hstack([np.eye(3), -np.ones((3, 1))])
    gaps = contrasts @ np.array([m.auc for m in scores.models])
    of_class = [contrasts @ part @ contrasts.T for part in parts]
    inverse = np.linalg.inv(sum(of_class))
    wald = gaps @ inverse @ gaps
    share = [part @ inverse for part in of_class]
    nu = (3 + 9) / sum(
        (np.trace(s @ s) + np.trace(s) ** 2) / (n - 1) for s, n in zip(share, (12, 30), strict=True)
    )
    test = auc_comparison(scores).test
    assert test.statistic == pytest.approx(wald, rel=1e-10)
    assert (test.df, test.df_denominator) == (3, pytest.approx(nu - 2.0, rel=1e-10))
    printed = float(str(test).partition(": F ")[2].partition(" (")[0])
    assert stats.f.sf(printed, 3, test.df_denominator) == pytest.approx(test.pvalue, rel=0.01)
    assert test.pvalue == pytest.approx(stats.f.sf(wald * (nu - 2.0) / (3.0 * nu), 3, nu - 2.0), rel=1e-9)
    plain = quietly(scores, method="delong").test
    assert plain.pvalue == pytest.approx(stats.chi2.sf(wald, 3), rel=1e-9)
    apart = groups(3)
    test = quietly(apart, method="permutation", n_resamples=200, rng=0).test
    own = [delong_variances(sample) for sample in apart.samples]
    contrasts = np.hstack([np.eye(2), -np.ones((2, 1))])
    of_class = [contrasts[:, [i]] @ contrasts[:, [i]].T * v for i, pair in enumerate(own) for v in pair]
    inverse = np.linalg.inv(sum(of_class))
    sizes = [n for sample in apart.samples for n in (sample.n_pos, sample.n_neg)]
    share = [part @ inverse for part in of_class]
    nu = (2 + 4) / sum(
        (np.trace(s @ s) + np.trace(s) ** 2) / (n - 1) for s, n in zip(share, sizes, strict=True)
    )
    assert test.df_denominator == pytest.approx(nu - 1.0, rel=1e-10)


def exponential_variance(area: float, n_pos: int, n_neg: int) -> float:
    """Hanley & McNeil's, the longer tail in the smaller class or the larger, whichever varies more."""
    q1, q2 = area / (2.0 - area) - area**2, 2.0 * area**2 / (1.0 + area) - area**2
    both = [area * (1.0 - area) + (n_pos - 1) * p + (n_neg - 1) * q for p, q in ((q1, q2), (q2, q1))]
    return max(both) / (n_pos * n_neg)


def test_groups_have_the_variances_of_equal_areas() -> None:
    # A group near 1 has little variance of its own, which would make it decide alone.
    apart = groups(4)
    sizes = [(sample.n_pos, sample.n_neg) for sample in apart.samples]
    areas = np.array([sample.auc for sample in apart.samples])
    common = np.average(areas, weights=[n * m / (n + m) for n, m in sizes])
    variances = []
    for sample, area, size in zip(apart.samples, areas, sizes, strict=True):
        ratio = sum(delong_variances(sample)) / exponential_variance(area, *size)
        df = estimate_area(sample).df
        ratio = max(ratio, (ratio * df + 6.0) / (df + 6.0))
        variances.append(exponential_variance(common, *size) * ratio)
    weight = 1.0 / np.array(variances)
    expected = float(np.sum(weight * (areas - np.average(areas, weights=weight)) ** 2))
    test = auc_comparison(apart).test
    assert (test.statistic, test.df) == (pytest.approx(expected, rel=1e-10), 3)
    assert test.df_denominator == math.inf
    assert test.pvalue == pytest.approx(stats.chi2.sf(expected, 3), rel=1e-9)


def test_models_that_nearly_agree_keep_their_digits() -> None:
    # The second model differs from the first in one case of 4,000, by one place.
    y, scores = drawn(3, 2000, 2000)
    order = np.argsort(scores[0])
    near = scores[0].copy()
    at = next(i for i in range(1500, 3000) if y[order[i]] != y[order[i + 1]])
    near[order[[at, at + 1]]] = near[order[[at + 1, at]]]
    pair = PairedScores(y, scores[0], near, scores[1])
    apart = np.zeros((3, 3))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        apart[i, j] = apart[j, i] = sum(m.variance for m in difference_of_placements(pair, None, (i, j)))
    assert apart[0, 1] < 1e-6 * apart[0, 2]
    vectors = difference_vectors(apart, [(0, 1), (0, 2), (1, 2)])
    # Correlations of the differences straight from the placements.
    rows = [
        np.array([v[index] for v in placements(m)]) for m, index in zip(pair.models, pair.index, strict=True)
    ]
    gaps = [rows[j] - rows[i] for i, j in ((0, 1), (0, 2), (1, 2))]
    size = np.array([[pair.n_pos], [pair.n_neg]], float)
    weight = np.array([pair.pos, pair.neg]) / size / (size - 1.0)
    covariance = np.array([[np.sum(weight * u * v) for v in gaps] for u in gaps])
    scale = np.sqrt(np.diag(covariance))
    assert vectors @ vectors.T == pytest.approx(covariance / np.outer(scale, scale), abs=1e-6)
    assert np.isfinite(quietly(pair).test.statistic)


def test_permutation_takes_the_p_values_of_swaps() -> None:
    scores = paired(3, n_pos=12, n_neg=15)
    found = quietly(scores, method="permutation")
    for place, pair in enumerate((("a", "b"), ("a", "c"), ("b", "c"))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConfrocWarning)
            alone = auc_difference(scores[pair], method="permutation")
        assert found.differences.pvalue_unadjusted[place] == pytest.approx(alone.pvalue, rel=1e-9)
    assert str(found.intervals.method) == "score_delong"
    assert any("permutation test" in note for note in found.notes)
    assert found.test.method == "wald"
    assert found.test.pvalue == quietly(scores, method="score_delong").test.pvalue
    assert str(quietly(scores["a", "b"], method="permutation").test.method) == "permutation"


def test_rounded_scores_widen_all_intervals() -> None:
    y, (a, b) = drawn(2, ties=True)
    exact = PairedScores.from_counts(a, b, y, 1 - y)
    rounded = PairedScores.from_counts(a, b, y, 1 - y, score_a_max=a + 0.05)
    plain, found = auc_comparison(exact), auc_comparison(rounded)
    one = auc_difference(rounded)
    assert found.differences.lower.tolist() == [one.lower]
    assert found.differences.upper.tolist() == [one.upper]
    assert found.intervals.lower[0] < plain.intervals.lower[0]
    assert found.intervals.lower[1] == plain.intervals.lower[1]
    assert found.differences.pvalue.tolist() == plain.differences.pvalue.tolist()
    assert any("Scores were rounded" in note for note in found.notes)


def test_errors() -> None:
    pair = paired(3)
    with pytest.raises(ValueError, match=r"`reference` must be one of 'a', 'b', 'c'"):
        auc_comparison(pair, reference="z")
    with pytest.raises(ValueError, match=r"`adjust` must be one of .*Did you mean 'bonferroni'"):
        auc_comparison(pair, adjust="bonferoni")
    with pytest.raises(
        TypeError, match=r"`scores` must be a PairedScores or an UnpairedScores; got 'Scores'"
    ):
        auc_comparison(pair.a)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`n_resamples`"):
        auc_comparison(pair, n_resamples=100)
    with pytest.raises(ValueError, match="`method`"):
        auc_comparison(pair, method="permutatoin")


@pytest.mark.parametrize("method", ["delong", "score_delong"])
def test_two_models_areas_share_the_level(method: str) -> None:
    pair = paired(2)
    found = quietly(pair, method=method, adjust="bonferroni", confidence_level=0.9)
    alone = [auc_interval(pair[name], method=method, confidence_level=0.95) for name in pair.names]
    assert list(found.intervals.lower) == pytest.approx([one.lower for one in alone], abs=1e-12)
    assert list(found.intervals.upper) == pytest.approx([one.upper for one in alone], abs=1e-12)


@pytest.mark.parametrize(("adjust", "others"), [("bonferroni", 2), ("none", 1)])
def test_a_model_may_be_best_up_to_its_one_sided_p_value(adjust: Any, others: int) -> None:
    scores = paired(3)
    aucs = {name: scores[name].auc for name in scores.names}
    last = min(aucs, key=lambda name: aucs[name])
    better = [
        auc_difference(scores[name, last], alternative="greater").pvalue for name in aucs if name != last
    ]
    alpha = others * min(better)
    for factor, may in ((0.99, True), (1.01, False)):
        found = quietly(scores, adjust=adjust, confidence_level=1.0 - factor * alpha)
        assert (last in found.may_be_best) == may


def test_differences_from_a_reference_are_in_the_table() -> None:
    y, scores = drawn(4, seed=3)
    found = auc_comparison(y, dict(zip("abcd", scores, strict=True)), reference="b")
    table = found.to_frame().set_index("model")
    for name in "acd":
        it = found[name, "b"]
        row = table.loc[name, ["difference", "difference_lower", "difference_upper", "pvalue"]]
        assert row.tolist() == [it.estimate, it.lower, it.upper, it.pvalue]
    assert table.loc["b", ["difference", "pvalue"]].isna().all()
    assert "difference" not in auc_comparison(y, dict(zip("abcd", scores, strict=True))).to_frame()


def test_the_table_explains_p_values_that_disagree_with_intervals() -> None:
    seen = set()
    for seed in range(30):
        found = quietly(paired(3, seed=seed))
        pairs = found.differences
        disagree = (pairs.pvalue <= 0.05) & (pairs.lower <= 0.0) & (pairs.upper >= 0.0)
        assert ("although its interval contains 0" in str(found)) == disagree.any()
        seen.add(bool(disagree.any()))
    assert seen == {True, False}
