"""The templates: pages as HTML, sentences as text.

Python computes facts (numbers, names, sets); templates choose the words. `templates/sentences.txt` holds one
macro for each kind of sentence, which the page, the command line and the JSON file share.
"""

from __future__ import annotations

import math
import os
import re
import sys
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from typing import Any

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket

from confroc._files import whole_file
from confroc.pages import words
from confroc.plot.style import OKABE_ITO

FILTERS = (
    "bare_pvalue",
    "count",
    "listed",
    "number",
    "percent",
    "plural",
    "prose",
    "pvalue",
    "rate",
    "signed",
    "threshold",
    "unbroken",
)
GLOBALS = ("amounts", "between", "differences", "signed_amounts", "stretch", "thresholds", "widest")
"""Words that templates use, after a value and with several."""
SENTENCES = "sentences.txt"
TEMPLATE_RULES: Any = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    # Each template is shown once: looking for constants in it takes longer than it saves.
    "optimized": False,
}
"""How templates are compiled."""


def sentence(name: str, /, **facts: Any) -> str:
    """Return one sentence as plain text: the macro of this name, filled with facts."""
    macro = getattr(_sentences(), name)
    return re.sub(r"\s*\n\s*", " ", macro(**facts)).strip()


@cache
def _sentences() -> Any:
    return environment().get_template(SENTENCES).module


class _Compiled(BytecodeCache):
    """Templates' bytecode, kept where Python keeps that of modules.

    Compiling them takes longer than all else that writes the page.
    """

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        # The same text is other code by other rules.
        return super().get_source_checksum(f"{TEMPLATE_RULES}{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError), open(bucket.key, "rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        # Where packages cannot be written to, templates are compiled each time.
        with suppress(OSError):
            os.makedirs(os.path.dirname(bucket.key), exist_ok=True)
            with whole_file(bucket.key) as beside, beside.open("wb") as file:
                bucket.write_bytecode(file)


@cache
def environment() -> Environment:
    """Return the templates; what they show is escaped in HTML and left as it is in text."""
    made = Environment(
        loader=PackageLoader("confroc.pages"),
        undefined=StrictUndefined,
        bytecode_cache=_Compiled(),
        autoescape=lambda name: name != SENTENCES,
        **TEMPLATE_RULES,
    )
    made.filters |= {name: getattr(words, name) for name in FILTERS}
    made.globals |= {name: getattr(words, name) for name in GLOBALS}
    made.globals["n_colors"] = len(OKABE_ITO)
    made.globals["infinity"] = math.inf
    return made
