"""Areas under the curve: today, after drift, and compared between models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confroc._check import ArgumentError, check_number
from confroc.auc import auc_interval
from confroc.bands import roc_difference_band
from confroc.drift import auc_forecast, coarsened, hourglass
from confroc.methods import FUNCTIONS
from confroc.pages import verdicts, words
from confroc.pages.figures import difference_figure, hourglass_figure
from confroc.pages.planning import planning
from confroc.pages.section import ENDS, NO_JOINT, SEED, ReportData, Section, band_record, noted, resamples
from confroc.points import rates_difference_at_positive_rate
from confroc.results import Comparison, Interval
from confroc.scores import PairedScores, Scores

MANY = 5_000
"""Cases from which the bootstrap's band takes seconds a pair, and one without resampling is narrow enough."""
QUICK = "ks_regions"
"""That band's method."""

USUAL_PSI = 0.1
"""Where no budget is given: what credit risk calls the end of a small shift."""
NEAREST, FARTHEST, DISTANCES = 1e-3, 1.0, 10
LEAST_PSI, MOST_PSI = 1e-9, 1e3
"""Drifts between which a picture over their logarithm is drawn."""
BESIDE = {
    "This report": "score_delong",
    "DeLong": "delong",
    "Newcombe": "newcombe",
    "Birnbaum–Klose": "upper_bound",
}
"""Intervals for the population as it is, to set beside the range after drift."""


def area(data: ReportData) -> Section:
    """Give every model's AUC.

    Of many models the summary tells only the largest and the smallest, with intervals that hold together.
    """
    rows: list[dict[str, Any]] = []
    headlines = []
    for name, scores in data.models.items():
        interval, notes = data.areas[name]
        rows.append({"model": name, "interval": interval, "notes": notes + _remarks(scores, interval)})
        headlines.append(
            f"{name}: AUC {words.rate(interval.estimate)}, {words.percent(data.confidence_level)} interval "
            f"{words.between(interval.lower, interval.upper)}{_reading(interval)}"
        )
    if data.many and data.compared is not None:
        headlines = verdicts.extremes(data.compared[0])
    return Section(
        key="auc",
        title="Area under the curve",
        template="curves.html",
        view={"rows": rows},
        record=[
            {"model": row["model"]} | row["interval"].to_dict() | {"notes": list(row["notes"])}
            for row in rows
        ],
        headlines=headlines,
        notes=[(row["model"], text) for row in rows for text in row["notes"]],
        uses=[("auc_interval", row["model"], row["interval"].method) for row in rows],
    )


def _reading(interval: Interval) -> str:
    """Say what an interval that is not above 0.5 means."""
    if interval.upper < 0.5:
        return ": low scores mark positives, so negate these if lower means more likely positive"
    return ": not shown to rank better than chance" if interval.lower <= 0.5 else ""


def _remarks(scores: Scores, interval: Interval) -> tuple[str, ...]:
    if len(scores.score) == 1:
        return ("All scores are equal: they rank none of these cases. The interval is what they leave open.",)
    if interval.upper < 0.5:
        return (
            "The AUC is below 0.5 and so is its whole interval: low scores mark positives. If lower means "
            "more likely positive, negate the scores; confroc never flips them for you.",
        )
    if scores.auc < 0.5:
        return ("The AUC is below 0.5: in these cases, low scores mark positives rather than high ones.",)
    if interval.lower <= 0.5:
        return ("The interval includes 0.5: these cases do not show that the scores do better than chance.",)
    return ()


def comparison(data: ReportData) -> Section | None:
    """Rank the models, test them against each other, and draw differences of their curves in bands.

    All is adjusted for the number of models. Of a few every pair is told in full; of many the leading model
    is held against each other one, and a table marks which pairs are told apart.
    """
    if data.scores is None or data.compared is None:
        return None
    found, said = data.compared
    leader = found.ranking[0]
    names = verdicts.distinct(found)
    # What is told of a model holds of its copies.
    pairs = [
        (a, b) for a, b in data.pairs(found.ranking) if {a, b} <= {*names} or verdicts.alike(found, a, b)
    ]
    rows = [
        {"name": f"{a} − {b}", "difference": found[a, b], "alike": verdicts.alike(found, a, b)}
        for a, b in pairs
    ]
    first_of = {name: same[0] for same in found.alike for name in same[1:]}
    places = {name: place for place, name in enumerate(data.models)}
    areas = [
        {
            "model": name,
            "series": places[name],
            "lower": float(found.areas.lower[places[name]]),
            "upper": float(found.areas.upper[places[name]]),
            "estimate": float(found.areas.estimate[places[name]]),
            "may_be_best": name in found.may_be_best,
            "alike": first_of.get(name, ""),
            "lead": None if name == leader or verdicts.alike(found, leader, name) else found[leader, name],
        }
        for name in found.ranking
    ]
    curves, notes, uses = _curves_apart(data, data.scores, pairs) if data.scores.joint else ([], [], [])
    for row in curves:
        row["alike"] = verdicts.alike(found, row["record"]["a"], row["record"]["b"])
    if not data.scores.joint:
        notes.append(("differences of curves", NO_JOINT))
    apart = verdicts.curves_apart([row["record"] for row in curves], data) if curves else ""
    return Section(
        key="comparison",
        title="Which model?",
        template="comparison.html",
        question="model",
        view={
            "found": found,
            "areas": areas,
            # What the bars in the table span: as much of the areas as is needed, in tenths.
            "low": math.floor(10.0 * found.areas.lower.min()) / 10.0,
            "high": math.ceil(10.0 * found.areas.upper.max()) / 10.0,
            "test": verdicts.joint_test(found),
            "disagree": verdicts.tests_disagree(found),
            "rows": [] if data.many else rows,
            "matrix": _matrix(found) if data.many else [],
            "n_pairs": len(found.differences),
            "curves": curves,
            # A band wider than the usual one is no reason to believe in equal curves.
            "wide_from": MANY if any(row["record"]["band"]["method"] == QUICK for row in curves) else None,
            "each": data.pair_level,
            "notes": said,
        },
        record=found.to_dict()
        | {"ranking": list(found.ranking), "notes": list(said), "curves": [row["record"] for row in curves]},
        headlines=verdicts.ranking(found) + ([apart] if apart else []),
        notes=[("all models", text) for text in said] + notes,
        uses=[("auc_comparison", "all models", found.method), *uses],
    )


def _matrix(found: Comparison) -> list[dict[str, Any]]:
    """Every model's differences from all, and how they stand, by rank; None from itself."""

    def cell(one: str, other: str) -> dict[str, Any] | None:
        if one == other:
            return None
        it = found[one, other]
        told = "better" if it.lower > 0.0 else "worse" if it.upper < 0.0 else "open"
        return {"difference": it, "mark": "alike" if verdicts.alike(found, one, other) else told}

    return [{"model": one, "cells": [cell(one, other) for other in found.ranking]} for one in found.ranking]


def _curves_apart(
    data: ReportData, scores: PairedScores, pairs: list[tuple[str, str]]
) -> tuple[list[dict[str, Any]], list[tuple[str, str]], list[tuple[str, str, str]]]:
    """Compare the curves of pairs, all together: rows to show, notes, and the methods used."""
    each, n = data.pair_level, scores.n_pos + scores.n_neg
    rows: list[dict[str, Any]] = []
    notes: list[tuple[str, str]] = []
    uses: list[tuple[str, str, str]] = []
    draws = {"n_resamples": resamples(each), "rng": SEED}
    options: dict[str, Any] = draws if n < MANY else {"method": QUICK}
    for a, b in pairs:
        name, pair = f"{a} − {b}", scores[a, b]
        band, said = noted(roc_difference_band, pair, confidence_level=each, **options)
        a_leads = set(band.at[band.lower > 0.0].tolist())
        ranges: list[dict[str, Any]] = [
            {"model": a if low in a_leads else b, "low": low, "high": high} for low, high in band.different_at
        ]
        told = [
            f"{m} finds more positives {where}" for m in (a, b) if (where := verdicts.finds_more(ranges, m))
        ]
        # As many cases as there are positives: the budget at which a perfect model makes no error.
        same, heard = noted(rates_difference_at_positive_rate, pair, scores.n_pos / n, confidence_level=each)
        level = words.percent(data.confidence_level)
        alt = f"Difference of the true positive rates of {a} and {b} inside its {level} simultaneous band"
        kept = band_record(band, said, ENDS) | {"better": ranges}
        rows.append({
            "name": name,
            "against": b,
            "figure": difference_figure(band, a=a, b=b, key=f"difference-{len(rows) + 1}", alt=alt),
            "ranges": told,
            "same": same.tpr,
            "flagged": scores.n_pos,
            "notes": said + heard,
            "record": {"a": a, "b": b, "n": n, "band": kept, "same_share": same.to_dict()},
        })  # fmt: skip
        notes += [(name, text) for text in said + heard]
        uses.append(("roc_difference_band", name, band.method))
        uses.append(("rates_difference_at_positive_rate", name, same.method))
    return rows, notes, uses


def outlook(data: ReportData) -> Section:
    """Say what more cases would settle, and bound each area after drift, at the budget given or at 0.1."""
    psi, level = USUAL_PSI if data.psi is None else check_number("psi", data.psi), data.confidence_level
    if not LEAST_PSI <= psi <= MOST_PSI:
        raise ArgumentError("psi", f"lie between {LEAST_PSI:g} and {MOST_PSI:g}", psi, "A usual one is 0.1.")
    at = np.geomspace(min(NEAREST, 0.5 * psi), max(FARTHEST, 2.0 * psi), DISTANCES)
    rows: list[dict[str, Any]] = []
    record, headlines, drifted, notes, uses = [], [], [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        few, moved = coarsened(scores)
        # The budget that was asked for is answered from the scores themselves.
        found, said = noted(
            auc_forecast, few if data.psi is None else scores, psi=psi, confidence_level=level
        )
        curve, _ = noted(hourglass, few, at, confidence_level=level)
        intervals = {
            label: noted(auc_interval, scores, method=method, confidence_level=level)[0]
            for label, method in BESIDE.items()
        }
        alt = f"Range of areas of {name} against the distance to the population now"
        figure = hourglass_figure(curve, intervals, psi, row=row, key=f"outlook-{row}", alt=alt)
        rows.append({"model": name, "forecast": found, "notes": said, "figure": figure, "moved": moved})
        shown = {"psi": curve.at.tolist(), "lower": curve.lower.tolist(), "upper": curve.upper.tolist()}
        beside = [{"name": label} | interval.to_dict() for label, interval in intervals.items()]
        drawn = {"notes": list(said), "curve": shown | {"max_deviation": moved}, "intervals": beside}
        record.append({"model": name} | found.to_dict() | drawn)
        bounds = words.between(found.lower, found.upper)
        # Where no reweighting moves the area, an interval for today's stands in for the forecast.
        forecast = found.method in FUNCTIONS["auc_forecast"].names
        if forecast:
            drifted.append(f"{bounds} ({name})")
        else:
            headlines.append(
                f"{name}: AUC {bounds} with {words.percent(level)} confidence if nothing drifts; these cases "
                f"do not show what a drift may do"
            )
        notes += [(name, text) for text in said]
        uses.append(("auc_forecast" if forecast else "auc_interval", name, found.method))
        uses += [("auc_interval", name, interval.method) for interval in intervals.values()]
    if drifted:
        headlines.insert(
            0,
            f"{words.percent(level)} interval of the AUC after a drift of population stability index {psi:g} "
            f"at most: {', '.join(drifted)}",
        )
    if data.many:
        lowest, highest = (
            pick(rows, key=lambda row: getattr(row["forecast"], end))
            for pick, end in ((min, "lower"), (max, "upper"))
        )
        headlines = [
            f"{len(rows)} models after a drift of population stability index {psi:g} at most: AUC between "
            f"{words.rate(lowest['forecast'].lower)} ({lowest['model']}) and "
            f"{words.rate(highest['forecast'].upper)} ({highest['model']}), each model within its range "
            f"below with {words.percent(level)} confidence"
        ]
    plans = planning(data)
    asked = {"psi": psi, "asked": data.psi is not None}
    return Section(
        key="outlook",
        title="What to expect next",
        template="outlook.html",
        question="next",
        view=asked | {"rows": rows, "planning": plans.lines},
        record=asked | {"models": record, "planning": plans.record},
        headlines=plans.headlines + headlines,
        notes=notes,
        uses=uses + plans.uses,
    )
