"""Rectangles at a threshold by distance of the classes (Dugas & Gadoury 2009, ROC, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of ROC curves, section 5.1 and Figure 3:
binormal scores, 10,000 cases a class, location θ of the positives and -θ of the negatives, 90 % rectangles.

Two further designs test statements that the paper does not show: equal scales of both classes, where
coverage is the same at total positive rates r and 1 - r, and equal thresholds for all θ instead of equal
rates. There are more samples than the paper's thousand, because some statements compare proportions of
places.
"""

from dataclasses import replace
from functools import partial

import exact_coverage as exact
from confroc_lab import Expected, Experiment, Quick, Rule
from designs import HIGH, LOW, RATES, SPREADS, WALD_AND_EMPIRICAL, by_spread, rectangle_panels
from drawings import RectangleSketch
from words import meant

N = 10_000
RULE = Rule(
    "rates_at_threshold",
    methods=("agresti_coull", "wald", "bootstrap", "clopper_pearson"),
    confidence_level=0.9,
    at=RATES,
)
CELLS = by_spread(RULE, N, 3.75)
EQUAL_SCALES = tuple(
    replace(cell, name=f"{cell.name}, equal scales")
    for cell in by_spread(replace(RULE, methods=("agresti_coull", "wald")), N, 3.0)[2:]
)
THRESHOLDS = tuple(float(t) for t in range(-11, 13))
EQUAL_THRESHOLDS = tuple(
    replace(cell, name=f"{cell.name}, equal thresholds")
    for cell in by_spread(
        replace(RULE, methods=("agresti_coull", "wald"), at=THRESHOLDS, by_score=True), N, 3.75
    )
)
LOWER = (
    "percentiles of 100 resamples cover 0.01 to 0.02 less than Wald's intervals at any rate, and Wald's 0.04 "
    "less than Agresti's at the lowest one"
)
said = partial(Expected, quantity="joint")

NO_REVERSAL = (
    "coverage is also best with strong overlap at equal thresholds: by exact sums Wald's with θ = 5 "
    "exceeds that with θ = 0.75 by at most 0.01 at any threshold from -11 to 12"
)

EXPERIMENT = Experiment(
    title="Rectangles at a threshold: spread",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 3",
    cells=CELLS + EQUAL_SCALES + EQUAL_THRESHOLDS,
    replications=5000,
    figure=rectangle_panels(CELLS),
    drawings=(
        RectangleSketch(
            name="regions",
            caption="Five 90 % regions by Algorithm 1 around the curve of one sample of 100 cases a class, "
            "as in the paper's Figure 1, whose sample is not described.",
            population=CELLS[1].population,
            size=(100, 100),
            rates=(0.1, 0.3, 0.5, 0.7, 0.9),
            confidence_level=0.9,
            seed=1,
        ),
    ),
    quick=Quick(replications=500, cells=CELLS + EQUAL_SCALES[:1] + EQUAL_THRESHOLDS[::3]),
    expected=(
        said(
            says="section 5.1: at θ = 5 and total positive rate 0.2 Wald's coverage is 0.692",
            statement="DGROC-fig3-j",
            cell="theta=5.0",
            method="wald",
            at=0.2,
            value="0.692",
        ),
        said(
            says="section 5.1: there, Wald covers the false positive rate at most 73 % of the time",
            statement="DGROC-fig3-i",
            cell="theta=5.0",
            method="wald",
            quantity="fpr",
            at=0.2,
            value=0.7299,
            relation="<=",
        ),
        said(
            says="section 5.1: there, 'the Agresti method becomes somewhat too conservative'",
            statement="DGROC-fig3-m",
            cell="theta=5.0",
            method="agresti_coull",
            at=0.2,
            value=0.9,
            relation=">=",
        ),
        said(
            says="section 5.1: with θ = 0.75 'the three methods are barely distinguishable' (Wald at 0.2 on "
            "target)",
            statement="DGROC-fig3-k",
            cell="theta=0.75",
            method="wald",
            at=0.2,
            value=0.9,
        ),
        *(
            said(
                says=f"section 5.1: with θ = 0.75 'the three methods are barely distinguishable' ({name})",
                statement="DGROC-fig3-a",
                cell="theta=0.75",
                method=method,
                statistic="mean",
                than=("theta=0.75", "agresti_coull"),
                value=0.0,
                differs=LOWER,
            )
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            said(
                says=f"section 5.1: with θ = 0.75 'the three methods are barely distinguishable' ({name}, at "
                f"{at})",
                statement="DGROC-fig3-a",
                cell="theta=0.75",
                method=method,
                at=at,
                than=("theta=0.75", "agresti_coull"),
                value=0.0,
                differs=LOWER,
            )
            for at in (0.01, 0.05, 0.5, 0.95, 0.99)
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            said(
                says=f"section 5.1: with θ = {theta} {name} drops sharply at low total positive rates",
                statement={1.5: "DGROC-fig3-b", 3.0: "DGROC-fig3-c", 5.0: "DGROC-fig3-e"}[theta],
                cell=f"theta={theta}",
                method=method,
                at=0.01,
                value=meant("break"),
                relation="<=",
            )
            for theta in SPREADS[1:]
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            said(
                says=f"section 5.1: there, with θ = {theta}, Agresti is 'somewhat too conservative'",
                statement="DGROC-fig3-d",
                cell=f"theta={theta}",
                method="agresti_coull",
                at=0.01,
                value=0.9,
                relation=">=",
            )
            for theta in SPREADS[1:3]
        ),
        *(
            said(
                says=f"section 5.1: only 'somewhat': by no more than 0.06 above the middle (θ = {theta})",
                statement="DGROC-fig3-d",
                cell=f"theta={theta}",
                method="agresti_coull",
                at=0.01,
                than=(f"theta={theta}", "agresti_coull", 0.5),
                value=meant("somewhat"),
                relation="<=",
            )
            for theta in SPREADS[1:3]
        ),
        *(
            said(
                says=f"section 5.1: with θ = {theta} {name} "
                + ("drops at high rates, too" if theta == 5.0 else "does not drop at high rates"),
                statement={1.5: "DGROC-fig3-b", 3.0: "DGROC-fig3-c", 5.0: "DGROC-fig3-e"}[theta],
                cell=f"theta={theta}",
                method=method,
                statistic="min",
                between=HIGH,
                value=0.3 if theta == 5.0 else 0.8,
                relation="<=" if theta == 5.0 else ">=",
            )
            for theta in SPREADS[1:]
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            said(
                says="section 5.1: with θ = 5 the drop at low rates is stronger than with θ = 3: the mean "
                f"coverage of {name} there is lower",
                statement="DGROC-fig3-e",
                cell="theta=5.0",
                method=method,
                statistic="mean",
                between=LOW,
                than=("theta=3.0", method),
                value=-meant("stronger"),
                relation="<=",
            )
            for method, name, _ in WALD_AND_EMPIRICAL
        ),
        *(
            said(
                says="section 5.1: asymmetry is due to unequal scales: with equal ones Wald's coverage is "
                f"the same at {at} and {1.0 - at:g} (θ = {theta})",
                statement="DGROC-fig3-f",
                cell=f"theta={theta}, equal scales",
                method="wald",
                at=at,
                than=(f"theta={theta}, equal scales", "wald", 1.0 - at),
                value=0.0,
            )
            for theta, at in ((3.0, 0.01), (3.0, 0.02), (3.0, 0.05), (5.0, 0.1), (5.0, 0.2))
        ),
        said(
            says="section 5.1: with unequal scales Wald's coverage is lower at 0.02 than at 0.98 (θ = 3)",
            statement="DGROC-fig3-f",
            cell="theta=3.0",
            method="wald",
            at=0.02,
            than=("theta=3.0", "wald", 0.98),
            value=0.0,
            relation="<=",
        ),
        *(
            said(
                says="section 5.1: coverage is better with strong overlap: Wald's is further from "
                f"nominal with θ = {theta} than with θ = 0.75",
                statement="DGROC-fig3-g",
                cell=f"theta={theta}",
                method="wald",
                statistic="distance",
                than=("theta=0.75", "wald"),
                value=0.0,
                relation=">=",
            )
            for theta in SPREADS[1:]
        ),
        *(
            said(
                says="section 5.1: coverage is better with strong overlap: Wald is on target at fewer rates "
                f"with θ = {more} than with θ = {theta}",
                statement="DGROC-fig3-g",
                cell=f"theta={more}",
                method="wald",
                statistic="on_target",
                than=(f"theta={theta}", "wald"),
                value=0.0,
                relation="<=",
            )
            for theta, more in ((0.75, 1.5), (1.5, 3.0), (3.0, 5.0))
        ),
        said(
            says="section 5.1: there (θ = 5, rate 0.2) Empirical behaves like Wald",
            statement="DGROC-fig3-l",
            cell="theta=5.0",
            method="bootstrap",
            at=0.2,
            than=("theta=5.0", "wald"),
            value=0.0,
        ),
        *(
            said(
                says=f"section 5.1: 'the Empirical method exhibits similar patterns' (θ = {theta}, mean)",
                statement="DGROC-fig3-l",
                cell=f"theta={theta}",
                method="bootstrap",
                statistic="mean",
                than=(f"theta={theta}", "wald"),
                value=0.0,
                differs=LOWER,
            )
            for theta in SPREADS[1:]
        ),
        said(
            says="section 5.1: compared at equal thresholds, the conclusion that coverage is better with "
            "strong overlap 'would certainly differ' (Wald's mean with θ = 5 is no lower than with θ = 0.75)",
            statement="DGROC-fig3-o",
            cell="theta=5.0, equal thresholds",
            method="wald",
            statistic="mean",
            than=("theta=0.75, equal thresholds", "wald"),
            value=0.0,
            relation=">=",
            differs=NO_REVERSAL,
        ),
        *(
            said(
                says="section 5.1, end: breaks occur at the ends of the curve, not in the middle (Wald, "
                f"θ = {theta})",
                statement="DGROC-5.1-a",
                cell=f"theta={theta}",
                method="wald",
                statistic="min",
                between=(0.4, 0.6),
                value=meant("no break"),
                relation=">=",
            )
            for theta in SPREADS
        ),
        *(
            said(
                says="section 5.1: the Agresti method has no coverage breaks at any θ "
                f"(here θ = {theta}: least above 0.88)",
                statement="DGROC-5.1-b",
                cell=f"theta={theta}",
                method="agresti_coull",
                statistic="min",
                value=meant("no break"),
                relation=">=",
            )
            for theta in SPREADS
        ),
        *(
            said(
                says="abstract: drastic falls at the ends of the curve are avoided: the least coverage of "
                f"Agresti is 0.3 or more above that of Wald (θ = {theta})",
                statement="DGROC-abs-a",
                cell=f"theta={theta}",
                method="agresti_coull",
                statistic="min",
                than=(f"theta={theta}", "wald"),
                value=meant("drastic"),
                relation=">=",
            )
            for theta in SPREADS[2:]
        ),
        said(
            says="Clopper-Pearson sides at level √0.9 never under-cover (θ = 5)",
            source="theory",
            cell="theta=5.0",
            method="clopper_pearson",
            statistic="min",
            value=0.9,
            relation=">=",
        ),
        *(
            said(
                says=f"sums over all counts: {method}, θ = {theta}, rate {at}",
                source="theory",
                cell=f"theta={theta}",
                method=method,
                at=at,
                value=exact.at_rate(exact.by_distance(theta), at, N, method),
            )
            for theta, at in ((1.5, 0.01), (3.0, 0.02), (5.0, 0.2), (5.0, 0.98))
            for method in ("agresti_coull", "wald", "bootstrap")
        ),
    ),
)
