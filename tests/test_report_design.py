"""Reports and notes on tables with weights, clusters and strata."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import confroc
from confroc.cli import main
from confroc.ingest import reading
from support import invoke

COLUMNS = ["--label", "y", "--score", "new", "--score", "old"]
REPEATS = "Column 'patient_id' repeats values."


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(80), 6)
    y = (patient < 28).astype(int)
    new = 1.8 * y + rng.standard_normal(80)[patient] + 0.7 * rng.standard_normal(480)
    old = new + 1.5 * rng.standard_normal(480)
    found = {"patient_id": patient, "y": y, "new": new, "old": old, "w": 1 + patient % 3, "site": patient % 4}
    return pd.DataFrame(found)


@pytest.fixture(scope="module")
def path(rows: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("design") / "rows.csv"
    rows.to_csv(place, index=False)
    return str(place)


@pytest.mark.parametrize(
    "given",
    [
        {"cluster": "patient_id"},
        {"sample_weight": "w", "strata": "site"},
    ],
)
def test_numbers_of_a_report_are_those_of_the_functions(
    rows: pd.DataFrame, tmp_path: Path, given: dict[str, Any]
) -> None:
    known = {name: rows[value] for name, value in given.items()}
    scores = confroc.PairedScores(rows["y"], rows[["new", "old"]], **known)
    made = confroc.report(scores, path=tmp_path / "page.html", threshold=1.0)
    record = made.to_dict()
    for name, area in zip(scores.names, record["auc"], strict=True):
        wanted = confroc.auc_interval(scores[name])
        assert (area["lower"], area["upper"]) == (wanted.lower, wanted.upper)
        assert record["design_effect"][name] == wanted.design_effect
        cost = confroc.expected_cost(scores[name], threshold=1.0, false_negative=1.0, false_positive=1.0)
        shown = record["recommended"]["models"][scores.names.index(name)]
        assert (shown["lower"], shown["upper"]) == (cost.lower, cost.upper)
    for point in record["tpr_at_fpr"]:
        found = confroc.tpr_at_fpr(scores[point["model"]], fpr=point["fpr"])
        assert (point["lower"], point["upper"]) == (found.lower[0], found.upper[0])
    worst = max(scores.names, key=lambda name: record["design_effect"][name])
    size = scores[worst].design.rows / record["design_effect"][worst]
    (line,) = [line for line in made.headlines if "independent cases" in line]
    assert f"AUC of {worst} as {size:,.0f} independent cases sampled at random (largest design effect" in line
    html = made.to_html()
    assert 'id="threshold"' not in html
    assert html.count("Analyses that require independent cases of equal weight are omitted") == 1


def test_the_command_line_names_the_clusters(path: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    report = invoke(main, ["report", path, *COLUMNS, "--cluster", "patient_id", "-o", str(page)])
    line = next(line for line in report.stdout.splitlines() if "independent cases" in line)
    assert line.startswith("480 rows in 80 clusters (patient_id) carry about as much information")
    assert line in invoke(main, ["auc", path, *COLUMNS, "--cluster", "patient_id"]).stdout.splitlines()
    assert line in json.loads(page.with_suffix(".json").read_text())["headlines"]


def test_weighted_reports_count_rows_and_name_the_design(rows: pd.DataFrame, tmp_path: Path) -> None:
    """28 patients and 52 others with six rows each; the sums of their weights differ."""
    design = {"cluster": rows["patient_id"], "sample_weight": rows["w"]}
    scores = confroc.PairedScores(rows["y"], rows[["new", "old"]], **design)
    assert scores.n_pos != pytest.approx(168.0, abs=0.5)
    made = confroc.report(scores, path=tmp_path / "page.html")
    for row in made.to_dict()["data"]["models"]:
        assert (row["n"], row["n_pos"], row["n_neg"]) == (480, 168, 312)
        assert row["prevalence"] == pytest.approx(rows["w"][rows["y"] == 1].sum() / rows["w"].sum())
    paragraph = made.to_dict()["methods_paragraph"]
    assert "on 480 cases (168 positive, 312 negative). Estimates are weighted, and intervals" in paragraph
    assert " allow for sampling weights and 80 clusters." in paragraph
    assert "168 positive, 312 negative · sampling weights · 80 clusters ·" in made.to_html()


@pytest.mark.parametrize("engine", ["csv", "pandas", "polars", "lazy"])
def test_a_repeated_identifier_is_noted_once(path: str, rows: pd.DataFrame, engine: str) -> None:
    frame = pl.DataFrame(rows.to_dict("list"))
    source = {"csv": path, "pandas": rows, "polars": frame, "lazy": frame.lazy()}[engine]
    options: dict[str, Any] = {"label": "y", "score": "new"}
    with pytest.warns(confroc.ConfrocWarning, match=re.escape(REPEATS)) as found:
        confroc.read_scores(source, **options)
    assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        confroc.read_scores(source, cluster="patient_id", **options)


def test_notes_on_identifiers_are_shown_once(path: str, tmp_path: Path) -> None:
    assert invoke(main, ["auc", path, *COLUMNS]).stderr.count(REPEATS) == 1
    page = tmp_path / "page.html"
    assert invoke(main, ["report", path, *COLUMNS, "-o", str(page)]).stderr.count(REPEATS) == 1
    assert "repeats values. If rows with the same value" in page.read_text("utf-8")
    assert any(REPEATS in note["text"] for note in json.loads(page.with_suffix(".json").read_text())["notes"])


def test_only_names_of_identifiers_are_counted(rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("id", "Patient", "case_id", "user id", "customer", "conversation_id"):
        assert reading.IDENTIFIER.fullmatch(name)
    for name in ("y", "paid", "site", "valid", "w", "grid", "accounts_open"):
        assert not reading.IDENTIFIER.fullmatch(name)
    monkeypatch.setattr(reading, "MOST_COUNTED", 479)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        confroc.read_scores(rows, label="y", score="new")
