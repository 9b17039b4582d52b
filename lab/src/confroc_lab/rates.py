"""Coverage of intervals for differences of rates, and for the FPR at a TPR."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from confroc import tpr_difference_at_fpr
from confroc.auditing.coverage import Coverage, counted, counted_region
from confroc.auditing.formulas import (
    agresti_min,
    bonett_price,
    containing,
    matched_difference,
    matched_quantiles,
    one_sided_limits,
    percentile_ends,
    tails,
)
from confroc.auditing.rates import RATES, at_rates, places
from confroc.auditing.rules import Drawn, Rule
from confroc.auditing.samples import Samples
from confroc.methods import FAMILIES
from confroc_lab._types import Ends
from confroc_lab.populations import exchanged
from confroc_lab.samples import discordant_at

MATCHED: dict[str, Callable[..., Ends]] = {
    "bonett_price": bonett_price,
    "agresti_min": agresti_min,
    "wald": matched_difference,
}
"""Intervals for a difference of matched proportions, from the two discordant counts."""


def rates_differences_at_threshold(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count rectangles for the differences a − b, at the same total positive rate or threshold."""
    samples, rng, at = drawn.samples, drawn.rng, np.array(rule.at)
    (t_a, *rates_a), (t_b, *rates_b) = (
        places(model, rule.at, drawn.share, rule.by_score) for model in drawn.models
    )
    truth = [x - y for x, y in zip(rates_a, rates_b, strict=True)]
    level = math.sqrt(rule.confidence_level)
    counts = [discordant_at(scores, (t_a, t_b)) for scores in (samples.neg, samples.pos)]
    out: list[Coverage] = []
    for method in rule.methods:
        ends: list[Ends] = []
        for (n10, n01), n in zip(counts, (samples.n_neg, samples.n_pos), strict=True):
            if method == "bootstrap":
                # A trinomial as two binomials.
                only_a = rng.binomial(n, n10 / n, size=(rule.n_resamples, *n10.shape))
                rest = np.divide(n01, n - n10, out=np.zeros(n10.shape), where=n10 < n)
                made = percentile_ends((only_a - rng.binomial(n - only_a, rest)) / n, level)
            elif method == "exact_bootstrap":
                code, back = np.unique(n10 * (n + 1) + n01, return_inverse=True)
                quantiles = matched_quantiles(*np.divmod(code, n + 1), n, n, tails(level))
                low, high = quantiles[back].reshape(*n10.shape, 2).transpose(2, 0, 1)
                made = low, high
            else:
                made = MATCHED[method](n10, n01, n, level)
            ends.append(containing(made, (n10 - n01) / n))
        out += counted_region(method, at, RATES, truth, ends)
    return out


def fpr_at_tprs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true FPR at a given TPR: TPR at FPR with the classes exchanged."""
    truth = one_sided_limits(*exchanged(drawn.model).curve(np.array(rule.at)), np.array(rule.at))[0]
    pos, neg = drawn.samples
    return at_rates(rule, Samples(neg, pos), "fpr", truth, drawn.rng)


def tpr_differences_at_fpr(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true difference a − b of two models' TPRs at the same FPR."""
    samples, at = drawn.samples, np.array(rule.at)
    truth_a, truth_b = (one_sided_limits(*model.curve(at), at)[1] for model in drawn.models)

    def intervals(method: str) -> Callable[..., Any]:
        return lambda pair: tpr_difference_at_fpr(
            pair,
            fpr=at,
            method=method,
            confidence_level=rule.confidence_level,
            rng=drawn.rng,
            **FAMILIES["tpr_difference_at_fpr"].taken(method, {"n_resamples": rule.n_resamples}),
        )

    made = samples.one_by_one(*map(intervals, rule.methods), places=len(at))
    return [
        counted(method, "tpr_a - tpr_b", at, truth_a - truth_b, *ends)
        for method, ends in zip(rule.methods, made, strict=True)
    ]
