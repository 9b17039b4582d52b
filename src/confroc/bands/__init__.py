"""Simultaneous confidence bands for ROC curves and their differences, one file a method."""

from confroc.bands.difference import roc_difference_band
from confroc.bands.roc import roc_band
from confroc.bands.separation import ks_statistic

__all__ = ["ks_statistic", "roc_band", "roc_difference_band"]
