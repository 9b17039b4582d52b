"""Bands for the precision-recall curve, transformed from bands of the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level
from confroc._options import PrBandOptions
from confroc._types import FloatArray, Sampling
from confroc.bands.edges import on_joints
from confroc.bands.roc import roc_band
from confroc.base import Method, family, lists_methods
from confroc.distributions import clopper_pearson
from confroc.precision.curve import PrCurve
from confroc.results import Band, one_sided_limits, sealed
from confroc.scores import Scores, accepts_one_model
from confroc.statistics.precision import odds_of, precision_of
from confroc.statistics.prevalence import (
    ESTIMATED_PREVALENCE,
    KNOWN_PREVALENCE,
    Prior,
    prevalence_ends,
    read_prior,
    share_in_use,
)
from confroc.statistics.rates import LOWER_ZERO

PREVALENCE_SHARE = 0.2
"""Fraction of the error probability for the interval of an estimated prevalence."""
GRID = np.linspace(0.0, 1.0, 201)
"""Number of recalls between the joints of a band, whose edges are curved."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PrBand(Band):
    """A simultaneous confidence band for a precision-recall curve.

    Attributes
    ----------
    at : ndarray of shape (g,)
        Recalls; a repeated value is a jump.
    estimate, lower, upper : ndarray of shape (g,)
        Precisions. Between two recalls the false positive rate is linear, but the precision is not.
    roc : Band
        The underlying band of the ROC curve.
    prevalence : (float, float)
        Range of prevalences; equal limits if it is known.
    confidence_level, method, guarantee, notes, kind
        As in `Band`.

    See Also
    --------
    pr_band : Returns one.
    """

    _title = "Precision-recall band"
    quantity: str = "precision"
    at_name: str = "recall"
    roc: Band
    prevalence: tuple[float, float]

    def contains(self, curve: Any) -> bool:
        """Whether a precision-recall curve lies inside the band everywhere.

        Parameters
        ----------
        curve : PrCurve, (recall, precision), or callable
            Operating points of increasing recall, from the first positive one to 1, joined with linear false
            positive rate (Davis & Goadrich 2006); or a function of recalls in (0, 1].

        Raises
        ------
        ArgumentError
            As in `Band.contains`.

        Notes
        -----
        Exact for operating points: false positive rates of curve and edges, times the odds of the prevalence,
        are linear between their joint recalls.
        """
        recall, low, high = _alarms(self.roc, self.prevalence)
        ends: dict[str, Any] = {"at": recall, "estimate": low, "lower": low, "upper": high}
        edges = replace(self.roc, quantity="alarms", at_name="recall", at_range=(0.0, 1.0), **ends)
        if callable(curve):
            return edges.contains(lambda at: _alarms_of(at, curve(np.maximum(at, 1e-12))))
        if isinstance(curve, PrCurve):
            return edges.contains((curve.recall, odds_of(curve.prevalence) * curve.fpr))
        at, precision = (np.asarray(values, dtype=np.float64) for values in curve)
        if len(at) != len(precision) or (precision[at > 0.0] <= 0.0).any():
            rule = "have a precision above 0 at each recall above 0"
            raise ArgumentError("curve", rule, f"{len(precision)} precisions", "Pass (recall, precision).")
        alarms = _alarms_of(at, precision)
        if len(at) and at[0] > 0.0:
            # The curve before the first point is unknown.
            at, alarms = np.insert(at, 0, 0.0), np.insert(alarms, 0, 0.0)
        return edges.contains((at, alarms))


def _alarms_of(recall: FloatArray, precision: ArrayLike) -> FloatArray:
    """False positive rates times the odds of the prevalence, of operating points."""
    share = np.asarray(precision, dtype=np.float64)
    return np.divide(recall * (1.0 - share), share, out=np.zeros(len(recall)), where=share > 0.0)


def _alarms(roc: Band, prevalence: tuple[float, float]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Recalls, and the range of the false positive rate times the odds, of curves in a band.

    Curves are non-decreasing: a recall is attained no earlier than by the upper edge, and no later than where
    the lower edge has passed it.
    """
    upper = np.minimum.accumulate(roc.upper[::-1])[::-1]
    lower = np.maximum.accumulate(roc.lower)
    recall = np.unique(np.concatenate([[0.0, 1.0], upper, lower]))
    first = np.stack(one_sided_limits(np.append(0.0, upper), np.append(0.0, roc.at), recall), axis=1)
    last = np.stack(one_sided_limits(np.append(lower, 1.0), np.append(roc.at, 1.0), recall), axis=1)
    low, high = odds_of(prevalence[1]), odds_of(prevalence[0])
    return np.repeat(recall, 2), low * first.reshape(-1), high * last.reshape(-1)


PR_BAND = family("pr_band", "Band around the precision-recall curve", ("roc", "band"), "equal_local_levels")


@accepts_one_model
@lists_methods(PR_BAND)
def pr_band(
    scores: Scores,
    /,
    *,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "equal_local_levels",
    confidence_level: float = 0.95,
    **options: Unpack[PrBandOptions],
) -> PrBand:
    """Simultaneous confidence band for a precision-recall curve.

    Parameters
    ----------
    scores : Scores
    prior : float or (float, float), optional
        Prevalence in the target population: known, or counts (positives, cases) from another sample. Default:
        that of the sample.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence of the sample is estimated or fixed. Default: "full" without `prior`,
        "stratified" with it.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    PrBand
        The band of the ROC curve, `roc`, transformed by precision π·r/(π·r + (1 − π)·FPR(r)) at recall r,
        with the same guarantee: for known π it contains exactly the curves that the band of the ROC curve
        contains. For an estimated π a fifth of the error probability is used for its Clopper–Pearson
        interval, and the rest for the ROC curve.

    Raises
    ------
    ValueError
        As in `roc_band`.

    Warns
    -----
    ConfrocWarning
        As in `roc_band`.

    See Also
    --------
    roc_band : The band of the ROC curve.
    precision_at_recall : Interval at one recall.
    average_precision : Interval for the area.

    References
    ----------
    Davis J, Goadrich M (2006). The relationship between precision-recall and ROC curves. ICML 2006, 233–240.

    Examples
    --------
    >>> from confroc import Scores, pr_band, pr_curve
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> band = pr_band(scores, method="ks_regions")
    >>> print(band.kind, band.guarantee, round(band.area, 3))
    simultaneous finite-sample 0.378
    >>> band.contains(pr_curve(scores))
    True
    """
    level = check_level(confidence_level)
    share, sampled = read_prior(prior, sampling)
    uncertain = sampled == "full" or (share is not None and share.uncertain)
    # Coverage is valid for any class sizes, so the two levels multiply.
    error = PREVALENCE_SHARE * (1.0 - level)
    of_curve = level / (1.0 - error) if uncertain else level
    roc = roc_band(scores, method=method, confidence_level=of_curve, **options)
    prevalence = prevalence_ends(scores, prior, sampling, 1.0 - error, clopper_pearson)
    recall, low, high = _alarms(roc, prevalence)
    at, *edges = on_joints(np.union1d(recall, GRID), (recall, low), (recall, high), (roc.estimate, roc.at))
    odds = odds_of(share_in_use(scores, prior, None if prior else sampling)[0].value)
    upper, lower, estimate = (
        sealed(precision_of(at, alarms, by)) for alarms, by in zip(edges, (1.0, 1.0, odds), strict=True)
    )
    of_prevalence = (ESTIMATED_PREVALENCE,) if uncertain else (KNOWN_PREVALENCE,) if prior is None else ()
    return PrBand(
        at=sealed(at),
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=roc.method,
        guarantee=roc.guarantee,
        kind=roc.kind,
        notes=tuple(note for note in roc.notes if not note.startswith(LOWER_ZERO)) + of_prevalence,
        roc=roc,
        prevalence=prevalence,
    )
