"""Rates at a share flagged, from few positives to few negatives and in ties (this project's own).

Coverage of `rates_at_positive_rate` on populations that are not binormal, cases drawn whatever their class:
2, 10, 50 and 90 % positives, 50 to 5,000 cases, shares from 1 % to all. Each of the three intervals has the
level by itself; "joint" is how often the true FPR and TPR are both inside. The statements are those of the
default: coverage of no side more than two points below the level. Normal intervals are there to compare.
"""

from dataclasses import replace

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from shapes import MODELS

SHARES = (0.01, 0.1, 0.5, 0.9, 1.0)
METHODS = ("beta_mixture", "agresti_coull", "wald")
CELLS_OF = (
    ("exponential", 0.02, 1000, 0.95, METHODS),
    ("exponential", 0.02, 5000, 0.95, METHODS[:1]),
    ("long-tailed negatives", 0.1, 200, 0.95, METHODS),
    ("mixture", 0.5, 50, 0.95, METHODS[:1]),
    ("strong", 0.9, 200, 0.95, METHODS),
    ("levels", 0.1, 1000, 0.95, METHODS),
    ("rounded", 0.5, 200, 0.95, METHODS[:1]),
    ("long-tailed negatives", 0.1, 200, 0.8, METHODS[:1]),
    ("exponential", 0.02, 1000, 0.99, METHODS[:1]),
)


def cell(shape: str, positive: float, n: int, level: float, methods: tuple[str, ...]) -> Cell:
    """One population, its share of positives, a size and a level."""
    n_pos = round(positive * n)
    return Cell(
        name=f"{shape}, {positive:.0%} of {n} positive, level {level:g}",
        population=replace(MODELS[shape], share=positive),
        size=(n_pos, n - n_pos),
        rule=Rule("rates_at_positive_rate", methods=methods, confidence_level=level, at=SHARES),
        sampling="full",
        chunk=50,
    )


CELLS = tuple(cell(*row) for row in CELLS_OF)


def promise(made: Cell, quantity: str) -> Expected:
    """Return the guarantee of the default for one side."""
    return Expected(
        says=f"beta_mixture attains its level: {quantity}, {made.name}",
        source="ours",
        cell=made.name,
        method="beta_mixture",
        quantity=quantity,
        statistic="min",
        value=made.rule.confidence_level - 0.02,
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="Rates at a share flagged, at the edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="fpr"),
    quick=Quick(replications=20, cells=(CELLS[2],)),
    seed=143,
    expected=tuple(promise(made, quantity) for made in CELLS for quantity in ("fpr", "tpr", "precision")),
)
