"""Costs and net benefits: linear functions of two error rates at thresholds."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import (
    ArgumentError,
    check_flag,
    check_instance,
    check_number,
    check_rate,
    check_size,
    check_threshold,
    make_rng,
)
from confroc._types import Ends, FloatArray, Sampling, Size
from confroc.base import Contrast
from confroc.influence import centered
from confroc.resample import check_sampling
from confroc.scores import Scores, errors_of
from confroc.statistics.cheapest import Criterion, optimism_of
from confroc.statistics.linear_cost import LinearCost, Turned, form_of
from confroc.statistics.prevalence import Prevalence, check_risks, check_share, check_unit_cost, share_of
from confroc.statistics.rates import AtPlaces


@dataclass(frozen=True, eq=False, kw_only=True)
class AtThresholds(AtPlaces):
    """Base class of costs and benefits at thresholds.

    Parameters
    ----------
    threshold : float or array-like of shape (h,), optional
        Thresholds. Default: the cheapest on the table itself.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence is estimated from the sample, or class sizes are fixed. Default: "full" without
        `prevalence`, "stratified" with it.
    prevalence : Prevalence, optional
        Prevalence in the target population. Default: that of the table.
    same_sample : bool
        Whether the given thresholds were chosen on the table.
    """

    threshold: ArrayLike | None = None
    sampling: Sampling = None  # type: ignore[assignment]
    prevalence: Prevalence | None = None
    same_sample: bool = False

    default_method: ClassVar[str] = "mid_p"
    default_difference: ClassVar[str] = "agresti_min"

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.sampling
        if self.prevalence is not None:
            remedy = "Omit it, or use the named function."
            check_instance("prevalence", self.prevalence, Prevalence, remedy)
        usual = "full" if self.prevalence is None else "stratified"
        object.__setattr__(self, "sampling", check_sampling(usual if given is None else given))

    def at_place(self, i: int) -> AtThresholds:
        """Return the statistic at one of its places, as an array of length 1."""
        here: dict[str, Any] = {self.given: self.places[i : i + 1]}
        if self.threshold is not None:
            here["threshold"] = np.broadcast_to(self.threshold, self.places.shape)[i : i + 1]
        return replace(self, **here)

    @property
    def chosen_here(self) -> bool:
        """Whether the thresholds are chosen on the table."""
        return self.same_sample or self.threshold is None

    @property
    def random(self) -> bool:
        """Whether the number of positives varies."""
        return self.sampling == "full" or bool(self.prevalence and self.prevalence.uncertain)

    @property
    def regular(self) -> bool:  # type: ignore[override]
        """Whether the influence of the cases of the table contains all uncertainty."""
        return not (self.prevalence and self.prevalence.uncertain)

    def share(self, *tables: Scores) -> Prevalence:
        """Return the prevalence in the target population; without one, that of all tables together."""
        return Prevalence(share_of(tables)) if self.prevalence is None else self.prevalence

    @property
    def together(self) -> bool:
        """Whether class sizes vary."""
        return self.sampling == "full"

    def settled(self, table: Scores, tables: Sequence[Scores]) -> AtThresholds:
        """Return the statistic with its thresholds and prevalence fixed to those of the tables."""
        known = replace(self, prevalence=self.share(*tables))
        return replace(known, threshold=known.thresholds(table), same_sample=self.chosen_here)

    def weights(self, share: Prevalence) -> FloatArray:  # noqa: ARG002
        """Return w, which determines the cheapest threshold."""
        return self.places

    def form(self, share: Prevalence) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the two rates."""
        raise NotImplementedError

    def offset(self, share: Prevalence) -> float:  # noqa: ARG002
        """Return the constant term."""
        return 0.0

    @property
    def turned(self) -> Turned:
        """Whether true positives and true negatives replace false negatives and false positives."""
        return False, False

    def criterion(self, table: Scores) -> Criterion:
        """Return the loss that the best threshold minimizes."""
        return Criterion.cost(self.weights(self.share(table)))

    def thresholds(self, table: Scores) -> FloatArray:
        """Return the thresholds, shape (h,)."""
        if self.threshold is None:
            return self.criterion(table).thresholds(table)
        return np.broadcast_to(check_threshold("threshold", self.threshold), self.places.shape)

    def threshold_of(self, table: Scores) -> Any:
        """Return the thresholds."""
        return self.shaped(self.thresholds(table))

    def _linear(
        self, data: Any, at: tuple[FloatArray, ...], tables: tuple[Scores, ...], size: Size = None
    ) -> LinearCost:
        share = self.share(*tables)
        form = self.form(share)
        found = LinearCost.of(data, at, form, self.sampling, size=size, turned=self.turned, share=share)
        return found._replace(chosen=self.chosen_here)

    def all_wrong(self, share: Prevalence) -> FloatArray:
        """Return the cost of a classifier that is always wrong."""
        miss, alarm = self.form(share)
        return share.value * miss + (1.0 - share.value) * alarm if self.random else miss + alarm

    def optimism(self, table: Scores) -> Any:
        """Return the optimism of the cost if the threshold was chosen on the table; NaN if unknown."""
        if not self.chosen_here:
            return 0.0
        found = self.all_wrong(self.share(table)) * optimism_of(table, self.criterion(table))
        return self.shaped(found)

    def linear(self, table: Scores, at: FloatArray | None = None) -> LinearCost:
        """Return the linear function for a table, by default at its own thresholds."""
        return self._linear(table, (self.thresholds(table) if at is None else at,), (table,))

    def linear_of(self, x: Contrast, size: Size = None) -> LinearCost:
        """Return the linear function for one model, or for the difference between two."""
        at = tuple(s.thresholds(t) for s, t in zip(x.statistics, x.tables, strict=True))
        return self._linear(x.data, at, x.tables, None if size is None else check_size(size, 1, 1))

    def offset_of(self, x: Contrast) -> float:
        """Return the constant term of a contrast; zero for a difference."""
        return self.offset(self.share(*x.tables)) if x.single else 0.0

    def value(self, table: Scores) -> Any:
        """Return the cost, or benefit, at each place."""
        return self.shaped(self.offset(self.share(table)) + self.linear(table).mean())

    def along(self, table: Scores, thresholds: FloatArray) -> FloatArray:
        """Return the cost, or benefit, of one place at each threshold."""
        return self.offset(self.share(table)) + self.linear(table, thresholds).mean()

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the influence of positives and negatives at each place.

        It is centered within classes, or over all cases if class sizes vary.
        """
        (alpha, beta), at = self.form(self.share(table)), self.thresholds(table)
        called = (table.score >= at[:, None]).astype(np.float64)
        positives, negatives = self.turned
        values = (
            alpha[:, None] * (called if positives else 1.0 - called),
            beta[:, None] * (1.0 - called if negatives else called),
        )
        of_pos, of_neg = centered(values, table, self.together)
        return (of_pos[0], of_neg[0]) if np.ndim(self.place) == 0 else (of_pos, of_neg)

    def replicates(self, x: Contrast, draws: Any, count: int) -> FloatArray:
        """Return resampled values at fixed thresholds, shape (count, h) or (count,)."""
        if draws.sampling not in (None, self.sampling):
            rule = "be omitted for a statistic with its own"
            raise ArgumentError("sampling", rule, draws.sampling, "Set it in the statistic.")
        found = self.linear_of(x, draws.size).replicates(count, make_rng(draws.rng), draws.n_jobs)
        found = self.offset_of(x) + found
        return found[:, 0] if np.ndim(self.place) == 0 else found

    def rounding(self, table: Scores) -> Ends:
        """Return bounds on the effect of rounded scores, below and above the value.

        If thresholds were chosen on the rounded scores, the exact scores may have a cheaper one. Its cost is
        at least the minimum for the best ranking that is compatible with the rounded scores.
        """
        fixed, criterion = self.thresholds(table), self.criterion(table)

        def price(other: Scores) -> FloatArray:
            return self.linear(other, fixed).mean()

        def cheapest(other: Scores) -> FloatArray:
            return self.linear(other, criterion.thresholds(other)).mean()

        down, up = errors_of(table, price, at_best=cheapest if self.chosen_here else None)
        return self.shaped(down), self.shaped(up)


@dataclass(frozen=True, eq=False, kw_only=True)
class Cost(AtThresholds):
    """Normalized cost w·(1 − TPR) + (1 − w)·FPR (Dugas & Gadoury 2009, eqs. 3 and 9).

    Parameters
    ----------
    w : float or array-like of shape (h,)
        In [0, 1]: π·c_FN / (π·c_FN + (1 − π)·c_FP) for prevalence π and unit costs c.
    threshold, sampling, prevalence
        As in `cost_curve`; class sizes are fixed by default.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import Cost
    >>> Cost(w=0.5, threshold=2).value(Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80]))
    0.15000000000000002
    """

    w: ArrayLike
    sampling: Sampling = "stratified"

    given: ClassVar[str] = "w"
    name: ClassVar[str] = "cost"
    title: ClassVar[str] = "Normalized cost"
    lower_is_better: ClassVar[bool] = True

    @functools.cached_property
    def places(self) -> FloatArray:
        """The weights, in an array of shape (h,)."""
        return check_rate("w", self.w)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Zero and one; with an estimated prevalence, the cost at the least favorable one."""
        if self.prevalence is None or not self.prevalence.uncertain:
            return 0.0, 1.0
        return 0.0, self.shaped(np.maximum(*self.form(self.prevalence)))

    def form(self, share: Prevalence) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the two rates."""
        return form_of(self.places, share, self.sampling)


@dataclass(frozen=True, eq=False, kw_only=True)
class CostPerCase(AtThresholds):
    """Cost per case for given unit costs, in their currency.

    If the threshold is chosen on the table, the estimate and the upper limit of its interval are corrected
    for optimism by cross-validation.

    Parameters
    ----------
    false_negative, false_positive : float
        Unit costs.
    threshold, sampling, prevalence
        As in `expected_cost`.
    """

    false_negative: float
    false_positive: float

    name: ClassVar[str] = "cost_per_case"
    title: ClassVar[str] = "Cost per case"
    lower_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.unit

    @property
    def places(self) -> FloatArray:
        """One place."""
        return np.zeros(1)

    @property
    def place(self) -> ArrayLike:
        """One place."""
        return 0.0

    @property
    def at(self) -> None:
        """None, since the value is a number."""

    @functools.cached_property
    def unit(self) -> tuple[FloatArray, FloatArray]:
        """Both unit costs."""
        miss, alarm = (
            check_unit_cost(name, check_number(name, getattr(self, name)))
            for name in ("false_negative", "false_positive")
        )
        return miss, alarm

    @property
    def bounds(self) -> tuple[float, float]:
        """Zero, and the cost per case of a classifier that is always wrong."""
        if self.random or self.prevalence is None:
            return 0.0, float(max(*self.unit)[0])
        return 0.0, float(self.all_wrong(self.prevalence)[0])

    def weights(self, share: Prevalence) -> FloatArray:
        """Return the w that corresponds to the unit costs."""
        (miss, alarm), pi = self.unit, share.value
        return np.asarray(pi * miss / (pi * miss + (1.0 - pi) * alarm))

    def form(self, share: Prevalence) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the two rates."""
        miss, alarm = self.unit
        return (miss, alarm) if self.random else (share.value * miss, (1.0 - share.value) * alarm)

    @property
    def quantity(self) -> str:
        """Name of the value, with the unit costs."""
        miss, alarm = self.false_negative, self.false_positive
        named = f"cost per case (false negative {miss:g}, false positive {alarm:g})"
        return "error rate" if miss == alarm == 1.0 else named

    def trivial(self, table: Scores) -> float:
        """Return the cost of the better classifier that ignores the scores."""
        (miss, alarm), pi = self.unit, self.share(table).value
        return float(min(pi * miss[0], (1.0 - pi) * alarm[0]))


@dataclass(frozen=True, eq=False, kw_only=True)
class NetBenefit(AtThresholds):
    """Net benefit (TP − FP·r/(1 − r))/n at risk threshold r (Vickers & Elkin 2006).

    Parameters
    ----------
    risk : float or array-like of shape (h,)
        In (0, 1).
    threshold : float or array-like of shape (h,), optional
        Score at or above which a case is treated. Default: the risk itself.
    standardized : bool
        Divide by the prevalence, which must be known; the default of sampling is then "stratified".
    sampling, prevalence
        As in `net_benefit`.
    """

    risk: ArrayLike
    standardized: bool = False

    given: ClassVar[str] = "risk"
    name: ClassVar[str] = "net_benefit"
    title: ClassVar[str] = "Net benefit"

    def __post_init__(self) -> None:
        given: Any = self.sampling
        if check_flag("standardized", self.standardized) and given is None:
            object.__setattr__(self, "sampling", "stratified")
        super().__post_init__()
        if self.standardized and self.random:
            rule = "be omitted where the prevalence is an estimate"
            remedy = "Give the prevalence as one number, or use sampling='stratified'."
            raise ArgumentError("standardized", rule, True, remedy)

    @functools.cached_property
    def places(self) -> FloatArray:
        """The risk thresholds, in an array of shape (h,)."""
        return check_share("risk", self.risk)

    @property
    def bounds(self) -> tuple[float, float]:
        """None, since the bounds depend on the risk."""
        return -math.inf, math.inf

    @property
    def chosen_here(self) -> bool:
        """Whether the given thresholds were chosen on the table."""
        return self.same_sample

    def weights(self, share: Prevalence) -> FloatArray:
        """Return the w at which the threshold with the maximum benefit is the cheapest."""
        return share.value / -self.all_wrong(share) / self.unit(share)

    def all_wrong(self, share: Prevalence) -> FloatArray:
        """Return the net benefit of a classifier that is always wrong minus that of a perfect one."""
        odds, pi = self.places / (1.0 - self.places), share.value
        return -(pi + (1.0 - pi) * odds) / self.unit(share)

    def thresholds(self, table: Scores) -> FloatArray:
        """Return the scores at or above which cases are treated."""
        if self.threshold is not None:
            return super().thresholds(table)
        remedy = "Give the threshold for each risk, or calibrated probabilities as scores."
        check_risks(table, " where no threshold is given", remedy)
        return self.places

    def form(self, share: Prevalence) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the two rates."""
        odds, pi = self.places / (1.0 - self.places), share.value
        if self.random:
            return np.ones_like(odds), -odds
        unit = self.unit(share)
        return np.full_like(odds, -pi / unit), -(1.0 - pi) * odds / unit

    def unit(self, share: Prevalence) -> float:
        """Return the divisor of the benefit."""
        return share.value if self.standardized else 1.0

    def treat_all(self, share: Prevalence) -> FloatArray:
        """Return the net benefit of treating all."""
        odds, pi = self.places / (1.0 - self.places), share.value
        return (pi - (1.0 - pi) * odds) / self.unit(share)

    def offset(self, share: Prevalence) -> float:
        """With a fixed number of positives, the benefit is that of all minus what is lost."""
        return 0.0 if self.random else share.value / self.unit(share)

    @property
    def turned(self) -> Turned:
        """With a random number of positives, true positives are counted."""
        return self.random, False


@dataclass(frozen=True, eq=False, kw_only=True)
class InterventionsAvoided(NetBenefit):
    """Net reduction in interventions per 100 patients, compared with treating all, at risk threshold r.

    100·(TN − FN·(1 − r)/r)/n, which is 100·(1 − r)/r times the difference in net benefit (Vickers & Elkin
    2006).
    """

    title: ClassVar[str] = "Interventions avoided per 100 patients"

    def form(self, share: Prevalence) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of the two rates."""
        missed, pi = -100.0 * (1.0 - self.places) / self.places, share.value
        every = np.full_like(missed, 100.0)
        return (missed, every) if self.random else (pi * missed, (pi - 1.0) * every)

    def offset(self, share: Prevalence) -> float:
        """With a fixed number of negatives, those treated are subtracted from all."""
        return 0.0 if self.random else 100.0 * (1.0 - share.value)

    @property
    def turned(self) -> Turned:
        """With a random number of negatives, true negatives are counted."""
        return False, self.random
