"""Studies: the same bits whatever stopped them and however many processes, and folders that stay apart."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from confroc import ConfrocWarning
from confroc.auditing.coverage import counted
from confroc_lab import (
    Cell,
    Exponential,
    NormalPair,
    Rule,
    SamplePopulation,
    Study,
    TwoDistributions,
    binormal,
    run_study,
)
from confroc_lab.coverage import CellResult, StudyResult, coverage_error, without_points
from confroc_lab.store import TIME, Store, describe, load
from confroc_lab.study import chunks_of, run_chunk
from support import recorded

CELLS = (
    Cell(
        name="threshold, full",
        population=binormal(3.0, -3.0, 3.75, 3.0),
        size=(20, 20),
        sampling="full",
        rule=Rule("rates_at_threshold", methods=("wald", "bootstrap"), confidence_level=0.9, at=(0.1, 0.5)),
        chunk=20,
    ),
    Cell(
        name="vertical",
        population=TwoDistributions(Exponential(3.0), Exponential(1.0)),
        size=(30, 25),
        rule=Rule(
            "tpr_at_fpr",
            methods=("agresti_coull", "bootstrap", "kernel"),
            confidence_level=0.9,
            at=(0.1, 0.5),
        ),
        chunk=25,
    ),
    Cell(
        name="pair",
        population=NormalPair((1.0, 2.0), (0.0, 0.0), 1.0, 1.0, 0.5),
        size=(20, 20),
        rule=Rule(
            "rates_difference_at_threshold",
            methods=("agresti_min", "bootstrap"),
            confidence_level=0.9,
            at=(0.3,),
        ),
        chunk=30,
    ),
    Cell(
        name="area",
        population=SamplePopulation(np.arange(5.0), np.arange(5.0) - 2.0),
        size=(10, 10),
        rule=Rule("auc_interval", methods=("delong", "bootstrap"), n_resamples=50),
        chunk=40,
    ),
)
STUDY = Study(name="small", cells=CELLS, replications=70, seed=5)


def files(folder: Path) -> dict[str, bytes]:
    """Everything a folder holds but leftovers of a kill, and how long it took."""
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.suffix != ".tmp" and p.name != TIME
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The folder of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    run_study(STUDY, folder / "out")
    return files(folder / "out")


@pytest.mark.slow
def test_processes_change_nothing(whole: dict[str, bytes], tmp_path: Path) -> None:
    run_study(STUDY, tmp_path / "out", n_jobs=2)
    assert files(tmp_path / "out") == whole


def test_any_missing_parts_are_made_again(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run_study(STUDY, folder)
    parts = sorted((folder / "parts").iterdir())
    assert len(parts) == 4 + 3 + 3 + 2
    for path in parts[::2]:
        path.unlink()
    (folder / "results.csv").unlink()
    (folder / "parts" / "leftover.csv.123.tmp").write_text("half a li")
    run_study(STUDY, folder)
    assert files(folder) == whole


def damages(sound: bytes) -> dict[str, bytes]:
    """What may have become of a file."""
    found = {
        "empty": b"",
        "cut": sound[: len(sound) // 2],
        "no last line end": sound[:-1],
        "zeros": bytes(50),
    }
    found["one digit"] = sound.replace(b",1", b",2", 1)
    found["a line less"] = b"\n".join(sound.split(b"\n")[:1] + sound.split(b"\n")[2:])
    found["not text"] = b"\xff" + sound[1:]
    for bit in np.random.default_rng(0).integers(0, 8 * len(sound), 5).tolist():
        turned = bytearray(sound)
        turned[bit // 8] ^= 1 << bit % 8
        found[f"bit {bit}"] = bytes(turned)
    return {name: text for name, text in found.items() if text != sound}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path]:
    """A study of one quick cell, and its folder."""
    cell = replace(CELLS[3], rule=Rule("auc_interval", methods=("delong",)))
    study = Study(name="short", cells=(cell,), replications=80, seed=5)
    folder = tmp_path_factory.mktemp("short") / "out"
    run_study(study, folder)
    return study, folder


def test_damaged_parts_are_set_aside_and_made_again(short: tuple[Study, Path]) -> None:
    study, folder = short
    whole = files(folder)
    part, other = sorted((folder / "parts").iterdir())
    wrong = damages(part.read_bytes()) | {"another part": other.read_bytes()}
    for name, text in wrong.items():
        part.write_bytes(text)
        with pytest.warns(ConfrocWarning, match="is damaged and left out") as caught:
            held = load(folder)
        assert (held.chunks, held.of) == (1, 2), name
        assert str(part) in str(caught[0].message)
        with pytest.warns(ConfrocWarning, match=r"was damaged; it is made again, and kept as .*csv\.damaged"):
            run_study(study, folder)
        aside = part.with_name(f"{part.name}.damaged")
        assert aside.read_bytes() == text
        aside.unlink()
        assert files(folder) == whole, name


def test_a_damaged_configuration_is_named_and_written_again(short: tuple[Study, Path]) -> None:
    study, folder = short
    whole = files(folder)
    path = folder / "study.json"
    for name, text in damages(path.read_bytes()).items():
        path.write_bytes(text)
        with pytest.raises(ValueError, match=r"`folder` must hold a study\.json as it was written") as caught:
            load(folder)
        assert "Run the study again there" in str(caught.value)
        # Its parts are kept: a warning of one of them would be an error here.
        with pytest.warns(ConfrocWarning, match=r"study\.json was damaged; it is written again") as warned:
            run_study(study, folder)
        assert len(warned) == 1
        path.with_name("study.json.damaged").unlink()
        assert files(folder) == whole, name


def test_a_folder_left_in_the_first_instant_is_taken_up(short: tuple[Study, Path], tmp_path: Path) -> None:
    study, folder = short
    (tmp_path / ".study.json.part.json").write_text('{"na', encoding="utf-8")
    run_study(study, tmp_path)
    assert files(tmp_path) == files(folder)


def test_parts_of_another_study_are_not_added_up(short: tuple[Study, Path], tmp_path: Path) -> None:
    study, folder = short
    another = replace(study, seed=6)
    run_study(another, tmp_path / "out")
    expected = files(tmp_path / "out")
    for part in (folder / "parts").iterdir():
        (tmp_path / "out" / "parts" / part.name).write_bytes(part.read_bytes())
    (tmp_path / "out" / "study.json").write_text("", encoding="utf-8")
    with pytest.warns(ConfrocWarning, match="was damaged"):
        run_study(another, tmp_path / "out")
    for aside in (tmp_path / "out").rglob("*.damaged"):
        aside.unlink()
    assert files(tmp_path / "out") == expected


def test_a_study_json_of_somebody_else_stays(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text('{"mine": 1}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"study\.json is no study's"):
        run_study(STUDY, tmp_path)
    assert (tmp_path / "study.json").read_text(encoding="utf-8") == '{"mine": 1}'


def test_parts_are_read_back_to_the_same_bits(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "out", STUDY)
    counts = run_chunk(CELLS[1], 5, 0, 25)
    store.write("vertical", 0, 25, counts)
    back = store.read("vertical", 0, 25)
    assert back is not None
    for a, b in zip(counts, back, strict=True):
        assert (a.method, a.quantity) == (b.method, b.quantity)
        for x, y in zip(a[2:], b[2:], strict=True):
            np.testing.assert_array_equal(x, y)
    assert store.read("vertical", 25, 50) is None


def test_methods_with_commas_in_their_names_survive(tmp_path: Path) -> None:
    rule = Rule(
        "roc_band", methods=("ks_regions:joint=False", "bootstrap:metric=sup,smoothing=False"), n_resamples=20
    )
    cell = Cell(name="bands", population=binormal(1.0), size=(15, 15), rule=rule, chunk=2)
    study = Study(name="bands", cells=(cell,), replications=4)
    first = run_study(study, tmp_path / "out")
    again = load(tmp_path / "out").result
    assert again.columns() == first.columns() or repr(again.columns()) == repr(first.columns())
    assert {t.method for t in again.cells[0].counts} == set(rule.methods)


SLOW = """
import sys, time
import confroc_lab.run as study
from test_lab_study import STUDY
task = study._task
def slowly(*arguments):
    time.sleep(0.15)
    return task(*arguments)
study._task = slowly
study.run_study(STUDY, sys.argv[1])
"""


@pytest.mark.slow
def test_a_killed_study_continues_to_the_same_bits(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    command = [sys.executable, "-c", SLOW, str(folder)]
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(command, env=paths, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60.0
    # A name that begins with a dot is a part still being written.
    while len(list((folder / "parts").glob("[!.]*.csv")) if folder.exists() else []) < 3:
        assert process.poll() is None, "the study ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    held = load(folder)
    assert 3 <= held.chunks < held.of == 12
    assert held.seconds
    assert not (folder / "results.csv").exists()
    run_study(STUDY, folder)
    assert files(folder) == whole


@pytest.mark.slow
def test_more_replications_continue_a_study(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run_study(replace(STUDY, replications=40), folder)
    before = {name for name in files(folder) if name.startswith("parts")}
    grown = run_study(replace(STUDY, replications=120), folder)
    assert before < set(files(folder))
    assert repr(grown.columns()) == repr(run_study(replace(STUDY, replications=120)).columns())


def test_processor_time_is_added_up(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run_study(replace(STUDY, replications=40), folder)
    first = load(folder).seconds
    assert first is not None
    assert 0.0 < first < 60.0
    run_study(STUDY, folder)
    second = load(folder).seconds
    assert second is not None
    assert first < second
    # Nothing is left to do.
    run_study(STUDY, folder)
    assert load(folder).seconds == second
    (folder / TIME).write_text("{", encoding="utf-8")
    assert load(folder).seconds is None


def test_chunks_are_independent_of_each_other() -> None:
    """The same chunk of the same cell is the same; another chunk, cell name or seed is another."""

    def held(cell: Cell, seed: int, start: int) -> list[float]:
        return [float(t.width.sum()) for t in run_chunk(cell, seed, start, start + 20)]

    first = held(CELLS[0], 5, 0)
    assert held(CELLS[0], 5, 0) == first
    for other in (held(CELLS[0], 5, 20), held(CELLS[0], 6, 0), held(replace(CELLS[0], name="other"), 5, 0)):
        assert other != first


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (replace(STUDY, seed=6), "seed was 5 and is now 6"),
        (replace(STUDY, cells=(replace(CELLS[0], size=(21, 20)), *CELLS[1:])), "size"),
        (
            replace(STUDY, cells=(replace(CELLS[0], population=binormal(3.1, -3.0, 3.75, 3.0)), *CELLS[1:])),
            "population.pos.mean",
        ),
        (
            replace(
                STUDY,
                cells=(
                    *CELLS[:3],
                    replace(
                        CELLS[3], population=SamplePopulation(np.arange(5.0) + 0.5, np.arange(5.0) - 2.0)
                    ),
                ),
            ),
            "sha256",
        ),
        (replace(STUDY, cells=CELLS[:2]), "cells"),
    ],
    ids=["seed", "size", "population", "data", "cells"],
)
def test_results_of_another_configuration_are_refused(other: Study, says: str, tmp_path: Path) -> None:
    Store.open(tmp_path / "out", STUDY)
    with pytest.raises(ValueError, match="`folder` must be new or hold results of this same study") as caught:
        run_study(other, tmp_path / "out")
    assert says in str(caught.value)
    assert "Choose another folder" in str(caught.value)


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(ValueError, match="holds other files"):
        run_study(STUDY, tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_loading_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="`folder` must hold a study"):
        load(tmp_path)
    Store.open(tmp_path / "out", STUDY)
    with pytest.raises(ValueError, match="at least one finished part"):
        load(tmp_path / "out")


def test_configuration_is_plain_json() -> None:
    assert json.loads(json.dumps(describe(STUDY)))["cells"][0]["population"]["type"] == "TwoDistributions"


def test_progress_ends_at_the_total() -> None:
    with recorded() as bars:
        run_study(STUDY)
    total, seen = bars.tasks["cases"]
    assert len(seen) == len(chunks_of(STUDY))
    assert sum(seen) == pytest.approx(total)


def test_results_table_and_measures() -> None:
    result = run_study(STUDY)
    t = result.cell("vertical").find("kernel", "tpr")
    assert t.n.tolist() == [70, 70]
    assert result.value("vertical", "kernel", "tpr", at=0.5) == t.share[1]
    assert result.value("vertical", "kernel", "tpr", statistic="min") == t.share.min()
    assert result.value("vertical", "kernel", "tpr", at=0.1, statistic="width") == pytest.approx(
        t.width[0] / 70
    )
    tails = [result.value("vertical", "kernel", "tpr", at=0.1, statistic=s) for s in ("below", "above")]
    assert sum(tails) + t.share[0] == pytest.approx(1.0)
    table = result.columns()
    assert len({len(column) for column in table.values()}) == 1
    assert result.to_frame().shape == (len(table["cell"]), 15)
    with pytest.raises(ValueError, match="`cell` must be one of"):
        result.cell("vertica")
    with pytest.raises(ValueError, match="`method`"):
        result.value("vertical", "wald", "tpr")


def test_intervals_without_width_are_counted_apart() -> None:
    """[0, 0] holds a truth of 0 and is counted as such; asked otherwise, it does not."""
    nan = np.nan
    lower = np.array([[0.0, 0.1], [-1.0, 0.1], [0.2, 0.1], [nan, nan]])
    upper = np.array([[0.0, 0.1], [1.0, 0.2], [0.2, 0.3], [nan, nan]])
    t = counted("m", "q", np.array([0.1, 0.2]), np.array([0.0, 0.2]), lower, upper)
    assert t.covered.tolist() == [2, 2]
    assert t.points.tolist() == [2, 1]
    assert t.points_covered.tolist() == [1, 0]
    assert without_points(t).covered.tolist() == [1, 2]
    result = StudyResult("x", 4, (CellResult("c", "w", 0.9, ((t,),)),))
    assert result.value("c", "m", "q", at=0.1) == pytest.approx(2 / 3)
    assert result.value("c", "m", "q", at=0.1, wide=True) == pytest.approx(1 / 3)
    assert result.value("c", "m", "q", statistic="max", wide=True) == pytest.approx(2 / 3)
    assert result.value("c", "m", "q", at=0.1, statistic="points") == pytest.approx(2 / 3)


def test_costs_without_an_error_have_no_width() -> None:
    """As often as a sample has no error of either kind; of 4,000 samples.

    Within five standard errors of a product of two binomial probabilities: one seed in a million.
    """
    model, w, n = binormal(2.0, -2.0, 1.0, 1.0), 0.5, 20
    cell = Cell(
        name="c",
        population=model,
        size=(n, n),
        rule=Rule("cost_curve", methods=("wald",), at=(w,)),
        chunk=4000,
    )
    found = run_study(Study(name="x", cells=(cell,), replications=4000)).cell("c").find("wald", "cost")
    exact = special.ndtr(2.0) ** (2 * n)
    assert abs(found.points[0] / 4000 - exact) < 5.0 * np.sqrt(exact * (1.0 - exact) / 4000)
    assert found.points_covered[0] == 0


def test_widths_and_errors_are_means_and_deviations() -> None:
    rng = np.random.default_rng(0)
    lower = rng.normal(size=(50, 1))
    wide = rng.random((50, 1))
    t = counted("m", "q", np.zeros(1), np.zeros(1), lower, lower + wide)
    assert t.mean_width[0] == pytest.approx(wide.mean())
    assert t.width_sd[0] == pytest.approx(wide.std(ddof=1))
    assert t.samples[0] == 50
    p = (t.covered[0] + 2) / 54
    assert t.error[0] == pytest.approx(np.sqrt(p * (1 - p) / 54))
    # Fresh curves: the error is that of a mean of samples, not of curves.
    share = np.array([0.5, 0.9, 1.0, 0.6])
    fresh = t._replace(
        quantity="fresh",
        samples=np.array([4]),
        n=np.array([400]),
        covered=(100 * share).sum(keepdims=True).astype(int),
        width=share.sum(keepdims=True),
        width_sq=np.square(share).sum(keepdims=True),
    )
    assert coverage_error(fresh)[0] == pytest.approx(share.std(ddof=1) / 2.0)


def test_impossible_studies_are_refused() -> None:
    with pytest.raises(ValueError, match="`cells`"):
        Study(name="twice", cells=(CELLS[0], CELLS[0]))
    with pytest.raises(ValueError, match="`replications`"):
        Study(name="none", cells=CELLS, replications=0)
    with pytest.raises(ValueError, match="`size`"):
        replace(CELLS[0], size=(0, 5))
