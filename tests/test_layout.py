"""The file list is the architecture: imports only point up it, and the public names stay put."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import confroc

SOURCE = Path(confroc.__file__).parent

# A file may import only from those before it.
ORDER = [
    "_types",
    "_check",
    "_files",
    "_kernels",
    "results",
    "methods",
    "scores",
    "resample",
    "distributions",
    "curve",
    "influence",
    "models",
    "exact",
    "points",
    "auc",
    "bands",
    "cost",
    "drift",
    "ingest",
    "sklearn",
    "plot",
    "pages",
    "lab",
    "cli",
    "__main__",
]


def module_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_at_module_level(tree: ast.Module) -> set[str]:
    """Names of confroc modules imported when the file is loaded (not under TYPE_CHECKING)."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts == ["confroc"]:
                names |= {alias.name for alias in node.names}
            elif parts[0] == "confroc":
                names.add(parts[1])
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("confroc.")}
    return names


FILES = sorted(p for p in SOURCE.rglob("*.py") if p.parent != SOURCE or p.name != "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_up_the_list(path: Path) -> None:
    own = module_of(path)
    assert own in ORDER, f"{own} has no place in the file list"
    for name in imported_at_module_level(ast.parse(path.read_text(encoding="utf-8"))):
        if name in ORDER and name != own:
            assert ORDER.index(name) < ORDER.index(own), f"{own} must not import {name}"


def test_numba_stays_in_the_kernels() -> None:
    for path in FILES:
        if module_of(path) != "_kernels":
            assert "import numba" not in path.read_text(encoding="utf-8"), path


def test_import_loads_no_heavy_library() -> None:
    code = "import sys, confroc; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = [
        "numba",
        "scipy.stats",
        "scipy.optimize",
        "matplotlib",
        "duckdb",
        "narwhals",
        "pandas",
        "joblib",
        "click",
        "rich",
        "jinja2",
    ]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


PUBLIC = {
    "Band",
    "BinormalModel",
    "ConfrocWarning",
    "Difference",
    "DifferenceBand",
    "Forecast",
    "Interval",
    "Intervals",
    "KernelModel",
    "PairedScores",
    "Regions",
    "RocCurve",
    "ScoreStream",
    "Scores",
    "UnpairedScores",
    "auc_difference",
    "auc_equality_test",
    "auc_forecast",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "auc_test",
    "cost",
    "cost_band",
    "cost_curve",
    "cost_difference",
    "cost_difference_band",
    "dominance_at_threshold",
    "drift_monitor",
    "exact",
    "expected_cost",
    "forecast_curve",
    "fpr_at_tpr",
    "lab",
    "methods",
    "nearest_distribution",
    "net_benefit",
    "net_benefit_difference",
    "plot",
    "rates_at_positive_rate",
    "rates_at_threshold",
    "rates_difference_at_threshold",
    "read_counts",
    "read_scores",
    "report",
    "results",
    "roc_band",
    "roc_curve",
    "roc_difference_band",
    "sklearn",
    "tpr_at_fpr",
    "tpr_difference_at_fpr",
    "write_counts",
}


def test_public_names() -> None:
    assert set(confroc.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(confroc, name).__doc__
