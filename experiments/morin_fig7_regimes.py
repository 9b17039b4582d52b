"""The area of a model whose population switches between two regimes (Morin 2018, Fig. 7).

Morin 2018, section 4 and Figure 7: binormal scores with standard deviation 1/√2 in two regimes; 100 positives
and 1,000 negatives a segment. Each sample is one segment of either regime. Quantity "auc" holds the interval
against both true areas, the paper's coverage rate: its rates are multiples of 1/2000 where the regimes differ
and of 1/1000 where they do not. Quantity "fresh" holds it against the empirical areas of many fresh segments,
half of either regime, the paper's correct forecast rate, whose four digits are multiples of neither. "delong"
is its eq. 23 with the sample's own probabilities: Hanley & McNeil's closed form would make the first coverage
rate 0.87, and a bi-normal variance without that of the spreads 0.80.
"""

from confroc.lab import Cell, Dots, Expected, Experiment, Quick, Rule
from regimes import Regimes, regime_areas

METHODS = ("binormal", "delong", "bootstrap", "upper_bound", "forecast")
OURS = ("forecast:divergence=jeffreys", "forecast:method=calibrated", "score_delong")
AREAS = ((0.68, 0.72), (0.65, 0.75), (0.75, 0.80), (0.70, 0.70))
RULE = Rule(regime_areas, methods=METHODS + OURS, confidence_level=0.95, n_resamples=399)
CELLS = tuple(
    Cell(
        name=f"{low:.2f}/{high:.2f}",
        population=Regimes.morin(low, high),
        size=(200, 2000),
        rule=RULE,
        chunk=25,
    )
    for low, high in AREAS
)
# Figure 7: coverage rate and correct forecast rate, by method.
PRINTED = {
    "0.68/0.72": ((0.8265, 0.6612), (0.8395, 0.6689), (0.8310, 0.6616), (0.9885, 0.9074), (0.9955, 0.9600)),
    "0.65/0.75": ((0.2360, 0.3427), (0.2470, 0.3515), (0.2455, 0.3453), (0.7725, 0.6615), (0.9795, 0.9259)),
    "0.75/0.80": ((0.6805, 0.5912), (0.6845, 0.5979), (0.6730, 0.5889), (0.9665, 0.8654), (0.9940, 0.9451)),
    "0.70/0.70": ((0.951, 0.7402), (0.944, 0.7477), (0.941, 0.7386), (1.000, 0.9464), (0.999, 0.9702)),
}
EXPERIMENT = Experiment(
    title="The area of a model under two regimes",
    source="Morin 2018, Figure 7",
    cells=CELLS,
    figure=Dots(quantity="fresh"),
    quick=Quick(replications=50, cells=CELLS[:2]),
    seed=2018,
    expected=tuple(
        Expected(
            says=f"Figure 7, {cell}: "
            f"{'coverage rate' if quantity == 'auc' else 'correct forecast rate'} of {method}",
            cell=cell,
            method=method,
            quantity=quantity,
            statistic="mean",
            value=value,
            tolerance=0.015,
        )
        for cell, rows in PRINTED.items()
        for method, numbers in zip(METHODS, rows, strict=True)
        for quantity, value in zip(("auc", "fresh"), numbers, strict=True)
    ),
)
