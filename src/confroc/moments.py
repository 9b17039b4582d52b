"""Moments of what cases contribute to a statistic: the spread in each class, of dependent cases too.

References
----------
Obuchowski NA (1997). Biometrics 53, 567–578.
Yao W, Li Z, Graubard BI (2015). Statistics in Medicine 34, 1293–1303.
Korn EL, Graubard BI (1998). Survey Methodology 24, 193–201.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from confroc._types import BoolArray, FloatArray, IntArray
from confroc.scores import Design, PairedScores, Scores

Influence: TypeAlias = tuple[FloatArray, FloatArray]
"""What a positive and a negative on each row of a table contribute, centred in each class."""


class Moments(NamedTuple):
    """Spread of one class's placements.

    `variance` is of their mean (NaN for a single case); `df` says how well it is known: twice its
    square over its own variance, by the placements' fourth moment, and at most the class's cases less
    one. It is 0 when no placement varies.
    """

    variance: float
    df: float


def spread(second: float, fourth: float, n: int) -> Moments:
    """Moments of a class of n cases from its sums of squared and of fourth powers of centred placements."""
    if n < 2:
        return Moments(math.nan, 0.0)
    s2 = second / (n - 1)
    # Rounding leaves about 1e-32 where no placement varies.
    if not s2 > 1e-30:
        return Moments(0.0, 0.0)
    # Var(s²) = (m₄ − s⁴(n − 3)/(n − 1))/n, the textbook variance of a sample variance.
    noise = (fourth / n - s2 * s2 * (n - 3) / (n - 1)) / n
    df = n - 1.0 if noise <= 0.0 else min(n - 1.0, 2.0 * s2 * s2 / noise)
    return Moments(s2 / n, df)


def moments_of(values: FloatArray, count: IntArray, n: int) -> Moments:
    """Moments of a class of n cases from centred placements that come with counts."""
    squares = values * values
    second = float(np.einsum("i,i->", squares, count))
    return spread(second, float(np.einsum("i,i,i->", squares, squares, count)), n)


def pooled_df(*parts: Moments) -> float:
    """Degrees of freedom of a sum of variances (Welch-Satterthwaite); 0 when nothing varies."""
    known = [m for m in parts if m.variance != 0.0]
    total = sum(m.variance for m in known)
    return total**2 / sum(m.variance**2 / m.df for m in known) if total > 0.0 else 0.0


def covariance_of_means(u: FloatArray, v: FloatArray, count: IntArray, n: int) -> float:
    """Covariance of the means of n centred values u and v that come with counts; NaN for one case."""
    return float(np.einsum("i,i,i->", u, v, count)) / (n - 1) / n if n > 1 else math.nan


# --- weights, clusters and strata ------------------------------------------------------------------------


def influence_moments(influence: Influence, data: Scores | PairedScores) -> tuple[Moments, ...]:
    """Moments of the influence of positives and of negatives, on the rows of a table or of a pair.

    Where cases come in clusters, a third part is twice the covariance of the two classes. The variances sum
    to that of the statistic: the influences, times their weights, are summed within a cluster, and the
    sums are treated as independent within a stratum (Obuchowski 1997; Yao, Li & Graubard 2015). With two
    identifiers a row, V = V₁ + V₂ − V₁₂, where clusters of V₁₂ share both.
    """
    design = data.design
    if design is None:
        return moments_of_counts(influence, data)
    of_pos, of_neg = influence
    each = np.where(design.positive, of_pos[design.row], of_neg[design.row])
    each /= np.where(design.positive, data.n_pos, data.n_neg)
    each *= design.weight
    if not design.clusters:
        return tuple(_of_units(each[side], design, side) for side in (design.positive, ~design.positive))
    each *= design.count
    codes = [c.code for c in design.clusters]
    if len(codes) == 2:
        codes.append(np.unique(codes[0] * (int(codes[1].max()) + 1) + codes[1], return_inverse=True)[1])
    found = [_of_clusters(each, code, design) for code in codes]
    signs = (1.0, 1.0, -1.0)
    return tuple(
        Moments(sum(s * m.variance for s, m in zip(signs, part, strict=False)), min(m.df for m in part[:2]))
        for part in zip(*found, strict=True)
    )


def _of_units(each: FloatArray, design: Design, side: BoolArray) -> Moments:
    """Moments of one class whose cases are independent."""
    stratum = None if design.stratum is None else design.stratum.code[side]
    count = design.count[side]
    n = int(count.sum())
    values = n * centred_in_strata(each, stratum, count)
    return moments_of(values, count, n)


def _of_clusters(each: FloatArray, code: IntArray, design: Design) -> tuple[Moments, Moments, Moments]:
    """Moments of the sums within clusters: of positives, of negatives, and twice their covariance."""
    size = int(code.max()) + 1
    stratum = None
    if design.stratum is not None:
        stratum = np.zeros(size, np.int64)
        stratum[code] = design.stratum.code
    key = 2 * code
    key += design.positive
    sums = np.bincount(key, each, minlength=2 * size).reshape(size, 2).T
    found = np.bincount(key, minlength=2 * size).reshape(size, 2).T > 0
    parts, totals = [], []
    for total, has in ((sums[1], found[1]), (sums[0], found[0])):
        own = np.flatnonzero(has)
        of_own = None if stratum is None else stratum[own]
        one = np.ones(len(own), np.int64)
        values = len(own) * centred_in_strata(total[own], of_own, one)
        parts.append(moments_of(values, one, len(own)))
        totals.append(centred_in_strata(total, stratum, np.ones(size, np.int64)))
    shared = 2.0 * size / (size - 1) * float(np.dot(*totals)) if size > 1 else math.nan
    return parts[0], parts[1], Moments(shared, size - 1.0)


def centred_in_strata(values: FloatArray, stratum: IntArray | None, count: IntArray) -> FloatArray:
    """Values centred in each stratum and scaled, so that the variance of their sum is that of all strata.

    Σ n_h/(n_h − 1) Σ (v − v̄_h)² is n/(n − 1) times the sum of the squares returned. A stratum of one unit is
    not centred.
    """
    if stratum is None:
        return values
    n, total = int(count.sum()), np.bincount(stratum, values * count)
    units = np.bincount(stratum, count)
    mean = np.divide(total, units, out=np.zeros_like(total), where=units > 1)
    scale = np.divide(units, units - 1.0, out=np.ones_like(total), where=units > 1)
    return np.asarray((values - mean[stratum]) * np.sqrt(scale[stratum] * (n - 1) / n))


def kish_sizes(data: Scores | PairedScores) -> tuple[float, float]:
    """Numbers of positives and of negatives if all of a cluster counted as one, (Σ m)²/Σ m² of weights m."""
    design = data.design
    if design is None:
        return data.n_pos, data.n_neg
    found = []
    for side in (design.positive, ~design.positive):
        mass = design.mass[side]
        squares = [float(np.dot(design.weight[side], mass))]
        squares += [float((np.bincount(c.code[side], mass) ** 2).sum()) for c in design.clusters]
        found.append(float(mass.sum()) ** 2 / max(squares))
    return found[0], found[1]


LEAST_DF = 4.0
"""Fewest degrees of freedom that a variance of clusters is taken to have."""


def moments_of_counts(influence: Influence, data: Scores | PairedScores) -> tuple[Moments, Moments]:
    """Moments if all cases are independent and of one weight."""
    of_pos, of_neg = influence
    return moments_of(of_pos, data.pos, data.n_pos), moments_of(of_neg, data.neg, data.n_neg)


class Measured(NamedTuple):
    """Moments of the influence on a statistic of a sample: as drawn, and if its cases were independent."""

    data: Scores | PairedScores
    parts: tuple[Moments, ...]
    alone: tuple[Moments, Moments]


def measured(influence: Influence, data: Scores | PairedScores) -> Measured:
    """Return both moments of an influence."""
    return Measured(data, influence_moments(influence, data), moments_of_counts(influence, data))


def effective_sizes(known: Measured, separate: bool = False) -> tuple[float, float]:
    """Return class sizes of a sample of independent cases that would be as informative.

    They are n V₀/V, where V₀ is the variance if the cases were independent, less the uncertainty of V: the
    variance of Student's T is df/(df − 2). What the classes of a cluster share is divided between both,
    unless the influences are `separate`. A class whose influence does not vary counts each cluster once.
    """
    data, parts, alone = known
    own = parts[0].variance + parts[1].variance
    total = own if separate else sum(m.variance for m in parts)
    shared = total / own if own > 0.0 and total > 0.0 else 1.0
    df, sizes = max(LEAST_DF, pooled_df(*parts)), []
    for side, n in enumerate((data.n_pos, data.n_neg)):
        part, simple = parts[side], alone[side]
        varies = part.variance > 0.0 and simple.variance > 0.0
        left = max(LEAST_DF, part.df) if separate else df
        size = n * simple.variance / (part.variance * shared) if varies else kish_sizes(data)[side]
        sizes.append(size * (left - 2.0) / left)
    return sizes[0], sizes[1]
