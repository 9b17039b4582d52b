"""Coverage of intervals for rates at a predicted-positive rate, of one model and of two."""

from __future__ import annotations

import numpy as np

from confroc import rates_at_positive_rate, rates_difference_at_positive_rate
from confroc.auditing.coverage import Coverage, counted, counted_region
from confroc.auditing.populations import Population, threshold_at_positive_rate
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.methods import FAMILIES
from confroc_lab._types import FloatArray


def rates_at_share(population: Population, rate: FloatArray, share: float) -> tuple[FloatArray, FloatArray]:
    """Return the true (FPR, TPR) at a predicted-positive rate, for this prevalence.

    Where scores tie at the threshold a random part of the tied cases is predicted positive.
    """
    if population.support is None:
        inside = rate < 1.0
        threshold = threshold_at_positive_rate(population, np.where(inside, rate, 0.5), share)
        fpr, tpr = (np.where(inside, side, 1.0) for side in population.rates(threshold))
        return fpr, tpr
    fpr, tpr = (
        np.concatenate([[0.0], np.sort(side), [1.0]]) for side in population.rates(population.support)
    )
    flagged = share * tpr + (1.0 - share) * fpr
    return np.interp(rate, flagged, fpr), np.interp(rate, flagged, tpr)


def rates_at_shares(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true FPR, TPR (both: "joint") and precision at each place."""
    samples, at = drawn.samples, np.array(rule.at)
    fpr, tpr = rates_at_share(drawn.model, at, drawn.share)
    precision = drawn.share * tpr / at
    out: list[Coverage] = []
    for method in rule.methods:
        name, options = parse(method)
        options |= {"sampling": drawn.sampling, "rng": drawn.rng}
        options |= FAMILIES["rates_at_positive_rate"].taken(name, {"n_resamples": rule.n_resamples})
        ends = np.empty((3, 2, samples.reps, len(at)))
        for i in range(samples.reps):
            found = rates_at_positive_rate(
                samples.scores(i),
                positive_rate=at,
                method=name,
                confidence_level=rule.confidence_level,
                **options,
            )
            assert found.precision is not None
            ends[:, :, i] = [(side.lower, side.upper) for side in (found.fpr, found.tpr, found.precision)]
        sides = [(low, high) for low, high in ends]
        out += counted_region(method, at, ("fpr", "tpr"), (fpr, tpr), sides[:2])
        out.append(counted(method, "precision", at, precision, *sides[2]))
    return out


def rates_differences_at_shares(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true differences a − b of FPR and TPR at each place."""
    samples, at = drawn.samples, np.array(rule.at)
    (fpr_a, tpr_a), (fpr_b, tpr_b) = (rates_at_share(model, at, drawn.share) for model in drawn.models)
    truth = fpr_a - fpr_b, tpr_a - tpr_b
    out: list[Coverage] = []
    for method in rule.methods:
        name, options = parse(method)
        options |= {"sampling": drawn.sampling, "rng": drawn.rng}
        options |= FAMILIES["rates_difference_at_positive_rate"].taken(
            name, {"n_resamples": rule.n_resamples}
        )
        ends = np.empty((2, 2, samples.reps, len(at)))
        for i in range(samples.reps):
            found = rates_difference_at_positive_rate(
                samples.pair(i),
                positive_rate=at,
                method=name,
                confidence_level=rule.confidence_level,
                **options,
            )
            ends[:, :, i] = [(side.lower, side.upper) for side in (found.fpr, found.tpr)]
        out += counted_region(method, at, ("fpr", "tpr"), truth, [(low, high) for low, high in ends])
    return out
