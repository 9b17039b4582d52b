"""Coverage of intervals for clustered, weighted or stratified cases."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from confroc._check import ArgumentError
from confroc._types import Ends
from confroc.auc import auc_interval
from confroc.auditing.coverage import Coverage, counted, counted_region
from confroc.auditing.rates import RATES, places
from confroc.auditing.rules import Drawn, Rule, ways
from confroc.auditing.samples import one_by_one
from confroc.auditing.smoothed import SmoothedCopy
from confroc.points import rates_at_threshold, tpr_at_fpr
from confroc.resample import exchangeable, units_of
from confroc.results import one_sided_limits
from confroc.scores import Scores
from confroc.scores.design import Column, Design, Rows, SampledCases


class Tables(NamedTuple):
    """Samples with one design."""

    tables: list[Scores]
    n_pos: float
    n_neg: float

    @property
    def reps(self) -> int:
        """Number of samples."""
        return len(self.tables)

    def one_by_one(self, *intervals: Callable[[Any], Any], places: int = 1) -> list[Ends]:
        """Limits of the intervals returned by functions of a sample; see `Samples`."""
        return one_by_one(self.tables.__getitem__, self.reps, intervals, places)


def drawn_whole(design: Design, copy: SmoothedCopy, rng: np.random.Generator, reps: int) -> Tables:
    """Draw samples with as many clusters in each stratum as the design, whole, with their rows' weights.

    Without clusters rows are drawn. As in `resample`, clusters of one class are drawn by class if no cluster
    has both. Scores get the noise of the population.
    """
    sides = design.positive, ~design.positive
    cell = np.concatenate([np.repeat(np.flatnonzero(side), design.count[side]) for side in sides])
    positive, weight = design.positive[cell], design.weight[cell]
    z, noise = np.concatenate([copy.pos, copy.neg]), np.where(positive, *copy.noise)
    unit = design.clusters[0].code[cell] if design.clusters else np.arange(len(cell))
    groups = exchangeable(design, units_of(design), by_class=True)
    if not design.clusters:
        groups = [np.flatnonzero(np.isin(cell, at)) for at in groups]
    size = np.bincount(unit)
    order, start = np.argsort(unit, kind="stable"), np.cumsum(size) - size

    def table() -> Scores:
        drawn = np.concatenate([rng.choice(at, len(at)) for at in groups])
        number = np.repeat(np.arange(len(drawn)), size[drawn])
        first = np.cumsum(size[drawn]) - size[drawn]
        row = order[(start[drawn] - first)[number] + np.arange(len(number))]
        if positive[row].all() or not positive[row].any():
            return table()
        score = copy.placed(z[row] + noise[row] * rng.standard_normal(len(row)))
        of = design.stratum
        strata = None if of is None else Column(of.code[cell[row]], of.label)
        clusters = (Column(number, np.arange(len(drawn))),) if design.clusters else ()
        rows = Rows(weight[row] if design.weighted else None, None, clusters, strata)
        return Scores._sampled(SampledCases(positive[row], [score], 0, rows))

    mass = [float(design.mass[side].sum()) for side in sides]
    return Tables([table() for _ in range(reps)], mass[0], mass[1])


def check_design(design: Design) -> None:
    """Raise for two identifiers per row, which cannot be sampled."""
    if len(design.clusters) > 1:
        rule = "have one identifier per row for an audit"
        raise ArgumentError("cluster", rule, "two", "Use the one with fewer clusters.")


def areas(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true AUC."""
    truth = np.array([drawn.model.auc])
    found = drawn.samples.one_by_one(*ways(auc_interval, rule))
    return [counted(m, "auc", truth, truth, *ends) for m, ends in zip(rule.methods, found, strict=True)]


def tprs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true TPR at the requested rate."""
    at = np.array(rule.at)
    truth = one_sided_limits(*drawn.model.curve(at), at)[1]
    found = drawn.samples.one_by_one(*ways(tpr_at_fpr, rule, fpr=at), places=len(at))
    return [counted(m, "tpr", at, truth, *ends) for m, ends in zip(rule.methods, found, strict=True)]


def rates(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count rectangles for (FPR, TPR) that contain both true rates."""
    at = np.array(rule.at)
    threshold, *truth = places(drawn.model, rule.at, drawn.share, rule.by_score)

    def sides(way: Callable[[Any], Any], scores: Scores) -> SimpleNamespace:
        found = way(scores)
        both = found.fpr, found.tpr
        return SimpleNamespace(lower=[s.lower for s in both], upper=[s.upper for s in both])

    each = ways(rates_at_threshold, rule, threshold=threshold, joint=True)
    found = drawn.samples.one_by_one(*(functools.partial(sides, way) for way in each), places=2 * len(at))
    out: list[Coverage] = []
    for method, (low, high) in zip(rule.methods, found, strict=True):
        ends = [(low[:, side], high[:, side]) for side in (slice(len(at)), slice(len(at), None))]
        out += counted_region(method, at, RATES, truth, ends)
    return out
