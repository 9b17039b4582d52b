"""Differences of two models' TPRs at a false positive rate (Dugas & Gadoury 2009, ROC, Fig. 10).

Dugas & Gadoury 2009, section 5.4 and Figure 10: populations of Figure 7, 100 cases a class, Algorithm 5.
"""

import numpy as np

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import CORRELATIONS, WALD_AND_EMPIRICAL, of_pairs, panels_of

RATES = tuple(np.round(np.linspace(0.02, 0.98, 25), 2).tolist())
RULE = Rule(
    "tpr_difference_at_fpr", methods=("agresti_min", "wald", "bootstrap"), confidence_level=0.9, at=RATES
)
PAIRS = tuple((f"theta={theta}, rho={rho}", theta, 2.0, rho) for rho in CORRELATIONS for theta in (1.0, 3.0))
CELLS = of_pairs(RULE, 100, 3.75, PAIRS, chunk=25)
EXPERIMENT = Experiment(
    title="Differences of two models' TPRs at a false positive rate",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 10",
    cells=CELLS,
    figure=panels_of(
        CELLS, "tpr_a - tpr_b", "false positive rate", (("agresti_min", "Agresti", "-"), *WALD_AND_EMPIRICAL)
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
        for rho in CORRELATIONS
        for m in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says="section 5.4: 'coverage for the Agresti method is above target, for "
            f"high false positive rates' (θ = {theta}, ρ = {rho})",
            cell=name,
            method="agresti_min",
            quantity="tpr_a - tpr_b",
            at=0.98,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for name, theta, _, rho in PAIRS
    ),
)
