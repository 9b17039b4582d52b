"""Two regimes that a model lives through, and intervals for its area over both (Morin 2018, section 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confroc._types import FloatArray
from confroc.drift import auc_forecast
from confroc.lab import TwoLaws, binormal_with_auc
from confroc.lab.batch import Batch
from confroc.lab.populations import Draw
from confroc.lab.rules import Rule, Tally
from confroc.lab.rules.area import areas, ends
from confroc.lab.rules.base import parse
from confroc.lab.rules.tallies import tally

FRESH = 1000
"""Fresh segments of either regime that each chunk of samples is held against."""


@dataclass(frozen=True)
class Regimes:
    """Two regimes that a model lives through: each sample is one segment of each (Morin 2018, section 4).

    Attributes
    ----------
    low, high : TwoLaws
        The population in either regime.
    """

    low: TwoLaws
    high: TwoLaws

    @classmethod
    def morin(cls, auc_low: float, auc_high: float) -> Regimes:
        """Return binormal regimes with both standard deviations 1/√2 and these areas."""
        sd = math.sqrt(0.5)
        return cls(binormal_with_auc(auc_low, sd=sd), binormal_with_auc(auc_high, sd=sd))

    @property
    def share(self) -> float:
        """Share of positives."""
        return self.low.share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives; each row's first half is the low regime's segment."""
        parts = [law.draw(rng, n_pos // 2, n_neg // 2, reps) for law in (self.low, self.high)]
        return np.hstack([p for p, _ in parts]), np.hstack([q for _, q in parts])


@dataclass(frozen=True, kw_only=True)
class RegimeForecasts(Rule):
    """Intervals held against both true areas, and against the empirical areas of fresh segments."""

    at_name = "auc"

    def judge(
        self,
        batch: Batch,
        population: Regimes,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count what the intervals of the two segments together hold."""
        regimes = population.low, population.high
        truth = np.array([law.auc for law in regimes])
        found, half = areas(batch), (batch.n_pos // 2, batch.n_neg // 2)
        fresh = np.sort(np.concatenate([areas(Batch(*r.draw(rng, *half, FRESH))).auc for r in regimes]))
        out = []
        for method in self.methods:
            name, options = parse(method)
            if name == "forecast":
                low, high = forecasts(batch, half, options)
            else:
                low, high = ends(method, batch, found, self.confidence_level, self.n_resamples, rng)
            both = np.repeat(low[:, None], 2, axis=1), np.repeat(high[:, None], 2, axis=1)
            out.append(tally(method, "auc", truth, truth, *both))
            out.append(held_areas(method, fresh, low, high))
        return out


def forecasts(
    batch: Batch, half: tuple[int, int], options: dict[str, object]
) -> tuple[FloatArray, FloatArray]:
    """Forecast intervals with the sample's two segments."""
    first = Batch(batch.pos[:, : half[0]], batch.neg[:, : half[1]])
    second = Batch(batch.pos[:, half[0] :], batch.neg[:, half[1] :])
    made = np.empty((2, batch.reps))
    for i in range(batch.reps):
        segments = [first.scores(i), second.scores(i)]
        forecast = auc_forecast(batch.scores(i), segments=segments, **options)  # type: ignore[arg-type]
        made[:, i] = forecast.lower, forecast.upper
    return made[0], made[1]


def held_areas(method: str, fresh: FloatArray, low: FloatArray, high: FloatArray) -> Tally:
    """Tally of the fresh areas, in ascending order, that each interval holds."""
    above = np.searchsorted(fresh, low, side="left")
    held = np.searchsorted(fresh, high, side="right") - above
    reps, of, shares = len(low), len(fresh), held / len(fresh)
    one = np.array([reps])
    return Tally(
        method,
        "fresh",
        np.array([np.nan]),
        one,
        one * of,
        one * 0,
        np.array([held.sum()]),
        np.array([above.sum()]),
        np.array([(of - above - held).sum()]),
        np.array([shares.sum()]),
        np.array([np.square(shares).sum()]),
    )
