"""Coverage of intervals for the area and for the part of it up to a false positive rate of 0.2."""

from __future__ import annotations

import numpy as np

from balls import true_curve
from confroc import auc_interval
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.methods import FAMILIES

PART = 0.2


def partial_areas(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals of `auc_interval` that contain the true area, "auc", and its part, "part"."""
    fpr, tpr = true_curve(drawn.model)
    inside = np.unique(np.append(fpr[fpr <= PART], PART))
    truths = {"auc": drawn.model.auc, "part": float(np.trapezoid(np.interp(inside, fpr, tpr), inside))}
    out = []
    for method in rule.methods:
        name, options = parse(method)
        options |= FAMILIES["auc_interval"].taken(name, {"n_resamples": rule.n_resamples})
        for quantity, truth in truths.items():
            part = {"max_fpr": PART} if quantity == "part" else {}
            ends = np.empty((drawn.samples.reps, 2))
            for i in range(len(ends)):
                found = auc_interval(
                    drawn.samples.scores(i),
                    method=name,
                    confidence_level=rule.confidence_level,
                    rng=drawn.rng,
                    **options,
                    **part,
                )
                ends[i] = found.lower, found.upper
            out.append(
                counted(method, quantity, np.array([truth]), np.array([truth]), ends[:, :1], ends[:, 1:])
            )
    return out
