"""Pointwise intervals for points on the ROC curve, for one model and for the difference between two.

`threshold.py` computes rates at a given threshold, `rate.py` at a given false positive rate or true positive
rate, and `positive_rate.py` at a given predicted-positive rate; their methods are in the files named
`..._methods.py`. `alignment.py` finds equivalent thresholds of two models, and `attained.py` the threshold
for a target rate. `confusion.py` computes predictive values and other metrics at a threshold, `judged.py` a
prevalence corrected for the errors of a judge, `equal_error.py` the equal error rate, and `abstention.py` the
error rate of a classifier that may abstain.
"""

from confroc.points.abstention import RiskCoverageCurve, risk_coverage_curve
from confroc.points.alignment import AlignedThresholds, aligned_thresholds
from confroc.points.attained import AttainedThresholds, threshold_at
from confroc.points.confusion import Confusion, confusion_at_threshold
from confroc.points.equal_error import equal_error_rate
from confroc.points.judged import corrected_prevalence
from confroc.points.positive_rate import rates_at_positive_rate, rates_difference_at_positive_rate
from confroc.points.rate import fpr_at_tpr, tpr_at_fpr, tpr_difference_at_fpr
from confroc.points.threshold import (
    Dominance,
    dominance_at_threshold,
    rates_at_threshold,
    rates_difference_at_threshold,
)

__all__ = [
    "AlignedThresholds",
    "AttainedThresholds",
    "Confusion",
    "Dominance",
    "RiskCoverageCurve",
    "aligned_thresholds",
    "confusion_at_threshold",
    "corrected_prevalence",
    "dominance_at_threshold",
    "equal_error_rate",
    "fpr_at_tpr",
    "rates_at_positive_rate",
    "rates_at_threshold",
    "rates_difference_at_positive_rate",
    "rates_difference_at_threshold",
    "risk_coverage_curve",
    "threshold_at",
    "tpr_at_fpr",
    "tpr_difference_at_fpr",
]
