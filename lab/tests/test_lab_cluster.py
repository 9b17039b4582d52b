"""Studies on a Dask cluster."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import pytest

from confroc_lab import run_study
from test_experiments import file_of, invoke
from test_lab_study import STUDY, files


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


@pytest.mark.slow
def test_a_cluster_does_the_work_of_studies(dask_client: Any, tmp_path: Path) -> None:
    alone, together = tmp_path / "alone", tmp_path / "together"
    # Its rule is a function beside it, which workers get with the task.
    arguments = ("run", file_of("bcv_table1_probit"), "--quick", "--reps", "6")
    assert invoke(*arguments, "--output", str(alone)).exit_code in (0, 1)
    run_study(STUDY, tmp_path / "whole")
    address = dask_client.scheduler_info()["address"]
    done = invoke(*arguments, "--dask", address, "--output", str(together))
    assert done.exit_code in (0, 1), done.output
    # In Python, and rules of other kinds.
    with joblib.parallel_config("dask"):
        run_study(STUDY, tmp_path / "spread", n_jobs=-1)
    assert (alone / "results.csv").read_bytes() == (together / "results.csv").read_bytes()
    assert files(tmp_path / "spread") == files(tmp_path / "whole")
