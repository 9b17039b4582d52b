"""The distribution imports public names of confroc and `confroc.auditing` only, and what it declares."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

import confroc
import confroc_lab

ROOT = Path(__file__).resolve().parents[2]
LAB = ROOT / "lab"
PROJECT = tomllib.loads((LAB / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = sorted((LAB / "src").rglob("*.py"))
EXPERIMENTS = sorted((LAB / "experiments").glob("*.py"))
PACKAGE_OF = {"sklearn": "scikit-learn", "distributed": "dask"}
RIVAL = "rocci"
"""A package that `band_default.py` compares with where it is installed."""


def imports(path: Path) -> list[tuple[str, str]]:
    """Modules that a file imports, wherever in the file, and the names taken from them."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
    return found


def is_public(module: str, name: str) -> bool:
    """Whether a name is one of `confroc`, its public modules, `confroc.auditing` or `confroc.cli`."""
    top, _, rest = module.partition(".")
    if top != "confroc" or rest.split(".")[0] in ("auditing", "cli"):
        return True
    if not rest:
        return name in ("", "__version__", *confroc.__all__)
    return rest in confroc.__all__ and name in importlib.import_module(module).__all__


@pytest.mark.parametrize("path", [*SOURCES, *EXPERIMENTS], ids=lambda path: str(path.relative_to(LAB)))
def test_only_public_names_are_imported(path: Path) -> None:
    assert [pair for pair in imports(path) if not is_public(*pair)] == []


def test_a_private_import_is_found() -> None:
    assert is_public("numpy", "array")
    assert is_public("confroc.auditing.rules", "Rule")
    assert not is_public("confroc._check", "check_level")
    assert not is_public("confroc.auc", "auc_interval")
    assert not is_public("confroc", "influence")


def test_imports_are_declared_dependencies() -> None:
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    declared = {re.split(r"[\[<>=!~ ]", item, maxsplit=1)[0] for items in lists for item in items}
    modules = {module.split(".")[0] for path in [*SOURCES, *EXPERIMENTS] for module, _ in imports(path)}
    own = {path.stem for path in EXPERIMENTS} | {"confroc_lab"}
    foreign = modules - set(sys.stdlib_module_names) - own - {RIVAL}
    assert {PACKAGE_OF.get(name, name) for name in foreign} - declared == set()


def test_versions_and_public_names() -> None:
    assert PROJECT["version"] == confroc.__version__
    assert f"confroc=={confroc.__version__}" in PROJECT["dependencies"]
    assert (LAB / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")
    for name in confroc_lab.__all__:
        assert getattr(confroc_lab, name).__doc__
