"""What rounding the scores can have changed in an area.

Each case's exact score lies between its level's lowest and highest one. With every positive at its highest
and every negative at its lowest score the curve lies nowhere below the exact one, and with the classes
exchanged nowhere above; so do the areas, whole or partial, and those under any reweighting of the cases.
"""

from __future__ import annotations

import numpy as np

from confroc.auc.partial import Part, partial_area
from confroc.scores import Scores, sum_equal
from confroc.scores.tables import CountTable


def extreme_tables(scores: Scores) -> tuple[CountTable, CountTable]:
    """Tables of the least and of the greatest curve that the exact scores can have."""
    none = np.zeros_like(scores.pos)
    ends = np.concatenate([scores.score_max, scores.score])
    top_pos, low_pos = np.concatenate([scores.pos, none]), np.concatenate([none, scores.pos])
    top_neg, low_neg = np.concatenate([scores.neg, none]), np.concatenate([none, scores.neg])
    return sum_equal(ends, low_pos, top_neg), sum_equal(ends, top_pos, low_neg)


def area_errors(scores: Scores, part: Part | None) -> tuple[float, float]:
    """How far the exact area may lie below and above the rounded one; zeros for exact scores."""
    if scores.exact:
        return 0.0, 0.0
    if part is None:
        return scores.auc_error, scores.auc_error
    least, greatest = (partial_area(t.pos, t.neg, part) for t in extreme_tables(scores))
    own = partial_area(scores.pos, scores.neg, part)
    return max(0.0, own - least), max(0.0, greatest - own)
