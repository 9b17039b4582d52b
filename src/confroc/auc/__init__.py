"""The area under the ROC curve: intervals, tests of two models, sample size and power."""

from confroc.auc.asymptotic import newcombe_ends, newcombe_variance
from confroc.auc.difference import DIFFERENCE_METHODS, DifferenceMethod, auc_difference
from confroc.auc.hypothesis import AucDifference
from confroc.auc.interval import AUC_METHODS, AucMethod, auc_interval
from confroc.auc.planning import auc_power, auc_sample_size
from confroc.auc.study import Power
from confroc.influence import delong_covariances, delong_variances, placements

__all__ = [
    "AUC_METHODS",
    "DIFFERENCE_METHODS",
    "AucDifference",
    "AucMethod",
    "DifferenceMethod",
    "Power",
    "auc_difference",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "delong_covariances",
    "delong_variances",
    "newcombe_ends",
    "newcombe_variance",
    "placements",
]
