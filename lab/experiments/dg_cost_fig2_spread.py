"""Cost of one model by distance of the classes (Dugas & Gadoury 2009, costs, Fig. 2).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 2:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The paper's
method is "wald". Two further cells compare it with the exact distribution, to which it is the Gaussian
approximation, and with resamples (sections 4 and 6). `cost_claims` defines the words.
"""

import itertools

from confroc_lab import Cell, Experiment, Quick, Rule, binormal
from cost_claims import ENDS, better, breaks, claim, on_target, similar
from cost_figure import CostLines
from designs import SPREADS, W, by_spread, cost_panels
from words import meant

RULE = Rule("cost_curve", methods=("wald", "mid_p", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_spread(RULE, 1000, 3.0)
FEW = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
MIDDLE = tuple(w for w in FEW if 0.1 <= w <= 0.9)


def laws(n_resamples: int, at: tuple[float, ...]) -> Cell:
    """θ = 3 again, with the exact distribution and with resamples."""
    methods = "wald", "exact_bootstrap", "bootstrap"
    rule = Rule("cost_curve", methods, at=at, confidence_level=0.9, n_resamples=n_resamples)
    return Cell(
        name="theta=3.0, " + ("few" if n_resamples == 100 else "many") + " resamples",
        population=binormal(3.0, -3.0, 3.0, 3.0),
        size=(1000, 1000),
        rule=rule,
    )


CLASSES_OF_FIGURE_1 = ((0.75, 3.0), (-0.75, 3.0)), ((3.0, 3.0), (-3.0, 3.0))
THRESHOLDS_OF_FIGURE_1 = -2.0, 1.0, 4.0
"""From low to high. The paper does not print its own; with these the same ones are cheapest at w = 0.33."""
FIGURE_1 = CostLines(
    classes=CLASSES_OF_FIGURE_1,
    thresholds=THRESHOLDS_OF_FIGURE_1,
    w=0.33,
    name="lines",
    caption="As Figure 1 of Dugas & Gadoury (2009): scores, ROC curve and cost curve of a weak and a strong "
    "model, θ = 0.75 and θ = 3. Each of three thresholds is a point on the ROC curve and a line over w; the "
    "cheapest at w = 0.33 is the highest of them (blue) on the left, the middle one (green) on the right.",
)
MANY, A_FEW = "theta=3.0, many resamples", "theta=3.0, few resamples"
EXPERIMENT = Experiment(
    title="Cost of one model: how far apart the classes are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 2",
    cells=(*CELLS, laws(1000, FEW), laws(100, FEW)),
    figure=cost_panels(CELLS),
    drawings=(FIGURE_1,),
    quick=Quick(replications=200, cells=(*CELLS, laws(200, (0.1, 0.5, 0.9)))),
    expected=(
        *(
            better(
                "fig2-a",
                f"section 5: better with less overlap (θ = {high:g} than {low:g})",
                f"theta={high}",
                f"theta={low}",
            )
            for low, high in itertools.pairwise(SPREADS)
        ),
        *(
            breaks("fig2-b", f"section 5: breaks as w approaches 0 or 1 (θ = {theta:g})", f"theta={theta}", w)
            for theta in SPREADS
            for w in ENDS
        ),
        *(
            on_target("fig2-c", f"Figure 2: on target in the middle (θ = {theta:g})", f"theta={theta}", 0.5)
            for theta in SPREADS
        ),
        *(
            claim(
                "abs-a",
                f"abstract: excellent results (θ = {theta:g})",
                f"theta={theta}",
                meant("no break"),
                statistic="min",
                between=(0.1, 0.9),
                relation=">=",
                differs="With so much overlap one kind of error is hardly ever observed at w = 0.1 and 0.9."
                if theta == 0.75
                else "",
            )
            for theta in SPREADS
        ),
        *(
            claim(
                "7-c",
                f"section 7: severe breaks in a few cases (somewhere, θ = {theta:g})",
                f"theta={theta}",
                meant("severe break"),
                statistic="min",
                relation="<=",
            )
            for theta in SPREADS[:3]
        ),
        *(
            similar(
                "4-c",
                "section 4: the Gaussian approximation is as good as the exact distribution",
                MANY,
                (MANY, "exact_bootstrap"),
                w,
            )
            for w in MIDDLE
        ),
        *(
            similar(
                "6-a",
                "section 6: many resamples give similar coverage",
                MANY,
                (MANY, "wald"),
                w,
                method="bootstrap",
            )
            for w in MIDDLE
        ),
        *(
            claim(
                "6-a",
                f"section 6: resamples are less precise: widths vary more (100 of them, w = {w:g})",
                A_FEW,
                0.0,
                method="bootstrap",
                statistic="width_sd",
                at=w,
                than=(A_FEW, "exact_bootstrap"),
                relation=">=",
            )
            for w in (0.1, 0.5, 0.9)
        ),
        *(
            claim(
                "",
                f"Newcombe's interval has no such breaks (θ = {theta:g})",
                f"theta={theta}",
                0.86,
                source="ours",
                method="mid_p",
                statistic="min",
                relation=">=",
                wide=False,
            )
            for theta in SPREADS
        ),
    ),
)
