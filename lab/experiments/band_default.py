"""Coverage and area of bands for the true ROC curve, to choose and to check the default.

    python lab/experiments/band_default.py --runs 400 --sizes 50 100 1000 100:1000 --out bands.csv
    python lab/experiments/band_default.py --runs 200 --sizes 10000 --out bands.csv
    python lab/experiments/band_default.py --out bands.csv --table

draw samples of each population and size in blocks of 50, count the runs in which each band contains the
whole true curve, and append one line per block to the file. Blocks already in the file are not run again,
so that a study may be stopped, resumed and extended. --table prints coverage with its Monte Carlo standard
error, and the mean area, as Markdown. All methods use the same samples.

The method `rocci` is the package of that name, where it is installed. Its band is evaluated at its own grid
points only, which favours it.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from confroc import ConfrocWarning, Scores, roc_band
from confroc.methods import FAMILIES

FloatArray = NDArray[np.float64]
BLOCK = 50
COLUMNS = ("population", "n_pos", "n_neg", "method", "resamples", "seed", "block", "held", "failed", "area")


class Population(NamedTuple):
    """Distributions of the two classes' scores, and the curve they make."""

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


def sample(
    population: Population, n_pos: int, n_neg: int, seed: int, run: int
) -> tuple[FloatArray, FloatArray]:
    """Scores of the positives and of the negatives in one run."""
    rng = np.random.default_rng([seed, n_pos, n_neg, run])
    return population.pos(rng, n_pos), population.neg(rng, n_neg)


def parse_method(text: str) -> dict[str, Any]:
    """Read 'bootstrap:metric=sup:smoothing=False' as keyword arguments."""
    name, *options = text.split(":")
    found: dict[str, Any] = {"method": name}
    for option in options:
        key, value = option.split("=")
        found[key] = {"True": True, "False": False}.get(value, value)
    return found


def one_band(
    text: str, population: Population, pos: FloatArray, neg: FloatArray, resamples: int, run: int
) -> Any:
    """Whether the band of one sample contains the true curve, and its area."""
    y, scores = np.repeat([1, 0], [len(pos), len(neg)]), np.concatenate([pos, neg])
    if text == "rocci":
        import rocci

        peer = rocci.roc_band(y, scores, random_state=run, n_threads=1)
        truth = population.tpr(peer.fpr)
        inside = (truth >= peer.lower - 1e-12) & (truth <= peer.upper + 1e-12)
        return bool(inside.all()), float(peer.band_area)
    options = parse_method(text)
    if options.get("calibration") != "exact":
        options |= FAMILIES["roc_band"].taken(
            options.get("method", FAMILIES["roc_band"].default), {"n_resamples": resamples}
        )
    band = roc_band(Scores(y, scores), rng=run, **options)
    return band.contains(population.tpr), band.area


def run_block(
    key: str, n_pos: int, n_neg: int, text: str, options: argparse.Namespace, block: int
) -> list[Any]:
    """Fifty runs, as a line of the file."""
    held, failed, area = 0, 0, 0.0
    for run in range(block * BLOCK, (block + 1) * BLOCK):
        pos, neg = sample(POPULATIONS[key], n_pos, n_neg, options.seed, run)
        try:
            inside, size = one_band(text, POPULATIONS[key], pos, neg, options.resamples, run)
        except ValueError:
            failed += 1
            continue
        held, area = held + inside, area + size
    resamples = 2000 if text == "rocci" else options.resamples
    return [key, n_pos, n_neg, text, resamples, options.seed, block, held, failed, round(area, 6)]


def study(options: argparse.Namespace) -> None:
    """Run what is missing from the file."""
    new = not options.out.exists()
    done = set()
    if not new:
        with options.out.open() as file:
            done = {tuple(row[c] for c in COLUMNS[:7]) for row in csv.DictReader(file)}
    with options.out.open("a", newline="") as file:
        lines = csv.writer(file)
        if new:
            lines.writerow(COLUMNS)
        for size in options.sizes:
            n_pos, n_neg = (int(part) for part in (size.split(":") * 2)[:2])
            for key in options.populations:
                for text in options.methods:
                    start = time.perf_counter()
                    for block in range(math.ceil(options.runs / BLOCK)):
                        resamples = 2000 if text == "rocci" else options.resamples
                        cell = (key, n_pos, n_neg, text, resamples, options.seed, block)
                        if tuple(map(str, cell)) not in done:
                            lines.writerow(run_block(key, n_pos, n_neg, text, options, block))
                            file.flush()
                    took = time.perf_counter() - start
                    print(
                        f"{POPULATIONS[key].name:26} {n_pos:6}+{n_neg:<6} {text:40} {took:6.0f} s", flush=True
                    )


def table(path: Path) -> None:
    """Print coverage, its standard error, runs and mean area of every cell as Markdown."""
    cells: dict[tuple[str, str], dict[str, list[float]]] = {}
    methods: list[str] = []
    with path.open() as file:
        for row in csv.DictReader(file):
            name = POPULATIONS[row["population"]].name
            cell = cells.setdefault((name, f"{row['n_pos']} + {row['n_neg']}"), {})
            tally = cell.setdefault(row["method"], [0.0, 0.0, 0.0])
            for i, value in enumerate((BLOCK - int(row["failed"]), int(row["held"]), float(row["area"]))):
                tally[i] += value
            if row["method"] not in methods:
                methods.append(row["method"])
    print("| population | n⁺ + n⁻ |" + "".join(f" {m}: coverage (runs) | area |" for m in methods))
    print("| --- | --- |" + " --- | --- |" * len(methods))
    for (name, size), cell in cells.items():
        line = f"| {name} | {size} |"
        for method in methods:
            count, held, area = cell.get(method, (0.0, 0.0, 0.0))
            if count:
                share = held / count
                error = math.sqrt(max(share * (1.0 - share), 1.0 / count) / count)
                line += f" {100 * share:.1f} ± {100 * error:.1f} % ({count:.0f}) | {area / count:.4f} |"
            else:
                line += " | |"
        print(line)


def main() -> None:
    """Run the study, or print its table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("band_default.csv"), help="file of results")
    parser.add_argument("--table", action="store_true", help="print what the file holds, and stop")
    parser.add_argument("--runs", type=int, default=200, help="rounded up to blocks of 50")
    parser.add_argument("--resamples", type=int, default=499)
    parser.add_argument("--sizes", nargs="+", default=["50", "100", "1000"], help="n, or n_pos:n_neg")
    parser.add_argument("--populations", nargs="+", default=list(POPULATIONS), choices=list(POPULATIONS))
    parser.add_argument("--methods", nargs="+", default=["equal_local_levels"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConfrocWarning)
    if options.table:
        table(options.out)
    else:
        study(options)


if __name__ == "__main__":
    main()
