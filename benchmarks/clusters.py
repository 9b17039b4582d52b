"""Coverage of 95 % intervals for clustered rows, false alarms of the monitor, time and memory.

python benchmarks/clusters.py coverage [--reps 1000] [--only auc] [--every 17]
python benchmarks/clusters.py monitor [--reps 300] [--shift 0.5]
python benchmarks/clusters.py pairs [--reps 1000]
python benchmarks/clusters.py time
python benchmarks/clusters.py memory

Patients have a normal effect that their rows share (correlation `rho`); rows are labeled by patient, or each
by itself. Rows a patient: 1, so that cases are independent, 1 to 3, 6, or 1 to 20. With --every 17 one cell
of 17 is measured, with all values of each factor. Memory is the peak over the size of the arrays of labels,
scores and clusters, which are not counted. Not run by the tests.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import confroc
from confroc.statistics import AveragePrecision

SIZES = ((15, 15), (28, 52), (100, 100))
NAMES = ("auc", "difference", "tpr", "precision")
ROWS = ((1, 1), (1, 3), (6, 6), (1, 20))


def drawn(
    rng: np.random.Generator, sizes: tuple[int, int], rho: float, rows: tuple[int, int], by: str, auc: float
) -> tuple[Any, Any, Any, Any]:
    """Labels, patients, and scores of two models of the same area."""
    n = sum(sizes)
    patient = np.repeat(np.arange(n), rng.integers(rows[0], rows[1] + 1, n))
    y = patient < sizes[0] if by == "patient" else rng.random(len(patient)) < 0.5
    shared, alone = rng.standard_normal(n), rng.standard_normal(len(patient))
    scores = []
    for _ in range(2):
        effect = np.sqrt(0.5) * (shared + rng.standard_normal(n))
        noise = np.sqrt(0.5) * (alone + rng.standard_normal(len(patient)))
        scores.append(
            np.sqrt(2.0) * ndtri(auc) * y + np.sqrt(rho) * effect[patient] + np.sqrt(1 - rho) * noise
        )
    return y, patient, scores[0], scores[1]


def precision_of(by: str, sizes: tuple[int, int], auc: float) -> float:
    """Average precision of the population."""
    share = sizes[0] / sum(sizes) if by == "patient" else 0.5
    tpr = (np.arange(200_000) + 0.5) / 200_000
    fpr = ndtr(ndtri(tpr) - np.sqrt(2.0) * ndtri(auc))
    return float(np.mean(share * tpr / (share * tpr + (1.0 - share) * fpr)))


def interval_of(name: str, drawn_rows: tuple[Any, Any, Any, Any], by: str) -> tuple[float, float]:
    """The interval of a statistic, rows clustered by patient. Patients are drawn by class, rows are not."""
    y, patient, a, b = drawn_rows
    if name == "difference":
        found: Any = confroc.auc_difference(y, a, b, cluster=patient)
    elif name == "tpr":
        found = confroc.tpr_at_fpr(y, a, fpr=0.1, cluster=patient)
    elif name == "precision":
        sampling: Any = "stratified" if by == "patient" else "full"
        found = confroc.interval(y, a, AveragePrecision(sampling=sampling), cluster=patient)
    else:
        found = confroc.auc_interval(y, a, cluster=patient)
    return float(np.ravel(found.lower)[0]), float(np.ravel(found.upper)[0])


def truth_of(name: str, by: str, sizes: tuple[int, int], auc: float) -> float:
    """The statistic of the population."""
    if name == "difference":
        return 0.0
    if name == "tpr":
        return float(ndtr(ndtri(0.1) + np.sqrt(2.0) * ndtri(auc)))
    return precision_of(by, sizes, auc) if name == "precision" else auc


def coverage(reps: int, only: str | None, every: int) -> None:
    """Print the coverage and the mean width of every cell."""
    print("statistic     auc  patients   rho  rows  label    coverage  width")
    cells = list(itertools.product((0.7, 0.9, 0.99), SIZES, (0.0, 0.3, 0.8), ROWS, ("patient", "row")))
    names = [name for name in NAMES if only in (None, name)]
    for name, (auc, sizes, rho, rows, by) in itertools.product(names, cells[::every]):
        rng, truth = np.random.default_rng(1), truth_of(name, by, sizes, auc)
        ends = np.array([interval_of(name, drawn(rng, sizes, rho, rows, by, auc), by) for _ in range(reps)])
        inside = np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]))
        cell = f"{name:<12} {auc:.2f}  {sizes[0]}+{sizes[1]:<6} {rho:.1f}  {rows[0]}-{rows[1]:<3} {by:<8}"
        print(f"{cell} {inside:.3f}     {np.mean(ends[:, 1] - ends[:, 0]):.3f}", flush=True)


def segment(
    rng: np.random.Generator, clusters: int, rho: float, rows: tuple[int, int], by: str, weighted: bool
) -> confroc.Scores:
    """A sample of the monitor; labels by cluster, by row, or of a proportion of each cluster."""
    cluster = np.repeat(np.arange(clusters), rng.integers(rows[0], rows[1] + 1, clusters))
    share = {"patient": rng.random(clusters) < 0.35, "row": np.full(clusters, 0.35)}
    share["mixed"] = rng.beta(0.7, 1.3, clusters)
    y = rng.random(len(cluster)) < share[by][cluster]
    noise = np.sqrt(1.0 - rho) * rng.standard_normal(len(cluster))
    score = 1.2 * y + np.sqrt(rho) * rng.standard_normal(clusters)[cluster] + noise
    weight = np.exp(0.8 * rng.standard_normal(clusters))[cluster] if weighted else None
    return confroc.Scores(y, score, cluster=cluster, sample_weight=weight)


def monitored(reps: int, shift: float) -> None:
    """Print how often tests of a segment reject at 10 %, and how often a table has an alarm at 90 %."""
    print("clusters  rho  rows  label    weights  rate   psi    jeffreys auc    alarm")
    cells = (
        *((0.0, (6, 6), "row", False), (0.3, (6, 6), "patient", False), (0.8, (6, 6), "patient", False)),
        *((0.5, (6, 6), "row", False), (0.5, (1, 20), "mixed", False), (0.5, (1, 3), "mixed", False)),
        *((0.0, (1, 1), "row", True), (0.5, (4, 4), "mixed", True)),
    )
    for (rho, rows, by, weighted), (n, m) in itertools.product(cells, ((150, 60), (400, 120))):
        rng, found = np.random.default_rng(3), []
        for _ in range(reps):
            reference, new = (segment(rng, k, rho, rows, by, weighted) for k in (n, m))
            if shift:
                moved = new.score + shift
                new = new._of(new._table._replace(score=moved), design=new.design)
            table = confroc.drift_monitor(reference, [new], confidence_level=0.9, n_resamples=400, rng=rng)
            tests = [
                getattr(table, f"{name}_pvalue")[0] <= 0.1 for name in ("rate", "psi", "jeffreys", "auc")
            ]
            found.append([*tests, table.population_drifted[0] or table.auc_drifted[0]])
        cell = f"{n}/{m:<5} {rho:.1f}  {rows[0]}-{rows[1]:<3} {by:<8} {weighted!s:<7}"
        print(cell, "  ".join(f"{share:.3f}" for share in np.mean(found, axis=0)), flush=True)


def similarities(rng: np.random.Generator, same: bool, n: int) -> Any:
    """Cosine similarities of independent pairs of images, of one person or of two."""
    a = rng.standard_normal((n, 16))
    b = a if same else rng.standard_normal((n, 16))
    a, b = (person + 0.9 * rng.standard_normal((n, 16)) for person in (a, b))
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def paired(reps: int) -> None:
    """Coverage for all pairs of images of some people, with both persons of a pair and without them."""
    rng = np.random.default_rng(1)
    everyone = confroc.Scores(
        np.repeat([1, 0], 1_000_000),
        np.concatenate([similarities(rng, same, 1_000_000) for same in (True, False)]),
    )
    true_tpr = confroc.roc_curve(everyone).tpr_at([0.01, 0.001])
    for people, images in ((60, 3), (30, 4)):
        found: dict[str, list[list[bool]]] = {"without": [], "with": []}
        for _ in range(reps):
            person = np.repeat(np.arange(people), images)
            image = rng.standard_normal((people, 16))[person] + 0.9 * rng.standard_normal((len(person), 16))
            image /= np.linalg.norm(image, axis=1, keepdims=True)
            first, second = np.triu_indices(len(image), k=1)
            score, both = (image[first] * image[second]).sum(axis=1), (person[first], person[second])
            columns: dict[str, dict[str, Any]] = {"without": {}, "with": {"cluster": both}}
            for name, given in columns.items():
                scores = confroc.Scores(both[0] == both[1], score, **given)
                auc, tpr = confroc.auc_interval(scores), confroc.tpr_at_fpr(scores, fpr=[0.01, 0.001])
                inside = (tpr.lower <= true_tpr) & (true_tpr <= tpr.upper)
                found[name].append([auc.lower <= everyone.auc <= auc.upper, *inside])
        for name, cells in found.items():
            shares = "  ".join(f"{share:.3f}" for share in np.mean(cells, axis=0))
            print(
                f"{people} people, {images} images, {name} clusters: AUC, TPR at FPR .01, .001: {shares}",
                flush=True,
            )


def columns_of(n: int) -> tuple[Any, Any, Any]:
    """Labels, scores and clusters, ten rows each."""
    rng = np.random.default_rng(2)
    cluster = rng.integers(0, n // 10, n)
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, y + rng.standard_normal(n), cluster


def timed() -> None:
    """Areas of 10⁶ rows of 10⁵ clusters, with and without them."""
    y, score, cluster = columns_of(1_000_000)
    confroc.auc_interval(y, score)
    columns: tuple[dict[str, Any], ...] = ({}, {"cluster": cluster})
    for given in columns:
        best = min(_seconds(functools.partial(confroc.auc_interval, y, score, **given)) for _ in range(5))
        print(f"{'with' if given else 'without'} clusters: {best:.2f} s")


def memory() -> None:
    """The same, peak memory over that of the input."""
    y, score, cluster = columns_of(1_000_000)
    columns: tuple[dict[str, Any], ...] = ({}, {"cluster": cluster})
    for given in columns:
        # Compiled code is no memory of the call.
        confroc.auc_interval(y, score, **given)
        tracemalloc.start()
        confroc.auc_interval(y, score, **given)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        size = sum(column.nbytes for column in (y, score, *given.values()))
        print(f"{'with' if given else 'without'} clusters: {peak / size:.1f}")


def _seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["coverage", "monitor", "pairs", "time", "memory"])
    parser.add_argument("--reps", type=int, default=1000)
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--shift", type=float, default=0.0)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.what == "coverage":
        coverage(asked.reps, asked.only, asked.every)
    elif asked.what == "monitor":
        monitored(asked.reps, asked.shift)
    elif asked.what == "pairs":
        paired(asked.reps)
    else:
        {"time": timed, "memory": memory}[asked.what]()
