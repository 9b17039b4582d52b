"""Confidence intervals, bands and tests for ROC curves.

Pass labels and scores to a function; print, tabulate or plot the result. For several analyses of the same
data, create a `Scores` (one model) or a `PairedScores` (several models on the same cases), and pass it.
"""

from difflib import get_close_matches
from typing import Any

import lazy_loader

__version__ = "0.1.0"

# Public names are listed in __init__.pyi; modules are loaded on first use.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


_ELSEWHERE = {
    "auc": "auc_interval",
    "average_precision_score": "average_precision",
    "calibration_curve": "calibration_band",
    "confusion_matrix": "confusion_at_threshold",
    "delong_test": "auc_difference",
    "precision_recall_curve": "pr_curve",
    "roc": "roc_curve",
    "roc_auc_score": "auc_interval",
}
"""Functions of other libraries, and those here."""


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except AttributeError:
        if name in __all__:
            raise
    close = [_ELSEWHERE[name]] if name in _ELSEWHERE else get_close_matches(name, __all__, n=1, cutoff=0.85)
    hint = f". Did you mean `{close[0]}`?" if close else ""
    raise AttributeError(f"module 'confroc' has no attribute {name!r}{hint}", name=name)
