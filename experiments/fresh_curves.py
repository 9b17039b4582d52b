"""Bands held against fresh empirical curves (Macskassy & Provost 2004, §5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numba
import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.curve import roc_curve
from confroc.lab import SamplePopulation
from confroc.lab.bands import WHOLE, bands
from confroc.lab.coverage import Coverage
from confroc.lab.rules import Drawn, Judge, Rule
from confroc.lab.samples import Samples
from confroc.results import one_sided_limits


@numba.njit(nogil=True, cache=True)
def limits(
    x: NDArray[np.float64], y: NDArray[np.float64], i: int, t: float, tied: int
) -> tuple[float, float]:
    """Left and right limits at t of a polyline, i its first knot at t or beyond and `tied` knots at t."""
    last = x.shape[0] - 1
    if tied > 0:
        return y[i], y[i + tied - 1]
    if i == 0:
        return y[0], y[0]
    if i > last:
        return y[last], y[last]
    value = y[i - 1] + (t - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1])
    return value, value


@numba.njit(nogil=True, cache=True)
def held(
    fpr: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> bool:
    """Whether a band's edges, polylines over `fpr`, enclose the curve (x, y), rounding of 1e-12 forgiven."""
    n = fpr.shape[0]
    m = x.shape[0]
    i = 0
    j = 0
    while i < n or j < m:
        t = min(fpr[i] if i < n else np.inf, x[j] if j < m else np.inf)
        edges = 0
        while i + edges < n and fpr[i + edges] == t:
            edges += 1
        knots = 0
        while j + knots < m and x[j + knots] == t:
            knots += 1
        value = limits(x, y, j, t, knots)
        low = limits(fpr, lower, i, t, edges)
        high = limits(fpr, upper, i, t, edges)
        if value[0] < low[0] - 1e-12 or value[0] > high[0] + 1e-12:
            return False
        if value[1] < low[1] - 1e-12 or value[1] > high[1] + 1e-12:
            return False
        i += edges
        j += knots
    return True


def judge_fresh_curves(rule: FreshCurves, drawn: Drawn) -> list[Coverage]:
    """Count fresh curves that are inside; all methods meet the same fresh samples."""
    samples, model, rng = drawn.samples, drawn.model, drawn.rng
    at = np.array(rule.at)
    whole, at_rates, area = (np.full((len(rule.methods), samples.reps), np.nan) for _ in range(3))
    for i in range(samples.reps):
        one = Samples(samples.pos[i : i + 1], samples.neg[i : i + 1])
        tried = [next(bands(rule, one, method, rng)) for method in rule.methods]
        made = {j: band for j, band in enumerate(tried) if band is not None}
        own = SamplePopulation(one.pos[0], one.neg[0])
        drawn_from = model if rule.source == "population" else own
        fresh = Samples(*drawn_from.draw(rng, samples.n_pos, samples.n_neg, rule.curves))
        edges = {
            j: [one_sided_limits(band.at, edge, at)[1] for edge in (band.lower, band.upper)]
            for j, band in made.items()
        }
        for j, band in made.items():
            whole[j, i] = at_rates[j, i] = 0.0
            area[j, i] = band.area
        for k in range(rule.curves):
            curve = roc_curve(fresh.scores(k)).corners()
            value = one_sided_limits(curve.fpr, curve.tpr, at)[1]
            for j, band in made.items():
                low, high = edges[j]
                whole[j, i] += held(band.at, band.lower, band.upper, curve.fpr, curve.tpr)
                at_rates[j, i] += ((value >= low - 1e-12) & (value <= high + 1e-12)).all()
    out = []
    for method, *counted, size in zip(rule.methods, whole, at_rates, area, strict=True):
        out.append(_mean(method, "fresh", counted[0], rule.curves))
        if rule.at:
            out.append(_mean(method, "fresh_at_rates", counted[1], rule.curves))
        out.append(_mean(method, "area", size, 0))
    return out


def _mean(method: str, quantity: str, values: FloatArray, of: int) -> Coverage:
    """Counts of curves held per band (out of `of`), or with of = 0 of a size per band; NaN is a failure."""
    made = values[~np.isnan(values)]
    n, each = len(made), made / of if of else made
    zero = np.zeros(1, np.int64)
    return Coverage(
        method,
        quantity,
        WHOLE,
        np.array([n]),
        np.array([n * max(of, 1)]),
        np.array([len(values) - n]),
        np.array([round(made.sum()) if of else 0]),
        zero,
        zero,
        zero,
        zero,
        np.array([each.sum()]),
        np.array([np.square(each).sum()]),
    )


@dataclass(frozen=True, kw_only=True)
class FreshCurves(Rule):
    """Share of the empirical curves of fresh samples of the same size that the band contains.

    Quantity "fresh": the whole curve. Quantity "fresh_at_rates": at the given false positive rates only, as
    in Macskassy & Provost's (2004) sweep. Quantity "area": of the band.

    Attributes
    ----------
    curves : int
        Fresh samples per band.
    source : {"population", "sample"}
        Where fresh samples come from: the population, or the very sample on which the band rests.
    at : tuple of float
        False positive rates in [0, 1); a vertical step counts with its upper end.
    """

    curves: int = 1000
    source: Literal["population", "sample"] = "population"
    function: str | Judge = judge_fresh_curves
