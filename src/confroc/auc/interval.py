"""Confidence interval for one model's area, whole or partial."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from confroc._check import (
    ArgumentError,
    check_choice,
    check_count,
    check_level,
    check_rate,
    check_size,
    warn,
)
from confroc._types import RNG, Ends, Size
from confroc.auc import asymptotic as forms
from confroc.auc import resampling
from confroc.auc.estimate import UNRELIABLE_DF, Estimate, estimate
from confroc.auc.exact_bootstrap import exact_bootstrap_variance
from confroc.auc.partial import Part, check_part, standardized
from confroc.auc.rounding import area_errors
from confroc.distributions import normal_quantile
from confroc.results import Guarantee, Interval
from confroc.scores import Scores, check_scores, widened

AucMethod: TypeAlias = Literal[
    "score_delong",
    "delong",
    "logit_delong",
    "hanley_mcneil",
    "binormal",
    "newcombe",
    "upper_bound",
    "cortes_mohri",
    "bootstrap",
    "bootstrap_bca",
    "exact_bootstrap",
]
AUC_METHODS = (
    "score_delong",
    "delong",
    "logit_delong",
    "hanley_mcneil",
    "binormal",
    "newcombe",
    "upper_bound",
    "cortes_mohri",
    "bootstrap",
    "bootstrap_bca",
    "exact_bootstrap",
)
PARTIAL_METHODS = ("score_delong", "delong", "logit_delong", "bootstrap", "bootstrap_bca")
RESAMPLING_METHODS = ("bootstrap", "bootstrap_bca")


def auc_interval(
    scores: Scores,
    *,
    method: AucMethod = "score_delong",
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    confidence_level: float = 0.95,
    error_rate: float | None = None,
    n_resamples: int = 2000,
    size: Size = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> Interval:
    """Confidence interval for the area under the ROC curve, or under a part of it.

    Parameters
    ----------
    scores : Scores
    method : str
        score_delong : all areas A with |Â − A| within t standard errors, the errors taken at A by Newcombe's
            model and rescaled to DeLong's as far as the data know them, with Student's t. Near-nominal from
            ten cases a class to millions and for areas up to 0.999; never of zero width. Default.
        delong : Â ± z·SE with DeLong, DeLong & Clarke-Pearson's (1988) variance, cut to [0, 1].
            Under-covers with few cases or an AUC near 1.
        logit_delong : the same on the logit scale (Pepe 2003), carried back; always inside (0, 1).
            Under-covers once an empirical AUC of 1 becomes likely.
        hanley_mcneil : Â ± z·SE with Hanley & McNeil's (1982) variance under exponential scores, cut to
            [0, 1]. Under-covers near 1.
        binormal : Φ(δ̂ ± z·SE) with δ the standardised difference of means (Reiser & Guttman 1986; Demidenko
            2012). For normal scores only: not invariant under transforms of the scores.
        newcombe : score interval from the exponential variance (Newcombe 2006, method 5). Needs no spread in
            the data, so it holds up for few cases and for AUC = 1; off where scores are far from exponential.
        upper_bound : score interval from the largest variance any distribution can have, A(1 − A)/min(n₊, n₋)
            (Birnbaum & Klose 1957). Conservative.
        cortes_mohri : Â ± z·SE with the standard deviation of the AUC over all rankings of the given
            `error_rate` (Cortes & Mohri 2004), cut to [0, 1]. Covers only if the population is like those
            rankings; usually too narrow, and it warns.
        bootstrap : percentiles of stratified resamples.
        bootstrap_bca : bias-corrected and accelerated percentiles (Efron 1987).
        exact_bootstrap : Â ± z·SE with the variance of infinitely many resamples, in closed form.
    max_fpr, min_tpr : float, optional
        Area under the curve for false positive rates from 0 to `max_fpr`, or to the right of it for true
        positive rates from `min_tpr` to 1. DeLong-type variance with the estimated threshold taken into
        account. Methods: "score_delong", "delong", "logit_delong" and the two by resampling.
    standardize : bool
        Put a partial area on McClish's (1989) scale: chance 0.5, perfect separation 1.
    confidence_level : float
        In (0, 1).
    error_rate : float, optional
        For "cortes_mohri": share of misclassified cases, in [0, 1]. Default: that of the sample's best
        threshold.
    n_resamples, size, rng, n_jobs
        For resampling: number of resamples, (m_pos, m_neg) of each (default: the sample's own; also for
        "exact_bootstrap"), random generator or seed, threads (the result does not depend on them).

    Returns
    -------
    Interval
        `standard_error` is the method's own; for the score intervals ("score_delong", "newcombe",
        "upper_bound") half their width over the quantile used, which is never zero.
        `estimate` is the empirical area (for "binormal" Φ(δ̂)). Tied pairs count one half. Bounds lie inside
        [0, 1], for a partial area inside [0, its width]. For rounded scores they are moved outwards by the
        most that rounding can have changed the area (`Scores.auc_error`; for a partial area the areas of the
        least and the greatest curve that the exact scores can have); "binormal" warns instead. Guarantee:
        bootstrap for the methods of that name, otherwise asymptotic.

    Raises
    ------
    ValueError
        For an unknown method, one that has no partial form, or an argument out of range.

    Warns
    -----
    ConfrocWarning
        When the method's standard error is zero or undefined (perfect separation, all scores equal, one case
        in a class). It then says nothing about the doubt that is left, so "newcombe" is used instead,
        and the result's `method` and `notes` say so. Also when "delong", "hanley_mcneil", "exact_bootstrap",
        "bootstrap" or "cortes_mohri" is used where it is known to under-cover.

    Notes
    -----
    The coverage behind the default and the warnings is in the theory page, with the command that measures it.

    Examples
    --------
    >>> from confroc import Scores, auc_interval
    >>> scores = Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(auc_interval(scores))
    auc 0.9375 (95 % interval 0.4923 to 0.9950; score_delong)
    >>> print(auc_interval(scores, method="newcombe"))
    auc 0.9375 (95 % interval 0.5133 to 0.9946; newcombe)
    >>> print(auc_interval(scores, max_fpr=0.5, standardize=True))
    auc[max_fpr=0.5, standardized] 0.9167 (95 % interval 0.5522 to 0.9926; score_delong)
    """
    check_choice("method", method, AUC_METHODS)
    # Means and spreads of rounded scores have no bound that carries over to the area.
    check_scores("scores", scores, widens=method != "binormal")
    level = check_level(confidence_level)
    part = check_part(max_fpr, min_tpr)
    if part is not None and method not in PARTIAL_METHODS:
        listed = ", ".join(repr(m) for m in PARTIAL_METHODS)
        raise ArgumentError(
            "method", f"be one of {listed} for a partial area", method, "Choose one of these."
        )
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    found = estimate(scores, part)
    z = normal_quantile(level)
    guarantee: Guarantee = "asymptotic"
    auc, lower, upper = found.auc, math.nan, math.nan
    se = math.sqrt(found.variance) if found.variance >= 0.0 else math.nan
    notes: tuple[str, ...] = ()
    if method == "score_delong":
        lower, upper, se = _score_delong(found, level)
    elif method == "newcombe":
        lower, upper, se = _newcombe(found, z)
    elif method == "upper_bound":
        lower, upper = _floats(forms.upper_bound_ends(auc, scores.n_pos, scores.n_neg, z))
        se = 0.5 * (upper - lower) / z
    elif method == "binormal":
        auc, lower, upper, se = forms.binormal_interval(scores, z)
    elif method in RESAMPLING_METHODS:
        guarantee = "bootstrap"
        count = check_count("n_resamples", n_resamples, minimum=2)
        values = resampling.replicates(scores, part, count, rng, sizes, n_jobs)
        if method == "bootstrap":
            lower, upper = resampling.percentile_ends(values, level)
        else:
            lower, upper = resampling.bca_ends(scores, part, values, level)
        width = 1.0 if part is None else part.width
        se = resampling.standard_deviation(values) / width
        lower, upper = lower / width, upper / width
    else:
        if method == "hanley_mcneil":
            se = math.sqrt(max(0.0, float(forms.hanley_mcneil_variance(auc, scores.n_pos, scores.n_neg))))
        elif method == "cortes_mohri":
            errors = _errors(scores, error_rate)
            se = math.sqrt(forms.cortes_mohri_moments(errors, scores.n_pos, scores.n_neg)[1])
        elif method == "exact_bootstrap":
            guarantee = "bootstrap"
            se = math.sqrt(max(0.0, exact_bootstrap_variance(scores, sizes)))
        if se > 0.0 and 0.0 < auc < 1.0:
            ends = forms.logit_ends if method == "logit_delong" else forms.wald_ends
            lower, upper = _floats(ends(auc, se**2, z))
    used: str = method
    if not upper - lower > 1e-12 * (1.0 - auc if auc > 0.5 else auc):
        notes = (f"{_why_degenerate(scores, part, method)}; 'newcombe' is used instead of {method!r}.",)
        used, guarantee, auc = "newcombe", "asymptotic", found.auc
        lower, upper, se = _newcombe(found, z)
    elif method == "cortes_mohri":
        notes = (
            "'cortes_mohri' rests on one error rate and on no other property of the population; "
            "such intervals are usually too narrow.",
        )
    elif method in ("delong", "exact_bootstrap", "bootstrap", "hanley_mcneil") and found.df < UNRELIABLE_DF:
        notes = (
            f"too few cases shape this AUC ({found.df:.1f} degrees of freedom), so {method!r} "
            "under-covers; 'score_delong' does not.",
        )
    for note in notes:
        warn(note)
    name, scale, shift = "auc", 1.0, 0.0
    if part is not None:
        name = f"auc[{part.label}{', standardized' if standardize else ''}]"
        shift = standardized(0.0, part.width) if standardize else 0.0
        scale = standardized(part.width, part.width) - shift if standardize else part.width
    interval = Interval(
        quantity=name,
        estimate=shift + scale * auc,
        lower=shift + scale * lower,
        upper=shift + scale * upper,
        standard_error=scale * se,
        confidence_level=level,
        method=used,
        guarantee=guarantee,
        notes=notes,
    )
    if method == "binormal":
        return interval
    down, up = area_errors(scores, part)
    # An area over its width, like the estimate, becomes the result by `scale`.
    unit = scale if part is None else scale / part.width
    return widened(interval, unit * down, unit * up, bounds=(shift, shift + scale))


def _floats(ends: Ends) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])


def _score_delong(e: Estimate, level: float) -> tuple[float, float, float]:
    variance = e.variance if e.df > 0.0 else 0.0
    lower, upper = _floats(forms.score_delong_ends(e.auc, variance, e.df, e.n_pos, e.n_neg, level))
    return lower, upper, 0.5 * (upper - lower) / float(forms.t_quantile(e.df + forms.PRIOR_DF, level))


def _newcombe(e: Estimate, z: float) -> tuple[float, float, float]:
    lower, upper = forms.newcombe_ends(e.auc, e.n_pos, e.n_neg, z)
    return lower, upper, 0.5 * (upper - lower) / z


def _errors(scores: Scores, error_rate: float | None) -> int:
    if error_rate is None:
        return forms.fewest_errors(scores)
    rate = float(check_rate("error_rate", error_rate)[0])
    return round(rate * (scores.n_pos + scores.n_neg))


def _why_degenerate(scores: Scores, part: Part | None, method: str) -> str:
    if method == "cortes_mohri":
        return "rankings of this error rate all have the same AUC"
    if min(scores.n_pos, scores.n_neg) == 1:
        return "DeLong's variance is undefined with a single case in a class"
    if len(scores.score) == 1:
        return "all scores are equal, so the AUC is 0.5 and DeLong's variance is zero"
    if method == "binormal":
        return "the scores do not vary within the classes"
    area = "AUC" if part is None else "partial AUC"
    return (
        f"DeLong's variance is zero ({area} = {scores.auc:g})"
        if part is None
        else f"the {area} does not vary"
    )
