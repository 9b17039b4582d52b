"""One model's area as a mean of placements, and what is known of its sampling law."""

from __future__ import annotations

from typing import NamedTuple

from confroc.auc.partial import Part, partial_moments
from confroc.influence import Moments, delong_moments, pooled_df
from confroc.scores import Scores

UNRELIABLE_DF = 20.0
"""Degrees of freedom of DeLong's variance below which the intervals built on it alone under-cover."""


class Estimate(NamedTuple):
    """The area as a mean of placements in [0, 1], and what is known of its sampling law.

    `n_pos` and `n_neg` are the cases that take part: for a partial area only its share of one class.
    """

    auc: float
    moments: tuple[Moments, Moments]
    n_pos: float
    n_neg: float

    @property
    def variance(self) -> float:
        """DeLong's; NaN with a single case in a class."""
        return self.moments[0].variance + self.moments[1].variance

    @property
    def df(self) -> float:
        """How well that variance is known; 0 when not at all."""
        return pooled_df(*self.moments) if self.variance > 0.0 else 0.0


def estimate(scores: Scores, part: Part | None) -> Estimate:
    """The area under the whole curve, or under a part of it as a share of the part's width."""
    if part is None:
        return Estimate(scores.auc, delong_moments(scores), scores.n_pos, scores.n_neg)
    area, of_pos, of_neg, _, _ = partial_moments(scores, part)
    moments = [Moments(m.variance / part.width**2, m.df) for m in (of_pos, of_neg)]
    shares = (part.width, 1.0) if part.vertical else (1.0, part.width)
    sizes = [max(1.0, n * share) for n, share in zip((scores.n_pos, scores.n_neg), shares, strict=True)]
    return Estimate(min(1.0, area / part.width), (moments[0], moments[1]), *sizes)
