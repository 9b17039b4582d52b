"""Morin 2018, Figure 7: coverage and correct-forecast rates of five methods in four settings.

    python experiments/morin2018_fig7.py [replications] [seed] [quick]

Two binormal regimes, 1,000 negatives and 100 positives a segment, both classes with standard deviation 1/√2.
The reading that reproduces the figure: each replication draws one segment from the low and one from the high
regime; the sample is both together, and they are the segments that give the radius. "Coverage" asks whether
an interval holds the true area of a regime drawn at random, "forecast" whether it holds the area of a fresh
segment of that regime. 399 resamples, as in the paper. The last line,
"Calibrated", is not in the paper. With "quick" only the closed-form methods are run.
"""

from __future__ import annotations

import sys
import warnings
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import ConfrocWarning, Scores, auc_interval
from confroc.drift import auc_forecast

FloatArray: TypeAlias = NDArray[np.float64]

N_POS, N_NEG, RESAMPLES, LEVEL = 100, 1000, 399, 0.95

# (low, high): method -> (coverage rate, correct forecast rate), as printed.
FIGURE_7: dict[tuple[float, float], dict[str, tuple[float, float]]] = {
    (0.68, 0.72): {
        "Bi-normal": (0.8265, 0.6612),
        "DeLong et. al.": (0.8395, 0.6689),
        "Bootstrap": (0.8310, 0.6616),
        "Upper Bound": (0.9885, 0.9074),
        "Forecast": (0.9955, 0.9600),
    },
    (0.65, 0.75): {
        "Bi-normal": (0.2360, 0.3427),
        "DeLong et. al.": (0.2470, 0.3515),
        "Bootstrap": (0.2455, 0.3453),
        "Upper Bound": (0.7725, 0.6615),
        "Forecast": (0.9795, 0.9259),
    },
    (0.75, 0.80): {
        "Bi-normal": (0.6805, 0.5912),
        "DeLong et. al.": (0.6845, 0.5979),
        "Bootstrap": (0.6730, 0.5889),
        "Upper Bound": (0.9665, 0.8654),
        "Forecast": (0.9940, 0.9451),
    },
    (0.70, 0.70): {
        "Bi-normal": (0.951, 0.7402),
        "DeLong et. al.": (0.944, 0.7477),
        "Bootstrap": (0.941, 0.7386),
        "Upper Bound": (1.000, 0.9464),
        "Forecast": (0.999, 0.9702),
    },
}


def segment(rng: np.random.Generator, area: float) -> Scores:
    """One segment of a regime: the positives' mean is Φ⁻¹(area), the difference's variance being one."""
    spread = np.sqrt(0.5)
    pos = special.ndtri(area) + spread * rng.standard_normal(N_POS)
    return Scores(
        np.repeat([1, 0], [N_POS, N_NEG]), np.concatenate([pos, spread * rng.standard_normal(N_NEG)])
    )


def percentile_interval(rng: np.random.Generator, scores: Scores) -> tuple[float, float]:
    """`auc_interval(method="bootstrap")`, all resamples at once."""
    n_pos, n_neg, rows = scores.n_pos, scores.n_neg, len(scores.score)
    counts = []
    for count, n in ((scores.pos, n_pos), (scores.neg, n_neg)):
        at = np.repeat(np.arange(rows), count)[rng.integers(n, size=(RESAMPLES, n))]
        at += rows * np.arange(RESAMPLES)[:, None]
        counts.append(np.bincount(at.ravel(), minlength=rows * RESAMPLES).reshape(RESAMPLES, rows))
    pos, neg = counts
    areas = ((np.cumsum(pos, axis=1) - 0.5 * pos) * neg).sum(axis=1) / (n_pos * n_neg)
    low, high = np.quantile(areas, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def intervals(
    rng: np.random.Generator, low: Scores, high: Scores, quick: bool
) -> dict[str, tuple[float, float]]:
    """All methods' intervals for one replication."""
    whole = low.merge(high)
    found = {}
    for name, method in (
        ("Bi-normal", "binormal"),
        ("DeLong et. al.", "delong"),
        ("Upper Bound", "upper_bound"),
    ):
        found[name] = tuple(auc_interval(whole, method=method).confidence_interval)  # type: ignore[arg-type]
    if quick:
        return found  # type: ignore[return-value]
    found["Bootstrap"] = percentile_interval(rng, whole)
    for name, kind in (("Forecast", "paper"), ("Calibrated", "calibrated")):
        forecast = auc_forecast(whole, segments=[low, high], method=kind)  # type: ignore[arg-type]
        found[name] = tuple(forecast.confidence_interval)
    return found  # type: ignore[return-value]


def main() -> None:
    """Run all settings and print the rates beside the printed ones."""
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 2018)
    quick = sys.argv[3:] == ["quick"]
    print(f"{replications} replications a setting; rates found (printed)")
    for areas, printed in FIGURE_7.items():
        hits: dict[str, FloatArray] = {}
        width: dict[str, float] = {}
        for _ in range(replications):
            low, high = (segment(rng, a) for a in areas)
            truth = areas[int(rng.integers(2))]
            realised = segment(rng, truth).auc
            for name, (lower, upper) in intervals(rng, low, high, quick).items():
                inside = [lower <= truth <= upper, lower <= realised <= upper]
                hits[name] = hits.get(name, np.zeros(2)) + inside
                width[name] = width.get(name, 0.0) + (upper - lower) / replications
        print(f"\nA_L = {areas[0]}, A_H = {areas[1]}     coverage          forecast          mean width")
        for name in (n for n in [*printed, "Calibrated"] if n in hits):
            c, f = hits[name] / replications
            p = printed.get(name)
            beside = (f"({p[0]:.4f})", f"({p[1]:.4f})") if p else ("", "")
            print(f"{name:16s}       {c:.4f} {beside[0]:9s}  {f:.4f} {beside[1]:9s}  {width[name]:.4f}")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        main()
