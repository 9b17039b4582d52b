"""Coverage of bands for the whole curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from confroc._types import FloatArray
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples
from confroc.bands import roc_band
from confroc.bands.roc import ROC_BAND
from confroc.results import Band

Polyline: TypeAlias = tuple[FloatArray, FloatArray]

WHOLE = np.array([np.nan])
"""Place of a result for the whole curve."""


def bands(rule: Rule, samples: Samples, method: str, rng: np.random.Generator) -> Iterator[Band | None]:
    """Yield the band of each sample, or None."""
    name, options = parse(method)
    given = {"rng": rng, **options}
    if options.get("calibration") != "exact":
        given |= ROC_BAND.taken(name, {"n_resamples": rule.n_resamples})
    for i in range(samples.reps):
        try:
            yield roc_band(samples.scores(i), method=name, confidence_level=rule.confidence_level, **given)
        except ValueError:
            yield None


def evaluated(
    method: str, found: Iterator[tuple[Band, Polyline] | None], reps: int, least: float
) -> Coverage:
    """Count bands that contain the true curve; a miss on both sides counts on both. Width is the area."""
    ends, area = np.full((2, reps), np.nan), np.zeros(reps)
    for i, made in enumerate(found):
        if made is None:
            continue
        band, curve = made
        # The truth is 0: the lower edge is -1 or, if crossed, +1; the upper edge likewise.
        ends[0, i] = -1.0 if replace(band, upper=np.ones_like(band.upper)).contains(curve) else 1.0
        ends[1, i] = 1.0 if replace(band, lower=np.full_like(band.lower, least)).contains(curve) else -1.0
        area[i] = band.area
    return counted_curve(method, ends, area)


def roc_bands(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count bands around one model's curve."""
    samples, model = drawn.samples, drawn.model

    def made(method: str) -> Iterator[tuple[Band, Polyline] | None]:
        for band in bands(rule, samples, method, drawn.rng):
            yield None if band is None else (band, model.curve(band.at))

    return [evaluated(method, made(method), samples.reps, 0.0) for method in rule.methods]


def counted_curve(method: str, ends: FloatArray, area: FloatArray) -> Coverage:
    """Count bands that contain a curve, coded with truth 0 and edges -1 or 1."""
    found = counted(method, "curve", WHOLE, np.zeros(1), ends[0][:, None], ends[1][:, None])
    inside = int(np.count_nonzero((ends[0] < 0.0) & (ends[1] > 0.0)))
    return found._replace(
        covered=np.array([inside]), width=np.array([area.sum()]), width_sq=np.array([np.square(area).sum()])
    )
