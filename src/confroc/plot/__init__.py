"""Displays in scikit-learn's manner: made from a result, drawn by `.plot(ax=None)`, kept for later changes.

A display draws numbers that are already there and computes none. Each call draws on the axes it is
given, takes the next colour of their cycle, and leaves global settings alone, so several displays
share one picture:

>>> from matplotlib.figure import Figure
>>> from confroc import Scores, roc_band, roc_curve
>>> from confroc.plot import BandDisplay, CurveDisplay
>>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
>>> ax = Figure().add_subplot()
>>> band = BandDisplay(roc_band(scores)).plot(ax=ax, name="model A")
>>> other = CurveDisplay(roc_curve(scores)).plot(ax=ax, name="model B")
>>> [text.get_text() for text in ax.get_legend().get_texts()]
['model A (95 % simultaneous band)', 'model B (AUC 0.889)']
"""

from typing import Any

from confroc.plot.difference import DifferenceBandDisplay
from confroc.plot.forecast import ForecastDisplay
from confroc.plot.intervals import IntervalDisplay, IntervalsDisplay
from confroc.plot.regions import RegionsDisplay
from confroc.plot.roc import BandDisplay, CurveDisplay

__all__ = [
    "BandDisplay",
    "CurveDisplay",
    "DifferenceBandDisplay",
    "ForecastDisplay",
    "IntervalDisplay",
    "IntervalsDisplay",
    "RegionsDisplay",
    "display",
]


def display(result: Any) -> Any:
    """Return the display for a result's type, ready to be drawn by its `plot`.

    Raises
    ------
    TypeError
        For a result without a picture.
    """
    from confroc.cost.intervals import Ribbon
    from confroc.curve import RocCurve
    from confroc.drift.forecast import Forecast
    from confroc.results import Band, Difference, DifferenceBand, Interval, Intervals, Regions

    if isinstance(result, RocCurve):
        return CurveDisplay(result)
    if isinstance(result, DifferenceBand):
        return DifferenceBandDisplay(result)
    if isinstance(result, Band):
        return BandDisplay(result)
    if isinstance(result, Ribbon):
        return IntervalsDisplay(result, style="ribbon")
    if isinstance(result, Intervals):
        return IntervalsDisplay(result)
    if isinstance(result, Regions):
        return RegionsDisplay(result)
    if isinstance(result, Interval | Forecast):
        return IntervalDisplay([result], reference=0.0 if isinstance(result, Difference) else None)
    raise TypeError(f"a {type(result).__name__} has no picture; `.to_frame()` gives its numbers")
