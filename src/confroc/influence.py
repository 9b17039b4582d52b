"""Influence of cases on the AUC and other statistics, and its covariance over cases.

The placement of a positive is the proportion of negatives it outranks; that of a negative, the proportion of
positives that outrank it; ties count one half. Placements average to the AUC in each class, and their
variances give the sampling variance of the AUC (DeLong, DeLong & Clarke-Pearson 1988).

For the area up to a false positive rate w, the contribution of a positive is the width of the strip between
it and w; that of a negative is the true positive rate at its score, or at w if it lies beyond. This influence
function includes the estimation of the threshold at w (He & Escobar 2008 derive the same variance). At w = 1
both are the placements of the whole area. Divided by w, the area is the probability that a random positive
outranks a random one of the top proportion w of negatives, so it behaves as the AUC of a sample with w·n₋
negatives.

References
----------
DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
He Y, Escobar M (2008). Statistics in Medicine 27, 5291–5308.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._check import ArgumentError
from confroc._kernels.auc import difference_moments, placement_moments
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.base import Contrast, Statistic
from confroc.curve import CHUNK, CurvePart
from confroc.moments import (
    Influence,
    Measured,
    Moments,
    covariance_of_means,
    effective_sizes,
    influence_moments,
    kish_sizes,
    measured,
    moments_of_counts,
    pooled_df,
    spread,
)
from confroc.scores import Pair, PairedScores, PlacementSums, Scores, UnpairedScores, models_of


class AreaEstimate(NamedTuple):
    """An area, as a fraction of its maximum, and its sampling variance.

    `moments` are those of the positives' and negatives' placements; `n_pos` and `n_neg` are the numbers of
    cases used: for a partial area only a proportion of one class.
    """

    auc: float
    moments: tuple[Moments, Moments]
    n_pos: float
    n_neg: float

    @property
    def variance(self) -> float:
        """DeLong's variance; NaN with a single case in a class."""
        return self.moments[0].variance + self.moments[1].variance

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance; 0 if it is unknown."""
        return pooled_df(*self.moments) if self.variance > 0.0 else 0.0


# --- placements ----------------------------------------------------------------------------------------


def count_placements(pos: IntArray, neg: IntArray) -> tuple[FloatArray, FloatArray]:
    """Placement of a positive and of a negative on each row of a table of counts, not centered."""
    return class_placements(neg, True), class_placements(pos, False)


def class_placements(other: NDArray[Any], of_pos: bool) -> FloatArray:
    """Placement of a case of one class on each row, from the other class's counts, in place."""
    share: FloatArray = np.multiply(-0.5, other, dtype=np.float64)
    passed = 0
    for start in range(0, len(other), CHUNK):
        # Sums of counts are exact.
        above = np.cumsum(other[start : start + CHUNK]) + passed
        share[start : start + CHUNK] += above
        passed = above[-1]
    share /= other.sum()
    return np.subtract(1.0, share, out=share) if of_pos else share


def placements(scores: Scores, part: CurvePart | None = None) -> tuple[FloatArray, FloatArray]:
    """Centered contributions of a positive and of a negative at each distinct score.

    Parameters
    ----------
    scores : Scores
    part : CurvePart, optional
        Part of the curve; default: the whole curve. Contributions are not standardized.

    Returns
    -------
    of_pos, of_neg : ndarray of shape (d,)
        Placement minus the class mean.
    """
    if part is not None:
        return _partial_placements(scores, part)[1]
    auc = scores.auc
    of_pos = (0.5 * scores.neg - scores.neg_above) / scores.n_neg + (1.0 - auc)
    of_neg = (scores.pos_above - 0.5 * scores.pos) / scores.n_pos - auc
    return of_pos, of_neg


def _partial_placements(scores: Scores, part: CurvePart) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """Area of a part, and the centered placements of each class in the order of the scores."""
    own, other = part.turned(scores.pos, scores.neg)
    n_own, n_other = own.sum().item(), other.sum().item()
    y1, x1 = np.cumsum(own) / n_own, np.cumsum(other) / n_other
    y0, x0 = (np.concatenate([[0.0], v[:-1]]) for v in (y1, x1))
    run = x1 - x0
    # A vertical step at the end of the part belongs to the rest of the curve, also after rounding.
    inside = x0 < part.width * (1.0 - 1e-12)
    # Fraction of each row's step left of the end; tied cases are spread evenly over the step.
    share = np.divide(part.width - x0, run, out=np.ones_like(run), where=run > 0.0)
    share = np.clip(share, 0.0, 1.0) * inside
    of_own = share * (part.width - x0 - 0.5 * share * run)
    last = int(np.flatnonzero(inside)[-1])
    edge = y0[last] + share[last] * (y1[last] - y0[last])
    left = y0 + 0.5 * share * (y1 - y0)
    of_other = np.where(inside, share * left + (1.0 - share) * edge, edge)
    area = float(np.dot(of_own, own)) / n_own
    u, v = of_own - area, of_other - float(np.dot(of_other, other)) / n_other
    return area, (v[::-1], u[::-1]) if part.vertical else (u, v)


def shared_placements(
    pair: PairedScores, a: Scores, b: Scores, part: CurvePart | None = None
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Both models' placements of the positives, and of the negatives, on the rows of a pair.

    `a` and `b` have all cases of each model; those of the pair have both scores. Placements are computed
    among all cases and centered over the shared ones.
    """
    columns = []
    for full, score in ((a, pair.score_a), (b, pair.score_b)):
        at = np.searchsorted(-full.score, -score)
        columns.append([v[at] for v in placements(full, part)])
    return (
        (_centered(columns[0][0], pair.pos), _centered(columns[1][0], pair.pos)),
        (_centered(columns[0][1], pair.neg), _centered(columns[1][1], pair.neg)),
    )


def _centered(values: FloatArray, count: IntArray) -> FloatArray:
    # Not np.dot: BLAS threads are slower here.
    return values - float(np.einsum("i,i->", values, count)) / float(count.sum())


# --- variances and covariances -------------------------------------------------------------------------


def covariance(values: Sequence[FloatArray], count: IntArray) -> FloatArray:
    """Covariance matrix of the mean placements of k models over one class of paired cases.

    Parameters
    ----------
    values : k arrays of shape (d,)
        Centered placements of each model, on the same rows.
    count : ndarray of shape (d,)
        Number of cases of the class on each row.

    Returns
    -------
    ndarray of shape (k, k)
        NaN for a single case.
    """
    n, k = int(count.sum()), len(values)
    matrix = np.empty((k, k))
    for i in range(k):
        for j in range(i + 1):
            matrix[i, j] = matrix[j, i] = covariance_of_means(values[j], values[i], count, n)
    return matrix


def delong_moments(scores: Scores) -> tuple[Moments, Moments]:
    """Moments of the placements of positives and of negatives, in linear time."""
    n_pos, n_neg = scores.n_pos, scores.n_neg
    if len(scores.score) >= _kernels.BIG:
        sums = _kernels.compiled(placement_moments)(scores.pos, scores.neg, n_pos, n_neg, scores.auc)
        return spread(sums[0], sums[1], n_pos), spread(sums[2], sums[3], n_neg)
    return moments_of_counts(placements(scores), scores)


def delong_variances(scores: Scores) -> tuple[float, float]:
    """DeLong's two components of the variance of the AUC: from positives and from negatives.

    NaN for a class with a single case.
    """
    of_pos, of_neg = delong_moments(scores)
    return of_pos.variance, of_neg.variance


def estimate_area(scores: Scores, part: CurvePart | None = None) -> AreaEstimate:
    """The area under the curve, or under a part of it as a fraction of the part's width."""
    if part is None:
        return AreaEstimate(scores.auc, delong_moments(scores), scores.n_pos, scores.n_neg)
    area, influence = _partial_placements(scores, part)
    moments = [Moments(m.variance / part.width**2, m.df) for m in moments_of_counts(influence, scores)]
    shares = (part.width, 1.0) if part.vertical else (1.0, part.width)
    sizes = [max(1.0, n * share) for n, share in zip((scores.n_pos, scores.n_neg), shares, strict=True)]
    return AreaEstimate(min(1.0, area / part.width), (moments[0], moments[1]), *sizes)


def area_and_variance(pos: IntArray, neg: IntArray) -> tuple[float, float]:
    """AUC and DeLong's variance of a table of counts; a class of one case adds no variance."""
    of_pos, of_neg = count_placements(pos, neg)
    area = float(np.einsum("i,i->", of_pos, pos)) / int(pos.sum())
    variance = 0.0
    for values, count in ((of_pos, pos), (of_neg, neg)):
        n = int(count.sum())
        variance += float(np.einsum("i,i->", (values - area) ** 2, count)) / max(1, n - 1) / n
    return area, variance


def delong_covariance(scores: PairedScores) -> FloatArray:
    """DeLong's covariance of the AUCs of k models on the same cases.

    Returns
    -------
    ndarray of shape (2, k, k)
        The components from positives and from negatives; their sum is the covariance matrix.
    """
    if scores.sums is not None:
        return _covariance_of_sums(scores, scores.sums)
    models = zip(scores.models, scores.index, strict=True)
    rows = [[v[index] for v in placements(model)] for model, index in models]
    classes = enumerate((scores.pos, scores.neg))
    return np.stack([covariance([values[side] for values in rows], count) for side, count in classes])


def _covariance_of_sums(scores: PairedScores, sums: PlacementSums) -> FloatArray:
    """The same from sums of placements."""
    own = np.array([delong_variances(model) for model in scores.models]).T
    difference_variances = np.empty_like(sums.second)
    for side, n in enumerate((scores.n_pos, scores.n_neg)):
        for i, j in np.ndindex(difference_variances.shape[1:]):
            difference_variances[side, i, j] = spread(
                sums.second[side, i, j], sums.fourth[side, i, j], n
            ).variance
    return np.asarray(0.5 * (own[:, :, None] + own[:, None, :] - difference_variances))


def shared_covariances(
    pair: PairedScores, a: Scores, b: Scores, part: CurvePart | None = None
) -> tuple[float, float]:
    """DeLong's two components of the covariance of two AUCs on partially paired cases.

    `a` and `b` have all cases of each model. The covariance is that of the placements over the shared cases,
    times n_shared/(n_a·n_b).
    """
    of_pos, of_neg = shared_placements(pair, a, b, part)
    n_pos, n_neg = pair.n_pos, pair.n_neg
    return (
        covariance_of_means(*of_pos, pair.pos, n_pos) * n_pos * n_pos / (a.n_pos * b.n_pos),
        covariance_of_means(*of_neg, pair.neg, n_neg) * n_neg * n_neg / (a.n_neg * b.n_neg),
    )


def difference_of_placements(
    scores: PairedScores, part: CurvePart | None = None, models: tuple[int, int] = (0, 1)
) -> tuple[Moments, ...]:
    """Moments of the difference between two models' placements, of positives and of negatives.

    The variances sum to DeLong's variance of the difference of two paired AUCs, without the cancellation of
    two variances minus twice a covariance. `models` are the positions of the two.
    """
    n_pos, n_neg = scores.n_pos, scores.n_neg
    if scores.sums is not None and part is None:
        (second_pos, second_neg), (fourth_pos, fourth_neg) = (v[(slice(None), *models)] for v in scores.sums)
        return spread(second_pos, fourth_pos, n_pos), spread(second_neg, fourth_neg, n_neg)
    a, b = (scores.models[i] for i in models)
    index_a, index_b = (scores.index[i] for i in models)
    if part is None and len(scores.pos) >= _kernels.BIG and scores.design is None:
        kernel = _kernels.compiled(difference_moments)
        difference = a.auc - b.auc
        # The placement of a negative counts positives above it, that of a positive negatives not above it.
        of_pos = kernel(index_a, index_b, scores.pos, a.neg, b.neg, -0.5 / n_neg, difference)
        of_neg = kernel(index_a, index_b, scores.neg, a.pos, b.pos, 0.5 / n_pos, difference)
        return spread(*of_pos, n_pos), spread(*of_neg, n_neg)
    (pos_a, neg_a), (pos_b, neg_b) = placements(a, part), placements(b, part)
    return influence_moments((pos_a[index_a] - pos_b[index_b], neg_a[index_a] - neg_b[index_b]), scores)


# --- any statistic ---------------------------------------------------------------------------------------


class Spread(NamedTuple):
    """Values of k models and the variances of their differences, as comparisons need them.

    Attributes
    ----------
    values, variances : ndarray of shape (k,)
    difference_variances : ndarray of shape (k, k)
        Variances of the differences, not covariances, so that differences of nearly identical models keep
        their precision.
    shares : tuple of (ndarray of shape (k, k), float)
        Components of `difference_variances` by class and sample, with degrees of freedom.
    identical : ndarray of bool, shape (k, k)
        Whether two models have the same value and the same influence for every case.
    moments : mapping
        For models on the same cases, moments of the difference of influences for each pair.
    estimates : tuple
        Estimates of each model beyond its value.
    resampled : ndarray of shape (n, k), optional
        Resampled values, if the spread is computed from them.
    """

    values: FloatArray
    variances: FloatArray
    difference_variances: FloatArray
    shares: tuple[tuple[FloatArray, float], ...]
    identical: BoolArray
    moments: Mapping[tuple[int, int], tuple[Moments, ...]]
    estimates: tuple[Any, ...] = ()
    resampled: FloatArray | None = None


def has_influence(statistic: Statistic) -> bool:
    """Whether the influence function of a statistic exists and its variance converges."""
    return statistic.regular and type(statistic).influence is not Statistic.influence


def needs_influence(method: object, *statistics: Any) -> None:
    """Raise for a statistic whose influence function does not exist or converge."""
    for statistic in statistics:
        if not has_influence(statistic):
            rule = f"not need an influence function, which {statistic.name!r} does not have"
            raise ArgumentError("method", rule, str(method), "Use method='bootstrap'.")


def scaled_moments(moments: tuple[Moments, ...], factor: float) -> tuple[Moments, ...]:
    """Moments of values times a factor."""
    return tuple(Moments(m.variance * factor**2, m.df) for m in moments)


def class_sizes_vary(statistic: Any) -> bool:
    """Whether the influence is centered over all cases, not within classes."""
    return bool(getattr(statistic, "together", False))


def centered(values: Influence, table: Scores, together: bool) -> Influence:
    """Return contributions to a mean, of shape (..., d), centered in each class.

    If class sizes vary, they are centered over all cases `together`.
    """
    counts = (table.pos, table.neg)
    means = [np.average(v, axis=-1, weights=n)[..., None] for v, n in zip(values, counts, strict=True)]
    shares = (1.0, 1.0)
    if together:
        own = table.n_pos / (table.n_pos + table.n_neg)
        shares = (own, 1.0 - own)
        means = [shares[0] * means[0] + shares[1] * means[1]] * 2
    of_pos, of_neg = (s * (v - m) for s, v, m in zip(shares, values, means, strict=True))
    return of_pos, of_neg


def as_drawn(statistic: Any, data: Any) -> Any:
    """Return the cases without strata if class sizes vary, which is conservative.

    The sums of the classes would have to be centered in strata together.
    """
    if not class_sizes_vary(statistic) or data.design is None or data.design.stratum is None:
        return data
    return data._remade({**data._made_of(), "design": replace(data.design, stratum=None)})


def contrast_moments(x: Contrast) -> tuple[Moments, ...]:
    """Moments of the influence on a contrast, by class and, for disjoint samples, by sample.

    Their variances sum to the variance of the contrast.
    """
    if "moments" in x.known:
        return tuple(x.known["moments"])
    together = class_sizes_vary(x.statistic)
    return tuple(m for influence, data in influences(x) for m in influence_moments(influence, data, together))


def influences(x: Contrast, each: Sequence[Influence] | None = None) -> list[tuple[Influence, Any]]:
    """Influence of positives and of negatives on a contrast, up to sign, by row of each sample."""
    each = each or [s.influence(t) for s, t in zip(x.statistics, x.tables, strict=True)]
    if isinstance(x.data, PairedScores):
        columns = [
            [w * v[x.data.index[place]] for v in influence]
            for w, influence, place in zip(x.weights, each, x.models, strict=True)
        ]
        of_pos, of_neg = (np.sum(side, axis=0) for side in zip(*columns, strict=True))
        return [((of_pos, of_neg), as_drawn(x.statistic, x.data))]
    return [(v, as_drawn(x.statistic, table)) for v, table in zip(each, x.tables, strict=True)]


def correlation_of(variance_a: Any, variance_b: Any, of_difference: Any) -> FloatArray:
    """Correlation of two values from their variances and the variance of their difference.

    NaN if the difference has no variance; 0 if one of the values has none. From σ² = (σ_a − σ_b)² +
    2(1 − ρ)σ_aσ_b, which is accurate for nearly identical models.
    """
    a, b = np.sqrt(variance_a), np.sqrt(variance_b)
    rest = np.asarray(of_difference - (a - b) ** 2)
    difference_variances = np.divide(rest, 2.0 * a * b, out=np.ones_like(rest), where=a * b > 0.0)
    return np.asarray(
        np.where(np.asarray(of_difference) > 0.0, np.clip(1.0 - difference_variances, -1.0, 1.0), np.nan)
    )


def spread_of(statistic: Any, data: Pair) -> Spread:
    """Return values of models or samples, and variances of differences by influence functions."""
    if hasattr(statistic, "spread"):
        found: Spread = statistic.spread(data)
        return found
    tables = models_of(data)
    values = np.array([statistic.value(table) for table in tables])
    columns = [statistic.influence(table) for table in tables]
    together = class_sizes_vary(statistic)
    drawn = [as_drawn(statistic, table) for table in tables]
    own = [influence_moments(column, t, together) for column, t in zip(columns, drawn, strict=True)]
    pairs: dict[tuple[int, int], tuple[Moments, ...]] = {}
    if isinstance(data, PairedScores):
        rows = [[v[at] for v in column] for column, at in zip(columns, data.index, strict=True)]
        cases = as_drawn(statistic, data)
        for i, j in combinations(range(len(tables)), 2):
            difference_variances = rows[i][0] - rows[j][0], rows[i][1] - rows[j][1]
            pairs[i, j] = influence_moments(difference_variances, cases, together)
    return spread_from(values, own, pairs, data)


def area_spread(data: Pair, part: CurvePart | None, unit: float, scaled: Callable[[float], float]) -> Spread:
    """Return the same for areas as fractions of the part's width times `unit`, from placements or sums."""
    tables = models_of(data)
    estimates = tuple(estimate_resized(table, part) for table in tables)
    pairs: dict[tuple[int, int], tuple[Moments, ...]] = {}
    slope = unit if part is None else unit / part.width
    if isinstance(data, PairedScores):
        pairs = {
            pair: scaled_moments(difference_of_placements(data, part, pair), slope)
            for pair in combinations(range(len(tables)), 2)
        }
    values = np.array([scaled(e.auc) for e in estimates])
    own = [scaled_moments(e.moments, unit) for e in estimates]
    return spread_from(values, own, pairs, data)._replace(estimates=estimates)


def estimate_resized(table: Scores, part: CurvePart | None) -> AreaEstimate:
    """Return the area of an equally informative sample of independent cases."""
    if table.design is not None:
        table = table._resized(*effective_sizes(measured(placements(table, part), table)))
    return estimate_area(table, part)


def spread_from(
    values: FloatArray,
    own: Sequence[tuple[Moments, ...]],
    pairs: Mapping[tuple[int, int], tuple[Moments, ...]],
    data: Pair,
) -> Spread:
    """Build the spread of k models from the moments of each and of the differences of pairs."""
    k, tables = len(values), models_of(data)
    variances = np.array([sum(m.variance for m in parts) for parts in own])
    difference_variances = np.add.outer(variances, variances)
    identical = np.eye(k, dtype=bool)
    for (i, j), parts in pairs.items():
        known = sum(m.variance for m in parts)
        if not math.isnan(known):
            difference_variances[i, j] = difference_variances[j, i] = known
        # A single case has no variance.
        same = not any(m.variance > 0.0 for m in parts)
        identical[i, j] = identical[j, i] = same and values[i] == values[j]
    np.fill_diagonal(difference_variances, 0.0)
    unpaired = isinstance(data, UnpairedScores)
    shares = []
    for place, table in enumerate(tables if unpaired else tables[:1]):
        # AUCs of two sets are independent samples, without a component shared by classes.
        known = len(own[place]) if unpaired else len(next(iter(pairs.values())))
        for side, df in enumerate(_class_df(table)[:known]):
            share = np.zeros((k, k))
            if unpaired:
                share[place] = share[:, place] = own[place][side].variance
            for pair, moments in pairs.items():
                share[pair] = share[pair[::-1]] = moments[side].variance
            np.fill_diagonal(share, 0.0)
            if df > 0.0:
                shares.append((share, df))
    return Spread(values, variances, difference_variances, tuple(shares), identical, pairs)


def _class_df(table: Scores) -> list[float]:
    """Degrees of freedom of each component of a variance: number of cases or clusters minus one."""
    if table.design is None:
        return [table.n_pos - 1.0, table.n_neg - 1.0]
    clusters = table.design.n_clusters
    return [size - 1.0 for size in kish_sizes(table)] + ([] if clusters is None else [clusters - 1.0])


def measured_number(x: Contrast) -> list[Measured]:
    """Return the moments of each sample for a scalar statistic; none without an influence function."""
    exists = x.is_number and all(map(has_influence, x.statistics))
    together = class_sizes_vary(x.statistic)
    return [measured(*each, together) for each in influences(x)] if exists else []


def measured_classes(x: Contrast) -> list[Measured]:
    """Return the same up to a factor for each class, for rates at one abscissa."""
    each = [summed(s.of_classes(t)) for s, t in zip(x.statistics, x.tables, strict=True)]
    together = class_sizes_vary(x.statistic)
    return [measured(*sample, together) for sample in influences(x, each)]


def design_effect(known: Sequence[Measured]) -> float | None:
    """Return the variance of a contrast relative to that of independent cases of equal weight.

    None without a design, or if unknown.
    """
    given = sum(m.variance for each in known for m in each.parts)
    alone = sum(m.variance for each in known for m in each.alone)
    return given / alone if given > 0.0 and alone > 0.0 else None


def summed(influence: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Influence on a sum of several rates at one abscissa, shape (d,)."""
    of_pos, of_neg = (np.sum(v, axis=tuple(range(np.ndim(v) - 1))) for v in influence)
    return of_pos, of_neg
