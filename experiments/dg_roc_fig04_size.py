"""Rectangles at a threshold: how many cases there are (Dugas & Gadoury 2009, ROC, Fig. 4).

Dugas & Gadoury 2009, section 5.1 and Figure 4: as Figure 3 with θ = 3 and 25 to 10,000 cases a class.
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import RATES, SIZES, by_size, rectangle_panels

RULE = Rule(
    "rates_at_threshold",
    methods=("agresti_coull", "wald", "bootstrap", "clopper_pearson"),
    confidence_level=0.9,
    at=RATES,
)
CELLS = by_size(RULE, 3.75)
EXPERIMENT = Experiment(
    title="Rectangles at a threshold: sample size",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 4",
    cells=CELLS,
    figure=rectangle_panels(CELLS),
    quick=Quick(replications=200),
    expected=tuple(
        Expected(
            says="section 5.1: 'severe coverage breaks affect the Wald and Empirical "
            f"methods' at the ends (n = {n}, {m})",
            cell=f"n={n}",
            method=m,
            quantity="joint",
            statistic="min",
            value=0.6,
            relation="<=",
            replications=None,
        )
        for n in (25, 250)
        for m in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says="section 5.1: there 'the Agresti method leads to coverage that is too "
            f"conservative' (n = {n})",
            cell=f"n={n}",
            method="agresti_coull",
            quantity="joint",
            at=0.02,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for n in SIZES
    )
    + (
        Expected(
            says="section 5.1: 'results improve as the sample size increases' (Wald on "
            "target in the middle, n = 10,000)",
            cell="n=10000",
            method="wald",
            quantity="joint",
            at=0.5,
            value=0.9,
            tolerance=0.01,
            replications=None,
        ),
        Expected(
            says="Clopper-Pearson sides at level √0.9 never under-cover (n = 25)",
            source="theory",
            cell="n=25",
            method="clopper_pearson",
            quantity="joint",
            statistic="min",
            value=0.9,
            relation=">=",
            replications=None,
        ),
    ),
)
