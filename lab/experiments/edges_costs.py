"""Costs per case at the edges: uncertain shares of positives, and thresholds chosen on the same cases.

Coverage and width of the default intervals of `expected_cost` and `expected_cost_difference` on populations
that are not binormal. Without a prior cases are drawn together and their share of positives is an estimate;
with one the class sizes are fixed. The threshold is the population's best one, or the cheapest on a sample
like the one that is evaluated, or on that very sample; the true cost is that of the threshold used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from shapes import MODELS, PAIRS

SIZES = ((60, 540), (25, 25), (20, 500), (500, 20), (100, 100))
FEW, MANY = (25, 25), (60, 540)


def cell(
    shape: str,
    size: tuple[int, int],
    thresholds: str,
    prior: str,
    *,
    w: float = 0.0,
    level: float = 0.95,
    pair: bool = False,
) -> Cell:
    """One cell; w = 0 stands for equal unit costs, which is w = the share of positives."""
    population: Any = (PAIRS if pair else MODELS)[shape]
    share = size[0] / sum(size)
    function, method = ("expected_cost_difference", "agresti_min") if pair else ("expected_cost", "mid_p")
    rule = Rule(
        function,
        methods=(f"{method}:thresholds={thresholds},prior={prior}",),
        at=(w or share,),
        confidence_level=level,
    )
    told = {"sample": "share of the sample", "known": "share known"}.get(prior, f"share from {prior} cases")
    what = "difference" if pair else "cost"
    return Cell(
        name=", ".join(
            [what, shape, f"{size[0]} + {size[1]}", thresholds, told, f"w {w or share:.2g}", f"{level:g}"]
        ),
        population=replace(population, share=share if prior == "sample" else 0.08),
        size=size,
        rule=rule,
        sampling="full" if prior == "sample" else "stratified",
        chunk=100,
    )


ONE = tuple(MODELS)
CELLS = (
    *(cell(s, n, "known", "sample") for s in ONE for n in SIZES),
    *(cell(s, MANY, "validation", "sample") for s in ONE),
    *(cell(s, n, "known", "150", w=0.3) for s in ONE for n in SIZES),
    *(cell(s, MANY, "known", "40", w=0.3) for s in ONE),
    *(cell(s, n, "chosen", "known", w=0.5) for s in ONE for n in SIZES),
    *(cell(s, MANY, "chosen", "sample") for s in ONE),
    *(cell(s, n, "chosen", "known", w=0.5, pair=True) for s in PAIRS for n in SIZES),
    *(
        cell(s, n, "chosen", prior, w=0.5, level=level)
        for s in ("exponential", "strong")
        for n in (FEW, MANY)
        for prior in ("known", "sample")
        for level in (0.8, 0.99)
    ),
    *(
        cell("exponential", n, "known", prior, w=0.3, level=level)
        for n in (FEW, MANY)
        for prior in ("sample", "150")
        for level in (0.8, 0.99)
    ),
)


def promise(one: Cell) -> Expected:
    """Return the guarantee of a default: coverage at most two points below its level."""
    (method,) = one.rule.methods
    level = one.rule.confidence_level
    return Expected(
        says=f"coverage is at least {level - 0.02:g}: {one.name}",
        source="ours",
        cell=one.name,
        method=method,
        quantity="cost_a - cost_b" if one.name.startswith("difference") else "cost",
        value=level - 0.02,
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="Costs per case at the edges",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="cost"),
    quick=Quick(
        replications=60,
        cells=tuple(c for c in CELLS if "exponential, 60 + 540" in c.name and c.name.endswith("0.95")),
    ),
    seed=14,
    expected=tuple(promise(one) for one in CELLS),
)
