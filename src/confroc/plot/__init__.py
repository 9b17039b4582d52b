"""Displays of results, as in scikit-learn: create one from a result and draw it with `.plot(ax=None)`.

A display computes no statistics. After drawing, `ax_` and `figure_` are the axes and the figure, and other
attributes are the artists. `plot` uses the next color of the axes and changes no global settings, so several
results can be drawn on the same axes. The legend is below the axes; a figure without a layout engine gets
matplotlib's "tight" layout, to make room for it:

>>> from matplotlib.figure import Figure
>>> from confroc import Scores, roc_band, roc_curve
>>> from confroc.plot import BandDisplay, CurveDisplay
>>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
>>> ax = Figure().add_subplot()
>>> band = BandDisplay(roc_band(scores)).plot(ax=ax, name="model A")
>>> other = CurveDisplay(roc_curve(scores)).plot(ax=ax, name="model B", labels="legend")
>>> [text.get_text() for text in ax.get_legend().get_texts()]
['model A', 'model B (AUC 0.889)', '95% simultaneous band']
"""

from typing import Any

from confroc._check import ArgumentTypeError
from confroc.plot.calibration import CalibrationDisplay
from confroc.plot.comparison import ComparisonDisplay, DifferencesDisplay
from confroc.plot.distribution import ScoresDisplay
from confroc.plot.drift import DriftDisplay
from confroc.plot.intervals import (
    DecisionDisplay,
    ForecastDisplay,
    IntervalDisplay,
    IntervalsDisplay,
    RegionsDisplay,
)
from confroc.plot.precision import PrBandDisplay, PrCurveDisplay
from confroc.plot.roc import BandDisplay, CurveDisplay, CurvesDisplay, DifferenceBandDisplay
from confroc.plot.threshold import AttainedThresholdsDisplay, BestThresholdDisplay

__all__ = [
    "AttainedThresholdsDisplay",
    "BandDisplay",
    "BestThresholdDisplay",
    "CalibrationDisplay",
    "ComparisonDisplay",
    "CurveDisplay",
    "CurvesDisplay",
    "DecisionDisplay",
    "DifferenceBandDisplay",
    "DifferencesDisplay",
    "DriftDisplay",
    "ForecastDisplay",
    "IntervalDisplay",
    "IntervalsDisplay",
    "PrBandDisplay",
    "PrCurveDisplay",
    "RegionsDisplay",
    "ScoresDisplay",
    "display",
]

DISPLAYS: dict[str, Any] = {
    "AttainedThresholds": AttainedThresholdsDisplay,
    "Band": lambda band: (BandDisplay if band.design is None else DifferenceBandDisplay)(band),
    "BestThreshold": lambda best: (IntervalDisplay if best.curve is None else BestThresholdDisplay)(best),
    "CalibrationBand": CalibrationDisplay,
    "Comparison": ComparisonDisplay,
    "DecisionCurve": DecisionDisplay,
    "Differences": DifferencesDisplay,
    "DriftTable": DriftDisplay,
    "Forecast": IntervalDisplay,
    "ForecastCurve": ForecastDisplay,
    "Interval": IntervalDisplay,
    "Intervals": IntervalsDisplay,
    "PairedScores": CurvesDisplay,
    "PrBand": PrBandDisplay,
    "PrCurve": PrCurveDisplay,
    "Regions": RegionsDisplay,
    "RocCurve": CurveDisplay,
    "Scores": CurvesDisplay,
    "UnpairedScores": CurvesDisplay,
}
"""The display of each type of result or table, by name, so that plots import no statistics."""


def __dir__() -> list[str]:
    return __all__


def display(result: Any) -> Any:
    """Return the display of a result.

    Raises
    ------
    TypeError
        For a result that cannot be plotted.
    """
    for kind in type(result).__mro__:
        if kind.__name__ in DISPLAYS:
            return DISPLAYS[kind.__name__](result)
    raise ArgumentTypeError(
        "result", "be a result that can be plotted", type(result).__name__, "`.to_frame()` gives its numbers."
    )
