"""What the package says of itself holds: versions, licenses, dependencies and their reasons.

`.ci/package` builds it, and uses it where nothing else is installed.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import confroc

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Import names that differ from the names of their packages.
PACKAGE_OF = {"sklearn": "scikit-learn", "lazy_loader": "lazy-loader", "distributed": "dask"}


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~ ]", r, maxsplit=1)[0] for r in requirements}


def imported(folder: str) -> set[str]:
    """Packages that the files of a folder import, wherever in the file."""
    names = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return {PACKAGE_OF.get(n, n) for n in names - set(sys.stdlib_module_names) - {"confroc"}}


def test_one_version_everywhere() -> None:
    assert PROJECT["version"] == confroc.__version__ == version("confroc")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert f"## [{PROJECT['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_licenses_are_there() -> None:
    for name in PROJECT["license-files"]:
        assert (ROOT / name).read_text(encoding="utf-8").strip()


def test_source_imports_only_what_it_declares() -> None:
    needed = named(PROJECT["dependencies"])
    extras = {
        name
        for key in ("sklearn", "arrow", "dask", "spark")
        for name in named(PROJECT["optional-dependencies"][key])
    }
    assert imported("src/confroc") <= needed | extras
    assert needed <= imported("src/confroc"), "a dependency that nothing imports"


def test_every_dependency_has_a_reason() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    everything = named(PROJECT["dependencies"]).union(*map(named, PROJECT["optional-dependencies"].values()))
    # As a word of the first column of a table.
    first = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE))))
    assert everything - first == set()


def test_steps_of_ci_exist_and_are_documented() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for step in sorted((ROOT / ".ci").iterdir()):
        assert step.stat().st_mode & 0o100, f"{step.name} cannot be run"
        assert f".ci/{step.name}" in text
    for called in re.findall(
        r"^\s*(?:\w+=\S+ )*\.ci/(\w+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE
    ):
        assert (ROOT / ".ci" / called).exists()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "CITATION.cff"])
def test_files_speak_of_the_project_alone(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"/tmp/|/work/|file://|https?://(localhost|127\.|10\.|192\.168\.)", text)


LARGE = """
import confroc
y = [0, 1] * 125_000
print(confroc.__file__, confroc.Scores(y, range(250_000)).auc)
"""


@pytest.mark.slow
def test_kernels_compile_where_no_cache_can_be_written(tmp_path: Path) -> None:
    source = Path(confroc.__file__).parent
    shutil.copytree(source, tmp_path / "confroc", ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    # Files in the place of folders: also for root, whom no permissions keep from writing.
    for folder in {path.parent for path in (tmp_path / "confroc").rglob("*.py")}:
        (folder / "__pycache__").touch()
    (home := tmp_path / "home").touch()
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONPATH": str(tmp_path)}
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | places
    command = [sys.executable, "-c", LARGE]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Of n/2 positives, each above one negative more than the last: (1 + ... + n/2)/(n/2)².
    assert done.stdout.split() == [str(tmp_path / "confroc" / "__init__.py"), str(0.5 + 1.0 / 250_000)]
    assert {path.name for path in tmp_path.iterdir()} == {"confroc", "home"}
