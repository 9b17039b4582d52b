"""Models with two regimes, and intervals for the area over both (Morin 2018, section 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from confroc import auc_forecast
from confroc.auditing.areas import area_ends, delong
from confroc.auditing.bands import WHOLE
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.populations import Draw
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples
from confroc_lab import TwoDistributions, binormal_with_auc
from confroc_lab._types import FloatArray

FRESH = 1000
"""Fresh segments of either regime that each chunk of samples is compared with."""


@dataclass(frozen=True)
class Regimes:
    """A population with two regimes: each sample is one segment of each (Morin 2018, section 4).

    Attributes
    ----------
    low, high : TwoDistributions
        The population in either regime.
    """

    low: TwoDistributions
    high: TwoDistributions

    @classmethod
    def morin(cls, auc_low: float, auc_high: float) -> Regimes:
        """Return binormal regimes with both standard deviations 1/√2 and these areas."""
        sd = math.sqrt(0.5)
        return cls(binormal_with_auc(auc_low, sd=sd), binormal_with_auc(auc_high, sd=sd))

    @property
    def share(self) -> float:
        """Prevalence."""
        return self.low.share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives; each row's first half is the low regime's segment."""
        parts = [law.draw(rng, n_pos // 2, n_neg // 2, reps) for law in (self.low, self.high)]
        return np.hstack([p for p, _ in parts]), np.hstack([q for _, q in parts])


def area_sd(law: TwoDistributions, n_pos: int, n_neg: int) -> float:
    """Standard deviation of the area in samples of a population with normal scores of equal spread.

    By quadrature: P(two negatives below a positive) is the mean of Φ(x + d)² over a normal x, and so for two
    positives above a negative (Hanley & McNeil 1982, with these probabilities).
    """
    node, weight = np.polynomial.hermite_e.hermegauss(80)
    below = special.ndtr(node + math.sqrt(2.0) * float(special.ndtri(law.auc)))
    both = float(weight @ below**2) / math.sqrt(2.0 * math.pi) - law.auc**2
    return math.sqrt((law.auc * (1.0 - law.auc) + (n_pos + n_neg - 2.0) * both) / (n_pos * n_neg))


def next_coverage(gap: float, segments: int, level: float) -> float:
    """Coverage of the next segment's area under two equally likely regimes, by quadrature.

    Areas of segments are normal with standard deviation 1 and means 0 or `gap`. Given how many of the past
    ones are in the upper regime, their mean is normal and, independent of it, their variance a noncentral χ².
    The interval is Student's for a new observation, at least as wide as the normal one of known spread.
    """
    df, more = segments - 1, 1.0 + 1.0 / segments
    t, z = (float(law(0.5 + 0.5 * level)) for law in (stats.t(df).ppf, stats.norm.ppf))
    node, weight = np.polynomial.legendre.leggauss(600)
    total = 0.0
    for upper in range(segments + 1):
        spread = stats.ncx2(df, gap**2 * upper * (segments - upper) / segments + 1e-12)
        # By the root of the sum of squares, whose density is smooth but for a corner.
        last = math.sqrt(float(spread.isf(1e-12)))
        root, share = 0.5 * last * (node + 1.0), 0.5 * last * weight
        half = np.maximum(t * root * math.sqrt(more / df), z * math.sqrt(more))
        density = share * 2.0 * root * spread.pdf(root**2)
        for new in (0.0, 1.0):
            off = gap * (new - upper / segments)
            held = special.ndtr((half - off) / math.sqrt(more)) - special.ndtr(
                (-half - off) / math.sqrt(more)
            )
            total += 0.5 * math.comb(segments, upper) * 0.5**segments * float(density @ held)
    return total


def regime_areas(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain both true areas, and the empirical areas of fresh segments.

    Methods are those of `auc_interval`, and "forecast": `auc_forecast` with the sample's two segments, by
    default the paper's.
    """
    samples, rng = drawn.samples, drawn.rng
    regimes = drawn.population.low, drawn.population.high
    truth = np.array([law.auc for law in regimes])
    found, half = delong(samples), (samples.n_pos // 2, samples.n_neg // 2)
    fresh = np.sort(np.concatenate([delong(Samples(*r.draw(rng, *half, FRESH))).auc for r in regimes]))
    out = []
    for method in rule.methods:
        name, options = parse(method)
        if name == "forecast":
            low, high = forecasts(samples, half, options)
        else:
            low, high = area_ends(method, samples, found, rule.confidence_level, rule.n_resamples, rng)
        both = np.repeat(low[:, None], 2, axis=1), np.repeat(high[:, None], 2, axis=1)
        out.append(counted(method, "auc", truth, truth, *both))
        out.append(held_areas(method, fresh, low, high))
    return out


def forecasts(
    samples: Samples, half: tuple[int, int], options: dict[str, object]
) -> tuple[FloatArray, FloatArray]:
    """Forecast intervals with the sample's two segments."""
    first = Samples(samples.pos[:, : half[0]], samples.neg[:, : half[1]])
    second = Samples(samples.pos[:, half[0] :], samples.neg[:, half[1] :])
    asked = {"method": "paper", **options}
    made = np.empty((2, samples.reps))
    for i in range(samples.reps):
        segments = [first.scores(i), second.scores(i)]
        forecast = auc_forecast(samples.scores(i), segments=segments, **asked)  # type: ignore[arg-type]
        made[:, i] = forecast.lower, forecast.upper
    return made[0], made[1]


def held_areas(method: str, fresh: FloatArray, low: FloatArray, high: FloatArray) -> Coverage:
    """Counts of the fresh areas, in ascending order, that each interval holds."""
    above = np.searchsorted(fresh, low, side="left")
    held = np.searchsorted(fresh, high, side="right") - above
    reps, of, shares = len(low), len(fresh), held / len(fresh)
    one = np.array([reps])
    return Coverage(
        method,
        "fresh",
        WHOLE,
        one,
        one * of,
        one * 0,
        np.array([held.sum()]),
        np.array([above.sum()]),
        np.array([(of - above - held).sum()]),
        one * 0,
        one * 0,
        np.array([shares.sum()]),
        np.array([np.square(shares).sum()]),
    )
