"""Difference of two models' costs with random class sizes (Dugas & Gadoury 2009, costs, Fig. 6).

Dugas & Gadoury 2009, cost curves, section 5 and Figure 6: binormal scores with standard deviation 3, 1,000
cases a class; positives of the second model are 0, 2 or 4 higher; correlation 0.3, 0.6, 0.9. Our
differences are first minus second. Stratified samples of correlation 0.6, as in Figure 4, are included for
comparison. `cost_claims` defines the words.
"""

from dataclasses import replace

from confroc_lab import Experiment, Panels, Quick, Rule
from cost_claims import DIFFERENCE, ENDS, breaks, on_target, similar
from designs import CORRELATIONS, W, of_pairs

RULE = Rule("cost_difference", methods=("wald", "agresti_min"), confidence_level=0.9, at=W)
GRID = tuple((theta, shift) for shift in (0.0, 2.0, 4.0) for theta in (1.0, 3.0))


def named(theta: float, shift: float, rho: float) -> str:
    """Name of a cell."""
    return f"theta={theta}, shift={shift}, rho={rho}"


PAIRS = tuple((named(theta, shift, rho), theta, shift, rho) for theta, shift in GRID for rho in CORRELATIONS)
BESIDE = tuple((f"{name}, stratified", *pair) for name, *pair in PAIRS if pair[-1] == 0.6)
CELLS = of_pairs(RULE, 1000, 3.0, PAIRS, sampling="full")
STRATIFIED = of_pairs(replace(RULE, methods=("wald",)), 1000, 3.0, BESIDE)
NO_BREAK = "With θ = 3 and equal models there is no break at w = 0.01 or 0.99, as in Figure 4."
EXPERIMENT = Experiment(
    title="Difference of two models' costs when class sizes vary",
    source="Dugas & Gadoury 2009 (cost curves), Figure 6",
    cells=(*CELLS, *STRATIFIED),
    figure=Panels(
        panels=tuple(
            (f"θ = {theta}, shift {shift}", tuple(named(theta, shift, rho) for rho in CORRELATIONS))
            for theta, shift in GRID
        ),
        columns=2,
        quantity=DIFFERENCE,
        x="operating conditions w",
        styles=(("wald", "Wald", "-"),),
    ),
    # Enough to tell coverages of one half that differ by 0.1 apart, with the paper's own error.
    replications=5000,
    quick=Quick(
        replications=100,
        cells=tuple(c for c in (*CELLS, *STRATIFIED) if "theta=3.0" in c.name and "rho=0.6" in c.name),
    ),
    expected=(
        *(
            on_target("fig6-b", f"Figure 6: on target in the middle ({name})", name, 0.5, quantity=DIFFERENCE)
            for name, *_ in PAIRS
        ),
        *(
            similar(
                "fig6-a",
                f"section 5: full and stratified samples perform equally well (θ = {theta:g}, shift "
                f"{shift:g})",
                named(theta, shift, 0.6),
                (f"{named(theta, shift, 0.6)}, stratified", "wald"),
                w,
                quantity=DIFFERENCE,
            )
            for theta, shift in GRID
            for w in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
        ),
        *(
            breaks(
                "fig6-c",
                f"Figure 6: breaks at the ends as in Figure 4 (θ = {theta:g}, shift {shift:g})",
                named(theta, shift, 0.6),
                w,
                quantity=DIFFERENCE,
                differs=NO_BREAK if (theta, shift) == (3.0, 0.0) else "",
            )
            for theta, shift in GRID
            for w in ENDS
        ),
    ),
)
