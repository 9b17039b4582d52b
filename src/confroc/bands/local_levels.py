"""Bands whose two rates have equal local levels: Beta intervals of order statistics.

At a threshold with k of n cases of a class above it, the true rate of the class lies between a quantile of
Beta(k, n − k + 1) and one of Beta(k + 1, n − k), which is narrow in the tails, unlike Kolmogorov's constant
width. With both rates' deviates in an ellipse, the band follows the standard deviation of the curve. The
radius of the ellipse is calibrated by the smoothed bootstrap, or exactly by a bound over all curves.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from scipy import special

from confroc._check import make_rng
from confroc._types import RNG, BoolArray, FloatArray, IntArray
from confroc.bands.base import BandOutcome, CalibratedBand
from confroc.bands.crossing import LARGEST_EXACT, SHAPE, exact_radii, lower_ends
from confroc.bands.edges import BLOCK, Edges, FprRange, edges_on_one_grid, envelope
from confroc.bands.ellipse_radius import count_type, ellipse_radii
from confroc.base import method_class
from confroc.curve import turns_of_counts
from confroc.inference import no_dependent_form
from confroc.models.ranks import SmoothCurve, smooth_curve
from confroc.resample import check_kept, critical_rank
from confroc.scores import Scores

ANGLES = 12
"""Number of directions of an ellipse; the outline is within 0.3% of the exact one."""

LEAST_RADIUS = 1.0
"""Radius for samples so small that all resamples are identical, e.g. one case per class."""

MOST_CORNERS = 20_000
"""Number of corners of an edge beyond which only some are used, conservatively."""

TIES = 256
"""Block size, in tied scores."""

MOST_THRESHOLDS = 1000
"""Number of thresholds beyond which only some are used, joined by straight lines."""


def lower_bound(k: IntArray, n: int, z: float) -> FloatArray:
    """Lower bound with normal deviate z for a rate with k of n cases above the threshold."""
    each, back = np.unique(k, return_inverse=True)
    found: FloatArray = np.zeros(len(each))
    some = each > 0
    found[some] = special.betaincinv(each[some], n - each[some] + 1.0, special.ndtr(-z))
    return found[back]


def operating_counts(scores: Scores) -> tuple[IntArray, IntArray]:
    """Negatives and positives above the thresholds that shape the curve, from none to all.

    Vertices inside vertical or horizontal segments do not affect the edges. If many remain, those nearest to
    even steps of log odds of the two rates are kept.
    """
    neg, pos = turns_of_counts(scores.pos, scores.neg)
    if len(neg) <= MOST_THRESHOLDS:
        return neg, pos
    path = np.empty(len(neg))
    for start in range(0, len(path), BLOCK):
        part = slice(start, start + BLOCK)
        # Half a case keeps the log odds finite.
        path[part] = sum(special.logit((count[part] + 0.5) / (count[-1] + 1.0)) for count in (neg, pos))
    at = np.linspace(path[0], path[-1], MOST_THRESHOLDS)
    chosen = np.unique(np.concatenate([[0], np.searchsorted(path, at[1:-1]), [len(neg) - 1]]))
    return neg[chosen], pos[chosen]


def both_bounds(k: IntArray, n: int, z: float) -> tuple[FloatArray, FloatArray]:
    """Lower bounds, and upper bounds, which are their mirror image."""
    return lower_bound(k, n, z), 1.0 - lower_bound(n - k, n, z)


def corner_edges(neg: tuple[FloatArray, FloatArray], pos: tuple[FloatArray, FloatArray]) -> Edges:
    """Edges through the upper left and lower right corners of the rectangles with these bounds."""
    return edges_on_one_grid(neg[0], pos[1], neg[1], pos[0])


def exact_edges(scores: Scores, level: float) -> Edges:
    """Edges of the band with guaranteed coverage `level` of every curve."""
    sizes = scores.n_neg, scores.n_pos
    large = max(sizes) > LARGEST_EXACT
    neg, pos = operating_counts(scores) if large else turns_of_counts(scores.pos, scores.neg)
    radii = exact_radii(*sizes, level)
    upper_x, upper_y = _outer_edge((neg, pos), sizes, radii)
    # The lower edge is the mirror image, with the order of the cases reversed.
    mirrored = sizes[0] - neg[::-1], sizes[1] - pos[::-1]
    lower_x, lower_y = (1.0 - v[::-1] for v in _outer_edge(mirrored, sizes, radii))
    return edges_on_one_grid(upper_x, upper_y, lower_x, lower_y)


def _outer_edge(
    counts: tuple[IntArray, IntArray], sizes: tuple[int, int], radii: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Polyline above all corners of the boxes in the ellipses at each threshold, and the chords at ties."""

    def ends(k: IntArray, n: int, radius: float) -> FloatArray:
        if n <= LARGEST_EXACT:
            return lower_ends(n, radius)[:, k]
        return np.stack([lower_bound(k, n, z) for z in radius * SHAPE])

    left = ends(counts[0], sizes[0], radii[0])
    top = 1.0 - ends(sizes[1] - counts[1], sizes[1], radii[1])[::-1]
    order = np.argsort(left, axis=None, kind="stable")
    at, reached = left.ravel()[order], np.maximum.accumulate(top.ravel()[order])
    tied = np.flatnonzero((np.diff(counts[0]) > 0) & (np.diff(counts[1]) > 0))
    chord = _highest_chords(left, top, tied, at)
    before = np.maximum(np.append(0.0, reached[:-1]), chord)
    after = np.maximum(reached, chord)
    if len(at) > MOST_CORNERS:
        # Each remaining corner takes the height of the edge before the next one.
        kept = np.linspace(0, len(at) - 1, MOST_CORNERS).astype(np.int64)
        at, before = at[kept], before[kept]
        after = np.append(before[1:], after[-1])
    return np.repeat(at, 2), np.column_stack([before, after]).ravel()


def _highest_chords(left: FloatArray, top: FloatArray, tied: IntArray, at: FloatArray) -> FloatArray:
    """Highest chord above each abscissa between corners before and after the same tied scores."""
    found = np.zeros(len(at))
    for start in range(0, len(tied), TIES):
        step = tied[start : start + TIES]
        x, y = (np.concatenate([v[:, step], v[:, step + 1]]).T for v in (left, top))
        order = np.lexsort((y, x), axis=1)
        x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(y, order, axis=1)
        kept = _on_majorant(x, y)
        # Concatenate the chords of all steps, to interpolate them in one call.
        offset = 2.0 * np.arange(len(step))
        first, last = np.searchsorted(at, x[:, 0]), np.searchsorted(at, x[:, -1], side="right")
        which = np.repeat(np.arange(len(step)), last - first)
        index = np.arange(len(which)) + np.repeat(last - np.cumsum(last - first), last - first)
        value = np.interp(at[index] + offset[which], (x + offset[:, None])[kept], y[kept])
        np.maximum.at(found, index, value)
    return found


def _on_majorant(x: FloatArray, y: FloatArray) -> BoolArray:
    """Vertices of the least concave majorant of the sorted points of each row."""
    kept, column = np.ones(x.shape, dtype=bool), np.arange(x.shape[1])
    while True:
        before = np.maximum.accumulate(np.where(kept, column, 0), axis=1)[:, :-2]
        after = np.minimum.accumulate(np.where(kept, column, column[-1])[:, ::-1], axis=1)[:, -3::-1]
        (x0, x1), (y0, y1) = ([np.take_along_axis(v, i, axis=1) for i in (before, after)] for v in (x, y))
        low = (x[:, 1:-1] - x0) * (y1 - y0) > (y[:, 1:-1] - y0) * (x1 - x0)
        low &= kept[:, 1:-1]
        # Not two adjacent ones at once, which may be equal up to rounding.
        low[:, 1:] &= ~low[:, :-1]
        if not low.any():
            return kept
        kept[:, 1:-1] &= ~low


def ellipse_edges(scores: Scores, c: float, angles: int = ANGLES) -> Edges:
    """Outline of the ellipses with radius c: the envelope of corner bands at c·cos θ, c·sin θ."""
    return next(ellipses_edges(scores, [c], angles))


def ellipses_edges(scores: Scores, radii: Iterable[float], angles: int) -> Iterator[Edges]:
    """Outlines of ellipses with several radii."""
    sides = zip(operating_counts(scores), (scores.n_neg, scores.n_pos), strict=True)
    of_neg, of_pos = (functools.cache(functools.partial(both_bounds, *side)) for side in sides)
    angle = np.linspace(0.0, 0.5 * np.pi, angles)
    for c in radii:
        # Rounded, so that directions with equal deviates share their bounds.
        deviates = np.round([c * np.cos(angle), c * np.sin(angle)], 12)
        yield envelope([corner_edges(of_neg(z_neg), of_pos(z_pos)) for z_neg, z_pos in deviates.T.tolist()])


def resampled_radius(
    curve: SmoothCurve, scores: Scores, level: float, n_resamples: int, rng: RNG, fpr_range: FprRange
) -> float:
    """Radius at which the ellipse bands of a proportion `level` of resamples contain the true curve."""
    generator = np.random.Generator(np.random.SFC64(make_rng(rng).integers(0, 2**32, size=8)))
    above = []
    check_kept(n_resamples, len(curve[0]) + 1)
    for rate, n in zip(curve, (scores.n_neg, scores.n_pos), strict=True):
        cell = np.diff(rate, prepend=0.0, append=1.0)
        # Paths start and end at the first and last threshold, with no and all cases above.
        count = np.zeros((n_resamples, len(rate) + 2), dtype=count_type(n))
        np.cumsum(generator.multinomial(n, cell, size=n_resamples), axis=1, out=count[:, 1:])
        above.append(count)
    x, y = (np.pad(rate, 1, mode="edge") for rate in curve)
    # The first and last rates of the curve represent all rates beyond them.
    first = max(0, int(np.searchsorted(x, fpr_range[0], side="right")) - 1)
    last = min(len(x) - 1, int(np.searchsorted(x, fpr_range[1], side="left")))
    used = (x >= x[first]) & (x <= x[last])
    used[[0, -1]] = False
    rank = critical_rank(n_resamples, level)
    radii = ellipse_radii(above[0], above[1], x, y, scores.n_neg, scores.n_pos, used, rank)
    return float(np.sort(radii)[rank - 1])


@method_class
class EqualLocalLevels(CalibratedBand):
    """Equal local levels, calibrated by the smoothed bootstrap.

    Contains the whole curve, and is narrow at its ends. At every threshold the rates of both classes have
    intervals from the Beta distributions of order statistics, all with the same local level. The level is
    chosen so that the band contains the whole curve in the stated proportion of smoothed resamples. It
    depends only on the ranks of the scores.

    Attributes
    ----------
    calibration : {"bootstrap", "exact"}
        "bootstrap": ellipses at the operating points, with one radius, the quantile over resamples of the
        smallest radius that contains the smooth curve. Kernel smoothing uses the normal scores of pooled
        ranks, so the band is invariant under increasing transforms of the scores. "exact": superellipses with
        a radius for each class from a bound on the probability that any curve leaves the band.
        Distribution-free and finite-sample, also with ties (asymptotic beyond 30,000 cases of a class), and
        wider. It draws no resamples.
    """

    name = "equal_local_levels"
    dependence = "resized"
    papers = ("bertail2008",)

    @property
    def of_dependent(self) -> EqualLocalLevels:
        """Bootstrap calibration; the exact one requires integer counts of independent cases."""
        if self.calibration == "exact":
            raise no_dependent_form(self)
        return self

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:
        """Exact band, or the ellipse band calibrated by resamples of the smooth curve."""
        if self.calibration == "exact":
            # Beyond this number of cases the radii are extrapolated.
            large = max(data.n_pos, data.n_neg) > LARGEST_EXACT
            used = replace(self, rng=None)
            edges = exact_edges(data, level)
            return BandOutcome(edges, used=used, guarantee="asymptotic" if large else None)
        count = self.count(level)
        radius = resampled_radius(smooth_curve(data), data, level, count, self.rng, fpr_range)
        return BandOutcome(ellipse_edges(data, max(radius, LEAST_RADIUS)))
