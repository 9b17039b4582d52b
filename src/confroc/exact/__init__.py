"""Exact bootstrap laws: what a resampling study converges to as its resamples grow in number.

The four laws are for reading and plotting. The other functions serve interval methods: they take
numbers of false positives instead of rates, and assume arguments that were checked before.
"""

from confroc.exact.discordant import discordant_difference_law, discordant_difference_quantiles
from confroc.exact.paired import (
    PairDesign,
    difference_is_exact,
    difference_moments,
    difference_quantiles,
    joint_threshold_pmf,
    pair_design,
    tpr_difference_pmf,
)
from confroc.exact.single import threshold_pmf, tpr_moments, tpr_pmf, tpr_quantiles

__all__ = [
    "PairDesign",
    "difference_is_exact",
    "difference_moments",
    "difference_quantiles",
    "discordant_difference_law",
    "discordant_difference_quantiles",
    "joint_threshold_pmf",
    "pair_design",
    "threshold_pmf",
    "tpr_difference_pmf",
    "tpr_moments",
    "tpr_pmf",
    "tpr_quantiles",
]
