"""Two AUCs and the variance of their difference."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc._types import FloatArray
from confroc.base import Contrast
from confroc.hypotheses import Hypothesis
from confroc.influence import (
    AreaEstimate,
    correlation_of,
    difference_of_placements,
    scaled_moments,
    shared_covariances,
)
from confroc.moments import pooled_df
from confroc.scores import PairedScores

DesignName: TypeAlias = Literal["paired", "partially_paired", "unpaired"]

NEGLIGIBLE = 1e-14
"""Relative rounding error of the variance of the difference of identical models."""


class AreaPair:
    """The AUCs of a contrast of two models, as fractions of the part's width, and their covariance."""

    def __init__(self, x: Contrast) -> None:
        self.x = x
        self.unit: float = x.statistic.unit
        self.hypothesis: Hypothesis = x.hypothesis
        self.design = design_of(x)

    @cached_property
    def areas(self) -> tuple[AreaEstimate, AreaEstimate]:
        """Both AUCs, with DeLong's variances."""
        x = self.x
        a, b = x.known.get("areas") or [x.statistic.estimate(table) for table in x.tables]
        return a, b

    @property
    def difference(self) -> float:
        """The difference in AUC, in the statistic's units."""
        return self.unit * (self.areas[0].auc - self.areas[1].auc)

    @cached_property
    def delong(self) -> tuple[float, float, float]:
        """DeLong's variance of the difference, in the statistic's units, and two degrees of freedom.

        The variance is NaN if undefined, or 0. Degrees of freedom are those of the reference distribution
        and those of the variance estimate.
        """
        x: Any = self.x
        statistic, pair = x.statistic, x.data
        if self.design == "paired":
            moments = x.known.get("moments") or scaled_moments(
                difference_of_placements(pair, statistic.part, x.models), statistic.slope
            )
            variance = sum(m.variance for m in moments)
            return variance, math.inf, pooled_df(*moments) if variance > 0.0 else 0.0
        parts = np.array([self.unit**2 * e.variance for e in self.areas])
        variance = float(parts.sum())
        known_df = pooled_df(*self.areas[0].moments, *self.areas[1].moments)
        if isinstance(pair, PairedScores):
            a, b = x.tables
            variance -= 2.0 * statistic.slope**2 * sum(shared_covariances(pair, a, b, statistic.part))
            return (variance if variance > NEGLIGIBLE * parts.sum() else 0.0), math.inf, known_df
        n = np.array([s.n_pos + s.n_neg for s in x.tables])
        df = float(variance**2 / np.sum(parts**2 / (n - 1))) if variance > 0.0 else math.inf
        return variance, df, known_df

    @property
    def most_df(self) -> int:
        """Degrees of freedom if all cases contributed equally."""
        models = self.x.tables[:1] if self.design == "paired" else self.x.tables
        return sum(s.n_pos + s.n_neg - 2 for s in models)

    @cached_property
    def identical(self) -> bool:
        """Whether both models order every pair of a positive and a negative identically, ties included.

        Equivalent to equal placements of all cases: among the cases of one class ordered by placement, a
        placement determines which cases of the other class are below.
        """
        if self.x.statistic.part is not None or self.design != "paired":
            return False
        # A single case has no variance.
        return not self.delong[0] > 0.0 and self.areas[0].auc == self.areas[1].auc

    @cached_property
    def each(self) -> FloatArray:
        """Both AUCs, their variances and degrees of freedom, and numbers of positives and negatives."""
        rows = [(e.auc, e.variance if e.df > 0.0 else 0.0, e.df, e.n_pos, e.n_neg) for e in self.areas]
        return np.array(rows).T

    @cached_property
    def correlation(self) -> float:
        """DeLong's correlation of the two AUCs; NaN if undefined."""
        if not isinstance(self.x.data, PairedScores):
            return 0.0
        a, b = self.areas
        return float(correlation_of(a.variance, b.variance, self.delong[0] / self.unit**2))


def design_of(x: Contrast) -> DesignName:
    """Return the design of a contrast of two models."""
    if not isinstance(x.data, PairedScores):
        return "unpaired"
    return "partially_paired" if any(extra is not None for extra in x.only) else "paired"
