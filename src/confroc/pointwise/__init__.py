"""Pointwise intervals on the ROC curve: at a threshold, at a false positive rate.

`threshold.py` fixes the score above which a case is called positive; `vertical.py` fixes the false
positive rate.
"""

from confroc.pointwise.threshold import rates_at_threshold


__all__ = ["rates_at_threshold"]
