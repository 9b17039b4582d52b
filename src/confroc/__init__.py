"""Honest uncertainty for ROC curves.

Build a `Scores` (one model) or a `PairedScores` (two models on the same cases), pass it to an
inference function, and read, tabulate or plot the frozen result.
"""

from confroc._check import ConfrocWarning
from confroc.auc import auc_difference, auc_interval
from confroc.bands import roc_band
from confroc.curve import RocCurve, roc_curve
from confroc.ingest import scan
from confroc.pointwise import rates_at_threshold, tpr_at_fpr
from confroc.results import Band, ConfidenceInterval, Difference, Interval, Intervals, Regions
from confroc.scores import PairedScores, Scores, UnpairedScores

__version__ = "0.1.0"

__all__ = [
    "Band",
    "ConfidenceInterval",
    "ConfrocWarning",
    "Difference",
    "Interval",
    "Intervals",
    "PairedScores",
    "Regions",
    "RocCurve",
    "Scores",
    "UnpairedScores",
    "auc_difference",
    "auc_interval",
    "rates_at_threshold",
    "roc_band",
    "roc_curve",
    "scan",
    "tpr_at_fpr",
]
