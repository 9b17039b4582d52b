"""Bands by number of fitting curves and of points of the sweep (Macskassy & Provost 2004).

Macskassy & Provost 2004, sections 3.3, 5.4.3 and 5.5, Figure 6: 10 to 5,000 fitting curves for samples of
625 to 25,000 Covertype cases, with the population and the four readings of the study of Tables 2 and 3; 200
verification curves per band and source. The library raises an error for a quantile with no curve beyond it
(fewer than 40 at 95 %). Here, as in the paper, ten make a band, by their largest distance or their
extremes.
"""

from collections.abc import Iterator

from confroc_lab import Cell, Dots, Expected, Experiment, Quick
from drawings import BandLine, BandSketch
from fresh_curves import FreshCurves
from learners import TreeOnCovertype
from mp_tables_covertype import PAPERS, RATES, READINGS, SIZES, classes
from words import meant

RUNS = (10, 100, 500, 1000, 5000)
MOST = RUNS[-1]
NAMES = tuple(name for name in PAPERS if name[:2] in ("FW", "VA", "TA"))
METHODS = tuple(PAPERS[name] for name in NAMES)
POINTS = (25, 100, 400)
SWEPT = {
    f"{name}, {k} points": f"{PAPERS[name]},n_points={k}"
    for name in ("VA normal", "TA normal")
    for k in POINTS
}
EDGES = (0.05, 0.2, 0.5)
WORDS = READINGS | {"edge_upper": "mean edge", "edge_lower": "mean edge"}


def cell(
    n: int,
    runs: int,
    *,
    name: str = "",
    methods: tuple[str, ...] = METHODS,
    curves: int = 200,
    places: bool = False,
) -> Cell:
    """Bands of samples of n cases from so many fitting curves."""
    rule = FreshCurves(
        methods=methods,
        confidence_level=0.95,
        n_resamples=runs,
        curves=curves,
        source="both",
        at=RATES,
        places=places,
    )
    return Cell(
        name=name or f"n={n}, {runs} curves",
        population=TreeOnCovertype(),
        size=classes(n),
        rule=rule,
        chunk=1,
    )


def held(says: str, key: str, n: int, runs: int, name: str, value: float | str, **more: object) -> Expected:
    """A share of fresh curves, of the sample's by default."""
    given = {"quantity": "fresh_of_sample", "replications": 10} | more
    return Expected(
        says=f"n = {n}, {runs} curves: {says}; {WORDS[str(given['quantity'])]}",
        statement=key,
        cell=f"n={n}, {runs} curves",
        method=PAPERS[name],
        value=value,
        **given,  # type: ignore[arg-type]
    )


QUANTILE = (
    "ten curves cannot estimate a 95 % quantile: their largest distance contains a new one in 10 of 11, and "
    "the extremes of ten rates are narrower than the 95 % interval"
)
SOURCES = "the paper's numbers lie between those of the population's and of the sample's curves"


def runs_do_not_matter() -> Iterator[Expected]:
    """§5.5: containment does not depend on the number of curves, binomial intervals aside."""
    for n in SIZES:
        for runs in RUNS[:-1]:
            for name in NAMES:
                if name.endswith("binomial"):
                    continue
                for quantity in ("fresh_of_sample", "fresh"):
                    yield held(
                        f"{name} contains as many as with {MOST}",
                        "MP-5.5-d",
                        n,
                        runs,
                        name,
                        0.0,
                        quantity=quantity,
                        than=(f"n={n}, {MOST} curves", PAPERS[name]),
                        differs=QUANTILE
                        if name in ("FWB", "VA empirical", "TA empirical")
                        else "the error of a standard deviation of ten curves is a quarter",
                    )
        for runs in RUNS[1:]:
            yield held("FWB contains 95 %", "MP-5.5-c", n, runs, "FWB", 0.95)
            for name in ("VA empirical", "VA normal"):
                yield held(
                    f"{name} is far from 95 %", "MP-5.5-c", n, runs, name, meant("far from"), relation="<="
                )
                for quantity in ("fresh_of_sample", "fresh"):
                    yield held(
                        f"{name} contains 10 to 40 %",
                        "MP-5.5-g",
                        n,
                        runs,
                        name,
                        0.4,
                        relation="<=",
                        quantity=quantity,
                        differs=SOURCES,
                    )
                    yield held(
                        f"{name} contains 10 to 40 %",
                        "MP-5.5-g",
                        n,
                        runs,
                        name,
                        0.1,
                        relation=">=",
                        quantity=quantity,
                        differs=SOURCES,
                    )
            for name in ("TA empirical", "TA normal"):
                yield held(f"{name} contains less than 10 %", "MP-5.5-g", n, runs, name, 0.1, relation="<=")


def printed_variance() -> Iterator[Expected]:
    """§5.5 and §6: the binomial variance as printed, with few and with many curves."""
    for name in ("VA binomial", "TA binomial"):
        for n in SIZES:
            yield held(
                f"{name} contains more the fewer the curves",
                "MP-5.5-e",
                n,
                10,
                name,
                0.0,
                relation=">=",
                than=(f"n={n}, {MOST} curves", PAPERS[name]),
            )
            yield held(
                f"{name} has changed little with {MOST} curves",
                "MP-6-b",
                n,
                10,
                name,
                0.1,
                relation="<=",
                than=(f"n={n}, {MOST} curves", PAPERS[name]),
                differs="the width depends on the number of curves; section 5.5 of the paper states this",
            )
        for n in SIZES[2:]:
            for runs in (10, 100) if name.startswith("TA") else (10,):
                for quantity in READINGS:
                    yield held(
                        f"{name} contains 100 %",
                        "MP-5.5-e",
                        n,
                        runs,
                        name,
                        "1.00",
                        quantity=quantity,
                        differs="where all positives or none are above, the printed variance is zero, "
                        "and the first step of a curve is outside the band for any number of curves",
                    )
        for n, runs in ((625, 1000), (625, MOST), (1250, MOST), (6250, MOST)):
            for quantity in ("fresh_of_sample", "fresh"):
                yield held(
                    f"{name} falls to 0 %",
                    "MP-5.5-f",
                    n,
                    runs,
                    name,
                    0.02,
                    quantity=quantity,
                    relation="<=",
                )


def edges() -> Iterator[Expected]:
    """§5.4.3, Figure 6, samples of 1,000: the upper edge is stable, the lower one tightens."""
    for name in ("FWB", "VA normal", "VA binomial"):
        for at in EDGES:
            yield held(
                f"{name}'s upper edge at {at} is stable",
                "MP-fig6-a",
                1000,
                10,
                name,
                0.0,
                quantity="edge_upper",
                statistic="width",
                at=at,
                than=(f"n=1000, {MOST} curves", PAPERS[name]),
                differs="with ten curves the width is equally uncertain above and below, and binomial "
                "intervals "
                "shrink on both sides",
            )
            yield held(
                f"{name}'s lower edge at {at} rises by .01 or more",
                "MP-fig6-a",
                1000,
                10,
                name,
                -0.01,
                quantity="edge_lower",
                statistic="width",
                relation="<=",
                at=at,
                than=(f"n=1000, {MOST} curves", PAPERS[name]),
                differs="the distance that contains a proportion of curves has no tendency to decrease: "
                "the largest of ten is, on average, below the 95 % quantile, so that the band widens "
                "with more",
            )


def points() -> Iterator[Expected]:
    """§3.3, note 5: the number of points of the sweep."""
    for name in ("VA normal", "TA normal"):
        for quantity in ("fresh_of_sample", "fresh_of_sample_at_rates"):
            for k in (25, 400):
                yield Expected(
                    says=f"{name}: {k} points of the sweep contain as many as 100; {READINGS[quantity]}",
                    statement="MP-3.3-b",
                    cell="points of the sweep",
                    method=SWEPT[f"{name}, {k} points"],
                    quantity=quantity,
                    value=0.0,
                    than=("points of the sweep", SWEPT[f"{name}, 100 points"]),
                    source="ours",
                    differs="the chord from 0 to .04 cuts off the steep start of the curve",
                )


EXPERIMENT = Experiment(
    title="How many curves a band is made of",
    source="Macskassy & Provost 2004, sections 3.3, 5.4.3 and 5.5",
    cells=(
        *(cell(n, runs) for n in SIZES for runs in RUNS),
        *(
            cell(
                1000, runs, methods=tuple(PAPERS[m] for m in ("FWB", "VA normal", "VA binomial")), places=True
            )
            for runs in (10, 100, 1000, MOST)
        ),
        cell(12_500, 1000, name="points of the sweep", methods=tuple(SWEPT.values()), curves=1000),
    ),
    figure=Dots(quantity="fresh_of_sample"),
    drawings=(
        BandSketch(
            name="runs",
            caption="Figure 6 of the paper: bands from few and from many fitting curves, samples of 1,000.",
            population=TreeOnCovertype(),
            panels=tuple(
                (
                    title,
                    tuple(
                        BandLine(
                            label=f"{runs} curves", method=PAPERS[name], size=classes(1000), n_resamples=runs
                        )
                        for runs in (40, 100, 1000, 5000)
                    ),
                )
                for title, name in (("fixed width", "FWB"), ("vertical averaging, normal", "VA normal"))
            ),
            seed=5,
        ),
    ),
    replications=10,
    seed=2006,
    quick=Quick(
        replications=10,
        cells=(
            *(
                cell(
                    6250,
                    runs,
                    curves=50,
                    methods=tuple(PAPERS[m] for m in ("FWB", "VA binomial", "TA binomial")),
                )
                for runs in (10, 100)
            ),
            cell(625, 1000, curves=50, methods=(PAPERS["VA binomial"],)),
        ),
    ),
    expected=(*runs_do_not_matter(), *printed_variance(), *edges(), *points()),
)
