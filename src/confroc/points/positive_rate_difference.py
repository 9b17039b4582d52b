"""Differences of two models' rates at the same predicted-positive rate.

The comparison of two models within one budget (the further work of Dugas & Gadoury 2009, §6). Each model has
intervals of its own (`confroc.points.positive_rate`); those of the differences are made of them and of the
correlation that the influence of each case on both rates shows. With q predicted positive, t the threshold
above which q lies, and p the share of positives among the cases at the cut, a case with class y that is
predicted positive or not (f) moves

    TPR by (y (f - TPR) - p (f - q)) / pi,      FPR by ((1 - y)(f - FPR) - (1 - p)(f - q)) / (1 - pi)

of its weight: the first term counts it, the second moves the threshold so that q stays the same. Under
stratified sampling the class means are taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level, rate_counts
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile, square_and_add_ends, warn_zero_width
from confroc.exact.difference import PairSizes, check_pair_sizes
from confroc.exact.positive_rate import quantiles_of
from confroc.exact.positive_rate_difference import OUTCOMES, difference_law, rate_laws
from confroc.methods.points import RATES_DIFFERENCE_AT_POSITIVE_RATE
from confroc.points.beta_difference import PSEUDO_COUNT
from confroc.points.positive_rate import (
    check_shares,
    flagged_replicates,
    found_in_resample,
    rates_moments,
    sample_rates,
)
from confroc.points.share_mixture import cut_at, share_mixture
from confroc.points.threshold import APPROXIMATE, intervals
from confroc.resample import Draw, check_draws, check_sampling, percentile_ends, tails
from confroc.results import DifferenceRegions, notes_of
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_two_models,
    check_pair,
    difference_errors,
    difference_label,
    errors_of,
)
from confroc.scores.counting import calls, rows_of_cases

RATES = ("fpr", "tpr")

Found: TypeAlias = tuple[FloatArray, tuple[str, ...]]
"""Ends of shape (2, 2, h): ends, (FPR, TPR), shares; and notes."""


class Flagged(NamedTuple):
    """Predicted-positive rates in each model's sample, and how many cases of a resample that is."""

    pair: Pair
    share: tuple[FloatArray, FloatArray]
    flagged: tuple[IntArray, IntArray]
    sizes: PairSizes
    level: float
    sampling: Sampling


CALLED = np.array([(1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, 0.0)])[:, :, None]
"""Whether a case of each of the four cells of `calls` is predicted positive, by a and by b."""


def _correlation(asked: Flagged) -> FloatArray:
    """Correlation of the two models' rates from sample to sample, shape (2, h); 0 on disjoint test sets."""
    pair, share = asked.pair, asked.share[0]
    if not isinstance(pair, PairedScores):
        return np.zeros((2, len(share)))
    flagged = share * (pair.n_pos + pair.n_neg)
    count = calls(pair, _cut(pair.a, flagged), _cut(pair.b, flagged)) + PSEUDO_COUNT
    weight = count / count.sum(axis=(0, 1))
    of_class = weight.sum(axis=1, keepdims=True)
    positive = np.array([1.0, 0.0])[:, None, None]
    moved = []
    for scores, called in ((pair.a, CALLED[0]), (pair.b, CALLED[1])):
        at_cut = np.array([_share_at_cut(scores, q) for q in share.tolist()])
        apart = called - (weight * called).sum(axis=(0, 1))
        in_class = called - (weight * called).sum(axis=1, keepdims=True) / of_class
        influence = np.stack(
            [(1.0 - positive) * in_class - (1.0 - at_cut) * apart, positive * in_class - at_cut * apart]
        )
        if asked.sampling == "stratified":
            influence -= (weight * influence).sum(axis=2, keepdims=True) / of_class
        moved.append(influence)
    a, b = moved
    together, of_a, of_b = ((weight * x * y).sum(axis=(1, 2)) for x, y in ((a, b), (a, a), (b, b)))
    spread = np.sqrt(of_a * of_b)
    rho = np.divide(together, spread, out=np.zeros_like(spread), where=spread > 0.0)
    return np.asarray(np.clip(rho, -1.0, 1.0))


def _cut(scores: Scores, flagged: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return how many rows are predicted positive whole, and the part of the next one that is."""
    row = rows_of_cases(scores, flagged)
    both = scores.pos[row] + scores.neg[row]
    return row, 1.0 - (scores.pos_above[row] + scores.neg_above[row] - flagged) / both


def _share_at_cut(scores: Scores, share: float) -> float:
    """Return the share of positives among the cases where the cut may be: the slope of their number."""
    if share >= 1.0:
        return 0.0
    cut = cut_at(scores, share)
    k = cut.found + cut.false
    apart = k - cut.weight @ k
    spread = float(cut.weight @ (apart * apart))
    return float(cut.weight @ (apart * cut.found)) / spread if spread > 0.0 else 0.0


# --- methods -----------------------------------------------------------------------------------------


def _joined(asked: Flagged, estimates: tuple[FloatArray, FloatArray], _: object) -> Found:
    """Square and add the arms of the two models' own intervals."""
    models = asked.pair.a, asked.pair.b
    ends_a, ends_b = (
        share_mixture(scores, share, asked.level, asked.sampling)[:, :2]
        for scores, share in zip(models, asked.share, strict=True)
    )
    arms = tuple(
        (np.minimum(ends[0], own), np.maximum(ends[1], own))
        for ends, own in zip((ends_a, ends_b), estimates, strict=True)
    )
    reach = [0.5 * (high - low) for low, high in arms]
    ends = square_and_add_ends(
        estimates, (arms[0], arms[1]), _correlation(asked), np.abs(reach[0] - reach[1])
    )
    return np.clip(np.stack(ends), -1.0, 1.0), ()


def _moments(asked: Flagged) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of both differences, shape (2, h), the correlation to first order."""
    of_models = [
        [rates_moments(scores, r, size, asked.sampling) for r in count.tolist()]
        for scores, count, size in zip((asked.pair.a, asked.pair.b), asked.flagged, asked.sizes, strict=True)
    ]
    (mean_a, square_a), (mean_b, square_b) = (
        np.array([[moments[rate] for moments in one] for rate in RATES]).transpose(2, 0, 1)
        for one in of_models
    )
    shared = 2.0 * _correlation(asked) * np.sqrt(square_a * square_b)
    return mean_a - mean_b, np.maximum(square_a + square_b - shared, 0.0)


def _normal(asked: Flagged, *_: object) -> Found:
    mean, square = _moments(asked)
    return np.stack(clipped(mean, normal_quantile(asked.level) * np.sqrt(square), low=-1.0)), ()


def _exact(asked: Flagged, *_: object) -> Found:
    places = len(asked.share[0])
    ends, laid_out = np.empty((2, 2, places)), np.ones(places, dtype=bool)
    for i in range(places):
        law = _law(asked, i)
        if law is None:
            laid_out[i] = False
            continue
        for which, values in enumerate(law[:2]):
            ends[:, which, i] = quantiles_of(values, law[2], tails(asked.level))
    if laid_out.all():
        return ends, ()
    ends[:, :, ~laid_out] = _normal(asked)[0][:, :, ~laid_out]
    return ends, (APPROXIMATE,)


def _law(asked: Flagged, i: int) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the values of both differences at one share, FPR and TPR, and their probability."""
    (r_a, r_b), (size_a, size_b) = (int(count[i]) for count in asked.flagged), asked.sizes
    if isinstance(asked.pair, PairedScores):
        law = difference_law(asked.pair, r_a, size_a, asked.sampling)
        if law is None:
            return None
        found = law.difference[:, None]
        return -found / (sum(size_a) - law.drawn), found / law.drawn, law.pmf
    a = rate_laws(asked.pair.a, r_a, size_a, asked.sampling)
    b = rate_laws(asked.pair.b, r_b, size_b, asked.sampling)
    if a is None or b is None or len(a.mass) * len(b.mass) > OUTCOMES:
        return None
    fpr, tpr = (np.subtract.outer(x, y) for x, y in ((a.fpr, b.fpr), (a.tpr, b.tpr)))
    return fpr, tpr, np.multiply.outer(a.mass, b.mass)


def _by_row(counts: IntArray, index: IntArray, rows: int) -> IntArray:
    return np.bincount(index, weights=counts, minlength=rows).astype(np.int64)


def difference_replicates(asked: Flagged, draw: Draw) -> FloatArray:
    """Return resampled differences of (FPR, TPR), of shape (n_resamples, 2, h)."""
    pair = asked.pair
    if not isinstance(pair, PairedScores):
        a, b = (
            flagged_replicates(scores, count, size, draw)[:, :2]
            for scores, count, size in zip((pair.a, pair.b), asked.flagged, asked.sizes, strict=True)
        )
        return a - b
    columns = [(pair.index_a, len(pair.a.score)), (pair.index_b, len(pair.b.score))]

    def statistic(pos: IntArray, neg: IntArray, generator: np.random.Generator) -> FloatArray:
        by_a, by_b = (
            found_in_resample(_by_row(pos, *column), _by_row(neg, *column), asked.flagged[0], generator)
            for column in columns
        )
        more = by_a - by_b
        return np.stack([-more / int(neg.sum()), more / int(pos.sum())])

    return draw(statistic, pair, size=asked.sizes[0], randomised=True)


def _resampled(asked: Flagged, _: object, draw: Draw) -> Found:
    return np.stack(percentile_ends(difference_replicates(asked, draw), asked.level)), ()


_FOUND: Mapping[str, Callable[..., Found]] = RATES_DIFFERENCE_AT_POSITIVE_RATE.table(
    {"beta_mixture": _joined, "wald": _normal, "bootstrap": _resampled, "exact_bootstrap": _exact}
)


@accepts_two_models
def rates_difference_at_positive_rate(
    pair: Pair,
    *,
    positive_rate: ArrayLike,
    method: str = "beta_mixture",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "full",
    n_jobs: int = 1,
) -> DifferenceRegions:
    """Differences a - b of false and true positive rate at the same predicted-positive rate of both models.

    For a fixed budget: each model predicts the share q of all cases that it scores highest as positive,
    whatever its scale. The estimated differences are those in the population, each model at its own threshold
    above which the share q of it lies.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    positive_rate : float or array-like of shape (h,)
        Shares q in (0, 1]. The bootstrap's methods predict exactly r = floor(q * m) of a sample's m cases
        positive, at least one.
    method : str
        beta_mixture : the two models' own intervals (see `rates_at_positive_rate`), their arms squared and
            added [1]_ with the correlation that the influence of each case on both rates shows. Default.
            Asymptotic.
        wald : normal interval with the moments of the exact bootstrap distribution, their correlation to
            first order. Zero width where the models predict the same cases positive; for comparison.
            Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples; each case keeps both its scores. Guarantee:
            bootstrap.
        exact_bootstrap : quantiles of the distribution to which "bootstrap" converges [2]_. Guarantee:
            bootstrap.
    confidence_level : float
        In (0, 1), of each of the two intervals by itself.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets. Not for "beta_mixture".
    n_resamples, rng, sampling, n_jobs
        As in `rates_at_positive_rate`.

    Returns
    -------
    DifferenceRegions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1]; each contains its estimate. `at`
        and `at_b` are the predicted-positive rates of a and b, with the bootstrap's methods r/m. For rounded
        scores the intervals are widened by what the rounding can have changed. `joint` is false.

    Raises
    ------
    ValueError
        A share of 0 or above 1, or for the bootstrap's methods below 1/m; an unknown method; an impossible
        level, size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When intervals of the bootstrap's methods have zero width.

    See Also
    --------
    rates_at_positive_rate : One model.
    rates_difference_at_threshold : The thresholds given instead of the share.
    aligned_thresholds : Thresholds with the same predicted-positive rate, to be used on other cases.

    Notes
    -----
    Both models predict the same number of cases positive: where a finds more positives than b, it predicts as
    many fewer negatives positive. With π the share of positives, π times the difference of the true
    positive rates is -(1 - π) times that of the false positive rates, so that the two intervals are two views
    of one question. The precision's difference is π/q times that of the true positive rates.

    When scores tie at the cut, a random part of the tied cases is predicted positive; `estimate` is the mean
    over that choice. The exact distribution takes seconds with some 50 cases of a class under stratified
    sampling and with some 25 under full sampling, with fewer where scores tie; beyond, a normal distribution
    with first-order moments replaces it, with a note.

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 873-890. Zou & Donner (2008), Statistics in Medicine
       27, 1693-1702.
    .. [2] Dugas & Gadoury (2009), section 6, name this averaging as further work.

    Examples
    --------
    >>> from confroc import PairedScores, rates_difference_at_positive_rate
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 4, 7, 5, 6, 8, 9, 10], [1, 2, 6, 7, 8, 3, 4, 5, 9, 10])
    >>> budget = rates_difference_at_positive_rate(pair, positive_rate=0.4)
    >>> budget.tpr.estimate.round(3), budget.tpr.lower.round(3), budget.tpr.upper.round(3)
    (array([0.2]), array([-0.189]), array([0.577]))
    """
    check_pair("pair", pair, widens=True)
    row = RATES_DIFFERENCE_AT_POSITIVE_RATE.check(method, size=size, n_resamples=n_resamples)
    level = check_level(confidence_level)
    sizes = check_pair_sizes(pair, size)
    draw = check_draws(row, level, n_resamples, rng, sampling, n_jobs)
    models = pair.a, pair.b
    cases = tuple(scores.n_pos + scores.n_neg for scores in models)
    if row.name == "beta_mixture":
        asked_for = check_shares(positive_rate)
        share, count = (asked_for, asked_for), (np.zeros(0, np.int64), np.zeros(0, np.int64))
    else:
        r_a, r_b = (rate_counts("positive_rate", positive_rate, sum(m), "cases") for m in sizes)
        share, count = (r_a / sum(sizes[0]), r_b / sum(sizes[1])), (r_a, r_b)
    asked = Flagged(pair, share, count, sizes, level, check_sampling(sampling))
    rate_a, rate_b = (sample_rates(q * n) for q, n in zip(share, cases, strict=True))
    own_a, own_b = (
        np.array([rates[name](scores) for name in RATES])
        for rates, scores in zip((rate_a, rate_b), models, strict=True)
    )
    ends, notes = _FOUND[row.name](asked, (own_a, own_b), draw)
    certain = (share[0] == 1.0) & (share[1] == 1.0)
    # All cases predicted positive: all rates are 1 by definition.
    ends[:, :, certain] = 0.0
    fpr, tpr = (
        intervals(
            row,
            level,
            difference_label(name, pair),
            "positive_rate",
            share[0],
            estimate,
            side,
            difference_errors(errors_of(pair.a, rate_a[name]), errors_of(pair.b, rate_b[name])),
            bounds=(-1.0, 1.0),
        )
        for name, estimate, side in zip(RATES, own_a - own_b, ends.transpose(1, 0, 2), strict=True)
    )
    if row.name != "beta_mixture":
        notes += warn_zero_width((ends[1] - ends[0])[:, ~certain], "beta_mixture")
    return DifferenceRegions(
        at_name="positive_rate",
        at=share[0],
        at_b=share[1],
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=False,
        method=row.name,
        guarantee=row.guarantee,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        notes=notes + notes_of(fpr, tpr),
    )
