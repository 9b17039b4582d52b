"""Effects of more cases, by the formulas for the planning of studies."""

from __future__ import annotations

import math
from typing import Any

from confroc._check import ArgumentError
from confroc.pages import facts
from confroc.pages.section import ReportData, Section
from confroc.pages.templating import sentence
from confroc.planning import Power, auc_power, auc_sample_size

FEWEST = 10
"""Fewest cases of a class for planning."""
POWER = 0.8
"""Power of plans."""
FEASIBLE = 1_000_000
"""Most cases of a plan."""


def planning(data: ReportData) -> Section:
    """Plan the width of the AUC's interval with twice the cases, and the cases needed for significance.

    With many models this is for the leading one, and for its comparison with the next one.
    """
    level = data.confidence_level
    scores = next(iter(data.models.values()))
    n = scores.n_pos + scores.n_neg
    widths: list[tuple[str, float, float]] = []
    chances: list[str] = []
    apart: list[str] = []
    models, pairs, uses = [], [], []
    for name in [data.leader] if data.many else list(data.models):
        now = data.areas[name][0]
        planned, present = _power(data, name, 2), _power(data, name, 1)
        if planned is None or present is None or not planned.width < present.width:
            continue
        # The plan is for another method of intervals, so its width is used as a factor only.
        width = now.upper - now.lower
        narrower = width * planned.width / present.width
        widths.append((name, width, narrower))
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
    narrowed = []
    if widths:
        digits = max(2, 1 - math.floor(math.log10(min(then for _, _, then in widths))))
        narrowed = [sentence("narrower", widths=widths, digits=digits, level=level)]
    leading = [line for line, it in zip(apart, pairs, strict=True) if data.leader in (it["a"], it["b"])]
    record = {"more": n, "models": models, "pairs": pairs}
    return Section(
        view={"lines": narrowed + chances + apart},
        record=record,
        headlines=narrowed + (leading if apart else chances)[:1],
        uses=uses,
    )


def _needed(plan: Power, names: tuple[str, ...], effect: float, n_pairs: int = 1) -> str:
    """Return the sentence on the cases needed, with two digits."""
    cases = round(float(f"{plan.n_pos + plan.n_neg:.2g}"))
    return sentence(
        "needed", cases=cases, most=FEASIBLE, power=POWER, names=names, effect=effect, n_pairs=n_pairs
    )


def open_pairs(data: ReportData) -> list[tuple[str, str]]:
    """Return the pairs that do not differ significantly; with many models at most the first two models."""
    if data.compared is None:
        return []
    found = data.compared[0]
    names = facts.distinct(found)
    pairs = [(names[0], names[1])] if data.many and len(names) > 1 else facts.distinct_pairs(found)
    return [pair for pair in pairs if not facts.significant(found[pair])]


def _power(data: ReportData, name: str, times: int) -> Power | None:
    """Return the plan for so many times the cases; None for too few cases."""
    scores = data.models[name]
    if min(scores.n_pos, scores.n_neg) < FEWEST:
        return None
    sizes = {of: round(times * getattr(scores, of)) for of in ("n_pos", "n_neg")}
    try:
        return auc_power(scores, **sizes, significance_level=round(1.0 - data.confidence_level, 12))
    except ArgumentError:  # Scores without variance allow no plan.
        return None


def _cases(pilot: Any, level: float) -> Power | None:
    """Return the cases needed if the effect is as estimated, or None if no number suffices."""
    if min(pilot.n_pos, pilot.n_neg) < FEWEST:
        return None
    try:
        return auc_sample_size(pilot, power=POWER, significance_level=round(1.0 - level, 12))
    except ArgumentError:
        return None
