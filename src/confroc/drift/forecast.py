"""Forecasts of the AUC under population drift (Morin 2018), including sampling error.

A future AUC differs from today's estimate by drift and by the sampling error of the estimate. Morin's
forecast accounts for the first. Here both are distances: that of the drift, and that to the nearest
population whose AUC is a limit of today's interval. To first order a distance is the square of the change in
AUC, so in the worst direction square roots add up: √r = √r(drift) + √r(sampling).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Unpack

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
    check_omitted,
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
    Table,
    bootstrap_radius,
    chance_distance,
    chance_radius,
    mean_size,
    next_half_lengths,
    segment_half_lengths,
    segment_radius,
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
    "The forecast is wide because it rests on {count} segments; it assumes that their AUCs are normal."
)
WHOLE_RANGE = "The forecast is the whole range: these data and this drift do not restrict it."
NAMES = {"kl": "Kullback–Leibler", "jeffreys": "Jeffreys", "chi2": "chi-squared"}
SOURCES = {
    "given": "given",
    "segments": "estimated from segments",
    "sampling": "sampling error",
    "bootstrap": "from resamples",
}
NO_BINS = "Bins require one model. Use 'calibrated'."
NOT_ONLY_DRIFT = "The radius from segments is positive even without drift; see `radius_without_drift`."
ROUNDED = "Scores were rounded; the bounds account for all possible exact scores."
FEW_IN_BINS = "Few cases per bin: `without_drift` is approximate. Use `drift_monitor`."
FEW = 5
"""Number of segments below which a note is given."""
SHORT_BY = 0.02
"""Shortfall of coverage below the level that causes a warning."""
FEW_IN_BIN = {"kl": 5, "jeffreys": 20, "chi2": 5}
"""Cases per bin below which a note reports that the large-sample distribution of a distance is approximate.

The symmetric divergence depends on the floor of empty bins, which χ² ignores.
"""
MOST_DRIFT = 1e6
"""Maximum radius."""
N_BINS = 10
"""Number of bins per class in Morin (2018)."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Forecast(Interval):
    """Forecast of the AUC of populations within a distance of the sample, or of the next sample.

    Attributes
    ----------
    quantity : str
    estimate, lower, upper : float
        AUC of the sample and bounds.
    standard_error : float
        NaN: no standard error is used.
    radius : float
        Divergence of the drift, summed over classes: the budget, or for "paper" that of segments or
        resamples. For "calibrated" without a budget it is that of the farther bound, including sampling
        error.
    divergence : {"kl", "jeffreys", "chi2"}
    source : {"given", "segments", "sampling", "bootstrap"}
        Source of the radius.
    size : (int, int) or None
        Numbers of positives and negatives of the next sample that the level refers to; None if it refers to
        the AUC of a population.
    radius_without_drift : float
        Mean radius of such segments without drift, for "paper" with segments; otherwise NaN.
    confidence_level : float
        NaN for "paper", which has no level.
    method, guarantee, notes, kind
        As in `Inference`.
    """

    _noun = "forecast"
    _printed: ClassVar = {"source": "drift_from"}
    standard_error: float = math.nan
    radius: float
    divergence: DivergenceName
    source: str
    size: tuple[int, int] | None = None
    radius_without_drift: float = math.nan

    def _origin(self) -> str:
        of = "" if self.size is None else f" for the next {self.size[0]} + {self.size[1]} cases"
        divergence, source = NAMES[self.divergence], SOURCES[self.source]
        return f"{of}{super()._origin()}, {divergence} divergence {self.radius:.4g} ({source})"

    def _claims(self) -> list[str]:
        claims = super()._claims()
        if math.isnan(self.confidence_level):
            return ["no stated coverage", *(c for c in claims if not c.startswith("guarantee"))]
        return claims


FORECAST = ("auc", "forecast")


class Drift(NamedTuple):
    """The drift of a forecast: budget or segments, and divergence."""

    scores: Table
    divergence: Divergence
    budget: float | None
    parts: list[Any]
    named: list[str]
    size: Size
    level: float


class Bounds(NamedTuple):
    """Result of a forecast method: fields of a `Forecast`."""

    lower: float
    upper: float
    radius: float
    source: str
    confidence_level: float = math.nan
    size: tuple[int, int] | None = None
    radius_without_drift: float = math.nan
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()


@method_class
class CalibratedForecast(Method):
    """Forecast with sampling error.

    Includes drift and sampling error. Extreme AUCs over all reweightings of the sample within a distance for
    drift and for the sampling error of today's AUC: √r = √r(drift) + √r(sampling), where r(sampling) is the
    distance to the nearest population whose AUC is the limit of today's "score_delong" interval. With a
    budget the bounds include the AUCs of all populations within it. With `segments` they are a prediction
    interval for the AUC of the next segment, by Student's t on the segments' AUCs; with neither, for the next
    sample of the same population.
    """

    name = "calibrated"
    serves = (FORECAST,)
    papers = ("morin2018",)
    caution = (
        "Assumes that the drift stays within the budget, or is like that between the segments. "
        "With two or three segments the interval is very wide, and if they follow two distant regimes "
        "its coverage is 0.75 or 0.875."
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
        if lower <= (-1.0 if isinstance(x.scores, PairedScores) else 0.0) and upper >= 1.0:
            notes = (WHOLE_RANGE,)
        elif source == "sampling":
            notes = (NO_DRIFT,)
        elif 0 < len(x.parts) < FEW:
            # Coverage with two distant regimes.
            too_few = 1.0 - 0.5 ** len(x.parts) < x.level - SHORT_BY
            note = FEW_SEGMENTS.format(count=len(x.parts))
            notes = warned(note, where=True) if too_few else (note,)
        return Bounds(lower, upper, distance, source, x.level, size, notes=notes)


@method_class
class PaperForecast(Method):
    """Forecast within a distance, without sampling error.

    Extreme AUCs over all reweightings of the sample within a distance (Morin 2018): the budget; or the mean
    divergence of the segments from the whole on quantile bins of each class, proportions floored at 1e-4; or,
    with neither, that of resamples. Without drift the distance of segments is about (K − 1)/2·(1 − 1/S)(1/n₊
    + 1/n₋) for "kl" and K bins, twice that for "jeffreys"; `radius_without_drift` is that value.

    Attributes
    ----------
    n_bins : int, optional
        Number of bins per class, without a budget. Default: 10.
    n_resamples : int, optional
        Number of resamples, without a budget or segments. Default: 2,000.
    rng : Generator, seed or None
        Source of randomness of the resamples.
    """

    name = "paper"
    serves = (FORECAST,)
    papers = ("morin2018",)
    caution = (
        "Ignores the sampling error of today's AUC and has no confidence level; a distance from "
        "segments depends on the numbers of bins and segments."
    )
    n_bins: int | None = None
    n_resamples: int | None = None
    rng: RNG = None

    def bounds(self, x: Drift) -> Bounds:
        """Return the bounds."""
        scores, known = x.scores, x.budget is not None
        if x.named:
            where, n_bins = f"with method 'paper' and `{x.named[0]}`", self.n_bins if known else None
            check_omitted(where, "Omit it.", size=x.size, n_resamples=self.n_resamples, n_bins=n_bins)
        bins = check_count("n_bins", self.n_bins or N_BINS, minimum=2, maximum=MOST_BINS)
        guarantee: Guarantee = "asymptotic"
        notes: tuple[str, ...] = ()
        chance, source = math.nan, "given"
        if x.budget is not None:
            distance = x.budget
        elif isinstance(scores, PairedScores):
            raise ArgumentError("radius", "be given with method 'paper' and two models", None, NO_BINS)
        elif x.parts:
            source, notes = "segments", (NOT_ONLY_DRIFT,)
            distance = segment_radius(x.parts, scores, x.divergence, bins)
            chance = chance_radius(x.parts, scores, x.divergence, bins).mean
        else:
            source = guarantee = "bootstrap"
            size = check_size(x.size, scores.n_pos, scores.n_neg)
            count = resamples_or(N_RESAMPLES, self.n_resamples)
            distance = bootstrap_radius(scores, x.divergence, bins, size, count, self.rng)
        ends = extreme_values(extremes_of(scores), x.divergence, (distance, distance))
        return Bounds(*ends, distance, source, radius_without_drift=chance, guarantee=guarantee, notes=notes)


AUC_FORECAST = family("auc_forecast", "Forecast of the AUC", FORECAST, "calibrated")


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
    """Forecast interval for the AUC under population drift, or of the next segment.

    The bounds are the largest and smallest AUCs over all reweightings of the cases whose divergence from the
    sample, summed over classes, is at most some distance (Morin 2018, eqs. 7-10). The distance accounts for
    the drift and, by default, for the sampling error of today's AUC.

    Parameters
    ----------
    scores : Scores or PairedScores
        The sample; with `segments`, all of them together. For two models on the same cases the forecast is
        for the difference of their AUCs, a − b, in one population, with the distance of the joint
        distribution of both scores.
    radius : float, optional
        Budget for the drift, as a distance.
    segments : sequence of Scores or of PairedScores, optional
        Parts of the sample (months, regions) whose drift is assumed typical.
    jeffreys : float, optional
        Budget for the drift as a Jeffreys divergence, summed over classes; short for `radius` with
        `divergence="jeffreys"`. It is not the population stability index, which pools both classes and does
        not bound the AUC. Conversely, at constant prevalence the population stability index of a population
        within the budget is at most the budget times the larger class's proportion, on any bins. In credit
        risk an index of 0.1 is called a small shift and 0.25 a large shift.
    divergence : {"kl", "jeffreys", "chi2"}, optional
        kl : Kullback-Leibler; default. jeffreys : its symmetric form (Morin's eq. 17). chi2 : Pearson's
        Σ(u − f)²/f (eq. 18 with the division it lacks; on K equal bins K times eq. 18), for the bounds and
        for a radius from segments or resamples.
    size : (int, int), optional
        (m_pos, m_neg) of the next sample, or for "paper" without budget and segments of a resample. Default:
        the mean of the segments, or as in the sample; none with a budget, where the level refers to the AUC
        of the drifted population. A size adds the sampling error of that many cases.
    method : str or Method
        {methods}

        For "calibrated" with segments from two equally likely regimes, coverage at nominal 0.95 decreases
        with the distance of the regimes, from 0.99 to about 1 − 2⁻ˢ for S segments, since all may be in one
        regime. A note reports this, and a warning if coverage is below nominal by more than 0.02.
    confidence_level : float, optional
        In (0, 1); default 0.95. Not for "paper", which has no level. For "paper" the difference of two models
        requires a budget.
    {options}

    Returns
    -------
    Forecast
        Bounds inside [0, 1], or [−1, 1] for a difference; tied pairs count one half. Assumes that the next
        population is within the budget, or like the segments. For rounded scores of one model the bounds are
        valid for all possible exact scores. Guarantee: "asymptotic"; "none" for "paper".

    Raises
    ------
    ValueError
        More than one of `radius`, `jeffreys`, `segments`, one out of range, or an option that the forecast
        does not use.

    Warns
    -----
    ConfrocWarning
        No reweighting changes the AUC (perfect separation or all scores equal); the "score_delong" interval
        for the same population is then returned, with a note. Also for "calibrated" with so few segments (two
        or three at 0.95) that two regimes may reduce coverage.

    See Also
    --------
    forecast_curve : The bounds as a function of the distance.
    drift_monitor : Compares new segments with a forecast.
    auc_interval, auc_difference : Intervals without drift.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18, 35 and section 3.5.

    Examples
    --------
    >>> from confroc import Scores, auc_forecast
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> print(auc_forecast(scores, jeffreys=0.1))
    auc 0.7600 (95% forecast 0.5810 to 0.8926; calibrated, Jeffreys divergence 0.1 (given))
    >>> print(auc_forecast(scores, radius=0.05, method="paper"))
    auc 0.7600 (forecast 0.6491 to 0.8567; paper, Kullback–Leibler divergence 0.05 (given))
    """
    paired = isinstance(scores, PairedScores)
    check: Any = check_pair if paired else functools.partial(check_scores, widens=True)
    check("scores", scores)
    chosen: Any = AUC_FORECAST.chosen(method, options, auc_forecast)
    if isinstance(chosen, PaperForecast):
        remedy = "Omit it, or use 'calibrated'."
        check_omitted("with method 'paper'", remedy, confidence_level=confidence_level)
    given = {"radius": radius, "jeffreys": jeffreys, "segments": segments}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError(named[0], f"not be combined with `{named[1]}`", given[named[0]], "Choose one.")
    if jeffreys is not None and divergence not in (None, "jeffreys"):
        rule = "be omitted with `jeffreys`"
        raise ArgumentError("divergence", rule, divergence, "Omit it, or use `radius`.")
    parts = _check_segments(segments, check)
    default: DivergenceName = "kl" if jeffreys is None else "jeffreys"
    measure = check_divergence(default if divergence is None else divergence)
    level = check_level(0.95 if confidence_level is None else confidence_level)
    budget = radius if jeffreys is None else jeffreys
    if budget is not None:
        budget = _check_radius(named[0], budget)
    found: Bounds = chosen.bounds(Drift(scores, measure, budget, parts, named, size, level))
    used: Method | str = chosen
    if not found.upper > found.lower:
        today = _without_drift(scores, level)
        found = found._replace(lower=today.lower, upper=today.upper, confidence_level=level, size=None)
        found, used = found._replace(notes=(UNMOVED,)), today.method
    estimate, quantity = value_of(scores), "auc"
    found = found._replace(lower=min(found.lower, estimate), upper=max(found.upper, estimate))
    if isinstance(scores, PairedScores):
        quantity = difference_label("auc", scores)
    elif not scores.exact:
        found = found._replace(notes=(*found.notes, ROUNDED))
    return Forecast(
        quantity=quantity, estimate=estimate, divergence=measure.name, method=used, **found._asdict()
    )


def todays_forecast(scores: Scores, level: float) -> Forecast:
    """Forecast without drift: the interval of the AUC."""
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
    """Bounds within √r = √r(drift) + c·√r(sampling), and the distance; NaN if the AUC cannot be changed.

    c is 1 for the AUC of a population; for that of a sample it includes the sample's error and the drift of
    the segments.
    """
    extremes = extremes_of(scores)
    if len({end for functional, _ in extremes for end in functional.extent}) == 1:
        return math.nan, math.nan, budget or 0.0
    # For the AUC of a population.
    factors = 1.0, 1.0
    if size is not None:
        factors = (
            segment_half_lengths(scores, parts, level, size) if parts else next_half_lengths(scores, size)
        )
    today = _today(scores, level)
    ends, root = (today.lower, today.upper), math.sqrt(budget or 0.0)
    distances = distances_to(extremes, divergence, ends)
    far = [(root + c * math.sqrt(r)) ** 2 for c, r in zip(factors, distances, strict=True)]
    # A limit of today's interval that no weights attain is used directly; for rounded scores, which exact
    # ones may exceed, the extreme that weights attain.
    short = root**2 if extremes[0] is extremes[1] else FARTHEST
    finite = [r if math.isfinite(r) else short for r in far]
    moved = extreme_values(extremes, divergence, (finite[0], finite[1]))
    return min(moved[0], ends[0]), max(moved[1], ends[1]), max(finite) if budget is None else budget


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ForecastCurve(Intervals):
    """Forecast bounds as a function of the distance, with the distances of samples without drift.

    Attributes
    ----------
    quantity, at_name : str
    at, estimate, lower, upper : ndarray of shape (h,)
        As in `Intervals`; `at` has the distances.
    without_drift : ndarray of shape (h,)
        Probability that a new sample of the same population has at least this distance on bins.
    expected_without_drift, limit_without_drift : float
        Its mean distance, and the 0.95 quantile.
    size : (int, int)
        Numbers of positives and negatives of that sample.
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
        return [*super()._claims(), f"distance of {new} without drift: mean {mean}, 95th percentile {most}"]


@accepts_one_model
def forecast_curve(
    scores: Scores,
    *,
    radius: ArrayLike | None = None,
    divergence: DivergenceName = "kl",
    n_bins: int = N_BINS,
    size: Size = None,
) -> ForecastCurve:
    """Forecast bounds as a function of the distance: Morin's (2018, section 3.5) hourglass.

    The bounds of `auc_forecast(method="paper")`, for drift without sampling error. The distance of a new
    sample of the same population is reported for comparison.

    Parameters
    ----------
    scores : Scores
    radius : array-like of shape (h,), optional
        Positive distances. Default: 25 from 1e-4 to 1 on a logarithmic scale.
    divergence : {"kl", "jeffreys", "chi2"}
    n_bins : int
        Number of quantile bins per class for the distance of a new sample.
    size : (int, int), optional
        (m_pos, m_neg) of the new sample; default: as in the sample.

    Returns
    -------
    ForecastCurve
        `at` has the distances. `confidence_level` is NaN. For rounded scores the bounds are valid for all
        possible exact scores. Guarantee: "asymptotic". `without_drift` is a large-sample distribution: per
        class ½(1/m + 1/n)·χ² with K − 1 degrees of freedom for K bins (twice that for "jeffreys" and "chi2"),
        with m new and n present cases, summed over classes. With few cases per bin (under five; under twenty
        for "jeffreys") it is approximate, with a note; `drift_monitor` uses simulated samples instead.

    Raises
    ------
    ValueError
        A distance that is not positive and finite, or an unknown divergence.

    Warns
    -----
    ConfrocWarning
        No reweighting changes the AUC. The 95% "score_delong" interval is then returned.

    See Also
    --------
    auc_forecast : Forecast for one distance, given or from segments.
    drift_monitor : Jeffreys divergences of segments, compared with samples without drift.

    References
    ----------
    Morin (2018), eqs. 7-10, 17, 18, 35 and Figure 6, where χ² with 9 degrees of freedom is the distribution
    of one class, up to that factor.

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
        today = _without_drift(scores, 0.95)
        ends[stuck] = today.lower, today.upper
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
        rule = f"be a positive distance of at most {MOST_DRIFT:.0e}"
        raise ArgumentError(name, rule, value, "Use e.g. 0.1, a moderate drift.")
    return radius


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
        remedy = "Pass months, regions, ..."
        raise ArgumentError("segments", "contain at least two segments", len(listed), remedy)
    return listed


def _without_drift(scores: Table, level: float) -> Interval:
    """The ordinary interval, with a warning that no reweighting changes the AUC."""
    warn(UNMOVED)
    return _today(scores, level)


def _today(scores: Table, level: float) -> Interval:
    """Today's interval."""
    if isinstance(scores, PairedScores):
        return auc_difference(scores, confidence_level=level)
    return auc_interval(scores, confidence_level=level)
