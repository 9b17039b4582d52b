"""Thresholds at each w: given, chosen on the sample or on a validation sample, or by a binormal model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    check_choice,
    check_count,
    check_number,
    check_omitted,
    check_rate,
    check_threshold,
    make_rng,
)
from confroc._types import RNG, FloatArray
from confroc.base import Contrast
from confroc.inference import OPTIMISTIC, design_of, minus, one
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    check_pair,
    check_scores,
    difference_label,
    models_of,
)
from confroc.scores.counting import recurring_cases
from confroc.statistics.cheapest import Criterion, optimism_at, units
from confroc.statistics.cost import AtThresholds
from confroc.statistics.prevalence import check_w

RECURRING = 0.9
"""Proportion of cases of a sample that recur in another one above which the samples are taken as the same."""

FEWEST_RECURRING = 20
"""Minimum number of cases for this rule."""

C = TypeVar("C", bound=AtThresholds)
Source: TypeAlias = Literal["given", "validation", "same_sample"]
ThresholdRange: TypeAlias = Literal["any", "observed", "both_classes"]
KEPT_INSIDE = "Thresholds outside `threshold_range` are moved to the nearest score inside."


class ChosenThresholds:
    """Base class of results with a source of thresholds."""

    __slots__ = ()

    notes: tuple[str, ...]
    threshold_source: Source

    @property
    def optimistic(self) -> bool:
        """Whether `estimate` is too low because its thresholds were chosen on the same cases."""
        return OPTIMISTIC in self.notes


def contrast(data: Scores | Pair, costs: tuple[AtThresholds, ...]) -> Contrast:
    """Return the cost of one model, or the difference between two, as a contrast."""
    return one(data, costs[0]) if isinstance(data, Scores) else minus(data, (costs[0], costs[1]))


def compared(data: Scores | Pair, quantity: str, thresholds: Any) -> dict[str, Any]:
    """Return the quantity and the thresholds of one model, or of both models and their design."""
    if isinstance(data, Scores):
        return {"quantity": quantity, "threshold": thresholds}
    label, (a, b) = difference_label(quantity, data), thresholds
    return {"quantity": label, "threshold_a": a, "threshold_b": b, "design": design_of(data)}


def given_thresholds(name: str, threshold: ArrayLike, h: int, per: str = "w") -> FloatArray:
    """Return one threshold for each place; a single one is repeated."""
    values = check_threshold(name, threshold)
    if len(values) not in (1, h):
        rule = f"be one number, or one per value of `{per}` ({h})"
        raise ArgumentError(name, rule, len(values), f"Give one number, or {h} of them.")
    return np.broadcast_to(values, h)


def choose(
    data: Scores | Pair, criterion: Criterion, given: Mapping[str, ArrayLike | None], validation: object
) -> tuple[tuple[FloatArray, ...], Source]:
    """Return the thresholds of each model, one per loss, and their source; `given` are arguments by name."""
    named = {name: threshold for name, threshold in given.items() if threshold is not None}
    missing = [name for name in given if name not in named]
    if validation is not None:
        check_omitted("when `validation` is given", "Omit one of the two.", **given)
    if named:
        if missing:
            rule = f"be given together with `{next(iter(named))}`"
            raise ArgumentError(missing[0], rule, None, "Give both thresholds, or neither.")
        return tuple(given_thresholds(name, t, criterion.size) for name, t in named.items()), "given"
    chosen_on = data if validation is None else check_like(data, validation)
    source: Source = "same_sample" if validation is None else "validation"
    return tuple(criterion.thresholds(scores) for scores in models_of(chosen_on)), source


def placed(cost: C, thresholds: Iterable[FloatArray | None], source: Source) -> tuple[C, ...]:
    """Return the cost of each model at its thresholds."""
    return tuple(replace(cost, threshold=t, same_sample=source == "same_sample") for t in thresholds)


def within(
    data: Scores | Pair, thresholds: tuple[FloatArray, ...], threshold_range: str
) -> tuple[FloatArray, ...]:
    """Move thresholds to the nearest with cases, or cases of both classes, on both sides."""
    check_choice("threshold_range", threshold_range, get_args(ThresholdRange))
    if threshold_range == "any":
        return thresholds
    moved = []
    for scores, threshold in zip(models_of(data), thresholds, strict=True):
        pos, neg = np.cumsum(scores.pos), np.cumsum(scores.neg)
        if threshold_range == "observed":
            parted = pos + neg < scores.n_pos + scores.n_neg
        else:
            parted = (pos > 0) & (pos < scores.n_pos) & (neg > 0) & (neg < scores.n_neg)
        kept = scores.score[parted]
        if not len(kept):
            rule = "be 'any' where no threshold has such cases on both sides"
            raise ArgumentError("threshold_range", rule, threshold_range, "Use 'any'.")
        moved.append(np.clip(threshold, kept[-1], kept[0]))
    return tuple(moved)


def check_like(data: Scores | Pair, validation: object) -> Scores | Pair:
    """Return the validation sample, after checking that it has the same models and other cases."""
    check = check_scores if isinstance(data, Scores) else check_pair
    found = check("validation", validation, widens=True, dependent=True)
    check_other_cases(models_of(data), models_of(found))
    return found


def check_other_cases(models: Iterable[Scores], others: Iterable[Scores]) -> None:
    """Refuse a validation sample that equals the sample, or that one of the two contains the other.

    Without many ties it is no coincidence if nearly all labels and scores of one sample occur in another.
    """
    pairs = list(zip(models, others, strict=True))
    if all(own == other for own, other in pairs) or any(
        own is other or _recurs(own, other) for own, other in pairs
    ):
        rule = "contain other cases than those evaluated"
        remedy = "Use other cases, or omit `validation`."
        raise ArgumentError("validation", rule, "the same cases", remedy)


def _recurs(own: Scores, other: Scores) -> bool:
    """Whether nearly all cases of one sample, in both classes, are in the other."""
    least = [min(getattr(s, n) for s in (own, other)) for n in ("n_pos", "n_neg")]
    fine = all(2 * len(s.score) >= s.n_pos + s.n_neg for s in (own, other))
    if not fine or sum(least) < FEWEST_RECURRING:
        return False
    return all(found >= RECURRING * n for found, n in zip(recurring_cases(own, other), least, strict=True))


# --- optimism ----------------------------------------------------------------------------------------


@accepts_one_model
def cost_optimism(
    scores: Scores, *, w: ArrayLike | None = None, folds: int = 10, repeats: int = 10, rng: RNG = None
) -> FloatArray:
    """Optimism of the normalized cost at thresholds chosen on the same cases, by cross-validation.

    The cheapest thresholds of all folds but one are evaluated on the remaining fold. The optimism is the mean
    of their cost minus the apparent cost. Folds are stratified by class and consist of whole clusters.

    Parameters
    ----------
    scores : Scores
    w : float or array-like of shape (h,), optional
        In [0, 1]. Default: 101 equally spaced values.
    folds : int
        At least 2. At most the number of cases, or clusters, of the smaller class is used.
    repeats : int
        Number of random partitions.
    rng : Generator, int or None

    Returns
    -------
    ndarray of shape (h,)
        Its bias is slightly positive, since thresholds are chosen on a proportion 1 − 1/folds of the cases.
        Single entries may be negative.

    Raises
    ------
    ValueError
        A class with a single case, fewer than two folds or one repeat.

    See Also
    --------
    cost_band : Simultaneous bands that allow for the choice of thresholds.

    Notes
    -----
    The bootstrap underestimates the optimism, since a resample shares most of its cases with the sample.

    References
    ----------
    Efron & Tibshirani 1993, "An introduction to the bootstrap", section 17.6 (optimism).

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.cost import cost_optimism
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[6, 3, 2, 1], neg=[1, 3, 4, 5])
    >>> bool(0.0 < cost_optimism(scores, w=0.5, rng=1)[0] < 0.1)
    True
    """
    check_scores("scores", scores, dependent=True)
    at = check_w(w)
    k = min(check_count("folds", folds, minimum=2), *units(scores))
    if k < 2:
        rule = "contain two cases, or uncrossed clusters, of each class"
        raise ArgumentError("scores", rule, (scores.n_pos, scores.n_neg), "Add cases of the smaller class.")
    deals = check_count("repeats", repeats, maximum=MOST_RESAMPLES)
    return optimism_at(scores, Criterion.cost(at), k, deals, make_rng(rng))


# --- binormal model ----------------------------------------------------------------------------------


class Binormal(NamedTuple):
    """Means and standard deviations of two normal score distributions."""

    mean_pos: float
    sd_pos: float
    mean_neg: float
    sd_neg: float

    def rates(self, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
        """False negative and false positive rate at each threshold."""
        fnr = ndtr((threshold - self.mean_pos) / self.sd_pos)
        fpr = ndtr((self.mean_neg - threshold) / self.sd_neg)
        return fnr, fpr


def binormal_threshold(
    w: ArrayLike, *, mean_pos: float, sd_pos: float, mean_neg: float = 0.0, sd_neg: float = 1.0
) -> FloatArray:
    """Threshold of minimum expected cost for normally distributed scores in both classes.

    The threshold t minimizes w·Φ((t − μ₊)/σ₊) + (1 − w)·Φ((μ₋ − t)/σ₋).

    Parameters
    ----------
    w : float or array-like of shape (h,)
        In [0, 1].
    mean_pos, sd_pos, mean_neg, sd_neg : float
        Means and standard deviations of the scores of positives and negatives. For a binormal model with
        intercept a and slope b, in standard units of the negatives: mean_pos = a/b, sd_pos = 1/b.

    Returns
    -------
    ndarray of shape (h,)
        ±inf where a trivial classifier is cheapest.

    Raises
    ------
    ValueError
        w outside [0, 1], or a standard deviation that is not positive.

    See Also
    --------
    BinormalModel.fit : Estimate the intercept and slope.

    Notes
    -----
    The derivative is zero at the roots of a quadratic function of t, one of which is a minimum. It is
    compared with the infinite thresholds.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", section 5.

    Examples
    --------
    >>> from confroc.cost import binormal_threshold
    >>> binormal_threshold([0, 0.5, 1], mean_pos=3, sd_pos=3, mean_neg=-3, sd_neg=3)
    array([ inf,   0., -inf])
    """
    weight = check_rate("w", w)
    given = {"mean_pos": mean_pos, "sd_pos": sd_pos, "mean_neg": mean_neg, "sd_neg": sd_neg}
    model = Binormal(**{name: check_number(name, value) for name, value in given.items()})
    for name in ("sd_pos", "sd_neg"):
        if given[name] <= 0.0:
            raise ArgumentError(name, "be above 0", given[name], f"Give a number, e.g. {name}=1.0.")
    nobody = np.full_like(weight, np.inf)
    candidates = np.stack([nobody, _local_minimum(weight, model), -nobody])
    fnr, fpr = model.rates(candidates)
    cost = weight * fnr + (1.0 - weight) * fpr
    return np.asarray(candidates[np.argmin(cost, axis=0), np.arange(len(weight))])


def _local_minimum(w: FloatArray, model: Binormal) -> FloatArray:
    """Return the finite threshold at a minimum of the cost; inf if there is none.

    In standard units of the negatives, the derivative has the sign of g(t) = A·t² + B·t + C, the logarithm of
    w·f₊ / ((1 − w)·f₋). At a minimum g increases through zero.
    """
    b = model.sd_neg / model.sd_pos
    a = (model.mean_pos - model.mean_neg) / model.sd_pos
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        square, product = 0.5 * (1.0 - b * b), a * b
        constant = np.log(w) - np.log1p(-w) + np.log(b) - 0.5 * a * a
        # Scaling by a power of two is exact, leaves the roots unchanged and prevents overflow of squares.
        size = np.maximum(np.abs(constant), max(abs(square), abs(product)))
        size = np.ldexp(1.0, np.frexp(np.where(np.isfinite(size), size, 1.0))[1] - 1)
        quadratic, linear, constant = square / size, product / size, constant / size
        root = np.sqrt(linear * linear - 4.0 * quadratic * constant)
        # The slope of g at its roots is ±root; the positive one, in the form without cancellation.
        t = np.where(linear >= 0.0, -2.0 * constant / (linear + root), (root - linear) / (2.0 * quadratic))
    inside = np.isfinite(t) & (root > 0.0)
    return np.where(inside, model.mean_neg + model.sd_neg * np.where(inside, t, 0.0), np.inf)
