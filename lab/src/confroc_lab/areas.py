"""Coverage of intervals for the difference of two AUCs."""

from __future__ import annotations

import functools

import numpy as np

from confroc import auc_difference
from confroc.auditing.areas import Areas, areas_of, placements
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import (
    correlation_of,
    identical_rankings_bound,
    newcombe_ends,
    normal_quantile,
    score_delong_half_length,
    square_and_add_ends,
)
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples
from confroc.methods import FAMILIES
from confroc_lab._types import BoolArray, Ends, FloatArray


def placed_models(samples: Samples) -> list[tuple[FloatArray, FloatArray]]:
    """Return each model's placements of the positives and of the negatives, as `placements` does."""
    models = []
    for pos, neg in zip(np.moveaxis(samples.pos, 2, 0), np.moveaxis(samples.neg, 2, 0), strict=True):
        order = [np.argsort(scores, axis=1) for scores in (pos, neg)]
        rising = [np.take_along_axis(scores, o, axis=1) for scores, o in zip((pos, neg), order, strict=True)]
        placed = np.empty_like(pos), np.empty_like(neg)
        for out, o, both in zip(placed, order, (rising, rising[::-1]), strict=True):
            np.put_along_axis(out, o, placements(*both), axis=1)
        models.append(placed)
    return models


def delong_pair(samples: Samples) -> tuple[Areas, Areas, Areas]:
    """Return DeLong, DeLong & Clarke-Pearson's estimates for both models and their difference."""
    (pos_a, neg_a), (pos_b, neg_b) = placed_models(samples)
    return areas_of(pos_a, neg_a), areas_of(pos_b, neg_b), areas_of(pos_a - pos_b, neg_a - neg_b)


def difference_ends(
    method: str,
    samples: Samples,
    found: tuple[Areas, Areas, Areas],
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Ends:
    """Return the limits for the difference of two models' areas, shapes (reps, 1)."""
    n_pos, n_neg = samples.n_pos, samples.n_neg
    z = normal_quantile(level)
    a, b, d = found
    if method == "score_delong":
        rho = np.nan_to_num(correlation_of(a.variance, b.variance, d.variance))
        spread = np.where(rho > 0.0, np.abs(np.sqrt(a.variance) - np.sqrt(b.variance)), 0.0)
        one, other = (
            score_delong_half_length(x.auc, np.where(x.df > 0.0, x.variance, 0.0), x.df, n_pos, n_neg, z)
            for x in (a, b)
        )
        low, high = square_and_add_ends((a.auc, b.auc), (one, other), rho, z * spread)
        most = identical_rankings_bound(1.0 - level, n_pos, n_neg)
        low, high = bounded((low, high), most, identical=~(d.variance > 0.0) & (a.auc == b.auc))
    elif method == "delong":
        # As `auc_difference` does: where nothing varies, the two Newcombe intervals stand in.
        usable = d.variance > 0.0
        low, high = d.auc - z * np.sqrt(d.variance), d.auc + z * np.sqrt(d.variance)
        aucs = a.auc[~usable], b.auc[~usable]
        one, other = (newcombe_ends(auc, n_pos, n_neg, z) for auc in aucs)
        low[~usable], high[~usable] = square_and_add_ends(aucs, (one, other))
    else:
        name, options = parse(method)
        if name != "permutation":
            # A paired permutation counts all swaps.
            options.update(FAMILIES["auc_difference"].taken(name, {"n_resamples": n_resamples}))
        interval = functools.partial(auc_difference, method=name, confidence_level=level, rng=rng, **options)
        ((low, high),) = samples.one_by_one(interval)
        return low, high
    return np.maximum(-1.0, low)[:, None], np.minimum(1.0, high)[:, None]


def bounded(ends: Ends, most: FloatArray, *, identical: BoolArray) -> Ends:
    """Restrict intervals around zero where two models rank a sample's cases identically."""
    low, high = ends
    return np.where(identical, np.maximum(low, -most), low), np.where(identical, np.minimum(high, most), high)


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
