"""Bands compared with fresh empirical curves (Macskassy & Provost 2004, §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from confroc import roc_curve
from confroc.auditing.bands import WHOLE, bands
from confroc.auditing.coverage import Coverage
from confroc.auditing.formulas import band_of, least_resamples, one_sided_limits, resampled_curve
from confroc.auditing.rules import Drawn, Evaluator, Rule, parse
from confroc.auditing.samples import Samples
from confroc.methods import FAMILIES
from confroc.results import Band
from confroc_lab import SamplePopulation
from confroc_lab._types import FloatArray, IntArray, Sampling


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


@numba.njit(nogil=True, cache=True)
def first_escape(
    at: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], y: NDArray[np.float64]
) -> int:
    """Number of the first rate of a sweep at which a curve is outside, their count where it is inside."""
    for i in range(at.shape[0]):
        if y[i] < low[i] - 1e-12 or y[i] > high[i] + 1e-12:
            return i
    return at.shape[0]


FEW = 1000
"""Distinct scores up to which samples are drawn as counts."""

Curve: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]


def curves_of(
    population: Any, sampling: Sampling, rng: np.random.Generator, size: tuple[int, int], number: int
) -> Iterator[Curve]:
    """Yield the empirical curves of fresh samples, class by class or both classes together.

    From a sample with few distinct scores they are drawn as counts.
    """
    support = population.support if isinstance(population, SamplePopulation) else None
    n = sum(size)
    for _ in range(number) if sampling == "full" else ():
        n_pos = min(max(int(rng.binomial(n, population.share)), 1), n - 1)
        yield from curves_of(population, "stratified", rng, (n_pos, n - n_pos), 1)
    if sampling == "full":
        return
    if support is None or len(support) > FEW:
        fresh = Samples(*population.draw(rng, *size, number))
        for k in range(number):
            curve = roc_curve(fresh.scores(k)).corners()
            yield curve.fpr, curve.tpr
        return
    drawn = []
    for values, m in ((population.neg, size[1]), (population.pos, size[0])):
        share = np.bincount(np.searchsorted(support, values), minlength=len(support))[::-1] / len(values)
        drawn.append(np.cumsum(rng.multinomial(m, share, size=number), axis=1) / m)
    for fpr, tpr in zip(*drawn, strict=True):
        yield np.concatenate([[0.0], fpr]), np.concatenate([[0.0], tpr])


def band_for(rule: FreshCurves, one: Samples, method: str, rng: np.random.Generator) -> Band | None:
    """Return a sample's band, also one of fewer curves than the library takes.

    Macskassy & Provost make bands of ten curves. `roc_band` refuses to read a quantile from so few; here it
    is the largest, or smallest, of them.
    """
    name, options = parse(method)
    chosen = FAMILIES["roc_band"].chosen(name, options)
    by_quantile = chosen.of_curves and chosen.by_quantile
    if not by_quantile or rule.n_resamples >= least_resamples(rule.confidence_level):
        return next(bands(rule, one, method, rng))
    scores = one.scores(0)
    curves = resampled_curve(scores, n_resamples=rule.n_resamples, rng=rng, n_jobs=1)
    level = rule.confidence_level
    return band_of(chosen.edges(curves, level), curves.center, chosen, level, guarantee="none")


def evaluate_fresh_curves(rule: FreshCurves, drawn: Drawn) -> list[Coverage]:
    """Count fresh curves that are inside; all methods meet the same fresh samples."""
    samples, model, rng = drawn.samples, drawn.model, drawn.rng
    at = np.array(rule.at)
    shape = len(rule.methods), samples.reps
    sources = ("fresh", "fresh_of_sample") if rule.source == "both" else ("fresh",)
    counts = {name: np.full(shape, np.nan) for source in sources for name in (source, f"{source}_at_rates")}
    escapes = {source: np.zeros((shape[0], len(at)), np.int64) for source in sources}
    area, true = np.full(shape, np.nan), np.full((shape[0], 2, shape[1]), np.nan)
    edge_values = np.zeros((shape[0], 2, 2, len(at)))
    for i in range(samples.reps):
        one = Samples(samples.pos[i : i + 1], samples.neg[i : i + 1])
        tried = [band_for(rule, one, method, rng) for method in rule.methods]
        made = {j: band for j, band in enumerate(tried) if band is not None}
        edges = {
            j: [one_sided_limits(band.at, edge, at)[1] for edge in (band.lower, band.upper)]
            for j, band in made.items()
        }
        for j, band in made.items():
            area[j, i] = band.area
            if rule.truth:
                curve = model.curve(np.union1d(band.at, at))
                true[j, 0, i] = held(band.at, band.lower, band.upper, *curve)
                value = one_sided_limits(*curve, at)[1]
                true[j, 1, i] = first_escape(at, *edges[j], value) == len(at)
            for name in counts:
                counts[name][j, i] = 0.0
            for k, edge in enumerate(edges[j]):
                edge_values[j, k] += edge, np.square(edge)
        for source in sources:
            population = model if source == "fresh" else SamplePopulation(one.pos[0], one.neg[0])
            size = samples.n_pos, samples.n_neg
            for fpr, tpr in curves_of(population, drawn.sampling, rng, size, rule.curves):
                value = one_sided_limits(fpr, tpr, at)[1]
                for j, band in made.items():
                    whole = held(band.at, band.lower, band.upper, fpr, tpr)
                    place = first_escape(at, *edges[j], value)
                    counts[source][j, i] += whole
                    counts[f"{source}_at_rates"][j, i] += place == len(at)
                    if place < len(at):
                        escapes[source][j, place] += 1
    out = []
    for j, method in enumerate(rule.methods):
        for name, counted in counts.items():
            if rule.at or not name.endswith("_at_rates"):
                out.append(_mean(method, name, counted[j], rule.curves))
        out.append(_mean(method, "area", area[j], 0))
        if rule.truth:
            out.append(_mean(method, "curve", true[j, 0], 1))
            if rule.at:
                out.append(_mean(method, "curve_at_rates", true[j, 1], 1))
        n = int(np.count_nonzero(~np.isnan(area[j])))
        if rule.places:
            out.append(_mean(method, "area_scaled", area[j] * (samples.n_pos + samples.n_neg) ** 0.5, 0))
            out += [
                _at_places(method, f"{source}_escapes", at, n * rule.curves, escapes[source][j])
                for source in sources
            ]
            for k, name in enumerate(("edge_lower", "edge_upper")):
                empty = np.zeros(len(at), np.int64)
                row = _at_places(method, name, at, n, empty)
                out.append(row._replace(width=edge_values[j, k, 0], width_sq=edge_values[j, k, 1]))
    return out


def _at_places(method: str, quantity: str, at: FloatArray, n: int, covered: IntArray) -> Coverage:
    """Counts at each rate of the sweep, of n."""
    zero = np.zeros(len(at), np.int64)
    each, sums = np.full(len(at), n), np.zeros(len(at))
    return Coverage(method, quantity, at, each, each, zero, covered, zero, zero, zero, zero, sums, sums)


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
    in Macskassy & Provost's (2004) sweep. Quantity "area": of the band; "area_scaled": times the root of the
    number of cases.

    Attributes
    ----------
    curves : int
        Fresh samples per band and source.
    source : {"population", "both"}
        Where fresh samples come from: the population; or as many more, whose quantities are
        "fresh_of_sample" and "fresh_of_sample_at_rates", from the sample from which the band was computed.
    truth : bool
        Whether to say if the band contains the population's own curve ("curve", "curve_at_rates").
    places : bool
        Whether to say, for each rate, how many curves leave the band there first ("fresh_escapes",
        "fresh_of_sample_escapes"), where the edges are ("edge_lower", "edge_upper", by their width) and what
        "area_scaled" is.
    at : tuple of float
        False positive rates in [0, 1); a vertical step counts with its upper end.
    """

    curves: int = 1000
    source: Literal["population", "both"] = "population"
    places: bool = False
    truth: bool = False
    function: str | Evaluator = evaluate_fresh_curves
