"""Coverage and width of closed-form intervals for the AUC, to choose the default.

    python lab/experiments/auc_default.py [replications] [seed]

Populations: binormal with AUC from 0.5 to 0.999 and positives with half, equal or twice the spread of the
negatives, continuous and grouped into five categories of equal probability. Sizes (positives, negatives):
(10, 10), (30, 30), (100, 100), (20, 200), (200, 20), (1000, 1000). Where DeLong's variance is zero,
"delong" and "logit_delong" fall back on "newcombe", as they do in `auc_interval`.

Every sample is a row of counts, and the functions behind `auc_interval` process all rows at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from confroc.auditing import formulas as forms
from confroc.auditing.formulas import normal_quantile
from confroc_lab._types import Ends

FloatArray: TypeAlias = NDArray[np.float64]
Cell: TypeAlias = tuple[int | None, int, int, float, float]

SIZES = ((10, 10), (30, 30), (100, 100), (20, 200), (200, 20), (1000, 1000))
AREAS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)
SPREADS = (0.5, 1.0, 2.0)
LEVEL = 0.95
DF_EDGES = (0.0, 5.0, 10.0, 20.0, 50.0, np.inf)


@dataclass(frozen=True)
class Population:
    """Negatives N(0, 1), positives N(mean, spread), cut into `categories` of equal probability if given."""

    area: float
    spread: float
    categories: int | None

    @property
    def mean(self) -> float:
        """Mean of the positives."""
        return float(special.ndtri(self.area)) * float(np.sqrt(1.0 + self.spread**2))

    def shares(self, categories: int) -> tuple[FloatArray, FloatArray]:
        """Probability of each category, from the top, for positives and for negatives."""

        def excess(x: float, share: float) -> float:
            mixed = 0.5 * (special.ndtr(x) + special.ndtr((x - self.mean) / self.spread))
            return float(mixed - share)

        cuts = np.array([brentq(excess, -60.0, 60.0, args=(i / categories,)) for i in range(1, categories)])
        below = [special.ndtr((cuts - m) / s) for m, s in ((self.mean, self.spread), (0.0, 1.0))]
        pos, neg = (np.diff(np.concatenate([[0.0], b, [1.0]]))[::-1] for b in below)
        return pos, neg

    def true_area(self) -> float:
        """Area under the population's own curve, ties one half."""
        if self.categories is None:
            return self.area
        pos, neg = self.shares(self.categories)
        return float(np.dot(neg, np.cumsum(pos) - 0.5 * pos))

    def samples(
        self, rng: np.random.Generator, n_pos: int, n_neg: int, n: int
    ) -> tuple[FloatArray, FloatArray]:
        """Counts of n samples, one a row, by decreasing score."""
        if self.categories is not None:
            pos, neg = self.shares(self.categories)
            return rng.multinomial(n_pos, pos, n).astype(float), rng.multinomial(n_neg, neg, n).astype(float)
        scores = np.concatenate(
            [self.mean + self.spread * rng.standard_normal((n, n_pos)), rng.standard_normal((n, n_neg))],
            axis=1,
        )
        positive = np.argsort(-scores, axis=1) < n_pos
        return positive.astype(float), (~positive).astype(float)


def moments(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Empirical area, DeLong's variance and its degrees of freedom, a sample a row."""
    n_pos, n_neg = pos[0].sum(), neg[0].sum()
    of_neg = (np.cumsum(pos, axis=1) - 0.5 * pos) / n_pos
    of_pos = 1.0 - (np.cumsum(neg, axis=1) - 0.5 * neg) / n_neg
    area = (of_neg * neg).sum(axis=1) / n_neg
    total = np.zeros(len(area))
    parts = np.zeros(len(area))
    for values, count, n in ((of_pos, pos, n_pos), (of_neg, neg, n_neg)):
        squares = (values - area[:, None]) ** 2
        s2 = (squares * count).sum(axis=1) / (n - 1)
        s2 = np.where(s2 > 1e-30, s2, 0.0)
        noise = ((squares**2 * count).sum(axis=1) / n - s2**2 * (n - 3) / (n - 1)) / n
        df = np.where(noise > 0.0, np.minimum(n - 1, 2.0 * s2**2 / np.maximum(noise, 1e-300)), n - 1)
        total += s2 / n
        parts += np.where(s2 > 0.0, (s2 / n) ** 2 / np.where(s2 > 0.0, df, 1.0), 0.0)
    return area, total, np.where(total > 0.0, total**2 / np.where(total > 0.0, parts, 1.0), 0.0)


def intervals(
    area: FloatArray, variance: FloatArray, df: FloatArray, n_pos: int, n_neg: int
) -> dict[str, Ends]:
    """Limits of each method, a sample an entry."""
    z = normal_quantile(LEVEL)
    newcombe = forms.score_ends(area, 1.0, n_pos, n_neg, z)
    usable = (variance > 0.0) & (area > 0.0) & (area < 1.0)
    safe_area, safe_variance = np.where(usable, area, 0.5), np.where(usable, variance, 1.0)

    def or_newcombe(ends: Ends) -> Ends:
        return np.where(usable, ends[0], newcombe[0]), np.where(usable, ends[1], newcombe[1])

    model = forms.hanley_mcneil_variance(safe_area, n_pos, n_neg)
    return {
        "delong": or_newcombe(forms.wald_ends(safe_area, safe_variance, z)),
        "logit_delong": or_newcombe(forms.logit_ends(safe_area, safe_variance, z)),
        "hanley_mcneil": or_newcombe(forms.wald_ends(safe_area, model, z)),
        "newcombe": newcombe,
        "upper_bound": forms.upper_bound_ends(area, n_pos, n_neg, z),
        "score_delong": forms.score_delong_ends(area, variance, df, n_pos, n_neg, 0.5 * (1.0 - LEVEL)),
    }


def cells() -> Iterator[tuple[Population, int, int]]:
    """All populations at all sizes."""
    for categories in (None, 5):
        for n_pos, n_neg in SIZES:
            for area in AREAS:
                for spread in SPREADS:
                    yield Population(area, spread, categories), n_pos, n_neg


def groups() -> dict[str, Callable[[Cell], bool]]:
    """Sets of cells to summarize."""
    chosen: dict[str, Callable[[Cell], bool]] = {
        "all": lambda cell: True,  # noqa: ARG005
        "continuous": lambda cell: cell[0] is None,
        "5 categories": lambda cell: cell[0] is not None,
    }
    for size in SIZES:
        chosen[f"{size}"] = lambda cell, size=size: cell[1:3] == size  # type: ignore[misc]
    return chosen


def main() -> None:
    """Run the study and print its tables."""
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    coverage: dict[str, list[float]] = {}
    width: dict[str, list[float]] = {}
    labels: list[Cell] = []
    by_df: dict[str, FloatArray] = {}
    for population, n_pos, n_neg in cells():
        n = replications if n_pos + n_neg <= 300 else replications // 4
        truth = population.true_area()
        area, variance, df = moments(*population.samples(rng, n_pos, n_neg, n))
        for name, (low, high) in intervals(area, variance, df, n_pos, n_neg).items():
            hit = (low <= truth + 1e-12) & (truth <= high + 1e-12)
            coverage.setdefault(name, []).append(float(hit.mean()))
            width.setdefault(name, []).append(float((high - low).mean()))
            where = np.digitize(df, DF_EDGES) - 1
            tally = by_df.setdefault(name, np.zeros((2, len(DF_EDGES) - 1)))
            for k, weight in enumerate((hit.astype(float), np.ones(n))):
                tally[k] += np.bincount(where, weights=weight, minlength=len(DF_EDGES) - 1)
        labels.append((population.categories, n_pos, n_neg, population.area, population.spread))
    print(f"{replications} replications a cell (a quarter of it at 1000 + 1000), level {LEVEL}")
    reference = np.array(width["newcombe"])
    for title, member in groups().items():
        at = np.array([member(cell) for cell in labels])
        print(f"\n{title}: {at.sum()} cells")
        print(
            "method         mean    min    |cov-.95|  below .93  width/newcombe  "
            "worst cell (categories, n+, n-, AUC, spread)"
        )
        for name, values in coverage.items():
            c = np.array(values)[at]
            relative = float(np.mean((np.array(width[name]) / reference)[at]))
            worst = [label for label, inside in zip(labels, at, strict=True) if inside][int(c.argmin())]
            print(
                f"{name:14s} {c.mean():.4f} {c.min():.3f}  {np.abs(c - LEVEL).mean():.4f}     "
                f"{(c < 0.93).mean():.2f}       {relative:.3f}           {worst}"
            )
    print("\ncoverage by degrees of freedom of DeLong's variance, all cells:", DF_EDGES)
    for name, (hits, number) in by_df.items():
        print(f"{name:14s}", np.round(hits / number, 3))


if __name__ == "__main__":
    main()
