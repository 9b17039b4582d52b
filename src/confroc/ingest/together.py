"""Counts of one model, and joint counts or sums of placements of several models on the same cases.

The AUC of a model and its variance need only its own table of counts. The covariance of two AUCs needs only
sums of placements over the cases (DeLong, DeLong & Clarke-Pearson 1988). A placement is a function of the
score, so the engine looks up each case's placements in the tables of the models and sums powers of their
differences. Joint counts, with a row for almost every case of a large sample, are not needed.

References
----------
DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confroc._types import FloatArray
from confroc.influence import count_placements
from confroc.ingest.cases import CellCounts, Placements
from confroc.ingest.levels import LevelMap
from confroc.scores import PairedScores, Scores, sum_levels


def scores_of(tally: CellCounts, dropped: int) -> Scores:
    """One model's counts."""
    return Scores._of(*sum_levels(tally.low[0], tally.high[0], tally.pos, tally.neg), dropped=dropped)


def joint_of(
    tally: CellCounts, steps: Sequence[LevelMap | None], dropped: int, names: tuple[str, ...]
) -> PairedScores:
    """Joint counts of models; a level's limits are those over all its rows."""
    low: list[FloatArray] = []
    highest: list[FloatArray | None] = []
    for found, top, step in zip(tally.low, tally.high, steps, strict=True):
        if step is None:
            low.append(found)
            highest.append(None)
            continue
        _, level = np.unique(step.cell(found), return_inverse=True)
        ends = np.full((2, int(level.max()) + 1), np.inf)
        np.minimum.at(ends[0], level, found)
        np.minimum.at(ends[1], level, -top)
        low.append(ends[0][level])
        first = np.argsort(-ends[0])
        highest.append(-ends[1][first] + 0.0)
    return PairedScores._of(low, tally.pos, tally.neg, dropped, highest, names)


def placements_of(models: Sequence[Scores]) -> Placements:
    """Each model's placements at its scores, in little memory."""
    sizes = [len(model.score) for model in models]
    table = Placements(np.repeat(np.arange(len(models), dtype=np.int16), sizes), *np.empty((3, sum(sizes))))
    for model, part in zip(models, table.parts(), strict=True):
        part.score[:] = model.score
        found = count_placements(model.pos, model.neg)
        counts = (model.pos, model.n_pos), (model.neg, model.n_neg)
        for kept, values, (count, n) in zip((part.of_pos, part.of_neg), found, counts, strict=True):
            # Center by the mean, which is the AUC; `auc` would load a compiler, which needs memory.
            np.subtract(values, float(np.einsum("i,i->", values, count)) / n, out=kept)
    return table
