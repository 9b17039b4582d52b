"""Exact bootstrap laws: what a resampling study converges to as its resamples grow in number.

The four laws are for reading and plotting. Intervals come from `confroc.tpr_at_fpr` and its relatives, whose
methods use the moments and quantiles of these laws without laying them out.
"""

from confroc.exact.difference import tpr_difference_pmf
from confroc.exact.joint import joint_threshold_pmf
from confroc.exact.thresholds import threshold_pmf
from confroc.exact.tpr import tpr_pmf

__all__ = ["joint_threshold_pmf", "threshold_pmf", "tpr_difference_pmf", "tpr_pmf"]
