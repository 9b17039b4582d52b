"""General bootstrap methods: percentile and BCa.

A statistic is evaluated on resampled counts; cases are drawn with the scores of all models. A statistic may
define `replicates(x, draws)` if it has a faster way than building a table for each resample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from scipy import special

from confroc._check import ArgumentError, check_size, make_rng
from confroc._types import Ends, FloatArray, IntArray, Sampling, Size
from confroc.base import ANY, Ability, Contrast, Method, Outcome, Resampling, method_class
from confroc.distributions import warn_zero_width
from confroc.hypotheses import by_standard_error
from confroc.influence import needs_influence
from confroc.resample import (
    check_resamples,
    check_sampling,
    percentile_ends,
    percentiles,
    resample,
    spawn,
)
from confroc.scores import CountTable, Pair, PairedScores, Scores, models_of


@method_class
class Bootstrap(Resampling):
    """Percentile bootstrap.

    Percentiles of the resampled values. For models on the same cases, whole cases are drawn with the scores
    of all models.

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in a resample. Default: as in the sample.
    sampling : {"stratified", "full"}, optional
        Resample each class separately, or all cases so that class sizes vary. Default: "stratified", or as
        the statistic defines it.
    """

    name = "bootstrap"
    dependence = "own"
    serves: ClassVar[tuple[tuple[str, Ability], ...]] = (
        (ANY, "interval"),
        (ANY, "difference"),
        (ANY, "comparison"),
    )
    papers = ("efron1987",)
    caution = "Under-covers with few cases and near the bounds."
    uses_cases = True
    size: Size = None
    sampling: Sampling | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sampling is not None:
            check_sampling(self.sampling)

    @property
    def of_dependent(self) -> Method:
        """Percentile bootstrap of whole clusters, for every statistic."""
        if type(self) in (Bootstrap, BootstrapBca):
            return self
        return Bootstrap(**{field.name: getattr(self, field.name) for field in fields(Bootstrap)})

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the central percentile interval."""
        estimate = x.value  # Fails here, not in every resample, if it fails on the data.
        values, notes = kept(replicates(x, self, level))
        lower, upper = percentile_ends(values, level)
        if type(self) is Bootstrap:
            # Special bootstraps handle degenerate cases themselves.
            notes += _zero_width(x, upper - lower)
        found = Outcome(lower, upper, standard_error=np.std(values, axis=0, ddof=1), notes=notes)
        if x.hypothesis is None:
            return found
        # The test divides the difference by the standard deviation of the resamples.
        error = found.standard_error
        tested = by_standard_error(estimate, error, math.inf, x.hypothesis, found.ends)
        return found if tested is None else tested._replace(notes=notes)


@method_class
class BootstrapBca(Bootstrap):
    """Bias-corrected and accelerated bootstrap.

    Percentiles of the resampled values, adjusted for bias and skewness (Efron 1987). The acceleration comes
    from the influence function.
    """

    name = "bootstrap_bca"
    serves = ((ANY, "interval"),)
    caution = "Under-covers with few cases."

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the BCa percentiles."""
        needs_influence(self, *x.statistics)
        estimate = x.value
        values, notes = kept(replicates(x, self, level))
        lower, upper = bca_ends(values, estimate, _acceleration(x), level)
        notes += _zero_width(x, upper - lower)
        return Outcome(lower, upper, standard_error=np.std(values, axis=0, ddof=1), notes=notes)


def _zero_width(x: Contrast, width: Any) -> tuple[str, ...]:
    usual = x.statistic.default_method if x.single else x.statistic.default_difference
    return warn_zero_width(np.asarray(width), "wald" if usual == Bootstrap.name else usual)


MOST_FAILED = 0.05
"""Maximum proportion of resamples in which a statistic may fail."""
FAILED = "The statistic failed in {failed} of {count} resamples, which are excluded."


def kept(values: FloatArray) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the resampled values without failures, and a note if there are any."""
    failed = ~np.isfinite(values).reshape(len(values), -1).all(axis=1)
    if not failed.any():
        return values, ()
    if failed.mean() > MOST_FAILED:
        rule = f"be defined in at least {1.0 - MOST_FAILED:.0%} of the resamples"
        share = f"{1.0 - failed.mean():.1%}"
        raise ArgumentError("statistic", rule, share, "Use a statistic that is defined in small samples.")
    return values[~failed], (FAILED.format(failed=int(failed.sum()), count=len(values)),)


def _acceleration(x: Contrast) -> Any:
    """The two-sample acceleration, Σ lᵢ³/n³ over (Σ lᵢ²/n²)^{3/2}/6 with influences l.

    Davison & Hinkley 1997, eq. 5.24.
    """
    cubes: Any = 0.0
    squares: Any = 0.0
    table = x.table
    sides = zip(x.statistic.influence(table), (table.pos, table.neg), (table.n_pos, table.n_neg), strict=True)
    for influence, count, n in sides:
        cubes = cubes + np.dot(influence**3, count) / n**3
        squares = squares + np.dot(influence**2, count) / n**2
    return np.divide(cubes, 6.0 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0.0)


def bca_ends(values: FloatArray, estimate: Any, acceleration: Any, level: float) -> Ends:
    """Return BCa percentiles of resampled values of a scalar statistic."""
    below = float(np.mean(values < estimate - 1e-12) + 0.5 * np.mean(np.abs(values - estimate) <= 1e-12))
    # Half a replicate bounds the correction if all replicates are on one side.
    below = min(max(below, 0.5 / len(values)), 1.0 - 0.5 / len(values))
    bias = float(special.ndtri(below))
    tails = np.array([1.0, -1.0]) * special.ndtri((1.0 - level) / 2.0)
    shifted = special.ndtr(bias + (bias + tails) / (1.0 - acceleration * (bias + tails)))
    return tuple(percentiles(values, (float(shifted.min()), float(shifted.max()))))


def replicates(x: Contrast, draws: Bootstrap, level: float) -> FloatArray:
    """Return resampled values of a contrast, shape (n_resamples, ...)."""
    if "replicates" in x.known:
        return np.asarray(x.known["replicates"])
    count = check_resamples(draws.n_resamples, level)
    own = getattr(x.statistic, "replicates", None)
    if own is not None and all(t.design is None for t in x.tables):
        return np.asarray(own(x, draws, count))
    places = x.models if isinstance(x.data, PairedScores) else ()
    drawn = _of_tables(x.statistics, x.tables, places, x.data, draws, count)
    return np.asarray(sum(w * drawn[:, i] for i, w in enumerate(x.weights)))


def model_replicates(statistic: Any, data: Pair, draws: Bootstrap, count: int) -> FloatArray:
    """Return resampled values of k models (in the same resamples) or samples, shape (n_resamples, k)."""
    tables = models_of(data)
    if hasattr(statistic, "model_replicates") and all(t.design is None for t in tables):
        return np.asarray(statistic.model_replicates(data, draws, count))
    return _of_tables([statistic] * len(tables), tables, range(len(tables)), data, draws, count)


def _of_tables(
    statistics: Sequence[Any],
    tables: Sequence[Scores],
    places: Sequence[int],
    data: Any,
    draws: Bootstrap,
    count: int,
) -> FloatArray:
    """Resampled values of tables: those at some places of a pair, in the same resamples, or separate ones."""
    if not isinstance(data, PairedScores):
        each = zip(statistics, tables, spawn(draws.rng, len(tables)), strict=True)
        return np.stack([_of_table(s, t, draws, count, stream) for s, t, stream in each], axis=1)
    models = [(s, t, data.index[i]) for s, t, i in zip(statistics, tables, places, strict=True)]

    def values(pos: IntArray, neg: IntArray) -> FloatArray:
        return np.array([s.resampled_value(_resampled(t, index, pos, neg)) for s, t, index in models])

    return _drawn(values, data, count, make_rng(draws.rng), statistics[0], draws)


def _resampled(table: Scores, index: IntArray, pos: IntArray, neg: IntArray) -> Scores:
    """Table of one model in a resample of cases."""
    of_class = (np.bincount(index, n, len(table.score)).astype(n.dtype) for n in (pos, neg))
    return Scores._of(CountTable(table.score, *of_class))


def _of_table(statistic: Any, table: Scores, draws: Bootstrap, count: int, rng: Any) -> FloatArray:
    def value(pos: IntArray, neg: IntArray) -> FloatArray:
        return np.asarray(
            statistic.resampled_value(Scores._of(CountTable(table.score, pos.copy(), neg.copy())))
        )

    return _drawn(value, table, count, rng, statistic, draws)


def _drawn(value: Any, data: Any, count: int, rng: Any, statistic: Any, draws: Bootstrap) -> FloatArray:
    """Values in resamples of cases or clusters of a table."""
    sampling: Any = draws.sampling or getattr(statistic, "sampling", "stratified")
    size = check_size(draws.size, data.n_pos, data.n_neg)
    if data.design is not None and draws.size is not None:
        rule = "be omitted with weights, clusters or strata"
        raise ArgumentError("size", rule, draws.size, "Omit it.")
    return resample(value, data, count, rng, size=size, sampling=sampling, n_jobs=draws.n_jobs)
