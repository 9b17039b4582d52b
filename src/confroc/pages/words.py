"""Numbers as people read them."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

MINUS = "−"


def rate(value: float, digits: int = 3) -> str:
    """Return a rate or area; one that only rounds to 0 or 1 says so, e.g. "> 0.999"."""
    text = f"{value:.{digits}f}"
    least = 10.0**-digits
    if value > 0.0 and float(text) == 0.0:
        return f"< {least:.{digits}f}"
    if value < 1.0 and float(text) == 1.0:
        return f"> {1.0 - least:.{digits}f}"
    return text


def signed(value: float, digits: int = 3) -> str:
    """Return a difference with its sign, in typographic minus."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0.0 else text.replace("-", MINUS)


def between(lower: float, upper: float) -> str:
    """Return the ends of an interval of rates."""
    return f"{rate(lower)} to {rate(upper)}"


def between_signed(lower: float, upper: float) -> str:
    """Return the ends of an interval of differences."""
    return f"{signed(lower)} to {signed(upper)}"


def pvalue(p: float) -> str:
    """Return "p = 0.034", or "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def percent(share: float, digits: int = 10) -> str:
    """Return a share as a percentage, e.g. "95 %"."""
    return f"{100.0 * share:.{digits}g} %"


def count(n: int) -> str:
    """Return a count with thousands set apart."""
    return f"{n:,}"


def plural(n: int, word: str) -> str:
    """Return "1 row", "2 rows"."""
    return f"{count(n)} {word}" if n == 1 else f"{count(n)} {word}s"


def prose(text: str) -> Markup:
    """Return a sentence as HTML, its backticks as code; everything else is escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
