"""True positive rates at a false positive rate determined by one or two negatives, and with ties.

Populations of `shapes.py`, none of them binormal, two of them rounded; sizes with either class the larger.
For tied scores the true value is on the polyline through the population's operating points, at the
requested rate. The false positive rate at a given true positive rate is also evaluated. The statements are
that the least coverage of the default is at most two percentage points below nominal.
"""

from __future__ import annotations

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from shapes import MODELS

METHODS = ("beta_mixture", "agresti_coull")
PLACES: dict[tuple[int, int], tuple[float, ...]] = {
    (60, 60): (1 / 60, 0.05, 0.3),
    (500, 20): (0.05, 0.1, 0.3),
    (20, 500): (0.01, 0.05, 0.3),
    (900, 300): (1 / 300, 0.05),
    (1000, 25): (0.04, 0.08, 0.12),
    (100, 100): (0.05, 0.1, 0.3, 0.7),
}
FEWER = ("long-tailed negatives", "mixture", "levels")
"""Populations of the last three sizes."""


def cell(name: str, size: tuple[int, int], places: tuple[float, ...], level: float = 0.95) -> Cell:
    """One population and size."""
    return Cell(
        name=f"{name}, {size[0]} + {size[1]}, {level:.0%}",
        population=MODELS[name],
        size=size,
        rule=Rule("tpr_at_fpr", methods=METHODS, confidence_level=level, at=places),
        chunk=100,
    )


def reversed_rule(name: str) -> Cell:
    """The false positive rate at a given true positive rate, of 10 positives and 2000 negatives."""
    return Cell(
        name=f"FPR at a TPR: {name}, 10 + 2000, 95%",
        population=MODELS[name],
        size=(10, 2000),
        rule=Rule("fpr_at_tpr", methods=METHODS, confidence_level=0.95, at=(0.5, 0.9, 1.0)),
        chunk=100,
    )


CELLS = (
    *(
        cell(name, size, places)
        for i, (size, places) in enumerate(PLACES.items())
        for name in (MODELS if i < 3 else FEWER)
    ),
    *(
        cell(name, size, PLACES[size], level)
        for level in (0.8, 0.99)
        for size in ((60, 60), (500, 20))
        for name in ("long-tailed negatives", "levels")
    ),
    *(reversed_rule(name) for name in ("exponential", "long-tailed negatives", "mixture")),
)
SHORT = tuple(c for c in CELLS if c.name in ("exponential, 500 + 20, 95%", "levels, 500 + 20, 95%"))

EXPERIMENT = Experiment(
    title="The true positive rate at a false positive rate that few negatives decide, and in ties",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="tpr"),
    quick=Quick(replications=250, cells=SHORT),
    seed=14,
    expected=tuple(
        Expected(
            says=f"the default attains its level: {c.name}",
            source="ours",
            cell=c.name,
            method="beta_mixture",
            quantity="fpr" if c.at_name == "tpr" else "tpr",
            statistic="min",
            value=c.rule.confidence_level - 0.02,
            relation=">=",
        )
        for c in CELLS
    ),
)
