"""Segments from a column and from files, against pandas' groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from confroc import Scores, write_counts
from confroc.ingest import read_segments
from confroc.ingest.segments import merged

MONTHS = ("2", "10", "9")
OPTIONS: dict[str, Any] = {"label": "y", "scores": ["a", "b"]}


@pytest.fixture
def rows(tmp_path: Path) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    a, b = (rng.normal(size=(2, 300)) + y).round(1)
    frame = pd.DataFrame({"y": y, "a": a, "b": b, "month": rng.choice(MONTHS, 300)})
    frame.to_csv(tmp_path / "all.csv", index=False)
    frame.to_parquet(tmp_path / "all.parquet")
    for month, part in frame.groupby("month"):
        part.to_csv(tmp_path / f"month-{month}.csv", index=False)
    return frame


def by_hand(frame: pd.DataFrame, score: str) -> dict[str, Scores]:
    return {
        str(month): Scores(part["y"].to_numpy(), part[score].to_numpy())
        for month, part in frame.groupby("month")
    }


@pytest.mark.parametrize("kind", ["csv", "parquet", "sql"])
def test_a_column_gives_the_groups_in_order(rows: pd.DataFrame, tmp_path: Path, kind: str) -> None:
    source = f"FROM '{tmp_path / 'all.parquet'}'" if kind == "sql" else str(tmp_path / f"all.{kind}")
    cases, found = read_segments(source, segment_column="month", **OPTIONS)
    for score in ("a", "b"):
        assert found[score] == by_hand(rows, score)
        assert list(found[score]) == sorted(MONTHS, key=int)
        assert merged(list(found[score].values())) == cases.models[score]


def test_files_are_segments_rows_or_counts(rows: pd.DataFrame, tmp_path: Path) -> None:
    expected = {f"month-{month}": scores for month, scores in by_hand(rows, "a").items()}
    options = {"label": "y", "scores": ["a"], "segment_files": True}
    assert read_segments(str(tmp_path / "month-*.csv"), **options)[1]["a"] == expected
    for name, scores in expected.items():
        write_counts(scores, path=tmp_path / f"{name}.parquet", label="y", score="a")
    assert read_segments(str(tmp_path / "month-*.parquet"), **options)[1]["a"] == expected


def test_rounded_segments_keep_their_bounds(rows: pd.DataFrame, tmp_path: Path) -> None:
    _, found = read_segments(str(tmp_path / "all.csv"), segment_column="month", resolution=10, **OPTIONS)
    for month, exact in by_hand(rows, "a").items():
        rounded = found["a"][month]
        assert len(rounded.score) <= 10
        assert rounded.auc_error > 0.0
        assert abs(rounded.auc - exact.auc) <= rounded.auc_error


def test_rows_without_a_segment(rows: pd.DataFrame, tmp_path: Path) -> None:
    holes = rows.copy()
    holes.loc[:9, "month"] = None
    holes.loc[5:14, "b"] = np.nan
    holes.to_csv(tmp_path / "holes.csv", index=False)
    options = {**OPTIONS, "segment_column": "month"}
    with pytest.raises(ValueError, match=r"`source`.*10 missing in 'b'"):
        read_segments(str(tmp_path / "holes.csv"), **options)
    with pytest.raises(ValueError, match=r"`segment_column`.*10 missing in 'month'"):
        read_segments(str(tmp_path / "holes.csv"), **{**options, "scores": ["a"]})
    _, found = read_segments(str(tmp_path / "holes.csv"), nan_policy="omit", **options)
    assert found["a"] == by_hand(holes.dropna(), "a")


def test_nan_is_missing_in_parquet_too(rows: pd.DataFrame, tmp_path: Path) -> None:
    from pyarrow import Table, parquet

    holes = rows.assign(month=rows["month"].astype(float))
    holes.loc[:9, "month"] = np.nan
    holes.loc[5:14, "b"] = np.nan
    path = tmp_path / "holes.parquet"
    parquet.write_table(Table.from_pydict({name: holes[name].to_numpy() for name in holes}), path)
    options = {**OPTIONS, "segment_column": "month"}
    with pytest.raises(ValueError, match=r"`segment_column`.*10 missing in 'month'"):
        read_segments(str(path), **{**options, "scores": ["a"]})
    _, found = read_segments(str(path), nan_policy="omit", **options)
    assert found == {score: by_hand(holes.dropna(), score) for score in ("a", "b")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "`segment_column` must not be combined with `segment_files`"),
        ({"segment_column": "month", "segment_files": True}, "`segment_column` must not be combined"),
        ({"segment_column": "months"}, "Did you mean 'month'"),
        ({"segment_column": "a"}, "differ from the label and score columns"),
        (
            {"segment_column": "a", "scores": ["b"]},
            "`segment_column` must have both classes in every group, including '.*drop this one",
        ),
        (
            {"segment_column": "a", "scores": ["b"], "resolution": 10},
            "`segment_column` must have both classes in every group, including '.*drop this one",
        ),
        ({"segment_files": True}, "`segment_files` must give at least two groups"),
        ({"segment_column": 3}, "`segment_column` must be text"),
        ({"segment_column": "month", "scores": "a"}, "`scores` must be a list"),
        ({"segment_column": "month", "source": 3}, "`source` must be a path, a pattern of paths or SQL"),
        ({"segment_column": "month", "source": None}, "`source` must be a path, a pattern of paths or SQL"),
    ],
)
def test_errors_name_the_argument(
    rows: pd.DataFrame, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    assert len(rows) == 300
    with pytest.raises(ValueError, match=words):
        read_segments(**{"source": str(tmp_path / "all.csv"), **OPTIONS, **options})


ODD_SEGMENTS = ("it's", "a\nb", "\U0001f600", "1_000", "nan", "[x]*", '"', "\x1b[31m")


def test_segments_and_files_of_odd_names(tmp_path: Path) -> None:
    names = ODD_SEGMENTS
    frame = pd.DataFrame(
        {"y": [0, 1] * len(names), "s": range(2 * len(names)), "g": [n for n in names for _ in range(2)]}
    )
    frame.to_parquet(tmp_path / "odd.parquet")
    _, found = read_segments(tmp_path / "odd.parquet", label="y", scores=["s"], segment_column="g")
    assert list(found["s"]) == sorted(names)
    assert all(scores.auc == 1.0 for scores in found["s"].values())
    for name in ("d[1]", "d1", "e*"):
        frame[:2].to_csv(tmp_path / f"{name}.csv")
    _, found = read_segments(str(tmp_path / "*.csv"), label="y", scores=["s"], segment_files=True)
    assert {name: scores.n_pos for name, scores in found["s"].items()} == {"d1": 1, "d[1]": 1, "e*": 1}
