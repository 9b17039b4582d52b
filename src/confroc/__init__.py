"""Honest uncertainty for ROC curves.

Build a `Scores` (one model) or a `PairedScores` (two models on the same cases), pass it to an
inference function, and read, tabulate or plot the frozen result.
"""

from contextlib import suppress
from importlib import import_module
from typing import Any

import lazy_loader

__version__ = "0.1.0"

# The public names stand in __init__.pyi; each module loads when one of its names is first used.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except AttributeError:
        if name.startswith("_") or name in __all__:
            raise
    from confroc._elsewhere import not_here

    raise not_here(name, __all__, _places)


def _places(name: str) -> list[str]:
    """The modules of this package that have this public name."""
    found = []
    for place in ("auc", "bands", "cost", "drift", "exact", "lab", "plot", "points", "results", "sklearn"):
        # Some need what is not installed.
        with suppress(ImportError):
            module = import_module(f"confroc.{place}")
            found += [module.__name__] if name in module.__all__ else []
    return found
