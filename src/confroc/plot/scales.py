"""Axes for ROC curves: linear, logarithmic in the false positive rate, or normal deviates on both.

Straight pieces of a curve (ties) bend on the other scales, so vertices are put into them there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from matplotlib.ticker import AutoLocator
from scipy import special

from confroc._check import ArgumentError, check_choice
from confroc._types import FloatArray
from confroc.plot.style import GUIDE, name_axes
from confroc.results.polyline import thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Scale: TypeAlias = Literal["linear", "log", "probit"]

SCALES = ("linear", "log", "probit")
# Logarithms and normal deviates of 0 and 1 are infinite: rates are drawn inside these.
LEAST = 1e-7
# Rates that are marked on axes of normal deviates.
TICKS = (0.0001, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)
MOST_PARTS = 200
_CHANCE = "_confroc chance"


def check_axes(scale: object, fpr_max: float | None) -> None:
    """Check the scale and the limit of ROC axes."""
    if scale is not None:
        check_choice("scale", scale, SCALES)
    if fpr_max is not None and not 0.0 < fpr_max <= 1.0:
        raise ArgumentError("fpr_max", "be above 0 and at most 1", fpr_max, "Pass e.g. 0.1.")


def _deviates(rate: FloatArray) -> FloatArray:
    return np.asarray(special.ndtri(np.clip(rate, LEAST, 1.0 - LEAST)))


def _seen(rows: FloatArray, scale: Scale) -> FloatArray:
    """Return x (the first row) and the ys in the scale of the axes."""
    if scale == "probit":
        return _deviates(rows)
    return np.concatenate([np.log(np.clip(rows[:1], LEAST, None)), rows[1:]])


def polyline(x: FloatArray, *ys: FloatArray, scale: Scale = "linear") -> tuple[FloatArray, ...]:
    """Return the vertices of lines y over a common x that are worth drawing.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Non-decreasing rates.
    *ys : ndarray of shape (n,)
        At most three.
    scale : {"linear", "log", "probit"}

    Returns
    -------
    tuple of ndarray
        x and the ys: thinned as in `thin`; off the infinite ends, and with vertices in long straight
        pieces, where the scale bends them.
    """
    rows = np.stack([x, *ys])
    if scale == "linear":
        return tuple(rows[:, thin(x, *ys)])
    rows = np.clip(rows, LEAST, 1.0 - LEAST)
    seen = _seen(rows, scale)
    rows = rows[:, thin(*seen)]
    seen = _seen(rows, scale)
    steps = np.abs(np.diff(seen, axis=1)) / np.maximum(np.ptp(seen, axis=1, keepdims=True), 1e-12)
    rises = np.diff(rows, axis=1)
    bends = (rises[0] > 0.0) & (rises[1:] != 0.0).any(axis=0)
    parts = np.where(bends, np.clip(np.ceil(100.0 * steps.max(axis=0)), 1, MOST_PARTS), 1).astype(np.intp)
    piece = np.repeat(np.arange(len(parts)), parts)
    first = np.cumsum(parts) - parts
    at = seen[0, piece] + (np.arange(len(piece)) - first[piece]) / parts[piece] * np.diff(seen[0])[piece]
    x_at = special.ndtr(at) if scale == "probit" else np.exp(at)
    share = np.divide(
        x_at - rows[0, piece], rises[0, piece], out=np.zeros(len(piece)), where=bends[piece]
    ).clip(0.0, 1.0)
    between = rows[:, piece] + share * rises[:, piece]
    return tuple(np.concatenate([between, rows[:, -1:]], axis=1))


def scale_of(ax: Axes) -> Scale:
    """Return the scale of ROC axes."""
    known: dict[str, Scale] = {"log": "log", "function": "probit"}
    return known.get(ax.get_xscale(), "linear")


def roc_axes(
    ax: Axes,
    scale: Scale | None = None,
    fpr_max: float | None = None,
    chance: Mapping[str, Any] | None = None,
) -> None:
    """Set up axes for ROC curves with the diagonal, unless done before.

    Parameters
    ----------
    scale : {"linear", "log", "probit"}, optional
        By default linear.
    fpr_max : float, optional
        Show false positive rates up to here only.
    chance : mapping, optional
        How the chance line looks.
    """
    if any(line.get_label() == _CHANCE for line in ax.lines):
        return
    whole = np.array([0.0, 1.0])
    look = {**GUIDE, **(chance or {}), "label": _CHANCE}
    ax.plot(*polyline(whole, whole, scale=scale or "linear"), **look)
    name_axes(ax, x="False positive rate", y="True positive rate")
    right = 1.0 if fpr_max is None else fpr_max
    if scale == "probit":
        for set_scale, axis in ((ax.set_xscale, ax.xaxis), (ax.set_yscale, ax.yaxis)):
            set_scale("function", functions=(_deviates, special.ndtr))
            axis.set_ticks(TICKS, [f"{100.0 * t:.10g}%" for t in TICKS])
        ax.set(xlim=(TICKS[1], min(right, TICKS[-2])), ylim=(TICKS[1], TICKS[-2]))
        ax.tick_params(axis="x", rotation=60)
        if fpr_max is None:
            ax.set_aspect("equal")
        return
    ax.set_ylim(-0.01, 1.01)
    if scale == "log":
        ax.set_xscale("log")
        ax.set_xlim(1e-3, right)
    elif fpr_max is None:
        ax.set_xlim(-0.01, 1.01)
        ax.set_aspect("equal")
        # Labels as short as these find room for as many ticks as on the other axis.
        ax.xaxis.set_major_locator(AutoLocator())
    else:
        ax.set_xlim(-0.01 * fpr_max, fpr_max)


def show_from(ax: Axes, smallest: float) -> None:
    """Extend logarithmic axes to the smallest rate above 0 of their curves."""
    if ax.get_xscale() == "log" and 0.0 < smallest < ax.get_xlim()[0]:
        ax.set_xlim(left=smallest)


def smallest_rate(fpr: FloatArray) -> float:
    """Return the smallest rate above 0, or 0."""
    return float(np.min(fpr[fpr > 0.0], initial=1.0))
