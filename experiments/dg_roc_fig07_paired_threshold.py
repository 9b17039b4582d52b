"""Differences of two models at thresholds (Dugas & Gadoury 2009, ROC, Fig. 7).

Dugas & Gadoury 2009, section 5.2 and Figure 7: binormal scores, 100 cases a class; positives of the second
model lie 2 higher; correlation 0.3, 0.6, 0.9 within each class. Our differences are first minus second.
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, NormalPair, Panels, Quick
from confroc.lab.rules import PairAtThreshold

RATES = tuple(np.round(np.linspace(0.02, 0.98, 49), 2).tolist())
RULE = PairAtThreshold(
    methods=("agresti_min", "wald", "bootstrap"), confidence_level=0.9, positive_rate=RATES
)
GRID = tuple((theta, rho) for rho in (0.3, 0.6, 0.9) for theta in (1.0, 3.0))
CELLS = tuple(
    Cell(
        name=f"theta={theta}, rho={rho}",
        population=NormalPair((theta, theta + 2.0), (-theta, -theta), 3.75, 3.0, rho),
        size=(100, 100),
        rule=RULE,
        chunk=500,
    )
    for theta, rho in GRID
)
EXPERIMENT = Experiment(
    title="Differences of two models at thresholds",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 7",
    cells=CELLS,
    figure=Panels(
        panels=tuple((f"θ = {theta}, ρ = {rho}", (f"theta={theta}, rho={rho}",)) for theta, rho in GRID),
        columns=2,
        quantity="joint",
        x="theoretical total positive rate",
        styles=(("agresti_min", "Agresti", "-"), ("wald", "Wald", ":"), ("bootstrap", "Empirical", "--")),
    ),
    quick=Quick(replications=250),
    expected=tuple(
        Expected(
            says="section 5.2: 'coverage accuracy declines as the spread parameter "
            f"increases' (Wald, θ = 3, ρ = {rho})",
            cell=f"theta=3.0, rho={rho}",
            method="wald",
            quantity="joint",
            statistic="min",
            value=0.6,
            relation="<=",
            replications=None,
        )
        for rho in (0.3, 0.6, 0.9)
    )
    + tuple(
        Expected(
            says="section 5.2: where the others drop, 'coverage of the Agresti method "
            f"increases above target' (θ = {theta}, ρ = {rho})",
            cell=f"theta={theta}, rho={rho}",
            method="agresti_min",
            quantity="joint",
            at=0.02,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for theta, rho in GRID
    ),
)
