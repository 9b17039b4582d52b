"""Progress: loops report all of their work, whoever shows it, and results do not depend on it."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import confroc
from confroc import PairedScores, Scores, UnpairedScores, _progress
from confroc._progress import Reported, time_of, work
from confroc.pages import build_report
from confroc.pages.page import SECTIONS
from confroc.pages.section import ReportData
from support import recorded, sample_arrays

Y, S = sample_arrays(3, 30, 40)
ONE = Scores(Y, S)
CLUSTERED = Scores(Y, S, cluster=np.arange(70) // 2)
PAIR = PairedScores(Y, S, S + np.random.default_rng(1).normal(size=70))
APART = UnpairedScores(ONE, PAIR.b)

WORK: dict[str, tuple[Callable[[], Any], float]] = {
    "resamples": (lambda: confroc.auc_interval(ONE, method="bootstrap", n_resamples=300, rng=0), 300),
    "resamples on threads": (
        lambda: confroc.tpr_at_fpr(
            ONE, fpr=0.2, method="smoothed_bootstrap", n_resamples=300, rng=0, n_jobs=2
        ),
        300,
    ),
    "resamples of clusters": (
        lambda: confroc.auc_interval(CLUSTERED, method="bootstrap", n_resamples=300, rng=0),
        300,
    ),
    "resamples of a band": (lambda: confroc.roc_band(ONE, method="bootstrap", n_resamples=200, rng=0), 200),
    "resamples of two models": (lambda: confroc.roc_difference_band(PAIR, n_resamples=200, rng=0), 200),
    "divisions": (
        lambda: confroc.auc_difference(APART, method="permutation", n_resamples=200, rng=0),
        200,
    ),
    "resamples under the null": (lambda: confroc.auc_equality_test(PAIR, n_resamples=50, rng=0), 50),
    "simulated samples": (
        lambda: confroc.auc_power(0.8, n_pos=20, n_neg=20, method="simulation", n_resamples=40, rng=0),
        40,
    ),
    "samples": (lambda: confroc.audit(ONE, replications=60, rng=0), 180),
}


@pytest.mark.parametrize("name", WORK)
def test_all_work_is_reported(name: str) -> None:
    call, expected = WORK[name]
    silent = call()
    with recorded() as bars:
        found = call()
    assert found == silent
    total, reported = bars.tasks[name.partition(" of ")[0].partition(" on ")[0].partition(" under ")[0]]
    assert total == expected == sum(reported)
    assert (len(reported) > 1) == (name != "resamples of two models")
    assert not bars.running


def test_sections_of_a_report_are_counted() -> None:
    data = ReportData(models={"a": ONE}, scores=None, n_rows=70, n_dropped=0)
    with recorded() as bars:
        build_report(data)
    assert bars.tasks["sections"] == (len(SECTIONS), [1] * len(SECTIONS))


def test_work_ends_where_it_fails() -> None:
    calls = []

    def fails(*_args: Any, **_weight: Any) -> float:
        calls.append(len(calls))
        if len(calls) == 10:
            raise KeyboardInterrupt
        return 0.5

    statistic = confroc.statistics.Custom(fails)
    with recorded() as bars, pytest.raises(KeyboardInterrupt):
        confroc.interval(ONE, statistic, method="bootstrap", n_resamples=99)
    assert not bars.running


def test_copies_for_other_processes_report_nothing() -> None:
    with recorded() as bars, work("parts", 2) as report:
        copy = pickle.loads(pickle.dumps(report))
        copy(1)
        assert isinstance(copy, Reported)
        report(2)
    assert bars.tasks["parts"] == (2, [2])


def test_lines_have_counts_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "DELAY", -1.0)
    shown = io.StringIO()
    with _progress._bars(Console(file=shown, force_terminal=True, width=100)) as bars:
        token = _progress.SHOWN.set(bars)
        with (
            work("auc_interval [/]"),
            work("resamples", 2000) as report,
            work("rows", 100, poll=lambda: 43.0),
        ):
            report(500)
            bars.refresh()
        _progress.SHOWN.reset(token)
    for words in ("auc_interval [/]", "resamples", "500 of 2,000, ", "rows", "43 of 100, ", " left"):
        assert words in shown.getvalue()


def test_a_log_has_lines_with_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_progress, "EVERY", -1.0)
    with (
        confroc.progress_bar("report"),
        work("sections", 9) as sections,
        work("resamples", 2000) as resamples,
    ):
        resamples(500)
        sections()
    assert capsys.readouterr().err == (
        "sections 0 of 9, resamples 500 of 2,000\nsections 1 of 9, resamples 500 of 2,000\n"
    )


def test_nothing_is_shown_of_short_work_or_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shown = io.StringIO()
    with _progress._bars(Console(file=shown, force_terminal=True, width=100)) as bars:
        bars.add_task("resamples", total=10, poll=None)
        bars.refresh()
    assert "resamples" not in shown.getvalue()
    with confroc.progress_bar("x", 2) as report:
        report(1)
    assert capsys.readouterr() == ("", "")


def test_times() -> None:
    assert [time_of(s) for s in (None, 0.4, 75, 45_296)] == ["-:--:--", "0:00:00", "0:01:15", "12:34:56"]
