"""The area of a model whose population switches between two regimes (Morin 2018, Fig. 7).

Morin 2018, section 4 and Figure 7: binormal scores with standard deviation 1/√2 in two regimes; 100
positives and 1,000 negatives a segment. Each sample is one segment of each regime. Quantity "auc" compares
the interval with both true areas, the paper's coverage rate: its rates are multiples of 1/2000 where the
regimes differ and of 1/1000 where they do not. Quantity "fresh" compares it with the empirical areas of
many fresh segments, half of each regime, the paper's correct forecast rate, whose four digits are multiples
of neither. "delong" is its eq. 23 with the sample's own probabilities: Hanley & McNeil's closed form would
make the first coverage rate 0.87, and a binormal variance without that of the spreads 0.80.

In addition to the forty numbers, statements of sections 1, 4.2, 4.3 and 5 about their order are tested.
Ends of stated ranges are widened by half a unit of their last digit. The regimes 0.675 and 0.725, which are
not in the paper, are as far apart as those of its third setting, around the area of its first. They
separate the effect of the gap from that of the area.
"""

import math
from collections.abc import Iterator
from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from regimes import Regimes, regime_areas
from words import meant

SAMPLING = ("binormal", "delong", "bootstrap")
METHODS = (*SAMPLING, "upper_bound", "forecast")
OURS = (
    "upper_bound_wald",
    "forecast:divergence=jeffreys",
    "forecast:method=calibrated",
    "score_delong",
)
AREAS = ((0.68, 0.72), (0.65, 0.75), (0.75, 0.80), (0.70, 0.70))
GAP = "0.675/0.725"


def cell(low: float, high: float, methods: tuple[str, ...], name: str = "") -> Cell:
    """One pair of regimes."""
    return Cell(
        name=name or f"{low:.2f}/{high:.2f}",
        population=Regimes.morin(low, high),
        size=(200, 2000),
        rule=Rule(regime_areas, methods=methods, confidence_level=0.95, n_resamples=399),
        chunk=25,
    )


CELLS = (
    *(cell(low, high, METHODS + OURS) for low, high in AREAS),
    cell(0.675, 0.725, ("binormal", "delong", "upper_bound"), GAP),
)
# Figure 7: coverage rate and correct forecast rate, by method.
PRINTED = {
    "0.68/0.72": ((0.8265, 0.6612), (0.8395, 0.6689), (0.8310, 0.6616), (0.9885, 0.9074), (0.9955, 0.9600)),
    "0.65/0.75": ((0.2360, 0.3427), (0.2470, 0.3515), (0.2455, 0.3453), (0.7725, 0.6615), (0.9795, 0.9259)),
    "0.75/0.80": ((0.6805, 0.5912), (0.6845, 0.5979), (0.6730, 0.5889), (0.9665, 0.8654), (0.9940, 0.9451)),
    "0.70/0.70": ((0.951, 0.7402), (0.944, 0.7477), (0.941, 0.7386), (1.000, 0.9464), (0.999, 0.9702)),
}
FIRST, SECOND, THIRD, FOURTH = PRINTED
RATE = {"auc": "coverage rate", "fresh": "correct forecast rate"}


def said(statement: str, says: str, cell: str, method: str, quantity: str, **more: Any) -> Expected:
    """A statement of the paper about a rate, or with `statistic` about something else."""
    return Expected(
        statement=f"MORIN-{statement}",
        says=f"{says} ({cell}, {RATE[quantity]} of {method})",
        cell=cell,
        method=method,
        quantity=quantity,
        **{"statistic": "mean", **more},
    )


def spread(rate: float) -> float:
    """Standard deviation of a rate between the paper's replications, each of one future estimate."""
    return math.sqrt(rate * (1.0 - rate))


def numbers() -> Iterator[Expected]:
    """The forty rates of Figure 7."""
    for name, rows in PRINTED.items():
        for method, both in zip(METHODS, rows, strict=True):
            for quantity, value in zip(("auc", "fresh"), both, strict=True):
                says = f"Figure 7: {value}"
                more: dict[str, Any] = {"value": f"{value:.4f}", "spread": spread(value)}
                yield said("fig7", says, name, method, quantity, **more)
                if method == "upper_bound":
                    # Eq. 25 does not determine which of the two forms the paper used.
                    printed = f"Figure 7, with eq. 25 at the estimate: {value}"
                    yield said("4.2-b", printed, name, "upper_bound_wald", quantity, **more)


def orders() -> Iterator[Expected]:
    """Order of methods by coverage (sections 1 and 4.2), and of true values and estimates (4.3)."""
    for name in PRINTED:
        for quantity in RATE:
            for rival in METHODS[:-1]:
                more: dict[str, Any] = {"value": 0.0, "relation": ">=", "than": (name, rival)}
                yield said("1-a", f"more than {rival}", name, "forecast", quantity, **more)
            for rival in SAMPLING:
                more = {"value": 0.0, "relation": ">=", "than": (name, rival)}
                yield said("4.2-h", f"closest rival, not {rival}", name, "upper_bound", quantity, **more)
            more = {"value": 0.0, "than": (name, "bootstrap")}
            yield said("4.3-d", "similar to the bootstrap", name, "delong", quantity, **more)
        for method in SAMPLING:
            more = {"value": 0.0, "relation": ">=", "than": (name, method), "than_quantity": "fresh"}
            if name == SECOND:
                # Both lie between the regimes' areas: intervals contain more estimates there.
                more["differs"] = "reversed, as in the paper's own table"
            yield said("4.3-c", "the true value is covered more than estimates", name, method, "auc", **more)


def levels() -> Iterator[Expected]:
    """Distance of coverage from 95 % (sections 1, 4.2, 4.3)."""
    for name in (FIRST, SECOND, THIRD):
        for method in METHODS[:-1]:
            more: dict[str, Any] = {"value": 0.95, "relation": "<="}
            yield said("1-b", "estimates are outside it more often than 5 %", name, method, "fresh", **more)
        more = {"value": meant("far below"), "relation": "<="}
        yield said("4.3-f", "far below 95 %", name, "binormal", "auc", **more)
        for method in ("delong", "bootstrap"):
            for quantity in RATE:
                low: dict[str, Any] = {"value": 0.245, "relation": ">="}
                high: dict[str, Any] = {"value": 0.855, "relation": "<="}
                yield said("4.3-e", "25 % or more", name, method, quantity, **low)
                yield said("4.3-e", "85 % or less", name, method, quantity, **high)
    for method in SAMPLING:
        yield said("4.2-d", "greater than 80 %", FIRST, method, "auc", value=0.80, relation=">=")
        about: dict[str, Any] = {"value": 2 / 3, "spread": spread(2 / 3)}
        yield said("4.2-d", "roughly two thirds", FIRST, method, "fresh", **about)
        close: dict[str, Any] = {"value": 0.95}
        yield said("4.2-g", "close to the nominal 95 %", FOURTH, method, "auc", **close)
        statement = "4.3-f" if method == "binormal" else "4.3-g"
        yield said(statement, "attains 95 % without regimes", FOURTH, method, "auc", **close)
        yield said("4.3-g", "estimates less", FOURTH, method, "fresh", value=0.9, relation="<=")
        drop: dict[str, Any] = {"value": -meant("drastic"), "relation": "<=", "than": (FIRST, method)}
        yield said("4.2-e", "much lower than in the first setting", SECOND, method, "auc", **drop)
    for name in PRINTED:
        for quantity in RATE:
            yield said("4.2-d", "greater than 90 %", name, "forecast", quantity, value=0.9, relation=">=")
        own = {"differs": "0.9795 in the paper's own table"} if name == SECOND else {}
        yield said("4.3-a", "99 to 100 %", name, "forecast", "auc", value=0.985, relation=">=", **own)
        yield said("4.3-b", "92 % or more", name, "forecast", "fresh", value=0.915, relation=">=")
        yield said("4.3-b", "97 % or less", name, "forecast", "fresh", value=0.975, relation="<=")


def enough() -> Iterator[Expected]:
    """Settings in which the upper bound contains enough estimates (section 4.2)."""
    for name in (FIRST, THIRD, FOURTH):
        held: dict[str, Any] = {"value": meant("enough"), "relation": ">="}
        yield said("4.2-j", "enough where areas vary less", name, "upper_bound", "fresh", **held)
    more: dict[str, Any] = {"value": meant("not enough"), "relation": "<="}
    yield said("4.2-j", "not where they vary more", SECOND, "upper_bound", "fresh", **more)


def widths() -> Iterator[Expected]:
    """Widths that follow the variation (section 4.2), and the lower coverage of the third setting."""
    wider: dict[str, Any] = {"statistic": "width", "than": (FOURTH, "forecast"), "relation": ">="}
    yield said(
        "4.2-i", "width grows with the variation", SECOND, "forecast", "auc", value=meant("grows"), **wider
    )
    for method in METHODS[:-1]:
        same = wider | {"than": (FOURTH, method), "relation": "<="}
        yield said("4.2-i", "width does not", SECOND, method, "auc", value=meant("grows"), **same)
    for method in SAMPLING:
        less: dict[str, Any] = {"value": 0.0, "relation": "<=", "than": (FIRST, method)}
        yield said("4.2-f", "lower than in the first setting", THIRD, method, "auc", **less)
        less |= {"statistic": "width"}
        yield said("4.2-f", "narrower than in the first setting", THIRD, method, "auc", **less)
    over: dict[str, Any] = {"value": 0.95, "relation": ">="}
    yield said("4.2-f", "the exception covers more", THIRD, "upper_bound", "auc", **over)
    narrow: dict[str, Any] = {
        "value": 0.0,
        "relation": ">=",
        "statistic": "width",
        "than": (FIRST, "upper_bound"),
    }
    contrary = "it also has the factor A(1 - A) of eq. 25, and narrows like the others"
    narrow["differs"] = contrary
    yield said("4.2-f", "the exception is no narrower", THIRD, "upper_bound", "auc", **narrow)
    for method in ("binormal", "delong"):
        gap: dict[str, Any] = {"source": "ours", "value": -0.03, "relation": "<="}
        yield said("4.2-f", "less by the gap alone", GAP, method, "auc", than=(FIRST, method), **gap)
        yield said("4.2-f", "less by the height alone", THIRD, method, "auc", than=(GAP, method), **gap)


EXPERIMENT = Experiment(
    title="The area of a model under two regimes",
    source="Morin 2018, Figure 7",
    cells=CELLS,
    figure=Dots(quantity="fresh"),
    quick=Quick(replications=150, cells=(cell(*AREAS[0], METHODS),)),
    seed=2018,
    expected=(*numbers(), *orders(), *levels(), *enough(), *widths()),
)
