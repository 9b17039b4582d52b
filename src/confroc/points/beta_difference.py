"""Difference between two models' TPR at a false positive rate, by a Beta mixture.

The positions of both true thresholds on the sample's axes of false positive rates are uncertain, as for one
model (`confroc.points.beta_mixture`). With k negatives above it, a threshold has a rate with Jeffreys's
distribution, so its position has the distribution function M(k/n) = P(Beta(k + 1/2, n - k + 1/2) >= f), the
continuous form of the mid-P one. On the same cases the two positions are dependent through the negatives
predicted positive by both models. Their joint distribution function is that of two normal variables,
Phi_2(Phi^-1(M(s)), Phi^-1(M(t)); rho), where rho is the correlation of the two false positive rates given the
four counts of negatives above both positions, above one, and above neither. Given the positions, the
discordant positives n10 and n01 are two cells of a trinomial, whose proportions have Jeffreys's distribution,
Dirichlet(n10 + 1/2, n01 + 1/2, rest + 1/2). On disjoint test sets the mixture is that of the difference of
two independent rates.

As for one model, the variance of the number of positives between the median positions and others is
subtracted: B is the sum of the squared changes of the difference of a positive's two predictions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from confroc._types import BoolArray, FloatArray
from confroc.distributions import Parts, ShareGap, beta_pairs, shifted_betas, trinomial_differences
from confroc.points.beta_mixture import Places, called, in_ties, jeffreys, share_above, shrunk
from confroc.scores import Pair, PairedScores
from confroc.scores.counting import calls

PSEUDO_COUNT = 0.25
"""Jeffreys prior: added to each cell of a table of predictions, one half for each model."""

SMALLEST = 1e-9
"""Probability beyond the first and beyond the last position."""


def difference_laws(pair: Pair, fpr: FloatArray) -> tuple[ShareGap, ShareGap]:
    """Return the distributions of a - b and of b - a at each rate.

    Probabilities are upper tails, so that swapping the models swaps results exactly.
    """
    rates = fpr[:, None]
    if isinstance(pair, PairedScores):
        parts, weight, a, b, rest = joined(trinomials(pair, rates))
        forth, back = (trinomial_differences(parts, weight, *x, rest) for x in ((a, b), (b, a)))
    else:
        shares = [
            [share_above(x, Places.of(x, f, SMALLEST, jeffreys)) for x in (pair.a, pair.b)] for f in rates
        ]
        forth, back = (shifted_betas(*joined([beta_pairs(*x[::way]) for x in shares])) for way in (1, -1))
    return forth, back


def joined(laws: list[tuple[FloatArray, ...]]) -> tuple[Any, ...]:
    """Concatenate the distributions of all rates, with weights that sum to one."""
    parts = Parts.of(np.array([len(law[0]) for law in laws]))
    weight, *columns = (np.concatenate(column) for column in zip(*laws, strict=True))
    return parts, weight / parts.each(parts.sums(weight)), *columns


def trinomials(pair: PairedScores, rates: FloatArray) -> list[tuple[FloatArray, ...]]:
    """Return the weights and the parameters of the Dirichlet distributions at each rate."""
    places = [[Places.of(x, f, SMALLEST, jeffreys) for x in (pair.a, pair.b)] for f in rates]
    edges = [[called(x, p.edge[:-1]) for x, p in zip((pair.a, pair.b), both, strict=True)] for both in places]
    tables = tables_of(pair, [*edges, *([p.cut for p in both] for both in places)])
    return [
        trinomials_at(pair, a, b, at_edges, at_cuts)
        for (a, b), at_edges, at_cuts in zip(places, tables[: len(rates)], tables[len(rates) :], strict=True)
    ]


def trinomials_at(
    pair: PairedScores, a: Places, b: Places, at_edges: FloatArray, at_cuts: FloatArray
) -> tuple[FloatArray, ...]:
    """Return the weights and the parameters at one rate, from the predictions at all pairs of cuts."""
    weight = cell_masses(a, b, correlation(at_edges[1]))
    kept = weight > 0.1 * SMALLEST
    # Many positions have the same positives above them.
    found = discordant(pair, a, b, at_cuts[0], kept)
    counts, same = np.unique(np.round(found, 9), axis=1, return_inverse=True)
    n10, n01, counted = counts
    size = pair.n_pos + 1.5
    factor = shrunk(n10 + n01 - np.square(n10 - n01) / size, counted, size)
    share = np.asarray(np.bincount(same.ravel(), weight[kept]), dtype=np.float64)
    return share, factor * n10, factor * n01, factor * (size - n10 - n01)


def normal_scores(laws: tuple[ShareGap, ShareGap], null: float) -> FloatArray:
    """Return the normal quantiles of the probabilities that the differences are above a value."""
    above, below = laws[0].beyond(null)[0], laws[1].beyond(-null)[0]
    return np.where(above < below, ndtri(above), -ndtri(below))


# --- positions of the thresholds ---------------------------------------------------------------------


def tables_of(pair: PairedScores, cuts: list[Any]) -> list[FloatArray]:
    """Return the counts of predictions at all pairs of cuts, shape (2, 4, cuts of a, cuts of b) per item."""
    shapes = [(len(a[0]), len(b[0])) for a, b in cuts]
    pairs = []
    for (a, b), shape in zip(cuts, shapes, strict=True):
        i, j = (x.ravel() for x in np.indices(shape))
        pairs.append(((a[0][i], a[1][i]), (b[0][j], b[1][j])))
    return [x.reshape(2, 4, *shape) for x, shape in zip(calls(pair, *pairs), shapes, strict=True)]


def correlation(negatives: FloatArray) -> FloatArray:
    """Correlation of the false positive rates of two thresholds, from the four counts of negatives."""
    both, of_a, of_b, none = negatives + PSEUDO_COUNT
    return np.asarray(
        (both * none - of_a * of_b) / np.sqrt((both + of_a) * (of_b + none) * (both + of_b) * (of_a + none))
    )


def cell_masses(a: Places, b: Places, rho: FloatArray) -> FloatArray:
    """Return the probability of each pair of intervals."""
    x, y = (np.clip(ndtri(side.reached[:-1]), -8.0, 8.0) for side in (a, b))
    joint = np.zeros((len(x) + 2, len(y) + 2))
    joint[1:-1, 1:-1] = bivariate_normal(x[:, None], y[None, :], rho)
    joint[1:-1, -1], joint[-1, 1:-1], joint[-1, -1] = ndtr(x), ndtr(y), 1.0
    mass = np.maximum(np.diff(np.diff(joint, axis=0), axis=1), 0.0)
    return np.asarray(mass / mass.sum())


def bivariate_normal(x: FloatArray, y: FloatArray, rho: FloatArray) -> FloatArray:
    """P(X <= x, Y <= y) of two standard normal variables with correlation rho (Owen 1956)."""
    x, y = (np.where(v == 0.0, 1e-300, v) for v in (x, y))
    root = np.sqrt(1.0 - rho * rho)
    opposite = np.where(x * y < 0.0, 0.5, 0.0)
    return np.asarray(
        0.5 * (ndtr(x) + ndtr(y))
        - owens_t(x, (y / x - rho) / root)
        - owens_t(y, (x / y - rho) / root)
        - opposite
    )


# --- positives at the positions ----------------------------------------------------------------------


def discordant(
    pair: PairedScores, a: Places, b: Places, positives: FloatArray, kept: BoolArray
) -> FloatArray:
    """Return positives predicted by only a and only b, and the variance already included."""
    both, of_a, of_b, _ = positives
    found_a, found_b = (both + of_a)[:, :1], (both + of_b)[:1, :]
    (i,), (j,) = a.medians[0], b.medians[0]
    common = both - both[i, :] - both[:, [j]] + both[i, j]
    counted = np.abs(found_a - found_a[i]) + np.abs(found_b - found_b[:, [j]]) - 2.0 * common
    counted = counted + in_ties(pair.a, a.cut)[:, None] + in_ties(pair.b, b.cut)
    return np.stack([v[kept] for v in (of_a + 0.5, of_b + 0.5, counted)])
