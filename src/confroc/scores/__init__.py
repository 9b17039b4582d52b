"""Tables of scores: distinct scores with counts of positives and negatives.

All inference depends on the cases only through this table; for several models, through the same table with
several score columns. The classes here validate, sort and count once; everything else is a function of the
counts.
"""

from confroc.scores.accept import (
    accepts_models,
    accepts_one_model,
    accepts_several_models,
    accepts_two_models,
)
from confroc.scores.design import Design, WeightKind
from confroc.scores.labels import NAN_POLICIES, NanPolicy
from confroc.scores.pair import PairedScores, PlacementSums, usual_names
from confroc.scores.rounding import (
    difference_errors,
    errors_of,
    moved_edges,
    moved_note,
    tpr_errors_at,
    widened,
)
from confroc.scores.single import Scores, check_scores, class_sizes, notes_of_classes
from confroc.scores.stream import ScoreStream
from confroc.scores.tables import CountTable, check_finite, sorted_classes, sum_equal, sum_levels, tally
from confroc.scores.unpaired import Pair, UnpairedScores, check_pair, difference_label, models_of, no_pair
