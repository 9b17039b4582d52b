"""What makes the page answer: the plotting library, the page's own script and the numbers both read.

Everything is inside the page. Its content policy names the two scripts by their SHA-256, so that nothing
else can run, and allows no connection at all.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

LIBRARY = "vendor/plotly-basic.min.js"
PARTS = ("arithmetic.js", "words.js", "charts.js", "page.js")


class Live(NamedTuple):
    """Three pieces of the page: its scripts, the policy that admits them, and the report's JSON."""

    scripts: tuple[Markup, ...]
    policy: Markup
    numbers: Markup


@cache
def _scripts() -> tuple[str, str]:
    folder = files("confroc.pages")
    library = folder.joinpath(LIBRARY).read_text(encoding="utf-8")
    own = "".join(folder.joinpath("script", part).read_text(encoding="utf-8") for part in PARTS)
    return library, f'"use strict";\n(() => {{\n{own}}})();\n'


@cache
def _policy() -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in _scripts())
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def live(numbers: str) -> Live:
    """Return the pieces for a page that holds these numbers, given as JSON."""
    # The one sign that could end a script element or open a comment inside it.
    safe = numbers.replace("<", "\\u003c")
    return Live(tuple(map(Markup, _scripts())), Markup(_policy()), Markup(safe))
