"""Differences of two models at thresholds (Dugas & Gadoury 2009, ROC, Fig. 7).

Dugas & Gadoury 2009, section 5.2 and Figure 7: binormal scores, 100 cases a class; positives of the second
model are 2 higher; correlation 0.3, 0.6, 0.9 within each class. Our differences are first minus second.

By exact sums there are ranges of rates at both ends of the curve where Wald covers 0.85 or less (`DROPS`),
and with correlation 0.9 single rates in the zigzags between (`DIPS`). There are more samples than the
paper's thousand, because zigzags are small.
"""

from functools import partial

import exact_coverage as exact
from confroc_lab import Expected, Experiment, Quick, Rule
from designs import CORRELATIONS, RATES, WALD_AND_EMPIRICAL, of_pairs, rectangle_panels
from words import meant

N = 100
RULE = Rule(
    "rates_difference_at_threshold",
    methods=("agresti_min", "wald", "bootstrap"),
    confidence_level=0.9,
    at=RATES,
)
PAIRS = tuple((f"theta={theta}, rho={rho}", theta, 2.0, rho) for rho in CORRELATIONS for theta in (1.0, 3.0))
CELLS = of_pairs(RULE, N, 3.75, PAIRS)
DROPS = {1.0: ((0.01, 0.08), (0.98, 0.99)), 3.0: ((0.01, 0.25), (0.86, 0.99))}
DIPS = ((1.0, 0.09), (1.0, 0.96), (3.0, 0.27), (3.0, 0.81))
IN_DIPS = (
    "in the zigzags of both methods Agresti dips together with Wald: by exact sums it covers 0.83 to 0.84 at "
    "these rates"
)
said = partial(Expected, quantity="joint")
EXPERIMENT = Experiment(
    title="Differences of two models at thresholds",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 7",
    cells=CELLS,
    replications=5000,
    figure=rectangle_panels(CELLS, "agresti_min"),
    quick=Quick(replications=250),
    expected=tuple(
        said(
            says="section 5.2: 'coverage accuracy declines as the spread parameter increases' (mean of "
            f"{name}, ρ = {rho})",
            statement="DGROC-fig7-a",
            cell=f"theta=3.0, rho={rho}",
            method=method,
            statistic="mean",
            than=(f"theta=1.0, rho={rho}", method),
            value=-meant("declines"),
            relation="<=",
        )
        for rho in CORRELATIONS
        for method, name, _ in WALD_AND_EMPIRICAL
    )
    + tuple(
        said(
            says=f"section 5.2: 'coverage accuracy declines as the spread parameter increases' (Wald drops, "
            f"θ = 3, ρ = {rho})",
            statement="DGROC-fig7-a",
            cell=f"theta=3.0, rho={rho}",
            method="wald",
            statistic="min",
            value=meant("break"),
            relation="<=",
        )
        for rho in CORRELATIONS
    )
    + tuple(
        said(
            says="section 5.2: 'as ρ increases, zigzag patterns become more pronounced' (mean step of "
            f"{method} between neighbouring rates from 0.2 to 0.8, ρ = 0.9 against 0.3, θ = {theta})",
            statement="DGROC-fig7-b",
            cell=f"theta={theta}, rho=0.9",
            method=method,
            statistic="rough",
            between=(0.2, 0.8),
            than=(f"theta={theta}, rho=0.3", method),
            value=0.0,
            relation=">=",
        )
        for theta in (1.0, 3.0)
        for method in ("agresti_min", "wald")
    )
    + tuple(
        said(
            says="section 5.2: with ρ coverage declines, too (Wald's mean distance from the level, ρ = 0.9 "
            f"against 0.3, θ = {theta})",
            statement="DGROC-fig7-b",
            cell=f"theta={theta}, rho=0.9",
            method="wald",
            statistic="distance",
            than=(f"theta={theta}, rho=0.3", "wald"),
            value=0.0,
            relation=">=",
        )
        for theta in (1.0, 3.0)
    )
    + tuple(
        said(
            says="section 5.2: where the others drop, 'coverage of the Agresti method increases above "
            f"target' (rates {between[0]} to {between[1]}, θ = {theta}, ρ = {rho})",
            statement="DGROC-fig7-c",
            cell=name,
            method="agresti_min",
            statistic="min",
            between=between,
            value=0.9,
            relation=">=",
        )
        for name, theta, _, rho in PAIRS
        for between in DROPS[theta]
    )
    + tuple(
        said(
            says=f"section 5.2: the same in a dip of the zigzags (rate {at}, θ = {theta}, ρ = 0.9)",
            statement="DGROC-fig7-c",
            cell=f"theta={theta}, rho=0.9",
            method="agresti_min",
            at=at,
            value=0.9,
            relation=">=",
            differs=IN_DIPS,
        )
        for theta, at in DIPS
    )
    + tuple(
        said(
            says="abstract: drastic falls at the ends of the curve are avoided: the least coverage of "
            f"Agresti is 0.3 or more above that of {label} ({name})",
            statement="DGROC-abs-a",
            cell=name,
            method="agresti_min",
            statistic="min",
            than=(name, method),
            value=meant("drastic"),
            relation=">=",
        )
        for name, *_ in PAIRS
        for method, label, _ in WALD_AND_EMPIRICAL
    )
    + tuple(
        said(
            says=f"sums over all counts: {method}, {name}, rate {at}",
            source="theory",
            cell=name,
            method=method,
            at=at,
            value=exact.differences_at_rate(theta, rho, at, N, method),
        )
        for name, theta, _, rho in PAIRS[::3]
        for at in (0.05, 0.5, 0.9)
        for method in ("agresti_min", "wald")
    ),
)
