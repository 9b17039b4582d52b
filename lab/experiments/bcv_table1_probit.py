"""Bands and intervals by naive and smoothed bootstrap in a probit design (Bertail et al. 2008, Table 1).

Bertail, Clémençon & Vayatis 2008, section 3.3, Table 1 and Figure 1: X and ε standard normal, positive when
1 + X + ε > 0, n = 1,000 cases drawn together, 999 resamples of pairs, 95 %. The score of any fitted probit
model ranks as X does, so the naive bootstrap cannot tell them apart; a smoothed one can, because noise of one
size means another thing on the scale of X (the default here) than on that of fitted probabilities
(scale=probability).

The paper does not say which curves are compared, where, and on which scale scores are smoothed. So the same
resamples are read in every way that we could think of:

* "distance": the true curve, at the middle of each step of the empirical one, is no further away than the
ball's
  radius;
* "exact": the same anywhere, so also where the empirical curve has jumped up at a false positive rate of zero
and
  the true one has not;
* "drawn": the same with all curves as they are drawn, from the vertex (0, 0), the resampled ones too;
* "curve": the true curve lies between the ball's edges, which is what a reader asks of a band;
* intervals at a rate of 0.2: symmetric (quantile of the absolute errors), and equal-tailed, "basic" as
equation 2
  has it (the resampled error stands for the sample's) or by percentiles.

Words are made numbers by us: coverage is "low" below 0.93, much larger or better means by 0.05 at least,
alike within 0.02.
"""

from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from drawings import BandLine, BandSketch
from probit import Probit
from readings import readings

POPULATION = Probit(1.0, 1.0)
SIZE = (500, 500)
PAPER = "the paper's"

NAIVE, SMOOTH = "", "noise=curve"
PROBABILITY = "noise=density,scale=probability"
NARROW = "noise=0.03,scale=probability"


def ball(metric: str, plan: str) -> str:
    """Name of a ball's method."""
    return f"ball:metric={metric}{',' + plan if plan else ''}"


def point(tails: str, plan: str) -> str:
    """Name of an interval's method."""
    return f"point:tails={tails}{',' + plan if plan else ''}"


METHODS = tuple(
    method
    for plan in (NAIVE, SMOOTH, PROBABILITY, NARROW)
    for method in (
        *(ball(metric, plan) for metric in ("sup", "db")),
        *(point(tails, plan) for tails in ("symmetric", "basic", "percentile")),
    )
)


def cell(resamples: int, methods: tuple[str, ...] = METHODS) -> Cell:
    """All lines of the table, from the same resamples."""
    rule = Rule(readings, methods=methods, at=(0.2,), confidence_level=0.95, n_resamples=resamples)
    return Cell(name=PAPER, population=POPULATION, size=SIZE, sampling="full", rule=rule, chunk=20)


READING = (
    "the number is that of another reading of the same line, which agrees: the paper does not say which of "
    "them it took"
)
OPEN = (
    "no reading gives it: the ball covers in 95 % of samples or more, on whatever scale, with or without "
    "noise, wherever the curves are compared"
)
NOT_LOW = (
    "the naive d_B ball does not cover too little; only sup balls do, by their edges, and smoothed ones too"
)
GAIN = (
    "with symmetric intervals noise adds half as much, and with equal-tailed ones, which alone come near the "
    "paper's levels, it takes coverage away"
)


def table(number: int, what: str, value: float, method: str, quantity: str, differs: str = "") -> Expected:
    """One line of Table 1 in one of its readings."""
    return Expected(
        says=f"Table 1, line {number}: {what} ({method}, {quantity})",
        statement=f"BCV-tab1-{number}",
        cell=PAPER,
        method=method,
        quantity=quantity,
        value=value,
        replications=2000,
        tolerance=0.01,
        differs=differs,
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
    tolerance: float = 0.0,
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
        tolerance=tolerance,
        than=(PAPER, other),
        differs=differs,
    )


TABLE = (
    *(
        table(1, "naive, sup", 1.0, ball("sup", NAIVE), quantity, "" if quantity == "drawn" else READING)
        for quantity in ("drawn", "distance", "exact", "curve")
    ),
    *(
        table(2, "smoothed, sup", 1.0, ball("sup", SMOOTH), quantity, "" if quantity == "drawn" else READING)
        for quantity in ("drawn", "distance", "exact", "curve")
    ),
    *(
        table(2, "smoothed on fitted probabilities, sup", 1.0, ball("sup", PROBABILITY), quantity)
        for quantity in ("drawn", "distance", "exact", "curve")
    ),
    *(
        table(3, "naive, d_B", 0.903, ball("db", NAIVE), quantity, OPEN)
        for quantity in ("distance", "exact", "curve")
    ),
    *(
        table(4, "smoothed, d_B", 0.931, ball("db", plan), quantity, OPEN)
        for plan in (SMOOTH, PROBABILITY, NARROW)
        for quantity in ("distance", "exact", "curve")
    ),
    *(
        table(5, f"naive, rate at 0.2, {tails}", 0.897, point(tails, NAIVE), "tpr", differs)
        for tails, differs in (("basic", ""), ("percentile", READING), ("symmetric", READING))
    ),
    *(
        table(6, f"smoothed, rate at 0.2, {tails}", 0.925, point(tails, plan), "tpr", differs)
        for plan, tails, differs in (
            (NARROW, "basic", ""),
            (SMOOTH, "basic", READING),
            (SMOOTH, "percentile", READING),
            (SMOOTH, "symmetric", READING),
        )
    ),
)
ORDERS = (
    order(
        "BCV-abs-a",
        "Abstract: smoothed d_B bands are nearer their level than naive ones",
        ball("db", SMOOTH),
        ball("db", NAIVE),
        0.0,
        statistic="distance",
        relation="<=",
        differs="both cover more than 95 %, the smoothed ones the more",
    ),
    Expected(
        says="Section 1: bands of the naive bootstrap have low coverage (d_B)",
        statement="BCV-1-a",
        cell=PAPER,
        method=ball("db", NAIVE),
        quantity="curve",
        value=0.93,
        relation="<=",
        replications=None,
        differs=NOT_LOW,
    ),
    *(
        order(
            f"BCV-{where}",
            f"{title}: sup bands are much wider than d_B bands ({plan or 'naive'})",
            ball("sup", plan),
            ball("db", plan),
            0.05,
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
            0.05,
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
            tolerance=0.01,
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
        tolerance=0.02,
    ),
    order(
        "BCV-3.3-b",
        "Section 3.3: the metric decides more than smoothing does: d_B against sup",
        ball("db", NAIVE),
        ball("sup", NAIVE),
        0.1,
    ),
    order(
        "BCV-3.3-b",
        "Section 3.3: the metric decides more than smoothing does: smoothed against naive",
        ball("sup", SMOOTH),
        ball("sup", NAIVE),
        0.0,
        relation="=",
        tolerance=0.05,
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
    replications=2000,
    quick=Quick(replications=200, cells=(cell(199),)),
    seed=2008,
    expected=(*TABLE, *ORDERS),
)
