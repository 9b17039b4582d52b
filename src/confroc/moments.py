"""Moments of influence values by class, for independent and dependent cases.

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
"""Influence of a positive and of a negative on each row of a table, centered in each class."""


class Moments(NamedTuple):
    """Moments of one class's placements.

    `variance` is that of their mean (NaN for a single case). `df` are its degrees of freedom: twice its
    square over its own variance, from the fourth moment of the placements, at most the number of cases minus
    one, and 0 if placements do not vary.
    """

    variance: float
    df: float


def spread(second: float, fourth: float, n: int) -> Moments:
    """Moments of a class of n cases from sums of squares and fourth powers of centered placements."""
    if n < 2:
        return Moments(math.nan, 0.0)
    s2 = second / (n - 1)
    # Rounding leaves about 1e-32 if placements do not vary.
    if not s2 > 1e-30:
        return Moments(0.0, 0.0)
    # Var(s²) = (m₄ − s⁴(n − 3)/(n − 1))/n, the variance of a sample variance.
    noise = (fourth / n - s2 * s2 * (n - 3) / (n - 1)) / n
    df = n - 1.0 if noise <= 0.0 else min(n - 1.0, 2.0 * s2 * s2 / noise)
    return Moments(s2 / n, df)


def moments_of(values: FloatArray, count: IntArray, n: int) -> Moments:
    """Moments of a class of n cases from centered placements with counts."""
    squares = values * values
    second = float(np.einsum("i,i->", squares, count))
    return spread(second, float(np.einsum("i,i,i->", squares, squares, count)), n)


def pooled_df(*parts: Moments) -> float:
    """Degrees of freedom of a sum of variances (Welch-Satterthwaite); 0 if nothing varies."""
    known = [m for m in parts if m.variance != 0.0]
    total = sum(m.variance for m in known)
    return total**2 / sum(m.variance**2 / m.df for m in known) if total > 0.0 else 0.0


def covariance_of_means(u: FloatArray, v: FloatArray, count: IntArray, n: int) -> float:
    """Covariance of the means of n centered values u and v with counts; NaN for one case."""
    return float(np.einsum("i,i,i->", u, v, count)) / (n - 1) / n if n > 1 else math.nan


# --- weights, clusters and strata ------------------------------------------------------------------------


def influence_moments(
    influence: Influence, data: Scores | PairedScores, together: bool = False
) -> tuple[Moments, ...]:
    """Moments of the influence of positives and of negatives, on the rows of a table or of a pair.

    For clusters, a third component is twice the covariance of the two classes. The variances sum to that of
    the statistic: weighted influences are summed within a cluster, and the sums are independent within a
    stratum (Obuchowski 1997; Yao, Li & Graubard 2015). If no cluster has both classes, the clusters of each
    class are a separate sample. With two identifiers per row, V = V₁ + V₂ − V₁₂, where clusters of V₁₂ share
    both. Influences centered over both classes `together` are those of one sample.
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
    keys = [2 * code + design.positive for code in codes]
    mixed = together or any(np.logical_and(*_found(key)).any() for key in keys)
    found = [_of_clusters(each, key, design, mixed) for key in keys]
    signs = (1.0, 1.0, -1.0)
    pos, neg, shared = (
        Moments(sum(s * m.variance for s, m in zip(signs, part, strict=False)), min(m.df for m in part[:2]))
        for part in zip(*found, strict=True)
    )
    return pos, neg, _with_df(shared.df, pos, neg, shared)


def _with_df(df: float, of_pos: Moments, of_neg: Moments, shared: Moments) -> Moments:
    """The covariance of the classes, with degrees of freedom such that all three components have `df`.

    They are negative if the errors of the components cancel.
    """
    own = [m for m in (of_pos, of_neg) if m.variance != 0.0]
    total = sum(m.variance for m in own) + shared.variance
    left = total**2 / df - sum(m.variance**2 / m.df for m in own) if df > 0.0 else 0.0
    return Moments(shared.variance, shared.variance**2 / left if left != 0.0 else math.inf)


def _of_units(each: FloatArray, design: Design, side: BoolArray) -> Moments:
    """Moments of one class of independent cases."""
    stratum = None if design.stratum is None else design.stratum.code[side]
    count = design.count[side]
    n = int(count.sum())
    values = n * centered_in_strata(each, stratum, count)
    return moments_of(values, count, n)


def _found(key: IntArray) -> tuple[BoolArray, BoolArray]:
    """Masks of clusters with negatives and with positives."""
    size = int(key.max()) // 2 + 1
    return tuple(np.bincount(key, minlength=2 * size).reshape(size, 2).T > 0)


def _of_clusters(
    each: FloatArray, key: IntArray, design: Design, mixed: bool
) -> tuple[Moments, Moments, Moments]:
    """Moments of the sums within clusters: of positives, of negatives, and twice their covariance.

    `key` is twice the cluster, plus 1 for positives. Unless clusters are `mixed`, those of each class are a
    separate sample with centered sums. The degrees of freedom of the third are those of the variance of all
    sums. Clusters with positives, negatives or both are three samples (Welch-Satterthwaite).
    """
    found = _found(key)
    size = len(found[0])
    stratum = None
    if design.stratum is not None:
        stratum = np.zeros(size, np.int64)
        stratum[key // 2] = design.stratum.code
    sums: FloatArray = np.bincount(key, each, minlength=2 * size).astype(float).reshape(size, 2).T
    parts, totals = [], []
    for total, has in zip(sums, found, strict=True):
        n = int(has.sum())
        total = total if mixed else np.where(has, total - total.sum() / n, 0.0)
        one = np.ones(n, np.int64)
        values = n * centered_in_strata(total[has], None if stratum is None else stratum[has], one)
        parts.append(moments_of(values, one, n))
        totals.append(centered_in_strata(total, stratum, np.ones(size, np.int64)))
    shared = 2.0 * size / (size - 1) * float(np.dot(*totals)) if size > 1 else math.nan
    neg, pos = found
    samples = [(totals[0] + totals[1])[has] for has in (neg & ~pos, pos & ~neg, neg & pos)]
    known = [moments_of(len(v) * v, np.ones(len(v), np.int64), len(v)) for v in samples if len(v) > 1]
    return parts[1], parts[0], Moments(shared, pooled_df(*known))


def centered_in_strata(values: FloatArray, stratum: IntArray | None, count: IntArray) -> FloatArray:
    """Values centered in each stratum and scaled, so that the variance of their sum is that of all strata.

    Σ n_h/(n_h − 1) Σ (v − v̄_h)² is n/(n − 1) times the sum of the squares returned. A stratum of one unit is
    not centered.
    """
    if stratum is None:
        return values
    n, total = int(count.sum()), np.bincount(stratum, values * count)
    units = np.bincount(stratum, count)
    mean = np.divide(total, units, out=np.zeros_like(total), where=units > 1)
    scale = np.divide(units, units - 1.0, out=np.ones_like(total), where=units > 1)
    return np.asarray((values - mean[stratum]) * np.sqrt(scale[stratum] * (n - 1) / n))


def kish_sizes(data: Scores | PairedScores) -> tuple[float, float]:
    """Kish effective numbers of positives and negatives, (Σ m)²/Σ m² with cluster weights m."""
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
"""Minimum degrees of freedom of a clustered variance."""


def moments_of_counts(influence: Influence, data: Scores | PairedScores) -> tuple[Moments, Moments]:
    """Moments for independent cases of equal weight."""
    of_pos, of_neg = influence
    return moments_of(of_pos, data.pos, data.n_pos), moments_of(of_neg, data.neg, data.n_neg)


class Measured(NamedTuple):
    """Moments of the influence in a sample: with its design, and as if cases were independent."""

    data: Scores | PairedScores
    parts: tuple[Moments, ...]
    alone: tuple[Moments, Moments]
    together: bool = False


def measured(influence: Influence, data: Scores | PairedScores, together: bool = False) -> Measured:
    """Return both moments of an influence; independent cases are sampled by class, unless `together`."""
    parts = influence_moments(influence, data, together)
    pos, neg = (
        moments_of(values if together else values - float(np.einsum("i,i->", values, count)) / n, count, n)
        for values, count, n in zip(influence, (data.pos, data.neg), (data.n_pos, data.n_neg), strict=True)
    )
    return Measured(data, parts, (pos, neg), together)


def effective_sizes(known: Measured, separate: bool = False) -> tuple[float, float]:
    """Return class sizes of an equally informative sample of independent cases.

    They are 1 + (n − 1) V₀/V, where V₀ is the variance for independent cases, so that the variance of the
    smaller sample is V. The covariance of the classes is divided between both, unless the influences are
    `separate`. A class without variance counts each cluster once. If V is less certain than the variance of
    as many independent cases, sizes are reduced by the ratio of the variances of Student's T with both
    degrees of freedom. Classes that are sampled together keep their ratio.
    """
    data, parts, alone, together = known
    if together:
        given, simple = (sum(m.variance for m in moments) for moments in (parts, alone))
        counts = data.n_pos, data.n_neg
        if given > 0.0 and simple > 0.0:
            share = simple / given
            share *= _certainty(pooled_df(*parts), share * pooled_df(*alone))
        else:
            share = min(k / n for k, n in zip(kish_sizes(data), counts, strict=True))
        # At least two of the rarer class, and integers, as distributions of counts require.
        least = min(counts)
        share = max(2, round(least * share)) / least
        return counts[0] * share, counts[1] * share
    own = parts[0].variance + parts[1].variance
    total = own if separate else sum(m.variance for m in parts)
    shared = total / own if own > 0.0 and total > 0.0 else 1.0
    sizes, independent = [], []
    for side, (n, part, m) in enumerate(zip((data.n_pos, data.n_neg), parts, alone, strict=False)):
        if part.variance > 0.0 and m.variance > 0.0:
            effect = part.variance * shared / m.variance
            sizes.append(1.0 + (n - 1.0) / effect)
            independent.append(Moments(m.variance * effect, m.df / effect))
        else:
            sizes.append(kish_sizes(data)[side])
            independent.append(Moments(0.0, 0.0))
    if separate:
        left = [_certainty(part.df, m.df) for part, m in zip(parts, independent, strict=False)]
    else:
        left = [_certainty(pooled_df(*parts), pooled_df(*independent))] * 2
    return sizes[0] * left[0], sizes[1] * left[1]


def _certainty(df: float, simple: float) -> float:
    """Variance of Student's T, df/(df − 2), at `simple` over that at `df`; at most 1."""
    few, many = (max(LEAST_DF, known) for known in (df, simple))
    return min(1.0, (few - 2.0) / few * many / (many - 2.0))
