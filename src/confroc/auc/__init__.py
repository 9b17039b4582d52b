"""The area under the ROC curve: intervals, tests of two models, sample size and power."""

from confroc.auc.asymptotic import newcombe_ends, newcombe_variance
from confroc.auc.difference import AucDifference, auc_difference
from confroc.auc.interval import auc_interval
from confroc.auc.planning import auc_power, auc_sample_size
from confroc.auc.study import Power
from confroc.influence import delong_covariance, delong_variances, placements

__all__ = [
    "AucDifference",
    "Power",
    "auc_difference",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "delong_covariance",
    "delong_variances",
    "newcombe_ends",
    "newcombe_variance",
    "placements",
]
