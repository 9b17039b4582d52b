"""Exact bootstrap distributions: the limit of the bootstrap for an infinite number of resamples.

The four distributions are for inspection and plotting. Intervals come from `confroc.tpr_at_fpr` and related
functions, whose methods use moments and quantiles of these distributions without computing them in full.
"""

from confroc.exact.difference import tpr_difference_pmf
from confroc.exact.joint import joint_threshold_pmf
from confroc.exact.thresholds import threshold_pmf
from confroc.exact.tpr import tpr_pmf

__all__ = ["joint_threshold_pmf", "threshold_pmf", "tpr_difference_pmf", "tpr_pmf"]
