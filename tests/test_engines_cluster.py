"""Engines with processes of their own: a Dask cluster and Spark. Run by `pytest -m engines`."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from confroc.ingest import read_cases
from test_engines_local import SCORES, messy, same

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the data in three Parquet files."""
    folder = tmp_path_factory.mktemp("parts")
    frame = messy()
    for i in range(3):
        frame.iloc[i::3].to_parquet(folder / f"part{i}.parquet", index=False)
    return folder


@pytest.fixture(scope="module")
def dask_frame(parts: Path) -> Iterator[Any]:
    pytest.importorskip("distributed", reason="needs dask: pip install 'dask[dataframe,distributed]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import distributed
        from dask import dataframe

        untyped: Any = distributed
        cluster = untyped.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, untyped.Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2
            yield dataframe.read_parquet(str(parts / "*.parquet"))


@pytest.fixture(scope="module")
def spark_frame(parts: Path) -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="needs PySpark: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("needs a Java runtime for Spark")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2",
        }
        builder = SparkSession.builder.master("local[2]").appName("confroc")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session.read.parquet(str(parts))
        session.stop()


# Both libraries warn of each other's and pandas's coming changes; confroc's own warnings stay errors.
@pytest.mark.filterwarnings("default", "error::confroc.ConfrocWarning")
@pytest.mark.parametrize("engine", ["dask", "spark"])
@pytest.mark.parametrize("resolution", [None, 40])
def test_clusters_give_the_same_counts(
    engine: str, resolution: int | None, request: pytest.FixtureRequest
) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    options: dict[str, Any] = {
        "label": "y", "scores": SCORES[:1] if resolution else SCORES[:2], "pos_label": "ill",
        "nan_policy": "omit", "pairs": resolution is None, "resolution": resolution,
    }  # fmt: skip
    same(read_cases(frame, **options), read_cases(messy(), **options), engine)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_clusters_tell_errors_alike(engine: str, request: pytest.FixtureRequest) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    for scores, options, message in (
        (["x"], {}, "`score` must be a column of the data; got 'x'"),
        (["y2"], {}, "`score` must be a column of the data; got 'y2'"),
        (["s"], {"pos_label": "ill"}, "`source` must hold no missing values"),
        (["s"], {"nan_policy": "omit"}, "`pos_label` must name the positive class.*'ill', 'well'"),
    ):
        with pytest.raises(ValueError, match=message):
            read_cases(frame, label="y", scores=scores, **options)  # type: ignore[arg-type]
