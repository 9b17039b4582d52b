"""Difference of two models' costs (Dugas & Gadoury 2009, costs, Fig. 4).

Dugas & Gadoury 2009, cost curves, section 5 and Figure 4: binormal scores with standard deviation 3, 1,000
cases a class; positives of the second model are 0, 2 or 4 higher; correlation 0.3, 0.6, 0.9. Our
differences are first minus second. `cost_claims` defines the words.
"""

import itertools

from confroc_lab import Experiment, Panels, Quick, Rule
from cost_claims import DIFFERENCE, ENDS, better, breaks, on_target, similar
from designs import CORRELATIONS, W, of_pairs

RULE = Rule("cost_difference", methods=("wald", "agresti_min"), confidence_level=0.9, at=W)
SHIFTS = (0.0, 2.0, 4.0)
GRID = tuple((theta, shift) for shift in SHIFTS for theta in (1.0, 3.0))


def named(theta: float, shift: float, rho: float) -> str:
    """Name of a cell."""
    return f"theta={theta}, shift={shift}, rho={rho}"


PAIRS = tuple((named(theta, shift, rho), theta, shift, rho) for theta, shift in GRID for rho in CORRELATIONS)
NO_BREAK = (
    "With θ = 3 and equal models there is no break at w = 0.01 or 0.99: some case is always discordant."
)
AT_THE_ENDS = "Fewer cases are discordant where correlation is high, so that coverage breaks further inside."
CELLS = of_pairs(RULE, 1000, 3.0, PAIRS)
EXPERIMENT = Experiment(
    title="Difference of two models' costs",
    source="Dugas & Gadoury 2009 (cost curves), Figure 4",
    cells=CELLS,
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
    replications=5000,
    quick=Quick(
        replications=100, cells=tuple(c for c in CELLS if "rho=0.6" in c.name and "theta=3.0" in c.name)
    ),
    expected=(
        *(
            on_target("fig4-f", f"Figure 4: on target in the middle ({name})", name, 0.5, quantity=DIFFERENCE)
            for name, *_ in PAIRS
        ),
        *(
            breaks(
                "fig4-a",
                f"section 5: breaks at very low and high w (θ = {theta:g}, shift {shift:g})",
                named(theta, shift, 0.6),
                w,
                quantity=DIFFERENCE,
                differs=NO_BREAK if (theta, shift) == (3.0, 0.0) else "",
            )
            for theta, shift in GRID
            for w in ENDS
        ),
        *(
            better(
                "fig4-b",
                f"section 5: larger θ, wider range on target (shift {shift:g}, correlation {rho})",
                named(3.0, shift, rho),
                named(1.0, shift, rho),
                quantity=DIFFERENCE,
            )
            for shift in SHIFTS
            for rho in CORRELATIONS
        ),
        *(
            better(
                "fig4-c",
                f"section 5: with θ = 1 a larger shift is better ({more:g} than {less:g}, correlation {rho})",
                named(1.0, more, rho),
                named(1.0, less, rho),
                quantity=DIFFERENCE,
            )
            for less, more in itertools.pairwise(SHIFTS)
            for rho in CORRELATIONS
        ),
        *(
            better(
                "fig4-d",
                f"section 5: with θ = 3 a larger shift is worse ({more:g} than 0, correlation {rho})",
                named(3.0, 0.0, rho),
                named(3.0, more, rho),
                quantity=DIFFERENCE,
            )
            for more in SHIFTS[1:]
            for rho in CORRELATIONS
        ),
        *(
            similar(
                "fig4-e",
                "section 5: correlation has very little effect "
                f"(0.9 against 0.3, θ = {theta:g}, shift {shift:g})",
                named(theta, shift, 0.9),
                (named(theta, shift, 0.3), "wald"),
                w,
                quantity=DIFFERENCE,
                differs=AT_THE_ENDS if not 0.1 < w < 0.9 else "",
            )
            for theta, shift in GRID
            for w in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
        ),
    ),
)
