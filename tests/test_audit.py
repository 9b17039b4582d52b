"""The audit: its coverages, its recommendations, and its notes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import Scores
from confroc.auditing import Audit, audit
from confroc.auditing.audit import Verdict, _recommended
from confroc.auditing.smoothed import SmoothedCopy
from confroc.auditing.statistics import true_value
from confroc.cli import main
from confroc.statistics import Auc, AveragePrecision
from confroc_lab import binormal
from support import invoke

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def separated() -> Scores:
    """A small sample whose classes hardly overlap, where Wald-type methods are known to fail."""
    pos, neg = binormal(3.2).draw(np.random.default_rng(3), 25, 40, 1)
    return Scores(np.repeat([1, 0], [25, 40]), np.concatenate([pos[0], neg[0]]))


DEFAULTS = {
    "area": "score_delong",
    "TPR at an FPR": "beta_mixture",
    "both rates at a threshold": "agresti_coull",
}


@pytest.fixture(scope="module")
def audited(separated: Scores) -> Audit:
    return audit(separated, replications=200, rng=0)


@pytest.mark.slow
def test_methods_known_to_fail_do_not_attain_their_level(separated: Scores) -> None:
    found = audit(separated, replications=1000, rng=0)
    by_name = {(v.statement, v.method): v for v in found.verdicts}
    assert not by_name["area", "delong"].attains_level
    assert not by_name["both rates at a threshold", "wald"].attains_level
    assert by_name["both rates at a threshold", "clopper_pearson"].attains_level
    assert by_name["area", "score_delong"].attains_level
    assert found.replications == {"area": 1000, "TPR at an FPR": 1000, "both rates at a threshold": 1000}


def judged(method: str, coverage: float, mean: float, width: float, attains: bool) -> Verdict:
    return Verdict("area", method, coverage, 0.01, np.nan, mean, width, 0.0, attains)


@pytest.mark.parametrize(
    ("best", "rows"),
    [
        # The narrowest of those that attain their level, but not one that is a little below it throughout.
        ("narrow", [("default", 0.95, 0.95, 2.0, True), ("narrow", 0.94, 0.95, 1.0, True)]),
        ("default", [("default", 0.95, 0.95, 2.0, True), ("narrow", 0.93, 0.93, 1.0, True)]),
        ("default", [("default", 0.95, 0.95, 2.0, True), ("narrow", 0.90, 0.95, 1.0, False)]),
        ("narrow", [("default", 0.93, 0.93, 2.0, True), ("narrow", 0.93, 0.93, 1.0, True)]),
        # The default, if it is 5% wider at most.
        ("default", [("default", 0.95, 0.95, 1.04, True), ("narrow", 0.95, 0.95, 1.0, True)]),
        ("narrow", [("default", 0.95, 0.95, 1.06, True), ("narrow", 0.95, 0.95, 1.0, True)]),
        # A narrower default that attains its level is kept.
        ("default", [("default", 0.93, 0.93, 1.0, True), ("wide", 0.96, 0.96, 1.1, True)]),
        # Where none attains it, the one that comes closest.
        ("wide", [("default", 0.8, 0.9, 1.0, False), ("wide", 0.9, 0.9, 3.0, False)]),
        ("default", [("default", 0.8, 0.9, 1.0, False), ("failing", np.nan, np.nan, 1.0, False)]),
    ],
)
def test_which_method_is_recommended(best: str, rows: list[Any]) -> None:
    marked = _recommended([judged(*row) for row in rows], 0.95, "default")
    assert [v.method for v in marked if v.recommended] == [best]


def test_other_methods_than_the_default_are_recommended_with_the_reason(
    audited: Audit, separated: Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    def notes(found: Audit) -> list[str]:
        return [note for note in found.notes if "the default, " in note]

    # So few samples give no reason to choose another method.
    assert notes(audited) == []
    assert "one Monte Carlo standard error (up to 0.0" in str(audited)
    # Whatever is within 5% of the narrowest is as good; now nothing is.
    monkeypatch.setattr(sys.modules["confroc.auditing.audit"], "NEARLY", 1e-6)
    monkeypatch.setattr(sys.modules["confroc.auditing.audit"], "FEWEST_TO_DECIDE", 0)
    strict = audit(separated, replications=100, rng=0)
    for statement, method in strict.recommendation.items():
        rows = {v.method: v for v in strict.verdicts if v.statement == statement}
        own = rows[DEFAULTS[statement]]
        (note,) = (
            (n for n in notes(strict) if n.startswith(f"{statement}: the default"))
            if method != own.method
            else ("",)
        )
        if method != own.method and own.attains_level:
            wider = own.width / rows[method].width - 1.0
            assert f"is {wider:.0%} wider than {method}" in note
        elif method != own.method:
            covered = f"has coverage {own.mean_coverage:.3f} on average and at least {own.coverage:.3f}"
            assert covered in note


def test_a_recommended_method_below_its_level_is_noted(
    audited: Audit, separated: Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = "no method attains its level; the recommended one is closest."
    assert not any(ending in note for note in audited.notes)
    monkeypatch.setattr(sys.modules["confroc.auditing.audit"], "SHORTFALL", -1.0)
    found = audit(separated, replications=20, rng=0)
    assert not any(v.attains_level for v in found.verdicts)
    assert [note for note in found.notes if ending in note] == [
        f"{statement}: {ending}" for statement in found.recommendation
    ]


@pytest.mark.slow
def test_a_large_sample_is_its_own_population() -> None:
    """Resampled: the area is the sample's very own, and every score is kept; a small sample is warned of."""
    pos, neg = binormal(1.0).draw(np.random.default_rng(1), 700, 900, 1)
    scores = Scores(np.repeat([1, 0], [700, 900]), np.concatenate([pos[0], neg[0]]))
    found = audit(scores, population="resampled", size=(40, 60), replications=400, rng=0)
    assert found.auc == pytest.approx(scores.auc)
    assert found.categories == len(scores.score)
    assert found.notes[0].startswith("Too few samples to choose between methods")
    assert all("the default, " in note for note in found.notes[1:])
    assert found.to_dict()["recommendation"] == found.recommendation
    by_name = {(v.statement, v.method): v for v in found.verdicts}
    assert by_name["area", "score_delong"].attains_level
    crowded = audit(scores, population="resampled", replications=20, rng=0)
    assert "many cases twice, and so have ties" in crowded.notes[0]
    mine: Any = "mine"
    with pytest.raises(ValueError, match="`population`"):
        audit(scores, population=mine)


@pytest.mark.slow
def test_bands_are_audited_too(separated: Scores) -> None:
    found = audit(separated, replications=50, band_replications=20, bands=True, rng=0)
    band = {v.method: v for v in found.verdicts if v.statement == "band"}
    assert band["equal_local_levels:calibration=exact"].coverage >= 0.85
    assert band["ks_regions"].width > band["equal_local_levels"].width


@pytest.mark.slow
def test_processes_and_transforms_change_nothing(separated: Scores) -> None:
    moved = Scores.from_counts(np.expm1(separated.score), separated.pos, separated.neg)
    first, second = (audit(s, replications=60, rng=7, n_jobs=n) for s, n in ((separated, 1), (moved, 2)))
    assert repr(first.verdicts) == repr(second.verdicts)


@pytest.mark.slow
def test_size_is_that_of_the_samples(separated: Scores) -> None:
    small = audit(separated, replications=200, rng=1)
    large = audit(separated, size=(250, 400), replications=200, rng=1)
    assert (large.n_pos, large.n_neg) == (250, 400)
    for a, b in zip(small.verdicts, large.verdicts, strict=True):
        assert b.width < a.width


@pytest.mark.slow
def test_categories_are_kept() -> None:
    scores = Scores.from_counts([5, 4, 3, 2, 1], pos=[20, 11, 6, 3, 1], neg=[2, 6, 14, 20, 30])
    found = audit(scores, replications=200, rng=0)
    assert found.categories == 5
    assert abs(found.auc - scores.auc) < 0.05
    assert "agresti_coull" in {v.method for v in found.verdicts}
    frame = found.to_frame()
    assert len(frame) == len(found.verdicts)


def test_samples_without_spread_are_refused() -> None:
    with pytest.raises(ValueError, match="two distinct scores"):
        audit(Scores([0, 0, 1, 1], [1, 1, 1, 1]))
    with pytest.raises(ValueError, match="two cases of each class"):
        audit(Scores([0, 0, 1], [1, 2, 3]))
    with pytest.raises(ValueError, match="`replications`"):
        audit(Scores([0, 0, 1, 1], [1, 2, 3, 4]), replications=3)
    with pytest.raises(ValueError, match="`confidence_level`"):
        audit(Scores([0, 0, 1, 1], [1, 2, 3, 4]), confidence_level=95)


def command(*extra: str) -> list[str]:
    file = str(ROOT / "examples" / "asah.csv")
    return [
        "audit",
        file,
        "--label",
        "outcome",
        "--pos-label",
        "Poor",
        "--score",
        "ndka",
        "--reps",
        "100",
        *extra,
    ]


def test_command_prints_tables_and_a_recommendation() -> None:
    done = invoke(main, command())
    assert done.exit_code == 0, done.output
    assert "samples of 41 + 72" in done.stdout
    assert "TPR at an FPR: use " not in done.stdout
    assert "Too few samples to choose between methods" in done.stderr
    assert done.stdout.splitlines()[1].split()[:4] == ["model", "statement", "method", "coverage"]
    recommended = done.stdout.split("recommended\n")[1].splitlines()
    assert not any(line.endswith(" yes") for line in recommended)
    assert invoke(main, command()).stdout == done.stdout


def test_command_prints_json() -> None:
    done = invoke(main, command("--json", "--size", "30", "60"))
    found = json.loads(done.stdout)["audit"]["ndka"]
    assert (found["n_pos"], found["n_neg"]) == (30, 60)
    assert {"statement", "method", "coverage", "attains_level"} <= set(found["verdicts"][0])
    assert found["recommendation"] == {}
    again = invoke(main, command("--json", "--population", "resampled"))
    assert json.loads(again.stdout)["audit"]["ndka"]["notes"]


@pytest.mark.slow
def test_command_reads_standard_input_and_several_models() -> None:
    data = (ROOT / "examples" / "asah.csv").read_bytes()
    words = [word if word != command()[1] else "-" for word in command("--score", "s100b")]
    done = invoke(main, words, input=data)
    assert done.exit_code == 0, done.output
    assert {line.split()[0] for line in done.stdout.splitlines() if line} >= {"ndka", "s100b"}
    assert "ndka, s100b: Too few samples to choose between methods" in done.stderr


def test_command_reports_what_is_wrong() -> None:
    done = invoke(
        main, ["audit", str(ROOT / "examples" / "asah.csv"), "--label", "nothing", "--score", "ndka"]
    )
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: `--label` must")
    unnamed = [word for word in command() if word not in ("--pos-label", "Poor")]
    done = invoke(main, unnamed)
    assert done.exit_code == 2
    assert "`--pos-label` must name the positive class" in done.stderr
    assert "Pass the positive one as `--pos-label`." in done.stderr


@pytest.mark.slow
def test_very_large_samples_are_fewer_and_have_no_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package's name `audit` is the function.
    module = sys.modules["confroc.auditing.audit"]
    monkeypatch.setattr(module, "BUDGET", 500 * 250)
    monkeypatch.setattr(module, "LARGEST_FOR_BANDS", 400)
    pos, neg = binormal(1.0).draw(np.random.default_rng(0), 200, 300, 1)
    scores = Scores(np.repeat([1, 0], [200, 300]), np.concatenate([pos[0], neg[0]]))
    found = audit(scores, bands=True, rng=0)
    assert found.replications == {"area": 250, "TPR at an FPR": 250, "both rates at a threshold": 250}
    assert "Only 250 samples are drawn" in found.notes[0]
    assert "Bands are omitted beyond 400 cases" in found.notes[1]
    few = audit(scores, size=(100, 100), replications=50, rng=0).notes[0]
    assert few.startswith("Too few samples")


@pytest.mark.parametrize("tied", [False, True])
def test_statistics_of_a_population(separated: Scores, tied: bool) -> None:
    """The area as the population knows it, and the average precision of 900,000 cases (error below 0.003)."""
    scores = Scores.from_counts([4, 3, 2, 1], [20, 20, 5, 5], [5, 10, 30, 55]) if tied else separated
    population = SmoothedCopy.of(scores)
    assert true_value(Auc(), population, 50, 100) == pytest.approx(population.auc, abs=2e-4)
    pos, neg = population.draw(np.random.default_rng(3), 300_000, 600_000, 1)
    large = Scores(np.repeat([1, 0], [300_000, 600_000]), np.concatenate([pos[0], neg[0]]))
    expected = AveragePrecision().value(large)
    assert true_value(AveragePrecision(), population, 50, 100) == pytest.approx(expected, abs=0.003)


@pytest.mark.slow
def test_any_statistic_is_audited(separated: Scores) -> None:
    found = audit(separated, statistics=[AveragePrecision()], replications=300, rng=0)
    shares = {v.method: v.coverage for v in found.verdicts if v.statement == "average precision"}
    assert shares.keys() == {"corrected_logit", "logit", "wald"}
    # 300 samples: the coverage of a method with its level is below 0.90 once in 1,000.
    assert shares["logit"] > 0.90
    with pytest.raises(ValueError, match=r"`statistics` must be .*Statistic"):
        audit(separated, statistics=["auc"])  # type: ignore[list-item]
