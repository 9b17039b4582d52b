"""The file list is the architecture: imports only point up it, public names stay put."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import confroc

SOURCE = Path(confroc.__file__).parent

# A file may import only from those before it, inside functions and for typing too.
ORDER = [
    "_types",
    "_keywords",
    "_check",
    "_docstrings",
    "_files",
    "_progress",
    "_kernels",
    "_options",
    "base",
    "results",
    "scores",
    "resample",
    "distributions",
    "curve",
    "moments",
    "influence",
    "models",
    "exact",
    "hypotheses",
    "statistics",
    "inference",
    "bootstrap",
    "linear",
    "comparing",
    "points",
    "auc",
    "bands",
    "precision",
    "cost",
    "drift",
    "planning",
    "general",
    "methods",
    "ingest",
    "sklearn",
    "plot",
    "pages",
    "auditing",
    "cli",
    "__main__",
]
FILES = sorted(p for p in SOURCE.rglob("*.py") if p.parent != SOURCE or p.name != "__init__.py")


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(p): p for p in FILES}


@functools.cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@functools.cache
def imports_of(name: str) -> set[str]:
    """All modules of the package that a file imports, at the top, in functions or for typing."""
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "confroc":
            base = node.module.removeprefix("confroc").removeprefix(".")
            for alias in node.names:
                full = f"{base}.{alias.name}".removeprefix(".")
                found.add(full if full in MODULES else base)
        elif isinstance(node, ast.Import):
            found |= {a.name.removeprefix("confroc.") for a in node.names if a.name.startswith("confroc.")}
    return found - {name}


def test_imports_point_up_the_list() -> None:
    for name in MODULES:
        own = name.split(".")[0]
        assert own in ORDER, f"{own} has no place in the file list"
        for imported in imports_of(name):
            other = imported.split(".")[0]
            if other in ORDER and other != own:
                assert ORDER.index(other) < ORDER.index(own), f"{name} must not import {imported}"
            # The package's own face shows public names; modules import from where these are made.
            assert imported or own in ("pages", "cli"), f"{name} imports from the top level"


def test_no_circle_of_imports() -> None:
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name in done or name not in MODULES:
            return
        path.append(name)
        # A package's face imports its files, which import each other but never the face.
        for imported in sorted(imports_of(name)):
            visit(imported)
        path.pop()
        done.add(name)

    for name in sorted(MODULES):
        visit(name)


def test_modules_looked_up_by_name() -> None:
    users = {
        name
        for name in MODULES
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Attribute) and node.attr == "import_module"
    }
    # The one door to the pictures.
    assert users <= {"results.base"}


def test_files_are_themes() -> None:
    long = {name: len(p.read_text(encoding="utf-8").splitlines()) for name, p in MODULES.items()}
    assert {name: lines for name, lines in long.items() if lines > 650} == {}


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
    "ArgumentError",
    "Band",
    "BinormalModel",
    "ConfrocWarning",
    "Difference",
    "Forecast",
    "Interval",
    "Intervals",
    "KernelModel",
    "PairedScores",
    "PrCurve",
    "Regions",
    "RocCurve",
    "ScoreStream",
    "Scores",
    "UnpairedScores",
    "aligned_thresholds",
    "auc_comparison",
    "auc_difference",
    "auc_equality_test",
    "auc_forecast",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "auc_test",
    "audit",
    "auditing",
    "average_precision",
    "average_precision_difference",
    "best_threshold",
    "calibration_band",
    "comparison",
    "confusion_at_threshold",
    "corrected_prevalence",
    "cost",
    "cost_band",
    "cost_curve",
    "cost_difference",
    "cost_difference_band",
    "curve_test",
    "difference",
    "dominance_at_threshold",
    "drift_monitor",
    "equal_error_rate",
    "exact",
    "expected_cost",
    "expected_cost_difference",
    "forecast_curve",
    "fpr_at_tpr",
    "interval",
    "methods",
    "nearest_distribution",
    "net_benefit",
    "net_benefit_difference",
    "plot",
    "power",
    "pr_band",
    "pr_curve",
    "precision_at_recall",
    "progress_bar",
    "rate_sample_size",
    "rates_at_positive_rate",
    "rates_at_threshold",
    "rates_difference_at_positive_rate",
    "rates_difference_at_threshold",
    "ratio",
    "read_counts",
    "read_scores",
    "reader_comparison",
    "report",
    "results",
    "risk_coverage_curve",
    "roc_band",
    "roc_curve",
    "roc_difference_band",
    "sample_size",
    "sklearn",
    "statistics",
    "threshold_at",
    "tpr_at_fpr",
    "tpr_difference_at_fpr",
    "write_counts",
}


def test_public_names() -> None:
    assert set(confroc.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(confroc, name).__doc__
