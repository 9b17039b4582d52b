"""Band for the difference of two ROC curves, on the same cases or on disjoint ones.

The difference at each false positive rate is studentised by its standard deviation over a smoothed
bootstrap, and one multiple of it is chosen so that the whole smooth difference is held. Each resampled
case keeps its pair of scores, so correlation between the models is used, not assumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import check_choice, check_count, check_level
from confroc._types import RNG, FloatArray
from confroc.bands.shared import (
    FprRange,
    check_band_resamples,
    check_range,
    critical_value,
    in_threads,
)
from confroc.bands.smooth_curve import NormalScores, normal_scores, smooth_curve
from confroc.curve import curve_of
from confroc.resample import spawn
from confroc.results import DifferenceBand
from confroc.scores import Pair, PairedScores, Scores, check_pair, tpr_errors_at, widened
from confroc.scores.rounding import difference_errors

if TYPE_CHECKING:
    pass

Draw: TypeAlias = Callable[[np.random.Generator], tuple[FloatArray, FloatArray]]
DIFFERENCE_BAND_METHODS = ("studentized_bootstrap",)
DifferenceBandMethod: TypeAlias = Literal["studentized_bootstrap"]

LARGEST_RESAMPLE = 20_000
"""Cases of a class past which resamples are smaller than the sample, and their spread is rescaled."""


class _Model(NamedTuple):
    """One model's normal scores and its smooth curve at the rates of the band."""

    score: NormalScores
    smooth: FloatArray


def _tpr_of(pos: FloatArray, neg: FloatArray, at: FloatArray) -> FloatArray:
    """Empirical true positive rate at each false positive rate: the threshold is an order statistic."""
    neg = np.sort(neg)
    kept = np.minimum((at * len(neg)).astype(np.int64), len(neg) - 1)
    threshold = neg[len(neg) - 1 - kept]
    above: FloatArray = 1.0 - np.searchsorted(np.sort(pos), threshold, side="right") / len(pos)
    return above


def _paired_draw(pair: PairedScores, a: NormalScores, b: NormalScores, at: FloatArray) -> Draw:
    size = min(pair.n_pos, LARGEST_RESAMPLE), min(pair.n_neg, LARGEST_RESAMPLE)

    def one(generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        pos, neg = (
            np.searchsorted(np.cumsum(count), generator.integers(count.sum(), size=m), side="right")
            for count, m in zip((pair.pos, pair.neg), size, strict=True)
        )
        found = [
            _tpr_of(model.draw(generator, index[pos], True), model.draw(generator, index[neg], False), at)
            for index, model in ((pair.index_a, a), (pair.index_b, b))
        ]
        return found[0], found[1]

    return one


def _single_draw(
    scores: Scores, model: NormalScores, at: FloatArray
) -> Callable[[np.random.Generator], FloatArray]:
    size = min(scores.n_pos, LARGEST_RESAMPLE), min(scores.n_neg, LARGEST_RESAMPLE)

    def one(generator: np.random.Generator) -> FloatArray:
        pos, neg = (
            np.searchsorted(np.cumsum(count), generator.integers(count.sum(), size=m), side="right")
            for count, m in zip((scores.pos, scores.neg), size, strict=True)
        )
        return _tpr_of(model.draw(generator, pos, True), model.draw(generator, neg, False), at)

    return one


def roc_difference_band(
    pair: Pair,
    *,
    method: DifferenceBandMethod = "studentized_bootstrap",
    confidence_level: float = 0.95,
    fpr: FprRange | None = None,
    n_resamples: int = 999,
    rng: RNG = None,
    n_jobs: int = 1,
) -> DifferenceBand:
    """Simultaneous confidence band for the difference of two ROC curves, a − b.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    method : {"studentized_bootstrap"}
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Part of the false positive rates, from lo to hi, for which the band should hold; by default all.
    n_resamples : int
        At least 1/(1 − confidence_level).
    rng : Generator, seed or None
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    DifferenceBand
        Edges cut to [−1, 1]. `different_at` lists where it leaves out zero. Guarantee: bootstrap.

    Raises
    ------
    ValueError
        Too few resamples for the level, an impossible range or level.

    Notes
    -----
    Cases are drawn with replacement within each class. Each model's scores are the normal scores of its
    pooled ranks plus Gaussian noise of standard deviation 1.06·s·n^(−1/3) per class, so the band depends
    on the order of each model's scores only; ties are spread evenly over their ranks. With more than
    20,000 cases in a class resamples have 20,000, and the standard deviation is scaled by √(m/n).

    Examples
    --------
    >>> import numpy as np
    >>> from confroc import PairedScores
    >>> from confroc.bands import roc_difference_band
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 200)
    >>> good = 2.0 * y + rng.standard_normal(400)
    >>> pair = PairedScores(y, good, good + 2.0 * rng.standard_normal(400))
    >>> band = roc_difference_band(pair, n_resamples=199, rng=1)
    >>> bool(band.different_at), band.design
    (True, 'paired')
    """
    check_pair("pair", pair, widens=True)
    check_choice("method", method, DIFFERENCE_BAND_METHODS)
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    resamples = check_band_resamples(n_resamples, level)
    check_count("n_jobs", n_jobs)
    n_neg = min(pair.a.n_neg, pair.b.n_neg)
    at = _rates(n_neg, fpr_range)
    models = []
    for scores in (pair.a, pair.b):
        smooth = smooth_curve(scores)
        x, y = (np.concatenate([[0.0], rate, [1.0]]) for rate in smooth)
        models.append(_Model(normal_scores(scores), np.interp(at, x, y)))
    a, b = models
    truth = a.smooth - b.smooth
    if isinstance(pair, PairedScores):
        both = _paired_draw(pair, a.score, b.score, at)
    else:
        of_a, of_b = (_single_draw(s, m.score, at) for s, m in zip((pair.a, pair.b), models, strict=True))

        def both(generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
            return of_a(generator), of_b(generator)

    def one(seed: np.random.SeedSequence) -> FloatArray:
        tpr_a, tpr_b = both(np.random.Generator(np.random.SFC64(seed)))
        return tpr_a - tpr_b - truth

    errors = np.array(in_threads(one, spawn(rng, resamples), n_jobs))
    spread, scale = _spread(errors, pair)
    radius = critical_value((np.abs(errors) / spread).max(axis=1), level)
    half = radius * spread * scale
    curves = [curve_of(scores).tpr_at(at) for scores in (pair.a, pair.b)]
    difference = curves[0] - curves[1]
    band = _assemble(at, difference, half, level, method, fpr_range, pair)
    down, up = difference_errors(*(tpr_errors_at(scores, band.at) for scores in (pair.a, pair.b)))
    return widened(band, down, up, bounds=(-1.0, 1.0))


def _rates(n_neg: int, fpr_range: FprRange) -> FloatArray:
    """False positive rates at even steps of log odds, with the ends of the range."""
    end = special.logit(0.25 / n_neg)
    at = special.expit(np.linspace(end, -end, int(np.ceil(-2.0 * end / 0.03)) + 1))
    inside = at[(at > fpr_range[0]) & (at < fpr_range[1])]
    return np.unique(np.clip(np.concatenate([fpr_range, inside]), at[0], at[-1]))


def _spread(errors: FloatArray, pair: Pair) -> tuple[FloatArray, float]:
    """Standard deviation of the difference at each rate, floored, and its scale for the full sample.

    The floor is the standard deviation of two rates of half a case each: where no resample varies the
    sample still does not know the difference better than that.
    """
    floors, scales = [], []
    for scores in (pair.a, pair.b):
        m = min(scores.n_pos, LARGEST_RESAMPLE)
        floors.append(0.5 / m)
        scales.append(max(m / scores.n_pos, min(scores.n_neg, LARGEST_RESAMPLE) / scores.n_neg))
    floor = math.hypot(*floors)
    return np.hypot(errors.std(axis=0), floor), math.sqrt(max(scales))


def _assemble(
    at: FloatArray,
    difference: FloatArray,
    half: FloatArray,
    level: float,
    method: str,
    fpr_range: FprRange,
    pair: Pair,
) -> DifferenceBand:
    """Put the edges on a grid from 0 to 1; nothing is claimed outside the range."""
    before = [0.0, fpr_range[0]] if fpr_range[0] > 0.0 else [0.0]
    after = [fpr_range[1], 1.0] if fpr_range[1] < 1.0 else [1.0]

    def on_grid(values: FloatArray, outside: float) -> FloatArray:
        # Up to the ends of [0, 1] the first and last values go on; beyond an inner range nothing does.
        first = [outside] * 2 if len(before) == 2 else [float(values[0])]
        last = [outside] * 2 if len(after) == 2 else [float(values[-1])]
        return np.concatenate([first, values, last])

    grid = np.concatenate([before, at, after])
    low = on_grid(np.clip(difference - half, -1.0, 1.0), -1.0)
    high = on_grid(np.clip(difference + half, -1.0, 1.0), 1.0)
    middle = on_grid(difference, 0.0)
    return DifferenceBand(
        quantity="tpr_a - tpr_b",
        at=grid,
        estimate=middle,
        lower=low,
        upper=high,
        confidence_level=level,
        method=method,
        guarantee="bootstrap",
        at_range=fpr_range,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
    )
