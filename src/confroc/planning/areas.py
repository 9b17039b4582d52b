"""Power and sample size for one AUC, for two, and for the width of an interval.

Asymptotic results use the variance of the empirical AUC under a binormal model, or DeLong's variance of a
pilot sample; others are simulated with the intervals and tests of this package.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar, Unpack

import numpy as np
from scipy import special

from confroc._check import ArgumentError, check_count, held
from confroc._options import AucPowerOptions, AucSampleSizeOptions
from confroc._progress import steps
from confroc._types import RNG, FloatArray
from confroc.auc.difference import auc_difference
from confroc.auc.interval import auc_interval
from confroc.base import Method, family, lists_methods, method_class
from confroc.hypotheses import Alternative
from confroc.planning.study import (
    Model,
    Pilot,
    PlannedStudy,
    Power,
    Sided,
    Target,
    Variance,
    check_ratio,
    check_target,
    pilot_ratio,
    plan,
    whole_sizes,
)
from confroc.resample import N_RESAMPLES, resamples_or, spawn
from confroc.scores import Pair, PairedScores, Scores, UnpairedScores
from confroc.scores.counting import one_by_one
from confroc.scores.tables import tally

FEW = 15
"""Number of cases of a class below which the formula is noted as optimistic."""
AGAINST_CHANCE = "The power is that of the test against AUC 0.5; set another null hypothesis with `null_auc`."
PILOT_RATIO = "The ratio of negatives to positives is that of the pilot sample."
OPTIMISTIC = (
    "The formula treats the variance as known; with so few cases intervals are wider and tests have less "
    "power."
)


PLAN = ("auc", "plan")


@method_class
class Asymptotic(Method):
    """Normal approximation.

    A large-sample formula. Normal approximation with the null variance for the critical
    value and the actual variance for the power.

    Attributes
    ----------
    variance : {"empirical", "obuchowski"}
        Variance of the empirical AUC, or that of Obuchowski & McClish (1997) for the binormal AUC
        ("obuchowski", as in pROC). The former agrees with simulation. The latter neglects the covariance of
        the two binormal parameters and so requires more cases, especially for large AUCs. With a pilot
        sample, for which DeLong's variance is used, it is the null variance.
    """

    name = "asymptotic"
    serves = (PLAN,)
    papers = ("obuchowski1997", "delong1988")
    variance: Variance = "empirical"

    def power(self, study: PlannedStudy, sizes: tuple[int, int]) -> Power:
        """Return power and width for given numbers of positives and negatives."""
        few = min(sizes) < FEW and self.variance != "obuchowski"
        return study.by_formula(*sizes, method=self, notes=(OPTIMISTIC,) if few else ())

    def size(self, study: PlannedStudy, n_pos: int, ratio: float, target: Target) -> Power:  # noqa: ARG002
        """Return the plan with the sizes of the formula."""
        return self.power(study, whole_sizes(n_pos, ratio))


@method_class
class Simulation(Method):
    """Simulation.

    Proportion of simulated binormal samples in which the default interval excludes the null value, or the
    default test of two AUCs rejects. Not for pilot samples.

    Attributes
    ----------
    n_resamples : int, optional
        Number of simulated samples. Default: 2,000.
    rng : Generator, seed or None
        Source of randomness. With None a seed is drawn and recorded in the result.
    """

    name = "simulation"
    serves = (PLAN,)
    n_resamples: int | None = None
    rng: RNG = None
    # That of the formula that starts the search for a size.
    variance: ClassVar[Variance] = "empirical"

    def __post_init__(self) -> None:
        super().__post_init__()
        resamples_or(N_RESAMPLES, self.n_resamples, minimum=2)

    @property
    def count(self) -> int:
        """Number of simulated samples."""
        return resamples_or(N_RESAMPLES, self.n_resamples, minimum=2)

    def power(self, study: PlannedStudy, sizes: tuple[int, int]) -> Power:
        """Return power and width for given numbers of positives and negatives."""
        return _simulated(study, sizes, self, self.rng)

    def size(self, study: PlannedStudy, n_pos: int, ratio: float, target: Target) -> Power:
        """Return the plan from a search that starts at the sizes of the formula."""
        seed, count = spawn(self.rng, 1)[0], self.count
        for _ in range(6):
            found = _simulated(study, whole_sizes(n_pos, ratio), self, seed)
            if target.power is not None:
                # Power is Φ of a straight line in √n.
                reached = min(max(found.power, 1.0 / count), 1.0 - 0.5 / count)
                critical = study.critical_value
                aim = critical + float(special.ndtri(target.power))
                factor = aim / (critical + float(special.ndtri(reached)))
                error, scale = abs(found.power - target.power), max(found.standard_error, 1e-12)
            else:
                assert target.width is not None
                factor = found.width / target.width
                error, scale = abs(found.width - target.width), 0.005 * target.width
            if error <= scale:
                break
            n_pos = max(2, math.ceil(n_pos * min(4.0, max(0.25, factor)) ** 2))
        return found


AUC_POWER = family("auc_power", "Power of a study of AUCs", PLAN, "asymptotic")
AUC_SAMPLE_SIZE = family("auc_sample_size", "Sample size of a study of AUCs", PLAN, "asymptotic")


@lists_methods(AUC_POWER)
def auc_power(
    model: Model | Pilot,
    *,
    n_pos: int,
    n_neg: int | None = None,
    model_b: Model | None = None,
    correlation: float | tuple[float, float] | None = None,
    null_auc: float | None = None,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
    method: str | Method = "asymptotic",
    **options: Unpack[AucPowerOptions],
) -> Power:
    """Power of the test of an AUC against `null_auc`, or of the difference between two AUCs.

    Parameters
    ----------
    model : BinormalModel, float, Scores, PairedScores or UnpairedScores
        The population: a binormal model, an AUC (binormal with equal variances), or a pilot sample, with its
        DeLong variances. For a pilot sample of two models the test is of equal AUCs.
    n_pos, n_neg : int
        Numbers of cases, for each model if they have separate test sets. Default of `n_neg`: by the ratio of
        the pilot sample, or `n_pos` without one.
    model_b : BinormalModel or float, optional
        A second model, for the test of two AUCs.
    correlation : float or (float, float), optional
        Correlation of the two models' scores on the same cases, within both classes, or within positives and
        within negatives; with `model_b`. Default: separate test sets.
    null_auc : float, optional
        For one model: the AUC under the null hypothesis. Default: 0.5, with a note. Often a model in use or a
        published AUC is more relevant.
    alternative : {"two-sided", "one-sided", "non-inferiority", "equivalence"}
        two-sided : the formula neglects the far tail, as usual. one-sided : in the direction of the effect.
        The others are for two models: a is not worse than b by `margin`, or neither is (two one-sided tests,
        each at the level).
    margin : float, optional
        In (0, 1), for "non-inferiority" and "equivalence".
    significance_level : float
        In (0, 1). The interval is two-sided with level 1 − `significance_level`.
    method : str or Method
        {methods}
    {options}

    Returns
    -------
    Power
        Guarantee: asymptotic. A note reports if the sample is so small that the default interval is wider
        and its test less powerful than by the formula.

    Raises
    ------
    ValueError
        An argument out of range, or a pilot sample with "simulation".

    See Also
    --------
    auc_sample_size : Sample size for a given power.
    auc_interval, auc_difference : Interval and test of the planned study.

    References
    ----------
    Obuchowski NA, McClish DK (1997). Statistics in Medicine 16, 1529–1542.

    Examples
    --------
    >>> from confroc import auc_power
    >>> print(auc_power(0.7, n_pos=41, n_neg=72))
    41 positives and 72 negatives (113 cases, prevalence 0.363): power 0.961, interval width 0.1982
      (two-sided 0.05; asymptotic)
    Note: The power is that of the test against AUC 0.5; set another null hypothesis with `null_auc`.

    Two models on the same cases, with correlated scores:

    >>> print(auc_power(0.85, model_b=0.8, correlation=0.6, n_pos=200, n_neg=200))
    200 positives and 200 negatives (400 cases, prevalence 0.5): power 0.729, interval width 0.0763
      (two-sided 0.05; asymptotic)
    >>> aim = {"alternative": "non-inferiority", "margin": 0.05}
    >>> print(auc_power(0.8, model_b=0.8, correlation=0.6, n_pos=200, n_neg=200, **aim))
    200 positives and 200 negatives (400 cases, prevalence 0.5): power 0.787, interval width 0.0803
      (non-inferiority by 0.05, level 0.05; asymptotic)
    """
    check_count("n_pos", n_pos, minimum=2)
    if n_neg is not None:
        check_count("n_neg", n_neg, minimum=2)
    chosen: Any = AUC_POWER.chosen(method, options, auc_power)
    test = null_auc, alternative, significance_level, margin
    study = plan(model, model_b, correlation, chosen.variance, *test)
    sizes = whole_sizes(n_pos, pilot_ratio(model)) if n_neg is None else (n_pos, n_neg)
    chance = not study.two and null_auc is None
    notes = _notes(chance=chance, pilot=n_neg is None and isinstance(model, Pilot))
    found: Power = chosen.power(study, sizes)
    return replace(found, notes=notes + found.notes)


def auc_sample_size(
    model: Model | Pilot,
    *,
    power: float | None = None,
    width: float | None = None,
    ratio: float | None = None,
    model_b: Model | None = None,
    correlation: float | tuple[float, float] | None = None,
    null_auc: float | None = None,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
    method: str | Method = "asymptotic",
    **options: Unpack[AucSampleSizeOptions],
) -> Power:
    """Sample size for a given power, or for a given width of the interval.

    For one model the power is that of the test against `null_auc`, by default 0.5. Few cases suffice to show
    that a model is better than chance; to estimate its AUC precisely, plan for `width`. The AUC or difference
    in a small pilot sample is uncertain, and that of the best of several models is biased upwards: plan for
    the smallest relevant difference, with two AUCs and their correlation.

    Parameters
    ----------
    model, model_b, correlation, null_auc, alternative, margin, significance_level
        As in `auc_power`.
    method : str or Method
        As in `auc_power`; "simulation" starts from the result of the formula.
    power : float, optional
        Power, in (0, 1). Default: 0.8 unless `width` is given.
    width : float, optional
        Width of the two-sided interval of level 1 − `significance_level`, for the AUC or the difference.
        For one model without `null_auc` no test is planned, and the power is NaN.
    ratio : float, optional
        n_neg / n_pos. Default: that of the pilot sample (a random sample of all cases), or 1 without one.

    variance, n_resamples, rng
        Options of the methods, as in `auc_power`.

    Returns
    -------
    Power
        The smallest integers by the formula; for "simulation" the result of a short search, accurate to about
        one Monte Carlo error of the power, or half a percent of the width.

    Raises
    ------
    ValueError
        `power` and `width` are both given, or more than 10⁹ positives are needed.

    See Also
    --------
    auc_power : Power for given numbers of cases.

    References
    ----------
    Obuchowski NA, McClish DK (1997). Statistics in Medicine 16, 1529–1542.

    Examples
    --------
    >>> from confroc import auc_sample_size
    >>> print(auc_sample_size(0.8, power=0.9))
    16 positives and 16 negatives (32 cases, prevalence 0.5): power 0.904, interval width 0.3009
      (two-sided 0.05; asymptotic)
    Note: The power is that of the test against AUC 0.5; set another null hypothesis with `null_auc`.
    >>> print(auc_sample_size(0.8, width=0.1))
    145 positives and 145 negatives (290 cases, prevalence 0.5): interval width 0.1000 (two-sided 0.05;
      asymptotic)
    """
    chosen: Any = AUC_SAMPLE_SIZE.chosen(method, options, auc_sample_size)
    test = null_auc, alternative, significance_level, margin
    study = plan(model, model_b, correlation, chosen.variance, *test)
    chance = not study.two and null_auc is None and width is None
    notes = _notes(chance=chance, pilot=ratio is None and isinstance(model, Pilot))
    ratio = check_ratio(pilot_ratio(model) if ratio is None else ratio)
    target = check_target(power, width)
    n_pos = study.cases_needed(target, ratio)
    found: Power = chosen.size(study, n_pos, ratio, target)
    tested = power is not None or width is None or study.two or null_auc is not None
    return replace(found, power=found.power if tested else math.nan, notes=notes + found.notes)


def _notes(*, chance: bool, pilot: bool) -> tuple[str, ...]:
    """Return notes on assumptions of the plan."""
    return ((AGAINST_CHANCE,) if chance else ()) + ((PILOT_RATIO,) if pilot else ())


# --- the methods ---------------------------------------------------------------------------------------


def _simulated(study: PlannedStudy, sizes: tuple[int, int], method: Simulation, rng: RNG) -> Power:
    """Proportion of simulated studies that reject, and the mean width of their intervals."""
    count = method.count
    if not study.models:
        remedy = "Use BinormalModel.fit(scores)."
        rule = "be a BinormalModel or an AUC for method='simulation'"
        raise ArgumentError("model", rule, "a pilot sample", remedy)
    one_by_one("method 'simulation'", sum(sizes), name="n_pos")
    found = np.empty((count, 2))
    # A perfectly separated sample is one of many here.
    with held():
        for i, seed in enumerate(steps(spawn(rng, count), "simulated samples")):
            drawn = _drawn(study, sizes, np.random.Generator(np.random.SFC64(seed)))
            found[i] = _one_model(study, drawn) if len(drawn) == 1 else _two_models(study, drawn)
    share, width = (float(v) for v in found.mean(axis=0))
    error = math.sqrt(max(share * (1.0 - share), 1.0 / count) / count)
    return study.reported(sizes, share, width, method, standard_error=error)


def _drawn(
    study: PlannedStudy, sizes: tuple[int, int], generator: np.random.Generator
) -> list[tuple[FloatArray, FloatArray]]:
    """Simulated scores of positives and negatives, by model."""
    normals = []
    for n, r in zip(sizes, study.correlation, strict=True):
        one = generator.standard_normal(n)
        two = len(study.models) > 1
        other = r * one + math.sqrt(1.0 - r * r) * generator.standard_normal(n) if two else one
        normals.append((one, other))
    return [((m.a + normals[0][k]) / m.b, normals[1][k]) for k, m in enumerate(study.models)]


def _scores(drawn: tuple[FloatArray, FloatArray]) -> Scores:
    return Scores._of(tally(*(np.sort(v) for v in drawn)))


def _one_model(study: PlannedStudy, drawn: list[tuple[FloatArray, FloatArray]]) -> tuple[bool, float]:
    """Whether a simulated study rejects the null hypothesis, and the width of its interval."""
    scores, level = _scores(drawn[0]), study.level
    interval = auc_interval(scores, confidence_level=1.0 - level)
    width = interval.upper - interval.lower
    if study.alternative == "two-sided":
        return interval.lower > study.null_auc or interval.upper < study.null_auc, width
    tested = auc_interval(scores, confidence_level=1.0 - 2.0 * level)
    return tested.lower > study.null_auc if study.effect > 0.0 else tested.upper < study.null_auc, width


def _two_models(study: PlannedStudy, drawn: list[tuple[FloatArray, FloatArray]]) -> tuple[bool, float]:
    """The same for two models, on separate test sets unless scores are correlated."""
    if study.correlation == (0.0, 0.0):
        pair: Pair = UnpairedScores(_scores(drawn[0]), _scores(drawn[1]))
    else:
        positive = np.repeat([1, 0], [len(values) for values in drawn[0]])
        a, b = (np.concatenate(values) for values in drawn)
        pair = PairedScores._of((a, b), positive, 1 - positive)
    one_sided: Alternative = "greater" if study.effect > 0.0 else "less"
    alternative: Alternative = one_sided if study.alternative == "one-sided" else study.alternative
    level = 1.0 - study.level
    result = auc_difference(pair, confidence_level=level, alternative=alternative, margin=study.margin)
    whole = result if study.alternative == "two-sided" else auc_difference(pair, confidence_level=level)
    return result.pvalue < study.level, whole.upper - whole.lower
