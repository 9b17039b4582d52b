"""The Kolmogorov–Smirnov statistic of credit risk: the greatest height of an ROC curve over the diagonal."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from confroc._options import KsStatisticOptions
from confroc.bands.edges import LOWER_EDGE
from confroc.bands.roc import roc_band
from confroc.base import Method, family, lists_methods
from confroc.curve import RocCurve, curve_of
from confroc.results import Band, Interval
from confroc.scores import Scores, accepts_one_model, check_scores

KS_STATISTIC = family("ks_statistic", "Kolmogorov–Smirnov statistic", ("ks", "band"), "equal_local_levels")


@accepts_one_model
@lists_methods(KS_STATISTIC)
def ks_statistic(
    scores: Scores,
    /,
    *,
    method: str | Method = "equal_local_levels",
    confidence_level: float = 0.95,
    **options: Unpack[KsStatisticOptions],
) -> Interval:
    """Kolmogorov–Smirnov statistic: the greatest of TPR − FPR over all thresholds, with an interval.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
        A threshold cuts between distinct scores, so tied cases are called the same.
    method : str or Method
        The simultaneous method of `roc_band` from whose band the interval is read:

        {methods}
    confidence_level : float
        In (0, 1).
    **options
        Options of the method:

        {options}

    Returns
    -------
    Interval
        In [0, 1]; `quantity` is "ks". It runs from the greatest distance of the band's lower edge from the
        diagonal to that of the upper edge: whenever the band contains the true curve, the interval contains
        the true statistic, so coverage is at least the band's and usually higher. `guarantee` is the band's.
        No standard error is used.

    See Also
    --------
    roc_band : The band.
    auc_interval : The area; `confroc.statistics.Gini` is 2·AUC − 1.

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
    chosen = KS_STATISTIC.chosen(method, options, ks_statistic)
    check_scores("scores", scores, widens=True)
    return ks_of(roc_band(scores, method=chosen, confidence_level=confidence_level), curve_of(scores))


def ks_of(band: Band, curve: RocCurve) -> Interval:
    """Read the statistic off a curve, and its interval off a simultaneous band around the whole of it."""
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
        notes=tuple(note for note in band.notes if note != LOWER_EDGE),
    )
