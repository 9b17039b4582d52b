"""The AUC to expect once the population has drifted (Morin 2018), and how far populations drift.

A forecast needs a distance, its radius. Morin (section 3.5) takes the mean divergence of known segments from
the whole, on bins. Without any drift that mean is not zero: with K bins and S segments of a sample it is
about (K − 1)/2·(1 − 1/S)·(1/n₊ + 1/n₋) (twice that for the symmetric one), n₊ and n₋ being a segment's,
so how wide the forecast is depends on K and S. The calibrated radius asks instead how much the AUC varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    as_floats,
    check_count,
    check_level,
    check_size,
    make_rng,
    warn,
)
from confroc._types import RNG, Size
from confroc.auc import auc_interval
from confroc.drift.divergence import (
    Divergence,
    DivergenceName,
    bin_edges,
    check_divergence,
    class_divergences,
    shares,
)
from confroc.drift.nearest import extreme_areas
from confroc.influence import delong_moments
from confroc.methods.drift import AUC_FORECAST
from confroc.resample import N_RESAMPLES, resamples_or
from confroc.results import Guarantee, Interval, Intervals, percent
from confroc.scores import Scores, check_scores

UNMOVED = "no reweighting of these cases moves their AUC; the 'score_delong' interval is given instead."


@dataclass(frozen=True, kw_only=True, repr=False)
class Forecast(Interval):
    """The areas of all populations within a distance of the sample.

    Attributes
    ----------
    quantity : str
    estimate, lower, upper : float
        The sample's area and the extreme ones within `radius`.
    standard_error : float
        NaN: no standard error is used.
    radius : float
        Divergence allowed, both classes added.
    divergence : {"kl", "jeffreys", "chi2"}
    source : {"given", "psi", "segments", "sampling", "bootstrap"}
        Where the radius comes from.
    confidence_level : float
        Of a prediction interval for the next sample's AUC under "calibrated"; NaN otherwise, since
        a distance alone has no level.
    method, guarantee, notes, kind
        As in `Inference`.
    """

    standard_error: float = math.nan
    radius: float
    divergence: DivergenceName
    source: str

    def __str__(self) -> str:
        level = "" if math.isnan(self.confidence_level) else f"{percent(self.confidence_level)} "
        return (
            f"{self.quantity} {self.estimate:.4f} ({level}forecast {self.lower:.4f} to {self.upper:.4f} "
            f"within {self.divergence} {self.radius:.4g}; {self.method}, radius from {self.source})"
        )


def auc_forecast(
    scores: Scores,
    *,
    radius: float | None = None,
    segments: Sequence[Scores] | None = None,
    psi: float | None = None,
    method: str = "paper",
    divergence: DivergenceName = "kl",
    n_bins: int = 10,
    size: Size = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
) -> Forecast:
    """Interval of the AUC to expect from populations within a distance of the sample's.

    The bounds are the largest and smallest areas that any reweighting of the cases can have when its
    divergence from the sample, both classes added, is at most the radius (Morin 2018, eqs. 7-10).

    Parameters
    ----------
    scores : Scores
        The sample; with `segments`, all of them together.
    radius : float, optional
        The distance itself.
    segments : sequence of Scores, optional
        Parts of the sample (months, regions) whose drift is taken as typical.
    psi : float, optional
        The radius as a population stability index: `divergence` becomes "jeffreys", between the weights of
        cases and not between bins, and the budget is the sum of the two classes' indices. Credit risk reads
        0.1 as a small shift and 0.25 as a large one. A population within the budget has at most this index
        on any bins of either class (binning can only lower it), and of both classes' scores pooled in their
        present shares at most the larger share times it; the converse does not hold.
    method : {"paper", "calibrated"}
        Where the radius comes from when neither `radius` nor `psi` is given.

        paper : mean divergence of the segments from the whole on `n_bins` quantile bins of each class, shares
            floored at 1e-4; without segments, that of resamples of `size`. It has no stated coverage and
            depends on the numbers of bins and segments: without any drift it is about
            (K − 1)/2·(1 − 1/S)(1/n₊ + 1/n₋) for "kl", twice that for "jeffreys".
        calibrated : the radius whose bounds match, to first order, a prediction interval of
            `confidence_level` for the AUC of the next sample, of `size` cases: segments' excess variance over
            sampling (none without segments) and Student's t. With two segments this is very wide.
    divergence : {"kl", "jeffreys", "chi2"}
        kl : Kullback-Leibler. jeffreys : its symmetric form (Morin's eq. 17). chi2 : Pearson's
        Σ(u − f)²/f (eq. 18 with the division it lacks; on K equal bins K times eq. 18), for the bounds and
        for a radius from segments or resamples alike.
    n_bins : int
        Bins of each class for "paper".
    size : (int, int), optional
        (m_pos, m_neg) of the next sample, or of a resample. Default: the segments' mean, or the sample's own.
    confidence_level : float
        For "calibrated".
    n_resamples, rng
        For the "paper" radius without segments; 2,000 resamples by default.

    Returns
    -------
    Forecast
        Bounds inside [0, 1]; tied pairs count one half. For a given distance they hold for every population
        that reweights the sample; that the next one is such a population is an assumption. For rounded
        scores they hold whatever the exact ones are. Guarantee: "asymptotic" (of the level, under
        "calibrated"), "bootstrap" for a resampled radius.

    Raises
    ------
    ValueError
        When more than one of `radius`, `segments`, `psi` is given, or one is out of range.

    Warns
    -----
    ConfrocWarning
        When no reweighting moves the area (perfect separation or all scores equal). The "score_delong"
        interval, for the same population, is returned instead and says so.

    See Also
    --------
    forecast_curve : The bounds as a function of the distance.
    drift_monitor : Holds new segments against a forecast.
    auc_interval : The area of the population as it is.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18, 35 and section 3.5.

    Examples
    --------
    >>> from confroc import Scores, auc_forecast
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> print(auc_forecast(scores, radius=0.05))
    auc 0.7600 (forecast 0.6491 to 0.8567 within kl 0.05; paper, radius from given)
    >>> print(auc_forecast(scores, psi=0.1))
    auc 0.7600 (forecast 0.6473 to 0.8539 within jeffreys 0.1; paper, radius from psi)
    """
    check_scores("scores", scores, widens=True)
    row = AUC_FORECAST.check(method)
    level = check_level(confidence_level)
    given = {"radius": radius, "segments": segments, "psi": psi}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError(named[0], f"be given alone, without `{named[1]}`", given[named[0]], "Choose one.")
    parts = _check_segments(segments)
    chosen = check_divergence(divergence)
    if psi is not None:
        chosen = Divergence("jeffreys")
    sizes = _next_size(scores, parts, size)
    bins = check_count("n_bins", n_bins, minimum=2)
    guarantee: Guarantee = row.guarantee
    source, used, stated = named[0] if named else "bootstrap", row.name, math.nan
    notes: list[str] = []
    if radius is not None:
        distance, source = _check_radius("radius", radius), "given"
    elif psi is not None:
        distance = _check_radius("psi", psi)
    elif row.name == "calibrated":
        distance, _, df = calibrated_radius(scores, parts, level, sizes)
        # The divergences' second derivatives at the sample are 1, 2 and 2 (ρ ln ρ, (ρ − 1) ln ρ, (ρ − 1)²).
        distance *= 1.0 if chosen.name == "kl" else 2.0
        stated = level
        if not parts:
            source = "sampling"
            notes.append(
                "no segments: the level is for the next sample from the same population, without drift."
            )
        elif df < 4.0:
            notes.append(
                f"{len(parts)} segments say little about the next one ({df:.1f} degrees of freedom)."
            )
    elif parts:
        distance = segment_radius(parts, scores, chosen, bins)
    else:
        guarantee = "bootstrap"
        count = resamples_or(N_RESAMPLES, n_resamples)
        distance = bootstrap_radius(scores, chosen, bins, sizes, count, rng)
    lower = upper = scores.auc
    if distance > 0.0:
        lower, upper = extreme_areas(scores, chosen, distance)
    if not upper > lower:
        lower, upper, used = _without_drift(scores, level)
        stated = level
        notes.append(UNMOVED)
    if not scores.exact:
        notes.append(
            "Scores were rounded; the bounds are those of the least and the greatest curve that the exact "
            "scores can have, within the radius as found from the rounded ones."
        )
    if chosen.name == "chi2" and source in ("segments", "bootstrap"):
        notes.append(f"the radius is Pearson's Σ(u − f)²/f on {bins} bins of each class, both classes added.")
    return Forecast(
        quantity="auc",
        estimate=scores.auc,
        lower=min(lower, scores.auc),
        upper=max(upper, scores.auc),
        radius=distance,
        divergence=chosen.name,
        source=source,
        confidence_level=stated,
        method=used,
        guarantee=guarantee,
        notes=tuple(notes),
    )


def forecast_curve(
    scores: Scores, radius: ArrayLike | None = None, *, divergence: DivergenceName = "kl"
) -> Intervals:
    """Forecast bounds as a function of the distance allowed: Morin's (2018, section 3.5) hourglass.

    Parameters
    ----------
    scores : Scores
    radius : array-like of shape (h,), optional
        Positive distances. Default: 25 from 1e-4 to 1 in equal ratios.
    divergence : {"kl", "jeffreys", "chi2"}

    Returns
    -------
    Intervals
        `at` holds the distances. `confidence_level` is NaN: a distance has no level. For rounded scores the
        bounds hold whatever the exact ones are. Guarantee: "asymptotic".

    Raises
    ------
    ValueError
        For a distance that is not positive and finite, or an unknown divergence.

    Warns
    -----
    ConfrocWarning
        When no reweighting moves the area. The 95 % "score_delong" interval then stands in for the bounds.

    See Also
    --------
    auc_forecast : One distance, given or from segments.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18 and 35.

    Examples
    --------
    >>> from confroc import Scores, forecast_curve
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> curve = forecast_curve(scores, [0.01, 0.1])
    >>> curve.lower.round(3), curve.upper.round(3)
    (array([0.712, 0.6  ]), array([0.805, 0.891]))
    """
    check_scores("scores", scores, widens=True)
    chosen = check_divergence(divergence)
    given = np.geomspace(1e-4, 1.0, 25) if radius is None else np.atleast_1d(np.asarray(radius))
    at = as_floats("radius", given)
    distances = [_check_radius("radius", value) for value in at.tolist()]
    ends = np.array([extreme_areas(scores, chosen, r) for r in distances]).reshape(-1, 2)
    stuck = ~(ends[:, 1] > ends[:, 0])
    if stuck.any():
        ends[stuck] = _without_drift(scores, 0.95)[:2]
    return Intervals(
        quantity="auc",
        at_name="radius",
        at=at,
        estimate=np.full(len(at), scores.auc),
        lower=ends[:, 0],
        upper=ends[:, 1],
        confidence_level=math.nan,
        method=chosen.name,
        guarantee="asymptotic",
        notes=(UNMOVED,) if stuck.any() else (),
    )


def _check_radius(name: str, value: float) -> float:
    radius = float(value)
    if not (0.0 < radius < math.inf):
        raise ArgumentError(name, "be a positive finite distance", value, "Try 0.1, a moderate drift.")
    return radius


def _check_segments(segments: Sequence[Scores] | None) -> list[Scores]:
    """Return the segments, at least two of them, or an empty list for None."""
    if segments is None:
        return []
    if isinstance(segments, Scores):
        raise ArgumentTypeError("segments", "be a list of Scores", "Scores", "Pass [first, second, ...].")
    listed = [check_scores(f"segments[{i}]", s, widens=True) for i, s in enumerate(segments)]
    if len(listed) < 2:
        raise ArgumentError(
            "segments", "hold at least two segments", len(listed), "Give months, regions, ..."
        )
    return listed


def _next_size(scores: Scores, segments: list[Scores], size: Size) -> tuple[int, int]:
    if size is not None or not segments:
        return check_size(size, scores.n_pos, scores.n_neg)
    return mean_size(segments)


def mean_size(samples: Sequence[Scores]) -> tuple[int, int]:
    """Mean numbers of positives and of negatives, rounded down, at least one of each."""
    n = len(samples)
    return max(1, sum(s.n_pos for s in samples) // n), max(1, sum(s.n_neg for s in samples) // n)


def _without_drift(scores: Scores, level: float) -> tuple[float, float, str]:
    """Ends and method of the ordinary interval, with a warning that no reweighting moves the area."""
    interval = auc_interval(scores, confidence_level=level)
    warn(UNMOVED)
    return interval.lower, interval.upper, interval.method


def segment_radius(segments: Sequence[Scores], whole: Scores, divergence: Divergence, n_bins: int) -> float:
    """Mean over segments of both classes' divergences from the whole (Morin 2018, section 3.5)."""
    return float(np.mean([sum(class_divergences(s, whole, divergence, n_bins)) for s in segments]))


def bootstrap_radius(
    whole: Scores, divergence: Divergence, n_bins: int, size: tuple[int, int], n_resamples: int, rng: RNG
) -> float:
    """Mean divergence of resamples of a size from the sample: what sampling alone makes of it."""
    generator = make_rng(rng)
    total = 0.0
    for count, m in ((whole.pos, size[0]), (whole.neg, size[1])):
        own = shares(whole.score, count, bin_edges(whole.score, count, n_bins))
        # Only the bins' counts matter, and they are multinomial.
        drawn = generator.multinomial(m, own, size=n_resamples) / m
        total += float(np.mean([divergence.between(d, own) for d in drawn]))
    return total


def calibrated_radius(
    whole: Scores, segments: Sequence[Scores], level: float, size: tuple[int, int]
) -> tuple[float, float, float]:
    """Radius whose bounds are those of a prediction interval for the next AUC; its SD and its df.

    Segments' areas vary with variance τ² beyond sampling; the next one's estimate, from `size` cases, varies
    by τ²(1 + 1/S) + V(next) + V(whole). τ² is the segments' variance less their mean sampling variance, and
    the sum's degrees of freedom are Welch-Satterthwaite's, S − 1 for τ². Moving the area by δ takes a
    distance of δ²/(2(ζ₊ + ζ₋)), ζ the variances of the placements, to first order in δ; so δ = t·SD gives the
    radius.
    """
    # A single case is its class's mean.
    zeta = [
        moments.variance * (n - 1) if n > 1 else 0.0
        for moments, n in zip(delong_moments(whole), (whole.n_pos, whole.n_neg), strict=True)
    ]
    spread = zeta[0] + zeta[1]
    next_one = zeta[0] / size[0] + zeta[1] / size[1]
    own = zeta[0] / whole.n_pos + zeta[1] / whole.n_neg
    variance, df = next_one + own, math.inf
    if segments:
        number = len(segments)
        observed = float(np.array([s.auc for s in segments]).var(ddof=1))
        noise = float(np.mean([sum(m.variance for m in delong_moments(s)) for s in segments]))
        between = max(0.0, observed - noise)
        variance += between * (1.0 + 1.0 / number)
        if between > 0.0:
            df = (number - 1.0) * (variance / (observed * (1.0 + 1.0 / number))) ** 2
    if not spread > 0.0:
        return 0.0, math.sqrt(variance), df
    tail = (1.0 - level) / 2.0
    t = -float(special.ndtri(tail)) if math.isinf(df) else -float(special.stdtrit(df, tail))
    return t * t * variance / (2.0 * spread), math.sqrt(variance), df
