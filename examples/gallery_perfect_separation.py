"""An AUC of 1 is not certain: intervals where others have zero width.

Twelve positives all score higher than twelve negatives. DeLong's variance is zero, and so is the
bootstrap's: every resample separates perfectly, too. What the data do leave open shows in the intervals
that do not take the sample for the truth.
"""

import warnings

import matplotlib.pyplot as plt

from confroc import ConfrocWarning, Scores, auc_interval, roc_band
from confroc.plot import IntervalDisplay

scores = Scores([0] * 12 + [1] * 12, range(24))
methods = ("score_delong", "newcombe", "upper_bound", "delong", "bootstrap")
intervals = {}
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always", ConfrocWarning)
    for method in methods:
        intervals[method] = auc_interval(scores, method=method, rng=0)
for warning in said:
    print(f"warning: {warning.message}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
IntervalDisplay(list(intervals.values())).plot(
    ax=left, name=[f"{asked} ({found.method})" for asked, found in intervals.items()]
)
roc_band(scores, method="ks_regions").plot(ax=right)

plt.show()
