"""Cost of one model: how far apart the classes are (Dugas & Gadoury 2009, costs, Fig. 2).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 2:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The
paper's method is "wald".
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import W, by_spread, cost_panels

RULE = Rule("cost_curve", methods=("wald", "newcombe", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_spread(RULE, 1000, 3.0)
EXPERIMENT = Experiment(
    title="Cost of one model: how far apart the classes are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 2",
    cells=CELLS,
    figure=cost_panels(CELLS),
    quick=Quick(replications=200),
    expected=(
        Expected(
            says="section 5: 'breaks in coverage accuracy appear as w is close to 0 or 1' (θ = 0.75)",
            cell="theta=0.75",
            method="wald",
            wide=True,
            quantity="cost",
            statistic="min",
            value=0.6,
            relation="<=",
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
        Expected(
            says="Newcombe's interval has no such breaks (θ = 0.75)",
            source="ours",
            cell="theta=0.75",
            method="newcombe",
            quantity="cost",
            statistic="min",
            value=0.86,
            relation=">=",
            replications=None,
        ),
    ),
)
