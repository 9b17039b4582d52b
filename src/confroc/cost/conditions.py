"""Operating conditions as weights and unit costs, and the lower envelope of cost curves.

An operating point (FPR, TPR) is the straight line w·(1 − TPR) + (1 − w)·FPR in cost space. The minimum cost
at each w is the lower envelope of these lines, which corresponds to the convex hull of the ROC curve
(Drummond & Holte 2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_rate
from confroc._types import FloatArray
from confroc.results import Result
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import sums_before
from confroc.statistics.cheapest import hull_rows, score_of_rows
from confroc.statistics.prevalence import check_share, check_unit_cost


def _like(value: FloatArray, *arguments: ArrayLike) -> Any:
    return float(value[0]) if all(np.ndim(a) == 0 for a in arguments) else value


def _check_lengths(**given: FloatArray) -> None:
    """Refuse arrays of different lengths, except for length 1."""
    lengths = {name: len(values) for name, values in given.items() if len(values) != 1}
    if len(set(lengths.values())) > 1:
        remedy = "Give single numbers or arrays of equal length."
        raise ArgumentError(" and ".join(lengths), "have equal lengths", lengths, remedy)


def cost_weight(*, false_negative: ArrayLike, false_positive: ArrayLike, prior: ArrayLike) -> Any:
    """Weight w of false negatives on the cost curve, from unit costs and a prevalence.

    w = π·c_FN / (π·c_FN + (1 − π)·c_FP).

    Parameters
    ----------
    false_negative, false_positive : float or array-like
        Cost of one error of each kind, positive, in any currency.
    prior : float or array-like
        Prevalence π in (0, 1).

    Returns
    -------
    float or ndarray
        In (0, 1).

    Raises
    ------
    ValueError
        Costs that are not positive, or a prevalence outside (0, 1).

    See Also
    --------
    unit_costs : The inverse.
    expected_cost : Threshold and cost for unit costs.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eq. 2.

    Examples
    --------
    >>> from confroc.cost import cost_weight
    >>> cost_weight(false_negative=9, false_positive=1, prior=0.1)
    0.5
    """
    miss = check_unit_cost("false_negative", false_negative)
    alarm = check_unit_cost("false_positive", false_positive)
    share = check_share("prior", prior)
    _check_lengths(false_negative=miss, false_positive=alarm, prior=share)
    return _like(share * miss / (share * miss + (1.0 - share) * alarm), false_negative, false_positive, prior)


def unit_costs(w: ArrayLike, *, prior: ArrayLike, scale: float = 1.0) -> tuple[Any, Any]:
    """Unit costs of a false negative and a false positive, from w and a prevalence.

    c_FN = scale·w/π and c_FP = scale·(1 − w)/(1 − π).

    Parameters
    ----------
    w : float or array-like
        In [0, 1].
    prior : float or array-like
        Prevalence π in (0, 1).
    scale : float
        Cost per case of a classifier that is always wrong, positive.

    Returns
    -------
    false_negative, false_positive : float or ndarray

    Raises
    ------
    ValueError
        w outside [0, 1], a prevalence outside (0, 1), or a scale that is not positive.

    See Also
    --------
    cost_weight : The inverse.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eq. 2.

    Examples
    --------
    >>> from confroc.cost import unit_costs
    >>> miss, alarm = unit_costs(0.5, prior=0.1, scale=1.8)
    >>> round(miss, 6), round(alarm, 6)
    (9.0, 1.0)
    """
    weight, share = check_rate("w", w), check_share("prior", prior)
    worst = float(check_unit_cost("scale", scale)[0])
    _check_lengths(w=weight, prior=share)
    with np.errstate(over="ignore"):
        costs = worst * weight / share, worst * (1.0 - weight) / (1.0 - share)
    if not all(np.isfinite(cost).all() for cost in costs):
        raise ArgumentError("scale", "result in finite costs", scale, "Give a smaller scale.")
    return _like(costs[0], w, prior), _like(costs[1], w, prior)


def trivial_cost(w: ArrayLike) -> Any:
    """Normalized cost of the better classifier that ignores the scores: min(w, 1 − w).

    The cost is w if no case is predicted positive, and 1 − w if all are.

    Parameters
    ----------
    w : float or array-like
        In [0, 1].

    Returns
    -------
    float or ndarray

    See Also
    --------
    CostBand.cheaper : Where a model is cheaper.

    References
    ----------
    Drummond & Holte 2006, "Cost curves: an improved method for visualizing classifier performance",
    Machine Learning 65.
    """
    weight = check_rate("w", w)
    return _like(np.minimum(weight, 1.0 - weight), w)


# --- lower envelope ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostEnvelope(Result):
    """Minimum cost over all thresholds in the sample, as a piecewise linear function of w.

    Attributes
    ----------
    w : ndarray of shape (k + 1,)
        Ends of the pieces, non-decreasing from 0 to 1.
    cost : ndarray of shape (k + 1,)
        Envelope at the ends.
    threshold, fnr, fpr : ndarray of shape (k,)
        Threshold and error rates of each piece, where the cost is w·fnr + (1 − w)·fpr. Thresholds decrease;
        the first may be inf (no case predicted positive).
    area : float
        Mean cost over w from 0 to 1.
    """

    w: FloatArray
    cost: FloatArray
    threshold: FloatArray
    fnr: FloatArray
    fpr: FloatArray
    area: float

    def cost_at(self, w: ArrayLike) -> FloatArray:
        """Minimum cost at each w in [0, 1]; shape (h,)."""
        return np.interp(check_rate("w", w), self.w, self.cost)

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """Range of w in which the model is cheaper than both trivial classifiers, or None."""
        low = float(self.w[1]) if np.isposinf(self.threshold[0]) else 0.0
        high = float(self.w[-2]) if self.fnr[-1] == 0.0 and self.fpr[-1] == 1.0 else 1.0
        return (low, high) if low < high else None


@accepts_one_model
def lower_envelope(scores: Scores) -> CostEnvelope:
    """Lower envelope of cost curves: the minimum cost over all thresholds, as a function of w.

    It is optimistic, since all thresholds are chosen on the sample (Drummond & Holte 2006).

    Parameters
    ----------
    scores : Scores

    Returns
    -------
    CostEnvelope
        Costs are normalized to [0, 1].

    See Also
    --------
    cost_curve : Cost curve with intervals.
    cost_optimism : Optimism of the envelope.

    References
    ----------
    Drummond & Holte 2006, "Cost curves: an improved method for visualizing classifier performance",
    Machine Learning 65.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.cost import lower_envelope
    >>> envelope = lower_envelope(Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]))
    >>> envelope.w
    array([0. , 0.5, 1. ])
    >>> envelope.cost.round(4)
    array([0.    , 0.1667, 0.    ])
    >>> envelope.threshold
    array([5., 3.])
    >>> envelope.operating_range
    (0.0, 1.0)
    """
    return envelope(check_scores("scores", scores))


def envelope(scores: Scores) -> CostEnvelope:
    """Return the lower envelope; for rounded scores without a warning."""
    rows, change = hull_rows(scores)
    inner = (change > 0.0) & (change < 1.0)
    # Pieces of zero length, at a vertical or horizontal edge of the ROC curve, are omitted.
    first = int(np.count_nonzero(change == 0.0))
    rows = rows[first : first + int(inner.sum()) + 1]
    w = np.concatenate([[0.0], change[inner], [1.0]])
    found, alarms = sums_before(rows, scores.pos, scores.neg)
    fnr, fpr = 1.0 - found / scores.n_pos, alarms / scores.n_neg
    # Each inner end is on two pieces, both of which have its cost.
    piece = np.minimum(np.arange(len(w)), len(rows) - 1)
    cost = w * fnr[piece] + (1.0 - w) * fpr[piece]
    return CostEnvelope(
        w=w,
        cost=cost,
        threshold=score_of_rows(scores, rows),
        fnr=fnr,
        fpr=fpr,
        area=float(np.trapezoid(cost, w)),
    )
