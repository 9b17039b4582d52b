"""Names of models in plots: escaped, wrapped or shortened."""

from __future__ import annotations

import re
from collections.abc import Sequence

from confroc.results.shown import visible

LONGEST_LINE = 26
"""Maximum line length of row names, in characters."""
MOST_OF_NAME = 2 * LONGEST_LINE
"""Maximum length of a shortened name."""
LETTER = 0.55
"""Width of a character, in units of the font size."""
AREA = r"(, | \()(AUC|AP) [0-9][^,]*$"
"""What `label_of` appends to the name of a model, e.g. ", AUC 0.75 (95% CI 0.15 to 0.98)"."""


def letters(inches: float, points: float) -> int:
    """Return the number of characters of this font size that fit."""
    return int(72.0 * inches / (LETTER * points))


def plain(name: str) -> str:
    """Escape a name for matplotlib: `$` starts no formula, and a leading `_` does not hide it.

    Control characters, which are invalid in SVG files, are made visible.
    """
    escaped = visible(name).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def wrapped(text: str, width: int = LONGEST_LINE) -> str:
    r"""Wrap a text at `width` characters, after a space or else after `_`, `-` or `/`.

    Longer words break anywhere; `\$` counts as one character. An AUC, its interval and what is in parentheses
    are not broken if they fit on a line.
    """
    area, bracket = max(0, width - 12), max(0, width - 2)
    units = rf"AUC \d[^ ]* \([^()]{{,{area}}}\)|\([^()]{{,{bracket}}}\)|AUC \d|\d %|− "
    joined = re.sub(units, lambda unit: unit[0].replace(" ", "\u00a0"), text)
    letter = r"(?:\\\$|.)"
    line = rf"{letter}{{1,{width}}}(?:[ ]+|$)|{letter}{{1,{width}}}(?<=[_\-/])|{letter}{{{width}}}"
    return "\n".join(part.rstrip(" ") for part in re.findall(line, joined)).replace("\u00a0", " ")


def cut(name: str, most: int = MOST_OF_NAME) -> str:
    """Shorten a name in the middle if it is longer than `most` characters."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[most // 2 + 1 - most :]}"


def shortened(names: Sequence[str], most: int = MOST_OF_NAME) -> list[str]:
    """Shorten names to `most` characters, and number them if they are no longer distinct."""
    short = {name: cut(name, most) for name in names}
    if len(set(short.values())) < len(short):
        short = {name: f"{k}: {cut(name, most - len(f'{k}: '))}" for k, name in enumerate(short, 1)}
    return [short[name] for name in names]


def cut_labels(labels: Sequence[str], most: int) -> list[str]:
    """Shorten labels to one line, without the areas after the names; escaped `$` count as one character."""
    lines = [label.replace("\n", " ").replace(r"\$", "$") for label in labels]
    areas = [found[0] if (found := re.search(AREA, line)) else "" for line in lines]
    names = [line.removesuffix(area) for line, area in zip(lines, areas, strict=True)]
    short = shortened(names, most - max(map(len, areas)))
    pairs = zip(labels, map(str.__add__, short, areas), strict=True)
    return [text.replace("$", r"\$") if r"\$" in label else text for label, text in pairs]
