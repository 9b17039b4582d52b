"""Differences of rates at the edges: few cases, ties, rare disagreement, low and high levels.

Pairs of models that are not binormal (`shapes.py`), and two binormal pairs. At a false positive rate the
truth is the difference of the two true curves there; at thresholds both models flag the same share of all
cases. The statements say where the defaults attain their level, and where they are known not to.
"""

from confroc_lab import Cell, Dots, Expected, Experiment, NormalPair, Quick, Rule
from shapes import MODELS, PAIRS

LEVEL = 0.95
NORMAL = NormalPair((1.19, 1.4657), (0.0, 0.0), 1.0, 1.0, 0.6)
"""Areas 0.80 and 0.85."""

RARE = NormalPair((2.326, 2.66), (0.0, 0.0), 1.0, 1.0, 0.9)
"""Areas 0.95 and 0.97 and few discordant cases."""


def at_rate(name, population, size, at, methods=("beta_mixture",), level=LEVEL):
    """One cell of differences at false positive rates."""
    rule = Rule("tpr_difference_at_fpr", methods=methods, confidence_level=level, at=at)
    label = f"TPR difference, {name}, {size[0]} + {size[1]}, level {level:g}"
    return Cell(name=label, population=population, size=size, rule=rule, chunk=50)


def at_thresholds(size, level=LEVEL):
    """One cell of differences at thresholds, few cases discordant."""
    rule = Rule(
        "rates_difference_at_threshold",
        methods=("bonett_price", "agresti_min"),
        confidence_level=level,
        at=(0.3, 0.4, 0.5),
    )
    label = f"differences at thresholds, {size[0]} + {size[1]}, level {level:g}"
    return Cell(name=label, population=RARE, size=size, rule=rule, chunk=100)


def one_model(level):
    """One cell of rates at a threshold, each side at this level."""
    methods = tuple(f"{method}:joint=False" for method in ("agresti_coull", "wilson", "jeffreys"))
    rule = Rule("rates_at_threshold", methods=methods, confidence_level=level, at=(0.1, 0.3, 0.5))
    label = f"rates at thresholds, exponential, 60 + 60, level {level:g}"
    return Cell(name=label, population=MODELS["exponential"], size=(60, 60), rule=rule, chunk=100)


BOTH = ("beta_mixture", "agresti_min")
ATTAINED = (
    at_rate("binormal", NORMAL, (100, 100), (0.1, 0.2, 0.4), BOTH),
    at_rate("binormal", NORMAL, (100, 100), (0.2,), BOTH, 0.8),
    at_rate("binormal", NORMAL, (100, 100), (0.2,), BOTH, 0.99),
    at_rate("binormal", NORMAL, (25, 25), (0.04, 0.1, 0.2), BOTH),
    at_rate("rounded", PAIRS["rounded"], (100, 100), (0.1, 0.2), BOTH),
    at_rate("alike", PAIRS["alike"], (20, 500), (0.05, 0.2)),
    at_rate("strong and weak", PAIRS["strong and weak"], (900, 300), (0.0033, 0.1)),
    at_rate("crossing", PAIRS["crossing"], (500, 20), (0.2, 0.4)),
    at_rate("crossing", PAIRS["crossing"], (1000, 25), (0.05,)),
    at_rate("alike", PAIRS["alike"], (25, 25), (0.05,), BOTH),
)
STEEP = (
    at_rate("crossing", PAIRS["crossing"], (25, 25), (0.05,), BOTH),
    at_rate("crossing", PAIRS["crossing"], (100, 100), (0.05,), BOTH),
)
THRESHOLDS = tuple(
    at_thresholds(size, level)
    for size, level in (
        ((60, 60), LEVEL),
        ((500, 20), LEVEL),
        ((20, 500), LEVEL),
        ((60, 60), 0.8),
        ((60, 60), 0.99),
    )
)
ONE = tuple(one_model(level) for level in (0.5, 0.68, 0.8, 0.84, 0.9, 0.95, 0.99))
CELLS = ATTAINED + STEEP + THRESHOLDS + ONE


def promise(cell: Cell, method: str, quantity: str, differs: str = "") -> Expected:
    """The default is at most one and a half points below its level, at 99 % one."""
    level = cell.rule.confidence_level
    return Expected(
        says=f"the default, {method}, attains its level: {cell.name}",
        source="ours",
        cell=cell.name,
        method=method,
        quantity=quantity,
        statistic="min",
        value=level - (0.01 if level > LEVEL else 0.015),
        relation=">=",
        differs=differs,
    )


FEW = "no more than five negatives are expected above a threshold, where one of the curves is steep"

EXPERIMENT = Experiment(
    title="Differences of rates at the edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="tpr_a - tpr_b"),
    quick=Quick(replications=20, cells=(ATTAINED[3], THRESHOLDS[0], ONE[3])),
    seed=96,
    expected=(
        *(promise(cell, "beta_mixture", "tpr_a - tpr_b") for cell in ATTAINED),
        *(promise(cell, "beta_mixture", "tpr_a - tpr_b", FEW) for cell in STEEP),
        *(promise(cell, "bonett_price", "joint") for cell in THRESHOLDS),
        *(
            promise(cell, "agresti_coull:joint=False", "tpr")
            for cell in ONE
            if cell.rule.confidence_level >= 0.9
        ),
    ),
)
