"""Coverage and area of bands for the true ROC curve, side by side, to choose the default.

    python experiments/band_default.py --runs 200 --sizes 50 100 --methods equal_local_levels ks_regions

prints, for each population and size, the share of runs in which each band holds the whole true curve
and its mean area. A share of 200 runs has a standard error of 1.5 percentage points at 95 %.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from confroc import ConfrocWarning, Scores
from confroc.bands import deviates, roc_band

FloatArray = NDArray[np.float64]


class Population(NamedTuple):
    """Laws of the two classes' scores, and the curve they make."""

    name: str
    pos: Callable[[np.random.Generator, int], FloatArray]
    neg: Callable[[np.random.Generator, int], FloatArray]
    tpr: Callable[[FloatArray], FloatArray]


def binormal(auc: float, spread: float) -> Population:
    """Normal pair; positives have `spread` times the negatives' standard deviation."""
    mean = special.ndtri(auc) * math.hypot(1.0, spread)
    return Population(
        f"binormal AUC {auc:.2f} 1:{spread:g}",
        lambda rng, n: mean + spread * rng.standard_normal(n),
        lambda rng, n: rng.standard_normal(n),
        lambda x: special.ndtr((mean + special.ndtri(x)) / spread),
    )


def student() -> Population:
    """Student pair with 3 degrees of freedom, shifted by 1.8."""
    law = stats.t(3)
    return Population(
        "t3 pair",
        lambda rng, n: 1.8 + rng.standard_t(3, n),
        lambda rng, n: rng.standard_t(3, n),
        lambda x: law.sf(law.isf(x) - 1.8),
    )


def bimodal() -> Population:
    """Half of the positives are like negatives, half lie three standard deviations above."""
    return Population(
        "bimodal mixture",
        lambda rng, n: 3.0 * (rng.random(n) < 0.5) + rng.standard_normal(n),
        lambda rng, n: rng.standard_normal(n),
        lambda x: 0.5 * x + 0.5 * special.ndtr(3.0 + special.ndtri(x)),
    )


def exponential() -> Population:
    """Exponential pair with TPR = FPR^(1/4), AUC 0.8."""
    return Population(
        "exponential pair",
        lambda rng, n: 4.0 * rng.exponential(size=n),
        lambda rng, n: rng.exponential(size=n),
        lambda x: x**0.25,
    )


def rounded(auc: float) -> Population:
    """Normal pair whose scores are rounded to one decimal: heavy ties, and a curve of straight lines."""
    plain = binormal(auc, 1.0)
    mean = float(special.ndtri(auc)) * math.sqrt(2.0)
    # Rounded scores of at least k/10 come from scores of at least k/10 - 1/20.
    cut = np.arange(120, -81, -1) / 10.0 - 0.05
    fpr, tpr = special.ndtr(-cut), special.ndtr(mean - cut)
    x, y = (np.concatenate([[0.0], rate, [1.0]]) for rate in (fpr, tpr))
    return Population(
        f"rounded binormal AUC {auc:.2f}",
        lambda rng, n: np.round(plain.pos(rng, n), 1),
        lambda rng, n: np.round(plain.neg(rng, n), 1),
        lambda at: np.interp(at, x, y),
    )


POPULATIONS = {
    "b70": binormal(0.70, 1.0),
    "b85": binormal(0.85, 1.0),
    "b95": binormal(0.95, 1.0),
    "u70": binormal(0.70, 1.25),
    "u85": binormal(0.85, 1.25),
    "u95": binormal(0.95, 1.25),
    "t3": student(),
    "bimodal": bimodal(),
    "exp": exponential(),
    "tied": rounded(0.85),
}


def runs(population: Population, n_pos: int, n_neg: int, count: int, seed: int) -> Iterator[Scores]:
    """Samples of the population."""
    for child in np.random.SeedSequence([seed, n_pos, n_neg]).spawn(count):
        rng = np.random.default_rng(child)
        scores = np.concatenate([population.pos(rng, n_pos), population.neg(rng, n_neg)])
        yield Scores(np.repeat([1, 0], [n_pos, n_neg]), scores)


def parse_method(text: str) -> dict[str, Any]:
    """Read 'bootstrap:metric=sup:smoothing=False' as keyword arguments."""
    name, *options = text.split(":")
    found: dict[str, Any] = {"method": name}
    for option in options:
        key, value = option.split("=")
        found[key] = {"True": True, "False": False}.get(value, value)
    return found


def main() -> None:
    """Run the study and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=499)
    parser.add_argument("--sizes", nargs="+", default=["50", "100", "1000"], help="n, or n_pos:n_neg")
    parser.add_argument("--populations", nargs="+", default=list(POPULATIONS), choices=list(POPULATIONS))
    parser.add_argument("--methods", nargs="+", default=["equal_local_levels"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConfrocWarning)
    # So many runs repay the compiler, whatever their size.
    deviates.COMPILED_FROM = 0
    print(f"{'population':26} {'n+':>7} {'n-':>7} {'method':44} {'coverage':>8} {'area':>7} {'s/run':>6}")
    for size in options.sizes:
        n_pos, n_neg = (int(part) for part in (size.split(":") * 2)[:2])
        for key in options.populations:
            population = POPULATIONS[key]
            for text in options.methods:
                held, areas, failed, start = 0, [], 0, time.perf_counter()
                for i, scores in enumerate(runs(population, n_pos, n_neg, options.runs, options.seed)):
                    try:
                        band = roc_band(scores, rng=i, n_resamples=options.resamples, **parse_method(text))
                    except ValueError:
                        failed += 1
                        continue
                    held += band.contains(population.tpr)
                    areas.append(band.area)
                each = (time.perf_counter() - start) / options.runs
                note = f"  ({failed} failed)" if failed else ""
                print(
                    f"{population.name:26} {n_pos:7} {n_neg:7} {text:44} {held / max(1, len(areas)):8.3f} "
                    f"{np.mean(areas) if areas else math.nan:7.4f} {each:6.2f}{note}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
