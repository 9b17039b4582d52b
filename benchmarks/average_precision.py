"""Coverage of the default interval of the average precision, and of the plain logit interval next to it.

`python benchmarks/average_precision.py [replications]` prints the table of docs/theory/precision.md. Scores
are normal in both classes, cases are drawn whatever their class. Given the positives, only the numbers of
negatives between them matter, and these are multinomial; so all samples of one size are computed at once.
`--check` compares this with the package, sample by sample; `--recall` is for the precision at a recall.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from scipy import special, stats

from confroc import Scores, average_precision, precision_at_recall
from confroc._types import FloatArray

LEVEL = 0.95
Sample = tuple[int, int, FloatArray]
Ends = tuple[FloatArray, FloatArray]


def truth(prevalence: float, auc: float, deviation: float) -> float:
    """Average precision of the population."""
    recall = (np.arange(200_000) + 0.5) / 200_000
    score = np.hypot(1.0, deviation) * special.ndtri(auc) + deviation * special.ndtri(1.0 - recall)
    fpr = special.ndtr(-score)
    return float(np.mean(prevalence * recall / (prevalence * recall + (1.0 - prevalence) * fpr)))


def samples(
    rng: np.random.Generator, count: int, n: int, prevalence: float, auc: float, deviation: float
) -> Iterator[Sample]:
    """Numbers of positives and negatives, and negatives above each positive and below the last."""
    sizes = np.maximum(rng.binomial(n, prevalence, count), 2)
    for n_pos in np.unique(sizes):
        shape = (int((sizes == n_pos).sum()), n_pos)
        score = np.hypot(1.0, deviation) * special.ndtri(auc) + deviation * rng.standard_normal(shape)
        above = special.ndtr(np.sort(-score, axis=1))
        share = np.diff(above, axis=1, prepend=0.0, append=1.0)
        yield int(n_pos), n - int(n_pos), rng.multinomial(n - n_pos, share).astype(np.float64)


def intervals(n_pos: int, n_neg: int, gaps: FloatArray) -> tuple[Ends, Ends]:
    """The default interval of each sample, and the logit interval."""
    hits, alarms = np.arange(1.0, n_pos + 1.0), np.cumsum(gaps[:, :-1], axis=1)
    share, n = hits / (hits + alarms), n_pos + n_neg
    value = share.mean(axis=1)
    others = np.maximum(hits + alarms - 1.0, 1.0)
    fewer, better = (hits - 1.0) / others, hits / others
    up = np.cumsum(share, axis=1)
    down = [np.cumsum(part[:, ::-1], axis=1)[:, ::-1] for part in (fewer, better)]
    no_pos = (up - share + down[0] - fewer) / (n_pos - 1)
    no_neg = (np.pad(up, ((0, 0), (1, 0))) + np.pad(down[1], ((0, 0), (0, 1)))) / n_pos
    means = no_pos.mean(axis=1), (no_neg * gaps).sum(axis=1) / n_neg
    bias = (n_pos - 1) * (means[0] - value) + (n_neg - 1) * (means[1] - value)
    middle = ((n_pos * means[0] + n_neg * means[1]) / n)[:, None]
    variance, noise = np.zeros(len(gaps)), np.zeros(len(gaps))
    for left, count, size in ((no_pos, np.ones_like(no_pos), n_pos), (no_neg, gaps, n_neg)):
        influence = (n - 1) * size / n * (middle - left)
        second = (influence**2 * count).sum(axis=1) / (size - 1)
        fourth = (influence**4 * count).sum(axis=1) / size
        of_second = (fourth - second**2 * (size - 3) / (size - 1)) / size
        df = np.divide(2.0 * second**2, of_second, out=np.full(len(gaps), size - 1.0), where=of_second > 0.0)
        variance += second / size
        noise += (second / size) ** 2 / np.clip(df, 1e-9, size - 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t, miss = stats.t.ppf(0.5 + LEVEL / 2.0, variance**2 / noise), 1.0 - value
        moved = 1.0 - miss * np.exp(np.minimum(bias / miss + 0.5 * variance / miss**2, 50.0))
        moved = np.clip(moved, value / 50.0, 1.0 - 1e-9)
        half_way = 0.5 * (value + moved)
        half = t * np.hypot(np.sqrt(variance), bias) / (half_way * (1.0 - half_way))
        plain = t * np.sqrt(variance) / (value * miss)
        ends = [special.expit(special.logit(moved) + sign * half) for sign in (-1.0, 1.0)]
        logit = [special.expit(special.logit(value) + sign * plain) for sign in (-1.0, 1.0)]
    # Without an error the default has a lower limit of its own, and contains any truth of the table.
    perfect = value == 1.0
    corrected = (
        np.where(perfect, 0.0, np.minimum(ends[0], value)),
        np.where(perfect, 1.0, np.maximum(ends[1], value)),
    )
    return corrected, (np.where(perfect, 0.0, logit[0]), np.where(perfect, 1.0, logit[1]))


def table_of(row: FloatArray) -> Scores:
    """The table of a sample: a score for each positive, and one for the negatives of each gap."""
    n_pos = len(row) - 1
    pos, neg = np.append(np.tile([0, 1], n_pos), 0), np.zeros(2 * n_pos + 1, dtype=np.int64)
    neg[0::2] = row
    held = pos + neg > 0
    return Scores.from_counts(np.arange(len(held), 0, -1.0)[held], pos[held], neg[held])


def check() -> None:
    """Compare with the package."""
    rng = np.random.default_rng(1)
    for n_pos, n_neg, gaps in samples(rng, 8, 150, 0.2, 0.85, 1.0):
        both = intervals(n_pos, n_neg, gaps)
        for i, row in enumerate(gaps):
            for (lower, upper), method in zip(both, ("corrected_logit", "logit"), strict=True):
                found = average_precision(table_of(row), method=method)
                np.testing.assert_allclose([found.lower, found.upper], [lower[i], upper[i]], rtol=1e-8)


def recalls(replications: int = 800) -> None:
    """Print the coverage of the interval of the precision at a recall."""
    rng = np.random.default_rng(9)
    for prevalence, positives, auc, recall in (
        (0.1, 25, 0.85, 0.8),
        (0.1, 25, 0.85, 0.5),
        (0.1, 100, 0.85, 0.8),
        (0.01, 50, 0.85, 0.8),
        (0.5, 25, 0.85, 0.8),
        (0.1, 25, 0.98, 0.8),
    ):
        fpr, hits = special.ndtr(special.ndtri(recall) - np.sqrt(2.0) * special.ndtri(auc)), 0
        wanted = prevalence * recall / (prevalence * recall + (1.0 - prevalence) * fpr)
        for _, _, gaps in samples(rng, replications, round(positives / prevalence), prevalence, auc, 1.0):
            for row in gaps:
                found = precision_at_recall(table_of(row), recall=recall)
                hits += int(found.lower[0] <= wanted <= found.upper[0])
        print(prevalence, positives, auc, recall, f"precision {wanted:.3f} covered {hits / replications:.3f}")


def main(replications: int = 4000) -> None:
    """Print the table."""
    rng = np.random.default_rng(20)
    names = "prevalence positives AUC deviation AP bias corrected_logit width logit width"
    print(f"| {' | '.join(names.split())} |")
    print("| --- " * 10 + "|")
    for deviation in (1.0, 2.0, 0.5):
        for prevalence in (0.01, 0.1, 0.5):
            for positives in (25, 50, 200) if deviation == 1.0 else (25, 100):
                for auc in (0.7, 0.85, 0.98):
                    wanted, cells = truth(prevalence, auc, deviation), []
                    n = round(positives / prevalence)
                    values = []
                    for sample in samples(rng, replications, n, prevalence, auc, deviation):
                        hits = np.arange(1.0, sample[0] + 1.0)
                        values.append((hits / (hits + np.cumsum(sample[2][:, :-1], axis=1))).mean(axis=1))
                        cells.append(intervals(*sample))
                    told = [f"{np.mean(np.concatenate(values)) - wanted:+.3f}"]
                    for method in (0, 1):
                        low, high = np.concatenate([np.stack(cell[method]) for cell in cells], axis=1)
                        covered = np.mean((low <= wanted) & (wanted <= high))
                        told += [f"{covered:.3f}", f"{np.mean(high - low):.3f}"]
                    row = (
                        f"{prevalence:g}",
                        str(positives),
                        f"{auc:g}",
                        f"{deviation:g}",
                        f"{wanted:.3f}",
                        *told,
                    )
                    print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    others = {"--check": check, "--recall": recalls}
    others[sys.argv[1]]() if sys.argv[1:2] and sys.argv[1] in others else main(*map(int, sys.argv[1:]))
