"""Coverage of intervals for the AUC."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from confroc._types import Ends, FloatArray
from confroc.auc import asymptotic as forms
from confroc.auc import auc_interval
from confroc.auc.interval import AUC_INTERVAL
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples, ranks
from confroc.distributions import normal_quantile


class Areas(NamedTuple):
    """AUC, DeLong's variance and its degrees of freedom, per sample."""

    auc: FloatArray
    variance: FloatArray
    df: FloatArray


def delong(samples: Samples) -> Areas:
    """Return AUC and variance of each sample by DeLong, DeLong & Clarke-Pearson (1988)."""
    pos, neg = np.sort(samples.pos, axis=1), np.sort(samples.neg, axis=1)
    return areas_of(placements(pos, neg), placements(neg, pos))


def placements(of: FloatArray, among: FloatArray) -> FloatArray:
    """Proportion of one class that each case of the other exceeds, ties one half; rows increase.

    For negatives it is one minus the placement, with the same variance.
    """
    reached, exceeded = ranks(of, among)
    return np.asarray(1.0 - (reached + exceeded) / (2.0 * among.shape[1]))


def areas_of(of_pos: FloatArray, of_neg: FloatArray) -> Areas:
    """AUC, variance and degrees of freedom from the placements of both classes."""
    means, variances, dfs = zip(*(_spread(placement) for placement in (of_pos, of_neg)), strict=True)
    # Welch-Satterthwaite over the classes that vary; 0 if none does.
    known = [np.where(v > 0.0, v, 0.0) for v in variances]
    noise = sum(
        np.divide(v * v, d, out=np.zeros_like(v), where=d > 0.0) for v, d in zip(known, dfs, strict=True)
    )
    total = variances[0] + variances[1]
    df = np.divide(total**2, noise, out=np.zeros_like(total), where=(noise > 0.0) & (total > 0.0))
    return Areas(means[0], total, df)


def _spread(placement: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean of a class's placements in each sample, its variance, and degrees of freedom."""
    n = placement.shape[1]
    mean = placement.mean(axis=1)
    if n < 2:
        return mean, np.full(len(mean), np.nan), np.zeros(len(mean))
    square = np.square(placement - mean[:, None])
    s2, fourth = square.sum(axis=1) / (n - 1), np.square(square).sum(axis=1) / n
    noise = (fourth - s2 * s2 * (n - 3) / (n - 1)) / n
    varies = s2 > 1e-30
    df = np.minimum(n - 1.0, np.divide(2.0 * s2 * s2, noise, out=np.full(len(s2), np.inf), where=noise > 0.0))
    return mean, np.where(varies, s2 / n, 0.0), np.where(varies, df, 0.0)


def area_ends(
    method: str, samples: Samples, found: Areas, level: float, n_resamples: int, rng: np.random.Generator
) -> Ends:
    """Limits of each sample's interval, by closed forms if available, else one by one."""
    n_pos, n_neg = samples.n_pos, samples.n_neg
    z = normal_quantile(level)
    auc, variance, _ = found
    if method == "score_delong":
        return score_delong(found, n_pos, n_neg, level)
    if method == "newcombe":
        return forms.score_ends(auc, 1.0, n_pos, n_neg, z)
    if method == "upper_bound":
        return forms.upper_bound_ends(auc, n_pos, n_neg, z)
    if method == "hanley_mcneil":
        variance = np.maximum(0.0, forms.hanley_mcneil_variance(auc, n_pos, n_neg))
    if method == "upper_bound_wald":
        variance = auc * (1.0 - auc) / min(n_pos, n_neg)
    if method in ("delong", "logit_delong", "hanley_mcneil", "upper_bound_wald"):
        # As in `auc_interval`, Newcombe's interval replaces one of zero width.
        usable = (variance > 0.0) & (auc > 0.0) & (auc < 1.0)
        low, high = np.empty((2, samples.reps))
        low[~usable], high[~usable] = forms.score_ends(auc[~usable], 1.0, n_pos, n_neg, z)
        of = forms.logit_ends if method == "logit_delong" else forms.wald_ends
        low[usable], high[usable] = of(auc[usable], variance[usable], z)
        return low, high
    name, options = parse(method)
    resampling = AUC_INTERVAL.taken(name, {"n_resamples": n_resamples})
    interval = functools.partial(
        auc_interval, method=name, confidence_level=level, rng=rng, **resampling, **options
    )
    ((low, high),) = samples.one_by_one(interval)
    return low[:, 0], high[:, 0]


def score_delong(found: Areas, n_pos: int, n_neg: int, level: float) -> Ends:
    """Limits of the "score_delong" interval of each sample."""
    auc, variance, df = found
    usable = np.where(df > 0.0, variance, 0.0)
    return forms.score_delong_ends(auc, usable, df, n_pos, n_neg, 0.5 * (1.0 - level))


def auc_intervals(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true AUC."""
    truth = np.array([drawn.model.auc])
    found = delong(drawn.samples)
    out = []
    for method in rule.methods:
        low, high = area_ends(
            method, drawn.samples, found, rule.confidence_level, rule.n_resamples, drawn.rng
        )
        out.append(counted(method, "auc", truth, truth, low[:, None], high[:, None]))
    return out
