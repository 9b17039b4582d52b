"""Directions of drift, tails, and distances without any drift (Morin 2018, section 3).

Three remarks that the paper makes without numbers. First, for many directions of drift the area hardly
moves, and for some extremely (sections 1 and 3.1): random directions, normal heights on the ten bins of
each class on which distances are computed, at a distance of 0.01, against the extreme area within it. To
first order the ratio to the extreme move is the cosine between a random direction and the steepest one,
whose square has a Beta(1/2, 17/2) distribution in eighteen dimensions. Second, marginal changes of the
densities move the area much where only the tails overlap (section 3.3): how far it can decrease within that
distance, at areas of 0.70 and 0.95. Third, without drift the distance follows a χ² with nine degrees of
freedom (section 3.5 and Figure 6). This requires a scaling and holds for one class; `forecast_curve`
reports the distribution for both.

The definitions are ours: "hardly" is at most a third of the extreme, for three directions in four, and
"extremely" at least three quarters of it, for at most one of fifty.
"""

from typing import Any

from scipy import stats

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule, binormal_with_auc
from drifts import chance_distances, directions, falls
from words import meant

SD = 0.5**0.5
SHARES = (0.1, 1 / 3, 0.5, 0.75)
LAWS = ("positives", "negatives", "both classes", "as printed", "kl", "chi2", "jeffreys")


def cell(name: str, area: float, size: tuple[int, int], function: Any, methods: Any, at: Any = ()) -> Cell:
    """One population, one question."""
    rule = Rule(function, methods=methods, at=at, confidence_level=0.95)
    return Cell(name=name, population=binormal_with_auc(area, sd=SD), size=size, rule=rule, chunk=100)


MOVED = cell("random directions", 0.70, (100, 1000), directions, ("bins",), SHARES)
FALLS = tuple(
    cell(f"within 0.01 at {area:.2f}", area, (100, 1000), falls, ("area", "share of what is misplaced"))
    for area in (0.70, 0.95)
)
CHANCE = tuple(
    cell(f"no drift, segments of {n[0]} + {n[1]}", 0.70, (2 * n[0], 2 * n[1]), chance_distances, LAWS)
    for n in ((100, 1000), (1000, 1000))
)
SMALL, LARGE = (c.name for c in CHANCE)


def said(statement: str, says: str, cell: str, method: str, quantity: str, **more: Any) -> Expected:
    """Return a claim of the paper; without a statement, one of theory or our own."""
    given = {"replications": None, **more}
    return Expected(
        statement=statement and f"MORIN-{statement}",
        says=says,
        cell=cell,
        method=method,
        quantity=quantity,
        **given,
    )


def remarks() -> list[Expected]:
    """Return the claims of the paper and of theory."""
    moved: dict[str, Any] = {"cell": MOVED.name, "method": "bins", "quantity": "moved"}
    out = [
        said(
            "1-d",
            "most directions move it by at most a third of the extreme",
            at=1 / 3,
            value=meant("most"),
            relation=">=",
            **moved,
        ),
        said("1-d", "few by three quarters", at=0.75, value=1.0 - meant("few"), relation=">=", **moved),
    ]
    for share in SHARES:
        # Signed: half of the directions move it the other way, where the share is compared with that bound.
        law = float(stats.beta(0.5, 8.5).cdf(share**2))
        says = f"cosine of a random direction: {share:.2g} of the extreme move at most"
        out.append(said("", says, at=share, value=law, source="theory", **moved))
    low, high = (c.name for c in FALLS)
    falls: dict[str, Any] = {"quantity": "fall", "statistic": "width", "value": 0.0, "relation": ">="}
    out += [
        said(
            "3.3-b",
            "more where only the tails overlap: of the misordered pairs",
            high,
            "share of what is misplaced",
            than=(low, "share of what is misplaced"),
            **falls,
        ),
        said(
            "3.3-b",
            "more where only the tails overlap: in units of area",
            high,
            "area",
            than=(low, "area"),
            differs="the placements vary less at a high area, so that the area itself moves less",
            **falls,
        ),
    ]
    for name in (SMALL, LARGE):
        for method in ("positives", "negatives"):
            n = {"positives": "n+", "negatives": "n-"}[method]
            says = f"chi-square with 9 df, 2·{n}·distance/(1 - 1/2) of the {method}: {name}"
            out.append(said("3.5-c", says, name, method, "below", value=0.95))
        says = f"chi-square with 9 df, the distance itself: {name}"
        unscaled = "a distance without 2n/(1 - 1/S) is not chi-square: it decreases as samples grow"
        out.append(said("3.5-c", says, name, "as printed", "below", value=0.95, differs=unscaled))
        for method in ("kl", "chi2", "jeffreys"):
            says = f"95 % of new samples are within the limit of forecast_curve, {method}: {name}"
            out.append(said("", says, name, method, "below", value=0.95, source="ours"))
    # Of equal sizes the sum has twice the degrees of freedom at half the weight.
    law = float(stats.chi2(18).cdf(2.0 * stats.chi2(9).ppf(0.95)))
    says = f"the sum of both classes, scaled by one factor, is not chi-square with 9 df: {LARGE}"
    out.append(said("", says, LARGE, "both classes", "below", value=law, source="theory"))
    return out


EXPERIMENT = Experiment(
    title="Directions of drift, tails, and distances without drift",
    source="Morin 2018, sections 1, 3.1, 3.3, 3.5 and the caption of Figure 6",
    cells=(MOVED, *FALLS, *CHANCE),
    figure=Dots(quantity="below"),
    quick=Quick(replications=100, cells=(MOVED, *FALLS, CHANCE[0])),
    seed=35,
    expected=tuple(remarks()),
)
