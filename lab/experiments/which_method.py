"""Intervals for every statistic, from few cases to many (not in the papers).

Coverage and width of confroc's intervals at 95 % on binormal populations with areas 0.7, 0.9 and 0.98, for
25, 100 and 1,000 cases a class and for 20 positives among 520 cases. Two models have areas 0.80 and 0.85 or
0.95 and 0.97 and correlation 0.6. The statements are that the least coverage of the defaults is at most two
percentage points below nominal.
"""

import itertools

from confroc_lab import Cell, Dots, Expected, Experiment, NormalPair, Quick, Rule, binormal_with_auc

LEVEL = 0.95
SIZES = ((25, 25), (100, 100), (20, 500), (1000, 1000))
AREAS = (0.7, 0.9, 0.98)
PLACES = (0.1, 0.3, 0.5, 0.7)
RATES = (0.05, 0.1, 0.2, 0.4)
PROPORTIONS = ("agresti_coull", "wald", "wilson", "jeffreys", "clopper_pearson")
PAIRED = ("agresti_min", "wald")

ONE: dict[str, Rule] = {
    "area": Rule(
        "auc_interval",
        methods=("score_delong", "delong", "logit_delong", "hanley_mcneil", "newcombe", "upper_bound"),
        confidence_level=LEVEL,
    ),
    "TPR at an FPR": Rule(
        "tpr_at_fpr",
        methods=("beta_mixture", "agresti_coull", "wald", "exact_bootstrap"),
        confidence_level=LEVEL,
        at=RATES,
    ),
    "both rates at a threshold": Rule(
        "rates_at_threshold", methods=PROPORTIONS, confidence_level=LEVEL, at=PLACES
    ),
    "cost": Rule("cost_curve", methods=("mid_p", "wald", "agresti_coull"), confidence_level=LEVEL, at=PLACES),
}
TWO: dict[str, Rule] = {
    "difference of areas": Rule("auc_difference", methods=("score_delong", "delong"), confidence_level=LEVEL),
    "difference of TPRs at an FPR": Rule(
        "tpr_difference_at_fpr", methods=("beta_mixture", *PAIRED), confidence_level=LEVEL, at=RATES
    ),
    "difference of both rates": Rule(
        "rates_difference_at_threshold", methods=("bonett_price", *PAIRED), confidence_level=LEVEL, at=PLACES
    ),
}
DEFAULTS = {
    "area": ("score_delong", "auc"),
    "TPR at an FPR": ("beta_mixture", "tpr"),
    "both rates at a threshold": ("agresti_coull", "joint"),
    "cost": ("mid_p", "cost"),
    "difference of areas": ("score_delong", "auc_a - auc_b"),
    "difference of TPRs at an FPR": ("beta_mixture", "tpr_a - tpr_b"),
    "difference of both rates": ("bonett_price", "joint"),
}


def pair(auc_a: float, auc_b: float) -> NormalPair:
    """Two models of equal spread and correlation 0.6."""
    a, b = (binormal_with_auc(auc).pos.mean for auc in (auc_a, auc_b))
    return NormalPair((a, b), (0.0, 0.0), 1.0, 1.0, 0.6)


def cells() -> tuple[Cell, ...]:
    """Every kind of statement, area and size."""
    one = [
        Cell(
            name=f"{what}, AUC {auc}, {size[0]} + {size[1]}",
            population=binormal_with_auc(auc),
            size=size,
            rule=rule,
            chunk=100,
        )
        for (what, rule), auc, size in itertools.product(ONE.items(), AREAS, SIZES)
    ]
    two = [
        Cell(
            name=f"{what}, AUC {a} and {b}, {size[0]} + {size[1]}",
            population=pair(a, b),
            size=size,
            rule=rule,
            chunk=100,
        )
        for (what, rule), (a, b), size in itertools.product(
            TWO.items(), ((0.8, 0.85), (0.95, 0.97)), SIZES[:3]
        )
    ]
    return tuple(one + two)


CELLS = cells()


def promise(cell: Cell) -> Expected:
    """Statement that a default attains its level."""
    what = cell.name.split(", ")[0]
    method, quantity = DEFAULTS[what]
    return Expected(
        says=f"the default, {method}, attains its level: {cell.name}",
        source="ours",
        cell=cell.name,
        method=method,
        quantity=quantity,
        statistic="min",
        value=LEVEL - 0.02,
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="Which method when",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="auc"),
    quick=Quick(replications=250, cells=tuple(c for c in CELLS if "100 + 100" in c.name)),
    seed=95,
    expected=tuple(promise(cell) for cell in CELLS),
)
