"""Frozen results: what every inference function returns.

A result holds numbers and states their origin: `method`, `confidence_level`, `kind` (is the
statement about one point at a time or about all at once?) and `guarantee` (what the level rests on).
It turns itself into a plain dict, a data frame or a picture, and imports the libraries for that only
when needed. It never changes: its arrays refuse to be written to, it keeps copies of the arrays it was
made from, and what `copy`, `pickle` and joblib make of it is as frozen and equals it.

Guarantees
----------
finite-sample
    Coverage is at least the level for every sample size, by proof.
asymptotic
    Coverage tends to the level as both classes grow.
bootstrap
    As asymptotic, through the bootstrap's own approximation of the sampling distribution.
none
    No guarantee, or simulations found less than the level; the notes state which.
"""

from confroc.base import Guarantee, Kind
from confroc.results.bands import Band, Curve, between
from confroc.results.base import (
    FRAME_BACKENDS,
    Backend,
    ConfidenceInterval,
    Drawn,
    Inference,
    Result,
    frame,
    level_words,
    notes_of,
    percent,
)
from confroc.results.comparison import Adjustment, Comparison, Differences
from confroc.results.frozen import Frozen, FrozenFields, read_only, sealed
from confroc.results.intervals import Difference, Interval, Intervals, Ratio
from confroc.results.laws import ExactLaw
from confroc.results.polyline import one_sided_limits
from confroc.results.regions import Regions
from confroc.results.shown import evenly
from confroc.results.tests import Test

__all__ = [
    "FRAME_BACKENDS",
    "Adjustment",
    "Backend",
    "Band",
    "Comparison",
    "ConfidenceInterval",
    "Curve",
    "Difference",
    "Differences",
    "Drawn",
    "ExactLaw",
    "Frozen",
    "FrozenFields",
    "Guarantee",
    "Inference",
    "Interval",
    "Intervals",
    "Kind",
    "Ratio",
    "Regions",
    "Result",
    "Test",
    "between",
    "evenly",
    "frame",
    "level_words",
    "notes_of",
    "one_sided_limits",
    "percent",
    "read_only",
    "sealed",
]
