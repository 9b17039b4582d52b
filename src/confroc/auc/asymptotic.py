"""Closed-form variances and intervals of the AUC, functions of the estimate and the class sizes.

Functions accept and return floats or arrays, so that simulations evaluate many samples with the code of
`auc_interval`.

References
----------
Birnbaum & Klose 1957; Cortes & Mohri 2004; Hanley & McNeil 1982; Newcombe 1998, 2006; Reiser & Guttman 1986;
Demidenko 2012; Zou & Donner 2008.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy import special

from confroc._types import Ends, FloatArray
from confroc.distributions import wilson_limit
from confroc.influence import AreaEstimate
from confroc.models.bandwidths import unit_scaled
from confroc.scores import Scores

Number: TypeAlias = float | FloatArray


def hanley_mcneil_variance(auc: Number, n_pos: float, n_neg: float) -> FloatArray:
    """Variance under exponential scores, Q₁ = A/(2 − A) and Q₂ = 2A²/(1 + A) (Hanley & McNeil 1982)."""
    a = np.asarray(auc)
    q1, q2 = a / (2.0 - a), 2.0 * a * a / (1.0 + a)
    total: FloatArray = a * (1.0 - a) + (n_pos - 1.0) * (q1 - a * a) + (n_neg - 1.0) * (q2 - a * a)
    return total / (n_pos * n_neg)


Model: TypeAlias = Callable[[Number, Number, Number], FloatArray]
"""Accepts a true AUC A and class sizes; returns the variance of the empirical AUC divided by A(1 − A)."""


def newcombe_model(auc: Number, n_pos: Number, n_neg: Number) -> FloatArray:
    """Variance of the empirical AUC divided by A(1 − A), by Newcombe (2006, method 5).

    Hanley & McNeil's exponential form with (n₊ + n₋)/2 − 1 for both n₊ − 1 and n₋ − 1.
    """
    a = np.asarray(auc)
    extra = (n_pos + n_neg) / 2.0 - 1.0
    return np.asarray((1.0 + extra * ((1.0 - a) / (2.0 - a) + a / (1.0 + a))) / (n_pos * n_neg))


def exponential_model(auc: Number, n_pos: Number, n_neg: Number) -> FloatArray:
    """Variance of the empirical AUC divided by A(1 − A), by Hanley & McNeil (1982), worst class assignment.

    Exponential scores have a longer tail in one class. If class sizes differ, the variance is larger if this
    is the smaller class, as assumed here.
    """
    a = np.asarray(auc)
    n, m = np.minimum(n_pos, n_neg), np.maximum(n_pos, n_neg)
    # (Q₁ − A²) and (Q₂ − A²), each over A(1 − A).
    one, other = (1.0 - a) / (2.0 - a), a / (1.0 + a)
    extra = (n - 1.0) * np.minimum(one, other) + (m - 1.0) * np.maximum(one, other)
    # The product of two counts may exceed 64 bits.
    return np.asarray((1.0 + extra) / np.multiply(n, m, dtype=np.float64))


def score_ends(
    auc: Number,
    scale: Number,
    n_pos: Number,
    n_neg: Number,
    z: Number,
    model: Model = newcombe_model,
) -> Ends:
    """Score interval: all AUCs A with |auc − A| ≤ z √(scale · V(A)), where V is the model's variance.

    V(A)/A(1 − A) varies little with A. With a fixed ratio the limits are Wilson's; each limit gives the ratio
    for the next iteration, which at least halves the error of an interval of any width.
    """
    auc, half = np.broadcast_arrays(auc, z * np.sqrt(scale))
    side = np.stack([-half, half])
    # SciPy's find_root makes auc_interval at least three times slower (python benchmarks/roots.py).
    ends = np.stack([0.5 * auc, 0.5 + 0.5 * auc])
    for _ in range(100):
        last, ends = ends, wilson_limit(auc, 1.0, side * np.sqrt(model(ends, n_pos, n_neg)))
        if (np.abs(ends - last) <= 1e-15).all():
            break
    return ends[0], ends[1]


def newcombe_ends(auc: Number, n_pos: Number, n_neg: Number, z: Number) -> Ends:
    """Newcombe's score interval."""
    return score_ends(auc, 1.0, n_pos, n_neg, z)


PRIOR_DF = 6.0
"""Prior degrees of freedom of the model's variance, chosen by simulated coverage."""
FAR = 8.0
"""Normal quantile beyond which those of Student's t are taken as proportional, since tails underflow."""


def score_delong_ends(
    auc: Number, variance: Number, df: Number, n_pos: Number, n_neg: Number, tail: Number
) -> Ends:
    """Score interval with a model's variance rescaled towards DeLong's.

    For ν = `df` → ∞ a distribution-free score interval; for ν = 0 (perfect separation, one case in a class)
    that of the model. `tail` is the probability beyond each limit.
    """
    scale = score_delong_share(auc, variance, df, n_pos, n_neg)
    z = score_delong_quantile(df, tail)
    return score_ends(auc, scale, n_pos, n_neg, z, exponential_model)


def score_delong_half_length(
    auc: Number, variance: Number, df: Number, n_pos: Number, n_neg: Number, z: Number
) -> Ends:
    """The AUC and a half-length at a normal quantile, for both sides; for differences.

    The longer of half the score interval and t standard errors. The score interval is shorter in the middle
    because it is shifted towards 1/2, which a difference of two AUCs does not allow for.
    """
    scale = score_delong_share(auc, variance, df, n_pos, n_neg)
    t = score_delong_quantile(df, special.ndtr(-np.minimum(z, FAR))) * np.maximum(z, FAR) / FAR
    lower, upper = score_ends(auc, scale, n_pos, n_neg, t, exponential_model)
    error = np.sqrt(scale * auc * (1.0 - np.asarray(auc)) * exponential_model(auc, n_pos, n_neg))
    half = np.maximum(0.5 * (upper - lower), t * error)
    return auc - half, auc + half


def score_delong_share(auc: Number, variance: Number, df: Number, n_pos: Number, n_neg: Number) -> FloatArray:
    """Variance used by score_delong relative to the model's, from the estimate and DeLong's variance."""
    model = np.multiply(auc, 1.0 - np.asarray(auc)) * exponential_model(auc, n_pos, n_neg)
    known = np.asarray(df) > 0.0
    ratio = np.divide(variance, model, out=np.ones(np.shape(model)), where=known & (model > 0.0))
    return score_delong_scale(ratio, df)


def score_delong_variance(
    at: Number, auc: Number, variance: Number, df: Number, n_pos: Number, n_neg: Number
) -> FloatArray:
    """Variance of the empirical AUC for a true AUC of `at`, as in score_delong's intervals."""
    model = np.multiply(at, 1.0 - np.asarray(at)) * exponential_model(at, n_pos, n_neg)
    return np.asarray(model * score_delong_share(auc, variance, df, n_pos, n_neg))


def score_delong_scale(ratio: Number, df: Number, model: Number = 1.0) -> FloatArray:
    """DeLong's variance relative to the model's at the estimate, shrunk towards `model` if that is larger.

    With fewer degrees of freedom it is shrunk more: (ν·r + ν₀)/(ν + ν₀) with ν = `df` and ν₀ = `PRIOR_DF`.
    """
    return np.asarray(ratio + np.maximum(0.0, model - ratio) * PRIOR_DF / (df + PRIOR_DF))


def score_delong_quantile(df: Number, tail: Number) -> FloatArray:
    """Quantile of Student's T for the shrunk variance."""
    return np.asarray(-special.stdtrit(_score_delong_df(df), tail))


def score_delong_statistic(at: float, area: AreaEstimate) -> tuple[float, float]:
    """Score statistic of the true AUC `at`, whose test inverts the interval, and its degrees of freedom."""
    known = area.variance if area.df > 0.0 else 0.0
    variance = score_delong_variance(at, area.auc, known, area.df, area.n_pos, area.n_neg)
    return (area.auc - at) / math.sqrt(float(variance)), float(_score_delong_df(area.df))


def _score_delong_df(df: Number) -> FloatArray:
    """Degrees of freedom of a variance with estimated share ν/(ν + ν₀), ν = `df`, and a constant rest.

    (ν + ν₀)²/ν, by Satterthwaite.
    """
    nu = np.asarray(df, dtype=np.float64)
    return np.asarray(np.divide((nu + PRIOR_DF) ** 2, nu, out=np.full(nu.shape, np.inf), where=nu > 0.0))


def identical_rankings_bound(tail: Number, n_pos: float, n_neg: float) -> FloatArray:
    """Upper bound, at this tail probability, on the difference in AUC of models with identical rankings.

    The difference is at most the proportion θ of pairs (positive, negative) that the models order
    differently. All of m = min(n₊, n₋) disjoint pairs are ordered identically with probability (1 − θ)^m,
    which equals `tail` at θ = 1 − tail^(1/m), for all populations.
    """
    return np.asarray(-np.expm1(np.log(tail) / min(n_pos, n_neg)))


def wald_ends(auc: Number, variance: Number, z: Number) -> Ends:
    """Auc ± z·SE, clipped to [0, 1]."""
    half = z * np.sqrt(variance)
    return np.maximum(0.0, auc - half), np.minimum(1.0, auc + half)


def logit_ends(auc: Number, variance: Number, z: Number) -> Ends:
    """The same on the logit scale, transformed back; the estimate must lie strictly inside (0, 1)."""
    half = z * np.sqrt(variance) / (auc * (1.0 - np.asarray(auc)))
    center = special.logit(auc)
    return special.expit(center - half), special.expit(center + half)


def upper_bound_ends(auc: Number, n_pos: float, n_neg: float, z: float) -> Ends:
    """All A with |auc − A| ≤ z·σ(A), σ²(A) = A(1 − A)/min(n₊, n₋): the largest possible variance."""
    fewer = min(n_pos, n_neg)
    return wilson_limit(auc, fewer, -z), wilson_limit(auc, fewer, z)


def cortes_mohri_moments(errors: int, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Mean and variance of the AUC over all rankings with a threshold that makes `errors` errors.

    All pairs of a ranking and a threshold with `errors` misclassified cases are equally likely (Cortes &
    Mohri 2004). Given x false positives and y = errors − x false negatives, the cases above and below the
    threshold are in random order, so the numbers of misordered pairs are two independent Mann-Whitney
    statistics; x has weight C(n₊ − y + x, x)·C(n₋ − x + y, y). The mixture takes O(errors) steps and, unlike
    the published polynomial, is numerically stable.
    """
    x = np.arange(max(0, errors - n_pos), min(errors, n_neg) + 1, dtype=np.float64)
    y = errors - x
    log_weight = _log_binomial(n_pos - y + x, x) + _log_binomial(n_neg - x + y, y)
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    means = 1.0 - 0.5 * (x / n_neg + y / n_pos)
    misplaced = (n_pos - y) * x * (n_pos - y + x + 1.0) + y * (n_neg - x) * (y + n_neg - x + 1.0)
    mean = float(np.dot(weight, means))
    within = float(np.dot(weight, misplaced)) / 12.0 / (float(n_pos) * n_neg) ** 2
    return mean, within + float(np.dot(weight, (means - mean) ** 2))


def _log_binomial(n: FloatArray, k: FloatArray) -> FloatArray:
    log: FloatArray = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return log


def binormal_interval(scores: Scores, z: float) -> tuple[float, float, float, float]:
    """Estimate, limits and standard error of Φ(δ), δ = (μ₊ − μ₋)/√(σ₊² + σ₋²).

    The variance of δ is by the delta method with both standard deviations estimated (Reiser & Guttman 1986;
    Demidenko 2012); limits are transformed by Φ. NaN if a standard deviation cannot be estimated.
    """
    scores, _ = unit_scaled(scores)
    # Center first, because scores far from zero lose precision.
    centered = scores.score - scores.score[len(scores.score) // 2]
    means, variances = [], []
    for count, n in ((scores.pos, scores.n_pos), (scores.neg, scores.n_neg)):
        mean = float(np.dot(count, centered)) / n
        means.append(mean)
        variances.append(float(np.dot(count, (centered - mean) ** 2)) / (n - 1) if n > 1 else math.nan)
    total = sum(variances)
    if not total > 0.0:
        return scores.auc, math.nan, math.nan, math.nan
    delta = (means[0] - means[1]) / math.sqrt(total)
    error = 0.0
    for v, n in zip(variances, (scores.n_pos, scores.n_neg), strict=True):
        error += v / n / total + 0.5 * delta**2 * (v / total) ** 2 / (n - 1)
    half = z * math.sqrt(error)
    estimate, lower, upper = (float(special.ndtr(d)) for d in (delta, delta - half, delta + half))
    return estimate, lower, upper, math.exp(-0.5 * delta**2) / math.sqrt(2.0 * math.pi) * math.sqrt(error)
