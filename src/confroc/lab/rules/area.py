"""The area under the curve, judged against the true area.

Placements of all samples come from one ranking of each row against its other class; the closed forms of
`confroc.auc` then take all samples at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from confroc._types import Ends, FloatArray
from confroc.auc import asymptotic as forms
from confroc.auc import auc_difference, auc_interval
from confroc.distributions import normal_quantile
from confroc.lab.batch import Batch, PlacementSums, placement_sums
from confroc.lab.designs import AnyPopulation
from confroc.lab.rules.base import Rule, one_model, two_models
from confroc.lab.rules.tallies import Tally, tally


class Areas(NamedTuple):
    """Area, DeLong's variance and its degrees of freedom, per sample."""

    auc: FloatArray
    variance: FloatArray
    df: FloatArray


def areas(batch: Batch) -> Areas:
    """Return what DeLong, DeLong & Clarke-Pearson (1988) make of each sample."""
    pos, neg = np.sort(batch.pos, axis=1), np.sort(batch.neg, axis=1)
    of_pos, of_neg = placement_sums(pos, neg)
    # A negative's own placement is the share of positives that outrank it: one less this, of the same spread.
    auc = of_pos.mean
    of_class = [_spread(of_pos, batch.n_pos), _spread(of_neg, batch.n_neg)]
    variance = of_class[0][0] + of_class[1][0]
    # Welch-Satterthwaite over the classes that vary; 0 when neither does.
    known = [np.where(v > 0.0, v, 0.0) for v, _ in of_class]
    noise = sum(
        np.divide(v * v, d, out=np.zeros_like(v), where=d > 0.0)
        for v, (_, d) in zip(known, of_class, strict=True)
    )
    df = np.divide((known[0] + known[1]) ** 2, noise, out=np.zeros_like(variance), where=noise > 0.0)
    return Areas(auc, variance, df)


def _spread(sums: PlacementSums, n: int) -> tuple[FloatArray, FloatArray]:
    """`confroc.influence.spread` of all samples: variance of the mean, and degrees of freedom."""
    reps = len(sums.mean)
    if n < 2:
        return np.full(reps, np.nan), np.zeros(reps)
    s2 = sums.second / (n - 1)
    noise = (sums.fourth / n - s2 * s2 * (n - 3) / (n - 1)) / n
    varies = s2 > 1e-30
    df = np.minimum(n - 1.0, np.divide(2.0 * s2 * s2, noise, out=np.full(reps, np.inf), where=noise > 0.0))
    return np.where(varies, s2 / n, 0.0), np.where(varies, df, 0.0)


@dataclass(frozen=True, kw_only=True)
class Area(Rule):
    """Intervals for the area under the curve."""

    at_name = "auc"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count intervals that hold the true area."""
        model = one_model(population)
        found = areas(batch)
        truth = np.array([model.auc])
        out = []
        for method in self.methods:
            low, high = ends(method, batch, found, self.confidence_level, self.n_resamples, rng)
            out.append(tally(method, "auc", truth, truth, low[:, None], high[:, None]))
        return out


def ends(
    method: str, batch: Batch, found: Areas, level: float, n_resamples: int, rng: np.random.Generator
) -> Ends:
    """Ends of each sample's interval, by the closed forms where there are some, else one by one."""
    n_pos, n_neg = batch.n_pos, batch.n_neg
    z = normal_quantile(level)
    auc, variance, df = found
    if method == "score_delong":
        return forms.score_delong_ends(auc, np.where(df > 0.0, variance, 0.0), df, n_pos, n_neg, level)
    if method == "newcombe":
        return forms.score_ends(auc, 1.0, n_pos, n_neg, z)
    if method == "upper_bound":
        return forms.upper_bound_ends(auc, n_pos, n_neg, z)
    if method == "hanley_mcneil":
        variance = np.maximum(0.0, forms.hanley_mcneil_variance(auc, n_pos, n_neg))
    if method in ("delong", "logit_delong", "hanley_mcneil"):
        # As `auc_interval` does: where the method knows no spread, Newcombe's interval stands in.
        usable = (variance > 0.0) & (auc > 0.0) & (auc < 1.0)
        low, high = np.empty((2, batch.reps))
        low[~usable], high[~usable] = forms.score_ends(auc[~usable], 1.0, n_pos, n_neg, z)
        rule = forms.logit_ends if method == "logit_delong" else forms.wald_ends
        low[usable], high[usable] = rule(auc[usable], variance[usable], z)
        return low, high
    made = np.full((2, batch.reps), np.nan)
    chosen: Any = method
    for i in range(batch.reps):
        try:
            interval = auc_interval(
                batch.scores(i),
                method=chosen,
                confidence_level=level,
                n_resamples=n_resamples,
                rng=rng,
            )
        except ValueError:
            continue
        made[:, i] = interval.lower, interval.upper
    return made[0], made[1]


@dataclass(frozen=True, kw_only=True)
class PairArea(Rule):
    """Intervals for the difference a − b of two models' areas, one sample at a time."""

    at_name = "auc_a - auc_b"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count intervals that hold the true difference."""
        a, b = two_models(population)
        truth = np.array([a.auc - b.auc])
        ends = np.empty((len(self.methods), 2, batch.reps, 1))
        for i in range(batch.reps):
            pair = batch.pair(i)
            for made, method in zip(ends, self.methods, strict=True):
                chosen: Any = method
                found = auc_difference(
                    pair,
                    method=chosen,
                    confidence_level=self.confidence_level,
                    n_resamples=self.n_resamples,
                    rng=rng,
                )
                made[:, i, 0] = found.lower, found.upper
        return [
            tally(method, "auc_a - auc_b", truth, truth, *made)
            for made, method in zip(ends, self.methods, strict=True)
        ]
