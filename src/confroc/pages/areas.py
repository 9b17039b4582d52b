"""Areas under the curve: today, after drift, and compared between models."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from confroc._check import check_number
from confroc.bands import roc_difference_band
from confroc.drift import auc_forecast
from confroc.methods import FAMILIES
from confroc.pages import facts, words
from confroc.pages.figures import difference_figure
from confroc.pages.planning import planning
from confroc.pages.section import (
    ENDS,
    FEW,
    NO_JOINT,
    SEED,
    ReportData,
    Section,
    band_record,
    if_allowed,
    noted,
    resamples,
)
from confroc.pages.templating import sentence
from confroc.points import rates_difference_at_positive_rate
from confroc.results import Comparison, Interval
from confroc.scores import PairedScores, Scores


def area(data: ReportData) -> Section:
    """Report the AUC of every model.

    With many models the summary states the largest and the smallest only, with simultaneous intervals.
    """
    rows: list[dict[str, Any]] = []
    remarks: list[str] = []
    for name, scores in data.models.items():
        interval, notes = data.areas[name]
        own = _remarks(scores, interval)
        rows.append({"model": name, "interval": interval, "notes": notes + own})
        remarks += [f"{name}: {text}" for text in own]
    level, shown = data.confidence_level, data.shown_areas
    if data.many and data.compared is not None:
        ends = {
            word: {"model": data.compared[0].ranking[place]} | shown[data.compared[0].ranking[place]]
            for word, place in (("highest", 0), ("lowest", -1))
        }
        headlines = [sentence("extremes", **ends, level=level, n=len(rows))]
    else:
        headlines = [sentence("area", name=name, interval=it, level=level) for name, it in shown.items()]
    return Section(
        view={"remarks": remarks},
        record=[
            {"model": row["model"]} | row["interval"].to_dict() | {"notes": list(row["notes"])}
            for row in rows
        ],
        headlines=headlines,
        notes=[(row["model"], text) for row in rows for text in row["notes"]],
        uses=[("auc_interval", row["model"], str(row["interval"].method)) for row in rows],
    )


def _remarks(scores: Scores, interval: Interval) -> tuple[str, ...]:
    constant = len(scores.score) == 1
    return (sentence("area_note", constant=constant),) if constant or interval.upper < 0.5 else ()


def ranking(found: Comparison) -> list[str]:
    """Return the sentences that compare the AUCs; copies of a model count once.

    With two models they state the difference, with more the models that may be the best, and those that the
    leading model exceeds.
    """
    level, names, pairs = found.confidence_level, facts.distinct(found), facts.distinct_pairs(found)
    lines = [sentence("identical", names=same) for same in found.alike]
    if len(pairs) == 1:
        (a, b), it = pairs[0], found[pairs[0]]
        shown = words.differences(it.estimate, it.lower, it.upper)
        row = {"a": a, "b": b, "apart": facts.significant(it), "shown": shown, "pvalue": it.pvalue}
        lines.append(sentence("difference", what="AUC", level=level, **row))
    elif pairs:
        leader, *others = names
        best = [name for name in names if name in found.may_be_best]
        rest = [name for name in names if name not in best]
        lines.append(sentence("may_be", what="best", names=best, others=rest, level=level))
        worse = [name for name in others if facts.significant(found[leader, name])]
        n_apart = sum(facts.significant(found[pair]) for pair in pairs)
        counts = {"n": len(names), "n_apart": n_apart, "n_pairs": len(pairs)}
        lines.append(sentence("leads", leader=leader, worse=worse, level=level, **counts))
    return lines


def comparison(data: ReportData) -> Section | None:
    """Rank the models, test them against each other, and draw differences of their curves in bands.

    Everything is adjusted for the number of models. Few models are compared in pairs. With many models the
    leading one is compared with each other, its curve with those of the next ones, and a table marks the
    pairs that differ significantly.
    """
    if data.scores is None or data.compared is None:
        return None
    found, remarks = data.compared
    names = facts.distinct(found)
    # Copies of a model have the same differences as the model.
    pairs = [
        (a, b) for a, b in data.pairs(found.ranking) if {a, b} <= {*names} or facts.identical(found, a, b)
    ]
    rows = [
        {"name": f"{a} − {b}", "difference": found[a, b], "alike": facts.identical(found, a, b)}
        for a, b in pairs
    ]
    first_of = {name: same[0] for same in found.alike for name in same[1:]}
    nothing: Any = ([], [], [])
    apart = if_allowed(_curves_apart, data, data.scores, pairs[:FEW]) if data.scores.joint else nothing
    curves, notes, uses = apart or nothing
    for row in curves:
        row["alike"] = facts.identical(found, row["record"]["a"], row["record"]["b"])
    if not data.scores.joint:
        notes.append(("differences of curves", NO_JOINT))
    higher = [] if data.many else [line for row in curves for line in row["headlines"]]
    return Section(
        key="comparison",
        title="Comparison",
        template="comparison.html",
        view={
            "found": found,
            "first_of": first_of,
            "ranked": ranking(found),
            "rows": rows,
            "matrix": _matrix(found) if data.many else [],
            "n_pairs": len(found.differences),
            "curves": curves,
            "each": data.pair_level,
            "notes": remarks,
        },
        record=found.to_dict()
        | {"ranking": list(found.ranking), "notes": list(remarks)}
        | {"curves": [row["record"] for row in curves]},
        headlines=ranking(found) + higher,
        notes=[("all models", text) for text in remarks] + notes,
        uses=[("auc_comparison", "all models", str(found.method)), *uses],
    )


def _matrix(found: Comparison) -> list[dict[str, Any]]:
    """Differences of every model from all others and their significance, by rank; None from itself."""

    def cell(one: str, other: str) -> dict[str, Any] | None:
        if one == other:
            return None
        it = found[one, other]
        mark = "open" if not facts.significant(it) else "better" if it.estimate > 0.0 else "worse"
        return {"difference": it, "mark": "alike" if facts.identical(found, one, other) else mark}

    return [{"model": one, "cells": [cell(one, other) for other in found.ranking]} for one in found.ranking]


def _curves_apart(
    data: ReportData, scores: PairedScores, pairs: list[tuple[str, str]]
) -> tuple[list[dict[str, Any]], list[tuple[str, str]], list[tuple[str, str, str]]]:
    """Compare the curves of pairs, all together: rows to show, notes, and the methods used."""
    each, n = data.pair_level, scores.n_pos + scores.n_neg
    rows: list[dict[str, Any]] = []
    notes: list[tuple[str, str]] = []
    uses: list[tuple[str, str, str]] = []
    draws: dict[str, Any] = {"n_resamples": resamples(each), "rng": SEED}
    for a, b in pairs:
        name, pair = f"{a} − {b}", scores[a, b]
        band, remarks = noted(roc_difference_band, pair, confidence_level=each, **draws)
        a_leads = set(band.at[band.lower > 0.0].tolist())
        ranges: list[dict[str, Any]] = [
            {"model": a if low in a_leads else b, "low": low, "high": high} for low, high in band.different_at
        ]
        level, joint = data.confidence_level, len(data.models) > 2
        # A range that is narrower than the standard error of its rate is not stated.
        wide = [
            r for r in ranges if r["high"] - r["low"] > math.sqrt(r["low"] * (1.0 - r["low"]) / scores.n_neg)
        ]
        higher = [
            sentence("higher_curve", a=one, b=other, stretches=where, level=level, joint=joint)
            for one, other in ((a, b), (b, a))
            if (where := [(r["low"], r["high"]) for r in wide if r["model"] == one])
        ]
        # With as many cases as there are positives, a perfect model makes no error.
        same, added = noted(
            rates_difference_at_positive_rate, pair, positive_rate=[scores.n_pos / n], confidence_level=each
        )
        alt = f"Difference in true positive rate between {a} and {b} in its simultaneous band"
        kept = band_record(band, remarks, ENDS) | {"better": ranges}
        rows.append({
            "name": name,
            "band": band,
            "alt": alt,
            "headlines": higher,
            "same": same.tpr,
            "share": scores.n_pos / n,
            "notes": remarks + added,
            "record": {"a": a, "b": b, "n": n, "band": kept, "same_share": same.to_dict()},
        })  # fmt: skip
        notes += [(name, text) for text in remarks + added]
        uses.append(("roc_difference_band", name, str(band.method)))
        uses.append(("rates_difference_at_positive_rate", name, str(same.method)))
    bands = [row["band"] for row in rows]
    for row in rows:
        row["figure"] = difference_figure(row["band"], bands, alt=row["alt"])
    return rows, notes, uses


def outlook(data: ReportData) -> Section | None:
    """Plan for more cases and, if a budget for drift is given, bound each area after drift."""
    plans = planning(data)
    moved = None if data.jeffreys is None else drift(data, check_number("jeffreys", data.jeffreys))
    if moved is None and not plans.headlines:
        return None
    if moved is None:
        moved = Section(title="Sample size", view={"rows": []}, record={})
    return replace(
        moved,
        key="outlook",
        template="outlook.html",
        view={**moved.view, "planning": plans.view["lines"]},
        record=moved.record | {"planning": plans.record},
        headlines=plans.headlines + moved.headlines,
        uses=plans.uses + moved.uses,
    )


def drift(data: ReportData, jeffreys: float) -> Section:
    """Bound each area after drift within a budget."""
    level = data.confidence_level
    rows: list[dict[str, Any]] = []
    record, fixed, drifted, notes, uses = [], [], [], [], []
    for name, scores in data.models.items():
        found, remarks = noted(auc_forecast, scores, jeffreys=jeffreys, confidence_level=level)
        rows.append({"model": name, "forecast": found, "notes": remarks})
        record.append({"model": name} | found.to_dict() | {"notes": list(remarks)})
        # Where no reweighting changes the AUC, its interval without drift replaces the forecast.
        forecast = str(found.method) in FAMILIES["auc_forecast"].names
        if forecast:
            drifted.append(rows[-1])
        else:
            fixed.append(sentence("no_drift", name=name))
        notes += [(name, text) for text in remarks]
        uses.append(("auc_forecast" if forecast else "auc_interval", name, str(found.method)))
    if data.many:
        # The summary states the leading model's range alone.
        fixed, drifted = [], [row for row in drifted if row["model"] == data.leader]
    lines = [sentence("drift", rows=drifted, jeffreys=jeffreys, level=level)] if drifted else []
    return Section(
        title="Drift and sample size",
        view={"jeffreys": jeffreys, "rows": rows, "fixed": fixed},
        record={"jeffreys": jeffreys, "models": record},
        headlines=lines + fixed,
        notes=notes,
        uses=uses,
    )
