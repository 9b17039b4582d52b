"""Sentences of the report: none claims more than the interval behind it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from confroc import (
    PairedScores,
    Scores,
    auc_comparison,
    auc_difference,
    auc_power,
    auc_sample_size,
    best_threshold,
    expected_cost,
    results,
    tpr_at_fpr,
)
from confroc.cost import lower_envelope
from confroc.distributions import holm, joint_level
from confroc.influence import placements
from confroc.pages import ReportData, areas, build_report, thresholds, words
from confroc.pages.planning import FEASIBLE, planning
from confroc.pages.templating import sentence
from confroc.results import Comparison, Difference, Differences, Intervals
from confroc.scores import PlacementSums
from support import slow

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
BETTER = " has a significantly higher AUC than "


def drawn(
    rng: np.random.Generator, n_pos: int, n_neg: int, gains: list[float], shape: str = "normal"
) -> tuple[np.ndarray, np.ndarray]:
    """Cases scored by correlated models; equal gains make them equal in law."""
    y = np.repeat([1, 0], [n_pos, n_neg])
    common, own = rng.normal(size=(len(y), 1)), rng.normal(size=(len(y), len(gains)))
    scores = np.sqrt(0.6) * common + np.sqrt(0.4) * own + np.outer(y, gains)
    return y, np.exp(scores) if shape == "log-normal" else np.round(scores) if shape == "rounded" else scores


def data_of(y: np.ndarray, scores: np.ndarray, **more: Any) -> ReportData:
    names = [f"m{i}" for i in range(scores.shape[1])]
    columns = dict(zip(names, scores.T, strict=True))
    scores = PairedScores(y, *columns.values(), names=names)
    return ReportData(models=dict(scores.items()), scores=scores, n_rows=len(y), n_dropped=0, **more)


def ranked(data: ReportData) -> list[str]:
    """The sentences of the report on which model ranks better, without its pictures."""
    assert data.compared is not None
    return areas.ranking(data.compared[0])


def priced(data: ReportData) -> str:
    """The sentence of the report on which model costs least, without its pictures."""
    options = data.unit_costs | {"n_resamples": 40, "rng": 0}
    costs = {name: expected_cost(scores, **options) for name, scores in data.models.items()}
    order = sorted(costs, key=lambda name: costs[name].estimate)
    found = {names: it for names, (it, _) in thresholds.cost_differences(data, order).items()}
    (line,) = thresholds.cheapest(found, costs, data.confidence_level)
    return line


def difference(estimate: float, lower: float, upper: float, pvalue: float) -> Difference:
    return Difference(
        quantity="auc_a - auc_b",
        estimate=estimate,
        lower=lower,
        upper=upper,
        standard_error=0.01,
        statistic=0.0,
        pvalue=pvalue,
        design="paired",
        confidence_level=0.95,
        method="delong",
        guarantee="asymptotic",
    )


def comparison(
    areas: Mapping[str, float], found: Mapping[tuple[str, str], Difference], best: Collection[str] = ()
) -> Comparison:
    """What a comparison of models with these areas and differences says."""
    claims: dict[str, Any] = {
        "confidence_level": 0.95,
        "method": "delong",
        "guarantee": "asymptotic",
        "kind": "simultaneous",
    }
    estimate = np.array(list(areas.values()))
    columns = ("estimate", "lower", "upper", "standard_error", "statistic", "pvalue")
    numbers = {name: np.array([getattr(it, name) for it in found.values()]) for name in columns}
    return Comparison(
        names=tuple(areas),
        intervals=Intervals(
            quantity="auc",
            at_name="model",
            at=np.array(list(areas)),
            estimate=estimate,
            lower=estimate - 0.05,
            upper=estimate + 0.05,
            **claims,
        ),
        differences=Differences(
            quantity="auc",
            a=np.array([a for a, _ in found]),
            b=np.array([b for _, b in found]),
            **numbers,
            pvalue_single_step=numbers["pvalue"],
            pvalue_unadjusted=numbers["pvalue"],
            design="paired",
            **claims,
        ),
        test=results.Test(
            quantity="auc",
            statistic=12.5,
            df=len(areas) - 1,
            df_denominator=math.inf,
            pvalue=0.014,
            design="paired",
            method="delong",
            guarantee="asymptotic",
        ),
        may_be_best=tuple(best),
        reference=None,
        adjust="max_t",
        design="paired",
        **claims,
    )


@pytest.mark.parametrize("n", [1, 2, 5])
def test_holm_is_closed_testing_by_bonferroni(n: int) -> None:
    """A hypothesis is rejected when every intersection that it is in is: the largest p of 2ⁿ⁻¹ tests."""
    rng = np.random.default_rng(n)
    for p in (rng.random(n), rng.random(n) ** 4, np.full(n, 0.02), np.zeros(n)):
        subsets = list(chain.from_iterable(combinations(range(n), k) for k in range(1, n + 1)))
        tests = {s: min(1.0, len(s) * min(p[i] for i in s)) for s in subsets}
        expected = [max(value for s, value in tests.items() if i in s) for i in range(n)]
        assert holm(p).tolist() == pytest.approx(expected, abs=1e-15)


def test_joint_level_shares_the_error_out() -> None:
    assert joint_level(0.95, 1) == 0.95
    assert joint_level(0.95, 10) == pytest.approx(0.995, abs=1e-15)


def test_ends_that_differ_are_shown_as_different() -> None:
    assert words.stretch(0.0447, 0.0453) == "0.0447 to 0.0453"
    assert words.stretch(0.1, 0.25) == "0.10 to 0.25"
    assert words.stretch(0.0230, 0.6712) == "0.03 to 0.67"
    assert words.stretch(0.02125, 0.04328) == "0.022 to 0.043"
    assert words.stretch(0.00011, 0.00047) == "0.00011 to 0.00047"
    assert words.stretch(0.0758621, 0.0758621) == "0.0759"
    assert words.stretch(0.0, 1.0) == "0 to 1"
    # All with as many digits as the one that must not look like zero.
    assert words.differences(0.0002, 0.0153) == ["0.0002", "0.0153"]
    assert words.differences(0.0002, -0.0153) == ["0.0002", "−0.0153"]
    assert words.differences(-0.00004, 0.0) == ["−0.00004", "0.00000"]
    assert words.signed_amounts(0.010924, -0.11294, 0.12839) == ["0.011", "−0.113", "0.128"]
    assert words.amounts(0.15, 0.0279, 0.408, 1.5) == ["0.150", "0.028", "0.408", "1.500"]
    assert words.amounts(0.64, 0.2094, 1.29, digits=3) == ["0.640", "0.209", "1.290"]
    assert words.amounts(0.15, 0.00001, 0.408) == ["0.150", "< 0.001", "0.408"]
    assert words.thresholds(0.2, 0.5) == "0.2 to 0.5"
    assert words.thresholds(3.0, 3.0) == "3"
    assert words.aligned([0.1, 12.59, 9.0]) == ["0.10", "12.59", "9.00"]
    assert words.aligned([np.inf, 0.25]) == ["above every score", "0.25"]
    assert words.listed(["a", "b", "c"], "or") == "a, b or c"
    assert [*map(words.amounts, (0.26, 5, 0, 999.9, 12345.6))] == [
        ["0.260"],
        ["5.00"],
        ["0"],
        ["1,000"],
        ["12,346"],
    ]


def test_stretches_claim_nothing_of_rates_outside() -> None:
    rng = np.random.default_rng(2)
    for low, high in np.sort(10.0 ** rng.uniform(-4.0, 0.0, (200, 2))):
        shown = [float(end) for end in words.stretch(low, high).split(" to ")]
        assert low <= shown[0] < shown[1] <= high
        assert shown[1] - shown[0] > 0.8 * (high - low) - 1e-12


def test_the_widest_range_is_shown_and_the_others_counted() -> None:
    wide, short, narrow = (0.1, 0.25), (0.4, 0.42), (0.02, 0.021)
    assert sentence("ranges", stretches=[short]) == "0.40 to 0.42"
    assert sentence("ranges", stretches=[narrow, short, wide]) == "0.10 to 0.25 (and 2 shorter ranges)"


def test_two_models_take_one_sentence_with_their_difference() -> None:
    found = {("logit", "xgb"): difference(-0.008, -0.015, -0.001, 0.02)}
    assert areas.ranking(comparison({"logit": 0.8, "xgb": 0.808}, found, ["xgb"])) == [
        "xgb has a significantly higher AUC than logit (difference 0.008, 95% CI 0.001 to 0.015, p = 0.020)."
    ]
    found = {("logit", "xgb"): difference(0.003, -0.015, 0.022, 0.8)}
    assert areas.ranking(comparison({"logit": 0.803, "xgb": 0.8}, found, ["logit", "xgb"])) == [
        "The AUCs of logit and xgb do not differ significantly "
        "(difference 0.003, 95% CI −0.015 to 0.022, p = 0.80)."
    ]


def test_of_several_models_the_best_set_and_those_behind_the_leader_are_named() -> None:
    names = ["a", "b", "c", "d", "e"]
    # Later letters rank better.
    by_name = {name: 0.7 + 0.02 * i for i, name in enumerate(names)}

    def lines(apart: set[tuple[str, str]], best: Collection[str]) -> list[str]:
        found = {
            pair: difference(-0.1, -0.2, 0.01, 0.01 if pair in apart else 0.06)
            for pair in combinations(names, 2)
        }
        return areas.ranking(comparison(by_name, found, best))

    assert lines(set(), names) == [
        "Any of the 5 models may be the best.",
        "0 of 10 pairs of AUCs differ significantly (two-sided tests, adjusted p-values).",
    ]
    assert lines({("a", "e"), ("b", "e"), ("a", "b")}, ["e", "c"]) == [
        "The best model is e or c; d, b and a are excluded (95% confidence, one-sided tests).",
        "e has a significantly higher AUC than b and a. "
        "3 of 10 pairs of AUCs differ significantly (two-sided tests, adjusted p-values).",
    ]
    assert lines({(x, "e") for x in "abcd"}, ["e"])[1].startswith(f"e{BETTER}every other model. ")


def test_significance_follows_the_adjusted_p_value() -> None:
    """As in the table and in plots, also where the simultaneous interval includes zero."""
    found = {
        ("a", "b"): difference(0.2, 0.1, 0.3, 1e-6),
        ("a", "c"): difference(0.05, -0.001, 0.1, 0.02),
        ("b", "c"): difference(-0.15, -0.25, -0.05, 1e-4),
    }
    best, line = areas.ranking(comparison({"a": 0.9, "b": 0.7, "c": 0.85}, found, ["a", "c"]))
    assert best == "The best model is a or c; b is excluded (95% confidence, one-sided tests)."
    assert line.startswith("a has a significantly higher AUC than every other model. ")
    assert " 3 of 3 pairs " in line


@pytest.mark.slow
@pytest.mark.parametrize(("n_pos", "n_neg", "shape"), [(30, 30, "log-normal"), (80, 15, "rounded")])
def test_equal_models_are_hardly_ever_called_better(n_pos: int, n_neg: int, shape: str) -> None:
    """Five equal models: at most 5% of reports say that one ranks better, where unadjusted a third would.

    Of 30 reports at most 5: one that says so in 5% of samples fails in 0.4%, one in 35% in 97%.
    """
    assert stats.binom.sf(5, 30, 0.05) < 0.004
    assert stats.binom.cdf(5, 30, 0.35) < 0.03
    rng = np.random.default_rng(8)
    lines = [ranked(data_of(*drawn(rng, n_pos, n_neg, [1.2] * 5, shape))) for _ in range(30)]
    assert sum(any(BETTER in line for line in said) for said in lines) <= 5


def test_a_better_model_is_found() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        best, line = ranked(data_of(*drawn(rng, 80, 80, [1.0, 1.0, 2.2])))
        assert best == "m2 is the best model (95% confidence, one-sided tests)."
        assert line.startswith("m2 has a significantly higher AUC than every other model. ")


@pytest.mark.slow
def test_models_with_identical_rankings_count_once() -> None:
    y, scores = drawn(np.random.default_rng(5), 40, 40, [1.0, 0.4, 1.2, 0.6])

    def reports(*columns: int) -> tuple[list[str], Any]:
        """The sentences and the section of a report on these columns, the first one copied at the end."""
        some = scores[:, columns]
        data = data_of(y, np.column_stack([some, np.exp(some[:, 0])]))
        section = areas.comparison(data)
        assert section is not None
        assert section.headlines[: len(ranked(data))] == ranked(data)
        return ranked(data), section

    (line,), two = reports(0)
    assert line == "m0 and m1 rank all cases identically and count as one model."
    assert [row["alike"] for row in two.view["rows"] + two.view["curves"]] == [True, True]
    assert two.record["alike"] == [["m0", "m1"]]

    (same, pair), three = reports(0, 1)
    assert same == "m0 and m2 rank all cases identically and count as one model."
    # One comparison of different models is adjusted for nothing.
    data = data_of(y, scores[:, :2])
    assert [pair] == ranked(data)
    assert [row["name"] for row in three.view["rows"]] == ["m0 − m2", "m0 − m1"]
    assert [(row["a"], row["b"]) for row in three.record["curves"]] == [("m0", "m2"), ("m0", "m1")]
    assert three.view["first_of"] == {"m2": "m0"}

    (same, *rest), many = reports(2, 0, 1, 3)
    assert same == "m0 and m4 rank all cases identically and count as one model."
    assert rest == ranked(data_of(y, scores[:, [2, 0, 1, 3]]))
    marks = {row["model"]: row["cells"] for row in many.view["matrix"]}
    place = many.record["ranking"].index("m4")
    assert marks["m0"][place]["mark"] == "alike"
    assert marks["m4"][place] is None

    copies = data_of(y, np.column_stack([scores[:, 0]] * 4))
    (line,) = ranked(copies)
    assert line == "m0, m1, m2 and m3 rank all cases identically and count as one model."
    assert planning(copies).record["pairs"] == []
    # Of two copies one is compared with a third model.
    open_ones = planning(data_of(y, scores[:, [0, 2, 0]])).record["pairs"]
    assert all({row["a"], row["b"]} == {"m0", "m1"} for row in open_ones)


@pytest.mark.slow
def test_report_marks_identical_rankings() -> None:
    y, scores = drawn(np.random.default_rng(5), 20, 20, [1.0, 0.4, 1.2])
    for columns in ((0, 0), (0, 1, 0), (0, 1, 2, 0)):
        page = build_report(data_of(y, scores[:, columns])).to_html()
        assert ">same ranking<" in page
        assert page.count(">same ranking as m0<") == 1
        assert ("= same ranking" in page) == (len(columns) > 3)


def test_all_models_are_compared_once_and_the_file_has_it_all() -> None:
    data = data_of(*drawn(np.random.default_rng(4), 15, 20, [1.0, 1.2, 1.9]))
    section, compared = areas.comparison(data), data.compared
    assert section is not None
    assert compared is not None
    expected = auc_comparison(data.scores, rng=0).to_dict()
    assert {name: section.record[name] for name in expected} == expected
    assert section.view["each"] == pytest.approx(1.0 - 0.05 / 3)
    for row in section.record["curves"]:
        assert row["band"]["confidence_level"] == pytest.approx(1.0 - 0.05 / 3)
    assert data.scores is not None
    two = data.scores["m0", "m1"]
    alone = areas.comparison(replace(data, models=dict(two.items()), scores=two))
    assert alone is not None
    # Of two models nothing is adjusted.
    expected = auc_difference(two)
    found = alone.view["found"]["m0", "m1"]
    for name in ("estimate", "lower", "upper", "pvalue"):
        assert getattr(found, name) == getattr(expected, name)
    (row,) = alone.record["curves"]
    assert row["band"]["confidence_level"] == 0.95


@pytest.mark.slow
def test_of_many_models_only_comparisons_with_the_leader_are_shown() -> None:
    data = data_of(*drawn(np.random.default_rng(7), 40, 30, [1.0, 1.9, 0.5, 1.2]), jeffreys=0.1)
    section = areas.comparison(data)
    assert section is not None
    assert [(row["a"], row["b"]) for row in section.record["curves"]] == [
        ("m1", name) for name in section.record["ranking"][1:]
    ]
    # The data determine which one leads, so the level allows for all six pairs.
    assert section.view["each"] == pytest.approx(1.0 - 0.05 / 6)
    for row in section.record["curves"]:
        assert row["band"]["confidence_level"] == pytest.approx(1.0 - 0.05 / 6)
    assert len(section.record["differences"]["estimate"]) == 6
    assert [row["name"] for row in section.view["rows"]] == [
        f"m1 − {b}" for b in section.record["ranking"][1:]
    ]
    for i, row in enumerate(section.view["matrix"]):
        assert row["cells"][i] is None
        for j, it in enumerate(row["cells"][:i]):
            turned = section.view["matrix"][j]["cells"][i]
            assert it["difference"].estimate == -turned["difference"].estimate
    # The summary stays short.
    (line,) = areas.area(data).headlines
    assert line.startswith("Highest AUC of 4 models: m1, 0.")
    assert ". Lowest: m2, 0." in line
    *plans, line = areas.outlook(data).headlines
    assert len(plans) <= 3
    assert line.startswith(
        "Range of the AUC after drift within a Jeffreys divergence of 0.1 (95% confidence): 0."
    )
    assert line.endswith(" (m1).")


def test_without_joint_counts_the_areas_are_compared_all_the_same() -> None:
    """Curves are not compared where there are too many cases for joint counts, and a note says what to do."""
    unit = {"false_negative": 3.0, "false_positive": 1.0}
    data = data_of(*drawn(np.random.default_rng(4), 15, 20, [1.0, 1.9]), **unit)
    assert data.scores is not None
    sums = PlacementSums(*(np.zeros((2, 2, 2)) for _ in range(2)))
    for c, of_class in enumerate((data.scores.pos, data.scores.neg)):
        one, two = (placements(m)[c][i] for m, i in zip(data.scores.models, data.scores.index, strict=True))
        for part, power in zip(sums, (2, 4), strict=True):
            part[c] = np.sum(of_class * (one - two) ** power) * np.array([[0, 1], [1, 0]])
    bare = PairedScores._without_joint(data.scores.models, sums, data.scores.names)
    section, whole = (areas.comparison(replace(data, scores=it)) for it in (bare, data.scores))
    assert section is not None
    assert whole is not None
    for name in ("intervals", "differences"):
        for end in ("estimate", "lower", "upper"):
            assert section.record[name][end] == pytest.approx(whole.record[name][end], abs=1e-12)
    assert section.record["curves"] == []
    assert [about for about, text in section.notes if "`resolution`" in text] == ["differences of curves"]
    priced = thresholds.thresholds(replace(data, scores=bare))
    assert priced.records["costs"]["pairs"] == []
    assert ("differences of costs", section.notes[-1][1]) in priced.notes


def test_more_cases_narrow_intervals_as_planned() -> None:
    """The width planned with a hundred more cases is, on average, the width that they have."""
    rng = np.random.default_rng(1)

    def width(n_pos: int, n_neg: int) -> float:
        data = one(*(a if i == 0 else a[:, 0] for i, a in enumerate(drawn(rng, n_pos, n_neg, [1.3]))))
        it = data.areas["m"][0]
        return it.upper - it.lower

    planned, had = [], [width(60, 140) for _ in range(20)]
    for _ in range(20):
        y, s = drawn(rng, 30, 70, [1.3])
        record = planning(one(y, s[:, 0])).record
        assert record["more"] == 100
        planned.append(record["models"][0]["width_with_more"])
    assert np.mean(planned) == pytest.approx(np.mean(had), rel=0.08)


def test_plans_are_what_the_formulas_give() -> None:
    data = data_of(*drawn(np.random.default_rng(11), 40, 60, [1.0, 1.1]))
    assert data.scores is not None
    plans = planning(data)
    lines, headlines, record = plans.view["lines"], plans.headlines, plans.record
    (pair,) = record["pairs"]
    expected = auc_sample_size(data.scores[pair["a"], pair["b"]], power=0.8)
    for name in ("n_pos", "n_neg", "power", "effect", "significance_level"):
        assert pair[name] == pytest.approx(getattr(expected, name), abs=1e-12)
    assert pair["effect"] > 0.0
    # As many times narrower as the plan's own interval is.
    name = record["models"][0]["model"]
    now, then = (auc_power(data.models[name], n_pos=n, n_neg=m).width for n, m in ((40, 60), (80, 120)))
    interval = data.areas[name][0]
    width = (interval.upper - interval.lower) * then / now
    assert record["models"][0]["width_with_more"] == pytest.approx(width, rel=1e-12)
    assert lines[0].startswith("Doubling the sample would narrow the 95% CI of the AUC from a width of 0.")
    assert lines[0].count("(m0) and from 0.") == 1
    assert lines[-1].startswith("About ")
    assert lines[-1].endswith(
        f" cases are needed to show that {pair['a']} has a higher AUC than {pair['b']} "
        f"if the difference is {expected.effect:.3f} (80% power)."
    )
    assert headlines == [lines[0], lines[-1]]
    # Not of models that differ significantly.
    apart = planning(data_of(*drawn(np.random.default_rng(3), 80, 80, [1.0, 2.5])))
    assert apart.record["pairs"] == []
    three = planning(data_of(*drawn(np.random.default_rng(11), 40, 60, [1.0, 1.0, 1.0])))
    assert "(80% power, adjusted for 3 pairs)." in three.view["lines"][-1]
    assert len(three.headlines) == 2
    many = data_of(*drawn(np.random.default_rng(11), 40, 60, [1.0, 1.1, 1.2, 1.3]))
    assert len(planning(many).record["models"]) == 1
    assert len(planning(many).record["pairs"]) <= 1
    y = np.repeat([1, 0], [40, 1200])
    none = planning(one(y, np.random.default_rng(2).normal(size=1240) + 0.1 * y))
    assert " cases are needed to show that m is better than chance if its AUC is 0." in none.view["lines"][1]


def test_plans_beyond_a_million_cases_are_not_counted() -> None:
    facts: dict[str, Any] = {"most": FEASIBLE, "power": 0.8, "names": ("gbm", "nb"), "effect": 0.0011}
    assert sentence("needed", cases=990_000, **facts) == (
        "About 990,000 cases are needed to show that gbm has a higher AUC than nb if the difference is 0.001 "
        "(80% power)."
    )
    assert sentence("needed", cases=15_000_000, n_pairs=3, **facts).startswith("More than 1,000,000 cases ")


@pytest.mark.slow
def test_no_possessive_of_a_models_name_is_written() -> None:
    y, scores = drawn(np.random.default_rng(6), 30, 40, [0.6, 1.0])
    pair = PairedScores(y, *scores.T, names=["forest's", "points"])
    unit = {"false_negative": 3.0, "false_positive": 1.0}
    made = build_report(ReportData(models=dict(pair.items()), scores=pair, n_rows=70, n_dropped=0, **unit))
    for name in pair.names:
        assert f"{name}’s" not in made.to_html()
        assert f"{name}'s" not in made.to_html()


@pytest.mark.parametrize("degenerate", ["perfect", "constant", "backwards", "few", "same"])
def test_nothing_is_planned_from_scores_without_variance(degenerate: str) -> None:
    y, s = np.repeat([1, 0], 30), np.arange(60.0)
    found = {
        "perfect": one(y, -s),
        "constant": one(y, 0.0 * s),
        "backwards": one(y, s),
        "few": one(y[25:35], np.sin(s[25:35])),
        "same": data_of(y, np.column_stack([np.sin(s), np.sin(s)])),
    }
    plans = planning(found[degenerate])
    lines = plans.view["lines"]
    assert plans.record["pairs"] == []
    assert not any(" has a higher AUC " in line for line in lines)
    assert bool(lines) == (degenerate == "same")


def test_where_curves_differ_follows_their_bands() -> None:
    facts: dict[str, Any] = {"a": "a", "b": "b", "level": 0.95}
    assert sentence("higher_curve", stretches=[(0.1, 0.25)], joint=False, **facts) == (
        "The ROC curve of a is significantly higher than that of b at false positive rates of 0.10 to 0.25 "
        "(simultaneous 95% band)."
    )
    y, scores = drawn(np.random.default_rng(3), 150, 150, [0.5, 1.1])
    section = areas.comparison(data_of(y, scores))
    assert section is not None
    better = section.record["curves"][0]["band"]["better"]
    assert {r["model"] for r in better} == {"m1"}
    assert section.headlines[1].startswith("The ROC curve of m1 is significantly higher than that of m0 at ")
    wide = [r for r in better if r["high"] - r["low"] > math.sqrt(r["low"] * (1.0 - r["low"]) / 150)]
    assert len(wide) < len(better)
    stretches = [(r["low"], r["high"]) for r in wide]
    told = sentence("higher_curve", a="m1", b="m0", stretches=stretches, level=0.95, joint=False)
    assert section.headlines[1] == told


def test_a_cheapest_model_needs_every_interval() -> None:
    cost = expected_cost(Scores([0, 1, 0, 1], [1, 2, 3, 4]), false_negative=5, false_positive=1, rng=0)
    costs = {name: replace(cost, estimate=e) for name, e in (("logit", 0.41), ("xgb", 0.4066), ("null", 0.9))}
    found = {
        ("logit", "xgb"): difference(0.0034, -0.0153, 0.0217, 1.0),
        ("logit", "null"): difference(-0.49, -0.6, -0.3, 1.0),
        ("xgb", "null"): difference(-0.4934, -0.6, -0.3, 1.0),
    }
    assert thresholds.cheapest(found, costs, 0.95) == [
        "The cheapest model is xgb or logit; null is excluded (95% confidence)."
    ]
    found["logit", "xgb"] = difference(0.0034, 0.0001, 0.01, 1.0)
    assert thresholds.cheapest(found, costs, 0.95) == ["xgb is the cheapest model (95% confidence)."]
    two = {name: costs[name] for name in ("logit", "xgb")}
    # The model with the lower cost is the first of the pair.
    two_found = {("xgb", "logit"): difference(-0.0034, -0.01, -0.0001, 1.0)}
    assert thresholds.cheapest(two_found, two, 0.9) == [
        "xgb has a significantly lower expected cost than logit "
        "(difference −0.0034, 90% CI −0.0100 to −0.0001)."
    ]
    assert thresholds.cheapest({}, costs, 0.95) == []


def one(y: np.ndarray, scores: np.ndarray, **more: Any) -> ReportData:
    return ReportData(models={"m": Scores(y, scores)}, n_rows=len(y), n_dropped=0, **more)


def recommendation(data: ReportData) -> str:
    """The sentence of the report on the one model's threshold."""
    (row,) = thresholds.recommended(data)
    return sentence("recommendation", it=row, unit=data.unit_costs, level=data.confidence_level)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.0603299, 0.308347, "0.060 to 0.308"),
        (0.1 + 0.2, 4, "0.3 to 4"),
        (-2.6, 0.31, "−2.60 to 0.31"),
        (1001, 1002, "1001 to 1002"),
        (1e6, 3e6, "1000000 to 3000000"),
        (0.5, 0.5, "0.5"),
    ],
)
def test_ranges_of_thresholds_have_three_digits(low: float, high: float, shown: str) -> None:
    assert words.thresholds(low, high) == shown


def test_ranges_have_the_digits_of_the_threshold_beside_them() -> None:
    assert words.thresholds(0.0512, 0.5632, beside=0.316) == "0.051 to 0.563"
    assert words.thresholds(0.18271, 0.58203, beside=0.3046) == "0.1827 to 0.5820"
    assert words.thresholds(0.18271, 0.58203, beside=np.inf) == "0.183 to 0.582"


def test_thresholds_have_a_typographic_minus() -> None:
    assert words.threshold(-0.461) == words.threshold(-0.461, None) == "−0.461"
    assert words.threshold(-1e-7, None) == "−1e-07"
    assert words.aligned([-0.5, 0.25]) == ["−0.50", "0.25"]


def test_a_threshold_is_recommended_with_its_cost_and_those_that_are_not_worse() -> None:
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], 60)
    s = rng.normal(size=120).round(1) + y
    data = one(y, s, false_negative=5, false_positive=1)
    unit: dict[str, Any] = {"false_negative": 5, "false_positive": 1, "rng": 0}
    cost = expected_cost(data.models["m"], **unit)
    expected = (
        "No threshold of m is significantly cheaper than predicting everyone positive "
        f"({cost.trivial:#.3g}). "
        f"The cheapest is ≥ {cost.threshold:.6g} (false-negative cost 5, false-positive cost 1). Cost per "
        f"case {cost.estimate:#.3g} (95% CI {cost.lower:#.3g} to {cost.upper:#.3g}, corrected for optimism). "
        f"Thresholds from {cost.threshold_lower:.6g} to {cost.threshold_upper:.6g} are not significantly "
        "worse."
    )
    assert recommendation(data) == expected.replace(" -", " −")
    # The cost is above that on these very cases, which no fresh cases would have.
    assert cost.estimate > expected_cost(data.models["m"], **unit, threshold=cost.threshold).estimate
    plain = recommendation(one(y, s))
    assert " (equal error costs assumed). Error rate 0." in plain
    assert "optimism" not in recommendation(replace(data, validation=Scores(y[1:], s[1:])))
    given = recommendation(replace(data, threshold={"m": 0.5}))
    assert given.startswith("Given: m ≥ 0.5 (false-negative cost 5, false-positive cost 1). TPR 0.")
    assert ". Cost per case " in given
    assert recommendation(one(y, s, threshold={"m": 9.0})).startswith(
        "Given: m ≥ 9, which predicts everyone negative (equal error costs assumed)."
    )
    every = recommendation(one(y, s, threshold={"m": float(s.min())}))
    assert ", which predicts everyone positive (" in every
    useless = recommendation(one(y, -s))
    assert useless.startswith(
        "No threshold of m has a significantly lower error rate than predicting everyone "
    )
    assert " The best is to predict everyone " in useless
    better = recommendation(one(y, s + 6.0 * y))
    assert better.startswith("Recommended: m ≥ ")
    assert ", significantly lower than predicting everyone " in better
    (row,) = thresholds.recommended(data)
    worse = replace(row, cost=replace(cost, trivial=0.5 * cost.lower, threshold_source="given"))
    text = sentence("recommendation", it=worse, unit=data.unit_costs, level=0.95)
    assert ", significantly higher than predicting everyone" in text
    everything = replace(row, cost=replace(cost, threshold_lower=-np.inf, threshold_upper=np.inf))
    text = sentence("recommendation", it=everything, unit=data.unit_costs, level=0.95)
    # The range is within the scores.
    ends = f"{s.min():.1f} to {s.max():.1f}".replace("-", "−")
    assert text.endswith(f"Thresholds from {ends} are not significantly worse.")
    only = replace(row, cost=replace(cost, threshold_lower=cost.threshold, threshold_upper=cost.threshold))
    assert only.range is None
    uncorrected = replace(row, cost=replace(cost, optimism=np.nan))
    text = sentence("recommendation", it=uncorrected, unit=data.unit_costs, level=0.95)
    assert ", not corrected for optimism)" in text


@pytest.mark.parametrize("given", [False, True])
def test_useless_scores_hardly_ever_cost_significantly_less(given: bool) -> None:
    """Of 40 reports on useless scores at most 5 call their cost significantly lower than without a model.

    A sentence that does in 2.5% of samples fails here in 0.1%, one in 35% in 99.7%.
    """
    assert stats.binom.sf(5, 40, 0.025) < 0.002
    assert stats.binom.cdf(5, 40, 0.35) < 0.004
    rng, y = np.random.default_rng(5), np.repeat([1, 0], [20, 30])
    asked: dict[str, Any] = {"threshold": {"m": 0.0}} if given else {}
    lower = ", significantly lower than predicting everyone "
    lines = [recommendation(one(y, rng.normal(size=50).round(1), **asked)) for _ in range(40)]
    assert sum(lower in line for line in lines) <= 5
    assert lower in recommendation(one(y, rng.normal(size=50) + 6 * y - 3, **asked))


@pytest.mark.slow
def test_the_summary_recommends_the_model_with_the_highest_auc_unless_another_costs_significantly_less() -> (
    None
):
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], 1000)
    # Model a ranks better. Model b separates two fifths of the positives, which is cheap for dear alarms.
    normal = rng.normal(size=2000) + 1.5 * y
    tail = np.where((y == 1) & (rng.random(2000) < 0.4), 9.0, 0.0) + rng.random(2000)
    for b, cheaper in ((tail, True), (normal + rng.normal(0.0, 0.5, 2000), False)):
        scores = PairedScores(y, normal, b, names=["a", "b"])
        assert scores["a"].auc > scores["b"].auc
        data = ReportData(
            models=dict(scores.items()),
            scores=scores,
            n_rows=2000,
            n_dropped=0,
            false_negative=1,
            false_positive=20,
        )
        found = thresholds.cost_differences(data, ["a", "b"])["a", "b"][0]
        assert (found.lower > 0.0) == cheaper
        section = thresholds.thresholds(data)
        best = "b" if cheaper else "a"
        assert section.records["recommended"]["leader"] == section.view["leader"].model == best
        assert section.headlines[-1].startswith(f"Recommended: {best} ≥ ")
    # Without a significant difference the cheapest model gives way to the one with the highest AUC.
    one_cost = {"a": section.view["recommended"][0], "b": section.view["recommended"][1]}
    dear = replace(one_cost["a"], cost=replace(one_cost["a"].cost, estimate=9.0))
    rows = [dear, one_cost["b"]]
    assert thresholds.leading(data, rows, {("a", "b"): difference(0.1, -0.1, 0.3, 0.5)}).model == "a"
    assert thresholds.leading(data, rows, {("a", "b"): difference(0.2, 0.1, 0.3, 0.5)}).model == "b"
    assert thresholds.leading(data, rows, {}).model == "a"


def test_rates_at_the_recommended_threshold_are_those_of_best_threshold() -> None:
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], 60)
    s = rng.normal(size=120).round(1) + y
    units: tuple[dict[str, Any], ...] = (
        {},
        {"false_negative": 5.0, "false_positive": 1.0},
        {"false_negative": 5.0, "false_positive": 1.0, "prior": 0.2},
    )
    for unit in units:
        (row,) = thresholds.recommended(one(y, s, **unit))
        best = best_threshold(Scores(y, s), criterion="cost", **unit, rng=0)
        assert row.cost.threshold == best.threshold
        assert best.tpr is not None
        assert best.fpr is not None
        assert best.tpr.estimate != pytest.approx(row.calls["tp"] / 60)
        for found, expected in ((row.tpr, best.tpr), (row.fpr, best.fpr)):
            assert (found.estimate, found.lower, found.upper) == (
                expected.estimate,
                expected.lower,
                expected.upper,
            )


def test_models_that_cost_the_same_do_not_differ() -> None:
    y = np.repeat([1, 0], [30, 40])
    score = np.random.default_rng(2).normal(size=70) + y
    line = priced(data_of(y, np.column_stack([score, np.exp(score)]), false_negative=3, false_positive=1))
    assert line.startswith("The expected costs of m0 and m1 do not differ significantly (difference 0.000")


def test_evaluated_cases_among_the_validation_cases_are_refused() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [40, 60])
    s, more = rng.normal(size=100) + y, rng.normal(size=100) + y
    data = one(y, s)
    both = Scores(np.append(y, y), np.append(s, more))
    for validation in (both, Scores(y[30:], s[30:]), Scores(y[::-1], 1.0 * s[::-1])):
        with pytest.raises(ValueError, match="`validation` must contain other cases than those evaluated"):
            replace(data, validation=validation)
    # Of other cases, of other labels, or in the same few levels nothing is the same.
    replace(data, validation=Scores(y, more))
    replace(data, validation=Scores(1 - y, np.where(y == 1, s + 9.0, s)))
    rated = one(y, s.round())
    replace(rated, validation=Scores(np.append(y, y), np.append(s, more).round()))
    pair = PairedScores(y, s, more, names=["a", "b"])
    two = ReportData(models=dict(pair.items()), scores=pair, n_rows=100, n_dropped=0)
    # The thresholds of either model would be chosen on the cases on which they are evaluated.
    for columns in ((s, more), (s, more[::-1]), (s[::-1], more)):
        with pytest.raises(ValueError, match="must contain other cases than those evaluated"):
            replace(two, validation=PairedScores(y[20:], *(c[20:] for c in columns), names=["a", "b"]))
    replace(two, validation=PairedScores(1 - y, s, more, names=["a", "b"]))
    # Ranks recur without being of the same cases, nearly all of them among negatives where these are many.
    places = np.arange(200.0)
    ranked = one((places >= 195).astype(int), places)
    replace(ranked, validation=Scores((places % 40 == 0).astype(int), places))


def test_where_a_model_is_cheaper() -> None:
    assert sentence("cheaper", stretches={}) == "No significant difference at any w."
    assert sentence("cheaper", stretches={"old": [(0.125, 0.25), (0.3, 0.4)], "new": [(0.5, 0.75)]}) == (
        "old is significantly cheaper at w = 0.13 to 0.25 (and 1 shorter range). "
        "new is significantly cheaper at w = 0.50 to 0.75."
    )


@pytest.mark.slow
def test_equal_models_are_hardly_ever_called_cheaper_and_a_better_one_is() -> None:
    """Of 12 reports on three equal models at most 3 name a cheaper one.

    One that does in 5% of samples fails here in 0.2%, one in 70% in 99.8%.
    """
    assert stats.binom.sf(3, 12, 0.05) < 0.0025
    assert stats.binom.cdf(3, 12, 0.7) < 0.002
    rng = np.random.default_rng(9)
    unit = {"false_negative": 5.0, "false_positive": 1.0}
    lines = [priced(data_of(*drawn(rng, 15, 30, [1.2] * 3, "rounded"), **unit)) for _ in range(12)]
    assert sum(line != "Any of the 3 models may be the cheapest." for line in lines) <= 3
    better = [priced(data_of(*drawn(rng, 100, 150, [0.5, 2.5], "rounded"), **unit)) for _ in range(3)]
    for line in better:
        assert line.startswith("m1 has a significantly lower expected cost than m0 ")


@pytest.mark.slow
def test_costs_are_adjusted_for_the_number_of_pairs_in_the_file() -> None:
    data = data_of(
        *drawn(np.random.default_rng(2), 20, 25, [1.0, 1.2, 1.4], "rounded"),
        false_negative=3,
        false_positive=1,
    )
    section = thresholds.thresholds(data)
    pairs = section.records["costs"]["pairs"]
    assert [row["confidence_level"] for row in pairs] == pytest.approx([1 - 0.05 / 3] * 3)


def test_of_many_models_only_the_cheapest_has_a_cost_band(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def drawn_in(lines: dict[str, Any], bands: dict[str, Any], w: float, **_: Any) -> str:
        seen.update(lines=lines, bands=bands, w=w)
        return ""

    monkeypatch.setattr(thresholds, "cost_figure", drawn_in)
    rng = np.random.default_rng(3)
    data = data_of(*drawn(rng, 40, 50, [1.0, 2.0, 0.5, 1.5]), false_negative=3, false_positive=1)
    section = thresholds.thresholds(data)
    costs = section.records["costs"]
    leader = section.view["leader"].model
    assert (
        [row["model"] for row in costs["models"] if row["band"] is not None] == [leader] == [*seen["bands"]]
    )
    assert {row["a"] for row in costs["pairs"]} == {leader}
    assert len(costs["pairs"]) == 3
    # All curves are costs in the sample, those of the lower envelope of Drummond & Holte (2006).
    for name, (w, cost) in seen["lines"].items():
        assert cost == pytest.approx(lower_envelope(data.models[name]).cost_at(w), abs=1e-12)


@pytest.mark.parametrize(
    "text", ["p = 0.17", "p < 0.001", "w = 0.2 to 0.4", "−0.05 to 0.28", "95%", "p = 0.17, 80%"]
)
def test_no_line_ends_within_a_result(text: str) -> None:
    shown = words.unbroken(f"The difference ({text}) of a p value.")
    assert shown.replace("\u00a0", " ") == f"The difference ({text}) of a p value."
    within = shown[shown.index("(") : shown.index(")")].replace(", ", ",")
    assert " " not in within


@pytest.mark.parametrize("sign", slow([1.0, -1.0], -1.0))
def test_without_costs_a_useless_threshold_is_not_recommended(sign: float) -> None:
    """Of 2% positives equal costs make nobody positive: the summary has the rate at an FPR instead."""
    rng = np.random.default_rng(5)
    y = (np.arange(1000) < 20).astype(int)
    models = {"m": Scores(y, rng.standard_normal(1000) + 1.5 * y)}
    fields: dict[str, Any] = {"models": models, "n_rows": 1000, "n_dropped": 0, "title": "t"}
    turned = ["m"] if sign < 0.0 else []
    made = build_report(ReportData(**fields, turned=turned))
    (line,) = [line for line in made.headlines if "false positive rate of 10%" in line]
    found = tpr_at_fpr(models["m"], fpr=0.1)
    rates = f"{found.estimate[0]:.3f} (95% CI {found.lower[0]:.3f} to {found.upper[0]:.3f})"
    assert f"m has a true positive rate of {rates}" in line
    assert line.endswith("The choice of a threshold depends on the costs of the errors.")
    # The threshold in the sentence has the FPR and TPR that are stated.
    shown = re.search(r"threshold ([≥≤]) (\S+)\)", line)
    assert shown is not None
    assert shown[1] == ("≥" if sign > 0.0 else "≤")
    above = models["m"].score >= sign * float(shown[2].replace("−", "-"))
    assert models["m"].neg[above].sum() == 98
    assert models["m"].pos[above].sum() == round(20 * found.estimate[0])
    page = made.to_html()
    assert "TPR at FPR 1%" in page
    assert "Error rate, corrected" not in page.partition('id="thresholds"')[0]
    # Costs, or a useful threshold, are answered with a threshold.
    costly = build_report(ReportData(**fields, false_negative=50.0, false_positive=1.0))
    assert not any("false positive rate of 10%" in line for line in costly.headlines)
    assert "Cost per case, corrected" in costly.to_html()


def test_a_cheaper_model_that_is_not_recommended_is_named() -> None:
    """Predicted classes err least at their threshold, but rank worse than scores."""
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], 60)
    graded = 1.4 * y + rng.standard_normal(120)
    classes = np.where(rng.random(120) < 0.8, y, 1 - y) + 0.0
    section = thresholds.thresholds(data_of(y, np.column_stack([graded, classes])))
    graded_row, classes_row = section.view["recommended"]
    assert section.view["leader"] is graded_row
    assert classes_row.cost.estimate < graded_row.cost.estimate
    (error,) = words.amounts(classes_row.cost.estimate)
    assert f" m1 ({error}) is not significantly better, and m0 has the highest AUC. " in section.headlines[0]
    same = thresholds.thresholds(data_of(y, np.column_stack([graded, graded - y])))
    assert "has the highest AUC" not in same.headlines[0]


def test_small_rates_have_two_digits() -> None:
    found = [words.rate(v) for v in (0.0, 1e-9, 0.00042, 0.0042, 0.01, 0.5, 0.9996, 1.0)]
    assert found == ["0.000", "< 0.000001", "0.00042", "0.0042", "0.010", "0.500", "> 0.999", "1.000"]
    assert words.between(0.00051, 0.0123) == "0.00051 to 0.012"
