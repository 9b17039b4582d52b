"""Judging intervals for the area under the curve, and for the difference of two."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from confroc._types import BoolArray, Ends, FloatArray
from confroc.auc import asymptotic as forms
from confroc.auc import auc_difference, auc_interval
from confroc.distributions import normal_quantile, square_and_add_ends
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
    return areas_of(_placements(pos, neg), _placements(neg, pos))


def placed_models(samples: Samples) -> list[tuple[FloatArray, FloatArray]]:
    """Each model's placements of the positives and of the negatives, as `_placements` has them."""
    models = []
    for pos, neg in zip(np.moveaxis(samples.pos, 2, 0), np.moveaxis(samples.neg, 2, 0), strict=True):
        order = [np.argsort(scores, axis=1) for scores in (pos, neg)]
        rising = [np.take_along_axis(scores, o, axis=1) for scores, o in zip((pos, neg), order, strict=True)]
        placed = np.empty_like(pos), np.empty_like(neg)
        for out, o, both in zip(placed, order, (rising, rising[::-1]), strict=True):
            np.put_along_axis(out, o, _placements(*both), axis=1)
        models.append(placed)
    return models


def delong_pair(samples: Samples) -> tuple[Areas, Areas, Areas]:
    """What DeLong, DeLong & Clarke-Pearson make of both models, and of their difference."""
    (pos_a, neg_a), (pos_b, neg_b) = placed_models(samples)
    return areas_of(pos_a, neg_a), areas_of(pos_b, neg_b), areas_of(pos_a - pos_b, neg_a - neg_b)


def _placements(of: FloatArray, among: FloatArray) -> FloatArray:
    """Share of one class that each case of the other exceeds, ties one half; rows increase.

    For negatives it is one less their own placement, of the same spread.
    """
    reached, exceeded = ranks(of, among)
    return np.asarray(1.0 - (reached + exceeded) / (2.0 * among.shape[1]))


def areas_of(of_pos: FloatArray, of_neg: FloatArray) -> Areas:
    """Area, variance and degrees of freedom from the placements of both classes."""
    means, variances, dfs = zip(*(_spread(placement) for placement in (of_pos, of_neg)), strict=True)
    # Welch-Satterthwaite over the classes that vary; 0 when neither does.
    known = [np.where(v > 0.0, v, 0.0) for v in variances]
    noise = sum(
        np.divide(v * v, d, out=np.zeros_like(v), where=d > 0.0) for v, d in zip(known, dfs, strict=True)
    )
    total = variances[0] + variances[1]
    df = np.divide(total**2, noise, out=np.zeros_like(total), where=(noise > 0.0) & (total > 0.0))
    return Areas(means[0], total, df)


def _spread(placement: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean of a class's placements in each sample, the variance of that mean, and its degrees of freedom."""
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
    """Ends of each sample's interval, by the closed forms where there are some, else one by one."""
    n_pos, n_neg = samples.n_pos, samples.n_neg
    z = normal_quantile(level)
    auc, variance, _ = found
    if method == "score_delong":
        return _score_delong(found, n_pos, n_neg, level)
    if method == "newcombe":
        return forms.score_ends(auc, 1.0, n_pos, n_neg, z)
    if method == "upper_bound":
        return forms.upper_bound_ends(auc, n_pos, n_neg, z)
    if method == "hanley_mcneil":
        variance = np.maximum(0.0, forms.hanley_mcneil_variance(auc, n_pos, n_neg))
    if method == "upper_bound_wald":
        variance = auc * (1.0 - auc) / min(n_pos, n_neg)
    if method in ("delong", "logit_delong", "hanley_mcneil", "upper_bound_wald"):
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


def _score_delong(found: Areas, n_pos: int, n_neg: int, level: float) -> Ends:
    auc, variance, df = found
    usable = np.where(df > 0.0, variance, 0.0)
    return forms.score_delong_ends(auc, usable, df, n_pos, n_neg, 0.5 * (1.0 - level))


def difference_ends(
    method: str,
    samples: Samples,
    found: tuple[Areas, Areas, Areas],
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Ends:
    """The same of the interval for the difference of two models' areas, shapes (reps, 1)."""
    n_pos, n_neg = samples.n_pos, samples.n_neg
    z = normal_quantile(level)
    a, b, d = found
    if method == "score_delong":
        rho = np.nan_to_num(forms.areas_correlation(a.variance, b.variance, d.variance))
        apart = np.where(rho > 0.0, np.abs(np.sqrt(a.variance) - np.sqrt(b.variance)), 0.0)
        each = _score_delong(a, n_pos, n_neg, level), _score_delong(b, n_pos, n_neg, level)
        low, high = square_and_add_ends((a.auc, b.auc), each, rho, z * apart)
        most = forms.ranked_alike_reach(1.0 - level, n_pos, n_neg)
        low, high = within_reach((low, high), most, alike=~(d.variance > 0.0) & (a.auc == b.auc))
    elif method == "delong":
        # As `auc_difference` does: where nothing varies, the two Newcombe intervals stand in.
        usable = d.variance > 0.0
        low, high = d.auc - z * np.sqrt(d.variance), d.auc + z * np.sqrt(d.variance)
        aucs = a.auc[~usable], b.auc[~usable]
        one, other = (forms.newcombe_ends(auc, n_pos, n_neg, z) for auc in aucs)
        low[~usable], high[~usable] = square_and_add_ends(aucs, (one, other))
    else:
        name, options = parse(method)
        if name != "permutation":
            # A paired permutation counts all swaps.
            options.update(AUC_DIFFERENCE.taken(name, {"n_resamples": n_resamples}))
        interval = functools.partial(auc_difference, method=name, confidence_level=level, rng=rng, **options)
        ((low, high),) = samples.one_by_one(interval)
        return low, high
    return np.maximum(-1.0, low)[:, None], np.minimum(1.0, high)[:, None]


def within_reach(ends: Ends, most: FloatArray, *, alike: BoolArray) -> Ends:
    """Cut intervals around zero where two models rank all of a sample's cases alike."""
    low, high = ends
    return np.where(alike, np.maximum(low, -most), low), np.where(alike, np.minimum(high, most), high)


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
    found = delong_pair(drawn.samples)
    out = []
    for method in rule.methods:
        ends = difference_ends(
            method, drawn.samples, found, rule.confidence_level, rule.n_resamples, drawn.rng
        )
        out.append(counted(method, "auc_a - auc_b", truth, truth, *ends))
    return out
