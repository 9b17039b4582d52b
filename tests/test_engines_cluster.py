"""Engines with processes of their own: a Dask cluster and Spark. Spark's are run by `pytest -m engines`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from confroc import (
    PairedScores,
    Scores,
    auc_difference,
    auc_interval,
    cost_band,
    read_scores,
    resample,
    roc_band,
    tpr_at_fpr,
)
from confroc.influence import delong_covariance
from confroc.ingest import counting, read_cases
from test_engines_local import SCORES, messy, same

SPARK = pytest.param("spark", marks=pytest.mark.engines)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the data in three Parquet files."""
    folder = tmp_path_factory.mktemp("parts")
    frame = messy()
    for i in range(3):
        frame.iloc[i::3].to_parquet(folder / f"part{i}.parquet", index=False)
    return folder


@pytest.fixture(scope="module")
def dask_client() -> Iterator[Any]:
    """A cluster of two worker processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import distributed

        untyped: Any = distributed
        cluster = untyped.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, untyped.Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2
            yield client


@pytest.fixture(scope="module")
def dask_frame(dask_client: Any, parts: Path) -> Any:  # noqa: ARG001
    from dask import dataframe

    return dataframe.read_parquet(str(parts / "*.parquet"))


@pytest.fixture(scope="module")
def spark_frame(parts: Path) -> Iterator[Any]:
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
@pytest.mark.slow
@pytest.mark.filterwarnings("default", "error::confroc.ConfrocWarning")
@pytest.mark.parametrize("engine", ["dask", SPARK])
@pytest.mark.parametrize("resolution", [None, 40])
def test_clusters_give_the_same_counts(
    engine: str, resolution: int | None, request: pytest.FixtureRequest
) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    options: dict[str, Any] = {
        "label": "y", "scores": SCORES[:1] if resolution else SCORES[:2], "pos_label": "ill",
        "nan_policy": "omit", "paired": resolution is None, "resolution": resolution,
    }  # fmt: skip
    same(read_cases(frame, **options), read_cases(messy(), **options), engine)


@pytest.mark.slow
@pytest.mark.filterwarnings("default", "error::confroc.ConfrocWarning")
@pytest.mark.parametrize("engine", ["dask", SPARK])
def test_clusters_sum_up_without_joint_counts(
    engine: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    options: dict[str, Any] = {"label": "y", "score": SCORES[:3], "pos_label": "ill", "nan_policy": "omit"}
    expected = delong_covariance(read_scores(messy(), **options))
    monkeypatch.setattr(counting, "MOST_JOINT", 0)
    found = read_scores(frame, **options)
    assert not found.joint
    np.testing.assert_allclose(delong_covariance(found), expected, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "default", "error::confroc.ConfrocWarning", "ignore:.*has AUC below 0.5:confroc.ConfrocWarning"
)
@pytest.mark.parametrize("engine", ["dask", SPARK])
def test_clusters_count_by_group(engine: str, request: pytest.FixtureRequest) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    options: dict[str, Any] = {
        "label": "y",
        "score": "s",
        "group": "k",
        "pos_label": "ill",
        "nan_policy": "omit",
    }
    few = messy()["k"] % 20 == 15
    here, there = messy()[few], frame[frame["k"] % 20 == 15]
    expected, found = read_scores(here, **options), read_scores(there, **options)
    assert (found.names, found.samples) == (expected.names, expected.samples)
    assert [s.n_dropped for s in found.samples] == [s.n_dropped for s in expected.samples]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("engine", ["dask", SPARK])
def test_clusters_tell_errors_alike(engine: str, request: pytest.FixtureRequest) -> None:
    frame = request.getfixturevalue(f"{engine}_frame")
    for scores, options, message in (
        (["x"], {}, "`score` must be a column of the data; got 'x'"),
        (["y2"], {}, "`score` must be a column of the data; got 'y2'"),
        (["s"], {"pos_label": "ill"}, "`source` must contain no missing values"),
        (["s"], {"nan_policy": "omit"}, "`pos_label` must name the positive class.*'ill', 'well'"),
    ):
        with pytest.raises(ValueError, match=message):
            read_cases(frame, label="y", scores=scores, **options)  # type: ignore[arg-type]


def counts_and_process(pos: Any, neg: Any) -> Any:
    """The resample's own counts, and who drew them on how many threads."""
    import os
    import sys

    numba = sys.modules.get("numba")
    threads = numba.np.ufunc.parallel._is_initialized if numba else False
    return np.concatenate([pos, neg, [os.getpid(), threads]])


@pytest.mark.slow
@pytest.mark.filterwarnings("default", "error::confroc.ConfrocWarning")
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_a_cluster_resamples_to_the_last_bit(
    dask_client: Any,  # noqa: ARG001
    sampling: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Where much is drawn the workers count by machine code of their own.
    monkeypatch.setattr(resample, "MUCH", 0)
    g = np.random.default_rng(5)
    y = g.integers(0, 2, 300)
    scores = Scores(y, g.normal(size=300) + y)

    def run(n_jobs: int) -> Any:
        return resample.resample(
            counts_and_process,
            scores,
            300,
            7,
            size=(scores.n_pos, scores.n_neg),
            sampling=sampling,
            n_jobs=n_jobs,
        )

    here = run(1)
    with joblib.parallel_config(backend="dask"):
        there = run(-1)
    np.testing.assert_array_equal(there[:, :-2], here[:, :-2])
    assert len(set(there[:, -2])) == 2
    assert not set(there[:, -2]) & set(here[:, -2])
    # One thread a job: nobody started numba's own pool of threads.
    assert not there[:, -1].any()


@pytest.mark.slow
@pytest.mark.filterwarnings("default", "error::confroc.ConfrocWarning")
def test_a_cluster_gives_the_same_intervals(
    dask_client: Any,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resample, "MUCH", 0)
    g = np.random.default_rng(6)
    y = g.integers(0, 2, 200)
    a = g.normal(size=200) + y
    scores, pair = Scores(y, a), PairedScores(y, a, 0.5 * a + g.normal(size=200))
    for call in (
        lambda n: auc_interval(scores, method="bootstrap", n_resamples=200, rng=1, n_jobs=n),
        lambda n: auc_difference(pair, method="bootstrap", n_resamples=200, rng=1, n_jobs=n),
        lambda n: tpr_at_fpr(scores, fpr=[0.1, 0.3], method="bootstrap", n_resamples=100, rng=1, n_jobs=n),
        lambda n: cost_band(scores, w=[0.2, 0.6], n_resamples=100, rng=1, n_jobs=n),
        lambda n: roc_band(scores, method="bootstrap", n_resamples=100, rng=1, n_jobs=n),
        lambda n: roc_band(scores, n_resamples=100, rng=1, n_jobs=n),
    ):
        here = call(1)
        with joblib.parallel_config(backend="dask"):
            there = call(2)
        assert there.to_dict() == here.to_dict()
