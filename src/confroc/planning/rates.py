"""Sample size for a true positive rate at a false positive rate.

The threshold is estimated from the negatives and the rate from the positives, so to first order

    Var(TPR) = R(f)(1 − R(f))/n₊ + R′(f)²·f(1 − f)/n₋

with the curve R of a binormal model (Hsieh & Turnbull 1996, theorem 2.2). This requires several expected
negatives above the threshold, so a minimum is planned for.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy import special

from confroc._check import check_choice, check_inside
from confroc._types import FloatArray
from confroc.models import BinormalModel
from confroc.planning.areas import Asymptotic
from confroc.planning.study import (
    Model,
    PlannedStudy,
    Power,
    Sided,
    check_ratio,
    check_target,
    planned_model,
    whole_sizes,
)

BEYOND = 5
"""Minimum expected number of negatives on each side of the threshold."""
SHOWN = (
    "The number of negatives was raised until five are expected beyond the threshold; the formula alone "
    "needs fewer."
)


def rate_sample_size(
    model: Model,
    *,
    fpr: float,
    power: float | None = None,
    width: float | None = None,
    ratio: float | None = None,
    null_tpr: float | None = None,
    alternative: Sided = "two-sided",
    significance_level: float = 0.05,
) -> Power:
    """Sample size for the true positive rate at a false positive rate.

    Parameters
    ----------
    model : BinormalModel or float
        The expected curve, or its AUC (then with equal variances). For a pilot sample use
        `BinormalModel.fit(scores)`.
    fpr : float
        In (0, 1), e.g. 1e-4.
    power : float, optional
        Power, in (0, 1). Default: 0.8 unless `width` is given.
    width : float, optional
        Width of the two-sided interval of level 1 − `significance_level`. Without `null_tpr` no test is
        planned, and the power is NaN.
    ratio : float, optional
        n_neg / n_pos. Default: the ratio with the smallest total number of cases.
    null_tpr : float, optional
        True positive rate of the null hypothesis. Default: `fpr`, as for chance.
    alternative : {"two-sided", "one-sided"}
    significance_level : float
        In (0, 1).

    Returns
    -------
    Power
        The smallest integers by the formula, with at least five negatives expected on each side of the
        threshold. Guarantee: asymptotic.

    Raises
    ------
    ValueError
        `power` and `width` are both given, or more than 10⁹ positives are needed.

    See Also
    --------
    tpr_at_fpr : Interval of the rate.
    auc_sample_size : Sample size for the AUC.

    Notes
    -----
    A false positive rate below 1/n_neg cannot be estimated: the threshold is at or above the highest
    negative.

    References
    ----------
    Hsieh F, Turnbull BW (1996). Annals of Statistics 24, 25–40.

    Examples
    --------
    >>> from confroc import rate_sample_size
    >>> print(rate_sample_size(0.9, fpr=0.1, width=0.1))
    738 positives and 956 negatives (1,694 cases, prevalence 0.436): interval width 0.1000 (two-sided
      0.05; asymptotic)
    >>> print(rate_sample_size(0.95, fpr=1e-4, width=0.2))
    33 positives and 50,000 negatives (50,033 cases, prevalence 0.00066): interval width 0.1987
      (two-sided 0.05; asymptotic)
    Note: The number of negatives was raised until five are expected beyond the threshold;
      the formula alone needs fewer.
    """
    curve = planned_model("model", model)
    at = check_inside("fpr", fpr, "E.g. 0.01.")
    null = at if null_tpr is None else check_inside("null_tpr", null_tpr, "Chance is `fpr`.")
    check_choice("alternative", alternative, ("two-sided", "one-sided"))
    rate = float(curve.tpr(at)[0])
    # The curve of the same shape through the null hypothesis.
    shifted = BinormalModel(a=float(special.ndtri(null) - curve.b * special.ndtri(at)), b=curve.b)
    study = PlannedStudy(
        effect=rate - null,
        null=_variance(shifted, at),
        actual=_variance(curve, at),
        alternative=alternative,
        level=significance_level,
    )
    target = check_target(power, width)
    # The variance a/n₊ + b/n₋ is smallest for n₋/n₊ = √(b/a).
    each = math.sqrt(study.actual[1] / study.actual[0]) if ratio is None else check_ratio(ratio)
    n_pos, n_neg = whole_sizes(study.cases_needed(target, each), each)
    least = math.ceil(BEYOND / min(at, 1.0 - at) - 1e-9)
    if ratio is None and n_neg < least:
        # With more negatives fewer positives suffice.
        while (fewer := study.cases_needed(target, least / n_pos)) < n_pos:
            n_pos = fewer
    notes = (SHOWN,) if n_neg < least else ()
    found = study.by_formula(n_pos, max(n_neg, least), method=Asymptotic(), notes=notes)
    return replace(found, power=math.nan) if width is not None and null_tpr is None else found


def _variance(curve: BinormalModel, fpr: float) -> FloatArray:
    """Components of the variance of the empirical rate, times the class sizes."""
    z = float(special.ndtri(fpr))
    rate = float(special.ndtr(curve.a + curve.b * z))
    # The slope of the curve, b·φ(a + bz)/φ(z).
    slope = curve.b * math.exp(0.5 * (z * z - (curve.a + curve.b * z) ** 2))
    return np.array([rate * (1.0 - rate), slope * slope * fpr * (1.0 - fpr)])
