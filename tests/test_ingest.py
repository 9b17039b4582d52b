"""Files and frames: the same counts from every source, and clear words for bad ones."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import ConfrocWarning, PairedScores, Scores, read_scores, write_counts
from confroc.ingest import read_cases
from support import slow


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
        (["yes", "no", "yes", "no"], "yes"),
        (["2", "1", "2", "1.0"], 2),
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


def test_a_column_of_floats_has_its_labels_shown_as_whole_numbers(tmp_path: Path) -> None:
    import polars as pl

    frame = pl.DataFrame({"y": [1.0, 0.5, 1.0, 0.5], "s": [4.0, 1.0, 3.0, 2.0]})
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    text = written(tmp_path, frame.write_csv())
    for source in (frame, frame.to_pandas(), path, text):
        with pytest.raises(ValueError, match=r"The labels are '?0\.5'?, 1\. Pass"):
            read_cases(source, label="y", scores=["s"])
        for pos_label in (1, 1.0, "1", "1.0", "1.00"):
            cases = read_cases(source, label="y", scores=["s"], pos_label=pos_label)
            assert (cases.positive, cases.negative) == ("1", "0.5")
    with pytest.raises(ValueError, match=r"labels are 1, 2\. Pass the positive one as `pos_label`\."):
        Scores(np.array([1.0, 2.0]), [1, 2])
    kept = write_counts(read_cases(text, label="y", scores=["s"], pos_label=1), path=tmp_path / "c.parquet")
    assert read_cases(kept, label="y", scores=["s"], pos_label="1.0").positive == "1"


def test_omitted_rows_are_counted(tmp_path: Path) -> None:
    text = "y,a,b\n1,3,1\n0,1,NA\n,2,2\n1,,3\n0,nan,1\n0,1,0\n"
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=r"1 missing in 'y', 2 missing in 'a', 1 missing in 'b'.*omit"):
        read_scores(path, label="y", score=("a", "b"))
    cases = read_cases(path, label="y", scores=["a", "b"], nan_policy="omit", paired=True)
    assert (cases.n_rows, cases.n_dropped) == (6, 4)
    pair = cases.scores
    assert pair is not None
    assert (pair.n_pos, pair.n_neg, pair.n_dropped, cases.models["a"].n_dropped) == (1, 1, 4, 4)
    import pandas as pd

    again = read_cases(pd.read_csv(path), label="y", scores=["a", "b"], nan_policy="omit", paired=True)
    assert again.scores == pair
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
    with pytest.warns(ConfrocWarning, match=r"`[st]` has AUC below") as caught:
        read_cases(path, label="y", scores=["s", "t"], paired=True)
    assert len(caught) == 2


def test_all_scores_equal(tmp_path: Path) -> None:
    with pytest.warns(ConfrocWarning, match="All scores of `s` are equal"):
        assert read_scores(written(tmp_path, "y,s\n1,2\n0,2\n"), label="y", score="s").auc == 0.5


BAD = [
    ("", "`source` must start with a line of column names"),
    ("y,s\n", "`source` must contain at least one row below the header"),
    ("y,s,s\n1,2,3\n0,1,2\n", r"`source` must have distinct column names; got \['s'\]"),
    ("y,t\n1,2\n0,1\n", "`score` must be a column of the data; got 's'.*The columns are 'y', 't'"),
    (
        "Y,s\n1,2\n0,1\n",
        "`label` must be a column of the data; got 'y'.*The columns are 'Y', 's'",
    ),
    ("y,s\n1,2\n1,1\n", "`label` must contain both classes"),
    ("y,s\na,2\nb,1\nc,3\n", "must contain two classes; got 3 labels: 'a', 'b', 'c'"),
    ("y,s\n1,2\n0,high\n", "`column s` must contain numbers; got 'high'. It is on line 3 of .*"),
    (
        "y,s\n1,2\n0,inf\n0,NA\n0,.\n0,-\n",
        "got '.'. It is on line 5 of .* Use plain numbers such as 1234.5, and NA for missing",
    ),
    ("y;s\n1;2\n0;2,228\n", "Use plain numbers such as 1234.5"),
    ("y,s\n1,2\n0,0,5\n", r"`source` must have 2 fields in each line; got .* Line 3 has .\. Correct"),
    ("y,s\n" + "".join(f"{i},{i}\n" for i in range(18)), "must contain two classes; got 18 labels"),
    ("y,s\n1,2\n0,inf\n", "`score s` must contain finite scores; got inf"),
    ("y,s\n1,2\n0,-inf\n", "`score s` must contain finite scores; got -inf"),
    ("y,s\n1,2\n0,\n", "1 missing in 's'"),
    ("y,s\n1,2\n ,1\n0,1\n", "1 missing in 'y'"),
    ("y,s\n1,2\n0\n", r"`source` must have 2 fields in each line; got .* Line 3 has .\. Correct"),
    ("y,s\n,2\n,1\n", "2 missing in 'y'"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        read_scores(written(tmp_path, text), label="y", score="s")


def test_bad_sources(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="`source` must be an existing file"):
        read_scores(tmp_path / "none.csv", label="y", score="s")
    with pytest.raises(ValueError, match=r"`source` must end in one of \.csv.* save it as CSV"):
        read_scores(written(tmp_path, "x", "a.xlsx"), label="y", score="s")
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_scores(written(tmp_path, "no parquet", "a.parquet"), label="y", score="s")
    with pytest.raises(ValueError, match="pattern of files"):
        read_scores(tmp_path, label="y", score="s")
    with pytest.raises(TypeError, match=r"`source` must be a path.*'int'"):
        read_scores(3, label="y", score="s")
    with pytest.raises(ValueError, match="`score` must contain distinct"):
        read_scores(written(tmp_path, "y,s\n1,2\n0,1\n"), label="y", score=("s", "s"))
    with pytest.raises(ValueError, match="`score` must contain at least one column"):
        read_scores(written(tmp_path, "y,s\n1,2\n0,1\n"), label="y", score=())
    text = "y,s\n" + "".join(f"{i},{i}\n" for i in range(100))
    with pytest.raises(ValueError, match="`label` must contain classes"):
        read_scores(written(tmp_path, text), label="y", score="s")
    (tmp_path / "latin.csv").write_bytes("é,s\n1,2\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"UTF-8.*iconv -f latin1 -t utf-8"):
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
        message = rf"`source` must have one header .*\(y,s\); got '{re.escape(other[:3])}'.*Save 2\.csv"
        with pytest.raises(ValueError, match=message):
            read_scores(str(tmp_path / "*.csv"), label="y", score="s")
    (tmp_path / "2.csv").write_text("y,s\n1,0.7\n")
    assert read_scores(str(tmp_path / "*.csv"), label="y", score="s").n_pos == 2


def test_a_csv_file_cut_off_within_a_row_is_noticed(tmp_path: Path) -> None:
    whole = "y,s\n1,0.75\n0,0.25\n1,0.5625\n"
    path = tmp_path / "cut.csv"
    for end in (-1, -3):
        path.write_text(whole[:end])
        with pytest.warns(ConfrocWarning, match=r"cut\.csv does not end with a line break"):
            read_scores(path, label="y", score="s")
    path.write_text(whole[:-8])
    with (
        pytest.warns(ConfrocWarning, match=r"cut\.csv does not end with a line break"),
        pytest.raises(ValueError, match="`source` must have 2 fields in each line"),
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


@pytest.mark.filterwarnings("ignore:.*predicted classes")
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
            with pytest.raises(ValueError, match="`score s` must contain finite scores"):
                read_scores(path, label="y", score="s", nan_policy="omit")


def test_a_source_that_changes_between_passes_is_refused() -> None:
    rows = "SELECT (i % 2)::INT AS y, i AS s FROM range(2000) AS t(i) WHERE random() < 0.5"
    with pytest.raises(ValueError, match="`source` must not change while it is read"):
        read_scores(rows, label="y", score="s")


ODD_NAMES = (
    "d[1]",
    "e*",
    "q?",
    "**",
    "b{1,2}",
    "[!a]",
    "]",
    "it's",
    'say "x"',
    "~",
    "é漢",
    "a b#%,;",
    "FROM me",
)


ENDS = (".csv.gz", ".arrow", ".counts.parquet")


def with_neighbors(folder: Path, end: str, write: Any) -> None:
    """Files of odd names, each with scores of its own, and those that their names as patterns would find."""
    for i, name in enumerate((*ODD_NAMES, "d1", "ee", "qq", "b1", "b")):
        write([i + 0.5, i], folder / f"{name}{end}")


@pytest.mark.parametrize("end", [".csv", ".parquet", *slow(ENDS, *ENDS)])
def test_a_path_that_exists_is_that_file(tmp_path: Path, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa
    from pyarrow import feather, parquet

    def write(scores: list[float], path: Path) -> None:
        table = pa.table({"y": [1, 0], "s": scores})
        if end == ".parquet":
            parquet.write_table(table, path)
        elif end == ".arrow":
            feather.write_feather(table, path)
        elif end == ".counts.parquet":
            write_counts(Scores([1, 0], scores), path=path, label="y", score="s")
        else:
            opened: Any = gzip.open if end == ".csv.gz" else open
            with opened(path, "wt") as file:
                file.write(f"y,s\n1,{scores[0]}\n0,{scores[1]}\n")

    folder = tmp_path / "[x]*"
    folder.mkdir()
    with_neighbors(folder, end, write)
    monkeypatch.chdir(folder)
    for i, name in enumerate(ODD_NAMES):
        source = folder / f"{name}{end}" if i % 2 else f"{name}{end}"
        assert read_scores(source, label="y", score="s").score.tolist() == [i + 0.5, i], source
    assert read_scores(f"d*{end}", label="y", score="s").n_pos == 2
    write([0.5, 0.0], tmp_path / f"back\\slash{end}")
    assert read_scores(tmp_path / f"back\\slash{end}", label="y", score="s").n_pos == 1
    (folder / f"d[1]{end}").unlink()
    assert read_scores(f"d[1]{end}", label="y", score="s").score[1] == len(ODD_NAMES)


def test_folders_named_like_columns_leave_the_columns_alone(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    folder = tmp_path / "s=3" / "pos=1000" / "y=1"
    folder.mkdir(parents=True)
    scores = Scores([1, 0, 1], [1.0, 2.0, 3.0])
    parquet.write_table(pa.table({"y": [1, 0, 1], "s": [1.0, 2.0, 3.0]}), folder / "x.parquet")
    written(folder, "y,s\n1,1\n0,2\n1,3\n")
    write_counts(scores, path=folder / "c.parquet", label="y", score="s")
    for name in ("x.parquet", "scores.csv", "c.parquet"):
        assert read_scores(folder / name, label="y", score="s") == scores


def test_parquet_files_of_different_types_keep_their_values(tmp_path: Path) -> None:
    """By the types of the first file alone, 0.7 would be 1."""
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.table({"y": [1, 0], "s": [1, 0], "t": [1, 2]}), tmp_path / "1.parquet")
    parquet.write_table(pa.table({"s": [0.7, 0.4], "y": [1, 0]}), tmp_path / "2.parquet")
    pattern = str(tmp_path / "*.parquet")
    assert read_scores(pattern, label="y", score="s") == Scores([1, 0, 1, 0], [1, 0, 0.7, 0.4])
    with pytest.raises(ValueError, match="`score` must be a column of the data; got 't'"):
        read_scores(pattern, label="y", score="t", nan_policy="omit")


def test_files_that_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    written(tmp_path, "y,s\n1,2\n", "a.csv")
    written(tmp_path, "y,s\n1,2\n", "a\\*.csv")
    written(tmp_path, "y,s\n1,2\n", "\udcff.csv")
    (tmp_path / "b.parquet").write_bytes(b"")
    for source, message in (
        (str(tmp_path / "pipe.csv"), "be a file or a pattern"),
        ("/dev/null", "be a file or a pattern"),
        (str(tmp_path / "[ab].*"), r"be files of one kind, \.csv like a\.csv; got.*b\.parquet"),
        (str(tmp_path / "b.parquet"), "be a readable table"),
        (str(tmp_path / "a\\*.csv"), "have no .* together with"),
        (str(tmp_path / "\udcff.csv"), "have a name in UTF-8"),
        ("https://example.org/x.csv", "be an existing file.*download remote files"),
        ("x" * 5000 + ".csv", "be an existing file"),
        ("x\0.csv", "be an existing file"),
        ("", "be an existing file"),
    ):
        with pytest.raises(ValueError, match=f"`source` must {message}"):
            read_scores(source, label="y", score="s")


def test_columns_that_pandas_leaves_without_a_name(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame({"y": [1, 0, 1], "s": [3.0, 1.0, 2.0]})
    path = tmp_path / "x.csv"
    frame.to_csv(path)
    expected = Scores(frame["y"], frame["s"])
    assert read_scores(path, label="y", score="s") == expected
    assert read_scores(path, label="y", score="Unnamed: 0") == Scores([1, 0, 1], [0, 1, 2])
    frame.rename_axis("filename").reset_index().to_csv(path)
    assert read_scores(path, label="y", score="filename") == Scores([1, 0, 1], [0, 1, 2])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (",y, ,s\n9,1,8,2\n9,0,8,1\n", ("y", "s")),
        ("filename,file_row_number,c0\n9,1,2\n9,0,1\n", ("file_row_number", "c0")),
        ("s,S\n1,2\n0,1\n", ("s", "S")),
        ('"y\nof all",s\n1,2\n0,1\n', ("y\nof all", "s")),
        ('"a;b;c;d",s\n1,2\n0,1\n', ("a;b;c;d", "s")),
        ("\U0001f600,\x1b[31ms\n1,2\n0,1\n", ("\U0001f600", "\x1b[31ms")),
        ('"' + "long" * 30_000 + '",s\n1,2\n0,1\n', ("long" * 30_000, "s")),
    ],
)
def test_headers_of_all_kinds(text: str, names: tuple[str, str], tmp_path: Path) -> None:
    assert read_scores(written(tmp_path, text), label=names[0], score=names[1]).auc == 1.0


def test_headers_that_cannot_be_read(tmp_path: Path) -> None:
    for text, message in (
        ("y" * 200_000 + ",s\n1,2\n", "be a readable table.*field larger than"),
        ("y,s," * 600_000 + "\n1,2\n", "be a readable table.*first line has more than 2000000"),
        ('y,"s\n' + "1,2\n" * 50_000, "be a readable table.*field larger than"),
    ):
        with pytest.raises(ValueError, match=f"`source` must {message}"):
            read_scores(written(tmp_path, text), label="y", score="s")


def test_a_damaged_gz_file_is_named(tmp_path: Path) -> None:
    text = "y,s\n" + "".join(f"{i % 2},{i}\n" for i in range(5000))
    whole = gzip.compress(text.encode())
    path = tmp_path / "s.csv.gz"
    expected = read_scores(written(tmp_path, text), label="y", score="s")
    for members in (
        whole,
        gzip.compress(b"") + whole,
        gzip.compress(text[:999].encode()) + gzip.compress(text[999:].encode()),
    ):
        path.write_bytes(members)
        assert read_scores(path, label="y", score="s") == expected
    damaged = [whole[:n] for n in (len(whole) // 2, -8, -4)] + [whole + b"garbage"]
    for place in (12, 20, len(whole) // 2, -6):
        damaged += [bytearray(whole)]
        damaged[-1][place] ^= 4
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"`source` must be a readable table; got '.*s\.csv\.gz'"):
            read_scores(path, label="y", score="s")


def test_queries_read_one_statement_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    monkeypatch.chdir(tmp_path)
    written(tmp_path, "y,s\n1,2\n0,1\n", "x.csv")
    found = pd.DataFrame({"y": [1, 0], "s": [1, 2]})
    assert len(found) == 2
    for query in ("FROM 'x.csv'", "SELECT * FROM x.csv; -- all", "WITH t AS (FROM 'x.csv') SELECT * FROM t"):
        assert read_scores(query, label="y", score="s").auc == 1.0
    for query, message in (
        ("SELECT 1 AS y, 2 AS s; DROP TABLE x", "be one SELECT statement"),
        ("FROM 'x.csv'; FROM 'x.csv'", "be one SELECT statement"),
        ("WITH t AS (FROM 'x.csv') INSERT INTO u FROM t", "be one SELECT statement"),
        (
            "WITH t AS (COPY (FROM 'x.csv') TO 'o.csv') SELECT 1 AS y, 2 AS s",
            "be one SELECT statement|be a readable",
        ),
        ("FROM 'x.csv' SELECT * INTO z", "be a readable table"),
        ("FROM found", "be a readable table"),
        ("FROM 'http://localhost:1/x.csv'", "read local files only"),
        ("FROM 's3://bucket/x.parquet'", "read local files only"),
        ("FROM sqlite_scan('a.db', 't')", "read local files only"),
        ("FROM enable_logging(storage='file', storage_config={'path': 'log'})", "be a readable table"),
    ):
        with pytest.raises(ValueError, match=f"`source` must {message}"):
            read_scores(query, label="y", score="s")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_column_names_for_the_command_line(tmp_path: Path) -> None:
    import pandas as pd

    from confroc.cli.data import column_names

    frame = pd.DataFrame({"y": [1, 0], "s": [2, 1]})
    for name in ("d[1].csv", "x.csv.gz"):
        frame.to_csv(tmp_path / name)
        assert column_names(str(tmp_path / name)) == ["Unnamed: 0", "y", "s"]
    frame.to_parquet(tmp_path / "d[1].parquet")
    assert column_names(str(tmp_path / "d[1].parquet")) == ["y", "s"]
    written(tmp_path, "y" * 200_000 + ",s\n", "long.csv")
    written(tmp_path, "", "empty.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("long.csv", "empty.csv", "pipe.csv", "none.csv"):
        assert column_names(str(tmp_path / name)) == []


def test_relations_that_are_no_more() -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT 1 AS y, 2 AS s")
    relation = connection.table("t")
    connection.execute("DROP TABLE t")
    for _ in range(2):
        with pytest.raises(ValueError, match="`source` must be a readable table; got 'DuckDB relation'"):
            read_scores(relation, label="y", score="s")
        connection.close()


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, "y,s\n1,2\n0,1\n")
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ValueError, match=r"`source` must be a readable table; got '.*scores\.csv'.*denied"):
        read_scores(path, label="y", score="s")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("1.", 1.0),
        (".5", 0.5),
        ("+1e+05", 1e5),
        ("-2E-1", -0.2),
        (" 7\t", 7.0),
        ("0007", 7.0),
        ("1e-400", 0.0),
        (str(2**53), 2.0**53),
        ("9007199254740993.0", 2.0**53),
        (" NaN ", None),
        ("  ", None),
        ("<NA>", None),
        ("n/a", None),
        ("1_000", "contain numbers"),
        ("+-1", "contain numbers"),
        ("--1", "contain numbers"),
        ("0x1", "contain numbers"),
        ("1,5", 1.5),
        ("1,500", "contain numbers"),
        ("1.000,5", "contain numbers"),
        ("1,000.5", "contain numbers"),
        ("1 0", "contain numbers"),
        ("1e", "contain numbers"),
        ("NAN", "contain numbers"),
        ("-nan", "contain numbers"),
        ("true", "contain numbers"),
        ("\u0661", "contain numbers"),
        ("\xa01", "contain numbers"),
        ("1\0", "contain numbers|be a readable table"),
        ("-Infinity", "contain finite scores"),
        ("1e999", "contain finite scores"),
        ("9" * 5000, "contain finite scores"),
        (str(2**53 + 1), r"contain integers of at most 2\*\*53"),
        (str(-(2**60)), r"contain integers of at most 2\*\*53"),
        ("+" + "1" * 300, r"contain integers of at most 2\*\*53"),
    ],
)
def test_what_a_field_must_look_like(field: str, value: Any, tmp_path: Path) -> None:
    path = written(tmp_path, f'y;s\n1;"{field}"\n1;3\n0;0\n')
    if isinstance(value, str):
        with pytest.raises(ValueError, match=f"`((column|score) s|source)` must ({value})"):
            read_scores(path, label="y", score="s", nan_policy="omit")
    else:
        expected = Scores([1, 1, 0], [np.nan if value is None else value, 3, 0], nan_policy="omit")
        assert read_scores(path, label="y", score="s", nan_policy="omit") == expected


def test_labels_with_white_space_are_missing_like_those_without(tmp_path: Path) -> None:
    path = written(tmp_path, "y,s\n1,2\n NA ,7\n0,1\n  ,5\n")
    expected = Scores([1, 0, None, None], [2, 1, 7, 5], nan_policy="omit")
    assert read_scores(path, label="y", score="s", nan_policy="omit") == expected


LARGE = 2**53 + 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (f"CAST({LARGE} AS HUGEINT)", r"contain integers of at most 2\*\*53"),
        (f"CAST({LARGE} AS UBIGINT)", r"contain integers of at most 2\*\*53"),
        (f"CAST({-LARGE} AS DECIMAL(38, 2))", r"contain integers of at most 2\*\*53"),
        ("CAST(1.25 AS DECIMAL(38, 2))", None),
        ("CAST(3 AS UHUGEINT)", None),
        ("true", None),
        ("NULL", "contain at least one complete row"),
        ("DATE '2020-01-01'", "contain numbers"),
        ("'1'", "contain numbers"),
        ("[1.0]", "contain numbers"),
        ("CAST([1] AS DECIMAL(9, 2)[])", "contain numbers"),
        ("{'a': 1}", "contain numbers"),
        ("'ab'::BLOB", "contain numbers"),
    ],
)
def test_types_of_scores(values: str, message: str | None) -> None:
    query = f"SELECT i AS y, CASE WHEN i = 1 THEN {values} END AS s FROM range(2) AS t(i)"
    query += f" UNION ALL SELECT 0, {values}"
    if message is None:
        with pytest.warns(ConfrocWarning, match="All scores of `s` are equal"):
            assert read_scores(query, label="y", score="s", nan_policy="omit").n_dropped == 1
        return
    with pytest.raises(ValueError, match=f"`((column|score) s|source)` must {message}"):
        read_scores(query, label="y", score="s", nan_policy="omit")


@pytest.mark.parametrize(
    ("one", "zero", "message"),
    [
        ("'a\tb'", "'c'", None),
        ("'it''s'", "'\U0001f600'", None),
        ("1.50::DECIMAL(9, 2)", "2.50::DECIMAL(9, 2)", None),
        ("'a'::ENUM('a', 'b''s')", "'b''s'::ENUM('a', 'b''s')", None),
        ("0.1::FLOAT", "0.2::FLOAT", None),
        ("170141183460469231731687303715884105727::HUGEINT", "1::HUGEINT", None),
        ("DATE '2020-01-01'", "DATE '2021-01-01'", "got 'DATE'"),
        ("'ab'::BLOB", "'cd'::BLOB", "got 'BLOB'"),
        ("['a']", "['b']", r"got 'VARCHAR\[\]'"),
        ("{'a': 1}", "{'a': 2}", "got 'STRUCT"),
        ("MAP {'a': 1}", "MAP {'a': 2}", "got 'MAP"),
        ("INTERVAL 1 DAY", "INTERVAL 2 DAY", "got 'INTERVAL'"),
    ],
)
def test_types_of_labels(one: str, zero: str, message: str | None) -> None:
    import duckdb

    one, zero = (v.replace("\0", "' || chr(0) || '") for v in (one, zero))
    query = f"SELECT {one} AS y, 2 AS s UNION ALL SELECT {zero}, 1"
    label = str(duckdb.sql(f"SELECT CAST({one} AS VARCHAR)").fetchall()[0][0])
    if message is None:
        assert read_scores(query, label="y", score="s", pos_label=label).auc == 1.0
        return
    with pytest.raises(TypeError, match=f"`label` must contain truth values, numbers or text; {message}"):
        read_scores(query, label="y", score="s", pos_label=label)


def test_arguments_of_wrong_types(tmp_path: Path) -> None:
    path = written(tmp_path, "y,s\n1,2\n0,1\n")
    good: dict[str, Any] = {"source": path, "label": "y", "score": "s"}
    for change, message in (
        ({"score": ()}, "`score` must contain at least one column"),
        ({"score": []}, "`score` must contain at least one column"),
        ({"score": 3}, "`score` must be text; got 3. Pass the name as text, e.g. '0'."),
        ({"score": None}, "`score` must be text"),
        ({"score": {"s"}}, "`score` must be text; got {'s'}. Pass the name as text"),
        ({"score": ("s", 3)}, "`score` must be text"),
        ({"label": None}, "`label` must be text"),
        ({"label": 3}, "`label` must be text"),
        ({"label": np.array([1, 0])}, "`label` must be text"),
        ({"label": ""}, "`label` must not be blank"),
        ({"source": 3}, "`source` must be a path"),
        ({"source": b""}, "`source` must be a path"),
        ({"source": None}, "`source` must be a path"),
        ({"source": [path]}, "`source` must be a path"),
        ({"source": tmp_path}, "`source` must be a file or a pattern of files"),
        ({"resolution": True}, "`resolution` must be an integer"),
        ({"resolution": 10.0}, "`resolution` must be an integer"),
        ({"nan_policy": None}, "`nan_policy` must be one of"),
        ({"pos_label": [1]}, "`pos_label` must be"),
    ):
        with pytest.raises(ValueError, match=message):
            read_scores(**(good | change))
    for scores in ([], "s"):
        with pytest.raises(ValueError, match="`scores` must be a list of at least one column"):
            read_cases(path, label="y", scores=scores)


def test_names_of_columns_that_are_no_text(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / "s.parquet"
    parquet.write_table(pa.table({"y": [1, 0], "score": [2, 1]}), path)
    path.write_bytes(path.read_bytes().replace(b"score", b"sc\xffre"))
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_scores(path, label="y", score="score")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_a_damaged_file_does_not_end_the_process(name: str, tmp_path: Path) -> None:
    """DuckDB 2.0 plans by damaged statistics of Parquet files, and follows damaged offsets of Arrow files."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    path = tmp_path / f"whole.{name}"
    y, s = np.arange(400) % 2, np.arange(400.0)
    if name == "arrow":
        feather.write_feather(pa.table({"y": y.astype(str), "s": s}), path, compression="lz4")
        bits = np.random.default_rng(0).integers(0, 8 * path.stat().st_size, 40).tolist()
    else:
        table = pa.table({"y": y[:40], "s": s[:40]})
        parquet.write_table(table, path, compression="none", use_dictionary=False)
        bits = list(range(32, 64))
    code = f"""
from pathlib import Path
from confroc import read_scores

whole = Path("whole.{name}").read_bytes()
for bit in {bits}:
    damaged = bytearray(whole)
    damaged[bit // 8] ^= 1 << bit % 8
    Path("damaged.{name}").write_bytes(damaged)
    try:
        read_scores("damaged.{name}", label="y", score="s")
    except ValueError:
        pass
print("alive")
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("delimiter", [";", "\t", "|", ","])
@pytest.mark.parametrize("name", slow(["a.csv", "a.txt.gz"], "a.txt.gz"))
def test_decimal_commas_are_detected_by_column(delimiter: str, name: str, tmp_path: Path) -> None:
    import pandas as pd

    rng = np.random.default_rng(3)
    y, s, t = rng.integers(0, 2, 2500), rng.normal(size=2500).round(4), rng.normal(size=2500)
    s[::7], s[1] = np.nan, 1234.5678
    frame = pd.DataFrame({"y": y, "s": s, "t": [repr(float(v)) for v in t], "whole": y + 3})
    # The text of `t` has points; pandas quotes fields that hold the delimiter.
    frame.to_csv(tmp_path / name, sep=delimiter, decimal=",", index=False)
    options: dict[str, Any] = {"label": "y", "nan_policy": "omit"}
    for column in ("s", "t", "whole"):
        values = frame[column].astype(float)
        for turned in (1, -1):
            asked = column if turned == 1 else f"-{column}"
            found = read_scores(tmp_path / name, score=asked, **options)
            assert found == Scores(y, turned * values, nan_policy="omit")
    both = read_scores(tmp_path / name, score=("s", "t"), **options)
    assert both == PairedScores(y, s, t, names=("s", "t"), nan_policy="omit")
    few = read_scores(tmp_path / name, score="s", resolution=50, **options)
    assert few == read_scores(frame, score="s", resolution=50, **options)


@pytest.mark.parametrize(
    ("rows", "got"),
    [
        ("1;0,5 0;0.25 1;3", "'0.25'"),
        ("1;0.5 0;0,25 1;3", "'0,25'"),
        # A comma that may separate thousands.
        ("1;1,234 0;999 1;12,500", "'1,234'"),
        ("1;0,5 0;1,234.5", "'1,234.5'"),
        ("1;0,5 0;1.234,5", "'1.234,5'"),
        ("1;0,5 0;1,2,3", "'1,2,3'"),
    ],
)
def test_a_column_has_one_decimal_mark(rows: str, got: str, tmp_path: Path) -> None:
    path = written(tmp_path, "y;s\n" + rows.replace(" ", "\n") + "\n")
    with pytest.raises(ValueError, match=f"`column s` must contain numbers; got {got}"):
        read_scores(path, label="y", score="s")


def test_decimal_commas_of_several_files_and_of_small_numbers(tmp_path: Path) -> None:
    written(tmp_path, "y;s\n1;2\n0;-1\n", "a.csv")
    written(tmp_path, "y;s\n1;,5\n0;-0,125\n1;1,5E-3\n0;1,250\n", "b.csv")
    expected = Scores([1, 0, 1, 0, 1, 0], [2, -1, 0.5, -0.125, 0.0015, 1.25])
    assert read_scores(str(tmp_path / "*.csv"), label="y", score="s") == expected
    # Beyond the rows that are looked at nothing is guessed.
    written(tmp_path, "y;s\n" + "1;1\n0;0\n" * 600 + "1;0,5\n", "c.csv")
    with pytest.raises(
        ValueError, match=r"`column s` must contain numbers; got '0,5'. It is on line 1,202 of .*c.csv"
    ):
        read_scores(tmp_path / "c.csv", label="y", score="s")


@pytest.mark.filterwarnings("default::FutureWarning")
@pytest.mark.parametrize("engine", ["pandas", "dask"])
def test_columns_of_frames_are_found_by_the_text_of_their_names(engine: str) -> None:
    import pandas as pd
    from dask import dataframe

    y, s, t = [0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2], [4, 3, 2, 1]
    tuples = [("a", "y"), ("a", "s"), ("b", "s")]
    for names in ([0, 1, 2], ["y", 1.5, np.int64(7)], [None, True, "t"], tuples):
        frame = pd.DataFrame(np.c_[y, s, t])
        frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
        label, *scores = map(str, names)
        if engine == "dask":
            frame = dataframe.from_pandas(frame, npartitions=2)
        found = read_scores(frame, label=label, score=scores)
        assert found == PairedScores(y, s, t, names=scores)
        assert list(frame.columns) == names
        with pytest.raises(
            ValueError, match=f"`score` must be a column of the data; got 'S'.*{re.escape(scores[0])}"
        ):
            read_scores(frame, label=label, score="S")


def test_columns_at_two_levels() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        np.c_[[0, 1, 1, 0], [1, 4, 3, 2]], columns=pd.MultiIndex.from_product([["a"], ["y", "s"]])
    )
    assert read_scores(frame, label="('a', 'y')", score="('a', 's')") == Scores([0, 1, 1, 0], [1, 4, 3, 2])


def test_repeated_columns_are_refused_in_every_source() -> None:
    import duckdb
    import pandas as pd
    import pyarrow as pa

    values = [[0, 1, 1, 0], [1, 4, 3, 2], [5, 6, 7, 8]]
    frame = pd.DataFrame(np.transpose(values))
    for names in (["y", "s", "s"], ["y", "s", "y"], ["y", 1, "1"]):
        frame.columns = names
        with pytest.raises(ValueError, match=r"`source` must be a readable table.*unique column names"):
            read_scores(frame, label="y", score=str(names[1]))
    with pytest.raises(ValueError, match=r"`source` must be a readable table.*unique column names"):
        read_scores(pa.table(values, names=["y", "s", "s"]), label="y", score="s")
    with pytest.raises(ValueError, match=r"`source` must have distinct column names; got \['s'\]"):
        read_scores(duckdb.sql("SELECT 1 AS y, 2 AS s, 3 AS s"), label="y", score="s")


@pytest.mark.parametrize("bad", ["", " ", "a\0", "a\0b", "\ud800", "x\udcff"])
def test_names_that_outputs_cannot_hold_are_refused(bad: str) -> None:
    import pandas as pd

    def frame(label: str, score: str, classes: Any, groups: Any) -> Any:
        y, g = (pd.Series(values, dtype=object) for values in (classes, groups))
        made = pd.DataFrame({0: y, 1: [1, 4, 3, 2], 2: g})
        made.columns = pd.Index([label, score, "g"], dtype=object)
        return made

    y, g = [0, 1, 1, 0], ["n", "n", "s", "s"]
    rule = "must not be blank or contain NUL or lone surrogates; got"
    with pytest.raises(ValueError, match=f"`label` {rule}"):
        read_scores(frame(bad, "s", y, g), label=bad, score="s")
    with pytest.raises(ValueError, match=f"`score` {rule}"):
        read_scores(frame("y", bad, y, g), label="y", score=bad)
    if bad.strip():
        # A blank class or group is missing.
        with pytest.raises(ValueError, match=f"`label` {rule}"):
            read_scores(frame("y", "s", ["b", bad, bad, "b"], g), label="y", score="s", pos_label="b")
        with pytest.raises(ValueError, match=f"`group` {rule}|`source` must be a readable table"):
            read_scores(frame("y", "s", y, [bad, bad, "s", "s"]), label="y", score="s", group="g")


def test_the_decimal_mark_can_be_given(tmp_path: Path) -> None:
    """Detected by column from a decimal number; where all look like thousands, the user knows better."""
    path = tmp_path / "scores.csv"
    path.write_text("y;s\n1;1,234\n0;1,111\n1;1,300\n0;1,250\n", encoding="utf-8")
    with pytest.raises(ValueError, match="must contain numbers"):
        read_scores(path, label="y", score="s")
    found = read_scores(path, label="y", score="s", decimal=",")
    assert found.score.tolist() == [1.3, 1.25, 1.234, 1.111]
    path.write_text("y;s;g\n1;0,5;a\n0;0,25;a\n1;0,5;b\n0;0,25;b\n", encoding="utf-8")
    assert read_scores(path, label="y", score="s") == read_scores(path, label="y", score="s", decimal=",")
    assert read_scores(path, label="y", score="s", group="g", decimal=",").a.score.tolist() == [0.5, 0.25]
    with pytest.raises(ValueError, match="must contain numbers"):
        read_scores(path, label="y", score="s", decimal=".")
    with pytest.raises(ValueError, match="`decimal` must be"):
        read_scores(path, label="y", score="s", decimal=";")
    frame = pytest.importorskip("pandas").DataFrame({"y": [0, 1], "s": [0.1, 0.2]})
    query = "SELECT 1 AS y, 0.5 AS s UNION SELECT 0, 0.1"
    frame.to_parquet(tmp_path / "p.parquet")
    for source in (frame, query, tmp_path / "p.parquet"):
        with pytest.raises(ValueError, match="`decimal` must be left out except for CSV files"):
            read_scores(source, label="y", score="s", decimal=",")
