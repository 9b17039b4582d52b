"""Pointwise intervals and a simultaneous band.

A pointwise interval is for one false positive rate fixed in advance. A band is simultaneous over all rates
and therefore wider; use it to read several points of a curve. The data are from Turck et al. (2010).
"""

import matplotlib.pyplot as plt

from confroc import rates_at_threshold, read_scores, roc_band, roc_curve, tpr_at_fpr
from confroc.plot import BandDisplay

scores = read_scores("asah.csv", label="outcome", score="s100b", pos_label="Poor")
band = roc_band(scores, rng=0)
points = tpr_at_fpr(scores, fpr=[0.1, 0.25, 0.5])
region = rates_at_threshold(scores, threshold=0.2)

figure, ax = plt.subplots(figsize=(5.5, 5.5), layout="constrained")
BandDisplay(band, roc_curve(scores)).plot(ax=ax, name="s100b")
points.plot(ax=ax, name="three points")
region.plot(ax=ax, name="threshold 0.2")

print(f"The band covers {band.area:.2f} of the unit square (guarantee: {band.guarantee}).")
for at, low, high in zip(points.at, points.lower, points.upper, strict=True):
    print(f"At an FPR of {at:.3f} the 95% CI of the TPR is {low:.2f} to {high:.2f}.")

plt.show()
