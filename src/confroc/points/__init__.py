"""Pointwise intervals on the ROC curve: at a threshold, at a rate, at a fraction flagged.

`threshold.py` fixes the score above which a case is called positive, `vertical.py` a false (or true)
positive rate, `positive_rate.py` the fraction of cases that is flagged; the `_pair` modules compare two
models.
"""

from confroc.points.positive_rate import rates_at_positive_rate
from confroc.points.threshold import rates_at_threshold
from confroc.points.threshold_pair import dominance_at_threshold, rates_difference_at_threshold
from confroc.points.vertical import fpr_at_tpr, tpr_at_fpr
from confroc.points.vertical_pair import tpr_difference_at_fpr

__all__ = [
    "dominance_at_threshold",
    "fpr_at_tpr",
    "rates_at_positive_rate",
    "rates_at_threshold",
    "rates_difference_at_threshold",
    "tpr_at_fpr",
    "tpr_difference_at_fpr",
]
