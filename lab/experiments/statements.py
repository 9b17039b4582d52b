"""Every figure, table and sentence about results of the five papers, with our results.

`python lab/experiments/statements.py` writes docs/studies/statements.md from the registers in
lab/experiments/statements (a file per paper, a row per statement, in our words) and from the results of the
studies, docs/studies/*.csv, which `confroc-lab show --page` writes.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from confroc_lab.experiment import list_experiments
from confroc_lab.page import FINDING_COLUMNS
from words import WORDS

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "docs" / "studies"
PAGE = STUDIES / "statements.md"
PAPERS = {
    "dg_roc": "Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of ROC curves",
    "dg_cost": "Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves",
    "mp": "Macskassy & Provost 2004, Confidence bands for ROC curves",
    "bcv": "Bertail, Clémençon & Vayatis 2008, On bootstrapping the ROC curve",
    "morin": "Morin 2018, Forecast intervals for the area under the ROC curve",
}
VERDICTS = ("agrees", "undecided", "explained", "not reproduced", "not offered", "cited")
COLUMNS = ("statement", "where", "paper", "our result", "verdict", "evidence")
SHOWN = 3
"""Most numbers of a study listed singly; of more, how many agree and their range."""


class Statement(NamedTuple):
    """A row of a register.

    Attributes
    ----------
    id : str
    where : str
        Section, figure, table or equation of the paper.
    says : str
        In our words.
    verdict : str
        One of `VERDICTS`. "explained" where number or sentence differ for a reason that another number shows;
        "not offered" for claims about methods that confroc does not have; "cited" for definitions, and for
        results that the paper cites.
    gets : str
        Our result, in addition to the numbers of the studies.
    because : str
        The reason where it does not agree.
    by : list of str
        Further evidence: a test, a command, a page of the documentation.
    """

    id: str
    where: str
    says: str
    verdict: str
    gets: str = ""
    because: str = ""
    by: Sequence[str] = ()


class Found(NamedTuple):
    """A result of a study for a statement: a row of its CSV, and the study's name."""

    study: str
    row: Mapping[str, str]


def register(paper: str) -> list[Statement]:
    """Read a paper's statements."""
    path = ROOT / "lab" / "experiments" / "statements" / f"{paper}.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["statement"] if path.exists() else []
    return [Statement(**row) for row in rows]


def findings(folder: Path = STUDIES) -> list[Found]:
    """Read the results of the studies, in the order of their names."""
    found = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) == FINDING_COLUMNS:
                found += [Found(path.stem, row) for row in reader]
    return found


def by_statement(found: Iterable[Found]) -> dict[str, list[Found]]:
    """Group the results by statement."""
    groups: dict[str, list[Found]] = {}
    for one in found:
        groups.setdefault(one.row["statement"], []).append(one)
    groups.pop("", None)
    return groups


def numbers(found: Sequence[Found]) -> str:
    """Return the studies' numbers for one statement with their Monte Carlo errors."""
    if len(found) <= SHOWN:
        return "; ".join(
            f"{one.row['ours']} ± {one.row['error']} (expected {one.row['expected']}"
            f"{'' if one.row['verdict'] == 'agrees' else ': ' + one.row['verdict']})"
            for one in found
        )
    kinds: dict[str, list[Mapping[str, str]]] = {}
    for one in found:
        expected = one.row["expected"]
        kinds.setdefault("differences" if " than " in expected else f"expected {expected}", []).append(
            one.row
        )
    if len(kinds) > SHOWN:
        # Numbers of a table differ in what is expected.
        alike = [row for kind, rows in kinds.items() if kind != "differences" for row in rows]
        rest = {"differences": kinds["differences"]} if "differences" in kinds else {}
        kinds = {"numbers": alike} | rest
    return "; ".join(_group(kind, rows) for kind, rows in kinds.items())


def _group(kind: str, rows: Sequence[Mapping[str, str]]) -> str:
    ours = sorted(float(row["ours"]) for row in rows)
    error = max(float(row["error"]) for row in rows)
    agree = sum(row["verdict"] == "agrees" for row in rows)
    span = f"{ours[0]:.4g}" if len(ours) == 1 else f"{ours[0]:.4g} to {ours[-1]:.4g}"
    return f"{kind}: {agree} of {len(rows)} agree, {span}, ± {error:.2g} at most"


def evidence(by: str) -> str:
    """Turn a piece of evidence into a command or a link."""
    if by.startswith("docs/"):
        page = by.removeprefix("docs/")
        return f"[{page.partition('#')[0]}](../{page})"
    return f"`pytest {by}`" if by.startswith(("tests/", "lab/tests/")) else f"`{by}`"


def row_of(statement: Statement, found: Sequence[Found]) -> tuple[str, ...]:
    """Return a row of the table."""
    gets = [statement.gets, numbers(found), statement.because]
    studies = dict.fromkeys(one.study for one in found)
    by = [f"[`confroc-lab run lab/experiments/{name}.py`]({name}.md)" for name in studies]
    by += [evidence(one) for one in statement.by]
    said = " ".join(part if part.endswith((".", "?")) else f"{part}." for part in gets if part)
    return (statement.id, statement.where, statement.says, said, statement.verdict, ", ".join(by))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines)


def studies() -> list[tuple[str, ...]]:
    """List the studies with how long they took and how many of their statements agree."""
    rows = []
    for item in list_experiments(ROOT / "lab" / "experiments"):
        path = STUDIES / f"{item.name}.md"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        agreed = re.search(r"^## Statements that agree: (.*)$", text, re.MULTILINE)
        ran = re.search(r": (\d+) samples a cell(?:, (.*) of one core)?\.$", text, re.MULTILINE)
        samples, time = ran.groups() if ran else ("", "")
        rows.append(
            (f"[{item.title}]({item.name}.md)", samples, time or "", agreed.group(1) if agreed else "not run")
        )
    return rows


def page() -> str:
    """Return the page of all statements."""
    found = by_statement(findings())
    registers = {paper: register(paper) for paper in PAPERS}
    counts = [
        (title, *(str(Counter(s.verdict for s in registers[paper])[verdict]) for verdict in VERDICTS))
        for paper, title in PAPERS.items()
    ]
    parts = [
        "# Statements of the papers, and our results",
        "Every figure, table and sentence about results of the five papers behind confroc, in our words. "
        "*Agrees*: every number of ours differs by at most two Monte Carlo standard errors (of both studies "
        "for a number, of ours for an inequality) plus the rounding of the printed number, or a test proves "
        "it. *Undecided*: an alternative would agree as well, or a coverage is based on fewer than 2,000 "
        "samples. *Explained*: the number or the sentence differs for a reason that another number shows. "
        "*Not reproduced*: it differs. *Not offered*: confroc does not implement it. *Cited*: a definition, "
        "or a result that the paper cites. Numbers are ours with their Monte Carlo standard error; of "
        "several, their range. `+0.1 than x` is a difference from x. [Corrections](../theory/corrections.md) "
        "has the misprints.",
        table(("paper", *VERDICTS), counts),
        "`python lab/experiments/statements.py` writes this page from the registers in "
        "`lab/experiments/statements` and the results of the studies. The command of a row reruns its "
        "study at full size; `-j 2` uses two cores.",
    ]
    for paper, title in PAPERS.items():
        rows = [row_of(s, found.get(s.id, [])) for s in registers[paper]]
        parts += [f"## {title}", table(COLUMNS, rows)]
    parts += [
        "## Words",
        "Quantitative definitions of words that the papers use without a number. The choice is ours, and the "
        "same in all studies.",
        table(
            ("word", "number", "of what"),
            [(word, f"{value:g}", means) for word, (value, means) in WORDS.items()],
        ),
        "## The studies",
        "`confroc-lab run lab/experiments` runs all of them. Times are for one core. Numbers of the paper, "
        "of theory and of our own are counted separately.",
        table(("study", "samples a cell", "time", "numbers that agree"), studies()),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
