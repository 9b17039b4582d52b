"""The area under the ROC curve: intervals, tests of two models, comparison of many, sample size and power."""

from confroc.auc.comparison import auc_comparison
from confroc.auc.difference import auc_difference
from confroc.auc.interval import auc_interval
from confroc.auc.planning import auc_power, auc_sample_size
from confroc.auc.study import Power

__all__ = [
    "Power",
    "auc_comparison",
    "auc_difference",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
]
