"""The power and interval width of a study, by simulating it from binormal models."""

from __future__ import annotations

import math
import warnings

import numpy as np

from confroc._check import ConfrocWarning, check_count
from confroc._types import RNG, FloatArray
from confroc.auc.difference import auc_difference
from confroc.auc.hypothesis import Alternative
from confroc.auc.interval import auc_interval
from confroc.auc.study import Power, Question, Test
from confroc.resample import spawn
from confroc.scores import Pair, PairedScores, Scores, UnpairedScores
from confroc.scores.tables import tally


def _draw(asked: Question, sizes: tuple[int, int], generator: np.random.Generator) -> list[list[FloatArray]]:
    """Scores of each model: positives, then negatives."""
    assert asked.first is not None
    models = [asked.first] if asked.second is None else [asked.first, asked.second]
    normals = []
    for n, r in zip(sizes, asked.correlation, strict=True):
        one = generator.standard_normal(n)
        other = r * one + math.sqrt(1.0 - r * r) * generator.standard_normal(n) if len(models) > 1 else one
        normals.append((one, other))
    return [[(m.a + normals[0][k]) / m.b, normals[1][k]] for k, m in enumerate(models)]


def _rejects(
    asked: Question, sizes: tuple[int, int], test: Test, generator: np.random.Generator
) -> tuple[bool, float]:
    """Whether one simulated study rejects the null hypothesis, and its interval's width."""
    drawn = _draw(asked, sizes, generator)
    level, two_sided = test.level, test.alternative == "two-sided"
    if asked.second is None:
        scores = Scores._of(tally(*(np.sort(v) for v in drawn[0])))
        interval = auc_interval(scores, confidence_level=1.0 - level)
        tested = interval if two_sided else auc_interval(scores, confidence_level=1.0 - 2.0 * level)
        above, below = tested.lower > asked.null_auc, tested.upper < asked.null_auc
        reject = above or below if two_sided else above if asked.effect > 0.0 else below
        return reject, interval.upper - interval.lower
    if asked.correlation == (0.0, 0.0):
        a, b = (Scores._of(tally(*(np.sort(v) for v in one))) for one in drawn)
        pair: Pair = UnpairedScores(a, b)
    else:
        positive = np.repeat([1, 0], sizes)
        scores_a, scores_b = (np.concatenate(v) for v in drawn)
        pair = PairedScores._of(scores_a, scores_b, positive, 1 - positive)
    one_sided: Alternative = "greater" if asked.effect > 0.0 else "less"
    alternative: Alternative = one_sided if test.alternative == "one-sided" else test.alternative
    result = auc_difference(pair, confidence_level=1.0 - level, alternative=alternative, margin=test.margin)
    width = result
    if not two_sided and test.alternative != "equivalence":
        width = auc_difference(pair, confidence_level=1.0 - level)
    return result.pvalue < level, width.upper - width.lower


def simulated(asked: Question, sizes: tuple[int, int], test: Test, n_resamples: int, rng: RNG) -> Power:
    """Share of simulated studies that reject, and their intervals' mean width."""
    count = check_count("n_resamples", n_resamples, minimum=2)
    found = np.empty((count, 2))
    with warnings.catch_warnings():
        # A perfectly separated sample is one of many here.
        warnings.simplefilter("ignore", ConfrocWarning)
        for i, seed in enumerate(spawn(rng, count)):
            generator = np.random.Generator(np.random.SFC64(seed))
            found[i] = _rejects(asked, sizes, test, generator)
    share, width = (float(v) for v in found.mean(axis=0))
    return Power(
        n_pos=sizes[0],
        n_neg=sizes[1],
        power=share,
        width=width,
        effect=asked.effect,
        significance_level=test.level,
        alternative=test.alternative,
        standard_error=math.sqrt(max(share * (1.0 - share), 1.0 / count) / count),
        method="simulation",
        margin=test.margin,
    )
