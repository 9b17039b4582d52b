"""Newcombe's square-and-add interval: Wilson's limits of each error rate carried through the cost.

The distance from the estimate to each end of a rate's own interval takes the place of z standard errors
in the variance of a sum (Newcombe 1998; Zou & Donner 2008). Nothing vanishes when an error count is
zero, and each end keeps its own length.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc import distributions
from confroc._types import FloatArray, IntArray, Sampling
from confroc.cost.moments import Rates, Sample
from confroc.cost.tallies import Errors


class Arms(NamedTuple):
    """Distances from an estimate down and up to its limits."""

    down: FloatArray
    up: FloatArray


def trials(sample: Sample, sampling: Sampling) -> tuple[int, int]:
    """Cases over which the two rates are taken."""
    n = sample.n_pos + sample.n_neg
    return (sample.n_pos, sample.n_neg) if sampling == "stratified" else (n, n)


def wilson_arms(k: IntArray, n: int, level: float) -> Arms:
    """Arms of Wilson's interval."""
    low, high = distributions.wilson(k, n, level)
    return Arms(k / n - low, high - k / n)


def _root(a: FloatArray, b: FloatArray, correlation: FloatArray | float) -> FloatArray:
    """Length of the sum of two arms with a correlation."""
    return np.sqrt(np.maximum(a * a + b * b + 2.0 * correlation * a * b, 0.0))


def ends(
    found: Errors,
    sample: Sample,
    sampling: Sampling,
    rates: Rates,
    alpha: FloatArray,
    beta: FloatArray,
    level: float,
) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval for alpha·x + beta·y, the two rates of one model."""
    n_x, n_y = trials(sample, sampling)
    arms = wilson_arms(found.fn, n_x, level), wilson_arms(found.fp, n_y, level)
    spread = np.sqrt(rates.xx * rates.yy)
    correlation = np.divide(rates.xy, spread, out=np.zeros_like(spread), where=spread > 0.0)
    x, y = (_scaled(arm, factor) for arm, factor in zip(arms, (alpha, beta), strict=True))
    correlation = correlation * np.sign(alpha) * np.sign(beta)
    mean = rates.mean(alpha, beta)
    return mean - _root(x.down, y.down, correlation), mean + _root(x.up, y.up, correlation)


def _scaled(arm: Arms, factor: FloatArray) -> Arms:
    """Arms of a multiple; a negative factor turns them round."""
    size, turned = np.abs(factor), factor < 0.0
    return Arms(size * np.where(turned, arm.up, arm.down), size * np.where(turned, arm.down, arm.up))
