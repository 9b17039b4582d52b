"""Operating conditions as weights and unit costs, and the least cost at each w.

An operating point (FPR, TPR) is a straight line in cost space, w·(1 − TPR) + (1 − w)·FPR; the best one
can do at each w is the lower envelope of the lines, and its corners are those of the ROC curve's convex
hull (Drummond & Holte 2006).
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


def _alike(**given: FloatArray) -> None:
    """Refuse several lengths other than one."""
    lengths = {name: len(values) for name, values in given.items() if len(values) != 1}
    if len(set(lengths.values())) > 1:
        raise ArgumentError(
            " and ".join(lengths), "have one length", lengths, "Give one of each, or as many."
        )


def cost_weight(*, false_negative: ArrayLike, false_positive: ArrayLike, prior: ArrayLike) -> Any:
    """Weight w of the cost curve that unit costs and a share of positives stand for.

    w = π·c_FN / (π·c_FN + (1 − π)·c_FP).

    Parameters
    ----------
    false_negative, false_positive : float or array-like
        Cost of one error of each kind, positive, in any currency.
    prior : float or array-like
        Share π of positives, strictly between 0 and 1.

    Returns
    -------
    float or ndarray
        In (0, 1).

    Raises
    ------
    ValueError
        Costs that are not positive, or a share outside (0, 1).

    See Also
    --------
    unit_costs : The way back.
    expected_cost : Threshold and cost for unit costs, in one call.

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
    _alike(false_negative=miss, false_positive=alarm, prior=share)
    return _like(share * miss / (share * miss + (1.0 - share) * alarm), false_negative, false_positive, prior)


def unit_costs(w: ArrayLike, *, prior: ArrayLike, scale: float = 1.0) -> tuple[Any, Any]:
    """Cost of a false negative and of a false positive that a weight stands for.

    c_FN = scale·w/π and c_FP = scale·(1 − w)/(1 − π), so that the worst classifier (all wrong) costs
    `scale` per case.

    Parameters
    ----------
    w : float or array-like
        In [0, 1].
    prior : float or array-like
        Share π of positives, strictly between 0 and 1.
    scale : float
        Cost per case of being always wrong, positive.

    Returns
    -------
    false_negative, false_positive : float or ndarray

    Raises
    ------
    ValueError
        w outside [0, 1], a share outside (0, 1), or a scale that is not positive.

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
    _alike(w=weight, prior=share)
    with np.errstate(over="ignore"):
        costs = worst * weight / share, worst * (1.0 - weight) / (1.0 - share)
    if not all(np.isfinite(cost).all() for cost in costs):
        raise ArgumentError("scale", "leave the costs finite", scale, "Give a smaller scale.")
    return _like(costs[0], w, prior), _like(costs[1], w, prior)


def trivial_cost(w: ArrayLike) -> Any:
    """Normalised cost of the better classifier that ignores the scores: min(w, 1 − w).

    Calling nobody positive costs w, calling everybody positive 1 − w.

    Parameters
    ----------
    w : float or array-like
        In [0, 1].

    Returns
    -------
    float or ndarray

    See Also
    --------
    CostBand.cheaper : Where a model is cheaper than that.

    References
    ----------
    Drummond & Holte 2006, "Cost curves: an improved method for visualizing classifier performance",
    Machine Learning 65.
    """
    weight = check_rate("w", w)
    return _like(np.minimum(weight, 1.0 - weight), w)


# --- the least cost ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostEnvelope(Result):
    """Smallest cost that any threshold reaches on the sample, at every w: straight pieces.

    Attributes
    ----------
    w : ndarray of shape (k + 1,)
        Ends of the pieces, non-decreasing from 0 to 1.
    cost : ndarray of shape (k + 1,)
        The envelope there.
    threshold, fnr, fpr : ndarray of shape (k,)
        Of each piece: on it the cost is w·fnr + (1 − w)·fpr. Thresholds decrease; the first piece may
        be inf (nobody called positive).
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
        """Smallest cost at each w in [0, 1]; shape (h,)."""
        return np.interp(check_rate("w", w), self.w, self.cost)

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """Values of w between which the model beats both trivial classifiers, or None."""
        low = float(self.w[1]) if np.isposinf(self.threshold[0]) else 0.0
        high = float(self.w[-2]) if self.fnr[-1] == 0.0 and self.fpr[-1] == 1.0 else 1.0
        return (low, high) if low < high else None


@accepts_one_model
def lower_envelope(scores: Scores) -> CostEnvelope:
    """Drummond & Holte's lower envelope: the least cost over all thresholds, as a function of w.

    It is the cost curve of someone who chose every threshold on the sample itself, so it is optimistic.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)

    Returns
    -------
    CostEnvelope
        `cost` is normalised to [0, 1]; tied scores are one threshold.

    See Also
    --------
    cost_curve : Thresholds chosen elsewhere, and intervals.
    cost_optimism : How much too low the envelope is.

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
    """Return the lower envelope, of rounded scores without a warning."""
    rows, change = hull_rows(scores)
    inner = (change > 0.0) & (change < 1.0)
    # Pieces of zero length, between a vertical or horizontal edge and the end of the axis, are left out.
    first = int(np.count_nonzero(change == 0.0))
    rows = rows[first : first + int(inner.sum()) + 1]
    w = np.concatenate([[0.0], change[inner], [1.0]])
    found, alarms = sums_before(rows, scores.pos, scores.neg)
    fnr, fpr = 1.0 - found / scores.n_pos, alarms / scores.n_neg
    # Each inner end lies on two pieces; either gives its cost.
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
