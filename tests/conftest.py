"""Shared data and generators."""

from __future__ import annotations

import csv
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# A shell without job control has its background jobs ignore Ctrl-C, and so would what the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "confroc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("confroc")


def pytest_configure(config: pytest.Config) -> None:
    """Run slow tests too where all are named, as in `pytest tests/test_power.py::test_sample_size`."""
    if all("::" in arg for arg in config.args):
        config.option.markexpr = config.option.markexpr.replace("not (slow or ", "not (")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the browser's tests to their own step, which installs what they import.

    This file holds no examples; asked for some, it would be taken for the `conftest.py` of the pages.
    """
    if collection_path.name == "conftest.py":
        return True
    if collection_path.name == "test_report_browser.py" and config.getoption("markexpr") != "browser":
        return True
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where a test was skipped on CI: it would look like one that passed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and os.environ.get("CI") and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{len(skipped)} skipped: on CI a skipped test is a failed one", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Folder of the classic data sets that pROC's recorded numbers belong to."""
    return ROOT / "tests" / "reference" / "data"


@pytest.fixture(scope="session")
def uci_folder() -> Path:
    """Folder of the UCI data sets of the papers; for tests marked `uci`, which run where it is."""
    return Path(os.environ.get("CONFROC_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def asah() -> dict[str, np.ndarray]:
    """The example data set, by column."""
    with (ROOT / "examples" / "asah.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        "outcome": np.array([r["outcome"] for r in rows]),
        **{c: np.array([float(r[c]) for r in rows]) for c in ("s100b", "ndka", "wfns")},
    }
