"""Bands compared with fresh empirical curves on Covertype (Macskassy & Provost 2004).

Macskassy & Provost 2004, section 5, Tables 2 and 3, Figure 5: an unpruned tree with Laplace-corrected
leaves grown on 1,000 cases; samples of 625 to 25,000 cases from 125,000; 1,000 fitting curves; ten bands
per method, each compared with 1,000 verification curves, 95 %. The paper's tree is C4.5, ours makes binary
splits by entropy. The paper draws cases of both classes together; here they are drawn by class, in the
population's proportions, and both ways in one cell.

Every number of the tables is compared in four readings. Verification curves come from the population
("fresh"), as in step 5(c) of the paper, or from the sample of the band itself ("fresh_of_sample"). They are
evaluated whole, or at the paper's 100 false positive rates ("..._at_rates").

The paper makes ten bands a cell; we make 20, so that their mean and spread are more precise. The spread
between the paper's own bands distinguishes the readings: 0.7 to 1.1 % for fixed width and averaging is that
of 1,000 new curves with one band; 4 to 13 % for the others is a spread between samples.
"""

import itertools
from collections.abc import Iterator

from confroc_lab import Cell, Dots, Expected, Experiment, Quick
from confroc_lab.experiment import Source
from drawings import BandLine, BandSketch
from fresh_curves import FreshCurves
from learners import TreeOnCovertype
from words import meant

PAPERS = {
    "FWB": "fixed_width:slope=published",
    "SJR": "ks_regions:joint=False",
    "WHB-p": "working_hotelling_pointwise",
    "WHB-s": "working_hotelling",
    "VA empirical": "vertical_averaging:distribution=empirical",
    "VA normal": "vertical_averaging:distribution=normal",
    "VA binomial": "vertical_averaging:distribution=binomial,trials=curves",
    "TA empirical": "threshold_averaging:distribution=empirical",
    "TA normal": "threshold_averaging:distribution=normal",
    "TA binomial": "threshold_averaging:distribution=binomial,trials=curves",
}
JOINT = "ks_regions:joint=True"
BOX = "threshold_averaging:distribution=normal,joined=box"
HULL = "auc_hull"
CORRECTED = tuple(f"{way}_averaging:distribution=binomial" for way in ("vertical", "threshold"))
METHODS = (*PAPERS.values(), JOINT, BOX, HULL, *CORRECTED, "equal_local_levels")
POSITIVE = 283_301 / 495_141
RATES = tuple(i / 100 for i in range(100))
SIZES = (625, 1250, 6250, 12_500, 25_000)
READINGS = {
    "fresh_of_sample": "whole curves of the sample",
    "fresh_of_sample_at_rates": "curves of the sample at 100 rates",
    "fresh": "whole curves of the population",
    "fresh_at_rates": "curves of the population at 100 rates",
}
STRICT = 0.9995
"""Bonferroni's level for 100 points at 95 % together."""


def classes(n: int) -> tuple[int, int]:
    """Cases of either class among n."""
    n_pos = round(n * POSITIVE)
    return n_pos, n - n_pos


def cell(
    n: int,
    *,
    name: str = "",
    level: float = 0.95,
    resamples: int = 1000,
    curves: int = 1000,
    methods: tuple[str, ...] = METHODS,
    training: int = 1000,
    together: bool = False,
    places: bool = False,
) -> Cell:
    """Samples of n cases, whose bands are compared with fresh curves of the population and the sample."""
    rule = FreshCurves(
        methods=methods,
        confidence_level=level,
        n_resamples=resamples,
        curves=curves,
        source="both",
        at=RATES,
        places=places,
    )
    return Cell(
        name=name or f"n={n}",
        population=TreeOnCovertype(training=training),
        size=classes(n),
        rule=rule,
        sampling="full" if together else "stratified",
        chunk=1,
    )


FEW = tuple(PAPERS[name] for name in ("FWB", "SJR", "VA normal", "TA normal"))
TRAINING = (250, 4000, 16_000)
CELLS = (
    *(cell(n, places=n in (625, 1250, 25_000)) for n in SIZES),
    cell(300, methods=FEW),
    *(cell(12_500, name=f"n=12500, level {level}", level=level, methods=FEW) for level in (0.9, 0.99)),
    cell(
        12_500,
        name="n=12500, Bonferroni",
        level=STRICT,
        resamples=4000,
        methods=tuple(PAPERS[name] for name in ("VA empirical", "VA normal", "TA normal")),
    ),
    cell(12_500, name="n=12500, classes together", methods=FEW, together=True),
    *(cell(12_500, name=f"n=12500, tree of {m}", methods=FEW[:1], curves=100, training=m) for m in TRAINING),
)


def sketch(name: str, caption: str, lines: tuple[tuple[str, int, int], ...]) -> BandSketch:
    """Fixed-width bands, each of (label, cases, fitting curves), and pointwise bands."""
    return BandSketch(
        name=name,
        caption=caption,
        population=TreeOnCovertype(),
        panels=tuple(
            (
                title,
                tuple(
                    BandLine(label=label, method=method, size=classes(n), n_resamples=curves)
                    for label, n, curves in lines
                ),
            )
            for title, method in (
                ("fixed width", PAPERS["FWB"]),
                ("vertical averaging, normal", PAPERS["VA normal"]),
            )
        ),
        seed=5,
    )


# Table 3: FWB, SJR, WHB-p, WHB-s; means and standard deviations in per cent.
TABLE_3 = {
    625: ((56.2, 1.2), (62.4, 3.6), (54.4, 3.0), (56.2, 1.2)),
    1250: ((82.3, 28.8), (91.8, 3.0), (78.4, 28.0), (73.0, 38.6)),
    6250: ((95.7, 0.9), (96.2, 7.7), (65.5, 15.6), (99.6, 0.5)),
    12_500: ((95.6, 0.7), (97.0, 4.3), (7.6, 6.7), (86.6, 13.1)),
    25_000: ((95.1, 0.9), (96.5, 4.0), (0.0, 0.0), (35.9, 16.8)),
}
# Table 2, n = 12,500; its other rows are those of Table 3.
TABLE_2 = {
    "VA empirical": (28.5, 10.1),
    "VA normal": (34.5, 1.0),
    "VA binomial": (43.5, 1.1),
    "TA empirical": (0.2, 0.2),
    "TA normal": (0.2, 0.2),
    "TA binomial": (42.2, 1.0),
}
FOUR = ("FWB", "SJR", "WHB-p", "WHB-s")
POPULATION = (
    "fitting curves come from the sample, so that their band contains the nominal proportion of that "
    "sample's curves. It contains less of the population's, because the sample itself deviates from the "
    "population. The paper's spread between bands is small, as for the first kind"
)
WIDE = (
    "Kolmogorov's half-widths allow for the whole distance of a curve from the truth, and a sample's "
    "own curves are closer to the sample than the population's; with tied scores they are also conservative"
)
SMALL = (
    "the paper's numbers at 625 and 1,250 cases are those of curves that no method can contain, and at "
    "1,250 of one or two bands in ten that contain nothing: the register's row on n = 625 has the "
    "arithmetic. No such "
    "curves occur here"
)
BINORMAL = (
    "these bands assume a binormal curve, and our tree's is not binormal at any size; the paper's own "
    "numbers decrease as the sample grows (99.6, 86.6, 35.9 %), as expected of a misfit"
)
BETWEEN = (
    "the paper's number lies between those of the population's and the sample's curves, and both show "
    "that pointwise intervals form no band"
)
TIGHT = "in every reading hardly any curve is inside"


def reason(name: str, n: int) -> str:
    """Why some reading of a number of the tables differs."""
    if n < 6250:
        return SMALL
    if name.startswith("WHB"):
        return BINORMAL
    if name.startswith("VA") or name == "TA binomial":
        return BETWEEN
    return {"FWB": POPULATION, "SJR": WIDE}.get(name, TIGHT)


def statement(name: str, n: int) -> str:
    """Key of a number of the tables."""
    table = "tab2" if n == 12_500 else "tab3"
    words = {"empirical": "e", "normal": "n", "binomial": "b"}
    method = "-".join(words.get(word, word) for word in name.replace("WHB-", "WHB").split())
    return f"MP-{table}-{method}" if n >= 6250 else "MP-tab3-625"


def number(name: str, n: int, mean: float, sd: float) -> Iterator[Expected]:
    """One number of a table in four readings, and its spread between bands in two."""
    for quantity, words in READINGS.items():
        yield Expected(
            says=f"n = {n}: {name} contains {mean} % ({sd}) of fresh curves; {words}",
            statement=statement(name, n),
            cell=f"n={n}",
            method=PAPERS[name],
            quantity=quantity,
            value=f"{mean / 100.0:.3f}",
            spread=sd / 100.0,
            replications=10,
            differs=reason(name, n),
        )
    if n != 12_500:
        return
    for quantity in ("fresh_of_sample", "fresh"):
        yield Expected(
            says=f"n = {n}: {name} has a spread of {sd} % between bands; {READINGS[quantity]}",
            statement="MP-tab2-sd",
            cell=f"n={n}",
            method=PAPERS[name],
            quantity=quantity,
            statistic="width_sd",
            value=f"{sd / 100.0:.3f}",
            # Variance of the standard deviation of ten: one half of theirs, over nine.
            spread=sd / 100.0 * (10 / 18) ** 0.5,
            replications=10,
            differs="either the sample's or the population's curves are meant, not both; and a spread "
            "of 1 % for averaging is that of new curves for one band, less than the differences between "
            "samples",
        )


def brackets(name: str, percent: float) -> Iterator[Expected]:
    """The printed binomial variance: the paper's number lies between the two sources' numbers."""
    for quantity, words in READINGS.items():
        yield Expected(
            says=f"{name}, variance as printed, contains {'at least' if 'sample' in quantity else 'at most'} "
            f"{percent} %: {words}",
            statement=statement(name, 12_500),
            cell="n=12500",
            method=PAPERS[name],
            quantity=quantity,
            relation=">=" if "sample" in quantity else "<=",
            value=percent / 100.0,
            source="ours",
        )


def area(
    says: str,
    key: str,
    narrow: tuple[str, str],
    wide: tuple[str, str],
    differs: str = "",
    source: Source = "paper",
    by: float = 0.0,
) -> Expected:
    """One band of (cell, method) has less area than another."""
    return Expected(
        says=says,
        statement=key,
        cell=narrow[0],
        method=narrow[1],
        quantity="area",
        statistic="width",
        relation="<=",
        value=-by,
        than=wide,
        differs=differs,
        source=source,
    )


def at_most(
    says: str, key: str, cell: str, method: str, value: float, quantity: str = "fresh", **more: object
) -> Expected:
    """A share of fresh curves of at most, or with `relation` of at least or about, some value."""
    return Expected(
        says=says,
        statement=key,
        cell=cell,
        method=method,
        quantity=quantity,
        value=value,
        replications=10,
        **{"relation": "<=", **more},  # type: ignore[arg-type]
    )


def orders() -> Iterator[Expected]:
    """Which band is wider, and which contains more."""
    for n in SIZES:
        key = f"n={n}"
        fixed, joint = (key, PAPERS["FWB"]), (key, PAPERS["SJR"])
        yield area(f"{key}: SJR looser than FWB ('too loose')", "MP-abs-a", fixed, joint)
        yield area(
            f"{key}: TA narrower than VA",
            "MP-fig2-b",
            (key, PAPERS["TA normal"]),
            (key, PAPERS["VA normal"]),
            source="ours",
        )
        yield area(
            f"{key}: WHB-p tighter than WHB-s", "MP-3.8-a", (key, PAPERS["WHB-p"]), (key, PAPERS["WHB-s"])
        )
        yield area(
            f"{key}: level (1 − δ)² for both rates, tested as 1 − δ, is tighter",
            "MP-2-e",
            joint,
            (key, JOINT),
        )
        yield at_most(
            f"{key}: with 1 − δ for both rates together SJR is too loose",
            "MP-2-e",
            key,
            JOINT,
            0.95,
            relation=">=",
        )
        for quantity in ("fresh", "fresh_of_sample"):
            yield Expected(
                says=f"{key}: TA with both intervals joined as boxes contains more; {READINGS[quantity]}",
                statement="MP-fig2",
                cell=key,
                method=BOX,
                quantity=quantity,
                relation=">=",
                value=0.1,
                than=(key, PAPERS["TA normal"]),
            )
            for name in ("TA empirical", "TA normal"):
                yield at_most(
                    f"{key}: {name} contains less than 10 %; {READINGS[quantity]}",
                    "MP-5.5-g",
                    key,
                    PAPERS[name],
                    0.1,
                    quantity,
                )
            for name in ("VA empirical", "VA normal"):
                for value, relation in ((0.4, "<="), (0.1, ">=")):
                    yield at_most(
                        f"{key}: {name} contains 10 to 40 %; {READINGS[quantity]}",
                        "MP-5.5-g",
                        key,
                        PAPERS[name],
                        value,
                        quantity,
                        relation=relation,
                        differs=BETWEEN,
                    )
            yield at_most(
                f"{key}: the hull of the middle areas contains 95 % of them; {READINGS[quantity]}",
                "MP-6-f",
                key,
                HULL,
                0.95,
                quantity,
                relation="=",
                source="ours",
                differs="a curve with a central area may still cross others: the area does not "
                "determine its shape",
            )
            yield at_most(
                f"{key}: the hull of the middle areas contains more than averaging; {READINGS[quantity]}",
                "MP-6-f",
                key,
                HULL,
                0.1,
                quantity,
                relation=">=",
                than=(key, PAPERS["VA normal"]),
                source="ours",
            )
    for small, large in itertools.pairwise(SIZES):
        for name, method in PAPERS.items():
            yield area(
                f"{name} narrower with {large} cases than with {small}",
                "MP-5.4.2-a",
                (f"n={large}", method),
                (f"n={small}", method),
                "as printed, the binomial variance is divided by the number of curves: more cases do not "
                "make it smaller"
                if name.endswith("binomial")
                else "",
                by=meant("narrower"),
            )


def sizes() -> Iterator[Expected]:
    """What the paper states about few and of many cases."""
    key, fixed, joint = "n=12500", PAPERS["FWB"], PAPERS["SJR"]
    for quantity, name in (("fresh_of_sample", "FWB"), ("fresh", "SJR")):
        yield at_most(
            f"{name} reaches 95 %, as only it and one other do; {READINGS[quantity]}",
            "MP-5.5-a",
            key,
            PAPERS[name],
            0.95,
            quantity,
            relation=">=",
            differs=reason(name, 12_500),
        )
        yield at_most(
            f"{name} is near its nominal level; {READINGS[quantity]}",
            "MP-1-a",
            key,
            PAPERS[name],
            0.95,
            quantity,
            relation="=",
            differs=reason(name, 12_500),
        )
    for name in (
        "WHB-p",
        "VA empirical",
        "VA normal",
        "VA binomial",
        "TA empirical",
        "TA normal",
        "TA binomial",
    ):
        for quantity in ("fresh", "fresh_of_sample"):
            keys = ("MP-5.5-a", "MP-abs-a", "MP-6-a") if quantity == "fresh" else ("MP-5.5-a",)
            for told in keys:
                yield at_most(
                    f"{name} is not near the bound; {READINGS[quantity]}",
                    told,
                    key,
                    PAPERS[name],
                    meant("far from"),
                    quantity,
                )
    yield at_most(
        "WHB-s gets close to the bound, 86.6 %",
        "MP-5.5-a",
        key,
        PAPERS["WHB-s"],
        meant("far from"),
        relation=">=",
        differs=BINORMAL,
    )
    for name in ("VA empirical", "VA normal"):
        yield Expected(
            says=f"{name} contains more than TA with the same distribution",
            statement="MP-5.5-a",
            cell=key,
            method=PAPERS[name],
            quantity="fresh_of_sample",
            relation=">=",
            value=0.0,
            than=(key, PAPERS[name.replace("VA", "TA")]),
        )
    for name in FOUR:
        quantity = "fresh_of_sample" if name == "FWB" else "fresh"
        yield at_most(
            f"n = 625: {name} performs as badly as the others; {READINGS[quantity]}",
            "MP-5.5-h",
            "n=625",
            PAPERS[name],
            meant("equally badly"),
            quantity,
            differs=SMALL,
        )
        yield at_most(
            f"n = 625: {name} contains below 50 %; {READINGS[quantity]}",
            "MP-6-c",
            "n=625",
            PAPERS[name],
            0.5,
            quantity,
            differs=SMALL + "; and Table 3 has 54.4 to 62.4 %",
        )
    yield Expected(
        says="FWB contains less of 300 cases' curves than of 625's",
        statement="MP-5.5-h",
        cell="n=300",
        method=fixed,
        quantity="fresh_of_sample",
        relation="<=",
        value=-meant("much"),
        than=("n=625", fixed),
        differs=SMALL,
    )
    for n in SIZES[1:]:
        for quantity in ("fresh", "fresh_of_sample"):
            yield at_most(
                f"n = {n}: SJR contains more than 89 %; {READINGS[quantity]}",
                "MP-5.5-i",
                f"n={n}",
                joint,
                0.89,
                quantity,
                relation=">=",
            )
    for quantity in ("fresh", "fresh_of_sample"):
        yield Expected(
            says=f"SJR varies more between bands than FWB; {READINGS[quantity]}",
            statement="MP-5.5-i",
            cell=key,
            method=joint,
            quantity=quantity,
            statistic="width_sd",
            relation=">=",
            value=0.0,
            than=(key, fixed),
            differs="of one kind of curves SJR contains nearly all, so that little variation remains; in "
            "the paper FWB has the spread of the sample's curves and SJR that of the population's",
        )
    few, many = "n=625", "n=25000"
    yield Expected(
        says="the width of FWB is less certain with few cases",
        statement="MP-5.4.2-b",
        cell=few,
        method=fixed,
        quantity="area",
        statistic="width_sd",
        relation=">=",
        value=0.0,
        than=(many, fixed),
    )
    yield Expected(
        says="too wide with few cases: FWB's area times the root of n is larger at 625 than at 25,000",
        statement="MP-5.4.2-b",
        cell=few,
        method=fixed,
        quantity="area_scaled",
        statistic="width",
        relation=">=",
        value=meant("too wide"),
        than=(many, fixed),
        differs="area times the root of n is the same with few cases and with many",
    )
    for m, fewer in ((16_000, 250), (4000, 250)):
        yield Expected(
            says=f"the tree of {m} cases has a band of a different width than that of {fewer}",
            statement="MP-5.4.1-a",
            cell=f"n=12500, tree of {m}",
            method=fixed,
            quantity="area",
            statistic="width",
            relation="<=",
            value=0.0,
            than=(f"n=12500, tree of {fewer}", fixed),
        )


def options() -> Iterator[Expected]:
    """Other levels, Bonferroni's, both classes together, and where curves leave the band."""
    for level in (0.9, 0.99):
        key = f"n=12500, level {level}"
        for name, quantity, value, more in (
            ("FWB", "fresh_of_sample", level, {"relation": "="}),
            ("SJR", "fresh", level, {"relation": ">="}),
            ("VA normal", "fresh_of_sample", level - 0.2, {}),
            ("TA normal", "fresh_of_sample", level - 0.2, {}),
        ):
            yield at_most(
                f"level {level}: {name} as at 95 %; {READINGS[quantity]}",
                "MP-3.3-a",
                key,
                PAPERS[name],
                value,
                quantity,
                **more,
            )
    strict = "n=12500, Bonferroni"
    for name in ("VA empirical", "VA normal"):
        yield at_most(
            f"{name} with δ = .0005 is overly conservative: it contains 97 % or more",
            "MP-5.5-b",
            strict,
            PAPERS[name],
            meant("overconservative"),
            "fresh_of_sample",
            relation=">=",
            differs="between its 100 rates, next to steep steps, joined intervals miss curves at any level",
        )
        yield at_most(
            f"{name} with δ = .0005, evaluated at its 100 rates: 97 % or more",
            "MP-5.5-b",
            strict,
            PAPERS[name],
            meant("overconservative"),
            "fresh_of_sample_at_rates",
            relation=">=",
        )
        yield Expected(
            says=f"{name} with δ = .0005 has less area than FWB at 95 %",
            statement="MP-5.5-b",
            cell=strict,
            method=PAPERS[name],
            quantity="area",
            statistic="width",
            relation="<=",
            value=0.0,
            than=("n=12500", PAPERS["FWB"]),
            source="ours",
        )
    for method, quantity in (
        (PAPERS["FWB"], "fresh_of_sample"),
        (PAPERS["SJR"], "fresh"),
        (PAPERS["VA normal"], "fresh"),
    ):
        yield Expected(
            says=f"drawn together or separately, {method.partition(':')[0]}: no difference; "
            f"{READINGS[quantity]}",
            statement="MP-5.3-a",
            cell="n=12500, classes together",
            method=method,
            quantity=quantity,
            value=0.0,
            than=("n=12500", method),
            source="ours",
        )
    for n in (625, 1250):
        yield Expected(
            says=f"n = {n}: at no false positive rate do more than 5 % of all curves leave FWB first",
            statement="MP-tab3-625",
            cell=f"n={n}",
            method=PAPERS["FWB"],
            quantity="fresh_of_sample_escapes",
            statistic="max",
            relation="<=",
            value=0.05,
            source="ours",
        )


EXPERIMENT = Experiment(
    title="Bands compared with fresh empirical curves",
    source="Macskassy & Provost 2004, Tables 2 and 3",
    cells=CELLS,
    figure=Dots(quantity="fresh_of_sample"),
    drawings=(
        sketch(
            "sizes",
            "Figure 5 of the paper: bands narrow as the sample grows.",
            tuple((f"n = {n:,}", n, 1000) for n in (625, 6250, 25_000)),
        ),
        BandSketch(
            name="methods",
            caption="Figures 1 to 4 of the paper: how each method computes a band of one sample's curve.",
            population=TreeOnCovertype(),
            panels=tuple(
                (title, (BandLine(label="band", method=PAPERS[name], size=classes(1000)),))
                for title, name in (
                    ("Figure 1: vertical averaging", "VA normal"),
                    ("Figure 2: threshold averaging", "TA normal"),
                    ("Figure 3: joint regions", "SJR"),
                    ("Figure 4: fixed width", "FWB"),
                )
            ),
            seed=5,
        ),
    ),
    replications=20,
    seed=2004,
    quick=Quick(
        replications=20,
        cells=(
            cell(
                6250,
                resamples=200,
                curves=50,
                methods=tuple(PAPERS[name] for name in ("SJR", "FWB", "VA binomial", "TA normal")),
            ),
        ),
    ),
    expected=(
        *(
            one
            for n, row in TABLE_3.items()
            for name, numbers in zip(FOUR, row, strict=True)
            for one in number(name, n, *numbers)
        ),
        *(one for name, numbers in TABLE_2.items() for one in number(name, 12_500, *numbers)),
        *brackets("VA binomial", 43.5),
        *brackets("TA binomial", 42.2),
        *orders(),
        *sizes(),
        *options(),
    ),
)
