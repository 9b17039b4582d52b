"""Differences of two models' TPRs at a false positive rate (Dugas & Gadoury 2009, ROC, Fig. 10).

Dugas & Gadoury 2009, section 5.4 and Figure 10: populations of Figure 7, 100 cases a class, Algorithm 5.
The rates go down to one of the 100 negatives and up to 99.
"""

from functools import partial

import numpy as np

from confroc_lab import Expected, Experiment, Quick, Rule
from designs import CORRELATIONS, WALD_AND_EMPIRICAL, of_pairs, panels_of
from words import meant

RATES = (0.01, *np.round(np.linspace(0.02, 0.98, 25), 2).tolist(), 0.99)
RULE = Rule(
    "tpr_difference_at_fpr", methods=("agresti_min", "wald", "bootstrap"), confidence_level=0.9, at=RATES
)
PAIRS = tuple((f"theta={theta}, rho={rho}", theta, 2.0, rho) for rho in CORRELATIONS for theta in (1.0, 3.0))
CELLS = of_pairs(RULE, 100, 3.75, PAIRS, chunk=25)
MILD = "with θ = 1 there is no such drop: from 0.9 on Wald covers 0.92 or more and Empirical 0.84 or more"
DROPS_WEIGH = (
    "with θ = 3 the drops at high rates, which the paper describes, pull the mean below the level; at the "
    "rates "
    "below 0.6 the means are above it"
)
METHODS = (("agresti_min", "Agresti"), ("wald", "Wald"), ("bootstrap", "Empirical"))
said = partial(Expected, quantity="tpr_a - tpr_b")
EXPERIMENT = Experiment(
    title="Differences of two models' TPRs at a false positive rate",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 10",
    cells=CELLS,
    figure=panels_of(
        CELLS, "tpr_a - tpr_b", "false positive rate", (("agresti_min", "Agresti", "-"), *WALD_AND_EMPIRICAL)
    ),
    quick=Quick(replications=75, cells=tuple(c for c in CELLS if "rho=0.6" in c.name)),
    expected=tuple(
        said(
            says="section 5.4: 'for high false positive rates, coverages for the Wald "
            f"and Empirical methods drop severely' ({m}, θ = {theta}, ρ = {rho})",
            statement="DGROC-fig10-c",
            cell=name,
            method=m,
            statistic="min",
            between=(0.9, 0.99),
            value=meant("severe break"),
            relation="<=",
            differs=MILD if theta == 1.0 else "",
        )
        for name, theta, _, rho in PAIRS
        for m in ("wald", "bootstrap")
    )
    + tuple(
        said(
            says="section 5.4: 'coverage for the Agresti method is above target, for "
            f"high false positive rates' (θ = {theta}, ρ = {rho}, rate {at})",
            statement="DGROC-fig10-d",
            cell=name,
            method="agresti_min",
            at=at,
            value=0.9,
            relation=">=",
        )
        for name, theta, _, rho in PAIRS
        for at in (0.98, 0.99)
    )
    + tuple(
        said(
            says="section 5.4: 'coverage accuracy is generally too conservative for all three methods' "
            f"(mean of {label}, θ = {theta}, ρ = {rho})",
            statement="DGROC-fig10-a",
            cell=name,
            method=method,
            statistic="mean",
            value=0.9,
            relation=">=",
            differs=DROPS_WEIGH if theta == 3.0 and method != "agresti_min" else "",
        )
        for name, theta, _, rho in PAIRS
        for method, label in METHODS
    )
    + tuple(
        said(
            says="section 5.4: 'for very low false positive rates, coverage drops for all methods' (one of "
            "100 "
            f"negatives; {label}, θ = {theta}, ρ = {rho})",
            statement="DGROC-fig10-b",
            cell=name,
            method=method,
            at=0.01,
            than=(name, method, 0.1),
            value=-meant("drops"),
            relation="<=",
        )
        for name, theta, _, rho in PAIRS
        for method, label in METHODS
    )
    + tuple(
        said(
            says="section 5.4, end: 'at the expense of being somewhat too conservative, the Agresti method "
            "avoids "
            f"the important coverage accuracy breaks' (θ = {theta}, ρ = {rho})",
            statement="DGROC-5.4-a",
            cell=name,
            method="agresti_min",
            statistic="min",
            value=meant("no break"),
            relation=">=",
        )
        for name, theta, _, rho in PAIRS
    )
    + tuple(
        said(
            says="abstract: drastic falls at the ends of the curve are avoided: the least coverage of "
            "Agresti "
            f"is 0.3 or more above that of {label} (θ = 3, ρ = {rho})",
            statement="DGROC-abs-a",
            cell=f"theta=3.0, rho={rho}",
            method="agresti_min",
            statistic="min",
            than=(f"theta=3.0, rho={rho}", method),
            value=meant("drastic"),
            relation=">=",
        )
        for rho in CORRELATIONS
        for method, label in METHODS[1:]
    ),
)
