"""The script of mutation tests kills a mutant, and refuses tests that it cannot run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "benchmarks" / "mutants.py"

pytestmark = pytest.mark.slow


def test_a_mutant_is_killed_by_a_test_that_executes_it(tmp_path: Path) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(SCRIPT), "--kept", str(kept), "--jobs", "1", *args]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    kept, place = tmp_path / "map.json", "above - 0.5 * own"
    lines = (ROOT / "src" / "confroc" / "curve.py").read_text(encoding="utf-8").splitlines()
    assert run("--map", "test_curve.py").returncode == 0
    known = json.loads(kept.read_text(encoding="utf-8"))
    assert "tests/test_curve.py::test_vertices_and_areas_equal_scikit_learn" in known
    number = next(i for i, line in enumerate(lines, 1) if place in line)
    done = run("--only", f"curve.py:{number}")
    assert "[killed by tests/test_curve.py::" in done.stdout, done.stdout + done.stderr
    # A test that is no longer there.
    kept.write_text(
        json.dumps({"tests/test_curve.py::test_none": next(iter(known.values()))}), encoding="utf-8"
    )
    done = run("--only", f"curve.py:{number}")
    assert done.returncode == 2
    assert "run --map again" in done.stderr
