"""Method classes, whose fields are their options, and the methods of each function.

An instance can be passed as `method`: `roc_band(s, method=FixedWidth(rng=0))` is equivalent to
`roc_band(s, method="fixed_width", rng=0)`.

>>> from confroc import methods
>>> methods.FAMILIES["roc_band"].default
'equal_local_levels'
>>> methods.FixedWidth(n_resamples=999, rng=0)
FixedWidth(n_resamples=999, rng=0)
"""

from typing import Any

# Classes register themselves when their modules are imported.
from confroc import auc, bands, cost, drift, general, planning, points, precision
from confroc.bands.base import BandMethod, BandOutcome
from confroc.base import FAMILIES, REGISTER, Contrast, Family, Method, Outcome, Resampling, method_class
from confroc.methods.papers import PAPERS, Paper

_MODULES = (auc, bands, cost, drift, general, planning, points, precision)
_CLASSES = {cls.__name__: cls for table in REGISTER.values() for cls in table.values()}

__all__ = [
    "FAMILIES",
    "PAPERS",
    "BandMethod",
    "BandOutcome",
    "Contrast",
    "Family",
    "Method",
    "Outcome",
    "Paper",
    "Resampling",
    "method_class",
]
__all__ += sorted(_CLASSES)


def __getattr__(name: str) -> Any:
    try:
        return _CLASSES[name]
    except KeyError:
        raise AttributeError(f"module 'confroc.methods' has no attribute {name!r}", name=name) from None
