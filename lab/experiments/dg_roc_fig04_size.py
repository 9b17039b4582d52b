"""Rectangles at a threshold by sample size (Dugas & Gadoury 2009, ROC, Fig. 4).

Dugas & Gadoury 2009, section 5.1 and Figure 4: as Figure 3 with θ = 3 and 25 to 10,000 cases a class. There
are more samples than the paper's thousand, because some statements compare proportions of places.
"""

import itertools

import exact_coverage as exact
from confroc_lab import Expected, Experiment, Quick, Rule
from designs import HIGH, LOW, RATES, SIZES, WALD_AND_EMPIRICAL, by_size, rectangle_panels
from words import meant

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
EVERYWHERE = (
    "with 25 cases a class Wald breaks everywhere: by exact sums it covers 0.742 in the middle; the "
    "breaks extend over the whole curve"
)
EXPERIMENT = Experiment(
    title="Rectangles at a threshold: sample size",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 4",
    cells=CELLS,
    replications=5000,
    figure=rectangle_panels(CELLS),
    quick=Quick(replications=500),
    expected=tuple(
        Expected(
            says="section 5.1: 'severe coverage breaks affect the Wald and Empirical methods' at the "
            f"{end} end (n = {n}, {name})",
            statement="DGROC-fig4-b",
            cell=f"n={n}",
            method=method,
            quantity="joint",
            statistic="min",
            between=between,
            value=meant("severe break"),
            relation="<=",
            differs=NO_BREAK if end == "high" and n == SIZES[-1] else "",
        )
        for end, between in (("low", LOW), ("high", HIGH))
        for n in SIZES
        for method, name, _ in WALD_AND_EMPIRICAL
    )
    + tuple(
        Expected(
            says=f"section 5.1: 'results improve as the sample size increases' ({name}: n = {more} is "
            f"on average closer to nominal than n = {n})",
            statement="DGROC-fig4-a",
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
            statement="DGROC-fig4-c",
            cell=f"n={n}",
            method="agresti_coull",
            quantity="joint",
            at=at,
            value=0.9,
            relation=">=",
        )
        for at in (0.01, 0.02, 0.99)
        for n in SIZES
    )
    + tuple(
        Expected(
            says="section 5.1, end: with fewer cases breaks affect a larger part of the curve: Wald is on "
            f"target at no more rates with n = {n} than with n = {more}",
            statement="DGROC-5.1-a",
            cell=f"n={n}",
            method="wald",
            quantity="joint",
            statistic="on_target",
            than=(f"n={more}", "wald"),
            value=0.0,
            relation="<=",
        )
        for n, more in itertools.pairwise(SIZES)
    )
    + tuple(
        Expected(
            says="section 5.1, end: breaks occur at the ends of the curve, not in the middle (Wald, "
            f"n = {n})",
            statement="DGROC-5.1-a",
            cell=f"n={n}",
            method="wald",
            quantity="joint",
            statistic="min",
            between=(0.4, 0.6),
            value=meant("no break"),
            relation=">=",
            differs=EVERYWHERE if n == SIZES[0] else "",
        )
        for n in SIZES
    )
    + tuple(
        Expected(
            says="abstract: drastic falls at the ends of the curve are avoided: the least coverage of "
            f"Agresti is 0.3 or more above that of {name} (n = {n})",
            statement="DGROC-abs-a",
            cell=f"n={n}",
            method="agresti_coull",
            quantity="joint",
            statistic="min",
            than=(f"n={n}", method),
            value=meant("drastic"),
            relation=">=",
        )
        for n in SIZES
        for method, name, _ in WALD_AND_EMPIRICAL
    )
    + tuple(
        Expected(
            says=f"sums over all counts: {method}, n = {n}, rate {at}",
            source="theory",
            cell=f"n={n}",
            method=method,
            quantity="joint",
            at=at,
            value=exact.at_rate(exact.by_distance(3.0), at, n, method),
        )
        for n, at in ((25, 0.01), (25, 0.5), (250, 0.99), (2500, 0.99), (10_000, 0.99))
        for method in ("agresti_coull", "wald", "bootstrap")
    )
    + (
        Expected(
            says="section 5.1: 'results improve as the sample size increases' (Wald on "
            "target in the middle, n = 10,000)",
            statement="DGROC-fig4-a",
            cell="n=10000",
            method="wald",
            quantity="joint",
            at=0.5,
            value=0.9,
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
        ),
    ),
)
