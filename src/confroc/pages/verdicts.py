"""What comparisons of models allow to say: sentences that claim no more than the intervals behind them.

A model is called better than another only where the interval of their difference leaves out zero. Of more
than two models these intervals hold together, so with models that are really equal any such sentence at all
is as rare as the level says. Which models may be the best is a statement of its own: the set contains the
truly best model with the stated confidence, and a model outside of it is no better than the best inside.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from confroc.cost import ExpectedCost
from confroc.pages import words
from confroc.pages.section import FEW, ReportData
from confroc.results import Comparison, Interval
from confroc.scores import Scores

Names: TypeAlias = tuple[str, str]

FEASIBLE = 1_000_000
"""Cases beyond which a plan is none."""


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


def rivals(leader: str, names: Collection[str], found: Mapping[Names, Interval]) -> list[str]:
    """Return the models that no interval shows to cost more than the leader."""
    compared = {name: oriented(found, leader, name) for name in names if name != leader}
    return [name for name, it in compared.items() if it is None or not it.upper < 0.0]


def adjustment(n: int, level: float) -> dict[str, Any]:
    """Describe, for the JSON file, how n intervals are adjusted for each other."""
    return {
        "comparisons": n,
        "joint_confidence_level": level,
        "intervals": "bonferroni" if n > 1 else "none",
    }


def alike(found: Comparison, a: str, b: str) -> bool:
    """Whether two models rank all of the cases alike."""
    return any({a, b} <= set(names) for names in found.alike)


def distinct(found: Comparison) -> list[str]:
    """Return the ranking without copies: of models that rank all cases alike, the first one."""
    copies = {name for names in found.alike for name in names[1:]}
    return [name for name in found.ranking if name not in copies]


def distinct_pairs(found: Comparison) -> list[Names]:
    """Return the pairs compared without copies."""
    names = distinct(found)
    return [pair for pair in combinations(found.names, 2) if {*pair} <= {*names}]


def ranking(found: Comparison) -> list[str]:
    """Say which model ranks cases better, as far as the intervals do, and which may be the best.

    Models that rank all cases alike are said to, and then told of as one.
    """
    names, pairs = distinct(found), distinct_pairs(found)
    level, leader, n = found.confidence_level, names[0], len(pairs)
    copies = [_copies(found, same, n) for same in found.alike]
    if not pairs:
        return copies
    settled = [found[pair] for pair in pairs]
    told = sum(it.lower > 0.0 or it.upper < 0.0 for it in settled)
    worse = [name for name in names[1:] if found[leader, name].lower > 0.0]
    # That the first is better than each other one says more than that it is no worse.
    lines = copies if n == 1 or len(worse) == len(names) - 1 else [*copies, _best(found)]
    if n > 1 and len(names) <= FEW and not told and all(it.pvalue > 1.0 - level for it in settled):
        furthest = max(max(-it.lower, it.upper) for it in settled)
        return [
            *copies,
            f"{lines[-1]}: no two areas are told apart, and any two may differ by up to "
            f"{words.rate(furthest)} (joint {words.percent(level)} intervals of all {n} pairs)",
        ]
    if len(names) <= FEW:
        return lines + [_pair(found, a, b) for a, b in pairs]
    how = f"{words.percent(level)} confidence for all {n} pairs together"
    pairs_told = f"{told} of {n} pairs of models are told apart by their areas"
    if len(worse) == len(names) - 1:
        return [
            *lines,
            f"{leader} ranks cases better than every other model ({how})",
            f"{pairs_told} ({how})",
        ]
    if worse:
        return [
            *lines,
            f"{leader} ranks cases better than {words.listed(worse, 'and')}; {pairs_told} ({how})",
        ]
    return [*lines, f"{pairs_told} ({how})"]


def _copies(found: Comparison, same: Sequence[str], n: int) -> str:
    """Say of models that rank all cases alike what their interval leaves open, beside n pairs of others."""
    reach = max(max(-it.lower, it.upper) for it in (found[pair] for pair in combinations(same, 2)))
    said = f"{words.listed(same, 'and')} rank all of these cases alike"
    if reach > 0.0:
        made = "one is made from the other" if len(same) == 2 else "they are made from one another"
        joint = "joint " if n > 1 else ""
        said += (
            f": unless {made}, their areas may differ by up to {words.rate(reach)} "
            f"({joint}{words.percent(found.confidence_level)} interval)"
        )
    each = "both" if len(same) == 2 else "all of them"
    return f"{said}; {same[0]} stands for {each} here" if n else said


def _best(found: Comparison) -> str:
    """Say which models may be the best."""
    level, names = words.percent(found.confidence_level), distinct(found)
    best = [name for name in names if name in found.may_be_best]
    if len(best) == 1:
        return f"{best[0]} ranks cases at least as well as every other model, with {level} confidence"
    unsettled = f"These cases do not settle which of {_those(best, len(names))} ranks cases best"
    if len(best) == len(names):
        return unsettled
    # Each is compared with the best one only, on one side: that tells more than comparing every pair.
    return f"{unsettled}; one of them does, with {level} confidence (each held against the best alone)"


def _those(names: Sequence[str], n: int) -> str:
    """Name these of n models; all of many are not named one by one."""
    return f"the {n} models" if len(names) == n > FEW else words.listed(names, "and")


def joint_test(found: Comparison) -> str:
    """Say what the test that all areas are equal finds."""
    test = found.test
    law = words.plural(test.df, "degree") + " of freedom"
    if math.isfinite(test.df_denominator):
        law = f"as an F statistic with {test.df} and {words.number(test.df_denominator)} degrees of freedom"
    return f"{words.pvalue(test.pvalue)} (χ² = {words.number(test.statistic)}, {law})"


def tests_disagree(found: Comparison) -> str:
    """Say why the joint test and those of the pairs disagree at the level; empty where they agree."""
    alpha = round(1.0 - found.confidence_level, 12)
    pairs = [found[pair] for pair in distinct_pairs(found)]
    told = any(it.pvalue <= alpha or it.lower > 0.0 or it.upper < 0.0 for it in pairs)
    if len(pairs) < 2 or told == (found.test.pvalue <= alpha):
        return ""
    return (
        f"That test is another one than those of the pairs, which find {'a' if told else 'no'} difference: "
        "it adds up the squares of all differences, they take the largest; each holds its level, and the "
        "two need not agree."
    )


def extremes(found: Comparison) -> list[str]:
    """Tell the largest and the smallest area, with intervals that hold together for all."""
    lines = []
    for name, which in ((found.ranking[0], "largest"), (found.ranking[-1], "smallest")):
        at = found.names.index(name)
        ends = float(found.areas.lower[at]), float(found.areas.upper[at])
        lines.append(
            f"{name}: AUC {words.rate(float(found.areas.estimate[at]))}, joint "
            f"{words.percent(found.confidence_level)} interval {words.between(*ends)}, the {which} of "
            f"{len(found.names)}"
        )
    return lines


def _pair(found: Comparison, a: str, b: str) -> str:
    it, n = found[a, b], len(distinct_pairs(found))
    if it.upper < 0.0:
        a, b, it = b, a, found[b, a]
    if it.lower > 0.0:
        verdict = f"{a} ranks cases better than {b}"
    elif n > 1 and it.pvalue <= 1.0 - found.confidence_level:
        # The closed test finds more than any intervals that hold together.
        a, b = sorted((a, b), key=found.ranking.index)
        verdict, it = f"The adjusted test tells {a} from {b}, their joint interval does not", found[a, b]
    elif n > 1 and distinct(found)[0] in (a, b) and len({*distinct(found)} & {*found.may_be_best}) == 1:
        # That the other one is no better has just been said.
        a, b = sorted((a, b), key=found.ranking.index)
        verdict, it = f"These cases do not settle whether {a} ranks better than {b}", found[a, b]
    else:
        verdict = f"These cases do not settle whether {a} or {b} ranks better"
    joint = "" if n == 1 else "joint "
    together = "" if n == 1 else f" adjusted for {n} comparisons"
    told, level = words.differences(it.estimate, it.lower, it.upper), words.percent(found.confidence_level)
    ends = " to ".join(told[1:])
    reach = f"{joint}{level} interval {ends}"
    if verdict.startswith("These cases do not settle"):
        # How different they may be, which "not settled" must not be taken to deny.
        reach = f"which may be anything from {ends} ({joint}{level} interval)"
    return f"{verdict}: AUC difference {told[0]}, {reach}, {words.pvalue(it.pvalue)}{together}"


def finds_more(better: Sequence[Mapping[str, Any]], name: str) -> str:
    """Say at which rates of a band's "better" a model finds more positives; empty if at none."""
    where = [(r["low"], r["high"]) for r in better if r["model"] == name]
    return f"at false positive rates {words.places_told(where)}" if where else ""


def curves_apart(compared: Sequence[Mapping[str, Any]], data: ReportData) -> str:
    """Say where curves are told apart, as far as their bands leave out zero; empty if nowhere.

    Parameters
    ----------
    compared : sequence of mapping
        Of each pair "a" and "b" and the "band", whose "better" names the model above at some rates.
    data : ReportData
    """
    level = f"{words.percent(data.confidence_level)} confidence"
    if len(data.models) > 2:
        level += " for all pairs together"
    told = []
    for pair in compared:
        better = pair["band"]["better"]
        for name, other in ((pair["a"], pair["b"]), (pair["b"], pair["a"])):
            if where := finds_more(better, name):
                told.append((name, other, where))
    if not told:
        return ""
    if data.many:
        pairs = list(dict.fromkeys(f"{name} above {other}" for name, other, _ in told))
        return f"Curves told apart at some false positive rates: {words.listed(pairs, 'and')} ({level})"
    lines = [f"{name} finds more positives than {other} {where}" for name, other, where in told]
    return f"{'; '.join(lines)} ({level})"


def narrower(widths: Sequence[tuple[str, float, float]], more: int, level: float, *, doubled: bool) -> str:
    """Say how far more cases would narrow the intervals of areas, now so wide and then."""
    cases = f"As many cases again ({words.count(more)})" if doubled else f"{words.count(more)} more cases"
    told = []
    for name, now, then in widths:
        digits = max(2, 1 - math.floor(math.log10(then)))
        told.append(f"{name} from {now:.{digits}f} to about {then:.{digits}f}")
    return f"{cases} would narrow {words.percent(level)} intervals of the AUC: {', '.join(told)}"


def to_beat_chance(name: str, area: float, n: int) -> str:
    """Say how many cases would show that a model ranks better than chance, if it does."""
    return _takes(
        f"show that {name} ranks better than chance", n, f"its AUC is really {words.rate(area)}", "80 % power"
    )


def to_tell_apart(a: str, b: str, effect: float, n: int, n_pairs: int) -> str:
    """Say how many cases would tell two models apart, if the difference is as it was seen."""
    together = f", allowing for all {n_pairs} pairs" if n_pairs > 1 else ""
    really = f"the difference is really {words.signed(effect)}"
    return _takes(f"tell {a} from {b}", n, really, f"80 % power{together}")


def _takes(what: str, n: int, really: str, power: str) -> str:
    """Say how many cases something takes, in two digits: the effect that it rests on is known no better."""
    roughly = round(float(f"{n:.2g}"))
    if roughly <= FEASIBLE:
        return f"To {what} takes about {words.count(roughly)} cases if {really} ({power})"
    millions = roughly / 1e6
    many = f"{millions:.1f}" if millions < 10.0 else words.count(round(millions))
    return f"No feasible number of cases would {what} if {really}: it takes about {many} million ({power})"


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
    equal = rivals(leader, costs, found)
    worse = [name for name in others if name not in equal]
    verdict = f"{leader} costs least at these unit costs"
    if equal:
        unsettled = _those([leader, *equal], len(costs))
        verdict = f"These cases do not settle which of {unsettled} costs least at these unit costs"
        if worse:
            cost = "costs" if len(worse) == 1 else "cost"
            verdict += f" ({words.listed(worse, 'and')} {cost} more than {leader})"
    if len(costs) > FEW:
        return f"{verdict}, with {words.percent(level)} confidence for all pairs of models together"
    joint = "" if len(found) == 1 else "joint "
    saved = []
    for name in others:
        it = oriented(found, name, leader)
        if it is not None:
            less, lower, upper = words.signed_amounts(it.estimate, it.lower, it.upper)
            saves = f"{leader} saves {less.removeprefix('+')} per case against {name}"
            if it.estimate == 0.0:
                saves = f"{leader} and {name} cost the same here"
            saved.append(f"{saves}, {joint}{words.percent(level)} interval {lower} to {upper}")
    return f"{verdict}: {'; '.join(saved)}"


class _Cheaper(NamedTuple):
    """A model that is the cheaper one, at which w, and by which rules that need no model."""

    model: str
    where: list[str]
    how: list[str]


def cheaper(ranges: Sequence[Mapping[str, Any]], w: float, alone: str = "") -> str:
    """Say where which of two models is the cheaper one, and what that is at the w of the costs given.

    Parameters
    ----------
    ranges : sequence of mapping
        Each with a "model", the w from "low" to "high" at which it is cheaper, and, where its rule needs no
        model, up to which w it calls nobody positive and from which w everybody.
    w : float
    alone : str
        The model that is the cheaper one by the interval for the costs given, which need not hold for others.
    """
    if not ranges:
        none = "neither is surely cheaper at any w"
        return f"{none}, all w judged together; at the costs given alone {alone} is" if alone else none
    kept: dict[str, list[words.Stretch]] = {}
    rest: dict[str, list[str]] = {}
    for model in {r["model"]: None for r in ranges}:
        own = [(r["low"], r["high"]) for r in ranges if r["model"] == model]
        kept[model], rest[model] = words.widest(own, sliver=words.SLIVER)
    told: list[_Cheaper] = []
    here = "neither is surely cheaper"
    for r in ranges:
        low, high, model = r["low"], r["high"], r["model"]
        if low <= w <= high:
            here = f"{model} is cheaper"
        if (low, high) not in kept[model]:
            continue
        how = []
        for end, whole, where, who in (
            (r["nobody_until"], high, "up to", "nobody"),
            (r["everybody_from"], low, "from", "everybody"),
        ):
            if end is not None:
                part = "" if end == whole else f"{where} w = {words.number(end)} "
                how.append(f"{part}by calling {who} positive")
        stretch = words.stretch(low, high, "w = ")
        if told and told[-1].model == model and not (how or told[-1].how):
            told[-1].where.append(stretch)
        else:
            told.append(_Cheaper(model, [stretch], how))
    for model, text in rest.items():
        last = next(one for one in reversed(told) if one.model == model)
        (last.how if last.how else last.where).extend(f"in {places}" for places in text)
    if alone and here.startswith("neither"):
        here += f", all w judged together; at these costs alone {alone} is"
    said = [", ".join([f"{it.model} is cheaper {words.listed(it.where, 'and')}", *it.how]) for it in told]
    return f"{'; '.join(said)}; at the costs given, w = {words.number(w)}, {here}"


def condition(data: ReportData) -> str:
    """Say for which costs a threshold is the cheapest."""
    if not data.unit_costs:
        return "if both errors cost the same"
    unit = data.unit_costs
    miss, alarm = words.number(unit["false_negative"]), words.number(unit["false_positive"])
    prior = "" if unit["prior"] is None else f" and {words.percent(unit['prior'], 4)} of cases are positive"
    return f"if a missed positive costs {miss}, a false alarm {alarm}{prior}"


def calling(threshold: float, called: int, n: int) -> str:
    """Say what a threshold does that calls so many of n cases positive."""
    if called == n:
        return "call everybody positive"
    return f"call positive from {words.threshold(threshold, None)}" if called else "call nobody positive"


def may_be(cost: ExpectedCost, turned: str = "") -> str:
    """Name the ends of the thresholds that may be the best one; empty where there is only the one chosen.

    Of a column whose sign is `turned`, named so, in its own numbers too.
    """
    if math.isnan(cost.threshold_lower):
        return ""
    low, high = words.rounded_outwards(cost.threshold_lower, cost.threshold_upper)
    if low == high:
        return ""
    if math.isinf(high):
        own = f", {turned[1:]} at most {words.threshold(-low)}" if turned else ""
        return f"{words.threshold(low)} or any higher one{own}"
    own = f", {turned[1:]} {words.thresholds(-high, -low)}" if turned else ""
    return f"{words.thresholds(low, high)}{own}"


def recommending(
    data: ReportData,
    name: str,
    cost: ExpectedCost,
    where: str,
    rates: Mapping[str, Mapping[str, Any]],
    own: str = "",
    outside: str = "",
) -> str:
    """Say which threshold to use, what it costs, and how sure that is.

    Parameters
    ----------
    data : ReportData
    name : str
        Of the model.
    cost : ExpectedCost
        At the threshold.
    where : str
        What the threshold does, from `calling`.
    rates : mapping
        Estimate, lower and upper of "tpr" and "fpr", ends None where the threshold was chosen on these cases.
    own : str
        The threshold in the numbers of a column whose sign is turned.
    outside : str
        That a threshold given lies beyond all scores, from `beyond`.
    """
    level = f"{words.percent(cost.confidence_level)} interval"
    price = "cost per case" if data.unit_costs else "error rate"
    spent, lower, upper, trivial = words.amounts(cost.estimate, cost.lower, cost.upper, cost.trivial)
    told = (
        f"{price} {spent}, {level} {lower} to {upper}{judged(cost)}; without a model {trivial}{_saved(cost)}"
    )
    if outside:
        return f"{name}: {outside}"
    if cost.threshold_source == "given":
        points = ", ".join(
            f"{what} {words.rate(it['estimate'])} ({words.between(it['lower'], it['upper'])})"
            for what, it in (("TPR", rates["tpr"]), ("FPR", rates["fpr"]))
        )
        asked = f"{condition(data)}, " if data.unit_costs else ""
        own = f" ({own})" if own else ""
        return f"{name}: at {words.threshold(cost.threshold, None)}{own}, as given, {points}; {asked}{told}"
    best = may_be(cost, name if name in data.turned else "")
    k = len(data.models)
    # As counted here another one may be cheaper.
    corrected = " after correction for optimism" if judged(cost).startswith(" after") else ""
    picked = f"{name} (cheapest of {k}{corrected})" if k > 1 else name
    if cost.trivial <= cost.estimate:
        # A rule that needs no model is not chosen among thresholds, so nothing is to be corrected.
        free = cost.threshold_source == "same_sample" and not where.startswith("call positive")
        than = f"to {where}" if free else "no model"
        none = f"no threshold is shown to do better than {than} ({price} {trivial})"
        if free:
            return f"{picked}: {none} {condition(data)}"
        picked = f"{picked}: {none}; the cheapest is to"
        return f"{picked} {where} {condition(data)}{f' (the best may be {best})' if best else ''}; {told}"
    return f"{picked}: {where} {condition(data)}{f' (the best may be {best})' if best else ''}; {told}"


def _saved(cost: ExpectedCost) -> str:
    """Say what the cost without a model means beside the interval."""
    if cost.upper < cost.trivial:
        return ""
    if cost.trivial < cost.estimate:
        return ", which is less" if cost.trivial < cost.lower else ", which is less here"
    return ", not shown to be worse"


def judged(cost: ExpectedCost) -> str:
    """Say what was done about the threshold's having been chosen on the cases that judge it, if it was."""
    if cost.threshold_source != "same_sample":
        return ""
    if math.isnan(cost.optimism):
        return " (optimistic: chosen on these same cases)"
    # What rounding leaves of none is none.
    some = cost.optimism > 1e-9 * cost.estimate
    digits = words.places(cost.estimate, cost.lower, cost.upper)
    return f" after {words.signed(cost.optimism, digits)} for optimism" if some else ""


def beyond(name: str, threshold: float, scores: Scores, *, turned: bool) -> str:
    """Say that a threshold given lies beyond all scores, and of a turned column on which scale it is."""
    low, high = float(scores.score[-1]), float(scores.score[0])
    if low < threshold <= high:
        return ""
    who, side = ("nobody", "above") if threshold > high else ("everybody", "at or below")
    given = words.threshold(threshold, None)
    where = f"it is {side} every score ({words.thresholds(low, high)})"
    told = f"the threshold given, {given}, calls {who} positive: {where}"
    if not turned:
        return told
    own = words.threshold(-threshold, None)
    return f"{told}; thresholds are on the scale of the turned scores, where {name[1:]} {given} is {own}"


def judged_on(data: ReportData, source: str) -> str:
    """Say where thresholds come from, and on which cases they were judged."""
    if source == "given":
        return (
            "The thresholds were given, and are taken as chosen without these cases; if they were chosen on "
            "them, the costs are too low."
        )
    if source == "validation":
        assert data.validation is not None
        named = f" of {data.validation_source}" if data.validation_source else ""
        n = data.validation.n_pos + data.validation.n_neg
        return (
            f"The thresholds were chosen on {words.plural(n, 'other case')}{named}, and are judged on these."
        )
    return "Chosen on these same cases, and corrected for that by cross-validation."
