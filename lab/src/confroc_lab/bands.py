"""Coverage of bands for the difference of two models' curves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from confroc import Band, roc_difference_band
from confroc.auditing.bands import Polyline, evaluated
from confroc.auditing.coverage import Coverage
from confroc.auditing.populations import Population
from confroc.auditing.rules import Drawn, Rule
from confroc.methods import FAMILIES
from confroc_lab._types import FloatArray

ENDS = np.concatenate([np.geomspace(1e-9, 1e-3, 100), 1.0 - np.geomspace(1e-9, 1e-3, 100)])
"""False positive rates at which a difference of curves is evaluated besides a band's own."""


def true_difference(models: tuple[Population, Population], knots: FloatArray) -> Polyline:
    """Return vertices of the difference of the two true curves, dense at both ends."""
    curves = [model.curve(np.union1d(knots, ENDS)) for model in models]
    at = np.union1d(curves[0][0], curves[1][0])
    a, b = (np.interp(at, *curve) for curve in curves)
    return at, a - b


def roc_difference_bands(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count bands around the difference of two models' curves."""
    samples, models = drawn.samples, drawn.models

    def made(method: str) -> Iterator[tuple[Band, Polyline]]:
        few = FAMILIES["roc_difference_band"].taken(method, {"n_resamples": rule.n_resamples})
        for i in range(samples.reps):
            band = roc_difference_band(
                samples.pair(i), method=method, confidence_level=rule.confidence_level, rng=drawn.rng, **few
            )
            yield band, true_difference(models, band.at)

    return [evaluated(method, made(method), samples.reps, -1.0) for method in rule.methods]
