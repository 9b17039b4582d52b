"""The command line: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import csv
import functools
import json
import math
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from scipy.stats import ks_2samp

import confroc
from confroc import PairedScores, Scores, UnpairedScores, auc_test, read_scores, statistics
from confroc._files import json_text
from confroc.base import FAMILIES
from confroc.cli import main
from confroc.cli.curves import POINTS
from confroc.cli.data import pairs_of
from confroc.ingest import read_cases
from confroc.pages import ReportData, build_report
from confroc.results.comparison import ADJUSTED
from confroc.sklearn import CrossValidatedScores, cross_validated_auc, cross_validated_auc_difference
from support import Done, invoke, slow

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "asah.csv")
ASAH = [EXAMPLE, "--label", "outcome", "--pos-label", "Poor"]
BOTH = [*ASAH, "--score", "s100b", "--score", "ndka"]


def run(*args: str) -> Done:
    return invoke(main, args)


def test_auc_table_and_json() -> None:
    done = run("auc", *BOTH)
    assert done.exit_code == 0
    assert "0.7314" in done.stdout
    assert "41 positives (Poor), 72 negatives (Good)" in done.stdout
    done = run("auc", *BOTH, "--method", "delong", "--json")
    content = json.loads(done.stdout)
    assert content["schema"] == "confroc/1"
    assert content["data"]["n_pos"] == 41
    # pROC's own test suite.
    assert content["auc_interval"]["s100b"]["estimate"] == pytest.approx(0.731368563685637, abs=1e-14)
    assert content["auc_interval"]["ndka"]["lower"] == pytest.approx(0.501244999271703, abs=1e-9)
    assert content["auc_interval"]["ndka"]["upper"] == pytest.approx(0.722670989888189, abs=1e-9)


def test_auc_comes_with_gini_and_ks() -> None:
    for more in ((), ("--method", "bootstrap", "-n", "200"), ("--cluster", "wfns"), ("--resolution", "20")):
        content = json.loads(run("auc", *BOTH, *more, "--json").stdout)
        for name in NAMES:
            auc, gini, ks = (content[key][name] for key in ("auc_interval", "gini", "ks"))
            for end in ("estimate", "lower", "upper"):
                assert gini[end] == pytest.approx(2.0 * auc[end] - 1.0, abs=1e-9)
            assert gini["method"] == auc["method"]
            assert ks["lower"] < ks["upper"]
        if not more:
            # The greatest distance of the two distributions, by SciPy.
            y, s = PAIR["s100b"].pos, PAIR["s100b"].score
            pos, neg = np.repeat(s, y), np.repeat(s, PAIR["s100b"].neg)
            expected = ks_2samp(pos, neg).statistic
            assert content["ks"]["s100b"]["estimate"] == pytest.approx(expected, abs=1e-12)
    table = run("auc", *BOTH).stdout.splitlines()
    assert [line.split()[:2] for line in table[2:8]] == [[n, s] for n in NAMES for s in ("auc", "gini", "ks")]
    for alone in (("--max-fpr", "0.2"), ("--min-tpr", "0.5")):
        assert json.loads(run("auc", *BOTH, *alone, "--json").stdout).keys().isdisjoint({"gini", "ks"})


@pytest.mark.slow
def test_a_limit_that_is_not_reached_ends_with_code_1() -> None:
    """The AUCs of s100b and ndka have lower limits 0.619 and 0.498, their difference has -0.051."""
    ks = ("interval", *BOTH, "--statistic", "ks")
    for args, low, high, names in (
        (("auc", *BOTH), "0.4", "0.5", "ndka 0.4984"),
        (("auc", *BOTH), "0.4", "0.75", "s100b 0.6190, ndka 0.4984"),
        (ks, "-0.01", "0.1", "ndka 0.0000"),
        (("compare", *BOTH), "-0.06", "-0.04", "s100b - ndka -0.0514"),
        (("compare", *THREE), "-0.4", "-0.1", "s100b - wfns -0.1913, ndka - wfns -0.3908"),
        (("roc", *BOTH, "--fpr", "0.1", "--fpr", "0.2", "--tpr", "0.9"), "0.05", "0.1", "ndka 0.0809"),
        (("pr", *BOTH), "0.3", "0.5", "ndka 0.3020"),
    ):
        passed, failed = (run(*args, "--fail-below", limit) for limit in (low, high))
        assert (passed.exit_code, failed.exit_code) == (0, 1)
        assert passed.stdout == failed.stdout == run(*args).stdout
        limit = f"The lower confidence limit is below --fail-below {float(high):g}"
        assert failed.stderr == f"{passed.stderr}Error: {limit}: {names}.\n"
        plain = run(*args, "--json").stdout
        assert run(*args, "--json", "--fail-below", high).stdout == plain
        assert run(*args, "--json", "--quiet", "--fail-below", high).exit_code == 1
    done = run("roc", *BOTH, "--tpr", "0.9", "--fail-below", "0")
    assert done.exit_code == 2
    assert "--fail-below requires --fpr." in done.stderr


def test_compare() -> None:
    done = run("compare", *BOTH, "--method", "delong", "--json")
    (row,) = json.loads(done.stdout)["auc_difference"]
    assert (row["a"], row["b"], row["design"]) == ("s100b", "ndka", "paired")
    assert row["pvalue"] == pytest.approx(0.164295175223054, abs=1e-9)
    assert "s100b - ndka" in run("compare", *BOTH).stdout


THREE = [*BOTH, "--score", "wfns"]


def test_compare_two_models_by_their_difference() -> None:
    content = json.loads(run("compare", *BOTH, "--json").stdout)
    assert "auc_comparison" not in content
    for option, value in (("--adjust", "holm"), ("--reference", "ndka")):
        done = run("compare", *BOTH, option, value)
        assert done.exit_code == 2
        assert f"auc_difference has no option {option}." in done.stderr


def test_compare_ranks_three_models_and_adjusts() -> None:
    scores = confroc.read_scores(EXAMPLE, label="outcome", pos_label="Poor", score=("s100b", "ndka", "wfns"))
    for more, options in (
        ([], {}),
        (["--adjust", "holm"], {"adjust": "holm"}),
        (["--reference", "ndka", "--method", "delong"], {"reference": "ndka", "method": "delong"}),
        (["--max-fpr", "0.3", "--confidence-level", "0.9"], {"max_fpr": 0.3, "confidence_level": 0.9}),
    ):
        content = json.loads(run("compare", *THREE, *more, "--json").stdout)
        expected = confroc.auc_comparison(scores, rng=0, **options)
        assert content["auc_comparison"] == json.loads(json_text(expected.to_dict()))
        assert "auc_difference" not in content
        text = run("compare", *THREE, *more).stdout
        # The best comes first, every pair (here) follows, and what was adjusted how.
        first = [text.index(f"\n{name} ") for name in expected.ranking]
        assert first == sorted(first)
        assert ADJUSTED[expected.adjust] in text
        assert f"\n{expected.differences.a[1]} " in text
        assert "all auc" in text


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Five models in a file, the last one much the best."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 60)
    columns = [rng.normal(size=120) + gain * y for gain in (0.5, 0.6, 0.7, 0.8, 2.5)]
    rows = [",".join(map(str, row)) for row in zip(y, *columns, np.arange(120) % 3, strict=True)]
    path = tmp_path_factory.mktemp("five") / "five.csv"
    path.write_text("\n".join(["y,a,b,c,d,e,site", *rows, ""]), encoding="utf-8")
    return [str(path), "--label", "y"]


@pytest.mark.slow
def test_compare_five_models_prints_all_pairs_or_those_with_the_reference(five: list[str]) -> None:
    args = ["compare", *five, *(word for name in "abcde" for word in ("--score", name)), "--band", "-n", "50"]
    content = json.loads(run(*args, "--json").stdout)
    assert len(content["auc_comparison"]["differences"]["estimate"]) == 10
    assert len(content["roc_difference_band"]) == 10
    text = run(*args).stdout
    assert "may be best (95%, one-sided tests): e\n" in text
    assert "a - d" in text
    text = run(*args, "--reference", "b").stdout
    assert "e - b" in text
    assert "a - d" not in text
    done = run(*args, "--reference", "bb")
    assert done.exit_code == 2
    assert "`--reference` must" in done.stderr


def test_groups_of_one_model(five: list[str]) -> None:
    args = ["compare", *five, "--score", "d", "--group", "site"]
    content = json.loads(run(*args, "--json").stdout)["auc_comparison"]
    assert (content["names"], content["design"]) == (["0", "1", "2"], "unpaired")
    rows = np.genfromtxt(five[0], delimiter=",", names=True)
    groups = [
        Scores(rows["y"][rows["site"] == g].astype(int), rows["d"][rows["site"] == g]) for g in range(3)
    ]
    expected = confroc.auc_comparison(UnpairedScores(*groups, names=list("012")), rng=0)
    assert content["differences"]["estimate"] == pytest.approx(expected.differences.estimate.tolist())
    assert content["test"]["pvalue"] == pytest.approx(expected.test.pvalue)
    text = run(*args).stdout
    assert "may be best (95%, " in text
    done = run(*args[:-1], "sites")
    assert done.exit_code == 2
    assert "`--group` must be a column of the data; got 'sites'. Did you mean 'site'?" in done.stderr


def test_cases_without_a_group_are_told(tmp_path: Path) -> None:
    rows = [f"{i % 2},{i % 7},{'north' if i % 3 else 'south'}" for i in range(30)]
    path = tmp_path / "gap.csv"
    path.write_text("\n".join(["y,s,site", *rows, "1,3,", ""]), encoding="utf-8")
    args = ["compare", str(path), "--label", "y", "--score", "s", "--group", "site"]
    done = run(*args)
    assert done.exit_code == 2
    assert "1 missing in 'site'" in done.stderr
    text = run(*args, "--nan-policy", "omit").stdout
    assert "15 positives (1), 15 negatives (0)\n" in text
    assert "\nnorth - south " in text


@pytest.mark.slow
def test_every_command_notes_rows_left_out(tmp_path: Path) -> None:
    rows = [f"{i % 2},{i % 7 + i % 2 + 0.1 * i}" for i in range(60)]
    gaps, other = tmp_path / "gaps.csv", tmp_path / "other.csv"
    gaps.write_text("\n".join(["y,s", *rows, ",3", "1,", ""]), encoding="utf-8")
    more = [f"{i % 2},{i % 7 + i % 2 + 0.1 * i + 0.03}" for i in range(60)]
    other.write_text("\n".join(["y,s", *more, "0,", ""]), encoding="utf-8")
    data = [str(gaps), "--label", "y", "--score", "s", "--nan-policy", "omit"]
    line = f"note: {gaps}: 2 of 62 rows dropped for missing values\n"
    page, counted = tmp_path / "a.html", tmp_path / "a.parquet"
    for args in (
        ["auc", *data],
        ["auc", *data, "--json"],
        ["report", *data, "-o", str(page)],
        ["counts", *data, "-o", str(counted)],
    ):
        done = run(*args)
        assert done.exit_code == 0, done.output
        assert line in done.stderr
        assert line in (quiet := run(*args, "--quiet").stderr)
        assert "wrote " not in quiet
    assert "62 rows, 2 of them dropped for missing values ·" in page.read_text(encoding="utf-8")
    costs = ["--false-negative", "1", "--false-positive", "1"]
    done = run("cost", *data, *costs, "--validation", str(other))
    assert line in done.stderr
    assert f"note: {other}: 1 of 61 rows dropped for missing values" in done.stderr


@pytest.fixture
def tuning(tmp_path: Path) -> str:
    """Other cases than those of the example, which 0.22 of s100b and 12 of ndka part without an error."""
    path = tmp_path / "tuning.csv"
    path.write_text(
        "outcome,s100b,ndka\nPoor,0.22,12\nPoor,0.5,20\nGood,0.21,11\nGood,0.1,3\n", encoding="utf-8"
    )
    return str(path)


def test_roc() -> None:
    done = run("roc", *BOTH, "--fpr", "0.1", "--threshold", "0.205")
    assert done.exit_code == 0
    assert FAMILIES["tpr_at_fpr"].title in done.stdout
    assert FAMILIES["rates_at_threshold"].title in done.stdout
    content = json.loads(run("roc", *ASAH, "--score", "wfns", "--json").stdout)
    assert content["roc_curve"]["wfns"]["threshold"][0] is None
    at = content["tpr_at_fpr"]["wfns"]["at"]
    assert at == sorted(at)
    args = ("--threshold", "1", "--tpr", "0.5", "--positive-rate", str(22 / 113))
    content = json.loads(run("roc", *BOTH, *args, "--json").stdout)
    assert content.keys() >= {"roc_curve", "fpr_at_tpr", "rates_at_threshold", "rates_at_positive_rate"}
    assert "tpr_at_fpr" not in content
    # 22 of the 113 cases, of whom 12 are positive.
    # A wide table has one name per line.
    lines = [r.split() for r in run("roc", *BOTH, *args).stdout.splitlines()]
    found = {r[0]: r[2] for r in lines if len(r) == 3}
    assert (found["positive_rate"], found["tpr"], found["precision"]) == (
        f"{22 / 113:.4g}",
        f"{12 / 41:.4g}",
        f"{12 / 22:.4g}",
    )
    done = run("roc", *BOTH, "--threshold", "1", "--method", "kernel")
    assert done.exit_code == 2
    assert "`--method` must be one of 'agresti_coull'" in done.stderr


def test_band() -> None:
    content = json.loads(run("band", *BOTH, "--method", "ks_regions", "--json").stdout)["roc_band"]
    assert content["s100b"]["method"] == "ks_regions"
    assert content["s100b"]["guarantee"] == "finite-sample"
    done = run(
        "band", *BOTH, "--method", "bootstrap", "--metric", "sup", "--no-smoothing", "--n-resamples", "50"
    )
    assert "simultaneous; method: bootstrap" in done.stdout
    assert "simultaneous; method: ks_regions" in run("band", *BOTH, "--method", "ks_regions").stdout
    one, two = (run("band", *ASAH, "--score", "wfns", "--seed", "3").stdout for _ in range(2))
    assert one == two


def test_cost(tuning: str) -> None:
    args = [
        "cost",
        *BOTH,
        "--false-negative",
        "5",
        "--false-positive",
        "1",
        "--prior",
        "0.2",
        "--n-resamples",
        "100",
        "--seed",
        "1",
    ]
    content = json.loads(run(*args, "--json").stdout)
    cost = content["expected_cost"]["s100b"]
    # At threshold 0.22 the sample has 15 misses among 41 and 14 false alarms among 72, counted by hand.
    assert cost["threshold"] == 0.22
    apparent = 5 * 0.2 * 15 / 41 + 0.8 * 14 / 72
    assert cost["estimate"] == pytest.approx(apparent + cost["optimism"])
    assert cost["optimism"] > 0
    assert cost["trivial"] == pytest.approx(0.8)
    (pair,) = content["cost_difference_band"]
    assert (pair["a"], pair["b"], pair["kind"]) == ("s100b", "ndka", "simultaneous")
    assert (
        "ndka do not differ significantly at any w.\n(simultaneous 95% band, not corrected"
        in run(*args).stdout
    )
    held = run(*args, "--threshold", "0.22", "--json").stdout
    assert json.loads(held)["expected_cost"]["s100b"]["estimate"] == pytest.approx(apparent)
    assert "threshold 0.22" in run(*args, "--threshold", "0.22").stdout
    honest = json.loads(run(*args, "--validation", tuning, "--json").stdout)["expected_cost"]["s100b"]
    assert (honest["threshold"], honest["notes"]) == (0.22, [])
    (between,) = content["expected_cost_difference"]
    ndka = content["expected_cost"]["ndka"]
    assert between["estimate"] == pytest.approx(cost["estimate"] - ndka["estimate"])
    done = run("cost", *BOTH, "--false-negative", "-5", "--false-positive", "1")
    assert done.exit_code == 2
    assert "`--false-negative` must be positive" in done.stderr


@pytest.mark.slow
def test_options_of_costs_reach_all_that_is_printed_and_drawn(
    tmp_path: Path, tuning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = ["cost", *BOTH, "--false-negative", "5", "--false-positive", "1", "--n-resamples", "50"]
    called: dict[str, list[dict[str, Any]]] = {}
    for name in ("expected_cost", "expected_cost_difference", "cost_difference_band", "cost_band"):
        function = getattr(confroc, name)

        @functools.wraps(function)
        def kept(data: Any, *, real: Any = function, name: str = name, **options: Any) -> Any:
            called.setdefault(name, []).append(options)
            return real(data, **options)

        monkeypatch.setattr(confroc, name, kept)
    drawn = ["--plot", str(tmp_path / "costs.png")]
    for more, expected in (
        (["--threshold", "0.3"], 0.3),
        (["--validation", tuning], "validation"),
        (["--sampling", "full"], "full"),
        (["--confidence-level", "0.9"], 0.9),
        (["--seed", "5"], 5),
    ):
        called.clear()
        assert run(*args, *more, *drawn).exit_code == 0
        assert {name: len(calls) for name, calls in called.items()} == {
            "expected_cost": 2, "expected_cost_difference": 1, "cost_difference_band": 1, "cost_band": 2
        }  # fmt: skip
        for calls in called.values():
            for options in calls:
                assert expected in options or expected in options.values()
    called.clear()
    for prior, meant in (("0.1", 0.1), ("12/150", (12.0, 150.0))):
        content = json.loads(run(*args, "--prior", prior, "--json").stdout)
        assert content["expected_cost"]["s100b"]["prior"] == pytest.approx({"0.1": 0.1}.get(prior, 0.08))
        assert all(
            o["prior"] == meant for o in called.pop("expected_cost") + called.pop("expected_cost_difference")
        )
        # The w of a band holds a known share already.
        (band,) = called.pop("cost_difference_band")
        assert band.get("prior") == {"12/150": meant}.get(prior)
    assert "`--prior` must" in run(*args, "--prior", "1/2/3").stderr
    one = ["cost", *ASAH, "--score", "s100b", "--false-negative", "5", "--false-positive", "1"]
    assert "`--n-resamples` must be omitted" in run(*one, "--threshold", "0.2", "--n-resamples", "99").stderr


def same(printed: Any, found: Any) -> bool:
    """Whether JSON holds what the library returned."""
    return bool(printed == json.loads(json_text(found.to_dict())))


PAIR = confroc.read_scores(EXAMPLE, label="outcome", pos_label="Poor", score=("s100b", "ndka"))
((NAMES, DIFFERENCE),) = pairs_of(PAIR).items()
"""What commands compare, whose quantities are of a and b."""


def row_of(found: Any) -> dict[str, Any]:
    """The row of two models in JSON."""
    row: dict[str, Any] = json.loads(json_text(dict(zip("ab", NAMES, strict=True)) | found.to_dict()))
    return row


@pytest.mark.parametrize(
    ("text", "statistic"),
    [
        ("ks", statistics.KolmogorovSmirnov()),
        ("gini", statistics.Gini()),
        ("tpr_at_fpr=0.1", statistics.TprAtFpr(0.1)),
        ("fpr_at_tpr=0.8", statistics.FprAtTpr(0.8)),
        ("auc=max_fpr=0.2", statistics.Auc(max_fpr=0.2)),
        ("net_benefit=0.2,threshold=0.3", statistics.NetBenefit(risk=0.2, threshold=0.3)),
        ("net_benefit=0.2,0.3", statistics.NetBenefit(risk=0.2, threshold=0.3)),
        ("cost_per_case=10,1", statistics.CostPerCase(false_negative=10, false_positive=1)),
        (
            "cost_per_case=10,1,0.3",
            statistics.CostPerCase(false_negative=10, false_positive=1, threshold=0.3),
        ),
        ("metric=f1,0.3", statistics.Metric("f1", threshold=0.3)),
        ("metric=ppv,0.3,prior=0.1", statistics.Metric("ppv", threshold=0.3, prior=0.1)),
        ("metric=ppv,prior=12/150,threshold=0.3", statistics.Metric("ppv", threshold=0.3, prior=(12, 150))),
    ],
)
def test_a_statistic_by_its_name_and_values(text: str, statistic: Any) -> None:
    content = json.loads(run("interval", *BOTH, "--statistic", text, "--json").stdout)["interval"]
    for name, model in PAIR.items():
        assert same(content[name], confroc.interval(model, statistic))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "kss",
            "is not one of auarc, auc, aurc, average_precision, brier_score, cost, cost_per_case, ",
        ),
        ("kss", "Did you mean 'ks'?"),
        (
            "net_benefit",
            "'net_benefit' lacks RISK. Write net_benefit=RISK[,THRESHOLD]. Give other parameters",
        ),
        ("tpr_at_fpr=0.1,0.2", "'0.2' fits no parameter of tpr_at_fpr. Write tpr_at_fpr=FPR."),
        ("tpr_at_fpr=x", "`fpr` must contain numbers; got 'x'"),
        ("gini=best=1", "'best=1' fits no parameter of gini."),
        ("metric=f1,0.3,threshold=0.4", "'threshold=0.4' fits no parameter of metric."),
        ("metric=f1,0.3,beta=x", "`beta` must be"),
        ("tpr_at_fpr=2", "`fpr` must lie between 0 and 1; got 2.0"),
    ],
)
def test_a_statistic_that_is_none(text: str, message: str) -> None:
    done = run("interval", *BOTH, "--statistic", text)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("args", "functions", "options"),
    [
        (["--w", "0.2", "--w", "0.5"], ("cost_curve", "cost_difference"), {"w": (0.2, 0.5)}),
        (["--w", "0.2", "-m", "wald"], ("cost_curve", "cost_difference"), {"w": 0.2, "method": "wald"}),
        (
            ["--w", "0.2", "--threshold-range", "both_classes", "--prior", "12/150"],
            ("cost_curve", "cost_difference"),
            {"w": 0.2, "threshold_range": "both_classes", "prior": (12, 150)},
        ),
        (
            ["--w", "0.2", "--w", "0.4", "--threshold", "0.3", "--threshold", "0.5"],
            ("cost_curve", "cost_difference"),
            {"w": (0.2, 0.4), "threshold": (0.3, 0.5)},
        ),
    ],
)
def test_costs_at_a_weight(args: list[str], functions: tuple[str, str], options: dict[str, Any]) -> None:
    content = json.loads(run("cost", *BOTH, *args, "--json").stdout)
    one, two = (getattr(confroc, name) for name in functions)
    assert content.keys() & {"expected_cost", "cost_curve", "net_benefit", "cost_band"} == {functions[0]}
    for name, model in PAIR.items():
        assert same(content[functions[0]][name], one(model, **options))
    both = dict(options)
    if "threshold" in both:
        both["threshold_a"] = both["threshold_b"] = both.pop("threshold")
    assert content[functions[1]] == [row_of(two(DIFFERENCE, **both))]


def test_cost_needs_one_question() -> None:
    for args in ([], ["--false-negative", "1"], ["--w", "0.2", "--false-negative", "1"]):
        done = run("cost", *BOTH, *args)
        assert done.exit_code == 2
        assert "Give --false-negative and --false-positive, or --w." in done.stderr
    for args, message in (
        (["--w", "0.2", "--threshold", "1", "-n", "99"], "`--n-resamples` must be omitted"),
        (["--w", "0.2", "--false-positive", "1"], "has no option --false-positive"),
    ):
        done = run("cost", *BOTH, *args)
        assert done.exit_code == 2
        assert message in done.stderr


def test_the_json_of_costs_has_the_bands() -> None:
    args = ["--false-negative", "5", "--false-positive", "1", "--n-resamples", "50"]
    content = json.loads(run("cost", *BOTH, *args, "--json").stdout)["cost_band"]
    assert same(content["ndka"], confroc.cost_band(PAIR["ndka"], n_resamples=50, rng=0))


def test_calibration() -> None:
    content = json.loads(run("calibration", *BOTH, "--seed", "1", "--json").stdout)["calibration_band"]
    for name, model in PAIR.items():
        assert same(content[name], confroc.calibration_band(model, rng=1))
    assert "95%; simultaneous; method: " in run("calibration", *BOTH).stdout


def test_aligned_thresholds() -> None:
    args = ["compare-rates", *BOTH, "--threshold-a", "0.5", "--threshold-a", "99"]
    for by in ("positive_rate", "calibration"):
        (row,) = json.loads(run(*args, "--by", by, "--json").stdout)["aligned_thresholds"]
        assert row == row_of(confroc.aligned_thresholds(PAIR, threshold_a=[0.5, 99], by=by))
    assert row["threshold_b"][1] is None
    assert "s100b - ndka         99.0            ∞\n" in run(*args).stdout
    done = run(*args, "--method", "wald")
    assert "aligned_thresholds has no option --method." in done.stderr


def test_options_of_rates_reach_dominance_and_both_intervals() -> None:
    args = ["compare-rates", *BOTH, "--threshold", "0.5", "20"]
    content = json.loads(run(*args, "--dominance", "--size", "20", "30", "--joint", "--json").stdout)
    at = {"threshold_a": 0.5, "threshold_b": 20, "size": (20, 30)}
    for name, more in (("dominance_at_threshold", {}), ("rates_difference_at_threshold", {"joint": True})):
        assert content[name] == [row_of(getattr(confroc, name)(DIFFERENCE, **at, **more))]


@pytest.fixture(scope="module")
def folds(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """Two models' scores of test cases in two repeats of three folds, and what the library makes of them."""
    rng = np.random.default_rng(5)
    y = np.arange(60) % 2
    rows, parts = [], {"a": [], "b": []}
    for repeat in range(2):
        for part, cases in enumerate(np.split(rng.permutation(30), 3)):
            members = np.concatenate([2 * cases, 2 * cases + 1])
            scores = {"a": y[members] + rng.normal(size=20), "b": rng.normal(size=20)}
            rows += zip(members, y[members], [3 * repeat + part] * 20, *scores.values(), strict=True)
            for name, score in scores.items():
                parts[name].append((members, score))
    path = tmp_path_factory.mktemp("folds") / "folds.csv"
    path.write_text(
        "\n".join(["id,y,fold,a,b", *(",".join(map(str, row)) for row in rows), ""]), encoding="utf-8"
    )
    return str(path), {name: CrossValidatedScores(y, found) for name, found in parts.items()}


def test_cross_validated_areas(folds: tuple[str, Any]) -> None:
    path, cv = folds
    args = ["auc", path, "--label", "y", "--score", "a", "--score", "b", "--fold", "fold"]
    content = json.loads(run(*args, "--case", "id", "--json").stdout)
    assert (content["data"]["n_rows"], content["data"]["n_pos"]) == (120, 30)
    (difference,) = content["cross_validated_auc_difference"]
    for found, expected in (
        *((content["cross_validated_auc"][name], cross_validated_auc(cv[name])) for name in "ab"),
        (difference, cross_validated_auc_difference(cv["a"], cv["b"])),
    ):
        for field in ("estimate", "lower", "upper", "standard_error", "times_tested"):
            assert found[field] == pytest.approx(getattr(expected, field), rel=1e-12)
    # Rows taken for cases look like more cases, and a sign turned like another model.
    rows = json.loads(run(*args, "--json").stdout)["cross_validated_auc"]["a"]
    assert rows["times_tested"] == 1.0
    turned = json.loads(run(*args[:4], "--score", "-a", "--fold", "fold", "--json").stdout)
    assert turned["cross_validated_auc"]["a"]["estimate"] == pytest.approx(1.0 - rows["estimate"])
    text = run(*args, "--case", "id").stdout
    assert "Mean area over the folds" in text
    assert "fold_auc" not in text


def test_what_does_not_go_with_folds(folds: tuple[str, Any]) -> None:
    args = ["auc", folds[0], "--label", "y", "--score", "a"]
    for more, message in (
        (["--case", "id"], "--case requires --fold"),
        (["--fold", "fold", "--resolution", "20"], "--fold cannot be combined with --resolution"),
        (["--fold", "fold", "--null-auc", "0.6"], "--null-auc cannot be combined with"),
        (["--fold", "fold", "--method", "delong"], "cross_validated_auc has no option --method"),
        (["--fold", "fold", "--seed", "1"], "cross_validated_auc has no option --seed"),
        (["--fold", "folds"], "`--fold` must be a column of the data; got 'folds'. Did you mean 'fold'?"),
        (["--fold", "fold", "--case", "idd"], "`--case` must be a column of the data; got 'idd'"),
        (["--fold", "fold", "--case", "y"], "must contain distinct columns other than the label"),
        (["--fold", "fold", "--case", "fold"], "must contain distinct columns other than the label"),
        (["--fold", "a"], "must contain distinct columns other than the label"),
    ):
        done = run(*args, *more)
        assert done.exit_code == 2
        assert message in done.stderr


def test_a_difference_is_captioned_as_its_rows_name_it(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("y,s,sex\n1,4,m\n0,3,m\n1,5,m\n0,1,m\n1,3,w\n0,2,w\n1,2,w\n0,1,w\n", encoding="utf-8")
    args = ["compare", str(cases), "--label", "y", "--score", "s"]
    for more in (["--group", "sex"], ["--against", str(cases)]):
        assert "design: unpaired\n" in run(*args, *more).stdout
    part = run(*args, "--group", "sex", "--max-fpr", "0.5").stdout
    assert "quantity: auc[max_fpr=0.5]" in part


def test_partial_area() -> None:
    done = run("auc", *BOTH, "--max-fpr", "0.1", "--standardize")
    assert "quantity: auc[max_fpr=0.1, standardized]" in done.stdout
    content = json.loads(run("auc", *BOTH, "--min-tpr", "0.9", "--json").stdout)["auc_interval"]["s100b"]
    assert content["quantity"] == "auc[min_tpr=0.9]"
    part = ("--max-fpr", "0.1", "--standardize")
    assert "max_fpr=0.1" in run("compare", *BOTH, *part).stdout
    each = json.loads(run("auc", *BOTH, *part, "--json").stdout)["auc_interval"]
    (row,) = json.loads(run("compare", *BOTH, *part, "--json").stdout)["auc_difference"]
    expected = each["s100b"]["estimate"] - each["ndka"]["estimate"]
    assert row["estimate"] == pytest.approx(expected, abs=1e-14)
    done = run("auc", *BOTH, "--max-fpr", "0.1", "--method", "newcombe")
    assert done.exit_code == 2
    assert "`--max-fpr` must be omitted with method" in done.stderr


def test_an_area_against_a_given_one() -> None:
    args = ["auc", *BOTH, "--null-auc", "0.6"]
    expected = auc_test(read_scores(EXAMPLE, label="outcome", score="s100b", pos_label="Poor"), null_auc=0.6)
    assert json.loads(run(*args, "--json").stdout)["auc_test"]["s100b"]["pvalue"] == expected.pvalue
    table = run(*args).stdout
    assert "Test of AUC = 0.6" in table
    assert f" {expected.pvalue:.4f}" in table
    done = run("auc", *BOTH, "--null-auc", "1.6")
    assert done.exit_code == 2
    assert "`--null-auc` must" in done.stderr


def test_a_pilot_file_brings_its_share_of_positives() -> None:
    found = json.loads(run("power", *BOTH, "--json").stdout)["auc_sample_size"]
    assert found["n_neg"] == math.ceil(found["n_pos"] * 72 / 41)
    even = json.loads(run("power", *BOTH, "--prior", "0.5", "--json").stdout)["auc_sample_size"]
    assert even["n_neg"] == even["n_pos"]
    done = run("power", "--auc", "0.8", "--auc-b", "0.7", "--null-auc", "0.6")
    assert done.exit_code == 2
    assert "`--null-auc` must be omitted with two models" in done.stderr


def test_compare_rates_and_bands() -> None:
    done = run("compare-rates", *BOTH, "--fpr", "0.1")
    assert FAMILIES["tpr_difference_at_fpr"].title in done.stdout
    done = run("compare", *BOTH, "--band", "--n-resamples", "200")
    assert "includes zero at every fpr" in done.stdout
    done = run("compare", *BOTH, "--alternative", "non-inferiority", "--margin", "0.05")
    assert "alternative: non-inferiority" in done.stdout
    done = run("compare", *BOTH, "--margin", "0.05")
    assert done.exit_code == 2
    assert "`--margin` must" in done.stderr
    content = json.loads(run("compare", *BOTH, "--method", "permutation", "--json").stdout)
    assert content["auc_difference"][0]["guarantee"] == "finite-sample"


def read_pair() -> PairedScores:
    """The two models, called a and b as in the output of commands."""
    columns = np.genfromtxt(EXAMPLE, delimiter=",", names=True, dtype=None, encoding="utf-8")
    return PairedScores(columns["outcome"], columns["s100b"], columns["ndka"], pos_label="Poor")


def test_equality_test() -> None:
    args = ["compare", *BOTH, "--equality-test", "--n-resamples", "50", "--seed", "3"]
    found = json.loads(run(*args, "--json").stdout)["auc_equality_test"]
    expected = confroc.auc_equality_test(read_pair(), n_resamples=50, rng=3)
    assert found.pop("quantity") == "auc_s100b - auc_ndka"
    assert found | {"quantity": expected.quantity} == json.loads(json_text(expected.to_dict()))
    assert "auc_s100b - auc_ndka = 0: statistic" in run(*args).stdout
    assert "all auc equal: statistic" in run(*args, "--score", "wfns").stdout


def test_curve_test() -> None:
    args = ["compare", *BOTH, "--curve-test", "--n-resamples", "50", "--seed", "3", "--json"]
    (found,) = json.loads(run(*args).stdout)["curve_test"]
    expected = confroc.curve_test(read_pair(), n_resamples=50, rng=3)
    assert (found["statistic"], found["pvalue"]) == (expected.statistic, expected.pvalue)


def test_compare_rates_at_every_kind_of_place() -> None:
    """Each place by its function, with the options that this function accepts; thresholds pair by pair."""
    args = ["--fpr", "0.1", "--threshold", "0.2", "10", "--threshold", "0.5", "20", "--positive-rate", "0.25"]
    args += ["--dominance"]
    content = json.loads(run("compare-rates", *BOTH, *args, "--json").stdout)
    pair = read_pair()
    places: dict[str, Any] = {"threshold_a": [0.2, 0.5], "threshold_b": [10, 20]}
    for name, found in (
        ("rates_difference_at_threshold", confroc.rates_difference_at_threshold(pair, **places)),
        ("dominance_at_threshold", confroc.dominance_at_threshold(pair, **places)),
        (
            "rates_difference_at_positive_rate",
            confroc.rates_difference_at_positive_rate(pair, positive_rate=0.25),
        ),
        ("tpr_difference_at_fpr", confroc.tpr_difference_at_fpr(pair, fpr=0.1)),
    ):
        (entry,) = content[name]
        assert entry == {"a": "s100b", "b": "ndka"} | json.loads(json_text(found.to_dict()))
    shown = run("compare-rates", *BOTH, *args).stdout
    for name in content.keys() & FAMILIES.keys() - {f.__name__ for f in POINTS.values()}:
        assert FAMILIES[name].title in shown
    # The rates of each model, at its own threshold, are above the difference.
    for column, model, at in zip(("s100b", "ndka"), pair.models, ([0.2, 0.5], [10, 20]), strict=True):
        own = confroc.rates_at_threshold(model, threshold=at)
        assert content["rates_at_threshold"][column] == json.loads(json_text(own.to_dict()))
    rows = [*csv.DictReader(run("compare-rates", *BOTH, *args[:2], "--csv").stdout.splitlines())]
    a, b, gap = (float(row["tpr"]) for row in rows)
    assert [row["model"] for row in rows] == ["s100b", "ndka", "s100b - ndka"]
    assert gap == pytest.approx(a - b)
    a, b, gap = csv.DictReader(run("compare", *BOTH, "--csv").stdout.splitlines())
    assert float(gap["estimate"]) == pytest.approx(float(a["estimate"]) - float(b["estimate"]))


def test_compare_rates_of_groups_and_of_several_models(five: list[str]) -> None:
    args = ["compare-rates", *five, "--fpr", "0.1", "--score", "d"]
    groups = json.loads(run(*args, "--group", "site", "--json").stdout)["tpr_difference_at_fpr"]
    assert [(one["a"], one["b"]) for one in groups] == [("0", "1"), ("0", "2"), ("1", "2")]
    models = json.loads(run(*args, "--score", "e", "--score", "a", "--json").stdout)["tpr_difference_at_fpr"]
    assert [(one["a"], one["b"]) for one in models] == [("d", "e"), ("d", "a"), ("e", "a")]


def test_methods_and_sampling_reach_the_rates_that_have_them() -> None:
    args = ["--threshold", "0.2", "10", "--positive-rate", "0.25", "--method", "bootstrap"]
    args += ["--n-resamples", "100", "--json"]
    found = {
        sampling: json.loads(run("compare-rates", *BOTH, *args, "--sampling", sampling).stdout)
        for sampling in ("stratified", "full")
    }
    for name in ("rates_difference_at_threshold", "rates_difference_at_positive_rate"):
        assert found["full"][name][0]["method"] == "bootstrap"
        assert found["full"][name] != found["stratified"][name]
    # A predicted-positive rate has a use for it with its default method, a false positive rate has none.
    roc = ["roc", *BOTH, "--fpr", "0.1", "--positive-rate", "0.25", "--json"]
    content = {s: json.loads(run(*roc, "--sampling", s).stdout) for s in ("stratified", "full")}
    assert content["full"]["tpr_at_fpr"] == content["stratified"]["tpr_at_fpr"]
    assert content["full"]["rates_at_positive_rate"] != content["stratified"]["rates_at_positive_rate"]
    done = run("roc", *BOTH, "--fpr", "0.1", "--sampling", "full")
    assert done.exit_code == 2
    assert "`--sampling` must be omitted with method 'beta_mixture'" in done.stderr


@pytest.mark.parametrize(
    ("command", "args", "words"),
    [
        (
            "compare-rates",
            ["--threshold", "1", "2", "--score", "wfns"],
            "compare two models: give",
        ),
        ("compare-rates", ["--dominance", "--fpr", "0.1"], "--dominance requires --threshold"),
        ("compare-rates", [], "Give --fpr, --threshold, --positive-rate or --threshold-a"),
        (
            "compare",
            ["--alternative", "less", "--score", "wfns"],
            "auc_comparison has no option --alternative",
        ),
        ("compare", ["--method", "exact_bootstrap", "--score", "wfns"], "`--method` must be one of"),
        ("compare", ["--against", EXAMPLE, "--adjust", "holm"], "auc_difference has no option --adjust"),
        ("compare", ["--group", "wfns"], "requires a single --score column and no --against"),
        ("compare", ["--groups", "wfns"], "Did you mean --group?"),
        ("compare", ["--equality-test", "--max-fpr", "0.2"], "cannot be combined with --max-fpr"),
    ],
)
def test_compare_refuses_options_that_do_not_go_together(command: str, args: list[str], words: str) -> None:
    done = run(command, *BOTH, *args)
    assert done.exit_code == 2
    # Older versions of click name options without quotes.
    assert words in done.output.replace("'", "")


def test_the_equality_test_is_for_one_file() -> None:
    done = run("compare", *BOTH, "--equality-test", "--against", EXAMPLE)
    assert done.exit_code == 2
    assert "--max-fpr, --min-tpr and --against" in done.stderr


def test_compare_two_files(tmp_path: Path) -> None:
    lines = Path(EXAMPLE).read_text(encoding="utf-8").splitlines()
    for name, rows in (("early", lines[1:60]), ("late", lines[60:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([lines[0], *rows]), encoding="utf-8")
    early, late = (str(tmp_path / f"{name}.csv") for name in ("early", "late"))
    args = ("compare", early, *ASAH[1:], "--score", "s100b", "--against", late, "--json")
    (row,) = json.loads(run(*args).stdout)["auc_difference"]
    areas = [
        json.loads(run("auc", path, *ASAH[1:], "--score", "s100b", "--json").stdout)["auc_interval"]["s100b"]
        for path in (early, late)
    ]
    assert row["design"] == "unpaired"
    assert row["estimate"] == pytest.approx(areas[0]["estimate"] - areas[1]["estimate"], abs=1e-15)
    assert (row["a"], row["b"]) == ("s100b (early.csv)", "s100b (late.csv)")
    assert "\nagainst " in run(*args[:-1]).stdout


def test_power() -> None:
    assert "power 0.96" in run("power", "--auc", "0.7", "--n-pos", "41", "--n-neg", "72").stdout
    found = json.loads(run("power", "--auc", "0.8", "--width", "0.1", "--json").stdout)["auc_sample_size"]
    assert found["width"] <= 0.1

    def cases(*args: str) -> int:
        done = run("power", *args, "--json")
        assert done.exit_code == 0, done.output
        n: int = json.loads(done.stdout)["auc_sample_size"]["n_pos"]
        return n

    two = ("--auc", "0.8", "--auc-b", "0.7")
    # Correlated scores tell two models apart with fewer cases; one side with fewer than both.
    assert cases(*two, "--correlation", "0.6", "0.6") < cases(*two)
    assert cases("--auc", "0.7", "--alternative", "one-sided") < cases("--auc", "0.7")
    assert cases("--auc", "0.7", "--power", "0.9") > cases("--auc", "0.7", "--power", "0.8")
    assert "the same cases (paired)." in run("power", *two, "--correlation", "0.6", "0.6").stdout
    assert "unpaired" in run("power", *two).stdout
    few = ("--method", "simulation", "--n-resamples", "100")
    assert "simulation" in run("power", "--auc", "0.7", "--n-pos", "41", "--n-neg", "72", *few).stdout
    # A pilot sample; a pair of scores asks for their difference.
    one = ["power", *ASAH, "--score", "s100b", "--json"]
    pilot = json.loads(run(*one, "--n-pos", "41", "--n-neg", "72").stdout)
    assert pilot["auc_power"]["effect"] == pytest.approx(0.731368563685637 - 0.5)
    assert pilot["data"]["n_pos"] == 41
    pair = json.loads(run(*one, "--score", "ndka", "--power", "0.8").stdout)["auc_sample_size"]
    assert pair["effect"] == pytest.approx(0.731368563685637 - 0.611957994579946)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--auc", "0.8", "--n-pos", "10"], "Give --n-pos and --n-neg together"),
        (["--auc", "0.8", "--n-pos", "10", "--n-neg", "9", "--width", "0.1"], "or --width"),
        ([], "Give either --auc or a pilot sample"),
        ([*ASAH, "--score", "s100b", "--auc", "0.8"], "Give either --auc or"),
        ([EXAMPLE, "--score", "s100b"], "requires --label"),
        (["--auc", "0.8", "--correlation", "0.5", "0.5"], "--correlation requires --auc-b"),
    ],
)
def test_power_says_what_is_missing(args: list[str], words: str) -> None:
    done = run("power", *args)
    assert done.exit_code == 2
    assert words in done.output


VALUES = {
    "float": "0.5", "integer": "1", "integer range": "1", "prevalence": "0.1", "value": "0.3",
    "statistic": "ks",
}  # fmt: skip


def commands(group: Any, words: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    context = click.Context(group)
    found = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = commands(command, (*words, name)) if isinstance(command, click.Group) else {}
        found |= inner or {(*words, name): command}
    return found


def value_of(option: Any) -> list[str]:
    kind = option.type
    if isinstance(kind, click.Tuple):
        return [VALUES[part.name] for part in kind.types]
    word = kind.choices[0] if isinstance(kind, click.Choice) else VALUES.get(kind.name, "x.png")
    return [str(word)] * option.nargs


ALL = commands(main)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_an_option_of_one_value_refuses_two(words: tuple[str, ...]) -> None:
    options = [p for p in ALL[words].params if isinstance(p, click.Option) and not p.is_flag]
    needed = ["bash" if isinstance(p.type, click.Choice) else "x" for p in ALL[words].params if p.required]
    needed = needed[: sum(isinstance(p, click.Argument) for p in ALL[words].params)]
    for option in options:
        once = [max(option.opts, key=len), *value_of(option)]
        others = [w for p in options if p.required and p is not option for w in (p.opts[0], *value_of(p))]
        called = f"Give {once[0]} once; got 2 values."
        with pytest.raises(click.UsageError) if not option.multiple else nullcontext() as caught:
            # Only the words are read; nothing is run.
            ALL[words].make_context(words[-1], [*needed, *others, *once, *once])
        assert option.multiple or called in str(caught.value)
        # While a shell completes the line nothing is refused.
        ALL[words].make_context(words[-1], [*needed, *once, *once], resilient_parsing=True)


def test_power_of_an_impossible_area() -> None:
    done = run("power", "--auc", "1.8")
    assert done.exit_code == 2
    assert "`--auc` must be" in done.stderr


@pytest.mark.slow
def test_counts_stand_in_for_rows(tmp_path: Path) -> None:
    out = tmp_path / "counts.parquet"
    done = run("counts", *BOTH, "-o", str(out))
    assert done.exit_code == 0, done.output
    again = [str(out), *BOTH[1:]]
    few = ["--n-resamples", "50"]
    more = {
        "cost": ["--false-negative", "5", "--false-positive", "1", *few],
        "power": ["--n-pos", "50", "--n-neg", "50"],
        "band": few,
    }
    for command in ("auc", "roc", "band", "compare", "cost", "forecast", "power"):
        rows, counted = (
            json.loads(run(command, *args, *more.get(command, []), "--json").stdout) for args in (BOTH, again)
        )
        rows["data"].pop("source"), counted["data"].pop("source")
        assert rows == counted
    three = [*BOTH, "--score", "wfns"]
    assert "113 cases in 113 distinct rows of scores" in run("counts", *three, "-o", str(out)).stdout
    rows, counted = (
        json.loads(run("compare", *args, "--json").stdout) for args in (three, [str(out), *three[1:]])
    )
    assert rows["auc_comparison"] == counted["auc_comparison"]
    coarse = tmp_path / "coarse.parquet"
    run("counts", *ASAH, "--score", "s100b", "--resolution", "10", "-o", str(coarse))
    done = run("auc", str(coarse), *ASAH[1:], "--score", "s100b")
    assert "Scores were rounded; the result is widened" in done.stderr


@pytest.mark.parametrize("command", ["auc", "roc", "band", "forecast"])
def test_resolution_widens_every_result(command: str) -> None:
    args = [command, *ASAH, "--score", "s100b", "--json"]
    exact, rounded = (json.loads(run(*args, *more).stdout) for more in ([], ["--resolution", "20"]))
    assert exact["data"]["rounding"] == {}
    assert 0.0 < rounded["data"]["rounding"]["s100b"]["auc_error"] < 0.1
    assert "rounded" in json.dumps(rounded)
    assert run(*args, "--resolution", "3").exit_code == 2


def test_report_writes_both_files_and_says_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    done = run("report", *BOTH, "-o", str(out))
    assert done.exit_code == 0, done.output
    assert "0.731" in done.stdout
    assert out.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    content = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert content["schema"].startswith("confroc.report/")


@pytest.mark.slow
def test_reports_draw_as_many_resamples_as_a_level_needs(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    costs = ("--false-negative", "5", "--false-positive", "1")
    done = run("report", *BOTH, *costs, "-c", "0.999", "-o", str(page))
    assert done.exit_code == 0, done.output
    assert json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))["confidence_level"] == 0.999


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example data in a folder of their own, as CSV and as Parquet."""
    import duckdb

    monkeypatch.chdir(tmp_path)
    data = tmp_path / "in.csv"
    data.write_bytes(Path(EXAMPLE).read_bytes())
    duckdb.sql(f"COPY (FROM '{EXAMPLE}') TO 'in.parquet'")
    (tmp_path / "link.parquet").symlink_to("in.parquet")
    (tmp_path / "link.png").symlink_to("in.csv")
    return tmp_path


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("command", "source", "output"),
    [
        ("report", "in.csv", ("-o", "in.csv")),
        ("report", "i*.csv", ("-o", "./in.csv")),
        ("report", "SELECT * FROM 'in.csv'", ("-o", "in.csv")),
        ("counts", "in.parquet", ("-o", "in.parquet")),
        ("counts", "in.parquet", ("-o", "link.parquet")),
        ("counts", "link.parquet", ("-o", "in.parquet")),
        ("auc", "in.csv", ("--plot", "link.png")),
        ("cost", "in.parquet", ("--false-negative", "1", "--false-positive", "1", "--plot", "link.png",
                                "--validation", "in.csv")),
    ],
)  # fmt: skip
def test_what_is_read_is_not_written_over(
    command: str, source: str, output: tuple[str, ...], rows: Path
) -> None:
    before = kept(rows)
    done = run(command, source, *ASAH[1:], "--score", "s100b", *output, "--force")
    assert done.exit_code == 2
    assert "must not be an input file" in done.stderr
    assert kept(rows) == before


@pytest.mark.parametrize("command", ["cost", "report"])
@pytest.mark.parametrize("validation", ["in.csv", "./in.csv", "in.parquet", "SELECT * FROM 'in.csv'", "-"])
def test_the_file_evaluated_is_no_validation_sample(command: str, validation: str, rows: Path) -> None:
    options = ["--false-negative", "5", "--false-positive", "1", "--validation", validation]
    text = (rows / "in.csv").read_text(encoding="utf-8")
    done = invoke(main, [command, "in.csv", *ASAH[1:], "--score", "s100b", *options], input=text)
    assert done.exit_code == 2
    assert "`--validation` must contain other cases than those evaluated" in done.stderr


WRONG_OTHERS = {
    "y,s\nGood,1\nPoor,2\n": "`--label` must be a column of the data;",
    "outcome,s\nGood,1\nPoor,2\n": "`--score` must be a column of the data;",
    "outcome,s100b\n0,1\n1,2\n": "`--pos-label` must be one of the labels;",
    "outcome,s100b\nGood,x\nPoor,2\n": "`column s100b` must contain numbers; got 'x'",
    "": "`FILE` must start with a line of column names",
    None: "`FILE` must be an existing file or a pattern; got 'other.csv'",
}


@pytest.mark.parametrize("text", WRONG_OTHERS)
@pytest.mark.parametrize("command", slow(["cost", "report", "compare"], "report", "compare"))
def test_errors_of_another_file_name_its_option(
    text: str | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    option = "--against" if command == "compare" else "--validation"
    costs = [] if command == "compare" else ["--false-negative", "5", "--false-positive", "1"]
    args = [command, *ASAH, "--score", "s100b", *costs, option]
    if text is not None:
        Path("other.csv").write_text(text, encoding="utf-8")
    for other in ("other.csv", *([] if text is None else ["-"])):
        done = invoke(main, [*args, other], input=text)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: {option}: {WRONG_OTHERS[text]}"), done.stderr
    done = invoke(main, [command, "-", *args[2:], "-"], input=Path(EXAMPLE).read_text("utf-8"))
    assert f"{option} and FILE cannot both be standard input." in done.stderr


@pytest.mark.parametrize(
    ("command", "output", "lost"),
    [
        pytest.param("report", ("-o", "my.html"), "my.json", marks=pytest.mark.slow),
        ("report", ("-o", "my.html"), "my.html"),
        ("counts", ("-o", "my.parquet"), "my.parquet"),
        ("auc", ("--plot", "my.svg"), "my.svg"),
        ("auc", ("--plot", "my.pdf"), "my.pdf"),
        ("auc", ("--plot", "my.png"), "my.png"),
    ],
)
def test_what_is_not_ours_is_replaced_only_by_force(
    command: str, output: tuple[str, ...], lost: str, rows: Path
) -> None:
    args = (command, "in.csv", *ASAH[1:], "--score", "s100b", *output)
    (rows / lost).write_text('{"mine": 1}', encoding="utf-8")
    before = kept(rows)
    done = run(*args)
    assert done.exit_code == 2
    own = "a report of the same data" if command == "report" else "one that confroc wrote before"
    assert f"must be a new file or {own}; got '{lost}'" in done.stderr
    assert "replace the file with --force." in done.stderr
    assert kept(rows) == before
    assert f"wrote {lost}" in run(*args, "--force").stderr
    # What this program wrote it may replace.
    assert f"wrote {lost}" in run(*args).stderr


def test_reports_and_counts_in_python_are_as_careful(rows: Path) -> None:
    scores = read_scores("in.csv", label="outcome", score="s100b", pos_label="Poor")
    (rows / "my.json").write_text("{}", encoding="utf-8")
    before = kept(rows)
    with pytest.raises(ValueError, match=r"`path` must be a new file .*got 'my.json'.* force=True"):
        confroc.report(scores, path="my.html")
    with pytest.raises(ValueError, match=r"`path` must be a new file"):
        confroc.write_counts(scores, path="in.parquet")
    cases = read_cases("*.csv", label="outcome", scores=["s100b"], pos_label="Poor")
    made = build_report(ReportData(**vars(cases)))
    with pytest.raises(ValueError, match=r"`path` must not be an input file"):
        made.write("in.csv", force=True)
    assert kept(rows) == before
    confroc.report(scores, path="my.html", force=True)
    assert json.loads((rows / "my.json").read_text(encoding="utf-8"))["schema"] == "confroc.report/1"


def test_odd_types_of_a_report_are_refused(tmp_path: Path) -> None:
    scores, page = Scores([1, 0, 1, 0], [4, 3, 2, 1]), tmp_path / "page.html"
    wrong: tuple[dict[str, Any], ...] = (
        {"names": math.inf}, {"names": "ab"}, {"names": [1]}, {"title": 0.5}, {"title": np.array([1, 2])},
        {"positive": None}, {"prior": [0.5, 0.2], "false_negative": 1.0, "false_positive": 1.0},
        {"jeffreys": "x"},
    )  # fmt: skip
    for options in wrong:
        with pytest.raises(TypeError, match=f"`{next(iter(options))}` must (?:be|have|contain)"):
            confroc.report(scores, path=page, **options)
    for positive, negative, words in (
        ("", "x", "not be blank"),
        ("x", "\0", "NUL"),
        ("1", "1.0", "differ from"),
    ):
        with pytest.raises(ValueError, match=words):
            confroc.report(scores, path=page, positive=positive, negative=negative)
    with pytest.raises(TypeError, match="`path` must be a path"):
        confroc.report(scores, path=1.0)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["auc", *ASAH], "Missing option '-s' / '--score'"),
        (["auc", *BOTH, "--pos-labl", "Poor"], "--pos-label"),
        (["auc", *BOTH, "--method", "delonk"], "Did you mean 'delong'?"),
        (["auc", "a.csv", *BOTH], "must be an existing file"),
        (["auc", *BOTH, "--null-auc", "0.6", "--max-fpr", "0.1"], "cannot be combined with --max-fpr"),
        (["auc", *BOTH, "--plot", "x.gif"], "must end in .png"),
        (["forecast", *BOTH, "--reference", "x"], "requires --segment-column"),
        (["compare", *ASAH, "--score", "s100b"], "two or more --score"),
        (["power", "--auc", "0.8", "--label", "y"], "--label requires FILE"),
    ],
)
def test_wrong_usage_exits_with_2(args: list[str], words: str) -> None:
    done = run(*args)
    assert done.exit_code == 2
    assert words in done.output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-c", "95"], "`--confidence-level` must lie between 0.001 and 0.999999999; got 95.0. Write 95%"),
        (["--prior", "5", "--false-negative", "1", "--false-positive", "1"], "`--prior` must lie"),
        (["--prior", "12/150"], "'--prior': '12/150' is not a valid float"),
        (["--jeffreys", "-1"], "`--jeffreys` must"),
        (["--false-negative", "3"], "`--false-positive` must be given with the other cost"),
        (["--threshold", "1", "--validation", EXAMPLE], "`--threshold` must be left out when"),
        (["-o", "t.pdf"], "must name the HTML page; got 't.pdf'. Give it the ending .html"),
        (["-o", "t.json"], "must name the HTML page"),
    ],
)
def test_wrong_values_of_options_exit_with_2(
    options: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("report", *BOTH, *options)
    assert done.exit_code == 2
    assert words in done.stderr
    assert not list(tmp_path.iterdir())


def test_what_depends_on_the_data_or_the_disk_exits_with_2() -> None:
    assert run("report", *ASAH, "--score", "s100").exit_code == 2
    assert run("report", *BOTH, "-o", "none/page.html").exit_code == 2


BAD = {
    "missing file": (None, [], "`FILE` must be an existing file"),
    "missing column": ("y,t\n1,2\n0,1\n", [], "`--score` must be a column of the data; got 's'"),
    "near column": ("y,ss\n1,2\n0,1\n", [], "Did you mean 'ss'?"),
    "near label": ("y,s\nPoor,2\nGood,1\n", ["--pos-label", "poor"], "Did you mean 'Poor'?"),
    "resolution": ("y,s\n1,2\n0,1\n", ["--resolution", "2"], "`--resolution` must be an integer from"),
    "empty file": ("", [], "The file is empty"),
    "no rows": ("y,s\n", [], "at least one row"),
    "one class": ("y,s\n1,2\n1,1\n", [], "both classes"),
    "no positives": ("y,s\nno,2\nno,1\n", ["--pos-label", "yes"], "both classes; got only no"),
    "three labels": ("y,s\na,2\nb,1\nc,1\n", [], "`--label` must contain two classes"),
    "text score": (
        "y,s\n1,2\n0,low\n",
        [],
        "must contain numbers; got 'low'. It is on line 3 of ",
    ),
    "two decimal marks": ("y;s\n1;2,5\n0;1.5\n", [], "got '1.5'."),
    "many labels": (
        "y,s\na,2\nb,1\nc,1\n",
        [],
        "Recode them to two classes, e.g. \"SELECT *, COLUMN = 'c' AS y FROM 'FILE'\" with label y.",
    ),
    "nan": ("y,s\n1,2\n0,nan\n", [], "--nan-policy omit"),
    "inf": ("y,s\n1,2\n0,inf\n", [], "finite scores"),
    "blank label": ("y,s\n1,2\n,3\n0,1\n", [], "1 missing in 'y'"),
    "repeated columns": ("y,s,s\n1,2,3\n0,1,2\n", [], "distinct column names"),
    "level": ("y,s\n1,2\n0,1\n", ["--confidence-level", "95"], "Write 95% as 0.95"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("command", ["auc", "report"])
def test_bad_data_and_bad_options_exit_with_2_and_the_latter_print_the_usage(
    case: str, command: str, tmp_path: Path
) -> None:
    text, options, words = BAD[case]
    data, out = tmp_path / "data.csv", tmp_path / "out.html"
    if text is not None:
        data.write_text(text, encoding="utf-8")
    more = ["-o", str(out)] if command == "report" else []
    done = run(command, str(data), "--label", "y", "--score", "s", *options, *more)
    assert done.exit_code == 2
    assert "Usage: " not in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.output
    assert {p.name for p in tmp_path.iterdir()} <= {"data.csv"}


def test_three_labels_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\nyes,3\nno,1\nmaybe,2\n", encoding="utf-8")
    done = run("auc", str(data), "--label", "y", "--pos-label", "yes", "--score", "s")
    assert done.exit_code == 2
    assert "`--label` must contain two classes; got 3 labels: 'maybe', 'no', 'yes'." in done.stderr


def test_a_remedy_follows_the_rule(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\n" + "1,2\n0,2\n" * 20, encoding="utf-8")
    done = run("band", str(data), "--label", "y", "--score", "s", "--method", "bootstrap")
    assert done.exit_code == 2
    assert "Use a method without a kernel, such as the default." in done.stderr


def test_all_scores_equal_works_and_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\n" + "1,2\n0,2\n" * 20, encoding="utf-8")
    done = run("auc", str(data), "--label", "y", "--score", "s")
    assert done.exit_code == 0
    assert " 0.5000 " in done.stdout
    assert "All scores of `s` are equal" in done.stderr
    done = run("report", str(data), "--label", "y", "--score", "s", "-o", str(tmp_path / "out.html"))
    assert done.exit_code == 0
    assert "All scores are equal" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_unwritable_output_keeps_the_old_report(tmp_path: Path) -> None:
    # A folder in the report's place cannot be replaced by a file, whoever runs the test.
    (tmp_path / "out.html").mkdir()
    (tmp_path / "out.json").write_text("old", encoding="utf-8")
    done = run("report", *BOTH, "-o", str(tmp_path / "out.html"))
    assert done.exit_code == 2
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.html", "out.json"]
    done = run("report", *BOTH, "-o", str(tmp_path / "none" / "out.html"))
    assert done.exit_code == 2
    assert "none" in done.stderr


def test_console_script_prints_plain_text_into_a_pipe() -> None:
    env = os.environ | {"COLUMNS": "40"}
    code = [sys.executable, "-m", "confroc", "auc", *BOTH]
    done = subprocess.run(code, capture_output=True, text=True, check=True, env=env)
    assert "\x1b" not in done.stdout
    assert "s100b" in done.stdout
    assert "delong" in done.stdout


@pytest.mark.slow
def test_the_demo_writes_the_example_and_a_report_and_loses_nothing(tmp_path: Path) -> None:
    done = run("demo", str(tmp_path))
    example = Path(__file__).parents[1] / "examples" / "asah.csv"
    assert (tmp_path / "asah.csv").read_bytes() == example.read_bytes()
    assert (tmp_path / "report.html").exists()
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["schema"] == "confroc.report/1"
    # What it says to try can be typed.
    proposed = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("  confroc ")]
    assert [words[0] for words in proposed] == ["auc", "roc", "compare", "cost"]
    run(*proposed[0])
    # Once more over its own files, never over others'.
    run("demo", str(tmp_path))
    (tmp_path / "asah.csv").write_text("mine", encoding="utf-8")
    refused = invoke(main, ["demo", str(tmp_path)])
    assert refused.exit_code == 2
    assert "--force" in refused.output
    assert (tmp_path / "asah.csv").read_text(encoding="utf-8") == "mine"
    # Nor over a report of other data, and then nothing is written at all.
    (tmp_path / "asah.csv").unlink()
    other = [EXAMPLE, *ASAH[1:], "--score", "wfns", "-o", str(tmp_path / "report.html"), "--force"]
    run("report", *other)
    before = kept(tmp_path)
    refused = invoke(main, ["demo", str(tmp_path)])
    assert refused.exit_code == 2
    assert "`FOLDER` must be a new file or a report of the same data; got" in refused.output
    assert kept(tmp_path) == before
    assert run("demo", str(tmp_path), "--force").exit_code == 0
    assert run("report", *other[:-1]).exit_code == 2
    missing = invoke(main, ["demo", str(tmp_path / "nowhere")])
    assert missing.exit_code == 2
    assert "Create it first." in missing.output


def test_latex_has_intervals_next_to_estimates() -> None:
    """The AUC is rounded to two digits of a quarter of the interval's width."""
    text = run("auc", *BOTH, "--latex").stdout
    assert r"Model & Statistic & Estimate (95\% CI)" in text
    assert r"s100b & auc & 0.731 (0.619 to 0.820)" in text
    assert "positives" not in text
    done = run("auc", *BOTH, "--latex", "--csv")
    assert (done.exit_code, "Give one of --json, --csv and --latex." in done.stderr) == (2, True)


def test_csv_has_the_tables_with_all_digits() -> None:
    done = run("compare", *THREE, "--csv")
    first, second = (list(csv.DictReader(part.splitlines())) for part in done.stdout.split("\n\n"))
    found = confroc.auc_comparison(
        read_scores(EXAMPLE, label="outcome", score=("s100b", "ndka", "wfns"), pos_label="Poor")
    )
    areas = dict(zip(found.names, found.intervals.estimate.tolist(), strict=True))
    assert {row["model"]: float(row["auc"]) for row in first} == areas
    assert {row["model"]: row["may_be_best"] for row in first}["wfns"] == "true"
    assert [float(row["pvalue"]) for row in second] == found.differences.pvalue.tolist()
    (auc, _, ks) = csv.DictReader(run("auc", *ASAH, "--score", "s100b", "--csv").stdout.splitlines())
    assert (auc["threshold"], ks["standard_error"], ks["threshold"]) == ("", "", "0.22")
    assert "Give one of --json, --csv and --latex." in run("auc", *BOTH, "--csv", "--json").stderr
    assert "No such option '--csv'" in run("power", "--auc", "0.8", "--csv").stderr


def test_numbers_in_tables_are_read_by_other_programs(tmp_path: Path) -> None:
    """ASCII signs, one number of decimals per column, and no separators of thousands."""
    lines = run("compare", *THREE).stdout.partition("Differences")[2].splitlines()[2:5]
    cells = [[word.partition(".")[2] for word in line.split()[2:]] for line in lines]
    assert [{len(word) for word in column} for column in zip(*cells, strict=True)] == [{4}] * 4
    assert all(float(word) is not None for line in lines for word in line.split()[2:])
    data = tmp_path / "data.csv"
    rows = [f"{i % 2},{i % 7},{'ab'[i > 4000]}\n" for i in range(8000)]
    data.write_text("y,s,month\n" + "".join(rows), encoding="utf-8")
    done = run("forecast", str(data), "--label", "y", "--score", "s", "--segment-column", "month")
    assert "\nn_pos " in done.stdout
    assert "4,000 positives (1), 4,000 negatives (0)" in done.stdout
    assert "  1999\n" in done.stdout
    sizes = run("forecast", str(data), "--label", "y", "--score", "s", "--csv").stdout.splitlines()
    assert sizes[0].endswith(",size")
    assert sizes[1].endswith(",4000 positives + 4000 negatives")


def test_reversed_scores_are_named_by_their_columns(tmp_path: Path) -> None:
    turned = [*ASAH, "--score", "-s100b", "--score", "-ndka"]
    assert "s100b - ndka" in run("compare", *turned).stdout
    page = str(tmp_path / "page.html")
    for name in ("s100b=X", "-s100b=X"):
        done = run("report", *ASAH, "--score", "-s100b", "--name", name, "-o", page, "--force")
        assert done.stdout.startswith("X: AUC 0.269"), done.output
    done = run("report", *turned, "--name", "s100=X", "-o", page)
    assert "--name must be COLUMN=NAME with a column of s100b, ndka; got 's100=X'." in done.stderr


def test_remedies_of_common_slips(tmp_path: Path) -> None:
    assert "No such command 'aucc'. Did you mean 'auc'?" in run("aucc").stderr
    data = tmp_path / "data.csv"
    data.write_text("y,s,w\n1,2,a\n0,1,1\n", encoding="utf-8")
    done = run("auc", str(data), "--label", "y", "--score", "s", "--weight", "w")
    assert f"`column w` must contain numbers; got 'a'. It is on line 2 of {data}." in done.stderr
    for threshold, warned in ((2.07, False), (2.08, True)):
        done = run("confusion", *ASAH, "--score", "s100b", "--threshold", str(threshold))
        assert ("note: s100b: All cases are on the same side of the threshold" in done.stderr) == warned


def test_labels_that_sql_reads_as_truth_values(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\n" + "yes,2\nno,1\nno,3\n" * 9, encoding="utf-8")
    source = f"SELECT * FROM '{data}'"
    expected = run("auc", str(data), "--label", "y", "--pos-label", "yes", "--score", "s", "--csv").stdout
    for label in ("yes", "Yes", "true", "1"):
        done = run("auc", source, "--label", "y", "--pos-label", label, "--score", "s", "--csv")
        assert done.stdout == expected, done.output
    assert (
        "must be one of the labels"
        in run("auc", source, "--label", "y", "--pos-label", "Poor", "--score", "s").stderr
    )


@pytest.mark.parametrize(
    ("positives", "prior", "risks"),
    [
        (50, [], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        (7, [], [0.01 * i for i in range(1, 11)]),
        (50, ["--prior", "0.003"], [0.0006 * i for i in range(1, 11)]),
        (50, ["--prior", "12/150"], [0.02 * i for i in range(1, 11)]),
        (90, [], [0.2, 0.4, 0.6, 0.8]),
    ],
)
def test_default_risks_follow_the_prevalence(
    positives: int, prior: list[str], risks: list[float], tmp_path: Path
) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\n" + "".join(f"{int(i < positives)},{i / 100}\n" for i in range(100)))
    done = run("decision", str(data), "--label", "y", "--score", "s", "--csv", *prior)
    found = [float(row["risk"]) for row in csv.DictReader(done.stdout.splitlines())]
    assert found == pytest.approx(risks, rel=1e-12)


@pytest.mark.parametrize(
    ("args", "remedy"),
    [
        (["auc", *BOTH, "-m", "bootstap"], "Did you mean 'bootstrap'?"),
        (["roc", *BOTH, "--fpr", "5%"], "'5%' is not a number. Write 0.05."),
        (["auc", *BOTH, "-c=95%"], "Write 0.95."),
        (["interval", *BOTH, "--fpr", "0.1"], "Write --statistic tpr_at_fpr=FPR."),
        (["drift"], "Did you mean 'forecast'?"),
        (["auc", *BOTH[:1], "-l", "outcome", "-s", "s100b"], "true/false. The labels are"),
        (["report", *BOTH, "-o", "none/x.html"], "`--output` must be in an existing folder"),
        (["auc", *BOTH, "--level", "0.9"], "Use `--confidence-level`"),
        (["auc", *BOTH, "--positive", "Poor"], "Use `--pos-label`"),
        (["roc", *BOTH, "--specificity", "0.9"], "Use `--fpr`, which is 1 - specificity"),
        (["calibration", *BOTH, "--cluster", "wfns"], "No such option '--cluster'. confroc interval"),
        (["compare", *BOTH, "--band", "--strata", "wfns"], "Error: --strata is not available for this"),
        (["auc", EXAMPLE, "-l", "wfns", "-p", "9", "-s", "ndka"], "`--pos-label` must be one of the labels"),
        (["auc", *BOTH, "--plot", "none/x.png"], "`--plot` must be in an existing folder"),
    ],
)
def test_errors_state_what_to_write(args: list[str], remedy: str) -> None:
    done = run(*args)
    assert done.exit_code == 2
    assert remedy in done.stderr
    assert "None" not in done.stderr


def test_a_score_may_follow_an_equals_sign() -> None:
    same = [
        run("auc", *ASAH, *words).stdout for words in (["-s=-s100b"], ["-s", "-s100b"], ["--score=-s100b"])
    ]
    assert same[0] == same[1] == same[2] != ""


def test_one_note_reports_dropped_rows(tmp_path: Path) -> None:
    data = tmp_path / "gaps.csv"
    rows = ["1,2,a", "1,3,a", "1,,b", "1,4,b", "1,5,", "0,1,a", "0,2,a", "0,1,b", "0,,b", "0,2,b"]
    data.write_text("\n".join(["y,s,g", *rows]), encoding="utf-8")
    args = ("report", str(data), "-l", "y", "-s", "s", "--group", "g", "--nan-policy", "omit")
    done = run(*args, "-o", str(tmp_path / "x.html"))
    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("rows dropped") == 1
    assert "3 of 10 rows dropped for missing values" in done.stderr


def test_costs_of_two_models_with_clusters_have_no_band() -> None:
    costs = ("--false-negative", "1", "--false-positive", "1")
    content = json.loads(run("cost", *BOTH, *costs, "--cluster", "wfns", "--json").stdout)
    assert {"expected_cost", "expected_cost_difference"} <= content.keys()
    assert content.keys().isdisjoint({"cost_band", "cost_difference_band"})


def test_files_of_an_unquoted_pattern_are_read_together(tmp_path: Path) -> None:
    head, *rows = Path(EXAMPLE).read_text(encoding="utf-8").splitlines(keepends=True)
    parts = [tmp_path / "1.csv", tmp_path / "2.csv"]
    for part, own in zip(parts, (rows[::2], rows[1::2]), strict=True):
        part.write_text("".join([head, *own]), encoding="utf-8")
    whole = run("auc", *BOTH).stdout
    assert run("auc", *map(str, parts), *BOTH[1:]).stdout == whole
    # A file that is given twice is read once.
    assert run("auc", *map(str, parts), str(parts[0]), *BOTH[1:]).stdout == whole
    done = run("auc", str(parts[0]), "none.csv", *BOTH[1:])
    assert "`FILE` must be an existing file or a pattern; got 'none.csv'" in done.stderr
    done = run("counts", *map(str, parts), *BOTH[1:], "-o", str(parts[1]), "--force")
    assert done.exit_code == 2
