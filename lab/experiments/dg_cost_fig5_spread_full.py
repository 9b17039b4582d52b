"""Cost of one model with random class sizes: class distance (Dugas & Gadoury 2009, costs, Fig. 5).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 5:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The paper's
method is "wald". Stratified samples, as in Figure 2, are included for comparison. `cost_claims` defines the
words.
"""

import itertools
from dataclasses import replace

from confroc_lab import Experiment, Quick, Rule
from cost_claims import better, claim, on_target
from designs import SPREADS, W, by_spread, cost_panels

RULE = Rule("cost_curve", methods=("wald", "mid_p", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_spread(RULE, 1000, 3.0, sampling="full")
STRATIFIED = tuple(
    replace(cell, name=f"{cell.name}, stratified")
    for cell in by_spread(replace(RULE, methods=("wald",)), 1000, 3.0)
)
LEAST = {"statistic": "min", "relation": ">="}
EXPERIMENT = Experiment(
    title="Cost of one model when class sizes vary: how far apart the classes are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 5",
    cells=(*CELLS, *STRATIFIED),
    figure=cost_panels(CELLS),
    replications=20_000,
    quick=Quick(replications=400),
    expected=(
        *(
            claim(
                "fig5-a",
                f"section 5: better than stratified samples with θ = 0.75 (w = {w})",
                "theta=0.75",
                0.0,
                at=w,
                than=("theta=0.75, stratified", "wald"),
                relation=">=",
            )
            for w in (0.01, 0.05, 0.1, 0.2, 0.8, 0.9, 0.95, 0.99)
        ),
        better(
            "fig5-a",
            "section 5: better than stratified samples with θ = 0.75 (all w)",
            "theta=0.75",
            "theta=0.75, stratified",
        ),
        *(
            claim(
                "fig5-b",
                "section 5: the effect of θ is reversed, more overlap has the better least coverage "
                f"(θ = {low:g} than {high:g})",
                f"theta={low}",
                0.0,
                than=(f"theta={high}", "wald"),
                **LEAST,
            )
            for low, high in itertools.pairwise(SPREADS[:3])
        ),
        *(
            better(
                "fig5-b",
                f"section 5: the effect of θ is reversed over all w (θ = {low:g} than {high:g})",
                f"theta={low}",
                f"theta={high}",
            )
            for low, high in itertools.pairwise(SPREADS[:3])
        ),
        claim(
            "fig5-c",
            "section 5: the least coverage with θ = 5 is better than with θ = 3",
            "theta=5.0",
            0.0,
            than=("theta=3.0", "wald"),
            **LEAST,
        ),
        better("fig5-c", "section 5: better with θ = 5 than with θ = 3", "theta=5.0", "theta=3.0"),
        *(
            on_target("fig5-d", f"Figure 5: on target in the middle (θ = {theta:g})", f"theta={theta}", 0.5)
            for theta in SPREADS
        ),
    ),
)
