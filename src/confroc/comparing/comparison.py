"""Comparison of several models or groups: values, differences, joint test, and the set of best models."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from confroc._check import ArgumentError, check_choice, check_level, warn
from confroc._types import FloatArray
from confroc.base import Method, Statistic
from confroc.comparing.contrasts import WaldTest, wald_test
from confroc.comparing.simultaneous import Simultaneous
from confroc.distributions import closed_pairs, holm, single_step, step_down
from confroc.inference import bounds_of, design_of, minus, one, rounding_of
from confroc.results import Adjustment, Comparison, Differences, Intervals, Test, notes_of
from confroc.scores import (
    Pair,
    PairedScores,
    UnpairedScores,
    difference_errors,
    no_pair,
    notes_of_classes,
    widened,
)

ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)
COMPARED = ("blanche2022", "hsu1996", "westfall1997", "krishnamoorthy2004")
"""Papers of comparisons of several models."""
COLUMNS = {"lower", "upper", "may_be_best", "kind", "method", "guarantee", "design", "confidence_level"}
"""Columns of a table of values other than the value."""

NO_JOINT_COVARIANCE = "A difference has zero variance; the joint p-value is the smallest adjusted p-value."


def compare(
    scores: Pair,
    statistic: Statistic,
    method: Method,
    adjust: str,
    reference: str | None,
    confidence_level: float,
) -> Comparison:
    """Return the comparison of several models, or samples, by a statistic."""
    if not isinstance(scores, PairedScores | UnpairedScores):
        raise no_pair("scores", scores)
    if not statistic.is_number:
        rule = "be a scalar statistic to compare models"
        remedy = "Use one rate or weight, e.g. TprAtFpr(0.1) or Cost(w=0.5)."
        raise ArgumentError("statistic", rule, statistic.name, remedy)
    chosen: Any = check_choice("adjust", adjust, ADJUSTMENTS)
    level = check_level(confidence_level)
    if reference is not None:
        check_choice("reference", reference, scores.names)
    x = Simultaneous(
        scores=scores,
        statistic=statistic,
        method=method,
        adjust=chosen,
        reference=None if reference is None else scores.names.index(reference),
        level=level,
    )
    values, differences, test = _values(x), _differences(x), _joint_test(x)
    cautions = tuple(dict.fromkeys(x.cautions_of_values + x.cautions_of_differences))
    for caution in cautions:
        warn(caution)
    notes = tuple(dict.fromkeys((*cautions, *notes_of(values, differences, test))))
    return Comparison(
        names=scores.names,
        intervals=values,
        differences=differences,
        test=test,
        may_be_best=tuple(scores.names[i] for i in _may_be_best(x)),
        reference=reference,
        adjust=chosen,
        design=design_of(scores),
        confidence_level=level,
        method=method,
        guarantee=method.guarantee,
        notes=notes + notes_of_classes(*x.models),
        kind=x.kind,
        alike=x.alike,
        lower_is_better=x.statistic.lower_is_better,
    )


# --- the parts of the result ---------------------------------------------------------------------------


def _values(x: Simultaneous) -> Intervals:
    found = [each.inferred for each in x.intervals]
    thresholds = [each.threshold for each in found]
    result = Intervals(
        quantity=x.statistic.label,
        at_name=_called(x.scores, x.statistic),
        at=np.array(x.scores.names),
        **{end: np.array([getattr(each, end) for each in found]) for end in ("estimate", "lower", "upper")},
        threshold=None if None in thresholds else np.array(thresholds),
        confidence_level=x.level,
        method=x.of_one,
        guarantee=x.of_one.guarantee,
        notes=tuple(dict.fromkeys((*x.cautions_of_values, *(n for each in found for n in each.notes)))),
        kind=x.kind,
    )
    down, up = np.array([rounding_of(one(table, x.statistic)) for table in x.models], dtype=np.float64).T
    return widened(result, down, up, bounds=x.statistic.bounds)


def _called(scores: Pair, statistic: Statistic) -> str:
    """Name of the rows of a table, unless another column has that name."""
    if isinstance(scores, PairedScores):
        return "model"
    return "group" if scores.by in COLUMNS or scores.by.startswith(statistic.name) else scores.by


def _differences(x: Simultaneous) -> Differences:
    names, rows = x.scores.names, x.rows
    tests = [x.tested[row].inferred for row in rows]
    alone = np.array([test.pvalue for test in tests])
    adjusted, single = _adjusted(x, alone)
    found = Differences(
        quantity=x.statistic.label,
        at_name=_called(x.scores, x.statistic),
        a=np.array([names[i] for i, _ in rows]),
        b=np.array([names[j] for _, j in rows]),
        **{
            name: np.array([getattr(test, name) for test in tests])
            for name in ("estimate", "lower", "upper", "standard_error", "statistic")
        },
        pvalue=adjusted,
        pvalue_single_step=single,
        pvalue_unadjusted=alone,
        least_pvalue=max((test.least_pvalue for test in tests), default=0.0),
        design=design_of(x.scores),
        confidence_level=x.level,
        method=x.method,
        guarantee=x.method.guarantee,
        notes=(*x.remarks, *x.cautions_of_differences),
        kind=x.kind,
    )
    errors = [rounding_of(one(table, x.statistic)) for table in x.models]
    down, up = np.array([difference_errors(errors[i], errors[j]) for i, j in rows]).T
    low, high = bounds_of(minus(x.scores, (x.statistic, x.statistic)))
    return widened(found, down, up, bounds=(low, high))


def _adjusted(x: Simultaneous, alone: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Adjusted p-values of the requested differences, and single-step ones."""
    if x.adjust == "none" or not x.shown:
        return alone, alone
    p = np.minimum(1.0, [x.test_of(*pair).pvalue for pair in x.shown])
    if x.adjust == "max_t":
        single = single_step(x.distribution_shown, p)
        if x.reference is None:
            found = closed_pairs(x.distribution, p, len(x.chosen))
        else:
            found = step_down(x.distribution_shown, p)
    else:
        single = np.minimum(1.0, len(p) * p)
        found = holm(p) if x.adjust == "holm" else single
    # Models with identical rankings share p-values and are not tested against each other.
    place = {pair: n for n, pair in enumerate(x.shown)}
    ends = np.sort(x.representative[np.array(x.rows)], axis=1).tolist()
    at = np.array([place.get((a, b), -1) for a, b in ends])
    return np.where(at < 0, alone, found[at]), np.where(at < 0, alone, single[at])


def _joint_test(x: Simultaneous) -> Test:
    values = x.spread.values[x.chosen]
    null = x.method.null_spread(x.scores, x.statistic, x.spread)
    if null is not None:
        test = wald_test(values, null[np.ix_(x.chosen, x.chosen)])
    else:
        test = wald_test(values, x.difference_variances, () if x.method.chi_squared else x.shares)
    method: Method | str = "wald"
    notes: tuple[str, ...] = ()
    if len(x.chosen) == 2 and not x.method.chi_squared:
        method, alone = x.method, x.test_of(0, 1)
        test = WaldTest(alone.statistic**2, 1, math.inf, min(1.0, alone.pvalue))
    elif not all(x.difference_variances[i, j] > 0.0 or values[i] == values[j] for i, j in x.pairs):
        method, each = x.method, [min(1.0, x.test_of(*pair).pvalue) for pair in x.pairs]
        test = WaldTest(math.nan, test.df, math.inf, float(single_step(x.distribution, each).min()))
        notes = (NO_JOINT_COVARIANCE,)
    return Test(
        quantity=x.statistic.label,
        **test._asdict(),
        design=design_of(x.scores),
        kind="simultaneous",
        method=method,
        guarantee=x.method.guarantee,
        notes=notes,
    )


def _may_be_best(x: Simultaneous) -> list[int]:
    """The models that are not significantly worse than another by Hsu's one-sided tests."""
    places = {pair: n for n, pair in enumerate(x.pairs)}
    alpha, d = 1.0 - x.level, len(x.chosen)
    values = x.spread.values[x.chosen] * (-1.0 if x.statistic.lower_is_better else 1.0)
    best = []
    for i in range(d):
        better = [j for j in range(d) if values[j] > values[i]]
        # Hsu's test needs only the most significant difference; the model with the best value is included.
        least = min((x.test_of(i, j).pvalue for j in better), default=1.0)
        if x.adjust == "max_t" and better:
            which = [places[min(i, j), max(i, j)] for j in range(d) if j != i]
            signs = [1 if j > i else -1 for j in range(d) if j != i]
            pvalue = x.distribution.upper_tail(float(x.distribution.quantile_alone(least)), which, signs)
        else:
            pvalue = 0.5 * least * (d - 1 if x.adjust in ("holm", "bonferroni") else 1)
        best.append(not better or pvalue > alpha)
    return [i for i, place in enumerate(x.representative) if best[place]]
