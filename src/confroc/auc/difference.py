"""The difference of two areas: interval, and tests of difference, equivalence and non-inferiority."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import RNG, Size, check_choice, check_count, check_size, sentence, warn
from confroc.auc import permutation, resampling
from confroc.auc.closed_forms import newcombe_ends, newcombe_variance
from confroc.auc.hypothesis import Alternative, AucDifference, Hypothesis, check_hypothesis
from confroc.auc.placements import covariance_of_means, delong_covariances, delong_variances, placements
from confroc.binomial import normal_quantile
from confroc.resample import spawn
from confroc.results import Guarantee
from confroc.scores import Pair, PairedScores, Scores, check_pair, check_scores

DifferenceMethod: TypeAlias = Literal["delong", "bootstrap", "exact_bootstrap", "permutation"]
DIFFERENCE_METHODS = ("delong", "bootstrap", "exact_bootstrap", "permutation")


class Designed(NamedTuple):
    """Everything the methods need to know of the two models' test sets."""

    pair: Pair
    a: Scores
    b: Scores
    only: tuple[Scores | None, Scores | None] = (None, None)

    @property
    def extra(self) -> bool:
        """Whether some cases have the score of one model only, beside pairs."""
        return self.only != (None, None)

    @property
    def paired(self) -> bool:
        """Whether some cases have scores of both models."""
        return isinstance(self.pair, PairedScores)


def delong_variance(design: Designed) -> tuple[float, float]:
    """DeLong's variance of the difference, zero when only rounding is left of it, and its df."""
    parts = np.array([delong_variances(design.a), delong_variances(design.b)])
    variance, df = float(parts.sum()), math.inf
    if isinstance(design.pair, PairedScores):
        shared = _shared_covariances(design) if design.extra else delong_covariances(design.pair)
        variance -= 2.0 * sum(shared)
        # About 1e-17 is left where two models agree on every case.
        if variance <= 1e-14 * parts.sum():
            variance = 0.0
    elif variance > 0.0:
        n = np.array([s.n_pos + s.n_neg for s in (design.a, design.b)])
        df = float(variance**2 / np.sum(parts.sum(axis=1) ** 2 / (n - 1)))
    return variance, df


def _shared_covariances(design: Designed) -> tuple[float, float]:
    """Covariances of two AUCs of which only some cases have both scores.

    Placements are taken in each model's whole test set, their covariance over the shared cases; the
    covariance of the two means is that times n_shared/(n_a·n_b).
    """
    pair = design.pair
    assert isinstance(pair, PairedScores)
    at = [
        np.searchsorted(-full.score, -part)
        for full, part in ((design.a, pair.score_a), (design.b, pair.score_b))
    ]
    of_a, of_b = placements(design.a), placements(design.b)
    shared = []
    for k, (count, n) in enumerate(((pair.pos, pair.n_pos), (pair.neg, pair.n_neg))):
        u, v = of_a[k][at[0]], of_b[k][at[1]]
        u, v = u - np.dot(u, count) / n, v - np.dot(v, count) / n
        n_a, n_b = ((s.n_pos, s.n_neg)[k] for s in (design.a, design.b))
        shared.append(covariance_of_means(u, v, count, n) * n * n / (n_a * n_b))
    return shared[0], shared[1]


def auc_difference(
    pair: Pair,
    *,
    method: DifferenceMethod = "delong",
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
            freedom is the reference, as in pROC.
        bootstrap : percentile interval; p-value from the difference over its bootstrap standard
            deviation and the normal law. Stratified; whole cases are drawn, with both their scores.
        exact_bootstrap : normal interval and test with the variance of infinitely many resamples, in
            closed form, O(n log n).
        permutation : exact paired permutation test (after Bandos, Rockette & Gur 2005): each case's two
            scores, as ranks within their models, are swapped or not in all 2ⁿ ways. `standard_error` is
            that under the null hypothesis, in closed form; the p-value is exact for small samples (a few
            hundred cases) and normal for larger ones, as `notes` say. The interval is DeLong's, since
            swapping tests no difference but zero. Paired only.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What the p-value is evidence for: a − b ≠ 0, < 0, > 0, > −margin ("a is not worse by the margin"), or
        |a − b| < margin (two one-sided tests, Schuirmann 1987).
    margin : float, optional
        In (0, 1); for the last two alternatives only.
    only_a, only_b : Scores, optional
        Further cases that only one of the models has scored (a partially paired design). Methods "delong" and
        "bootstrap". Which cases have both scores must not depend on the scores.
    confidence_level : float
        In (0, 1).
    n_resamples, size, rng, n_jobs
        For "bootstrap": resamples, (m_pos, m_neg) of each (default: the sample's own; also for
        "exact_bootstrap"), generator or seed, threads (the result does not depend on them).

    Returns
    -------
    AucDifference
        Bounds are cut to [−1, 1]; one-sided alternatives have a one-sided interval, as in SciPy. Tied pairs
        count one half. Guarantee: asymptotic, bootstrap, or for the exact permutation test finite-sample
        (of the p-value, under exchangeability).

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
        arms (Newcombe 1998), as for independent samples, which is the cautious choice for a pair.

    Examples
    --------
    >>> from confroc import PairedScores, auc_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> print(auc_difference(pair))
    auc_a - auc_b +0.1875 (95 % interval -0.0771 to +0.4521, p = 0.1649; delong, paired)
    >>> round(auc_difference(pair, method="permutation").pvalue, 6)
    0.171875
    """
    check_pair("pair", pair)
    check_choice("method", method, DIFFERENCE_METHODS)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    design = _design(pair, only_a, only_b, method)
    estimate = design.a.auc - design.b.auc
    variance, df = delong_variance(design)
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()
    if design.extra and isinstance(pair, PairedScores):
        notes = (f"both models scored {pair.n_pos} of the positives and {pair.n_neg} of the negatives.",)
    values = None
    if method == "bootstrap":
        guarantee = "bootstrap"
        count = check_count("n_resamples", n_resamples, minimum=2)
        values = _replicates(design, count, rng, size, n_jobs)
        variance, df = resampling.standard_deviation(values) ** 2, math.inf
    elif method == "exact_bootstrap":
        guarantee, df = "bootstrap", math.inf
        variance = _exact_variance(design, size)
    if not variance > 0.0:
        return _square_and_add(design, estimate, hypothesis, notes)
    se = math.sqrt(variance)
    z = _quantile(hypothesis.central_level, df)
    low, high = estimate - z * se, estimate + z * se
    if values is not None:
        low, high = resampling.percentile_ends(values, hypothesis.central_level)
    statistic, pvalue = hypothesis.test(estimate, se, df)
    if method == "permutation":
        assert isinstance(pair, PairedScores)
        se, statistic, pvalue, exact = _permute(pair, hypothesis)
        guarantee = "finite-sample" if exact else "asymptotic"
        law = "exact law of all swaps" if exact else "normal law with the variance of all swaps"
        notes = (*notes, f"the p-value is from the {law}; the interval is DeLong's.")
    lower, upper = hypothesis.ends(low, high)
    return _result(
        design, hypothesis, estimate, lower, upper, se, statistic, pvalue, method, guarantee, notes
    )


def _quantile(level: float, df: float) -> float:
    return normal_quantile(level) if math.isinf(df) else -float(special.stdtrit(df, (1.0 - level) / 2.0))


def _design(pair: Pair, only_a: Scores | None, only_b: Scores | None, method: str) -> Designed:
    extra = only_a is not None or only_b is not None
    if not isinstance(pair, PairedScores):
        if extra:
            name = "only_a" if only_a is not None else "only_b"
            raise ValueError(
                sentence(name, "come with a PairedScores", "UnpairedScores", "Merge it into the pair.")
            )
        if method == "permutation":
            remedy = "Use 'delong' or 'bootstrap' for unpaired scores."
            raise ValueError(sentence("method", "suit the design: 'permutation' swaps pairs", method, remedy))
        return Designed(pair, pair.a, pair.b)
    if extra and method not in ("delong", "bootstrap"):
        remedy = "Use one of these, or leave out the cases with one score."
        raise ValueError(
            sentence("method", "be 'delong' or 'bootstrap' with `only_a` or `only_b`", method, remedy)
        )
    full = [
        own if other is None else own.merge(check_scores(name, other))
        for name, own, other in (("only_a", pair.a, only_a), ("only_b", pair.b, only_b))
    ]
    return Designed(pair, full[0], full[1], (only_a, only_b))


def _replicates(design: Designed, n: int, rng: RNG, size: Size, n_jobs: int) -> resampling.FloatArray:
    pair = design.pair
    if isinstance(pair, PairedScores) and not design.extra:
        sizes = check_size(size, pair.n_pos, pair.n_neg)
        return resampling.difference_replicates(pair, n, rng, sizes, n_jobs)
    if size is not None:
        raise ValueError(sentence("size", "be left out unless all cases are paired", size, "Leave it out."))
    if isinstance(pair, PairedScores):
        return resampling.partially_paired_replicates(pair, design.a, design.b, design.only, n, rng, n_jobs)
    a, b = (
        resampling.replicates(s, None, n, stream, (s.n_pos, s.n_neg), n_jobs)
        for s, stream in zip((pair.a, pair.b), spawn(rng, 2), strict=True)
    )
    return a - b


def _exact_variance(design: Designed, size: Size) -> float:
    pair = design.pair
    if not isinstance(pair, PairedScores) and size is not None:
        raise ValueError(sentence("size", "be left out for unpaired scores", size, "Leave it out."))
    a, b = (
        resampling.exact_bootstrap_variance(s, check_size(size, s.n_pos, s.n_neg))
        for s in (design.a, design.b)
    )
    total = a + b
    if isinstance(pair, PairedScores):
        total -= 2.0 * resampling.exact_bootstrap_covariance(pair, check_size(size, pair.n_pos, pair.n_neg))
    return total if total > 1e-14 * (a + b) else 0.0


def _permute(pair: PairedScores, hypothesis: Hypothesis) -> tuple[float, float, float, bool]:
    """Null standard error, statistic, p-value, and whether it is exact."""
    if hypothesis.margin is not None:
        remedy = "Use another method: swapping tests a difference of zero only."
        raise ValueError(
            sentence("method", f"suit alternative={hypothesis.alternative!r}", "permutation", remedy)
        )
    weights, counts = permutation.sign_weights(pair)
    observed = int(np.dot(weights, counts))
    less, greater, exact = permutation.tail_probabilities(weights, counts, observed)
    tails = {"less": less, "greater": greater, "two-sided": min(1.0, 2.0 * min(less, greater))}
    scale = 4.0 * pair.n_pos * pair.n_neg
    se = math.sqrt(float(np.dot(weights.astype(float) ** 2, counts))) / scale
    return se, observed / scale / se if se > 0.0 else 0.0, tails[hypothesis.alternative], exact


def _square_and_add(
    design: Designed, estimate: float, hypothesis: Hypothesis, notes: tuple[str, ...]
) -> AucDifference:
    """Combine two Newcombe intervals; the p-value is where the interval just reaches the null value."""
    from scipy.optimize import brentq

    def ends(z: float) -> tuple[float, float]:
        arms = []
        for s in (design.a, design.b):
            low, high = newcombe_ends(s.auc, s.n_pos, s.n_neg, z)
            arms.append((s.auc - low, high - s.auc))
        (down_a, up_a), (down_b, up_b) = arms
        return estimate - math.hypot(down_a, up_b), estimate + math.hypot(up_a, down_b)

    def distance(null: float) -> float:
        """Signed z at which the interval reaches `null`; positive when the estimate lies above it."""
        if estimate == null:
            return 0.0
        above = estimate > null

        def reach(z: float) -> float:
            return ends(z)[0] - null if above else null - ends(z)[1]

        z = 40.0 if reach(40.0) > 0.0 else float(brentq(reach, 0.0, 40.0))
        return z if above else -z

    note = (
        "DeLong's variance of the difference is zero or undefined; the two Newcombe intervals are squared "
        "and added instead."
    )
    warn(note)
    statistic, pvalue = distance(0.0), math.nan
    if hypothesis.margin is not None:
        above, below = distance(-hypothesis.margin), distance(hypothesis.margin)
        weaker = hypothesis.alternative == "non-inferiority" or above < -below
        statistic = above if weaker else below
        pvalue = float(special.ndtr(-above if weaker else below))
    elif hypothesis.alternative == "two-sided":
        pvalue = 2.0 * float(special.ndtr(-abs(statistic)))
    else:
        pvalue = float(special.ndtr(-statistic if hypothesis.alternative == "greater" else statistic))
    low, high = ends(normal_quantile(hypothesis.central_level))
    lower, upper = hypothesis.ends(low, high)
    variance = sum(float(newcombe_variance(s.auc, s.n_pos, s.n_neg)) for s in (design.a, design.b))
    return _result(
        design, hypothesis, estimate, lower, upper, math.sqrt(variance), statistic, pvalue,
        "newcombe", "asymptotic", (*notes, note),
    )  # fmt: skip


def _result(
    design: Designed,
    hypothesis: Hypothesis,
    estimate: float,
    lower: float,
    upper: float,
    se: float,
    statistic: float,
    pvalue: float,
    method: str,
    guarantee: Guarantee,
    notes: tuple[str, ...],
) -> AucDifference:
    return AucDifference(
        quantity="auc_a - auc_b",
        estimate=estimate,
        lower=lower,
        upper=upper,
        standard_error=se,
        statistic=statistic,
        pvalue=min(1.0, pvalue),
        design="paired" if design.paired else "unpaired",
        confidence_level=hypothesis.level,
        method=method,
        guarantee=guarantee,
        notes=notes,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
    )
