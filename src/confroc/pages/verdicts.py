"""What comparisons of models allow to say: sentences that claim no more than the intervals behind them.

A model is called better than another only where the interval of their difference leaves out zero. Of more
than two models these intervals hold together (`confroc.distributions.joint_level`), so with models that are
really equal any such sentence at all is as rare as the level says.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, TypeAlias

from confroc.cost import ExpectedCost
from confroc.distributions import holm
from confroc.pages import words
from confroc.results import Difference, Interval

Names: TypeAlias = tuple[str, str]

MOST_TOLD = 6
"""Comparisons that each get a sentence of their own; of more, only what they say of the best model."""


class Oriented(NamedTuple):
    """A difference, the first model minus the second, told from the side of the model named first."""

    estimate: float
    lower: float
    upper: float


def oriented(found: Mapping[Names, Interval], first: str, second: str) -> Oriented | None:
    """Return the difference `first` − `second`, whichever way it was computed; None if it was not."""
    if (first, second) in found:
        it = found[first, second]
        return Oriented(it.estimate, it.lower, it.upper)
    if (second, first) in found:
        it = found[second, first]
        return Oriented(-it.estimate, -it.upper, -it.lower)
    return None


def rivals(
    leader: str, names: Collection[str], found: Mapping[Names, Interval], *, less_is_better: bool = False
) -> list[str]:
    """Return the models that no interval shows to be worse than the leader."""
    compared = {name: oriented(found, leader, name) for name in names if name != leader}
    if less_is_better:
        return [name for name, it in compared.items() if it is None or not it.upper < 0.0]
    return [name for name, it in compared.items() if it is None or not it.lower > 0.0]


def adjustment(n: int, level: float) -> dict[str, Any]:
    """Describe, for the JSON file, how n comparisons are adjusted for each other."""
    intervals, pvalues = ("bonferroni", "holm") if n > 1 else ("none", "none")
    return {"comparisons": n, "joint_confidence_level": level, "intervals": intervals, "pvalues": pvalues}


def ranking(found: Mapping[Names, Difference], estimates: Mapping[str, float], level: float) -> list[str]:
    """Say which model ranks cases better, as far as the intervals do.

    Parameters
    ----------
    found : mapping of (str, str) to Difference
        Of the areas of every pair, at `joint_level`.
    estimates : mapping of str to float
        Area of each model.
    level : float
        At which the intervals hold together.
    """
    adjusted = holm([it.pvalue for it in found.values()])
    if len(found) <= MOST_TOLD:
        return [
            _pair(pair, it, float(p), level, len(found))
            for (pair, it), p in zip(found.items(), adjusted, strict=True)
        ]
    leader = max(estimates, key=lambda name: estimates[name])
    equal = rivals(leader, estimates, found)
    told = sum(it.lower > 0.0 or it.upper < 0.0 for it in found.values())
    how = f"{words.percent(level)} confidence for all {len(found)} comparisons together"
    if equal:
        first = f"These cases do not settle which of {words.listed([leader, *equal], 'and')} ranks cases best"
        worse = [name for name in estimates if name not in (leader, *equal)]
        if worse:
            first += (
                f"; {words.listed(worse, 'and')} {'ranks' if len(worse) == 1 else 'rank'} worse than {leader}"
            )
    else:
        first = f"{leader} ranks cases better than every other model"
    return [
        f"{first} ({how})",
        f"{told} of {len(found)} pairs of models are told apart by their areas ({how})",
    ]


def _pair(pair: Names, found: Difference, p: float, level: float, n: int) -> str:
    a, b = pair
    settled = found.lower > 0.0 or found.upper < 0.0
    if settled and found.upper < 0.0:
        a, b = b, a
    it = oriented({pair: found}, a, b)
    assert it is not None
    verdict = (
        f"{a} ranks cases better than {b}"
        if settled
        else f"These cases do not settle whether {a} or {b} ranks better"
    )
    joint = "" if n == 1 else "joint "
    together = "" if n == 1 else f" adjusted for {n} comparisons"
    return (
        f"{verdict}: AUC difference {words.signed(it.estimate)}, {joint}{words.percent(level)} interval "
        f"{words.between_signed(it.lower, it.upper)}, {words.pvalue(p)}{together}"
    )


def cheapest(found: Mapping[Names, Interval], costs: Mapping[str, Interval], level: float) -> str:
    """Say which model costs least, as far as the intervals do.

    Parameters
    ----------
    found : mapping of (str, str) to Interval
        Differences of the costs of every pair, at `joint_level`.
    costs : mapping of str to Interval
        Of each model; at least two.
    level : float
        At which the intervals of the differences hold together.
    """
    leader = min(costs, key=lambda name: costs[name].estimate)
    others = [name for name in costs if name != leader]
    equal = rivals(leader, costs, found, less_is_better=True)
    worse = [name for name in others if name not in equal]
    verdict = f"{leader} costs least at these unit costs"
    if equal:
        unsettled = words.listed([leader, *equal], "and")
        verdict = f"These cases do not settle which of {unsettled} costs least at these unit costs"
        if worse:
            cost = "costs" if len(worse) == 1 else "cost"
            verdict += f" ({words.listed(worse, 'and')} {cost} more than {leader})"
    joint = "" if len(found) == 1 else "joint "
    saved = []
    for name in others[:MOST_TOLD]:
        it = oriented(found, name, leader)
        if it is not None:
            interval = f"{words.signed_number(it.lower)} to {words.signed_number(it.upper)}"
            saved.append(
                f"{leader} saves {words.number(it.estimate)} per case against {name}, "
                f"{joint}{words.percent(level)} interval {interval}"
            )
    return f"{verdict}: {'; '.join(saved)}"


def costing(name: str, cost: ExpectedCost) -> str:
    """Say what a model costs at its cheapest threshold, and how that was judged."""
    where = (
        "calling nobody positive"
        if math.isinf(cost.threshold)
        else f"calling positive from {words.threshold(cost.threshold)}"
    )
    best = words.thresholds(cost.threshold_lower, cost.threshold_upper)
    sure = best == words.threshold(cost.threshold)
    return (
        f"{name}: {words.number(cost.estimate)} per case, {words.percent(cost.confidence_level)} interval "
        f"{words.number(cost.lower)} to {words.number(cost.upper)}, {where}"
        f"{'' if sure else f' (the best threshold may be {best})'}; {judged(cost)}; "
        f"{words.number(cost.trivial)} without a model"
    )


def judged(cost: ExpectedCost) -> str:
    """Say on which cases the threshold was chosen, and what was done about it."""
    if cost.threshold_source != "same_sample":
        return "threshold chosen on other cases"
    if math.isnan(cost.optimism):
        return "optimistic, as the threshold was chosen on these same cases"
    return "corrected for choosing the threshold on these same cases"
