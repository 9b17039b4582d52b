"""Weights, clusters and strata: against repeated rows, scikit-learn, a jackknife over clusters, formulas."""

from __future__ import annotations

import json
import pickle
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

import confroc
from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_difference,
    auc_interval,
    comparison,
    difference,
    interval,
    rates_at_threshold,
    read_counts,
    read_scores,
    tpr_at_fpr,
    tpr_difference_at_fpr,
    write_counts,
)
from confroc.cli import main
from confroc.moments import Measured, Moments, effective_sizes, influence_moments, pooled_df
from confroc.statistics import Auc, AveragePrecision, Cost, Gini, RatesAtThreshold
from support import invoke

REGULAR = [Auc(), Auc(max_fpr=0.5), Cost(w=0.3, threshold=0.5)]
REGULAR += [AveragePrecision(), AveragePrecision(sampling="stratified")]


def clustered(seed: int, n: int = 120, clusters: int = 25) -> dict[str, Any]:
    """Rows of clusters with a common part, ties, and weights."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, clusters, n)
    y = rng.random(n) < 0.4
    common = rng.standard_normal(clusters)[cluster]
    scores = [np.round(y + 0.7 * common + 0.7 * rng.standard_normal(n), 1) for _ in range(3)]
    weight = rng.random(n) * 3.0
    strata = np.array(list("xyz"))[cluster % 3]
    return {"y": y, "scores": scores, "cluster": cluster, "weight": weight, "strata": strata}


def loo(d: dict[str, Any], value: Any, weight: Any) -> Any:
    """Values without one cluster each."""
    found = []
    for c in np.unique(d["cluster"]):
        left = d["cluster"] != c
        found.append(value(d["y"][left], [s[left] for s in d["scores"]], weight[left]))
    return np.array(found)


# --- the table -----------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*below 0.5")
@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_frequencies_are_repeated_rows(seed: int) -> None:
    d = clustered(seed, 40, 10)
    times = np.random.default_rng(seed).integers(0, 4, 40)
    y, (a, b, _), c = d["y"], d["scores"], d["cluster"]
    again = [np.repeat(v, times) for v in (y, a, b, c)]
    if len({*again[0].tolist()}) < 2:
        return
    kind = {"sample_weight": times, "weight_kind": "frequency"}
    assert Scores(y, a, **kind) == Scores(again[0], again[1])
    assert Scores(y, a, cluster=c, **kind) == Scores(again[0], again[1], cluster=again[3])
    assert PairedScores(y, a, b, **kind) == PairedScores(*again[:3])
    assert PairedScores(y, a, b, cluster=c, **kind) == PairedScores(*again[:3], cluster=again[3])


def test_clusters_of_one_and_equal_weights_are_cases() -> None:
    d = clustered(1)
    y, a = d["y"], d["scores"][0]
    alone = Scores(y, a, cluster=np.arange(len(y)), sample_weight=np.full(len(y), 0.2))
    assert alone == Scores(y, a)
    assert alone.design is None
    assert alone.pos.dtype == np.int64


def test_the_scale_of_sampling_weights_changes_nothing() -> None:
    d = clustered(2)
    one, two = (
        PairedScores(d["y"], *d["scores"], sample_weight=k * d["weight"], cluster=d["cluster"])
        for k in (1, 2)
    )
    assert one == two
    assert auc_comparison(one) == auc_comparison(two)
    assert one.n_pos + one.n_neg == pytest.approx(len(d["y"]))


def test_rows_of_weight_zero_are_dropped() -> None:
    d = clustered(3)
    weight = np.where(np.arange(len(d["y"])) % 3, d["weight"], 0.0)
    kept = weight > 0.0
    left = Scores(d["y"][kept], d["scores"][0][kept], sample_weight=weight[kept], cluster=d["cluster"][kept])
    assert Scores(d["y"], d["scores"][0], sample_weight=weight, cluster=d["cluster"]) == left


def test_estimates_are_scikit_learns() -> None:
    d = clustered(4)
    y, a, w = d["y"], d["scores"][0], d["weight"]
    scores = Scores(y, a, sample_weight=w)
    assert scores.auc == pytest.approx(roc_auc_score(y, a, sample_weight=w), abs=1e-14)
    expected = average_precision_score(y, a, sample_weight=w)
    assert AveragePrecision().value(scores) == pytest.approx(expected, abs=1e-14)
    expected = roc_auc_score(y, a, sample_weight=w, max_fpr=0.5)
    assert Auc(max_fpr=0.5, standardize=True).value(scores) == pytest.approx(expected, abs=1e-14)


def test_merged_batches_are_one_table() -> None:
    d = clustered(5)
    y, (a, b, _), c, w = d["y"], d["scores"], d["cluster"], d["weight"]
    for make in (
        lambda i: Scores(y[i], a[i], sample_weight=w[i], cluster=c[i]),
        lambda i: PairedScores(y[i], a[i], b[i], sample_weight=w[i], cluster=c[i]),
    ):
        whole = make(slice(None))
        merged = make(slice(0, 50)).merge(make(slice(50, None)))
        assert merged.design.n_clusters == whole.design.n_clusters
        result = [
            interval(t, AveragePrecision()) if isinstance(t, Scores) else difference(t, AveragePrecision())
            for t in (whole, merged)
        ]
        assert result[0].lower == pytest.approx(result[1].lower, abs=1e-12)
        assert result[0].upper == pytest.approx(result[1].upper, abs=1e-12)
    with pytest.raises(ValueError, match="`other` must have the same design columns"):
        Scores(y, a, cluster=c).merge(Scores(y, a))


def test_tables_of_lone_clusters_are_not_merged() -> None:
    """The same patients, once a month: their identifiers are not kept, so the months may depend."""
    y, patient = np.array([0, 1, 1, 0]), np.arange(4)
    a, b = np.array([1.0, 2.0, 1.0, 2.0]), np.array([2.0, 2.0, 1.0, 1.0])
    for one in (Scores(y, a, cluster=patient), PairedScores(y, a, b, cluster=patient)):
        plain = Scores(y, a) if isinstance(one, Scores) else PairedScores(y, a, b)
        assert one == plain
        for lone in (one, pickle.loads(pickle.dumps(one)), -one):
            for pair in ((lone, plain), (plain, lone), (lone, lone)):
                with pytest.raises(ValueError, match="`other` must have identifiers of clusters"):
                    pair[0].merge(pair[1])
        assert plain.merge(plain).n_pos == 4
    twice = Scores(np.tile(y, 2), np.tile(a, 2), cluster=np.tile(patient, 2))
    assert twice.merge(twice).design.n_clusters == 4


def test_copies_turned_scores_and_chosen_models_keep_the_design() -> None:
    d = clustered(6)
    pair = PairedScores(
        d["y"], *d["scores"], names=["x", "y", "z"], cluster=d["cluster"], sample_weight=d["weight"]
    )
    assert pickle.loads(pickle.dumps(pair)) == pair
    again = pair["z", "x"]["x", "z"]
    expected = PairedScores(
        d["y"],
        d["scores"][0],
        d["scores"][2],
        names=["x", "z"],
        cluster=d["cluster"],
        sample_weight=d["weight"],
    )
    assert difference(again, Auc()).upper == pytest.approx(difference(expected, Auc()).upper, abs=1e-12)
    with pytest.warns(UserWarning, match="below 0.5"):
        turned = -pair["x"]
    assert -turned == pair["x"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample_weight": [1, -1, 1, 1]}, "`sample_weight` must contain finite numbers >= 0; got -1.0"),
        ({"sample_weight": [1, np.inf, 1, 1]}, "`sample_weight` must contain finite numbers >= 0; got inf"),
        ({"sample_weight": [1, np.nan, 1, 1]}, "`sample_weight` must contain finite numbers >= 0; got nan"),
        ({"sample_weight": [1, 1.5, 1, 1], "weight_kind": "frequency"}, "must contain whole numbers"),
        ({"sample_weight": [1, 1, 1]}, "`sample_weight` must have the length of `y_true`"),
        ({"cluster": [1, None, 2, 2]}, "`cluster` must contain no missing values; got 1 missing"),
        ({"cluster": ([1, 1, 2, 2],) * 3}, "`cluster` must be one column of identifiers or a pair"),
        ({"strata": ["a", "a", "b"]}, "`strata` must have the length of `y_true`"),
        ({"weight_kind": "counts"}, "`weight_kind` must be"),
        ({"sample_weight": [0, 1, 0, 1]}, "`y_true` must contain both classes"),
    ],
)
def test_bad_input_has_one_clear_sentence(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Scores([1, 0, 1, 0], [4, 3, 2, 1], **given)


# --- variances -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("statistic", REGULAR, ids=lambda s: s.label)
@pytest.mark.parametrize("weighted", [False, True])
def test_variances_are_those_of_a_jackknife_over_clusters(statistic: Any, weighted: bool) -> None:
    # The jackknife is of second order in the clusters, of which there are 400.
    d = clustered(7, 1600, 400)
    weight = d["weight"] if weighted else np.ones(len(d["y"]))

    def value(y: Any, scores: Any, w: Any) -> Any:
        # The prevalence stays that of all cases, unless it is an estimate.
        full = getattr(statistic, "sampling", None) == "full"
        w = (
            w
            if full
            else w * np.where(y, weight[d["y"]].sum() / w[y].sum(), weight[~d["y"]].sum() / w[~y].sum())
        )
        pair = PairedScores(y, *scores, sample_weight=w)
        return [statistic.value(model) for model in pair.models[:2]]

    left = loo(d, value, weight)
    k = len(left)
    given = {"sample_weight": weight} if weighted else {}
    pair = PairedScores(d["y"], *d["scores"], cluster=d["cluster"], **given)
    method = "delong" if isinstance(statistic, Auc) else "wald"
    one = interval(pair.models[0], statistic, method=method)
    assert one.standard_error == pytest.approx((k - 1) / np.sqrt(k) * left[:, 0].std(), rel=0.03)
    two = difference(pair["a", "b"], statistic, method=method)
    assert two.standard_error == pytest.approx(
        (k - 1) / np.sqrt(k) * (left[:, 0] - left[:, 1]).std(), rel=0.03
    )


def test_the_variance_of_the_area_is_obuchowskis() -> None:
    # Obuchowski (1997), eq. 1, written with sums over clusters of the placements.
    d = clustered(8)
    y, s, c = d["y"], d["scores"][0], d["cluster"]
    wins = (s[y][:, None] > s[~y]) + 0.5 * (s[y][:, None] == s[~y])
    auc, of_pos, of_neg = wins.mean(), wins.mean(axis=1), wins.mean(axis=0)
    m, n = y.sum(), (~y).sum()
    clusters = np.unique(c)
    pos = np.array([(of_pos[c[y] == k] - auc).sum() for k in clusters])
    neg = np.array([(of_neg[c[~y] == k] - auc).sum() for k in clusters])
    i10, i01, i = len(np.unique(c[y])), len(np.unique(c[~y])), len(clusters)
    s10 = i10 / ((i10 - 1) * m) * (pos**2).sum()
    s01 = i01 / ((i01 - 1) * n) * (neg**2).sum()
    s11 = i / (i - 1) * (pos * neg).sum()
    variance = s10 / m + s01 / n + 2 * s11 / (m * n)
    found = interval(y, s, Auc(), method="delong", cluster=c)
    wald = interval(y, s, AveragePrecision(), method="wald", cluster=c)
    assert wald.standard_error > 0.0
    assert found.design_effect == pytest.approx(
        variance / interval(y, s, Auc(), method="delong").standard_error ** 2
    )


def test_cases_entered_several_times_count_once() -> None:
    # Each row three times in a cluster of its own: neither fewer nor more cases than the rows.
    d = clustered(20, 90)
    y, (a, b, _) = d["y"], d["scores"]
    again = np.repeat(np.arange(len(y)), 3)
    for once, thrice in (
        (auc_interval(y, a), auc_interval(y[again], a[again], cluster=again)),
        (auc_interval(y, a, max_fpr=0.5), auc_interval(y[again], a[again], max_fpr=0.5, cluster=again)),
        (auc_difference(y, a, b), auc_difference(y[again], a[again], b[again], cluster=again)),
        (
            interval(y, a, AveragePrecision()),
            interval(y[again], a[again], AveragePrecision(), cluster=again),
        ),
    ):
        # The influence on the average precision is of leaving out a row, here one of three.
        close = 0.005 if once.quantity == "average_precision" else 1e-9
        assert thrice.lower == pytest.approx(once.lower, abs=close)
        assert thrice.upper == pytest.approx(once.upper, abs=close)
        assert thrice.design_effect == pytest.approx(3.0, rel=0.05)
    rates = rates_at_threshold(y[again], a[again], threshold=0.8, cluster=again)
    assert np.array_equal(rates.tpr.lower, rates_at_threshold(y, a, threshold=0.8).tpr.lower)


def test_each_cluster_counts_once_where_nothing_varies() -> None:
    rng = np.random.default_rng(24)

    def separated(n: int, **given: Any) -> Any:
        y = np.arange(n) < n // 2
        found = auc_interval(y, y + 0.5 * rng.random(n), **given)
        return found.lower, found.upper

    # Kish's size of classes of clusters of 3 and of 1: (3 + 1)² n / (3² + 1²) n of 2n.
    cluster = np.repeat(np.arange(40), np.tile([3, 1], 20))
    assert separated(80, cluster=cluster) == pytest.approx(separated(32), abs=1e-12)
    # Weights of 2 and 1, no clusters: (2 + 1)² n / (2² + 1²) n.
    assert separated(40, sample_weight=np.tile([2.0, 1.0], 20)) == pytest.approx(separated(36), abs=1e-12)


@pytest.mark.parametrize(
    ("df", "simple", "factor"),
    [
        (10.0, 40.0, (8 / 10) / (38 / 40)),
        (5.0, 2.0, 1.0),
        # Four degrees of freedom at least.
        (1.0, 12.0, (2 / 4) / (10 / 12)),
    ],
)
def test_only_the_excess_uncertainty_of_the_variance_costs_cases(
    df: float, simple: float, factor: float
) -> None:
    d = clustered(21)
    scores = Scores(d["y"], d["scores"][0], cluster=d["cluster"])
    # Design effects of 2 for positives and of 5 for negatives.
    parts = Moments(2.0, df), Moments(5.0, df), Moments(0.0, df)
    known = Measured(scores, parts, (Moments(1.0, 2.0 * simple), Moments(1.0, 5.0 * simple)))
    expected = 1 + (scores.n_pos - 1) / 2, 1 + (scores.n_neg - 1) / 5
    found = effective_sizes(known, separate=True)
    assert found == pytest.approx((expected[0] * factor, expected[1] * factor))


@pytest.mark.parametrize("alike", [0, 10])
def test_degrees_of_freedom_are_those_of_the_sums_of_clusters(alike: int) -> None:
    # The errors of the three parts cancel to those of the sums where clusters have both classes; those of one
    # class only are samples of their own.
    rng = np.random.default_rng(22)
    cluster = np.repeat(np.arange(40), 6)
    y = np.where(cluster < alike, True, np.where(cluster < 2 * alike, False, np.tile([True, False], 120)))
    score = y + 2.0 * rng.standard_normal(40)[cluster] + 0.5 * rng.standard_normal(240)
    scores = Scores(y, score, cluster=cluster)
    of_pos, of_neg = Auc().influence(scores)
    at = np.searchsorted(-scores.score, -score)
    sums = np.bincount(cluster, np.where(y, of_pos[at] / y.sum(), of_neg[at] / (~y).sum()))
    known = []
    for some in np.split(sums, [alike, 2 * alike]):
        n = len(some)
        if n:
            second, fourth = (some**2).sum() / (n - 1), (some**4).mean()
            noise = (fourth - second**2 * (n - 3) / (n - 1)) / n
            known.append((n * second, min(n - 1.0, 2 * second**2 / noise)))
    expected = sum(v for v, _ in known) ** 2 / sum(v**2 / df for v, df in known)
    assert pooled_df(*influence_moments((of_pos, of_neg), scores)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["patient", "row"])
def test_intervals_of_few_patients_cover(by: str) -> None:
    # 800 samples: at a coverage of 0.935 to 0.97 fewer than one run in 1,000 fails.
    rng, inside = np.random.default_rng(23), 0
    for _ in range(800):
        patient = np.repeat(np.arange(30), rng.integers(1, 21, 30))
        n = len(patient)
        y = patient < 15 if by == "patient" else rng.random(n) < 0.5
        common = np.sqrt(0.8) * rng.standard_normal(30)[patient]
        score = np.sqrt(2.0) * 1.2815515655446004 * y + common + np.sqrt(0.2) * rng.standard_normal(n)
        found = auc_interval(y, score, cluster=patient)
        inside += found.lower <= 0.9 <= found.upper
    assert 0.905 <= inside / 800 <= 0.989


def test_two_identifiers_add_and_subtract() -> None:
    d = clustered(9)
    other = np.random.default_rng(9).integers(0, 15, len(d["y"]))
    y, s = d["y"], d["scores"][0]

    def variance(cluster: Any) -> float:
        return interval(y, s, AveragePrecision(), method="wald", cluster=cluster).standard_error ** 2

    both = [f"{i} {j}" for i, j in zip(d["cluster"], other, strict=True)]
    expected = variance(d["cluster"]) + variance(other) - variance(both)
    assert variance((d["cluster"], other)) == pytest.approx(expected, rel=1e-9)


def test_strata_are_samples_of_their_own() -> None:
    # The weighted mean of strata: the variance of a rate is the sum of those of the strata.
    d = clustered(10, 300, 60)
    y, s, h = d["y"], d["scores"][0], d["strata"]
    called = s >= 0.5
    total = 0.0
    for stratum in np.unique(h):
        values = called[y & (h == stratum)]
        total += len(values) * values.var(ddof=1)
    scores = Scores(y, s, strata=h)
    of_pos = RatesAtThreshold([0.5]).influence(scores)[0][1, 0]
    found = influence_moments((of_pos, np.zeros_like(of_pos)), scores)[0].variance
    assert found == pytest.approx(total / y.sum() ** 2, rel=1e-12)


def test_clusters_widen_and_resamples_agree() -> None:
    rows = np.repeat(np.arange(120), 5)
    rng = np.random.default_rng(11)
    y = rows < 60
    s = y + rng.standard_normal(120)[rows] + 0.1 * rng.standard_normal(600)
    closed = auc_interval(y, s, cluster=rows)
    drawn = auc_interval(y, s, cluster=rows, method="bootstrap", n_resamples=2000, rng=1)
    assert closed.upper - closed.lower > 1.8 * np.ptp(auc_interval(y, s).confidence_interval)
    # Normal deviates of 2,000 resamples: 5% is more than three of their errors.
    wald = interval(y, s, Auc(), method="delong", cluster=rows)
    assert drawn.standard_error == pytest.approx(wald.standard_error, rel=0.08)


# --- every statistic -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given", [["cluster"], ["sample_weight"], ["strata"], ["cluster", "sample_weight", "strata"]]
)
def test_every_function_accepts_them(given: list[str]) -> None:
    d = clustered(12, 300, 50)
    columns = {"cluster": d["cluster"], "sample_weight": d["weight"], "strata": d["strata"]}
    kw = {name: columns[name] for name in given}
    y, (a, b, c) = d["y"], d["scores"]
    results: list[Any] = [
        auc_interval(y, a, **kw),
        tpr_at_fpr(y, a, fpr=[0.1, 0.3], **kw),
        rates_at_threshold(y, a, threshold=[0.5, 1.0], **kw).fpr,
        tpr_difference_at_fpr(y, a, b, fpr=0.2, **kw),
        auc_difference(y, a, b, **kw),
        interval(y, a, AveragePrecision(), **kw),
        confroc.fpr_at_tpr(y, a, tpr=0.8, **kw),
        confroc.rates_at_positive_rate(y, a, positive_rate=0.3, **kw).tpr,
        confroc.cost_curve(y, a, w=[0.3, 0.5], threshold=[0.4, 0.6], **kw),
        confroc.cost_difference(y, a, b, w=0.4, threshold_a=0.4, threshold_b=0.5, **kw),
        confroc.expected_cost(y, a, false_negative=5, false_positive=1, threshold=0.5, prior=0.3, **kw),
        confroc.cost_curve(y, a, w=0.4, threshold=0.5, method="bootstrap", n_resamples=99, rng=1, **kw),
    ]
    for found in results:
        assert np.all(found.lower < found.estimate)
        assert np.all(found.estimate < found.upper)
    for found in (
        auc_comparison(y, {"a": a, "b": b, "c": c}, **kw),
        comparison(y, a, b, c, AveragePrecision(), **kw),
    ):
        assert len(found.differences) == 3


@pytest.mark.parametrize("statistic", [*REGULAR[:4], Gini()], ids=str)
@pytest.mark.parametrize("paired", [True, False])
def test_a_comparison_has_the_differences_of_its_pairs(statistic: Any, paired: bool) -> None:
    d = clustered(21, 240, 60)
    columns = {"cluster": d["cluster"], "sample_weight": d["weight"]}

    def made(names: str) -> PairedScores | UnpairedScores:
        scores = {name: d["scores"]["abc".index(name)] for name in names}
        if paired:
            return PairedScores(d["y"], scores, **columns)
        return UnpairedScores(*(Scores(d["y"], s, **columns) for s in scores.values()), names=list(names))

    found = comparison(made("abc"), statistic, adjust="none").differences
    for i, (a, b) in enumerate(combinations("abc", 2)):
        one = difference(made(a + b), statistic, method=found.method)
        for name in ("estimate", "lower", "upper", "standard_error", "pvalue"):
            assert getattr(found, name)[i] == pytest.approx(getattr(one, name), rel=1e-9), name


def test_what_needs_independent_cases_is_refused() -> None:
    d = clustered(13)
    scores = Scores(d["y"], d["scores"][0], cluster=d["cluster"])
    with pytest.raises(ValueError, match="`scores` must have no weights, clusters or strata"):
        confroc.calibration_band(scores)
    for name in ("exact_bootstrap", "binormal"):
        with pytest.raises(ValueError, match="`method` must support the weights, clusters or strata"):
            auc_interval(scores, method=name)  # type: ignore[call-overload]


# --- from files and frames -------------------------------------------------------------------------------


def framed(seed: int) -> pd.DataFrame:
    d = clustered(seed)
    a, b, _ = d["scores"]
    weight = (2.0 * d["weight"]).round() / 2.0
    columns = {"label": d["y"].astype(int), "a": a, "b": b, "weight": weight}
    return pd.DataFrame(columns | {"patient": d["cluster"], "site": d["strata"]})


def sources(data: pd.DataFrame, folder: Path) -> list[Any]:
    data.to_csv(folder / "rows.csv", index=False)
    data.to_parquet(folder / "rows.parquet")
    frame = pl.from_pandas(data)
    return [data, frame, frame.lazy(), folder / "rows.csv", str(folder / "rows.parquet")]


def test_every_source_gives_the_same_table(tmp_path: Path) -> None:
    d = framed(14)
    columns = {"sample_weight": d["weight"], "cluster": d["patient"], "strata": d["site"]}
    one = Scores(d["label"], d["a"], **columns)
    two = PairedScores(d["label"], d["a"], d["b"], names=["a", "b"], **columns)
    repeated = Scores(d["label"].repeat(d["patient"]), d["a"].repeat(d["patient"]))
    named = {"sample_weight": "weight", "cluster": "patient", "strata": "site"}
    for source in sources(d, tmp_path):
        assert read_scores(source, label="label", score="a", **named) == one
        assert read_scores(source, label="label", score=["a", "b"], **named) == two
        times = {"sample_weight": "patient", "weight_kind": "frequency"}
        assert read_scores(source, label="label", score="a", **times) == repeated
        both = read_scores(source, label="label", score="a", cluster=("patient", "site"))
        assert both == Scores(d["label"], d["a"], cluster=(d["patient"], d["site"]))


def test_tables_of_counts_keep_weights_and_clusters(tmp_path: Path) -> None:
    d = framed(15)
    given = [
        {"sample_weight": d["weight"]},
        {"cluster": (d["patient"], d["site"])},
        {"sample_weight": d["weight"], "cluster": d["patient"], "strata": d["site"]},
    ]
    for i, columns in enumerate(given):
        for table in (
            Scores(d["label"], d["a"], **columns),
            PairedScores(d["label"], d["a"], d["b"], **columns),
        ):
            path = write_counts(table, path=tmp_path / f"{i}.parquet")
            assert read_counts(path) == table
    again = read_scores(path, label="label", score="score_b")
    assert again == table.b
    merged = again.merge(again)
    assert merged.design.rows == 2 * again.design.rows
    assert merged.design.n_clusters == again.design.n_clusters


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cluster": "person"}, "`cluster` must be a column of the data; got 'person'"),
        ({"cluster": "patient", "resolution": 20}, "`cluster` must be omitted with `resolution`"),
    ],
)
def test_columns_that_do_not_go_together(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_scores(framed(16), label="label", score="a", **given)


def test_groups_keep_weights_and_clusters(tmp_path: Path) -> None:
    data = framed(22)
    columns = {"sample_weight": "weight", "cluster": "patient"}
    groups = read_scores(data, label="label", score="a", group="site", **columns)
    for name, sample in zip(groups.names, groups.samples, strict=True):
        assert sample == read_scores(data[data["site"] == name], label="label", score="a", **columns)
    data.to_csv(tmp_path / "rows.csv")
    args = {"label": "label", "score": "a", "group": "site", "weight": "weight", "cluster": "patient"}
    options = [f"--{name}={value}" for name, value in args.items()]
    shown = json.loads(invoke(main, ["compare", str(tmp_path / "rows.csv"), *options, "--json"]).stdout)
    expected = auc_comparison(groups).differences
    assert shown["auc_comparison"]["differences"]["lower"] == expected.lower.tolist()


def test_groups_with_common_clusters_warn() -> None:
    data = framed(22).assign(third=lambda d: np.arange(len(d)) % 3)
    with pytest.warns(confroc.ConfrocWarning, match="Samples share clusters"):
        read_scores(data, label="label", score="a", group="third", cluster="patient")


def test_gaps_among_identifiers_are_errors(tmp_path: Path) -> None:
    d = framed(17).astype({"patient": object})
    d.loc[3, "patient"] = None
    for source in sources(d, tmp_path):
        with pytest.raises(ValueError, match="`cluster` must contain no missing values; got 1 missing"):
            read_scores(source, label="label", score="a", cluster="patient")


# --- on the command line -----------------------------------------------------------------------------------


def test_the_command_line_gives_the_same(tmp_path: Path) -> None:
    d = framed(18)
    path = tmp_path / "rows.csv"
    d.to_csv(path, index=False)
    rows = [str(path), "--label", "label", "--score", "a", "--json"]
    given = ["--weight", "weight", "--cluster", "patient", "--strata", "site"]
    done = invoke(main, ["auc", *rows, *given])
    columns = {"sample_weight": d["weight"], "cluster": d["patient"], "strata": d["site"]}
    expected = auc_interval(d["label"], d["a"], **columns)
    found = json.loads(done.stdout)
    assert found["auc_interval"]["a"]["lower"] == expected.lower
    assert found["auc_interval"]["a"]["design_effect"] == expected.design_effect
    table = Scores(d["label"], d["a"], **columns)
    share = table.n_pos / (table.n_pos + table.n_neg)
    assert found["data"]["design"] == f"{table.design}, weighted prevalence {share:.4g}"
    both = invoke(main, ["auc", *rows, "--cluster", "patient", "--cluster", "site"])
    expected = auc_interval(d["label"], d["a"], cluster=(d["patient"], d["site"]))
    assert json.loads(both.stdout)["auc_interval"]["a"]["upper"] == expected.upper


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["auc", "--cluster", "label", "--cluster", "patient", "--cluster", "site"],
            "--cluster at most twice",
        ),
        (
            [
                "auc",
                "--fold",
                "site",
                "--case",
                "patient",
                "--weight",
                "weight",
                "--weight-kind",
                "frequency",
            ],
            "--case cannot be combined with --weight-kind frequency",
        ),
        (["calibration", "--cluster", "patient"], "accept it for any --statistic"),
        (["auc", "--cluster", "person"], "`--cluster` must be a column of the data"),
    ],
)
def test_bad_commands_have_one_clear_sentence(args: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    framed(19).to_csv(path, index=False)
    done = invoke(main, [args[0], str(path), "--label", "label", "--score", "a", *args[1:]])
    assert done.exit_code != 0
    assert message in done.stderr
