"""`read_scores(group=...)`: samples by the values of a column, from every source, against pandas' groups."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from confroc import ConfrocWarning, Scores, UnpairedScores, auc_comparison, read_scores, write_counts
from confroc.ingest import counting

OPTIONS: dict[str, Any] = {"label": "y", "score": "s", "group": "g"}


def rows(names: Any = ("south", "north", "west"), n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, n)
    s = (rng.normal(size=n) + y).round(2)
    place = rng.integers(0, len(names), n)
    return pd.DataFrame({"y": y, "s": s, "t": -s, "g": pd.Series([names[i] for i in place])})


def sources(frame: pd.DataFrame, folder: Path) -> dict[str, Any]:
    import duckdb
    import pyarrow as pa
    from dask import dataframe

    frame.to_parquet(folder / "g.parquet")
    frame.to_csv(folder / "g.csv", index=False)
    return {
        "pandas": frame,
        "pandas, Arrow types": frame.convert_dtypes(dtype_backend="pyarrow"),
        "pandas, categories": frame.assign(g=frame["g"].astype("category")),
        "polars": pl.from_pandas(frame),
        "polars, lazy": pl.from_pandas(frame).lazy(),
        "polars, lazy categories": pl.from_pandas(frame)
        .lazy()
        .with_columns(pl.col("g").cast(pl.String).cast(pl.Categorical)),
        "pyarrow": pa.Table.from_pandas(frame),
        "dask": dataframe.from_pandas(frame, npartitions=3),
        "CSV": folder / "g.csv",
        "Parquet": folder / "g.parquet",
        "SQL": f"FROM '{folder / 'g.parquet'}'",
        "relation": duckdb.sql(f"FROM '{folder / 'g.parquet'}'"),
    }


def by_hand(frame: pd.DataFrame) -> dict[str, Scores]:
    return {str(g): Scores(part["y"], part["s"]) for g, part in frame.groupby("g")}


def same(found: UnpairedScores, expected: dict[str, Scores], name: str) -> None:
    assert found.names == tuple(expected), name
    assert list(found.samples) == list(expected.values()), name


@pytest.mark.filterwarnings("default::FutureWarning")
@pytest.mark.parametrize("names", [("south", "north", "west"), (10, 9, 2), (" b", "a ", "c")])
def test_every_source_gives_the_groups_in_order(names: Any, tmp_path: Path) -> None:
    frame = rows(names)
    # Numbers by size, text by spelling, without white space at the ends.
    expected = {
        str(name).strip(): by_hand(frame)[str(name)]
        for name in sorted(names, key=lambda v: v if isinstance(v, int) else v.strip())
    }
    for name, source in sources(frame, tmp_path).items():
        if not (name == "polars, lazy categories" and names[0] == 10):
            same(read_scores(source, **OPTIONS), expected, name)


@pytest.mark.parametrize("kind", ["date", "time", "truth"])
def test_dates_and_truth_values_are_groups(kind: str, tmp_path: Path) -> None:
    values: Any = {
        "date": [datetime.date(2026, 2, 1), datetime.date(2026, 1, 1)],
        "time": [datetime.datetime(2026, 2, 1, 5), datetime.datetime(2026, 1, 1)],
        "truth": [True, False],
    }[kind]
    frame = pl.from_pandas(rows((0, 1))).with_columns(
        g=pl.Series([values[int(i)] for i in rows((0, 1))["g"]])
    )
    frame.write_parquet(tmp_path / "g.parquet")
    first = read_scores(tmp_path / "g.parquet", **OPTIONS)
    shown = {"date": ("2026-01-01", "2026-02-01"), "truth": ("false", "true")}
    assert first.names == shown.get(kind, ("2026-01-01 00:00:00", "2026-02-01 05:00:00"))
    # To pandas a date is a point in time.
    also = [] if kind == "date" else [frame.to_pandas()]
    for source in (frame, frame.lazy(), frame.to_arrow(), *also):
        found = read_scores(source, **OPTIONS)
        assert (found.names, found.samples) == (first.names, first.samples), type(source)


@pytest.mark.filterwarnings("default::FutureWarning")
def test_rows_without_a_group_a_score_or_a_label(tmp_path: Path) -> None:
    frame = rows()
    frame.loc[:9, "g"] = None
    frame.loc[5:14, "s"] = np.nan
    complete = frame.dropna()
    expected = by_hand(complete)
    for name, source in sources(frame, tmp_path).items():
        if name == "polars, lazy categories":
            continue
        with pytest.raises(ValueError, match=r"`group` must contain no missing values.*10 missing in 'g'"):
            read_scores(source, **OPTIONS)
        found = read_scores(source, nan_policy="omit", **OPTIONS)
        assert found.names == tuple(expected), name
        for (group, scores), alone in zip(found.items(), expected.values(), strict=True):
            assert (scores.pos.tolist(), scores.score.tolist()) == (alone.pos.tolist(), alone.score.tolist())
            # Rows of the group that lack a score; those of no group are in none.
            assert scores.n_dropped == (frame["g"] == group).sum() - (complete["g"] == group).sum(), name


def test_many_cases_need_no_joint_counts_to_be_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_JOINT", 0)
    same(read_scores(rows(), **OPTIONS), by_hand(rows()), "few allowed")


@pytest.mark.parametrize("source", ["frame", "file"])
def test_levels_are_shared_by_the_groups(source: str, tmp_path: Path) -> None:
    frame = rows(tuple("abcdefghijkl"), 3000)
    frame.to_parquet(tmp_path / "g.parquet")
    # Fewer levels than groups, too.
    found = read_scores(frame if source == "frame" else tmp_path / "g.parquet", resolution=10, **OPTIONS)
    assert len(np.unique(np.concatenate([s.score for s in found.samples]))) <= 10
    for (name, exact), rounded in zip(by_hand(frame).items(), found.samples, strict=True):
        assert abs(rounded.auc - exact.auc) <= rounded.auc_error, name


def test_the_groups_can_be_compared() -> None:
    found = auc_comparison(read_scores(rows(), **OPTIONS))
    assert found.names == ("north", "south", "west")
    alike = auc_comparison(UnpairedScores(*by_hand(rows()).values(), names=list(by_hand(rows()))))
    # Only a file knows what its groups are called.
    assert (found.differences.at_name, alike.differences.at_name) == ("g", "group")
    assert (replace(found.differences, at_name="group"), found.test) == (alike.differences, alike.test)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"group": "gg"}, "`group` must be a column of the data; got 'gg'. Did you mean 'g'"),
    ({"group": "s"}, "`group` must differ from the label and score columns"),
    ({"group": "y"}, "`group` must differ from the label and score columns"),
    ({"group": 3}, "`group` must be text"),
    ({"score": ("s", "t")}, r"`group` must be given with one score column.*score='s'"),
    ({"score": "u"}, "`score` must be a column of the data; got 'u'"),
    (
        {"group": "t"},
        r"`group` must have both classes in every group, including '.*drop this one",
    ),
    ({"resolution": 3}, "`resolution` must be an integer from 10"),
    ({"nan_policy": "drop"}, "`nan_policy` must be one of"),
]


@pytest.mark.parametrize(("options", "words"), BAD)
def test_errors_say_what_to_do(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    rows().to_parquet(tmp_path / "g.parquet")
    for source in (rows(), pl.from_pandas(rows()).lazy(), tmp_path / "g.parquet"):
        with pytest.raises(ValueError, match=words):
            read_scores(source, **{**OPTIONS, **options})


def test_groups_that_make_no_sense(tmp_path: Path) -> None:
    frame = rows()
    for source in (frame.assign(g="all"), pl.from_pandas(frame.assign(g="all")).lazy()):
        with pytest.raises(ValueError, match=r"`group` must give at least two groups; got \['all'\]"):
            read_scores(source, **OPTIONS)
    frame.loc[frame["g"] == "west", "y"] = 1
    with pytest.raises(ValueError, match=r"including 'west'; got .*'negatives': 0"):
        read_scores(frame, **OPTIONS)
    many = pd.DataFrame({"y": [0, 1] * 1001, "s": 1.0, "g": np.repeat(range(1001), 2)})
    with pytest.raises(ValueError, match="`group` must have at most 1000 values"):
        read_scores(many, **OPTIONS)
    mixed = rows().assign(g=pd.Series([1, "1"] * 200, dtype=object))
    with pytest.raises(ValueError, match="`group` must contain values of one type"):
        read_scores(mixed, **OPTIONS)
    path = write_counts(Scores([0, 1], [1, 2]), path=tmp_path / "c.parquet", label="y", score="s")
    with pytest.raises(ValueError, match="`group` must be omitted for count tables"):
        read_scores(path, **OPTIONS)


def test_warnings_of_a_group_name_the_score() -> None:
    frame = rows()
    frame.loc[frame["g"] == "west", "s"] = 1.0
    with pytest.warns(ConfrocWarning, match="All scores of `s` are equal"):
        read_scores(frame, **OPTIONS)
    frame = rows()
    frame.loc[frame["g"] == "west", "s"] *= -1
    with pytest.warns(ConfrocWarning, match="`s` has AUC below 0.5.*use score='-s'"):
        read_scores(frame, **OPTIONS)


@pytest.mark.filterwarnings("default::FutureWarning")
def test_zero_is_one_group_whatever_its_sign(tmp_path: Path) -> None:
    frame = rows().assign(g=np.resize([0.0, -0.0, 1.5, -2.0], 400))
    expected = by_hand(frame)
    assert list(expected) == ["-2.0", "0.0", "1.5"]
    for name, source in sources(frame, tmp_path).items():
        same(read_scores(source, **OPTIONS), expected, name)
