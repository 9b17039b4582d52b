"""Figures for a paper, in column width.

Most journals have columns 3.5 inches wide, use letters of 7 or 8 points, and require text in PDF files to
remain text. Set this once, and all displays fit: the legend below the axes contains the areas with their
intervals, long names are wrapped or shortened, and axes have titles in words. State the level and the kind of
each interval in the caption, as in the comments below. The data are from Turck et al. (2010): 113 patients,
three markers.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from confroc import auc_comparison, auc_forecast, auc_interval, cost_band, forecast_curve, read_scores
from confroc.plot import BandDisplay, CurveDisplay, ForecastDisplay

plt.rcParams.update(
    {
        # Text remains text in PDF and SVG files, as journals require.
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "none",
        "font.size": 8,
        "axes.linewidth": 0.6,
        "savefig.dpi": 300,
    }
)
COLUMN = 3.5
folder = Path(tempfile.mkdtemp())

markers = read_scores("asah.csv", label="outcome", score=("s100b", "ndka", "wfns"), pos_label="Poor")

# %%
# The curves, each with the interval of its area. `from_scores` computes it by `auc_interval`; a display made
# from results receives it as an argument, `CurveDisplay(curve, auc)`.

figure, ax = plt.subplots(figsize=(COLUMN, COLUMN), layout="constrained")
for name, scores in markers.items():
    CurveDisplay.from_scores(scores, ax=ax, name=name)
figure.savefig(folder / "curves.pdf")

# %%
# One curve in its band. Caption: "The band contains the whole true curve with 95% confidence; the interval
# of the area is separate."

figure, ax = plt.subplots(figsize=(COLUMN, COLUMN), layout="constrained")
BandDisplay.from_scores(markers["s100b"], ax=ax, name="S100B", band_kwargs={"rng": 0})
figure.savefig(folder / "band.pdf")

# %%
# Costs of two markers by the weight of a false negative, each with a simultaneous band for all weights.

figure, ax = plt.subplots(figsize=(COLUMN, 2.8), layout="constrained")
for name in ("wfns", "ndka"):
    cost_band(markers[name], rng=0).plot(ax=ax, name=name)
figure.savefig(folder / "costs.pdf")

# %%
# The area after drift, and that of today. Caption: "Shaded: areas of all populations within that distance.
# Bar: 95% interval of today's area."

scores = markers["s100b"]
figure, ax = plt.subplots(figsize=(COLUMN, 2.8), layout="constrained")
hourglass = forecast_curve(scores, radius=np.geomspace(1e-3, 1.0, 60), divergence="jeffreys")
ForecastDisplay(hourglass, {"today": auc_interval(scores)}).plot(ax=ax, name="S100B")
figure.savefig(folder / "forecast.pdf")
print(auc_forecast(scores, jeffreys=0.1))

# %%
# The comparison: areas with simultaneous intervals, by rank, and the markers that may be best.

compared = auc_comparison(markers)
figure, ax = plt.subplots(figsize=(COLUMN, 1.8), layout="constrained")
compared.plot(ax=ax)
figure.savefig(folder / "comparison.pdf")
print(compared)

plt.show()
