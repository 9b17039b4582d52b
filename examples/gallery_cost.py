"""Costs of two models, and the best threshold.

Two models score the same 1,500 simulated cases, a third of them positive. Thresholds are chosen on 1,500
other cases. The upper panel shows both cost curves with simultaneous bands and the trivial classifiers. The
lower panel shows their difference; its band shows for which w one model is significantly cheaper. The output
ends with one decision: a false negative costs 500, a false positive 60, and the prevalence is 0.1.
"""

import matplotlib.pyplot as plt
import numpy as np

from confroc import PairedScores
from confroc.cost import cost_band, cost_difference_band, expected_cost, trivial_cost

rng = np.random.default_rng(4)


def cases(n: int) -> PairedScores:
    """Cases of both classes, scored by both models."""
    y = rng.random(n) < 1 / 3
    common = rng.normal(size=n)
    a = 2.0 * y + 0.6 * common + 0.8 * rng.normal(size=n)
    # The scores of positives vary more under model b.
    b = np.where(y, 1.6, 1.0) * (0.6 * common + 0.8 * rng.normal(size=n)) + 2.1 * y
    return PairedScores(y, a, b)


test, validation = cases(1500), cases(1500)
bands = {
    "model a": cost_band(test.a, validation=validation.a, rng=1),
    "model b": cost_band(test.b, validation=validation.b, rng=1),
}
difference = cost_difference_band(test, validation=validation, rng=1)

figure, (upper, lower) = plt.subplots(2, 1, figsize=(6.5, 7), sharex=True, layout="constrained")
colors = {"a": "#0072B2", "b": "#D55E00"}
# The two trivial classifiers: everybody positive, and nobody.
w = np.linspace(0, 1, 3)
upper.plot(w, trivial_cost(w), color="0.6", linestyle="--")
for name, band in bands.items():
    band.plot(ax=upper, name=name, color=colors[name[-1]])
    for r in band.cheaper():
        print(f"{name}: {r}")
upper.set(xlabel="", ylim=(0, 0.3))

difference.plot(ax=lower, color="0.4")
for r in difference.cheaper():
    print(r)
    lower.axvspan(r.low, r.high, color=colors[r.cheaper], alpha=0.15)

for name, scores, other in (("model a", test.a, validation.a), ("model b", test.b, validation.b)):
    cost = expected_cost(scores, false_negative=500, false_positive=60, prior=0.1, validation=other, rng=1)
    print(
        f"{name}: threshold {cost.threshold:.2f} ({cost.threshold_lower:.2f} to {cost.threshold_upper:.2f}), "
        f"cost per case {cost.estimate:.2f} (95% CI {cost.lower:.2f} to {cost.upper:.2f}), "
        f"without a model {cost.trivial:.2f}"
    )

plt.show()
