"""Bands at their edges: coverage on populations that are not binormal, few cases, ties and steep curves.

Coverage of the whole true curve, or of the whole true difference of two, from a false positive rate of 0
to 1. Populations are those of `shapes.py`; "probabilities" are two rounded Beta distributions, "equal" are
two models with one curve and correlation 0.5, "strong and noise" are N(3, 1) against N(0, 1), and a model
whose classes do not differ. The statements are the guarantees of the defaults: coverage no more than 30 % of
the error probability below the level.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from confroc_lab import Cell, Dots, Expected, Experiment, NormalPair, Quick, Rule, TiedDistributions
from shapes import MODELS, PAIRS


@dataclass(frozen=True)
class Beta:
    """Beta distribution of the scores of one class."""

    a: float
    b: float

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Draw scores."""
        return rng.beta(self.a, self.b, shape)

    def survival(self, t: ArrayLike) -> NDArray[np.float64]:
        """Probability of a score of at least t."""
        return np.asarray(special.betaincc(self.a, self.b, np.clip(t, 0.0, 1.0)))

    def threshold(self, p: ArrayLike) -> NDArray[np.float64]:
        """Score that is reached with probability p."""
        return np.asarray(special.betainccinv(self.a, self.b, p))


DEFAULT = "equal_local_levels"
STUDENTIZED = "studentized_bootstrap"
PEERS = (
    f"{DEFAULT}:calibration=exact",
    "ks_regions",
    "fixed_width",
    "bootstrap",
    "bootstrap:metric=sup",
    "auc_hull",
    "working_hotelling",
)
ONE = MODELS | {
    "probabilities": TiedDistributions(Beta(4.0, 2.0), Beta(2.0, 4.0), step=0.01),
}
TWO = PAIRS | {
    "equal": NormalPair((1.2, 1.2), (0.0, 0.0), 1.0, 1.0, 0.5),
    "strong and noise": NormalPair((3.0, 0.0), (0.0, 0.0), 1.0, 1.0, 0.0),
}
CURVES = {
    (20, 20): ("mixture",),
    (60, 60): ("exponential", "long-tailed negatives", "strong", "rounded"),
    (2000, 50): ("probabilities",),
    (50, 2000): ("mixture",),
    (300, 300): ("levels",),
}
DIFFERENCES = {
    (25, 25): ("crossing",),
    (80, 80): ("strong and weak", "alike", "rounded", "equal"),
    (40, 400): ("crossing",),
    (400, 40): ("alike",),
    (300, 300): ("strong and noise", "equal"),
}


def one(name: str, size: tuple[int, int], level: float = 0.95, peers: tuple[str, ...] = ()) -> Cell:
    """Bands around one model's curve."""
    rule = Rule(
        "roc_band", methods=(DEFAULT, *peers), confidence_level=level, n_resamples=round(5 / (1 - level)) - 1
    )
    at = f" at {100 * level:g} %" if level != 0.95 else ""
    return Cell(
        name=f"curve, {name}, {size[0]} + {size[1]}{at}", population=ONE[name], size=size, rule=rule, chunk=50
    )


def two(name: str, size: tuple[int, int], level: float = 0.95) -> Cell:
    """Bands around the difference of two models' curves."""
    old = (
        (STUDENTIZED,)
        if (name, size) in (("strong and weak", (80, 80)), ("strong and noise", (300, 300)))
        else ()
    )
    rule = Rule(
        "roc_difference_band",
        methods=(DEFAULT, *(old if level == 0.95 else ())),
        confidence_level=level,
        n_resamples=round(5 / (1 - level)) - 1,
    )
    at = f" at {100 * level:g} %" if level != 0.95 else ""
    return Cell(
        name=f"difference, {name}, {size[0]} + {size[1]}{at}",
        population=TWO[name],
        size=size,
        rule=rule,
        chunk=50,
    )


CELLS = (
    *(
        one(name, size, peers=PEERS if (name, size) == ("exponential", (60, 60)) else ())
        for size, names in CURVES.items()
        for name in names
    ),
    *(one("strong", (60, 60), level) for level in (0.8, 0.99)),
    *(two(name, size) for size, names in DIFFERENCES.items() for name in names),
    *(two("strong and weak", (80, 80), level) for level in (0.8, 0.99)),
)


def promise(cell: Cell) -> Expected:
    """Return the guarantee of the default."""
    level = cell.rule.confidence_level
    return Expected(
        says=f"the default contains all of it: {cell.name}",
        source="ours",
        cell=cell.name,
        method=DEFAULT,
        quantity="curve",
        value=level - 0.3 * (1.0 - level),
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="Bands at their edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="curve"),
    quick=Quick(replications=20, cells=tuple(c for c in CELLS if c.name == "difference, crossing, 25 + 25")),
    seed=14,
    expected=tuple(promise(cell) for cell in CELLS),
)
