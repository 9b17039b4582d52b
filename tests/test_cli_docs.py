"""The examples in docs/command-line.md, run again.

`python tests/test_cli_docs.py` writes the present outputs into the page; a block that still matches stays.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from confroc.cli import COMMANDS, main
from support import invoke

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "command-line.md"
BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


def examples() -> list[Any]:
    # A source distribution may come without the documentation.
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return [
        pytest.param(m["command"], m["output"], marks=[pytest.mark.slow] * ("confroc audit" in m["command"]))
        for m in BLOCK.finditer(page)
    ]


def run(command: str, folder: Path) -> str:
    """Output and errors of a command line, run in a folder that holds the examples."""
    if "|" in command:
        line = command.replace("confroc", f"{sys.executable} -m confroc")
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=folder, check=True)
        return done.stdout + done.stderr
    here = Path.cwd()
    os.chdir(folder)
    try:
        import shlex

        return invoke(main, shlex.split(command)[1:]).output
    finally:
        os.chdir(here)


def matches(found: str, shown: str) -> bool:
    """Whether an output is what the page shows, where `...` stands for whatever is left out."""
    # The last digits of a double are those of the mathematics library.
    shown, found = (re.sub(r"\d+\.\d{13,}", lambda n: f"{float(n[0]):.12g}", text) for text in (shown, found))
    return doctest.OutputChecker().check_output(shown, found, doctest.ELLIPSIS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "examples", path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    return path


@pytest.mark.parametrize(("command", "expected"), examples(), ids=lambda text: str(text)[:60].split("\n")[0])
def test_example_prints_what_the_page_shows(command: str, expected: str, folder: Path) -> None:
    assert matches(run(command, folder), expected)


@pytest.mark.skipif(not PAGE.exists(), reason="no documentation here")
def test_the_page_shows_every_command_and_its_options() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in COMMANDS:
        assert re.search(rf"confroc {name}\b", page), name
    # Options named on the page exist, whatever is renamed.
    context = main.make_context("confroc", ["auc", "--help"], resilient_parsing=True)
    known = {"--help", "--reps"}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        known |= {flag for parameter in command.params for flag in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page)) <= known


def rewrite() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")

        def block(match: re.Match[str]) -> str:
            found, shown = run(match["command"], folder), match["output"]
            if matches(found, shown):
                return match[0]
            if shown.endswith("\n...\n"):
                # As many lines as were shown before the rest was left out.
                found = "\n".join([*found.splitlines()[: shown.count("\n") - 1], "...", ""])
            return f"```console\n$ {match['command']}\n{found}```"

        PAGE.write_text(BLOCK.sub(block, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
