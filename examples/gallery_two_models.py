"""Two models on the same cases, and where their curves differ.

The difference between the areas shows which model ranks the cases better overall. The simultaneous band for
the difference between the *curves* shows at which false positive rates.
"""

import matplotlib.pyplot as plt
import numpy as np

from confroc import PairedScores, auc_difference, roc_band, roc_curve, roc_difference_band
from confroc.plot import BandDisplay

rng = np.random.default_rng(11)
y = np.repeat([0, 1], [900, 450])
common = rng.normal(size=y.size)
a = 1.9 * y + 0.7 * common + 0.7 * rng.normal(size=y.size)
b = 1.2 * y + 0.7 * common + 0.7 * rng.normal(size=y.size)
pair = PairedScores(y, a, b)
print(auc_difference(pair))

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
for name, scores in (("model a", pair.a), ("model b", pair.b)):
    BandDisplay(roc_band(scores, rng=1), roc_curve(scores)).plot(ax=left, name=name)
difference = roc_difference_band(pair, rng=1)
difference.plot(ax=right, name="a minus b")
for low, high in difference.different_at:
    print(f"The curves differ significantly at false positive rates from {low:.3f} to {high:.3f}.")

plt.show()
