"""Adjusted tests of many models, some of which differ: power and familywise error.

Samples go through `auc_comparison` itself, one by one. A coverage is the share of samples in which a
statement is right: "no false difference" one minus the familywise error over the pairs that are truly equal,
"best" the share in which the best model is in the set that may be best. The width of "no false difference" is
the power, the share of all true differences found, and that of "best" how many models the set holds (where
all are equal, and the method is score_delong, of the first one alone).

Of models that all are equal, single-step tests find some difference as often as the closed test does. Where
some differ, the closed test uses that not all equalities can hold together: it is never less powerful than
the single-step one or Holm's (Blanche, Dartigues & Riou 2022, Biometrics 78:352), and its familywise error is
at most the level.

Score intervals are cautious where few cases are misranked (`familywise_error.py`). The exact test of swaps
(`method="permutation"`) is not, until hardly any sample has enough of them to tell two models apart.
"""

from confroc_lab import Cell, Dots, Expected, Experiment, NormalModels, Quick, Rule

LEVEL = 0.95
CLOSED, HOLM = "score_delong", "score_delong:adjust=holm"
SWAPS, TO_FIRST, HOLM_TO_FIRST = (
    "permutation",
    "score_delong:reference=a",
    "score_delong:reference=a,adjust=holm",
)
PAIRS = "no false difference"


def cell(name, areas, size, methods, correlation=0.6, *, groups=False, at=()):
    """One cell of models with these areas."""
    population = NormalModels(areas, 0.0 if groups else correlation, groups)
    rule = Rule("auc_comparison", methods=methods, confidence_level=LEVEL, at=at)
    return Cell(name=f"{name}, {size[0]} + {size[1]}", population=population, size=size, rule=rule, chunk=10)


ALL = (CLOSED, HOLM)
ONE = cell("one of four better", (0.88, 0.8, 0.8, 0.8), (100, 100), ALL)
TWO = cell("two pairs of equals", (0.88, 0.88, 0.8, 0.8), (100, 100), ALL)
STEPS = cell("three steps of two", (0.86, 0.86, 0.8, 0.8, 0.74, 0.74), (100, 100), ALL)
MANY = cell("one of ten better", (0.88,) + (0.8,) * 9, (100, 100), (CLOSED,))
DUNNETT = cell("five against one", (0.8, 0.8, 0.8, 0.8, 0.87, 0.87), (100, 100), (TO_FIRST, HOLM_TO_FIRST))
SITES = cell("two of four groups better", (0.9, 0.9, 0.8, 0.8), (100, 100), ALL, groups=True)
PARTIAL = (ONE, TWO, STEPS, MANY, SITES)
EXACT = (
    cell("four equal, 0.7", (0.7,) * 4, (20, 20), (SWAPS, CLOSED)),
    cell("four equal, 0.9", (0.9,) * 4, (20, 20), (SWAPS, CLOSED)),
    cell("four equal, 0.9", (0.9,) * 4, (50, 50), (SWAPS, CLOSED)),
    cell("four equal, 0.98", (0.98,) * 4, (50, 50), (SWAPS, CLOSED)),
    cell("ten equal, 0.9", (0.9,) * 10, (50, 50), (SWAPS, CLOSED)),
)
SHORT = cell("one of three better", (0.95, 0.75, 0.75), (60, 60), ALL)


def at_most(cell: Cell, method: str, error: float) -> Expected:
    """The familywise error is at most that."""
    return Expected(
        says=f"familywise error at most {error:g}: {cell.name}",
        source="ours",
        cell=cell.name,
        method=method,
        quantity=PAIRS,
        value=1.0 - error,
        relation=">=",
    )


def best(cell: Cell) -> Expected:
    """The set that may be best holds the best."""
    return Expected(
        says=f"the best model is in the set that may be best: {cell.name}",
        source="ours",
        cell=cell.name,
        method=CLOSED,
        quantity="best",
        value=LEVEL,
        relation=">=",
    )


def stronger(cell: Cell, method: str, than: str) -> Expected:
    """The closed test finds no fewer true differences."""
    return Expected(
        says=f"the closed test finds as many of the true differences, and more: {cell.name}",
        source="ours",
        cell=cell.name,
        method=method,
        quantity=PAIRS,
        statistic="width",
        value=0.0,
        relation=">=",
        than=(cell.name, than),
    )


def less_cautious(cell: Cell) -> Expected:
    """Exact tests find some difference of equal models no more rarely than score intervals do."""
    return Expected(
        says=f"exact tests of swaps are no more cautious than score intervals: {cell.name}",
        source="ours",
        cell=cell.name,
        method=SWAPS,
        quantity=PAIRS,
        value=0.0,
        relation="<=",
        than=(cell.name, CLOSED),
    )


EXPERIMENT = Experiment(
    title="Adjusted tests of many models, some of them better",
    source="this project",
    cells=(*PARTIAL, SHORT, DUNNETT, *EXACT),
    figure=Dots(quantity=PAIRS),
    quick=Quick(replications=40, cells=(SHORT,)),
    seed=353,
    expected=(
        *(at_most(cell, CLOSED, 0.05) for cell in (*PARTIAL, SHORT)),
        *(best(cell) for cell in (*PARTIAL, SHORT)),
        *(stronger(cell, CLOSED, HOLM) for cell in (ONE, TWO, STEPS, SITES)),
        stronger(SHORT, CLOSED, HOLM),
        at_most(DUNNETT, TO_FIRST, 0.05),
        stronger(DUNNETT, TO_FIRST, HOLM_TO_FIRST),
        *(at_most(cell, SWAPS, 0.055) for cell in EXACT),
        *(less_cautious(cell) for cell in EXACT),
    ),
)
