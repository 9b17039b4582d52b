"""Testing with the probability of dominance (Dugas & Gadoury 2009, ROC, section 3.2 and Fig. 2).

Dugas & Gadoury 2009, section 3.2, equation (2), Algorithm 2 and Figure 2: f2 is the probability, in the
exact bootstrap, that the second model has no more false and no fewer true positives than the first and is
better in at least one of them. As a test it requires f2 of 0.90, 0.95 or 0.99. Figure 2 explains why this
is rare: in two of four quadrants (more true *and* more false positives, or fewer of both) neither model
dominates.

The paper gives no numbers. The populations are those of its Figure 7, 100 cases a class, where the second
model's positives are 2 higher, and, for the rate of false alarms, 0 higher. Quantities: how often f2
reaches a level (its width is f2 itself), and "undecided", whose width is the probability of the two
quadrants.
"""

from functools import partial

import numpy as np

from confroc_lab import Expected, Experiment, Quick, Rule
from designs import CORRELATIONS, of_pairs, panels_of
from dominance import LEVELS, METHOD, Quadrants, dominances
from words import meant

N = 100
RATES = tuple(np.round([0.05, *np.linspace(0.1, 0.9, 9), 0.95], 2).tolist())
RULE = Rule(dominances, methods=(METHOD,), confidence_level=0.95, at=RATES)
PAIRS = tuple(
    (f"theta={theta}, rho={rho}, shift={shift:g}", theta, shift, rho)
    for shift in (2.0, 0.0)
    for rho in CORRELATIONS
    for theta in (1.0, 3.0)
)
CELLS = of_pairs(RULE, N, 3.75, PAIRS, chunk=50)


CLOSE = (
    "where both models agree on nearly every case, f2 reaches the level: with correlation 0.9 the exact "
    "power at "
    "0.95 "
    "is 0.85 in the middle of the curve for θ = 1 and 0.67 for θ = 3; with correlations 0.3 and 0.6 it is "
    "below "
    "one half at every rate"
)
said = partial(Expected, method=METHOD)
EXPERIMENT = Experiment(
    title="Testing with the probability of dominance",
    source="Dugas & Gadoury 2009 (ROC curves), section 3.2 and Figure 2",
    cells=CELLS,
    figure=panels_of(
        CELLS[:6],
        "f2 >= 0.95",
        "theoretical total positive rate",
        ((METHOD, "f2 reaches 0.95", "-"),),
    ),
    drawings=(
        Quadrants(
            name="quadrants",
            caption="The paper's Figure 2 with numbers: 500 resamples of one sample of 100 cases a class, "
            "θ = 1, correlation 0.3, both models at a total positive rate of 0.3. In A and C neither model "
            "dominates.",
            population=CELLS[0].population,
            size=N,
            rate=0.3,
            seed=2,
        ),
    ),
    quick=Quick(replications=100, cells=CELLS[:2] + CELLS[6:7]),
    expected=tuple(
        said(
            says=f"section 3.2: 'very poor power': f2 hardly reaches {level} anywhere (θ = {theta}, ρ = "
            f"{rho})",
            statement="DGROC-3.2-b",
            cell=name,
            quantity=f"f2 >= {level:.2f}",
            statistic="max",
            value=meant("poor power"),
            relation="<=",
            differs=CLOSE if rho == 0.9 or (rho, theta, level) == (0.6, 1.0, 0.9) else "",
        )
        for name, theta, shift, rho in PAIRS
        if shift
        for level in LEVELS
    )
    + tuple(
        said(
            says="section 3.2: because two quadrants without dominance are 'sufficiently large': their "
            f"probability is 0.1 or more at a rate of {at} (θ = {theta}, ρ = {rho})",
            statement="DGROC-fig2",
            cell=name,
            quantity="undecided",
            statistic="width",
            at=at,
            value=meant("large"),
            relation=">=",
            differs="with correlation 0.9 few cases are discordant at high rates" if rho == 0.9 else "",
        )
        for name, theta, shift, rho in PAIRS
        if shift
        for at in ((0.2, 0.8) if theta == 1.0 else (0.3, 0.8))
    )
    + tuple(
        said(
            says=f"with equal models f2 reaches 0.95 in no more than 5 % of samples (θ = {theta}, ρ = {rho})",
            source="theory",
            cell=name,
            quantity="f2 >= 0.95",
            statistic="max",
            value=0.05,
            relation="<=",
        )
        for name, theta, shift, rho in PAIRS
        if not shift
    )
    + tuple(
        said(
            says=f"sums over all counts: power at 0.95, θ = {theta}, ρ = {rho}, rate {at}",
            source="theory",
            cell=name,
            quantity="f2 >= 0.95",
            at=at,
            value=power,
        )
        for (name, theta, shift, rho), at, power in (
            (PAIRS[0], 0.5, 0.309),
            (PAIRS[1], 0.5, 0.199),
            (PAIRS[4], 0.5, 0.853),
            (PAIRS[5], 0.5, 0.667),
        )
    ),
)
