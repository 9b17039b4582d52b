"""Operating conditions: the weight w, unit costs and shares of positives, and the least cost at each w.

An operating point (FPR, TPR) is a straight line in cost space, w·(1 − TPR) + (1 − w)·FPR; the best one
can do at each w is the lower envelope of the lines, and its corners are those of the ROC curve's convex
hull (Drummond & Holte 2006).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, as_floats, as_values, check_rate
from confroc._types import BoolArray, FloatArray, IntArray, Sampling
from confroc.curve import hull_vertices
from confroc.distributions import binomial_cells, wilson_limit
from confroc.methods import Method
from confroc.resample import check_sampling
from confroc.results import Result
from confroc.scores import Pair, Scores, accepts_one_model, check_scores
from confroc.scores.counting import sums_before

DEFAULT_GRID = 101
LEAST_SHARE = 1e-100
"""Least share of positives of a curve that is estimated from other cases."""

Count: TypeAlias = tuple[float, float]
"""So many positives among so many cases seen elsewhere."""
Prior: TypeAlias = float | Count
"""Share of positives in use: known, or so many of so many cases seen elsewhere."""

# --- w and unit costs --------------------------------------------------------------------------------


def check_w(w: ArrayLike | None) -> FloatArray:
    """Return weights in [0, 1]; None means 101 of them, evenly spaced."""
    return np.linspace(0.0, 1.0, DEFAULT_GRID) if w is None else check_rate("w", w)


def check_unit_cost(name: str, value: ArrayLike) -> FloatArray:
    """Return unit costs, positive and finite."""
    values = as_values(name, value)
    # Their squares times squared counts stay within what doubles hold.
    good = (values >= 1e-100) & (values <= 1e100)
    return _all(
        name,
        values,
        good,
        "be positive and finite, from 1e-100 to 1e100",
        "Give what one such error costs, e.g. 5.",
    )


def check_share(name: str, value: ArrayLike) -> FloatArray:
    """Return shares strictly between 0 and 1."""
    values = as_values(name, value)
    good = (values > 0.0) & (values < 1.0)
    return _all(name, values, good, "lie strictly between 0 and 1", "Write 10 % as 0.1.")


def _all(name: str, values: FloatArray, good: BoolArray, rule: str, remedy: str) -> FloatArray:
    if not good.all():
        raise ArgumentError(name, rule, float(values[~good][0]), remedy)
    return values


def models_of(data: Scores | Pair) -> tuple[Scores, ...]:
    """One model, or both of a pair."""
    return (data,) if isinstance(data, Scores) else (data.a, data.b)


def share_of(data: Scores | Pair) -> float:
    """Share of positives in the data, in two test sets together."""
    pos, neg = sum(s.n_pos for s in models_of(data)), sum(s.n_neg for s in models_of(data))
    return pos / (pos + neg)


ESTIMATED_PREVALENCE = "The interval includes the uncertainty of the prevalence."
KNOWN_PREVALENCE = "Prevalence is taken from the sample and treated as known."


class ShareInUse(NamedTuple):
    """Share of positives in use: known, or estimated from so many cases other than the sample's."""

    value: float
    cases: float | None = None

    @property
    def uncertain(self) -> bool:
        """Whether it is an estimate from other cases."""
        return self.cases is not None

    def check(self, prior: Prior | None, row: Method) -> None:
        """Refuse counts of which no resample can be drawn, with methods that resample them."""
        if self.cases is None or row.guarantee != "bootstrap":
            return
        counts = np.array(prior, dtype=np.float64)
        if (counts % 1.0).any() or (counts >= 2.0**53).any():
            rule = f"be whole counts with method {row.name!r}, which resamples those cases too"
            raise ArgumentError("prior", rule, prior, "Give whole counts, or leave out `method`.")

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on an estimated prevalence."""
        return () if self.cases is None else (ESTIMATED_PREVALENCE,)

    @property
    def variance(self) -> float:
        """Variance of the estimate; zero for a known share."""
        return self.value * (1.0 - self.value) / self.cases if self.cases else 0.0

    def resampled(self, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Shares estimated from as many newly drawn cases; counts between two whole ones are blurred."""
        assert self.cases is not None
        whole = math.ceil(min(self.cases, 2.0**53))
        shares = rng.binomial(whole, self.value, n_resamples) / whole
        # A little further than the whole number of cases would go, so that the variance is that of the count.
        return np.asarray(self.value + (shares - self.value) * math.sqrt(whole / self.cases))

    def law(self) -> tuple[FloatArray, FloatArray]:
        """Possible shares among as many newly drawn cases, and their probabilities; the known one alone."""
        if self.cases is None:
            return np.array([self.value]), np.ones(1)
        counts, mass = binomial_cells(self.value, int(self.cases))
        return counts / self.cases, mass / mass.sum()

    def limit(self, z: float) -> float:
        """Wilson's (1927) limit, z standard errors above the estimate, or below for negative z."""
        if self.cases is None:
            return self.value
        return float(wilson_limit(self.value, self.cases, z))


def share_in_use(
    data: Scores | Pair, prior: Prior | None, sampling: Sampling | None
) -> tuple[ShareInUse, Sampling]:
    """Share of positives in use and way of sampling, each of which follows from the other by default."""
    if sampling is not None:
        check_sampling(sampling)
    if prior is None:
        return ShareInUse(share_of(data)), sampling or "full"
    if sampling == "full":
        rule = "be left out under sampling='full', which estimates it from the sample"
        raise ArgumentError("prior", rule, prior, "Leave out `sampling` or `prior`.")
    if not isinstance(prior, Sequence) and not np.ndim(prior):
        return ShareInUse(float(check_share("prior", prior)[0])), "stratified"
    counts = as_floats("prior", prior)
    if counts.shape != (2,) or not 0.0 < counts[0] < counts[1] < np.inf:
        rule = "be a share, or a count of positives above 0 and the larger one of all cases"
        raise ArgumentError("prior", rule, prior, "Write 12 positives among 150 cases as (12, 150).")
    k, n = counts.tolist()
    return ShareInUse(k / n, n), "stratified"


def share_in_curve(
    data: Scores | Pair, prior: Count | None, sampling: Sampling
) -> tuple[ShareInUse, Sampling]:
    """Share of positives behind w, which may be the estimate of other cases, and way of sampling."""
    sampling = check_sampling(sampling)
    if prior is None:
        return ShareInUse(share_of(data)), sampling
    if type(prior) not in (list, tuple) and np.ndim(prior) == 0:
        rule = "be a count of positives and one of all cases: the w of a curve holds a known share already"
        raise ArgumentError("prior", rule, prior, "Leave it out, or write 12 among 150 cases as (12, 150).")
    share, sampling = share_in_use(data, prior, None if sampling == "stratified" else sampling)
    if share.value < LEAST_SHARE:
        # Squares of the unit costs that w stands for stay within what doubles hold.
        rule = f"hold a positive among {1.0 / LEAST_SHARE:g} cases or fewer"
        raise ArgumentError("prior", rule, prior, "Leave it out: so small a share is as good as none.")
    return share, sampling


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
    CostBand.useful : Where a model is cheaper than that.

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

    def _columns(self) -> Mapping[str, Any]:
        return {"w": self.w, "cost": self.cost}

    def cost_at(self, w: ArrayLike) -> FloatArray:
        """Smallest cost at each w in [0, 1]; shape (h,)."""
        return np.interp(check_rate("w", w), self.w, self.cost)

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """Values of w between which the model beats both trivial classifiers, or None."""
        low = float(self.w[1]) if np.isposinf(self.threshold[0]) else 0.0
        high = float(self.w[-2]) if self.fnr[-1] == 0.0 and self.fpr[-1] == 1.0 else 1.0
        return (low, high) if low < high else None


def hull_rows(
    scores: Scores, without: tuple[IntArray, IntArray] | None = None
) -> tuple[IntArray, FloatArray]:
    """Hull corners as numbers of distinct scores called positive, and the w where each gives way to the next.

    Of all cases, or without so many positives and negatives of each distinct score; the last score called
    positive then is one that still has cases.

    The first array (k corners) increases; the second (k − 1) too. Where a corner's edge is vertical or
    horizontal in ROC space the change is at w = 0 or w = 1 exactly.
    """
    pos, neg = (None, None) if without is None else without
    n_pos, n_neg = (
        n if out is None else n - int(out.sum()) for n, out in ((scores.n_pos, pos), (scores.n_neg, neg))
    )

    def between(count: IntArray, out: IntArray | None, vertices: slice | IntArray) -> IntArray:
        if isinstance(vertices, slice):
            rows = slice(vertices.start, vertices.stop - 1)
            return count[rows] if out is None else count[rows] - out[rows]
        sums = np.add.reduceat(count, vertices[:-1])
        return sums if out is None else sums - np.add.reduceat(out, vertices[:-1])

    def steps(vertices: slice | IntArray) -> tuple[FloatArray, FloatArray]:
        return between(scores.neg, neg, vertices) / n_neg, between(scores.pos, pos, vertices) / n_pos

    rows = hull_vertices(len(scores.score), steps)
    loss, gain = steps(rows)
    return rows, loss / (gain + loss)


def threshold_at(scores: Scores, rows: IntArray) -> FloatArray:
    """Threshold that calls so many distinct scores positive: the last of them, or inf."""
    return np.where(rows > 0, scores.score[rows - 1], np.inf)


def optimal_rows(scores: Scores, w: FloatArray, without: tuple[IntArray, IntArray] | None = None) -> IntArray:
    """Number of distinct scores called positive at the cheapest threshold, for each w.

    It is that of all cases, or without some. Of thresholds of equal cost the highest is taken; but at w = 0
    and w = 1, where one kind of error is free, the one with fewest free errors too.
    """
    rows, change = hull_rows(scores, without)
    # Vertical steps of the ROC curve cost nothing at any w, so they are taken at w = 0 already.
    piece = np.searchsorted(np.where(change == 0.0, -1.0, change), w, side="left")
    return rows[piece]


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
        threshold=threshold_at(scores, rows),
        fnr=fnr,
        fpr=fpr,
        area=float(np.trapezoid(cost, w)),
    )
