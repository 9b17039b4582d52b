"""The area under the ROC curve: intervals, tests of two models, and comparison of several."""

from confroc.auc.comparison import auc_comparison
from confroc.auc.difference import auc_difference
from confroc.auc.interval import auc_interval

__all__ = [
    "auc_comparison",
    "auc_difference",
    "auc_interval",
]
