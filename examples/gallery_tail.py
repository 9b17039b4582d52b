"""Low false positive rates on three scales.

At a false positive rate of one in a thousand the usual figure shows nothing. A zoom, a logarithmic axis and
axes of normal deviates, on which binormal curves are straight lines, show this part of the curve.
"""

import matplotlib.pyplot as plt
import numpy as np

from confroc import Scores, roc_band, roc_curve
from confroc.plot import BandDisplay

rng = np.random.default_rng(3)
y = np.repeat([0, 1], [20_000, 400])
scores = Scores(y, rng.normal(size=y.size) + 2.2 * y)
display = BandDisplay(roc_band(scores, method="ks_regions"), roc_curve(scores))
local = BandDisplay(roc_band(scores, rng=0), roc_curve(scores))

figure, axes = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
for ax, options in zip(axes, ({"fpr_max": 0.02}, {"scale": "log"}, {"scale": "probit"}), strict=True):
    display.plot(ax=ax, name="KS", **options)
    local.plot(ax=ax, name="local")

plt.show()
