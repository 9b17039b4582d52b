"""Evaluators of remarks of the paper on ROC curves: errors of curves, tests by intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from confroc import KernelModel, roc_curve
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rates import places
from confroc.auditing.rules import Drawn
from confroc_lab import Rule
from confroc_lab._types import FloatArray
from confroc_lab.rates import MATCHED
from confroc_lab.samples import discordant_at

CURVES = ("empirical", "kernel")


def squared_errors(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Sum the squared errors of the empirical and of the smoothed curve, as widths of "error"."""
    samples, at = drawn.samples, np.array(rule.at)
    truth = drawn.model.rates(drawn.model.threshold_at_fpr(at))[1]
    made: dict[str, FloatArray] = {name: np.empty((samples.reps, len(at))) for name in CURVES}
    for i in range(samples.reps):
        scores = samples.scores(i)
        made["empirical"][i] = roc_curve(scores).tpr_at(at)
        made["kernel"][i] = KernelModel.fit(scores).tpr(at)
    return [_sums(name, "error", at, np.square(found - truth)) for name, found in made.items()]


def _sums(method: str, quantity: str, at: FloatArray, values: Any) -> Coverage:
    reps, zero = np.full(len(at), len(values)), np.zeros(len(at), np.int64)
    sums = values.sum(axis=0), np.square(values).sum(axis=0)
    return Coverage(method, quantity, at, reps, reps, zero, reps, zero, zero, zero, zero, *sums)


def tests_of_equality(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals for the difference of two models' TPRs that contain 0: samples that show no difference.

    Both models are at the same total positive rate; an interval of zero width that is 0 shows none either.
    """
    samples, at = drawn.samples, np.array(rule.at)
    t_a, t_b = (places(model, rule.at, drawn.share, False)[0] for model in drawn.models)
    n10, n01 = discordant_at(samples.pos, (t_a, t_b))
    zero = np.zeros(len(at))
    return [
        counted(
            method,
            "no difference",
            at,
            zero,
            *MATCHED[method](n10, n01, samples.n_pos, rule.confidence_level),
        )
        for method in rule.methods
    ]
