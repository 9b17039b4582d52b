"""Difference of two models' costs (Dugas & Gadoury 2009, costs, Fig. 4).

Dugas & Gadoury 2009, cost curves, section 5 and Figure 4: binormal scores with standard deviation 3, 1,000
cases a class; positives of the second model lie 0, 2 or 4 higher; correlation 0.3, 0.6, 0.9. Our differences
are first minus second. Where neither model errs alone the interval is [0, 0]: it holds the difference of
equal models without saying anything, and is not counted as holding it.
"""

from confroc.lab import Expected, Experiment, Panels, Quick, Rule
from designs import CORRELATIONS, W, of_pairs

RULE = Rule("cost_difference", methods=("wald", "agresti_min"), confidence_level=0.9, at=W)
GRID = tuple((theta, shift) for shift in (0.0, 2.0, 4.0) for theta in (1.0, 3.0))


def named(theta: float, shift: float, rho: float) -> str:
    """Name of a cell."""
    return f"theta={theta}, shift={shift}, rho={rho}"


PAIRS = tuple((named(theta, shift, rho), theta, shift, rho) for theta, shift in GRID for rho in CORRELATIONS)
NO_BREAK = "With θ = 3 and equal models there is no break at w = 0.01"
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
    )
    + tuple(
        Expected(
            says=f"section 5: coverage breaks at very low w (θ = {theta:g}, shift {shift:g})",
            cell=named(theta, shift, 0.6),
            method="wald",
            wide=True,
            quantity="cost_a - cost_b",
            at=0.01,
            value=0.8,
            relation="<=",
            replications=None,
            differs=NO_BREAK if (theta, shift) == (3.0, 0.0) else "",
        )
        for theta, shift in GRID
    )
    + tuple(
        Expected(
            says=f"section 5: larger θ, coverage nearer to its level (shift {shift:g}, correlation {rho})",
            cell=named(3.0, shift, rho),
            method="wald",
            wide=True,
            quantity="cost_a - cost_b",
            statistic="distance",
            than=(named(1.0, shift, rho), "wald"),
            value=0.0,
            relation="<=",
        )
        for shift in (0.0, 2.0, 4.0)
        for rho in CORRELATIONS
    )
    + tuple(
        Expected(
            says=f"section 5: with θ = 1 a shift of {shift:g} brings coverage nearer to its level "
            f"(correlation {rho})",
            cell=named(1.0, shift, rho),
            method="wald",
            wide=True,
            quantity="cost_a - cost_b",
            statistic="distance",
            than=(named(1.0, 0.0, rho), "wald"),
            value=0.0,
            relation="<=",
        )
        for shift in (2.0, 4.0)
        for rho in CORRELATIONS
    )
    + tuple(
        Expected(
            says="section 5: 'the correlation coefficient seems to have very little effect' "
            f"(0.9 and 0.3, θ = {theta:g}, shift {shift:g}, w = {w})",
            cell=named(theta, shift, 0.9),
            method="wald",
            wide=True,
            quantity="cost_a - cost_b",
            at=w,
            than=(named(theta, shift, 0.3), "wald"),
            value=0.0,
            tolerance=0.03,
        )
        for theta, shift in GRID
        for w in (0.2, 0.5, 0.8)
    ),
)
