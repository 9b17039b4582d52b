"""TPR at a fixed false positive rate, against the true curve (Dugas & Gadoury 2009, §5.3-5.4).

For one model the bootstrap law of the threshold depends on the number of negatives alone: a matrix of
weights, made once, times the shares of positives above each negative gives every sample's moments.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import special

from confroc._check import whole
from confroc._types import FloatArray, IntArray
from confroc.distributions import clipped, normal_quantile
from confroc.exact.difference import difference_moments, difference_quantiles, pair_design
from confroc.lab.batch import Batch, ranks
from confroc.lab.designs import AnyPopulation
from confroc.lab.percentiles import TABULATED, central_levels, mixture_ends, percentile_levels
from confroc.lab.rules.base import Rule, one_model, two_models
from confroc.lab.rules.tallies import Tally, tally
from confroc.points import tpr_at_fpr
from confroc.resample import percentile_ends, tails

SMOOTHED = {"centred_bootstrap": "naive_bootstrap", "smoothed_bootstrap": "smoothed_bootstrap"}
"""Bertail, Clémençon & Vayatis's (2008) pointwise intervals."""

SMOOTHING = {"agresti_coull": 2.0, "wald": 0.0}


@functools.lru_cache(maxsize=512)
def threshold_weights(r: tuple[int, ...], n: int) -> FloatArray:
    """P(the r-th highest of n resampled negatives is the sample's k-th highest), shape (h, n)."""
    edges = np.arange(n + 1) / n
    rank = np.array(r, dtype=np.float64)[:, None]
    return np.diff(special.betainc(rank, n - rank + 1.0, edges), axis=1)


def _moments(count: IntArray, n_pos: int, weights: FloatArray, a: float) -> tuple[FloatArray, FloatArray]:
    p = (count + a) / (n_pos + 2.0 * a)
    # Not by a matrix product: its last digits depend on the number of threads.
    mean, square = (np.einsum("rk,hk->rh", v, weights) for v in (p, p * p))
    return mean, np.maximum(square - mean * mean, 0.0) + (mean - square) / (n_pos + 2.0 * a)


@dataclass(frozen=True, kw_only=True)
class AtFpr(Rule):
    """Intervals for the TPR at given false positive rates.

    Attributes
    ----------
    fpr : tuple of float
        Each stands for r = floor(fpr·n_neg) false positives; a sample with r = 0 gives no interval.
        The truth is that at r/n_neg.
    """

    fpr: tuple[float, ...]

    at_name = "fpr"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count intervals that hold the true TPR."""
        model = one_model(population)
        at = np.array(self.fpr)
        r = whole(at, batch.n_neg, up=False)
        possible = np.flatnonzero(r >= 1)
        out: list[Tally] = []
        truth = np.full(len(at), np.nan)
        used = r[possible]
        truth[possible] = model.rates(model.threshold_at_fpr(used / batch.n_neg))[1]
        count = np.zeros((batch.reps, batch.n_neg), np.int64)
        if used.size:
            reach, _ = ranks(np.sort(batch.neg, axis=1), np.sort(batch.pos, axis=1))
            count = reach[:, ::-1]
        for method in self.methods:
            ends = np.full((2, batch.reps, len(at)), np.nan)
            if used.size:
                ends[:, :, possible] = self._ends(method, batch, count, used, rng)
            out.append(tally(method, "tpr", at, truth, ends[0], ends[1]))
        return out

    def _ends(
        self, method: str, batch: Batch, count: IntArray, r: IntArray, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        level = self.confidence_level
        weights = threshold_weights(tuple(r.tolist()), batch.n_neg)
        shape = (batch.reps, len(r))
        tabulated = batch.n_pos <= TABULATED
        if method == "bootstrap" and tabulated:
            return mixture_ends(
                count, batch.n_pos, weights, percentile_levels(self.n_resamples, level, shape, rng)
            )
        if method == "exact_bootstrap" and tabulated:
            return mixture_ends(count, batch.n_pos, weights, central_levels(level, shape))
        if method in SMOOTHING:
            mean, variance = _moments(count, batch.n_pos, weights, SMOOTHING[method])
            return clipped(mean, normal_quantile(level) * np.sqrt(variance))
        ends = np.full((2, batch.reps, len(r)), np.nan)
        at, b = r / batch.n_neg, self.n_resamples
        for i in range(batch.reps):
            scores = batch.scores(i)
            try:
                found = tpr_at_fpr(
                    scores,
                    at,
                    method=SMOOTHED.get(method, method),
                    confidence_level=level,
                    n_resamples=b,
                    rng=rng,
                )
            except ValueError:
                continue
            ends[:, i] = found.lower, found.upper
        return ends[0], ends[1]


@dataclass(frozen=True, kw_only=True)
class PairAtFpr(Rule):
    """Intervals for the difference a − b of two models' TPRs at the same false positive rates."""

    fpr: tuple[float, ...]

    at_name = "fpr"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count intervals that hold the true difference."""
        at = np.array(self.fpr)
        models = two_models(population)
        used = whole(at, batch.n_neg, up=False) / batch.n_neg
        true_a, true_b = (m.rates(m.threshold_at_fpr(used))[1] for m in models)
        level = self.confidence_level
        z = normal_quantile(level)
        ends = {method: np.full((2, batch.reps, len(at)), np.nan) for method in self.methods}
        for i in range(batch.reps):
            pair = batch.pair(i)
            design = pair_design(pair, at)
            for method in self.methods:
                if method == "bootstrap":
                    ends[method][:, i] = _pair_resampled(batch, i, design.r_a, self.n_resamples, level, rng)
                elif method == "exact_bootstrap":
                    ends[method][:, i] = difference_quantiles(pair, design, tails(level)).T
                else:
                    mean, variance = difference_moments(pair, design, 0.5 if method == "agresti_min" else 0.0)
                    ends[method][:, i] = clipped(mean, z * np.sqrt(variance), low=-1.0)
        return [tally(m, "tpr_a - tpr_b", at, true_a - true_b, *ends[m]) for m in self.methods]


def _pair_resampled(
    batch: Batch, i: int, r: IntArray, b: int, level: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Percentiles of b resamples of one sample, all at once."""
    drawn_pos = batch.pos[i][rng.integers(batch.n_pos, size=(b, batch.n_pos))]
    drawn_neg = batch.neg[i][rng.integers(batch.n_neg, size=(b, batch.n_neg))]
    share = []
    for model in (0, 1):
        order = -np.sort(-drawn_neg[:, :, model], axis=1)
        threshold = order[:, r - 1]
        share.append(np.mean(drawn_pos[:, None, :, model] >= threshold[:, :, None], axis=2))
    return percentile_ends(share[0] - share[1], level)
