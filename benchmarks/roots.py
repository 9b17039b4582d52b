"""Times of public functions with SciPy's root finders in place of the loops that confroc keeps.

Run it by: python benchmarks/roots.py

A line names the function and its arguments, and the factor by which SciPy's solver slows it down: the median
of the ratios of paired runs on one core. The loops need fewer evaluations, since they use a derivative or a
contraction and start near the root. SciPy's solvers get the same brackets.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.optimize.elementwise import find_root

import confroc as c
from confroc._types import FloatArray
from confroc.auc import asymptotic
from confroc.distributions import mixtures
from confroc.drift import divergence, reweighting
from confroc.points import share_mixture

ROUNDS = 15


def smooth_quantile(
    cdf: Callable[[Any], tuple[Any, Any]],
    prob: Any,
    x: Any,
    ends: tuple[Any, Any],
    *,
    xtol: Any = 1e-12,
    rtol: float = 1e-12,
) -> FloatArray:
    low, high, close = (np.ravel(v)[0] for v in (*ends, xtol))
    near = 1e-9 * (high - low)

    def excess(at: float) -> float:
        return float(np.ravel(cdf(np.full(np.shape(x), at))[0] - prob)[0])

    return np.full(np.shape(x), brentq(excess, low + near, high - near, xtol=close, rtol=max(rtol, 1e-12)))


def score_ends(auc: Any, scale: Any, n_pos: Any, n_neg: Any, z: Any, model: Any) -> tuple[Any, Any]:
    def excess(at: FloatArray, found: FloatArray) -> FloatArray:
        ratio: FloatArray = z * z * scale * model(at, n_pos, n_neg)
        return (found - at) ** 2 - ratio * at * (1.0 - at)

    ends = find_root(excess, (np.array([0.0, auc]), np.array([auc, 1.0])), args=(np.full(2, auc),)).x
    return ends[0], ends[1]


def tilt(
    law: divergence.Divergence, share: FloatArray, pull: FloatArray, *_: Any, **__: Any
) -> divergence.Tilt:
    highest = law.first_level(share, pull)

    def excess(level: float) -> float:
        return divergence.inner(share, law.ratio(pull + level)[0]) - 1.0

    width = 1.0
    while excess(highest - width) > 0.0:
        width *= 4.0
    level = float(brentq(excess, highest - width, highest, xtol=1e-15)) if excess(highest) > 0.0 else highest
    ratio, slope = law.ratio(pull + level)
    return divergence.Tilt(ratio * share, slope * share, divergence.inner(share, law.cost(ratio)), level)


@contextmanager
def replaced(name: str, by: Callable[..., Any], *modules: Any) -> Iterator[None]:
    own = getattr(modules[0], name)
    for module in modules:
        setattr(module, name, by)
    try:
        yield
    finally:
        for module in modules:
            setattr(module, name, own)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 2000)
    s = c.Scores(y, rng.normal(size=4000) + y)
    quantiles = "smooth_quantile", smooth_quantile, mixtures, share_mixture
    cases: dict[str, tuple[tuple[Any, ...], Callable[[], object]]] = {
        "tpr_at_fpr(fpr=0.1)": (quantiles, lambda: c.tpr_at_fpr(s, fpr=0.1)),
        "rates_at_positive_rate(positive_rate=0.3)": (
            quantiles,
            lambda: c.rates_at_positive_rate(s, positive_rate=0.3, sampling="full"),
        ),
        "auc_interval()": (("score_ends", score_ends, asymptotic), lambda: c.auc_interval(s)),
        "auc_forecast(divergence='jeffreys')": (
            ("tilt", tilt, reweighting),
            lambda: c.auc_forecast(s, radius=0.05, divergence="jeffreys"),
        ),
    }
    for name, (change, work) in cases.items():
        work()
        ratios = []
        for _ in range(ROUNDS):
            own = seconds(work)
            with replaced(*change):
                ratios.append(seconds(work) / own)
        print(f"{name:45} {statistics.median(ratios):5.1f}")


if __name__ == "__main__":
    main()
