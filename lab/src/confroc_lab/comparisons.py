"""Coverage of comparisons of many models: how often any result is wrong.

Evaluates intervals of all areas and of all differences, significant differences, the joint test, and the
models that may be best. Where all areas are equal, a closed test rejects some equality exactly where an
interval excludes zero, so that limits of intervals give the familywise error. These are computed for many
samples together, by the formulas of `auc_comparison` and the distribution of its largest statistic at one set
of directions for all samples. All other cases use the function itself.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from confroc import auc_comparison
from confroc.auditing.areas import Areas, areas_of
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import (
    RANK_TOLERANCE,
    correlation_of,
    identical_rankings_bound,
    normal_quantile,
    score_delong_ends,
    score_delong_half_length,
    score_delong_variance,
    square_and_add_ends,
)
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples
from confroc_lab._errors import invalid
from confroc_lab._types import BoolArray, Ends, FloatArray
from confroc_lab.areas import bounded, placed_models
from confroc_lab.populations import NormalModels

BATCHED = ("score_delong", "score_delong:adjust=none", "delong", "delong:adjust=none")
"""Methods whose intervals are computed for all samples together."""
DIRECTIONS = 512
"""Directions over which the distribution of the largest statistic is averaged."""


class Compared(NamedTuple):
    """Comparisons of `reps` samples of k models.

    Attributes
    ----------
    low, high : ndarray of shape (reps, k)
        Intervals of the areas.
    lower, upper : ndarray of shape (reps, m)
        Intervals of the differences, in the order of `pairs`.
    found : ndarray of bool, shape (reps, m)
        Differences with an adjusted p-value of at most the level.
    joint : ndarray of shape (reps,)
        P-value of the joint test.
    best : ndarray of bool, shape (reps, k), or (reps, 1) of the first model alone
        Models that may be best.
    """

    low: FloatArray
    high: FloatArray
    lower: FloatArray
    upper: FloatArray
    found: BoolArray
    joint: FloatArray
    best: BoolArray


def pairs(k: int, reference: str | None = None) -> tuple[Any, Any]:
    """Both models of each difference, in the order of `auc_comparison`; models are called "a", "b", ..."""
    if reference is None:
        return np.triu_indices(k, 1)
    held = ord(reference) - ord("a")
    others = np.array([i for i in range(k) if i != held])
    return others, np.full(k - 1, held)


# --- many samples together -----------------------------------------------------------------------------


class Estimated(NamedTuple):
    """Areas with DeLong's variances, shape (reps, k), and their joint distribution.

    `of_differences` are the variances of the differences, shape (reps, m); `parts` the covariance matrices
    due to the positives and the negatives, shape (2, reps, k, k), and `cases` their numbers.
    """

    areas: Areas
    of_differences: FloatArray
    parts: FloatArray
    cases: tuple[int, int]

    @property
    def covariance(self) -> FloatArray:
        """Of the areas."""
        return np.asarray(self.parts.sum(axis=0))

    @property
    def usable(self) -> BoolArray:
        """Samples in which differences of zero variance are of models that agree on every case."""
        i, j = pairs(self.areas.auc.shape[1])
        same = self.areas.auc[:, i] == self.areas.auc[:, j]
        return np.asarray(((self.of_differences > 0.0) | same).all(axis=1))

    def take(self, rows: BoolArray) -> Estimated:
        """Return the same of some of the samples."""
        areas = Areas(*(column[rows] for column in self.areas))
        return Estimated(areas, self.of_differences[rows], self.parts[:, rows], self.cases)


def estimated(samples: Samples, *, groups: bool) -> Estimated:
    """Estimate the areas of all samples and their distribution."""
    placed = placed_models(samples)
    areas = Areas(*(np.stack(column, axis=1) for column in zip(*(areas_of(*p) for p in placed), strict=True)))
    i, j = pairs(len(placed))
    sides = []
    for side, n in ((0, samples.n_pos), (1, samples.n_neg)):
        values = np.stack([p[side] for p in placed], axis=1)
        values -= values.mean(axis=2, keepdims=True)
        sides.append(values @ values.transpose(0, 2, 1) / ((n - 1) * n))
    parts = np.stack(sides)
    if not groups:
        both = [
            areas_of(placed[a][0] - placed[b][0], placed[a][1] - placed[b][1])
            for a, b in zip(i, j, strict=True)
        ]
        return Estimated(
            areas, np.stack([d.variance for d in both], axis=1), parts, (samples.n_pos, samples.n_neg)
        )
    variance, own = areas.variance, np.eye(len(placed))
    return Estimated(areas, variance[:, i] + variance[:, j], parts * own, (samples.n_pos, samples.n_neg))


@functools.lru_cache
def directions(r: int) -> FloatArray:
    """Unit vectors spread evenly over the sphere, shape (DIRECTIONS, r)."""
    from scipy.stats import qmc

    points = qmc.Sobol(r, rng=np.random.default_rng(1)).random(DIRECTIONS)
    normal = special.ndtri(np.clip(points, 1e-9, 1.0 - 1e-9))
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True))


def cosines(covariance: FloatArray, contrasts: FloatArray) -> FloatArray:
    """Cosines of the statistics with each direction, shape (reps, m, DIRECTIONS); 0 of one without spread."""
    values, vectors = np.linalg.eigh(covariance)
    values = np.where(values > RANK_TOLERANCE * values[:, -1:], values, 0.0)
    # The symmetric root, which no choice of eigenvectors changes.
    roots = contrasts @ (vectors * np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
    length = np.linalg.norm(roots, axis=2, keepdims=True)
    roots = np.divide(roots, length, out=np.zeros_like(roots), where=length > 1e-9)
    return np.asarray(roots @ directions(covariance.shape[-1]).T)


def critical(largest: FloatArray, r: int, m: int, alpha: float) -> FloatArray:
    """Return t with P(R·c > t) = alpha, R with the χ distribution of r degrees of freedom, c of `largest`.

    By Newton's method on the logarithm of the tail, which is concave, from Bonferroni's t for m statistics,
    which is at least the root. NaN where every c is zero.
    """
    t = np.full(len(largest), -float(special.ndtri(alpha / m)))
    half = 0.5 * r
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(largest > 0.0, 0.5 / np.square(largest), np.inf)
        for _ in range(3):
            x = np.minimum(np.square(t)[:, None] * scale, 1e4)
            tail = special.gammaincc(half, x).mean(axis=1)
            slope = 2.0 / t * (x**half * np.exp(-x)).mean(axis=1) / special.gamma(half)
            t = t + tail / slope * np.log(tail / alpha)
    return t


def alone_or(z: float, t: FloatArray) -> FloatArray:
    """Return the critical value of one statistic where all models agree and there is no maximum."""
    return np.where(np.isnan(t), z, t)


def critical_of(covariance: FloatArray, contrasts: FloatArray, alpha: float) -> FloatArray:
    """Two-sided critical value of the largest of the contrasts' statistics, in each sample."""
    m = len(contrasts)
    alone = -float(special.ndtri(0.5 * alpha))
    if m == 1:
        return np.full(len(covariance), alone)
    largest = np.abs(cosines(covariance, contrasts)).max(axis=1)
    return alone_or(alone, critical(largest, covariance.shape[-1], 2 * m, alpha))


def critical_above(covariance: FloatArray, contrasts: FloatArray, alpha: float) -> FloatArray:
    """One-sided critical value of the largest statistic, in each sample."""
    m = len(contrasts)
    alone = -float(special.ndtri(alpha))
    if m == 1:
        return np.full(len(covariance), alone)
    cosine = cosines(covariance, contrasts)
    # Both of a direction and its opposite.
    largest = np.maximum(np.concatenate([cosine.max(axis=1), (-cosine).max(axis=1)], axis=1), 0.0)
    return alone_or(alone, critical(largest, covariance.shape[-1], m, alpha))


def differences_of(k: int) -> FloatArray:
    """Contrasts of all pairs of k models, shape (m, k)."""
    i, j = pairs(k)
    return np.asarray(np.eye(k)[i] - np.eye(k)[j])


def area_ends_at(method: str, found: Estimated, samples: Samples, z: FloatArray) -> Ends:
    """Limits of all models' intervals at each sample's normal quantile, shape (reps, k)."""
    auc, variance, df = found.areas
    if method == "delong":
        return auc - z[:, None] * np.sqrt(variance), auc + z[:, None] * np.sqrt(variance)
    tail = special.ndtr(-z)[:, None]
    return score_delong_ends(auc, variance, df, samples.n_pos, samples.n_neg, tail)


def difference_ends_at(
    method: str, found: Estimated, samples: Samples, z: FloatArray, *, groups: bool
) -> Ends:
    """Limits of all pairs' intervals, shape (reps, m), as in `auc_difference`."""
    auc, variance, df = found.areas
    i, j = pairs(auc.shape[1])
    if method == "delong":
        half = z[:, None] * np.sqrt(found.of_differences)
        return auc[:, i] - auc[:, j] - half, auc[:, i] - auc[:, j] + half
    low, high = score_delong_half_length(auc, variance, df, samples.n_pos, samples.n_neg, z[:, None])
    variance = np.where(variance > 0.0, variance, 0.0)
    rho, spread = np.zeros((2, *found.of_differences.shape))
    if not groups:
        rho = np.nan_to_num(correlation_of(variance[:, i], variance[:, j], found.of_differences))
        spread = np.where(rho > 0.0, np.abs(np.sqrt(variance[:, i]) - np.sqrt(variance[:, j])), 0.0)
    each = (low[:, i], high[:, i]), (low[:, j], high[:, j])
    ends = square_and_add_ends((auc[:, i], auc[:, j]), each, rho, z[:, None] * spread)
    if groups:
        return ends
    most = identical_rankings_bound(2.0 * special.ndtr(-z)[:, None], samples.n_pos, samples.n_neg)
    identical = ~(found.of_differences > 0.0) & (auc[:, i] == auc[:, j])
    return bounded(ends, most, identical=identical)


def areas_correlations(
    method: str, found: Estimated, samples: Samples, level: float, *, groups: bool
) -> FloatArray:
    """Correlation matrices of the areas, shape (reps, k, k); a zero variance is the interval's."""
    variance = found.areas.variance
    k = variance.shape[1]
    out = np.tile(np.eye(k), (samples.reps, 1, 1))
    if groups:
        return out
    z = normal_quantile(level)
    low, high = area_ends_at(method, found, samples, np.full(samples.reps, z))
    variance = np.where(variance > 0.0, variance, np.square(0.5 * (high - low) / z))
    i, j = pairs(k)
    rho = correlation_of(variance[:, i], variance[:, j], found.of_differences)
    # Models that agree on every case move together.
    rho = np.where(np.isnan(rho), 1.0, rho)
    out[:, i, j] = out[:, j, i] = rho
    return out


def joint_of_groups(found: Estimated) -> FloatArray:
    """P-values of the joint test of groups of one size: chi-squared, variances those of equal areas."""
    auc, variance, df = found.areas
    common = auc.mean(axis=1, keepdims=True)
    known = np.where(df > 0.0, variance, 0.0)
    weight = 1.0 / score_delong_variance(common, auc, known, df, *found.cases)
    mean = np.sum(weight * auc, axis=1, keepdims=True) / weight.sum(axis=1, keepdims=True)
    return np.asarray(special.chdtrc(auc.shape[1] - 1, np.sum(weight * np.square(auc - mean), axis=1)))


def joint_pvalues(method: str, found: Estimated, rejected: BoolArray) -> FloatArray:
    """P-values of the joint test of models: by an F distribution, or for "delong" by chi-squared.

    For two distinct areas it is the test of their difference; `rejected` states whether that is significant,
    and its p-value is given as 0 or 1.
    """
    k = found.areas.auc.shape[1]
    contrasts = np.eye(k)[1:] - np.eye(k)[0]
    parts = contrasts @ found.parts @ contrasts.T
    total = parts.sum(axis=0)
    inverse = np.linalg.pinv(total, rcond=RANK_TOLERANCE, hermitian=True)
    r = np.linalg.matrix_rank(total, rtol=RANK_TOLERANCE, hermitian=True)
    gaps = found.areas.auc @ contrasts.T
    wald = np.einsum("ni,nij,nj->n", gaps, inverse, gaps)
    if method == "delong":
        return np.asarray(special.chdtrc(r, wald))
    shares = parts @ inverse
    traces = np.einsum("snij,snji->sn", shares, shares) + np.einsum("snii->sn", shares) ** 2
    noise = np.einsum("sn,s->n", traces, 1.0 / (np.array(found.cases) - 1.0))
    nu = np.divide(r + r * r, noise, out=np.ones_like(noise), where=noise > 0.0)
    rest = np.maximum(nu - r + 1.0, 1.0)
    pvalue = special.fdtrc(np.maximum(r, 1), rest, wald * rest / (nu * np.maximum(r, 1)))
    return np.where(r > 1, pvalue, np.where(rejected.any(axis=1), 0.0, 1.0))


def batched(method: str, samples: Samples, found: Estimated, level: float, *, groups: bool) -> Compared:
    """Compare models of equal areas, in all samples together; "best" is for the first model only."""
    name, options = parse(method)
    k, alpha = found.areas.auc.shape[1], 1.0 - level
    if options:
        of_areas = of_pairs = np.full(samples.reps, normal_quantile(level))
        above = np.full(samples.reps, -float(special.ndtri(alpha)))
    else:
        covariance = found.covariance
        correlation = areas_correlations(name, found, samples, level, groups=groups)
        of_areas = critical_of(correlation, np.eye(k), alpha)
        of_pairs = critical_of(covariance, differences_of(k), alpha)
        above = critical_above(covariance, np.eye(k)[1:] - np.eye(k)[0], alpha)
    low, high = area_ends_at(name, found, samples, of_areas)
    lower, upper = difference_ends_at(name, found, samples, of_pairs, groups=groups)
    # The first model may be best unless another's difference from it is above zero.
    _, highest = difference_ends_at(name, found, samples, above, groups=groups)
    best = np.atleast_1d((highest[:, : k - 1] >= 0.0).all(axis=1))[:, None]
    rejected: BoolArray = (lower > 0.0) | (upper < 0.0)
    alone = groups and k > 2
    joint = joint_of_groups(found) if alone else joint_pvalues(name, found, rejected)
    return Compared(low, high, lower, upper, rejected, joint, best)


# --- one sample after another --------------------------------------------------------------------------


def one_by_one(
    method: str, options: dict[str, Any], samples: Samples, level: float, rows: Sequence[int], *, groups: bool
) -> Compared:
    """Return what `auc_comparison` returns for the samples of these rows."""
    collected = []
    for row in rows:
        sample = samples.groups(row) if groups else samples.pair(row)
        result = auc_comparison(sample, method=method, confidence_level=level, **options)
        d = result.differences
        collected.append(
            (
                result.intervals.lower,
                result.intervals.upper,
                d.lower,
                d.upper,
                d.pvalue <= 1.0 - level,
                result.test.pvalue,
                [name in result.may_be_best for name in result.names],
            )
        )
    return Compared(*(np.array(column) for column in zip(*collected, strict=True)))


# --- evaluating -------------------------------------------------------------------------------------------


def compared(
    method: str, samples: Samples, found: Estimated | None, level: float, *, groups: bool
) -> Compared:
    """Compare the models in all samples, together where `found` allows it."""
    name, options = parse(method)
    if found is None or method not in BATCHED or (groups and name == "delong"):
        return one_by_one(name, options, samples, level, range(samples.reps), groups=groups)
    some = found.usable
    if some.all():
        return batched(method, samples, found, level, groups=groups)
    part = batched(method, samples.take(some), found.take(some), level, groups=groups)
    rest = one_by_one(name, options, samples, level, np.flatnonzero(~some).tolist(), groups=groups)
    merged = []
    for one, other in zip(part, rest._replace(best=rest.best[:, :1]), strict=True):
        merged.append(np.empty((samples.reps, *one.shape[1:]), one.dtype))
        merged[-1][some], merged[-1][~some] = one, other
    return Compared(*merged)


def wrong(method: str, quantity: str, at: float, rejected: BoolArray, size: FloatArray) -> Coverage:
    """Count the samples in which any of the statements is wrong; `size` is counted as width."""
    low = np.where(rejected.any(axis=1, keepdims=True), 0.5, 0.0)
    return counted(method, quantity, np.array([at]), np.zeros(1), low, low + size[:, None])


def evaluated(method: str, result: Compared, areas: FloatArray, at: float, level: float) -> list[Coverage]:
    """Count the samples in which each statement is wrong, for models of these true areas.

    Widths are the mean width of the intervals ("all areas", "all differences"), the proportion of all true
    differences that are significant ("no false difference"), and the number of models in "best".
    """
    i, j = pairs(len(areas), parse(method)[1].get("reference"))
    gap = areas[i] - areas[j]
    equal = np.asarray(gap == 0.0)
    none = np.zeros(len(result.joint))
    out = []
    for quantity, truth, low, high in (
        ("all areas", areas, result.low, result.high),
        ("all differences", gap, result.lower, result.upper),
    ):
        missed = (low > truth) | (high < truth)
        out.append(wrong(method, quantity, at, missed, (high - low).mean(axis=1)))
    power = none if equal.all() else result.found[:, ~equal].mean(axis=1)
    out.append(wrong(method, "no false difference", at, result.found[:, equal], power))
    if (areas == areas[0]).all():
        out.append(wrong(method, "joint test", at, (result.joint <= 1.0 - level)[:, None], none))
    best = ~result.best[:, [int(np.argmax(areas))]]
    return [*out, wrong(method, "best", at, best, result.best.sum(axis=1).astype(np.float64))]


def auc_comparisons(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count the comparisons in which some interval, test or set of models is wrong.

    The places of a rule are areas common to all models; without places the population's own are used.
    """
    population = drawn.population
    if not isinstance(population, NormalModels):
        remedy = "Use `NormalModels((0.8, 0.8, 0.8), 0.6)`."
        raise invalid("population", "be a NormalModels", type(population).__name__, remedy)
    level, groups = rule.confidence_level, population.groups
    places: dict[str, list[list[Coverage]]] = {method: [] for method in rule.methods}
    for at in rule.at or (math.nan,):
        areas, samples = np.array(population.areas), drawn.samples
        if rule.at:
            areas = np.full(len(areas), at)
            shift = replace(population, areas=tuple(areas.tolist())).means - population.means
            samples = Samples(samples.pos + shift, samples.neg)
        identical = bool((areas == areas[0]).all()) and any(method in BATCHED for method in rule.methods)
        found = estimated(samples, groups=groups) if identical else None
        for method in rule.methods:
            result = compared(method, samples, found, level, groups=groups)
            places[method].append(evaluated(method, result, areas, at, level))
    out = []
    for method, held in places.items():
        for columns in zip(*held, strict=True):
            joined = [np.concatenate(field) for field in zip(*(c[2:] for c in columns), strict=True)]
            out.append(Coverage(method, columns[0].quantity, *joined))
    return out
