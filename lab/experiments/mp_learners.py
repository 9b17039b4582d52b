"""Bands of Working and Hotelling for binormal and other scores (Macskassy & Provost 2004).

Macskassy & Provost 2004, sections 3.8, 5.5 and 6, Table 3: on one tree the simultaneous bands contain 99.6
% of fresh curves of 6,250 cases and 35.9 % of 25,000, and the authors suggest other learners. This study
has three on the same split of Covertype: log odds by logistic regression and by naive Bayes, and mean votes
of a random forest; and, as positive control, a binormal population. Two proportions are evaluated: bands
that contain the population's own curve ("curve"), for which they are designed, and fresh empirical curves
that they contain ("fresh"), the paper's criterion. Curves are also evaluated at the rates .01 to .99
("fresh_at_rates"): at a rate of 0 these bands have zero height, so that every curve with a vertical first
step is outside.

"Not robust" is defined as at most half of the curves with 25,000 cases.
"""

from collections.abc import Iterator

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, binormal_with_auc
from fresh_curves import FreshCurves
from learners import LearnerOnCovertype
from mp_tables_covertype import PAPERS, RATES, SIZES, classes
from words import meant

LEARNERS = ("logistic regression", "naive Bayes", "random forest")
BINORMAL = "binormal"
POPULATIONS = (*LEARNERS, BINORMAL)
NAMES = ("WHB-p", "WHB-s", "FWB", "SJR", "VA normal")
METHODS = tuple(PAPERS[name] for name in NAMES)


def cell(name: str, n: int, curves: int = 40) -> Cell:
    """Samples of n cases of one population."""
    rule = FreshCurves(
        methods=METHODS, confidence_level=0.95, n_resamples=100, curves=curves, at=RATES[1:], truth=True
    )
    return Cell(
        name=f"{name}, n={n}",
        population=binormal_with_auc(0.78) if name == BINORMAL else LearnerOnCovertype(name),  # type: ignore[arg-type]
        size=classes(n),
        rule=rule,
        chunk=1,
    )


def told(says: str, key: str, name: str, n: int, band: str, value: float, **more: object) -> Expected:
    """A number of one band in one cell."""
    given = {"quantity": "fresh_at_rates", "relation": "<=", "replications": 10} | more
    return Expected(
        says=f"{name}, n = {n}: {says}",
        statement=key,
        cell=f"{name}, n={n}",
        method=PAPERS[band],
        value=value,
        **given,  # type: ignore[arg-type]
    )


FAR = "these scores are so far from binormal that hardly any curve is inside even with 6,250 cases"


def expected() -> Iterator[Expected]:
    """The paper's statements about WHB, and results where their assumption is true."""
    for name in LEARNERS:
        for band, key, peak in (("WHB-s", "MP-5.5-j", 6250), ("WHB-p", "MP-5.5-j", 1250)):
            for n in SIZES[SIZES.index(peak) + 1 :]:
                yield told(
                    f"{band} contains no more than with {peak}",
                    key,
                    name,
                    n,
                    band,
                    0.0,
                    than=(f"{name}, n={peak}", PAPERS[band]),
                )
            yield told(
                f"{band} contains at least 65 % at its peak",
                key,
                name,
                peak,
                band,
                0.65,
                relation=">=",
                differs=FAR,
            )
        for band in ("WHB-p", "WHB-s"):
            yield told(f"{band} is not robust", "MP-6-a", name, SIZES[-1], band, meant("not robust"))
        yield told(
            "WHB-s does not contain the population's curve, even from .01 to .99 only",
            "MP-5.5-j",
            name,
            SIZES[-1],
            "WHB-s",
            0.05,
            quantity="curve_at_rates",
            source="ours",
        )
        for n in SIZES:
            yield told(
                "SJR contains at least 89 %",
                "MP-6-e",
                name,
                n,
                "SJR",
                0.89,
                relation=">=",
                quantity="fresh",
                source="ours",
            )
            yield told(
                "FWB contains less of the population's curves than nominal",
                "MP-6-e",
                name,
                n,
                "FWB",
                0.85,
                quantity="fresh",
                source="ours",
            )
    for n in SIZES:
        yield told(
            "WHB-s contains the true curve at its level",
            "MP-5.5-j",
            BINORMAL,
            n,
            "WHB-s",
            0.95,
            relation="=",
            quantity="curve",
            source="theory",
        )
        yield told(
            "WHB-p contains it less often than WHB-s",
            "MP-6-a",
            BINORMAL,
            n,
            "WHB-p",
            0.0,
            quantity="curve",
            source="ours",
            than=(f"{BINORMAL}, n={n}", PAPERS["WHB-s"]),
        )
        yield told(
            "WHB-p is tighter than WHB-s",
            "MP-3.8-a",
            BINORMAL,
            n,
            "WHB-p",
            0.0,
            quantity="area",
            statistic="width",
            than=(f"{BINORMAL}, n={n}", PAPERS["WHB-s"]),
        )
        yield told(
            "WHB-p has the area of VA under the binormal model",
            "MP-3.8-b",
            BINORMAL,
            n,
            "WHB-p",
            0.0,
            relation="=",
            quantity="area",
            statistic="width",
            than=(f"{BINORMAL}, n={n}", PAPERS["VA normal"]),
            differs="the binormal model, which is true here, makes WHB-p's band narrower",
        )
        for quantity in ("fresh", "fresh_at_rates"):
            yield told(
                "WHB-s contains at most a tenth of fresh curves even where its assumption is true",
                "MP-5.5-j",
                BINORMAL,
                n,
                "WHB-s",
                0.1,
                quantity=quantity,
                source="ours",
            )
    yield told(
        "where scores are binormal WHB-s does not decrease as the sample grows: it contains more with "
        "25,000 cases than with 625",
        "MP-5.5-j",
        BINORMAL,
        SIZES[-1],
        "WHB-s",
        0.0,
        relation=">=",
        source="ours",
        than=(f"{BINORMAL}, n=625", PAPERS["WHB-s"]),
    )


EXPERIMENT = Experiment(
    title="Working-Hotelling bands on other learners",
    source="Macskassy & Provost 2004, sections 3.8, 5.5 and 6",
    cells=tuple(cell(name, n) for name in POPULATIONS for n in SIZES),
    figure=Dots(quantity="fresh_at_rates"),
    replications=60,
    seed=2007,
    quick=Quick(replications=60, cells=tuple(cell(BINORMAL, n, curves=10) for n in (625, 1250))),
    expected=tuple(expected()),
)
