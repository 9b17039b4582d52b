"""The area of a model whose population switches between two regimes (Morin 2018, Fig. 7).

Morin 2018, section 4 and Figure 7: binormal scores with standard deviation 1/√2 in two regimes; 100 positives
and 1,000 negatives a segment. Each sample is one segment of either regime. Quantity "auc" holds the interval
against both true areas, the paper's coverage rate: its rates are multiples of 1/2000 where the regimes differ
and of 1/1000 where they do not. Quantity "fresh" holds it against the empirical areas of many fresh segments,
half of either regime, the paper's correct forecast rate, whose four digits are multiples of neither. "delong"
is its eq. 23 with the sample's own probabilities: Hanley & McNeil's closed form would make the first coverage
rate 0.87, and a bi-normal variance without that of the spreads 0.80.
"""

from dataclasses import dataclass

import numpy as np

from confroc._types import FloatArray
from confroc.drift import auc_forecast
from confroc.lab import Cell, Dots, Expected, Experiment, Quick, Regimes
from confroc.lab.batch import Batch
from confroc.lab.designs import AnyPopulation
from confroc.lab.rules import Tally
from confroc.lab.rules.area import areas, ends
from confroc.lab.rules.base import Rule, parse
from confroc.lab.rules.tallies import tally

METHODS = ("binormal", "delong", "bootstrap", "upper_bound", "forecast")
OURS = ("forecast:divergence=jeffreys", "forecast:method=calibrated", "score_delong")
AREAS = ((0.68, 0.72), (0.65, 0.75), (0.75, 0.80), (0.70, 0.70))
FRESH = 1000
"""Fresh segments of either regime that each chunk of samples is held against."""


@dataclass(frozen=True, kw_only=True)
class RegimeForecasts(Rule):
    """Intervals held against both true areas, and against the empirical areas of fresh segments."""

    at_name = "auc"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count what the intervals of the two segments together hold."""
        assert isinstance(population, Regimes)
        regimes = population.low, population.high
        truth = np.array([law.auc for law in regimes])
        found, half = areas(batch), (batch.n_pos // 2, batch.n_neg // 2)
        fresh = np.sort(np.concatenate([areas(Batch(*r.draw(rng, *half, FRESH))).auc for r in regimes]))
        out = []
        for method in self.methods:
            name, options = parse(method)
            if name == "forecast":
                low, high = forecasts(batch, half, options)
            else:
                low, high = ends(method, batch, found, self.confidence_level, self.n_resamples, rng)
            both = np.repeat(low[:, None], 2, axis=1), np.repeat(high[:, None], 2, axis=1)
            out.append(tally(method, "auc", truth, truth, *both))
            out.append(held_areas(method, fresh, low, high))
        return out


def forecasts(
    batch: Batch, half: tuple[int, int], options: dict[str, object]
) -> tuple[FloatArray, FloatArray]:
    """Forecast intervals with the sample's two segments."""
    first = Batch(batch.pos[:, : half[0]], batch.neg[:, : half[1]])
    second = Batch(batch.pos[:, half[0] :], batch.neg[:, half[1] :])
    made = np.empty((2, batch.reps))
    for i in range(batch.reps):
        segments = [first.scores(i), second.scores(i)]
        forecast = auc_forecast(batch.scores(i), segments=segments, **options)  # type: ignore[arg-type]
        made[:, i] = forecast.lower, forecast.upper
    return made[0], made[1]


def held_areas(method: str, fresh: FloatArray, low: FloatArray, high: FloatArray) -> Tally:
    """Tally of the fresh areas, in ascending order, that each interval holds."""
    above = np.searchsorted(fresh, low, side="left")
    held = np.searchsorted(fresh, high, side="right") - above
    reps, of, shares = len(low), len(fresh), held / len(fresh)
    one = np.array([reps])
    return Tally(
        method,
        "fresh",
        np.array([np.nan]),
        one,
        one * of,
        one * 0,
        np.array([held.sum()]),
        np.array([above.sum()]),
        np.array([(of - above - held).sum()]),
        np.array([shares.sum()]),
        np.array([np.square(shares).sum()]),
    )


RULE = RegimeForecasts(methods=METHODS + OURS, confidence_level=0.95, n_resamples=399)
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
