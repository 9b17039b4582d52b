"""Cost of one model: how many cases there are (Dugas & Gadoury 2009, costs, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 3:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The
paper's method is "wald".
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import W, by_size, cost_panels

RULE = Rule("cost_curve", methods=("wald", "newcombe", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_size(RULE, 3.0)
EXPERIMENT = Experiment(
    title="Cost of one model: how many cases there are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 3",
    cells=CELLS,
    figure=cost_panels(CELLS),
    quick=Quick(replications=400),
    expected=(
        Expected(
            says="section 5: 'for sample sizes of 25, only a very narrow range of "
            "operating conditions' is on target (w = 0.2)",
            cell="n=25",
            method="wald",
            wide=True,
            quantity="cost",
            at=0.2,
            value=0.85,
            relation="<=",
            replications=None,
        ),
        Expected(
            says="section 5: 'as the sample size increases, the range with good "
            "coverage accuracy widens' (n = 10,000, w = 0.1)",
            cell="n=10000",
            method="wald",
            wide=True,
            quantity="cost",
            at=0.1,
            value=0.9,
            tolerance=0.02,
            replications=None,
        ),
        Expected(
            says="Newcombe's interval has no breaks (n = 25)",
            source="ours",
            cell="n=25",
            method="newcombe",
            quantity="cost",
            statistic="min",
            value=0.85,
            relation=">=",
            replications=None,
        ),
    ),
)
