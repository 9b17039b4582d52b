"""Differences of partial areas: against pROC's resamples, the definition, and every resample."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confroc import PairedScores, Scores, UnpairedScores, auc_difference, auc_interval
from confroc.curve import area_of_counts, check_part
from confroc.influence import difference_of_placements
from support import read_csv

FOLDER = Path(__file__).parent / "reference"
REFERENCE: dict[str, Any] = json.loads((FOLDER / "proc_partial.json").read_text())
quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
PARTS: tuple[dict[str, float], ...] = ({"max_fpr": 0.2}, {"max_fpr": 0.55}, {"min_tpr": 0.7})


def correlated(seed: int, n_pos: int, n_neg: int, decimals: int = 12) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.standard_normal(len(y))
    a, b = (s * y + 0.7 * common + 0.7 * rng.standard_normal(len(y)) for s in (1.5, 1.1))
    return PairedScores(y, a.round(decimals), b.round(decimals))


# --- pROC --------------------------------------------------------------------------------------------


def recorded_pair(folder: Path, block: dict[str, Any]) -> PairedScores | UnpairedScores:
    if block["data"] == "asah":
        rows, label = read_csv(folder / "aSAH.csv"), ("outcome", "Poor")
    elif block["data"] == "wieand1989":
        rows, label = read_csv(folder / "wieand1989_pancreatic.csv"), ("cancer", "1")
    else:
        rows, label = read_csv(FOLDER / "synthetic_continuous.csv"), ("label", "1")
    y = np.array([r[label[0]] == label[1] for r in rows])
    if not block["paired"]:
        female = np.array([r["gender"] == "Female" for r in rows])
        score = np.array([float(r["s100b"]) for r in rows])
        return UnpairedScores(*(Scores(y[m], score[m]) for m in (female, ~female)))
    return PairedScores(y, *([float(r[block[k]]) for r in rows] for k in ("a", "b")))


@pytest.mark.parametrize(
    "block", REFERENCE["tests"], ids=lambda b: f"{b['data']}-{b['focus']}-{b['to']}-{b['corrected']}-{b['a']}"
)
def test_agrees_with_proc(data_folder: Path, block: dict[str, Any]) -> None:
    pair = recorded_pair(data_folder, block)
    part = (
        {"max_fpr": round(1 - block["to"], 12)}
        if block["focus"] == "specificity"
        else {"min_tpr": block["to"]}
    )
    common: dict[str, Any] = {**part, "standardize": block["corrected"]}
    mine = auc_difference(pair, method="delong", **common)
    assert mine.estimate == pytest.approx(block["area_a"] - block["area_b"], abs=1e-12)
    for model, area in ((pair.a, block["area_a"]), (pair.b, block["area_b"])):
        assert auc_interval(model, **common).estimate == pytest.approx(area, abs=1e-12)
    spread = mine.estimate / block["statistic"]
    # pROC's standard deviation is of 10,000 resamples, ours of 2,000: relative errors 0.7% and 1.6%; four
    # of both together.
    boot = auc_difference(pair, **common, method="bootstrap", rng=1, n_resamples=2000)
    assert boot.standard_error == pytest.approx(spread, rel=0.07)
    # The linear variance leaves out terms of relative order 1/n, n the cases that shape the part.
    assert mine.standard_error == pytest.approx(spread, rel=0.15)


# --- definition --------------------------------------------------------------------------------------


def by_definition(pos: np.ndarray, neg: np.ndarray, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Placements of untied cases, by the integral each stands for.

    A positive adds the strip between its false positive rate and `width`. A negative adds the true positive
    rate at its score, or at the threshold of `width` if it lies beyond.
    """
    own = np.array([(neg > y).mean() for y in pos])
    of_pos = np.maximum(0.0, width - own)
    # The threshold is the negative whose step holds `width`; at a whole count, the one that ends there.
    ordered = np.sort(neg)[::-1]
    k = math.floor(width * len(neg) + 1e-9)
    rest = width * len(neg) - k
    edge = (pos > ordered[k if rest > 1e-9 else k - 1]).mean()
    of_neg = np.array([(pos > x).mean() for x in neg])
    rank = np.array([(neg > x).sum() for x in neg])
    shared = rest * of_neg + (1 - rest) * edge
    return of_pos, np.where(rank < k, of_neg, np.where(rank == k, shared, edge))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [0.1, 0.37, 0.8])
def test_variance_by_its_definition(seed: int, width: float) -> None:
    pair = correlated(seed, 30, 45)
    rows = np.arange(len(pair.pos))
    at_pos, at_neg = np.repeat(rows, pair.pos), np.repeat(rows, pair.neg)
    differences: list[np.ndarray] = []
    for vertical in (False, True):
        of_pos, of_neg = [], []
        for score in (pair.score_a, pair.score_b):
            if vertical:
                u, v = by_definition(-score[at_neg], -score[at_pos], width)
                of_pos.append(v)
                of_neg.append(u)
            else:
                u, v = by_definition(score[at_pos], score[at_neg], width)
                of_pos.append(u)
                of_neg.append(v)
        differences = [of_pos[0] - of_pos[1], of_neg[0] - of_neg[1]]
        variance = sum(d.var(ddof=1) / len(d) for d in differences)
        part: dict[str, Any] = {"min_tpr": 1 - width} if vertical else {"max_fpr": width}
        moments = difference_of_placements(pair, check_part(part.get("max_fpr"), part.get("min_tpr")))
        assert sum(m.variance for m in moments) == pytest.approx(variance, rel=1e-9)


@pytest.mark.slow
@quiet
@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3), st.integers(0, 3)), min_size=4, max_size=12),
    st.sampled_from(PARTS),
)
def test_invariants(rows: list[tuple[int, int, int]], part: dict[str, float]) -> None:
    y, a, b = (np.array(c) for c in zip(*rows, strict=True))
    if not 0 < y.sum() < len(y):
        return
    width = part.get("max_fpr", 1 - part.get("min_tpr", 0.0))
    one = auc_difference(PairedScores(y, a, b), **part)  # type: ignore[arg-type]
    other = auc_difference(PairedScores(y, b, np.exp(a)), **part)  # type: ignore[arg-type]
    assert one.estimate == pytest.approx(-other.estimate, abs=1e-12)
    assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-9)
    assert -width - 1e-12 <= one.lower < one.upper <= width + 1e-12
    # Labels and scores turned round exchange the two kinds of part.
    turned: dict[str, Any] = {"min_tpr": 1 - part["max_fpr"]} if "max_fpr" in part else {"max_fpr": width}
    mirrored = auc_difference(PairedScores(1 - y, -a, -b), **turned)
    assert mirrored.estimate == pytest.approx(one.estimate, abs=1e-12)
    assert mirrored.standard_error == pytest.approx(one.standard_error, abs=1e-9)
    # The whole width is the whole area.
    whole, full = auc_difference(PairedScores(y, a, b)), auc_difference(PairedScores(y, a, b), max_fpr=1.0)
    assert (whole.lower, whole.upper) == pytest.approx((full.lower, full.upper), abs=1e-9)


@quiet
def test_bootstrap_by_enumeration() -> None:
    pair = PairedScores([1, 1, 1, 0, 0, 0], [4, 2, 5, 1, 3, 2], [1, 5, 3, 3, 2, 4])
    part = check_part(0.5, None)
    assert part is not None
    rows = np.arange(len(pair.pos))
    at_pos, at_neg = np.repeat(rows, pair.pos), np.repeat(rows, pair.neg)
    found = []
    for i in itertools.product(range(3), repeat=3):
        for j in itertools.product(range(3), repeat=3):
            areas = []
            for index, model in ((pair.index_a, pair.a), (pair.index_b, pair.b)):
                p = np.bincount(index[at_pos[list(i)]], minlength=len(model.score))
                q = np.bincount(index[at_neg[list(j)]], minlength=len(model.score))
                areas.append(area_of_counts(p, q, part))
            found.append(areas[0] - areas[1])
    result = auc_difference(pair, max_fpr=0.5, method="bootstrap", n_resamples=8000, rng=2)
    # Relative error of the standard deviation about 0.8%; five of it.
    assert result.standard_error == pytest.approx(np.std(found), rel=0.04)


# --- designs -----------------------------------------------------------------------------------------


def test_designs_and_scales() -> None:
    pair = correlated(3, 60, 80)
    raw = auc_difference(pair, max_fpr=0.25)
    scaled = auc_difference(pair, max_fpr=0.25, standardize=True)
    factor = 0.5 / (0.25 - 0.5 * 0.25**2)
    assert scaled.quantity == "auc_a - auc_b [max_fpr=0.25, standardized]"
    for name in ("estimate", "lower", "upper", "standard_error"):
        assert getattr(scaled, name) == pytest.approx(factor * getattr(raw, name), rel=1e-12)
    assert scaled.pvalue == pytest.approx(raw.pvalue, rel=1e-12)
    boot = [
        auc_difference(pair, max_fpr=0.25, standardize=s, method="bootstrap", rng=1, n_resamples=200)
        for s in (False, True)
    ]
    assert boot[1].standard_error == pytest.approx(factor * boot[0].standard_error, rel=1e-12)
    # A margin is on the scale of the result.
    margins = [
        auc_difference(pair, max_fpr=0.25, standardize=s, alternative="non-inferiority", margin=m).pvalue
        for s, m in ((False, 0.02), (True, 0.02 * factor))
    ]
    assert margins[0] == pytest.approx(margins[1], rel=1e-9)
    unpaired = auc_difference(UnpairedScores(pair.a, pair.b), method="delong", max_fpr=0.25)
    parts = [auc_interval(m, method="delong", max_fpr=0.25).standard_error for m in (pair.a, pair.b)]
    assert unpaired.standard_error == pytest.approx(math.hypot(*parts), rel=1e-12)
    assert unpaired.design == "unpaired"
    one_sided = auc_difference(pair, max_fpr=0.25, alternative="greater")
    assert one_sided.upper == pytest.approx(0.25)


def test_partially_paired() -> None:
    pair = correlated(5, 60, 90)
    extra = correlated(6, 40, 50)
    result = auc_difference(pair, only_a=extra.a, max_fpr=0.3)
    assert result.design == "partially_paired"
    full = pair.a.merge(extra.a)
    areas = [auc_interval(s, max_fpr=0.3).estimate for s in (full, pair.b)]
    assert result.estimate == pytest.approx(areas[0] - areas[1], abs=1e-12)
    boot = auc_difference(pair, only_a=extra.a, max_fpr=0.3, method="bootstrap", n_resamples=3000, rng=1)
    # 1.3% Monte Carlo error, and the small-sample gap of the linear variance.
    assert result.standard_error == pytest.approx(boot.standard_error, rel=0.12)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_coverage(part: dict[str, float]) -> None:
    # 300 studies of 100 + 100: with a coverage of 0.95 their share lies outside 0.90 to 0.99 with probability
    # 2e-4, with one of 0.85 with probability 0.99.
    truth = [
        auc_interval(
            Scores(np.repeat([1, 0], 40_000), np.concatenate([s + quantiles(1.0), quantiles(1.0)])),
            **part,  # type: ignore[arg-type]
        ).estimate
        for s in (1.5, 1.1)
    ]
    hits = 0
    for seed in range(300):
        result = auc_difference(correlated(seed + 50, 100, 100), **part)  # type: ignore[arg-type]
        hits += result.lower <= truth[0] - truth[1] <= result.upper
    assert 0.90 <= hits / 300 <= 0.99


def quantiles(scale: float) -> np.ndarray:
    from scipy import stats

    at = (np.arange(40_000) + 0.5) / 40_000
    return np.asarray(stats.norm.ppf(at, scale=math.sqrt(0.98) * scale))
