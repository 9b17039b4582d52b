"""Rectangles at a threshold: how many cases there are (Dugas & Gadoury 2009, ROC, Fig. 4).

Dugas & Gadoury 2009, section 5.1 and Figure 4: as Figure 3 with θ = 3 and 25 to 10,000 cases a class.
"""

import itertools

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import HIGH, LOW, RATES, SIZES, WALD_AND_EMPIRICAL, by_size, rectangle_panels

RULE = Rule(
    "rates_at_threshold",
    methods=("agresti_coull", "wald", "bootstrap", "clopper_pearson"),
    confidence_level=0.9,
    at=RATES,
)
CELLS = by_size(RULE, 3.75)
NO_BREAK = (
    "With 10,000 cases a class there is no break at high rates: by exact sums Wald covers 0.870 at a total "
    "positive rate of 0.99, the last of the paper's places"
)
EXPERIMENT = Experiment(
    title="Rectangles at a threshold: sample size",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 4",
    cells=CELLS,
    figure=rectangle_panels(CELLS),
    quick=Quick(replications=200),
    expected=tuple(
        Expected(
            says="section 5.1: 'severe coverage breaks affect the Wald and Empirical methods' at the "
            f"{end} end (n = {n}, {name})",
            cell=f"n={n}",
            method=method,
            quantity="joint",
            statistic="min",
            between=between,
            value=0.75,
            relation="<=",
            replications=None,
            differs=NO_BREAK if end == "high" and n == SIZES[-1] else "",
        )
        for end, between in (("low", LOW), ("high", HIGH))
        for n in SIZES
        for method, name, _ in WALD_AND_EMPIRICAL
    )
    + tuple(
        Expected(
            says=f"section 5.1: 'results improve as the sample size increases' ({name}: n = {more} is on "
            f"average nearer to the level than n = {n})",
            cell=f"n={more}",
            method=method,
            quantity="joint",
            statistic="distance",
            than=(f"n={n}", method),
            value=0.0,
            relation="<=",
        )
        for n, more in itertools.pairwise(SIZES)
        for method, name, _ in (("agresti_coull", "Agresti", ""), *WALD_AND_EMPIRICAL)
    )
    + tuple(
        Expected(
            says="section 5.1: there 'the Agresti method leads to coverage that is too "
            f"conservative' (n = {n}, rate {at})",
            cell=f"n={n}",
            method="agresti_coull",
            quantity="joint",
            at=at,
            value=0.9,
            relation=">=",
            replications=None,
        )
        for at in (0.01, 0.02, 0.99)
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
