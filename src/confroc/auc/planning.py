"""Power and sample size for one area, for two, and for a wanted width of the interval.

Asymptotic answers rest on the variance of the empirical area under a binormal model, or on DeLong's when a
pilot sample is given; the others are simulated with the very intervals and tests of this package.
"""

from __future__ import annotations

import math

from scipy import special

from confroc._check import RNG, check_choice, check_count, check_level, sentence
from confroc.auc.study import (
    POWER_METHODS,
    SIDES,
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
from confroc.auc.study_simulation import simulated
from confroc.binomial import normal_quantile
from confroc.resample import spawn
from confroc.scores import PairedScores, Scores

LARGEST = 10**9


def power(
    model: Design,
    *,
    n_pos: int,
    n_neg: int,
    model_b: Model | None = None,
    correlation: tuple[float, float] = (0.0, 0.0),
    null_auc: float = 0.5,
    alternative: Sided = "two-sided",
    significance_level: float = 0.05,
    method: PowerMethod = "asymptotic",
    variance: Variance = "empirical",
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Power:
    """Power to find that an area differs from `null_auc`, or that two areas differ.

    Parameters
    ----------
    model : BinormalModel, float, Scores or PairedScores
        The population: a binormal model, an AUC (binormal with equal spread), or a pilot sample, whose DeLong
        variances are used. A pilot pair asks for the power to tell its two areas apart.
    n_pos, n_neg : int
    model_b : BinormalModel or float, optional
        A second model on the same cases; the test is of equal areas.
    correlation : (float, float)
        Of the two models' scores within positives and within negatives.
    null_auc : float
        For one model.
    alternative : {"two-sided", "one-sided"}
        The far tail of the two-sided test is left out, as usual.
    significance_level : float
    method : {"asymptotic", "simulation"}
        asymptotic : normal, with the variance under the null hypothesis for the critical value and the actual
        one
            for the power.
        simulation : share of `n_resamples` binormal samples whose "score_delong" interval leaves out the
        null, or
            whose DeLong test of two areas rejects. Not for pilot samples.
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
    >>> from confroc import power
    >>> print(power(0.7, n_pos=41, n_neg=72))
    41 positives and 72 negatives: power 0.961, interval width 0.1982 (two-sided 0.05; asymptotic)
    """
    sizes = check_count("n_pos", n_pos, minimum=2), check_count("n_neg", n_neg, minimum=2)
    asked = _ask(model, model_b, null_auc, correlation, alternative, significance_level, method, variance)
    if method == "simulation":
        return simulated(asked, sizes, alternative, significance_level, n_resamples, rng)
    return _asymptotic(asked, sizes, alternative, significance_level)


def sample_size(
    model: Design,
    *,
    power: float | None = None,
    width: float | None = None,
    ratio: float = 1.0,
    model_b: Model | None = None,
    correlation: tuple[float, float] = (0.0, 0.0),
    null_auc: float = 0.5,
    alternative: Sided = "two-sided",
    significance_level: float = 0.05,
    method: PowerMethod = "asymptotic",
    variance: Variance = "empirical",
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Power:
    """Cases needed for a wanted power, or for an interval of a wanted width.

    Parameters
    ----------
    model, model_b, correlation, null_auc, alternative, significance_level, method, variance, n_resamples, rng
        As in `power`.
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
    >>> from confroc import sample_size
    >>> print(sample_size(0.8, power=0.9))
    16 positives and 16 negatives: power 0.904, interval width 0.3009 (two-sided 0.05; asymptotic)
    >>> print(sample_size(0.8, width=0.1))
    145 positives and 145 negatives: power 1.000, interval width 0.1000 (two-sided 0.05; asymptotic)
    """
    asked = _ask(model, model_b, null_auc, correlation, alternative, significance_level, method, variance)
    if not 0.0 < ratio < math.inf:
        raise ValueError(sentence("ratio", "be positive and finite", ratio, "It is n_neg / n_pos."))
    if power is not None and width is not None:
        raise ValueError(sentence("power", "be given alone, without `width`", power, "Choose one."))
    if width is not None and not 0.0 < width < 1.0:
        raise ValueError(sentence("width", "lie strictly between 0 and 1", width, "E.g. 0.1."))
    if width is None:
        power = 0.8 if power is None else check_power(power)
        if asked.effect == 0.0:
            raise ValueError(
                sentence("model", "differ from the null hypothesis", asked.effect, "Its power is fixed.")
            )
    n_pos = _needed(asked, power, width, ratio, alternative, significance_level)
    found = _asymptotic(asked, _sizes(n_pos, ratio), alternative, significance_level)
    if method == "asymptotic":
        return found
    seed = spawn(rng, 1)[0]
    for _ in range(6):
        found = simulated(asked, _sizes(n_pos, ratio), alternative, significance_level, n_resamples, seed)
        if power is not None:
            # Power is Φ of a straight line in √n.
            reached = min(max(found.power, 1.0 / n_resamples), 1.0 - 0.5 / n_resamples)
            critical = _critical(alternative, significance_level)
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
        raise ValueError(sentence("power", "lie strictly between 0 and 1", value, "A common choice is 0.8."))
    return float(value)


def _ask(
    model: Design,
    model_b: Model | None,
    null_auc: float,
    correlation: tuple[float, float],
    alternative: str,
    significance_level: float,
    method: str,
    variance: str,
) -> Question:
    check_choice("variance", variance, VARIANCES)
    check_choice("alternative", alternative, SIDES)
    check_choice("method", method, POWER_METHODS)
    check_level(1.0 - significance_level)
    if not 0.0 < null_auc < 1.0:
        raise ValueError(sentence("null_auc", "lie strictly between 0 and 1", null_auc, "Chance is 0.5."))
    if not all(-1.0 < r < 1.0 for r in correlation):
        remedy = "Give (positives, negatives), e.g. (0.5, 0.5)."
        raise ValueError(sentence("correlation", "hold two numbers between -1 and 1", correlation, remedy))
    pilot = isinstance(model, Scores | PairedScores)
    if pilot and model_b is not None:
        raise ValueError(
            sentence("model_b", "be left out with a pilot sample", model_b, "Pass a PairedScores.")
        )
    if pilot and method == "simulation":
        remedy = "Fit one first: BinormalModel.fit(scores)."
        raise ValueError(
            sentence("model", "be a BinormalModel or an AUC for method='simulation'", model, remedy)
        )
    return question(model, model_b, float(null_auc), (float(correlation[0]), float(correlation[1])), variance)


def _critical(alternative: str, significance_level: float) -> float:
    tails = 2.0 if alternative == "two-sided" else 1.0
    return -float(special.ndtri(significance_level / tails))


def _sizes(n_pos: int, ratio: float) -> tuple[int, int]:
    return n_pos, max(2, math.ceil(n_pos * ratio - 1e-9))


def _needed(
    asked: Question, power: float | None, width: float | None, ratio: float, alternative: str, level: float
) -> int:
    if power is None:
        assert width is not None
        z = normal_quantile(1.0 - level)
        n = asked.actual.at(ratio) * (2.0 * z / width) ** 2
    else:
        reach = _critical(alternative, level) * math.sqrt(asked.null.at(ratio))
        reach += float(special.ndtri(power)) * math.sqrt(asked.actual.at(ratio))
        n = (reach / asked.effect) ** 2
    if n > LARGEST:
        raise ValueError(
            sentence("model", "need fewer than 10⁹ positives", n, "The effect or width is too small.")
        )
    return max(2, math.ceil(n - 1e-9))


def _asymptotic(asked: Question, sizes: tuple[int, int], alternative: Sided, level: float) -> Power:
    n_pos, n_neg = sizes
    ratio = n_neg / n_pos
    null, actual = math.sqrt(asked.null.at(ratio)), math.sqrt(asked.actual.at(ratio))
    reached = (math.sqrt(n_pos) * abs(asked.effect) - _critical(alternative, level) * null) / actual
    return Power(
        n_pos=n_pos,
        n_neg=n_neg,
        power=float(special.ndtr(reached)),
        width=min(2.0, 2.0 * normal_quantile(1.0 - level) * actual / math.sqrt(n_pos)),
        effect=asked.effect,
        significance_level=level,
        alternative=alternative,
        standard_error=0.0,
        method="asymptotic",
    )
