"""Two models at false positive rates of 1 to 10%.

A screening test is used at a low false positive rate, about which the area under the whole curve contains
little information. Two models score the same 2,000 simulated cases, a fifth of them positive. The picture
shows the difference of their true positive rates with 95% intervals at steps of 0.1%. The output also has the
precision of each model if 10% of the cases are predicted positive.
"""

import matplotlib.pyplot as plt
import numpy as np

from confroc import PairedScores, auc_difference
from confroc.points import rates_at_positive_rate, tpr_at_fpr, tpr_difference_at_fpr

rng = np.random.default_rng(2)
y = (rng.random(2000) < 0.2).astype(int)
common = rng.normal(size=2000)
model_a = 0.8 * common + 0.6 * rng.normal(size=2000) + 1.9 * y
# Model b has a heavier tail of high-scoring negatives, which costs it most at low false positive rates.
model_b = 0.8 * common + 0.6 * rng.standard_t(2.2, size=2000) + 2.1 * y
pair = PairedScores(y, model_a, model_b)

fpr = np.arange(10, 101) / 1000
difference = tpr_difference_at_fpr(pair, fpr=fpr)
better = difference.lower > 0

print(auc_difference(pair))
print(f"{difference.quantity}: {difference.method}, level {difference.confidence_level}, {difference.kind}")
for note in difference.notes:
    print(note)
print("  fpr  difference       interval")
for i in range(0, len(fpr), 10):
    at, estimate = difference.at[i], difference.estimate[i]
    print(f"{at:5.3f}  {estimate:+10.3f}  {difference.lower[i]:+.3f} to {difference.upper[i]:+.3f}")
print(f"Pointwise, a is significantly better at {better.sum()} of {len(fpr)} rates.")

budget = [rates_at_positive_rate(scores, positive_rate=0.1) for scores in (pair.a, pair.b)]
for name, result in zip("ab", budget, strict=True):
    p = result.precision
    ends = f"{p.lower[0]:.3f} to {p.upper[0]:.3f}"
    print(f"model {name}, 10% predicted positive: precision {p.estimate[0]:.3f} (95% CI {ends})")

figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
lines = [
    tpr_at_fpr(scores, fpr=fpr).plot(ax=left, name=f"model {name}", labels="none").line_
    for name, scores in (("a", pair.a), ("b", pair.b))
]
left.set(xlim=(0, 0.105), aspect="auto", title="true positive rates, 95% intervals")
left.legend(handles=lines, loc="lower right")
difference.plot(ax=right)
right.set_title("a - b, pointwise 95% intervals")
plt.show()
