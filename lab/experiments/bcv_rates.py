"""Convergence rates of bootstrap distributions (Bertail, Clémençon & Vayatis 2008, theorem 2, section 4).

The paper's claims, in theorem 2, remark 4 and section 4, are about K, the largest distance between the
bootstrap's distribution function of an error and the true one. It is of order n^(-1/4) for the naive
bootstrap of r_n(0.2) and n^(-2/5) for the smoothed one; for the area the naive bootstrap converges faster.
K is computed at sizes that differ by a factor of 64, and log(1/K)/log(64) is recorded as a width: the
difference between the largest size and the smallest is the power of n. Nothing is resampled: the
distributions are sums and integrals. Those of areas are replaced by normal distributions with their mean
and variance, which determine K there.

Scores are logistic, whose likelihood ratio is bounded, as the paper's hypothesis H1 requires; that of its
own simulation, a probit model, is not.

Methods of r_n(0.2): "naive"; "smoothed:power=p", bandwidth 1.06·s·n^p per class; "theorem",
1.06·s·n^(-1/5)/log(n)^2.1, as in the paper's section 3.2 (η = 0.1). With center=True errors are relative to
the kernel curve (remark 3). Methods of the area: "naive_auc" and "smoothed_auc:power=p".
"""

from typing import Any

from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule
from laws import POPULATION, SIZES, rates

METHODS = (
    "naive",
    "smoothed:power=-0.2",
    "smoothed:power=-0.25",
    "smoothed:power=-0.2,center=True",
    "smoothed:power=-0.25,center=True",
    "theorem",
    "theorem:center=True",
    "naive_auc",
    "smoothed_auc:power=-0.25",
)


def cell(n: int) -> Cell:
    """One size, half of it in either class."""
    rule = Rule(rates, methods=METHODS, confidence_level=0.95)
    return Cell(name=f"n = {n}", population=POPULATION, size=(n // 2, n // 2), rule=rule, chunk=5)


FIRST, LAST = (f"n = {n}" for n in (SIZES[0], SIZES[-1]))
BIAS = (
    "resampled curves are centred on the kernel curve, whose distance from the empirical one, of order "
    "h², is multiplied by √n: it must be subtracted (center=True), or h must be o(n^(-1/4)), which "
    "theorem 2 does not require"
)
STEEP = "the power decreases with the size: from 4,000 to 16,000 cases it is 0.43 and 0.38, each ± 0.03"
TOO_NARROW = (
    "at these sizes the printed bandwidth is smaller than the gaps between the scores, so that the "
    "distribution is that of the naive bootstrap and converges at its rate"
)
VARIANCE = (
    "that may be the order for studentized errors; the variance of the error itself is estimated with "
    "an error of order n^(-1/2), and so is the distribution"
)


def power(
    statement: str,
    says: str,
    method: str,
    value: float,
    differs: str = "",
    relation: Any = "=",
    source: Any = "paper",
) -> Expected:
    """The power of n at which K falls between the smallest and the largest size."""
    return Expected(
        says=says,
        statement=statement,
        cell=LAST,
        method=method,
        quantity="power",
        statistic="width",
        value=value,
        relation=relation,
        than=(FIRST, method),
        replications=None,
        differs=differs,
        source=source,
    )


def nearer(statement: str, says: str, method: str, other: str, differs: str = "") -> Expected:
    """At the largest size one distribution is closer to the true one than another."""
    return Expected(
        says=says,
        statement=statement,
        cell=LAST,
        method=method,
        quantity="power",
        statistic="width",
        value=0.0,
        relation=">=",
        than=(LAST, other),
        differs=differs,
    )


EXPECTED = (
    power("BCV-3-a", "Sections 3, 4: naive bootstrap of r_n(0.2), n^(-1/4)", "naive", 0.25),
    *(
        power(
            "BCV-4-d", f"Section 4: smoothed bootstrap of r_n(0.2), n^(-2/5) ({words})", method, 0.4, differs
        )
        for words, method, differs in (
            ("errors relative to the kernel curve", "smoothed:power=-0.2,center=True", STEEP),
            (
                "errors relative to the kernel curve, narrower noise",
                "smoothed:power=-0.25,center=True",
                STEEP,
            ),
            ("errors relative to the empirical curve", "smoothed:power=-0.2", BIAS),
            ("errors relative to the empirical curve, narrower noise", "smoothed:power=-0.25", BIAS),
        )
    ),
    power("BCV-T2-b", "Section 3.2: the bandwidth with logarithms, n^(-2/5)", "theorem", 0.4, TOO_NARROW),
    *(
        nearer(
            "BCV-R3-b",
            f"Remark 3: both centres are as good (power {p}, from the curve)",
            empirical,
            smooth,
            BIAS,
        )
        for p in ("-0.2", "-0.25")
        for empirical, smooth in ((f"smoothed:power={p}", f"smoothed:power={p},center=True"),)
    ),
    nearer(
        "BCV-R2-a",
        "Remark 2: n^(-1/5) is the bandwidth to choose (errors relative to the empirical curve: closer "
        "than naive)",
        "smoothed:power=-0.2",
        "naive",
        BIAS,
    ),
    nearer(
        "BCV-R2-a",
        "Remark 2: n^(-1/5) is the bandwidth to choose (errors relative to the kernel curve: closer "
        "than naive)",
        "smoothed:power=-0.2,center=True",
        "naive",
    ),
    nearer(
        "BCV-4-e",
        "Section 4: smoothing is better than no smoothing (errors relative to the kernel curve)",
        "smoothed:power=-0.25,center=True",
        "naive",
    ),
    nearer(
        "BCV-4-e",
        "Section 4: smoothing is better than no smoothing (errors relative to the empirical curve)",
        "smoothed:power=-0.25",
        "naive",
        BIAS,
    ),
    power(
        "BCV-R4-b",
        "Remark 4: naive bootstrap of the area, faster than n^(-2/5)",
        "naive_auc",
        0.4,
        relation=">=",
    ),
    power("BCV-R4-b", "Remark 4: naive bootstrap of the area, n^(-1)", "naive_auc", 1.0, VARIANCE),
    nearer(
        "BCV-R4-b",
        "Remark 4: for the area the naive bootstrap is closer than the smoothed one",
        "naive_auc",
        "smoothed_auc:power=-0.25",
    ),
)

EXPERIMENT = Experiment(
    title="Rates at which bootstrap distributions approach the true one",
    source="Bertail, Clémençon & Vayatis 2008, theorem 2, section 4, remark 4",
    cells=tuple(map(cell, SIZES)),
    figure=Dots(quantity="power"),
    replications=120,
    quick=Quick(replications=10, cells=(cell(SIZES[0]), cell(SIZES[-1]))),
    seed=2008,
    expected=EXPECTED,
)
