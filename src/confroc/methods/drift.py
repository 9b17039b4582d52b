"""The methods of areas after drift."""

from __future__ import annotations

from confroc.methods.register import Method, function

AUC_FORECAST = function(
    "auc_forecast",
    "Area to expect after drift",
    [
        Method(
            "paper",
            "Forecast within the mean divergence of segments",
            "The extreme areas of all reweightings of these cases within a distance. Unless it is given, the "
            "distance is the mean divergence of known segments from the whole, on quantile bins, or that of "
            "resamples.",
            caution="The distance has no stated coverage, and depends on the numbers of bins and segments.",
            papers=("morin2018",),
        ),
        Method(
            "calibrated",
            "Forecast calibrated to a prediction interval",
            "The extreme areas of all reweightings of these cases within the distance at which they are, to "
            "first order, a prediction interval for the area of the next sample: the segments' variance "
            "beyond sampling, and Student's t.",
            caution="Few segments say little about the next one; with two the interval is very wide.",
            papers=("morin2018",),
        ),
    ],
)
