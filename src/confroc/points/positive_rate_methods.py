"""Methods for rates at a predicted-positive rate, of one model and of the difference between two.

This is the further work of Dugas & Gadoury (2009, §6). Intervals of a difference combine those of both models
with the correlation from the influence of each case on both rates. With q predicted positive, t the threshold
with that rate, and p the proportion of positives among the cases at t, a case with class y and prediction f
changes

    TPR by (y (f - TPR) - p (f - q)) / pi,      FPR by ((1 - y)(f - FPR) - (1 - p)(f - q)) / (1 - pi)

times its weight: the first term counts it, the second changes the threshold so that q is constant. Under
stratified sampling the class means are subtracted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np

from confroc._check import ArgumentError, check_size
from confroc._types import BoolArray, Ends, FloatArray, IntArray, Sampling, Size
from confroc.base import Contrast, Method, Outcome, Resampling, method_class
from confroc.distributions import clipped, containing, normal_quantile, square_and_add_ends, warn_zero_width
from confroc.exact.positive_rate import (
    found_moments,
    found_quantiles,
    full_moments,
    joint_law,
    joint_quantiles,
    quantiles_of,
)
from confroc.exact.positive_rate_difference import OUTCOMES, difference_law, rate_laws
from confroc.points.beta_difference import PSEUDO_COUNT
from confroc.points.share_mixture import cut_at, share_mixture
from confroc.resample import Draw, draws_of, percentile_ends, tails
from confroc.scores import CountTable, Pair, PairedScores, Scores, models_of
from confroc.scores.counting import calls, rows_of_cases
from confroc.statistics.rates import RatesAtPositiveRate

INTERVAL, DIFFERENCE = ("rates_at_positive_rate", "interval"), ("rates_at_positive_rate", "difference")

APPROXIMATE = "Some exact distributions are too large; a normal approximation is used for them."
QUANTITIES = ("fpr", "tpr", "precision")
RATES = ("fpr", "tpr")


class Request(NamedTuple):
    """Predicted-positive rates in each model's sample, with the numbers of cases in a resample."""

    data: Scores | Pair
    share: tuple[FloatArray, ...]
    flagged: tuple[IntArray, ...]
    sizes: tuple[tuple[int, int], ...]
    level: float
    sampling: Sampling

    @property
    def models(self) -> list[tuple[Scores, IntArray, tuple[int, int]]]:
        """The table of each model, the numbers of cases predicted positive, and the size of a resample."""
        return list(zip(models_of(self.data), self.flagged, self.sizes, strict=True))

    @property
    def single(self) -> bool:
        """Whether there is one model."""
        return len(self.sizes) == 1


def _certain(x: Contrast, ends: FloatArray) -> Ends:
    """Limits if all cases are predicted positive: both rates are 1 by definition, and differences 0."""
    ends[:, :2, _all_positive(x)] = 1.0 if x.single else 0.0
    return tuple(ends[:, x.statistic.rows])


def _all_positive(x: Contrast) -> BoolArray:
    return np.asarray(np.logical_and.reduce([s.certain for s in x.statistics]))


@method_class
class BetaMixtureShare(Method):
    """Mixture of Beta distributions.

    Includes the uncertainty of the threshold. Limits are quantiles of a mixture of Jeffreys's Beta
    distributions for the proportions of positives above and below the threshold, over the binomial
    distribution of the number of cases above it. FPR, TPR and precision are functions of the two proportions
    and the predicted-positive rate. For two models the arms of both intervals are squared and added, with the
    correlation from the influence of each case on both rates; disjoint test sets are independent.
    """

    name = "beta_mixture"
    dependence = "resized"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("brown2001", "newcombe1998", "zou2008")
    caution = "Conservative at rates of one or two cases."

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of FPR, TPR and precision, or of the differences of FPR and TPR."""
        if x.single:
            s, n = x.statistic, x.table.n_pos + x.table.n_neg
            return Outcome(*_certain(x, share_mixture(x.table, s.places * n / n, level, s.sampling, s.rows)))
        request, (own_a, own_b) = _request(x, None, level), x.values
        a, b = (
            containing(tuple(share_mixture(scores, share, level, request.sampling, (0, 1))[:, :2]), own)
            for scores, share, own in zip(x.tables, request.share, x.values, strict=True)
        )
        common = np.abs(0.5 * (a[1] - a[0]) - 0.5 * (b[1] - b[0]))
        ends = square_and_add_ends((own_a, own_b), (a, b), _correlation(request), common)
        return Outcome(*_certain(x, np.clip(np.stack(ends), -1.0, 1.0)))


@method_class
class OfWholeCases(Method):
    """Base class of methods that predict an integer number of a resample's cases positive.

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in a resample; m is their sum. Default: as in the sample. Applies
        to both of two disjoint test sets.
    """

    size: Size = None

    def attained(self, statistic: RatesAtPositiveRate, table: Scores) -> RatesAtPositiveRate:
        """Return the statistic at the rates r/m of the interval."""
        return statistic.of_cases(sum(check_size(self.size, table.n_pos, table.n_neg)))

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of FPR, TPR and precision, or of the differences of FPR and TPR."""
        x = replace(x, statistics=tuple(map(self.attained, x.statistics, x.tables)))
        ends, notes = self.ends(_request(x, self.size, level))
        lower, upper = _certain(x, ends)
        notes += warn_zero_width((upper - lower)[:, ~_all_positive(x)], "beta_mixture")
        return Outcome(lower, upper, x.value, notes=notes)

    def ends(self, request: Request) -> EndsAndNotes:
        """Return the limits, shape (2, 3, h) for one model and (2, 2, h) for a difference, and notes."""
        raise NotImplementedError


def attained(method: Method, statistic: RatesAtPositiveRate, table: Scores) -> RatesAtPositiveRate:
    """Return the statistic at the rates of the method's interval."""
    return method.attained(statistic, table) if isinstance(method, OfWholeCases) else statistic


EndsAndNotes = tuple[FloatArray, tuple[str, ...]]


def _request(x: Contrast, size: Size, level: float) -> Request:
    if not x.single and x.statistic.rates != RATES:
        remedy = f"Use RatesAtPositiveRate(..., rates={RATES!r})."
        raise ArgumentError("statistic", f"have the rates {RATES!r} for a difference", x.statistic, remedy)
    sizes = tuple(check_size(size, t.n_pos, t.n_neg) for t in x.tables)
    shares = tuple(s.places for s in x.statistics)
    counts = tuple(np.rint(s * sum(m)).astype(np.int64) for s, m in zip(shares, sizes, strict=True))
    return Request(x.data, shares, counts, sizes, level, x.statistic.sampling)


@method_class
class ShareMoments(OfWholeCases):
    """Base class of normal intervals with moments of the exact bootstrap distribution."""

    added: ClassVar[int] = 0
    """Number of positives and of negatives added above all cases, and below."""

    def ends(self, request: Request) -> EndsAndNotes:
        """Return the limits of normal intervals."""
        return _normal_ends(request, self.added), ()


@method_class
class AgrestiCoullShare(ShareMoments):
    """Exact bootstrap moments, smoothed.

    Normal interval with the mean and variance of the bootstrap distribution after adding two positives and
    two negatives above all cases, and as many below. At a fixed threshold this is the Agresti–Coull addition.
    """

    name = "agresti_coull"
    serves = (INTERVAL,)
    papers = ("dugas2009",)
    caution = "Under-covers for the FPR with few positives."
    added = 2


@method_class
class WaldShare(ShareMoments):
    """Exact bootstrap moments.

    Normal interval with the mean and variance of the exact bootstrap distribution, the correlation of two
    models to first order. For comparison.
    """

    name = "wald"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("dugas2009",)
    caution = (
        "Zero width and no coverage if the sample rate is 0 or 1, or both models predict the same "
        "cases positive."
    )


@method_class
class BootstrapShare(OfWholeCases, Resampling):
    """Percentile bootstrap.

    Percentiles of the rates, or of their differences, in resamples of whole cases; tied cases are predicted
    positive at random.
    """

    name = "bootstrap"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("dugas2009",)
    caution = WaldShare.caution

    def ends(self, request: Request) -> EndsAndNotes:
        """Return percentiles of resampled rates or differences."""
        draw = draws_of(self, request.level, sampling=request.sampling)
        drawn = (
            flagged_replicates(*request.models[0], draw)
            if request.single
            else difference_replicates(request, draw)
        )
        return np.stack(percentile_ends(drawn, request.level)), ()


@method_class
class ExactBootstrapShare(OfWholeCases):
    """Exact bootstrap.

    Quantiles of the limiting distribution of "bootstrap", without resampling.
    """

    name = "exact_bootstrap"
    guarantee = "bootstrap"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("dugas2009",)
    caution = WaldShare.caution

    def ends(self, request: Request) -> EndsAndNotes:
        """Return quantiles of exact distributions, and normal limits where these are too large."""
        exact = _exact_rates if request.single else _exact_differences
        found = [exact(request, i) for i in range(len(request.share[0]))]
        if all(own is not None for own in found):
            return np.stack([own for own in found if own is not None], axis=-1), ()
        ends = _normal_ends(request)
        for i, own in enumerate(found):
            if own is not None:
                ends[:, :, i] = own
        return ends, (APPROXIMATE,)


# --- one model ---------------------------------------------------------------------------------------


def with_pseudo_cases(scores: Scores, a: int) -> Scores:
    """Add a positives and a negatives above all cases, and as many below."""
    if a == 0:
        return scores
    # The values of the scores are not used.
    score = np.broadcast_to(0.0, len(scores.score) + 2)
    pos, neg = (np.concatenate([[a], counts, [a]]) for counts in (scores.pos, scores.neg))
    return Scores._of(CountTable(score, pos, neg))


def rates_moments(
    scores: Scores, r: int, size: tuple[int, int], sampling: Sampling
) -> dict[str, tuple[float, float]]:
    """Return the mean and variance of each rate when r cases of a resample are predicted positive."""
    m_pos, m_neg = size
    if sampling == "full":
        return full_moments(scores, r, m_pos + m_neg)
    mean, variance = found_moments(scores, r, size)
    return {
        "fpr": ((r - mean) / m_neg, variance / m_neg**2),
        "tpr": (mean / m_pos, variance / m_pos**2),
        "precision": (mean / r, variance / r**2),
    }


def _exact_rates(request: Request, i: int) -> FloatArray | None:
    """Limits of FPR, TPR and precision at one rate, shape (2, 3), or None if their distribution is large."""
    ((scores, flagged, size),) = request.models
    count, probs = int(flagged[i]), tails(request.level)
    if request.sampling == "stratified":
        found = np.array(found_quantiles(scores, count, size, probs))
        # Sizes are fixed, so the three rates are functions of one count.
        return np.stack([(count - found[::-1]) / size[1], found / size[0], found / count], axis=1)
    joint = joint_law(scores, count, sum(size))
    if joint is None:
        return None
    quantiles = joint_quantiles(joint, count, sum(size), probs)
    return np.array([quantiles[name] for name in QUANTITIES]).T


LARGEST_TIE = 10**9
"""Largest class for numpy's hypergeometric numbers."""


def found_in_resample(pos: IntArray, neg: IntArray, r: IntArray, generator: np.random.Generator) -> IntArray:
    """Return the positives among the r highest cases of a table of counts, with ties in random order."""
    pos_above = np.cumsum(pos)
    all_above = pos_above + np.cumsum(neg)
    row = np.searchsorted(all_above, r)
    # The r-th case is in this row: rows above are predicted positive, and a random part of this one.
    short = r - (all_above[row] - pos[row] - neg[row])
    largest = int(max(pos[row].max(initial=0), neg[row].max(initial=0)))
    if largest >= LARGEST_TIE:
        rule = f"contain fewer than {LARGEST_TIE:,} cases of a class with one score for method 'bootstrap'"
        raise ArgumentError("scores", rule, largest, "Use method 'exact_bootstrap'.")
    return np.asarray(pos_above[row] - pos[row] + generator.hypergeometric(pos[row], neg[row], short))


def flagged_replicates(scores: Scores, r: IntArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled (FPR, TPR, precision), shape (n_resamples, 3, h), with ties in random order."""

    def statistic(pos: IntArray, neg: IntArray, generator: np.random.Generator) -> FloatArray:
        found = found_in_resample(pos, neg, r, generator)
        return np.stack([(r - found) / int(neg.sum()), found / int(pos.sum()), found / r])

    return draw(statistic, scores, size=size, randomized=True)


# --- two models --------------------------------------------------------------------------------------

CALLED = np.array([(1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, 0.0)])[:, :, None]
"""Predictions of a and of b in each of the four cells of `calls`."""


def _correlation(request: Request) -> FloatArray:
    """Correlation of the two models' estimated rates, shape (2, h); 0 on disjoint test sets."""
    pair, share = request.data, request.share[0]
    if not isinstance(pair, PairedScores):
        return np.zeros((2, len(share)))
    flagged = share * (pair.n_pos + pair.n_neg)
    count = calls(pair, (_cut(pair.a, flagged), _cut(pair.b, flagged)))[0] + PSEUDO_COUNT
    weight = count / count.sum(axis=(0, 1))
    of_class = weight.sum(axis=1, keepdims=True)
    positive = np.array([1.0, 0.0])[:, None, None]
    moved = []
    for scores, called in ((pair.a, CALLED[0]), (pair.b, CALLED[1])):
        at_cut = np.array([_share_at_cut(scores, q) for q in share.tolist()])
        centered = called - (weight * called).sum(axis=(0, 1))
        in_class = called - (weight * called).sum(axis=1, keepdims=True) / of_class
        influence = np.stack(
            [(1.0 - positive) * in_class - (1.0 - at_cut) * centered, positive * in_class - at_cut * centered]
        )
        if request.sampling == "stratified":
            influence -= (weight * influence).sum(axis=2, keepdims=True) / of_class
        moved.append(influence)
    a, b = moved
    together, of_a, of_b = ((weight * x * y).sum(axis=(1, 2)) for x, y in ((a, b), (a, a), (b, b)))
    spread = np.sqrt(of_a * of_b)
    rho = np.divide(together, spread, out=np.zeros_like(spread), where=spread > 0.0)
    return np.asarray(np.clip(rho, -1.0, 1.0))


def _cut(scores: Scores, flagged: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the number of rows predicted positive, and the part of the next one."""
    row = rows_of_cases(scores, flagged)
    both = scores.pos[row] + scores.neg[row]
    return row, 1.0 - (scores.pos_above[row] + scores.neg_above[row] - flagged) / both


def _share_at_cut(scores: Scores, share: float) -> float:
    """Return the proportion of positives among the cases near the threshold."""
    if share >= 1.0:
        return 0.0
    cut = cut_at(scores, share)
    k = cut.found + cut.false
    centered = k - cut.weight @ k
    spread = float(cut.weight @ (centered * centered))
    return float(cut.weight @ (centered * cut.found)) / spread if spread > 0.0 else 0.0


def _normal_ends(request: Request, added: int = 0) -> FloatArray:
    """Normal limits with exact bootstrap moments, the correlation of two models to first order."""
    moments = []
    for scores, flagged, (m_pos, m_neg) in request.models:
        table, size = with_pseudo_cases(scores, added), (m_pos + 2 * added, m_neg + 2 * added)
        found = [rates_moments(table, r, size, request.sampling) for r in (flagged + 2 * added).tolist()]
        moments.append(np.array([[each[name] for each in found] for name in QUANTITIES]).transpose(2, 0, 1))
    mean, square = moments[0]
    if not request.single:
        (mean_a, square_a), (mean_b, square_b) = (each[:, :2] for each in moments)
        shared = 2.0 * _correlation(request) * np.sqrt(square_a * square_b)
        mean, square = mean_a - mean_b, square_a + square_b - shared
    half_width = normal_quantile(request.level) * np.sqrt(np.maximum(square, 0.0))
    return np.stack(clipped(mean, half_width, low=0.0 if request.single else -1.0))


def _exact_differences(request: Request, i: int) -> FloatArray | None:
    """Limits of the differences of FPR and TPR at one rate, shape (2, 2), or None."""
    law = _law(request, i)
    if law is None:
        return None
    return np.array([quantiles_of(values, law[2], tails(request.level)) for values in law[:2]]).T


def _law(request: Request, i: int) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the values of both differences at one rate, FPR and TPR, and their probabilities."""
    if isinstance(request.data, PairedScores):
        size = request.sizes[0]
        law = difference_law(request.data, int(request.flagged[0][i]), size, request.sampling)
        if law is None:
            return None
        found = law.difference[:, None]
        return -found / (sum(size) - law.drawn), found / law.drawn, law.pmf
    a, b = (rate_laws(table, int(r[i]), size, request.sampling) for table, r, size in request.models)
    if a is None or b is None or len(a.mass) * len(b.mass) > OUTCOMES:
        return None
    fpr, tpr = (np.subtract.outer(x, y) for x, y in ((a.fpr, b.fpr), (a.tpr, b.tpr)))
    return fpr, tpr, np.multiply.outer(a.mass, b.mass)


def _by_row(counts: IntArray, index: IntArray, rows: int) -> IntArray:
    return np.bincount(index, weights=counts, minlength=rows).astype(np.int64)


def difference_replicates(request: Request, draw: Draw) -> FloatArray:
    """Return resampled differences of (FPR, TPR), of shape (n_resamples, 2, h)."""
    pair = request.data
    if not isinstance(pair, PairedScores):
        a, b = (flagged_replicates(*model, draw)[:, :2] for model in request.models)
        return a - b
    columns = [(pair.index_a, len(pair.a.score)), (pair.index_b, len(pair.b.score))]

    def statistic(pos: IntArray, neg: IntArray, generator: np.random.Generator) -> FloatArray:
        by_a, by_b = (
            found_in_resample(_by_row(pos, *column), _by_row(neg, *column), request.flagged[0], generator)
            for column in columns
        )
        more = by_a - by_b
        return np.stack([-more / int(neg.sum()), more / int(pos.sum())])

    return draw(statistic, pair, size=request.sizes[0], randomized=True)
