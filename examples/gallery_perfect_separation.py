"""Intervals for an AUC of 1.

Twelve positives all score higher than twelve negatives. DeLong's variance is zero, and so is that of the
bootstrap, because every resample separates the classes perfectly, too. The other intervals have a positive
width.
"""

import warnings

import matplotlib.pyplot as plt

from confroc import ConfrocWarning, Scores, auc_interval, roc_band
from confroc.plot import IntervalDisplay

scores = Scores([0] * 12 + [1] * 12, range(24))
methods = ("score_delong", "newcombe", "upper_bound", "delong", "bootstrap")
intervals = {}
with warnings.catch_warnings(record=True) as issued:
    warnings.simplefilter("always", ConfrocWarning)
    for method in methods:
        intervals[method] = auc_interval(scores, method=method, rng=0)
for warning in issued:
    print(f"warning: {warning.message}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
IntervalDisplay(list(intervals.values())).plot(
    ax=left, name=[f"{method} ({interval.method})" for method, interval in intervals.items()]
)
roc_band(scores, method="ks_regions").plot(ax=right)

plt.show()
