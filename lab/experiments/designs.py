"""Designs shared by several of Dugas & Gadoury's (2009) experiments: populations, sizes and places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from confroc_lab import Cell, NormalPair, Panels, Rule, binormal
from confroc_lab._types import Sampling
from learners import LogisticOn, Scale

RATES = tuple(np.round(np.linspace(0.01, 0.99, 99), 2).tolist())
"""Total positive rates, 0.2 among them, where the paper on ROC curves works an example through. The ends
of its range of thresholds are, to the last digit, those of 0.99 and 0.01."""
LOW, HIGH = (0.01, 0.49), (0.51, 0.99)
"""Their two halves."""

W = tuple(np.round(np.linspace(0.01, 0.99, 99), 2).tolist())
"""Operating conditions of the paper on cost curves."""

SPREADS = (0.75, 1.5, 3.0, 5.0)
SIZES = (25, 250, 2500, 10_000)
CORRELATIONS = (0.3, 0.6, 0.9)
UCI_SETS = ("abalone", "adult", "chess", "covertype", "credit", "telescope")

WALD_AND_EMPIRICAL = (("wald", "Wald", ":"), ("bootstrap", "Empirical", "--"))
"""Line styles of the paper on ROC curves, in addition to the Agresti method's solid line."""


def chunk_of(n: int) -> int:
    """Samples drawn together: few large ones."""
    return 100 if n <= 1000 else 50


def by_spread(rule: Rule, n: int, sd_pos: float, *, sampling: Sampling = "stratified") -> tuple[Cell, ...]:
    """One cell for each distance θ of either class from zero."""
    return tuple(
        Cell(
            name=f"theta={theta}",
            population=binormal(theta, -theta, sd_pos, 3.0),
            size=(n, n),
            rule=rule,
            sampling=sampling,
            chunk=chunk_of(n),
        )
        for theta in SPREADS
    )


def by_size(
    rule: Rule, sd_pos: float, *, sampling: Sampling = "stratified", name: str = "n={n}"
) -> tuple[Cell, ...]:
    """One cell for each number of cases a class, θ = 3."""
    return tuple(
        Cell(
            name=name.format(n=n),
            population=binormal(3.0, -3.0, sd_pos, 3.0),
            size=(n, n),
            rule=rule,
            sampling=sampling,
            chunk=chunk_of(n),
        )
        for n in SIZES
    )


def of_pairs(
    rule: Rule,
    n: int,
    sd_pos: float,
    pairs: Sequence[tuple[str, float, float, float]],
    *,
    sampling: Sampling = "stratified",
    chunk: int | None = None,
) -> tuple[Cell, ...]:
    """One cell for each (name, θ, shift of the second model's positives, correlation)."""
    return tuple(
        Cell(
            name=name,
            population=NormalPair((theta, theta + shift), (-theta, -theta), sd_pos, 3.0, rho),
            size=(n, n),
            rule=rule,
            sampling=sampling,
            chunk=chunk or chunk_of(n),
        )
        for name, theta, shift, rho in pairs
    )


def on_uci(rule: Rule, n: int, *, scale: Scale = "log_odds", name: str = "{name}") -> tuple[Cell, ...]:
    """One cell for each data set."""
    return tuple(
        Cell(
            name=name.format(name=each),
            population=LogisticOn(each, scale),
            size=(n, n),
            rule=rule,
            chunk=100,
        )
        for each in UCI_SETS
    )


def panels_of(
    cells: Sequence[Cell],
    quantity: str,
    x: str,
    styles: tuple[tuple[str, str, str], ...],
    title: Callable[[str], Any] = str,
) -> Panels:
    """Two columns of panels, one for each cell, titled by its name."""
    each = tuple((title(cell.name), (cell.name,)) for cell in cells)
    return Panels(panels=each, columns=2, quantity=quantity, x=x, styles=styles)


def rectangle_panels(
    cells: Sequence[Cell], agresti: str = "agresti_coull", title: Callable[[str], Any] = str
) -> Panels:
    """Coverage of rectangles over the total positive rate, as the paper on ROC curves plots it."""
    styles = ((agresti, "Agresti", "-"), *WALD_AND_EMPIRICAL)
    return panels_of(cells, "joint", "theoretical total positive rate", styles, title)


def cost_panels(cells: Sequence[Cell]) -> Panels:
    """Coverage of one model's cost over the operating conditions."""
    styles = (
        ("wald", "Wald (the paper's)", "-"),
        ("mid_p", "mid-P", "--"),
        ("agresti_coull", "Agresti-Coull", ":"),
    )
    return panels_of(cells, "cost", "operating conditions w", styles)
