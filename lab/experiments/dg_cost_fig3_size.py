"""Cost of one model by sample size (Dugas & Gadoury 2009, costs, Fig. 3).

Dugas & Gadoury 2009, Pointwise exact bootstrap distributions of cost curves, section 5 and Figure 3:
binormal scores with standard deviation 3, best thresholds of the population, 90 % intervals. The paper's
method is "wald". `cost_claims` defines the words.
"""

import itertools

from confroc_lab import Experiment, Quick, Rule
from cost_claims import better, claim, on_target
from designs import SIZES, W, by_size, cost_panels
from words import meant

RULE = Rule("cost_curve", methods=("wald", "mid_p", "agresti_coull"), confidence_level=0.9, at=W)
CELLS = by_size(RULE, 3.0)
EXPERIMENT = Experiment(
    title="Cost of one model: how many cases there are",
    source="Dugas & Gadoury 2009 (cost curves), Figure 3",
    cells=CELLS,
    figure=cost_panels(CELLS),
    replications=20_000,
    quick=Quick(replications=400),
    expected=(
        *(
            better(
                "fig3-a",
                f"section 5: the range on target widens with the sample ({many:,} than {few:,} cases)",
                f"n={many}",
                f"n={few}",
            )
            for few, many in itertools.pairwise(SIZES)
        ),
        *(
            on_target("fig3-a", "section 5: with 10,000 cases a wide range is on target", "n=10000", w)
            for w in (0.1, 0.9)
        ),
        *(
            claim(
                "fig3-b",
                f"section 5: with 25 cases only a very narrow range is on target (below it at w = {w})",
                "n=25",
                meant("off target"),
                at=w,
                relation="<=",
            )
            for w in (0.1, 0.2, 0.8, 0.9)
        ),
        claim(
            "fig3-b",
            "section 5: with 25 cases only a very narrow range is on target (0.1 from it over all w)",
            "n=25",
            meant("narrow"),
            statistic="distance",
            relation=">=",
        ),
        on_target("fig3-b", "Figure 3: the narrow range with 25 cases", "n=25", 0.5),
        claim(
            "",
            "Newcombe's interval has no breaks (n = 25)",
            "n=25",
            0.85,
            source="ours",
            method="mid_p",
            statistic="min",
            relation=">=",
            wide=False,
        ),
    ),
)
