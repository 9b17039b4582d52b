"""Cost of one model when class sizes vary: class distance (Dugas & Gadoury 2009, costs, Fig. 5).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 5:
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
    sampling="full",
)
THETA = (0.75, 1.5, 3.0, 5.0)
CELLS = tuple(
    Cell(
        name=f"theta={t}",
        population=binormal(t, -t, 3.0, 3.0),
        size=(1000, 1000),
        rule=RULE,
        chunk=100,
        sampling="full",
    )
    for t in THETA
)
PANELS = tuple((f"θ = {t}", (f"theta={t}",)) for t in THETA)
EXPERIMENT = Experiment(
    title="Cost of one model when class sizes vary: how far apart the classes are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 5",
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
            says="section 5: 'full sampling leads to better coverage accuracy than "
            "stratified sampling for low values of the spread' (θ = 0.75, w = 0.9)",
            cell="theta=0.75",
            method="wald",
            quantity="cost",
            at=0.9,
            value=0.85,
            relation=">=",
            replications=None,
        ),
        Expected(
            says="section 5: coverage is on target in the middle (θ = 5)",
            cell="theta=5.0",
            method="wald",
            quantity="cost",
            at=0.5,
            value=0.9,
            tolerance=0.02,
            replications=None,
        ),
    ),
)
