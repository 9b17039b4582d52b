"""Comparison of several models or groups: values, differences, a joint test, and the set of best models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentError
from confroc._keywords import suggest
from confroc._types import FloatArray
from confroc.base import Kind
from confroc.results.base import Inference, Plottable, percent
from confroc.results.intervals import Difference, Intervals, label_of_two
from confroc.results.tests import Test

Adjustment = Literal["max_t", "holm", "bonferroni", "none"]
STEPWISE = (
    "a p-value can be significant although its interval contains 0; adjust='bonferroni' makes them agree"
)
ADJUSTED: dict[Adjustment, str] = {
    "max_t": "intervals: simultaneous (max-t); p-values (see differences): stepwise (max-t)",
    "holm": "intervals: simultaneous (Bonferroni); p-values (see differences): stepwise (Holm)",
    "bonferroni": "intervals: simultaneous (Bonferroni); p-values (see differences): adjusted (Bonferroni)",
    "none": "intervals and p-values (see differences): not adjusted",
}
"""What the intervals and the p-values of a comparison are, by adjustment."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Differences(Plottable, Inference):
    """Differences a − b of several pairs, with intervals and tests.

    Attributes
    ----------
    quantity, at_name : str
        The quantity, e.g. "auc", and what the names denote: "model", "group", or a column of groups.
    a, b : ndarray of str, shape (m,)
        Names of each pair.
    estimate, lower, upper, standard_error : ndarray of shape (m,)
    statistic : ndarray of shape (m,)
    pvalue : ndarray of shape (m,)
        P-values of the two-sided tests of zero difference, adjusted for multiplicity.
    pvalue_single_step : ndarray of shape (m,)
        Single-step adjusted p-values, consistent with the intervals: at most 1 − `confidence_level` exactly
        where the interval excludes zero, and never below `pvalue`.
    pvalue_unadjusted : ndarray of shape (m,)
        Unadjusted p-values.
    least_pvalue : float
        The smallest unadjusted p-value possible with these resamples; 0 for closed forms.
    design : {"paired", "unpaired"}
    confidence_level : float
        Joint level of all intervals if `kind` is "simultaneous", else of each.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    auc_comparison : Returns them.
    """

    quantity: str
    a: NDArray[np.str_]
    b: NDArray[np.str_]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    standard_error: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    pvalue_single_step: FloatArray
    pvalue_unadjusted: FloatArray
    least_pvalue: float = 0.0
    design: Literal["paired", "unpaired"]
    at_name: str = "model"

    def __len__(self) -> int:
        return len(self.estimate)

    def _columns(self) -> Mapping[str, Any]:
        names = ("a", "b", "estimate", "lower", "upper", "pvalue")
        return {name: getattr(self, name) for name in names}

    def _least(self) -> FloatArray:
        return np.where(self.pvalue_unadjusted == self.least_pvalue, self.pvalue, 0.0)

    def row(self, index: int) -> Difference:
        """One difference by position, with the adjusted p-value."""
        numbers: dict[str, Any] = {
            column: float(getattr(self, column)[index])
            for column in ("estimate", "lower", "upper", "standard_error", "statistic", "pvalue")
        }
        numbers |= {
            c: getattr(self, c) for c in ("design", "confidence_level", "method", "guarantee", "kind")
        }
        numbers["least_pvalue"] = float(self._least()[index])
        if len(self) == 1:
            # With one difference, pointwise and simultaneous coincide.
            numbers["kind"] = "pointwise"
        return Difference(
            quantity=label_of_two(self.quantity, self.a[index], self.b[index]), **numbers, notes=self.notes
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Comparison(Plottable, Inference):
    """Comparison of several models on the same cases, or of several groups of cases.

    Attributes
    ----------
    names : tuple of str
        In the order given.
    intervals : Intervals
        Interval of every model; `at` has the names.
    differences : Differences
        Differences of all pairs, earlier minus later, or of all others minus the `reference`.
    test : Test
        Test that all values are equal.
    may_be_best : tuple of str
        The models that do not differ significantly from the best one (Hsu's multiple comparisons with the
        best): the set contains the truly best model with probability `confidence_level`. If several are
        equally good, it contains each with this probability, but all of them less often: k equal models with
        probability 0.90, 0.87, 0.80 and 0.68 for k = 2, 3, 5 and 10 at 95%. The p-values of "max_t" control
        the joint error.
    reference : str or None
    adjust : {"max_t", "holm", "bonferroni", "none"}
        Adjustment of intervals, tests and the set for multiplicity.
    alike : tuple of tuple of str
        Sets of models with identical rankings, e.g. a model and its monotone transform; each set counts once.
    lower_is_better : bool
        Whether smaller values are better, as for costs.
    design : {"paired", "unpaired"}
    confidence_level : float
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    auc_comparison : Returns one.
    """

    names: tuple[str, ...]
    intervals: Intervals
    differences: Differences
    test: Test
    may_be_best: tuple[str, ...]
    reference: str | None
    adjust: Adjustment
    design: Literal["paired", "unpaired"]
    kind: Kind = "simultaneous"
    alike: tuple[tuple[str, ...], ...] = ()
    lower_is_better: bool = False

    @property
    def largest_gap(self) -> Difference:
        """The largest difference; simultaneous intervals account for this selection."""
        return self.differences.row(int(np.argmax(np.abs(self.differences.estimate))))

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names from best to worst value; ties in the order given."""
        values = self.intervals.estimate if self.lower_is_better else -self.intervals.estimate
        return tuple(self.names[i] for i in np.argsort(values, kind="stable"))

    def __getitem__(self, names: tuple[str, str]) -> Difference:
        """The difference of two models, first minus second."""
        given: Any = names
        if not isinstance(given, tuple) or len(given) != 2 or given[0] == given[1]:
            one, other = self.names[:2]
            remedy = f"Use both, e.g. comparison[{one!r}, {other!r}]."
            raise ArgumentError("names", "be two different compared models", names, remedy)
        for name in names:
            if name not in self.names:
                listed = ", ".join(map(repr, self.names))
                remedy = f"{suggest(name, self.names)}The names are {listed}."
                raise ArgumentError("names", "be two compared models", name, remedy)
        found = self.differences
        one, other = names
        for a, b, turned in ((one, other, False), (other, one, True)):
            at = np.flatnonzero((found.a == a) & (found.b == b))
            if len(at):
                row = found.row(int(at[0]))
                return row if not turned else _turned(row, label_of_two(found.quantity, one, other))
        remedy = "Omit `reference` to compare all pairs."
        raise ArgumentError("names", f"include the reference {self.reference!r}", names, remedy)

    def _columns(self) -> Mapping[str, Any]:
        order = [self.names.index(name) for name in self.ranking]
        values = {name: np.asarray(column)[order] for name, column in self.intervals._columns().items()}
        if self.reference is not None:
            pairs, rows = self.differences, [*self.differences.a]
            at = [rows.index(name) if name in rows else -1 for name in self.ranking]
            for name, column in (
                ("difference", pairs.estimate),
                ("difference_lower", pairs.lower),
                ("difference_upper", pairs.upper),
                ("pvalue", pairs.pvalue),
            ):
                # The reference has no difference from itself.
                values[name] = np.append(column, math.nan)[at]
        return values | {"may_be_best": [name in self.may_be_best for name in self.ranking]}

    def _heading(self) -> str:
        noun = "models on the same cases" if self.design == "paired" else "groups"
        return f"Comparison: {self.intervals.quantity} of {len(self.names)} {noun}"

    def _claims(self) -> list[str]:
        best = ", ".join(name for name in self.ranking if name in self.may_be_best)
        level = "each test by itself" if self.adjust == "none" else percent(self.confidence_level)
        both = f"method: {self.intervals.method}, differences: {self.method}"
        same = str(self.intervals.method) == str(self.method)
        *claims, last = (both if c.startswith("method: ") and not same else c for c in super()._claims())
        # One difference has no steps and no adjustment.
        pairs = self.differences
        adjusted = [ADJUSTED[self.adjust]] if len(pairs) > 1 else []
        significant = pairs.pvalue <= 1.0 - pairs.confidence_level
        if adjusted and np.any(significant & (pairs.lower <= 0.0) & (pairs.upper >= 0.0)):
            adjusted = [f"{adjusted[0]}; {STEPWISE}"]
        lines = [last, *adjusted, f"may be best ({level}, one-sided tests): {best}"]
        return [*claims, "\n".join([*lines, self.test.headline])]


def _turned(row: Difference, quantity: str) -> Difference:
    """Return b − a of a − b."""
    # 0 − x avoids −0.0 for equal values.
    ends: dict[str, Any] = {
        "estimate": 0.0 - row.estimate,
        "lower": 0.0 - row.upper,
        "upper": 0.0 - row.lower,
        "statistic": 0.0 - row.statistic,
    }
    return replace(row, quantity=quantity, **ends)
