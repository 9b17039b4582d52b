"""Tests by resampling from the nearest population in which the null hypothesis holds.

The bootstrap resamples the sample, so it says nothing about a null that the sample does not satisfy. Morin
(2018, section 5) proposes to draw from the closest reweighting that does: here for H₀: AUC = A₀ and, for a
pair, H₀: equal areas. The statistic is studentised by DeLong's variance, as Davidson (2008) does for the Gini
index.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError, check_choice, check_count, warn
from confroc._types import RNG, FloatArray, IntArray
from confroc.auc.reallocation import studentised
from confroc.drift.divergence import DIVERGENCES, Divergence, DivergenceName, inner
from confroc.drift.nearest import Population, Start, alternate, population_with_area
from confroc.drift.objective import AreaDifference
from confroc.influence import count_placements
from confroc.resample import spawn
from confroc.results import Guarantee, Kind, Result
from confroc.scores import PairedScores, Scores, check_pair, check_scores

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
ALTERNATIVES = ("two-sided", "less", "greater")
FEWEST = 20
"""Cases a class below which `auc_equality_test` rejects true hypotheses too often."""


@dataclass(frozen=True, kw_only=True, repr=False)
class NullTest(Result):
    """A test by resampling from the nearest population in which the null hypothesis holds.

    Attributes
    ----------
    quantity : str
    estimate, null_value : float
        What was found, and what the hypothesis says.
    statistic : float
        (estimate − null_value) over DeLong's standard error; infinite when that is zero.
    pvalue : float
        Share of resamples at least as extreme, the sample itself counted as one.
    alternative : {"two-sided", "less", "greater"}
    distance : float
        Divergence of the null population from the sample, both classes added.
    divergence : {"kl", "jeffreys", "chi2"}
    n_resamples : int
    method, guarantee, notes, kind
        As in `Interval`.
    """

    quantity: str
    estimate: float
    null_value: float
    statistic: float
    pvalue: float
    alternative: Alternative
    distance: float
    divergence: DivergenceName
    n_resamples: int
    method: str = "nearest_population"
    guarantee: Guarantee = "bootstrap"
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        return (
            f"{self.quantity} {self.estimate:.4f} against {self.null_value:g} "
            f"({self.alternative}: p = {self.pvalue:.4g}; {self.n_resamples} resamples of the nearest "
            f"population, {self.divergence} {self.distance:.4g} away)"
        )


def _studentised(of_pos: FloatArray, of_neg: FloatArray, pos: IntArray, neg: IntArray, null: float) -> float:
    """Mean placement less `null` over DeLong's standard error; rows with counts `pos` and `neg`."""
    mean = inner(of_pos, pos) / int(pos.sum())
    variance = 0.0
    for values, count in ((of_pos, pos), (of_neg, neg)):
        n = int(count.sum())
        variance += inner((values - mean) ** 2, count) / max(1, n - 1) / n
    return studentised(mean - null, variance)


def _centred_squares(values: FloatArray, mean: float) -> FloatArray:
    """Overwrite values by their squared distances from the mean."""
    values -= mean
    values *= values
    return values


def _of_one_model(pos: IntArray, neg: IntArray, null: float) -> float:
    """`_studentised` of one model's counts, a class at a time."""
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    # As `count_placements`.
    values: FloatArray = np.multiply(0.5, neg, dtype=np.float64)
    np.subtract(np.cumsum(neg), values, out=values)
    values /= n_neg
    np.subtract(1.0, values, out=values)
    mean = inner(values, pos) / n_pos
    variance = inner(_centred_squares(values, mean), pos) / max(1, n_pos - 1) / n_pos
    np.multiply(0.5, pos, out=values)
    np.subtract(np.cumsum(pos), values, out=values)
    values /= n_pos
    variance += inner(_centred_squares(values, mean), neg) / max(1, n_neg - 1) / n_neg
    return studentised(mean - null, variance)


def _p_value(
    statistic: Callable[[IntArray, IntArray], float],
    observed: float,
    table: tuple[IntArray, IntArray],
    shares: tuple[FloatArray, FloatArray],
    alternative: str,
    n_resamples: int,
    rng: RNG,
) -> float:
    """Share of resamples at least as extreme; `shares` are the null's, over the rows that hold each class."""
    extreme = 0
    classes = [(count > 0, share, int(count.sum())) for count, share in zip(table, shares, strict=True)]
    for seed in spawn(rng, n_resamples):
        generator = np.random.Generator(np.random.SFC64(seed))
        counts = []
        for held, share, n in classes:
            count = np.zeros(len(held), np.int64)
            count[held] = generator.multinomial(n, share)
            counts.append(count)
        t = statistic(counts[0], counts[1])
        # Ties of the discrete statistic count against the hypothesis's rejection, rounding or not.
        if alternative == "two-sided":
            extreme += abs(t) >= abs(observed) - 1e-9
        else:
            extreme += t >= observed - 1e-9 if alternative == "greater" else t <= observed + 1e-9
    return (1.0 + extreme) / (1.0 + n_resamples)


def auc_test(
    scores: Scores,
    auc: float = 0.5,
    *,
    alternative: Alternative = "two-sided",
    divergence: DivergenceName = "kl",
    n_resamples: int = 1999,
    rng: RNG = None,
) -> NullTest:
    """Test whether the population's AUC is `auc`, by resampling the nearest population that has it.

    Parameters
    ----------
    scores : Scores
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
    NullTest
        Guarantee: bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        When no reweighting of the sample has that AUC (perfect separation, all scores equal).

    Examples
    --------
    >>> from confroc import Scores, auc_test
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> auc_test(scores, 0.7, rng=1).pvalue < 0.05
    True
    """
    check_scores("scores", scores)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("divergence", divergence, DIVERGENCES)
    count = check_count("n_resamples", n_resamples)
    if not 0.0 < auc < 1.0:
        raise ArgumentError("auc", "lie strictly between 0 and 1", auc, "A population's area does.")
    null = population_with_area(scores, auc, Divergence(divergence))
    if null is None:
        raise ArgumentError(
            "auc",
            f"be within reach of reweighting these cases (their AUC is {scores.auc:.6g})",
            auc,
            "Use `auc_interval` and see whether it holds the value.",
        )

    def statistic(pos: IntArray, neg: IntArray) -> float:
        return _of_one_model(pos, neg, auc)

    observed = statistic(scores.pos, scores.neg)
    shares, distance = (null.pos / null.pos.sum(), null.neg / null.neg.sum()), null.distance
    del null
    pvalue = _p_value(statistic, observed, (scores.pos, scores.neg), shares, alternative, count, rng)
    return NullTest(
        quantity="auc",
        estimate=scores.auc,
        null_value=float(auc),
        statistic=observed,
        pvalue=pvalue,
        alternative=alternative,
        distance=distance,
        divergence=divergence,
        n_resamples=count,
    )


def auc_equality_test(
    pair: PairedScores,
    *,
    alternative: Alternative = "two-sided",
    divergence: DivergenceName = "kl",
    n_resamples: int = 1999,
    rng: RNG = None,
) -> NullTest:
    """Test whether two models' areas are equal, by resampling the nearest population where they are.

    Rejects a true hypothesis too often with fewer than 20 cases in a class, and warns there: the nearest
    population then rests on a handful of cases. Use `auc_difference(method="permutation")`.

    Parameters
    ----------
    pair : PairedScores
    alternative : {"two-sided", "less", "greater"}
        Of the difference a − b.
    divergence, n_resamples, rng
        As in `auc_test`.

    Returns
    -------
    NullTest
        Guarantee: bootstrap. Tied pairs count one half.

    Raises
    ------
    ValueError
        When no reweighting of the cases makes the areas equal.

    Warns
    -----
    ConfrocWarning
        With fewer than 20 cases in a class.

    Examples
    --------
    >>> from confroc import PairedScores, auc_equality_test
    >>> a, b = [5, 4, 4, 3, 2, 1], [3, 5, 2, 4, 1, 2]
    >>> pair = PairedScores.from_counts(a, b, pos=[30, 25, 20, 10, 10, 5], neg=[10, 15, 10, 15, 25, 25])
    >>> print(auc_equality_test(pair, n_resamples=199, rng=1))
    auc_a - auc_b ... against 0 (two-sided: p = ...
    """
    check_pair("pair", pair)
    if not isinstance(pair, PairedScores):
        raise ArgumentTypeError(
            "pair", "be a PairedScores", type(pair).__name__, "For unpaired scores use `auc_difference`."
        )
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("divergence", divergence, DIVERGENCES)
    count = check_count("n_resamples", n_resamples)
    objective, sizes = AreaDifference(pair), (pair.n_pos, pair.n_neg)
    estimate = pair.a.auc - pair.b.auc
    if abs(estimate) <= 1e-12:
        null: Population | None = Population(objective.pos, objective.neg, 0.0, 0.0, 0.0)
    else:
        start = Start(objective.pos, objective.neg)
        null = alternate(objective, Divergence(divergence), start, None, 0.0, -math.copysign(1.0, estimate))
    if null is None:
        remedy = "Use `auc_difference`."
        raise ArgumentError("pair", "allow equal areas under some weights of its cases", pair, remedy)

    notes: tuple[str, ...] = ()
    if min(sizes) < FEWEST:
        notes = (
            f"with {min(sizes)} cases in a class this test rejects true hypotheses too often; "
            "auc_difference(method='permutation') does not.",
        )
        warn(notes[0])
    models = [(pair.index_a, len(pair.a.score)), (pair.index_b, len(pair.b.score))]

    def statistic(pos: IntArray, neg: IntArray) -> float:
        parts = []
        for index, rows in models:
            tallies = (np.bincount(index, weights=c, minlength=rows) for c in (pos, neg))
            parts.append([v[index] for v in count_placements(*tallies)])
        (pos_a, neg_a), (pos_b, neg_b) = parts
        return _studentised(pos_a - pos_b, neg_a - neg_b, pos, neg, 0.0)

    observed = statistic(pair.pos, pair.neg)
    shares, distance = (null.pos / null.pos.sum(), null.neg / null.neg.sum()), null.distance
    del null, objective
    pvalue = _p_value(statistic, observed, (pair.pos, pair.neg), shares, alternative, count, rng)
    return NullTest(
        quantity="auc_a - auc_b",
        estimate=estimate,
        null_value=0.0,
        statistic=observed,
        pvalue=pvalue,
        alternative=alternative,
        distance=distance,
        divergence=divergence,
        n_resamples=count,
        notes=notes,
    )
