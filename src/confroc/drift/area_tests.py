"""Tests of AUCs: the score test, and resampling from the nearest population under the null hypothesis.

The bootstrap resamples the sample, which does not satisfy the null hypothesis. Morin (2018, section 5)
proposes to draw from the closest reweighting that does: here for H₀: AUC = A₀ and for H₀: all AUCs are equal.
The statistic is studentized by DeLong's variance, as Davidson (2008) does for the Gini index; for more than
two AUCs it is a Wald statistic with DeLong's covariance.

Both hypotheses fix contrasts of AUCs. In the closest populations that satisfy them each class is tilted by
Σ λᵢSᵢ, where Sᵢ is the gradient of contrast i in a case, with the same λᵢ in all classes and samples.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentError, check_choice, check_inside, check_omitted, warned
from confroc._progress import steps
from confroc._types import RNG, FloatArray
from confroc.auc.asymptotic import score_delong_statistic
from confroc.auc.permutation import studentized
from confroc.drift.divergence import Divergence, DivergenceName, check_divergence, tilt
from confroc.drift.nearest import AN_AREA, population_with_area
from confroc.drift.reweighting import MAX_PASSES, AreaFunctional, DifferenceFunctional, Functional
from confroc.hypotheses import Hypothesis
from confroc.influence import estimate_resized
from confroc.resample import N_RESAMPLES, resamples_or, spawn
from confroc.results import Test
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    UnpairedScores,
    accepts_one_model,
    accepts_several_models,
    check_scores,
    difference_label,
    models_of,
    no_pair,
)
from confroc.scores.counting import kept_rows

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")
METHODS = ("score_delong", "nearest_population")

FEWEST = 20
"""Number of cases per class below which `auc_equality_test` is liberal."""
FEW_CASES = (
    "This test is liberal in small samples. Use auc_comparison, or for two models "
    "auc_difference(method='permutation')."
)

NO_EQUAL = "Use `auc_comparison`."


@accepts_one_model
def auc_test(
    scores: Scores,
    *,
    null_auc: float = 0.5,
    alternative: Alternative = "two-sided",
    method: Literal["score_delong", "nearest_population"] = "score_delong",
    divergence: DivergenceName | None = None,
    n_resamples: int | None = None,
    rng: RNG = None,
) -> Test:
    """Test whether the AUC is `null_auc`.

    Parameters
    ----------
    scores : Scores
    null_auc : float
        Null value, in (0, 1).
    alternative : {"two-sided", "less", "greater"}
        Alternative hypothesis: the AUC differs from, is less than, or is greater than `null_auc`.
    method : {"score_delong", "nearest_population"}
        score_delong : the score test that the default interval of `auc_interval` inverts: p < 1 −
            `confidence_level` exactly where the interval excludes `null_auc`, except for rounded scores.
        nearest_population : resamples of the reweighting of the sample with this AUC that is closest to the
            sample (Morin 2018); not for weights, clusters and strata.
    divergence : {"kl", "jeffreys", "chi2"}, optional
        For "nearest_population": distance between populations; see `nearest_distribution`. Default: "kl".
    n_resamples, rng
        For "nearest_population": number of stratified resamples of the sample's size, by default 2,000;
        generator or seed.

    Returns
    -------
    Test
        Guarantee: asymptotic, or bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        "nearest_population" if no reweighting of the sample has that AUC (perfect separation, all scores
        equal).

    See Also
    --------
    auc_interval : Confidence interval for the AUC.
    nearest_distribution : The resampled population.

    References
    ----------
    Morin (2018), section 5.

    Examples
    --------
    >>> from confroc import Scores, auc_test
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> print(auc_test(scores))
    auc = 0.5: statistic 8.124 (estimate 0.7600, two-sided, p < 0.0001; score_delong)
    """
    analytic = check_choice("method", method, METHODS) == "score_delong"
    check_scores("scores", scores, dependent=analytic)
    check_choice("alternative", alternative, ALTERNATIVES)
    null = check_inside("null_auc", null_auc, AN_AREA)
    if analytic:
        given = {"divergence": divergence, "n_resamples": n_resamples}
        check_omitted("with method 'score_delong'", "Omit it, or use 'nearest_population'.", **given)
        t, df = score_delong_statistic(null, estimate_resized(scores, None))
        statistic, pvalue = Hypothesis(alternative, None, 0.95).test(lambda _: t, df)
        return Test(
            quantity="auc",
            estimate=scores.auc,
            null_value=null,
            statistic=float(statistic),
            pvalue=float(pvalue),
            alternative=alternative,
            method=method,
            guarantee="asymptotic",
        )
    divergence = "kl" if divergence is None else divergence
    chosen = check_divergence(divergence)
    count = resamples_or(N_RESAMPLES, n_resamples)
    found = population_with_area(scores, null, chosen)
    one = _Sample([AreaFunctional(scores.pos, scores.neg)], np.ones((1, 1)))
    return _null_test(
        _Null([one], [(found.pos, found.neg)], found.distance),
        np.array([null]),
        rng,
        quantity="auc",
        estimate=scores.auc,
        null_value=null,
        alternative=alternative,
        divergence=divergence,
        n_resamples=count,
    )


@accepts_several_models
def auc_equality_test(
    scores: Pair,
    *,
    alternative: Alternative = "two-sided",
    divergence: DivergenceName = "kl",
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
) -> Test:
    """Test whether all AUCs are equal, by resampling the nearest population with equal AUCs.

    Liberal, with a warning, for fewer than 20 cases in a class, since the nearest population then depends on
    few cases. Use `auc_comparison`, or for two models `auc_difference(method="permutation")`.

    Parameters
    ----------
    scores : PairedScores or UnpairedScores
        Two or more models on the same cases, or two or more samples of disjoint cases, which are reweighted
        separately.
    alternative : {"two-sided", "less", "greater"}
        For the difference a − b; only "two-sided" for more than two models.
    divergence, n_resamples, rng
        As in `auc_test(method="nearest_population")`.

    Returns
    -------
    Test
        For two models the test of their difference; for more, `statistic` is the Wald statistic of all
        differences, as in `auc_comparison(method="delong")`. Guarantee: bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        No reweighting of the cases has equal AUCs, or a one-sided alternative for more than two models.

    Warns
    -----
    ConfrocWarning
        Fewer than 20 cases in a class.

    See Also
    --------
    auc_difference : Difference with interval; `method="permutation"` for small samples.
    auc_comparison : All differences with simultaneous intervals, and an F test of equality.

    References
    ----------
    Morin (2018), section 5.

    Examples
    --------
    >>> from confroc import PairedScores, auc_equality_test
    >>> a, b = [5, 4, 4, 3, 2, 1], [3, 5, 2, 4, 1, 2]
    >>> pair = PairedScores.from_counts(a, b, pos=[30, 25, 20, 10, 10, 5], neg=[10, 15, 10, 15, 25, 25])
    >>> print(auc_equality_test(pair, n_resamples=199, rng=1))
    auc_a - auc_b = 0: statistic ... (estimate ..., two-sided, p ≤ 0.005; nearest_population, paired)
    """
    if not isinstance(scores, PairedScores | UnpairedScores):
        raise no_pair("scores", scores)
    models = models_of(scores)
    for name, model in zip(scores.names, models, strict=True):
        check_scores(f"scores.{name}", model)
    check_choice("alternative", alternative, ALTERNATIVES)
    chosen, count = check_divergence(divergence), resamples_or(N_RESAMPLES, n_resamples)
    about: dict[str, Any] = {"quantity": "auc"}
    if len(models) == 2:
        about = {
            "quantity": difference_label("auc", scores),
            "estimate": models[0].auc - models[1].auc,
            "null_value": 0.0,
            "alternative": alternative,
        }
    elif alternative != "two-sided":
        rule = "be 'two-sided' with three or more models"
        remedy = "Omit it, or select two models, scores['a', 'b']."
        raise ArgumentError("alternative", rule, alternative, remedy)
    return _null_test(
        _with_equal_areas(_samples(scores), chosen),
        np.zeros(len(models) - 1),
        rng,
        **about,
        design="paired" if isinstance(scores, PairedScores) else "unpaired",
        divergence=divergence,
        n_resamples=count,
        notes=warned(FEW_CASES, where=min(min(m.n_pos, m.n_neg) for m in models) < FEWEST),
    )


class _Sample(NamedTuple):
    """Cases that are reweighted together: functionals, and each contrast as a weighted sum of them."""

    functionals: list[Functional]
    weights: FloatArray

    @property
    def table(self) -> Functional:
        """Any functional, for its proportions and counts."""
        return self.functionals[0]

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Minus the gradient of each contrast in each positive, up to a constant; (contrasts, rows)."""
        return np.asarray(self.weights @ np.array([f.above_pos(neg) for f in self.functionals]))

    def gradient_neg(self, pos: FloatArray) -> FloatArray:
        """The gradient of each contrast in each negative."""
        return np.asarray(self.weights @ np.array([f.gradient_neg(pos) for f in self.functionals]))


class _Null(NamedTuple):
    """The nearest null populations: proportions of positives and negatives by sample."""

    samples: list[_Sample]
    shares: list[tuple[FloatArray, FloatArray]]
    distance: float


def _samples(scores: Pair) -> list[_Sample]:
    """The contrasts of the first AUC with each of the others."""
    k = len(scores.names)
    if isinstance(scores, PairedScores):
        return [_Sample([DifferenceFunctional(scores, 0, i) for i in range(1, k)], np.eye(k - 1))]
    weights = np.hstack([np.ones((k - 1, 1)), -np.eye(k - 1)])
    return [
        _Sample([AreaFunctional(s.pos, s.neg)], weights[:, i : i + 1]) for i, s in enumerate(scores.samples)
    ]


def _covariance(weight: FloatArray, values: FloatArray) -> FloatArray:
    """Weighted covariance of values of shape (c, d)."""
    total = float(weight.sum())
    if not total > 0.0:
        return np.zeros((len(values), len(values)))
    centered = values - (values @ weight / total)[:, None]
    return np.asarray((centered * weight) @ centered.T)


def _with_equal_areas(samples: list[_Sample], divergence: Divergence) -> _Null:
    """The closest populations with all contrasts zero, by Newton steps between alternations."""
    shares = [(s.table.pos, s.table.neg) for s in samples]
    above = [s.above_pos(q) for s, (_, q) in zip(samples, shares, strict=True)]
    contrasts = len(samples[0].weights)
    multiplier, varied = np.zeros(contrasts), np.zeros(contrasts)
    for _ in range(MAX_PASSES):
        value, rise = np.zeros(contrasts), np.zeros((contrasts, contrasts))
        distance, moved = 0.0, 0.0
        for i, sample in enumerate(samples):
            of_pos = tilt(divergence, sample.table.pos, -multiplier @ above[i])
            gradient = sample.gradient_neg(of_pos.share)
            of_neg = tilt(divergence, sample.table.neg, multiplier @ gradient)
            value += gradient @ of_neg.share
            rise += _covariance(of_pos.slope, above[i]) + _covariance(of_neg.slope, gradient)
            distance += of_pos.cost + of_neg.cost
            new = sample.above_pos(of_neg.share)
            moved = max(moved, float(np.abs(new - above[i]).max()))
            above[i], shares[i] = new, (of_pos.share, of_neg.share)
        varied = np.maximum(varied, np.diag(rise))
        if np.abs(value).max() <= 1e-11 and moved <= 1e-6:
            # On the boundary nothing would vary in a resample.
            if np.all(np.diag(rise) >= 1e-9 * varied):
                return _Null(samples, shares, max(0.0, distance))
            break
        multiplier -= np.linalg.lstsq(rise, value, rcond=1e-12)[0]
    raise ArgumentError("scores", "allow equal AUCs under some weights of the cases", None, NO_EQUAL)


def _studentized(
    samples: list[_Sample], counts: list[tuple[FloatArray, FloatArray]], null: FloatArray
) -> float:
    """Contrasts minus `null`, divided by DeLong's standard error; for several, the Wald statistic.

    `counts` are those of the rows with the class: their sums are exact.
    """
    gap, covariance = -null, np.zeros((len(null), len(null)))
    for sample, (pos, neg) in zip(samples, counts, strict=True):
        for above, own, other in ((sample.above_pos, pos, neg), (sample.gradient_neg, neg, pos)):
            values, n = above(other), float(own.sum())
            values /= other.sum()
            covariance += _covariance(own, values) / max(1.0, n - 1.0) / n
        # The placements of the negatives, the last ones, average to the AUCs.
        gap = gap + values @ own / n
    if len(gap) == 1:
        return studentized(float(gap[0]), float(covariance[0, 0]))
    spread, axes = np.linalg.eigh(covariance)
    along, known = axes.T @ gap, spread > max(1e-24, 1e-12 * spread[-1])
    if np.any(np.abs(along[~known]) > 1e-9):
        return math.inf
    return float(np.sum(along[known] ** 2 / spread[known]))


def _null_test(null: _Null, value: FloatArray, rng: RNG, **about: Any) -> Test:
    """Compare the statistic of the sample with those of resamples of the null populations.

    `value` are those of the contrasts under the hypothesis, `about` the attributes of the test other than its
    statistic, p-value and distance.
    """
    alternative, n_resamples = about.get("alternative", "two-sided"), about["n_resamples"]
    held = [
        [kept_rows(count, count > 0).astype(np.float64) for count in s.table.counts] for s in null.samples
    ]
    observed, extreme = _studentized(null.samples, [(pos, neg) for pos, neg in held], value), 0
    classes = [
        [(int(count.sum()), weight / weight.sum()) for count, weight in zip(*of_sample, strict=True)]
        for of_sample in zip(held, null.shares, strict=True)
    ]
    del held
    for seed in steps(spawn(rng, n_resamples), "resamples"):
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [[generator.multinomial(*c).astype(np.float64) for c in of_sample] for of_sample in classes]
        t = _studentized(null.samples, [(pos, neg) for pos, neg in drawn], value)
        # Ties of the discrete statistic count against rejection, up to rounding error.
        if alternative == "two-sided":
            extreme += abs(t) >= abs(observed) - 1e-9
        else:
            extreme += t >= observed - 1e-9 if alternative == "greater" else t <= observed + 1e-9
    return Test(
        statistic=observed,
        pvalue=(1.0 + extreme) / (1.0 + n_resamples),
        least_pvalue=1.0 / (1.0 + n_resamples),
        distance=null.distance,
        method="nearest_population",
        guarantee="bootstrap",
        **about,
    )
