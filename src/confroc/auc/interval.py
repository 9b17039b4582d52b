"""Confidence interval for one model's area, whole or partial."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc._check import (
    ArgumentError,
    check_choice,
    check_instance,
    check_level,
    check_rate,
    check_settings,
    check_size,
    warn,
)
from confroc._types import RNG, Ends, FloatArray, Size
from confroc.auc import asymptotic
from confroc.auc.bootstrap import bca_ends, exact_bootstrap_variance, replicates, smoothed_replicates
from confroc.curve import CurvePart, area_of_counts, check_part
from confroc.distributions import normal_quantile
from confroc.influence import AreaEstimate, estimate_area
from confroc.methods.auc import AUC_INTERVAL
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import KERNELS, Kernel
from confroc.models.resampler import CENTERS, Center, Smoothing
from confroc.resample import TAILS, Tails, check_resamples, error_ends, percentile_ends
from confroc.results import Interval
from confroc.scores import Scores, accepts_one_model, check_scores, errors_of, notes_of_classes, widened
from confroc.scores.counting import one_by_one

UNRELIABLE_DF = 20.0
"""Degrees of freedom of DeLong's variance below which the intervals built on it alone under-cover."""
UNRELIABLE = ("delong", "hanley_mcneil", "bootstrap", "exact_bootstrap")

FAR_FROM_NORMAL = 1.0
"""Standard errors between the binormal and the empirical area from which the interval has a note.

Of normal scores they are so far apart in 4 % of samples where the area is 0.96, in fewer where it is less.
"""

NO_SPREAD = "The standard error is zero or undefined; Newcombe's score interval is reported instead."
TOO_NARROW = "'cortes_mohri' uses only the error rate; its intervals are usually too narrow."
NOT_NORMAL = (
    "The binormal AUC is more than one standard error from the empirical AUC: the scores are not normal. "
    "Use method='score_delong'."
)
UNDER_COVERS = "This method under-covers in small samples and near AUC 1. Use method='score_delong'."


@accepts_one_model
def auc_interval(
    scores: Scores,
    *,
    method: str = "score_delong",
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    confidence_level: float = 0.95,
    error_rate: float | None = None,
    n_resamples: int | None = None,
    size: Size = None,
    rng: RNG = None,
    n_jobs: int = 1,
    bandwidth: Bandwidth | None = None,
    kernel: Kernel | None = None,
    center: Center | None = None,
    tails: Tails | None = None,
) -> Interval:
    """Confidence interval for the area under the ROC curve, or under a part of it.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    method : str
        score_delong : score interval: all A with |Â − A| ≤ t·SE(A), where SE(A) follows Hanley & McNeil's
            model, rescaled to DeLong's variance, and t has the effective degrees of freedom of that
            variance. Coverage is within 0.02 of nominal from ten cases per class, for areas up to 0.999;
            never of zero width. Default.
        delong : Â ± z·SE with DeLong, DeLong & Clarke-Pearson's (1988) variance, cut to [0, 1].
            Under-covers with few cases or an AUC near 1.
        logit_delong : the same on the logit scale (Pepe 2003), carried back; always inside (0, 1).
            Under-covers once an empirical AUC of 1 becomes likely.
        hanley_mcneil : Â ± z·SE with Hanley & McNeil's (1982) variance under exponential scores, cut to
            [0, 1]. Under-covers near 1.
        binormal : Φ(δ̂ ± z·SE) with δ the standardised difference of means (Reiser & Guttman 1986; Demidenko
            2012). For normal scores only: not invariant under transforms of the scores.
        newcombe : score interval from the exponential variance (Newcombe 2006, method 5). Needs no spread in
            the data, so it works for few cases and for AUC = 1; inaccurate when scores are far from
            exponential.
        upper_bound : score interval from the largest variance any distribution can have, A(1 − A)/min(n₊, n₋)
            (Birnbaum & Klose 1957). Conservative.
        upper_bound_wald : Â ± z·SE with that variance at Â (Morin 2018, eq. 25 as printed), cut to [0, 1].
            Too narrow near 0 and 1, where the estimate makes the bound small.
        cortes_mohri : Â ± z·SE with the standard deviation of the AUC over all rankings of the given
            `error_rate` (Cortes & Mohri 2004), cut to [0, 1]. Covers only if the population is like those
            rankings; usually too narrow, and it warns.
        bootstrap : percentiles of stratified resamples.
        bootstrap_bca : bias-corrected and accelerated percentiles (Efron 1987).
        smoothed_bootstrap : Â and the errors of resamples whose scores get noise (Bertail, Clémençon &
            Vayatis 2008, remark 4). Not invariant under transforms of the scores.
        exact_bootstrap : Â ± z·SE with the variance of infinitely many resamples, in closed form.
    max_fpr, min_tpr : float, optional
        Area under the curve for false positive rates from 0 to `max_fpr`, or to the right of it for true
        positive rates from `min_tpr` to 1. DeLong-type variance that includes the estimation of the
        threshold. Methods: "score_delong", "delong", "logit_delong" and the three by resampling.
    standardize : bool
        Put a partial area on McClish's (1989) scale: chance 0.5, perfect separation 1.
    confidence_level : float
        In (0, 1).
    error_rate : float, optional
        For "cortes_mohri": share of misclassified cases, in [0, 1]. Default: that of the sample's best
        threshold.
    n_resamples, size, rng, n_jobs
        For resampling: number of resamples (default: 2,000), (m_pos, m_neg) of each (default: the sample's
        own; also for "exact_bootstrap"), random generator or seed, threads (the result does not depend on
        them).
    bandwidth, kernel, tails
        For "smoothed_bootstrap": standard deviation and shape of the noise, "curve" and "gaussian" by
        default, and how errors become an interval, "symmetric" by default, as in `tpr_at_fpr`.

    Returns
    -------
    Interval
        `standard_error` is the method's own; for the score intervals ("score_delong", "newcombe",
        "upper_bound") half their width over the quantile used, which is never zero.
        `estimate` is the empirical area (for "binormal" Φ(δ̂)). Tied pairs count one half. Bounds lie inside
        [0, 1], for a partial area inside [0, its width]. For rounded scores they are moved outwards by the
        most that rounding can have changed the area (`Scores.auc_error`; for a partial area the areas of the
        least and the greatest curve that the exact scores can have); "binormal" and "smoothed_bootstrap" warn
        instead. Guarantee: bootstrap for the methods of that name, otherwise asymptotic.

    Raises
    ------
    ValueError
        For an unknown method, one that has no partial form, or an argument out of range.

    Warns
    -----
    ConfrocWarning
        When the method's standard error is zero or undefined (perfect separation, all scores equal, one case
        in a class). It then does not show the remaining uncertainty, so "newcombe" is used instead, which
        the result's `method` and `notes` report. Also when "delong", "hanley_mcneil", "exact_bootstrap",
        "bootstrap" or "cortes_mohri" is used where it is known to under-cover.

    See Also
    --------
    auc_difference : Two areas.
    auc_test : Test that the area is a given one.
    RocCurve.partial_auc : A partial area without an interval.
    confroc.methods : The methods' guarantees, and the papers behind them.

    Notes
    -----
    The coverage behind the default and the warnings is in the theory page, with the command that measures it.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Newcombe RG (2006). Statistics in Medicine 25, 559–573.
    Hanley JA, McNeil BJ (1982). Radiology 143, 29–36.
    Birnbaum ZW, Klose OM (1957). The Annals of Mathematical Statistics 28, 933–945.
    McClish DK (1989). Medical Decision Making 9, 190–195.

    Examples
    --------
    >>> from confroc import Scores, auc_interval
    >>> scores = Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(auc_interval(scores))
    auc 0.9375 (95 % interval 0.5124 to 0.9946; score_delong)
    >>> print(auc_interval(scores, method="newcombe"))
    auc 0.9375 (95 % interval 0.5133 to 0.9946; newcombe)
    >>> print(auc_interval(scores, max_fpr=0.5, standardize=True))
    auc[max_fpr=0.5, standardized] 0.9167 (95 % interval 0.5634 to 0.9931; score_delong)
    """
    given = {"error_rate": error_rate, "size": size, "n_resamples": n_resamples}
    smooth = {"bandwidth": bandwidth, "kernel": kernel, "center": center, "tails": tails}
    AUC_INTERVAL.check(method, max_fpr=max_fpr, min_tpr=min_tpr, **given, **smooth)
    # Means and spreads of rounded scores have no bound that carries over to the area.
    by_value = method in ("binormal", "smoothed_bootstrap")
    check_scores("scores", scores, widens=not by_value)
    level = check_level(confidence_level)
    check_settings(rng, n_jobs)
    part = check_part(max_fpr, min_tpr, standardize=standardize)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    chosen: dict[str, Any] = {
        name: default if smooth[name] is None else smooth[name] for name, default in NOISE.items()
    }
    for name, allowed in (("kernel", KERNELS), ("center", CENTERS), ("tails", TAILS)):
        check_choice(name, chosen[name], allowed)
    check_bandwidth(chosen["bandwidth"])
    noise = Noise(**chosen)
    asked = AreaQuestion(
        scores, part, estimate_area(scores, part), level, error_rate, n_resamples, sizes, rng, n_jobs, noise
    )
    interval = interval_of(asked, method, standardize=standardize)
    for note in interval.notes:
        warn(note)
    # Reported already where the scores were made.
    interval = replace(interval, notes=interval.notes + notes_of_classes(scores))
    if by_value:
        return interval
    down, up = area_errors(scores, part)
    unit, bounds = slope_of(part, standardize=standardize), area_bounds(part, standardize=standardize)
    return widened(interval, unit * down, unit * up, bounds=bounds)


def gini(area: Interval) -> Interval:
    """Gini coefficient of credit risk, 2·AUC − 1 (also called accuracy ratio or Somers' D), from an area.

    Parameters
    ----------
    area : Interval
        Of a whole area, as `auc_interval` makes it.

    Returns
    -------
    Interval
        Estimate, ends and standard error carried over to the scale from −1 to 1, where chance is 0; level,
        method and guarantee stay as they are. `quantity` is "gini".

    Raises
    ------
    ValueError
        An interval of something else, a partial area among them.

    See Also
    --------
    auc_interval : The area.
    confroc.bands.ks_statistic : The other statistic used in credit risk.

    Notes
    -----
    Ties count one half in the area, so tied pairs count nothing here, as in Somers' D.

    References
    ----------
    Somers RH (1962). A new asymmetric measure of association for ordinal variables. American Sociological
    Review 27, 799–811.

    Examples
    --------
    >>> from confroc import Scores, auc_interval
    >>> from confroc.auc import gini
    >>> print(gini(auc_interval(Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]))))
    gini 0.8750 (95 % interval 0.0247 to 0.9892; score_delong)
    """
    check_instance("area", area, Interval, "Make it with `auc_interval(scores)`.")
    if area.quantity != "auc":
        rule = "be of a whole area under one ROC curve"
        raise ArgumentError("area", rule, area.quantity, "Make it with `auc_interval(scores)`.")
    return replace(
        area,
        quantity="gini",
        estimate=2.0 * area.estimate - 1.0,
        lower=2.0 * area.lower - 1.0,
        upper=2.0 * area.upper - 1.0,
        standard_error=2.0 * area.standard_error,
    )


def interval_of(asked: AreaQuestion, method: str, *, standardize: bool) -> Interval:
    """Return the interval by a method, and what to mind; not widened for rounded scores.

    Methods that find no spread fall back on "newcombe".
    """
    return area_interval(asked, method, _DO[method](asked), standardize=standardize)


def area_interval(asked: AreaQuestion, method: str, answer: Answer, *, standardize: bool) -> Interval:
    """Return the interval with the ends from a method, in the requested units; the same fallback."""
    part, row = asked.part, AUC_INTERVAL.methods[method]
    auc, lower, upper, se = answer
    notes: tuple[str, ...] = ()
    if not upper - lower > 1e-12 * (1.0 - auc if auc > 0.5 else auc):
        notes = (NO_SPREAD,)
        row = AUC_INTERVAL.methods["newcombe"]
        auc, lower, upper, se = _newcombe(asked)
    elif method == "cortes_mohri":
        notes = (TOO_NARROW,)
    elif method == "binormal" and abs(auc - asked.area.auc) > FAR_FROM_NORMAL * se:
        notes = (NOT_NORMAL,)
    elif method in UNRELIABLE and asked.area.df < UNRELIABLE_DF:
        notes = (UNDER_COVERS,)
    least, most = area_bounds(part, standardize=standardize)
    scale = most - least
    return Interval(
        quantity=area_label(part, standardize=standardize),
        estimate=least + scale * auc,
        lower=least + scale * lower,
        upper=least + scale * upper,
        standard_error=scale * se,
        confidence_level=asked.level,
        method=row.name,
        guarantee=row.guarantee,
        notes=notes,
    )


def area_label(part: CurvePart | None, *, standardize: bool) -> str:
    """Return what results call the area."""
    return "auc" if part is None else f"auc[{part.label}{', standardized' if standardize else ''}]"


def area_bounds(part: CurvePart | None, *, standardize: bool) -> tuple[float, float]:
    """Return the least and the greatest that the area can be."""
    if part is None or not standardize:
        return 0.0, 1.0 if part is None else part.width
    return part.standardized(0.0), part.standardized(part.width)


def slope_of(part: CurvePart | None, *, standardize: bool) -> float:
    """Return what turns raw areas, shares of the part's width times it, into the result's units."""
    if part is None or not standardize:
        return 1.0
    return (part.standardized(part.width) - part.standardized(0.0)) / part.width


def area_errors(scores: Scores, part: CurvePart | None) -> Ends:
    """How far below and above the rounded area, not standardized, the exact one may lie."""
    if part is None or scores.exact:
        return np.asarray(scores.auc_error), np.asarray(scores.auc_error)
    return errors_of(scores, lambda s: area_of_counts(s.pos, s.neg, part))


# --- the methods ---------------------------------------------------------------------------------------


NOISE: Mapping[str, Any] = {
    "bandwidth": "curve",
    "kernel": "gaussian",
    "center": "empirical",
    "tails": "symmetric",
}
"""What stands for an option of "smoothed_bootstrap" that is left out."""


class Noise(NamedTuple):
    """What resampled scores are moved by, and how the errors of their areas become an interval."""

    bandwidth: Bandwidth
    kernel: Kernel
    center: Center
    tails: Tails


class AreaQuestion(NamedTuple):
    """What every method receives: the checked arguments of `auc_interval`, and DeLong's estimate."""

    scores: Scores
    part: CurvePart | None
    area: AreaEstimate
    level: float
    error_rate: float | None
    n_resamples: int | None
    size: tuple[int, int]
    rng: RNG
    n_jobs: int
    noise: Noise


Answer: TypeAlias = tuple[float, float, float, float]
"""Estimate, lower and upper end as shares of the part's width, and standard error."""


def _score_delong(asked: AreaQuestion) -> Answer:
    auc, _, n_pos, n_neg = area = asked.area
    variance = area.variance if area.df > 0.0 else 0.0
    tail = 0.5 * (1.0 - asked.level)
    lower, upper = _floats(asymptotic.score_delong_ends(auc, variance, area.df, n_pos, n_neg, tail))
    quantile = float(asymptotic.score_delong_quantile(area.df, tail))
    return auc, lower, upper, 0.5 * (upper - lower) / quantile


def _newcombe(asked: AreaQuestion) -> Answer:
    auc, _, n_pos, n_neg = asked.area
    z = normal_quantile(asked.level)
    lower, upper = _floats(asymptotic.newcombe_ends(auc, n_pos, n_neg, z))
    return auc, lower, upper, 0.5 * (upper - lower) / z


def _upper_bound(asked: AreaQuestion) -> Answer:
    auc, _, n_pos, n_neg = asked.area
    z = normal_quantile(asked.level)
    lower, upper = _floats(asymptotic.upper_bound_ends(auc, n_pos, n_neg, z))
    return auc, lower, upper, 0.5 * (upper - lower) / z


def _upper_bound_wald(asked: AreaQuestion) -> Answer:
    auc, _, n_pos, n_neg = asked.area
    return _wald(asked, auc * (1.0 - auc) / min(n_pos, n_neg))


def _wald(asked: AreaQuestion, variance: float, ends: Callable[..., Ends] = asymptotic.wald_ends) -> Answer:
    """Estimate ± z standard errors; no ends where nothing varies or no case is misplaced."""
    auc = asked.area.auc
    se = math.sqrt(variance) if variance > 0.0 else math.nan
    if math.isnan(se) or not 0.0 < auc < 1.0:
        return auc, math.nan, math.nan, se
    lower, upper = _floats(ends(auc, se**2, normal_quantile(asked.level)))
    return auc, lower, upper, se


def _delong(asked: AreaQuestion) -> Answer:
    return _wald(asked, asked.area.variance)


def _logit_delong(asked: AreaQuestion) -> Answer:
    return _wald(asked, asked.area.variance, asymptotic.logit_ends)


def _hanley_mcneil(asked: AreaQuestion) -> Answer:
    auc, _, n_pos, n_neg = asked.area
    return _wald(asked, float(asymptotic.hanley_mcneil_variance(auc, n_pos, n_neg)))


def _exact_bootstrap(asked: AreaQuestion) -> Answer:
    return _wald(asked, exact_bootstrap_variance(asked.scores, asked.size))


def _cortes_mohri(asked: AreaQuestion) -> Answer:
    scores, n_pos, n_neg = asked.scores, asked.scores.n_pos, asked.scores.n_neg
    if asked.error_rate is None:
        # Misclassified cases at the best threshold of the sample itself.
        errors = int(min(n_pos, (n_pos - scores.pos_above + scores.neg_above).min()))
    else:
        errors = round(float(check_rate("error_rate", asked.error_rate)[0]) * (n_pos + n_neg))
    one_by_one("method 'cortes_mohri'", errors, "misclassified cases")
    return _wald(asked, asymptotic.cortes_mohri_moments(errors, n_pos, n_neg)[1])


def _binormal(asked: AreaQuestion) -> Answer:
    return asymptotic.binormal_interval(asked.scores, normal_quantile(asked.level))


def _by_resampling(asked: AreaQuestion, ends: Callable[[FloatArray], Ends]) -> Answer:
    count = check_resamples(asked.n_resamples, asked.level)
    values = replicates(asked.scores, asked.part, count, asked.rng, asked.size, asked.n_jobs)
    return by_replicates(asked, values, ends)


def by_replicates(asked: AreaQuestion, values: FloatArray, ends: Callable[[FloatArray], Ends]) -> Answer:
    """Return the interval with two ends of resampled areas, not standardized."""
    width = 1.0 if asked.part is None else asked.part.width
    lower, upper = (end / width for end in _floats(ends(values)))
    auc = asked.area.auc
    if upper - lower > 1e-12:
        # At low levels the percentiles of a skewed distribution may leave the estimate out.
        lower, upper = min(lower, auc), max(upper, auc)
    return auc, lower, upper, float(np.std(values, ddof=1)) / width


def _bootstrap(asked: AreaQuestion) -> Answer:
    return _by_resampling(asked, lambda values: percentile_ends(values, asked.level))


def _smoothed_bootstrap(asked: AreaQuestion) -> Answer:
    count = check_resamples(asked.n_resamples, asked.level)
    bandwidth, kernel, center, tails = asked.noise
    if min(np.count_nonzero(asked.scores.pos), np.count_nonzero(asked.scores.neg)) < 2:
        # No spread that a rule could scale the noise by.
        return asked.area.auc, math.nan, math.nan, math.nan
    noise = Smoothing(bandwidth, kernel, center)
    values, middle = smoothed_replicates(asked.scores, asked.part, noise, count, asked.rng, asked.n_jobs)
    width = 1.0 if asked.part is None else asked.part.width
    auc = asked.area.auc
    low, high = _floats(error_ends((values - middle) / width, asked.level, tails))
    lower, upper = max(auc + min(low, 0.0), 0.0), min(auc + max(high, 0.0), 1.0)
    return auc, lower, upper, float(np.std(values, ddof=1)) / width


def _bootstrap_bca(asked: AreaQuestion) -> Answer:
    return _by_resampling(asked, lambda values: bca_ends(asked.scores, asked.part, values, asked.level))


_DO = AUC_INTERVAL.table(
    {
        "score_delong": _score_delong,
        "delong": _delong,
        "logit_delong": _logit_delong,
        "hanley_mcneil": _hanley_mcneil,
        "binormal": _binormal,
        "newcombe": _newcombe,
        "upper_bound": _upper_bound,
        "upper_bound_wald": _upper_bound_wald,
        "cortes_mohri": _cortes_mohri,
        "bootstrap": _bootstrap,
        "bootstrap_bca": _bootstrap_bca,
        "smoothed_bootstrap": _smoothed_bootstrap,
        "exact_bootstrap": _exact_bootstrap,
    }
)


def _floats(ends: Ends) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])
