"""The AUC after drift.

A confidence interval refers to the population that was sampled. The hourglass shows the lowest and the
highest AUC of all populations within a given distance of the sample (Morin 2018). The dotted line marks a
Jeffreys divergence of 0.1, summed over both classes.
"""

import matplotlib.pyplot as plt
import numpy as np

from confroc import Scores, auc_forecast, auc_interval, forecast_curve
from confroc.plot import ForecastDisplay

rng = np.random.default_rng(5)
y = np.repeat([0, 1], [2000, 300])
scores = Scores(y, rng.normal(size=y.size) + 1.4 * y)
today = {method: auc_interval(scores, method=method) for method in ("score_delong", "upper_bound")}
print(auc_forecast(scores, jeffreys=0.1))

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
ForecastDisplay(forecast_curve(scores, divergence="jeffreys"), today).plot(ax=ax)
ax.axvline(0.1, color="0.4", linestyle=":")

plt.show()
