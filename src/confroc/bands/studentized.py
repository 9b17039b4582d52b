"""The studentized smoothed bootstrap for the difference between two curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy import special

from confroc._check import warned
from confroc._types import FloatArray, IntArray
from confroc.bands.base import BandOutcome, ResampledBand
from confroc.bands.difference_levels import smooth_difference
from confroc.bands.edges import Edges, FprRange
from confroc.base import method_class
from confroc.curve import curve_of
from confroc.inference import ROUNDED
from confroc.models.ranks import PooledRanks, pooled_ranks
from confroc.resample import by_generator, critical_value
from confroc.scores import Pair, PairedScores, Scores, difference_errors, tpr_errors_at

STEEP = "This method under-covers where a curve is steep. Use method='equal_local_levels'."
LARGEST_RESAMPLE = 20_000
"""Number of cases of a class beyond which resamples are smaller and their spread is rescaled."""

Rows = tuple[IntArray, IntArray]


def tpr_of(pos: FloatArray, neg: FloatArray, at: FloatArray) -> FloatArray:
    """Empirical true positive rate at each false positive rate, with order statistics as thresholds."""
    neg = np.sort(neg)
    kept = np.minimum((at * len(neg)).astype(np.int64), len(neg) - 1)
    threshold = neg[len(neg) - 1 - kept]
    return np.asarray(1.0 - np.searchsorted(np.sort(pos), threshold, side="right") / len(pos))


def _row_draw(table: Scores | PairedScores) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of rows of positives and of negatives, proportional to their counts."""
    parts = [(np.cumsum(c), min(int(c.sum()), LARGEST_RESAMPLE)) for c in (table.pos, table.neg)]

    def rows(generator: np.random.Generator) -> Rows:
        pos, neg = (
            np.searchsorted(total, generator.integers(total[-1], size=m), side="right") for total, m in parts
        )
        return pos, neg

    return rows


def _difference_draw(
    pair: Pair, a: PooledRanks, b: PooledRanks, at: FloatArray
) -> Callable[[np.random.Generator], FloatArray]:
    """Return a sampler of the difference of true positive rates; paired cases keep both scores."""

    def tpr(generator: np.random.Generator, model: PooledRanks, pos: IntArray, neg: IntArray) -> FloatArray:
        return tpr_of(model.draw(generator, pos, True), model.draw(generator, neg, False), at)

    draws = [_row_draw(pair)] if isinstance(pair, PairedScores) else [_row_draw(pair.a), _row_draw(pair.b)]

    def cases(generator: np.random.Generator) -> Iterator[Rows]:
        if isinstance(pair, PairedScores):
            pos, neg = draws[0](generator)
            yield from ((index[pos], index[neg]) for index in (pair.index_a, pair.index_b))
        else:
            yield from (rows(generator) for rows in draws)

    def difference(generator: np.random.Generator) -> FloatArray:
        drawn = zip((a, b), cases(generator), strict=True)
        of_a, of_b = (tpr(generator, model, *rows) for model, rows in drawn)
        return of_a - of_b

    return difference


@method_class
class StudentizedDifference(ResampledBand):
    """Studentized smoothed bootstrap.

    A multiple of the standard deviation of the difference at each false positive rate, chosen so that the
    band contains the whole difference in the stated proportion of smoothed resamples (after Bertail,
    Clémençon & Vayatis 2008, eq. 5). Each resampled case keeps both scores, so the correlation of the models
    is used.
    """

    name = "studentized_bootstrap"
    serves = (("roc_difference", "band"),)
    papers = ("bertail2008",)
    caution = "Under-covers where a curve is steep; over-covers where the models are equal."
    guarantee = "none"

    def band(self, data: Pair, level: float, fpr_range: FprRange) -> BandOutcome:
        """A multiple of the resampled standard deviation around the empirical difference."""
        both = data.a, data.b
        at = _rates(min(scores.n_neg for scores in both), fpr_range)
        truth = smooth_difference(data, at)
        draw = _difference_draw(data, pooled_ranks(data.a), pooled_ranks(data.b), at)
        count = self.count(level)
        errors = by_generator(lambda generator: draw(generator) - truth, count, self.rng, self.n_jobs)
        spread, scale = _spread(errors, data)
        radius = critical_value((np.abs(errors) / spread).max(axis=1), level)
        tpr_a, tpr_b = (curve_of(scores).tpr_at(at) for scores in both)
        half = radius * spread * scale
        x, estimate, lower, upper = _over_whole_range(at, tpr_a - tpr_b, half, fpr_range)
        down, up = difference_errors(*(tpr_errors_at(scores, x) for scores in both))
        lower, upper = np.maximum(-1.0, lower - down), np.minimum(1.0, upper + up)
        most = float(max(down.max(), up.max()))
        rounded = (ROUNDED.format(most=most),) if most > 0.0 else ()
        notes = warned(STEEP, where=True) + rounded
        return BandOutcome(Edges(x, lower, upper), estimate=estimate, notes=notes)


def _rates(n_neg: int, fpr_range: FprRange) -> FloatArray:
    """False positive rates at even steps of log odds, including the ends of the range."""
    end = special.logit(0.25 / n_neg)
    at = special.expit(np.linspace(end, -end, int(np.ceil(-2.0 * end / 0.03)) + 1))
    inside = at[(at > fpr_range[0]) & (at < fpr_range[1])]
    return np.unique(np.clip(np.concatenate([fpr_range, inside]), at[0], at[-1]))


def _spread(errors: FloatArray, pair: Pair) -> tuple[FloatArray, float]:
    """Standard deviation of the difference at each rate, floored, and its scale for the full sample.

    The floor is the standard deviation of two rates of half a case each, since the difference is never known
    more precisely.
    """
    floors, scales = [], []
    for scores in (pair.a, pair.b):
        m = min(scores.n_pos, LARGEST_RESAMPLE)
        floors.append(0.5 / m)
        scales.append(max(m / scores.n_pos, min(scores.n_neg, LARGEST_RESAMPLE) / scores.n_neg))
    floor = math.hypot(*floors)
    return np.hypot(errors.std(axis=0), floor), math.sqrt(max(scales))


def _over_whole_range(
    at: FloatArray, difference: FloatArray, half: FloatArray, fpr_range: FprRange
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Continue the columns of a band to 0 and 1, uninformative outside the range.

    If the range is [0, 1], the first and last values are continued and include zero, the difference at both
    ends.
    """

    def on_grid(values: FloatArray, outside: float, ends: FloatArray) -> FloatArray:
        first = [outside] * 2 if fpr_range[0] > 0.0 else [ends[0]] * 2
        last = [outside] * 2 if fpr_range[1] < 1.0 else [ends[-1]] * 2
        return np.concatenate([first, values, last])

    low, high = np.clip(difference - half, -1.0, 1.0), np.clip(difference + half, -1.0, 1.0)
    x = np.concatenate([[0.0, at[0]], at, [at[-1], 1.0]])
    return (
        x,
        on_grid(difference, 0.0, difference),
        on_grid(low, -1.0, np.minimum(low, 0.0)),
        on_grid(high, 1.0, np.maximum(high, 0.0)),
    )
