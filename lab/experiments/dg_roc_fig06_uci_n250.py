"""Rectangles at a threshold: six UCI data sets, 250 cases a class (Dugas & Gadoury 2009, ROC, Fig. 6).

Dugas & Gadoury 2009, section 5.1, appendix C and Figure 6: logistic regression on each set, test samples
drawn with replacement from the cases that were not used for training. The paper's "sample size" is
interpreted as cases per class, as in its size experiment: only then do the extremes that section 5.3 quotes
for these samples appear.
"""

from dataclasses import replace

from confroc_lab import Expected, Experiment, Quick, Rule
from designs import RATES, UCI_SETS, on_uci, rectangle_panels
from words import meant

N = 250
RULE = Rule(
    "rates_at_threshold", methods=("agresti_coull", "wald", "bootstrap"), confidence_level=0.9, at=RATES
)
CELLS = on_uci(RULE, N)
SMALL = on_uci(replace(RULE, methods=("wald",)), 25, name="{name}, n = 25")
EXPERIMENT = Experiment(
    title=f"Rectangles at a threshold: UCI data, n = {N} a class",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 6",
    cells=CELLS + SMALL,
    figure=rectangle_panels(CELLS, title=str.capitalize),
    quick=Quick(
        replications=250, cells=tuple(c for c in CELLS + SMALL if c.name.startswith(("abalone", "credit")))
    ),
    expected=tuple(
        Expected(
            says="section 5.1: 'the Wald and Empirical methods may lead to severe "
            f"coverage breaks' ({name}, {method})",
            statement="DGROC-fig6-a",
            cell=name,
            method=method,
            quantity="joint",
            statistic="min",
            value=meant("severe break"),
            relation="<=",
        )
        for name in UCI_SETS
        for method in ("wald", "bootstrap")
    )
    + tuple(
        Expected(
            says=f"section 5.1: 'the Agresti method avoids coverage breaks' ({name})",
            statement="DGROC-fig6-a",
            cell=name,
            method="agresti_coull",
            quantity="joint",
            statistic="min",
            value=meant("no break"),
            relation=">=",
        )
        for name in UCI_SETS
    )
    + tuple(
        Expected(
            says="section 5.1, end: where it avoids breaks, Agresti's 'coverage is above target' "
            f"({name}, mean)",
            statement="DGROC-5.1-b",
            cell=name,
            method="agresti_coull",
            quantity="joint",
            statistic="mean",
            value=0.9,
            relation=">=",
        )
        for name in UCI_SETS
    )
    + tuple(
        Expected(
            says="section 5.1, end: with fewer cases breaks affect a larger part of the curve: with 25 a "
            f"class Wald is on average further from nominal than with 250 ({name})",
            statement="DGROC-5.1-a",
            cell=f"{name}, n = 25",
            method="wald",
            quantity="joint",
            statistic="distance",
            than=(name, "wald"),
            value=0.0,
            relation=">=",
        )
        for name in UCI_SETS
    ),
)
