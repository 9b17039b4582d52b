"""Rectangles at a threshold: how far apart the classes are (Dugas & Gadoury 2009, ROC, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of ROC curves, section 5.1 and Figure 3:
binormal scores, 10,000 cases a class, location θ of the positives and -θ of the negatives, 90 % rectangles.
The paper's words ("barely distinguishable", "drops sharply") name no numbers; those here are our reading.
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import HIGH, RATES, SPREADS, WALD_AND_EMPIRICAL, by_spread, rectangle_panels

RULE = Rule(
    "rates_at_threshold",
    methods=("agresti_coull", "wald", "bootstrap", "clopper_pearson"),
    confidence_level=0.9,
    at=RATES,
)
CELLS = by_spread(RULE, 10_000, 3.75)
EXPERIMENT = Experiment(
    title="Rectangles at a threshold: spread",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 3",
    cells=CELLS,
    figure=rectangle_panels(CELLS),
    quick=Quick(replications=200),
    expected=(
        Expected(
            says="section 5.1: at θ = 5 and total positive rate 0.2 Wald's coverage is 0.692",
            cell="theta=5.0",
            method="wald",
            quantity="joint",
            at=0.2,
            value=0.692,
        ),
        Expected(
            says="section 5.1: there, Wald covers the false positive rate at most 73 % of the time",
            cell="theta=5.0",
            method="wald",
            quantity="fpr",
            at=0.2,
            value=0.7299,
            relation="<=",
            replications=None,
        ),
        Expected(
            says="section 5.1: there, 'the Agresti method becomes somewhat too conservative'",
            cell="theta=5.0",
            method="agresti_coull",
            quantity="joint",
            at=0.2,
            value=0.9,
            relation=">=",
            replications=None,
        ),
        Expected(
            says="section 5.1: with θ = 0.75 'the three methods are barely "
            "distinguishable' (Wald at 0.2 on target)",
            cell="theta=0.75",
            method="wald",
            quantity="joint",
            at=0.2,
            value=0.9,
            tolerance=0.01,
            replications=None,
        ),
        *(
            Expected(
                says=f"section 5.1: with θ = 0.75 'the three methods are barely distinguishable' ({name})",
                cell="theta=0.75",
                method=method,
                quantity="joint",
                statistic="mean",
                than=("theta=0.75", "agresti_coull"),
                value=0.0,
                tolerance=0.02,
            )
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            Expected(
                says=f"section 5.1: with θ = {theta} {name} drops sharply at low total positive rates",
                cell=f"theta={theta}",
                method=method,
                quantity="joint",
                at=0.01,
                value=0.82,
                relation="<=",
                replications=None,
            )
            for theta in SPREADS[1:]
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            Expected(
                says=f"section 5.1: there, with θ = {theta}, Agresti is 'somewhat too conservative'",
                cell=f"theta={theta}",
                method="agresti_coull",
                quantity="joint",
                at=0.01,
                value=0.9,
                relation=">=",
                replications=None,
            )
            for theta in SPREADS[1:3]
        ),
        *(
            Expected(
                says=f"section 5.1: with θ = {theta} {name} "
                + ("drops at high rates, too" if theta == 5.0 else "does not drop at high rates"),
                cell=f"theta={theta}",
                method=method,
                quantity="joint",
                statistic="min",
                between=HIGH,
                value=0.3 if theta == 5.0 else 0.8,
                relation="<=" if theta == 5.0 else ">=",
                replications=None,
            )
            for theta in SPREADS[1:]
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            Expected(
                says=f"section 5.1: coverage is better with strong overlap: Wald's is further from its level "
                f"with θ = {theta} than with θ = 0.75",
                cell=f"theta={theta}",
                method="wald",
                quantity="joint",
                statistic="distance",
                than=("theta=0.75", "wald"),
                value=0.0,
                relation=">=",
            )
            for theta in SPREADS[1:]
        ),
        Expected(
            says="section 5.1: there (θ = 5, rate 0.2) Empirical behaves like Wald",
            cell="theta=5.0",
            method="bootstrap",
            quantity="joint",
            at=0.2,
            than=("theta=5.0", "wald"),
            value=0.0,
            tolerance=0.02,
        ),
        Expected(
            says="section 5.1: the Agresti method has no coverage breaks at any θ (here θ = 5)",
            cell="theta=5.0",
            method="agresti_coull",
            quantity="joint",
            statistic="min",
            value=0.88,
            relation=">=",
            replications=None,
        ),
        Expected(
            says="Clopper-Pearson sides at level √0.9 never under-cover (θ = 5)",
            source="theory",
            cell="theta=5.0",
            method="clopper_pearson",
            quantity="joint",
            statistic="min",
            value=0.9,
            relation=">=",
            replications=None,
        ),
    ),
)
