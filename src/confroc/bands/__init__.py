"""Simultaneous confidence bands for ROC curves, their differences and calibration curves."""

from confroc.bands.calibration import CalibrationBand, calibration_band
from confroc.bands.difference import roc_difference_band
from confroc.bands.roc import roc_band
from confroc.bands.separation import ks_statistic

__all__ = ["CalibrationBand", "calibration_band", "ks_statistic", "roc_band", "roc_difference_band"]
