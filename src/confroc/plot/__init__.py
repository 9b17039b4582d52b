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
]
