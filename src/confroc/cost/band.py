"""Simultaneous bands for cost curves and their differences, and the ranges of w where one side is cheaper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, ArgumentTypeError, check_level
from confroc._options import CostBandOptions, CostDifferenceBandOptions
from confroc._types import FloatArray, Sampling
from confroc.base import Method, family, lists_methods
from confroc.cost.conditions import envelope, trivial_cost
from confroc.cost.resampled_errors import CostBandMethod
from confroc.cost.thresholds import (
    ChosenThresholds,
    Source,
    check_like,
    choose,
    compared,
    contrast,
    placed,
)
from confroc.inference import OPTIMISTIC, bounds_of, rounding_of
from confroc.results import Band, Curve, between, one_sided_limits, percent
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    models_of,
    widened,
)
from confroc.statistics.cheapest import Criterion
from confroc.statistics.cost import Cost
from confroc.statistics.prevalence import Count, check_w, share_in_curve

Side: TypeAlias = Literal["a", "b", "model", "trivial"]
IN_WORDS = {"a": "model a", "b": "model b", "model": "the model", "trivial": "a trivial classifier"}


class WeightRange(NamedTuple):
    """A range of w in which one side is cheaper.

    Attributes
    ----------
    cheaper : {"a", "b", "model", "trivial"}
        The cheaper of two models, or of one model and the trivial classifiers.
    low, high : float
        Ends of the range.
    confidence_level : float
        Simultaneous level of all ranges of a band.
    """

    cheaper: Side
    low: float
    high: float
    confidence_level: float

    def __str__(self) -> str:
        where = f"w = {between(self.low, self.high)}"
        return f"{where}: {IN_WORDS[self.cheaper]} is cheaper ({percent(self.confidence_level)} simultaneous)"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostBand(ChosenThresholds, Band):
    """Simultaneous band for the cost curve of one model, or for the difference a − b of two.

    Attributes
    ----------
    threshold : ndarray of shape (g,), optional
        Threshold at each w.
    threshold_a, threshold_b : ndarray of shape (g,), optional
        Thresholds of both models of a difference.
    threshold_source : {"given", "validation", "same_sample"}
    optimistic : bool
        Whether `estimate` is optimistic because thresholds were chosen on the same cases. The band allows
        for this.
    sampling : {"stratified", "full"}
    critical : float
        Half-width of the band in standard errors.
    prior : float
        Prevalence: that of the sample, or the one estimated from other cases.
    everywhere : bool
        True if the level is for all w from 0 to 1. The edges are then linear between neighboring entries of
        `at` (times the normalizing factor, under full sampling), and a repeated w is a change of threshold.
        False if the level is for the entries of `at` only.
    at, estimate, lower, upper, design, ...
        As in `Band`; `at` is w.
    """

    critical: float
    prior: float
    everywhere: bool
    threshold_source: Source
    sampling: Sampling
    threshold: FloatArray | None = None
    threshold_a: FloatArray | None = None
    threshold_b: FloatArray | None = None

    def contains(
        self, curve: Curve | tuple[ArrayLike, ArrayLike] | Callable[[FloatArray], ArrayLike]
    ) -> bool:
        """Whether a cost curve is inside the band at all of its w.

        Parameters
        ----------
        curve : (w, cost) or callable
            Vertices, joined by straight lines (times the normalizing factor, under full sampling); repeated w
            are jumps. Or a function of an array of w.

        Raises
        ------
        TypeError
            `curve` is neither.
        """
        if not (callable(curve) or isinstance(curve, tuple)):
            remedy = (
                "Pass `(envelope.w, envelope.cost)` of a lower envelope, or `(curve.at, curve.estimate)`."
            )
            raise ArgumentTypeError("curve", "be (w, cost) or a function of w", type(curve).__name__, remedy)
        if self.sampling == "full":
            factor = self._scale(self.at)
            scaled = replace(
                self, sampling="stratified", lower=self.lower / factor, upper=self.upper / factor
            )
            if callable(curve):
                return scaled.contains(lambda w: np.asarray(curve(w)) / self._scale(w))
            w, cost = (np.asarray(values, dtype=np.float64) for values in curve)
            return scaled.contains((w, cost / self._scale(w)))
        if self.everywhere:
            return super().contains(curve)
        if callable(curve):
            sides = [np.asarray(curve(self.at), dtype=np.float64)]
        else:
            w, cost = (np.asarray(values, dtype=np.float64) for values in curve)
            sides = [*one_sided_limits(w, cost, self.at)]
        low, high = self.lower - 1e-12, self.upper + 1e-12
        return all(bool(((side >= low) & (side <= high)).all()) for side in sides)

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """Return rows to print; of a band for its entries only, no interpolated ones."""
        if self.everywhere:
            return super()._shown(most)
        spread = np.linspace(0, len(self) - 1, most or len(self))
        rows = np.unique(spread.round().astype(np.int64))
        return {name: values[rows] for name, values in self._columns().items()}, None

    def _scale(self, w: FloatArray) -> FloatArray:
        """Ratio of the costs under full and stratified sampling at the same rates and prevalence."""
        if self.sampling == "stratified":
            return np.ones_like(w)
        return full_factor(w, self.prior)

    def cheaper(self) -> tuple[WeightRange, ...]:
        """Ranges of w where one side is significantly cheaper, simultaneously at the confidence level.

        For a difference the sides are the two models. For one model they are the model and the trivial
        classifiers, which predict the same class for all cases.

        Examples
        --------
        >>> from confroc import PairedScores, cost_difference_band
        >>> y = [0] * 200 + [1] * 200
        >>> a = list(range(200)) + list(range(120, 320))
        >>> b = [(37 * i) % 200 + (10 if i >= 200 else 0) for i in range(400)]
        >>> band = cost_difference_band(PairedScores(y, a, b), w=[0.3, 0.4, 0.5, 0.6], rng=1)
        >>> print(*band.cheaper())
        w = 0.3 to 0.6: model a is cheaper (95% simultaneous)
        """
        at, factor = self.at, self._scale(self.at)
        lower, upper = self.lower / factor, self.upper / factor
        sides: tuple[Side, Side] = ("a", "b")
        if self.design is None:
            sides = ("model", "trivial")
            # The trivial cost min(w, 1 − w) has a kink at one half, where a linear piece is cut in two.
            i = int(np.searchsorted(at, 0.5))
            if self.everywhere and 0 < i < len(at) and at[i] != 0.5:
                share = (0.5 - at[i - 1]) / (at[i] - at[i - 1])
                lower, upper = (np.insert(e, i, e[i - 1] + share * (e[i] - e[i - 1])) for e in (lower, upper))
                at = np.insert(at, i, 0.5)
            lower, upper = lower - trivial_cost(at), upper - trivial_cost(at)
        found = [
            WeightRange(side, low, high, self.confidence_level)
            for side, edge in zip(sides, (upper, -lower), strict=True)
            for low, high in negative_pieces(at, edge, self.everywhere)
        ]
        return tuple(sorted(found, key=lambda r: r.low))

    @property
    def different_at(self) -> tuple[tuple[float, float], ...]:
        """Ranges of w where the band excludes zero, as (low, high); for a difference those of `cheaper`."""
        if self.design is None:
            return super().different_at
        return tuple((part.low, part.high) for part in self.cheaper())


def full_factor(w: FloatArray, prior: float) -> FloatArray:
    """Ratio of the costs under full and stratified sampling at the same rates and prevalence."""
    return prior * (1.0 - prior) / np.maximum(w * (1.0 - prior), (1.0 - w) * prior)


def negative_pieces(at: FloatArray, edge: FloatArray, everywhere: bool) -> list[tuple[float, float]]:
    """Return where an edge is negative: runs of entries, or the exact ranges of a piecewise linear edge."""
    negative = edge < 0.0
    if not everywhere:
        change = np.flatnonzero(np.diff(np.concatenate([[False], negative, [False]]).astype(int)))
        return [(float(at[i]), float(at[j - 1])) for i, j in zip(change[::2], change[1::2], strict=True)]
    pieces: list[tuple[float, float]] = []
    for i in np.flatnonzero((negative[:-1] | negative[1:]) & (np.diff(at) > 0.0)).tolist():
        low, high = float(at[i]), float(at[i + 1])
        if not (negative[i] and negative[i + 1]):
            zero = low + (high - low) * float(edge[i] / (edge[i] - edge[i + 1]))
            low, high = (low, zero) if negative[i] else (zero, high)
        if pieces and pieces[-1][1] >= low:
            low = pieces.pop()[0]
        pieces.append((low, high))
    return pieces


COST_BAND = family("cost_band", "Band around the cost curve", ("cost", "band"), "studentized_bootstrap")
COST_DIFFERENCE_BAND = family(
    "cost_difference_band",
    "Band around the difference of two cost curves",
    ("cost_difference", "band"),
    "studentized_bootstrap",
)


@accepts_one_model
@lists_methods(COST_BAND)
def cost_band(
    scores: Scores,
    /,
    *,
    w: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    validation: Scores | None = None,
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str | Method = "studentized_bootstrap",
    confidence_level: float = 0.95,
    **options: Unpack[CostBandOptions],
) -> CostBand:
    """Simultaneous band for the cost curve of one model.

    Parameters
    ----------
    scores : Scores
    w : float or array-like of shape (h,), optional
        In [0, 1]: the band is for these w simultaneously, in increasing order. Default: the band is for all w
        from 0 to 1, and its entries are the ends of each range of w with the same threshold.
    threshold, validation
        As in `cost_curve`. Without either, thresholds are chosen on `scores`. The band is then for the cost
        of these thresholds in the population, and allows for their choice.
    prior : (float, float), optional
        As in `cost_curve`; those cases are resampled, too.
    sampling : {"stratified", "full"}
        As in `cost_curve`.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostBand
        In [0, 1]; with `prior` and for rounded scores as in `cost_curve`. Guarantee: bootstrap. In
        simulations the coverage at nominal 0.95 was 0.88 to 0.98 with 25 cases per class, 0.92 to 1.00 with
        100, and 0.93 to 1.00 with 1,000; with a prevalence of 0.2 estimated from 150 other cases, 0.87 to
        0.97 with 25 cases per class and 0.90 to 0.98 with more.

    Raises
    ------
    ValueError, TypeError
        As in `cost_curve`; also thresholds for several w without `w`.

    See Also
    --------
    cost_curve : Pointwise intervals.
    CostBand.cheaper : Where the model is cheaper than the trivial classifiers.

    Notes
    -----
    Resamples choose among at most 512 thresholds: the vertices of the sample's convex hull, and equally
    spaced ones. The time is proportional to n_resamples times the number of w.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 5 and 10 (variances).

    Examples
    --------
    >>> from confroc import Scores, cost_band
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> band = cost_band(scores, rng=1)
    >>> [(r.cheaper, round(r.low, 2), round(r.high, 2)) for r in band.cheaper()]
    [('model', 0.13, 0.82)]
    """
    chosen = COST_BAND.chosen(method, options, cost_band)
    check_scores("scores", scores, widens=True)
    given = {"threshold": threshold}
    return _band(scores, w, given, validation, prior, sampling, chosen, confidence_level)


@accepts_two_models
@lists_methods(COST_DIFFERENCE_BAND)
def cost_difference_band(
    pair: Pair,
    /,
    *,
    w: ArrayLike | None = None,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    validation: Pair | None = None,
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str | Method = "studentized_bootstrap",
    confidence_level: float = 0.95,
    **options: Unpack[CostDifferenceBandOptions],
) -> CostBand:
    """Simultaneous band for the difference a − b between the cost curves of two models.

    Model a is cheaper where the band is below zero, and model b where it is above zero; see
    `CostBand.cheaper`.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float or array-like of shape (h,), optional
        As in `cost_band`.
    threshold_a, threshold_b, validation
        As in `cost_difference`. Without them thresholds are chosen on `pair`, and the band is for the costs
        of these thresholds in the population.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostBand
        In [−1, 1]. Guarantee: bootstrap, as in `cost_band`.

    Raises
    ------
    ValueError, TypeError
        As in `cost_difference`; also thresholds for several w without `w`.

    See Also
    --------
    cost_difference : Pointwise intervals.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 8 and 13 (variances).

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores, cost_difference_band
    >>> a = Scores.from_counts([3, 2, 1], pos=[90, 8, 2], neg=[2, 18, 80])
    >>> b = Scores.from_counts([3, 2, 1], pos=[60, 30, 10], neg=[20, 40, 40])
    >>> band = cost_difference_band(UnpairedScores(a, b), rng=1)
    >>> [(r.cheaper, round(r.low, 1), round(r.high, 1)) for r in band.cheaper()]
    [('a', 0.1, 0.9)]
    """
    chosen = COST_DIFFERENCE_BAND.chosen(method, options, cost_difference_band)
    check_pair("pair", pair, widens=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    return _band(pair, w, given, validation, prior, sampling, chosen, confidence_level)


def _band(
    data: Scores | Pair,
    w: ArrayLike | None,
    given: Mapping[str, ArrayLike | None],
    validation: Scores | Pair | None,
    prior: Count | None,
    sampling: Sampling,
    method: CostBandMethod,
    confidence_level: float,
) -> CostBand:
    """Return the band of one model, or of the difference between two."""
    share, sampling = share_in_curve(data, prior, sampling)
    level = check_level(confidence_level)
    at, thresholds, source = _places(data, w, given, validation)
    costs = placed(Cost(w=at, sampling=sampling, prevalence=share), thresholds, source)
    x = contrast(data, costs)
    out, (low, most) = method.band(x, level), bounds_of(x)
    notes = share.notes + ((OPTIMISTIC,) if source == "same_sample" else ()) + out.notes
    # Between two entries of `at` the costs at their threshold are linear, and the least costs are concave, so
    # the effect of rounding is between its effects at the entries.
    band = CostBand(
        **compared(data, "cost", thresholds[0] if isinstance(data, Scores) else thresholds),
        at_name="w",
        at=at,
        estimate=x.value if out.estimate is None else out.estimate,
        lower=np.clip(out.lower, low, most),
        upper=np.clip(out.upper, low, most),
        at_range=(float(at[0]), float(at[-1])),
        confidence_level=level,
        method=method,
        guarantee=method.guarantee,
        notes=notes,
        kind=method.kind,
        critical=out.critical,
        prior=share.value,
        everywhere=w is None,
        threshold_source=source,
        sampling=sampling,
    )
    return widened(band, *rounding_of(x), bounds=(low, most))


def _places(
    data: Scores | Pair, w: ArrayLike | None, given: Mapping[str, ArrayLike | None], validation: object
) -> tuple[FloatArray, tuple[FloatArray, ...], Source]:
    """Return the requested w, or the ends of each range with the same thresholds; and the thresholds."""
    if w is not None:
        at = check_w(w)
        thresholds, source = choose(data, Criterion.cost(at), given, validation)
        order = np.argsort(at, kind="stable")
        return at[order], tuple(threshold[order] for threshold in thresholds), source
    for name, threshold in given.items():
        if threshold is not None and np.size(threshold) > 1:
            rule = f"be given with several values of `{name}`"
            raise ArgumentError("w", rule, None, "Give one w per threshold.")
    if any(threshold is not None for threshold in given.values()):
        at = np.array([0.0, 1.0])
        return at, *choose(data, Criterion.cost(at), given, validation)
    chosen_on = models_of(data if validation is None else check_like(data, validation))
    ends = np.unique(np.concatenate([envelope(scores).w for scores in chosen_on]))
    middle = 0.5 * (ends[:-1] + ends[1:])
    thresholds = tuple(np.repeat(Criterion.cost(middle).thresholds(scores), 2) for scores in chosen_on)
    return np.repeat(ends, 2)[1:-1], thresholds, "same_sample" if validation is None else "validation"
