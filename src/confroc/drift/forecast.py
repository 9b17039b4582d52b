"""The AUC to expect once the population has drifted (Morin 2018)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    check_choice,
    check_count,
    check_level,
    check_size,
)
from confroc._types import RNG, Size
from confroc.drift.bounds import UNMOVED, bounds, check_radius, unmoved
from confroc.drift.divergence import DIVERGENCES, Divergence, DivergenceName
from confroc.drift.radius import bootstrap_radius, calibrated_radius, segment_radius
from confroc.results import ConfidenceInterval, Guarantee, Kind, Result
from confroc.scores import Scores, check_scores

ForecastMethod: TypeAlias = Literal["paper", "calibrated"]
FORECAST_METHODS = ("paper", "calibrated")


@dataclass(frozen=True, kw_only=True, repr=False)
class Forecast(Result):
    """The areas of all populations within a distance of the sample.

    Attributes
    ----------
    quantity : str
    estimate, lower, upper : float
        The sample's area and the extreme ones within `radius`.
    radius : float
        Divergence allowed, both classes added.
    divergence : {"kl", "jeffreys", "chi2"}
    source : {"given", "psi", "segments", "bootstrap"}
        Where the radius comes from.
    confidence_level : float
        Of a prediction interval for the next sample's AUC under "calibrated"; NaN otherwise, since
        a distance alone has no level.
    method, guarantee, notes, kind
        As in `Interval`.
    """

    quantity: str
    estimate: float
    lower: float
    upper: float
    radius: float
    divergence: DivergenceName
    source: str
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The two ends as `(low, high)`."""
        return ConfidenceInterval(self.lower, self.upper)

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        level = "" if math.isnan(self.confidence_level) else f"{100 * self.confidence_level:.10g} % "
        return (
            f"{self.quantity} {self.estimate:.4f} ({level}forecast {self.lower:.4f} to {self.upper:.4f} "
            f"within {self.divergence} {self.radius:.4g}; {self.method}, radius from {self.source})"
        )


def check_segments(name: str, segments: Sequence[Scores] | None) -> list[Scores]:
    """Return the segments, at least two of them, or an empty list for None."""
    if segments is None:
        return []
    if isinstance(segments, Scores):
        raise ArgumentTypeError(name, "be a list of Scores", "Scores", "Pass [first, second, ...].")
    listed = [check_scores(f"{name}[{i}]", s, widens=True) for i, s in enumerate(segments)]
    if len(listed) < 2:
        raise ArgumentError(name, "hold at least two segments", len(listed), "Give months, regions, ...")
    return listed


def auc_forecast(
    scores: Scores,
    *,
    radius: float | None = None,
    segments: Sequence[Scores] | None = None,
    psi: float | None = None,
    method: ForecastMethod = "paper",
    divergence: DivergenceName = "kl",
    n_bins: int = 10,
    size: Size = None,
    confidence_level: float = 0.95,
    n_resamples: int = 500,
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
            sampling (none without segments) and Student's t. With two segments this is very wide, and
            rightly so.
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
        For the "paper" radius without segments.

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
    check_choice("method", method, FORECAST_METHODS)
    check_choice("divergence", divergence, DIVERGENCES)
    level = check_level(confidence_level)
    given = {"radius": radius, "segments": segments, "psi": psi}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError(named[0], f"be given alone, without `{named[1]}`", given[named[0]], "Choose one.")
    parts = check_segments("segments", segments)
    if psi is not None:
        divergence = "jeffreys"
    chosen = Divergence(divergence)
    sizes = _next_size(scores, parts, size)
    guarantee: Guarantee = "asymptotic"
    source, used = (named[0] if named else "bootstrap"), method
    stated = math.nan
    notes: tuple[str, ...] = ()
    if radius is not None:
        distance, source = check_radius("radius", radius), "given"
    elif psi is not None:
        distance = check_radius("psi", psi)
    elif method == "calibrated":
        distance, _, df = calibrated_radius(scores, parts, level, sizes)
        # The divergences' second derivatives at the sample are 1, 2 and 2 (ρ ln ρ, (ρ − 1) ln ρ, (ρ − 1)²).
        distance *= 1.0 if divergence == "kl" else 2.0
        stated = level
        if not parts:
            source = "sampling"
            notes = (
                "no segments: the level is for the next sample from the same population, without drift.",
            )
        elif df < 4.0:
            notes = (f"{len(parts)} segments say little about the next one ({df:.1f} degrees of freedom).",)
    elif parts:
        distance = segment_radius(parts, scores, chosen, check_count("n_bins", n_bins, minimum=2))
    else:
        guarantee = "bootstrap"
        count = check_count("n_resamples", n_resamples)
        distance = bootstrap_radius(
            scores, chosen, check_count("n_bins", n_bins, minimum=2), sizes, count, rng
        )
    lower, upper = (scores.auc, scores.auc) if not distance > 0.0 else bounds(scores, chosen, distance)
    if not upper > lower:
        lower, upper, used = unmoved(scores, level)  # type: ignore[assignment]
        stated = level
        notes = (*notes, UNMOVED)
    if not scores.exact:
        notes = (
            *notes,
            "Scores were rounded; the bounds are those of the least and the greatest curve that the exact "
            "scores can have, within the radius as found from the rounded ones.",
        )
    if divergence == "chi2" and source in ("segments", "bootstrap"):
        notes = (
            *notes,
            f"the radius is Pearson's Σ(u − f)²/f on {n_bins} bins of each class, both classes added.",
        )
    return Forecast(
        quantity="auc",
        estimate=scores.auc,
        lower=min(lower, scores.auc),
        upper=max(upper, scores.auc),
        radius=distance,
        divergence=divergence,
        source=source,
        confidence_level=stated,
        method=used,
        guarantee=guarantee,
        notes=notes,
    )


def _next_size(scores: Scores, segments: list[Scores], size: Size) -> tuple[int, int]:
    if size is not None or not segments:
        return check_size(size, scores.n_pos, scores.n_neg)
    n = len(segments)
    return max(1, sum(s.n_pos for s in segments) // n), max(1, sum(s.n_neg for s in segments) // n)
