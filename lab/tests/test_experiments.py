"""Experiments and the command line: files, statements that can fail, figures, and mistakes."""

from __future__ import annotations

import csv
import math
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import designs
import support
from confroc import ConfrocWarning, auc_forecast
from confroc.auditing.coverage import Coverage
from confroc_lab import (
    Cell,
    Dots,
    Expected,
    Experiment,
    NormalPair,
    Quick,
    Rule,
    binormal,
    list_experiments,
    load_experiment,
    run_study,
)
from confroc_lab.cli import main
from confroc_lab.coverage import CellResult, StudyResult
from confroc_lab.experiment import PARTS, Finding, Listed, tally
from confroc_lab.page import draw, statements_of
from confroc_lab.samples import draw as sampled
from drawings import BandLine, BandSketch, ForecastFan
from learners import LogisticOn

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "experiments"

# Without data, and short: runs whole in the quick form, as `.ci/run` runs all of them.
FAST = "dg_roc_fig04_size"


def invoke(*arguments: str) -> support.Done:
    return support.invoke(main, arguments)


def file_of(name: str) -> str:
    return str(FOLDER / f"{name}.py")


def test_options_of_one_value_are_given_once(tmp_path: Path) -> None:
    for command, option in (("run", "--replications"), ("run", "--output"), ("show", "--page")):
        done = invoke(command, str(tmp_path), option, "2", option, "3")
        assert done.exit_code == 2
        assert f"Give {option} once; got 2 values." in done.output


def test_files_that_do_not_run_are_named(tmp_path: Path) -> None:
    wrong = {
        "cut.py": b"EXPERIMENT = (\n",
        "bytes.py": b"\xff\xfe",
        "zeros.py": b"EXPERIMENT = 1\0",
        "error.py": b"EXPERIMENT = 1 / 0",
        "other.py": b"EXPERIMENT = 3",
    }
    for name, text in wrong.items():
        (tmp_path / name).write_bytes(text)
        with pytest.raises(
            ValueError, match=r"`path` must be a file of Python|`EXPERIMENT` must be an Experiment"
        ):
            load_experiment(tmp_path / name)
    with pytest.warns(ConfrocWarning, match="is skipped: it is not valid Python") as caught:
        assert [item.name for item in list_experiments(tmp_path)] == ["error", "other"]
    assert len(caught) == 3


@pytest.mark.slow
@pytest.mark.parametrize("item", list_experiments(FOLDER), ids=lambda item: item.name)
def test_every_experiment_is_sound(item: Listed) -> None:
    """Statements name cells and methods that exist; panels name cells; the quick form is no longer."""
    name = item.name
    experiment = load_experiment(item.path)
    cells = {cell.name: cell for cell in experiment.cells}
    quick = experiment.quick.cells or experiment.cells
    for expected in experiment.expected:
        known = {(c.name, method) for c in (*experiment.cells, *quick) for method in c.rule.methods}
        assert (expected.cell, expected.method) in known
        assert expected.than is None or expected.than[:2] in known
    if not isinstance(experiment.figure, Dots):
        drawn = [name for _, names in experiment.figure.panels for name in names]
        assert set(drawn) <= set(cells)
    assert experiment.quick.replications <= max(experiment.replications, 20)
    assert experiment.study(name, quick=True).replications == experiment.quick.replications
    assert experiment.study(name).replications == experiment.replications
    assert experiment.expected


@pytest.mark.slow
@pytest.mark.parametrize("item", list_experiments(FOLDER), ids=lambda item: item.name)
def test_coverage_rests_on_two_thousand_samples(item: Listed) -> None:
    """In twenty parts at least, which errors are estimated from.

    Macskassy & Provost's bands are compared with 2,000 fresh curves each; Bertail et al.'s rates are of laws.
    """
    experiment = load_experiment(item.path)
    if not item.name.startswith(("mp_", "bcv_rates")):
        assert experiment.replications >= 2000
    few = 10 if item.name == "mp_fitting_curves" else PARTS
    assert all(experiment.replications / cell.chunk >= few for cell in experiment.cells)


@pytest.mark.slow
def test_quick_form_agrees_with_the_paper(tmp_path: Path) -> None:
    """Nothing misses by five errors."""
    done = invoke("run", file_of(FAST), "--quick", "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "results.csv").exists()
    assert (tmp_path / "out" / "figure.png").stat().st_size > 10_000


@pytest.mark.slow
def test_a_wrong_statement_alarms() -> None:
    """The quick form is contradicted by a paper that claimed 0.8 for Wald at θ = 5."""
    experiment = load_experiment(FOLDER / "dg_roc_fig03_spread.py")
    wrong = replace(experiment.expected[0], value=0.89)
    study = experiment.study("x", quick=True)
    result = run_study(replace(study, cells=tuple(c for c in study.cells if c.name == "theta=5.0")))
    assert not experiment.expected[0].check(result).alarms
    assert wrong.check(result).verdict == "not reproduced"
    assert wrong.check(result).alarms
    assert not replace(wrong, differs="another rule").check(result).alarms


def claim(**more: Any) -> Expected:
    return Expected(**({"says": "", "cell": "c", "method": "a", "quantity": "q", "value": 0.9} | more))


@pytest.mark.parametrize(
    ("ours", "relation", "verdict"),
    [
        (0.9 + 1.9e-2, "=", "agrees"),
        (0.9 - 1.9e-2, "=", "agrees"),
        (0.9 + 3e-2, "=", "not reproduced"),
        (0.9 - 3e-2, "=", "not reproduced"),
        (0.9 + 1.9e-2, "<=", "agrees"),
        (0.9 + 3e-2, "<=", "not reproduced"),
        (0.9 - 9e-2, "<=", "agrees"),
        (0.9 - 1.9e-2, ">=", "agrees"),
        (0.9 - 3e-2, ">=", "not reproduced"),
        (0.9 + 9e-2, ">=", "agrees"),
        (float("nan"), "=", "not reproduced"),
    ],
)
def test_two_errors_agree_and_three_do_not(ours: float, relation: Any, verdict: str) -> None:
    exact = claim(relation=relation, replications=None)
    assert exact.grade(ours, 0.01, 2000).verdict == verdict


def test_a_number_has_the_papers_error_and_rounding_too_and_an_inequality_has_not() -> None:
    printed = claim(value="0.90")
    assert printed.grade(0.9, 0.01, 1000).allowed == pytest.approx(0.005 + 2.0 * math.hypot(0.01, 0.01))
    # A paper with a quarter of the samples errs twice as much.
    assert claim().grade(0.9, 0.01, 4000).allowed == pytest.approx(2.0 * math.hypot(0.01, 0.02))
    ten = claim(spread=0.02, replications=10)
    assert ten.grade(0.9, 0.01, 50).allowed == pytest.approx(2.0 * math.hypot(0.01, 0.02 / 10**0.5))
    for exact in (claim(relation=">="), claim(source="theory"), claim(source="ours")):
        assert exact.grade(0.9, 0.01, 1000).allowed == pytest.approx(0.02)


def test_an_allowance_separates_rival_claims() -> None:
    """A power of 0.2785 agrees with 1/4, not with 2/5, or is undecided; what is clear needs no precision."""
    quarter, two_fifths = claim(value=0.25, replications=None), claim(value=0.4, replications=None)
    assert quarter.grade(0.2785, 0.016, 2000).verdict == "agrees"
    assert two_fifths.grade(0.2785, 0.016, 2000).verdict == "not reproduced"
    assert {c.grade(0.2785, 0.08, 2000).verdict for c in (quarter, two_fifths)} == {"undecided"}
    least = claim(value=0.4, relation=">=")
    assert least.grade(0.9, 0.08, 2000).verdict == "agrees"
    assert least.grade(0.45, 0.08, 2000).verdict == "undecided"


def test_an_order_must_be_significant() -> None:
    """Else the reverse one would agree, too; and errors must not exceed a stated difference."""
    order = claim(value=0.0, than=("c", "b"), relation=">=")
    verdicts = [order.grade(x, 0.01, 2000).verdict for x in (0.025, 0.015, -0.015, -0.025)]
    assert verdicts == ["agrees", "undecided", "undecided", "not reproduced"]
    wider = claim(value=0.05, than=("c", "b"), relation=">=")
    assert [wider.grade(0.04, error, 2000).verdict for error in (0.01, 0.03)] == ["agrees", "undecided"]


def test_shares_of_few_samples_agree_with_nothing() -> None:
    """What they contradict they contradict; a width needs no 2,000 samples, nor do fresh curves."""
    few = claim(replications=None)
    assert [few.grade(x, 0.01, 1999).verdict for x in (0.9, 0.8)] == ["undecided", "not reproduced"]
    for other in (replace(few, statistic="width"), replace(few, quantity="fresh_of_sample")):
        assert other.grade(0.9, 0.01, 20).verdict == "agrees"


def test_pairing_matters() -> None:
    """Two methods that miss the same samples differ by much less than two that do not."""
    rng = np.random.default_rng(1)
    rates = {"c": {"a": [0.8], "b": [0.77]}, "d": {"b": [0.77]}}
    result = simulated(rng, rates, 1000)
    paired, apart = (claim(value=0.0, than=(name, "b"), replications=None) for name in "cd")
    found = [one.check(result) for one in (paired, apart)]
    # Three samples in a hundred are missed by b alone; apart, each misses by itself.
    want = [math.sqrt(0.03 * 0.97 / 1000), math.sqrt((0.8 * 0.2 + 0.77 * 0.23) / 1000)]
    assert [one.error for one in found] == pytest.approx(want, rel=0.4)
    assert found[0].verdict == "not reproduced"
    assert apart.grade(found[0].ours, found[1].error, 2000).verdict == "agrees"


def test_the_error_of_a_share_is_that_of_a_proportion() -> None:
    """On average over 200 studies of 40 parts, whose estimates scatter by a ninth; and never zero."""
    rng = np.random.default_rng(2)
    errors = [claim().check(simulated(rng, {"c": {"a": [0.9]}}, 400)).error for _ in range(200)]
    assert np.mean(errors) == pytest.approx(math.sqrt(0.9 * 0.1 / 400), rel=0.05)
    assert claim().check(simulated(rng, {"c": {"a": [1.0]}}, 400)).error == pytest.approx(1 / 400)


def test_one_part_decides_nothing() -> None:
    study = Experiment(
        title="",
        source="",
        cells=(
            Cell(name="c", population=binormal(1.0), size=(9, 9), rule=Rule("auc_interval", ("delong",))),
        ),
        quick=Quick(),
        figure=Dots(quantity="auc"),
    ).study("x", replications=50)
    assert claim(method="delong", quantity="auc").check(run_study(study)).verdict == "undecided"


def test_the_papers_statements_are_counted_apart() -> None:
    says = Expected(says="", cell="c", method="m", quantity="q", value=0.9)
    held = [("paper", 0.9), ("paper", 0.1), ("ours", 0.9), ("ours", 0.9)]
    findings = [
        Finding(replace(says, source=source, value=value), 0.9, 0.0, 2000, 0.01) for source, value in held
    ]
    assert tally(findings) == "paper 1 of 2, ours 2 of 2"
    assert [row[1] for row in statements_of(findings)] == [source for source, _ in held]


@pytest.mark.slow
@pytest.mark.parametrize("item", list_experiments(FOLDER), ids=lambda item: item.name)
def test_sources_are_those_of_the_study(item: Listed) -> None:
    """Nothing is put into a paper's mouth by a study that is no paper's, nor read in one of no source."""
    experiment = load_experiment(item.path)
    if experiment.source == "this project":
        assert {e.source for e in experiment.expected} == {"ours"}
    else:
        assert "paper" in {e.source for e in experiment.expected}
    assert not any(e.says.startswith(("ours:", "theory:")) for e in experiment.expected)


def simulated(rng: Any, rates: dict[str, Any], n: int, together: bool = True) -> StudyResult:
    """Counts of intervals that hold with known probabilities, at all places by one chance or each apart.

    Methods of a cell share the chances. In forty parts, or one a sample.
    """
    cells = []
    for name, methods in rates.items():
        parts = []
        for chances in np.array_split(rng.random((n, 1 if together else 9)), min(40, n)):
            counts = []
            for method, share in methods.items():
                p, at = np.asarray(share, float), np.linspace(0.1, 0.9, len(share))
                held = (chances < p).sum(axis=0)
                none, all_ = np.zeros(len(p), int), np.full(len(p), len(chances))
                sums = p * len(chances), p * p * len(chances)
                counts.append(
                    Coverage(method, "q", at, all_, all_, none, held, all_ - held, none, none, none, *sums)
                )
            parts.append(tuple(counts))
        cells.append(CellResult(name, "at", 0.9, tuple(parts)))
    return StudyResult("x", n, tuple(cells))


RATES_OF_TWO = {"c": {"a": [0.9] * 9, "b": [0.5, *[0.9] * 8]}, "d": {"a": [0.9] * 8 + [0.3]}}
SAID: dict[str, Any] = {"says": "", "cell": "c", "method": "a", "quantity": "q", "replications": None}


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ({"at": 0.1, "than": ("c", "b"), "value": 0.4}, {"value": 0.2}),
        ({"at": 0.1, "than": ("c", "b"), "value": 0.3, "relation": ">="}, {"value": 0.6}),
        ({"at": 0.9, "than": ("c", "b"), "value": 0.0}, {"than": ("c", "b", 0.1)}),
        ({"than": ("d", "a"), "statistic": "min", "value": 0.6}, {"value": 0.0}),
        ({"than": ("d", "a"), "statistic": "min", "value": 0.0, "between": (0.1, 0.8)}, {"between": None}),
        ({"method": "b", "than": ("c", "a"), "statistic": "span", "value": 0.4}, {"value": -0.1}),
        ({"method": "b", "statistic": "span", "value": 0.4, "relation": "<="}, {"value": 0.1}),
        (
            {"method": "b", "statistic": "span", "value": 0.05, "between": (0.2, 0.9), "relation": "<="},
            {"between": None},
        ),
        ({"method": "b", "statistic": "max", "between": (0.1, 0.1), "value": 0.5}, {"between": None}),
        ({"method": "b", "statistic": "mean", "value": 0.5 / 9 + 0.8}, {"between": (0.1, 0.1)}),
        ({"method": "b", "statistic": "distance", "value": 0.06, "relation": "<="}, {"value": 0.0}),
        ({"method": "b", "than": ("c", "a"), "statistic": "distance", "value": 0.4 / 9}, {"value": -0.3}),
        ({"method": "b", "statistic": "rough", "value": 0.07, "relation": "<="}, {"value": 0.01}),
        ({"method": "b", "statistic": "rough", "value": 0.4, "between": (0.1, 0.2)}, {"between": None}),
        ({"method": "b", "than": ("c", "a"), "statistic": "rough", "value": 0.05}, {"value": -0.2}),
        ({"method": "b", "statistic": "on_target", "value": 8 / 9}, {"value": 0.0}),
        ({"method": "b", "statistic": "on_target", "value": 0.0, "between": (0.1, 0.1)}, {"between": None}),
        ({"method": "b", "than": ("c", "a"), "statistic": "on_target", "value": -1 / 9}, {"value": 1.0}),
    ],
)
@pytest.mark.parametrize("together", [False, True])
def test_relations_and_ranges(true: dict[str, Any], wrong: dict[str, Any], together: bool) -> None:
    """What is true of the rates agrees, a slip of 0.2 or more (on target: 0.8) does not."""
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 2000, together)
    assert Expected(**(SAID | true)).check(result).verdict == "agrees"
    assert Expected(**(SAID | true | wrong)).check(result).verdict == "not reproduced"


def test_a_number_is_held_against_one_of_another_quantity() -> None:
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 2000, together=True)
    (c, d) = result.cells
    renamed = replace(c, parts=tuple((*part, part[0]._replace(quantity="p")) for part in c.parts))
    result = replace(result, cells=(renamed, d))
    said = Expected(
        **(SAID | {"method": "b", "at": 0.1, "value": -0.4, "than": ("c", "a"), "than_quantity": "p"})
    )
    assert said.check(result).verdict == "agrees"
    assert replace(said, value=0.0).check(result).verdict == "not reproduced"
    assert statements_of([said.check(result)])[0][2] == "= -0.4 than a, p"


def test_ranges_without_a_place_are_reported() -> None:
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 9)
    with pytest.raises(ValueError, match=r"`between` must hold a place.*0\.1 to 0\.9"):
        result.value("c", "a", "q", statistic="min", between=(0.91, 0.99))
    more = Expected(**(SAID | {"than": ("d", "a"), "statistic": "min", "value": 0.7, "relation": "<="}))
    assert statements_of([more.check(result)])[0][2] == "<= +0.7 than d"


@pytest.mark.parametrize(("relation", "holds"), [("=", False), ("<=", False), (">=", True)])
def test_relations(relation: Any, holds: bool) -> None:
    rule = Rule("auc_interval", methods=("upper_bound",), confidence_level=0.95)
    cell = Cell(name="one", population=binormal(1.0), size=(30, 30), rule=rule)
    study = Experiment(title="", source="", cells=(cell,), quick=Quick(), figure=Dots(quantity="auc")).study(
        "x", replications=400
    )
    expected = Expected(
        says="upper bound covers far more than 80 %",
        cell="one",
        method="upper_bound",
        quantity="auc",
        value=0.8,
        relation=relation,
        replications=None,
    )
    assert (expected.check(run_study(study)).verdict != "not reproduced") is holds


@pytest.mark.parametrize("name", ["dg_roc_fig04_size", "which_method"])
def test_figures_draw_what_there_is(name: str) -> None:
    experiment = load_experiment(FOLDER / f"{name}.py")
    if isinstance(experiment.figure, Dots):
        cell = experiment.cells[0]
        cell = replace(cell, rule=replace(cell.rule, methods=("newcombe",)), size=(20, 20))
        figure = draw(experiment, run_study(replace(experiment.study(name, replications=20), cells=(cell,))))
        assert len(figure.axes[0].get_yticks()) == 1
        return
    result = run_study(replace(experiment.study(name, replications=20), cells=experiment.cells[:1]))
    figure = draw(experiment, result)
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    assert {"Agresti", "Wald", "Empirical"} <= set(lines)
    t = result.cell("n=25").find("wald", "joint")
    np.testing.assert_array_equal(lines["Wald"].get_ydata(), t.covered / t.n)
    assert [len(ax.get_lines()) for ax in figure.axes[1:]] == [0, 0, 0]


def test_sketches_draw_a_curve_and_two_edges_a_line() -> None:
    lines = (
        BandLine(label="ball", method="bootstrap:metric=db", size=(20, 30), n_resamples=40),
        BandLine(label="regions", method="ks_regions", size=(20, 30)),
        BandLine(label="rates", method="naive_bootstrap", size=(60, 70), n_resamples=40),
    )
    sketch = BandSketch(name="x", caption="", population=binormal(1.0), panels=(("all", lines),))
    ax = sketch.figure(None).axes[0]
    drawn = ax.get_lines()
    assert len(drawn) == 9
    assert ax.get_legend_handles_labels()[1] == ["ball", "regions", "rates"]
    # Equal sizes share the sample.
    np.testing.assert_array_equal(drawn[0].get_xydata(), drawn[3].get_xydata())
    for lower, upper in zip(drawn[1::3], drawn[2::3], strict=True):
        assert (np.asarray(lower.get_ydata()) <= np.asarray(upper.get_ydata())).all()


def test_fans_draw_the_public_numbers() -> None:
    fan = ForecastFan(
        name="fan",
        caption="",
        population=binormal(1.0),
        size=(30, 40),
        radii=(0.01, 0.5),
        methods=("delong",),
    )
    lower, upper = (np.asarray(line.get_xydata()) for line in fan.figure(None).axes[0].get_lines()[:2])
    rng = np.random.Generator(np.random.SFC64(fan.seed))
    scores = sampled(fan.population, fan.size, "stratified", rng, 1)[0][0].scores(0)
    for i in (0, -1):
        forecast = auc_forecast(scores, radius=float(lower[i, 0]), method="paper")
        assert lower[i, 1] == forecast.lower
        assert upper[i, 1] == forecast.upper


def test_shared_designs_are_the_papers() -> None:
    """Dugas & Gadoury 2009, section 5.1: θ and its negative, spreads 3.75 and 3; pairs and sizes."""
    rule = Rule("auc_interval", methods=("delong",))
    assert [c.size for c in designs.by_size(rule, 3.75)] == [(n, n) for n in (25, 250, 2500, 10_000)]
    spread = designs.by_spread(rule, 1000, 3.75, sampling="full")
    assert {c.sampling for c in spread} == {"full"}
    assert spread[-1].name == "theta=5.0"
    assert spread[-1].population == binormal(5.0, -5.0, 3.75, 3.0)
    (cell,) = designs.of_pairs(rule, 100, 3.0, [("one", 1.0, 2.0, 0.6)])
    assert cell.population == NormalPair((1.0, 3.0), (-1.0, -1.0), 3.0, 3.0, 0.6)
    uci = designs.on_uci(rule, 25, scale="probability", name="{name}!")
    assert designs.rectangle_panels(uci, title=str.upper).panels[0] == ("ABALONE!", ("abalone!",))
    assert uci[0].population == LogisticOn("abalone", "probability")


def test_list_shows_names_and_titles() -> None:
    done = invoke("list", str(FOLDER))
    assert done.exit_code == 0
    for item in list_experiments(FOLDER):
        assert item.name in done.output


def test_unknown_experiment_is_an_error() -> None:
    done = invoke("run", file_of("dg_roc_fig3_spread"))
    assert done.exit_code == 1
    assert "confroc-lab list" in done.stderr


def test_missing_data_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFROC_DATA", raising=False)
    done = invoke("run", file_of("dg_roc_fig05_uci_n25"), "--output", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "abalone.data" in done.stderr
    assert "https://archive.ics.uci.edu" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert invoke(
        "run", file_of("dg_roc_fig04_size"), "--quick", "--reps", "20", "--output", out
    ).exit_code in (
        0,
        1,
    )
    done = invoke("run", file_of("dg_roc_fig03_spread"), "--quick", "--reps", "20", "--output", out)
    assert done.exit_code == 1
    assert "`folder` must be new or hold" in done.stderr


@pytest.mark.slow
def test_run_then_show(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    ran = invoke("run", file_of("dg_roc_fig07_paired_threshold"), "--reps", "20", "--output", out)
    shown = invoke("show", out, "--experiment", file_of("dg_roc_fig07_paired_threshold"))
    assert shown.exit_code == 0
    assert shown.stdout == ran.stdout
    table = invoke("show", out, "--csv")
    assert table.stdout == (tmp_path / "out" / "results.csv").read_text()
    part = next((tmp_path / "out" / "parts").iterdir())
    part.unlink()
    assert "unfinished: 5 of 6 parts" in invoke("show", out).stderr
    assert invoke("show", str(tmp_path)).exit_code == 1


def test_several_experiments_have_no_common_folder() -> None:
    done = invoke("run", *map(file_of, (FAST, "dg_cost_fig2_spread")), "--output", "somewhere")
    assert done.exit_code == 1
    assert "`--output` must be left out" in done.stderr


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    done = invoke("list", str(tmp_path))
    assert done.exit_code == 1
    assert "`path` must be a file that assigns EXPERIMENT, or a folder of such files" in done.stderr


def test_nothing_runs_that_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `list` nor `show` runs a file, nor does `run` any but those named."""
    trap = 'from pathlib import Path\nPath("sprung").touch()\nEXPERIMENT = 1\n'
    for path in (tmp_path / "trap.py", tmp_path / "experiments" / "trap.py"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(trap)
    monkeypatch.chdir(tmp_path)
    name = "dg_cost_fig2_spread"
    assert "trap" in invoke("list", ".").stdout
    assert invoke("run", file_of(name), "--quick", "--reps", "20").exit_code in (0, 1)
    assert invoke("show", f"lab-results/{name}-quick").exit_code == 0
    assert invoke("run", "trap", "--quick").exit_code == 1
    assert not (tmp_path / "sprung").exists()


@pytest.mark.slow
def test_running_a_folder_skips_what_has_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFROC_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    few = tmp_path / "few"
    few.mkdir()
    for name in ("dg_roc_fig05_uci_n25", "dg_cost_fig2_spread", "designs", "learners", "datasets"):
        (few / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text(encoding="utf-8"), encoding="utf-8")
    done = invoke("run", str(few), "--quick")
    assert done.exit_code == 0, done.output
    assert "skipped dg_roc_fig05_uci_n25" in done.stderr
    assert (tmp_path / "lab-results" / "dg_cost_fig2_spread-quick" / "results.csv").exists()


@pytest.mark.slow
def test_a_page_sets_the_paper_beside_the_results(tmp_path: Path) -> None:
    out, page = str(tmp_path / "out"), tmp_path / "page.md"
    invoke("run", file_of("dg_roc_fig07_paired_threshold"), "--reps", "20", "--output", out)
    assert (
        invoke(
            "show", out, "--page", str(page), "--experiment", file_of("dg_roc_fig07_paired_threshold")
        ).exit_code
        == 0
    )
    text = page.read_text(encoding="utf-8")
    experiment = load_experiment(FOLDER / "dg_roc_fig07_paired_threshold.py")
    with (tmp_path / "page.csv").open(encoding="utf-8", newline="") as file:
        told = list(csv.DictReader(file))
    assert [row["says"] for row in told] == [e.says for e in experiment.expected]
    assert {row["verdict"] for row in told} <= {"agrees", "undecided", "not reproduced"}
    for expected in experiment.expected:
        assert expected.says in text
    assert re.search(r"20 samples a cell, \d+ seconds of one core\.", text)
    assert "](page.png)" in text
    assert (tmp_path / "page.png").exists()


@pytest.mark.slow
def test_pages_show_the_papers_pictures(tmp_path: Path) -> None:
    out, page = tmp_path / "out", tmp_path / "page.md"
    invoke("run", file_of("morin_fig6_intervals"), "--reps", "20", "--output", str(out))
    assert (out / "figure-fan.png").stat().st_size > 10_000
    assert (
        invoke(
            "show", str(out), "--page", str(page), "--experiment", file_of("morin_fig6_intervals")
        ).exit_code
        == 0
    )
    (drawing,) = load_experiment(FOLDER / "morin_fig6_intervals.py").drawings
    assert f"![{drawing.caption}](page-fan.png)" in page.read_text(encoding="utf-8")
    assert (tmp_path / "page-fan.png").exists()


def test_panels_of_the_same_methods_name_them_once() -> None:
    rule = Rule("auc_interval", methods=("delong", "newcombe"))
    cells = tuple(Cell(name=f"n={n}", population=binormal(1.0), size=(n, n), rule=rule) for n in (9, 12, 15))
    experiment = Experiment(title="", source="", cells=cells, quick=Quick(), figure=Dots(quantity="auc"))
    figure = draw(experiment, run_study(experiment.study("x", replications=30)))
    names = [[label.get_text() for label in ax.get_yticklabels()] for ax in figure.axes]
    assert names == [["delong", "newcombe"], ["", ""], ["delong", "newcombe"]]
    assert [ax.get_title() for ax in figure.axes] == ["n=9", "n=12", "n=15"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_an_interrupt_of_all_processes_prints_one_line(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to workers as well, here while they start."""
    study = str(FOLDER / "dg_roc_fig03_spread.py")
    args = [sys.executable, "-m", "confroc_lab", "run", study, "-j", "2", "-o", str(tmp_path / "out")]
    process = subprocess.Popen(args, stderr=subprocess.PIPE, start_new_session=True)
    waited = time.monotonic() + 60
    while not (tmp_path / "out" / "study.json").exists() and time.monotonic() < waited:
        time.sleep(0.01)
    time.sleep(0.4)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.decode() == "\nAborted!\n"
    # Python ends by the signal itself where it met an `exec`, as imports have some.
    assert process.returncode in (1, 130, -signal.SIGINT)
