"""Rectangles at a threshold: how far apart the classes are (Dugas & Gadoury 2009, ROC, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of ROC curves, section 5.1 and Figure 3:
binormal scores, 10,000 cases a class, location θ of the positives and -θ of the negatives, 90 % rectangles.
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import RATES, by_spread, rectangle_panels

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
        Expected(
            says="Figure 3, θ = 3: Wald's coverage drops sharply at low total positive rates",
            cell="theta=3.0",
            method="wald",
            quantity="joint",
            statistic="min",
            value=0.8,
            relation="<=",
            replications=None,
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
