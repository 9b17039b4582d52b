"""Bands for the whole curve, judged in two ways.

`TrueCurve` asks whether the band holds the true curve. `FreshCurves` asks, as Macskassy & Provost (2004,
§5.3) do, which share of the empirical curves of fresh samples of the same size it holds.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from confroc import _kernels
from confroc._kernels import lab as kernels
from confroc._types import FloatArray
from confroc.bands import roc_band
from confroc.curve import RocCurve, roc_curve
from confroc.lab.batch import COMPILE, Batch
from confroc.lab.designs import AnyPopulation, SamplePopulation
from confroc.lab.rules.base import Rule, one_model, parse
from confroc.lab.rules.tallies import Tally, tally
from confroc.results import Band, one_sided_limits

WHOLE = np.array([np.nan])


@dataclass(frozen=True, kw_only=True)
class BandRule(Rule):
    """What both ways of judging a band share.

    Attributes
    ----------
    methods : tuple of str
        A method of `roc_band`, or one with options, written "method:option=value,option=value".
    """

    def bands(self, batch: Batch, method: str, rng: np.random.Generator) -> Iterator[Band | None]:
        """Yield each sample's band, None where there is none."""
        name, options = parse(method)
        known = inspect.signature(roc_band).parameters
        if "n_resamples" in known:
            options.setdefault("n_resamples", self.n_resamples)
        if "rng" in known:
            options["rng"] = rng
        for i in range(batch.reps):
            try:
                yield roc_band(
                    batch.scores(i), method=name, confidence_level=self.confidence_level, **options
                )
            except ValueError:
                yield None


@dataclass(frozen=True, kw_only=True)
class TrueCurve(BandRule):
    """Whether the band holds the whole true curve. The width is the area of the band."""

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count bands that hold the true curve; a miss on both sides counts on both."""
        model = one_model(population)
        out = []
        for method in self.methods:
            ends = np.full((2, batch.reps), np.nan)
            area = np.zeros(batch.reps)
            for i, band in enumerate(self.bands(batch, method, rng)):
                if band is None:
                    continue
                curve = model.curve(band.at)
                # The truth stands at 0: the lower edge is at -1 or, when crossed, at +1; the upper likewise.
                ends[0, i] = -1.0 if replace(band, upper=np.ones_like(band.upper)).contains(curve) else 1.0
                ends[1, i] = 1.0 if replace(band, lower=np.zeros_like(band.lower)).contains(curve) else -1.0
                area[i] = band.area
            out.append(curve_tally(method, ends, area))
        return out


def curve_tally(method: str, ends: FloatArray, area: FloatArray) -> Tally:
    """Count bands that hold a curve: the truth at 0, each band's lower and upper end at -1 or 1."""
    zero = np.zeros(1)
    counted = tally(method, "curve", WHOLE, zero, ends[0][:, None], ends[1][:, None])
    inside = int(np.count_nonzero((ends[0] < 0.0) & (ends[1] > 0.0)))
    return counted._replace(
        covered=np.array([inside]), width=np.array([area.sum()]), width_sq=np.array([np.square(area).sum()])
    )


def _holds(band: Band, curve: RocCurve) -> bool:
    """`Band.contains`, compiled."""
    return _kernels.compiled(kernels.held)(band.at, band.lower, band.upper, curve.fpr, curve.tpr)


@dataclass(frozen=True, kw_only=True)
class FreshCurves(BandRule):
    """Share of the empirical curves of fresh samples of the same size that the band holds.

    Quantity "fresh": the whole curve. Quantity "fresh_at_rates": at the given false positive rates only, as
    in Macskassy & Provost's (2004) sweep. Quantity "area": of the band.

    Attributes
    ----------
    curves : int
        Fresh samples per band.
    source : {"population", "sample"}
        Where fresh samples come from: the population, or the very sample on which the band rests.
    rates : tuple of float
        In [0, 1); a vertical step counts with its upper end.
    """

    curves: int = 1000
    source: Literal["population", "sample"] = "population"
    rates: tuple[float, ...] = ()

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count fresh curves held; all methods meet the same fresh samples."""
        model = one_model(population)
        at = np.array(self.rates)
        whole, at_rates, area = (np.full((len(self.methods), batch.reps), np.nan) for _ in range(3))
        holds = _holds if self.curves * (batch.n_pos + batch.n_neg) >= COMPILE else Band.contains
        for i in range(batch.reps):
            one = Batch(batch.pos[i : i + 1], batch.neg[i : i + 1])
            bands = [next(self.bands(one, method, rng)) for method in self.methods]
            made = {j: band for j, band in enumerate(bands) if band is not None}
            own = SamplePopulation(one.pos[0], one.neg[0])
            drawn_from = model if self.source == "population" else own
            fresh = Batch(*drawn_from.draw(rng, batch.n_pos, batch.n_neg, self.curves))
            edges = {
                j: [one_sided_limits(band.at, edge, at)[1] for edge in (band.lower, band.upper)]
                for j, band in made.items()
            }
            for j, band in made.items():
                whole[j, i] = at_rates[j, i] = 0.0
                area[j, i] = band.area
            for k in range(self.curves):
                curve = roc_curve(fresh.scores(k)).corners()
                value = one_sided_limits(curve.fpr, curve.tpr, at)[1]
                for j, band in made.items():
                    low, high = edges[j]
                    whole[j, i] += holds(band, curve)
                    at_rates[j, i] += ((value >= low - 1e-12) & (value <= high + 1e-12)).all()
        out = []
        for method, *counted, size in zip(self.methods, whole, at_rates, area, strict=True):
            out.append(_mean_tally(method, "fresh", counted[0], self.curves))
            if self.rates:
                out.append(_mean_tally(method, "fresh_at_rates", counted[1], self.curves))
            out.append(_mean_tally(method, "area", size, 0))
        return out


def _mean_tally(method: str, quantity: str, values: FloatArray, of: int) -> Tally:
    """Tally of curves held per band (out of `of`), or with of = 0 of a size per band; NaN is a failure."""
    made = values[~np.isnan(values)]
    n, each = len(made), made / of if of else made
    zero = np.zeros(1, np.int64)
    return Tally(
        method,
        quantity,
        WHOLE,
        np.array([n]),
        np.array([n * max(of, 1)]),
        np.array([len(values) - n]),
        np.array([round(made.sum()) if of else 0]),
        zero,
        zero,
        np.array([each.sum()]),
        np.array([np.square(each).sum()]),
    )
