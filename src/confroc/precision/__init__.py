"""Precision and recall: the average precision, the curve, points of it, and a band around it."""

from confroc.precision.average import average_precision, average_precision_difference
from confroc.precision.band import PrBand, pr_band
from confroc.precision.curve import PrCurve, pr_curve
from confroc.precision.recall import precision_at_recall

__all__ = [
    "PrBand",
    "PrCurve",
    "average_precision",
    "average_precision_difference",
    "pr_band",
    "pr_curve",
    "precision_at_recall",
]
