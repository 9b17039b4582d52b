"""Numbers as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TypeAlias

from markupsafe import Markup, escape

from confroc.results import evenly

Stretch: TypeAlias = tuple[float, float]

MINUS = "−"
FINEST, MOST_PLACES = 6, 12
"""Most decimals of differences of rates, and of costs."""


def rate(value: float, digits: int = 3) -> str:
    """Return a rate or AUC; rates below 0.01 have two significant digits.

    One that would be rounded to 1, or to 0 with `FINEST` decimals, is "> 0.999" or "< 0.000001".
    """
    if 0.0 < value < 0.01:
        digits = min(FINEST, max(digits, 1 - math.floor(math.log10(value))))
    text = f"{value:.{digits}f}"
    least = 10.0**-digits
    if value > 0.0 and float(text) == 0.0:
        return f"< {least:.{digits}f}"
    if value < 1.0 and float(text) == 1.0:
        return f"> {1.0 - least:.{digits}f}"
    return text.replace("-", MINUS)


def differences(*values: float, digits: int = 3) -> list[str]:
    """Return differences, with a typographic minus, with the same number of decimals.

    If one would be rounded to zero, all have more decimals, so that the sign of each end is visible.
    """
    texts = [f"{value:.{digits}f}" for value in values]
    if digits < FINEST and any(value and not float(text) for value, text in zip(values, texts, strict=True)):
        return differences(*values, digits=digits + 1)
    return [text.replace("-", MINUS) if float(text) else f"{0.0:.{digits}f}" for text in texts]


def between(lower: float, upper: float) -> str:
    """Return the ends of an interval of rates."""
    return f"{rate(lower)} to {rate(upper)}"


def stretch(low: float, high: float) -> str:
    """Return a range of rates, e.g. "0.1 to 0.25", or a single one.

    It has two decimals, or more if it is short. Ends are rounded inwards.
    """
    if low == high:
        return f"{low:.3g}"
    digits = max(2, math.ceil(-math.log10((high - low) / 10.0)))
    ends = decimal(low, digits, ROUND_CEILING), decimal(high, digits, ROUND_FLOOR)
    return " to ".join(evenly(ends, digits + 1))


def widest(stretches: Iterable[Stretch]) -> Stretch:
    """Return the widest range."""
    return max(stretches, key=lambda ends: ends[1] - ends[0])


def number(value: float) -> str:
    """Return an amount, such as a cost, in four significant digits."""
    return f"{value:.4g}"


def places(*values: float) -> int:
    """Return the number of decimals that shows the largest amount with three significant digits."""
    most = max(map(abs, values))
    return min(MOST_PLACES, max(0, 2 - math.floor(math.log10(float(f"{most:.3g}"))))) if most else 0


def amounts(*values: float, digits: int | None = None) -> list[str]:
    """Return costs or error rates with these decimals; default: those for the first three."""
    digits = places(*values[:3]) if digits is None else digits
    least = 10.0**-digits
    return [f"{v:,.{digits}f}" if v >= 0.5 * least or not v else f"< {least:.{digits}f}" for v in values]


def signed_amounts(*values: float) -> list[str]:
    """Return differences of amounts, with the decimals of the largest."""
    return differences(*values, digits=places(*values))


def threshold(value: float, digits: int | None = 6) -> str:
    """Return a threshold in this number of digits, or in all if None."""
    if math.isinf(value):
        return f"{'above' if value > 0.0 else 'below'} every score"
    value = float(value) + 0.0
    return signed(repr(value).removesuffix(".0") if digits is None else f"{value:.{digits}g}")


def signed(text: str) -> str:
    """Return a number with a typographic minus, except in its exponent."""
    return re.sub("(?<!e)-", MINUS, text)


def same_rule(value: float, below: float) -> float:
    """Return a threshold in as few digits as possible, at least three, with the same predictions.

    `below` is the highest score that is predicted negative. The threshold is never rounded upwards, since it
    may be the score of a positive prediction.
    """
    if not math.isfinite(value) or value == 0.0:
        return value
    whole = math.floor(math.log10(abs(value))) + 1
    for digits in range(max(3, whole), 17):
        short = float(f"{value:.{digits}g}")
        if short > value:
            step = 10.0 ** (whole - digits)
            short = float(f"{value - step:.{digits}g}")
        if below < short <= value:
            return short
    return value


def decimal(value: float, digits: int, rounding: str) -> float:
    """Return a number rounded to this number of decimals."""
    # To twelve digits: 0.1 + 0.2 is 0.3.
    return float(Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def thresholds(low: float, high: float, beside: float = math.nan) -> str:
    """Return a range of thresholds, e.g. "0.2 to 0.5", or a single one.

    It has three digits, or more if the threshold `beside` it does.
    """
    if low == high:
        return threshold(low)
    digits = repr(float(abs(beside))).partition("e")[0].replace(".", "").strip("0")
    return signed(" to ".join(evenly((low, high), max(3, len(digits)))))


def aligned(values: Sequence[float]) -> list[str]:
    """Return thresholds of a column in full, all with the decimals of the longest."""
    texts = [threshold(value, None) for value in values]
    if any(not math.isfinite(value) or "e" in text for value, text in zip(values, texts, strict=True)):
        return texts
    most = max(len(text.partition(".")[2]) for text in texts)
    return [signed(f"{value:.{most}f}") for value in values]


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
    """Return a share as a percentage, e.g. "95%"."""
    return f"{100.0 * share:.{digits}g}%"


def count(n: float) -> str:
    """Return a count with separators of thousands; sums of weights are rounded."""
    return f"{round(n):,}"


def plural(n: float, word: str) -> str:
    """Return "1 row", "2 rows"."""
    return f"{count(n)} {word}" if n == 1 else f"{count(n)} {word}s"


def unbroken(text: str) -> str:
    """Return a sentence with no line break within an interval, "p < 0.001" or "≥ 0.2", or before "%"."""
    within = r"(?<=\b[pw]) (?=[=<] \d)|(?<=\b[pw] [=<]) (?=\d)"
    ends = rf"(?<=\d) (?=%)|(?<=\d) (?=to [{MINUS}+]?\d)|(?<=\d to) (?=[{MINUS}+]?\d)"
    return re.sub(rf"{within}|{ends}|(?<=[≥≤]) ", "\u00a0", text)


def prose(text: str) -> Markup:
    """Return a sentence as HTML, with text in backticks as code; everything else is escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
