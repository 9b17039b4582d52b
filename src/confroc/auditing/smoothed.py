"""A smoothed copy of a sample, as a population with known true rates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from confroc._types import FloatArray
from confroc.auditing.populations import Draw, invert_decreasing, smooth_curve
from confroc.models.bandwidths import reference
from confroc.models.kernel import kernel_draw, kernel_survival
from confroc.models.ranks import normal_scores
from confroc.scores import Scores

UNMOVED = 1e-9
"""Noise too small to move a normal score to another category, for up to 10⁸ cases."""
TIED = 0.5
"""Proportion of distinct scores among the cases below which ties are kept."""


@dataclass(frozen=True, eq=False)
class SmoothedCopy:
    """A population built from one sample: normal scores of pooled ranks plus Gaussian noise.

    Ranks make it invariant under increasing transforms of the scores. The noise has standard deviation
    1.06·s·n^(−1/3) in each class. A sample with many ties keeps its categories: noisy scores are moved to the
    nearest category.

    Attributes
    ----------
    pos, neg : ndarray
        Normal scores of the sample's positives and negatives.
    cuts : ndarray
        Boundaries of categories, increasing; empty for continuous scores.
    share : float
        Prevalence.
    weights : tuple of (ndarray, ndarray)
        Weights of positives and negatives.
    exact : bool
        Whether the categories are those of the sample, without changes by noise.
    """

    pos: FloatArray
    neg: FloatArray
    cuts: FloatArray
    share: float
    weights: tuple[FloatArray, FloatArray]
    exact: bool = False

    @classmethod
    def of(cls, scores: Scores, *, exact: bool = False) -> SmoothedCopy:
        """Smooth a sample."""
        design = scores.design
        if design is None:
            row, counts = np.arange(len(scores.score)), (scores.pos, scores.neg)
            weight = np.ones(len(row))
        else:
            row, weight = design.row, design.weight
            counts = design.count * design.positive, design.count * ~design.positive
        count = np.bincount(row, sum(counts)).astype(np.int64)
        n = int(count.sum())
        z = normal_scores(count[::-1])[::-1]
        pos, neg = (np.repeat(z[row], own) for own in counts)
        tied = exact or len(z) < TIED * n
        cuts = ((z[1:] + z[:-1]) / 2.0)[::-1].copy() if tied else np.zeros(0)
        of_pos, of_neg = (np.repeat(weight, own) for own in counts)
        return cls(pos, neg, cuts, scores.n_pos / n, (of_pos, of_neg), exact)

    @cached_property
    def noise(self) -> tuple[float, float]:
        """Standard deviations of the noise of positives and of negatives."""
        if self.exact:
            return UNMOVED, UNMOVED
        h_pos, h_neg = (reference(float(np.std(z)), len(z)) for z in (self.pos, self.neg))
        # A class without variance gets the standard deviation of the other.
        return h_pos or h_neg or 0.1, h_neg or h_pos or 0.1

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        drawn = []
        for z, h, n in ((self.pos, self.noise[0], n_pos), (self.neg, self.noise[1], n_neg)):
            drawn.append(self.placed(kernel_draw(rng, z, h, (reps, n))))
        return drawn[0], drawn[1]

    def placed(self, values: FloatArray) -> FloatArray:
        """Return the noisy normal scores, or their categories."""
        return np.searchsorted(self.cuts, values).astype(np.float64) if self.cuts.size else values

    def _latent(self, t: FloatArray) -> Draw:
        """Proportions of both classes with a noisy normal score of at least t."""
        rates = []
        for z, weight, h in zip((self.neg, self.pos), self.weights[::-1], self.noise[::-1], strict=True):
            values, place = np.unique(z, return_inverse=True)
            rates.append(kernel_survival(values, np.bincount(place, weight) / weight.sum(), h, t))
        return rates[0], rates[1]

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR)."""
        t = np.asarray(threshold, dtype=np.float64)
        if not self.cuts.size:
            return self._latent(t)
        # Category k and above: beyond the k-th boundary from below.
        fpr, tpr = self._of_categories
        row = np.clip(np.ceil(t), 0, len(fpr) - 1).astype(np.int64)
        return fpr[row], tpr[row]

    @cached_property
    def _of_categories(self) -> Draw:
        return self._latent(np.concatenate([[-40.0], self.cuts, [40.0]]))

    @property
    def support(self) -> FloatArray | None:
        """Categories, None for continuous scores."""
        return np.arange(len(self.cuts) + 1.0) if self.cuts.size else None

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the highest threshold with at least this true false positive rate."""
        p = np.asarray(fpr, dtype=np.float64)
        if self.cuts.size:
            return np.searchsorted(-self._of_categories[0], -p, side="right").astype(np.float64) - 1.0
        found = invert_decreasing(lambda t: self._latent(t)[0], p, np.array(-40.0), np.array(40.0))
        return np.where(p <= 0.0, np.inf, np.where(p >= 1.0, -np.inf, found))

    @cached_property
    def _table(self) -> Draw:
        """The curve on a fine grid of thresholds, or its vertices for categories."""
        if self.cuts.size:
            return self.rates(np.arange(len(self.cuts) + 1.0, -1.0, -1.0))
        h = max(self.noise)
        both = np.concatenate([self.pos, self.neg])
        low, high = float(both.min()), float(both.max())
        fpr, tpr = self._latent(np.linspace(high + 8.0 * h, low - 8.0 * h, 8001))
        return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])

    def curve(self, knots: FloatArray) -> Draw:
        """Return vertices of the true curve."""
        if self.cuts.size:
            return self._table
        return smooth_curve(lambda x: np.interp(x, *self._table), knots)

    @cached_property
    def auc(self) -> float:
        """True AUC, ties counting one half."""
        return float(np.trapezoid(self._table[1], self._table[0]))
