"""The Kolmogorov–Smirnov statistic of credit risk: the greatest height of an ROC curve over the diagonal."""

from __future__ import annotations

import numpy as np

from confroc._check import ArgumentError, check_instance, check_same
from confroc._types import RNG
from confroc.bands.edges import LOWER_EDGE, WHOLE
from confroc.bands.roc import roc_band
from confroc.curve import curve_of
from confroc.results import Band, Interval, notes_of
from confroc.scores import Scores, accepts_one_model, check_scores


@accepts_one_model
def ks_statistic(
    scores: Scores, *, band: Band | None = None, confidence_level: float | None = None, rng: RNG = None
) -> Interval:
    """Kolmogorov–Smirnov statistic: the greatest of TPR − FPR over all thresholds, with an interval.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
        A threshold cuts between distinct scores, so tied cases are called the same.
    band : Band, optional
        A simultaneous band of these scores' ROC curve, whose method, level and guarantee the interval then
        has. By default `roc_band(scores)`.
    confidence_level : float, optional
        In (0, 1), 0.95 by default; not with `band`, which has a level.
    rng : Generator, seed or None
        For the default band; the same seed gives the same interval.

    Returns
    -------
    Interval
        In [0, 1]; `quantity` is "ks". It runs from the greatest distance of the band's lower edge from the
        diagonal to that of the upper edge: whenever the band contains the true curve, the interval contains
        the true statistic, so coverage is at least the band's and usually higher. `guarantee` is the band's.
        No standard error is used.

    Raises
    ------
    ValueError
        A band of something else, of other scores, of a part of the curve or of pointwise intervals; a level
        together with a band.

    See Also
    --------
    roc_band : The band.
    auc_interval : The area, and `confroc.auc.gini` of it.

    Notes
    -----
    The estimate is the greatest of many noisy distances, so it is biased upwards, the more the fewer the
    cases: with 50 positives and 50 negatives and scores without any value its mean is 0.12 where the true
    statistic is 0. The lower end of the interval, which no threshold is chosen for, allows for that.
    The same number is Youden's index at its best threshold.

    References
    ----------
    Youden WJ (1950). Index for rating diagnostic tests. Cancer 3, 32–35.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.bands import ks_statistic
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> print(ks_statistic(scores, rng=1))
    ks 0.7000 (95 % interval 0.6379 to 0.7506; equal_local_levels)
    """
    check_scores("scores", scores, widens=True)
    if band is None:
        band = roc_band(
            scores, confidence_level=0.95 if confidence_level is None else confidence_level, rng=rng
        )
    elif confidence_level is not None:
        rule = "be left out with `band`, which has a level"
        raise ArgumentError("confidence_level", rule, confidence_level, "Leave it out.")
    check_instance("band", band, Band, "Make it with `roc_band(scores)`.")
    of = (band.quantity, band.at_name, band.at_range, band.kind)
    if of != ("tpr", "fpr", WHOLE, "simultaneous"):
        rule = "be a simultaneous band of a whole ROC curve"
        raise ArgumentError("band", rule, of, "Make it with `roc_band(scores)`.")
    curve = curve_of(scores)
    own = band.values_on(curve.fpr, curve.tpr)
    check_same("band", band.estimate, own, "Make it with `roc_band(scores)`.")
    estimate = float(np.max(curve.tpr - curve.fpr))
    lower, upper = (float(np.max(edge - band.at)) for edge in (band.lower, band.upper))
    return Interval(
        quantity="ks",
        estimate=estimate,
        lower=min(estimate, lower),
        upper=max(estimate, upper),
        standard_error=np.nan,
        confidence_level=band.confidence_level,
        method=band.method,
        guarantee=band.guarantee,
        notes=tuple(note for note in notes_of(band) if note != LOWER_EDGE),
    )
