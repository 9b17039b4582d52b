"""Numbers as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from markupsafe import Markup, escape

from confroc.results import between as between_ends

MINUS = "−"
FINEST = 6
"""Digits after the point at most."""


def rate(value: float, digits: int = 3) -> str:
    """Return a rate or area; one that only rounds to 0 or 1 says so, e.g. "> 0.999"."""
    text = f"{value:.{digits}f}"
    least = 10.0**-digits
    if value > 0.0 and float(text) == 0.0:
        return f"< {least:.{digits}f}"
    if value < 1.0 and float(text) == 1.0:
        return f"> {1.0 - least:.{digits}f}"
    return text.replace("-", MINUS)


def signed(value: float, digits: int = 3) -> str:
    """Return a difference with its sign, in typographic minus.

    One that would round to zero has more digits, so that an end that leaves out zero is seen to do so.
    """
    text = f"{value:+.{digits}f}"
    if float(text) == 0.0:
        return signed(value, digits + 1) if value and digits < FINEST else f"{0.0:.3f}"
    return text.replace("-", MINUS)


def between(lower: float, upper: float) -> str:
    """Return the ends of an interval of rates."""
    return f"{rate(lower)} to {rate(upper)}"


def between_signed(lower: float, upper: float) -> str:
    """Return the ends of an interval of differences."""
    return f"{signed(lower)} to {signed(upper)}"


def stretch(low: float, high: float, of: str = "") -> str:
    """Return where something holds, "from 0.1 to 0.25" or "at 0.1", with digits that tell the ends apart."""
    return f"{'at' if low == high else 'from'} {of}{between_ends(low, high)}"


def number(value: float) -> str:
    """Return an amount, such as a cost, in four significant digits."""
    return f"{value:.4g}"


def amount(value: float) -> str:
    """Return a cost or a rate of errors in a sentence, in three significant digits."""
    if abs(value) >= 999.5:
        return f"{value:,.0f}"
    # Zeros at the end tell how well it is known, as they do beside it.
    return f"{value:#.3g}".rstrip(".") if value else "0"


def signed_number(value: float) -> str:
    """Return a difference of amounts with its sign, in typographic minus."""
    return f"{MINUS if value < 0.0 else '+'}{number(abs(value))}" if value else "0"


def threshold(value: float) -> str:
    """Return a threshold; one above every score calls nobody positive."""
    return "above every score" if math.isinf(value) else f"{value:.6g}"


def rounded_outwards(low: float, high: float) -> tuple[float, float]:
    """Round the ends of a range outwards, each by no more than a fiftieth of its length."""
    if not 0.0 < high - low < math.inf:
        return low, high
    digits = math.ceil(-math.log10((high - low) / 50.0))
    return decimal(low, digits, ROUND_FLOOR), decimal(high, digits, ROUND_CEILING)


def decimal(value: float, digits: int, rounding: str) -> float:
    """Return a number rounded to so many places after the point, one that has fewer as it is."""
    # To twelve digits: 0.1 + 0.2 is 0.3.
    return float(Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def thresholds(low: float, high: float) -> str:
    """Return a set of thresholds, e.g. "0.2 to 0.5", or the only one in it."""
    ends = threshold(low), threshold(high)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def listed(names: Sequence[str], last: str) -> str:
    """Return names as a list, e.g. "a, b or c" with `last` "or"."""
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end


def bare_pvalue(p: float) -> str:
    """Return "0.034", or "< 0.001"."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def pvalue(p: float) -> str:
    """Return "p = 0.034", or "p < 0.001"."""
    text = bare_pvalue(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def percent(share: float, digits: int = 10) -> str:
    """Return a share as a percentage, e.g. "95 %"."""
    return f"{100.0 * share:.{digits}g} %"


def count(n: int) -> str:
    """Return a count with thousands set apart."""
    return f"{n:,}"


def plural(n: int, word: str) -> str:
    """Return "1 row", "2 rows"."""
    return f"{count(n)} {word}" if n == 1 else f"{count(n)} {word}s"


def unbroken(text: str) -> str:
    """Return a sentence in which no line ends within an interval or before "%"."""
    return re.sub(rf"(?<=\d) (?=%)|(?<=\d) (?=to [{MINUS}+]?\d)|(?<=\d to) (?=[{MINUS}+]?\d)", "\u00a0", text)


def prose(text: str) -> Markup:
    """Return a sentence as HTML, its backticks as code; everything else is escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
