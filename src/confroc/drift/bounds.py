"""Extreme areas within a distance of the sample, and their course with the distance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, as_floats, check_choice, warn
from confroc.auc import auc_interval
from confroc.auc.resampling import area
from confroc.auc.rounding import extreme_tables
from confroc.drift.divergence import DIVERGENCES, Divergence, DivergenceName
from confroc.drift.nearest import solve
from confroc.results import Intervals
from confroc.scores import Scores, check_scores

UNMOVED = "no reweighting of these cases moves their AUC; the 'score_delong' interval is given instead."


def check_radius(name: str, value: float) -> float:
    """Return a positive finite distance."""
    radius = float(value)
    if not (0.0 < radius < math.inf):
        raise ArgumentError(name, "be a positive finite distance", value, "0.1 is a moderate drift.")
    return radius


def bounds(scores: Scores, divergence: Divergence, radius: float) -> tuple[float, float]:
    """Extreme areas within a distance of the sample; NaN for one that cannot be moved.

    For rounded scores those of the least and of the greatest curve that the exact ones can have: under any
    weights of the cases, the exact area lies between the areas of these two.
    """
    least = greatest = (scores.pos, scores.neg)
    if not scores.exact:
        least, greatest = ((table.pos, table.neg) for table in extreme_tables(scores))
    ends = []
    for sign, (pos, neg) in ((-1.0, least), (1.0, greatest)):
        found = None
        # Where chi2's weights reach zero the curve can end a little short of the radius.
        for share in (1.0, 0.9, 0.8, 0.6, 0.4, 0.2):
            found = solve(pos, neg, divergence, sign=sign, radius=share * radius)
            if found is not None:
                break
        value = math.nan if found is None else min(1.0, max(0.0, found.value))
        if found is None and not scores.exact:
            # Perfect separation, or one row: all weights have this area.
            own = area(pos, neg)
            value = own if own in (0.0, 1.0) or len(pos) == 1 else math.nan
        ends.append(value)
    return ends[0], ends[1]


def unmoved(scores: Scores, level: float) -> tuple[float, float, str]:
    """Ends and method of the ordinary interval, with a warning that no reweighting moves the area."""
    interval = auc_interval(scores, confidence_level=level)
    warn(UNMOVED)
    return interval.lower, interval.upper, interval.method


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

    Examples
    --------
    >>> from confroc import Scores, forecast_curve
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> curve = forecast_curve(scores, [0.01, 0.1])
    >>> curve.lower.round(3), curve.upper.round(3)
    (array([0.712, 0.6  ]), array([0.805, 0.891]))
    """
    check_scores("scores", scores, widens=True)
    check_choice("divergence", divergence, DIVERGENCES)
    at = as_floats(
        "radius", np.geomspace(1e-4, 1.0, 25) if radius is None else np.atleast_1d(np.asarray(radius))
    )
    for value in at.tolist():
        check_radius("radius", value)
    ends = np.array([bounds(scores, Divergence(divergence), float(r)) for r in at]).reshape(-1, 2)
    stuck = ~(ends[:, 1] > ends[:, 0])
    notes: tuple[str, ...] = ()
    if stuck.any():
        ends[stuck] = unmoved(scores, 0.95)[:2]
        notes = (UNMOVED,)
    return Intervals(
        quantity="auc",
        at_name="radius",
        at=at,
        estimate=np.full(len(at), scores.auc),
        lower=ends[:, 0],
        upper=ends[:, 1],
        confidence_level=math.nan,
        method=divergence,
        guarantee="asymptotic",
        notes=notes,
    )
