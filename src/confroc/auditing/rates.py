"""Coverage of intervals for both rates at a threshold, and for the TPR at an FPR.

Intervals for a proportion depend only on the count, so each method is tabulated once for all counts. At a
false positive rate the bootstrap distribution of the threshold depends only on the number of negatives: a
fixed matrix of weights times the proportions of positives above each negative gives the moments in every
sample (Dugas & Gadoury 2009, §5.1-5.4).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
from scipy import special

from confroc import distributions
from confroc._check import ranks_of
from confroc._types import Ends, FloatArray, IntArray
from confroc.auditing.coverage import Coverage, counted, counted_region
from confroc.auditing.populations import Population, threshold_at_positive_rate
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples, count_at, ranks
from confroc.distributions import binomial_pmf, clipped, containing, normal_quantile
from confroc.points import tpr_at_fpr
from confroc.points.rate import TPR_AT_FPR
from confroc.resample import percentile_ends, tails
from confroc.results import one_sided_limits

RATES = ("fpr", "tpr")

TABULATED = 1000
"""Number of trials up to which all binomial distributions are tabulated."""

LOST = 1e-14
"""Neglected weight of thresholds in a mixture."""

BY_RANK = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap")
"""Methods whose threshold is a case of the sample, of rank 1 or more."""


# --- at a threshold ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=16)
def places(
    population: Population, at: tuple[float, ...], share: float, by_score: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds, given directly or by predicted-positive rates, with the true FPR and TPR."""
    given = np.array(at)
    threshold = given if by_score else threshold_at_positive_rate(population, given, share)
    return threshold, *population.rates(threshold)


@functools.lru_cache(maxsize=4096)
def interval_table(method: str, n: int, level: float) -> Ends:
    """Limits of the interval for a proportion, for every count from 0 to n."""
    k = np.arange(n + 1)
    interval: Callable[[IntArray, int, float], Ends] = getattr(distributions, method)
    return containing(interval(k, n, level), k / n)


def rates_at_threshold(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count rectangles for (FPR, TPR) that contain both true rates; `joint` is an option of the methods."""
    samples, at = drawn.samples, np.array(rule.at)
    threshold, *truth = places(drawn.model, rule.at, drawn.share, rule.by_score)
    counts = count_at(samples.neg, threshold), count_at(samples.pos, threshold)
    out: list[Coverage] = []
    for method in rule.methods:
        name, options = parse(method)
        level = math.sqrt(rule.confidence_level) if options.get("joint", True) else rule.confidence_level
        ends: list[Ends] = []
        for k, n in zip(counts, (samples.n_neg, samples.n_pos), strict=True):
            if name == "bootstrap":
                resampled = resampled_proportion(k, n, rule.n_resamples, level, drawn.rng)
                ends.append(containing(resampled, k / n))
            else:
                low, high = interval_table(name, n, level)
                ends.append((low[k], high[k]))
        out += counted_region(method, at, RATES, truth, ends)
    return out


# --- at a false positive rate ------------------------------------------------------------------------


@functools.lru_cache(maxsize=512)
def threshold_weights(r: tuple[int, ...], n: int) -> FloatArray:
    """P(r-th highest of n resampled negatives is the sample's k-th highest), shape (h, n)."""
    edges = np.arange(n + 1) / n
    rank = np.array(r, dtype=np.float64)[:, None]
    return np.diff(special.betainc(rank, n - rank + 1.0, edges), axis=1)


def rank_weights(at: FloatArray, n: int) -> FloatArray:
    """The same at rates, each a mixture of the two adjacent ranks, shape (h, n)."""
    r, part = ranks_of(at, n)
    lower, upper = (threshold_weights(tuple(rank.tolist()), n) for rank in (r, np.minimum(r + 1, n)))
    return (1.0 - part)[:, None] * lower + part[:, None] * upper


def tpr_moments(
    count: FloatArray, n_pos: int, weights: FloatArray, a: float
) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of each sample's bootstrap TPR, from the positives above each negative."""
    p = (count + a) / (n_pos + 2.0 * a)
    # The rounding of a matrix product depends on the number of threads.
    mean, square = (np.einsum("rk,hk->rh", v, weights) for v in (p, p * p))
    return mean, np.maximum(square - mean * mean, 0.0) + (mean - square) / (n_pos + 2.0 * a)


def ranked(samples: Samples, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Positives above each negative of each sample, in descending order, and the curve's value at each rate.

    Of the positives tied with a negative a part is counted, by the negative's position in the tie.
    """
    neg, pos = np.sort(samples.neg, axis=1), np.sort(samples.pos, axis=1)
    n = samples.n_neg
    (found, missed), (next_rank, beyond) = (
        [counts[:, ::-1] for counts in ranks(neg, among)] for among in (pos, neg)
    )
    positives = missed + (np.arange(1, n + 1) - beyond) / (next_rank - beyond) * (found - missed)
    r, _ = ranks_of(at, n)
    nxt = np.minimum(r, n - 1)
    share = (at * n - beyond[:, nxt]) / (next_rank - beyond)[:, nxt]
    estimate = (missed[:, nxt] + share * (found - missed)[:, nxt]) / samples.n_pos
    return positives, np.where(r == n, 1.0, estimate)


def tpr_at_fprs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true TPR at the requested rate."""
    truth = one_sided_limits(*drawn.model.curve(np.array(rule.at)), np.array(rule.at))[1]
    return at_rates(rule, drawn.samples, "tpr", truth, drawn.rng)


def at_rates(
    rule: Rule, samples: Samples, quantity: str, truth: FloatArray, rng: np.random.Generator
) -> list[Coverage]:
    """Count intervals of `tpr_at_fpr` that contain the truth at each rate."""
    at = np.array(rule.at)
    positives, estimate = ranked(samples, at)
    out = []
    for method in rule.methods:
        ends = np.full((2, samples.reps, len(at)), np.nan)
        # Some methods require at least one negative above the threshold.
        given = (
            np.flatnonzero(ranks_of(at, samples.n_neg)[0] >= 1) if method in BY_RANK else np.arange(len(at))
        )
        if given.size:
            made = _tpr_ends(rule, method, samples, positives, at[given], rng)
            ends[:, :, given] = containing(made, estimate[:, given]) if method in BY_RANK else made
        out.append(counted(method, quantity, at, truth, *ends))
    return out


def _tpr_ends(
    rule: Rule,
    method: str,
    samples: Samples,
    count: FloatArray,
    at: FloatArray,
    rng: np.random.Generator,
) -> Ends:
    level, b = rule.confidence_level, rule.n_resamples
    shape = (samples.reps, len(at))
    if method in BY_RANK:
        weights = rank_weights(at, samples.n_neg)
        if method in ("agresti_coull", "wald"):
            mean, variance = tpr_moments(
                count, samples.n_pos, weights, 2.0 if method == "agresti_coull" else 0.0
            )
            return clipped(mean, normal_quantile(level) * np.sqrt(variance))
        if samples.n_pos <= TABULATED and not (count % 1.0).any():
            # Quantiles of the exact distribution tolerate rounding errors.
            exact = tuple(np.full(shape, p * (1.0 - 1e-12)) for p in tails(level))
            probs = percentile_levels(b, level, shape, rng) if method == "bootstrap" else exact
            low, high = (mixture_quantiles(count.astype(np.int64), samples.n_pos, weights, p) for p in probs)
            return low, high
    name, options = parse(method)
    options |= TPR_AT_FPR.taken(name, {"n_resamples": b})
    (ends,) = samples.one_by_one(
        lambda scores: tpr_at_fpr(scores, fpr=at, method=name, confidence_level=level, rng=rng, **options),
        places=len(at),
    )
    return ends


# --- percentiles of B resamples without resampling ---------------------------------------------------
#
# The two percentiles are order statistics of B independent draws: the distribution's quantiles at two order
# statistics of B uniform numbers, which are Beta distributed. So two random numbers per interval have the
# same distribution as B draws.


@functools.lru_cache(maxsize=32)
def binomial_cdfs(n: int) -> FloatArray:
    """P(Bin(n, k/n) <= l), row k, column l."""
    k = np.arange(n + 1)
    return np.minimum(np.cumsum(binomial_pmf(k, n, (k / n)[:, None]), axis=1), 1.0)


@functools.lru_cache(maxsize=32)
def _in_one_list(n: int) -> FloatArray:
    """Rows of the table, each shifted by one, as one increasing list."""
    return (binomial_cdfs(n) + np.arange(n + 1)[:, None]).ravel()


def percentile_levels(b: int, level: float, shape: tuple[int, ...], rng: np.random.Generator) -> Ends:
    """Draw the two levels of the percentiles of b draws, in arrays of this shape."""
    low, high = (max(1, math.ceil(b * p - 1e-9)) for p in tails(level))
    upper = rng.beta(high, b - high + 1.0, size=shape)
    lower = upper * rng.beta(low, high - low, size=shape) if high > low else upper
    return lower, upper


def resampled_proportion(k: IntArray, n: int, b: int, level: float, rng: np.random.Generator) -> Ends:
    """Percentiles of b resampled proportions, for k of n cases; arrays with the shape of k."""
    if n > TABULATED:
        return percentile_ends(rng.binomial(n, k / n, size=(b, *k.shape)) / n, level)
    found = [np.searchsorted(_in_one_list(n), p + k) for p in percentile_levels(b, level, k.shape, rng)]
    low, high = (np.clip(place - k * (n + 1), 0, n) / n for place in found)
    return low, high


def mixture_quantiles(count: IntArray, n_pos: int, weights: FloatArray, prob: FloatArray) -> FloatArray:
    """Quantiles of mixtures of binomials.

    Parameters
    ----------
    count : ndarray of shape (reps, n_neg)
        Number of positives above each negative.
    n_pos : int
    weights : ndarray of shape (h, n_neg)
        Distribution of the threshold at each place.
    prob : ndarray of shape (reps, h)
    """
    matters = weights > LOST
    first = matters.argmax(axis=1)
    length = int((weights.shape[1] - matters[:, ::-1].argmax(axis=1) - first).max())
    place = np.minimum(first, weights.shape[1] - length)[:, None] + np.arange(length)
    kept, cdf = np.take_along_axis(weights, place, axis=1), binomial_cdfs(n_pos)
    low, high = np.zeros(prob.shape, np.int64), np.full(prob.shape, n_pos)
    # The quantiles have no closed form; solve for all samples and places at once.
    while (low < high).any():
        middle = (low + high) // 2
        total = np.zeros(prob.shape)
        for k in range(length):
            total += kept[:, k] * cdf[count[:, place[:, k]], middle]
        found = (total >= prob) | (low == high)
        low, high = np.where(found, low, middle + 1), np.where(found, middle, high)
    return low / n_pos
