"""The AUC to expect once the population has drifted (Morin 2018), with the sampling error of today's.

Two things keep the next area from today's estimate: the population drifts, and the estimate has a sampling
error of its own. Morin's forecast is about the first. Both are distances here: that of the drift, and that to
the nearest population whose area is an end of today's interval. To first order a distance is the square of
how far the area moves, so along the worst direction roots add up: √r = √r(drift) + √r(sampling).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    as_values,
    check_count,
    check_items,
    check_level,
    check_number,
    check_size,
    warn,
    warned,
)
from confroc._options import AucForecastOptions
from confroc._types import RNG, FloatArray, Size
from confroc.auc import auc_difference, auc_interval
from confroc.base import Method, family, lists_methods, method_class
from confroc.drift.divergence import MOST_BINS, Divergence, DivergenceName, check_divergence
from confroc.drift.nearest import FARTHEST, distances_to, extreme_values, extremes_of
from confroc.drift.radius import (
    Reach,
    Table,
    bootstrap_radius,
    chance_distance,
    chance_radius,
    mean_size,
    next_reach,
    segment_radius,
    segment_reach,
)
from confroc.drift.reweighting import value_of
from confroc.resample import N_RESAMPLES, resamples_or
from confroc.results import Guarantee, Interval, Intervals
from confroc.scores import (
    PairedScores,
    Scores,
    accepts_models,
    accepts_one_model,
    check_pair,
    check_scores,
    difference_label,
)

UNMOVED = "No reweighting changes this AUC; the 'score_delong' interval without drift is reported instead."
NO_DRIFT = "Without segments the forecast is for the next sample of the same population, without drift."
FEW_SEGMENTS = (
    "With so few segments the forecast relies on normal AUCs; it under-covers if segments follow two regimes."
)
NO_BINS = "Bins are of one model's scores. Or use 'calibrated'."
NOT_ONLY_DRIFT = "Segments have a positive radius even without drift; see `radius_without_drift`."
ROUNDED = "Scores were rounded; the bounds include all curves that the exact scores can have."
FEW_IN_BINS = "Few cases per bin: `without_drift` is approximate. Use `drift_monitor`."
FEW = 5
"""Segments below which a note reports that they are few."""
SHORT_BY = 0.02
"""Coverage below the level by more than this causes a warning."""
FEW_IN_BIN = {"kl": 5, "jeffreys": 20, "chi2": 5}
"""Cases a bin below which a note reports that the large-sample distribution of a distance is approximate.

The symmetric divergence has the logarithm of an empty bin's floor, which χ² ignores.
"""
MOST_DRIFT = 1e6
"""Largest radius: a population so far off holds hardly a case of today's."""
N_BINS = 10
"""Bins of each class that Morin (2018) uses."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Forecast(Interval):
    """The areas to expect of populations within a distance of today's, or of the next sample.

    Attributes
    ----------
    quantity : str
    estimate, lower, upper : float
        The sample's area and the bounds.
    standard_error : float
        NaN: no standard error is used.
    radius : float
        Divergence of the drift, both classes added: the budget, or under "paper" what segments or resamples
        give. Without a budget "calibrated" has no drift apart from sampling, and this is the farther bound's.
    divergence : {"kl", "jeffreys", "chi2"}
    source : {"given", "segments", "sampling", "bootstrap"}
        Where the radius comes from.
    size : (int, int) or None
        Positives and negatives of the next sample whose area the level is for; None where it is for the area
        of a population.
    radius_without_drift : float
        Mean radius of such segments without drift, where "paper" uses segments; otherwise NaN.
    confidence_level : float
        NaN under "paper": a distance alone has no level.
    method, guarantee, notes, kind
        As in `Inference`.
    """

    _noun = "forecast"
    standard_error: float = math.nan
    radius: float
    divergence: DivergenceName
    source: str
    size: tuple[int, int] | None = None
    radius_without_drift: float = math.nan

    def _origin(self) -> str:
        of = "" if self.size is None else f" for the next {self.size[0]} + {self.size[1]} cases"
        return f"{of}{super()._origin()}, {self.divergence} radius {self.radius:.4g} from {self.source}"

    def _claims(self) -> list[str]:
        claims = super()._claims()
        if math.isnan(self.confidence_level):
            return ["no stated coverage", *(c for c in claims if not c.startswith("guarantee"))]
        return claims


FORECAST = ("auc", "forecast")


class Drift(NamedTuple):
    """What a forecast is for: the budget or the segments, and how distances are measured."""

    scores: Table
    divergence: Divergence
    budget: float | None
    parts: list[Any]
    named: list[str]
    size: Size
    level: float


class Bounds(NamedTuple):
    """What a method of forecasts returns."""

    lower: float
    upper: float
    distance: float
    source: str
    level: float = math.nan
    size: tuple[int, int] | None = None
    without_drift: float = math.nan
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()


@method_class
class CalibratedForecast(Method):
    """Forecast with sampling error.

    The extreme areas of all reweightings of the sample within a distance that allows for drift and for the
    sampling error of today's area: √r = √r(drift) + √r(sampling), where r(sampling) is the distance to the
    nearest population whose area is that end of today's "score_delong" interval. With a budget they contain
    the areas of all populations within it. With `segments` they are a prediction interval for the AUC of the
    next segment, by Student's t on the segments' areas; with neither, for the next sample of the same
    population.
    """

    name = "calibrated"
    serves = (FORECAST,)
    papers = ("morin2018",)
    caution = (
        "That the drift stays within the budget, or is like that between the segments, is an assumption. "
        "With two or three segments the interval is very wide, and where each is in one of two regimes far "
        "apart it contains the next area in 0.75 or 0.875 of cases."
    )

    def bounds(self, x: Drift) -> Bounds:
        """Return the bounds."""
        size = None
        if x.budget is None or x.size is not None:
            own = check_size(x.size, x.scores.n_pos, x.scores.n_neg)
            size = mean_size(x.parts) if x.parts and x.size is None else own
        lower, upper, distance = _calibrated(x.scores, x.divergence, x.budget, x.parts, x.level, size)
        notes: tuple[str, ...] = ()
        source = "given" if x.budget is not None else "segments" if x.parts else "sampling"
        if source == "sampling":
            notes = (NO_DRIFT,)
        elif 0 < len(x.parts) < FEW:
            # Two regimes can leave so much coverage.
            too_few = 1.0 - 0.5 ** len(x.parts) < x.level - SHORT_BY
            notes = warned(FEW_SEGMENTS, where=True) if too_few else (FEW_SEGMENTS,)
        return Bounds(lower, upper, distance, source, x.level, size, notes=notes)


@method_class
class PaperForecast(Method):
    """Forecast within a distance alone.

    The extreme areas of all reweightings of the sample within a distance (Morin 2018): the budget; or the
    mean divergence of the segments from the whole on quantile bins of each class, shares floored at 1e-4; or,
    without either, that of resamples. Without any drift the distance of segments is about (K − 1)/2·(1 −
    1/S)(1/n₊ + 1/n₋) for "kl" and K bins, twice that for "jeffreys"; `radius_without_drift` is that value.

    Attributes
    ----------
    n_bins : int, optional
        Bins of each class, without a budget. Default: 10.
    n_resamples : int, optional
        Resamples, without a budget or segments. Default: 2,000.
    rng : Generator, seed or None
        For these resamples.
    """

    name = "paper"
    serves = (FORECAST,)
    papers = ("morin2018",)
    caution = (
        "The sampling error of today's area is left out and there is no stated coverage; a distance from "
        "segments depends on the numbers of bins and segments."
    )
    n_bins: int | None = None
    n_resamples: int | None = None
    rng: RNG = None

    def bounds(self, x: Drift) -> Bounds:
        """Return the bounds."""
        scores, known = x.scores, x.budget is not None
        _refuse(known or bool(x.parts), x.named, size=x.size, n_resamples=self.n_resamples)
        _refuse(known, x.named, n_bins=self.n_bins)
        bins = check_count("n_bins", self.n_bins or N_BINS, minimum=2, maximum=MOST_BINS)
        guarantee: Guarantee = "asymptotic"
        notes: tuple[str, ...] = ()
        without_drift, source = math.nan, "given"
        if x.budget is not None:
            distance = x.budget
        elif isinstance(scores, PairedScores):
            raise ArgumentError("radius", "be given with method 'paper' and two models", None, NO_BINS)
        elif x.parts:
            source, notes = "segments", (NOT_ONLY_DRIFT,)
            distance = segment_radius(x.parts, scores, x.divergence, bins)
            without_drift = chance_radius(x.parts, scores, x.divergence, bins).mean
        else:
            source = guarantee = "bootstrap"
            size = check_size(x.size, scores.n_pos, scores.n_neg)
            count = resamples_or(N_RESAMPLES, self.n_resamples)
            distance = bootstrap_radius(scores, x.divergence, bins, size, count, self.rng)
        ends = extreme_values(extremes_of(scores), x.divergence, (distance, distance))
        return Bounds(*ends, distance, source, without_drift=without_drift, guarantee=guarantee, notes=notes)


AUC_FORECAST = family("auc_forecast", "Area to expect after drift", FORECAST, "calibrated")


@accepts_models
@lists_methods(AUC_FORECAST)
def auc_forecast(
    scores: Scores | PairedScores,
    /,
    *,
    radius: float | None = None,
    segments: Sequence[Scores] | Sequence[PairedScores] | None = None,
    jeffreys: float | None = None,
    divergence: DivergenceName | None = None,
    size: Size = None,
    method: str | Method = "calibrated",
    confidence_level: float | None = None,
    **options: Unpack[AucForecastOptions],
) -> Forecast:
    """Interval of the AUC to expect once the population has drifted, or of the next segment.

    The bounds are the largest and smallest areas that any reweighting of the cases can have when its
    divergence from the sample, both classes added, is at most some distance (Morin 2018, eqs. 7-10). That
    distance allows for the drift and, by default, for the sampling error of today's area, too.

    Parameters
    ----------
    scores : Scores, PairedScores or (y_true, y_score, ...)
        The sample; with `segments`, all of them together. Of two models on the same cases the forecast is for
        the difference of their areas, a − b, in one population, whose distance is that of both scores
        together.
    radius : float, optional
        Budget for the drift: the distance itself.
    segments : sequence of Scores or of PairedScores, optional
        Parts of the sample (months, regions) whose drift is treated as typical.
    jeffreys : float, optional
        Budget for the drift as a Jeffreys divergence, both classes added: short for `radius` with
        `divergence="jeffreys"`. It is not the population stability index, which pools both classes and does
        not bound the AUC. In the other direction there is a bound: while the proportion of positives stays
        the same, a population within the budget has at most the larger class's share of it as population
        stability index, on any bins (binning only lowers a divergence). Credit risk calls an index of 0.1 a
        small shift and one of 0.25 a large shift.
    divergence : {"kl", "jeffreys", "chi2"}, optional
        kl : Kullback-Leibler; default. jeffreys : its symmetric form (Morin's eq. 17). chi2 : Pearson's
        Σ(u − f)²/f (eq. 18 with the division it lacks; on K equal bins K times eq. 18), for the bounds and
        for a radius from segments or resamples.
    size : (int, int), optional
        (m_pos, m_neg) of the next sample, or under "paper" without a budget and segments of a resample.
        Default: the segments' mean, or the sample's own; with a budget none, and the level is for the area of
        the drifted population. A size adds the sampling error of that many cases of it.
    method : str or Method
        {methods}

        With "calibrated", segments and two equally likely regimes, the coverage falls with the gap between
        the regimes, at 0.95 from 0.99 without a gap to about 1 − 2⁻ˢ far apart for S segments: all may be in
        one regime, and the other is then unobserved. A note reports this, and a warning where the coverage is
        below the level by more than 0.02.
    confidence_level : float, optional
        In (0, 1); default 0.95. Not with "paper", which has no level. "paper" forecasts a difference from a
        budget only.
    {options}

    Returns
    -------
    Forecast
        Bounds inside [0, 1], of a difference inside [−1, 1]; tied pairs count one half. That the next
        population is within the budget, or like the segments, is an assumption. For rounded scores of one
        model they hold whatever the exact ones are. Guarantee: "asymptotic", of the level; "paper" has none.

    Raises
    ------
    ValueError
        When more than one of `radius`, `jeffreys`, `segments` is given, one is out of range, or an option is
        given that the requested forecast does not use.

    Warns
    -----
    ConfrocWarning
        When no reweighting moves the area (perfect separation or all scores equal). The "score_delong"
        interval, for the same population, is returned instead, with a note. Also when "calibrated" rests on
        so few segments (two or three at 0.95) that two regimes may leave less than its level.

    See Also
    --------
    forecast_curve : The bounds as a function of the distance.
    drift_monitor : Holds new segments against a forecast.
    auc_interval, auc_difference : The population as it is.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18, 35 and section 3.5.

    Examples
    --------
    >>> from confroc import Scores, auc_forecast
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> print(auc_forecast(scores, jeffreys=0.1))
    auc 0.7600 (95 % forecast 0.5810 to 0.8926; calibrated, jeffreys radius 0.1 from given)
    >>> print(auc_forecast(scores, radius=0.05, method="paper"))
    auc 0.7600 (forecast 0.6491 to 0.8567; paper, kl radius 0.05 from given)
    """
    paired = isinstance(scores, PairedScores)
    check: Any = check_pair if paired else functools.partial(check_scores, widens=True)
    check("scores", scores)
    chosen: Any = AUC_FORECAST.chosen(method, options, auc_forecast)
    if confidence_level is not None and isinstance(chosen, PaperForecast):
        rule = "be left out with method 'paper'"
        raise ArgumentError("confidence_level", rule, confidence_level, "Leave it out, or use 'calibrated'.")
    given = {"radius": radius, "jeffreys": jeffreys, "segments": segments}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError(named[0], f"be given alone, without `{named[1]}`", given[named[0]], "Choose one.")
    if jeffreys is not None and divergence not in (None, "jeffreys"):
        raise ArgumentError("divergence", "be left out with `jeffreys`", divergence, "Or give `radius`.")
    parts = _check_segments(segments, check)
    default: DivergenceName = "kl" if jeffreys is None else "jeffreys"
    measure = check_divergence(default if divergence is None else divergence)
    level = check_level(0.95 if confidence_level is None else confidence_level)
    budget = radius if jeffreys is None else jeffreys
    if budget is not None:
        budget = _check_radius(named[0], budget)
    found: Bounds = chosen.bounds(Drift(scores, measure, budget, parts, named, size, level))
    used: Method = chosen
    if not found.upper > found.lower:
        lower, upper, used = _without_drift(scores, level)
        found = found._replace(lower=lower, upper=upper, level=level, size=None, notes=(UNMOVED,))
    estimate = value_of(scores)
    exact = isinstance(scores, PairedScores) or scores.exact
    return Forecast(
        quantity=difference_label("auc", scores) if isinstance(scores, PairedScores) else "auc",
        estimate=estimate,
        lower=min(found.lower, estimate),
        upper=max(found.upper, estimate),
        radius=found.distance,
        divergence=measure.name,
        source=found.source,
        size=found.size,
        radius_without_drift=found.without_drift,
        confidence_level=found.level,
        method=used,
        guarantee=found.guarantee,
        notes=found.notes if exact else (*found.notes, ROUNDED),
    )


def todays_forecast(scores: Scores, level: float) -> Forecast:
    """Forecast for the population as it is: the interval of its area, without drift."""
    today = auc_interval(scores, confidence_level=level)
    return Forecast(
        **{field.name: getattr(today, field.name) for field in fields(today)}
        | {"radius": 0.0, "divergence": "jeffreys", "source": "sampling"}
    )


def _calibrated(
    scores: Table,
    divergence: Divergence,
    budget: float | None,
    parts: list[Any],
    level: float,
    size: tuple[int, int] | None,
) -> tuple[float, float, float]:
    """Bounds within √r = √r(drift) + c·√r(sampling), and the distance; NaN where nothing can be moved.

    c is 1 for the area of a population, and for that of a sample what its own error and the segments' drift
    add to today's.
    """
    extremes = extremes_of(scores)
    if len({end for functional, _ in extremes for end in functional.reach}) == 1:
        return math.nan, math.nan, budget or 0.0
    factors = UNSCALED
    if size is not None:
        factors = segment_reach(scores, parts, level, size) if parts else next_reach(scores, size)
    today = _today(scores, level)
    ends, root = (today.lower, today.upper), math.sqrt(budget or 0.0)
    distances = distances_to(extremes, divergence, ends)
    far = [(root + c * math.sqrt(r)) ** 2 for c, r in zip(factors, distances, strict=True)]
    # An end of today's interval that no weights reach stands for itself; for rounded scores, which the exact
    # ones may be able to pass, all that weights reach.
    short = root**2 if extremes[0] is extremes[1] else FARTHEST
    finite = [r if math.isfinite(r) else short for r in far]
    moved = extreme_values(extremes, divergence, (finite[0], finite[1]))
    return min(moved[0], ends[0]), max(moved[1], ends[1]), max(finite) if budget is None else budget


UNSCALED = Reach(1.0, 1.0)
"""For the area of a population."""


def hourglass(scores: Scores, jeffreys: FloatArray, *, confidence_level: float) -> Intervals:
    """Forecasts of `auc_forecast(jeffreys=...)` at several budgets."""
    each = [auc_forecast(scores, jeffreys=b, confidence_level=confidence_level) for b in jeffreys.tolist()]
    return Intervals(
        quantity="auc",
        at_name="jeffreys",
        at=jeffreys,
        estimate=np.full(len(each), scores.auc),
        lower=np.array([found.lower for found in each]),
        upper=np.array([found.upper for found in each]),
        confidence_level=confidence_level,
        method=each[0].method,
        guarantee=each[0].guarantee,
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ForecastCurve(Intervals):
    """Forecast bounds as a function of the distance, and how far samples without drift are.

    Attributes
    ----------
    quantity, at_name : str
    at, estimate, lower, upper : ndarray of shape (h,)
        As in `Intervals`; `at` holds the distances.
    without_drift : ndarray of shape (h,)
        Probability that a new sample of the same population is at least that far on bins.
    expected_without_drift, limit_without_drift : float
        Its mean distance, and the one that it exceeds with probability 0.05.
    size : (int, int)
        Positives and negatives of that sample.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`.
    """

    without_drift: FloatArray
    expected_without_drift: float
    limit_without_drift: float
    size: tuple[int, int]

    def _claims(self) -> list[str]:
        mean, most = f"{self.expected_without_drift:.3g}", f"{self.limit_without_drift:.3g}"
        new = f"{self.size[0]} + {self.size[1]} new cases"
        return [*super()._claims(), f"without drift {new} are {mean} away on average, 95 % within {most}"]


@accepts_one_model
def forecast_curve(
    scores: Scores,
    *,
    radius: ArrayLike | None = None,
    divergence: DivergenceName = "kl",
    n_bins: int = N_BINS,
    size: Size = None,
) -> ForecastCurve:
    """Forecast bounds as a function of the distance allowed: Morin's (2018, section 3.5) hourglass.

    The bounds of `auc_forecast(method="paper")`: drift alone, without the sampling error of the sample.
    The distance of a new sample of the same population is reported with them for comparison.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    radius : array-like of shape (h,), optional
        Positive distances. Default: 25 from 1e-4 to 1 in equal ratios.
    divergence : {"kl", "jeffreys", "chi2"}
    n_bins : int
        Quantile bins of each class on which the new sample's distance is computed.
    size : (int, int), optional
        (m_pos, m_neg) of that new sample; default: the sample's own.

    Returns
    -------
    ForecastCurve
        `at` holds the distances. `confidence_level` is NaN: a distance has no level. For rounded scores the
        bounds hold whatever the exact ones are. Guarantee: "asymptotic". `without_drift` is a large-sample
        distribution: per class ½(1/m + 1/n)·χ² with K − 1 degrees of freedom for K bins ("jeffreys" and
        "chi2" twice that), m new and n present cases, both classes added. With few cases a bin (under five;
        under twenty for "jeffreys", which empty bins make larger) it is approximate, with a note;
        `drift_monitor` compares a given segment with draws instead.

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
    drift_monitor : Jeffreys divergences of segments, compared with draws without drift.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18, 35 and Figure 6, whose χ² with 9 degrees of freedom is the distribution
    of one class, times that factor.

    Examples
    --------
    >>> from confroc import Scores, forecast_curve
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> curve = forecast_curve(scores, radius=[0.01, 0.1])
    >>> curve.lower.round(3), curve.upper.round(3)
    (array([0.712, 0.6  ]), array([0.805, 0.891]))
    >>> curve.without_drift.round(3), round(curve.limit_without_drift, 3)
    (array([0.994, 0.108]), 0.12)
    """
    check_scores("scores", scores, widens=True)
    chosen = check_divergence(divergence)
    bins = check_count("n_bins", n_bins, minimum=2, maximum=MOST_BINS)
    new = check_size(size, scores.n_pos, scores.n_neg)
    given = np.geomspace(1e-4, 1.0, 25) if radius is None else radius
    at = as_values("radius", given)
    distances = [_check_radius("radius", value) for value in at.tolist()]
    extremes = extremes_of(scores)
    ends = np.array([extreme_values(extremes, chosen, (r, r)) for r in distances]).reshape(-1, 2)
    stuck = ~(ends[:, 1] > ends[:, 0])
    if stuck.any():
        ends[stuck] = _without_drift(scores, 0.95)[:2]
    chance = chance_distance(scores, chosen, bins, new)
    notes: tuple[str, ...] = (UNMOVED,) if stuck.any() else ()
    if min(*new, scores.n_pos, scores.n_neg) < FEW_IN_BIN[chosen.name] * bins:
        notes += (FEW_IN_BINS,)
    return ForecastCurve(
        quantity="auc",
        at_name="radius",
        at=at,
        estimate=np.full(len(at), scores.auc),
        lower=ends[:, 0],
        upper=ends[:, 1],
        confidence_level=math.nan,
        method=chosen.name,
        guarantee="asymptotic",
        notes=notes,
        without_drift=chance.tail(at),
        expected_without_drift=chance.mean,
        limit_without_drift=chance.quantile(0.05),
        size=new,
    )


def _check_radius(name: str, value: float) -> float:
    radius = check_number(name, value)
    if not 0.0 < radius <= MOST_DRIFT:
        raise ArgumentError(
            name,
            f"be a positive finite distance, of {MOST_DRIFT:.0e} at most",
            value,
            "Try 0.1, a moderate drift.",
        )
    return radius


def _refuse(where: bool, named: Sequence[str], **options: Any) -> None:
    """Refuse options that have no part in a radius that comes from elsewhere."""
    for name, value in options.items():
        if where and value is not None:
            raise ArgumentError(
                name, f"be left out with method 'paper' and `{named[0]}`", value, "It has no part there."
            )


def _check_segments(segments: Sequence[Table] | None, check: Any) -> list[Any]:
    """Return the segments, at least two of them, or an empty list for None."""
    if segments is None:
        return []
    if isinstance(segments, Scores | PairedScores):
        made = type(segments).__name__
        raise ArgumentTypeError("segments", "be a list of samples", made, "Pass [first, second, ...].")
    given = check_items("segments", segments, "Pass [first, second, ...].")
    listed = [check(f"segments[{i}]", s) for i, s in enumerate(given)]
    if len(listed) < 2:
        raise ArgumentError(
            "segments", "hold at least two segments", len(listed), "Give months, regions, ..."
        )
    return listed


def _without_drift(scores: Table, level: float) -> tuple[float, float, Any]:
    """Ends and method of the ordinary interval, with a warning that no reweighting moves the area."""
    interval = _today(scores, level)
    warn(UNMOVED)
    return interval.lower, interval.upper, interval.method


def _today(scores: Table, level: float) -> Interval:
    """Today's interval."""
    if isinstance(scores, PairedScores):
        return auc_difference(scores, confidence_level=level)
    return auc_interval(scores, confidence_level=level)
