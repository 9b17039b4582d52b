"""Differences of two models at thresholds (Dugas & Gadoury 2009, ROC, Fig. 7).

Dugas & Gadoury 2009, section 5.2 and Figure 7: binormal scores, 100 cases a class; positives of the second
model lie 2 higher; correlation 0.3, 0.6, 0.9 within each class. Our differences are first minus second.
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import CORRELATIONS, RATES, of_pairs, rectangle_panels

RULE = Rule(
    "rates_difference_at_threshold",
    methods=("agresti_min", "wald", "bootstrap"),
    confidence_level=0.9,
    at=RATES,
)
PAIRS = tuple((f"theta={theta}, rho={rho}", theta, 2.0, rho) for rho in CORRELATIONS for theta in (1.0, 3.0))
CELLS = of_pairs(RULE, 100, 3.75, PAIRS)
EXPERIMENT = Experiment(
    title="Differences of two models at thresholds",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 7",
    cells=CELLS,
    figure=rectangle_panels(CELLS, "agresti_min"),
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
        for rho in CORRELATIONS
    )
    + tuple(
        Expected(
            says="section 5.2: where the others drop, 'coverage of the Agresti method "
            f"increases above target' (θ = {theta}, ρ = {rho})",
            cell=name,
            method="agresti_min",
            quantity="joint",
            at=0.02,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for name, theta, _, rho in PAIRS
    ),
)
