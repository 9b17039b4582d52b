"""Intervals at a predicted-positive rate, by a mixture of Beta distributions.

A proportion q of the population lies above the true threshold. Its position among the sample's n cases is
unknown, but the number K of cases above it is Bin(n, q). Given K = k, it lies below the k-th highest case,
and the sample's curve gives four counts: J positives and L = k - J negatives above the threshold, M positives
and N negatives below it. With p the proportion of positives among the cases predicted positive and s that
among the rest, J is Bin(k, p) and M is Bin(n - k, s), so with Jeffreys priors p is Beta(J + 1/2, L + 1/2) and
s is Beta(M + 1/2, N + 1/2), independently. All rates are functions of them:

    precision = p,    TPR = q p / π,    FPR = q (1 - p) / (1 - π),    π = q p + (1 - q) s,

so intervals satisfy π TPR + (1 - π) FPR = q: with few positives q almost determines the FPR.

Under full sampling p and s vary freely. Under stratified sampling π is known: the mixture is restricted to
the line q p + (1 - q) s = π.

If a class has no case on one side of the threshold, limits on that side use a proportion of 0, since the
population may have none there (as in Brown, Cai & DasGupta 2001, §4.2.3, for one proportion).

If cases tie at the threshold, the curve is linear inside the tie, and J is interpolated. The binomial
distribution of J would include the noise of a random selection within the tie, which the rates do not have;
its hypergeometric variance is subtracted from both Beta distributions, which become narrower with the same
means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import betaincc, betaincinv, expit, ndtr, polygamma

from confroc._types import Ends, FloatArray, Sampling
from confroc.distributions import beta_mixture_quantile, binomial_cells, log_beta, smooth_quantile
from confroc.exact.positive_rate import expected_found, quantiles_of
from confroc.resample import tails
from confroc.scores import Scores
from confroc.scores.counting import rows_of_cases

STRATA = 40
"""Maximum number of distinct counts of cases above the cut; more are merged."""

NEGLIGIBLE = 1e-11
"""Neglected probability of counts above the cut."""

FAR = 60.0
"""Log odds treated as infinite."""

GRID = 600
"""Number of points of a distribution on a line."""


def _rule(step: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the trapezoidal rule on the scale of normal scores."""
    z = step * np.arange(-round(5.4 / step), round(5.4 / step) + 1)
    weight = np.exp(-0.5 * z * z)
    return ndtr(z), weight / weight.sum()


COARSE, FINE = _rule(0.9), _rule(0.45)
"""For bell-shaped distributions, with error below 1e-5, and for skewed ones of few cases."""

FEW = 60
"""Number of cases up to which the fine rule is used."""


class Law(NamedTuple):
    """Beta(a, b) distributions of a proportion by position of the cut; constant 0 or 1 if a or b is 0."""

    a: FloatArray
    b: FloatArray

    def turned(self) -> Law:
        """The distributions of one minus the proportion."""
        return Law(self.b, self.a)

    def at_least(self, x: FloatArray) -> FloatArray:
        """P(proportion >= x), x of shape (positions, ...)."""
        a, b = (np.reshape(v, (-1,) + (1,) * (x.ndim - 1)) for v in self)
        inside = betaincc(np.where(a > 0.0, a, 1.0), np.where(b > 0.0, b, 1.0), np.clip(x, 0.0, 1.0))
        return np.where(a <= 0.0, x <= 0.0, np.where(b <= 0.0, x <= 1.0, inside))

    def log_density(self, x: FloatArray) -> FloatArray:
        """Density of the logarithm of the proportion, at x of shape (positions, ...)."""
        a, b = (np.where(v > 0.0, v, 1.0)[:, None] for v in self)
        inside = (x > 0.0) & (x < 1.0) & ((self.a > 0.0) & (self.b > 0.0))[:, None]
        at = np.where(inside, x, 0.5)
        return np.where(inside, np.exp(log_beta(a, b, at)) / (1.0 - at), 0.0)

    def nodes(self, probabilities: FloatArray) -> FloatArray:
        """Quantiles, shape (positions, probabilities)."""
        a, b = self.a[:, None], self.b[:, None]
        inside = betaincinv(np.where(a > 0.0, a, 1.0), np.where(b > 0.0, b, 1.0), probabilities)
        return np.where(a <= 0.0, 0.0, np.where(b <= 0.0, 1.0, inside))

    def log_variance(self) -> FloatArray:
        """Variance of the logarithm at each position; 0 for a constant."""
        known = (self.a <= 0.0) | (self.b <= 0.0)
        a = np.where(known, 1.0, self.a)
        return np.where(known, 0.0, polygamma(1, a) - polygamma(1, a + self.b))


class Cut(NamedTuple):
    """Counts on both sides of the cut at its possible positions, with probabilities.

    `found` and `false` are positives and negatives above it, `missed` and `spared` those below; `noise` is
    the variance of `found` due to random order within a tie.
    """

    weight: FloatArray
    found: FloatArray
    false: FloatArray
    missed: FloatArray
    spared: FloatArray
    noise: FloatArray

    def shares(self, *, sure: str = "") -> tuple[Law, Law]:
        """Return the distributions of the proportions of positives above and below the cut.

        `sure` names counts for which zero in the sample is treated as zero in the population.
        """
        counts = self._asdict()
        laws = []
        for pos, neg in (("found", "false"), ("missed", "spared")):
            a, b = counts[pos] + 0.5, counts[neg] + 0.5
            # For a Beta(a, b) distribution of a + b cases; the noise is in the number of positives.
            variance = a * b / (a + b)
            narrower = variance / np.maximum(variance - self.noise, 1e-3 * variance)
            laws.append(
                Law(
                    np.where((counts[pos] <= 0.0) & (pos in sure), 0.0, a * narrower),
                    np.where((counts[neg] <= 0.0) & (neg in sure), 0.0, b * narrower),
                )
            )
        return laws[0], laws[1]


def cut_at(scores: Scores, share: float) -> Cut:
    """Return the possible positions of the cut at a predicted-positive rate in (0, 1)."""
    n = scores.n_pos + scores.n_neg
    above, weight = binomial_cells(share, n)
    kept = weight > NEGLIGIBLE
    k, weight = above[kept].astype(np.float64), weight[kept]
    found = expected_found(scores, k)
    row = rows_of_cases(scores, k)
    tied = (scores.pos[row] + scores.neg[row]).astype(np.float64)
    flagged = tied - (scores.pos_above[row] + scores.neg_above[row] - k)
    of_tie = scores.pos[row] / tied
    noise = flagged * of_tie * (1.0 - of_tie) * (tied - flagged) / np.maximum(tied - 1.0, 1.0)
    columns = np.stack([found, k - found, scores.n_pos - found, scores.n_neg - k + found, noise])
    if len(k) > STRATA:
        deviates = (k - n * share) / np.sqrt(n * share * (1.0 - share))
        starts = np.unique(np.searchsorted(deviates, np.append(-np.inf, np.linspace(-4.0, 4.0, STRATA - 1))))
        starts = starts[starts < len(k)]
        columns = np.add.reduceat(columns * weight, starts, axis=1)
        weight = np.add.reduceat(weight, starts)
        columns /= weight
    # Remove rounding errors of zero counts.
    columns = np.where(columns < 1e-9, 0.0, columns)
    return Cut(weight / weight.sum(), *columns)


def share_mixture(
    scores: Scores, share: FloatArray, level: float, sampling: Sampling, rows: Sequence[int]
) -> FloatArray:
    """Return the limits, shape (2, 3, h): lower and upper, (FPR, TPR, precision), rates in (0, 1].

    Rates not in `rows` may be NaN: the FPR and TPR take twenty times as long as the precision.
    """
    low, high = tails(level)
    ends = np.full((2, 3, len(share)), np.nan)
    pi = scores.n_pos / (scores.n_pos + scores.n_neg)
    for i, q in enumerate(share.tolist()):
        if q >= 1.0:
            ends[:, :2, i] = 1.0
            ends[:, 2, i] = pi if sampling == "stratified" else _precision(_all(scores), (low, high))
        elif sampling == "stratified":
            p = np.array(_on_a_line(cut_at(scores, q), q, pi, (low, high)))
            fpr = np.clip(q * (1.0 - p[::-1]) / (1.0 - pi), 0.0, 1.0)
            ends[:, :, i] = np.stack([fpr, np.clip(q * p / pi, 0.0, 1.0), p], axis=1)
        else:
            cut = cut_at(scores, q)
            if min(rows) < 2:
                ends[:, 0, i], ends[:, 1, i] = _rates(cut, q / (1.0 - q), (low, high))
            if 2 in rows:
                ends[:, 2, i] = _precision(cut, (low, high))
    return ends


def _all(scores: Scores) -> Cut:
    """All cases predicted positive."""
    one = np.ones(1)
    return Cut(one, scores.n_pos * one, scores.n_neg * one, 0.0 * one, 0.0 * one, 0.0 * one)


# --- full sampling -----------------------------------------------------------------------------------


class Sides(NamedTuple):
    """Distributions of two proportions X and Y, above and below the cut, and their quantiles at nodes."""

    x: Law
    y: Law
    of_x: FloatArray
    of_y: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, cut: Cut, *, sure: str = "") -> Sides:
        """Evaluate the distributions; `sure` as in `Cut.shares`."""
        x, y = cut.shares(sure=sure)
        cases = sum(float(side[0]) for side in cut[1:5])
        probabilities, weight = FINE if cases <= FEW else COARSE
        return cls(x, y, x.nodes(probabilities), y.nodes(probabilities), weight)

    def turned(self) -> Sides:
        """The same for one minus the proportions."""
        return Sides(self.x.turned(), self.y.turned(), 1.0 - self.of_x, 1.0 - self.of_y, self.weight)


def _rates(cut: Cut, odds: float, probs: tuple[float, float]) -> tuple[Ends, Ends]:
    """Limits of the FPR and the TPR; `odds` are those of being predicted positive."""
    least = most = Sides.of(cut)
    if not min(side.min() for side in cut[1:5]) > 0.0:
        least, most = Sides.of(cut, sure="found spared"), Sides.of(cut, sure="false missed")
    tpr, fpr = (
        np.array(
            [_ratio_quantile(sides, cut.weight, odds, prob) for sides, prob in zip(both, probs, strict=True)]
        )
        for both in ((least, most), (most.turned(), least.turned()))
    )
    return (fpr[0], fpr[1]), (tpr[0], tpr[1])


def _ratio_quantile(sides: Sides, weight: FloatArray, odds: float, prob: float) -> float:
    """Quantile of the rate with odds `odds`·X/Y, the proportion of a class above the cut.

    Solved for the log odds, starting at the quantile of all pairs of nodes.
    """
    x, y, of_x, of_y, rule = sides
    none, every = float(weight[x.a <= 0.0].sum()), float(weight[y.a <= 0.0].sum())
    if none >= prob:
        return 0.0
    if every >= 1.0 - prob:
        return 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        pairs = np.log(odds) + np.log(of_x)[:, :, None] - np.log(of_y)[:, None, :]
    # On the log scale the integrand is smooth over the narrower distribution.
    over_x = x.log_variance() <= y.log_variance()
    other = Law(np.where(over_x, y.a, x.a), np.where(over_x, y.b, x.b))
    over_x = over_x[:, None]
    z = quantiles_of(pairs, weight[:, None, None] * rule[:, None] * rule, (prob,))[0]

    def cdf(z: float) -> tuple[float, float]:
        factor = odds * np.exp(-z)
        with np.errstate(divide="ignore"):
            at = np.where(over_x, factor * of_x, of_y / factor)
        above = other.at_least(at)
        reached = np.where(over_x, above, 1.0 - above)
        return float(weight @ (reached @ rule)), float(weight @ (other.log_density(at) @ rule))

    # Tolerance relative to the width of the distribution.
    close = min(1e-6, 1e-3 * float(np.sqrt((x.log_variance() + y.log_variance()).max())))
    start = min(max(z, 1.0 - FAR), FAR - 1.0)
    return float(expit(smooth_quantile(cdf, prob, start, (-FAR, FAR), xtol=close)))


def _precision(cut: Cut, probs: tuple[float, float]) -> tuple[float, float]:
    lower, upper = (
        _share_quantile(cut.shares(sure=sure)[0], cut.weight, prob)
        for sure, prob in zip(("found", "false"), probs, strict=True)
    )
    return lower, upper


def _share_quantile(law: Law, weight: FloatArray, prob: float) -> float:
    """Quantile of a mixture of distributions of one proportion."""
    none, every = float(weight[law.a <= 0.0].sum()), float(weight[law.b <= 0.0].sum())
    if none >= prob:
        return 0.0
    if every >= 1.0 - prob:
        return 1.0
    inside = (law.a > 0.0) & (law.b > 0.0)
    return float(beta_mixture_quantile(law.a[inside], law.b[inside], weight[inside], prob - none)[0])


# --- stratified sampling -----------------------------------------------------------------------------


def _on_a_line(cut: Cut, q: float, pi: float, probs: tuple[float, float]) -> tuple[float, float]:
    """Limits of p given q p + (1 - q) s = pi; p determines all three rates."""
    least, most = max(0.0, (pi - (1.0 - q)) / q), min(1.0, pi / q)
    p_law, s_law = (Law(law.a[:, None], law.b[:, None]) for law in cut.shares())
    low, high = 0.0, np.pi / 2.0
    for _ in range(6):
        # On the arcsine scale Beta densities have no poles.
        angle = low + (high - low) * (np.arange(GRID) + 0.5) / GRID
        p = least + (most - least) * np.square(np.sin(angle))
        s = np.clip((pi - q * p) / (1.0 - q), 1e-300, 1.0)
        log_density = (
            log_beta(*p_law, p)
            + log_beta(*s_law, s)
            - np.log(p * (1.0 - p) * s * (1.0 - s))
            + np.log(np.sin(2.0 * angle))
        )
        density = np.exp(log_density - log_density.max()) * cut.weight[:, None]
        total = density.sum(axis=0)
        inside = np.flatnonzero(total > 1e-13 * total.max())
        step = (high - low) / GRID
        low, high = (
            max(low, float(angle[inside[0]]) - 2.0 * step),
            min(high, float(angle[inside[-1]]) + 2.0 * step),
        )
        if len(inside) > GRID / 3:
            break
    evidence = density.sum(axis=1)
    at_least = cut.found <= 0.0 if least == 0.0 else cut.spared <= 0.0
    at_most = cut.false <= 0.0 if most == 1.0 else cut.missed <= 0.0
    ends = []
    for prob, sure, mass_first in ((probs[0], at_least, True), (probs[1], at_most, False)):
        rest = np.cumsum(density[~sure].sum(axis=0))
        first = float(evidence[sure].sum()) if mass_first else 0.0
        reached = (first + rest - 0.5 * np.diff(rest, prepend=0.0)) / evidence.sum()
        ends.append(float(np.interp(prob, reached, p, left=least, right=most)))
    return ends[0], ends[1]
