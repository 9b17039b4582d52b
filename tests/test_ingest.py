"""Files and frames: the same counts from every source, and clear words for bad ones."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import ConfrocWarning, PairedScores, Scores, read_scores
from confroc.ingest import read_cases


def written(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def frame() -> Any:
    import pandas as pd

    return pd.DataFrame(
        {"outcome": ["Poor", "Good", "Poor", "Good"], "a": [1.5, 0.5, 0.5, -1.0], "b": [3, 2, 1, 0]}
    )


def sources(frame: Any, folder: Path) -> dict[str, Any]:
    import polars as pl
    import pyarrow as pa

    frame.to_csv(folder / "s.csv", index=False)
    frame.to_csv(folder / "s.tsv", index=False, sep="\t")
    frame.to_csv(folder / "semi.csv", index=False, sep=";")
    with gzip.open(folder / "s.csv.gz", "wt") as file:
        frame.to_csv(file, index=False)
    frame.to_parquet(folder / "s.parquet")
    frame.iloc[:2].to_parquet(folder / "part1.pq")
    frame.iloc[2:].to_parquet(folder / "part2.pq")
    files = {n: str(folder / n) for n in ("s.csv", "s.tsv", "semi.csv", "s.csv.gz", "s.parquet", "part*.pq")}
    return files | {
        "path": folder / "s.csv",
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame),
    }


def test_every_source_gives_the_same_counts(frame: Any, tmp_path: Path) -> None:
    expected = PairedScores(frame["outcome"], frame["a"], frame["b"], pos_label="Poor")
    for name, source in sources(frame, tmp_path).items():
        assert read_scores(source, label="outcome", score=("a", "b"), pos_label="Poor") == expected, name
        assert read_scores(source, label="outcome", score="b", pos_label="Poor") == expected.b, name


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["1", "0", "1", "0"], None),
        (["1", "-1", "1", "-1"], None),
        (["true", "False", "TRUE", "false"], None),
        (["1.0", "0", "1", "0.0"], None),
        (["yes", "no", "yes", "maybe"], "yes"),
        (["2", "1", "2", "3"], 2),
        (["  x ", "y", "x", "y"], "x"),
    ],
)
def test_labels_as_text(labels: list[str], pos_label: Any, tmp_path: Path) -> None:
    text = "outcome,a\n" + "".join(f"{label},{s}\n" for label, s in zip(labels, (4, 1, 3, 2), strict=True))
    scores = read_scores(written(tmp_path, text), label="outcome", score="a", pos_label=pos_label)
    assert (scores.n_pos, scores.n_neg, scores.auc) == (2, 2, 1.0)


def test_typed_labels_of_parquet(tmp_path: Path) -> None:
    import polars as pl

    for labels in ([True, False, True], [1, 0, 1], [1.0, 0.0, 1.0], [1, -1, 1]):
        path = tmp_path / "t.parquet"
        pl.DataFrame({"y": labels, "s": [3, 1, 2]}).write_parquet(path)
        assert read_scores(path, label="y", score="s").auc == 1.0


def test_omitted_rows_are_counted(tmp_path: Path) -> None:
    text = "y,a,b\n1,3,1\n0,1,NA\n,2,2\n1,,3\n0,nan,1\n0,1,0\n"
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=r"1 missing in 'y', 2 missing in 'a', 1 missing in 'b'.*omit"):
        read_scores(path, label="y", score=("a", "b"))
    cases = read_cases(path, label="y", scores=["a", "b"], nan_policy="omit", pairs=True)
    assert (cases.n_rows, cases.n_dropped) == (6, 4)
    pair = cases.pairs["a", "b"]
    assert (pair.n_pos, pair.n_neg, pair.n_dropped, cases.models["a"].n_dropped) == (1, 1, 4, 4)
    import pandas as pd

    again = read_cases(pd.read_csv(path), label="y", scores=["a", "b"], nan_policy="omit", pairs=True)
    assert again.pairs["a", "b"] == pair
    assert (again.n_rows, again.n_dropped) == (6, 4)


def test_odd_column_names(tmp_path: Path) -> None:
    path = written(tmp_path, '"the ""label""",sc\'ore;1\n1,2\n0,1\n')
    assert read_scores(path, label='the "label"', score="sc'ore;1").auc == 1.0


def test_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(b"\xef\xbb\xbfy,s\r\n1,2\r\n0,1\r\n")
    assert read_scores(path, label="y", score="s").auc == 1.0


def test_direction_is_reported_once_by_column_name(tmp_path: Path) -> None:
    path = written(tmp_path, "y,s,t\n1,1,1\n0,2,2\n")
    with pytest.warns(ConfrocWarning, match=r"`[st]` is 0\.0000") as caught:
        read_cases(path, label="y", scores=["s", "t"], pairs=True)
    assert len(caught) == 2


def test_all_scores_equal(tmp_path: Path) -> None:
    with pytest.warns(ConfrocWarning, match="All scores of `s` are equal"):
        assert read_scores(written(tmp_path, "y,s\n1,2\n0,2\n"), label="y", score="s").auc == 0.5


BAD = [
    ("", "`source` must start with a line of column names"),
    ("y,s\n", "`source` must hold at least one row below its header"),
    ("y,s,s\n1,2,3\n0,1,2\n", r"`source` must have distinct column names; got \['s'\]"),
    ("y,t\n1,2\n0,1\n", "`score` must be a column of the data; got 's'.*The columns are 'y', 't'"),
    (
        "Y,s\n1,2\n0,1\n",
        "`label` must be a column of the data; got 'y'.*The columns are 'Y', 's'",
    ),
    ("y,s\n1,2\n1,1\n", "`label` must hold both classes"),
    ("y,s\na,2\nb,1\nc,3\n", "`pos_label` must name the positive class.*'a', 'b', 'c'"),
    ("y,s\n1,2\n0,high\n", "`score s` must hold numbers; got 'high'"),
    ("y,s\n1,2\n0,inf\n", "`score s` must hold finite scores; got inf"),
    ("y,s\n1,2\n0,-inf\n", "`score s` must hold finite scores; got -inf"),
    ("y,s\n1,2\n0,\n", "1 missing in 's'"),
    ("y,s\n1,2\n ,1\n0,1\n", "1 missing in 'y'"),
    ("y,s\n1,2\n0\n", "`source` must be a readable table.*Expected Number of Columns"),
    ("y,s\n,2\n,1\n", "2 missing in 'y'"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        read_scores(written(tmp_path, text), label="y", score="s")


def test_bad_sources(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="`source` must be an existing file"):
        read_scores(tmp_path / "none.csv", label="y", score="s")
    with pytest.raises(ValueError, match=r"`source` must end in one of \.csv"):
        read_scores(written(tmp_path, "x", "a.xlsx"), label="y", score="s")
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_scores(written(tmp_path, "no parquet", "a.parquet"), label="y", score="s")
    with pytest.raises(ValueError, match="pattern of files"):
        read_scores(tmp_path, label="y", score="s")
    with pytest.raises(TypeError, match=r"`source` must be a path.*'int'"):
        read_scores(3, label="y", score="s")
    with pytest.raises(ValueError, match="`score` must name distinct columns"):
        read_scores(written(tmp_path, "y,s\n1,2\n0,1\n"), label="y", score=("s", "s"))
    with pytest.raises(ValueError, match="`score` must name one column or two"):
        read_scores(written(tmp_path, "y,s\n1,2\n0,1\n"), label="y", score=("s", "t", "u"))  # type: ignore[arg-type]
    text = "y,s\n" + "".join(f"{i},{i}\n" for i in range(100))
    with pytest.raises(ValueError, match="`label` must be a column of classes"):
        read_scores(written(tmp_path, text), label="y", score="s")
    (tmp_path / "latin.csv").write_bytes("é,s\n1,2\n".encode("latin-1"))
    with pytest.raises(ValueError, match="UTF-8"):
        read_scores(tmp_path / "latin.csv", label="y", score="s")


def test_large_file_equals_arrays(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 20_000)
    s = np.round(rng.normal(size=y.size) + y, 2)
    path = tmp_path / "big.csv"
    np.savetxt(path, np.column_stack([y, s]), delimiter=",", header="y,s", comments="", fmt=["%d", "%.2f"])
    assert read_scores(path, label="y", score="s") == Scores(y, s)


def test_csv_files_must_share_their_columns(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("y,s\n1,0.5\n0,0.2\n")
    for other in ("s,y\n0.5,1\n", "y,t\n1,0.5\n", "y;s\n1;0.5\n"):
        (tmp_path / "2.csv").write_text(other)
        with pytest.raises(ValueError, match=r"`source` must have the same columns.*Rearrange 2\.csv"):
            read_scores(str(tmp_path / "*.csv"), label="y", score="s")
    (tmp_path / "2.csv").write_text("y,s\n1,0.7\n")
    assert read_scores(str(tmp_path / "*.csv"), label="y", score="s").n_pos == 2


def test_a_csv_file_cut_off_within_a_row_is_noticed(tmp_path: Path) -> None:
    whole = "y,s\n1,0.75\n0,0.25\n1,0.5625\n"
    path = tmp_path / "cut.csv"
    for end in (-1, -3):
        path.write_text(whole[:end])
        with pytest.warns(ConfrocWarning, match=r"The last line of cut\.csv has no end"):
            read_scores(path, label="y", score="s")
    path.write_text(whole[:-8])
    with (
        pytest.warns(ConfrocWarning, match=r"The last line of cut\.csv has no end"),
        pytest.raises(ValueError, match="`source` must be a readable table"),
    ):
        read_scores(path, label="y", score="s")
    path.write_text(whole)
    assert read_scores(path, label="y", score="s").n_pos == 2


def test_a_lazy_frame_of_a_cut_file_is_told_alike(tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"y": [0, 1] * 500, "s": np.arange(1000.0)}).write_parquet(tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="`source` must be a readable table; got 'polars LazyFrame'"):
        read_scores(pl.scan_parquet(tmp_path / "cut.parquet"), label="y", score="s")


def nan_files(folder: Path, label: Any, score: Any) -> dict[str, Path]:
    """The same rows as programs write them whose statistics leave NaN out, and in other kinds of files."""
    import polars as pl
    import pyarrow as pa
    from pyarrow import feather, parquet

    table = pa.table({"y": label, "s": score})
    files = {name: folder / name for name in ("arrow.parquet", "polars.parquet", "s.arrow")}
    parquet.write_table(table, files["arrow.parquet"])
    pl.DataFrame({"y": label, "s": score}).write_parquet(files["polars.parquet"])
    feather.write_feather(table, files["s.arrow"])
    return files


@pytest.mark.parametrize("kind", ["file", "query", "relation"])
def test_nan_is_missing_wherever_it_is(tmp_path: Path, kind: str) -> None:
    """DuckDB 2.0 answers isnan() and comparisons from statistics, which leave NaN out."""
    import duckdb

    rng = np.random.default_rng(0)
    y = np.repeat([0.0, 1.0], 20)
    s = np.round(rng.normal(size=40) + y, 1)
    holes, lost = s.copy(), y.copy()
    holes[[3, 4, 30]], lost[[5, 39]] = np.nan, np.nan
    only = np.where(y == 1.0, 1.0, 0.0)
    only[[3, 30]] = np.nan
    connection = duckdb.connect()
    for label, score in ((y, holes), (lost, s), (y, only)):
        for name, path in nan_files(tmp_path, label, score).items():
            if kind != "file" and name == "s.arrow":
                continue
            query = f"SELECT * FROM '{path}'"
            source = path if kind == "file" else query if kind == "query" else connection.sql(query)
            with pytest.raises(ValueError, match="missing in"):
                read_scores(source, label="y", score="s")
            expected = Scores(label, score, nan_policy="omit")
            assert expected.n_dropped == np.isnan(label + score).sum()
            assert read_scores(source, label="y", score="s", nan_policy="omit") == expected, name
            rounded = read_scores(source, label="y", score="s", nan_policy="omit", resolution=30)
            assert rounded == expected, name


def test_infinite_scores_are_refused_beside_nan(tmp_path: Path) -> None:
    for value in (np.inf, -np.inf):
        for path in nan_files(tmp_path, np.array([0, 1, 1, 0]), np.array([1.0, np.nan, value, 2.0])).values():
            with pytest.raises(ValueError, match="`score s` must hold finite scores"):
                read_scores(path, label="y", score="s", nan_policy="omit")


def test_a_source_that_changes_between_passes_is_refused() -> None:
    rows = "SELECT (i % 2)::INT AS y, i AS s FROM range(2000) AS t(i) WHERE random() < 0.5"
    with pytest.raises(ValueError, match="`source` must stay as it is while it is read"):
        read_scores(rows, label="y", score="s")
