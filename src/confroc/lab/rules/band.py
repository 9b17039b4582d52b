"""Bands for the whole curve, judged in two ways.

`TrueCurve` asks whether the band holds the true curve. `FreshCurves` asks, as Macskassy & Provost (2004,
§5.3) do, which share of the empirical curves of fresh samples of the same size it holds.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from confroc._types import FloatArray
from confroc.bands import roc_band
from confroc.lab.batch import Batch
from confroc.lab.designs import AnyPopulation
from confroc.lab.rules.base import Rule, one_model, parse
from confroc.lab.rules.tallies import Tally, tally
from confroc.results import Band

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
