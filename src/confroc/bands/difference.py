"""`roc_difference_band`: bands for the difference of two ROC curves, of paired or unpaired models."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from confroc import methods
from confroc._check import check_level, check_settings, warned
from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.difference_levels import calibrated_edges, smooth_difference
from confroc.bands.edges import (
    MOST_JOINTS,
    Edges,
    FprRange,
    both_limits,
    check_range,
    cut_to_range,
    merged,
    on_joints,
    widened_edges,
    zero_width,
)
from confroc.bands.ks_regions import ks_regions
from confroc.curve import curve_of, joints, outline
from confroc.methods.bands import ROC_DIFFERENCE_BAND
from confroc.models.ranks import PooledRanks, pooled_ranks
from confroc.resample import N_BAND_RESAMPLES, by_generator, check_resamples, critical_value
from confroc.results import DifferenceBand
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_two_models,
    check_pair,
    difference_label,
    moved_note,
    tpr_errors_at,
    widened,
)
from confroc.scores.rounding import difference_errors

STEEP = "This method under-covers where a curve is steep. Use method='equal_local_levels'."
LARGEST_RESAMPLE = 20_000
"""Cases of a class past which resamples are smaller than the sample, and their spread is rescaled."""

Rows = tuple[IntArray, IntArray]


@accepts_two_models
def roc_difference_band(
    pair: Pair,
    *,
    method: str = "equal_local_levels",
    confidence_level: float = 0.95,
    fpr: FprRange | None = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> DifferenceBand:
    """Simultaneous confidence band for the difference of two ROC curves, a − b.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    method : str
        equal_local_levels : (default) both curves' rates get intervals from the Beta distributions of order
            statistics, as in `roc_band`; the band is what all four deviates (a class and model each) within
            one ball allow. Its radius is that at which the bands of smoothed resamples contain the smooth
            difference they come from. Each resampled case keeps both its scores, so correlation between the
            models is used, not assumed. Bootstrap.
        studentized_bootstrap : one multiple of the difference's standard deviation at each false positive
            rate, chosen over like resamples. Studentized as in [1]_ (eq. 5). It covers less than its
            level where a curve is steep, and more where the models are equal. No guarantee.
        ks_regions : the difference of two bands of Kolmogorov rectangles [2]_ [3]_ (§3.6), both at a level
            high enough that they contain their curves together: (1 + level)/2 each for paired models, by
            Bonferroni's inequality, √level for unpaired ones. Needs no resampling, and is wider: it uses
            nothing of what the models have in common. Finite-sample.
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Part of the false positive rates, from lo to hi, for which the band is wanted; by default all.
        It makes the bands that resample tighter; the other is cut from the full one.
    n_resamples : int
        For the methods that resample, 999 by default; at least 2/(1 − confidence_level).
    rng : Generator, seed or None
        For the methods that resample.
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    DifferenceBand
        Edges cut to [−1, 1]. `different_at` lists where it leaves out zero. With rounded scores the edges
        are moved outwards by what the rounding can have changed.

    Raises
    ------
    ValueError
        Too few resamples for the level, an impossible range or level.

    See Also
    --------
    roc_band : Band for one curve.
    tpr_difference_at_fpr : Interval for the difference at one false positive rate.
    auc_difference : Difference of the areas.

    Notes
    -----
    Cases are drawn with replacement within each class. Each model's scores are the normal scores of its
    pooled ranks plus Gaussian noise of standard deviation 1.06·s·n^(−1/3) per class, so the band depends
    on the order of each model's scores only; ties are spread evenly over their ranks. By `equal_local_levels`
    the noise of the two models is correlated as their scores are. With more than 3,000 cases in a class
    resamples have 3,000, and the radius grows with √(2 ln ln n); by `studentized_bootstrap` they have at most
    20,000, and the standard deviation is scaled by √(m/n).

    The bands that resample are linear between some 100 to 10,000 rates: steps of `equal_local_levels` are a
    quarter of a standard deviation of the rate. Up to the first of them, a twentieth of a case, and from the
    last one on its edges go on as they are. Those of `studentized_bootstrap` also contain zero there.

    The edges of `ks_regions` are linear between the joints of both bands. With more than 10,000 joints they
    are steps over some 1,000 cells of the false positive rate, moved outwards within each cell.

    References
    ----------
    .. [1] Bertail, P., Clémençon, S. & Vayatis, N. (2008). On bootstrapping the ROC curve. NIPS 21.
    .. [2] Campbell, G. (1994). Statistics in Medicine 13, 499–508.
    .. [3] Macskassy, S. A. & Provost, F. (2004). Confidence bands for ROC curves. ROCAI-2004.

    Examples
    --------
    >>> import numpy as np
    >>> from confroc import PairedScores, roc_difference_band
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 200)
    >>> good = 2.0 * y + rng.standard_normal(400)
    >>> pair = PairedScores(y, good, good + 2.0 * rng.standard_normal(400))
    >>> band = roc_difference_band(pair, n_resamples=199, rng=1)
    >>> bool(band.different_at), band.design
    (True, 'paired')
    >>> roc_difference_band(pair, method="ks_regions").guarantee
    'finite-sample'
    """
    check_pair("pair", pair, widens=True)
    row = ROC_DIFFERENCE_BAND.check(method, n_resamples=n_resamples)
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    check_settings(rng, n_jobs)
    count = N_BAND_RESAMPLES
    if "n_resamples" in row.options:
        count = check_resamples(n_resamples, level, count)
    options = ROC_DIFFERENCE_BAND.taken(method, {"n_resamples": count, "rng": rng, "n_jobs": n_jobs})
    return _DO[method](pair, level, fpr_range, row, **options)


def _band(
    pair: Pair,
    level: float,
    fpr_range: FprRange,
    row: methods.Method,
    columns: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    notes: tuple[str, ...] = (),
) -> DifferenceBand:
    at, estimate, lower, upper = columns
    if not (upper - lower).max() > 1e-9:
        notes += zero_width()
    return DifferenceBand(
        quantity=difference_label("tpr", pair),
        at=at,
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=row.name,
        guarantee=row.guarantee,
        notes=notes,
        at_range=fpr_range,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
    )


# --- two Kolmogorov bands -------------------------------------------------------------------------------


def ks_difference(pair: Pair, level: float, fpr_range: FprRange, row: methods.Method) -> DifferenceBand:
    """Differences of the edges of two Kolmogorov bands that contain their curves together with `level`."""
    each = 0.5 * (1.0 + level) if isinstance(pair, PairedScores) else math.sqrt(level)
    both = pair.a, pair.b
    curves = [curve_of(scores) for scores in both]
    edges = [widened_edges(ks_regions(scores, each, joint=True), scores) for scores in both]
    at = merged(*(e.fpr for e in edges), *(c.corners().fpr for c in curves))
    exact = len(at) <= MOST_JOINTS
    if not exact:
        smallest = 1.0 / max(scores.n_neg for scores in both)
        at = merged(np.geomspace(smallest, 1.0, 200), np.linspace(0.0, 1.0, 1001))
    low_a, low_b = (both_limits(e.fpr, e.lower, at) for e in edges)
    high_a, high_b = (both_limits(e.fpr, e.upper, at) for e in edges)
    if not exact:
        # Edges only rise: in a cell the lower one is least at its start, the upper one largest at its end.
        low_a, low_b = (_steps(low[1:-1:2]) for low in (low_a, low_b))
        high_a, high_b = (_steps(high[2::2]) for high in (high_a, high_b))
    return _of_edges(pair, level, fpr_range, row, Edges(np.repeat(at, 2), low_a - high_b, high_a - low_b))


def _of_edges(
    pair: Pair, level: float, fpr_range: FprRange, row: methods.Method, edges: Edges
) -> DifferenceBand:
    """Return the band with these edges, already widened, and the empirical difference on their grid."""
    found = cut_to_range(edges, fpr_range, least=-1.0)
    at = merged(edges.fpr)
    for scores in (pair.a, pair.b):
        if len(at) <= MOST_JOINTS:
            at = merged(at, joints(outline(scores)))
    if len(at) > MOST_JOINTS:
        at = merged(edges.fpr)
    tpr_a, tpr_b = (_limits_of_curve(scores, at) for scores in (pair.a, pair.b))
    columns = on_joints(
        merged(at, found.fpr),
        (np.repeat(at, 2), tpr_a - tpr_b),
        (found.fpr, found.lower),
        (found.fpr, found.upper),
    )
    x, estimate, lower, upper = columns
    notes = tuple(dict.fromkeys(moved_note(pair.a) + moved_note(pair.b)))
    return _band(pair, level, fpr_range, row, (x, estimate, lower, upper), notes)


def _limits_of_curve(scores: Scores, at: FloatArray) -> FloatArray:
    curve = outline(scores)
    return both_limits(curve.fpr, curve.tpr, at)


def _steps(cells: FloatArray) -> FloatArray:
    """Left and right limit, at each end of a cell, of what is constant over cells."""
    return np.concatenate([cells[:1], np.repeat(cells, 2), cells[-1:]])


# --- equal local levels ---------------------------------------------------------------------------------


def equal_local_levels(
    pair: Pair,
    level: float,
    fpr_range: FprRange,
    row: methods.Method,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
) -> DifferenceBand:
    """Differences of the edges of two ellipse bands, whose one radius is calibrated for the difference."""
    edges = calibrated_edges(pair, level, fpr_range, n_resamples=n_resamples, rng=rng, n_jobs=n_jobs)
    return _of_edges(pair, level, fpr_range, row, edges)


# --- studentized smoothed bootstrap ---------------------------------------------------------------------


def tpr_of(pos: FloatArray, neg: FloatArray, at: FloatArray) -> FloatArray:
    """Empirical true positive rate at each false positive rate: the threshold is an order statistic."""
    neg = np.sort(neg)
    kept = np.minimum((at * len(neg)).astype(np.int64), len(neg) - 1)
    threshold = neg[len(neg) - 1 - kept]
    above: FloatArray = 1.0 - np.searchsorted(np.sort(pos), threshold, side="right") / len(pos)
    return above


def _row_draw(table: Scores | PairedScores) -> Callable[[np.random.Generator], Rows]:
    """Return what draws rows of positives and of negatives, each row as often as it has cases."""
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
    """Return what resamples the difference of true positive rates; paired cases keep both their scores."""

    def tpr(generator: np.random.Generator, model: PooledRanks, pos: IntArray, neg: IntArray) -> FloatArray:
        return tpr_of(model.draw(generator, pos, True), model.draw(generator, neg, False), at)

    if isinstance(pair, PairedScores):
        rows, index_a, index_b = _row_draw(pair), pair.index_a, pair.index_b

        def paired(generator: np.random.Generator) -> FloatArray:
            pos, neg = rows(generator)
            of_a = tpr(generator, a, index_a[pos], index_a[neg])
            return of_a - tpr(generator, b, index_b[pos], index_b[neg])

        return paired
    rows_a, rows_b = _row_draw(pair.a), _row_draw(pair.b)

    def unpaired(generator: np.random.Generator) -> FloatArray:
        of_a = tpr(generator, a, *rows_a(generator))
        return of_a - tpr(generator, b, *rows_b(generator))

    return unpaired


def studentized_bootstrap(
    pair: Pair,
    level: float,
    fpr_range: FprRange,
    row: methods.Method,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
) -> DifferenceBand:
    """One multiple of the resampled difference's standard deviation, around the empirical difference."""
    at = _rates(min(pair.a.n_neg, pair.b.n_neg), fpr_range)
    truth = smooth_difference(pair, at)
    draw = _difference_draw(pair, pooled_ranks(pair.a), pooled_ranks(pair.b), at)

    errors = by_generator(lambda generator: draw(generator) - truth, n_resamples, rng, n_jobs)
    spread, scale = _spread(errors, pair)
    radius = critical_value((np.abs(errors) / spread).max(axis=1), level)
    tpr_a, tpr_b = (curve_of(scores).tpr_at(at) for scores in (pair.a, pair.b))
    columns = _over_whole_range(at, tpr_a - tpr_b, radius * spread * scale, fpr_range)
    band = _band(pair, level, fpr_range, row, columns, warned(STEEP, where=True))
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

    The floor is the standard deviation of two rates of half a case each: where no resample varies, the
    sample still does not determine the difference more precisely.
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
    """Continue the columns of a band to 0 and 1; nothing is claimed outside the range.

    Up to the ends of [0, 1] the first and the last values go on, and with them zero, which is the difference
    at both ends. Beyond an inner range nothing goes on.
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


_BANDS: dict[str, Callable[..., DifferenceBand]] = {
    "equal_local_levels": equal_local_levels,
    "studentized_bootstrap": studentized_bootstrap,
    "ks_regions": ks_difference,
}
_DO = ROC_DIFFERENCE_BAND.table(_BANDS)
