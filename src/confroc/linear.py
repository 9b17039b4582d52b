"""General methods by influence functions: the estimate plus and minus standard errors.

The influence of a case is its contribution to the statistic; the variance of the statistic is that of the
mean contribution in each class.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from confroc._check import warned
from confroc._types import FloatArray
from confroc.base import ANY, Contrast, Method, Outcome, method_class
from confroc.distributions import t_quantile
from confroc.hypotheses import by_standard_error
from confroc.inference import bounds_of
from confroc.influence import contrast_moments, needs_influence
from confroc.moments import pooled_df

NO_SPREAD = (
    "The standard error is zero or undefined; the interval is the whole range. Use method='bootstrap'."
)


@method_class
class Wald(Method):
    """Wald interval by influence functions.

    For every smooth statistic: estimate ± t standard errors. The standard error comes from the influence
    function; t has the degrees of freedom of that variance.
    """

    name = "wald"
    dependence = "own"
    serves = ((ANY, "interval"), (ANY, "difference"), (ANY, "comparison"))
    papers = ("delong1988",)
    caution = "Under-covers with few cases and near the bounds."

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval, and for a difference the test."""
        error, df = standard_error(self, x)
        if not error > 0.0:
            return _unknown(x)
        if x.hypothesis is not None:
            found = by_standard_error(x.value, error, df, x.hypothesis)
            return _unknown(x) if found is None else found
        half = t_quantile(df, level) * error
        return Outcome(x.value - half, x.value + half, standard_error=error)


@method_class
class Logit(Method):
    """Wald interval on the logit scale.

    Computed by influence functions on the logit scale between the statistic's bounds and transformed back;
    always inside the bounds.
    """

    name = "logit"
    dependence = "own"
    serves = ((ANY, "interval"),)
    papers = ("pepe2003",)
    caution = "Under-covers with few cases."

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval."""
        error, df = standard_error(self, x)
        low, high = bounds_of(x)
        share = (x.value - low) / (high - low)
        if not (error > 0.0 and 0.0 < share < 1.0 and math.isfinite(high - low)):
            return _unknown(x)
        half = t_quantile(df, level) * error / (high - low) / (share * (1.0 - share))
        ends: FloatArray = special.expit(special.logit(share) + np.array([-half, half]))
        lower, upper = low + (high - low) * ends
        return Outcome(lower, upper, standard_error=error)


def standard_error(method: Method, x: Contrast) -> tuple[float, float]:
    """Return the standard error of a contrast, and the degrees of freedom of its variance."""
    needs_influence(method, *x.statistics)
    moments = contrast_moments(x)
    variance = sum(m.variance for m in moments)
    return (math.sqrt(variance), pooled_df(*moments)) if variance > 0.0 else (math.nan, 0.0)


def _unknown(x: Contrast) -> Outcome:
    low, high = bounds_of(x)
    known: dict[str, Any] = {} if x.hypothesis is None else {"statistic": 0.0, "pvalue": 1.0}
    return Outcome(low, high, notes=warned(NO_SPREAD, where=True), **known)
