"""Bands and intervals by naive and smoothed bootstrap in a probit design (Bertail et al. 2008, Table 1).

Bertail, Clémençon & Vayatis 2008, section 3.3, Table 1 and Figure 1: X and ε standard normal, positive when
1 + X + ε > 0, score X (any fitted probit model ranks as X does), n = 1,000 cases drawn together, 999
resamples, 95 %.
"""

from confroc.lab import Cell, Dots, Expected, Experiment, Probit, Quick
from confroc.lab.rules import AtFpr, TrueCurve

NAMES = tuple(
    f"bootstrap:metric={metric},smoothing={smooth}" for metric in ("sup", "db") for smooth in (False, True)
)
PRINTED = (1.0, 1.0, 0.903, 0.931)
POINT = {"centred_bootstrap": 0.897, "smoothed_bootstrap": 0.925}
ENDS = (
    "held here to the very ends of the curve; below the first false positive the true curve starts at zero "
    "and the empirical one does not, which a vertical distance cannot forgive"
)
EDGES = (
    "held here between the edges of the ball, which also holds curves further away: the distance is the "
    "least of three at each point"
)
POPULATION = Probit(1.0, 1.0)
SIZE = (500, 500)


def cells(resamples: int) -> tuple[Cell, ...]:
    """Bands, and intervals at a false positive rate of 0.2."""
    band = TrueCurve(methods=(*NAMES, "equal_local_levels"), confidence_level=0.95, n_resamples=resamples)
    point = AtFpr(methods=tuple(POINT), confidence_level=0.95, n_resamples=resamples, fpr=(0.2,))
    return (
        Cell(name="band", population=POPULATION, size=SIZE, sampling="full", rule=band, chunk=20),
        Cell(name="FPR 0.2", population=POPULATION, size=SIZE, sampling="full", rule=point, chunk=20),
    )


EXPERIMENT = Experiment(
    title="Bands and intervals by naive and smoothed bootstrap",
    source="Bertail, Clémençon & Vayatis 2008, Table 1",
    cells=cells(999),
    figure=Dots(quantity="curve"),
    replications=2000,
    quick=Quick(replications=40, cells=cells(199)),
    seed=2008,
    expected=tuple(
        Expected(
            says=f"Table 1: coverage of the band {method.removeprefix('bootstrap:')}",
            cell="band",
            method=method,
            quantity="curve",
            value=value,
            replications=2000,
            tolerance=0.01,
            differs=ENDS if "sup" in method else EDGES,
        )
        for method, value in zip(NAMES, PRINTED, strict=True)
    )
    + tuple(
        Expected(
            says=f"Table 1: coverage of the interval at a false positive rate of 0.2 ({method})",
            cell="FPR 0.2",
            method=method,
            quantity="tpr",
            value=value,
            replications=2000,
            tolerance=0.02,
        )
        for method, value in POINT.items()
    ),
)
