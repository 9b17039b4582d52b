"""Fixed and random class sizes (Dugas & Gadoury 2009, ROC, Fig. 11).

Dugas & Gadoury 2009, section 5.5 and Figure 11: the size experiment of Figure 4, with samples drawn by
class (stratified) or from both classes together (full, 2n cases, half of them positive on average). The
caption states "paired design"; the text, and the size experiment, use one model.
"""

from functools import partial

import exact_coverage as exact
from confroc_lab import Expected, Experiment, Panels, Quick, Rule
from designs import RATES, SIZES, by_size

METHODS = ("agresti_coull", "wald")
RULE = Rule("rates_at_threshold", methods=METHODS, confidence_level=0.9, at=RATES)
CELLS = by_size(RULE, 3.75, name="n={n}, stratified") + by_size(
    RULE, 3.75, sampling="full", name="n={n}, full"
)
ZIGZAG = (
    "by exact sums Wald covers 0.742 here with fixed class sizes and 0.818 with random ones: with "
    "25 cases a class its coverage zigzags with the size, over which full sampling averages"
)
said = partial(Expected, quantity="joint", statement="DGROC-fig11-a")
EXPERIMENT = Experiment(
    title="Class sizes fixed or left to chance",
    source="Dugas & Gadoury 2009 (ROC curves), Figure 11",
    cells=CELLS,
    replications=5000,
    figure=Panels(
        panels=tuple((f"n = {n}", (f"n={n}, stratified", f"n={n}, full")) for n in SIZES),
        columns=2,
        quantity="joint",
        x="theoretical total positive rate",
        styles=(("agresti_coull", "Agresti", "-"), ("wald", "Wald", ":")),
    ),
    quick=Quick(replications=200),
    expected=tuple(
        said(
            says="section 5.5: 'both sampling approaches yield very similar coverage' "
            f"({method}, n = {n}, mean)",
            cell=f"n={n}, full",
            method=method,
            statistic="mean",
            than=(f"n={n}, stratified", method),
            value=0.0,
        )
        for n in SIZES
        for method in METHODS
    )
    + tuple(
        said(
            says="section 5.5: 'both sampling approaches yield very similar coverage' "
            f"({method}, n = {n}, rate {at})",
            cell=f"n={n}, full",
            method=method,
            at=at,
            than=(f"n={n}, stratified", method),
            value=0.0,
            differs=ZIGZAG if (n, method, at) == (25, "wald", 0.5) else "",
        )
        for n in SIZES
        for method in METHODS
        for at in (0.01, 0.1, 0.5, 0.9, 0.99)
    )
    + tuple(
        said(
            says=f"sums over all counts and class sizes: {method}, n = 25, rate {at}",
            statement="",
            source="theory",
            cell="n=25, full",
            method=method,
            at=at,
            value=exact.at_rate_full(exact.by_distance(3.0), at, 25, method),
        )
        for at in (0.1, 0.5)
        for method in METHODS
    ),
)
