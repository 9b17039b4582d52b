"""Errors and costs of thresholds: exact numbers at a few hundred of them, which the page looks up.

The page computes no statistics, so this table has all that it shows on a threshold: counts, rates, predictive
values and their intervals. The cheapest thresholds at any costs are included.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.cost import (
    CostBand,
    ExpectedCost,
    cost_band,
    cost_curve,
    cost_difference_band,
    expected_cost,
    expected_cost_difference,
    lower_envelope,
)
from confroc.cost.best import NOT_CHEAPER
from confroc.general import interval
from confroc.ingest.reversal import negated
from confroc.pages import facts, words
from confroc.pages.figures import cost_figure
from confroc.pages.section import (
    ENDS,
    NO_JOINT,
    SEED,
    ReportData,
    Section,
    band_record,
    claims,
    if_allowed,
    noted,
    resamples,
    rounded,
)
from confroc.pages.templating import sentence
from confroc.points import rates_at_threshold, tpr_at_fpr
from confroc.results import Interval, Intervals, Regions
from confroc.scores import Scores
from confroc.scores.counting import counts_at, rows_above
from confroc.statistics import Metric
from confroc.statistics.cost import CostPerCase
from confroc.statistics.prevalence import share_in_use

METHOD: Literal["wilson"] = "wilson"
"""Method of intervals at any threshold."""
POINTS, ALL_POINTS = 500, 1000
"""Most thresholds of one model on the page, and of all models together."""
SHOWN = 9
"""Rows of the table of thresholds along the curve."""

EQUAL = {"false_negative": 1.0, "false_positive": 1.0}
"""Costs by default, with which the cost per case is the error rate."""
Differences: TypeAlias = Mapping[tuple[str, str], tuple[Interval, tuple[str, ...]]]
"""Differences of pairs of models, with their notes."""


def spread_rows(scores: Scores, most: int) -> IntArray:
    """Return at most `most` rows of the curve; in row r the r highest distinct scores are predicted positive.

    If there are more, rows are at even steps of a path that moves with both rates and with the logarithms of
    both error counts, so that the relative spacing is as fine at the ends of the curve as in its middle. The
    first row (nobody is predicted positive) and the last (everybody) are always included.
    """
    d = len(scores.score)
    if d < most:
        return np.arange(d + 1)
    pos, neg = (np.concatenate([[0], above]) for above in (scores.pos_above, scores.neg_above))
    path = pos / scores.n_pos + neg / scores.n_neg
    for errors, n in ((neg, scores.n_neg), (scores.n_pos - pos, scores.n_pos)):
        path += np.abs(np.log1p(errors) - math.log1p(float(errors[0]))) / math.log1p(n)
    steps = np.searchsorted(path, np.linspace(0.0, float(path[-1]), most))
    return np.unique(np.concatenate([[0], np.minimum(steps, d), [d]]))


def cheapest_rows(scores: Scores, most: int) -> IntArray:
    """Return the rows of thresholds that are the cheapest at some costs, at most so many."""
    threshold = lower_envelope(scores).threshold
    rows = np.searchsorted(-scores.score, -threshold, side="right").astype(np.int64)
    kept = np.linspace(0, len(rows) - 1, min(most, len(rows))).round().astype(np.int64)
    return np.asarray(rows[kept])


def operating_points(
    scores: Scores, level: float, most: int = POINTS, chosen: Sequence[float] = (), turned: bool = False
) -> tuple[dict[str, Any], Regions, tuple[str, ...]]:
    """Return the table of one model, the result it came from, and notes.

    Parameters
    ----------
    scores : Scores
    level : float
        Confidence level of each interval by itself.
    most : int
        Rows, cheapest thresholds not counted, of which there are as many again at most.
    chosen : sequence of float
        Thresholds that are to be among them, whatever scores there are.
    turned : bool
        Whether the scores are those of a column with the sign turned: "shown" is in the column's numbers.

    Returns
    -------
    record : dict
        "points" holds one list per column; "shown" has thresholds as short as the same calls allow.
        "joint" holds limits for both rates together.
    found : Regions
    notes : tuple of str
    """
    best, remarks = noted(cheapest_rows, scores, most)
    rows = np.union1d(spread_rows(scores, most), best)
    threshold = np.concatenate([[np.inf], scores.score])
    row = rows_above(scores.score, np.array(chosen, dtype=np.float64))
    rows, threshold[row] = np.union1d(rows, row), chosen
    threshold, below = threshold[rows], np.append(scores.score, -np.inf)[rows]
    tp, fp = (np.concatenate([[0], above])[rows] for above in (scores.pos_above, scores.neg_above))
    asked: dict[str, Any] = {"threshold": threshold, "method": METHOD, "confidence_level": level}
    found, notes = noted(rates_at_threshold, scores, **asked)
    together, _ = noted(rates_at_threshold, scores, joint=True, **asked)
    columns: dict[str, Any] = {"tpr": found.tpr, "fpr": found.fpr}
    for name, metric in (("precision", "ppv"), ("npv", "npv")):
        at = Metric(metric, threshold)
        columns[name], _ = noted(interval, scores, at, method=METHOD, confidence_level=level)
    every = len(rows) == len(scores.score) + 1
    shown: Shown = (lambda values: values) if every else rounded
    short = [words.same_rule(*ends) for ends in zip(threshold.tolist(), below.tolist(), strict=True)]
    short = negated(short) if turned else short
    points = {"threshold": threshold.tolist(), "shown": short, "tp": tp.tolist(), "fp": fp.tolist()}
    for name, column in columns.items():
        points |= _columns(name, column, shown)
    record = {
        "n_pos": scores.n_pos,
        "n_neg": scores.n_neg,
        "every_threshold": every,
        "points": points,
        "joint": {
            f"{rate.quantity}_{end}": shown(getattr(rate, end)).tolist()
            for rate in (together.tpr, together.fpr)
            for end in ("lower", "upper")
        },
    }
    return record | claims(found.tpr), found, tuple(dict.fromkeys(notes + remarks))


Shown: TypeAlias = Callable[[FloatArray], FloatArray]
"""Rounds numbers for the page, or keeps them."""


def _columns(name: str, found: Intervals, shown: Shown) -> dict[str, Any]:
    """Return estimates and ends as lists, with None for NaN, where a class is never predicted."""
    columns = {name: found.estimate, f"{name}_lower": found.lower, f"{name}_upper": found.upper}
    lists = {key: shown(values).tolist() for key, values in columns.items()}
    return {key: [None if math.isnan(x) else x for x in values] for key, values in lists.items()}


def _few_rows(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return thresholds at even steps along the curve, as rows of named values."""
    points = record["points"]
    along = np.add(points["tpr"], points["fpr"])
    inner = range(1, len(along) - 1)
    steps = np.linspace(0.0, 2.0, SHOWN + 2)[1:-1]
    picked = {int(np.abs(along[1:-1] - step).argmin()) + 1 for step in steps} if inner else {len(along) - 1}
    return [{name: column[i] for name, column in points.items()} for i in sorted(picked)]


def thresholds(data: ReportData) -> Section:
    """Recommend a threshold for each model, and tabulate its operating points.

    With unit costs, cost curves and differences of costs follow.
    """
    most = max(20, min(POINTS, ALL_POINTS // len(data.models)))
    record, models, notes, uses = [], [], [], []
    rows = recommended(data)
    differences = if_allowed(cost_differences, data, cheapest_first(rows)) or {}
    leader = leading(data, rows, {names: it for names, (it, _) in differences.items()})
    # If equal costs, which nobody asked for, lead to no useful threshold, the summary reports a rate instead.
    helpful = bool(data.unit_costs) or data.threshold is not None or leader.cheaper
    level, unit = data.confidence_level, data.unit_costs
    shown: dict[str, dict[Any, float]] = {row.model: {row.cost.threshold: row.shown} for row in rows}
    records: dict[str, Any] = {"recommended": recommended_record(data, rows, leader)}
    records["recommended"]["fpr"] = None if helpful else data.rates[-1]
    cheaper = [rival for rival in rows if rival.model == cheapest_first(rows)[0] != leader.model]
    # All given thresholds are stated; of recommended ones the table has the others.
    every = data.threshold is not None and not data.many
    headlines = [
        sentence("recommendation", it=row, unit=unit, level=level, rivals=cheaper if differences else [])
        for row in (rows if every else [leader])
    ]
    if not helpful:
        scores, fpr = data.models[leader.model], data.rates[-1]
        found, _ = noted(tpr_at_fpr, scores, fpr=[fpr], confidence_level=level)
        assert found.threshold is not None
        at = shorter(scores, float(found.threshold[0]), leader.turned)
        tpr = {end: float(getattr(found, end)[0]) for end in ENDS}
        # A threshold from other cases can be in the same row of the table.
        if math.isfinite(at) and data.validation is None:
            shown[leader.model][float(found.threshold[0])] = at
        headlines = [sentence("reached", it=leader, tpr=tpr, fpr=fpr, at=at, level=level)]
    # Predictive values, and the cheapest threshold at any costs, require independent cases.
    tabulated = {} if data.dependent else data.models
    for name, scores in tabulated.items():
        chosen, turned = shown[name], name in data.turned
        table, there, remarks = operating_points(scores, level, most, [*chosen], turned)
        # As in the sentences.
        for threshold, text in chosen.items():
            table["points"]["shown"][table["points"]["threshold"].index(threshold)] = text
        record.append({"model": name, "reversed": turned} | table | {"notes": list(remarks)})
        models.append({"model": name, "rows": _few_rows(table), "table": table, "notes": remarks})
        notes += [(name, text) for text in remarks]
        uses.append(("rates_at_threshold", name, str(there.method)))
    for row in rows:
        notes += [(row.model, text) for text in row.notes]
        uses.append(("expected_cost", row.model, str(row.cost.method)))
    costs = if_allowed(model_costs, data, rows, differences) if data.unit_costs else None
    if costs is not None:
        headlines = costs.headlines + headlines
        notes += costs.notes
        uses += costs.uses
        records["costs"] = costs.record
    return Section(
        key="thresholds",
        title="Threshold",
        template="thresholds.html",
        view={
            "lines": headlines,
            "models": models,
            "recommended": rows,
            "leader": leader,
            "helpful": helpful,
            "what": "Cost per case" if data.unit_costs else "Error rate",
            # Of all rows, so that they align.
            "places": max(words.places(c.estimate, c.lower, c.upper) for c in (row.cost for row in rows)),
            "condition": sentence("condition", unit=unit),
            "source": leader.cost.threshold_source,
            "unit": records["recommended"]["unit_costs"],
            "costs": None if costs is None else costs.view,
        },
        record=record,
        records=records,
        headlines=headlines,
        notes=list(dict.fromkeys(notes)),
        uses=uses,
    )


@dataclass(frozen=True, kw_only=True)
class Recommended:
    """The threshold given for a model, or else the cheapest one, with its cost and rates.

    `shown` is the threshold in as few digits as give the same predictions, in the numbers of the column if
    the scores are its reverse (`turned`). `scores` are the lowest and the highest score. `everyone` is the
    class that is predicted for all cases, or empty. The rates are corrected for a choice of the threshold on
    the same cases, as in `best_threshold`.
    """

    model: str
    cost: ExpectedCost
    shown: float
    turned: bool
    scores: words.Stretch
    everyone: str
    tpr: Interval
    fpr: Interval
    calls: Mapping[str, int]
    notes: tuple[str, ...]

    @property
    def sign(self) -> str:
        """The side of the threshold that is predicted positive."""
        return "≤" if self.turned else "≥"

    @property
    def rule(self) -> str:
        """The scores that are predicted positive."""
        shown = words.threshold(self.shown, None)
        return shown if math.isinf(self.shown) else f"{self.sign} {shown}"

    @property
    def corrected(self) -> bool:
        """Whether the cost is corrected for the choice of the threshold on the same cases."""
        return not math.isnan(self.cost.optimism)

    @property
    def cheaper(self) -> bool:
        """Whether the cost is significantly lower than that of the same class for all cases."""
        return bool(self.cost.cheaper)

    @property
    def without_model(self) -> str:
        """The class whose prediction for all cases is cheaper."""
        return "negative" if self.cost.w <= 0.5 else "positive"

    @property
    def range(self) -> words.Stretch | None:
        """The scores that are not significantly worse as thresholds; None for one."""
        low, high = self.cost.threshold_lower, self.cost.threshold_upper
        if low is None or high is None or math.isnan(low):
            return None
        inside = np.clip([low, high], *self.scores).tolist()
        low, high = sorted(negated(inside) if self.turned else inside)
        return (low, high) if low < high else None


def recommended(data: ReportData) -> list[Recommended]:
    """Return the given threshold of each model, or else the cheapest one."""
    level = data.confidence_level
    options: dict[str, Any] = {"confidence_level": level, "rng": SEED} | (data.unit_costs or EQUAL)
    rows: list[Recommended] = []
    for name, scores in data.models.items():
        cost, remarks = noted(expected_cost, scores, **options, **data.placed(name))
        rates = {name: rate_there(scores, name, cost, options) for name in ("tpr", "fpr")}
        at = np.array([cost.threshold], dtype=np.float64)
        tp, fp = (count[0].item() for count in counts_at(scores, at))
        fn, tn = scores.n_pos - tp, scores.n_neg - fp
        turned, given = name in data.turned, cost.threshold_source == "given"
        rows.append(
            Recommended(
                model=name,
                cost=cost,
                shown=(negated(at)[0] if turned else float(at[0]))
                if given
                else shorter(scores, at[0], turned),
                turned=turned,
                scores=(float(scores.score[-1]), float(scores.score[0])),
                everyone="negative" if tp + fp == 0 else "positive" if fn + tn == 0 else "",
                **rates,
                calls={"tp": tp, "fn": fn, "fp": fp, "tn": tn},
                # The page states it in a sentence of its own.
                notes=tuple(note for note in remarks if note != NOT_CHEAPER),
            )
        )
    return rows


def shorter(scores: Scores, threshold: float, turned: bool) -> float:
    """Return a threshold in as few digits as give the same predictions, in the numbers of the column."""
    row = int(rows_above(scores.score, np.array([threshold]))[0])
    shown = words.same_rule(float(threshold), scores.score[row] if row < len(scores.score) else -math.inf)
    return float(negated(shown)) if turned else shown


def rate_there(scores: Scores, name: str, cost: ExpectedCost, options: Mapping[str, Any]) -> Interval:
    """Return a rate at the threshold of a cost; one chosen on the same cases as by `best_threshold`."""
    by: CostPerCase | None = None
    method: str = METHOD
    if cost.threshold_source == "same_sample":
        share, sampling = share_in_use(scores, options.get("prior"), None)
        unit = {error: options[error] for error in EQUAL}
        by, method = CostPerCase(**unit, sampling=sampling, prevalence=share), "mid_p"
    rate = Metric(name, cost.threshold, chosen_by=by)
    found, _ = noted(interval, scores, rate, method=method, confidence_level=options["confidence_level"])
    assert isinstance(found, Interval)
    return found


def cheapest_first(rows: Sequence[Recommended]) -> list[str]:
    """Return the models by their costs."""
    return [row.model for row in sorted(rows, key=lambda row: row.cost.estimate)]


def leading(
    data: ReportData, rows: Sequence[Recommended], found: Mapping[tuple[str, str], Interval]
) -> Recommended:
    """Return the model with the highest AUC, unless the cheapest one costs significantly less.

    `found` has the differences of the costs of pairs.
    """
    by_name = {row.model: row for row in rows}
    least = cheapest_first(rows)[0]
    return by_name[data.leader if data.leader in facts.rivals(least, [*by_name], found) else least]


def recommended_record(data: ReportData, rows: Sequence[Recommended], leader: Recommended) -> dict[str, Any]:
    """Return the recommended thresholds for the JSON file."""
    unit = data.unit_costs or EQUAL | {"prior": None}
    return {
        "unit_costs": {
            "miss": unit["false_negative"],
            "false_alarm": unit["false_positive"],
            "prior": unit["prior"],
            "asked": bool(data.unit_costs),
        },
        "threshold_source": rows[0].cost.threshold_source,
        "leader": leader.model,
        "models": [
            {"model": row.model}
            | row.cost.to_dict()
            | {
                "rates": {
                    rate.quantity: {end: getattr(rate, end) for end in ENDS} for rate in (row.tpr, row.fpr)
                }
            }
            | {"calls": row.calls, "notes": list(row.notes)}
            for row in rows
        ],
    }


def cost_differences(data: ReportData, order: Sequence[str]) -> Differences:
    """Return the differences of costs, simultaneous for all pairs, with their notes.

    With many models the first in this order is compared with each other.
    """
    if data.scores is None or not data.scores.joint:
        return {}
    asked: dict[str, Any] = {"confidence_level": data.pair_level, "rng": SEED} | (data.unit_costs or EQUAL)
    return {
        (a, b): noted(expected_cost_difference, data.scores[a, b], **asked, **data.placed(a, b))
        for a, b in data.pairs(order)
    }


def model_costs(data: ReportData, rows: Sequence[Recommended], differences: Differences) -> Section:
    """Draw the cost curves in their bands, and compare the models by their costs.

    The intervals and bands of differences are adjusted for the number of pairs. With many models only the
    cheapest has a band, and differences are for the costs given only.
    """
    level, each = data.confidence_level, data.pair_level
    bands: dict[str, CostBand] = {}
    lines: dict[str, tuple[FloatArray, FloatArray]] = {}
    record, notes, uses = [], [], []
    found: dict[str, ExpectedCost] = {row.model: row.cost for row in rows}
    leader = cheapest_first(rows)[0]
    drawn: dict[str, Any] = {"confidence_level": level, "n_resamples": resamples(level), "rng": SEED}
    for row in rows:
        name, kept = row.model, None
        if data.many and name != leader:
            curve, _ = noted(cost_curve, data.models[name], **data.placed(name))
            # Not corrected for optimism, like the line in a band.
            lines[name] = curve.at, curve.estimate - np.nan_to_num(curve.optimism)
        else:
            bands[name], added = noted(cost_band, data.models[name], **drawn, **data.placed(name))
            lines[name], kept = (bands[name].at, bands[name].estimate), band_record(bands[name], added, ENDS)
            uses.append(("cost_band", name, str(bands[name].method)))
        record.append(
            {"model": name} | found[name].to_dict() | {"notes": list(row.notes), "band": kept},
        )
    pairs: list[dict[str, Any]] = []
    k = len(data.models)
    drawn = {"confidence_level": each, "n_resamples": resamples(each), "rng": SEED}
    for (a, b), (difference, remarks) in differences.items():
        assert data.scores is not None
        name, pair = f"{a} − {b}", data.scores[a, b]
        notes += [(name, text) for text in remarks]
        uses.append(("expected_cost_difference", name, str(difference.method)))
        pairs.append({"name": name, "difference": difference, "notes": remarks})
        pairs[-1]["record"] = difference.to_dict() | {"a": a, "b": b, "notes": list(remarks)}
        if data.many:
            continue
        stretches: dict[str, list[words.Stretch]] = {}
        band, _ = noted(cost_difference_band, pair, **drawn, **data.placed(a, b))
        for r in band.cheaper():
            stretches.setdefault(pair.names["ab".index(r.cheaper)], []).append((r.low, r.high))
        pairs[-1]["cheaper"] = sentence("cheaper", stretches=stretches)
        pairs[-1]["record"]["cheaper"] = stretches
    if data.scores is not None and not data.scores.joint:
        notes.append(("differences of costs", NO_JOINT))
    w = found[leader].w
    alt = f"Cost curves of {', '.join(lines)} with simultaneous {words.percent(level)} bands"
    unit = {"miss": data.false_negative, "false_alarm": data.false_positive, "prior": data.prior}
    return Section(
        view={
            "unit": unit,
            "figure": cost_figure(lines, bands, w, alt=alt),
            "pairs": pairs,
            "n_pairs": k * (k - 1) // 2,
            "leader": leader,
            "w": w,
        },
        record={"unit_costs": unit, "w": w, "models": record, "pairs": [pair["record"] for pair in pairs]},
        headlines=cheapest({names: it for names, (it, _) in differences.items()}, found, level),
        notes=notes,
        uses=uses,
    )


def cheapest(
    found: Mapping[tuple[str, str], Interval], costs: Mapping[str, Interval], level: float
) -> list[str]:
    """Return the sentence on the model with the lowest cost; none without differences.

    Parameters
    ----------
    found : mapping of (str, str) to Interval
        Differences of the costs of pairs, simultaneous.
    costs : mapping of str to Interval
        Of each model.
    level : float
        Simultaneous level of the differences.
    """
    if not found:
        return []
    if len(costs) == 2:
        (((a, b), it),) = found.items()
        shown = words.signed_amounts(it.estimate, it.lower, it.upper)
        apart = it.upper < 0.0
        return [sentence("difference", what="expected cost", a=a, b=b, apart=apart, shown=shown, level=level)]
    leader, *others = sorted(costs, key=lambda name: costs[name].estimate)
    best = [leader, *facts.rivals(leader, others, found)]
    rest = [name for name in others if name not in best]
    return [sentence("may_be", what="cheapest", names=best, others=rest, level=level)]
