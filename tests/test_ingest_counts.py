"""Count tables as files: what was written is what every reader gets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import PairedScores, Scores, UnpairedScores, read_scores
from confroc._check import ArgumentError
from confroc.ingest import read_cases, read_counts, write_counts
from confroc.ingest.counts import DIGEST, FORMAT, KEY, _digest


def rows(n: int = 400, seed: int = 0) -> Any:
    import pandas as pd

    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, "ill", "well")
    a = np.round(rng.normal(size=n) + (y == "ill"), 1)
    a[:3] = np.nan
    return pd.DataFrame({"y": y, "a": a, "b": rng.normal(size=n) + (y == "ill")})


OPTIONS: dict[str, Any] = {"label": "y", "pos_label": "ill", "nan_policy": "omit"}


@pytest.mark.parametrize("resolution", [None, 20])
def test_written_counts_read_as_the_rows_did(resolution: int | None, tmp_path: Path) -> None:
    cases = read_cases(rows(), scores=["a", "b"], paired=True, resolution=resolution, **OPTIONS)
    path = write_counts(cases, path=tmp_path / "counts.parquet")
    again = read_cases(path, label="y", scores=["a", "b"], paired=True)
    assert (again.models, again.scores) == (cases.models, cases.scores)
    for name in ("label", "positive", "negative", "n_rows", "n_dropped"):
        assert getattr(again, name) == getattr(cases, name)
    assert again.models["b"].n_dropped == 3
    assert again.models["b"].fpr_error == cases.models["b"].fpr_error
    pair = cases.scores
    assert read_counts(path) == pair
    assert read_scores(path, score=("a", "b"), **OPTIONS) == pair
    assert read_scores(str(path), label="y", score=("b", "a")) == pair[1, 0]
    assert read_scores(path, label="y", score="b") == pair.b
    single = read_cases(rows(), scores=["b"], resolution=resolution, **OPTIONS)
    assert (
        read_scores(write_counts(single, path=tmp_path / "b.parquet"), label="y", score="b")
        == single.models["b"]
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.parquet", "counts.parquet"]


def test_days_add_up(tmp_path: Path) -> None:
    import pandas as pd

    for day in range(3):
        write_counts(
            read_cases(rows(seed=day), scores=["a", "b"], paired=True, **OPTIONS),
            path=tmp_path / f"{day}.parquet",
        )
    whole = read_cases(
        pd.concat([rows(seed=day) for day in range(3)]), scores=["a", "b"], paired=True, **OPTIONS
    )
    total = read_cases(str(tmp_path / "*.parquet"), label="y", scores=["a", "b"], paired=True)
    assert total.scores == whole.scores
    assert (total.n_rows, total.n_dropped) == (whole.n_rows, whole.n_dropped)


def test_bare_scores_and_names(tmp_path: Path) -> None:
    scores = Scores([0, 1, 1], [0.1, 0.1, 0.9])
    assert (
        read_scores(write_counts(scores, path=tmp_path / "s.parquet"), label="label", score="score") == scores
    )
    pair = PairedScores([0, 1, 1], [0.1, 0.1, 0.9], [1, 2, 3])
    path = write_counts(pair, path=tmp_path / "p.parquet", label="y", score=("m", "n"), positive="ill")
    assert read_scores(path, label="y", score=("m", "n"), pos_label="ill") == pair


def test_files_are_small_and_open_anywhere(tmp_path: Path) -> None:
    import polars as pl

    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 100_000)
    scores = Scores(y, np.round(rng.normal(size=y.size) + y, 2))
    path = write_counts(scores, path=tmp_path / "s.parquet")
    assert path.stat().st_size < 20 * len(scores.score) + 2000
    table = pl.read_parquet(path)
    assert table.columns == ["score", "pos", "neg"]
    assert table["pos"].sum() == scores.n_pos


def test_bad_counts_files(tmp_path: Path) -> None:
    scores = Scores([0, 1, 1], [0.1, 0.1, 0.9])
    with pytest.raises(ValueError, match=r"`path` must end in \.parquet"):
        write_counts(scores, path=tmp_path / "s.csv")
    with pytest.raises(ValueError, match=r"`score` must name 1 column\(s\)"):
        write_counts(scores, path=tmp_path / "s.parquet", score=("a", "b"))
    with pytest.raises(ValueError, match="`counts` must contain one model, or several jointly"):
        write_counts(read_cases(rows(), scores=["a", "b"], **OPTIONS), path=tmp_path / "s.parquet")
    with pytest.raises(ValueError, match=r"`path` must be in an existing folder; got .*none"):
        write_counts(scores, path=tmp_path / "none" / "s.parquet")
    assert list(tmp_path.iterdir()) == []
    path = write_counts(scores, path=tmp_path / "s.parquet")
    for options, message in (
        ({"label": "y", "score": "score"}, "`label` must be a column of the data; got 'y'.*'label'"),
        ({"label": "label", "score": "t"}, "`score` must be a column of the data; got 't'"),
        (
            {"label": "label", "score": "score", "pos_label": "0"},
            "`pos_label` must be the label counted",
        ),
        ({"label": "label", "score": "score", "resolution": 99}, "`resolution` must be omitted"),
    ):
        with pytest.raises(ValueError, match=message):
            read_scores(path, **options)  # type: ignore[call-overload]
    rows().to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=r"`source` must be .*table of counts"):
        read_counts(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="`source` must be all rows or all count tables"):
        read_scores(str(tmp_path / "*.parquet"), label="label", score="score")
    (tmp_path / "rows.parquet").unlink()
    write_counts(scores, path=tmp_path / "t.parquet", positive="yes")
    with pytest.raises(
        ValueError, match=r"`source` must have the same 'positive' in all files \('1'\); got 'yes'"
    ):
        read_counts(str(tmp_path / "*.parquet"))
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_counts(cut)


def forged(path: Path, about: Any, columns: str, *, key: str = KEY) -> Path:
    """Write a file that says something else, or has other columns."""
    import duckdb

    said = about if isinstance(about, str) else json.dumps(about)
    said = said.replace("'", "''")
    duckdb.sql(f"COPY ({columns}) TO '{path}' (FORMAT parquet, KV_METADATA {{{key}: '{said}'}})")
    return path


TABLE = "SELECT * FROM (VALUES (0.9, 1, 0), (0.1, 1, 1)) AS t(score, pos, neg)"
ROWS = f"FROM ({TABLE})"
TYPED = "SELECT score::DOUBLE AS score, pos::BIGINT AS pos, neg::BIGINT AS neg"
ABOUT = {
    "format": FORMAT,
    "label": "label",
    "scores": ["score"],
    "positive": "1",
    "negative": "0",
    "n_dropped": 0,
    "n_rows": 3,
}
SOUND = {"score": [0.9, 0.1], "pos": [1, 1], "neg": [0, 1]}


def said(**other: Any) -> dict[str, Any]:
    """What the file says, with a checksum that fits; a None takes an entry away."""
    about = {name: value for name, value in (ABOUT | other).items() if value is not None}
    return about | {DIGEST: _digest(about, SOUND)}


def test_the_forged_file_is_sound_but_for_what_is_wrong_in_it(tmp_path: Path) -> None:
    path = forged(tmp_path / "t.parquet", said(), f"{TYPED} {ROWS}")
    assert read_counts(path) == Scores([1, 1, 0], [0.9, 0.1, 0.1])


SAYS = {
    "not JSON": "{",
    "not JSON at all": "\\0",
    "a number": 3,
    "a list": [said()],
    "null": None,
    "empty": {},
    "nested without end": "[" * 100_000,
    **{f"no {name}": said(**{name: None}) for name in ABOUT},
    "no checksum": ABOUT,
    "format as text": said(format=str(FORMAT)),
    "format as truth": said(format=True),
    "another format": said(format=1),
    "a later format": said(format=99),
    "label a number": said(label=1),
    "positive a number": said(positive=1),
    "negative a list": said(negative=["0"]),
    "scores a text": said(scores="score"),
    "scores none": said(scores=[]),
    "scores three": said(scores=["a", "b", "c"]),
    "scores numbers": said(scores=[1]),
    "scores twice": said(scores=["a", "a"]),
    "scores the label": said(scores=["label"]),
    "scores two": said(scores=["a", "b"]),
    "dropped negative": said(n_dropped=-1),
    "dropped a fraction": said(n_dropped=0.5),
    "dropped a whole float": said(n_dropped=0.0),
    "dropped huge": said(n_dropped=10**30),
    "dropped text": said(n_dropped="0"),
    "dropped true": said(n_dropped=True),
    "rows negative": said(n_rows=-3),
    "an entry more": said(more=1),
    "another positive": said() | {"positive": "2"},
    "another number of rows": said() | {"n_rows": 4},
}


@pytest.mark.parametrize("case", SAYS)
def test_metadata_that_makes_no_sense_is_refused(case: str, tmp_path: Path) -> None:
    path = forged(tmp_path / "t.parquet", SAYS[case], f"{TYPED} {ROWS}")
    with pytest.raises(ArgumentError, match=r"`source` must be .*table of counts") as caught:
        read_counts(path)
    assert "count the rows again" in caught.value.remedy


COLUMNS = {
    "a count missing": f"{TYPED} FROM (VALUES (0.9, 1, 0), (0.1, 1, NULL)) AS t(score, pos, neg)",
    "a score missing": f"{TYPED} FROM (VALUES (0.9, 1, 0), (NULL, 1, 1)) AS t(score, pos, neg)",
    "another count": f"{TYPED} FROM (VALUES (0.9, 1, 0), (0.1, 2, 1)) AS t(score, pos, neg)",
    "another score": f"{TYPED} FROM (VALUES (0.9, 1, 0), (0.2, 1, 1)) AS t(score, pos, neg)",
    "a row less": f"{TYPED} {ROWS} LIMIT 1",
    "no rows": f"{TYPED} {ROWS} LIMIT 0",
    "rows in another order": f"{TYPED} {ROWS} ORDER BY score",
    "huge counts": f"SELECT score::DOUBLE AS score, 1e300::DOUBLE AS pos, neg::BIGINT AS neg {ROWS}",
    "counts as text": f"SELECT score::DOUBLE AS score, pos::VARCHAR AS pos, neg::BIGINT AS neg {ROWS}",
    "scores as text": f"SELECT score::VARCHAR AS score, pos::BIGINT AS pos, neg::BIGINT AS neg {ROWS}",
    "lists": f"SELECT [score::DOUBLE] AS score, pos::BIGINT AS pos, neg::BIGINT AS neg {ROWS}",
    "a column missing": f"SELECT score::DOUBLE AS score, pos::BIGINT AS pos {ROWS}",
    "a column more": f"{TYPED}, 1 AS more {ROWS}",
    "a top missing": f"{TYPED}, 2.0::DOUBLE AS score_a_max {ROWS}",
    "a top more": f"{TYPED}, 2.0::DOUBLE AS score_max {ROWS}",
    "other names": f"SELECT score::DOUBLE AS a, pos::BIGINT AS b, neg::BIGINT AS c {ROWS}",
}  # fmt: skip


@pytest.mark.parametrize("case", COLUMNS)
def test_columns_that_were_not_written_are_refused(case: str, tmp_path: Path) -> None:
    path = forged(tmp_path / "t.parquet", said(), COLUMNS[case])
    with pytest.raises(ArgumentError, match="`source` must be an intact table of counts"):
        read_counts(path)


def test_a_long_table_is_read_in_its_order(tmp_path: Path) -> None:
    """Several groups of rows, which several threads read: the checksum is that of their order."""
    score = np.arange(500_000.0)
    long = Scores.from_counts(score, score % 3, 1 + score % 2)
    path = write_counts(long, path=tmp_path / "t.parquet")
    for _ in range(3):
        assert read_counts(path) == long


def test_what_cannot_be_written_as_counts(tmp_path: Path) -> None:
    one, path = Scores([0, 1], [1, 2]), tmp_path / "s.parquet"
    for counts in (UnpairedScores(one, one), {"score": [1]}, None, path):
        with pytest.raises(TypeError, match="`counts` must be of type Scores or PairedScores or Cases"):
            write_counts(counts, path=path)  # type: ignore[arg-type]
    wrong: tuple[tuple[dict[str, Any], type[Exception], str], ...] = (
        ({"positive": 1}, TypeError, "`positive` must be text; got 1"),
        ({"label": None}, TypeError, "`label` must be text"),
        ({"score": (3,)}, TypeError, "`score` must be text"),
        ({"positive": " "}, ValueError, "`positive` must not be blank"),
        ({"label": "l\0"}, ValueError, "`label` must not be blank or contain NUL"),
        ({"score": "s\udcff"}, ValueError, "`score` must not be blank or contain .* lone surrogates"),
        ({"positive": "a", "negative": "a"}, ValueError, "`negative` must differ from `positive`"),
        ({"negative": "1.0"}, ValueError, "`negative` must differ from `positive`"),
        ({"score": ()}, ValueError, "`score` must name 1"),
        ({"score": "label"}, ValueError, "`score` must contain distinct"),
    )
    for options, kind, message in wrong:
        with pytest.raises(kind, match=message):
            write_counts(one, path=path, **options)
    with pytest.raises(ValueError, match="`path` must have a name in UTF-8"):
        write_counts(one, path=tmp_path / "na\udcff.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="needs names that Windows lacks")
@pytest.mark.parametrize(
    "name",
    ["{i}.parquet", "a'b.parquet", "d[1].parquet", "a*b?.parquet", "x\ny.parquet", "s=3/x.parquet", ".PQ"],
)
def test_names_are_taken_as_they_are(name: str, tmp_path: Path) -> None:
    one, path = Scores([0, 1, 1], [1, 2, 3]), tmp_path / name
    path.parent.mkdir(exist_ok=True)
    assert read_counts(write_counts(one, path=path, label="l'\t\U0001f600", positive='"')) == one


def test_an_old_file_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_counts(Scores([0, 1], [0, 1]), path=tmp_path / "s.parquet")
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_counts(Scores([0, 1, 1], [0, 1, 2]), path=path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s.parquet"]
