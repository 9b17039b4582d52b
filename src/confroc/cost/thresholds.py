"""Which threshold at which w: given, chosen on a validation sample, on the sample itself, or by a model."""

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
    as_floats,
    check_choice,
    check_count,
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
"""Share of a sample's cases that recur in another one from which it is no chance where scores hardly tie."""

FEWEST_RECURRING = 20
"""Cases below which even that might be."""

C = TypeVar("C", bound=AtThresholds)
Source: TypeAlias = Literal["given", "validation", "same_sample"]
ThresholdRange: TypeAlias = Literal["any", "observed", "both_classes"]
KEPT_INSIDE = "Thresholds outside `threshold_range` are moved to the nearest score inside."


class ChosenThresholds:
    """The source of the thresholds of a result, in words."""

    __slots__ = ()

    notes: tuple[str, ...]
    threshold_source: Source

    @property
    def optimistic(self) -> bool:
        """Whether `estimate` is too low because its thresholds were chosen on the same cases."""
        return OPTIMISTIC in self.notes

    def _claims(self) -> list[str]:
        said: list[str] = super()._claims()  # type: ignore[misc]
        return (
            [*said, "estimate optimistic: thresholds chosen on the same cases"] if self.optimistic else said
        )


def contrast(data: Scores | Pair, costs: tuple[AtThresholds, ...]) -> Contrast:
    """Return the cost of one model, or the difference of two."""
    return one(data, costs[0]) if isinstance(data, Scores) else minus(data, (costs[0], costs[1]))


def compared(data: Scores | Pair, quantity: str, thresholds: Any) -> dict[str, Any]:
    """Return the fields of a result that show who is compared: one model at its thresholds, or two."""
    if isinstance(data, Scores):
        return {"quantity": quantity, "threshold": thresholds}
    label, (a, b) = difference_label(quantity, data), thresholds
    return {"quantity": label, "threshold_a": a, "threshold_b": b, "design": design_of(data)}


def given_thresholds(name: str, threshold: ArrayLike, h: int, per: str = "w") -> FloatArray:
    """Return one threshold for each place; a single one serves for all."""
    values = check_threshold(name, threshold)
    if len(values) not in (1, h):
        rule = f"be one number, or one per value of `{per}` ({h})"
        raise ArgumentError(name, rule, len(values), f"Give one number, or {h} of them.")
    return np.broadcast_to(values, h)


def choose(
    data: Scores | Pair, criterion: Criterion, given: Mapping[str, ArrayLike | None], validation: object
) -> tuple[tuple[FloatArray, ...], Source]:
    """Thresholds of each model, one per loss, and their source; `given` holds those requested, by name."""
    named = {name: threshold for name, threshold in given.items() if threshold is not None}
    missing = [name for name in given if name not in named]
    for name, threshold in named.items():
        if validation is not None:
            rule = "be left out when `validation` is given"
            raise ArgumentError(name, rule, threshold, f"Leave out `{name}` or `validation`.")
        if missing:
            rule = f"be given together with `{name}`"
            raise ArgumentError(missing[0], rule, None, "Give both thresholds, or neither.")
    if named:
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
    """Thresholds of each model, moved to the nearest with cases, or cases of each class, on both sides."""
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
            rule = "be left out where no threshold has such cases on both sides"
            raise ArgumentError("threshold_range", rule, threshold_range, "Leave it out.")
        moved.append(np.clip(threshold, kept[-1], kept[0]))
    return tuple(moved)


def check_like(data: Scores | Pair, validation: object) -> Scores | Pair:
    """Return the validation sample if it has as many models as the data, and other cases."""
    check = check_scores if isinstance(data, Scores) else check_pair
    found = check("validation", validation, widens=True, dependent=True)
    check_other_cases(models_of(data), models_of(found))
    return found


def check_other_cases(models: Iterable[Scores], others: Iterable[Scores]) -> None:
    """Refuse a validation sample that is the sample itself, or has its cases, or some of them only.

    Where scores hardly tie, nearly all labels and scores of one sample are in another by no chance.
    """
    pairs = list(zip(models, others, strict=True))
    if all(own == other for own, other in pairs) or any(
        own is other or _recurs(own, other) for own, other in pairs
    ):
        rule = "contain other cases than those evaluated"
        remedy = "Use other cases, or leave out `validation`."
        raise ArgumentError("validation", rule, "the same cases", remedy)


def _recurs(own: Scores, other: Scores) -> bool:
    """Whether nearly all cases of one sample, of either class, are in the other one."""
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
    """How much too low the sample's cost is when thresholds are chosen on the same cases.

    Cross-validation: the cases of each class, or whole clusters, are dealt into folds, the cheapest
    thresholds of all folds but one are priced on that one, and the mean price, less the apparent one, is the
    optimism. Add it to `cost_curve(scores, w).estimate` for a fair estimate. (The bootstrap's estimate of
    optimism misses part of it, since a resample shares most of its cases with the sample.)

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    w : float or array-like of shape (h,), optional
        In [0, 1]; 101 even steps by default.
    folds : int
        At least 2, and no more than the cases, or clusters, of the rarer class (fewer are used then).
    repeats : int
        Random deals to average over.
    rng : Generator, int or None

    Returns
    -------
    ndarray of shape (h,)
        Slightly too high on average, as the thresholds see only a share 1 − 1/folds of the cases; single
        entries may be negative by chance.

    Raises
    ------
    ValueError
        A class of a single case, fewer than two folds or one repeat.

    See Also
    --------
    cost_band : Intervals that pay for the choice of thresholds.

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
        rule = "contain two cases of each class that are not in one cluster, nor in clusters that cross"
        raise ArgumentError("scores", rule, (scores.n_pos, scores.n_neg), "Add cases of the rarer class.")
    deals = check_count("repeats", repeats, maximum=MOST_RESAMPLES)
    return optimism_at(scores, Criterion.cost(at), k, deals, make_rng(rng))


# --- the binormal optimum ----------------------------------------------------------------------------


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


def _check_normal(name: str, value: Any, *, positive: bool) -> float:
    number = float(as_floats(name, np.atleast_1d(value))[0]) if np.size(value) == 1 else np.nan
    if not np.isfinite(number) or (positive and number <= 0.0):
        rule = "be a positive finite number" if positive else "be a finite number"
        raise ArgumentError(name, rule, value, f"Write {name}=1.0, or what the scores have.")
    return number


def binormal_threshold(
    w: ArrayLike, *, mean_pos: float, sd_pos: float, mean_neg: float = 0.0, sd_neg: float = 1.0
) -> FloatArray:
    """Threshold of least expected cost when the scores of both classes are normal.

    Minimises w·Φ((t − μ₊)/σ₊) + (1 − w)·Φ((μ₋ − t)/σ₋). Setting the derivative to zero is a quadratic in
    t: with unequal spreads it has two roots, one a minimum and one a maximum, or none. The minimum is
    compared with the infinite thresholds (call everybody, call nobody), either of which can be cheaper.

    Parameters
    ----------
    w : float or array-like of shape (h,)
        In [0, 1].
    mean_pos, sd_pos, mean_neg, sd_neg : float
        Mean and standard deviation of the positives' and of the negatives' scores. For a binormal model
        with intercept a and slope b, on the negatives' standard scale: mean_pos = a/b, sd_pos = 1/b.

    Returns
    -------
    ndarray of shape (h,)
        ±inf where a trivial classifier is best.

    Raises
    ------
    ValueError
        w outside [0, 1], or a spread that is not positive.

    See Also
    --------
    BinormalModel.fit : Intercept and slope from scores.

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
    law = Binormal(
        _check_normal("mean_pos", mean_pos, positive=False),
        _check_normal("sd_pos", sd_pos, positive=True),
        _check_normal("mean_neg", mean_neg, positive=False),
        _check_normal("sd_neg", sd_neg, positive=True),
    )
    nobody = np.full_like(weight, np.inf)
    candidates = np.stack([nobody, _local_minimum(weight, law), -nobody])
    fnr, fpr = law.rates(candidates)
    cost = weight * fnr + (1.0 - weight) * fpr
    return np.asarray(candidates[np.argmin(cost, axis=0), np.arange(len(weight))])


def _local_minimum(w: FloatArray, law: Binormal) -> FloatArray:
    """Finite threshold where the cost stops falling and starts to rise; inf where there is none.

    With t measured from the negatives' mean in their deviations, the derivative has the sign of
    g(t) = A·t² + B·t + C, the log of w·f₊ over (1 − w)·f₋; at a minimum g rises through zero.
    """
    b = law.sd_neg / law.sd_pos
    a = (law.mean_pos - law.mean_neg) / law.sd_pos
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        square, product = 0.5 * (1.0 - b * b), a * b
        constant = np.log(w) - np.log1p(-w) + np.log(b) - 0.5 * a * a
        # The roots are those of any multiple, and large numbers have no squares; powers of two round nothing.
        size = np.maximum(np.abs(constant), max(abs(square), abs(product)))
        size = np.ldexp(1.0, np.frexp(np.where(np.isfinite(size), size, 1.0))[1] - 1)
        quadratic, linear, constant = square / size, product / size, constant / size
        root = np.sqrt(linear * linear - 4.0 * quadratic * constant)
        # The slope of g at its roots is ±root; the rising one, in the form that does not cancel.
        t = np.where(linear >= 0.0, -2.0 * constant / (linear + root), (root - linear) / (2.0 * quadratic))
    inside = np.isfinite(t) & (root > 0.0)
    return np.where(inside, law.mean_neg + law.sd_neg * np.where(inside, t, 0.0), np.inf)
