"""Frozen results: what every inference function returns.

A result has numbers and states how they were computed: `method`, `confidence_level`, `kind` (pointwise or
simultaneous) and `guarantee` (the basis of the coverage). It converts itself to a dict, JSON, a data frame
or a figure, and imports the libraries for that only when needed. Results are immutable: arrays are copied
and read-only, and copies made by `copy`, `pickle` and joblib are read-only too and compare equal.

Guarantees
----------
finite-sample
    Coverage is proven to be at least the level for every sample size.
asymptotic
    Coverage converges to the level as both class sizes increase.
bootstrap
    As asymptotic, with the sampling distribution approximated by the bootstrap.
none
    No guarantee, or simulated coverage is below the level; the notes state which.
"""

from confroc.base import Guarantee, Kind
from confroc.results.bands import Band, Curve, between
from confroc.results.base import (
    FRAME_BACKENDS,
    Backend,
    ConfidenceInterval,
    Inference,
    Plottable,
    Result,
    frame,
    level_words,
    notes_of,
    percent,
)
from confroc.results.comparison import Adjustment, Comparison, Differences
from confroc.results.distribution import Distribution
from confroc.results.frozen import Frozen, FrozenFields, read_only, sealed
from confroc.results.intervals import Difference, Interval, Intervals, Ratio, label_of_two
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
    "Distribution",
    "Frozen",
    "FrozenFields",
    "Guarantee",
    "Inference",
    "Interval",
    "Intervals",
    "Kind",
    "Plottable",
    "Ratio",
    "Regions",
    "Result",
    "Test",
    "between",
    "evenly",
    "frame",
    "label_of_two",
    "level_words",
    "notes_of",
    "one_sided_limits",
    "percent",
    "read_only",
    "sealed",
]
