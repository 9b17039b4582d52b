"""The smoothed bootstrap with variations: resamples, bandwidth, centre, areas, studentizing (Bertail et al.).

The probit design of Bertail, Clémençon & Vayatis's Table 1 with variations, at 95 %: the number of resamples
(remark 1), bandwidths and the uniform kernel (remark 2, theorem 2), errors from the smooth curve (remark 3),
weights of the classes as step 2 prints them, areas (remark 4), and studentized intervals (section 4).
Quantities are those of `bcv_table1_probit`.
"""

from bcv_table1_probit import POPULATION
from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from partial_areas import partial_areas
from readings import readings

SIZE = (500, 500)
PLANS = (
    "",
    "noise=curve",
    "noise=curve,kernel=uniform",
    "noise=curve,center=smoothed",
    "noise=curve,sampling=stratified",
    "noise=curve,sampling=swapped",
)
SOME = ("", "noise=curve", "noise=curve,center=smoothed")
AREAS = (
    "bootstrap",
    "smoothed_bootstrap",
    "smoothed_bootstrap:tails=percentile",
    "smoothed_bootstrap:center=smoothed,tails=percentile",
)
POINTS = (
    "wald",
    "agresti_coull",
    "naive_studentized_bootstrap",
    "smoothed_studentized_bootstrap",
    "smoothed_studentized_bootstrap:tails=basic,center=smoothed",
    "smoothed_bootstrap:tails=basic,center=smoothed",
)


def methods(plans: tuple[str, ...]) -> tuple[str, ...]:
    """Balls and symmetric intervals of every plan."""
    heads = ("ball:metric=sup", "ball:metric=db", "point:tails=symmetric", "point:tails=basic")
    return tuple(f"{head}{',' + plan if plan else ''}" for plan in plans for head in heads)


def balls_cell(name: str, n: int, resamples: int, plans: tuple[str, ...]) -> Cell:
    """Balls and intervals at 0.2 of n cases."""
    rule = Rule(readings, methods=methods(plans), at=(0.2,), confidence_level=0.95, n_resamples=resamples)
    return Cell(name=name, population=POPULATION, size=(n // 2, n // 2), sampling="full", rule=rule, chunk=20)


def cells(resamples: int) -> tuple[Cell, ...]:
    """All variations."""
    areas, points = (
        Rule(function, methods=names, at=at, confidence_level=0.95, n_resamples=min(resamples, 199))
        for function, names, at in ((partial_areas, AREAS, ()), ("tpr_at_fpr", POINTS, (0.2,)))
    )
    return (
        balls_cell("n = 1000", 1000, resamples, PLANS),
        balls_cell("n = 250", 250, resamples, SOME),
        balls_cell("199 resamples", 1000, min(resamples, 199), SOME[:2]),
        *(
            Cell(name=name, population=POPULATION, size=SIZE, sampling="full", rule=rule, chunk=20)
            for name, rule in (("areas", areas), ("points", points))
        ),
    )


N = "n = 1000"


def alike(
    statement: str,
    says: str,
    method: str,
    other: tuple[str, str],
    quantity: str,
    *,
    cell: str = N,
    differs: str = "",
) -> Expected:
    """Return the claim that coverages are equal."""
    return Expected(
        says=says,
        statement=statement,
        cell=cell,
        method=method,
        quantity=quantity,
        value=0.0,
        than=other,
        replications=None,
        differs=differs,
    )


def on_target(statement: str, says: str, cell: str, method: str, quantity: str) -> Expected:
    """Coverage of 95 %."""
    return Expected(
        says=says,
        statement=statement,
        cell=cell,
        method=method,
        quantity=quantity,
        value=0.95,
        replications=None,
    )


DB, SUP, POINT = "ball:metric=db", "ball:metric=sup", "point:tails=symmetric"
CURVE = ",noise=curve"
EXPECTED = (
    *(
        alike(
            "BCV-R1-a",
            f"Remark 1: 199 resamples do as well as 499 ({head}{plan})",
            name,
            (N, name),
            quantity,
            cell="199 resamples",
        )
        for head, quantity in ((DB, "curve"), (POINT, "tpr"))
        for plan in ("", CURVE)
        for name in (f"{head}{plan}",)
    ),
    *(
        alike(
            "BCV-T2-c",
            f"Section 3.2: any such kernel will do: uniform and Gaussian ({head})",
            f"{head}{CURVE},kernel=uniform",
            (N, f"{head}{CURVE}"),
            quantity,
        )
        for head, quantity in ((DB, "curve"), (SUP, "curve"), (POINT, "tpr"))
    ),
    *(
        alike(
            "BCV-R3-a",
            f"Remark 3: both centers have equal coverage, {cell} ({head}, {quantity})",
            f"{head}{CURVE},center=smoothed",
            (cell, f"{head}{CURVE}"),
            quantity,
            cell=cell,
            differs="the distance between the two centres is in the errors from the empirical curve alone",
        )
        for cell in (N, "n = 250")
        for head, quantity in (
            (DB, "distance"),
            (DB, "curve"),
            (SUP, "distance"),
            (SUP, "curve"),
            (POINT, "tpr"),
            ("point:tails=basic", "tpr"),
        )
    ),
    *(
        on_target(
            "BCV-R4-a", f"Remark 4: {what} by the smoothed bootstrap ({method})", "areas", method, quantity
        )
        for what, quantity in (("the area", "auc"), ("the area up to 0.2", "part"))
        for method in AREAS
    ),
    *(
        Expected(
            says=f"Section 4: studentized intervals are nearer their level than the Gaussian ones ({method})",
            statement="BCV-4-a",
            cell="points",
            method=method,
            quantity="tpr",
            statistic="distance",
            value=0.0,
            relation="<=",
            than=("points", "wald"),
        )
        for method in (
            "smoothed_studentized_bootstrap",
            "smoothed_studentized_bootstrap:tails=basic,center=smoothed",
        )
    ),
    Expected(
        says="Step 2 as printed: with the classes' weights exchanged the sup ball has a smaller radius",
        source="ours",
        cell=N,
        method=f"{SUP}{CURVE},sampling=swapped",
        quantity="distance",
        statistic="width",
        value=-0.01,
        relation="<=",
        than=(N, f"{SUP}{CURVE}"),
    ),
    *(
        Expected(
            says=f"Drawing pairs or each class by itself makes no difference ({head})",
            source="ours",
            cell=N,
            method=f"{head}{CURVE},sampling=stratified",
            quantity=quantity,
            value=0.0,
            than=(N, f"{head}{CURVE}"),
        )
        for head, quantity in ((DB, "curve"), (POINT, "tpr"))
    ),
)

EXPERIMENT = Experiment(
    title="The remarks on the smoothed bootstrap",
    source="Bertail, Clémençon & Vayatis 2008, remarks 1 to 4, section 4",
    cells=cells(499),
    figure=Dots(quantity="distance"),
    quick=Quick(replications=40, cells=cells(79)),
    seed=2008,
    expected=EXPECTED,
)
