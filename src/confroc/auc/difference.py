"""The difference of two areas: interval, and tests of difference, equivalence and non-inferiority."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

from scipy import special

from confroc._check import ArgumentError, check_choice, check_count, check_size, warn
from confroc._types import RNG, FloatArray, Size
from confroc.auc import permutation, reallocation, resampling
from confroc.auc.design import Design, delong_spread, make_design
from confroc.auc.exact_bootstrap import (
    exact_bootstrap_covariance,
    exact_bootstrap_variance,
    partly_shared_variance,
)
from confroc.auc.hypothesis import Alternative, AucDifference, Hypothesis, check_hypothesis
from confroc.auc.partial import check_part, standardized
from confroc.auc.rounding import area_errors
from confroc.auc.square_and_add import SquareAndAdd
from confroc.distributions import normal_quantile
from confroc.resample import spawn
from confroc.results import Guarantee
from confroc.scores import Pair, PairedScores, Scores, check_pair, widened

DifferenceMethod: TypeAlias = Literal["delong", "bootstrap", "exact_bootstrap", "permutation"]
DIFFERENCE_METHODS = ("delong", "bootstrap", "exact_bootstrap", "permutation")
PARTIAL_METHODS = ("delong", "bootstrap")
UNRELIABLE_DF = 10.0
UNRELIABLE_SHARE = 0.4
"""Degrees of freedom of the difference's variance, in number and as a share of what the cases allow, below
both of which intervals built on it alone under-cover: one class is small, or most cases are ranked alike."""


class Found(NamedTuple):
    """Interval and test."""

    low: float
    high: float
    standard_error: float
    statistic: float
    pvalue: float


def auc_difference(
    pair: Pair,
    *,
    method: DifferenceMethod = "delong",
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    only_a: Scores | None = None,
    only_b: Scores | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    size: Size = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> AucDifference:
    """Difference of two areas, a − b: interval and test.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    method : {"delong", "bootstrap", "exact_bootstrap", "permutation"}
        delong : DeLong, DeLong & Clarke-Pearson (1988). Paired: normal reference, with the covariance of the
            two areas. Unpaired: the variances add, and Student's t with Welch-Satterthwaite degrees of
            freedom is the reference, as in pROC. Under-covers where few cases shape the difference.
        bootstrap : percentile interval; p-value from the difference over its bootstrap standard
            deviation and the normal law. Stratified; whole cases are drawn, with both their scores.
        exact_bootstrap : normal interval and test with the variance of infinitely many resamples, in
            closed form, O(n log n). With `only_a` or `only_b` the cases with both scores and those with one
            are resampled each by themselves.
        permutation : the p-value from exchanging cases; `standard_error` is that under the null hypothesis.
            The interval is DeLong's, since exchanging tests no difference but zero.

            Paired (after Bandos, Rockette & Gur 2005): each case's two scores, as ranks within their models,
            are swapped or not in all 2ⁿ ways; exact for small samples (a few hundred cases) and normal for
            larger ones, as `notes` say.

            Unpaired: the cases of each class are divided anew between the two test sets `n_resamples` times,
            and the difference over its DeLong standard error is compared. Exact if both sets come from one
            population scored on one scale (one model in two groups); asymptotically valid for equal areas
            of any two (Chung & Romano 2013). Invariant under a transform of both models' scores together.

            Not with `only_a` or `only_b`: paired cases swap ranks, but a case with one score could only
            change models with that score, which tests nothing unless both models share one scale.
    max_fpr, min_tpr : float, optional
        Difference of the areas for false positive rates from 0 to `max_fpr`, or to the right of the curves
        for true positive rates from `min_tpr` to 1; each model's threshold there is estimated, and the
        variance says so. Methods "delong" (the covariance of the partial placements) and "bootstrap".
    standardize : bool
        Put both partial areas on McClish's (1989) scale first; a margin is then on that scale too.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What the p-value is evidence for: a − b ≠ 0, < 0, > 0, > −margin ("a is not worse by the margin"), or
        |a − b| < margin (two one-sided tests, Schuirmann 1987).
    margin : float, optional
        In (0, 1); for the last two alternatives only.
    only_a, only_b : Scores, optional
        Further cases that only one of the models has scored (a partially paired design). Not with
        "permutation". Which cases have both scores must not depend on the scores.
    confidence_level : float
        In (0, 1).
    n_resamples, size, rng, n_jobs
        For "bootstrap": resamples, (m_pos, m_neg) of each (default: the sample's own; also for
        "exact_bootstrap"), generator or seed, threads (the result does not depend on them). The unpaired
        "permutation" takes `n_resamples` and `rng` too.

    Returns
    -------
    AucDifference
        Bounds are cut to [−1, 1], for a partial area to what its width allows; one-sided alternatives have a
        one-sided interval, as in SciPy. Tied pairs count one half. Rounded scores widen the interval by the
        most that rounding can have changed both areas; the p-value is that of the rounded scores. Guarantee:
        asymptotic, bootstrap, or for the exact permutation tests finite-sample (of the p-value, under
        exchangeability).

    Raises
    ------
    ValueError
        For an unknown method or alternative, a margin missing or out of place, or a method that the design
        does not have.

    Warns
    -----
    ConfrocWarning
        When the variance of the difference is zero or undefined, e.g. when both models separate the
        classes perfectly. The two Newcombe intervals are then combined by squaring and adding their
        arms (Newcombe 1998), as for independent samples, which is the cautious choice for a pair. Also when
        so few cases shape the difference that the variance is hardly known.

    Examples
    --------
    >>> from confroc import PairedScores, auc_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> print(auc_difference(pair))
    auc_a - auc_b +0.1875 (95 % interval -0.0771 to +0.4521, p = 0.1649; delong, paired)
    >>> round(auc_difference(pair, method="permutation").pvalue, 6)
    0.171875
    >>> print(auc_difference(pair, max_fpr=0.5))
    auc_a - auc_b [max_fpr=0.5] +0.1875 (95 % interval +0.0143 to +0.3607, p = 0.03389; delong, paired)
    """
    check_pair("pair", pair, widens=True)
    check_choice("method", method, DIFFERENCE_METHODS)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    part = check_part(max_fpr, min_tpr)
    design = make_design(pair, only_a, only_b, part)
    _check_method(method, design, hypothesis)
    estimates = design.estimates
    # Estimates are shares of the part's width, variances and resamples are on the raw area's scale.
    scale = 1.0
    if part is not None and standardize:
        scale = standardized(part.width, part.width) - standardized(0.0, part.width)
        scale /= part.width
    unit = scale * design.width
    difference = unit * (estimates[0].auc - estimates[1].auc)
    spread = delong_spread(design, estimates)
    variance, df, values = spread.variance, spread.df, None
    guarantee: Guarantee = "asymptotic"
    if method == "bootstrap":
        count = check_count("n_resamples", n_resamples, minimum=2)
        values = scale * _replicates(design, count, rng, size, n_jobs)
        variance, df, guarantee = resampling.standard_deviation(values) ** 2 / scale**2, math.inf, "bootstrap"
    elif method == "exact_bootstrap":
        variance, df, guarantee = _exact_variance(design, size), math.inf, "bootstrap"
    found = _by_variance(difference, scale**2 * variance, df, values, hypothesis)
    used: str = method
    notes: tuple[str, ...] = ()
    caution = ""
    if found is None:
        combined = SquareAndAdd(estimates, unit)
        ends = combined.interval(hypothesis.central_level)
        found = Found(*ends, combined.standard_error, *combined.test(hypothesis))
        used, guarantee = "newcombe", "asymptotic"
        caution = (
            "the variance of the difference is zero or undefined; the two Newcombe intervals are squared and "
            "added instead."
        )
    elif spread.known < min(UNRELIABLE_DF, UNRELIABLE_SHARE * _most_df(design)):
        caution = (
            f"so few cases shape this difference ({spread.known:.1f} degrees of freedom) that its interval "
            "may under-cover."
        )
    if design.kind == "partially_paired" and isinstance(pair, PairedScores):
        notes = (f"both models scored {pair.n_pos} of the positives and {pair.n_neg} of the negatives.",)
    if method == "permutation":
        tested = (
            permutation.swap_test(pair, hypothesis.alternative)
            if isinstance(pair, PairedScores)
            else reallocation.division_test(
                pair, hypothesis.alternative, check_count("n_resamples", n_resamples), rng
            )
        )
        interval = "DeLong's" if used == method else "Newcombe's"
        notes = (*notes, f"the p-value is from {tested.law}; the interval is {interval}.")
        found = found._replace(
            standard_error=tested.standard_error, statistic=tested.statistic, pvalue=tested.pvalue
        )
        used, guarantee = method, tested.guarantee
    if caution:
        warn(caution)
        notes = (*notes, caution)
    lower, upper = hypothesis.ends(found.low, found.high, unit)
    label = "" if part is None else f" [{part.label}{', standardized' if standardize else ''}]"
    result = AucDifference(
        quantity=f"auc_a - auc_b{label}",
        estimate=difference,
        lower=lower,
        upper=upper,
        standard_error=found.standard_error,
        statistic=found.statistic,
        pvalue=min(1.0, found.pvalue),
        design=design.kind,
        confidence_level=hypothesis.level,
        method=used,
        guarantee=guarantee,
        notes=notes,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
    )
    (down_a, up_a), (down_b, up_b) = area_errors(design.a, part), area_errors(design.b, part)
    return widened(result, scale * (down_a + up_b), scale * (up_a + down_b), bounds=(-unit, unit))


def _check_method(method: str, design: Design, hypothesis: Hypothesis) -> None:
    """Refuse what a method cannot do."""
    if design.part is not None and method not in PARTIAL_METHODS:
        raise ArgumentError(
            "method", "be 'delong' or 'bootstrap' for a partial area", method, "Use one of these."
        )
    if method != "permutation":
        return
    if design.kind == "partially_paired":
        raise ArgumentError(
            "method",
            "suit the design: a case with one score cannot be exchanged between two models",
            method,
            "Use another method, or leave out the cases with one score.",
        )
    if hypothesis.margin is not None:
        remedy = "Use another method: exchanging cases tests a difference of zero only."
        raise ArgumentError("method", f"suit alternative={hypothesis.alternative!r}", "permutation", remedy)


def _by_variance(
    difference: float,
    variance: float,
    df: float,
    values: FloatArray | None,
    hypothesis: Hypothesis,
) -> Found | None:
    """Interval and test from a variance, or the interval from resamples; None when they show no doubt."""
    if not variance > 0.0:
        return None
    se = math.sqrt(variance)
    z = _quantile(hypothesis.central_level, df)
    low, high = difference - z * se, difference + z * se
    if values is not None:
        low, high = resampling.percentile_ends(values, hypothesis.central_level)
    if not high - low > 1e-12:
        return None
    return Found(low, high, se, *hypothesis.test(difference, se, df))


def _most_df(design: Design) -> int:
    """Degrees of freedom if every case varied alike."""
    models = (design.a,) if design.kind == "paired" else (design.a, design.b)
    return sum(s.n_pos + s.n_neg - 2 for s in models)


def _quantile(level: float, df: float) -> float:
    return normal_quantile(level) if math.isinf(df) else -float(special.stdtrit(df, (1.0 - level) / 2.0))


def _replicates(design: Design, n: int, rng: RNG, size: Size, n_jobs: int) -> FloatArray:
    pair, part = design.pair, design.part
    if isinstance(pair, PairedScores) and design.kind == "paired":
        sizes = check_size(size, pair.n_pos, pair.n_neg)
        return resampling.difference_replicates(pair, part, n, rng, sizes, n_jobs)
    _check_no_size(size)
    if isinstance(pair, PairedScores):
        full = design.a, design.b
        return resampling.partially_paired_replicates(pair, *full, design.only, part, n, rng, n_jobs)
    a, b = (
        resampling.replicates(s, part, n, stream, (s.n_pos, s.n_neg), n_jobs)
        for s, stream in zip((pair.a, pair.b), spawn(rng, 2), strict=True)
    )
    return a - b


def _exact_variance(design: Design, size: Size) -> float:
    pair, models = design.pair, (design.a, design.b)
    if isinstance(pair, PairedScores) and design.kind == "paired":
        sizes = check_size(size, pair.n_pos, pair.n_neg)
        parts = [exact_bootstrap_variance(s, sizes) for s in models]
        shared = exact_bootstrap_covariance(pair, sizes)
    else:
        _check_no_size(size)
        parts = [
            partly_shared_variance(full, [own] if extra is None else [own, extra])
            for full, own, extra in zip(models, (pair.a, pair.b), design.only, strict=True)
        ]
        shared = 0.0
        if isinstance(pair, PairedScores):
            shared = exact_bootstrap_covariance(pair, (pair.n_pos, pair.n_neg), models)
    total = sum(parts) - 2.0 * shared
    # About 1e-17 is left where two models agree on every case.
    return total if total > 1e-14 * sum(parts) else 0.0


def _check_no_size(size: Size) -> None:
    if size is not None:
        raise ArgumentError("size", "be left out unless all cases are paired", size, "Leave it out.")
