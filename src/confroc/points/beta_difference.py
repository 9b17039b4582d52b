"""At a given false positive rate, the interval for the difference of two models from their Beta mixtures.

Each model by itself has a distribution of its true positive rate, a mixture of Beta distributions over the
place of the threshold (`confroc.points.beta_mixture`). Two models on the same cases depend on each other:
their positives are found together, and their thresholds lie among the same negatives. The two distributions
are therefore joined by a normal copula with an estimated correlation, and the ends are quantiles of
D = Q_a(Phi(Z_a)) - Q_b(Phi(Z_b)), where Z_a and Z_b are normal with correlation rho:

    P(D >= d) = integral of Phi((rho z_b - Phi^-1(F_a(p_b + d))) / sqrt(1 - rho^2)) dF_b(p_b).

Each mixture's variance is P + V, that of the positives given the threshold and that of the threshold. With
the phi coefficients of the calls "positive" at the two thresholds, among positives and among negatives,

    rho = (phi_pos sqrt(P_a P_b) + phi_neg sqrt(V_a V_b)) / sqrt((P_a + V_a)(P_b + V_b)).

On disjoint test sets rho = 0.

A mixture counts one thing twice. Trying a threshold at another place than the true one changes the positives
above it by the curve's slope, and by chance; the Beta distributions already include that chance. So both ends
are moved towards the median by the root of the variance's share that is left, as far as the curves are
straight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaln, ndtr, ndtri, xlogy

from confroc._check import ranks_of
from confroc._types import Ends, FloatArray, IntArray
from confroc.curve import curve_of
from confroc.distributions import log_beta
from confroc.points.beta_mixture import RateMixture, mixture_at
from confroc.resample import tails
from confroc.scores import Pair, PairedScores, Scores
from confroc.scores.counting import calls

PSEUDO_COUNT = 0.25
"""Added to each cell of the two tables of calls: models that agree on all cases seen may differ on others."""

NEGATIVES_FOR_NONE = 1.0
"""The weight, in negatives expected on one side of the thresholds, of no correlation between thresholds."""

NEGATIVES_TO_SEE = 2.0
"""The weight, in negatives expected on one side of the thresholds, of taking nothing off."""

MOST_TWICE = 0.25
"""At most so much of the variance is taken off."""

KNOT = 0.5
"""Distance of the knots of a distribution function in standard deviations of its Beta distributions."""

FINER = 8
"""Points per knot to which it is interpolated."""


def beta_difference(pair: Pair, fpr: FloatArray, level: float) -> Ends:
    """Return the ends of intervals for the difference a - b, at false positive rates in [0, 1]."""
    phi = phi_coefficients(pair, fpr) if isinstance(pair, PairedScores) else np.zeros((2, len(fpr)))
    sides = [(x, np.flatnonzero(x.neg), x.neg_above[x.neg > 0]) for x in (pair.a, pair.b)]
    expected = min(x.n_neg for x, *_ in sides) * np.minimum(fpr, 1.0 - fpr)
    twice = np.stack([counted_twice(x, fpr) for x, *_ in sides]) * expected / (expected + NEGATIVES_TO_SEE)
    found = np.empty((2, len(fpr)))
    for i, f in enumerate(fpr.tolist()):
        laws = [RateLaw.of(mixture_at(x, rows, above, f), x.n_pos) for x, rows, above in sides]
        found[:, i] = difference_ends(laws[0], laws[1], phi[:, i], twice[:, i], level)
    return found[0], found[1]


# --- one model ---------------------------------------------------------------------------------------


def normal_score(probability: FloatArray) -> FloatArray:
    """Normal quantile, finite."""
    return np.asarray(np.clip(ndtri(probability), -40.0, 40.0))


def counted_twice(scores: Scores, fpr: FloatArray) -> FloatArray:
    """Return the variance of the true positive rate that its mixture counts twice, as far as it is known.

    Over j negatives a straight curve with lambda positives per negative has j (lambda + lambda^2) for the
    variance of the positives; j is the distance |K - n f| of a threshold's place. The
    ratio of its slopes on either side, over one standard deviation of K, measures how straight it is.
    """
    n = scores.n_neg
    deviation = np.sqrt(fpr * (1.0 - fpr) / n)
    low, high = np.maximum(fpr - deviation, 0.0), np.minimum(fpr + deviation, 1.0)
    curve = curve_of(scores)
    before, at, after = (curve.tpr_at(x) for x in (low, fpr, high))
    tiny = np.finfo(np.float64).tiny
    left, right = (at - before) / np.maximum(fpr - low, tiny), (after - at) / np.maximum(high - fpr, tiny)
    straight = np.minimum(left, right) / np.maximum(np.maximum(left, right), tiny)
    each = 0.5 * (left + right) * scores.n_pos / n
    return np.asarray(
        straight * np.sqrt(2.0 / np.pi) * n * deviation * (each + each * each) / scores.n_pos**2
    )


class RateLaw(NamedTuple):
    """The distribution of one model's true positive rate, and the two parts of its variance.

    `reached` is F at the fine grid `rate`; between its points are `mass`es, at `middle` rates and normal
    `score`s.
    `within` is the variance of the positives given the threshold, `between` that of the threshold.
    """

    rate: FloatArray
    reached: FloatArray
    middle: FloatArray
    mass: FloatArray
    score: FloatArray
    within: float
    between: float

    @classmethod
    def of(cls, mixture: RateMixture, n_pos: int) -> RateLaw:
        """Lay out the distribution function in the angle arcsin(sqrt p).

        There all Beta distributions have about one width. Between knots it is Hermite's cubic, from values
        and densities.
        """
        a = np.append(mixture.a, [0.5, n_pos + 0.5])
        b = np.append(mixture.b, [n_pos + 0.5, 0.5])
        weight = np.append(mixture.weight, [mixture.none, mixture.every])
        kept = weight > 0.0
        a, b, weight = a[kept], b[kept], weight[kept] / weight[kept].sum()
        mean = a / (a + b)
        centre = float(weight @ mean)
        within = float(weight @ (mean * (1.0 - mean) / (a + b + 1.0)))
        between = float(weight @ np.square(mean - centre))
        width = 0.5 / np.sqrt(n_pos + 1.0)
        angle = np.arcsin(np.sqrt(mean))
        low = max(float(angle.min()) - 7.0 * width, 0.0)
        high = min(float(angle.max()) + 7.0 * width, np.pi / 2.0)
        knots = np.linspace(low, high, int(np.ceil((high - low) / (KNOT * width))) + 1)
        x = np.square(np.sin(knots))[:, None]
        value = betainc(a, b, x) @ weight
        sine, cosine = np.sin(knots)[:, None], np.cos(knots)[:, None]
        inside = (x > 0.0) & (x < 1.0)
        # At the poles only distributions of one half have a density.
        log = np.where(
            inside,
            log_beta(a, b, np.where(inside, x, 0.5)) - np.log(np.where(inside, sine * cosine, 1.0)),
            xlogy(2.0 * a - 1.0, sine) + xlogy(2.0 * b - 1.0, cosine) - betaln(a, b),
        )
        slope = 2.0 * np.exp(log) @ weight * (knots[1] - knots[0])
        t = np.arange(FINER) / FINER
        before, after = value[:-1, None], value[1:, None]
        cubic = (
            before * (1.0 + 2.0 * t) * np.square(1.0 - t)
            + after * t * t * (3.0 - 2.0 * t)
            + slope[:-1, None] * t * np.square(1.0 - t)
            - slope[1:, None] * t * t * (1.0 - t)
        ).ravel()
        fine = np.linspace(low, high, len(cubic) + 1)
        reached = np.maximum.accumulate(np.clip(np.append(cubic, value[-1]), 0.0, 1.0))
        reached /= reached[-1]
        rate = np.square(np.sin(fine))
        mass = np.diff(reached)
        held = mass > 0.0
        middle = 0.5 * (rate[1:] + rate[:-1])[held]
        score = normal_score(0.5 * (reached[1:] + reached[:-1])[held])
        return cls(rate, reached, middle, mass[held], score, within, between)

    def exceeds(self, other: RateLaw, d: float, rho: float) -> float:
        """P(own rate - other's >= d): the sum over the other's rates of the chance given each of them."""
        score = normal_score(np.interp(other.middle + d, self.rate, self.reached, left=0.0, right=1.0))
        return float(other.mass @ ndtr((rho * other.score - score) / np.sqrt(1.0 - rho * rho)))


# --- both --------------------------------------------------------------------------------------------


def called(scores: Scores, fpr: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return how many rows are called positive at each rate, and the part of the next one.

    The calls are those of the curve: they give the requested rate, and its largest true positive rate.
    """
    r, part = ranks_of(fpr, scores.n_neg)
    above = np.append(0, scores.neg_above)
    rows = np.searchsorted(scores.neg_above, r, side="right")
    inside = np.append(scores.neg, 1)[rows]
    return rows, (r - above[rows] + part) / inside


def phi_coefficients(pair: PairedScores, fpr: FloatArray) -> FloatArray:
    """Correlations of the calls of the two models at each rate, among positives and among negatives."""
    cells = calls(pair, called(pair.a, fpr), called(pair.b, fpr)) + PSEUDO_COUNT
    both, a, b, none = cells.transpose(1, 0, 2)
    phi = np.asarray((both * none - a * b) / np.sqrt((both + a) * (b + none) * (both + b) * (a + none)))
    expected = pair.n_neg * np.minimum(fpr, 1.0 - fpr)
    phi[1] *= expected / (expected + NEGATIVES_FOR_NONE)
    return phi


def difference_ends(
    a: RateLaw, b: RateLaw, phi: FloatArray, twice: FloatArray, level: float
) -> tuple[float, float]:
    """Return the ends of the central interval of this level for the difference."""
    from scipy.optimize import brentq

    together = phi[0] * np.sqrt(a.within * b.within) + phi[1] * np.sqrt(a.between * b.between)
    of_a, of_b = a.within + a.between, b.within + b.between
    rho = float(together / np.sqrt(of_a * of_b))
    more_a, more_b = np.minimum(twice, (a.between, b.between))
    more = (more_a + more_b - 2.0 * phi[1] * np.sqrt(more_a * more_b)) / (of_a + of_b - 2.0 * together)
    kept = float(np.sqrt(1.0 - min(more, MOST_TWICE)))

    def missing(d: float, prob: float) -> float:
        # Summed over a and over b, so that exchanging the models exchanges the ends exactly.
        return 0.5 * (b.exceeds(a, -d, rho) + 1.0 - a.exceeds(b, d, rho)) - prob

    # Relative to the width of the distribution, however narrow.
    close = min(1e-9, 1e-4 * float(np.sqrt(of_a + of_b)))
    below, above = tails(level)
    low, middle, high = (brentq(missing, -1.0, 1.0, args=(p,), xtol=close) for p in (below, 0.5, above))
    return middle - kept * (middle - low), middle + kept * (high - middle)
