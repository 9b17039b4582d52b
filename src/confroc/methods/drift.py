"""The methods of areas after drift."""

from __future__ import annotations

from confroc.methods.register import Method, function

AUC_FORECAST = function(
    "auc_forecast",
    "Area to expect after drift",
    [
        Method(
            "calibrated",
            "Forecast with sampling error",
            "The extreme areas of all reweightings of these cases within a distance that allows for drift "
            "and for the sampling error of today's area. With a budget they contain the areas of all "
            "populations within it; with segments, or with neither, they are a prediction interval for the "
            "area of the next sample.",
            options=("confidence_level",),
            caution="That the drift stays within the budget, or is like that between the segments, is an "
            "assumption; with two or three segments the interval is very wide, and where each is in one of "
            "two regimes far apart it contains the next one's area in 0.75 or 0.875 only.",
            papers=("morin2018",),
        ),
        Method(
            "paper",
            "Forecast within a distance alone",
            "The extreme areas of all reweightings of these cases within a distance. Unless it is given, the "
            "distance is the mean divergence of known segments from the whole, on quantile bins, or that of "
            "resamples.",
            options=("n_bins", "n_resamples"),
            caution="The sampling error of today's area is left out and there is no stated coverage; a "
            "distance from segments depends on the numbers of bins and segments.",
            papers=("morin2018",),
        ),
    ],
)
