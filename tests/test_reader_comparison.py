"""Readers and cases: the published analysis of Van Dyke's data, and one written otherwise."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from confroc import Scores, reader_comparison
from confroc.statistics import AveragePrecision, TprAtFpr


def study(seed: int, n: int = 60, readers: int = 4) -> tuple[Any, dict[str, dict[str, Any]]]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) < n // 3)
    case = rng.standard_normal(n)
    rated = {
        t: {
            f"r{r}": np.round(shift * y + 0.6 * case + 0.8 * rng.standard_normal(n), 1)
            for r in range(readers)
        }
        for t, shift in (("new", 1.6), ("old", 1.1))
    }
    return y, rated


@pytest.mark.uci
def test_van_dykes_data(uci_folder: Path) -> None:
    # The published analysis of these data, with jackknife covariances.
    with (uci_folder / "vandyke1993_mrmc.csv").open(newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["case"]))
    ratings: dict[str, dict[str, list[int]]] = {"1": {}, "2": {}}
    for row in rows:
        ratings[row["treatment"]].setdefault(row["reader"], []).append(int(row["rating"]))
    y = [int(row["truth"]) for row in rows if (row["reader"], row["treatment"]) == ("1", "1")]
    found = reader_comparison(y, ratings)
    np.testing.assert_allclose(found.values.mean(axis=1), [0.89703704, 0.94083736], atol=5e-9)
    errors = found.variance, found.cov1, found.cov2, found.cov3
    np.testing.assert_allclose(errors, [0.00080229, 0.00034661, 0.00034407, 0.00023903], atol=5e-9)
    assert found.statistic**2 == pytest.approx(4.46, abs=5e-3)
    assert found.df == pytest.approx(15.26, abs=5e-3)
    assert found.pvalue == pytest.approx(0.0517, abs=5e-5)
    assert found.confidence_interval == pytest.approx((-0.08796, 0.00036), abs=5e-6)
    assert reader_comparison(y, ratings, readers="fixed").pvalue == pytest.approx(0.0193, abs=5e-5)


@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_analysis_of_variance_with_a_jackknife_by_hand(readers: Any) -> None:
    y, rated = study(1)
    columns = [np.array(v) for each in rated.values() for v in each.values()]
    n, r = len(y), 4

    def values(kept: Any) -> Any:
        return np.array([roc_auc_score(y[kept], v[kept]) for v in columns])

    left = np.array([values(np.arange(n) != i) for i in range(n)])
    cov = (n - 1) / n * (left - left.mean(axis=0)).T @ (left - left.mean(axis=0))
    theta = values(np.ones(n, bool)).reshape(2, r)
    kinds: dict[tuple[bool, bool], list[float]] = {}
    for i in range(2 * r):
        for j in range(2 * r):
            kinds.setdefault((i // r == j // r, i % r == j % r), []).append(cov[i, j])
    order = ((True, True), (False, True), (True, False), (False, False))
    var, cov1, cov2, cov3 = (np.mean(kinds[k]) for k in order)
    rest = theta - theta.mean(axis=1, keepdims=True) - theta.mean(axis=0) + theta.mean()
    ms_t = r * ((theta.mean(axis=1) - theta.mean()) ** 2).sum()
    ms_tr = (rest**2).sum() / (r - 1)
    shared = max(0.0, r * (cov2 - cov3))
    if readers == "random":
        f = ms_t / (ms_tr + shared)
        pvalue = stats.f.sf(f, 1, (ms_tr + shared) ** 2 / (ms_tr**2 / (r - 1)))
    else:
        f = ms_t / (var - cov1 + (r - 1) * max(0.0, cov2 - cov3))
        pvalue = stats.chi2.sf(f, 1)
    found = reader_comparison(y, rated, readers=readers)
    assert found.statistic**2 == pytest.approx(f, rel=1e-9)
    assert found.pvalue == pytest.approx(pvalue, rel=1e-9)
    assert found.estimate == pytest.approx(theta[0].mean() - theta[1].mean())


def test_order_and_statistic() -> None:
    y, rated = study(2)
    one = reader_comparison(y, rated)
    other = reader_comparison(y, {"old": dict(reversed(rated["old"].items())), "new": rated["new"]})
    assert other.lower == pytest.approx(-one.upper)
    assert other.pvalue == pytest.approx(one.pvalue)
    precision = reader_comparison(y, rated, AveragePrecision())
    table = Scores(y, rated["new"]["r2"])
    assert precision.values[0, 2] == AveragePrecision().value(table)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ({"a": {"x": [1, 2, 3, 4], "y": [1, 2, 3, 4]}}, "`ratings` must contain two treatments"),
        ({"a": {"x": [1, 2, 3, 4]}, "b": {"x": [1, 2, 3, 4]}}, "the same two or more readers"),
        ({"a": {"x": [1] * 4, "y": [1] * 4}, "b": {"x": [1] * 4, "z": [1] * 4}}, "the same two or more"),
        ({"a": {"x": [1] * 4, "y": [1] * 4}, "b": {"x": [1] * 4, "y": [1] * 4}}, "`ratings` must vary"),
    ],
)
def test_bad_input(ratings: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        reader_comparison([0, 1, 0, 1], ratings)


def test_statistics_without_influence_are_refused() -> None:
    y, rated = study(3)
    with pytest.raises(ValueError, match="`statistic` must be a scalar statistic with an influence function"):
        reader_comparison(y, rated, TprAtFpr(0.1))
