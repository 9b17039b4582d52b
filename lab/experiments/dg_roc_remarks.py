"""Remarks of the paper on ROC curves without numbers (Dugas & Gadoury 2009, ROC, sections 1 and 2).

Section 1: too narrow intervals find differences that do not exist, too wide ones miss those that do; more
resamples make intervals less noisy. Section 2.5: kernel estimates of the curve have a smaller squared error
than the empirical curve. Section 2.6: when Wald's intervals have zero width, and Clopper & Pearson's are
too wide. Populations are the paper's binormal ones.
"""

from functools import partial

import exact_coverage as exact
from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule, binormal
from designs import of_pairs
from remarks import squared_errors, tests_of_equality

ONE = binormal(1.5, -1.5, 3.75, 3.0)
FAR = binormal(3.0, -3.0, 3.75, 3.0)
FPRS = (0.05, 0.2, 0.5, 0.8)
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)

CURVES = tuple(
    Cell(
        name=f"curve, n={n}",
        population=ONE,
        size=(n, n),
        rule=Rule(squared_errors, methods=("empirical", "kernel"), at=FPRS),
        chunk=50,
    )
    for n in (25, 250)
)
TESTS = of_pairs(
    Rule(tests_of_equality, methods=("agresti_min", "wald"), confidence_level=0.9, at=(0.1, 0.3, 0.5)),
    25,
    3.75,
    (("equal models", 1.0, 0.0, 0.6), ("second better", 1.0, 2.0, 0.6)),
)
NOISE = tuple(
    Cell(
        name=f"{n_resamples} resamples",
        population=ONE,
        size=(100, 100),
        rule=Rule(
            "rates_at_threshold",
            methods=("bootstrap", "exact_bootstrap"),
            confidence_level=0.9,
            at=(0.5,),
            n_resamples=n_resamples,
        ),
        chunk=100,
    )
    for n_resamples in (100, 1000)
)
WIDTHS = tuple(
    Cell(
        name=f"widths, n={n}",
        population=FAR,
        size=(n, n),
        rule=Rule(
            "rates_at_threshold",
            methods=("wald", "agresti_coull", "wilson", "clopper_pearson"),
            confidence_level=0.9,
            at=(0.02, *SHARES),
        ),
        chunk=100,
    )
    for n in (25, 250)
)
CELLS = CURVES + TESTS + NOISE + WIDTHS
said = partial(Expected)


def without(rate: float, n: int) -> float:
    """Probability that all or none of n negatives score as high as the threshold with this rate."""
    model = exact.by_distance(3.0)
    fpr, _ = model.rates(model.threshold(rate))
    return (1.0 - fpr) ** n + fpr**n


EXPERIMENT = Experiment(
    title="Remarks in passing: errors, noise, widths",
    source="Dugas & Gadoury 2009 (ROC curves), sections 1 and 2",
    cells=CELLS,
    figure=Dots(quantity="fpr"),
    replications=10_000,
    quick=Quick(replications=300, cells=CURVES[:1] + TESTS + NOISE[:1] + WIDTHS),
    expected=(
        *(
            said(
                says="section 2.5, of others: the smoothed curve has a smaller mean squared error than the "
                f"empirical one (FPR {at}, n = {n})",
                statement="DGROC-2.5-a",
                cell=f"curve, n={n}",
                method="kernel",
                quantity="error",
                statistic="width",
                at=at,
                than=(f"curve, n={n}", "empirical"),
                value=0.0,
                relation="<=",
            )
            for n in (25, 250)
            for at in FPRS
        ),
        *(
            said(
                says="section 1: narrower intervals show differences more often where none exist (Wald "
                "against "
                f"Agresti-Min, share {at})",
                statement="DGROC-1-a",
                cell="equal models",
                method="wald",
                quantity="no difference",
                at=at,
                than=("equal models", "agresti_min"),
                value=0.0,
                relation="<=",
            )
            for at in (0.1, 0.3, 0.5)
        ),
        *(
            said(
                says="section 1: wider intervals miss differences more often (Agresti-Min against Wald, "
                "share "
                f"{at})",
                statement="DGROC-1-a",
                cell="second better",
                method="agresti_min",
                quantity="no difference",
                at=at,
                than=("second better", "wald"),
                value=0.0,
                relation=">=",
            )
            for at in (0.1, 0.3, 0.5)
        ),
        said(
            says="section 1: intervals of more resamples are less noisy (standard deviation of the width)",
            statement="DGROC-1-b",
            cell="1000 resamples",
            method="bootstrap",
            quantity="tpr",
            statistic="width_sd",
            than=("100 resamples", "bootstrap"),
            value=0.0,
            relation="<=",
        ),
        said(
            says="section 1: those of infinitely many are the least noisy",
            statement="DGROC-1-b",
            cell="100 resamples",
            method="exact_bootstrap",
            quantity="tpr",
            statistic="width_sd",
            than=("100 resamples", "bootstrap"),
            value=0.0,
            relation="<=",
        ),
        said(
            says="section 2.6: Wald's intervals have zero width more often the smaller the sample",
            statement="DGROC-2.6-a",
            cell="widths, n=25",
            method="wald",
            quantity="fpr",
            statistic="points",
            at=0.02,
            than=("widths, n=250", "wald"),
            value=0.0,
            relation=">=",
        ),
        said(
            says="section 2.6: and more often the closer the rate is to 0",
            statement="DGROC-2.6-a",
            cell="widths, n=250",
            method="wald",
            quantity="fpr",
            statistic="points",
            at=0.02,
            than=("widths, n=250", "wald", 0.3),
            value=0.5,
            relation=">=",
        ),
        *(
            said(
                says=f"Wald's have zero width if all or no negatives reach the threshold (rate {at}, n "
                f"= {n})",
                source="theory",
                cell=f"widths, n={n}",
                method="wald",
                quantity="fpr",
                statistic="points",
                at=at,
                value=without(at, n),
            )
            for n in (25, 250)
            for at in (0.02, 0.1, 0.3)
        ),
        *(
            said(
                says=f"section 2.6: {method} intervals always have positive width (n = {n}, share 0.02)",
                statement="DGROC-2.6-b",
                cell=f"widths, n={n}",
                method=method,
                quantity="fpr",
                statistic="points",
                at=0.02,
                value=0.0,
            )
            for n in (25, 250)
            for method in ("wilson",)
        ),
        *(
            said(
                says=f"section 2.6, of others: exact intervals never under-cover ({side}, n = {n})",
                statement="DGROC-2.6-c",
                cell=f"widths, n={n}",
                method="clopper_pearson",
                quantity=side,
                statistic="min",
                value=0.9**0.5,
                relation=">=",
            )
            for n in (25, 250)
            for side in ("fpr", "tpr")
        ),
        *(
            said(
                says=f"section 2.6, of others: they are generally too wide: wider than those of {method} "
                "(TPR, n = "
                f"{n}, share {at})",
                statement="DGROC-2.6-c",
                cell=f"widths, n={n}",
                method="clopper_pearson",
                quantity="tpr",
                statistic="width",
                at=at,
                than=(f"widths, n={n}", method),
                value=0.0,
                relation=">=",
            )
            for n in (25, 250)
            for method in ("wilson", "agresti_coull")
            for at in (0.1, 0.3, 0.5)
        ),
    ),
)
