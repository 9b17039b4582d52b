"""Tests by resampling from the nearest population in which a hypothesis holds (Morin 2018, section 5).

The paper proposes them as future work: to solve for the closest population with a given area, or for the
closest pair with equal areas, and to resample from it. Here such a hypothesis is true, and counted is how
often `auc_test` and `auc_equality_test` do not reject it at 5 %, with 99 resamples: binormal populations of
equal spread, two models with correlation 0.5 on the same cases, few cases a class. A test that works as
proposed keeps 0.95.
"""

from scipy import special

from confroc_lab import Cell, Dots, Expected, Experiment, NormalPair, Quick, Rule
from drifts import levels_of_tests

TESTS = {"auc_test": "5-c", "auc_equality_test": "5-d"}
RULE = Rule(levels_of_tests, methods=tuple(TESTS), confidence_level=0.95, n_resamples=99)


def cell(n: int, area: float) -> Cell:
    """Two models of one area on n cases a class."""
    shift = float(special.ndtri(area)) * 2.0**0.5
    pair = NormalPair((shift, shift), (0.0, 0.0), 1.0, 1.0, 0.5)
    return Cell(name=f"{n} a class, area {area:g}", population=pair, size=(n, n), rule=RULE, chunk=50)


CELLS = {(n, area): cell(n, area) for n in (8, 12, 16, 20, 30) for area in (0.7, 0.85)}
FEW = "the pair with equal areas rests on a handful of cases; the test warns below 20 a class"
EXPERIMENT = Experiment(
    title="Levels of tests by the nearest population",
    source="Morin 2018, section 5",
    cells=tuple(CELLS.values()),
    figure=Dots(quantity="not rejected"),
    quick=Quick(replications=60, cells=(CELLS[8, 0.85], CELLS[20, 0.7])),
    seed=5,
    expected=tuple(
        Expected(
            statement=f"MORIN-{statement}",
            says=f"{test} keeps a true hypothesis in 95 %: {one.name}",
            cell=one.name,
            method=test,
            quantity="not rejected",
            value=0.95,
            replications=None,
            differs=FEW if test == "auc_equality_test" and n < 20 else "",
        )
        for test, statement in TESTS.items()
        for (n, _), one in CELLS.items()
    ),
)
