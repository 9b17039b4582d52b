"""Forecasts and drift alarms at the edges: few cases, few segments, several levels, no drift and much of it.

Three questions. How often a forecast with a budget contains the areas of all populations within the budget of
the true one: the worst and the best of them, found on a sample of 60,000 cases a class. How often a forecast
from segments, whose positives shift by normal amounts, contains the area of the next one. How often the
monitor keeps silent about a segment of the reference's own population, or of a shifted one. Populations are
not binormal (`shapes.py`), but for regimes drawn at random for each segment, Morin's (2018, section 4.1) own
model: the theoretical value there is a quadrature over normal areas (`regimes.next_coverage`). `paper` is
Morin's forecast, without sampling error. Widths are those beyond the range of areas within the budget.
"""

import math
from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from drifts import DrawnRegimes, Drifting, Shape, contains_all, next_area, silence
from regimes import Regimes, area_sd, next_coverage

METHODS = ("calibrated", "paper")
SEGMENT = (100, 1000)


def cell(
    name: str, population: Any, size: tuple[int, int], function: Any, methods: Any, level: float
) -> Cell:
    """One cell of any of the three questions."""
    rule = Rule(function, methods=methods, confidence_level=level)
    label = f"{name}, {size[0]} + {size[1]}, level {level:g}"
    return Cell(name=label, population=population, size=size, rule=rule, chunk=50)


def budget(shape: str, size: tuple[int, int], level: float = 0.95) -> Cell:
    """All populations within a Jeffreys divergence of 0.1."""
    return cell(f"budget, {shape}", Shape(shape), size, contains_all, METHODS, level)


def history(shape: str, sd: float, segments: int, level: float = 0.95) -> Cell:
    """The next segment of 50 + 100 cases."""
    parts = segments + 1
    name = f"{segments} segments of 50 + 100, {shape}, shifts {sd:g}"
    size = (50 * parts, 100 * parts)
    return cell(name, Drifting(shape, sd, parts), size, next_area, METHODS, level)


def drawn_regimes(low: float, high: float, segments: int) -> Cell:
    """The next segment of 100 + 1,000 cases, each segment in one of two regimes with these areas."""
    parts = segments + 1
    regimes = Regimes.morin(low, high)
    size = (SEGMENT[0] * parts, SEGMENT[1] * parts)
    name = f"{segments} segments of 100 + 1000, regimes {low:g} or {high:g}"
    drawn = DrawnRegimes(regimes.low, regimes.high, parts)
    return cell(name, drawn, size, next_area, METHODS[:1], 0.95)


def alarm(shape: str, sd: float, size: tuple[int, int], level: float = 0.95) -> Cell:
    """A reference and a segment of half these sizes each."""
    name = f"alarm, {shape}, shifts {sd:g}"
    return cell(name, Drifting(shape, sd, 2), size, silence, ("p-value", "jeffreys > 0.25"), level)


BUDGETS = (
    budget("exponential", (30, 30)),
    budget("exponential", (20, 200)),
    budget("mixture", (200, 20)),
    budget("strong", (40, 80)),
    budget("long-tailed negatives", (100, 100)),
    budget("levels", (40, 40)),
    budget("exponential", (30, 30), 0.8),
    budget("exponential", (30, 30), 0.99),
)
HISTORIES = (
    *(history("mixture", sd, 2) for sd in (0.0, 0.25, 0.5, 1.0)),
    *(history("mixture", sd, 5) for sd in (0.0, 0.5)),
    history("mixture", 0.5, 2, 0.8),
    history("mixture", 0.5, 2, 0.99),
)
REGIMES = tuple(
    drawn_regimes(low, high, segments)
    for low, high in ((0.65, 0.75), (0.6, 0.8), (0.55, 0.85))
    for segments in (2, 3, 5)
)
ALARMS = (
    alarm("exponential", 0.0, (50, 450)),
    alarm("exponential", 0.0, (500, 500)),
    alarm("levels", 0.0, (80, 120)),
    alarm("rounded", 0.0, (50, 450)),
    alarm("mixture", 0.0, (50, 450), 0.8),
    alarm("mixture", 1.0, (500, 500)),
)


def promises() -> tuple[Expected, ...]:
    """Return the guarantees of forecasts and alarms, and what Morin's forecast and the rule of thumb lack."""
    out = []
    for cells, method, quantity in (
        (BUDGETS, "calibrated", "all within"),
        (HISTORIES, "calibrated", "next"),
        (tuple(c for c in ALARMS if "shifts 0," in c.name), "p-value", "silent"),
    ):
        for one in cells:
            level = one.rule.confidence_level
            says = f"{method} attains its level: {one.name}"
            out.append(
                Expected(
                    says=says,
                    source="ours",
                    cell=one.name,
                    method=method,
                    quantity=quantity,
                    value=level - 0.02,
                    relation=">=",
                )
            )
    for one in REGIMES:
        law = one.population
        sd = math.sqrt(0.5 * sum(area_sd(r, *SEGMENT) ** 2 for r in (law.low, law.high)))
        gap = (law.high.auc - law.low.auc) / sd
        out.append(
            Expected(
                says=f"the next segment's area, regimes {gap:.1f} sampling errors apart: {one.name}",
                source="ours",
                cell=one.name,
                method="calibrated",
                quantity="next",
                value=next_coverage(gap, law.parts - 1, 0.95),
            )
        )
    return tuple(out)


EXPERIMENT = Experiment(
    title="Forecasts and drift alarms at the edges",
    source="this project",
    cells=BUDGETS + HISTORIES + REGIMES + ALARMS,
    figure=Dots(quantity="all within"),
    quick=Quick(replications=20, cells=(BUDGETS[0], HISTORIES[1], REGIMES[6], ALARMS[0])),
    seed=16,
    expected=promises(),
)
