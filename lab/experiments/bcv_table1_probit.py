"""Bands and intervals by naive and smoothed bootstrap in a probit design (Bertail et al. 2008, Table 1).

Bertail, Clémençon & Vayatis 2008, section 3.3, Table 1 and Figure 1: X and ε standard normal, positive when
1 + X + ε > 0, n = 1,000 cases drawn together, 999 resamples of pairs, 95 %. The score of any fitted probit
model ranks as X does, so that the naive bootstrap is the same for all. A smoothed one differs, because
noise of a given size has different effects on the scale of X (the default here) and on that of fitted
probabilities (scale=probability).

The paper does not state which curves are compared, where, and on which scale scores are smoothed. The same
resamples are therefore evaluated in several readings:

* "distance": the distance of the true curve, at the middle of each step of the empirical one, is at most
  the ball's radius;
* "exact": the same everywhere, including a false positive rate of zero, where the empirical curve has
  jumped up and the true one has not;
* "drawn": the same with all curves as they are drawn, from the vertex (0, 0), also the resampled ones;
* "curve": the true curve lies between the ball's edges, as readers understand a band;
* intervals at a rate of 0.2: symmetric (quantile of the absolute errors), and equal-tailed, "basic" as in
  equation 2 (the resampled error replaces the sample's) or by percentiles;
* "level=0.9": quantiles of 90 % where the caption states 95 %.
"""

from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from drawings import BandLine, BandSketch
from probit import Probit
from readings import readings
from words import meant

POPULATION = Probit(1.0, 1.0)
SIZE = (500, 500)
PAPER = "the paper's"

NAIVE, SMOOTH = "", "noise=curve"
PROBABILITY = "noise=density,scale=probability"
NARROW = "noise=0.03,scale=probability"
PLANS = (NAIVE, SMOOTH, PROBABILITY, NARROW)
LEVELS = ("", "level=0.9")
TAILS = ("basic", "percentile", "symmetric")


def ball(metric: str, *options: str) -> str:
    """Name of a ball's method."""
    return ",".join([f"ball:metric={metric}", *filter(None, options)])


def point(tails: str, *options: str) -> str:
    """Name of an interval's method."""
    return ",".join([f"point:tails={tails}", *filter(None, options)])


METHODS = tuple(
    method
    for plan in PLANS
    for level in LEVELS
    for method in (
        *(ball(metric, plan, level) for metric in ("sup", "db")),
        *(point(tails, plan, level) for tails in TAILS),
    )
)


def cell(resamples: int, methods: tuple[str, ...] = METHODS) -> Cell:
    """All lines of the table, from the same resamples."""
    rule = Rule(readings, methods=methods, at=(0.2,), confidence_level=0.95, n_resamples=resamples)
    return Cell(name=PAPER, population=POPULATION, size=SIZE, sampling="full", rule=rule, chunk=20)


READING = (
    "another reading of the same line is closer, such as that of quantiles of 90 %; the paper does not "
    "state which it used"
)
NOT_LOW = (
    "the naive d_B ball does not under-cover; only sup balls do, between their edges, and smoothed ones too"
)
GAIN = (
    "with symmetric intervals noise adds half as much, and with equal-tailed ones, the only ones near "
    "the paper's levels, it reduces coverage"
)


def order(
    statement: str,
    says: str,
    method: str,
    other: str,
    value: float,
    *,
    quantity: str = "curve",
    relation: Any = ">=",
    statistic: Any = "coverage",
    differs: str = "",
) -> Expected:
    """One number against another."""
    return Expected(
        says=says,
        statement=statement,
        cell=PAPER,
        method=method,
        quantity=quantity,
        statistic=statistic,
        value=value,
        relation=relation,
        than=(PAPER, other),
        differs=differs,
    )


CURVES = ("distance", "exact", "curve")
LINES = (
    (1, "naive, sup", "1.00", ball, "sup", (NAIVE,), ("drawn", *CURVES)),
    (2, "smoothed, sup", "1.00", ball, "sup", (SMOOTH, PROBABILITY), ("drawn", *CURVES)),
    (3, "naive, d_B", "0.903", ball, "db", (NAIVE,), CURVES),
    (4, "smoothed, d_B", "0.931", ball, "db", (SMOOTH, PROBABILITY, NARROW), CURVES),
    *((5, "naive, rate at 0.2", "0.897", point, tails, (NAIVE,), ("tpr",)) for tails in TAILS),
    *((6, "smoothed, rate at 0.2", "0.925", point, tails, (NARROW, SMOOTH), ("tpr",)) for tails in TAILS),
)
"""Lines of the table: what, its number, and the readings by method, plan and quantity."""
TABLE = tuple(
    Expected(
        says=f"Table 1, line {number}: {what} ({method(kind, plan, level)}, {quantity})",
        statement=f"BCV-tab1-{number}",
        cell=PAPER,
        method=method(kind, plan, level),
        quantity=quantity,
        value=value,
        replications=2000,
        differs=READING,
    )
    for level in LEVELS
    for number, what, value, method, kind, plans, quantities in LINES
    for plan in plans
    for quantity in quantities
)
ORDERS = (
    order(
        "BCV-abs-a",
        "Abstract: smoothed d_B bands are closer to nominal than naive ones",
        ball("db", SMOOTH),
        ball("db", NAIVE),
        0.0,
        statistic="distance",
        relation="<=",
        differs="both cover more than 95 %, the smoothed ones more so",
    ),
    Expected(
        says="Section 1: bands of the naive bootstrap have low coverage (d_B)",
        statement="BCV-1-a",
        cell=PAPER,
        method=ball("db", NAIVE),
        quantity="curve",
        value=meant("low"),
        relation="<=",
        differs=NOT_LOW,
    ),
    *(
        order(
            f"BCV-{where}",
            f"{title}: sup bands are much wider than d_B bands ({plan or 'naive'})",
            ball("sup", plan),
            ball("db", plan),
            meant("much"),
            statistic="width",
        )
        for where, title, plans in (
            ("2.1-a", "Section 2.1", (NAIVE, SMOOTH)),
            ("fig1-a", "Figure 1, first and second panel", (SMOOTH,)),
            ("fig1-b", "Figure 1, second panel", (PROBABILITY,)),
        )
        for plan in plans
    ),
    *(
        order(
            "BCV-2.1-c",
            f"Section 2.1: d_B bands cover better than sup bands ({plan or 'naive'})",
            ball("db", plan),
            ball("sup", plan),
            meant("much"),
        )
        for plan in (NAIVE, SMOOTH)
    ),
    *(
        order(
            "BCV-3.3-a",
            f"Section 3.3: smoothing adds as much coverage at a point as in Table 1 ({tails})",
            point(tails, SMOOTH),
            point(tails, NAIVE),
            0.028,
            quantity="tpr",
            relation="=",
            differs=GAIN,
        )
        for tails in ("symmetric", "basic")
    ),
    order(
        "BCV-3.3-a",
        "Section 3.3: smoothing changes the coverage of bands little (d_B)",
        ball("db", SMOOTH),
        ball("db", NAIVE),
        0.0,
        relation="=",
    ),
    order(
        "BCV-3.3-b",
        "Section 3.3: the metric matters more than smoothing: d_B against sup",
        ball("db", NAIVE),
        ball("sup", NAIVE),
        meant("decides"),
    ),
    order(
        "BCV-3.3-b",
        "Section 3.3: the metric matters more than smoothing: smoothed against naive",
        ball("sup", SMOOTH),
        ball("sup", NAIVE),
        -meant("decides"),
    ),
)

EXPERIMENT = Experiment(
    title="Bands and intervals by naive and smoothed bootstrap",
    source="Bertail, Clémençon & Vayatis 2008, Table 1",
    cells=(cell(999),),
    figure=Dots(quantity="distance"),
    drawings=(
        BandSketch(
            name="bands",
            caption="Figure 1 of the paper: smoothed bootstrap, 95 %, one sample of 1,000 cases.",
            population=POPULATION,
            sampling="full",
            panels=tuple(
                (title, (BandLine(label=label, method=method, size=SIZE),))
                for title, label, method in (
                    ("sup ball", "band", "bootstrap:metric=sup,smoothing=True"),
                    ("d_B ball", "band", "bootstrap:metric=db,smoothing=True"),
                    ("interval at each rate", "intervals", "smoothed_bootstrap"),
                )
            ),
            seed=1,
        ),
    ),
    quick=Quick(replications=200, cells=(cell(199),)),
    seed=2008,
    expected=(*TABLE, *ORDERS),
)
