"""Areas of many models against sources that share nothing with the library.

DeLong, DeLong & Clarke-Pearson's (1988) own example, by another program's recorded output and in exact
fractions; and loops over all pairs of cases.
"""

from __future__ import annotations

import csv
import json
import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores
from confroc.influence import covariance_of_areas, delong_covariance

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
    assert covariance_of_areas(scores) == pytest.approx(as_array(cov), abs=1e-15)
    # Disjoint samples of the same scores have the same variances, and no covariance.
    assert covariance_of_areas(apart) == pytest.approx(np.diag(np.diag(as_array(cov))), abs=1e-15)
