"""What more cases would show, by the formulas with which studies are planned."""

from __future__ import annotations

import math
from typing import Any

from confroc._check import ArgumentError
from confroc.pages import facts
from confroc.pages.section import ReportData, Section
from confroc.pages.templating import sentence
from confroc.planning import Power, auc_power, auc_sample_size

MORE, MANY = 100, 1_000
"""Cases to add; from so many cases on, as many again, since a hundred would change nothing."""
FEWEST = 10
"""Cases of a class from which its variance is known well enough to plan by."""
POWER = 0.8
"""Of plans, as usual."""
FEASIBLE = 1_000_000
"""Cases beyond which a plan is not feasible."""


def planning(data: ReportData) -> Section:
    """Plan how far more cases would narrow the areas' intervals, and how many would show what is open.

    Of many models only the leading one is planned for, and its comparison with the next one.
    """
    level = data.confidence_level
    scores = next(iter(data.models.values()))
    n = scores.n_pos + scores.n_neg
    more = MORE if n <= MANY else n
    widths: list[dict[str, str]] = []
    chances: list[str] = []
    apart: list[str] = []
    models, pairs, uses = [], [], []
    for name in [data.leader] if data.many else list(data.models):
        now = data.areas[name][0]
        planned, present = _power(data, name, n, more), _power(data, name, n, 0)
        if planned is None or present is None or not planned.width < present.width:
            continue
        # Plans are of another interval than the report's, so they give a factor, not a width.
        width = now.upper - now.lower
        narrower = width * planned.width / present.width
        digits = max(2, 1 - math.floor(math.log10(narrower)))
        widths.append({"model": name, "now": f"{width:.{digits}f}", "then": f"{narrower:.{digits}f}"})
        uses.append(("auc_power", name, str(planned.method)))
        chance = _cases(data.models[name], level) if now.lower <= 0.5 < now.estimate else None
        if chance is not None:
            chances.append(_needed(chance, (name,), now.estimate))
            uses.append(("auc_sample_size", name, str(chance.method)))
        models.append({
            "model": name, "width": width, "width_with_more": narrower,
            "better_than_chance": None if chance is None else chance.to_dict(),
        })  # fmt: skip
    for a, b in open_pairs(data):
        assert data.scores is not None
        assert data.compared is not None
        plan = _cases(data.scores[a, b], data.pair_level)
        if plan is None:
            continue
        apart.append(_needed(plan, (a, b), plan.effect, len(data.compared[0].differences)))
        pairs.append({"a": a, "b": b} | plan.to_dict())
        uses.append(("auc_sample_size", f"{a} − {b}", str(plan.method)))
    narrowed = [sentence("narrower", widths=widths, more=more, level=level)] if widths else []
    record = {"more": more, "models": models, "pairs": pairs}
    return Section(
        view={"lines": narrowed + chances + apart},
        record=record,
        headlines=narrowed + (apart or chances)[:1],
        uses=uses,
    )


def _needed(plan: Power, names: tuple[str, ...], effect: float, n_pairs: int = 1) -> str:
    """Return how many cases are needed, in two digits: the effect is known no better."""
    cases = round(float(f"{plan.n_pos + plan.n_neg:.2g}"))
    return sentence(
        "needed", cases=cases, most=FEASIBLE, power=POWER, names=names, effect=effect, n_pairs=n_pairs
    )


def open_pairs(data: ReportData) -> list[tuple[str, str]]:
    """Return the pairs that do not differ significantly; of many models only the first two, if at all."""
    if data.compared is None:
        return []
    found = data.compared[0]
    names = facts.distinct(found)
    pairs = [(names[0], names[1])] if data.many and len(names) > 1 else facts.distinct_pairs(found)
    turned = [(a, b) if found[a, b].estimate >= 0.0 else (b, a) for a, b in pairs]
    open_at = 1.0 - found.confidence_level
    return [pair for pair in turned if found[pair].lower <= 0.0 and found[pair].pvalue > open_at]


def _power(data: ReportData, name: str, n: int, more: int) -> Power | None:
    scores = data.models[name]
    if min(scores.n_pos, scores.n_neg) < FEWEST:
        return None
    sizes = {of: round(getattr(scores, of) * (1 + more / n)) for of in ("n_pos", "n_neg")}
    try:
        return auc_power(scores, **sizes, significance_level=round(1.0 - data.confidence_level, 12))
    except ArgumentError:  # Scores without variance allow no plan.
        return None


def _cases(pilot: Any, level: float) -> Power | None:
    """Return the cases needed if the effect is as estimated; None if no number is enough."""
    if min(pilot.n_pos, pilot.n_neg) < FEWEST:
        return None
    try:
        return auc_sample_size(pilot, power=POWER, significance_level=round(1.0 - level, 12))
    except ArgumentError:
        return None
