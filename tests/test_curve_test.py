"""The permutation test of two ROC curves."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from confroc import PairedScores, Scores, UnpairedScores, curve_test

EXAMPLE = Path(__file__).parents[1] / "examples" / "asah.csv"


def ranks_in_order(x: pd.Series) -> np.ndarray:
    """Ranks without ties, tied values in the order of the rows: R's ties.method = "first"."""
    ranks = np.empty(len(x))
    ranks[np.argsort(x.to_numpy(), kind="stable")] = np.arange(len(x))
    return ranks


def test_paired_proc() -> None:
    """pROC 1.18.0: roc.test(r1, r2, method="venkatraman") has E = 692 and p = 0.2085 of 2,000 resamples."""
    data = pd.read_csv(EXAMPLE)
    ranks = [ranks_in_order(data[name]) for name in ("s100b", "ndka")]
    found = curve_test(data["outcome"] == "Poor", *ranks, n_resamples=9999, rng=0)
    assert found.statistic == 692.0
    # Standard error of the difference of both: 0.010; a wrong test of this kind is 0.05 off.
    assert found.pvalue == pytest.approx(0.2085, abs=0.03)


def errors_apart(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """The statistic, k by k; tied cases are called negative in all orders."""
    total = 0.0
    for k in range(1, len(y)):
        missed = []
        for x in (a, b):
            # The part of each case that is called negative when k are.
            below, tied = np.array([(x < v).sum() for v in x]), np.array([(x == v).sum() for v in x])
            missed.append(np.sum(y * np.clip((k - below) / tied, 0.0, 1.0)))
        total += 2.0 * abs(missed[0] - missed[1])
    return total


@pytest.mark.parametrize("seed", range(5))
def test_paired_enumeration(seed: int) -> None:
    """All exchanges of eight cases, with ties: the p-value to four standard errors of 4,000 exchanges."""
    rng = np.random.default_rng(seed)
    y = np.arange(8) < 4
    a, b = 3 * y + rng.integers(0, 6, 8), 3 * y + rng.integers(0, 4, 8)
    ranks = [np.array([(x < v).sum() + (x == v).sum() / 2.0 for v in x]) for x in (a, b)]
    observed = errors_apart(y, a, b)
    every = [
        errors_apart(y, np.where(swap, ranks[1], ranks[0]), np.where(swap, ranks[0], ranks[1]))
        for swap in itertools.product([False, True], repeat=8)
    ]
    exact = np.mean(np.array(every) >= observed - 1e-9)
    found = curve_test(y, a, b, n_resamples=4000, rng=seed)
    assert found.statistic == pytest.approx(observed, rel=1e-12)
    assert found.pvalue == pytest.approx(exact, abs=4.0 * np.sqrt(exact * (1.0 - exact) / 4000) + 1e-3)


def test_paired_clusters() -> None:
    """Whole clusters are exchanged: three clusters have 2³ exchanges, in pairs of equal statistics."""
    rng = np.random.default_rng(3)
    y, cluster = np.tile([True, False], 6), np.repeat([0, 1, 2], 4)
    a, b = 6 * y + rng.permutation(12), 6 * y + rng.permutation(12)
    every = [
        errors_apart(y, np.where(swap, b, a), np.where(swap, a, b))
        for swap in (np.array(s)[cluster] for s in itertools.product([False, True], repeat=3))
    ]
    exact = np.mean(np.array(every) >= every[0] - 1e-9)
    found = curve_test(y, a, b, cluster=cluster, n_resamples=4000, rng=0)
    assert found.pvalue == pytest.approx(exact, abs=0.03)
    assert curve_test(y, a, b, cluster=np.arange(12), rng=0) == curve_test(y, a, b, rng=0)


def test_unpaired_statistic() -> None:
    """The area between curves drawn on a fine grid of predicted-positive rates."""
    rng = np.random.default_rng(4)
    labels = [rng.random(n) < 0.4 for n in (50, 70)]
    samples = [Scores(y, 3 * y + rng.integers(0, 9, len(y))) for y in labels]
    found = curve_test(UnpairedScores(*samples), n_resamples=9, rng=0).statistic
    share = sum(s.n_pos for s in samples) / 120
    grid, lines = np.linspace(0.0, 1.0, 200_001), []
    for s in samples:
        tpr, fpr = (np.append(0.0, np.cumsum(n) / n.sum()) for n in (s.pos, s.neg))
        lines.append(np.interp(grid, share * tpr + (1.0 - share) * fpr, tpr))
    assert found == pytest.approx(np.abs(lines[0] - lines[1]).mean(), rel=1e-4)
    twin = UnpairedScores(samples[0], samples[0])
    assert curve_test(twin, n_resamples=99, rng=0).pvalue == 1.0


@pytest.mark.slow
def test_size_and_power() -> None:
    """At 5%, 400 samples reject 2 to 9% (false alarm 0.1%); crossing curves are found (power 99%)."""
    rng, rejected = np.random.default_rng(5), np.zeros((2, 2))
    for i in range(400):
        for j, crossing in enumerate((False, True)[: 2 if i < 40 else 1]):
            y, z = np.arange(300) < 150, rng.standard_normal((4, 300))
            spread, shift = (np.where(y, 3.0, 1.0), np.sqrt(5.0)) if crossing else (1.0, 1.0)
            a, b = y + 0.6 * z[0] + 0.8 * z[1], shift * y + spread * (0.6 * z[0] + 0.8 * z[2])
            pairs = (
                PairedScores(y, a, 3.0 * b),
                UnpairedScores(Scores(y, a), Scores(y, shift * y + spread * z[3])),
            )
            for k, pair in enumerate(pairs):
                rejected[k, j] += curve_test(pair, n_resamples=199, rng=i).pvalue <= 0.05
    assert np.all((rejected[:, 0] / 400 >= 0.02) & (rejected[:, 0] / 400 <= 0.09))
    assert np.all(rejected[:, 1] / 40 >= 0.9)


def test_invariance() -> None:
    """Neither the order of rows, nor increasing transforms, nor the order of the models matters."""
    rng = np.random.default_rng(6)
    y = rng.random(60) < 0.5
    a, b = 9 * y + rng.integers(0, 20, 60), 2 * y + rng.integers(0, 5, 60)
    found, order = curve_test(y, a, b, rng=1), rng.permutation(60)
    assert curve_test(y[order], np.exp(a[order]), -1.0 / (1.0 + b[order]), rng=1) == found
    assert curve_test(y, b, a, rng=1).statistic == pytest.approx(found.statistic, rel=1e-12)
    assert json.loads(found.to_json())["n_resamples"] == 2000


def test_refusals() -> None:
    """Weights have no exchanges; one identifier of clusters at most."""
    y, a, b = [1, 1, 0, 0], [4, 2, 3, 1], [4, 3, 2, 1]
    with pytest.raises(ValueError, match="sampling weights"):
        curve_test(y, a, b, sample_weight=[1.0, 2.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="sampling weights"):
        curve_test(y, a, b, cluster=([1, 1, 2, 2], [1, 2, 1, 2]))
    with pytest.raises(ValueError, match="`n_resamples`"):
        curve_test(y, a, b, n_resamples=0)
