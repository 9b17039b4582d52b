"""Many models with equal areas: familywise error rate.

Two to ten models, or groups, whose areas are all equal. A coverage is the proportion of samples in which a
statement of `auc_comparison` is true, one minus the error. "no false difference" is one minus the
familywise error of all pairs at level .05, "joint test" one minus the size of the test of all areas. "all
areas" and "all differences" are the coverage of the simultaneous intervals. "best" is the proportion in
which the first model, which is as good as any, is in the set that may be best. Places are the areas .7, .8,
.9 and .98. With `adjust=none` each pair is tested separately.

The maximum of all statistics is distributed like that of correlated normal variables where each statistic
is normal. This fails for few misranked cases: with 20 cases a class, or areas near 1, a score interval at
95 % is conservative, and more so at the 99.9 % that ten models require. The familywise error is then far
below .05, towards zero where the smaller class has fewer than about ten misranked cases, min(n_pos,
n_neg)(1 - AUC). `familywise_methods.py` compares better methods there.
"""

from confroc_lab import Cell, Expected, Experiment, NormalModels, Panels, Quick, Rule

LEVEL = 0.95
AREAS = (0.7, 0.8, 0.9, 0.98)
SIZES = ((20, 20), (50, 50), (25, 500), (500, 500))
MODELS = (2, 4, 6, 10)
CORRELATIONS = (0.3, 0.6, 0.95)
MAX_T, ALONE = "score_delong", "score_delong:adjust=none"
PAIRS, JOINT = "no false difference", "joint test"


def cell(k, size, correlation, at=AREAS, methods=(MAX_T, ALONE), *, groups=False):
    """One cell of models that all have the area of the place."""
    noun = "groups" if groups else f"models, correlation {correlation:g}"
    name = f"{k} {noun}, {size[0]} + {size[1]}"
    population = NormalModels((0.5,) * k, correlation, groups)
    rule = Rule("auc_comparison", methods=methods, confidence_level=LEVEL, at=at)
    return Cell(name=name, population=population, size=size, rule=rule, chunk=25 if sum(size) > 600 else 100)


GRID = tuple(cell(k, size, rho) for size in SIZES for k in MODELS for rho in CORRELATIONS)
GROUPS = tuple(cell(k, size, 0.0, groups=True) for size in SIZES[:3] for k in (2, 4, 10))
NAIVE = tuple(
    cell(k, (150, 150), 0.6, at=(0.8,), methods=(MAX_T, ALONE, "delong", "delong:adjust=none"))
    for k in (4, 6, 10)
)
SHORT = cell(10, (50, 50), 0.6, at=(0.8,))


def at_most(cell: Cell, quantity: str, error: float, says: str) -> Expected:
    """A statement is wrong at most that often, whatever the area."""
    return Expected(
        says=f"{says}: {cell.name}",
        source="ours",
        cell=cell.name,
        method=MAX_T,
        quantity=quantity,
        statistic="min",
        value=f"{1.0 - error:.2f}",
        relation=">=",
    )


def highest(cell: Cell) -> float:
    """The familywise error that is known: a little higher for many models and few cases in a class."""
    return 0.07 if cell.size == (25, 500) and len(cell.population.areas) >= 6 else 0.055


def bounds(cell: Cell):
    """Return the guarantee of every cell."""
    return (
        at_most(cell, PAIRS, highest(cell), f"familywise error at most {highest(cell):g}"),
        at_most(cell, JOINT, 0.06, "size of the joint test at most .06"),
        at_most(cell, "best", 0.06, "the set that may be best excludes the best in at most 6 %"),
        at_most(cell, "all areas", 0.065, "simultaneous intervals of the areas miss in at most 6.5 %"),
    )


def attains(cell: Cell, at: float) -> Expected:
    """The familywise error is at least .035."""
    return Expected(
        says=f"familywise error at least .035 at area {at:g}: {cell.name}",
        source="ours",
        cell=cell.name,
        method=MAX_T,
        quantity=PAIRS,
        at=at,
        value=1.0 - 0.035,
        relation="<=",
    )


def naive(k: int, error: float) -> Expected:
    """Without adjustment."""
    return Expected(
        says=f"unadjusted DeLong tests find some difference of {k} equal models in {error:.0%} of samples",
        source="ours",
        cell=f"{k} models, correlation 0.6, 150 + 150",
        method="delong:adjust=none",
        quantity=PAIRS,
        value=f"{1.0 - error:.2f}",
    )


EXPERIMENT = Experiment(
    title="Familywise error of comparisons of many models",
    source="this project",
    cells=GRID + GROUPS + NAIVE,
    figure=Panels(
        panels=tuple(
            (
                f"{size[0]} + {size[1]}, correlation {rho:g}: {', '.join(map(str, MODELS))} models",
                tuple(cell(k, size, rho).name for k in MODELS),
            )
            for size in SIZES
            for rho in CORRELATIONS
        ),
        columns=3,
        quantity=PAIRS,
        x="area of all models",
        styles=((MAX_T, "largest statistic", "-"), (ALONE, "each pair alone", ":")),
        ylim=(0.3, 1.0),
    ),
    quick=Quick(replications=1000, cells=(SHORT,)),
    seed=352,
    expected=(
        *(statement for cell in (*GRID, *GROUPS, *NAIVE) for statement in bounds(cell)),
        *(attains(cell, at) for cell in GRID if cell.size == (500, 500) for at in (0.7, 0.8)),
        *(naive(k, error) for k, error in ((4, 0.21), (6, 0.35), (10, 0.63))),
    ),
)
