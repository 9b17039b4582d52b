"""Coverage of intervals for any statistic of one model."""

from __future__ import annotations

import numpy as np

from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.populations import Population
from confroc.auditing.rules import Drawn, Rule, ways
from confroc.base import Statistic
from confroc.general import interval
from confroc.scores import Scores

CELLS = 4000
"""Number of cells of a continuous population for its statistics."""

COUNTED = 1e9
"""Number of cases that represent a population."""


def true_value(statistic: Statistic, population: Population, n_pos: int, n_neg: int) -> float:
    """Return a statistic of a population with the prevalence of the samples."""
    cuts = population.support
    if cuts is None:
        drawn = population.draw(np.random.default_rng(0), CELLS // 2, CELLS // 2, 1)
        cuts = np.append(-np.inf, np.unique(np.concatenate(drawn, axis=1)))
    fpr, tpr = population.rates(cuts)
    # Rates are proportions at or above a cut; a cell lies between two cuts.
    pos, neg = (-np.diff(np.append(rate, 0.0)) for rate in (tpr, fpr))
    share = n_pos / (n_pos + n_neg)
    counts = (
        np.rint(COUNTED * share * pos).astype(np.int64),
        np.rint(COUNTED * (1.0 - share) * neg).astype(np.int64),
    )
    held = counts[0] + counts[1] > 0
    return float(statistic.value(Scores.from_counts(np.flatnonzero(held), counts[0][held], counts[1][held])))


def statistic_intervals(statistic: Statistic, rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true value of a statistic."""
    samples = drawn.samples
    truth = np.array([true_value(statistic, drawn.model, samples.n_pos, samples.n_neg)])
    found = samples.one_by_one(*ways(interval, rule, statistic=statistic))
    return [
        counted(method, statistic.label, truth, truth, *ends)
        for method, ends in zip(rule.methods, found, strict=True)
    ]
