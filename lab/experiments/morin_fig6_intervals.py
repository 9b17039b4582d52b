"""Forecast bounds by distance, compared with confidence intervals for the area (Morin 2018, Fig. 6).

Morin 2018, section 3 and Figure 6: one sample of 100 positives and 1,000 negatives from a binormal
population with area 0.70 and standard deviations 1/√2. The figure shows one sample. The numbers here are
the coverage of its intervals when that population does not change, and their width, over many samples.
Quantity "curve" is the figure itself: bounds within a distance, and for comparison an interval, which does
not depend on a distance; there the coverage is how often the bounds contain the true area.
"""

import itertools
from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule, binormal_with_auc
from drawings import ForecastFan
from drifts import curve_areas
from words import meant

POPULATION = binormal_with_auc(0.70, sd=0.5**0.5)
SIZE = (100, 1000)
ON_TARGET = ("binormal", "delong", "hanley_mcneil", "score_delong", "newcombe")
BOUNDS = ("upper_bound", "upper_bound_wald")
CELL = Cell(
    name="AUC 0.70",
    population=POPULATION,
    size=SIZE,
    rule=Rule("auc_interval", methods=(*ON_TARGET, *BOUNDS, "cortes_mohri"), confidence_level=0.95),
    chunk=100,
)
RADII = (1e-4, 1e-3, 0.01, 0.1, 1.0)
CURVE = Cell(
    name="bounds",
    population=POPULATION,
    size=SIZE,
    rule=Rule(curve_areas, methods=("kl", "delong"), at=RADII, confidence_level=0.95),
    chunk=100,
)


def said(statement: str, says: str, method: str, **more: Any) -> Expected:
    """A sentence about an interval of the first cell, unless another is named."""
    given = {"cell": "AUC 0.70", "quantity": "auc", "replications": None, **more}
    return Expected(statement=f"MORIN-{statement}", says=says, method=method, **given)


def widths() -> list[Expected]:
    """Orders of widths, among intervals and along the curve."""
    out = []
    for bound in BOUNDS:
        for rival in ON_TARGET:
            wider: dict[str, Any] = {"statistic": "width", "than": ("AUC 0.70", rival), "relation": ">="}
            out.append(
                said(
                    "fig6-b",
                    f"{bound} is by far wider than {rival}",
                    bound,
                    value=meant("by far wider"),
                    **wider,
                )
            )
    between = {"statistic": "width", "relation": ">=", "value": 0.0}
    out += [
        said("4.2-c", "wider than the sample's", "cortes_mohri", than=("AUC 0.70", "delong"), **between),
        said(
            "4.2-c",
            "narrower than the bound",
            "upper_bound_wald",
            than=("AUC 0.70", "cortes_mohri"),
            **between,
        ),
    ]
    curve: dict[str, Any] = {"cell": "bounds", "quantity": "curve", "statistic": "width", "value": 0.0}
    for low, high in itertools.pairwise(RADII):
        says = f"the bounds widen from distance {low:g} to {high:g}"
        out.append(said("fig6-a", says, "kl", at=high, relation=">=", than=("bounds", "kl", low), **curve))
    near = {"at": RADII[0], "relation": "<=", "than": ("bounds", "delong")}
    far = {"at": RADII[3], "relation": ">=", "than": ("bounds", "delong")}
    out += [
        said("fig6-a", "near the sample the bounds are narrower than its interval", "kl", **near, **curve),
        said("fig6-a", "at a distance of 0.1 they are wider", "kl", **far, **curve),
    ]
    return out


EXPERIMENT = Experiment(
    title="Confidence intervals for the area of a population that does not change",
    source="Morin 2018, Figure 6",
    cells=(CELL, CURVE),
    figure=Dots(quantity="auc"),
    drawings=(
        ForecastFan(
            name="fan",
            caption="Figure 6 of the paper: bounds of the area over all populations within a distance of one "
            "sample (black), and confidence intervals from that sample (dashed).",
            population=POPULATION,
            size=SIZE,
            radii=(1e-4, 1.0),
            methods=("delong", "binormal", "upper_bound"),
            seed=6,
        ),
    ),
    quick=Quick(replications=100),
    seed=2018,
    expected=(
        *(
            Expected(
                says=f"{method} is on target for 100 + 1,000 cases at an area of 0.70",
                source="theory",
                cell="AUC 0.70",
                method=method,
                quantity="auc",
                value=0.95,
            )
            for method in ON_TARGET
        ),
        *(said("fig6-b", f"{b} covers too much", b, value=meant("too much"), relation=">=") for b in BOUNDS),
        *widths(),
    ),
)
