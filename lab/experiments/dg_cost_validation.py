"""Costs at thresholds from a finite sample (Dugas & Gadoury 2009, costs, sections 2 and 6).

The paper's simulations use the population's best thresholds, as if chosen on an infinite validation sample.
Section 6 expects that thresholds from a finite sample, which vary around the best one, smooth the failures
of coverage near w = 0 and 1, since coverage is then averaged over the distribution of the thresholds.
Section 2 warns against choosing them on the test cases. Designs are those of Figures 2 to 6, and the
validation sample is as large as the sample; the true cost is that of the threshold used. Smoother means
that coverage changes less from one w to the next. Smoothed failures may remain failures, which a separate
statement tests. `cost_claims` defines the other words.
"""

from __future__ import annotations

from dataclasses import replace

from confroc_lab import Cell, Expected, Experiment, Panels, Quick, Rule
from cost_claims import DIFFERENCE, claim
from designs import by_size, by_spread, of_pairs
from words import meant

PLACES = (
    0.005,
    0.01,
    0.02,
    0.03,
    0.05,
    0.1,
    0.15,
    0.2,
    0.3,
    0.5,
    0.7,
    0.8,
    0.85,
    0.9,
    0.95,
    0.97,
    0.98,
    0.99,
    0.995,
)
VALIDATION, CHOSEN = "wald:thresholds=validation", "wald:thresholds=chosen"
MID_P = "mid_p:thresholds=validation"
RULE = Rule("cost_curve", ("wald", VALIDATION, MID_P, CHOSEN), at=PLACES, confidence_level=0.9)
PAIRED = Rule("cost_difference", ("wald", VALIDATION), at=PLACES, confidence_level=0.9)
STRATIFIED = tuple(replace(cell, chunk=100) for cell in by_spread(RULE, 1000, 3.0))
SMALL = tuple(replace(cell, chunk=100) for cell in by_size(RULE, 3.0) if cell.size[0] < 1000)
FULL = tuple(
    replace(cell, name=f"{cell.name}, full", chunk=100)
    for cell in by_spread(RULE, 1000, 3.0, sampling="full")
    if cell.name in ("theta=0.75", "theta=3.0")
)
PAIR = of_pairs(PAIRED, 1000, 3.0, [("theta=1.0, shift=2.0, rho=0.6", 1.0, 2.0, 0.6)], chunk=100)
ONE = (*STRATIFIED, *SMALL, *FULL)
NOTHING = (
    "Coverage at the best thresholds, which predict everyone negative, does not break, so that nothing "
    "can be smoothed."
)


def smoother(cell: Cell, quantity: str) -> Expected:
    """The statement of section 6, in one cell."""
    return claim(
        "6-e",
        f"section 6: a finite validation sample smooths the breaks ({cell.name})",
        cell.name,
        0.0,
        method=VALIDATION,
        quantity=quantity,
        statistic="rough",
        than=(cell.name, "wald"),
        relation="<=",
        differs=NOTHING if cell.name == "theta=0.75, full" else "",
    )


EXPERIMENT = Experiment(
    title="Costs at thresholds from a finite validation sample",
    source="Dugas & Gadoury 2009 (cost curves), sections 2 and 6",
    cells=(*ONE, *PAIR),
    figure=Panels(
        panels=tuple((cell.name, (cell.name,)) for cell in ONE),
        columns=2,
        quantity="cost",
        x="operating conditions w",
        styles=(
            ("wald", "best thresholds", ":"),
            (VALIDATION, "validation sample", "-"),
            (CHOSEN, "same cases", "--"),
        ),
        ylim=(0.0, 1.0),
    ),
    quick=Quick(replications=100, cells=(STRATIFIED[0], SMALL[0])),
    expected=(
        *(smoother(cell, "cost") for cell in ONE),
        *(smoother(cell, DIFFERENCE) for cell in PAIR),
        *(
            claim(
                "6-e",
                f"section 6: what is smoothed is no worse at the ends (theta=0.75, full, w = {w})",
                "theta=0.75, full",
                0.0,
                method=VALIDATION,
                at=w,
                than=("theta=0.75, full", "wald"),
                relation=">=",
                differs=NOTHING,
            )
            for w in (0.005, 0.995)
        ),
        *(
            claim(
                "",
                f"a finite validation sample reduces the deepest breaks ({cell.name}, w = {w})",
                cell.name,
                0.1,
                source="ours",
                method=VALIDATION,
                at=w,
                than=(cell.name, "wald"),
                relation=">=",
            )
            for cell in STRATIFIED[:3]
            for w in (0.005, 0.01, 0.99, 0.995)
        ),
        *(
            claim(
                "",
                f"smoothed breaks remain breaks: coverage is below 0.7 somewhere ({cell.name})",
                cell.name,
                0.7,
                source="ours",
                method=VALIDATION,
                statistic="min",
                relation="<=",
            )
            for cell in ONE
        ),
        *(
            claim(
                "2-a",
                "section 2: thresholds chosen on the test cases make costs look too low: more true costs lie "
                f"above the interval than with a validation sample ({cell.name}, w = {w})",
                cell.name,
                meant("many more"),
                method=CHOSEN,
                statistic="above",
                at=w,
                than=(cell.name, VALIDATION),
                relation=">=",
            )
            for cell in (*STRATIFIED, *SMALL)
            for w in (0.2, 0.5, 0.8)
        ),
        *(
            claim(
                "",
                f"the mid-P interval has no breaks at thresholds from a validation sample ({cell.name})",
                cell.name,
                0.85,
                source="ours",
                method=MID_P,
                statistic="min",
                relation=">=",
                wide=False,
            )
            for cell in ONE
        ),
    ),
)
