"""Difference of two models' costs when class sizes vary (Dugas & Gadoury 2009, costs, Fig. 6).

Dugas & Gadoury 2009, cost curves, section 5 and Figure 6: binormal scores with standard deviation 3, 1,000
cases a class; positives of the second model lie 0, 2 or 4 higher; correlation 0.3, 0.6, 0.9. Our differences
are first minus second.
"""

from confroc.lab import Expected, Experiment, Panels, Quick, Rule
from designs import CORRELATIONS, W, of_pairs

RULE = Rule("cost_difference", methods=("wald", "agresti_min"), confidence_level=0.9, at=W)
GRID = tuple((theta, shift) for shift in (0.0, 2.0, 4.0) for theta in (1.0, 3.0))


def named(theta: float, shift: float, rho: float) -> str:
    """Name of a cell."""
    return f"theta={theta}, shift={shift}, rho={rho}"


PAIRS = tuple((named(theta, shift, rho), theta, shift, rho) for theta, shift in GRID for rho in CORRELATIONS)
CELLS = of_pairs(RULE, 1000, 3.0, PAIRS, sampling="full")
EXPERIMENT = Experiment(
    title="Difference of two models' costs when class sizes vary",
    source="Dugas & Gadoury 2009 (cost curves), Figure 6",
    cells=CELLS,
    figure=Panels(
        panels=tuple(
            (f"θ = {theta}, shift {shift}", tuple(named(theta, shift, rho) for rho in CORRELATIONS))
            for theta, shift in GRID
        ),
        columns=2,
        quantity="cost_a - cost_b",
        x="operating conditions w",
        styles=(("wald", "Wald", "-"),),
    ),
    quick=Quick(
        replications=100, cells=tuple(c for c in CELLS if "rho=0.6" in c.name and "theta=3.0" in c.name)
    ),
    expected=tuple(
        Expected(
            says=f"section 5: on target in the middle ({name})",
            cell=name,
            method="wald",
            wide=True,
            quantity="cost_a - cost_b",
            at=0.5,
            value=0.9,
            tolerance=0.02,
            replications=None,
        )
        for name, *_ in PAIRS
    ),
)
