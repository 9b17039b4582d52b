"""Interval of a contrast by a method, as the fields of a result.

Steps common to all methods are done here: the interval includes its estimate, is clipped to the bounds of the
statistic, is widened for rounded scores and for optimism of a value chosen on the same table, and reports the
method used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from confroc._check import DesignError
from confroc._types import Ends
from confroc.base import FAMILIES, Contrast, Family, Guarantee, Kind, Method, Outcome, Statistic
from confroc.distributions import biased_quantile, normal_quantile
from confroc.hypotheses import Hypothesis
from confroc.influence import design_effect, has_influence, measured_classes, measured_number
from confroc.moments import Measured, effective_sizes
from confroc.results import Difference, Interval, Intervals, Regions
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    UnpairedScores,
    difference_errors,
    difference_label,
    errors_of,
    models_of,
    notes_of_classes,
)
from confroc.statistics.rates import INTERPOLATED, LOWER_ZERO, RateAtRate

OPTIMISTIC = (
    "Thresholds were chosen on the same cases, so the estimate is optimistic. Choose them on other cases."
)
ROUNDED = "Scores were rounded; the result is widened by up to {most:.2g}."


M = TypeVar("M", bound=Method)


class Inferred(NamedTuple):
    """Fields common to all results."""

    estimate: Any
    lower: Any
    upper: Any
    standard_error: Any
    statistic: Any
    pvalue: Any
    least_pvalue: float
    threshold: Any
    method: Method
    guarantee: Guarantee
    kind: Kind
    notes: tuple[str, ...]
    optimism: Any
    design_effect: float | None


def family_of(statistic: Statistic, ability: str) -> Family:
    """Return the methods for a statistic: those of its named function, or the general ones."""
    for entry in FAMILIES.values():
        if (entry.statistic, entry.ability) == (statistic.name, ability):
            return entry
    name = statistic.default_method if ability == "interval" else statistic.default_difference
    if ability == "comparison":
        name = "wald" if has_influence(statistic) and name != "bootstrap" else "bootstrap"
    return Family(ability, statistic.title, statistic.name, ability, name, listed=True)


def one(scores: Scores, statistic: Statistic) -> Contrast:
    """The contrast of one model's statistic."""
    return Contrast(scores, (scores,), (statistic,))


def minus(
    pair: Pair,
    statistics: tuple[Statistic, Statistic],
    hypothesis: Any = None,
    models: tuple[int, int] = (0, 1),
    **known: Any,
) -> Contrast:
    """The contrast of two models' statistics, first minus second."""
    tables = tuple(models_of(pair)[i] for i in models)
    return Contrast(pair, tables, statistics, (1.0, -1.0), models, hypothesis, known=known)


def bounds_of(x: Contrast) -> tuple[Any, Any]:
    """Minimum and maximum of a contrast."""
    sides = [
        tuple(w * b for b in (s.bounds if w > 0.0 else s.bounds[::-1]))
        for w, s in zip(x.weights, x.statistics, strict=True)
    ]
    return sum(low for low, _ in sides), sum(high for _, high in sides)


def rounding_of(x: Contrast) -> tuple[Any, Any]:
    """Bounds on the error of a contrast due to rounded scores, below and above."""
    errors = [
        s.rounding(t) if hasattr(s, "rounding") else errors_of(t, s.value)
        for s, t in zip(x.statistics, x.tables, strict=True)
    ]
    return errors[0] if x.single else difference_errors(*errors)


def infer(x: Contrast, method: Method, level: float, *, widens: bool = True) -> Inferred:
    """Return estimate, interval, guarantee and notes of a contrast by a method.

    Without `widens` the caller accounts for rounded scores.
    """
    x = settled(x)
    dependent = any(t.design is not None for t in x.tables)
    found = measured_number(x) if dependent else []
    out: Outcome = _of_dependent(x, method, level, found) if dependent else method(x, level)
    used = out.used or method
    estimate = x.value if out.estimate is None else out.estimate
    lower, upper = np.minimum(out.lower, estimate), np.maximum(out.upper, estimate)
    moved = sum(w * s.optimism(t) for w, s, t in zip(x.weights, x.statistics, x.tables, strict=True))
    known = np.nan_to_num(moved)  # An optimism that is not known is not added.
    low, high = bounds_of(x)
    if np.any(known):
        lower, upper = _with_bias(estimate, lower, upper, known, level)
        estimate = np.clip(estimate + known, low, high)
    lower, upper = np.maximum(lower, low), np.minimum(upper, high)
    notes = out.notes + notes_of_classes(*x.tables) + ((OPTIMISTIC,) if np.isnan(moved).any() else ())
    pairs = [p for p in zip(x.statistics, x.tables, strict=True) if isinstance(p[0], RateAtRate)]
    if pairs and out.estimate is None and any(s.interpolated(t).any() for s, t in pairs):
        notes += (INTERPOLATED,)
    zero = np.atleast_1d((lower <= 0.0) & (estimate > 0.0))
    if pairs and x.single and pairs[0][0].wanted == "tpr" and zero.any():
        notes += (f"{LOWER_ZERO}{pairs[0][0].places[zero].max():.3g}.",)
    if x.hypothesis is not None:
        lower, upper = x.hypothesis.opened(lower, upper, low, high)
    if (
        widens
        and used.widens
        and all(s.monotone for s in x.statistics)
        and not all(t.exact for t in x.tables)
    ):
        down, up = rounding_of(x)
        most = float(max(np.max(down), np.max(up)))
        if most > 0.0:
            lower, upper = np.maximum(low, lower - down), np.minimum(high, upper + up)
            notes += (ROUNDED.format(most=most),)
    number = x.statistic.is_number
    thresholds = [s.threshold_of(t) for s, t in zip(x.statistics, x.tables, strict=True)]
    return Inferred(
        estimate=_plain(estimate, number),
        lower=_plain(lower, number),
        upper=_plain(upper, number),
        standard_error=_plain(out.standard_error, number),
        statistic=_plain(out.statistic, number),
        pvalue=_plain(np.minimum(1.0, out.pvalue), number),
        least_pvalue=out.least_pvalue,
        threshold=thresholds[0] if x.single else tuple(thresholds),
        method=used,
        guarantee=out.guarantee or used.guarantee,
        kind=used.kind,
        notes=notes,
        optimism=_plain(moved, number),
        design_effect=design_effect(found),
    )


def settled(x: Contrast) -> Contrast:
    """Return the contrast of statistics that have what they take from their tables, e.g. thresholds."""
    pairs = zip(x.statistics, x.tables, strict=True)
    each = (s.settled(t, x.tables) if hasattr(s, "settled") else s for s, t in pairs)
    return replace(x, statistics=tuple(each))


def _with_bias(estimate: Any, lower: Any, upper: Any, bias: Any, level: float) -> Ends:
    """Limits for a bias between zero and the estimated one (Imbens & Manski 2004)."""
    two_sided = normal_quantile(level)
    deviation = np.maximum((upper - lower) / (2.0 * two_sided), 1e-300)
    share = biased_quantile(np.minimum(np.abs(bias) / deviation, 40.0), level) / two_sided
    return (
        estimate - share * (estimate - lower) + np.minimum(bias, 0.0),
        estimate + share * (upper - estimate) + np.maximum(bias, 0.0),
    )


def _of_dependent(x: Contrast, method: Method, level: float, known: Sequence[Measured]) -> Outcome:
    """Return the interval for weighted, clustered or stratified cases."""
    method = for_dependent(method)
    parts = tuple(m for each in known for m in each.parts)
    if method.dependence == "own":
        return method(replace(x, known={**x.known, "moments": parts}) if parts else x, level)
    if known:
        error = math.sqrt(max(0.0, sum(m.variance for m in parts)))
        return method(resized(x, known), level)._replace(standard_error=error, estimate=None)
    if x.statistic.at is None:
        return method(resized(x), level)._replace(estimate=None)
    found = []
    for i in range(len(x.statistic.at[1])):
        here = replace(x, statistics=tuple(s.at_place(i) for s in x.statistics))
        found.append(method(resized(here), level)._replace(estimate=None))
    return _put_together(found)


def for_dependent(method: M) -> M:
    """Return the method for weighted, clustered or stratified cases; raise if it has none."""
    found: M = method.of_dependent
    if found.dependence == "refused":
        raise no_dependent_form(method)
    return found


def no_dependent_form(method: Method) -> DesignError:
    """Return the error for a method without support for weights, clusters and strata."""
    rule = "support the weights, clusters or strata of the scores"
    return DesignError("method", rule, str(method), method.instead)


def _put_together(found: Sequence[Outcome]) -> Outcome:
    """Combine the outcomes at each abscissa."""
    first: Any = found[0]
    columns = {}
    for name in ("lower", "upper", "estimate", "standard_error", "statistic", "pvalue"):
        values = [getattr(each, name) for each in found]
        one = values[0] is None or np.ndim(values[0]) == 0
        columns[name] = values[0] if one else np.concatenate(values, axis=-1)
    notes = tuple(dict.fromkeys(note for each in found for note in each.notes))
    together: Outcome = first._replace(**columns, notes=notes)
    return together


def resized(x: Contrast, known: Sequence[Measured] = ()) -> Contrast:
    """Return the contrast of equally informative samples of independent cases, of effective sizes.

    Unchanged without a design. What is known of the original samples does not hold for them.
    """
    if all(t.design is None for t in x.tables):
        return x
    data: list[Any] = [
        each.data
        if each.data.design is None
        else each.data._resized(*effective_sizes(each, x.statistic.separate))
        for each in known or measured_classes(x)
    ]
    if isinstance(x.data, PairedScores):
        return replace(x, data=data[0], tables=tuple(data[0].models[i] for i in x.models), known={})
    whole: Any = data[0] if x.single else UnpairedScores(*data)
    return replace(x, data=whole, tables=tuple(data), models=tuple(range(len(data))), known={})


def fields_of(found: Inferred, level: float, *notes: str) -> dict[str, Any]:
    """Return the fields of every interval, with further notes."""
    names = ("estimate", "lower", "upper", "method", "guarantee", "kind")
    shared = {name: getattr(found, name) for name in names}
    return {**shared, "confidence_level": level, "notes": found.notes + notes}


def thresholds_of(found: Inferred) -> dict[str, Any]:
    """Return the thresholds that a result carries: its own, or those of both models."""
    both = found.threshold if isinstance(found.threshold, tuple) else (found.threshold,)
    names = ("threshold",) if len(both) == 1 else ("threshold_a", "threshold_b")
    return {name: at for name, at in zip(names, both, strict=True) if at is not None}


def interval_of(found: Inferred, statistic: Statistic, level: float) -> Interval:
    """Return the result for a scalar statistic."""
    return Interval(
        quantity=statistic.label,
        standard_error=found.standard_error,
        design_effect=found.design_effect,
        **thresholds_of(found),
        **fields_of(found, level),
    )


def difference_of(found: Inferred, statistic: Statistic, pair: Pair, hypothesis: Hypothesis) -> Difference:
    """Return the result for the difference between two scalar statistics."""
    return Difference(
        quantity=difference_label(statistic.label, pair),
        **thresholds_of(found),
        **fields_of(found, hypothesis.interval_level),
        statistic=found.statistic,
        pvalue=found.pvalue,
        least_pvalue=found.least_pvalue,
        standard_error=found.standard_error,
        design_effect=found.design_effect,
        design=design_of(pair),
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
    )


def design_of(data: Pair) -> Literal["paired", "unpaired"]:
    """Return the design of the comparison."""
    return "paired" if isinstance(data, PairedScores) else "unpaired"


def intervals_of(found: Inferred, quantity: str, at: tuple[str, Any], level: float) -> Intervals:
    """Return the result for a statistic at several places."""
    arrays = thresholds_of(found)
    arrays |= {"pvalue": found.pvalue} if isinstance(found.pvalue, np.ndarray) else {}
    return Intervals(quantity=quantity, at_name=at[0], at=at[1], **arrays, **fields_of(found, level))


def regions_of(
    found: Inferred,
    names: Sequence[str],
    at: tuple[str, Any],
    level: float,
    side_level: float,
    *,
    joint: bool,
    **more: Any,
) -> Regions:
    """Return the result for named rates in rows of an array."""
    sides = [
        intervals_of(
            found._replace(estimate=found.estimate[i], lower=found.lower[i], upper=found.upper[i]),
            name,
            at,
            side_level,
        )
        for i, name in enumerate(names)
    ]
    return Regions(
        at_name=at[0],
        at=at[1],
        fpr=sides[0],
        tpr=sides[1],
        precision=sides[2] if len(sides) > 2 else None,
        confidence_level=level,
        joint=joint,
        method=found.method,
        guarantee=found.guarantee,
        notes=found.notes,
        **more,
    )


def _plain(value: Any, number: bool) -> Any:
    """A float in place of an array of one, for a scalar statistic."""
    return float(np.reshape(value, ())) if number and np.size(value) == 1 else value
