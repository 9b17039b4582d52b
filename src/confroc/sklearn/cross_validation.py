"""Cross-validated AUC, estimated from the test cases of all folds.

Scores of different folds are not comparable, so they cannot be pooled into one curve. The estimand is the
mean of the folds' AUCs. Its variance is computed from the influence of each *case* on that mean, summed over
all folds and repeats that tested the case.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import ArgumentError, as_column, check_instance, check_level, warned
from confroc._types import FloatArray
from confroc.auc import asymptotic as forms
from confroc.distributions import t_quantile
from confroc.moments import (
    Moments,
    effective_sizes,
    influence_moments,
    measured,
    moments_of_counts,
    pooled_df,
)
from confroc.results import Difference, Interval
from confroc.results.frozen import identical
from confroc.scores import WeightKind
from confroc.scores.predictions import ResponseMethod, check_cases, responses
from confroc.sklearn.folds import CrossValidatedScores, between_folds

OF_FITTED_MODELS = (
    "The interval is for the fitted models on new cases; it does not include the variation between training "
    "samples."
)
NO_SPREAD = "The variance of the difference is zero or undefined; Newcombe's interval is reported instead."

GIVEN = "Pass the X and y of cross_validate."
OF_RESULTS = "Use from_cv_results(cv_results, X, y)."


def _moments(parts: Sequence[Moments], cross_areas: Iterable[FloatArray]) -> Moments:
    """Variance of a mean AUC, or difference between two; 0 degrees of freedom if nothing varies."""
    variance = sum(part.variance for part in parts)
    if not variance > 0.0:
        return Moments(0.0, 0.0)
    return Moments(variance + between_folds(cross_areas), pooled_df(*parts))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrossValidatedAuc(Interval):
    """Mean AUC over folds; see `cross_validated_auc`.

    Attributes
    ----------
    fold_auc : tuple of float
    times_tested : float
        Mean number of folds that tested a case.
    """

    fold_auc: tuple[float, ...]
    times_tested: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrossValidatedDifference(Difference):
    """Mean difference between two AUCs over folds; see `cross_validated_auc_difference`.

    Attributes
    ----------
    fold_difference : tuple of float
    times_tested : float
    """

    fold_difference: tuple[float, ...]
    times_tested: float


def from_cv_results(
    cv_results: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    weight_kind: WeightKind = "sampling",
    cluster: Any = None,
    strata: ArrayLike | None = None,
    pos_label: object = None,
    response_method: ResponseMethod = "auto",
) -> CrossValidatedScores:
    """Score each fold's test cases with the model fitted without them.

    Training cases are also scored, for `everywhere` of `CrossValidatedScores`.

    Parameters
    ----------
    cv_results : dict
        From `sklearn.model_selection.cross_validate(..., return_estimator=True, return_indices=True)`.
    X, y
        The cross-validated data, in the same order.
    sample_weight, weight_kind, cluster, strata : optional
        As in `CrossValidatedScores`, for the rows of X. Clusters must be the `groups` of a splitter that
        keeps them together, such as `StratifiedGroupKFold`.
    pos_label, response_method
        As in `Scores.from_estimator`.

    Returns
    -------
    CrossValidatedScores

    Raises
    ------
    ValueError
        Missing estimators or indices; as in `CrossValidatedScores`.

    See Also
    --------
    cross_validated_auc, cross_validated_auc_difference : Inference on the AUC.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    >>> from confroc.sklearn import cross_validated_auc, from_cv_results
    >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
    >>> folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    >>> keep = {"return_estimator": True, "return_indices": True}
    >>> kept = cross_validate(LogisticRegression(), X, y, cv=folds, **keep)
    >>> print(cross_validated_auc(from_cv_results(kept, X, y)))
    cross-validated auc 0.8495 (95% CI 0.7959 to 0.8899; score_delong)
    Note: The interval is for the fitted models on new cases; ...
    """
    remedy = "Pass the result of `cross_validate` for one model."
    check_instance("cv_results", cv_results, Mapping, remedy)
    for key, option in (("estimator", "return_estimator"), ("indices", "return_indices")):
        if key not in cv_results:
            remedy = f"Call cross_validate(..., {option}=True)."
            raise ArgumentError("cv_results", f"contain {key!r}", sorted(cv_results), remedy)
    check_cases(cv_results["estimator"][:1], X, y)
    n, tests = len(as_column("y", y)), cv_results["indices"]["test"]
    if n <= (last := max((int(np.max(test)) for test in tests), default=0)):
        raise ArgumentError("y", f"contain as many labels as `cv_results` has cases, {last + 1}", n, GIVEN)
    everywhere = [responses(model, X, pos_label, response_method) for model in cv_results["estimator"]]
    folds = [(test, score[test]) for score, test in zip(everywhere, tests, strict=True)]
    design: Any = {"sample_weight": sample_weight, "weight_kind": weight_kind, "cluster": cluster}
    return CrossValidatedScores(y, folds, everywhere=everywhere, strata=strata, pos_label=pos_label, **design)


def cross_validated_auc(cv: CrossValidatedScores, *, confidence_level: float = 0.95) -> CrossValidatedAuc:
    """Confidence interval for the mean AUC of cross-validated models.

    Parameters
    ----------
    cv : CrossValidatedScores
        From `from_cv_results`, or from other scores.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    CrossValidatedAuc
        `guarantee` is "asymptotic" in the number of cases. With one fold `standard_error` is DeLong's.

    Raises
    ------
    TypeError
        `cv` has another type.

    See Also
    --------
    cross_validated_auc_difference : Two learners on the same folds.
    confroc.auc_interval : AUC of one model on one test set.

    Notes
    -----
    *Estimand*: the mean, over the fitted models, of the AUC on new cases. A model fitted to all cases is
    usually slightly better.

    *Variance*: with ψ the influence of a case on the mean, summed over the folds that tested it, Σψ² over
    cases (LeDell, Petersen & van der Laan 2015). A case tested in ten repeats is one case, so repeats do not
    shrink the interval as new cases would. The AUCs of folds and repeats are not an independent sample. Folds
    also train each other's models; the resulting covariance is estimated from the AUCs of all folds under
    each fold's model, if available (`cross_areas`). For clusters ψ is summed within clusters over all folds
    (Obuchowski 1997), and the interval is that of an equally informative sample of independent cases; weights
    and strata likewise.

    *Limits*: a score interval as in `auc_interval(method="score_delong")`, of positive width even for perfect
    folds. In small samples Newcombe's variance for folds of these sizes is used.

    *Not included*: variation of the AUC with the training cases, which has no unbiased estimate from a single
    cross-validation (Bengio & Grandvalet 2004).

    References
    ----------
    LeDell, Petersen & van der Laan (2015), Electronic Journal of Statistics 9, 1583-1607: influence curves.
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845: one fold.
    Bengio & Grandvalet (2004), Journal of Machine Learning Research 5, 1089-1105.

    Examples
    --------
    >>> from confroc.sklearn import CrossValidatedScores, cross_validated_auc
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> halves = [([0, 1, 4, 5], [3.0, 2.0, 1.0, 2.5]), ([2, 3, 6, 7], [0.9, 0.4, 0.3, 0.2])]
    >>> print(cross_validated_auc(CrossValidatedScores(y, halves)))
    cross-validated auc 0.8750 (95% CI 0.3343 to 0.9884; score_delong)
    Note: The interval is for the fitted models on new cases; ...
    """
    check_instance("cv", cv, CrossValidatedScores, OF_RESULTS)
    level = check_level(confidence_level)
    auc = float(cv.fold_auc.mean())
    found = _moments(influence_moments(cv._influence(cv.contributions), cv.cases), cv.cross_areas)
    lower, upper, quantile = _score_ends(cv, auc, found, level)
    return CrossValidatedAuc(
        quantity="cross-validated auc",
        estimate=auc,
        lower=lower,
        upper=upper,
        standard_error=math.sqrt(found.variance)
        if found.variance > 0.0
        else 0.5 * (upper - lower) / quantile,
        confidence_level=level,
        method="score_delong",
        guarantee="asymptotic",
        notes=(OF_FITTED_MODELS,),
        fold_auc=tuple(cv.fold_auc.tolist()),
        times_tested=cv.times_tested,
    )


def _score_ends(
    cv: CrossValidatedScores, auc: float, found: Moments, level: float
) -> tuple[float, float, float]:
    """The score interval of one curve, with the model's variance for folds of these sizes."""
    table = cv.cases
    if table.design is not None:
        # Effective sizes.
        influence = cv._influence(cv.contributions)
        table = table._resized(*effective_sizes(measured(influence, table)))
        found = _moments(moments_of_counts(influence, table), cv.cross_areas)
    # The ratio of two variance models has a limit if both vanish.
    inside = min(max(auc, 1e-9), 1.0 - 1e-9)
    pooled = float(forms.exponential_model(inside, table.n_pos, table.n_neg))
    shares = table.n_pos / cv.n_pos, table.n_neg / cv.n_neg
    per_fold = [
        float(forms.exponential_model(inside, max(1.0, f.n_pos * shares[0]), max(1.0, f.n_neg * shares[1])))
        for f in cv.fold_scores
    ]
    # Repeats of the same cases count once: with R repeats F/R folds are independent.
    independent = len(cv.folds) / cv.times_tested
    model = float(np.mean(per_fold)) / independent / pooled
    known = found.variance / (inside * (1.0 - inside) * pooled)
    scale = forms.score_delong_scale(known, found.df, model)
    quantile = float(forms.score_delong_quantile(found.df, 0.5 * (1.0 - level)))
    low, high = forms.score_ends(auc, scale, table.n_pos, table.n_neg, quantile, forms.exponential_model)
    return float(low), float(high), quantile


def cross_validated_auc_difference(
    a: CrossValidatedScores, b: CrossValidatedScores, *, confidence_level: float = 0.95
) -> CrossValidatedDifference:
    """Compare two learners cross-validated on the same folds.

    Parameters
    ----------
    a, b : CrossValidatedScores
        Same test cases in the same folds.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    CrossValidatedDifference
        Mean over folds of the AUC of `a` minus that of `b`, with a t interval and a two-sided p-value from
        the differences of influence values. `guarantee` is "asymptotic" in the number of cases; with one fold
        the standard error is DeLong's for paired AUCs. Training cases are fixed, as in `cross_validated_auc`.
        If rankings are identical, the two intervals are squared and added.

    Raises
    ------
    ValueError
        Different folds, weights, clusters or strata.

    Warns
    -----
    ConfrocWarning
        The differences have no variance.

    See Also
    --------
    cross_validated_auc : One learner; has the references.
    confroc.auc_difference : Two models on one test set.

    References
    ----------
    LeDell, Petersen & van der Laan (2015), Electronic Journal of Statistics 9, 1583–1607.

    Examples
    --------
    >>> from confroc.sklearn import CrossValidatedScores, cross_validated_auc_difference
    >>> y, rows = [1, 1, 1, 0, 0, 0], [0, 1, 2, 3, 4, 5]
    >>> a = CrossValidatedScores(y, [(rows, [6, 5, 3, 4, 2, 1])])
    >>> b = CrossValidatedScores(y, [(rows, [6, 1, 2, 5, 4, 3])])
    >>> print(cross_validated_auc_difference(a, b))
    cross-validated auc_a - auc_b +0.5556 (95% CI -0.5492 to +1.0000, p = 0.1908; delong, paired)
    Note: The interval is for the fitted models on new cases; ...
    """
    check_instance("a", a, CrossValidatedScores, OF_RESULTS)
    check_instance("b", b, CrossValidatedScores, OF_RESULTS)
    level = check_level(confidence_level)
    of_a, of_b = ((cv.positive, *(np.sort(fold.cases) for fold in cv.folds)) for cv in (a, b))
    if not identical(of_a, of_b):
        remedy = "Pass the same `cv` splitter and seed to both."
        raise ArgumentError("b", "have the folds of `a`", repr(b), remedy)
    if a.cases != b.cases:
        raise ArgumentError("b", "have the weights, clusters and strata of `a`", repr(b), "Pass the same.")
    if len(a.cross_areas) != len(b.cross_areas):
        rule = "have `everywhere` as `a` has"
        raise ArgumentError("b", rule, repr(b), "Build both with `everywhere`, or both without.")
    contributions = a.contributions - b.contributions
    by_fold = a.fold_auc - b.fold_auc
    estimate = float(by_fold.mean())
    cross = [p - q for p, q in zip(a.cross_areas, b.cross_areas, strict=True)]
    found = _moments(influence_moments(a._influence(contributions), a.cases), cross)
    notes: tuple[str, ...] = (OF_FITTED_MODELS,)
    method = "delong"
    if found.df > 0.0:
        se = math.sqrt(found.variance)
        half = float(t_quantile(found.df, level)) * se
        lower, upper = estimate - half, estimate + half
        statistic = estimate / se
        pvalue = float(2.0 * special.stdtr(found.df, -abs(statistic)))
    else:
        ends = [cross_validated_auc(cv, confidence_level=level) for cv in (a, b)]
        lower = estimate - math.hypot(ends[0].estimate - ends[0].lower, ends[1].upper - ends[1].estimate)
        upper = estimate + math.hypot(ends[0].upper - ends[0].estimate, ends[1].estimate - ends[1].lower)
        se, statistic, pvalue, method = math.nan, math.nan, 1.0 if estimate == 0.0 else math.nan, "newcombe"
        notes += warned(NO_SPREAD, where=True)
    return CrossValidatedDifference(
        quantity="cross-validated auc_a - auc_b",
        estimate=estimate,
        lower=max(-1.0, lower),
        upper=min(1.0, upper),
        standard_error=se,
        statistic=statistic,
        pvalue=pvalue,
        design="paired",
        confidence_level=level,
        method=method,
        guarantee="asymptotic",
        notes=notes,
        fold_difference=tuple(by_fold.tolist()),
        times_tested=a.times_tested,
    )
