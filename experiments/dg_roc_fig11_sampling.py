"""Class sizes fixed or left to chance (Dugas & Gadoury 2009, ROC, Fig. 11).

Dugas & Gadoury 2009, section 5.5 and Figure 11: the size experiment of Figure 4, with samples drawn class by
class (stratified) or from both classes together (full, 2n cases, half of them positive on average). The
caption says "paired design"; the text, and the size experiment, are of single design.
"""

from confroc.lab import Expected, Experiment, Panels, Quick, Rule
from designs import RATES, SIZES, by_size

RULE = Rule("rates_at_threshold", methods=("agresti_coull", "wald"), confidence_level=0.9, at=RATES)
CELLS = by_size(RULE, 3.75, name="n={n}, stratified") + by_size(
    RULE, 3.75, sampling="full", name="n={n}, full"
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
