"""Areas and their differences in difficult cases, on populations that are not binormal (not in the papers).

Coverage and width of `auc_interval` and `auc_difference` at 95 %, and of the default at 80 % and 99 %,
where cases are few, one class is small or areas are near 1, with either class the larger. Single models are
four of `shapes.py`, exponential scores with area 0.99, and normal scores of which the positives have twice
the spread. Pairs are those of `shapes.py` and binormal ones with the areas and correlations (r) in their
names.
"""

from __future__ import annotations

import itertools
import math

from scipy import special

from confroc_lab import (
    Cell,
    CopulaPair,
    Dots,
    Expected,
    Experiment,
    Exponential,
    Normal,
    NormalPair,
    Quick,
    Rule,
    TwoDistributions,
)
from shapes import MODELS, PAIRS

LEVEL = 0.95
LEAST = 0.935
"""Coverage that counts as attaining 95 %."""
SIZES = ((12, 40), (40, 12), (25, 25), (20, 500), (500, 20))


def wide(auc: float) -> TwoDistributions:
    """Positives of twice the negatives' spread."""
    return TwoDistributions(Normal(float(special.ndtri(auc)) * math.sqrt(5.0), 2.0), Normal())


def pair(auc_a: float, auc_b: float, correlation: float) -> NormalPair:
    """Two models of equal spread."""
    a, b = (float(special.ndtri(auc)) * math.sqrt(2.0) for auc in (auc_a, auc_b))
    return NormalPair((a, b), (0.0, 0.0), 1.0, 1.0, correlation)


SINGLE = {
    **{name: MODELS[name] for name in ("exponential", "mixture", "strong", "levels")},
    "exponential 0.99": TwoDistributions(Exponential(99.0), Exponential(1.0)),
    "wide positives 0.9": wide(0.9),
}
BOTH: dict[str, CopulaPair | NormalPair] = {
    **PAIRS,
    "0.95 and 0.97, r 0.6": pair(0.95, 0.97, 0.6),
    "0.99 and 0.97, r 0.6": pair(0.99, 0.97, 0.6),
    "0.80 and 0.80, r 0.98": pair(0.8, 0.8, 0.98),
    "0.95 and 0.96, r 0.98": pair(0.95, 0.96, 0.98),
}
LEVELS = (LEVEL, 0.8, 0.99)
SMALL = ((12, 40), (20, 500))
"""Sizes at which other levels than 95 % are evaluated too."""


def rule(function: str, level: float) -> Rule:
    """The default and other methods at 95 %, the default only at other levels."""
    rivals = {"auc_interval": ("delong", "logit_delong", "newcombe"), "auc_difference": ("delong",)}
    methods = ("score_delong", *(rivals[function] if level == LEVEL else ()))
    return Rule(function, methods=methods, confidence_level=level)


def cells() -> tuple[Cell, ...]:
    """Every population, size and level."""
    return tuple(
        Cell(
            name=f"{what}, {name}, {size[0]} + {size[1]}, {level:.0%}",
            population=population,
            size=size,
            rule=rule(function, level),
            chunk=100,
        )
        for function, what, populations in (
            ("auc_interval", "area", SINGLE),
            ("auc_difference", "difference", BOTH),
        )
        for (name, population), size, level in itertools.product(populations.items(), SIZES, LEVELS)
        if level == LEVEL or size in SMALL
    )


CELLS = cells()
QUANTITY = {"auc_interval": "auc", "auc_difference": "auc_a - auc_b"}


def promise(cell: Cell) -> Expected:
    """Return the guarantee of the default."""
    function = str(cell.rule.function)
    return Expected(
        says=f"score_delong attains its level: {cell.name}",
        source="ours",
        cell=cell.name,
        method="score_delong",
        quantity=QUANTITY[function],
        statistic="min",
        value=LEAST,
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="Areas and their differences at the edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="auc"),
    quick=Quick(
        replications=200,
        cells=tuple(c for c in CELLS if "strong" in c.name and "25 + 25, 95%" in c.name),
    ),
    seed=14,
    expected=tuple(promise(cell) for cell in CELLS if cell.rule.confidence_level == LEVEL),
)
