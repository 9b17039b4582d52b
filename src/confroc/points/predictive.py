"""Predictive values at a threshold: the share of right answers among cases called positive, or negative.

Given how many cases were called so, the number of right ones among them is binomial when cases were drawn
whatever their class. A sample with a fixed number of each class does not estimate them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import check_level, check_threshold
from confroc._types import IntArray
from confroc.points.threshold_methods import WilsonRates
from confroc.results import Intervals, shown
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import counts_at


class PredictiveValues(NamedTuple):
    """The two predictive values at each threshold.

    Attributes
    ----------
    ppv, npv : Intervals
    """

    ppv: Intervals
    npv: Intervals

    def table(self, *, most: int | None = shown.MOST_ROWS) -> shown.Table:
        """Return what is printed of the two, with so many rows at most; None shows all."""
        return shown.beside("PredictiveValues", self.ppv.table(most=most), self.npv.table(most=most))

    def to_dict(self) -> dict[str, Any]:
        """Return both as plain Python values fit for JSON."""
        return {name: part.to_dict() for name, part in self._asdict().items()}

    def __repr__(self) -> str:
        return shown.as_text(self.table(), wide=shown.PAGE)

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(self.table())


@accepts_one_model
def predictive_values(
    scores: Scores, *, threshold: ArrayLike, confidence_level: float = 0.95
) -> PredictiveValues:
    """Positive and negative predictive value when cases with score >= threshold are called positive.

    Both depend on the prevalence in the sample: they apply in use only if cases were sampled whatever their
    class, from the population of use. The threshold must have been chosen without looking at the sample.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    threshold : float or array-like of shape (h,)
        Any numbers, ±inf included. A case exactly at the threshold is called positive.
    confidence_level : float
        In (0, 1); of each interval by itself.

    Returns
    -------
    ppv, npv : Intervals
        Share of positives among the cases called positive (precision), and of negatives among those called
        negative, with Wilson's score interval inside [0, 1]. Asymptotic. NaN at thresholds where nobody is
        called so.

    Raises
    ------
    ValueError
        NaN thresholds, impossible level.

    Warns
    -----
    ConfrocWarning
        For rounded scores, whose error the intervals do not include.

    See Also
    --------
    confroc.rates_at_threshold : The two rates, which do not depend on the share of positives.
    confroc.rates_at_positive_rate : Precision when a given share of the cases is called positive.

    References
    ----------
    Wilson EB (1927). Probable inference, the law of succession, and statistical inference. Journal of the
    American Statistical Association 22(158), 209–212.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.points import predictive_values
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> ppv, npv = predictive_values(scores, threshold=2)
    >>> print(ppv.estimate.round(3), ppv.lower.round(3), ppv.upper.round(3))
    [0.692] [0.572] [0.791]
    >>> print(npv.estimate.round(3))
    [0.941]
    """
    check_scores("scores", scores)
    at = check_threshold("threshold", threshold)
    level = check_level(confidence_level)
    tp, fp = counts_at(scores, at)
    fn, tn = scores.n_pos - tp, scores.n_neg - fp

    def share(quantity: str, right: IntArray, called: IntArray) -> Intervals:
        some = called > 0
        estimate, lower, upper = (np.full(len(at), np.nan) for _ in range(3))
        # Wilson's formula holds entry by entry; its own signature names the usual single number of trials.
        trials: Any = called[some]
        estimate[some] = right[some] / trials
        lower[some], upper[some] = distributions.wilson(right[some], trials, level)
        return Intervals(
            quantity=quantity,
            at_name="threshold",
            at=at,
            estimate=estimate,
            lower=lower,
            upper=upper,
            confidence_level=level,
            method=WilsonRates(),
            guarantee="asymptotic",
        )

    return PredictiveValues(share("ppv", tp, tp + fp), share("npv", tn, tn + fn))
