"""Power and sample size for one area, for two, and for a wanted width of the interval.

Asymptotic answers rest on the variance of the empirical area under a binormal model, or on DeLong's when a
pilot sample is given; the others are simulated with the very intervals and tests of this package.
"""

from __future__ import annotations

import math

from scipy import special

from confroc._check import RNG, check_choice, check_count, check_level, sentence
from confroc.auc.study import (
    MARGIN_SIDES,
    POWER_METHODS,
    SIDES,
    VARIANCES,
    Design,
    Model,
    Power,
    PowerMethod,
    Question,
    Sided,
    Test,
    Variance,
    question,
)
from confroc.auc.study_simulation import simulated
from confroc.binomial import normal_quantile
from confroc.resample import spawn
from confroc.scores import PairedScores, Scores, UnpairedScores

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
    >>> from confroc import power
    >>> print(power(0.7, n_pos=41, n_neg=72))
    41 positives and 72 negatives: power 0.961, interval width 0.1982 (two-sided 0.05; asymptotic)

    Two models on the same cases, whose scores correlate:

    >>> print(power(0.85, model_b=0.8, correlation=(0.6, 0.6), n_pos=200, n_neg=200))
    200 positives and 200 negatives: power 0.729, interval width 0.0763 (two-sided 0.05; asymptotic)
    >>> aim = {"alternative": "non-inferiority", "margin": 0.05}
    >>> print(power(0.8, model_b=0.8, correlation=(0.6, 0.6), n_pos=200, n_neg=200, **aim))
    200 positives and 200 negatives: power 0.787, interval width 0.0803 (non-inferiority by 0.05, ...
    """
    sizes = check_count("n_pos", n_pos, minimum=2), check_count("n_neg", n_neg, minimum=2)
    asked = _ask(model, model_b, null_auc, correlation, method, variance)
    test = _check_test(asked, alternative, significance_level, margin)
    if method == "simulation":
        return simulated(asked, sizes, test, n_resamples, rng)
    return _asymptotic(asked, sizes, test)


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
        As in `power`.
    method, variance, n_resamples, rng
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
    asked = _ask(model, model_b, null_auc, correlation, method, variance)
    test = _check_test(asked, alternative, significance_level, margin)
    if not 0.0 < ratio < math.inf:
        raise ValueError(sentence("ratio", "be positive and finite", ratio, "It is n_neg / n_pos."))
    if power is not None and width is not None:
        raise ValueError(sentence("power", "be given alone, without `width`", power, "Choose one."))
    if width is not None and not 0.0 < width < 1.0:
        raise ValueError(sentence("width", "lie strictly between 0 and 1", width, "E.g. 0.1."))
    if width is None:
        power = 0.8 if power is None else check_power(power)
        _check_effect(asked, test)
    n_pos = _needed(asked, power, width, ratio, test)
    found = _asymptotic(asked, _sizes(n_pos, ratio), test)
    if method == "asymptotic":
        return found
    seed = spawn(rng, 1)[0]
    for _ in range(6):
        found = simulated(asked, _sizes(n_pos, ratio), test, n_resamples, seed)
        if power is not None:
            # Power is Φ of a straight line in √n.
            reached = min(max(found.power, 1.0 / n_resamples), 1.0 - 0.5 / n_resamples)
            critical = _critical(test)
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
    method: str,
    variance: str,
) -> Question:
    check_choice("variance", variance, VARIANCES)
    check_choice("method", method, POWER_METHODS)
    if not 0.0 < null_auc < 1.0:
        raise ValueError(sentence("null_auc", "lie strictly between 0 and 1", null_auc, "Chance is 0.5."))
    if not all(-1.0 < r < 1.0 for r in correlation):
        remedy = "Give (positives, negatives), e.g. (0.5, 0.5)."
        raise ValueError(sentence("correlation", "hold two numbers between -1 and 1", correlation, remedy))
    pilot = isinstance(model, Scores | PairedScores | UnpairedScores)
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


def _check_test(asked: Question, alternative: str, level: float, margin: float | None) -> Test:
    """Return the test; a margin is there exactly when it is needed, and only for two models."""
    check_choice("alternative", alternative, SIDES)
    check_level(1.0 - level)
    if alternative not in MARGIN_SIDES:
        if margin is not None:
            remedy = "Margins belong to alternative='non-inferiority' and 'equivalence'."
            raise ValueError(
                sentence("margin", f"be left out with alternative={alternative!r}", margin, remedy)
            )
        return Test(alternative, float(level))  # type: ignore[arg-type]
    if not asked.two:
        raise ValueError(
            sentence(
                "alternative", "be 'two-sided' or 'one-sided' for one model", alternative, "Move `null_auc`."
            )
        )
    if not (isinstance(margin, int | float) and 0.0 < margin < 1.0):
        remedy = "Give the smallest difference that matters, e.g. 0.05."
        raise ValueError(sentence("margin", "lie strictly between 0 and 1", margin, remedy))
    return Test(alternative, float(level), float(margin))  # type: ignore[arg-type]


def _check_effect(asked: Question, test: Test) -> None:
    """Refuse to look for cases that no number of would do."""
    if test.margin is None and asked.effect == 0.0:
        raise ValueError(
            sentence("model", "differ from the null hypothesis", asked.effect, "Its power is fixed.")
        )
    if test.margin is not None and not _effects(asked, test)[0] > 0.0:
        remedy = "Widen the margin: no number of cases can show what is not so."
        raise ValueError(
            sentence("margin", f"hold the difference of the areas, {asked.effect:g}", test.margin, remedy)
        )


def _critical(test: Test) -> float:
    tails = 2.0 if test.alternative == "two-sided" else 1.0
    return -float(special.ndtri(test.level / tails))


def _effects(asked: Question, test: Test) -> tuple[float, ...]:
    """Distances from the null hypothesis; of equivalence, from both ends of the margin, the nearer first."""
    if test.margin is None:
        return (abs(asked.effect),)
    if test.alternative == "non-inferiority":
        return (asked.effect + test.margin,)
    return test.margin - abs(asked.effect), test.margin + abs(asked.effect)


def _sizes(n_pos: int, ratio: float) -> tuple[int, int]:
    return n_pos, max(2, math.ceil(n_pos * ratio - 1e-9))


def _reached(asked: Question, n_pos: float, ratio: float, test: Test) -> float:
    """Power of n₊ positives and `ratio` times as many negatives."""
    actual = math.sqrt(asked.actual.at(ratio))
    # Tests of a margin, like DeLong's, estimate the actual variance.
    null = actual if test.margin is not None else math.sqrt(asked.null.at(ratio))
    parts = [
        float(special.ndtr((math.sqrt(n_pos) * e - _critical(test) * null) / actual))
        for e in _effects(asked, test)
    ]
    # Both one-sided tests must reject: not both fail to, but for a chance that is nil where it matters.
    return max(0.0, sum(parts) - (len(parts) - 1))


def _needed(asked: Question, power: float | None, width: float | None, ratio: float, test: Test) -> int:
    if power is None:
        assert width is not None
        z = normal_quantile(1.0 - test.level)
        n = asked.actual.at(ratio) * (2.0 * z / width) ** 2
    else:
        low, high = 0.0, 2.0
        while _reached(asked, high, ratio, test) < power and high <= LARGEST:
            low, high = high, 2.0 * high
        # Fifty halvings exhaust the digits that matter to a whole number.
        for _ in range(50):
            middle = 0.5 * (low + high)
            enough = _reached(asked, middle, ratio, test) >= power
            low, high = (low, middle) if enough else (middle, high)
        n = high
    if n > LARGEST:
        raise ValueError(
            sentence("model", "need fewer than 10⁹ positives", n, "The effect or width is too small.")
        )
    return max(2, math.ceil(n - 1e-6))


def _asymptotic(asked: Question, sizes: tuple[int, int], test: Test) -> Power:
    n_pos, n_neg = sizes
    ratio = n_neg / n_pos
    actual = math.sqrt(asked.actual.at(ratio))
    return Power(
        n_pos=n_pos,
        n_neg=n_neg,
        power=_reached(asked, n_pos, ratio, test),
        width=min(2.0, 2.0 * normal_quantile(1.0 - test.level) * actual / math.sqrt(n_pos)),
        effect=asked.effect,
        significance_level=test.level,
        alternative=test.alternative,
        standard_error=0.0,
        method="asymptotic",
        margin=test.margin,
    )
