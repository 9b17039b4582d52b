"""Rectangles at a threshold: six UCI data sets, 250 cases a class (Dugas & Gadoury 2009, ROC, Fig. 6).

Dugas & Gadoury 2009, section 5.1, appendix C and Figure 6: logistic regression on each set, test samples
drawn with replacement from the cases that did not train it. The paper's "sample size" is taken per class,
as in its size experiment: only so do the extremes that section 5.3 quotes for these samples appear.
"""

from confroc.lab import Expected, Experiment, Quick, Rule
from designs import RATES, UCI_SETS, on_uci, rectangle_panels

N = 250
RULE = Rule(
    "rates_at_threshold", methods=("agresti_coull", "wald", "bootstrap"), confidence_level=0.9, at=RATES
)
CELLS = on_uci(RULE, N)
CHESS = (
    "the paper says so of the six sets together; on chess the classes overlap too much for breaks at n = 250"
)
EXPERIMENT = Experiment(
    title=f"Rectangles at a threshold: UCI data, n = {N} a class",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 6",
    cells=CELLS,
    figure=rectangle_panels(CELLS, title=str.capitalize),
    quick=Quick(replications=250, cells=tuple(c for c in CELLS if c.name in ("abalone", "credit"))),
    expected=tuple(
        Expected(
            says="section 5.1: 'the Wald and Empirical methods may lead to severe "
            f"coverage breaks' ({name}, {method})",
            cell=name,
            method=method,
            quantity="joint",
            statistic="min",
            value=0.75,
            relation="<=",
            replications=None,
            differs=CHESS if name == "chess" else "",
        )
        for name in UCI_SETS
        for method in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says=f"section 5.1: 'the Agresti method avoids coverage breaks' ({name})",
            cell=name,
            method="agresti_coull",
            quantity="joint",
            statistic="min",
            value=0.87,
            relation=">=",
            replications=None,
        )
        for name in UCI_SETS
    ),
)
