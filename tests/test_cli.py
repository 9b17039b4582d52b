"""The command line: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from confroc.cli import main

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "asah.csv")
ASAH = [EXAMPLE, "--label", "outcome", "--positive", "Poor"]
BOTH = [*ASAH, "--score", "s100b", "--score", "ndka"]


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


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
    assert content["auc"]["s100b"]["estimate"] == pytest.approx(0.731368563685637, abs=1e-14)
    assert content["auc"]["ndka"]["lower"] == pytest.approx(0.501244999271703, abs=1e-9)
    assert content["auc"]["ndka"]["upper"] == pytest.approx(0.722670989888189, abs=1e-9)


def test_compare() -> None:
    done = run("compare", *BOTH, "--json")
    (row,) = json.loads(done.stdout)["auc_difference"]
    assert (row["a"], row["b"], row["design"]) == ("s100b", "ndka", "paired")
    assert row["pvalue"] == pytest.approx(0.164295175223054, abs=1e-9)
    assert "s100b - ndka" in run("compare", *BOTH).stdout
    assert len(json.loads(run("compare", *BOTH, "--score", "wfns", "--json").stdout)["auc_difference"]) == 3


def test_roc() -> None:
    done = run("roc", *BOTH, "--fpr", "0.1", "--threshold", "0.205")
    assert done.exit_code == 0
    assert "True positive rate at a false positive rate" in done.stdout
    assert "joint rectangles" in done.stdout
    content = json.loads(run("roc", *ASAH, "--score", "wfns", "--json").stdout)["roc"]["wfns"]
    assert content["curve"]["threshold"][0] is None
    assert content["band"]["kind"] == "simultaneous"
    assert content["tpr_at_fpr"]["at"] == sorted(content["tpr_at_fpr"]["at"])
    assert (
        "tpr_at_fpr" not in json.loads(run("roc", *BOTH, "--threshold", "1", "--json").stdout)["roc"]["ndka"]
    )


def test_band() -> None:
    content = json.loads(run("band", *BOTH, "--method", "ks_regions", "--json").stdout)["band"]
    assert content["s100b"]["method"] == "ks_regions"
    assert content["s100b"]["guarantee"] == "finite-sample"
    assert "simultaneous (ks_regions)" in run("band", *BOTH, "--method", "ks_regions").stdout
    one, two = (run("band", *ASAH, "--score", "wfns", "--seed", "3").stdout for _ in range(2))
    assert one == two


def test_cost() -> None:
    args = ["cost", *BOTH, "--miss", "5", "--false-alarm", "1", "--prior", "0.2"]
    content = json.loads(run(*args, "--json").stdout)
    cost = content["cost"]["s100b"]
    # At threshold 0.22 the sample has 15 misses among 41 and 14 false alarms among 72, counted by hand.
    assert cost["threshold"] == 0.22
    assert cost["estimate"] == pytest.approx(5 * 0.2 * 15 / 41 + 0.8 * 14 / 72)
    assert cost["trivial"] == pytest.approx(0.8)
    assert content["cheaper"] == {"s100b - ndka": []}
    assert "neither is surely cheaper" in run(*args).stdout
    done = run("cost", *BOTH, "--miss", "-5", "--false-alarm", "1")
    assert done.exit_code == 1
    assert "`--miss` must be positive" in done.stderr


def test_forecast_and_power() -> None:
    content = json.loads(run("forecast", *BOTH, "--psi", "0.1", "--json").stdout)["forecast"]["s100b"]
    assert content["lower"] < content["estimate"] < content["upper"]
    assert "Area to expect after drift" in run("forecast", *BOTH, "--psi", "0.1").stdout
    assert "power 0.96" in run("power", "--auc", "0.7", "--n-pos", "41", "--n-neg", "72").stdout
    assert (
        json.loads(run("power", "--auc", "0.8", "--width", "0.1", "--json").stdout)["power"]["width"] <= 0.1
    )
    assert run("power", "--auc", "0.8", "--n-pos", "10").exit_code == 2
    assert run("power", "--auc", "1.8").exit_code == 1


def test_counts_stand_in_for_rows(tmp_path: Path) -> None:
    out = tmp_path / "counts.parquet"
    done = run("counts", *BOTH, "-o", str(out))
    assert done.exit_code == 0, done.output
    again = [str(out), *BOTH[1:]]
    for command in ("auc", "compare"):
        rows, counted = (json.loads(run(command, *args, "--json").stdout) for args in (BOTH, again))
        rows["data"].pop("source"), counted["data"].pop("source")
        assert rows == counted
    assert run("counts", *BOTH, "--score", "wfns", "-o", str(out)).exit_code == 2
    coarse = tmp_path / "coarse.parquet"
    run("counts", *ASAH, "--score", "s100b", "--resolution", "10", "-o", str(coarse))
    done = run("auc", str(coarse), *ASAH[1:], "--score", "s100b")
    assert "Intervals do not include this" in done.stderr


def test_lab_is_attached() -> None:
    done = run("lab", "list")
    assert done.exit_code == 0
    assert "lab" in run("--help").stdout


def test_report_writes_both_files_and_says_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    done = run("report", *BOTH, "-o", str(out))
    assert done.exit_code == 0, done.output
    assert "0.731" in done.stdout
    assert out.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    content = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert content["schema"].startswith("confroc.report/")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "Begin with:"),
        (["report"], "Type, for example:"),
        (["auc", EXAMPLE], "Missing option '--label'"),
        (["auc", *ASAH], "Missing option '--score'"),
        (["compar", *BOTH], "Did you mean 'compare'?"),
        (["auc", *BOTH, "--positiv", "Poor"], "--positive"),
        (["auc", *BOTH, "--method", "x"], "delong"),
        (["compare", *ASAH, "--score", "s100b"], "at least two --score"),
    ],
)
def test_wrong_usage_exits_with_2(args: list[str], words: str) -> None:
    done = run(*args)
    assert done.exit_code == 2
    assert words in done.output


BAD = {
    "missing file": (None, [], "`FILE` must be an existing file"),
    "missing column": ("y,t\n1,2\n0,1\n", [], "`--score` must be a column of the data; got 's'"),
    "empty file": ("", [], "The file is empty"),
    "no rows": ("y,s\n", [], "at least one row"),
    "one class": ("y,s\n1,2\n1,1\n", [], "both classes"),
    "three labels": ("y,s\na,2\nb,1\nc,1\n", [], "`--positive` must name the positive class"),
    "text score": ("y,s\n1,2\n0,low\n", [], "must hold numbers; got 'low'"),
    "nan": ("y,s\n1,2\n0,nan\n", [], "--nan-policy omit"),
    "inf": ("y,s\n1,2\n0,inf\n", [], "finite scores"),
    "blank label": ("y,s\n1,2\n,3\n0,1\n", [], "1 missing in 'y'"),
    "repeated columns": ("y,s,s\n1,2,3\n0,1,2\n", [], "distinct column names"),
    "level": ("y,s\n1,2\n0,1\n", ["--confidence-level", "95"], "Write 95 % as 0.95"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("command", ["auc", "report"])
def test_bad_data_exits_with_1_and_writes_nothing(case: str, command: str, tmp_path: Path) -> None:
    text, options, words = BAD[case]
    data, out = tmp_path / "data.csv", tmp_path / "out.html"
    if text is not None:
        data.write_text(text, encoding="utf-8")
    more = ["-o", str(out)] if command == "report" else []
    done = run(command, str(data), "--label", "y", "--score", "s", *options, *more)
    assert done.exit_code == 1
    assert words in done.stderr
    assert "Traceback" not in done.output
    assert {p.name for p in tmp_path.iterdir()} <= {"data.csv"}


def test_all_scores_equal_works_and_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("y,s\n" + "1,2\n0,2\n" * 20, encoding="utf-8")
    done = run("auc", str(data), "--label", "y", "--score", "s")
    assert done.exit_code == 0
    assert "0.5000" in done.stdout
    assert "All scores of `s` are equal" in done.stderr
    done = run("report", str(data), "--label", "y", "--score", "s", "-o", str(tmp_path / "out.html"))
    assert done.exit_code == 0
    assert "All scores are equal" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_unwritable_output_keeps_the_old_report(tmp_path: Path) -> None:
    # A folder in the report's place cannot be replaced by a file, whoever runs the test.
    (tmp_path / "out.html").mkdir()
    (tmp_path / "out.json").write_text("old", encoding="utf-8")
    done = run("report", *BOTH, "-o", str(tmp_path / "out.html"))
    assert done.exit_code == 1
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.html", "out.json"]
    done = run("report", *BOTH, "-o", str(tmp_path / "none" / "out.html"))
    assert done.exit_code == 1
    assert "none" in done.stderr


def test_console_script_prints_plain_text_into_a_pipe() -> None:
    env = os.environ | {"COLUMNS": "40"}
    code = [sys.executable, "-m", "confroc", "auc", *BOTH]
    done = subprocess.run(code, capture_output=True, text=True, check=True, env=env)
    assert "\x1b" not in done.stdout
    assert "s100b" in done.stdout
    assert "delong" in done.stdout
