"""Cost of one model when class sizes vary: class distance (Dugas & Gadoury 2009, costs, Fig. 5).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 5:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The
paper's method is "wald".
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import W, by_spread, cost_panels

RULE = Rule("cost_curve", methods=("wald", "newcombe", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_spread(RULE, 1000, 3.0, sampling="full")
EXPERIMENT = Experiment(
    title="Cost of one model when class sizes vary: how far apart the classes are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 5",
    cells=CELLS,
    figure=cost_panels(CELLS),
    quick=Quick(replications=400),
    expected=(
        Expected(
            says="section 5: 'full sampling leads to better coverage accuracy than "
            "stratified sampling for low values of the spread' (θ = 0.75, w = 0.9)",
            cell="theta=0.75",
            method="wald",
            wide=True,
            quantity="cost",
            at=0.9,
            value=0.85,
            relation=">=",
            replications=None,
        ),
        Expected(
            says="section 5: coverage is on target in the middle (θ = 5)",
            cell="theta=5.0",
            method="wald",
            wide=True,
            quantity="cost",
            at=0.5,
            value=0.9,
            tolerance=0.02,
            replications=None,
        ),
    ),
)
