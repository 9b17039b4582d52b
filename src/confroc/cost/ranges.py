"""Ranges of w on which an edge of a band keeps its sign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._types import FloatArray

Side: TypeAlias = Literal["a", "b", "model", "trivial"]


IN_WORDS = {"a": "model a", "b": "model b", "model": "the model", "trivial": "a trivial classifier"}


class WeightRange(NamedTuple):
    """A stretch of w on which one side is cheaper at every w together.

    Attributes
    ----------
    cheaper : {"a", "b", "model", "trivial"}
        Of two models, or of one model and the trivial classifiers.
    low, high : float
        Ends of the stretch.
    confidence_level : float
        Of all stretches of the band together.
    """

    cheaper: Side
    low: float
    high: float
    confidence_level: float

    def __str__(self) -> str:
        return (
            f"from w = {self.low:.4g} to {self.high:.4g} {IN_WORDS[self.cheaper]} is cheaper, "
            f"jointly at {100 * self.confidence_level:.10g} %"
        )


def full_factor(w: FloatArray, prior: float) -> FloatArray:
    """Cost under full sampling over cost under stratified sampling, at the same rates and share."""
    return prior * (1.0 - prior) / np.maximum(w * (1.0 - prior), (1.0 - w) * prior)


def cut(
    at: FloatArray, place: float, edges: tuple[FloatArray, ...], everywhere: bool
) -> tuple[FloatArray, tuple[FloatArray, ...]]:
    """Add a node to the straight edges, unless there is one."""
    i = int(np.searchsorted(at, place))
    if not everywhere or i == 0 or i == len(at) or at[i] == place:
        return at, edges
    share = (place - at[i - 1]) / (at[i] - at[i - 1])
    cut = tuple(np.insert(e, i, e[i - 1] + share * (e[i] - e[i - 1])) for e in edges)
    return np.insert(at, i, place), cut


def all_ranges(
    edges: Iterable[tuple[Side, FloatArray]], at: FloatArray, level: float, everywhere: bool
) -> tuple[WeightRange, ...]:
    """Ranges where any of the edges is below zero, each with the name of the side that wins there."""
    found = [
        WeightRange(name, low, high, level)
        for name, edge in edges
        for low, high in negative_pieces(at, edge, everywhere)
    ]
    return tuple(sorted(found, key=lambda r: r.low))


def negative_pieces(at: FloatArray, edge: FloatArray, everywhere: bool) -> list[tuple[float, float]]:
    """Where an edge is below zero: runs of entries, or the exact stretches of a piecewise straight edge."""
    negative = edge < 0.0
    pieces: list[tuple[float, float]] = []
    if not everywhere:
        change = np.flatnonzero(np.diff(np.concatenate([[False], negative, [False]]).astype(int)))
        pieces = [(float(at[i]), float(at[j - 1])) for i, j in zip(change[::2], change[1::2], strict=True)]
    else:
        for i in np.flatnonzero((negative[:-1] | negative[1:]) & (np.diff(at) > 0.0)).tolist():
            low, high = float(at[i]), float(at[i + 1])
            if not (negative[i] and negative[i + 1]):
                zero = low + (high - low) * float(edge[i] / (edge[i] - edge[i + 1]))
                low, high = (low, zero) if negative[i] else (zero, high)
            if pieces and pieces[-1][1] >= low:
                low = pieces.pop()[0]
            pieces.append((low, high))
    return pieces
