"""Judging intervals for the area under the curve, and for the difference of two."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from confroc._types import Ends, FloatArray
from confroc.auc import asymptotic as forms
from confroc.auc import auc_difference, auc_interval
from confroc.distributions import normal_quantile
from confroc.lab.coverage import Coverage, counted
from confroc.lab.rules import Drawn, Rule, parse
from confroc.lab.samples import Samples, ranks
from confroc.methods.auc import AUC_DIFFERENCE, AUC_INTERVAL


class Areas(NamedTuple):
    """Area, DeLong's variance and its degrees of freedom, per sample."""

    auc: FloatArray
    variance: FloatArray
    df: FloatArray


def delong(samples: Samples) -> Areas:
    """Return what DeLong, DeLong & Clarke-Pearson (1988) make of each sample, as `confroc.influence` does."""
    pos, neg = np.sort(samples.pos, axis=1), np.sort(samples.neg, axis=1)
    means, variances, dfs = zip(*(_placements(*both) for both in ((pos, neg), (neg, pos))), strict=True)
    # Welch-Satterthwaite over the classes that vary; 0 when neither does.
    known = [np.where(v > 0.0, v, 0.0) for v in variances]
    noise = sum(
        np.divide(v * v, d, out=np.zeros_like(v), where=d > 0.0) for v, d in zip(known, dfs, strict=True)
    )
    df = np.divide((known[0] + known[1]) ** 2, noise, out=np.zeros_like(known[0]), where=noise > 0.0)
    return Areas(means[0], variances[0] + variances[1], df)


def _placements(of: FloatArray, among: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean of a class's placements in each sample, the variance of that mean, and its degrees of freedom.

    A placement is the share of the other class that a case exceeds, ties one half. For negatives it is one
    less their own, of the same spread.
    """
    n = of.shape[1]
    reached, exceeded = ranks(of, among)
    placement = 1.0 - (reached + exceeded) / (2.0 * among.shape[1])
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
    """Ends of each sample's interval, by the closed forms where there are some, else one by one."""
    n_pos, n_neg = samples.n_pos, samples.n_neg
    z = normal_quantile(level)
    auc, variance, df = found
    if method == "score_delong":
        return forms.score_delong_ends(auc, np.where(df > 0.0, variance, 0.0), df, n_pos, n_neg, level)
    if method == "newcombe":
        return forms.score_ends(auc, 1.0, n_pos, n_neg, z)
    if method == "upper_bound":
        return forms.upper_bound_ends(auc, n_pos, n_neg, z)
    if method == "hanley_mcneil":
        variance = np.maximum(0.0, forms.hanley_mcneil_variance(auc, n_pos, n_neg))
    if method in ("delong", "logit_delong", "hanley_mcneil"):
        # As `auc_interval` does: where the method knows no spread, Newcombe's interval stands in.
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


def auc_intervals(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true area."""
    truth = np.array([drawn.model.auc])
    found = delong(drawn.samples)
    out = []
    for method in rule.methods:
        low, high = area_ends(
            method, drawn.samples, found, rule.confidence_level, rule.n_resamples, drawn.rng
        )
        out.append(counted(method, "auc", truth, truth, low[:, None], high[:, None]))
    return out


def auc_differences(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true difference a − b of two models' areas."""
    a, b = drawn.models
    truth = np.array([a.auc - b.auc])
    interval: Any = functools.partial(auc_difference, confidence_level=rule.confidence_level, rng=drawn.rng)
    made = drawn.samples.one_by_one(
        *(
            functools.partial(
                interval, method=method, **AUC_DIFFERENCE.taken(method, {"n_resamples": rule.n_resamples})
            )
            for method in rule.methods
        )
    )
    return [
        counted(method, "auc_a - auc_b", truth, truth, *ends)
        for method, ends in zip(rule.methods, made, strict=True)
    ]
