"""Names of models as pictures hold them: as text, on several lines, or without their middle."""

from __future__ import annotations

import re
from collections.abc import Sequence

from confroc.results.shown import visible

LONGEST_LINE = 26
"""Letters on a line next to the rows of a forest."""
MOST_OF_NAME = 2 * LONGEST_LINE
"""Letters of a name where it is cut."""
AREA = r"(, | \()(AUC|AP) [0-9][^,]*$"
"""What `label_of` adds to the name of a model, as ", AUC 0.75 (95% CI 0.15 to 0.98)"."""


def plain(name: str) -> str:
    """Return a name as matplotlib must receive it: `$` starts no formula, `_` does not hide it.

    Control characters, which an SVG file cannot hold, are made visible.
    """
    escaped = visible(name).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def wrapped(text: str, width: int = LONGEST_LINE) -> str:
    r"""Return a text on lines of at most `width` letters, broken after a space, or else `_`, `-` or `/`.

    A word that is longer than a line breaks anywhere; `\$` counts as one letter, and a number keeps its unit.
    """
    letter = r"(?:\\\$|.)"
    line = rf"{letter}{{1,{width}}}(?:[ ]+|$)|{letter}{{1,{width}}}(?<=[_\-/])|{letter}{{{width}}}"
    lines = re.findall(line, re.sub(r"(?<=\d) (?=[%(])|(?<=AUC) (?=\d)|(?<=−) ", "\u00a0", text))
    return "\n".join(part.rstrip(" ") for part in lines).replace("\u00a0", " ")


def cut(name: str, most: int = MOST_OF_NAME) -> str:
    """Return a name without its middle if it is longer than `most` letters."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[most // 2 + 1 - most :]}"


def shortened(names: Sequence[str], most: int = MOST_OF_NAME) -> list[str]:
    """Return names cut to `most` letters, and numbered if different names would look the same."""
    short = {name: cut(name, most) for name in names}
    if len(set(short.values())) < len(short):
        short = {name: f"{k}: {cut(name, most - len(f'{k}: '))}" for k, name in enumerate(short, 1)}
    return [short[name] for name in names]


def cut_labels(labels: Sequence[str], most: int) -> list[str]:
    """Return labels cut to a line each, the area after a name in full; escaped signs count as one letter."""
    lines = [label.replace("\n", " ").replace(r"\$", "$") for label in labels]
    areas = [found[0] if (found := re.search(AREA, line)) else "" for line in lines]
    names = [line.removesuffix(area) for line, area in zip(lines, areas, strict=True)]
    short = shortened(names, most - max(map(len, areas)))
    pairs = zip(labels, map(str.__add__, short, areas), strict=True)
    return [text.replace("$", r"\$") if r"\$" in label else text for label, text in pairs]
