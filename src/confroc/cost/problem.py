"""One cost, or a difference of two, at many places: what every method needs to know, and the methods.

`Problem` says which rates are weighed and how; `solve` turns it into estimates and ends. Cost curves, cost
differences and net benefits are all the same problem with other weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._check import make_rng, warn
from confroc._types import RNG, FloatArray, IntArray, Sampling
from confroc.cost import law, moments, score
from confroc.cost.moments import Rates, Sample
from confroc.cost.tallies import Errors, Reader
from confroc.distributions import normal_quantile
from confroc.points.shared import check_resamples, percentile_ends, tails, warn_zero_width
from confroc.resample import resample
from confroc.scores import Pair, PairedScores, Scores
from confroc.scores.counting import CHUNK, Cells, Discordant, PairCounter

Method: TypeAlias = Literal["newcombe", "smoothed", "wald", "bootstrap", "exact_bootstrap"]


class Pseudo(NamedTuple):
    """Pseudo-cases added to each cell: for one model, each of two independent ones, a pair."""

    alone: float = 0.0
    of_two: float = 0.0
    paired: float = 0.0


NONE = Pseudo()
# Agresti & Coull (1998), Agresti & Caffo (2000), Agresti & Min (2005).
AGRESTI = Pseudo(alone=2.0, of_two=1.0, paired=0.5)


class Part(NamedTuple):
    """One table of counts, how to read it, and what it says: one model, or two on the same cases.

    A long table is cut down to the smallest that gives the same answers before it is read.
    """

    table: Cells
    reader: Reader | PairCounter
    found: Errors | Discordant
    sample: Sample


class Problem(NamedTuple):
    """alpha·x + beta·y at h places; with two parts, the first minus the second."""

    parts: tuple[Part, ...]
    alpha: FloatArray
    beta: FloatArray
    sampling: Sampling

    def rates(self, added: Pseudo = NONE) -> Rates:
        """The two rates and their covariance, of the data or with pseudo-cases added."""
        found, samples = [part.found for part in self.parts], [part.sample for part in self.parts]
        return rates_of(found, samples, self.sampling, added)

    def steps(self, row: int) -> list[law.Steps]:
        """Independent parts of the bootstrap cost at one place."""
        alpha, beta = float(self.alpha[row]), float(self.beta[row])
        first, *rest = (law.steps_of(p.found, alpha, beta, row, p.sample, self.sampling) for p in self.parts)
        return first + [step for steps in rest for step in law.negated(steps)]


def rates_of(
    found: Sequence[Errors | Discordant], samples: Sequence[Sample], sampling: Sampling, added: Pseudo = NONE
) -> Rates:
    """Rates of one part, or the difference of two."""
    a = added.alone if len(found) == 1 else added.of_two
    rates = [
        moments.one_model(one, sample, sampling, a)
        if isinstance(one, Errors)
        else moments.two_models(one, sample, sampling, added.paired)
        for one, sample in zip(found, samples, strict=True)
    ]
    return rates[0] if len(rates) == 1 else moments.minus(rates[0], rates[1])


def one_model(
    scores: Scores, threshold: FloatArray, size: tuple[int, int] | None = None, *, hits: bool = False
) -> Part:
    """Part for one model at each threshold; with `hits`, of true positives in place of false negatives."""
    size = size or (scores.n_pos, scores.n_neg)
    table, reader = Cells(scores.pos, scores.neg), Reader.of(scores, threshold, hits=hits)
    if len(table.pos) > CHUNK:
        table, reader = reader.compressed(table)
    return Part(table, reader, reader(*table), Sample(scores.n_pos, scores.n_neg, *size))


def two_models(
    pair: Pair, threshold_a: FloatArray, threshold_b: FloatArray, size: tuple[int, int] | None = None
) -> tuple[Part, ...]:
    """Parts for two models: one when they share their cases, two when not."""
    if not isinstance(pair, PairedScores):
        return one_model(pair.a, threshold_a, size), one_model(pair.b, threshold_b, size)
    table, reader = Cells(pair.pos, pair.neg), PairCounter.of(pair, threshold_a, threshold_b)
    if len(table.pos) > CHUNK:
        table, reader = reader.compressed(table)
    size = size or (pair.n_pos, pair.n_neg)
    return (Part(table, reader, reader(*table), Sample(pair.n_pos, pair.n_neg, *size)),)


def pooled_share(pair: Pair) -> float:
    """Share of positives of two models' cases together; for a pair, of the cases."""
    pos, neg = pair.a.n_pos + pair.b.n_pos, pair.a.n_neg + pair.b.n_neg
    return pos / (pos + neg)


# --- the methods -------------------------------------------------------------------------------------


class Solution(NamedTuple):
    """Estimates and ends, and what the reader should know about them."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    notes: tuple[str, ...]


def solve(
    problem: Problem, method: Method, level: float, n_resamples: int = 2000, rng: RNG = None, n_jobs: int = 1
) -> Solution:
    """Estimates and pointwise ends, not yet cut to the possible range."""
    rates = problem.rates()
    estimate = rates.mean(problem.alpha, problem.beta)
    notes: tuple[str, ...] = ()
    found, sample = problem.parts[0].found, problem.parts[0].sample
    if method == "newcombe" and isinstance(found, Errors):
        lower, upper = score.ends(found, sample, problem.sampling, rates, problem.alpha, problem.beta, level)
    elif method == "exact_bootstrap":
        lower, upper, notes = _exact(problem, level)
    elif method == "bootstrap":
        replicates = _replicates(problem, check_resamples(n_resamples, level), rng, n_jobs)
        lower, upper = percentile_ends(replicates, level)
    else:
        fitted = problem.rates(AGRESTI) if method == "smoothed" else rates
        half = normal_quantile(level) * np.sqrt(fitted.variance(problem.alpha, problem.beta))
        centre = fitted.mean(problem.alpha, problem.beta)
        lower, upper = centre - half, centre + half
    alone = len(problem.parts) == 1 and isinstance(found, Errors)
    notes += warn_zero_width(upper - lower, method, "newcombe" if alone else "agresti_min")
    return Solution(estimate, lower, upper, notes)


def _exact(problem: Problem, level: float) -> tuple[FloatArray, FloatArray, tuple[str, ...]]:
    h = len(problem.alpha)
    both = np.empty((h, 2))
    approximate = 0
    for row in range(h):
        both[row], exact = law.quantiles(problem.steps(row), tails(level))
        approximate += not exact
    if not approximate:
        return both[:, 0], both[:, 1], ()
    note = (
        f"{approximate} of {h} exact bootstrap laws are too large to lay out; their quantiles are normal, "
        "refined by the law's exact third and fourth moments."
    )
    warn(note)
    return both[:, 0], both[:, 1], (note,)


def _replicates(problem: Problem, n_resamples: int, rng: RNG, n_jobs: int) -> FloatArray:
    """Resampled costs, shape (n_resamples, h)."""
    generator = make_rng(rng)
    drawn = [_part_replicates(problem, part, n_resamples, generator, n_jobs) for part in problem.parts]
    return drawn[0] if len(drawn) == 1 else drawn[0] - drawn[1]


def _part_replicates(
    problem: Problem, part: Part, n_resamples: int, generator: np.random.Generator, n_jobs: int
) -> FloatArray:
    size = part.sample.m_pos, part.sample.m_neg
    table, reader = part.reader.compressed(part.table)
    x, y = score.trials(Sample(*size, *size), problem.sampling)

    def cost(pos: IntArray, neg: IntArray) -> FloatArray:
        found = reader(pos, neg)
        if isinstance(found, Errors):
            fn, fp = found
        else:
            fn, fp = found.pos_01 - found.pos_10, found.neg_10 - found.neg_01
        return np.asarray(problem.alpha * (fn / x) + problem.beta * (fp / y))

    return resample(cost, table, n_resamples, generator, size=size, sampling=problem.sampling, n_jobs=n_jobs)
