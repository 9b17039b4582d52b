"""TPR at a false positive rate: six UCI data sets, 25 cases a class (Dugas & Gadoury 2009, ROC, Fig. 8).

Dugas & Gadoury 2009, section 5.3, appendix C and Figure 8: populations as in Figures 5 and 6; the Kernel
method is Hall, Hyndman & Fan's (2004). The paper draws coverage against the false positive rate (its caption
says total positive rate, its text speaks of false positive rates).
"""

import numpy as np

from confroc.lab import Cell, Expected, Experiment, LogisticOn, Panels, Quick
from confroc.lab.rules import AtFpr

N = 25
RATES = tuple(np.round(np.linspace(0.04, 0.96, 24), 2).tolist())
RULE = AtFpr(methods=("agresti_coull", "kernel", "bootstrap", "wald"), confidence_level=0.9, fpr=RATES)
SETS = ("abalone", "adult", "chess", "covertype", "credit", "telescope")
CELLS = tuple(
    Cell(name=name, population=LogisticOn(name), size=(N, N), rule=RULE, chunk=500) for name in SETS
)
KERNEL = (
    "the paper does not say how it chose the bandwidths of the two densities in the variance; with ours the "
    "Kernel method hardly over-covers, and breaks at high false positive rates as the Empirical method does"
)
EXPERIMENT = Experiment(
    title=f"TPR at a false positive rate: UCI data, n = {N} a class",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 8",
    cells=CELLS,
    figure=Panels(
        panels=tuple((name.capitalize(), (name,)) for name in SETS),
        columns=2,
        quantity="tpr",
        x="false positive rate",
        styles=(
            ("agresti_coull", "Agresti", "-"),
            ("kernel", "Kernel", ":"),
            ("bootstrap", "Empirical", "--"),
        ),
    ),
    quick=Quick(replications=250, cells=tuple(c for c in CELLS if c.name in ("abalone", "credit"))),
    expected=(
        Expected(
            says="section 5.3: lowest coverage of the Agresti method 0.753, on German (credit)",
            cell="credit",
            method="agresti_coull",
            quantity="tpr",
            statistic="min",
            value=0.753,
            tolerance=0.02,
        ),
        Expected(
            says="section 5.3: highest coverage of the Agresti method 0.965, on Telescope",
            cell="telescope",
            method="agresti_coull",
            quantity="tpr",
            statistic="max",
            value=0.965,
            tolerance=0.02,
        ),
        *(
            Expected(
                says=f"section 5.3: Kernel 'leads to substantially overconservative intervals' ({name})",
                cell=name,
                method="kernel",
                quantity="tpr",
                statistic="max",
                value=0.97,
                relation=">=",
                differs=KERNEL,
            )
            for name in ("adult", "chess", "covertype")
        ),
        *(
            Expected(
                says="section 5.3: 'the Empirical method exhibits severe coverage breaks at "
                f"high false positive rates' ({name})",
                cell=name,
                method="bootstrap",
                quantity="tpr",
                at=0.96,
                value=0.75,
                relation="<=",
                replications=None,
            )
            for name in ("abalone", "adult", "covertype", "credit", "telescope")
        ),
    ),
)
