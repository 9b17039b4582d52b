"""Precision and recall: average precision, precision-recall curve, its points, and bands."""

from confroc.precision.average import average_precision, average_precision_difference
from confroc.precision.band import PrBand, pr_band
from confroc.precision.curve import PrCurve, pr_curve
from confroc.precision.recall import precision_at_recall
