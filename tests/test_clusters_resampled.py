"""What draws or exchanges whole clusters: against enumeration, rows laid out, simulated rejection rates."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from confroc import PairedScores, Scores, UnpairedScores, auc_difference, auc_interval, roc_band
from confroc.bands import ks_statistic
from confroc.statistics import KolmogorovSmirnov

# Few clusters, and bands for one rate at a time, are warned of.
pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

ROWS = 4


def sample(seed: int, clusters: int = 8, by_cluster: bool = False) -> dict[str, Any]:
    """Rows of clusters with a common part, two models with ties, and weights."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), ROWS)
    n = len(cluster)
    y = cluster % 2 == 0 if by_cluster else rng.random(n) < 0.4
    common = y + rng.standard_normal(clusters)[cluster]
    a, b = (np.round(common + rng.standard_normal(n), 1) for _ in range(2))
    return {"y": y, "a": a, "b": b, "cluster": cluster, "weight": rng.random(n) + 0.2}


def area(y: Any, s: Any, w: Any) -> float:
    """Share of weighted pairs in order, ties one half."""
    won = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
    return float(w[y] @ won @ w[~y] / w[y].sum() / w[~y].sum())


# --- permutation tests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_swaps_of_clusters_are_enumerated(weighted: bool, alternative: Any) -> None:
    d = sample(3)
    y, cluster = d["y"], d["cluster"]
    w = d["weight"] if weighted else np.ones(len(y))
    ranks = [np.array([w @ ((s < x) + 0.5 * (s == x)) for x in s]) for s in (d["a"], d["b"])]
    found = []
    for swapped in product([False, True], repeat=8):
        a, b = (np.where(np.array(swapped)[cluster], *both) for both in (ranks[::-1], ranks))
        found.append(area(y, a, w) - area(y, b, w))
    tails = [np.mean(sign * np.array(found) >= sign * found[0] - 1e-12) for sign in (1, -1)]
    expected = tails[0] if alternative == "greater" else min(1.0, 2.0 * min(tails))
    given = {"sample_weight": w} if weighted else {}
    pair = PairedScores(y, d["a"], d["b"], cluster=cluster, **given)
    test = auc_difference(pair, method="permutation", alternative=alternative)
    assert test.estimate == pytest.approx(found[0], abs=1e-12)
    assert test.standard_error == pytest.approx(np.sqrt(np.mean(np.square(found))), rel=1e-9)
    # Weights are rounded to a lattice, which may order two of the 256 sums otherwise.
    assert test.pvalue == pytest.approx(expected, abs=2.5 / 256 if weighted else 1e-12)
    assert test.guarantee == "finite-sample"


@pytest.mark.slow
def test_swaps_of_clusters_reject_at_their_level() -> None:
    """500 samples of 12 clusters of equal models: at 0.05, 0.032 to 0.068 is two errors to either side."""
    level, alone, together = 0.05, 0, 0
    for seed in range(500):
        d = sample(seed, 12, by_cluster=True)
        # What the models have of their own is of the cluster.
        rng = np.random.default_rng(10_000 + seed)
        a, b = (d[m] + rng.standard_normal(12)[d["cluster"]] for m in "ab")
        for cluster in (None, d["cluster"]):
            p = auc_difference(d["y"], a, b, method="permutation", cluster=cluster).pvalue
            alone, together = (
                alone + (cluster is None and p < level),
                together + (cluster is not None and p < level),
            )
    assert together / 500 < 0.07
    assert alone / 500 > 0.1


def test_divisions_of_clusters_are_enumerated() -> None:
    first, second = sample(5, 6, by_cluster=True), sample(6, 6, by_cluster=True)
    pair = UnpairedScores(*(Scores(d["y"], d["a"], cluster=d["cluster"]) for d in (first, second)))
    y = np.concatenate([first["y"], second["y"]])
    s = np.concatenate([first["a"], second["a"]])
    cluster = np.concatenate([first["cluster"], second["cluster"] + 6])

    def spread(rows: Any) -> tuple[float, float]:
        """The area and Obuchowski's variance for clusters of one class."""
        p, q, c = s[rows & y], s[rows & ~y], cluster
        won = (p[:, None] > q) + 0.5 * (p[:, None] == q)
        variance = 0.0
        for values, of in ((won.mean(axis=1), c[rows & y]), (won.mean(axis=0), c[rows & ~y])):
            sums = [np.sum(values[of == k] - won.mean()) for k in np.unique(of)]
            variance += len(sums) / (len(sums) - 1) * np.sum(np.square(sums)) / len(values) ** 2
        return float(won.mean()), variance

    def statistic(of_a: Any) -> float:
        rows = np.isin(cluster, of_a)
        (area_a, var_a), (area_b, var_b) = spread(rows), spread(~rows)
        return (area_a - area_b) / float(np.sqrt(var_a + var_b))

    pos, neg = (np.unique(cluster[side]) for side in (y, ~y))
    every = [statistic(p + q) for p in combinations(pos, 3) for q in combinations(neg, 3)]
    observed = statistic(tuple(range(6)))
    test = auc_difference(pair, method="permutation", n_resamples=1000, rng=1)
    tails = [np.mean(sign * np.array(every) >= sign * observed - 1e-9) for sign in (1, -1)]
    assert test.statistic == pytest.approx(observed, rel=1e-9)
    # Three errors of 1,000 draws.
    assert test.pvalue == pytest.approx(min(1.0, 2.0 * min(tails)), abs=0.095)


def test_two_sets_need_one_design() -> None:
    d = sample(7)
    with_clusters, without = Scores(d["y"], d["a"], cluster=d["cluster"]), Scores(d["y"], d["b"])
    with pytest.raises(ValueError, match="must have the same design columns"):
        auc_difference(UnpairedScores(with_clusters, without), method="permutation")


# --- bands -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by_cluster", [False, True])
def test_bands_draw_whole_clusters(weighted: bool, by_cluster: bool) -> None:
    """Intervals at each rate against those of rows that are laid out cluster by cluster."""
    d = sample(8, 40, by_cluster)
    y, s, cluster = d["y"], d["a"], d["cluster"]
    w = d["weight"] if weighted else np.ones(len(y))
    rng, drawn, at = np.random.default_rng(2), [], np.array([0.1, 0.3, 0.5])
    groups = [np.unique(cluster[side]) for side in ((y, ~y) if by_cluster else (np.ones(len(y), bool),))]
    for _ in range(1000):
        chosen = np.concatenate([rng.choice(g, len(g)) for g in groups])
        rows = np.concatenate([np.flatnonzero(cluster == c) for c in chosen])
        p, q, wp, wq = s[rows][y[rows]], s[rows][~y[rows]], w[rows][y[rows]], w[rows][~y[rows]]
        cut = np.unique(s[rows])[::-1]
        fpr, tpr = ([v[x >= c].sum() / v.sum() for c in cut] for x, v in ((q, wq), (p, wp)))
        # Of a vertical step the upper end.
        drawn.append([np.interp(f, [0.0, *fpr], np.array([0.0, *tpr]) + 0.0) for f in at])
    given = {"sample_weight": w} if weighted else {}
    scores = Scores(y, s, cluster=cluster, **given)
    band = roc_band(scores, method="vertical_averaging", n_resamples=1000, rng=1)
    low, high = (np.interp(at, band.at, edge) for edge in (band.lower, band.upper))
    half = 1.96 * np.std(drawn, axis=0)
    np.testing.assert_allclose(0.5 * (low + high), np.mean(drawn, axis=0), atol=0.02)
    np.testing.assert_allclose(0.5 * (high - low), half, rtol=0.1)


BY_CLUSTERS = ["bootstrap", "fixed_width", "vertical_averaging", "threshold_averaging", "auc_hull"]


@pytest.mark.parametrize("method", ["equal_local_levels", *BY_CLUSTERS])
@pytest.mark.parametrize(
    "given", [["cluster"], ["sample_weight"], ["strata"], ["cluster", "sample_weight", "strata"]]
)
def test_bands_allow_for_every_design(method: Any, given: list[str]) -> None:
    d = sample(9, 40, by_cluster=True)
    columns = {"cluster": d["cluster"], "sample_weight": d["weight"], "strata": d["cluster"] % 3}
    scores = Scores(d["y"], d["a"], **{name: columns[name] for name in given})
    band = roc_band(scores, method=method, n_resamples=99, rng=1)
    alone = roc_band(Scores(d["y"], d["a"]), method=method, n_resamples=99, rng=1)
    if not method.endswith("averaging"):
        assert np.all(band.lower <= band.estimate + 1e-12)
        assert np.all(band.estimate <= band.upper + 1e-12)
    if "cluster" in given and method != "auc_hull":
        assert band.area > alone.area


@pytest.mark.parametrize("method", ["equal_local_levels", *BY_CLUSTERS])
def test_clusters_of_one_are_cases(method: Any) -> None:
    d = sample(10)
    same = {"cluster": np.arange(len(d["y"])), "sample_weight": np.full(len(d["y"]), 2.0)}
    found = [roc_band(Scores(d["y"], d["a"], **g), method=method, n_resamples=99, rng=1) for g in ({}, same)]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "options",
    [{"method": "ks_regions"}, {"method": "working_hotelling"}, {"calibration": "exact"}],
)
def test_bands_for_independent_cases_name_another(options: dict[str, Any]) -> None:
    d = sample(11)
    scores = Scores(d["y"], d["a"], cluster=d["cluster"])
    with pytest.raises(ValueError, match="Use 'equal_local_levels' with its default calibration"):
        roc_band(scores, **options)


@pytest.mark.slow
def test_the_default_band_covers_few_clusters() -> None:
    """60 samples of 20 clusters of six: at 0.9, 0.82 is two errors below; as independent cases far less."""
    at = np.linspace(0.0, 1.0, 2001)
    curve = at, stats.norm.sf(stats.norm.isf(at) - 1.0)
    cluster, inside = np.repeat(np.arange(20), 6), np.zeros(2)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = cluster < 10
        s = y + np.sqrt(0.8) * rng.standard_normal(20)[cluster] + np.sqrt(0.2) * rng.standard_normal(120)
        for i, scores in enumerate((Scores(y, s, cluster=cluster), Scores(y, s))):
            inside[i] += roc_band(scores, confidence_level=0.9, n_resamples=99, rng=1).contains(curve)
    assert inside[0] / 60 > 0.82
    assert inside[1] / 60 < 0.6


# --- the Kolmogorov–Smirnov statistic ----------------------------------------------------------------------


def test_the_bias_of_a_threshold_leaves_out_whole_clusters() -> None:
    """With ten clusters each is a fold, so that there is no chance in it."""
    d = sample(12, 10)
    y, s, cluster = np.arange(40) % 4 < 2, d["a"], d["cluster"]
    cuts = np.append(np.unique(s)[::-1], -np.inf)

    def distances(rows: Any) -> Any:
        return np.array([np.mean(s[rows & y] >= c) - np.mean(s[rows & ~y] >= c) for c in [np.inf, *cuts]])

    left_out = 0.0
    for c in range(10):
        place = int(np.argmax(np.round(distances(cluster != c), 12)))
        threshold = [np.inf, *cuts][place]
        held = (cluster == c) & (s >= threshold)
        left_out += np.sum(held & y) / y.sum() - np.sum(held & ~y) / (~y).sum()
    optimism = max(0.0, distances(cluster >= 0).max() - left_out)
    found = KolmogorovSmirnov().bias(Scores(y, s, cluster=cluster))
    assert found == pytest.approx(0.75 * optimism, abs=1e-9)


def test_ks_allows_for_clusters() -> None:
    d = sample(13, 60, by_cluster=True)
    alone = ks_statistic(d["y"], d["a"])
    found = ks_statistic(d["y"], d["a"], cluster=d["cluster"])
    assert found.estimate == alone.estimate
    assert np.ptp(found.confidence_interval) > np.ptp(alone.confidence_interval)
    weighted = [ks_statistic(d["y"], d["a"], sample_weight=k * d["weight"]) for k in (1.0, 2.0)]
    assert weighted[0].confidence_interval == pytest.approx(weighted[1].confidence_interval)
    assert auc_interval(d["y"], d["a"], cluster=d["cluster"]).design_effect > 1.0
    assert found.design_effect is not None
