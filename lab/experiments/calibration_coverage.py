"""The calibration band: how often it contains the true curve, and what groups cost (this project's own).

Scores are put on the scale of the true probability, so that the curve is the diagonal and the area of a band
is its mean width. With "calibration=exact" a guarantee holds for every sample size (Dimitriadis et al. 2023);
all blocks at once, each with an exact bound, make it cautious. The default is calibrated by the bootstrap and
has no guarantee: its coverage is measured, and no statement is made about it. Populations: normal scores,
exponential ones, and some ten levels that tie; 10 or 50% positives, cases drawn whatever their class. Scores
are put into `n_groups` groups, by default 20 to 256; as many as there are cases give the published band of
all blocks. "overconfident" is how often scores whose log odds are half as large again as the true ones are
found out.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import expit, logit

from confroc import Scores, calibration_band
from confroc.auditing.bands import WHOLE, Polyline, evaluated
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rules import Drawn, parse
from confroc.results import Band
from confroc_lab import Cell, Dots, Expected, Experiment, Quick, Rule, binormal_with_auc
from confroc_lab.distributions import Exponential, Normal
from confroc_lab.populations import TiedDistributions, TwoDistributions

DEFAULT = "isotonic_blocks"
EXACT = f"{DEFAULT}:calibration=exact"
FINER, EVERY = f"{EXACT},n_groups=128", f"{EXACT},n_groups=100"
DIAGONAL = (np.array([0.0, 1.0]), np.array([0.0, 1.0]))
OFF = 1.5


def log_ratio(model: TwoDistributions, score: np.ndarray) -> np.ndarray:
    """Return the log of the ratio of the two classes' densities, or of their shares of a level."""
    if isinstance(model, TiedDistributions):
        at = np.searchsorted(model.support, score)
        neg, pos = (-np.diff(np.append(side, 0.0)) for side in model.rates(model.support))
        return np.log(pos[at] / neg[at])
    if isinstance(model.pos, Exponential):
        return np.log(model.neg.mean / model.pos.mean) + score * (1.0 / model.neg.mean - 1.0 / model.pos.mean)
    gap, sd = model.pos.mean - model.neg.mean, model.pos.sd
    return (score - 0.5 * (model.pos.mean + model.neg.mean)) * gap / sd**2


def calibration_bands(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count bands that contain the true curve, and overconfident scores that are found out."""
    samples = drawn.samples
    odds = [logit(drawn.share) + log_ratio(drawn.model, samples.scores(i).score) for i in range(samples.reps)]

    def sample(i: int, off: float) -> Scores:
        scores = samples.scores(i)
        return Scores.from_counts(expit(off * odds[i]), scores.pos, scores.neg)

    out = []
    for method in rule.methods:
        options = parse(method)[1] | {"confidence_level": rule.confidence_level}

        def made(options: dict = options) -> Iterator[tuple[Band, Polyline]]:
            for i in range(samples.reps):
                yield calibration_band(sample(i, 1.0), **options), DIAGONAL

        out.append(evaluated(method, made(), samples.reps, 0.0))
        found = [calibration_band(sample(i, OFF), **options).calibrated for i in range(samples.reps)]
        # The truth stands at 0, found out where the interval is below it.
        low = np.where(found, 1.0, -1.0)[:, None]
        told = counted(method, "overconfident", WHOLE, np.zeros(1), low, low + 1.5)
        out.append(told._replace(width=np.zeros(1), width_sq=np.zeros(1)))
    return out


def cell(name: str, model: TwoDistributions, n: int, level: float = 0.95, methods=(EXACT,)) -> Cell:
    """One population, size and level."""
    n_pos = round(model.share * n)
    return Cell(
        name=f"{name}, {model.share:.0%} of {n} positive, level {level:g}",
        population=model,
        size=(n_pos, n - n_pos),
        rule=Rule(calibration_bands, methods=(DEFAULT, *methods), confidence_level=level),
        sampling="full",
        chunk=50,
    )


WEAK, STRONG = (binormal_with_auc(auc, share=share) for auc, share in ((0.7, 0.5), (0.9, 0.1)))
LEVELS = TiedDistributions(Normal(1.5, 1.0), Normal(0.0, 1.0), 0.1, step=0.5)
LONG = TwoDistributions(Exponential(4.0), Exponential(1.0), 0.1)
CELLS = (
    cell("normal, area 0.7", WEAK, 100, methods=(EXACT, EVERY)),
    cell("normal, area 0.7", WEAK, 100, 0.5),
    cell("normal, area 0.9", STRONG, 500, methods=(EXACT, FINER)),
    cell("normal, area 0.9", STRONG, 500, 0.5),
    cell("exponential", LONG, 1000),
    cell("levels", LEVELS, 1000),
    cell("levels", LEVELS, 1000, 0.5),
    cell("normal, area 0.7", replace(WEAK, share=0.1), 10_000),
)


def guarantee(made: Cell, method: str) -> Expected:
    """The level holds for every sample size."""
    return Expected(
        says=f"the guarantee holds: {method}, {made.name}",
        source="ours",
        cell=made.name,
        method=method,
        quantity="curve",
        statistic="min",
        value=made.rule.confidence_level,
        relation=">=",
    )


EXPERIMENT = Experiment(
    title="The calibration band",
    source="this project",
    cells=CELLS,
    figure=Dots(quantity="curve"),
    quick=Quick(replications=20, cells=CELLS[:1]),
    seed=211,
    expected=tuple(
        guarantee(made, method) for made in CELLS for method in made.rule.methods if method != DEFAULT
    ),
)
