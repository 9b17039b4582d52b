"""Simultaneous joint confidence regions: Kolmogorov rectangles around the operating points."""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy import special

from confroc._types import FloatArray
from confroc.bands.base import BandMethod, BandOutcome
from confroc.bands.edges import (
    MOST_JOINTS,
    Edges,
    FprRange,
    both_limits,
    edges_on_one_grid,
    merged,
    widened_edges,
)
from confroc.base import Guarantee, method_class
from confroc.curve import curve_of, outline
from confroc.scores import Pair, PairedScores, Scores, moved_note

LARGE = 100_000
"""Cases in a class from which Massart's bound, then wider by less than 2e-6, is used as it is."""


@functools.lru_cache(maxsize=2)
def _log_binomials(n: int) -> FloatArray:
    """Logarithms of the numbers of ways to choose 0, 1, ..., n of n: needed for each width that is tried."""
    log_factorial = special.gammaln(np.arange(n + 1) + 1.0)
    return np.asarray(log_factorial[-1] - log_factorial - log_factorial[::-1])


def one_sided_tail(n: int, d: float) -> float:
    """P(sup (Fₙ − F) > d), exact for any continuous F (Birnbaum & Tingey 1951).

    The sum that scipy's `smirnov` adds up term by term, taken at once: half-widths of 20,000 and 100,000
    cases take 0.03 s and 0.3 s by it, and 0.6 s and 30 s by `smirnovi`.
    """
    j = np.arange(math.floor(n * (1.0 - d)) + 1)
    share = d + j / n
    j = j[share < 1.0]
    share = share[: len(j)]
    choose = _log_binomials(n)[: len(j)]
    return d * float(np.exp(choose + (j - 1.0) * np.log(share) + (n - j) * np.log1p(-share)).sum())


@functools.cache
def ks_half_width(n: int, level: float) -> float:
    """Kolmogorov's half-width d: P(sup |Fₙ − F| <= d) >= level, for any F and finite n.

    Twice the exact one-sided tail bounds the two-sided one from above, and exceeds it only by the chance
    of crossing both sides, about (1 − level)⁴/8.
    """
    tail = (1.0 - level) / 2.0
    if n < 1000:
        return float(special.smirnovi(n, tail))
    massart = math.sqrt(math.log(1.0 / tail) / (2.0 * n))
    if n > LARGE:
        return massart
    from scipy.optimize import brentq

    # Massart's (1990) bound lies above the solution, by about 1/(6n).
    low = massart - 1.0 / n
    return float(brentq(lambda d: math.log(one_sided_tail(n, d) / tail), low, massart, xtol=1e-15))


def ks_edges(scores: Scores, each: float) -> Edges:
    """Edges of the band swept out by Kolmogorov rectangles around the operating points.

    Each class's rates are within its half-width at every threshold at once with probability `each`, so all
    true operating points lie in their rectangles with its square. The upper edge is the curve moved to the
    rectangles' upper left corners, the lower edge to the lower right ones; true points joined by straight
    lines stay between them, since each line does.
    """
    e, d = ks_half_width(scores.n_neg, each), ks_half_width(scores.n_pos, each)
    # On slopes, where classes tie, rounding decides which vertices between two joints count as such.
    sloped = bool(((scores.pos > 0) & (scores.neg > 0)).any())
    curve = curve_of(scores) if sloped else outline(scores)
    x, y = curve.fpr, curve.tpr
    return edges_on_one_grid(
        np.append(x - e, 1.0),
        np.append(y + d, 1.0 + d),
        np.insert(x + e, 0, 0.0),
        np.insert(y - d, 0, -d),
    )


@method_class
class KsRegions(BandMethod):
    """Simultaneous joint confidence regions.

    Rectangles of Kolmogorov's exact half-widths around all operating points (Campbell 1994; Macskassy &
    Provost 2004, §3.6). It assumes nothing about the scores, and is wide, above all at both ends of the
    curve.

    Attributes
    ----------
    joint : bool
        Both rates together have the level, each class the root of it; if false, each class has the level and
        both together only its square, as in Macskassy & Provost (2004).
    """

    name = "ks_regions"
    papers = ("campbell1994", "macskassy2004")
    joint: bool = True

    @property
    def guarantee(self) -> Guarantee:
        """For every sample size."""
        return "finite-sample"

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:  # noqa: ARG002
        """Return the edges that the rectangles sweep out."""
        return BandOutcome(ks_edges(data, math.sqrt(level) if self.joint else level))


@method_class
class KsRegionsDifference(BandMethod):
    """Two simultaneous regions.

    The difference of two bands of Kolmogorov rectangles (Campbell 1994; Macskassy & Provost 2004, §3.6), both
    at a level high enough that they contain their curves simultaneously: (1 + level)/2 each for paired
    models, by Bonferroni's inequality, √level for unpaired ones. It assumes nothing about the scores, draws
    no resamples, and makes no use of the correlation of the models, so it is wider than need be.
    """

    name = "ks_regions"
    serves = (("roc_difference", "band"),)
    papers = ("campbell1994", "macskassy2004")

    @property
    def guarantee(self) -> Guarantee:
        """For every sample size."""
        return "finite-sample"

    def band(self, data: Pair, level: float, fpr_range: FprRange) -> BandOutcome:  # noqa: ARG002
        """Return the differences of the edges of both bands."""
        of_model = 0.5 * (1.0 + level) if isinstance(data, PairedScores) else math.sqrt(level)
        both = data.a, data.b
        curves = [curve_of(scores) for scores in both]
        edges = [widened_edges(ks_edges(scores, math.sqrt(of_model)), scores) for scores in both]
        at = merged(*(e.at for e in edges), *(c.corners().fpr for c in curves))
        exact = len(at) <= MOST_JOINTS
        if not exact:
            smallest = 1.0 / max(scores.n_neg for scores in both)
            at = merged(np.geomspace(smallest, 1.0, 200), np.linspace(0.0, 1.0, 1001))
        low_a, low_b = (both_limits(e.at, e.lower, at) for e in edges)
        high_a, high_b = (both_limits(e.at, e.upper, at) for e in edges)
        if not exact:
            # Edges only rise: in a cell the lower is least at its start, the upper largest at its end.
            low_a, low_b = (_steps(low[1:-1:2]) for low in (low_a, low_b))
            high_a, high_b = (_steps(high[2::2]) for high in (high_a, high_b))
        found = Edges(np.repeat(at, 2), low_a - high_b, high_a - low_b)
        return BandOutcome(found, notes=moved_note(*both))


def _steps(cells: FloatArray) -> FloatArray:
    """Left and right limit, at each end of a cell, of what is constant over cells."""
    return np.concatenate([cells[:1], np.repeat(cells, 2), cells[-1:]])
