"""What more cases would settle, by the formulas with which studies are planned."""

from __future__ import annotations

from typing import Any, NamedTuple

from confroc._check import ArgumentError
from confroc.auc import auc_power, auc_sample_size
from confroc.auc.study import Power
from confroc.pages import verdicts
from confroc.pages.section import ReportData

MORE, MANY = 100, 1_000
"""Cases to add; from so many cases on, as many again, since a hundred would change nothing."""
FEWEST = 10
"""Cases of a class from which its variance is known well enough to plan by."""
POWER = 0.8
"""Wanted, as usual."""


class Plans(NamedTuple):
    """Sentences, those of them for the summary, what the JSON file holds, and the methods used."""

    lines: list[str]
    headlines: list[str]
    record: dict[str, Any]
    uses: list[tuple[str, str, str]]


def planning(data: ReportData) -> Plans:
    """Say how far more cases would narrow the areas' intervals, and how many would settle what is open.

    Of many models only the leading one is told of, and the one that comes next.
    """
    level = data.confidence_level
    scores = next(iter(data.models.values()))
    n = scores.n_pos + scores.n_neg
    more = MORE if n <= MANY else n
    leader = max(data.models, key=lambda name: data.models[name].auc)
    told = [leader] if data.many else list(data.models)
    widths: list[tuple[str, float, float]] = []
    narrowed, chances, apart = [], [], []
    models, pairs, uses = [], [], []
    for name in told:
        now = data.areas[name][0]
        planned, present = _power(data, name, n, more), _power(data, name, n, 0)
        if planned is None or present is None or not planned.width < present.width:
            continue
        # Plans are of another interval than the report's, so they tell by what factor, and not how wide.
        width = now.upper - now.lower
        narrower = width * planned.width / present.width
        widths.append((name, width, narrower))
        uses.append(("auc_power", name, planned.method))
        chance = _cases(data.models[name], level) if now.lower <= 0.5 < now.estimate else None
        if chance is not None:
            chances.append(verdicts.to_beat_chance(name, now.estimate, chance.n_pos + chance.n_neg))
            uses.append(("auc_sample_size", name, chance.method))
        models.append({
            "model": name, "width": width, "width_with_more": narrower,
            "better_than_chance": None if chance is None else chance.to_dict(),
        })  # fmt: skip
    if widths:
        narrowed.append(verdicts.narrower(widths, more, level, doubled=n > MANY))
    for a, b in open_pairs(data):
        assert data.scores is not None
        assert data.compared is not None
        needed = _cases(data.scores[a, b], data.pair_level)
        if needed is None:
            continue
        cases, all_pairs = needed.n_pos + needed.n_neg, len(data.compared[0].differences)
        apart.append(verdicts.to_tell_apart(a, b, needed.effect, cases, all_pairs))
        pairs.append({"a": a, "b": b} | needed.to_dict())
        uses.append(("auc_sample_size", f"{a} − {b}", needed.method))
    record = {"more": more, "models": models, "pairs": pairs}
    return Plans(narrowed + chances + apart, narrowed + (apart or chances)[:1], record, uses)


def open_pairs(data: ReportData) -> list[tuple[str, str]]:
    """Return the pairs that these cases do not tell apart; of many models only the first two, if not they."""
    if data.compared is None:
        return []
    found = data.compared[0]
    names = verdicts.distinct(found)
    # Copies are told once: what tells one of them from a third model tells the others too.
    pairs = [(names[0], names[1])] if data.many and len(names) > 1 else verdicts.distinct_pairs(found)
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
    except ArgumentError:  # Scores without variance tell nothing of other samples.
        return None


def _cases(pilot: Any, level: float) -> Power | None:
    """The cases that show what these do not, if it is as seen; None if no number would, or too many."""
    if min(pilot.n_pos, pilot.n_neg) < FEWEST:
        return None
    try:
        return auc_sample_size(pilot, power=POWER, significance_level=round(1.0 - level, 12))
    except ArgumentError:
        return None
