"""Power and sample size for one area, for two, and for a wanted width of the interval.

Asymptotic answers rest on the variance of the empirical area under a binormal model, or on DeLong's when a
pilot sample is given; the others are simulated with the very intervals and tests of this package.
"""

from __future__ import annotations

import math

from scipy import special

from confroc._check import ArgumentError, check_choice, check_count
from confroc._types import RNG
from confroc.auc.study import (
    POWER_METHODS,
    VARIANCES,
    Design,
    Model,
    Power,
    PowerMethod,
    Question,
    Sided,
    Variance,
    question,
)
from confroc.auc.study_formula import (
    by_formula,
    cases_needed,
    check_effect,
    check_test,
    critical_value,
    sizes_of,
)
from confroc.auc.study_simulation import simulated
from confroc.resample import spawn
from confroc.scores import PairedScores, Scores, UnpairedScores


def auc_power(
    model: Design,
    *,
    n_pos: int,
    n_neg: int,
    model_b: Model | None = None,
    correlation: tuple[float, float] = (0.0, 0.0),
    null_auc: float = 0.5,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
    method: PowerMethod = "asymptotic",
    variance: Variance = "empirical",
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Power:
    """Power to find that an area differs from `null_auc`, or that two areas differ.

    Parameters
    ----------
    model : BinormalModel, float, Scores, PairedScores or UnpairedScores
        The population: a binormal model, an AUC (binormal with equal spread), or a pilot sample, whose DeLong
        variances are used. A pilot of two models asks for the power to tell their areas apart.
    n_pos, n_neg : int
        Cases; of each model when two have test sets of their own.
    model_b : BinormalModel or float, optional
        A second model; the test is of two areas.
    correlation : (float, float)
        Of the two models' scores on the same cases, within positives and within negatives. Zeros (the
        default) stand for two models on test sets of their own.
    null_auc : float
        For one model.
    alternative : {"two-sided", "one-sided", "non-inferiority", "equivalence"}
        two-sided : the far tail is left out by the formula, as usual. one-sided : in the direction of the
        effect. The others are for two models: that a is not worse than b by `margin`, or that neither is
        (two one-sided tests, each at the level).
    margin : float, optional
        In (0, 1); for "non-inferiority" and "equivalence" only.
    significance_level : float
        In (0, 1), of the test. The interval has level 1 − `significance_level` and two sides.
    method : {"asymptotic", "simulation"}
        asymptotic : normal, with the variance under the null hypothesis for the critical value and the
            actual one for the power.
        simulation : share of `n_resamples` binormal samples whose "score_delong" interval leaves out the
            null, or whose DeLong test of two areas (paired, or unpaired without correlation) rejects. Not for
            pilot samples.
    variance : {"empirical", "obuchowski"}
        empirical : that of the empirical area, from the law of the placements; simulation agrees with it.
        obuchowski : Obuchowski & McClish's (1997) for the binormal area, as pROC has it. It leaves out the
            covariance of the two binormal parameters and so asks for more cases, the more the larger the
            area.
    n_resamples, rng
        For "simulation".

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For an argument out of range, or a pilot sample with "simulation".

    Examples
    --------
    >>> from confroc import auc_power
    >>> print(auc_power(0.7, n_pos=41, n_neg=72))
    41 positives and 72 negatives: power 0.961, interval width 0.1982 (two-sided 0.05; asymptotic)

    Two models on the same cases, whose scores correlate:

    >>> print(auc_power(0.85, model_b=0.8, correlation=(0.6, 0.6), n_pos=200, n_neg=200))
    200 positives and 200 negatives: power 0.729, interval width 0.0763 (two-sided 0.05; asymptotic)
    >>> aim = {"alternative": "non-inferiority", "margin": 0.05}
    >>> print(auc_power(0.8, model_b=0.8, correlation=(0.6, 0.6), n_pos=200, n_neg=200, **aim))
    200 positives and 200 negatives: power 0.787, interval width 0.0803 (non-inferiority by 0.05, ...
    """
    sizes = check_count("n_pos", n_pos, minimum=2), check_count("n_neg", n_neg, minimum=2)
    asked = _ask(model, model_b, null_auc, correlation, method, variance)
    test = check_test(asked, alternative, significance_level, margin)
    if method == "simulation":
        return simulated(asked, sizes, test, n_resamples, rng)
    return by_formula(asked, sizes, test)


def auc_sample_size(
    model: Design,
    *,
    power: float | None = None,
    width: float | None = None,
    ratio: float = 1.0,
    model_b: Model | None = None,
    correlation: tuple[float, float] = (0.0, 0.0),
    null_auc: float = 0.5,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
    method: PowerMethod = "asymptotic",
    variance: Variance = "empirical",
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Power:
    """Cases needed for a wanted power, or for an interval of a wanted width.

    Parameters
    ----------
    model, model_b, correlation, null_auc, alternative, margin, significance_level
        As in `auc_power`.
    method, variance, n_resamples, rng
        As in `auc_power`.
    power : float, optional
        Wanted power, in (0, 1). Default 0.8 unless `width` is given.
    width : float, optional
        Wanted width of the two-sided interval of level 1 − `significance_level`, of the area or of the
        difference.
    ratio : float
        n_neg / n_pos.

    Returns
    -------
    Power
        The smallest whole numbers by the formula; by simulation, those found in a few steps of a search,
        good to about one Monte Carlo error of the power, or half a percent of the width.

    Raises
    ------
    ValueError
        When `power` and `width` are both given, or more than 10⁹ positives would be needed.

    Examples
    --------
    >>> from confroc import auc_sample_size
    >>> print(auc_sample_size(0.8, power=0.9))
    16 positives and 16 negatives: power 0.904, interval width 0.3009 (two-sided 0.05; asymptotic)
    >>> print(auc_sample_size(0.8, width=0.1))
    145 positives and 145 negatives: power 1.000, interval width 0.1000 (two-sided 0.05; asymptotic)
    """
    asked = _ask(model, model_b, null_auc, correlation, method, variance)
    test = check_test(asked, alternative, significance_level, margin)
    if not 0.0 < ratio < math.inf:
        raise ArgumentError("ratio", "be positive and finite", ratio, "It is n_neg / n_pos.")
    if power is not None and width is not None:
        raise ArgumentError("power", "be given alone, without `width`", power, "Choose one.")
    if width is not None and not 0.0 < width < 1.0:
        raise ArgumentError("width", "lie strictly between 0 and 1", width, "E.g. 0.1.")
    if width is None:
        power = 0.8 if power is None else check_power(power)
        check_effect(asked, test)
    n_pos = cases_needed(asked, power, width, ratio, test)
    found = by_formula(asked, sizes_of(n_pos, ratio), test)
    if method == "asymptotic":
        return found
    seed = spawn(rng, 1)[0]
    for _ in range(6):
        found = simulated(asked, sizes_of(n_pos, ratio), test, n_resamples, seed)
        if power is not None:
            # Power is Φ of a straight line in √n.
            reached = min(max(found.power, 1.0 / n_resamples), 1.0 - 0.5 / n_resamples)
            critical = critical_value(test)
            factor = (critical + float(special.ndtri(power))) / (critical + float(special.ndtri(reached)))
            error, scale = abs(found.power - power), max(found.standard_error, 1e-12)
        else:
            assert width is not None
            factor = found.width / width
            error, scale = abs(found.width - width), 0.005 * width
        if error <= scale:
            break
        n_pos = max(2, math.ceil(n_pos * min(4.0, max(0.25, factor)) ** 2))
    return found


def check_power(value: float) -> float:
    """Return a power strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise ArgumentError("power", "lie strictly between 0 and 1", value, "A common choice is 0.8.")
    return float(value)


def _ask(
    model: Design,
    model_b: Model | None,
    null_auc: float,
    correlation: tuple[float, float],
    method: str,
    variance: str,
) -> Question:
    check_choice("variance", variance, VARIANCES)
    check_choice("method", method, POWER_METHODS)
    if not 0.0 < null_auc < 1.0:
        raise ArgumentError("null_auc", "lie strictly between 0 and 1", null_auc, "Chance is 0.5.")
    if not all(-1.0 < r < 1.0 for r in correlation):
        remedy = "Give (positives, negatives), e.g. (0.5, 0.5)."
        raise ArgumentError("correlation", "hold two numbers between -1 and 1", correlation, remedy)
    pilot = isinstance(model, Scores | PairedScores | UnpairedScores)
    if pilot and model_b is not None:
        raise ArgumentError("model_b", "be left out with a pilot sample", model_b, "Pass a PairedScores.")
    if pilot and method == "simulation":
        remedy = "Fit one first: BinormalModel.fit(scores)."
        raise ArgumentError("model", "be a BinormalModel or an AUC for method='simulation'", model, remedy)
    return question(model, model_b, float(null_auc), (float(correlation[0]), float(correlation[1])), variance)
