"""Differences of two models' rates where both flag the same share (this project's own).

Coverage of `rates_difference_at_positive_rate` from few positives to few negatives, cases drawn whatever
their class: pairs that are not binormal (`shapes.py`), rounded scores and two nearly equal models among them,
and one pair drawn class by class. Each of the two intervals has the level by itself; "joint" is how often
both true differences are inside. The statements are those of the default: coverage of neither side more than
two points below the level. The normal interval with the bootstrap's moments is there to compare.
"""

from dataclasses import replace

from confroc_lab import Cell, Dots, Expected, Experiment, NormalPair, Quick, Rule
from shapes import PAIRS

SHARES = (0.1, 0.5)
BOTH = ("beta_mixture", "wald")
NEAR = NormalPair((1.5, 1.4), (0.0, 0.0), 1.0, 1.0, 0.9, share=0.3)
CELLS_OF = (
    ("crossing", PAIRS["crossing"], 0.5, 60, 0.95, BOTH, "full"),
    ("alike", PAIRS["alike"], 0.1, 200, 0.95, BOTH[:1], "full"),
    ("strong and weak", PAIRS["strong and weak"], 0.02, 1000, 0.95, BOTH[:1], "full"),
    ("strong and weak", PAIRS["strong and weak"], 0.9, 100, 0.9, BOTH[:1], "full"),
    ("rounded", PAIRS["rounded"], 0.5, 200, 0.95, BOTH[:1], "full"),
    ("nearly equal", NEAR, 0.3, 300, 0.95, BOTH, "full"),
    ("crossing", PAIRS["crossing"], 0.3, 100, 0.95, BOTH[:1], "stratified"),
)


def cell(shape, pair, positive, n, level, methods, sampling) -> Cell:
    """One pair, its share of positives, a size, a level and how its cases are drawn."""
    n_pos = round(positive * n)
    return Cell(
        name=f"{shape}, {positive:.0%} of {n} positive, level {level:g}, {sampling}",
        population=replace(pair, share=positive),
        size=(n_pos, n - n_pos),
        rule=Rule("rates_difference_at_positive_rate", methods=methods, confidence_level=level, at=SHARES),
        sampling=sampling,
        chunk=25,
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
    title="Differences at a share flagged, at the edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="tpr"),
    quick=Quick(replications=20, cells=(CELLS[0], CELLS[6])),
    seed=151,
    expected=tuple(promise(made, quantity) for made in CELLS for quantity in ("fpr", "tpr")),
)
