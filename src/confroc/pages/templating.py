"""The templates: pages as HTML, sentences as text.

Python computes facts (numbers, names, sets); templates choose the words. `templates/sentences.txt` holds one
macro for each kind of sentence, which the page, the command line and the JSON file share.
"""

from __future__ import annotations

import inspect
import math
import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from confroc.pages import words
from confroc.pages.figures import N_COLORS

SENTENCES = "sentences.txt"


def sentence(name: str, /, **facts: Any) -> str:
    """Return one sentence as plain text: the macro of this name with these facts."""
    macro = getattr(_sentences(), name)
    return re.sub(r"\s*\n\s*", " ", macro(**facts)).strip()


@cache
def _sentences() -> Any:
    return environment().get_template(SENTENCES).module


@cache
def environment() -> Environment:
    """Return the templates; values are escaped in HTML, and not in text."""
    made = Environment(
        loader=PackageLoader("confroc.pages"),
        undefined=StrictUndefined,
        autoescape=lambda name: name != SENTENCES,
        trim_blocks=True,
        lstrip_blocks=True,
        # Each template is rendered once, so optimizing constants takes longer than it saves.
        optimized=False,
    )
    own = {name: word for name, word in vars(words).items() if inspect.isfunction(word)}
    made.filters |= own
    made.globals |= own
    made.globals["n_colors"] = N_COLORS
    made.globals["infinity"] = math.inf
    return made
