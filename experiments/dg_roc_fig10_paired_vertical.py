"""Differences of two models' TPRs at a false positive rate (Dugas & Gadoury 2009, ROC, Fig. 10).

Dugas & Gadoury 2009, section 5.4 and Figure 10: populations of Figure 7, 100 cases a class, Algorithm 5.
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, NormalPair, Panels, Quick
from confroc.lab.rules import PairAtFpr

RATES = tuple(np.round(np.linspace(0.02, 0.98, 25), 2).tolist())
RULE = PairAtFpr(methods=("agresti_min", "wald", "bootstrap"), confidence_level=0.9, fpr=RATES)
GRID = tuple((theta, rho) for rho in (0.3, 0.6, 0.9) for theta in (1.0, 3.0))
CELLS = tuple(
    Cell(
        name=f"theta={theta}, rho={rho}",
        population=NormalPair((theta, theta + 2.0), (-theta, -theta), 3.75, 3.0, rho),
        size=(100, 100),
        rule=RULE,
        chunk=25,
    )
    for theta, rho in GRID
)
EXPERIMENT = Experiment(
    title="Differences of two models' TPRs at a false positive rate",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 10",
    cells=CELLS,
    figure=Panels(
        panels=tuple((f"θ = {theta}, ρ = {rho}", (f"theta={theta}, rho={rho}",)) for theta, rho in GRID),
        columns=2,
        quantity="tpr_a - tpr_b",
        x="false positive rate",
        styles=(("agresti_min", "Agresti", "-"), ("wald", "Wald", ":"), ("bootstrap", "Empirical", "--")),
    ),
    quick=Quick(replications=75, cells=tuple(c for c in CELLS if "rho=0.6" in c.name)),
    expected=tuple(
        Expected(
            says="section 5.4: 'for high false positive rates, coverages for the Wald "
            f"and Empirical methods drop severely' ({m}, ρ = {rho})",
            cell=f"theta=3.0, rho={rho}",
            method=m,
            quantity="tpr_a - tpr_b",
            at=0.98,
            value=0.7,
            relation="<=",
            replications=None,
        )
        for rho in (0.3, 0.6, 0.9)
        for m in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says="section 5.4: 'coverage for the Agresti method is above target, for "
            f"high false positive rates' (θ = {theta}, ρ = {rho})",
            cell=f"theta={theta}, rho={rho}",
            method="agresti_min",
            quantity="tpr_a - tpr_b",
            at=0.98,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for theta, rho in GRID
    ),
)
