"""Judging bands for the whole curve: whether a band contains the true one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from confroc._types import FloatArray
from confroc.bands import roc_band
from confroc.lab.coverage import Coverage, counted
from confroc.lab.rules import Drawn, Rule, parse
from confroc.lab.samples import Samples
from confroc.methods.bands import ROC_BAND
from confroc.results import Band

WHOLE = np.array([np.nan])
"""The place of a statement about the whole curve."""


def bands(rule: Rule, samples: Samples, method: str, rng: np.random.Generator) -> Iterator[Band | None]:
    """Yield each sample's band, None where there is none."""
    name, options = parse(method)
    given = {"rng": rng, **options}
    if options.get("calibration") != "exact":
        given |= ROC_BAND.taken(name, {"n_resamples": rule.n_resamples})
    for i in range(samples.reps):
        try:
            yield roc_band(samples.scores(i), method=name, confidence_level=rule.confidence_level, **given)
        except ValueError:
            yield None


def roc_bands(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count bands that contain the whole true curve; a miss on both sides counts on both.

    The width is the area of the band.
    """
    samples, model = drawn.samples, drawn.model
    out = []
    for method in rule.methods:
        ends = np.full((2, samples.reps), np.nan)
        area = np.zeros(samples.reps)
        for i, band in enumerate(bands(rule, samples, method, drawn.rng)):
            if band is None:
                continue
            curve = model.curve(band.at)
            # The truth stands at 0: the lower edge is at -1 or, when crossed, at +1; the upper likewise.
            ends[0, i] = -1.0 if replace(band, upper=np.ones_like(band.upper)).contains(curve) else 1.0
            ends[1, i] = 1.0 if replace(band, lower=np.zeros_like(band.lower)).contains(curve) else -1.0
            area[i] = band.area
        out.append(counted_curve(method, ends, area))
    return out


def counted_curve(method: str, ends: FloatArray, area: FloatArray) -> Coverage:
    """Count bands that contain a curve: the truth at 0, each band's lower and upper end at -1 or 1."""
    found = counted(method, "curve", WHOLE, np.zeros(1), ends[0][:, None], ends[1][:, None])
    inside = int(np.count_nonzero((ends[0] < 0.0) & (ends[1] > 0.0)))
    return found._replace(
        covered=np.array([inside]), width=np.array([area.sum()]), width_sq=np.array([np.square(area).sum()])
    )
