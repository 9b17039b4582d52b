"""Draw the README's picture: two ROC curves of the example data, each with its confidence band.

Run from the project's root: python examples/readme_figure.py
"""

from pathlib import Path

import matplotlib.pyplot as plt

from confroc import auc_interval, read_scores, roc_band

ROOT = Path(__file__).resolve().parents[1]
pair = read_scores(ROOT / "examples" / "asah.csv", label="outcome", score=("wfns", "ndka"), pos_label="Poor")

figure, axes = plt.subplots(1, 2, figsize=(9.5, 5.3), sharey=True, layout="constrained")
for ax, name, scores in zip(axes, ("wfns", "ndka"), (pair.a, pair.b), strict=True):
    interval = auc_interval(scores)
    roc_band(scores, rng=0).plot(ax=ax, name=name)
    ax.set_title(
        f"{name}: AUC {interval.estimate:.2f}, 95% interval {interval.lower:.2f} to {interval.upper:.2f}"
    )
figure.savefig(ROOT / "docs" / "images" / "readme.png", dpi=110)
