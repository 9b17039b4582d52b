"""Prevalence, or accuracy, corrected for the errors of a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from confroc import distributions
from confroc._check import ArgumentError, as_floats, check_level, check_number, warned
from confroc._types import FloatArray
from confroc.points.confusion_methods import MidPMetric, limits
from confroc.results import Interval
from confroc.statistics.metrics import Proportions

Rate: TypeAlias = float | tuple[float, float]
"""A known rate, or counts (successes, cases)."""
OUTSIDE = "The estimate was outside [0, 1] and was clipped. Check the judge's error rates."
UNINFORMATIVE = "The judge is not significantly better than chance; the interval is the whole range."


def corrected_prevalence(
    k: float,
    n: float,
    /,
    *,
    sensitivity: Rate,
    specificity: Rate,
    confidence_level: float = 0.95,
) -> Interval:
    """Prevalence, or the accuracy of a system, corrected for the errors of a judge.

    With p the proportion of positive verdicts, the estimate is (p + specificity − 1)/(sensitivity +
    specificity − 1) (Rogan & Gladen 1978). For an accuracy, a positive verdict means that the judge considers
    an answer correct.

    Parameters
    ----------
    k, n : float
        Numbers of positive verdicts and of all verdicts.
    sensitivity : float or (float, float)
        True positive rate of the judge: known, or counts (positive verdicts, known positives).
    specificity : float or (float, float)
        True negative rate of the judge: known, or counts (negative verdicts, known negatives).
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Interval
        An estimate outside [0, 1] is clipped, with a note. The interval includes the uncertainty of each rate
        given by counts: combined mid-P limits of all proportions, as "mid_p" of `confusion_at_threshold`. It
        is the whole range if the limits of sensitivity + specificity include 1.

    Raises
    ------
    ValueError
        Counts out of range, a rate outside [0, 1], or a judge no better than chance.

    Warns
    -----
    ConfrocWarning
        An estimate outside [0, 1], or a judge not significantly better than chance.

    See Also
    --------
    confusion_at_threshold : Rates of the judge, from scores and labels.

    Notes
    -----
    The verdicts and the cases used to evaluate the judge must be independent samples of independent cases,
    with the same error rates of the judge.

    References
    ----------
    Rogan WJ, Gladen B (1978). Estimating prevalence from the results of a screening test. American Journal of
    Epidemiology 107, 71–76.
    Lang Z, Reiczigel J (2014). Confidence limits for prevalence of disease adjusted for estimated sensitivity
    and specificity. Preventive Veterinary Medicine 113, 13–22.

    Examples
    --------
    >>> from confroc import corrected_prevalence
    >>> print(corrected_prevalence(640, 1000, sensitivity=(92, 100), specificity=(85, 100)))
    prevalence 0.6364 (95% CI 0.5689 to 0.7108; mid_p)
    """
    level = check_level(confidence_level)
    given = {"sensitivity": sensitivity, "specificity": specificity}
    counts = {"k": _counts("k", (check_number("k", k), check_number("n", n)))}
    counts |= {name: _counts(name, rate) for name, rate in given.items() if isinstance(rate, Sequence)}
    known = {name: _rate(name, rate) for name, rate in given.items() if not isinstance(rate, Sequence)}
    places = {name: place for place, name in enumerate(counts)}

    def rates(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of the estimate."""
        found, missed = (p[places[name]] if name in places else known[name] for name in given)
        return p[0] + missed - 1.0, p[0] * 0.0 + found + missed - 1.0

    def prevalence(p: FloatArray) -> FloatArray:
        over, whole = rates(p)
        return over / whole

    successes, trials = np.array(list(counts.values())).T[:, :, None]
    over, whole = (float(v[0]) for v in rates(successes / trials))
    if not whole > 0.0:
        rule = "exceed 1 together with `specificity`"
        raise ArgumentError("sensitivity", rule, sensitivity, "Invert the verdicts, or use another judge.")
    z = np.array([distributions.normal_quantile(level)])
    parts = Proportions(successes, trials, prevalence)
    lower, upper = (float(end[0]) for end in limits(parts, z, False, MidPMetric.limit))
    worst = limits(parts._replace(of=lambda p: rates(p)[1]), z, False, MidPMetric.limit)[0][0]
    # Verdicts that contradict the error rates say nothing about the prevalence.
    if not worst > 0.0 or lower >= 1.0 or upper <= 0.0:
        lower, upper = 0.0, 1.0
    estimate = min(max(over / whole, 0.0), 1.0)
    notes = warned(OUTSIDE, where=estimate != over / whole) + warned(UNINFORMATIVE, where=not worst > 0.0)
    method = MidPMetric()
    return Interval(
        quantity="prevalence",
        estimate=estimate,
        lower=min(max(lower, 0.0), estimate),
        upper=max(min(upper, 1.0), estimate),
        standard_error=float("nan"),
        confidence_level=level,
        method=method,
        guarantee=method.guarantee,
        kind=method.kind,
        notes=notes,
    )


def _counts(name: str, value: Sequence[float]) -> tuple[float, float]:
    """Return successes and trials."""
    found = as_floats(name, value)
    ordered = found.shape == (2,) and 0.0 <= found[0] <= found[1] and 0.0 < found[1] < np.inf
    if not ordered or np.any(found % 1.0):
        rule = "be whole counts (successes, cases) with 0 <= successes <= cases and cases > 0"
        raise ArgumentError(name, rule, value, "Pass e.g. (92, 100).")
    return float(found[0]), float(found[1])


def _rate(name: str, value: object) -> float:
    """Return a known rate."""
    rate = check_number(name, value)
    if not 0.0 <= rate <= 1.0:
        raise ArgumentError(name, "lie between 0 and 1", value, "Pass a rate, or counts, e.g. (92, 100).")
    return rate
