"""Class sizes fixed or left to chance (Dugas & Gadoury 2009, ROC, Fig. 11).

Dugas & Gadoury 2009, section 5.5 and Figure 11: the size experiment of Figure 4, with samples drawn class by
class (stratified) or from both classes together (full, 2n cases, half of them positive on average). The
caption says "paired design"; the text, and the size experiment, are of single design.
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, Panels, Quick, binormal
from confroc.lab.rules import AtThreshold

RATES = tuple(np.round(np.linspace(0.02, 0.98, 49), 2).tolist())
RULE = AtThreshold(methods=("agresti_coull", "wald"), confidence_level=0.9, positive_rate=RATES)
SIZES = (25, 250, 2500, 10_000)
CELLS = tuple(
    Cell(
        name=f"n={n}, {sampling}",
        population=binormal(3.0, -3.0, 3.75, 3.0),
        size=(n, n),
        rule=RULE,
        sampling=sampling,
        chunk=500 if n < 1000 else 50,
    )
    for n in SIZES
    for sampling in ("stratified", "full")
)
EXPERIMENT = Experiment(
    title="Class sizes fixed or left to chance",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 11",
    cells=CELLS,
    figure=Panels(
        panels=tuple((f"n = {n}", (f"n={n}, stratified", f"n={n}, full")) for n in SIZES),
        columns=2,
        quantity="joint",
        x="theoretical total positive rate",
        styles=(("agresti_coull", "Agresti", "-"), ("wald", "Wald", ":")),
    ),
    quick=Quick(replications=200),
    expected=tuple(
        Expected(
            says="section 5.5: 'both sampling approaches yield very similar coverage' "
            f"(full, n = {n}: Agresti near 0.9 in the middle)",
            cell=f"n={n}, full",
            method="agresti_coull",
            quantity="joint",
            at=0.5,
            value=0.91,
            tolerance=0.035,
            replications=None,
        )
        for n in SIZES
    ),
)
