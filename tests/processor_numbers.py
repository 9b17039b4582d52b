"""Print numbers that must be the same on every processor, as JSON; `test_distributions_max_t.py` runs it.

They rest on matrices that have equal eigenvalues, dependent rows or entries that contradict each other, for
which linear algebra libraries find different bases.
"""

from __future__ import annotations

import json
import warnings

import numpy as np

import confroc as c
from confroc.distributions import MaxT, closed_pairs, unit_vectors
from confroc_lab.comparisons import critical_above, critical_of, differences_of


def laws() -> dict[str, list[float]]:
    """Tails and levels for equal groups, a repeated model and an impossible correlation."""
    ten = differences_of(10)
    twice = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    twice[:2, :2] = 1.0
    impossible = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.6], [1.0, 0.6, 1.0]])
    found = {}
    for name, correlation in (
        ("ten groups", 0.5 * (ten @ ten.T)),
        ("one against nine", np.full((9, 9), 0.5) + 0.5 * np.eye(9)),
        ("twice", twice),
        ("impossible", impossible),
    ):
        law = MaxT(unit_vectors(correlation))
        found[name] = [law.tail_of(np.abs(law.places).max(axis=1), t, law.m) for t in (1.0, 3.2, 6.0)] + [
            law.pointwise_level(0.95)
        ]
    law = MaxT(unit_vectors(0.5 * (ten @ ten.T)))
    found["closed"] = closed_pairs(law, np.geomspace(1e-5, 0.9, 45), 10).tolist()
    equal = np.stack([np.eye(6), np.diag([1.0, 1.0, 1.0, 2.0, 2.0, 0.0])])
    found["critical"] = critical_of(equal, differences_of(6), 0.05).tolist()
    found["critical above"] = critical_above(equal, differences_of(6), 0.05).tolist()
    return found


def comparisons() -> dict[str, list[float]]:
    """All numbers of comparisons of equal groups, and of models some of which are alike."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 40)
    shared = 0.6 * rng.normal(size=80)
    models = [y + shared + rng.normal(size=80) for _ in range(6)]
    score = models[0]
    groups = c.UnpairedScores(*(c.Scores(y, score) for _ in range(5)), c.Scores(y, models[1]))
    found = {}
    for name, scores in (
        ("groups", groups),
        ("models", c.PairedScores(y, *models)),
        ("alike", c.PairedScores(y, score, -score[::-1], 2.0 * score, models[1])),
    ):
        compared = c.auc_comparison(scores)
        rows = compared.differences
        columns = (rows.pvalue, rows.pvalue_single_step, rows.lower, rows.upper, compared.intervals.lower)
        found[name] = [*np.concatenate(columns).tolist(), compared.test.statistic, compared.test.pvalue]
    pair = c.PairedScores(y, *models[:2])
    ends = c.tpr_difference_at_fpr(pair, fpr=0.1)
    forecast = c.auc_forecast(c.Scores(y, score), radius=0.01)
    band = c.roc_band(c.Scores(y, score), method="working_hotelling")
    others = (ends.lower, ends.upper, forecast.lower, forecast.upper, band.upper[::20])
    found["others"] = np.concatenate([np.ravel(numbers) for numbers in others]).tolist()
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore", c.ConfrocWarning)
    print(json.dumps(laws() | comparisons()))
