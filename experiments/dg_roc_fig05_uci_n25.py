"""Rectangles at a threshold: six UCI data sets, 25 cases a class (Dugas & Gadoury 2009, ROC, Fig. 5).

Dugas & Gadoury 2009, section 5.1, appendix C and Figure 5: logistic regression on each set, test samples
drawn with replacement from the cases that did not train it. The paper's "sample size" is taken per class,
as in its size experiment: only so do the extremes that section 5.3 quotes for these samples appear.
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, LogisticOn, Panels, Quick
from confroc.lab.rules import AtThreshold

N = 25
RATES = tuple(np.round(np.linspace(0.02, 0.98, 49), 2).tolist())
RULE = AtThreshold(methods=("agresti_coull", "wald", "bootstrap"), confidence_level=0.9, positive_rate=RATES)
SETS = ("abalone", "adult", "chess", "covertype", "credit", "telescope")
CELLS = tuple(
    Cell(name=name, population=LogisticOn(name), size=(N, N), rule=RULE, chunk=500) for name in SETS
)
EXPERIMENT = Experiment(
    title=f"Rectangles at a threshold: UCI data, n = {N} a class",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 5",
    cells=CELLS,
    figure=Panels(
        panels=tuple((name.capitalize(), (name,)) for name in SETS),
        columns=2,
        quantity="joint",
        x="theoretical total positive rate",
        styles=(("agresti_coull", "Agresti", "-"), ("wald", "Wald", ":"), ("bootstrap", "Empirical", "--")),
    ),
    quick=Quick(replications=250, cells=tuple(c for c in CELLS if c.name in ("abalone", "credit"))),
    expected=tuple(
        Expected(
            says="section 5.1: 'the Wald and Empirical methods may lead to severe "
            f"coverage breaks' ({name}, {method})",
            cell=name,
            method=method,
            quantity="joint",
            statistic="min",
            value=0.75,
            relation="<=",
            replications=None,
        )
        for name in SETS
        for method in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says=f"section 5.1: 'the Agresti method avoids coverage breaks' ({name})",
            cell=name,
            method="agresti_coull",
            quantity="joint",
            statistic="min",
            value=0.85,
            relation=">=",
            replications=None,
        )
        for name in SETS
    ),
)
