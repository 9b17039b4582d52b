"""Tests by resampling from the nearest population in which the null hypothesis holds.

The bootstrap resamples the sample, so it does not describe a null that the sample does not satisfy. Morin
(2018, section 5) proposes to draw from the closest reweighting that does: here for H₀: AUC = A₀ and, for a
pair, H₀: equal areas. The statistic is studentized by DeLong's variance, as Davidson (2008) does for the Gini
index.
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc._check import MOST_RESAMPLES, ArgumentError, ArgumentTypeError, check_choice, check_count, warned
from confroc._types import RNG, FloatArray
from confroc.auc.permutation import studentized
from confroc.drift.divergence import Divergence, DivergenceName, check_divergence, inner
from confroc.drift.nearest import population_with_area
from confroc.drift.reweighting import AreaFunctional, DifferenceFunctional, Functional, Reweighted, alternate
from confroc.resample import N_RESAMPLES, spawn
from confroc.results import Test
from confroc.scores import (
    PairedScores,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
)
from confroc.scores.counting import kept_rows

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")

FEWEST = 20
"""Cases a class below which `auc_equality_test` rejects true hypotheses too often."""
FEW_CASES = (
    "This test rejects true hypotheses too often in small samples. Use auc_difference(method='permutation')."
)


@accepts_one_model
def auc_test(
    scores: Scores,
    *,
    auc: float = 0.5,
    alternative: Alternative = "two-sided",
    divergence: DivergenceName = "kl",
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
) -> Test:
    """Test whether the population's AUC is `auc`, by resampling the nearest population that has it.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    auc : float
        The hypothesis, in (0, 1).
    alternative : {"two-sided", "less", "greater"}
        Whether the p-value is evidence for an AUC that differs from `auc`, is smaller, or is larger.
    divergence : {"kl", "jeffreys", "chi2"}
        What "nearest" means; see `nearest_distribution`.
    n_resamples, rng
        Stratified resamples of the sample's own size; generator or seed.

    Returns
    -------
    Test
        Guarantee: bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        When no reweighting of the sample has that AUC (perfect separation, all scores equal).

    See Also
    --------
    auc_interval : All areas that the sample does not speak against.
    nearest_distribution : The population that is resampled.

    References
    ----------
    Morin (2018), section 5.

    Examples
    --------
    >>> from confroc import Scores, auc_test
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> auc_test(scores, auc=0.7, rng=1).pvalue < 0.05
    True
    """
    check_scores("scores", scores)
    chosen, count = check_divergence(divergence), _check_options(alternative, n_resamples)
    return _null_test(
        population_with_area(scores, auc, chosen),
        AreaFunctional(scores.pos, scores.neg),
        rng,
        quantity="auc",
        estimate=scores.auc,
        null_value=float(auc),
        alternative=alternative,
        divergence=divergence,
        n_resamples=count,
    )


@accepts_two_models
def auc_equality_test(
    pair: PairedScores,
    *,
    alternative: Alternative = "two-sided",
    divergence: DivergenceName = "kl",
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
) -> Test:
    """Test whether two models' areas are equal, by resampling the nearest population where they are.

    Rejects a true hypothesis too often with fewer than 20 cases in a class, and warns there: the nearest
    population then rests on a handful of cases. Use `auc_difference(method="permutation")`.

    Parameters
    ----------
    pair : PairedScores or (y_true, score_a, score_b)
    alternative : {"two-sided", "less", "greater"}
        Of the difference a − b.
    divergence, n_resamples, rng
        As in `auc_test`.

    Returns
    -------
    Test
        Guarantee: bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        When no reweighting of the cases makes the areas equal.

    Warns
    -----
    ConfrocWarning
        With fewer than 20 cases in a class.

    See Also
    --------
    auc_difference : The difference with its interval; `method="permutation"` for few cases.

    References
    ----------
    Morin (2018), section 5.

    Examples
    --------
    >>> from confroc import PairedScores, auc_equality_test
    >>> a, b = [5, 4, 4, 3, 2, 1], [3, 5, 2, 4, 1, 2]
    >>> pair = PairedScores.from_counts(a, b, pos=[30, 25, 20, 10, 10, 5], neg=[10, 15, 10, 15, 25, 25])
    >>> print(auc_equality_test(pair, n_resamples=199, rng=1))
    auc_a - auc_b = 0: statistic ... (estimate ..., two-sided, p ≤ 0.005; nearest_population)
    """
    check_pair("pair", pair)
    if not isinstance(pair, PairedScores):
        raise ArgumentTypeError(
            "pair", "be a PairedScores", type(pair).__name__, "For unpaired scores use `auc_difference`."
        )
    chosen, count = check_divergence(divergence), _check_options(alternative, n_resamples)
    functional = DifferenceFunctional(pair)
    return _null_test(
        _with_equal_areas(pair, functional, chosen),
        functional,
        rng,
        quantity=difference_label("auc", pair),
        estimate=pair.a.auc - pair.b.auc,
        null_value=0.0,
        alternative=alternative,
        divergence=divergence,
        n_resamples=count,
        notes=warned(FEW_CASES, where=min(pair.n_pos, pair.n_neg) < FEWEST),
    )


def _with_equal_areas(
    pair: PairedScores, functional: DifferenceFunctional, divergence: Divergence
) -> Reweighted:
    difference = pair.a.auc - pair.b.auc
    if abs(difference) <= 1e-12:
        return Reweighted(functional.pos, functional.neg, 0.0, 0.0, 0.0)
    sign = -math.copysign(1.0, difference)
    null = alternate(functional, divergence, Reweighted(functional.pos, functional.neg), None, 0.0, sign)
    if null is None:
        remedy = "Use `auc_difference`."
        raise ArgumentError("pair", "allow equal areas under some weights of its cases", pair, remedy)
    return null


def _check_options(alternative: Alternative, n_resamples: int) -> int:
    check_choice("alternative", alternative, ALTERNATIVES)
    return check_count("n_resamples", n_resamples, maximum=MOST_RESAMPLES)


def _studentized(functional: Functional, pos: FloatArray, neg: FloatArray, null: float) -> float:
    """Mean placement less `null` over DeLong's standard error, a class at a time.

    `pos` and `neg` are counts on the rows that hold the class: their sums are exact.
    """
    mean, variance = math.nan, 0.0
    for above, own, other in ((functional.above_pos, pos, neg), (functional.pull_on_neg, neg, pos)):
        values, n = above(other), float(own.sum())
        values /= other.sum()
        # The last one, of the negatives, is the area.
        mean = inner(values, own) / n
        values -= mean
        values *= values
        variance += inner(values, own) / max(1.0, n - 1.0) / n
        del values
    return studentized(mean - null, variance)


def _null_test(null: Reweighted, functional: Functional, rng: RNG, **about: Any) -> Test:
    """Compare the sample's statistic with those of resamples of the null population.

    `about` are the attributes of the test other than its statistic, p-value and distance.
    """
    null_value, alternative, n_resamples = (about[k] for k in ("null_value", "alternative", "n_resamples"))
    held = [kept_rows(count, count > 0).astype(np.float64) for count in functional.counts]
    observed, extreme = _studentized(functional, held[0], held[1], null_value), 0
    distance = null.distance
    classes = [
        (int(count.sum()), weight / weight.sum())
        for count, weight in zip(held, (null.pos, null.neg), strict=True)
    ]
    # What is as long as the table goes as soon as it has served.
    del null, held
    for seed in spawn(rng, n_resamples):
        generator = np.random.Generator(np.random.SFC64(seed))
        pos, neg = (generator.multinomial(*of_class).astype(np.float64) for of_class in classes)
        t = _studentized(functional, pos, neg, null_value)
        # Ties of the discrete statistic count against the hypothesis's rejection, rounding or not.
        if alternative == "two-sided":
            extreme += abs(t) >= abs(observed) - 1e-9
        else:
            extreme += t >= observed - 1e-9 if alternative == "greater" else t <= observed + 1e-9
    return Test(
        statistic=observed,
        pvalue=(1.0 + extreme) / (1.0 + n_resamples),
        least_pvalue=1.0 / (1.0 + n_resamples),
        distance=distance,
        method="nearest_population",
        guarantee="bootstrap",
        **about,
    )
