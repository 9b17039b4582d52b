"""A point chosen beforehand, or the whole curve: what each interval promises.

A pointwise interval holds at one false positive rate that was fixed before looking. A band holds at all of
them together, so it is wider; whoever reads several points off a curve needs the band. The cases are those
of Turck et al. (2010).
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

print(f"the band's area is {band.area:.2f} of the square; it holds the whole curve: {band.guarantee}")
for at, low, high in zip(points.at, points.lower, points.upper, strict=True):
    print(f"at a false positive rate of {at:.3f} the true positive rate is {low:.2f} to {high:.2f}")

plt.show()
