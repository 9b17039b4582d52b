"""Test sets of two models: the same cases, partly the same or different ones; and DeLong's variance."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentError
from confroc._types import FloatArray
from confroc.auc.estimate import Estimate, estimate
from confroc.auc.partial import Part, partial_moments
from confroc.influence import (
    covariance_of_means,
    delong_difference_moments,
    moments_of_difference,
    placements,
    pooled_df,
)
from confroc.scores import Pair, PairedScores, Scores, check_scores

Kind: TypeAlias = Literal["paired", "partially_paired", "unpaired"]


class Design(NamedTuple):
    """The test sets of two models, and the part of the curve that is compared.

    `a` and `b` are all cases of each model, `only` those that the other one has not scored.
    """

    pair: Pair
    a: Scores
    b: Scores
    only: tuple[Scores | None, Scores | None]
    part: Part | None

    @property
    def kind(self) -> Kind:
        """What a result calls it."""
        if not isinstance(self.pair, PairedScores):
            return "unpaired"
        return "paired" if self.only == (None, None) else "partially_paired"

    @property
    def width(self) -> float:
        """Greatest value of the area."""
        return 1.0 if self.part is None else self.part.width

    @property
    def estimates(self) -> tuple[Estimate, Estimate]:
        """Each model's area, as a share of the part's width."""
        return estimate(self.a, self.part), estimate(self.b, self.part)


class Spread(NamedTuple):
    """DeLong's variance of a difference, NaN or 0 when undefined or nothing varies.

    `df` are those of the reference law, `known` those with which the variance itself is known.
    """

    variance: float
    df: float
    known: float


def make_design(pair: Pair, only_a: Scores | None, only_b: Scores | None, part: Part | None) -> Design:
    """Put the cases of each model together."""
    if not isinstance(pair, PairedScores):
        if only_a is not None or only_b is not None:
            name = "only_a" if only_a is not None else "only_b"
            raise ArgumentError(name, "come with a PairedScores", "UnpairedScores", "Merge it into the pair.")
        return Design(pair, pair.a, pair.b, (None, None), part)
    full = [
        own if other is None else own.merge(check_scores(name, other, widens=True))
        for name, own, other in (("only_a", pair.a, only_a), ("only_b", pair.b, only_b))
    ]
    return Design(pair, full[0], full[1], (only_a, only_b), part)


def delong_spread(design: Design, estimates: tuple[Estimate, Estimate]) -> Spread:
    """DeLong's variance of the difference of two areas, not standardised."""
    pair, part = design.pair, design.part
    if isinstance(pair, PairedScores) and design.kind == "paired":
        if part is None:
            moments = delong_difference_moments(pair)
        else:
            moments = moments_of_difference(pair, _rows(pair.a, part), _rows(pair.b, part))
        variance = moments[0].variance + moments[1].variance
        return Spread(variance, math.inf, pooled_df(*moments) if variance > 0.0 else 0.0)
    scale = design.width**2
    parts = np.array([scale * e.variance for e in estimates])
    variance = float(parts.sum())
    known = pooled_df(*estimates[0].moments, *estimates[1].moments)
    if isinstance(pair, PairedScores):
        variance -= 2.0 * sum(_shared_covariances(design, pair))
        # About 1e-17 is left where two models agree on every case.
        return Spread(variance if variance > 1e-14 * parts.sum() else 0.0, math.inf, known)
    n = np.array([s.n_pos + s.n_neg for s in (design.a, design.b)])
    df = float(variance**2 / np.sum(parts**2 / (n - 1))) if variance > 0.0 else math.inf
    return Spread(variance, df, known)


def _rows(scores: Scores, part: Part | None) -> tuple[FloatArray, FloatArray]:
    """Centred placements on the scores' rows."""
    return placements(scores) if part is None else partial_moments(scores, part)[3:]


def _shared_covariances(design: Design, pair: PairedScores) -> tuple[float, float]:
    """Covariances of two areas of which only some cases have both scores.

    Placements are taken in each model's whole test set, their covariance over the shared cases; the
    covariance of the two means is that times n_shared/(n_a·n_b).
    """
    at = [
        np.searchsorted(-full.score, -part)
        for full, part in ((design.a, pair.score_a), (design.b, pair.score_b))
    ]
    of_a, of_b = _rows(design.a, design.part), _rows(design.b, design.part)
    shared = []
    for k, (count, n) in enumerate(((pair.pos, pair.n_pos), (pair.neg, pair.n_neg))):
        u, v = of_a[k][at[0]], of_b[k][at[1]]
        u = u - float(np.einsum("i,i->", u, count)) / n
        v = v - float(np.einsum("i,i->", v, count)) / n
        n_a, n_b = ((s.n_pos, s.n_neg)[k] for s in (design.a, design.b))
        shared.append(covariance_of_means(u, v, count, n) * n * n / (n_a * n_b))
    return shared[0], shared[1]
