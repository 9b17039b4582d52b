"""Shared data and generators."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "confroc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("confroc")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Folder of the reference data sets: $CONFROC_DATA, or a `shared/data` folder beside the project."""
    folder = Path(os.environ.get("CONFROC_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found in {folder}; set CONFROC_DATA to their folder")
    return folder


@pytest.fixture(scope="session")
def asah() -> dict[str, np.ndarray]:
    """The example data set, by column."""
    with (ROOT / "examples" / "asah.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        "outcome": np.array([r["outcome"] for r in rows]),
        **{c: np.array([float(r[c]) for r in rows]) for c in ("s100b", "ndka", "wfns")},
    }
