"""Forecast bounds as the distance grows, beside confidence intervals for the area (Morin 2018, Fig. 6).

Morin 2018, section 3 and Figure 6: one sample of 100 positives and 1,000 negatives from a binormal population
with area 0.70 and standard deviations 1/√2. The figure shows one sample; the numbers here ask whether its
intervals attain their level when that population does not change, over 2,000 samples.
"""

from confroc.lab import Cell, Dots, Expected, Experiment, Quick, Rule, binormal_with_auc
from drawings import ForecastFan

POPULATION = binormal_with_auc(0.70, sd=0.5**0.5)
SIZE = (100, 1000)
METHODS = ("binormal", "delong", "hanley_mcneil", "score_delong", "newcombe", "upper_bound")
ON_TARGET = ("binormal", "delong", "hanley_mcneil", "score_delong", "newcombe")
CELL = Cell(
    name="AUC 0.70",
    population=POPULATION,
    size=SIZE,
    rule=Rule("auc_interval", methods=METHODS, confidence_level=0.95),
    chunk=100,
)
EXPERIMENT = Experiment(
    title="Confidence intervals for the area of a population that does not change",
    source="Morin 2018, Figure 6",
    cells=(CELL,),
    figure=Dots(quantity="auc"),
    drawings=(
        ForecastFan(
            name="fan",
            caption="Figure 6 of the paper: bounds of the area over all populations within a distance of one "
            "sample (black), and confidence intervals from that sample (dashed).",
            population=POPULATION,
            size=SIZE,
            radii=(1e-4, 1.0),
            methods=("delong", "binormal", "upper_bound"),
            seed=6,
        ),
    ),
    replications=2000,
    quick=Quick(replications=400),
    seed=2018,
    expected=(
        *(
            Expected(
                says=f"{method} is on target for 100 + 1,000 cases at an area of 0.70",
                source="theory",
                cell="AUC 0.70",
                method=method,
                quantity="auc",
                value=0.95,
                tolerance=0.005,
                replications=None,
            )
            for method in ON_TARGET
        ),
        Expected(
            says="Figure 6: the upper-bound interval is by far the widest; it covers too much",
            cell="AUC 0.70",
            method="upper_bound",
            quantity="auc",
            value=0.99,
            relation=">=",
            replications=None,
        ),
    ),
)
