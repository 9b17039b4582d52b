"""Shared fixtures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave this file out: it holds no examples."""
    return True if collection_path.name == "conftest.py" else None


@pytest.fixture(scope="session")
def uci_folder() -> Path:
    """Folder of the UCI data sets of the papers; for tests marked `uci`, which run where it is."""
    return Path(os.environ.get("CONFROC_DATA", ROOT.parent / "shared" / "data"))
