"""Rectangles at a threshold: how far apart the classes are (Dugas & Gadoury 2009, ROC, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of ROC curves, section 5.1 and Figure 3:
binormal scores, 10,000 cases a class, location θ of the positives and -θ of the negatives, 90 % rectangles.
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, Panels, Quick, binormal
from confroc.lab.rules import AtThreshold

# 0.2 is where the paper works an example through.
RATES = tuple(np.round(np.linspace(0.02, 0.98, 49), 2).tolist())
RULE = AtThreshold(
    methods=("agresti_coull", "wald", "bootstrap", "clopper_pearson"),
    confidence_level=0.9,
    positive_rate=RATES,
)
THETA = (0.75, 1.5, 3.0, 5.0)
CELLS = tuple(
    Cell(name=f"theta={t}", population=binormal(t, -t, 3.75, 3.0), size=(10_000, 10_000), rule=RULE, chunk=50)
    for t in THETA
)
FIGURE = Panels(
    panels=tuple((f"θ = {t}", (f"theta={t}",)) for t in THETA),
    columns=2,
    quantity="joint",
    x="theoretical total positive rate",
    styles=(("agresti_coull", "Agresti", "-"), ("wald", "Wald", ":"), ("bootstrap", "Empirical", "--")),
)
EXPERIMENT = Experiment(
    title="Rectangles at a threshold: spread",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 3",
    cells=CELLS,
    figure=FIGURE,
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
            says="theory: Clopper-Pearson sides at level √0.9 never under-cover (θ = 5)",
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
