"""Pointwise intervals for costs, differences of costs and net benefits: the methods behind them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc import distributions
from confroc._check import make_rng, warned
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling
from confroc.cost.conditions import ShareInUse, models_of
from confroc.cost.error_rates import (
    AGRESTI,
    NONE,
    ErrorTable,
    PricedErrors,
    Pseudo,
    trials,
)
from confroc.cost.exact_law import Mixing, quantiles, steps_of
from confroc.cost.thresholds import optimal_thresholds
from confroc.distributions import warn_zero_width
from confroc.methods import Method
from confroc.methods.cost import COST_CURVE, COST_DIFFERENCE
from confroc.resample import N_RESAMPLES, check_resamples, percentile_ends, resample, tails
from confroc.scores import Pair, Scores, difference_errors, errors_of
from confroc.scores.counting import PairCounter

APPROXIMATE = "Some exact bootstrap distributions are too large; their quantiles are approximated by moments."
ANGLES = 65
"""Ways to divide the standard errors between the share of positives and the rates, an odd number."""


class Resampling(NamedTuple):
    """How to resample, where a method does."""

    n_resamples: int = N_RESAMPLES
    rng: RNG = None
    n_jobs: int = 1


def fields(priced: PricedErrors, row: Method, level: float, resampling: Resampling) -> dict[str, Any]:
    """Estimates and pointwise ends, not yet cut to the possible range, and what is claimed of them."""
    lower, upper, notes = ends(priced, row.name, level, resampling)
    notes += warn_zero_width(upper - lower, "newcombe" if priced.alone else "agresti_min")
    # Minus zero, of a benefit without hits, is zero.
    estimate = priced.mean() + 0.0
    lower, upper = distributions.containing((lower, upper), estimate)
    return {
        "estimate": estimate,
        "lower": lower,
        "upper": upper,
        "confidence_level": level,
        "method": row.name,
        "guarantee": row.guarantee,
        "notes": notes,
    }


Solution: TypeAlias = tuple[FloatArray, FloatArray, tuple[str, ...]]


def ends(priced: PricedErrors, method: str, level: float, resampling: Resampling | None = None) -> Solution:
    """Pointwise ends, not yet cut to the possible range, and notes."""
    return (_ONE if priced.alone else _TWO)[method](priced, level, resampling or Resampling())


def _normal(priced: PricedErrors, level: float, added: Pseudo) -> Solution:
    """Normal distribution with the mean and variance of the data after adding pseudo-cases."""
    centre, half = priced.mean(added), distributions.normal_quantile(level) * priced.error(added)
    return centre - half, centre + half, ()


def _newcombe(priced: PricedErrors, level: float, _: Resampling) -> Solution:
    """Wilson's limits of each rate carried through the cost (Newcombe 1998; Zou & Donner 2008).

    The distance from the estimate to each end of a rate's own interval replaces z standard errors
    in the variance of a sum. Nothing vanishes when an error count is zero, and each end keeps its own length.
    """
    if priced.share is not None:
        return _newcombe_at_share(priced, level, priced.share)
    part, rates, prices = priced.parts[0], priced.rates(), (priced.alpha, priced.beta)
    spread = np.sqrt(rates.xx * rates.yy)
    correlation = np.divide(rates.xy, spread, out=np.zeros_like(spread), where=spread > 0.0)
    correlation = correlation * np.sign(priced.alpha) * np.sign(priced.beta)
    cases = trials(part.sample.n_pos, part.sample.n_neg, priced.sampling)
    x, y = _arms(priced, cases, level)
    down, up = np.sqrt(np.maximum(x * x + y * y + 2.0 * correlation * x * y, 0.0))
    mean = rates.mean(*prices)
    return mean - down, mean + up, ()


def _arms(priced: PricedErrors, cases: tuple[int, int], level: float) -> list[FloatArray]:
    """Of each rate, the priced distances from its estimate to Wilson's limits: downwards and upwards."""
    arms = []
    for k, n, price in zip(priced.parts[0].found, cases, (priced.alpha, priced.beta), strict=True):
        low, high = distributions.wilson(k, n, level)
        down, up, turned = k / n - low, high - k / n, price < 0.0
        arms.append(np.abs(price) * np.stack([np.where(turned, up, down), np.where(turned, down, up)]))
    return arms


def _newcombe_at_share(priced: PricedErrors, level: float, share: ShareInUse) -> Solution:
    """The same with three proportions, the share of positives among them: π·αx + (1 − π)·βy.

    The share multiplies the rates, so that its own distance cannot just be added. It gets sin θ of the z
    standard errors and the rates get cos θ; each end is the furthest over all θ.
    """
    sample = priced.parts[0].sample
    cases = sample.n_pos, sample.n_neg
    prices = priced.alpha, priced.beta
    miss, alarm = (p * k / n for p, k, n in zip(prices, priced.parts[0].found, cases, strict=True))
    x, y = _arms(priced, cases, level)
    lower, upper = np.full_like(miss, np.inf), np.full_like(miss, -np.inf)
    for angle in np.linspace(-np.pi / 2.0, np.pi / 2.0, ANGLES).tolist():
        value = share.limit(math.sin(angle) * distributions.normal_quantile(level))
        down, up = math.cos(angle) * np.hypot(value * x, (1.0 - value) * y)
        centre = value * miss + (1.0 - value) * alarm
        lower, upper = np.minimum(lower, centre - down), np.maximum(upper, centre + up)
    return lower, upper, ()


def _exact_bootstrap(priced: PricedErrors, level: float, _: Resampling) -> Solution:
    h, mixing = len(priced.alpha), Mixing.of(priced.share)
    ends, approximate = np.empty((h, 2)), False
    for row in range(h):
        ends[row], exact = quantiles(steps_of(priced, row), tails(level), mixing)
        approximate |= not exact
    return ends[:, 0], ends[:, 1], warned(APPROXIMATE, where=approximate)


def _bootstrap(priced: PricedErrors, level: float, resampling: Resampling) -> Solution:
    check_resamples(resampling.n_resamples, level)
    generator = make_rng(resampling.rng)
    resampling = resampling._replace(rng=generator)
    drawn = [np.split(_resampled(priced, part, resampling), 2, axis=1) for part in priced.parts]
    alpha, beta = priced.alpha, priced.beta
    if priced.share is not None:
        share = priced.share.resampled(resampling.n_resamples, generator)[:, None]
        alpha, beta = alpha * share, beta * (1.0 - share)
    costs, *second = (alpha * x + beta * y for x, y in drawn)
    lower, upper = percentile_ends(costs - second[0] if second else costs, level)
    return lower, upper, ()


def _resampled(priced: PricedErrors, part: ErrorTable, resampling: Resampling) -> FloatArray:
    """Resampled rates of one part, shape (n_resamples, 2h)."""
    size = part.sample.m_pos, part.sample.m_neg
    x, y = trials(*size, priced.sampling)
    table, counter = part.counter.compressed(part.table)

    def rates(pos: IntArray, neg: IntArray) -> FloatArray:
        if isinstance(counter, PairCounter):
            called, alarms = counter.differences(pos, neg)
            missed = -called
        else:
            called, alarms = counter(pos, neg)
            missed = called if part.hits else pos.sum() - called
        return np.concatenate([missed / x, alarms / y])

    n_resamples, rng, n_jobs = resampling
    return resample(rates, table, n_resamples, rng, size=size, sampling=priced.sampling, n_jobs=n_jobs)


_Solver: TypeAlias = Callable[[PricedErrors, float, Resampling], Solution]
_COMMON: dict[str, _Solver] = {
    "wald": lambda priced, level, _: _normal(priced, level, NONE),
    "bootstrap": _bootstrap,
    "exact_bootstrap": _exact_bootstrap,
}
_SMOOTHED: _Solver = lambda priced, level, _: _normal(priced, level, AGRESTI)  # noqa: E731
_ONE = COST_CURVE.table({"newcombe": _newcombe, "agresti_coull": _SMOOTHED, **_COMMON})
_TWO = COST_DIFFERENCE.table({"agresti_min": _SMOOTHED, **_COMMON})


# --- rounded scores ----------------------------------------------------------------------------------


def rounding_errors(
    data: Scores | Pair,
    thresholds: tuple[FloatArray, ...],
    form: tuple[FloatArray, FloatArray],
    sampling: Sampling,
    *,
    chosen_at: FloatArray | None = None,
    hits: bool = False,
    share: ShareInUse | None = None,
) -> Ends:
    """How far below and above a cost, or benefit, of rounded scores that of the exact ones may lie.

    Where `chosen_at` gives the w at which thresholds were chosen on these very scores, the exact ones offer
    more thresholds, with perhaps a cheaper one among them: none is cheaper than the cheapest of the best
    ranking that the rounded scores allow.
    """
    found = []
    for scores, threshold in zip(models_of(data), thresholds, strict=True):

        def price(table: Scores, at: FloatArray = threshold) -> FloatArray:
            return PricedErrors.of(table, (at,), form, sampling, hits=hits, share=share).mean()

        def cheapest(table: Scores, at: FloatArray | None = chosen_at) -> FloatArray:
            return price(table) if at is None else price(table, optimal_thresholds(table, at))

        found.append(errors_of(scores, price, at_best=cheapest))
    return found[0] if len(found) == 1 else difference_errors(*found)
