"""Engines on this machine: DuckDB and data frames give the same counts, to the last one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import PairedScores, Scores, read_scores
from confroc.ingest import Cases, read_cases
from confroc.ingest.frames import converting_errors
from support import slow

SCORES = ["s", "t", "k", "f"]


def messy(n: int = 3000) -> Any:
    """Ties, zeros of both signs, heavy tails, single precision, whole numbers, gaps of every kind."""
    import pandas as pd

    rng = np.random.default_rng(11)
    positive = rng.random(n) < 0.4
    y = np.where(positive, "ill", "well").astype(object)
    y[rng.random(n) < 0.01] = None
    y[rng.random(n) < 0.01] = " "
    s = np.exp(3 * rng.normal(size=n)) * np.where(positive, 2.0, 1.0)
    s[rng.random(n) < 0.3] = 0.0
    s[rng.random(n) < 0.01] = -0.0
    s[rng.random(n) < 0.02] = np.nan
    return pd.DataFrame(
        {
            "y": y,
            "s": s,
            "t": np.round(rng.normal(size=n) + positive, 2),
            "k": rng.integers(0, 60, n) + 9 * positive,
            "f": (rng.normal(size=n) + positive).astype(np.float32),
        }
    )


def local_sources(folder: Path) -> dict[str, Any]:
    import duckdb
    import polars as pl
    import pyarrow as pa
    from pyarrow import feather

    frame = messy()
    table = pa.Table.from_pandas(frame, preserve_index=False)
    # Text has no single precision: written as such, 0.1f would be read as 0.1.
    frame.astype({"f": float}).to_csv(folder / "m.csv", index=False)
    frame.to_parquet(folder / "m.parquet")
    feather.write_feather(table, folder / "m.feather")
    feather.write_feather(table.slice(0, 1000), folder / "part1.arrow", compression="uncompressed")
    feather.write_feather(table.slice(1000), folder / "part2.arrow")
    polars = pl.from_pandas(frame)
    return {
        "pandas": frame,
        "pandas with nullable types": frame.convert_dtypes(),
        "pandas with Arrow types": frame.convert_dtypes(dtype_backend="pyarrow"),
        "pandas categories": frame.assign(y=frame["y"].astype("category")),
        "polars": polars,
        "polars lazy": polars.lazy(),
        "polars lazy, from Parquet": pl.scan_parquet(folder / "m.parquet"),
        "polars categories, lazy": polars.lazy().with_columns(pl.col("y").cast(pl.Categorical)),
        "pyarrow": table,
        "CSV": folder / "m.csv",
        "Parquet": folder / "m.parquet",
        "Feather": folder / "m.feather",
        "Arrow, a pattern": str(folder / "part*.arrow"),
        "relation": duckdb.sql(f"SELECT * FROM '{folder / 'm.parquet'}'"),
        "query": f"SELECT * FROM '{folder / 'm.parquet'}' WHERE true",
        "query from": f"\n from '{folder / 'm.parquet'}'",
        "query with": f"with m as (from '{folder / 'm.parquet'}') select y, s, t, k, f from m",
    }


def same(found: Cases, expected: Cases, name: str) -> None:
    assert (found.n_rows, found.n_dropped) == (expected.n_rows, expected.n_dropped), name
    assert (found.positive, found.negative) == (expected.positive, expected.negative), name
    assert found.models == expected.models, name
    assert found.scores == expected.scores, name


@pytest.mark.slow
@pytest.mark.parametrize("resolution", slow([None, 40, 500], 500))
def test_every_engine_gives_the_same_counts(resolution: int | None, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "pos_label": "ill",
        "nan_policy": "omit",
        "paired": True,
        "resolution": resolution,
    }
    expected = read_cases(messy(), label="y", scores=SCORES, **options)
    whole = messy().dropna()
    whole = whole[whole["y"] != " "]
    assert expected.n_dropped == len(messy()) - len(whole)
    for name, model in expected.models.items():
        exact = Scores(whole["y"], whole[name], pos_label="ill")
        if resolution is None:
            assert model == exact
        assert len(model.score) <= (resolution or len(whole))
        assert abs(model.auc - exact.auc) <= model.auc_error + 1e-12
        # Neighboring levels may be fuller, but not by much; one level is 1/resolution of the cases.
        assert max(model.fpr_error, model.tpr_error) <= 6 / (resolution or np.inf)
    if resolution is None:
        assert expected.scores is not None
        assert expected.scores["s", "t"] == PairedScores(whole["y"], whole["s"], whole["t"], pos_label="ill")
    for name, source in local_sources(tmp_path).items():
        same(read_cases(source, label="y", scores=SCORES, **options), expected, name)


def test_levels_hold_what_the_rows_say(tmp_path: Path) -> None:
    frame = messy().dropna()
    frame.to_parquet(tmp_path / "m.parquet")
    model = read_scores(
        tmp_path / "m.parquet", label="y", score="s", pos_label="ill", nan_policy="omit", resolution=50
    )
    frame = frame[frame["y"] != " "]
    positive, s = (frame["y"] == "ill").to_numpy(), frame["s"].to_numpy()
    for low, high, pos, neg in zip(model.score, model.score_max, model.pos, model.neg, strict=True):
        inside = (s >= low) & (s <= high)
        assert (inside.sum(), (inside & positive).sum()) == (pos + neg, pos)
        assert {low, high} <= set(s[inside])
    # A heavily tied score has a level of its own.
    assert model.score_max[model.score == 0.0] == [0.0]


def test_few_scores_stay_as_they_are() -> None:
    frame = messy()
    options: dict[str, Any] = {"label": "y", "score": "k", "pos_label": "ill", "nan_policy": "omit"}
    rounded = read_scores(frame, resolution=100, **options)
    assert rounded.exact
    assert rounded == read_scores(frame, **options)


def test_scores_in_two_far_clusters_are_told_apart() -> None:
    import pandas as pd

    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 5000)
    s = np.where(rng.random(y.size) < 0.5, 1e-9 * rng.random(y.size), 1e9 + rng.random(y.size)) + 1e-10 * y
    model = read_scores(pd.DataFrame({"y": y, "s": s}), label="y", score="s", resolution=100)
    assert max(model.fpr_error, model.tpr_error) < 0.1


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([True, False, True], None),
        ([1, 0, 1], None),
        ([1.0, 0.0, 1.0], None),
        ([1, -1, 1], None),
        (["true", "False", "TRUE"], None),
        (["a", "b", "a"], "a"),
        ([7, 3, 7], "7"),
        ([7, 3, 7], 7.0),
        ([0.5, 0.25, 0.5], 0.5),
    ],
)
def test_labels_mean_the_same_everywhere(labels: list[Any], pos_label: Any, tmp_path: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    frame = pd.DataFrame({"y": labels, "s": [3, 1, 2]})
    frame.to_csv(tmp_path / "l.csv", index=False)
    pl.from_pandas(frame).write_parquet(tmp_path / "l.parquet")
    for source in (
        frame,
        pl.from_pandas(frame),
        pl.from_pandas(frame).lazy(),
        tmp_path / "l.csv",
        tmp_path / "l.parquet",
        duckdb.sql(f"from '{tmp_path / 'l.parquet'}'"),
    ):
        scores = read_scores(source, label="y", score="s", pos_label=pos_label)
        assert (scores.n_pos, scores.n_neg, scores.auc) == (2, 1, 1.0), type(source)


def bad_frames() -> dict[str, tuple[dict[str, Any], str]]:
    return {
        "no rows": ({"y": [], "s": []}, "`source` must contain at least one row"),
        "gaps": ({"y": [1, 0, 1], "s": [1.0, None, 2.0]}, "1 missing in 's'"),
        "infinite": (
            {"y": [1, 0, 1], "s": [1.0, float("-inf"), 2.0]},
            "`score s` must contain finite scores; got -inf",
        ),
        "text": ({"y": [1, 0, 1], "s": ["1", "x", "2"]}, "`(score|column) s` must contain numbers"),
        "huge": (
            {"y": [1, 0, 1], "s": [1, 2**53 + 1, 2]},
            r"`score s` must contain integers of at most 2\*\*53",
        ),
        "labels": ({"y": [1, 2, 2], "s": [1, 2, 3]}, "`pos_label` must name the positive class"),
        "one class": ({"y": [1, 1, 1], "s": [1, 2, 3]}, "`label` must contain both classes"),
        "scores as labels": (
            {"y": [i / 7 for i in range(99)], "s": list(range(99))},
            "`label` must contain classes",
        ),
        "column": ({"y": [1, 0], "t": [1, 2]}, "`score` must be a column of the data; got 's'"),
    }


@pytest.mark.parametrize("case", bad_frames())
def test_bad_data_is_told_alike(case: str, tmp_path: Path) -> None:
    import pandas as pd
    import polars as pl

    columns, message = bad_frames()[case]
    frame = pl.DataFrame(columns, strict=False)
    if case == "no rows":
        frame = frame.cast(pl.Float64)
    frame.write_parquet(tmp_path / "b.parquet")
    for source in (pd.DataFrame(columns), frame, frame.lazy(), tmp_path / "b.parquet"):
        with pytest.raises(ValueError, match=message):
            read_scores(source, label="y", score="s")


def test_mixed_label_types() -> None:
    import pandas as pd

    with pytest.raises(
        ValueError, match=r"`label` must contain labels of one type; got \['numbers', 'text'\]"
    ):
        read_scores(pd.DataFrame({"y": [1, "1", 0], "s": [1, 2, 3]}), label="y", score="s")


def test_bad_queries_and_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"`source` must be a readable table.*nowhere"):
        read_scores("SELECT * FROM nowhere", label="y", score="s")
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_scores("SELECT 1 AS y, FROM", label="y", score="s")
    frame = messy()
    frame.to_parquet(tmp_path / "whole.parquet")
    frame.to_feather(tmp_path / "whole.feather")
    for suffix in ("parquet", "feather"):
        cut = tmp_path / f"cut.{suffix}"
        whole = (tmp_path / f"whole.{suffix}").read_bytes()
        cut.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ValueError, match="`source` must be a readable table"):
            read_scores(cut, label="y", score="s", pos_label="ill")
    frame.to_csv(tmp_path / "whole.csv.gz", index=False)
    whole = (tmp_path / "whole.csv.gz").read_bytes()
    (tmp_path / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_scores(tmp_path / "cut.csv.gz", label="y", score="s", pos_label="ill", nan_policy="omit")


def test_resolution_is_checked() -> None:
    with pytest.raises(ValueError, match=r"`resolution` must be an integer from 10 to .*; got 3"):
        read_scores(messy(), label="y", score="t", pos_label="ill", resolution=3)
    import pandas as pd

    with pytest.raises(ValueError, match=r"`score s` must span less than 1\.8e308"):
        read_scores(
            pd.DataFrame({"y": [0, 1], "s": [-1.7e308, 1.7e308]}), label="y", score="s", resolution=10
        )


def test_the_users_connection_is_left_as_it_was() -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE mine AS SELECT range % 2 AS y, range AS s FROM range(10)")
        assert read_scores(connection.table("mine"), label="y", score="s").n_pos == 5
        assert connection.sql("SHOW TABLES").fetchall() == [("mine",)]
        assert connection.sql("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    messy().to_feather(tmp_path / "m.feather")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install confroc\[arrow\]"):
        read_scores(tmp_path / "m.feather", label="y", score="s")


def test_an_engine_that_lacks_a_part_is_told_how_to_get_it() -> None:
    for engine, remedy in (
        ("pyspark DataFrame", r"confroc\[spark\]"),
        ("dask DataFrame", r"confroc\[dask\]"),
        ("ibis Table", "pyarrow"),
    ):
        message = f"{engine} lacks pyarrow. Run `pip install {remedy}`"
        with pytest.raises(ImportError, match=message), converting_errors(engine):
            raise ImportError("no such module", name="pyarrow")
