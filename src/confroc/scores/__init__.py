"""The data: distinct scores with a count of positives and of negatives each.

Everything confroc computes on one model depends on the cases only through this table, and everything
on two models through the same table with two score columns. The classes here validate, sort and
tally once; whatever follows is a function of the counts.
"""

from confroc.scores.labels import NAN_POLICIES, NanPolicy
from confroc.scores.pair import Pair, PairedScores, UnpairedScores, check_pair
from confroc.scores.rounding import difference_errors, errors_of, tpr_errors_at, widened
from confroc.scores.single import Scores, check_scores
from confroc.scores.stream import ScoreStream
from confroc.scores.tables import Table, check_finite, sorted_classes, sum_equal, sum_levels, tally

__all__ = [
    "NAN_POLICIES",
    "NanPolicy",
    "Pair",
    "PairedScores",
    "ScoreStream",
    "Scores",
    "Table",
    "UnpairedScores",
    "check_finite",
    "check_pair",
    "check_scores",
    "difference_errors",
    "errors_of",
    "sorted_classes",
    "sum_equal",
    "sum_levels",
    "tally",
    "tpr_errors_at",
    "widened",
]
