"""Rates at a given predicted-positive rate, at a given TPR, and with ties (Dugas & Gadoury's populations).

This study is not in the paper. Intervals at a fixed predicted-positive rate are its future work (section
6); its scores are continuous, and it never fixes the true positive rate. Populations are its binormal ones,
θ from 0.75 to 5, here also rounded to multiples of 1.5. At a given predicted-positive rate samples are
random samples of all cases. The statements are that the least coverage of the defaults is at most two
percentage points below nominal, and that Wald's intervals at a predicted-positive rate fail where those at
a threshold do.
"""

from confroc_lab import Cell, Dots, Expected, Experiment, Normal, Quick, Rule, TiedDistributions, binormal
from designs import SPREADS

LEVEL = 0.9
SHARES = (0.02, 0.2, 0.5, 0.8, 0.98)
PLACES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
N = 100
METHODS = ("beta_mixture", "wald")


def tied(theta: float) -> TiedDistributions:
    """The population with scores rounded."""
    return TiedDistributions(Normal(theta, 3.75), Normal(-theta, 3.0), step=1.5)


FLAGGED = tuple(
    Cell(
        name=f"share flagged, theta={theta}",
        population=binormal(theta, -theta, 3.75, 3.0),
        size=(N // 2, N // 2),
        rule=Rule("rates_at_positive_rate", methods=METHODS, confidence_level=LEVEL, at=SHARES),
        sampling="full",
        chunk=50,
    )
    for theta in (SPREADS[0], SPREADS[-1])
)
AT_TPR = tuple(
    Cell(
        name=f"FPR at a TPR, theta={theta}",
        population=binormal(theta, -theta, 3.75, 3.0),
        size=(N, N),
        rule=Rule("fpr_at_tpr", methods=METHODS, confidence_level=LEVEL, at=PLACES),
        chunk=100,
    )
    for theta in SPREADS
)
TIED = tuple(
    Cell(
        name=f"{what} in ties, theta={theta}",
        population=tied(theta),
        size=(N, N),
        rule=Rule(function, methods=methods, confidence_level=LEVEL, at=PLACES),
        chunk=100,
    )
    for theta in SPREADS
    for what, function, methods in (
        ("rectangle", "rates_at_threshold", ("agresti_coull", "wald")),
        ("TPR at an FPR", "tpr_at_fpr", METHODS),
        ("FPR at a TPR", "fpr_at_tpr", METHODS),
    )
)
CELLS = FLAGGED + AT_TPR + TIED
QUANTITIES = {
    "rates_at_positive_rate": ("fpr", "tpr"),
    "fpr_at_tpr": ("fpr",),
    "tpr_at_fpr": ("tpr",),
    "rates_at_threshold": ("joint",),
}
EXPERIMENT = Experiment(
    title="Dugas & Gadoury's populations where a share, a TPR or ties are given",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="fpr"),
    quick=Quick(replications=50, cells=(AT_TPR[2], *TIED[6:9])),
    seed=17,
    expected=(
        *(
            Expected(
                says=f"the default, {cell.rule.methods[0]}, attains its level: {quantity}, {cell.name}",
                source="ours",
                cell=cell.name,
                method=cell.rule.methods[0],
                quantity=quantity,
                statistic="min",
                value=LEVEL - 0.02,
                relation=">=",
            )
            for cell in CELLS
            for quantity in QUANTITIES[str(cell.rule.function)]
        ),
        Expected(
            says="at a predicted-positive rate of 0.02 Wald's interval for the FPR breaks (θ = 5)",
            source="ours",
            cell="share flagged, theta=5.0",
            method="wald",
            quantity="fpr",
            at=0.02,
            value=0.6,
            relation="<=",
        ),
    ),
)
