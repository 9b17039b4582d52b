"""The documentation names everything that is public, every page can be reached, and no link leads nowhere.

The code in the pages for newcomers is run as doctests (see `testpaths` in pyproject.toml), that of the
command line by `test_cli_docs.py`.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import operator
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import matplotlib.pyplot as plt
import pytest

import confroc
from confroc.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if "generated" not in p.parts)
OUTSIDE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
SPACES = ("auditing", "cost", "exact", "plot", "sklearn", "statistics")
"""Namespaces of which every name is public; of others the reference lists what users meet."""


def public_names() -> set[str]:
    top = set(confroc.__all__)
    spaces = {
        f"{space}.{name}" for space in SPACES for name in getattr(confroc, space).__all__ if name not in top
    }
    return {name for name in top if not inspect.ismodule(getattr(confroc, name))} | spaces


def test_reference_has_every_public_name_once() -> None:
    listed = re.findall(r"^   ([A-Za-z][\w.]*)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert public_names() - set(listed) == set()
    assert len(set(listed)) == len(listed)
    for name in listed:
        assert operator.attrgetter(name)(confroc), name


def entries(page: Path) -> list[str]:
    """Pages that the tables of contents of a page name."""
    blocks = re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]


def test_every_page_is_reached_from_the_index() -> None:
    found = {DOCS / "index.md"}
    found |= {DOCS / f"{name}.md" for name in entries(DOCS / "index.md")}
    # Sphinx adds the pages of the studies to their contents (`complete` in conf.py); people follow links.
    folder = DOCS / "studies"
    for page in ("README.md", "statements.md"):
        linked = re.findall(r"\]\(([\w-]+\.md)", (folder / page).read_text(encoding="utf-8"))
        found |= {folder / name for name in linked}
    assert {str(p.relative_to(DOCS)) for p in PAGES if p not in found} == set()


def anchors(page: Path) -> set[str]:
    """Names of a page's headings, as GitHub and MyST make them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", [*PAGES, *OUTSIDE], ids=lambda p: str(p.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


def test_the_tests_that_show_a_correction_are_there() -> None:
    page = (DOCS / "theory" / "corrections.md").read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    folders = (ROOT / "tests", ROOT / "lab" / "tests")
    here = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("test_*.py"))
    assert named
    assert {name for name in named if f"def {name}(" not in here} == set()


def test_the_finders_find_what_they_should(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A · b: `c`\n```{toctree}\n:hidden:\n\nx\ny/z\n```\n", encoding="utf-8")
    assert entries(page) == ["x", "y/z"]
    assert anchors(page) == {"a--b-c"}


def r_console() -> list[tuple[str, str]]:
    """Return commands and printed output of the page for those coming from pROC."""
    page = (DOCS / "from-proc.md").read_text(encoding="utf-8")
    lines = "\n".join(re.findall(r"```rconsole\n(.*?)```", page, re.DOTALL))
    steps = re.split(r"^> ", lines, flags=re.MULTILINE)[1:]
    return [(step.partition("\n")[0], step.partition("\n")[2]) for step in steps]


def r_has_proc() -> bool:
    if shutil.which("Rscript") is None:
        return False
    ask = ["Rscript", "-e", "stopifnot(packageVersion('pROC') == '1.18.0')"]
    return subprocess.run(ask, capture_output=True, check=False).returncode == 0


@pytest.mark.peers  # half a minute, and R with pROC 1.18.0
def test_what_proc_prints(tmp_path: Path) -> None:
    if not r_has_proc():
        pytest.skip("needs R with pROC 1.18.0")
    steps = r_console()
    script = tmp_path / "page.R"
    script.write_text("\n".join(f'cat("\\n@@@\\n")\n{command}' for command, _ in steps), encoding="utf-8")
    done = subprocess.run(["Rscript", str(script)], cwd=ROOT, capture_output=True, text=True, check=True)
    printed = done.stdout.split("\n@@@\n")[1:]
    same = doctest.OutputChecker().check_output
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    differing = [
        (command, expected, got)
        for (command, expected), got in zip(steps, printed, strict=True)
        if not same(expected.strip() + "\n", got.strip() + "\n", flags)
    ]
    assert len(steps) > 20
    assert differing == []


class Recorder:
    """Stands in for a tracker's module: keeps what it is told to log."""

    def __init__(self) -> None:
        self.logged: list[object] = []

    def log_metrics(self, metrics: dict[str, float]) -> None:
        self.logged.append(metrics)

    def log_artifact(self, local_path: str) -> None:
        self.logged.append(Path(local_path).read_text(encoding="utf-8")[:15])

    def init(self, *, project: str) -> Recorder:
        assert project
        return self

    def log(self, data: dict[str, object]) -> None:
        self.logged.extend(data.values())

    def Html(self, data: str, *, inject: bool) -> str:  # noqa: N802, the tracker's name
        assert not inject
        return Path(data).read_text(encoding="utf-8")[:15]

    def finish(self) -> None:
        self.logged.append("finished")


def test_the_page_for_machine_learning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mlflow, wandb = Recorder(), Recorder()
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gcf().axes))
    monkeypatch.chdir(tmp_path)  # the page writes a report
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    page = str(DOCS / "for-machine-learning.md")
    failed, tried = doctest.testfile(page, module_relative=False, optionflags=flags, encoding="utf-8")
    assert (failed, tried > 30) == (0, True)
    assert [len(axes) for axes in shown] == [2]
    metrics, artifact = mlflow.logged
    assert set(metrics) == {"auc", "auc_lower", "auc_upper"}
    assert str(artifact).lower() == "<!doctype html>"
    assert wandb.logged == [*metrics.values(), artifact, "finished"]


def test_every_python_snippet_is_run() -> None:
    """Pages are run as doctests, so that code without a prompt would not be."""
    configured = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for page in [ROOT / "README.md", *DOCS.glob("*.md")]:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        # Engines need clusters, reports a browser; the page for machine learning is run above.
        if blocks and page.name not in ("engines.md", "report.md", "for-machine-learning.md"):
            assert [block for block in blocks if not block.startswith(">>> ")] == []
            assert f'"{page.relative_to(ROOT).as_posix()}"' in configured


def not_imported(page: str) -> list[str]:
    """Return what code blocks use of confroc without importing it themselves, with the block's number.

    Readers copy one block. What an earlier one computed they must copy, too; imports nobody looks for.
    """
    known, assigned, lacking = {"confroc", *confroc.__all__}, set(), []
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page, re.DOTALL)):
        prompted = block.startswith(">>> ")
        examples = doctest.DocTestParser().get_examples(block)
        nodes = [*ast.walk(ast.parse("".join(e.source for e in examples) if prompted else block))]
        imported = {
            (name.asname or name.name).partition(".")[0]: getattr(node, "module", None) or name.name
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        known |= {name for name, module in imported.items() if module.startswith("confroc")}
        names = [node for node in nodes if isinstance(node, ast.Name)]
        assigned |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        used = {name.id for name in names} & known
        lacking += [f"{number}: {name}" for name in sorted(used - imported.keys() - assigned)]
    return lacking


@pytest.mark.parametrize("page", [*PAGES, *OUTSIDE], ids=lambda p: str(p.relative_to(ROOT)))
def test_every_snippet_imports_what_it_uses(page: Path) -> None:
    assert not_imported(page.read_text(encoding="utf-8")) == []


def test_a_snippet_without_its_import_is_found() -> None:
    first = "```python\n>>> from confroc.plot import CurveDisplay\n>>> cost = CurveDisplay\n```\n"
    second = "```python\nroc_curve(cost)\nCurveDisplay(confroc)\n```\n"
    assert not_imported(first + second) == ["1: CurveDisplay", "1: confroc", "1: roc_curve"]


def test_command_lines_have_options_that_exist() -> None:
    context, found, wrong = click.Context(main), 0, []
    for page in [*PAGES, *OUTSIDE]:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line, name in re.findall(r"((?<=[/`\n ])confroc +([a-z][a-z-]+)[^\n`|#>]*)", text):
            command = main.get_command(context, name) if name in COMMANDS else None
            if command is None:
                continue
            known = {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)}
            used = set(re.findall(r" (--[a-z][\w-]*|-[a-zA-Z](?= ))", line)) - {"--help"}
            found += len(used)
            wrong += [(page.name, name, option) for option in sorted(used - known)]
    assert found > 200
    assert wrong == []


def test_methods_recommended_for_questions_exist() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "confroc").rglob("*.py"))
    page = (DOCS / "which-method.md").read_text(encoding="utf-8")
    words = {*re.findall(r"`([a-z]\w+)`", page)} - {*dir(confroc)}
    assert {"score_delong", "inverted_binomial"} < words
    assert [word for word in sorted(words) if f'"{word}"' not in source] == []


EVIDENCE = {
    "AUC": "area",
    "TPR at an FPR": "TPR at an FPR",
    "Both rates at a threshold": "both rates at a threshold",
    "Cost": "cost",
    "Difference between two AUCs": "difference of areas",
    "Difference between two TPRs at an FPR": "difference of TPRs at an FPR",
    "Differences of both rates at thresholds": "difference of both rates",
}
"""Statistics of the table of coverage, and the cells of the study that they average."""


def test_the_tables_of_coverage_quote_their_study() -> None:
    """Mean and least coverage of each method and size, over areas and places."""
    study = (DOCS / "studies" / "which_method.md").read_text(encoding="utf-8").split("## Coverage")[1]
    found: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for cell, method, mean, span, _ in re.findall(
        r"^\| (.+?) \| (.+?) \| (.*?) \| (.*?) \| (.*?) \|", study, re.M
    )[2:]:
        kind, *_, size = cell.split(", ")
        least = float(span.split(" to ")[0] or mean)
        found.setdefault((kind, method.removesuffix(" (joint)"), size), []).append((float(mean), least))
    page = (DOCS / "evidence.md").read_text(encoding="utf-8")
    page = page.split("## From few cases to many")[1].split("\n## ")[0]
    seen, wrong, kind = 0, [], ""
    for line in page.splitlines():
        kind = next((k for head, k in EVIDENCE.items() if line.startswith(f"| {head} |")), kind)
        row = re.match(r"\| .*?\| `(\w+)` \| (.*) \|$", line)
        for size, printed in zip(
            ("25 + 25", "100 + 100", "20 + 500"), row[2].split(" | ") if row else [], strict=False
        ):
            quoted = re.match(r"([\d.]+) \(([\d.]+)\), ", printed)
            if row is None or quoted is None:
                continue
            means, leasts = zip(*found[kind, row[1], size], strict=True)
            seen += 1
            # Each cell of the page is rounded to three digits already.
            if abs(sum(means) / len(means) - float(quoted[1])) > 0.0011 or min(leasts) != float(quoted[2]):
                wrong.append((kind, row[1], size, printed))
    assert seen > 65
    assert wrong == []
    large: dict[bool, list[float]] = {True: [], False: []}
    for (_, method, size), cells in found.items():
        if size == "1000 + 1000" and f"`{method}`" in page:
            large[method == "wald"].append(sum(mean for mean, _ in cells) / len(cells))
    quoted = re.search(r"is (0\.\d+) to (0\.\d+), except for `wald` \((0\.\d+) to (0\.\d+)\)", page)
    assert quoted is not None
    ends = [end for means in (large[False], large[True]) for end in (min(means), max(means))]
    assert [float(number) for number in quoted.groups()] == pytest.approx(ends, abs=0.0011)


HARD = {
    "AUC": ("edges_areas", "area, "),
    "Difference between two AUCs": ("edges_areas", "difference, "),
    "TPR at an FPR": ("edges_rates", r"(?!FPR)"),
    "FPR at a TPR, 10 positives": ("edges_rates", "FPR at"),
    "FPR at a predicted-positive rate": ("edges_shares", ""),
    "TPR at a predicted-positive rate": ("edges_shares", "", " (tpr)"),
    "Precision at a predicted-positive rate": ("edges_shares", "", " (precision)"),
    "Difference between two TPRs at an FPR": ("edges_differences", "TPR difference, "),
    "Differences of rates at thresholds": ("edges_differences", "differences at", " (joint)"),
    "ROC curve": ("edges_bands", "curve, "),
    "Difference between two ROC curves": ("edges_bands", "difference, "),
    "All AUCs within a Jeffreys divergence of 0.1": ("edges_drift", "budget, "),
    "AUC of the next segment, 2 segments": ("edges_drift", r"2 segments of 50 \+ 100"),
}
"""The study, cells and suffix of the method behind rows of the table of hard cases."""
OTHER_LEVEL = re.compile(r"\b(?:80|99) ?%|(?:level |, )0\.(?:8|99)$")


def test_the_table_of_hard_cases_quotes_its_studies() -> None:
    page = (DOCS / "evidence.md").read_text(encoding="utf-8")
    page = page.split("## Few cases, ties and skewed scores")[1].split("Coverage for other statistics")[0]
    seen, wrong, label = 0, [], ""
    for first, method, mean, least in re.findall(
        r"^\| (.*?) ?\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", page, re.MULTILINE
    ):
        label = first or label
        if label not in HARD:
            continue
        study, cells, *suffix = HARD[label]
        text = (DOCS / "studies" / f"{study}.md").read_text(encoding="utf-8").split("## Coverage")[1]
        rows = re.findall(r"^\| (.+?) \| (.+?) \| ([\d.]+) \| (.*?) \|", text, re.MULTILINE)
        found = [
            (float(share), float(span.split(" to ")[0] or share))
            for cell, name, share, span in rows
            if re.match(cells, cell) and not OTHER_LEVEL.search(cell) and name == method + "".join(suffix)
        ]
        seen += 1
        means, leasts = zip(*found, strict=True)
        if abs(sum(means) / len(means) - float(mean)) > 0.0011 or min(leasts) != float(least):
            wrong.append((label, method, sum(means) / len(means), min(leasts)))
    assert seen > 15
    assert wrong == []
