"""Confidence intervals, bands and tests for ROC curves.

Pass labels and scores to a function, and read, tabulate or plot the frozen result. To ask several questions
of the same data, make a `Scores` (one model) or a `PairedScores` (models on the same cases), and pass it.
"""

from difflib import get_close_matches
from typing import Any

import lazy_loader

__version__ = "0.1.0"

# The public names stand in __init__.pyi; each module loads when one of its names is first used.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except AttributeError:
        if name in __all__:
            raise
    close = get_close_matches(name, __all__, n=1, cutoff=0.85)
    hint = f". Did you mean `{close[0]}`?" if close else ""
    raise AttributeError(f"module 'confroc' has no attribute {name!r}{hint}", name=name)
