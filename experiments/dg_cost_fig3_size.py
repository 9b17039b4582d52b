"""Cost of one model: how many cases there are (Dugas & Gadoury 2009, costs, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 3:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The
paper's method is "wald".
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, Panels, Quick, binormal
from confroc.lab.rules import AtW

RULE = AtW(
    methods=("wald", "newcombe", "agresti_coull"),
    confidence_level=0.9,
    w=tuple(np.round(np.linspace(0.01, 0.99, 99), 2).tolist()),
)
SIZES = (25, 250, 2500, 10_000)
CELLS = tuple(
    Cell(
        name=f"n={n}",
        population=binormal(3.0, -3.0, 3.0, 3.0),
        size=(n, n),
        rule=RULE,
        chunk=500 if n < 1000 else 50,
    )
    for n in SIZES
)
PANELS = tuple((f"n = {n}", (f"n={n}",)) for n in SIZES)
EXPERIMENT = Experiment(
    title="Cost of one model: how many cases there are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 3",
    cells=CELLS,
    figure=Panels(
        panels=PANELS,
        columns=2,
        quantity="cost",
        x="operating conditions w",
        styles=(
            ("wald", "Wald (the paper's)", "-"),
            ("newcombe", "Newcombe", "--"),
            ("agresti_coull", "Agresti-Coull", ":"),
        ),
    ),
    quick=Quick(replications=100),
    expected=(
        Expected(
            says="section 5: 'for sample sizes of 25, only a very narrow range of "
            "operating conditions' is on target (w = 0.2)",
            cell="n=25",
            method="wald",
            quantity="cost",
            at=0.2,
            value=0.85,
            relation="<=",
            replications=None,
        ),
        Expected(
            says="section 5: 'as the sample size increases, the range with good "
            "coverage accuracy widens' (n = 10,000, w = 0.1)",
            cell="n=10000",
            method="wald",
            quantity="cost",
            at=0.1,
            value=0.9,
            tolerance=0.02,
            replications=None,
        ),
        Expected(
            says="ours: Newcombe's interval has no breaks (n = 25)",
            cell="n=25",
            method="newcombe",
            quantity="cost",
            statistic="min",
            value=0.85,
            relation=">=",
            replications=None,
        ),
    ),
)
