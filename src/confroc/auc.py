"""The area under the ROC curve: intervals for one model, and the difference of two."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import _kernels
from confroc._check import check_choice, check_level, warn
from confroc._kernels.merge import placement_sums
from confroc.binomial import normal_quantile
from confroc.results import Difference, Interval
from confroc.scores import Pair, PairedScores, Scores, check_pair, check_scores

FloatArray: TypeAlias = NDArray[np.float64]
AucMethod: TypeAlias = Literal["delong", "logit_delong", "newcombe"]
DifferenceMethod: TypeAlias = Literal["delong"]

AUC_METHODS = ("delong", "logit_delong", "newcombe")
DIFFERENCE_METHODS = ("delong",)


def placements(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Placement of a positive and of a negative at each distinct score, minus the AUC.

    A positive's placement is the share of negatives it outranks, a negative's the share of positives
    that outrank it, ties counting one half; each averages to the AUC over its class (DeLong, DeLong &
    Clarke-Pearson 1988).
    """
    auc = scores.auc
    of_pos = (0.5 * scores.neg - scores.neg_above) / scores.n_neg + (1.0 - auc)
    of_neg = (scores.pos_above - 0.5 * scores.pos) / scores.n_pos - auc
    return of_pos, of_neg


def _covariance(u: FloatArray, v: FloatArray, count: NDArray[np.int64], n: int) -> float:
    """Covariance of the mean of n centred values, u·v summed with counts; NaN for one case."""
    return float(np.dot(u * v, count)) / (n - 1) / n if n > 1 else math.nan


def delong_variances(scores: Scores) -> tuple[float, float]:
    """DeLong's two parts of the variance of the AUC: from positives and from negatives.

    NaN for a class of a single case, whose spread cannot be estimated.
    """
    n_pos, n_neg = scores.n_pos, scores.n_neg
    if len(scores.score) >= _kernels.BIG and min(n_pos, n_neg) > 1:
        sums = _kernels.compiled(placement_sums)(scores.pos, scores.neg, n_pos, n_neg, scores.auc)
        return sums[0] / (n_pos - 1) / n_pos, sums[1] / (n_neg - 1) / n_neg
    of_pos, of_neg = placements(scores)
    return (
        _covariance(of_pos, of_pos, scores.pos, n_pos),
        _covariance(of_neg, of_neg, scores.neg, n_neg),
    )


def delong_covariances(pair: PairedScores) -> tuple[float, float]:
    """DeLong's two parts of the covariance of two AUCs on the same cases."""
    (pos_a, neg_a), (pos_b, neg_b) = placements(pair.a), placements(pair.b)
    return (
        _covariance(pos_a[pair.index_a], pos_b[pair.index_b], pair.pos, pair.n_pos),
        _covariance(neg_a[pair.index_a], neg_b[pair.index_b], pair.neg, pair.n_neg),
    )


def newcombe_variance(auc: float, n_pos: int, n_neg: int) -> float:
    """Variance of the empirical AUC when the true one is `auc` (Newcombe 2006, method 5).

    Hanley & McNeil's exponential form with (n₊ + n₋)/2 − 1 in place of both n₊ − 1 and n₋ − 1.
    """
    extra = (n_pos + n_neg) / 2.0 - 1.0
    bracket = 1.0 + extra * ((1.0 - auc) / (2.0 - auc) + auc / (1.0 + auc))
    return auc * (1.0 - auc) * bracket / (n_pos * n_neg)


def _newcombe_low(auc: float, n_pos: int, n_neg: int, z: float) -> float:
    from scipy.optimize import brentq

    if auc <= 0.0:
        return 0.0

    def excess(true: float) -> float:
        return auc - true - z * math.sqrt(newcombe_variance(true, n_pos, n_neg))

    # The bracket stops short of the estimate because the variance vanishes, and a false root lies, at 1.
    return float(brentq(excess, 0.0, auc * (1.0 - 1e-12), xtol=1e-15))


def newcombe_ends(auc: float, n_pos: int, n_neg: int, z: float) -> tuple[float, float]:
    """All true areas within z standard errors of the estimate, the errors taken at the true area."""
    return _newcombe_low(auc, n_pos, n_neg, z), 1.0 - _newcombe_low(1.0 - auc, n_pos, n_neg, z)


def auc_interval(
    scores: Scores, *, method: AucMethod = "delong", confidence_level: float = 0.95
) -> Interval:
    """Confidence interval for the area under the ROC curve.

    Parameters
    ----------
    scores : Scores
    method : {"delong", "logit_delong", "newcombe"}
        delong : AUC ± z·SE with DeLong, DeLong & Clarke-Pearson's (1988) variance, cut to [0, 1].
            Under-covers with few cases or an AUC near 1.
        logit_delong : the same on the logit scale, transformed back; always inside (0, 1).
        newcombe : score interval from an exponential-model variance (Newcombe 2006, method 5). Needs
            no spread in the data, so it holds up for few cases and for AUC = 1.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Interval
        `standard_error` is DeLong's, or for "newcombe" the model's at the estimate. Guarantee:
        asymptotic. Tied pairs count one half.

    Warns
    -----
    ConfrocWarning
        When DeLong's variance is zero or undefined (perfect separation, all scores equal, or one case
        in a class). It then says nothing about the doubt that is left, so "newcombe" is used instead,
        and the result's `method` and `notes` say so.

    Examples
    --------
    >>> from confroc import Scores, auc_interval
    >>> scores = Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(auc_interval(scores, method="newcombe"))
    auc 0.9375 (95 % interval 0.5485 to 0.9948; newcombe)
    """
    check_scores("scores", scores)
    check_choice("method", method, AUC_METHODS)
    level = check_level(confidence_level)
    z = normal_quantile(level)
    auc = scores.auc
    used: str = method
    notes: tuple[str, ...] = ()
    variance = math.nan
    if method != "newcombe":
        variance = sum(delong_variances(scores))
        if not variance > 0.0 or (method == "logit_delong" and auc in (0.0, 1.0)):
            note = f"{_why_degenerate(scores)}; 'newcombe' is used instead of {method!r}."
            warn(note)
            used, notes = "newcombe", (note,)
    if used == "newcombe":
        variance = newcombe_variance(auc, scores.n_pos, scores.n_neg)
        lower, upper = newcombe_ends(auc, scores.n_pos, scores.n_neg, z)
    elif used == "delong":
        half = z * math.sqrt(variance)
        lower, upper = max(0.0, auc - half), min(1.0, auc + half)
    else:
        half = z * math.sqrt(variance) / (auc * (1.0 - auc))
        lower, upper = (float(special.expit(special.logit(auc) + side)) for side in (-half, half))
    return Interval(
        quantity="auc",
        estimate=auc,
        lower=lower,
        upper=upper,
        standard_error=math.sqrt(variance),
        confidence_level=level,
        method=used,
        guarantee="asymptotic",
        notes=notes,
    )


def _why_degenerate(scores: Scores) -> str:
    if min(scores.n_pos, scores.n_neg) == 1:
        return "DeLong's variance is undefined with a single case in a class"
    if len(scores.score) == 1:
        return "all scores are equal, so the AUC is 0.5 and DeLong's variance is zero"
    return f"DeLong's variance is zero (AUC = {scores.auc:g})"


def auc_difference(
    pair: Pair, *, method: DifferenceMethod = "delong", confidence_level: float = 0.95
) -> Difference:
    """Difference of two areas, a − b: interval and test of no difference.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    method : {"delong"}
        DeLong, DeLong & Clarke-Pearson (1988). Paired: normal reference, with the covariance of the
        two areas. Unpaired: the variances add, and Student's t with Welch-Satterthwaite degrees of
        freedom is the reference, as in pROC.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Difference
        `statistic` is (a − b)/SE, `pvalue` two-sided. Bounds are cut to [−1, 1]. Guarantee: asymptotic.

    Warns
    -----
    ConfrocWarning
        When DeLong's variance of the difference is zero or undefined, e.g. when both models separate the
        classes perfectly. The two Newcombe intervals are then combined by squaring and adding their
        arms (Newcombe 1998), as for independent samples, which is the cautious choice for a pair.

    Examples
    --------
    >>> from confroc import PairedScores, auc_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> print(auc_difference(pair))
    auc_a - auc_b +0.1875 (95 % interval -0.2046 to +0.5796, p = 0.3486; delong, paired)
    """
    check_pair("pair", pair)
    check_choice("method", method, DIFFERENCE_METHODS)
    level = check_level(confidence_level)
    estimate = pair.a.auc - pair.b.auc
    parts = np.array([delong_variances(pair.a), delong_variances(pair.b)])
    variance = float(parts.sum())
    df = math.inf
    if isinstance(pair, PairedScores):
        design: Literal["paired", "unpaired"] = "paired"
        variance -= 2.0 * sum(delong_covariances(pair))
        # Rounding leaves about 1e-17 where two models agree on every case.
        if variance <= 1e-14 * parts.sum():
            variance = 0.0
    else:
        design = "unpaired"
        per_model = parts.sum(axis=1)
        n = np.array([s.n_pos + s.n_neg for s in (pair.a, pair.b)])
        if variance > 0.0:
            df = float(variance**2 / np.sum(per_model**2 / (n - 1)))
    if not variance > 0.0:
        return _square_and_add(pair, estimate, level, design)
    se = math.sqrt(variance)
    statistic = estimate / se
    half = -float(special.stdtrit(df, (1.0 - level) / 2.0)) * se if math.isfinite(df) else normal_quantile(level) * se
    tail = special.stdtr(df, -abs(statistic)) if math.isfinite(df) else special.ndtr(-abs(statistic))
    return Difference(
        quantity="auc_a - auc_b",
        estimate=estimate,
        lower=max(-1.0, estimate - half),
        upper=min(1.0, estimate + half),
        standard_error=se,
        statistic=statistic,
        pvalue=2.0 * float(tail),
        design=design,
        confidence_level=level,
        method="delong",
        guarantee="asymptotic",
    )


def _square_and_add(
    pair: Pair, estimate: float, level: float, design: Literal["paired", "unpaired"]
) -> Difference:
    """Combine two Newcombe intervals; the p-value is where the interval just reaches zero."""
    from scipy.optimize import brentq

    def ends(z: float) -> tuple[float, float]:
        arms = []
        for s in (pair.a, pair.b):
            low, high = newcombe_ends(s.auc, s.n_pos, s.n_neg, z)
            arms.append((s.auc - low, high - s.auc))
        (down_a, up_a), (down_b, up_b) = arms
        return estimate - math.hypot(down_a, up_b), estimate + math.hypot(up_a, down_b)

    def reach(z: float) -> float:
        low, high = ends(z)
        return low if estimate > 0.0 else -high

    note = (
        "DeLong's variance of the difference is zero or undefined; the two Newcombe intervals are squared "
        "and added instead."
    )
    warn(note)
    statistic = 0.0 if estimate == 0.0 else math.copysign(brentq(reach, 0.0, 1e3), estimate)
    lower, upper = ends(normal_quantile(level))
    variance = sum(newcombe_variance(s.auc, s.n_pos, s.n_neg) for s in (pair.a, pair.b))
    return Difference(
        quantity="auc_a - auc_b",
        estimate=estimate,
        lower=max(-1.0, lower),
        upper=min(1.0, upper),
        standard_error=math.sqrt(variance),
        statistic=statistic,
        pvalue=2.0 * float(special.ndtr(-abs(statistic))),
        design=design,
        confidence_level=level,
        method="newcombe",
        guarantee="asymptotic",
        notes=(note,),
    )
