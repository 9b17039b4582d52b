"""Areas of many models against sources that share nothing with the library.

DeLong, DeLong & Clarke-Pearson's (1988) own example, by other programs' recorded output and in exact
fractions; loops over all pairs of cases; the textbook's chi-squared of homogeneity; Tukey's and Dunnett's
laws where groups are balanced; closed testing by all sets of equalities; Hsu's set by simulation.
"""

from __future__ import annotations

import csv
import json
import math
import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, auc_comparison, auc_difference
from confroc.influence import delong_covariance, delong_variances
from confroc.results import Comparison

CAUTION = "ignore:.*under-covers:confroc.ConfrocWarning"
"""What method "delong" says of so few cases, and rightly; here its numbers are wanted."""
INDICES = ("albumin", "kg", "total_protein")
CONTRASTS = ((1, -1, 0), (0, -1, 1))
"""Albumin and total protein, each less the Krebs-Goplerud score."""


# --- references: fractions and double loops ------------------------------------------------------------


def areas_and_covariance(
    truth: Sequence[int], columns: Sequence[Sequence[float]]
) -> tuple[list[Fraction], list[list[Fraction]]]:
    """All areas and DeLong's covariance matrix, from every pair of a positive and a negative case."""
    positives = [i for i, yes in enumerate(truth) if yes]
    negatives = [i for i, yes in enumerate(truth) if not yes]
    m, n, k = len(positives), len(negatives), len(columns)

    def wins(score: Sequence[float], i: int, j: int) -> Fraction:
        return Fraction((score[i] > score[j]) - (score[i] < score[j]) + 1, 2)

    of_pos = [[sum((wins(s, i, j) for j in negatives), Fraction()) / n for i in positives] for s in columns]
    of_neg = [[sum((wins(s, i, j) for i in positives), Fraction()) / m for j in negatives] for s in columns]
    area = [sum(row, Fraction()) / m for row in of_pos]

    def between(rows: list[list[Fraction]], a: int, b: int) -> Fraction:
        total = sum(
            ((x - area[a]) * (y - area[b]) for x, y in zip(rows[a], rows[b], strict=True)), Fraction()
        )
        return total / (len(rows[a]) - 1) / len(rows[a])

    return area, [[between(of_pos, a, b) + between(of_neg, a, b) for b in range(k)] for a in range(k)]


def quadratic_form(
    contrasts: Sequence[Sequence[int]], area: list[Fraction], cov: list[list[Fraction]]
) -> Fraction:
    """Wald's chi-squared of two contrasts, in fractions."""
    (d1, d2) = (sum((c * a for c, a in zip(row, area, strict=True)), Fraction()) for row in contrasts)
    (s11, s12, s22) = (
        sum((u[i] * v[j] * cov[i][j] for i, j in product(range(len(area)), repeat=2)), Fraction())
        for u, v in ((contrasts[0], contrasts[0]), (contrasts[0], contrasts[1]), (contrasts[1], contrasts[1]))
    )
    return (s22 * d1 * d1 - 2 * s12 * d1 * d2 + s11 * d2 * d2) / (s11 * s22 - s12 * s12)


def as_array(values: Any) -> np.ndarray:
    return np.array(values, dtype=object).astype(float)


# --- DeLong, DeLong & Clarke-Pearson (1988) ------------------------------------------------------------


def ovarian(data_folder: Path) -> tuple[list[int], list[list[float]]]:
    """The 43 complete records: benefit from surgery, and the three indices, low scores of which mean risk."""
    with (data_folder / "delong1988_ovarian.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    score = [[float(r["albumin"]), 10.0 - float(r["kg_raw"]), float(r["total_protein"])] for r in rows]
    return [int(r["popind"]) for r in rows], [list(column) for column in zip(*score, strict=True)]


@pytest.fixture(scope="module")
def proc(data_folder: Path) -> dict[str, Any]:
    """What the R package pROC says of the same records."""
    recorded = json.loads((data_folder.parent / "proc_reference.json").read_text(encoding="utf-8"))
    return dict(recorded["delong1988"])


def test_delong_and_others_own_example(data_folder: Path, proc: dict[str, Any]) -> None:
    truth, columns = ovarian(data_folder)
    scores = PairedScores(truth, *columns, names=INDICES)
    area, cov = areas_and_covariance(truth, columns)
    matrix = delong_covariance(scores).sum(axis=0)
    assert matrix == pytest.approx(as_array(cov), rel=1e-13)
    assert [model.auc for model in scores.models] == pytest.approx(as_array(area), rel=1e-15)
    # pROC's numbers have 15 digits.
    for i, name in enumerate(INDICES):
        assert scores[name].auc == pytest.approx(proc["markers"][name]["auc"], rel=1e-14)
        assert matrix[i, i] == pytest.approx(proc["markers"][name]["variance"], rel=1e-13)
    for row in proc["paired_delong"]:
        i, j = INDICES.index(row["a"]), INDICES.index(row["b"])
        assert matrix[i, j] == pytest.approx(row["covariance"], rel=1e-12)
    # Rounded as statistical packages print them.
    assert [f"{a:.4f}" for a in as_array(area)] == ["0.7366", "0.7258", "0.6478"]
    assert [f"{math.sqrt(v):.4f}" for v in np.diag(matrix)] == ["0.0927", "0.1028", "0.1000"]
    assert f"{float(quadratic_form(CONTRASTS, area, cov)):.4f}" == "2.5340"


# The six patients left out above lack albumin, total protein or both; their other values are known.
LACKING = [
    (None, 6, None),
    (None, 6, None),
    (None, 8, None),
    (None, 7, None),
    (None, 7, None),
    (2.0, 7, None),
]


def all_patients(data_folder: Path) -> tuple[list[int], list[list[float]]]:
    """All 49 patients, with the median where a value is missing."""
    truth, (albumin, kg, protein) = ovarian(data_folder)
    kg = [*kg, *(10.0 - raw for _, raw, _ in LACKING)]
    albumin += [2.0]
    albumin += [float(np.median(albumin))] * 5
    protein += [float(np.median(protein))] * 6
    # Their order among themselves does not matter but for the albumin that is known, of the last patient.
    order = [*range(43), *range(44, 49), 43]
    return [*truth, *[1] * 6], [[albumin[i] for i in order], kg, protein]


def test_the_papers_printed_areas(data_folder: Path) -> None:
    # The paper prints .69, .72 and .65 for the Krebs-Goplerud score, albumin and total protein.
    truth, columns = all_patients(data_folder)
    scores = PairedScores(truth, *columns, names=INDICES)
    assert (scores.a.n_pos, scores.a.n_neg) == (37, 12)
    printed = {"kg": ".69", "albumin": ".72", "total_protein": ".65"}
    assert {name: f"{model.auc:.2f}".lstrip("0") for name, model in scores.items()} == printed
    # Another program, pyroc, gives the joint test (two degrees of freedom) of the same records this p-value.
    chi2 = quadratic_form(CONTRASTS, *areas_and_covariance(truth, columns))
    assert math.exp(-chi2 / 2) == pytest.approx(0.42291256338064165, rel=1e-13)


# --- covariances by double loops over tiny samples with ties -------------------------------------------

tables = st.integers(2, 4).flatmap(
    lambda k: st.tuples(
        *(st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=2, max_size=5) for _ in range(2))
    )
)


@given(tables)
def test_covariances_of_tied_scores_by_double_loops(rows: tuple[list[tuple[int, ...]], ...]) -> None:
    positives, negatives = rows
    truth = [1] * len(positives) + [0] * len(negatives)
    columns = [list(column) for column in zip(*positives, *negatives, strict=True)]
    # Some of these areas are below one half.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        scores = PairedScores(truth, *columns)
        apart = UnpairedScores(*(Scores(truth, column) for column in columns))
    area, cov = areas_and_covariance(truth, columns)
    assert [model.auc for model in scores.models] == pytest.approx(as_array(area), abs=1e-15)
    assert delong_covariance(scores).sum(axis=0) == pytest.approx(as_array(cov), abs=1e-15)
    # Disjoint samples of the same scores have the same variances, and no covariance.
    variances = [sum(delong_variances(sample)) for sample in apart.samples]
    assert variances == pytest.approx(np.diag(as_array(cov)), abs=1e-15)


# --- the same through auc_comparison -------------------------------------------------------------------


@pytest.mark.filterwarnings(CAUTION)
def test_delong_and_others_own_test(data_folder: Path, proc: dict[str, Any]) -> None:
    truth, columns = ovarian(data_folder)
    scores = PairedScores(truth, *columns, names=INDICES)
    compared = auc_comparison(scores, method="delong", adjust="none", reference="kg")
    area, cov = areas_and_covariance(truth, columns)
    chi2 = float(quadratic_form(CONTRASTS, area, cov))
    assert compared.test.statistic == pytest.approx(chi2, rel=1e-12)
    # The law of chi-squared with two degrees of freedom is an exponential one.
    assert (compared.test.df, compared.test.pvalue) == (2, pytest.approx(math.exp(-chi2 / 2.0), rel=1e-12))
    assert f"{compared.test.statistic:.4f} {compared.test.pvalue:.4f}" == "2.5340 0.2817"
    # All pairs have the same rank.
    pairs = auc_comparison(scores, method="delong", adjust="none")
    assert (pairs.test.statistic, pairs.test.df) == (pytest.approx(chi2, rel=1e-12), 2)
    for row in proc["paired_delong"]:
        one = pairs[row["a"], row["b"]]
        assert one.estimate == pytest.approx(row["difference"], rel=1e-12)
        assert one.statistic == pytest.approx(row["statistic"], rel=1e-11)
        assert one.pvalue == pytest.approx(row["p_value"], rel=1e-11)
        assert (one.lower, one.upper) == pytest.approx(row["ci_95"], rel=1e-10)
    for name in ("albumin", "total_protein"):
        assert compared[name, "kg"] == pairs[name, "kg"]
    for at, low, high in zip(pairs.intervals.at, pairs.intervals.lower, pairs.intervals.upper, strict=True):
        assert (low, high) == pytest.approx(proc["markers"][at]["ci_95"], rel=1e-12)


@pytest.mark.filterwarnings(CAUTION)
def test_the_joint_test_of_another_program(data_folder: Path) -> None:
    truth, columns = all_patients(data_folder)
    compared = auc_comparison(PairedScores(truth, *columns, names=INDICES), method="delong")
    assert compared.test.pvalue == pytest.approx(0.42291256338064165, rel=1e-12)


def krishnamoorthy_yu(difference: np.ndarray, shares: list[tuple[np.ndarray, float]]) -> float:
    """P-value of W by its F distribution, from the classes' covariances of the contrasts and their n − 1."""
    total, r = sum(share for share, _ in shares), len(difference)
    inverse = np.linalg.inv(total)
    parts = [(share @ inverse, df) for share, df in shares]
    nu = (r + r * r) / sum((np.trace(p @ p) + np.trace(p) ** 2) / df for p, df in parts)
    scaled = difference @ inverse @ difference * (nu - r + 1) / (nu * r)
    return float(stats.f.sf(scaled, r, nu - r + 1))


@pytest.mark.filterwarnings(CAUTION)
@pytest.mark.parametrize("k", [3, 4])
def test_the_joint_test_by_an_approximate_f_distribution(k: int) -> None:
    rng = np.random.default_rng(k)
    truth = np.repeat([1, 0], [14, 9])
    scores = rng.normal(size=(k, 23)) + 0.5 * rng.normal(size=23) + np.linspace(0.4, 1.2, k)[:, None] * truth
    compared = auc_comparison(PairedScores(truth, *scores))
    wins = [0.5 + 0.5 * np.sign(s[truth == 1][:, None] - s[truth == 0]) for s in scores]
    contrast = np.column_stack([-np.ones(k - 1), np.eye(k - 1)])
    area = np.array([w.mean() for w in wins])
    shares = []
    for axis, n in ((1, 14), (0, 9)):
        placements = np.array([w.mean(axis=axis) for w in wins])
        shares.append((contrast @ np.cov(placements) @ contrast.T / n, n - 1.0))
    expected = krishnamoorthy_yu(contrast @ area, shares)
    assert compared.test.pvalue == pytest.approx(expected, rel=1e-9)


# --- groups: homogeneity, Tukey, Dunnett ---------------------------------------------------------------


def group(n: int, shift: float, seed: int) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng(seed)
    truth = [1] * n + [0] * (2 * n)
    return truth, np.round(rng.normal(size=3 * n) + shift * np.array(truth), 1).tolist()


@pytest.mark.filterwarnings(CAUTION)
def test_groups_by_the_textbooks_test_of_homogeneity() -> None:
    samples = [group(n, shift, n) for n, shift in ((12, 0.6), (20, 1.5), (15, 1.0), (30, 1.2))]
    groups = UnpairedScores(*(Scores(*sample) for sample in samples), names=["n", "e", "s", "w"])
    area, variance = np.array(
        [
            [float(area[0]), float(cov[0][0])]
            for area, cov in (areas_and_covariance(y, [s]) for y, s in samples)
        ]
    ).T
    weight = 1.0 / variance
    mean = np.average(area, weights=weight)
    cochran = float(np.sum(weight * (area - mean) ** 2))
    for reference in (None, "s"):
        compared = auc_comparison(groups, method="delong", reference=reference)
        assert compared.design == "unpaired"
        assert compared.test.statistic == pytest.approx(cochran, rel=1e-11)
        assert compared.test.df == 3
        assert compared.test.pvalue == pytest.approx(stats.chi2.sf(cochran, 3), rel=1e-11)
        assert list(compared.intervals.estimate) == pytest.approx(area, rel=1e-14)
    far = [tuple(sorted((i, j))) for i in range(4) for j in range(i)]
    i, j = max(far, key=lambda pair: abs(area[pair[0]] - area[pair[1]]))
    gap = auc_comparison(groups).largest_gap
    assert abs(gap.estimate) == pytest.approx(abs(area[i] - area[j]), rel=1e-14)


def mirrored(n: int, pattern: str) -> UnpairedScores:
    """Groups of equal variances: a sample and, for each "-", the same upside down, with one less its area."""
    truth, score = group(n, 0.35, 5)
    samples = {"+": Scores(truth, score)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        samples["-"] = Scores(truth, [-s for s in score])
    return UnpairedScores(*(samples[sign] for sign in pattern))


def deviates(pvalue: Any) -> Any:
    """|z| of two-sided p-values."""
    return -special.ndtri(np.asarray(pvalue) / 2.0)


@pytest.mark.parametrize("method", ["delong", "score_delong"])
@pytest.mark.parametrize(("n", "pattern"), [(20, "+-+"), (30, "++-+-"), (14, "+++-+-++")])
def test_all_pairs_of_balanced_groups_by_the_studentized_range(method: str, n: int, pattern: str) -> None:
    groups, k = mirrored(n, pattern), len(pattern)
    rows = auc_comparison(groups, method=method).differences
    t = deviates(rows.pvalue_unadjusted)
    # scipy's law is a double integral; the correlations of the differences are Tukey's exactly.
    expected = stats.studentized_range.sf(math.sqrt(2.0) * t, k, np.inf)
    assert rows.pvalue_single_step == pytest.approx(expected, rel=0.01)
    assert 0.0005 < rows.pvalue_single_step.min() < 0.5
    assert (rows.pvalue <= rows.pvalue_single_step * (1.0 + 1e-12)).all()
    critical = stats.studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2.0)
    level = 1.0 - 2.0 * stats.norm.sf(critical)
    for row, (a, b) in enumerate(combinations(groups.names, 2)):
        alone = auc_difference(groups[a, b], method=method, confidence_level=level)
        width = alone.upper - alone.lower
        assert rows.lower[row] == pytest.approx(alone.lower, abs=0.005 * width)
        assert rows.upper[row] == pytest.approx(alone.upper, abs=0.005 * width)


def dunnett_sf(t: float, m: int, *, both: bool = True) -> float:
    """P(max |Z| > t), or P(max Z > t), of m differences from one control in balanced groups."""

    def inside(x: float) -> float:
        low = stats.norm.cdf(x - math.sqrt(2.0) * t) if both else 0.0
        return float(stats.norm.pdf(x) * (stats.norm.cdf(x + math.sqrt(2.0) * t) - low) ** m)

    return 1.0 - integrate.quad(inside, -9.0, 9.0, epsabs=1e-12)[0]


def test_balanced_groups_against_a_control_by_dunnetts_law() -> None:
    groups = mirrored(22, "+-+--+")
    rows = auc_comparison(groups, method="delong", reference="a").differences
    t = deviates(rows.pvalue_unadjusted)
    expected = [dunnett_sf(x, 5) for x in t]
    assert rows.pvalue_single_step == pytest.approx(expected, rel=0.01)
    # Step-down: the largest by the law of all, the next by the law of what is left, never less than before.
    least, stepped = 0.0, np.empty(5)
    for step, row in enumerate(np.argsort(-t, kind="stable")):
        least = stepped[row] = max(least, dunnett_sf(t[row], 5 - step))
    assert rows.pvalue == pytest.approx(stepped, rel=0.01)


# --- partial areas by numerical derivatives ------------------------------------------------------------


def weighted_partial_area(score: np.ndarray, pos: np.ndarray, neg: np.ndarray, most: float) -> float:
    """Area up to a false positive rate, for weights of positives and negatives, by trapezoids."""
    order = np.argsort(-score)
    y = np.concatenate([[0.0], np.cumsum(pos[order]) / pos.sum()])
    x = np.concatenate([[0.0], np.cumsum(neg[order]) / neg.sum()])
    last = int(np.searchsorted(x, most))
    edge = y[last - 1] + (y[last] - y[last - 1]) * (most - x[last - 1]) / (x[last] - x[last - 1])
    return float(np.trapezoid([*y[:last], edge], [*x[:last], most]))


def test_partial_areas_by_what_a_little_more_weight_of_each_case_changes() -> None:
    rng, most = np.random.default_rng(31), 0.3
    truth = np.repeat([1, 0], [40, 57])
    common = rng.normal(size=97)
    columns = [(s * truth + 0.7 * common + 0.7 * rng.normal(size=97)) for s in (0.9, 1.6, 1.3)]
    pos, neg = truth.astype(float), 1.0 - truth
    areas = np.array([weighted_partial_area(score, pos, neg, most) for score in columns])
    cov = np.zeros((3, 3))
    for weights in (pos, neg):
        own = np.flatnonzero(weights)
        slopes = np.empty((3, len(own)))
        for case, i in enumerate(own):
            # Central differences, of a function that is smooth in the weights.
            more, less = weights.copy(), weights.copy()
            more[i], less[i] = 1.0 + 1e-5, 1.0 - 1e-5
            for model, score in enumerate(columns):
                up, down = (
                    weighted_partial_area(score, *((w, neg) if weights is pos else (pos, w)), most)
                    for w in (more, less)
                )
                slopes[model, case] = (up - down) / 2e-5
        cov += len(own) / (len(own) - 1) * slopes @ slopes.T
    compared = auc_comparison(PairedScores(truth, *columns), method="delong", max_fpr=most)
    assert list(compared.intervals.estimate) == pytest.approx(areas, rel=1e-12)
    contrast = np.array([[1, -1, 0], [1, 0, -1]])
    gap = contrast @ areas
    chi2 = float(gap @ np.linalg.solve(contrast @ cov @ contrast.T, gap))
    assert compared.test.statistic == pytest.approx(chi2, rel=1e-6)
    for row, (i, j) in enumerate(combinations(range(3), 2)):
        error = math.sqrt(cov[i, i] + cov[j, j] - 2.0 * cov[i, j])
        assert compared.differences.standard_error[row] == pytest.approx(error, rel=1e-6)


# --- closed testing and the best model, by brute force -------------------------------------------------


def tied_sample(
    rng: np.random.Generator, k: int, n: int, spread: float
) -> tuple[list[int], list[list[float]]]:
    truth = np.repeat([1, 0], n)
    common = rng.normal(size=2 * n)
    shift = 0.9 + spread * rng.permutation(k) / k
    columns = [np.round(truth * s + 0.8 * common + 0.7 * rng.normal(size=2 * n), 1) for s in shift]
    return truth.tolist(), [column.tolist() for column in columns]


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All ways to say which of the models have equal areas."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i, block in enumerate(rest):
            yield [*rest[:i], [items[0], *block], *rest[i + 1 :]]


def draws(cov: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Areas about equal means, by simulation."""
    value, vector = np.linalg.eigh(cov)
    root = vector * np.sqrt(np.maximum(value, 0.0))
    return np.random.default_rng(seed).normal(size=(n, len(cov))) @ root.T


N_DRAWS = 400_000


@pytest.mark.parametrize(("k", "seed"), [(3, 1), (3, 2), (4, 3), (4, 4)])
def test_closed_testing_by_all_sets_of_equalities(k: int, seed: int) -> None:
    truth, columns = tied_sample(np.random.default_rng(seed), k, 60, 0.9)
    area, cov = (as_array(v) for v in areas_and_covariance(truth, columns))
    pairs = list(combinations(range(k), 2))
    error = {(i, j): math.sqrt(cov[i, i] + cov[j, j] - 2.0 * cov[i, j]) for i, j in pairs}
    z = {(i, j): abs(area[i] - area[j]) / error[i, j] for i, j in pairs}
    drawn = draws(cov, N_DRAWS, seed)
    of_pair = {(i, j): np.abs(drawn[:, i] - drawn[:, j]) / error[i, j] for i, j in pairs}
    adjusted = dict.fromkeys(pairs, 0.0)
    for blocks in partitions(list(range(k))):
        equal = [pair for pair in pairs if any(set(pair) <= set(block) for block in blocks)]
        if not equal:
            continue
        largest = max(z[pair] for pair in equal)
        p = float(np.mean(np.maximum.reduce([of_pair[pair] for pair in equal]) >= largest))
        if len(equal) == 1:
            p = 2.0 * float(stats.norm.sf(largest))
        for pair in equal:
            adjusted[pair] = max(adjusted[pair], p)
    single = {pair: float(np.mean(np.maximum.reduce(list(of_pair.values())) >= z[pair])) for pair in pairs}
    rows = auc_comparison(PairedScores(truth, *columns), method="delong").differences
    for row, pair in enumerate(pairs):
        for value, expected in ((rows.pvalue, adjusted[pair]), (rows.pvalue_single_step, single[pair])):
            # Five standard errors of the simulation (one in 10⁵ tests so many), and 1% of the law's own.
            error_of = 5.0 * math.sqrt(expected * (1.0 - expected) / N_DRAWS)
            assert value[row] == pytest.approx(expected, abs=error_of + 0.01 * expected + 1e-5)
    # Some of it is won: not every adjusted p-value is that of the single step.
    assert (rows.pvalue < 0.98 * rows.pvalue_single_step).any()


def test_a_reference_steps_down_through_all_subsets() -> None:
    k = 4
    truth, columns = tied_sample(np.random.default_rng(8), k, 60, 0.9)
    area, cov = (as_array(v) for v in areas_and_covariance(truth, columns))
    others = [0, 2, 3]
    error = {i: math.sqrt(cov[i, i] + cov[1, 1] - 2.0 * cov[i, 1]) for i in others}
    z = {i: abs(area[i] - area[1]) / error[i] for i in others}
    drawn = draws(cov, N_DRAWS, 8)
    of_row = {i: np.abs(drawn[:, i] - drawn[:, 1]) / error[i] for i in others}
    rows = auc_comparison(PairedScores(truth, *columns), method="delong", reference="b").differences
    assert rows.a.tolist() == ["a", "c", "d"]
    for row, i in enumerate(others):
        subsets = [s for size in (1, 2, 3) for s in combinations(others, size) if i in s]
        expected = max(
            float(np.mean(np.maximum.reduce([of_row[j] for j in s]) >= max(z[j] for j in s))) for s in subsets
        )
        error_of = 5.0 * math.sqrt(expected * (1.0 - expected) / N_DRAWS)
        assert rows.pvalue[row] == pytest.approx(expected, abs=error_of + 0.01 * expected + 1e-5)


@pytest.mark.slow
def test_the_models_that_may_be_best_by_simulated_one_sided_dunnett_tests() -> None:
    """Hsu: a model stays unless another is better by a one-sided test of all others against it."""
    decided, kept, n_draws = 0, 0, 100_000
    for seed in range(12):
        k = 3 + seed % 3
        truth, columns = tied_sample(np.random.default_rng(100 + seed), k, 50, 1.0)
        area, cov = (as_array(v) for v in areas_and_covariance(truth, columns))
        drawn = draws(cov, n_draws, seed)
        may_be_best = auc_comparison(PairedScores(truth, *columns), method="delong").may_be_best
        for i, name in enumerate("abcde"[:k]):
            rest = [j for j in range(k) if j != i]
            error = np.array([math.sqrt(cov[i, i] + cov[j, j] - 2.0 * cov[i, j]) for j in rest])
            largest = np.max((area[rest] - area[i]) / error)
            p = float(np.mean(((drawn[:, rest] - drawn[:, [i]]) / error).max(axis=1) >= largest))
            # Within five standard errors of the level, 0.003, simulation does not tell.
            if abs(p - 0.05) > 0.0035:
                decided += 1
                kept += name in may_be_best
                assert (name in may_be_best) == (p > 0.05), (seed, name, p)
        assert max(zip(area, "abcde", strict=False))[1] in may_be_best
    # Both answers occur often.
    assert decided > 40
    assert 10 < kept < decided - 10


# --- copies --------------------------------------------------------------------------------------------

small = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6)), min_size=8, max_size=24)


def numbers_of(compared: Comparison, names: tuple[str, ...]) -> list[Any]:
    """Everything that a comparison says of some of its models, bit for bit."""
    at = [compared.names.index(name) for name in names]
    found = [compared.intervals.estimate[at], compared.intervals.lower[at], compared.intervals.upper[at]]
    rows = compared.differences
    mine = [i for i, (a, b) in enumerate(zip(rows.a, rows.b, strict=True)) if a in names and b in names]
    columns = ("estimate", "lower", "upper", "standard_error", "statistic", "pvalue", "pvalue_single_step")
    found += [getattr(rows, column)[mine] for column in (*columns, "pvalue_unadjusted")]
    test = compared.test
    found.append(np.array([test.statistic, test.df, test.df_denominator, test.pvalue]))
    best = [name for name in compared.may_be_best if name in names]
    return [*(values.tobytes() for values in found), best]


@given(
    small,
    st.sampled_from(["max_t", "holm", "bonferroni", "none"]),
    st.sampled_from([None, "y"]),
    st.sampled_from(["score_delong", "delong"]),
)
@settings(max_examples=15)
def test_a_monotone_copy_changes_nothing_but_its_own_row(
    rows: list[tuple[int, ...]], adjust: str, reference: str | None, method: str
) -> None:
    truth = [1, 0] * (len(rows) // 2) + [1] * (len(rows) % 2)
    x, y, z = (list(column) for column in zip(*rows, strict=True))
    copy = [math.exp(value) - 3.0 for value in x]
    options: dict[str, Any] = {"adjust": adjust, "reference": reference, "method": method}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        alone = auc_comparison(PairedScores(truth, x, y, z, names=["x", "y", "z"]), **options)
        joined = auc_comparison(PairedScores(truth, x, y, z, copy, names=["x", "y", "z", "copy"]), **options)
    assert numbers_of(joined, alone.names) == numbers_of(alone, alone.names)
    # The copy says what its model says.
    assert joined.intervals.estimate[3] == joined.intervals.estimate[0]
    assert ("copy" in joined.may_be_best) == ("x" in joined.may_be_best)
    if reference is None:
        of_copy = joined["x", "copy"]
        assert (of_copy.estimate, of_copy.pvalue) == (0.0, 1.0)
    one, other = joined["copy", "y"], joined["x", "y"]
    for name in ("estimate", "lower", "upper", "pvalue", "standard_error"):
        assert repr(getattr(one, name)) == repr(getattr(other, name))


# --- what must hold of any sample ----------------------------------------------------------------------


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.tuples(
            *(st.lists(st.tuples(*[st.integers(0, 4)] * k), min_size=1, max_size=9) for _ in range(2))
        )
    ),
    st.sampled_from(["score_delong", "delong"]),
    st.sampled_from(["max_t", "holm", "bonferroni", "none"]),
    st.sampled_from([0.5, 0.9, 0.99]),
    st.booleans(),
)
@settings(max_examples=30)
def test_what_must_hold_of_any_sample(
    rows: tuple[list[tuple[int, ...]], ...], method: str, adjust: str, level: float, paired: bool
) -> None:
    positives, negatives = rows
    truth = [1] * len(positives) + [0] * len(negatives)
    columns = [list(column) for column in zip(*positives, *negatives, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        scores = (
            PairedScores(truth, *columns) if paired else UnpairedScores(*(Scores(truth, c) for c in columns))
        )
        compared = auc_comparison(scores, method=method, adjust=adjust, confidence_level=level)
    found, areas = compared.differences, compared.intervals
    assert (found.pvalue >= found.pvalue_unadjusted * (1.0 - 1e-12)).all()
    assert (found.pvalue <= found.pvalue_single_step * (1.0 + 1e-12)).all()
    assert (found.pvalue_single_step <= 1.0).all()
    for part in (found, areas):
        assert (part.lower <= part.estimate + 1e-12).all()
        assert (part.estimate <= part.upper + 1e-12).all()
    # An interval leaves out zero exactly where its own test rejects; at the border rounding decides.
    without_zero = (found.lower > 1e-12) | (found.upper < -1e-12)
    clear = np.abs(found.pvalue_single_step - (1.0 - level)) > 1e-6
    assert (without_zero == (found.pvalue_single_step <= 1.0 - level))[clear].all()
    assert compared.ranking[0] in compared.may_be_best
    assert 0.0 <= compared.test.pvalue <= 1.0


# --- the point of it all -------------------------------------------------------------------------------


@pytest.mark.slow
def test_of_equal_models_rarely_any_differ() -> None:
    """Six models of one area, correlation 0.6: the promise is that in 5% of samples any pair is significant.

    40 samples of 80 + 80 cases. At a true familywise error of 5.5% more than 7 occur with probability 0.001;
    unadjusted, where it is about 35%, at most 7 do with probability 0.02.
    """
    rng, truth = np.random.default_rng(21), np.repeat([1, 0], 80)
    any_adjusted = any_unadjusted = best_lost = 0
    for _ in range(40):
        common = rng.normal(size=160)
        columns = [
            1.2 * truth + math.sqrt(0.6) * common + math.sqrt(0.4) * rng.normal(size=160) for _ in range(6)
        ]
        compared = auc_comparison(PairedScores(truth, *columns))
        any_adjusted += bool((compared.differences.pvalue <= 0.05).any())
        any_unadjusted += bool((compared.differences.pvalue_unadjusted <= 0.05).any())
        best_lost += "a" not in compared.may_be_best
    assert any_adjusted <= 7
    assert best_lost <= 7
    assert any_unadjusted > 7
