"""Intervals for one area: against other programs, enumeration, and what no interval may do."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from confroc import ConfrocWarning, Interval, Scores, auc_interval
from confroc._kernels import compiled
from confroc._kernels.auc import placement_moments
from confroc.auc import asymptotic
from confroc.auc.bootstrap import exact_bootstrap_variance
from confroc.auc.interval import AUC_INTERVAL
from confroc.base import Contrast
from confroc.bootstrap import BootstrapBca
from confroc.influence import delong_variances, estimate_area, placements
from confroc.moments import spread
from confroc.statistics.area import Auc
from confroc.statistics.areas_resampled import replicates
from confroc_lab import Exponential, Normal, Rule, TwoDistributions
from confroc_lab.study import evaluated
from support import read_csv, table, wins

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "reference" / "proc_reference.json").read_text()
)
CT = Scores.from_counts([5, 4, 3, 2, 1], pos=[33, 11, 2, 2, 3], neg=[2, 11, 6, 6, 33])
SMALL = Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
MODERATE = Scores.from_counts(range(8), pos=[1, 3, 5, 9, 14, 22, 25, 21], neg=[30, 28, 22, 15, 10, 8, 5, 2])

below_half = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
fallback = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
counts = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=7).filter(
    lambda rows: all(sum(column) > 0 for column in zip(*rows, strict=True))
)


def expanded(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)


def check(result: Interval, level: float = 0.95) -> None:
    assert 0.0 <= result.lower <= result.estimate <= result.upper <= 1.0
    assert result.lower < result.upper
    assert result.standard_error > 0.0
    assert result.confidence_level == level
    assert result.kind == "pointwise"


# --- other programs, papers --------------------------------------------------------------------------


def data_sets() -> list[tuple[str, str]]:
    names = (
        "asah",
        "wieand1989",
        "delong1988",
        "hanley1982",
        "vandyke1993",
        "synthetic_tied",
        "synthetic_continuous",
    )
    return [(name, marker) for name in names for marker in REFERENCE[name]["markers"]]


def load(folder: Path, name: str, marker: str) -> Scores:
    """The sample behind a block of the reference file."""
    if name == "hanley1982":
        return CT
    if name.startswith("synthetic"):
        rows = read_csv(Path(__file__).parent / "reference" / f"{name}.csv")
        return Scores([int(r["label"]) for r in rows], [float(r[marker]) for r in rows])
    if name == "asah":
        rows = read_csv(folder / "aSAH.csv")
        return Scores([r["outcome"] for r in rows], [float(r[marker]) for r in rows], pos_label="Poor")
    if name == "wieand1989":
        rows = read_csv(folder / "wieand1989_pancreatic.csv")
        return Scores([int(r["cancer"]) for r in rows], [float(r[marker]) for r in rows])
    if name == "delong1988":
        rows = read_csv(folder / "delong1988_ovarian.csv")
        values = [10 - float(r["kg_raw"]) if marker == "kg" else float(r[marker]) for r in rows]
        return Scores([int(r["popind"]) for r in rows], values)
    treatment, reader = marker[9], marker[-1]
    rows = [
        r
        for r in read_csv(folder / "vandyke1993_mrmc.csv")
        if (r["treatment"], r["reader"]) == (treatment, reader)
    ]
    return Scores([int(r["truth"]) for r in rows], [float(r["rating"]) for r in rows])


@pytest.mark.parametrize(("name", "marker"), data_sets())
@fallback
def test_delong_agrees_with_proc(data_folder: Path, name: str, marker: str) -> None:
    block = REFERENCE[name]["markers"][marker]
    scores = load(data_folder, name, marker)
    for level, key in ((0.95, "ci_95"), (0.90, "ci_90")):
        result = auc_interval(scores, method="delong", confidence_level=level)
        assert result.estimate == pytest.approx(block["auc"], abs=1e-13)
        assert result.standard_error == pytest.approx(block["standard_error"], rel=1e-10)
        assert [result.lower, result.upper] == pytest.approx(block[key], abs=1e-12)


def test_bootstrap_agrees_with_proc(data_folder: Path) -> None:
    block = REFERENCE["asah"]["markers"]["s100b"]["bootstrap_auc"][0]
    result = auc_interval(
        load(data_folder, "asah", "s100b"), method="bootstrap", n_resamples=20_000, rng=1, n_jobs=2
    )
    # Each side's quantiles of 20,000 replicates have a standard error near 0.0009; five of them of the
    # difference.
    assert [result.lower, result.upper] == pytest.approx([block["lower"], block["upper"]], abs=0.0065)
    # The variance's own relative error is √(2/20000) = 0.01 on each side.
    assert result.standard_error**2 == pytest.approx(block["variance"], rel=0.07)


def test_hanley_mcneil_1982() -> None:
    result = auc_interval(CT, method="hanley_mcneil")
    assert round(result.estimate, 3) == 0.893
    assert round(result.standard_error, 3) == 0.032
    # The paper's own table gives Q₁ and Q₂ without a model, which is DeLong's variance with divisor n.
    pos, neg = expanded(CT)
    w = wins(pos, neg)
    q1, q2 = np.mean(w.mean(axis=0) ** 2), np.mean(w.mean(axis=1) ** 2)
    assert sorted([q1, q2]) == pytest.approx([0.8182043158, 0.8312505343], abs=0.02)
    assert auc_interval(CT, method="delong").standard_error == pytest.approx(0.0307244, abs=5e-8)


def test_newcombe_solves_its_own_equation() -> None:
    for scores in (SMALL, CT, MODERATE):
        result = auc_interval(scores, method="newcombe")
        for end in (result.lower, result.upper):
            model = float(asymptotic.newcombe_model(end, scores.n_pos, scores.n_neg))
            error = math.sqrt(end * (1.0 - end) * model)
            assert abs(scores.auc - end) == pytest.approx(stats.norm.ppf(0.975) * error, rel=1e-9)


def test_newcombe_variance_of_equal_classes_is_hanley_and_mcneils() -> None:
    # (Q₁ − A²)/n + (Q₂ − A²)/n is A(1 − A)·((1 − A)/(2 − A) + A/(1 + A))/n for classes of equal size.
    for auc in (0.5, 0.8, 0.99):
        assert auc * (1.0 - auc) * float(asymptotic.newcombe_model(auc, 20, 20)) == pytest.approx(
            float(asymptotic.hanley_mcneil_variance(auc, 20, 20)), rel=1e-12
        )


# --- references written differently ------------------------------------------------------------------


@below_half
@given(counts)
def test_delong_by_its_definition(rows: list[tuple[int, int]]) -> None:
    scores = table(rows)
    if min(scores.n_pos, scores.n_neg) < 2:
        assert any(math.isnan(v) for v in delong_variances(scores))
        return
    w = wins(*expanded(scores))
    expected = [np.var(w.mean(axis=1), ddof=1) / scores.n_pos, np.var(w.mean(axis=0), ddof=1) / scores.n_neg]
    assert delong_variances(scores) == pytest.approx(expected, abs=1e-14)


@below_half
@given(counts)
def test_kernel_agrees_with_arrays(rows: list[tuple[int, int]]) -> None:
    scores = table(rows)
    classes = zip(placements(scores), (scores.pos, scores.neg), strict=True)
    expected = [np.dot(v**power, count) for v, count in classes for power in (2, 4)]
    plain = placement_moments(scores.pos, scores.neg, scores.n_pos, scores.n_neg, scores.auc)
    assert plain == pytest.approx(expected, abs=1e-12)


def test_compiled_kernel_agrees_with_plain() -> None:
    arguments = (MODERATE.pos, MODERATE.neg, MODERATE.n_pos, MODERATE.n_neg, MODERATE.auc)
    assert compiled(placement_moments)(*arguments) == pytest.approx(placement_moments(*arguments), rel=1e-12)


def test_degrees_of_freedom() -> None:
    # A uniform law has fourth moment 9/5 of the variance squared: Var(s²) → 0.8 s⁴/n, so df → 2.5 n; capped
    # at n − 1.
    x = np.linspace(-1, 1, 1001)
    known = spread(float((x**2).sum()), float((x**4).sum()), 1001)
    assert known.df == 1000.0
    # Two-point law with share p: fourth moment p(1−p)(1−3p(1−p)).
    n, p = 1000, 0.01
    x = np.repeat([1.0 - p, -p], [10, 990])
    known = spread(float((x**2).sum()), float((x**4).sum()), n)
    s2 = p * (1 - p) * n / (n - 1)
    noise = (p * (1 - p) * (1 - 3 * p * (1 - p)) - s2**2 * (n - 3) / (n - 1)) / n
    assert known.df == pytest.approx(2 * s2**2 / noise, rel=1e-9)
    assert spread(0.0, 0.0, 10) == (0.0, 0.0)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(2, 2), (3, 2), (2, 4), (4, 3)])
def test_cortes_mohri_by_enumeration(n_pos: int, n_neg: int) -> None:
    for errors in range(n_pos + n_neg + 1):
        areas = []
        for at in itertools.combinations(range(n_pos + n_neg), n_pos):
            positive = np.isin(np.arange(n_pos + n_neg), at)
            area = sum((~positive)[i + 1 :].sum() for i in np.flatnonzero(positive)) / (n_pos * n_neg)
            cuts = range(n_pos + n_neg + 1)
            areas += [area for cut in cuts if (~positive[:cut]).sum() + positive[cut:].sum() == errors]
        mean, variance = asymptotic.cortes_mohri_moments(errors, n_pos, n_neg)
        assert mean == pytest.approx(np.mean(areas), abs=1e-12)
        assert variance == pytest.approx(np.var(areas), abs=1e-12)


def test_cortes_mohri_mean_is_the_published_one() -> None:
    # Cortes & Mohri 2003, Proposition 1; the mixture must sum to it.
    m, n, k = 30, 50, 9
    numerator = sum(math.comb(m + n, x) for x in range(k))
    denominator = sum(math.comb(m + n + 1, x) for x in range(k + 1))
    share = k / (m + n)
    expected = 1 - share - (n - m) ** 2 * (m + n + 1) / (4 * m * n) * (share - numerator / denominator)
    assert asymptotic.cortes_mohri_moments(k, m, n)[0] == pytest.approx(expected, rel=1e-12)


def test_cortes_mohri_keeps_its_digits_for_many_errors() -> None:
    mean, variance = asymptotic.cortes_mohri_moments(200_000, 500_000, 500_000)
    assert mean == pytest.approx(0.8, abs=1e-3)
    assert 0.0 < variance < 1e-6


def test_upper_bound_is_wilsons_interval() -> None:
    result = auc_interval(MODERATE, method="upper_bound")
    expected = stats.binomtest(50, 100).proportion_ci(method="wilson")
    assert MODERATE.n_pos == 100
    at_half = asymptotic.upper_bound_ends(0.5, 100, 120, stats.norm.ppf(0.975))
    assert [float(e) for e in at_half] == pytest.approx(list(expected), rel=1e-12)
    check(result)


def test_upper_bound_about_the_estimate() -> None:
    """Morin 2018, eq. 25, by hand; and no law of scores with that area varies more (van Dantzig's bound)."""
    result = auc_interval(MODERATE, method="upper_bound_wald", confidence_level=0.9)
    area = float(wins(*expanded(MODERATE)).mean())
    half = 1.6448536269514722 * math.sqrt(area * (1 - area) / 100)
    assert (MODERATE.n_pos, MODERATE.n_neg) == (100, 120)
    assert (result.lower, result.upper) == pytest.approx((area - half, area + half), rel=1e-12)
    check(result, 0.9)
    # Positives at 0 and 2 with probabilities 1 − A and A, negatives at 1: the area has binomial variance.
    n_pos, a = 7, 0.7
    share = np.arange(n_pos + 1) / n_pos
    law = stats.binom(n_pos, a).pmf(np.arange(n_pos + 1))
    assert law @ (share - a) ** 2 == pytest.approx(a * (1 - a) / min(n_pos, 9))
    apart = Scores([1] * 5 + [0], range(6, 0, -1))
    with pytest.warns(ConfrocWarning, match="standard error is zero"):
        assert auc_interval(apart, method="upper_bound_wald").method.name == "newcombe"


def test_binormal_against_simulated_spread() -> None:
    # Standard deviation of δ̂ over 4,000 samples is known to 1.1%; five of these.
    rng = np.random.default_rng(5)
    pos, neg = 1.0 + 2.0 * rng.standard_normal((4000, 40)), rng.standard_normal((4000, 60))
    delta = (pos.mean(1) - neg.mean(1)) / np.sqrt(pos.var(1, ddof=1) + neg.var(1, ddof=1))
    errors = []
    for p, q in zip(pos[:200], neg[:200], strict=True):
        _, lower, upper, _ = asymptotic.binormal_interval(Scores([1] * 40 + [0] * 60, [*p, *q]), 1.0)
        errors.append((special.ndtri(upper) - special.ndtri(lower)) / 2)
    assert np.mean(errors) == pytest.approx(delta.std(), rel=0.06)


def enumerated_areas(scores: Scores, m_pos: int, m_neg: int) -> tuple[np.ndarray, np.ndarray]:
    """Every resample's area and probability."""
    pos, neg = expanded(scores)
    w = wins(pos, neg)
    areas = [
        w[np.ix_(i, j)].mean()
        for i in itertools.product(range(len(pos)), repeat=m_pos)
        for j in itertools.product(range(len(neg)), repeat=m_neg)
    ]
    return np.array(areas), np.full(len(areas), 1.0 / len(areas))


@pytest.mark.parametrize("size", [None, (2, 4), (3, 1)])
def test_exact_bootstrap_by_enumeration(size: tuple[int, int] | None) -> None:
    scores = Scores([1, 1, 1, 0, 0, 0, 0], [3, 2, 2, 2, 1, 3, 0])
    m_pos, m_neg = size or (3, 4)
    areas, _ = enumerated_areas(scores, m_pos, m_neg)
    variance = exact_bootstrap_variance(scores, (m_pos, m_neg))
    assert variance == pytest.approx(areas.var(), abs=1e-13)


def test_percentiles_by_enumeration() -> None:
    scores = Scores([1, 1, 1, 0, 0, 0, 0], [3, 2, 2, 2, 1, 3, 0])
    areas, _ = enumerated_areas(scores, 3, 4)
    values = replicates(scores, None, 20_000, 7, (3, 4), 1)
    # Kolmogorov's distance of 20,000 draws exceeds 0.0165 with probability 2·exp(−2·20000·0.0165²) = 4e-5.
    at = np.unique(np.round(areas, 9))
    gap = [abs(np.mean(values <= v + 1e-9) - np.mean(areas <= v + 1e-9)) for v in at]
    assert max(gap) < 0.0165


def test_bca_agrees_with_scipy() -> None:
    rng = np.random.default_rng(11)
    pos, neg = np.round(1.2 + rng.standard_normal(40), 1), np.round(rng.standard_normal(35), 1)
    scores = Scores([1] * 40 + [0] * 35, [*pos, *neg])

    def area(y: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
        assert axis == -1
        return np.asarray(np.mean(wins_many(y, x), axis=(-2, -1)))

    def wins_many(y: np.ndarray, x: np.ndarray) -> np.ndarray:
        return np.asarray(0.5 * (np.sign(y[..., :, None] - x[..., None, :]) + 1.0))

    expected = stats.bootstrap(
        (pos, neg), area, n_resamples=4000, method="BCa", batch=200, rng=np.random.default_rng(3)
    ).confidence_interval
    result = auc_interval(scores, method="bootstrap_bca", n_resamples=4000, rng=4)
    # Quantiles of 4,000 replicates vary by about 0.0025; five times √2 of it.
    assert [result.lower, result.upper] == pytest.approx(list(expected), abs=0.018)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_bca_levels_by_their_formula(level: float) -> None:
    # Replicates that are evenly spread over [0, 1] have their levels for percentiles.
    pos, neg = np.array([5.0, 4.0, 4.5, 9.0]), np.array([1.0, 4.2, 3.0, 2.0, 4.8])
    scores = Scores([1] * 4 + [0] * 5, [*pos, *neg])
    w = 1.0 * (pos[:, None] > neg)
    pulls = [w.mean(axis=1) - w.mean(), w.mean(axis=0) - w.mean()]
    cubes, squares = (sum((p**k).sum() / len(p) ** k for p in pulls) for k in (3, 2))
    acceleration, bias = cubes / 6.0 / squares**1.5, stats.norm.ppf(w.mean())
    z = bias + stats.norm.ppf([0.5 - level / 2.0, 0.5 + level / 2.0])
    expected = stats.norm.cdf(bias + z / (1.0 - acceleration * z))
    values = np.linspace(0.0, 1.0, 40_001)
    x = Contrast(scores, (scores,), (Auc(),), known={"replicates": values})
    found = BootstrapBca()(x, level)
    assert found.ends == pytest.approx(expected, abs=1e-4)


# --- behavior ---------------------------------------------------------------------------------------

HARD = {
    "perfect": Scores([1] * 5 + [0] * 7, range(12, 0, -1)),
    "constant": Scores([1] * 5 + [0] * 7, [1.0] * 12),
    "two a class": Scores([1, 0, 1, 0], [4, 3, 2, 1]),
    "two a class, perfect": Scores([1, 1, 0, 0], [4, 3, 2, 1]),
    "one positive": Scores([1, 0, 0, 0], [3, 4, 2, 1]),
    "one of each": Scores([1, 0], [2, 1]),
    "one discordant pair": Scores([1] * 9 + [0, 1] + [0] * 9, range(20, 0, -1)),
    "a million to three": Scores.from_counts([4, 3, 2, 1], pos=[1, 1, 1, 0], neg=[10, 1000, 98_990, 900_000]),
    "a million to three, perfect": Scores.from_counts([3, 1], pos=[3, 0], neg=[0, 1_000_000]),
    "three to a million": Scores.from_counts([4, 3, 2, 1], pos=[900_000, 98_990, 1000, 10], neg=[0, 1, 1, 1]),
    "spread only at 1e-300": Scores([1, 1, 0, 0], [2e-300, 4e-300, 1e-300, 3e-300]),
}


@pytest.mark.parametrize("method", AUC_INTERVAL.names)
@pytest.mark.parametrize("name", HARD)
@fallback
def test_no_interval_is_empty_or_undefined(name: str, method: Any) -> None:
    hard = HARD[name]
    if method == "smoothed_bootstrap" and hard.n_neg + hard.n_pos > 1000:
        # It draws and sorts case by case.
        hard = HARD["one discordant pair"]
    for level in (0.5, 0.95, 0.999):
        result = auc_interval(hard, method=method, confidence_level=level, rng=1)
        check(result, level)


@below_half
@given(counts, st.sampled_from([0.5, 0.9, 0.99]))
def test_default_never_fails_or_warns(rows: list[tuple[int, int]], level: float) -> None:
    result = auc_interval(table(rows), confidence_level=level)
    check(result, level)
    assert str(result.method) == "score_delong"
    # Two distinct scores are taken for predicted classes, which the result states.
    assert len(table(rows).score) == 2 or not result.notes


@below_half
@given(counts)
def test_default_is_symmetric_in_the_classes(rows: list[tuple[int, int]]) -> None:
    scores = table(rows)
    turned = Scores.from_counts(-scores.score, scores.neg, scores.pos)
    one, other = auc_interval(scores), auc_interval(turned)
    assert [one.lower, one.upper] == pytest.approx([other.lower, other.upper], abs=1e-12)
    reversed_ = auc_interval(Scores.from_counts(-scores.score, scores.pos, scores.neg))
    assert [one.lower, one.upper] == pytest.approx([1 - reversed_.upper, 1 - reversed_.lower], abs=1e-12)


BY_VALUE = ("binormal", "smoothed_bootstrap")


@pytest.mark.parametrize("method", [m for m in AUC_INTERVAL.names if m not in BY_VALUE])
@fallback
def test_nothing_depends_on_order_or_transform(method: Any) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    score = np.round(4 * rng.standard_normal(60) + 4 * y)
    shuffled = rng.permutation(60)
    results = [
        auc_interval(
            Scores(y[order], f(score[order])),
            method=method,
            rng=5,
            **AUC_INTERVAL.taken(method, {"n_resamples": 50}),
        )
        for order, f in ((np.arange(60), np.asarray), (shuffled, np.asarray), (shuffled, np.cbrt))
    ]
    assert results[0] == results[1] == results[2]


def test_wider_levels_contain_narrower_ones() -> None:
    for method in AUC_INTERVAL.names:
        if method == "cortes_mohri":
            continue
        inner, outer = (
            auc_interval(
                MODERATE,
                method=method,
                confidence_level=level,
                rng=2,
                **AUC_INTERVAL.taken(method, {"n_resamples": 500}),
            )  # type: ignore[arg-type]
            for level in (0.8, 0.99)
        )
        assert outer.lower < inner.lower < inner.upper < outer.upper


def test_score_delong_tends_to_delong() -> None:
    many = Scores.from_counts(MODERATE.score, MODERATE.pos * 10_000, MODERATE.neg * 10_000)
    one, other = auc_interval(many), auc_interval(many, method="delong")
    assert [one.lower, one.upper] == pytest.approx([other.lower, other.upper], abs=1e-6)
    assert one.upper - one.lower == pytest.approx(other.upper - other.lower, rel=1e-3)


def test_score_delong_without_spread_is_the_models_own() -> None:
    scores = HARD["perfect"]
    low = auc_interval(scores).lower
    # Hanley & McNeil's variance with each class in either role, the larger of the two.
    variance = max(float(asymptotic.hanley_mcneil_variance(low, *sizes)) for sizes in ((5, 7), (7, 5)))
    assert 1.0 - low == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(variance), rel=1e-9)
    assert estimate_area(scores).df == 0.0


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_score_delong_solves_its_own_equation(level: float) -> None:
    for scores in (SMALL, CT, MODERATE):
        area = estimate_area(scores)
        result = auc_interval(scores, confidence_level=level)
        sizes = (scores.n_pos, scores.n_neg), (scores.n_neg, scores.n_pos)

        def model(a: float, sizes: tuple[tuple[int, int], ...] = sizes) -> float:
            return max(float(asymptotic.hanley_mcneil_variance(a, *each)) for each in sizes)

        # DeLong's variance, raised towards the model's where that is larger.
        lacking = max(0.0, model(area.auc) - area.variance)
        scale = (area.variance + 6.0 / (6.0 + area.df) * lacking) / model(area.auc)
        t = stats.t.ppf(0.5 + level / 2.0, (area.df + 6.0) ** 2 / area.df)
        for end in (result.lower, result.upper):
            assert abs(area.auc - end) == pytest.approx(t * math.sqrt(scale * model(end)), rel=1e-8)
        # Half the interval is t standard errors, whatever the degrees of freedom.
        assert result.standard_error == pytest.approx((result.upper - result.lower) / (2.0 * t), rel=1e-8)


@given(
    st.floats(0.0, 1.0),
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.floats(1e-3, 40.0),
    st.sampled_from([asymptotic.newcombe_model, asymptotic.exponential_model]),
)
def test_score_ends_by_bisection(auc: float, n_pos: int, n_neg: int, z: float, model: Any) -> None:
    low, high = asymptotic.score_ends(auc, 1.3, n_pos, n_neg, z, model)
    for end, estimate, turned in ((low, auc, False), (1.0 - high, 1.0 - auc, True)):
        below, above = 0.0, estimate
        for _ in range(80):
            a = 0.5 * (below + above)
            variance = 1.3 * a * (1.0 - a) * float(model(1.0 - a if turned else a, n_pos, n_neg))
            below, above = (a, above) if estimate - a > z * math.sqrt(variance) else (below, a)
        assert float(end) == pytest.approx(below, abs=2e-14)


def test_score_delong_covers_where_the_smaller_class_is_spread() -> None:
    # Exponential scores with an area of 0.99, 12 positives and 40 negatives, and normal ones with an area of
    # 0.9 and twice the spread in 20 positives against 500 negatives. 4,000 samples: an interval that covers
    # 0.935 fails with probability 3e-5 (four Monte Carlo errors), one that covers 0.91 with 0.98.
    wide = TwoDistributions(Normal(float(stats.norm.ppf(0.9)) * math.sqrt(5.0), 2.0), Normal())
    populations = {(12, 40): TwoDistributions(Exponential(99.0), Exponential(1.0)), (20, 500): wide}
    for sizes, population in populations.items():
        rng = np.random.default_rng(12)
        rule = Rule("auc_interval", methods=("score_delong",), confidence_level=0.95)
        (found,) = evaluated(rule, population, sizes, "stratified", 4000, rng)
        assert found.share[0] > 0.935 - 0.0156
        assert found.share[0] < 0.975


@pytest.mark.parametrize(
    "name",
    [
        "perfect",
        "constant",
        "one positive",
    ],
)
def test_fallback_is_noted(name: str) -> None:
    for method in ("delong", "logit_delong"):
        with pytest.warns(ConfrocWarning, match="standard error is zero"):
            result = auc_interval(HARD[name], method=method)
        assert str(result.method) == "newcombe"
        assert result.guarantee == "asymptotic"
        assert "Newcombe's score interval" in result.notes[0]
        expected = auc_interval(HARD[name], method="newcombe")
        assert (result.lower, result.upper) == (expected.lower, expected.upper)


@pytest.mark.parametrize("method", ["delong", "exact_bootstrap", "bootstrap", "hanley_mcneil"])
def test_under_coverage_is_announced(method: Any) -> None:
    with pytest.warns(ConfrocWarning, match="under-covers"):
        result = auc_interval(SMALL, method=method, rng=1)
    assert "score_delong" in result.notes[0]
    assert str(result.method) == method
    assert not auc_interval(
        MODERATE, method=method, rng=1, **AUC_INTERVAL.taken(method, {"n_resamples": 100})
    ).notes


def test_cortes_mohri_warns_and_takes_an_error_rate() -> None:
    with pytest.warns(ConfrocWarning, match="too narrow"):
        narrow = auc_interval(MODERATE, method="cortes_mohri", error_rate=0.1)
    with pytest.warns(ConfrocWarning, match="too narrow"):
        wide = auc_interval(MODERATE, method="cortes_mohri", error_rate=0.4)
    assert wide.upper - wide.lower > narrow.upper - narrow.lower
    with pytest.warns(ConfrocWarning, match="standard error is zero"):
        assert auc_interval(MODERATE, method="cortes_mohri", error_rate=0.0).method.name == "newcombe"


def test_guarantees() -> None:
    for method in AUC_INTERVAL.names:
        if method == "cortes_mohri":
            continue
        result = auc_interval(
            MODERATE, method=method, rng=1, **AUC_INTERVAL.taken(method, {"n_resamples": 100})
        )  # type: ignore[arg-type]
        assert result.guarantee == ("bootstrap" if "bootstrap" in method else "asymptotic")


def test_standard_error_of_a_binormal_area_is_half_of_a_narrow_interval() -> None:
    """Ends are of the deviate, not of the area; close to the estimate both have one slope."""
    rng = np.random.default_rng(11)
    scores = Scores(np.repeat([1, 0], [40, 60]), np.r_[rng.normal(1.2, 1.5, 40), rng.normal(0.0, 1.0, 60)])
    found = auc_interval(scores, method="binormal", confidence_level=0.001)
    half = 0.5 * (found.upper - found.lower) / stats.norm.ppf(0.5005)
    assert found.standard_error == pytest.approx(half, rel=1e-4)


def test_a_binormal_area_far_from_the_empirical_one_says_so() -> None:
    y, z = np.repeat([1, 0], 60), stats.norm.ppf((np.arange(60) + 0.5) / 60)
    normal = Scores(y, np.concatenate([z + 1.0, z]))
    assert not auc_interval(normal, method="binormal").notes
    # A monotone transform keeps the ranks and takes the means and spreads apart.
    skewed = Scores(y, np.exp(3.0 * np.concatenate([z + 1.0, z])))
    with pytest.warns(ConfrocWarning, match="scores are not normal"):
        found = auc_interval(skewed, method="binormal")
    assert abs(found.estimate - skewed.auc) > found.standard_error


def test_threads_do_not_change_the_bootstrap() -> None:
    one, two = (
        auc_interval(MODERATE, method="bootstrap", rng=9, n_resamples=300, n_jobs=jobs) for jobs in (1, 2)
    )
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "delogn"}, "`method`.*'delong'"),
        ({"method": "newcombe", "max_fpr": 0.1}, "`max_fpr`.*omitted with method 'newcombe'"),
        ({"method": "delong", "error_rate": 0.1}, "`error_rate`.*option: 'cortes_mohri'"),
        ({"method": "delong", "size": (3, 3)}, "`size`.*omitted with method 'delong'"),
        ({"max_fpr": 0.1, "min_tpr": 0.9}, "`max_fpr`"),
        ({"max_fpr": 0.0}, "`max_fpr`"),
        ({"min_tpr": 1.0}, "`min_tpr`"),
        ({"max_fpr": 1.2}, "`max_fpr`"),
        ({"confidence_level": 95}, "`confidence_level`"),
        ({"method": "cortes_mohri", "error_rate": 2.0}, "`error_rate`"),
        ({"method": "bootstrap", "n_resamples": 39}, "`n_resamples`.*at least.*40"),
        ({"method": "bootstrap", "rng": "one"}, "`rng`"),
        ({"method": "exact_bootstrap", "size": (0, 3)}, "size"),
    ],
)
def test_errors_name_the_argument(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        auc_interval(SMALL, **arguments)


def test_type_error() -> None:
    with pytest.raises(TypeError, match="`scores`"):
        auc_interval([1, 2])  # type: ignore[arg-type]
