"""Exact bootstrap distributions: what a resampling study converges to as its resamples grow in number.

The four distributions are for inspection and plotting. Intervals come from `confroc.tpr_at_fpr` and its
relatives, whose methods use the moments and quantiles of these distributions without computing them in full.
"""

from confroc.exact.difference import tpr_difference_pmf
from confroc.exact.joint import joint_threshold_pmf
from confroc.exact.thresholds import threshold_pmf
from confroc.exact.tpr import tpr_pmf

__all__ = ["joint_threshold_pmf", "threshold_pmf", "tpr_difference_pmf", "tpr_pmf"]
