"""Experiments and the command line: files, statements that can fail, figures, and mistakes."""

from __future__ import annotations

import csv
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
from scipy import special

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
from confroc_lab.experiment import Finding, Listed, deviations, tally
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
        assert f"{option} was given 2 times. Give it once." in done.output


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
    with pytest.warns(ConfrocWarning, match="is left out: it is no Python") as caught:
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
def test_quick_form_agrees_with_the_paper(tmp_path: Path) -> None:
    """Over seeds a true statement fails with probability 6e-5."""
    done = invoke("run", file_of(FAST), "--quick", "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert "FAILS" not in done.output
    assert (tmp_path / "out" / "results.csv").exists()
    assert (tmp_path / "out" / "figure.png").stat().st_size > 10_000


@pytest.mark.slow
def test_a_wrong_statement_fails() -> None:
    """The quick form can fail: a paper that claimed 0.8 for Wald at θ = 5 would be contradicted."""
    experiment = load_experiment(FOLDER / "dg_roc_fig03_spread.py")
    wrong = replace(experiment.expected[0], value=0.89)
    cells = tuple(c for c in experiment.cells if c.name == "theta=5.0")
    study = replace(experiment.study("x", quick=True), cells=cells)
    result = run_study(study)
    assert experiment.expected[0].check(result).verdict == "agrees"
    assert wrong.check(result).verdict == "FAILS"
    assert replace(wrong, differs="another rule").check(result).verdict == "differs"


def test_allowance_is_a_normal_or_a_student_quantile() -> None:
    from scipy import stats

    assert deviations(1) == pytest.approx(stats.norm.isf(3e-5))
    assert deviations(49) == pytest.approx(stats.norm.isf(3e-5 / 49))
    assert deviations(1, df=9) == pytest.approx(stats.t.isf(3e-5, 9))


def test_false_alarms_are_as_rare_as_stated() -> None:
    """With the tail raised to 4 %, true statements fail that often: proportions, and means of a few samples.

    2,000 and 4,000 trials; five standard errors of 4 %, a false alarm in a million.
    """
    rng = np.random.default_rng(11)
    z = rng.binomial(400, 0.9, 2000)
    p = (z + 2) / 404
    error = np.sqrt(p * (1 - p) / 404)
    limit = -special.ndtri(0.02)
    assert np.mean(np.abs(z / 400 - 0.9) > limit * error) < 0.04 + 5 * np.sqrt(0.04 * 0.96 / 2000)
    x = rng.normal(size=(4000, 10))
    missed = np.abs(x.mean(axis=1)) > -special.stdtrit(9, 0.02) * x.std(axis=1, ddof=1) / np.sqrt(10)
    assert abs(np.mean(missed) - 0.04) < 5 * np.sqrt(0.04 * 0.96 / 4000)


@pytest.mark.slow
def test_statements_that_cannot_fail_are_told() -> None:
    """With five samples nothing contradicts 0.69; the quick form would not pass."""
    experiment = load_experiment(FOLDER / "dg_roc_fig03_spread.py")
    cells = tuple(c for c in experiment.cells if c.name == "theta=5.0")
    few = run_study(replace(experiment.study("x", replications=5), cells=cells))
    finding = experiment.expected[2].check(few)
    assert finding.holds
    assert not replace(experiment.expected[2], tolerance=0.95).check(few).can_fail
    assert replace(experiment.expected[2], tolerance=0.95).check(few).verdict == "undecided"
    many = run_study(replace(experiment.study("x", quick=True), cells=cells))
    assert all(finding.can_fail for finding in experiment.findings(many))


def test_the_papers_statements_are_counted_apart() -> None:
    says = Expected(says="", cell="c", method="m", quantity="q", value=0.9)
    held = [("paper", 0.9), ("paper", 0.1), ("ours", 0.9), ("ours", 0.9)]
    findings = [
        Finding(replace(says, source=source, value=value), 0.9, 0.0, 0.01, holds=value == 0.9)
        for source, value in held
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
    """Counts of intervals that hold with known probabilities, at all places by one chance or each apart."""
    cells = []
    for name, methods in rates.items():
        counts = []
        for method, p in methods.items():
            p, at = np.asarray(p, float), np.linspace(0.1, 0.9, len(p))
            held = (rng.random((n, 1 if together else len(p))) < p).sum(axis=0)
            none, all_ = np.zeros(len(p), int), np.full(len(p), n)
            counts.append(
                Coverage(
                    method, "q", at, all_, all_, none, held, all_ - held, none, none, none, p * n, p * p * n
                )
            )
        cells.append(CellResult(name, "at", 0.9, tuple(counts)))
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
        ({"method": "b", "statistic": "span", "value": 0.0, "between": (0.2, 0.9)}, {"between": None}),
        ({"method": "b", "statistic": "max", "between": (0.1, 0.1), "value": 0.5}, {"between": None}),
        ({"method": "b", "statistic": "mean", "value": 0.5 / 9 + 0.8}, {"between": (0.1, 0.1)}),
        ({"method": "b", "statistic": "distance", "value": 0.4 / 9}, {"value": 0.3}),
        ({"method": "b", "than": ("c", "a"), "statistic": "distance", "value": 0.04}, {"value": -0.3}),
        ({"method": "b", "statistic": "rough", "value": 0.05}, {"value": 0.25}),
        ({"method": "b", "statistic": "rough", "value": 0.4, "between": (0.1, 0.2)}, {"between": None}),
        ({"method": "b", "than": ("c", "a"), "statistic": "rough", "value": 0.05}, {"value": -0.2}),
        ({"method": "b", "statistic": "on_target", "value": 8 / 9}, {"value": 0.0}),
        ({"method": "b", "statistic": "on_target", "value": 0.0, "between": (0.1, 0.1)}, {"between": None}),
        ({"method": "b", "than": ("c", "a"), "statistic": "on_target", "value": -1 / 9}, {"value": 1.0}),
    ],
)
@pytest.mark.parametrize("together", [False, True])
def test_relations_and_ranges(true: dict[str, Any], wrong: dict[str, Any], together: bool) -> None:
    """What is true of the rates holds, a slip fails: by 0.2 or more (on target: 0.8), errors allow less."""
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 2000, together)
    assert Expected(**(SAID | true)).check(result).verdict == "agrees"
    assert Expected(**(SAID | true | wrong)).check(result).verdict == "FAILS"


def test_a_number_is_held_against_one_of_another_quantity() -> None:
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 2000, together=True)
    (c, d) = result.cells
    renamed = c._replace(counts=(*c.counts, c.counts[0]._replace(quantity="p")))
    result = replace(result, cells=(renamed, d))
    said = Expected(
        **(SAID | {"method": "b", "at": 0.1, "value": -0.4, "than": ("c", "a"), "than_quantity": "p"})
    )
    assert said.check(result).verdict == "agrees"
    assert replace(said, value=0.0).check(result).verdict == "FAILS"
    assert statements_of([said.check(result)])[0][2] == "= -0.4 than a, p"


@pytest.mark.slow
def test_false_alarms_of_relations_and_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the false alarm raised to 4 %, no true statement fails oftener, however the places depend.

    500 trials each; five standard errors of 4 %.
    """
    monkeypatch.setattr("confroc_lab.experiment.FALSE_ALARM", 0.04)
    rng = np.random.default_rng(5)
    rates = {"c": {"a": [0.9] * 9, "b": [0.9] * 9}, "d": {"a": [0.9] * 9}}
    forms: list[dict[str, Any]] = [
        {"than": than, "statistic": statistic, "value": 0.0}
        for than in (("c", "b"), ("d", "a"))
        for statistic in ("min", "max", "mean", "span", "distance", "rough", "on_target", "coverage")
    ]
    forms += [{"statistic": s, "value": 0.0} for s in ("span", "distance")]
    for together in (False, True):
        fails = np.zeros(len(forms))
        for _ in range(500):
            result = simulated(rng, rates, 300, together)
            fails += [not Expected(**(SAID | form)).check(result).holds for form in forms]
        assert (fails / 500 <= 0.04 + 5 * np.sqrt(0.04 * 0.96 / 500)).all()


def test_ranges_without_a_place_and_differences_that_cannot_fail_are_told() -> None:
    result = simulated(np.random.default_rng(3), RATES_OF_TWO, 9)
    with pytest.raises(ValueError, match=r"`between` must hold a place.*0\.1 to 0\.9"):
        result.measure("c", "a", "q", statistic="min", between=(0.91, 0.99))
    more = Expected(**(SAID | {"than": ("d", "a"), "statistic": "min", "value": 0.7, "relation": "<="}))
    assert more.check(result).verdict == "undecided"
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
    assert expected.check(run_study(study)).holds is holds


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
    assert {row["verdict"] for row in told} <= {"agrees", "undecided", "differs", "FAILS"}
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
