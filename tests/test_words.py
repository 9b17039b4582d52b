"""Words that documentation, docstrings and messages do not use, and those to use instead."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCES = ROOT / "src" / "confroc"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]

BANNED = {
    r"(?:is|are|was|were|be) told|told (?:apart|from)|tells|says|said": "differ; reports, states, shows",
    r"settles?d?|may be anything|the best may be": "the data do not show; 95% CI a to b",
    r"promis(?:e|es|ed|ing)|keeps? its word|honest(?:ly)?": "guarantee, nominal coverage, calibrated",
    r"asks for|asked for|answers with": "accepts, requires, returns",
    r"cases flagged|share called": "predicted positive",
    r"(?<!true )(?<!false )(?<!predicted-)(?<!predicted )positive rates?": "predicted-positive rate",
    r"laws?": "distribution",
    r"held against|judged on|beside|alike": "compared with, evaluated on, next to, identical",
    r"must be an argument of|must be given; got nothing": "f() has no argument; missing argument",
    r"the very (?:cases|sample)|these cases": "the sample, the data",
    r"how sure": "uncertainty, precision",
}
"""Patterns of whole words, and what stands in their place."""

BRITISH = {
    r"\w*(?:colour|favour|behaviour|neighbour|modell(?:ed|er|ing)|labelled|travelled)\w*": "or, l",
    r"(?:re)?cent(?:re[sd]?|ring)|grey|licence|misspelt|\w*haem\w+|analysed?|analysing": "American",
    r"\w*(?:al|lar|mar|[ti]m|om|rd|ent|gn)is(?:e[ds]?|ing|ation)": "ize",
}
"""British spellings; public names are American. Pages of studies keep the words that their programs wrote."""

ALLOWED = (
    r"law of total variance|the law of succession",
    r"Honest calibration assessment",  # the title of a paper
    r"total positive rates?",  # the term of Dugas & Gadoury's figures
    r"\"alike\"|[|,] alike[ ,]",  # a pair of populations of lab/experiments/shapes.py
)


def banned(text: str, words: dict[str, str] = BANNED | BRITISH) -> list[str]:
    """Return the banned words of a text, each with what to write instead; code is not read."""
    text = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)\s]*\)", " ", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub("|".join(ALLOWED), " ", text)
    return [
        f"{found}: write {instead}"
        for pattern, instead in words.items()
        for found in re.findall(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_pages_avoid_banned_words(page: Path) -> None:
    words = BANNED if "studies" in page.parts else BANNED | BRITISH
    assert banned(page.read_text(encoding="utf-8"), words) == []


def prose(source: str) -> str:
    """Return the docstrings and messages of a module, without examples and the names of parameters."""
    strings = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    lines = [line for text in strings if isinstance(text, str) and " " in text for line in text.splitlines()]
    return "\n".join(line for line in lines if not re.match(r"\s*(>>>|\.\.\.|\w+(, \w+)* : )", line))


def visible(template: str) -> str:
    """Return the text of a template, without tags, scripts, styles and statements."""
    return re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>|\{[{%#].*?[}%#]\}", " ", template, flags=re.DOTALL)


def test_sources_avoid_banned_words() -> None:
    found = {}
    for pattern, text in (("*.py", prose), ("*.html", visible), ("*.txt", visible)):
        for path in sorted([*SOURCES.rglob(pattern), *(ROOT / "examples").glob(pattern)]):
            name = path.relative_to(ROOT).as_posix()
            if words := banned(text(path.read_text(encoding="utf-8"))):
                found[name] = words
    assert found == {}


def test_banned_words_are_found() -> None:
    assert banned("Two models\ntold apart; a positive rate; Laws of counts.") == [
        "told apart: write differ; reports, states, shows",
        "positive rate: write predicted-positive rate",
        "Laws: write distribution",
    ]
    assert banned("Recentred, normalised and labelled colours.") == [
        *("labelled: write or, l", "colours: write or, l", "Recentred: write American"),
        "normalised: write ize",
    ]
    assert banned("Analyses of centers; noise arises; precise comparisons, otherwise raised.") == []
    assert banned("The true positive rate, `alike`, the law of total variance, [a](laws.md), outlaws.") == []
    assert banned(prose('def f(law):\n    """It says.\n\n    law : x\n    """\n    return "alike"')) == [
        "says: write differ; reports, states, shows"
    ]
    assert visible('<p class="these cases">{{ told }}It is told.</p><script>says</script>').split() == [
        *("It", "is", "told.")
    ]
