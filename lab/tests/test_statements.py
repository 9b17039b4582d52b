"""The register of what the papers say: every statement once, and each verdict as its evidence has it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import statements
from confroc_lab import list_experiments, load_experiment
from confroc_lab.experiment import SAMPLES, Expected, Finding, Listed
from confroc_lab.page import statements_of

ROOT = Path(__file__).resolve().parents[2]
FOUND = statements.findings()
REGISTERS = {paper: statements.register(paper) for paper in statements.PAPERS}


def test_every_statement_is_listed_once() -> None:
    ids = Counter(s.id for rows in REGISTERS.values() for s in rows)
    assert [key for key, n in ids.items() if n > 1] == []
    for paper, rows in REGISTERS.items():
        prefix = paper.replace("_", "").upper() + "-"
        assert [s.id for s in rows if not s.id.startswith(prefix)] == []


@pytest.mark.slow
@pytest.mark.parametrize("item", list_experiments(ROOT / "lab" / "experiments"), ids=lambda item: item.name)
def test_studies_tell_statements_that_are_listed(item: Listed) -> None:
    """What a study says in a paper's name, is listed; its page and its CSV are those of its statements."""
    ids = {s.id for rows in REGISTERS.values() for s in rows}
    expected = load_experiment(item.path).expected
    assert [e.says for e in expected if e.source == "paper" and e.statement not in ids] == []
    assert [e.says for e in expected if e.statement and e.statement not in ids] == []
    told = [one.row for one in FOUND if one.study == item.name]
    assert [(r["statement"], r["says"], r["source"]) for r in told] == [
        (e.statement, e.says, e.source) for e in expected
    ]
    lines = (ROOT / "docs" / "studies" / f"{item.name}.md").read_text(encoding="utf-8").splitlines()
    for row, e in zip(told, expected, strict=True):
        found = e.grade(float(row["ours"]), float(row["error"]), int(row["samples"]))
        assert float(row["allowed"]) == pytest.approx(found.allowed, rel=0.05)
        # The numbers of the page are rounded from more digits than those of the CSV.
        (*said, _, _, verdict) = (cell.replace("|", "\\|") for cell in statements_of([found])[0])
        start, end = "| " + " | ".join(said) + " |", f"| {verdict} |"
        assert any(line.startswith(start) and line.endswith(end) for line in lines)


@pytest.mark.parametrize("paper", REGISTERS)
def test_verdicts_follow_from_the_evidence(paper: str) -> None:
    """One agrees exactly when every number of a study agrees, or where there is none a test shows it."""
    groups = statements.by_statement(FOUND)
    wrong = []
    for s in REGISTERS[paper]:
        found = {one.row["verdict"] for one in groups.get(s.id, []) if one.row["source"] == "paper"}
        fits = set(statements.VERDICTS) - {"undecided"}
        if "not reproduced" in found:
            fits = {"explained", "not reproduced"}
        elif found:
            fits = found if found == {"agrees"} else {"undecided"}
        if s.verdict not in fits:
            wrong.append(f"{s.id}: {s.verdict}, but {found}")
        elif s.verdict == "agrees" and not (found or s.by):
            wrong.append(f"{s.id}: nothing tells it")
        elif s.verdict in ("explained", "not reproduced") and not (s.because and (s.gets or found or s.by)):
            wrong.append(f"{s.id}: says neither why nor what we get")
    assert wrong == []


def test_stored_verdicts_follow_the_rule() -> None:
    """On every page, from the numbers on it."""
    wrong = []
    for study, row in FOUND:
        relation, value = row["expected"].split()[:2]
        than = ("", "") if " than " in row["expected"] else None
        said = Expected(
            says="", cell="", method="", quantity="", value=float(value), relation=relation, than=than
        )
        ours, error, allowed = (float(row[key]) for key in ("ours", "error", "allowed"))
        # A width needs fewer samples than a share; which it is the row does not say.
        fits = {Finding(said, ours, error, n, allowed).verdict for n in (int(row["samples"]), SAMPLES)}
        if row["verdict"] not in fits:
            wrong.append(f"{study}: {row['says']}")
    assert wrong == []


@pytest.mark.parametrize("paper", REGISTERS)
def test_evidence_exists(paper: str) -> None:
    missing = []
    for s in REGISTERS[paper]:
        for by in s.by:
            path, _, name = by.partition("::")
            if path.startswith(("tests/", "lab/tests/", "docs/")):
                file = ROOT / path.partition("#")[0]
                there = file.exists() and (not name or f"def {name}(" in file.read_text(encoding="utf-8"))
            else:
                scripts = re.findall(r"\S+\.py\b", by)
                there = bool(scripts) and all((ROOT / script).exists() for script in scripts)
            if not there:
                missing.append(f"{s.id}: {by}")
    assert missing == []


def test_the_page_is_made_from_the_register() -> None:
    assert statements.PAGE.read_text(encoding="utf-8") == statements.page(), (
        "Run `python lab/experiments/statements.py`."
    )
