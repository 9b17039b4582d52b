"""Costs at thresholds beyond the observed scores (Dugas & Gadoury 2009, costs, sections 6 and 7).

Section 6 attributes the failures near w = 0 and 1 to best thresholds outside the range of the observed
scores, where the variance is nearly zero; section 7 expects no failures where thresholds are restricted to
that range. Samples of Figures 2 and 5 are grouped by whether the best threshold lies outside the range of
all scores, and by whether cases of both classes lie on both of its sides, so that each kind of error has a
case. Alternatively the threshold is moved to the nearest one for which this is true. The paper's range is
interpreted as that of all scores; that of both classes is ours. `cost_claims` defines the words.
"""

from __future__ import annotations

from dataclasses import replace

from confroc_lab import Experiment, Panels, Quick, Rule
from cost_claims import claim
from designs import by_size, by_spread
from dg_cost_validation import PLACES
from words import meant

METHODS = (
    "wald",
    "wald:samples=inside",
    "wald:samples=outside",
    "wald:samples=one_class",
    "wald:thresholds=observed",
    "wald:thresholds=both_classes",
    "mid_p:thresholds=both_classes",
)
RULE = Rule("cost_curve", METHODS, at=PLACES, confidence_level=0.9)
STRATIFIED = tuple(replace(cell, chunk=100) for cell in by_spread(RULE, 1000, 3.0))
SMALL = tuple(replace(cell, chunk=100) for cell in by_size(RULE, 3.0) if cell.size[0] < 1000)
FULL = tuple(
    replace(cell, name=f"{cell.name}, full", chunk=100)
    for cell in by_spread(RULE, 1000, 3.0, sampling="full")
)
CELLS = (*STRATIFIED, *SMALL, *FULL)
BOTH = "wald:thresholds=both_classes"
OUTSIDE, INSIDE, ONE_CLASS = "wald:samples=outside", "wald:samples=inside", "wald:samples=one_class"
NO_ERROR = "Coverage breaks already where one class alone has no case beyond the threshold."
SHARE = (
    "Beyond all scores the cost is that of predicting everyone negative, or everyone positive, whose "
    "uncertainty is that of the prevalence, in eq. 10 and in truth."
)
EXPERIMENT = Experiment(
    title="Costs at thresholds beyond the observed scores",
    source="Dugas & Gadoury 2009 (cost curves), sections 6 and 7",
    cells=CELLS,
    figure=Panels(
        panels=tuple((cell.name, (cell.name,)) for cell in CELLS),
        columns=2,
        quantity="cost",
        x="operating conditions w",
        styles=(
            ("wald", "best thresholds", ":"),
            ("wald:thresholds=observed", "inside the range of all scores", "--"),
            (BOTH, "inside that of both classes", "-"),
        ),
        ylim=(0.0, 1.0),
    ),
    quick=Quick(replications=100, cells=(STRATIFIED[0], STRATIFIED[2], FULL[0])),
    expected=(
        *(
            claim(
                "6-b",
                f"section 6: stratified, coverage is impossible outside the range (θ = {theta:g}, w = {w})",
                f"theta={theta}",
                0.0,
                method=OUTSIDE,
                at=w,
            )
            for theta, w in ((0.75, 0.01), (0.75, 0.05), (0.75, 0.99), (1.5, 0.005), (1.5, 0.01))
        ),
        *(
            claim(
                "6-b",
                f"section 6: full, coverage is very unlikely outside the range (θ = {theta:g}, w = {w})",
                f"theta={theta}, full",
                meant("unlikely"),
                method=OUTSIDE,
                at=w,
                relation="<=",
                differs=SHARE,
            )
            for theta, w in ((0.75, 0.01), (0.75, 0.05), (0.75, 0.99), (1.5, 0.005), (1.5, 0.01))
        ),
        *(
            claim(
                "6-c",
                "section 6: breaks come with thresholds outside the range: inside there are none "
                f"(θ = {theta:g}, w = {w})",
                f"theta={theta}",
                meant("no break"),
                method=INSIDE,
                at=w,
                relation=">=",
                differs=NO_ERROR,
            )
            for theta, w in (
                (1.5, 0.05),
                (3.0, 0.005),
                (3.0, 0.01),
                (3.0, 0.99),
                (5.0, 0.005),
                (5.0, 0.01),
                (5.0, 0.99),
            )
        ),
        *(
            claim(
                "6-c",
                f"section 6: as the threshold moves outside the range coverage breaks (θ = 0.75, w = {w})",
                "theta=0.75",
                meant("break"),
                at=w,
                relation="<=",
            )
            for w in (0.05, 0.1, 0.9, 0.95)
        ),
        *(
            claim(
                "",
                "where one class has no case beyond the threshold there is no coverage "
                f"(θ = {theta:g}, w = {w})",
                f"theta={theta}",
                0.05,
                source="ours",
                method=ONE_CLASS,
                at=w,
                relation="<=",
            )
            for theta in (3.0, 5.0)
            for w in (0.005, 0.01, 0.02, 0.98, 0.99, 0.995)
        ),
        *(
            claim(
                "7-a",
                f"section 7: no breaks with thresholds inside the range of all scores ({cell.name})",
                cell.name,
                meant("no break"),
                method="wald:thresholds=observed",
                statistic="min",
                relation=">=",
                differs=NO_ERROR,
            )
            for cell in CELLS
        ),
        *(
            claim(
                "",
                f"no breaks with thresholds inside the range of both classes ({cell.name})",
                cell.name,
                meant("break"),
                source="ours",
                method=BOTH,
                statistic="min",
                relation=">=",
            )
            for cell in CELLS
        ),
    ),
)
