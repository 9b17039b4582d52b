"""The error rate of a classifier that may abstain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level, check_rate
from confroc._options import RiskCoverageCurveOptions
from confroc.base import Method, family, lists_methods
from confroc.inference import fields_of, infer, interval_of, one
from confroc.linear import Logit
from confroc.points import positive_rate_methods as methods
from confroc.results import Interval, Intervals
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.abstention import Aurc
from confroc.statistics.rates import RatesAtPositiveRate

RISK_COVERAGE_CURVE = family(
    "risk_coverage_curve", "Selective risk at a coverage", methods.INTERVAL, "beta_mixture"
)
STEPS = 100
"""Default number of coverages of the curve."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RiskCoverageCurve(Intervals):
    """Selective risk at each coverage, with pointwise intervals, and the area under the curve.

    Attributes
    ----------
    at : ndarray of shape (h,)
        Coverages, the proportions of answered cases, those with the highest confidence.
    estimate, lower, upper : ndarray of shape (h,)
        Selective risk: the error rate of these answers.
    threshold : ndarray of shape (h,)
        Lowest confidence among these answers.
    aurc : Interval
        Area under the curve of all coverages 1/n, 2/n, ..., 1; see `confroc.statistics.Aurc`.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    risk_coverage_curve : Returns one.
    """

    _title = "Risk-coverage curve"
    aurc: Interval

    def _heading(self) -> str:
        return f"{self._title}: {self.aurc.headline}"


@accepts_one_model
@lists_methods(RISK_COVERAGE_CURVE)
def risk_coverage_curve(
    scores: Scores,
    /,
    *,
    coverage: ArrayLike | None = None,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    **options: Unpack[RiskCoverageCurveOptions],
) -> RiskCoverageCurve:
    """Risk-coverage curve of a classifier that may abstain, with pointwise intervals.

    The selective risk at coverage c is the error rate among the proportion c of answers of highest
    confidence.

    Parameters
    ----------
    scores : Scores
        A case is positive if the answer is correct, and its score is the confidence in the answer.
    coverage : float or array-like of shape (h,), optional
        In (0, 1]. Default: 100 equally spaced values up to 1, or one per case if there are fewer.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), for each interval.
    {options}

    Returns
    -------
    RiskCoverageCurve
        For ties the risk is the mean over all orders. At coverage 1 it is the error rate of all answers.

    Raises
    ------
    ValueError
        A coverage of 0 or above 1, or below 1/n for bootstrap methods; unknown method; invalid level.

    See Also
    --------
    confroc.statistics.Aurc, confroc.statistics.Auarc : Area under the curve, also for two models.
    rates_at_positive_rate : Accuracy of the same answers, as the precision.

    Notes
    -----
    The selective risk is 1 − precision of `rates_at_positive_rate` with sampling="full". The interval of the
    area is a normal interval on the logit scale, from influence values.

    References
    ----------
    El-Yaniv R, Wiener Y (2010). On the foundations of noise-free selective classification. Journal of
    Machine Learning Research 11, 1605–1641. Geifman Y, El-Yaniv R (2017). Selective classification for deep
    neural networks. NeurIPS 30, 4878–4887.

    Examples
    --------
    >>> from confroc import risk_coverage_curve
    >>> curve = risk_coverage_curve([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    >>> curve.estimate.round(3), curve.threshold
    (array([0.   , 0.   , 0.333, 0.5  ]), array([0.9, 0.8, 0.2, 0.1]))
    >>> round(curve.aurc.estimate, 4)
    0.2083
    """
    chosen = RISK_COVERAGE_CURVE.chosen(method, options, risk_coverage_curve)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level, steps = check_level(confidence_level), max(1, int(min(STEPS, scores.n_pos + scores.n_neg)))
    shares = np.arange(1, steps + 1) / steps if coverage is None else coverage
    accuracy = RatesAtPositiveRate(check_rate("coverage", shares, positive=True), rates=("precision",))
    statistic = methods.attained(chosen, accuracy, scores)
    found = infer(one(scores, statistic), chosen, level)
    lower, risk, upper = (1.0 - side[0] for side in (found.upper, found.estimate, found.lower))
    return RiskCoverageCurve(
        quantity="selective_risk",
        at_name="coverage",
        at=statistic.places,
        threshold=found.threshold,
        aurc=interval_of(infer(one(scores, Aurc()), Logit(), level), Aurc(), level),
        **fields_of(found._replace(estimate=risk, lower=lower, upper=upper), level),
    )
