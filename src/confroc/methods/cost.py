"""The methods of costs and net benefits."""

from __future__ import annotations

from collections.abc import Iterable

from confroc.methods.register import Method, function

RESAMPLING = ("n_resamples", "rng", "n_jobs")

NEWCOMBE = Method(
    "newcombe",
    "Score intervals carried through the cost",
    "Wilson's limits of the two error rates, squared, weighted by what the errors cost, and added. It leaves "
    "room for errors that were never seen, near w = 0 and 1 and beyond the observed scores.",
    papers=("newcombe1998", "zou2008", "wilson1927"),
)
AGRESTI_COULL = Method(
    "agresti_coull",
    "Normal law after adding pseudo-cases",
    "A normal law fitted after adding two errors and two correct cases to each class.",
    options=("size",),
    caution="Covers a little less than its level in the middle with few cases, where both rates are drawn "
    "towards one half.",
    papers=("agresti1998", "dugas2009cost"),
)
AGRESTI_MIN = Method(
    "agresti_min",
    "Normal law after adding pseudo-cases",
    "A normal law fitted after adding ½ to each of the four cells of each class's table of both models' "
    "calls; for two test sets, one error and one correct case to each class.",
    options=("size",),
    papers=("agresti2005", "agresti2000", "dugas2009cost"),
)
WALD = Method(
    "wald",
    "Normal law fitted to the bootstrap law",
    "A normal law with the bootstrap law's own mean and variance.",
    options=("size",),
    caution="Has no width, and so no coverage, where no error is observed.",
    papers=("dugas2009cost",),
)
BOOTSTRAP = Method(
    "bootstrap",
    "Percentiles of resamples",
    "Percentiles of the costs of resampled cases, thresholds held fixed.",
    "bootstrap",
    options=("size", *RESAMPLING),
    caution="Has no width, and so no coverage, where no error is observed.",
    papers=("dugas2009cost",),
)
EXACT_BOOTSTRAP = Method(
    "exact_bootstrap",
    "Percentiles of the exact bootstrap law",
    "The percentiles that infinitely many resamples would have, without resampling.",
    "bootstrap",
    options=("size",),
    caution="Has no width, and so no coverage, where no error is observed.",
    papers=("dugas2009cost",),
)
_ONE = (NEWCOMBE, AGRESTI_COULL, WALD, BOOTSTRAP, EXACT_BOOTSTRAP)
_TWO = (AGRESTI_MIN, WALD, BOOTSTRAP, EXACT_BOOTSTRAP)


def _adapted(rows: Iterable[Method], *papers: str, without: tuple[str, ...] = ("size",)) -> list[Method]:
    """The rows for a function with fewer options, or for which others take them too, with more papers."""
    return [
        row._replace(options=tuple(o for o in row.options if o not in without), papers=(*papers, *row.papers))
        for row in rows
    ]


def _band(summary: str) -> Method:
    return Method(
        "studentized_bootstrap",
        "Studentized bootstrap",
        summary,
        "bootstrap",
        "simultaneous",
        RESAMPLING,
        "Covers some points less than its level with fewer than 50 cases in a class.",
        ("dugas2009cost", "drummond2006"),
    )


COST_CURVE = function("cost_curve", "Cost curve", _ONE)
COST_DIFFERENCE = function("cost_difference", "Difference of two cost curves", _TWO)
COST_BAND = function(
    "cost_band",
    "Band around the cost curve",
    [
        _band(
            "At each weight the cost plus and minus one multiple of its standard error, after adding two "
            "errors and two correct cases to each class. The multiple is chosen so that the band would "
            "contain all costs together in the stated share of resamples, the choice of thresholds included."
        )
    ],
)
COST_DIFFERENCE_BAND = function(
    "cost_difference_band",
    "Band around the difference of two cost curves",
    [
        _band(
            "At each weight the difference plus and minus one multiple of its standard error, after adding "
            "1½ to each cell of each class's table of both models' calls. The multiple is chosen so that "
            "the band would contain all differences together in the stated share of resamples, the choice "
            "of thresholds included."
        )
    ],
)
EXPECTED_COST = function("expected_cost", "Cost per case", _adapted(_ONE, without=("size", *RESAMPLING)))
EXPECTED_COST_DIFFERENCE = function(
    "expected_cost_difference", "Difference of two costs per case", _adapted(_TWO)
)
NET_BENEFIT = function("net_benefit", "Net benefit", _adapted(_ONE, "vickers2006"))
NET_BENEFIT_DIFFERENCE = function(
    "net_benefit_difference", "Difference of two net benefits", _adapted(_TWO, "vickers2006")
)

COST_FUNCTIONS = (
    COST_CURVE,
    COST_DIFFERENCE,
    COST_BAND,
    COST_DIFFERENCE_BAND,
    EXPECTED_COST,
    EXPECTED_COST_DIFFERENCE,
    NET_BENEFIT,
    NET_BENEFIT_DIFFERENCE,
)
