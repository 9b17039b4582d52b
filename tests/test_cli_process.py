"""The command as a process: pipes, interrupts, what it loads, what it leaves behind, completion."""

from __future__ import annotations

import contextlib
import gzip
import inspect
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np
import pytest
from click.shell_completion import ShellComplete

import confroc
from confroc.base import keywords_of
from confroc.cli import COMMANDS, main
from confroc.ingest import read_segments
from support import invoke, slow

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = str(ROOT / "examples" / "asah.csv")
OPTIONS = ["--label", "outcome", "--pos-label", "Poor", "--score", "s100b"]
CONFROC = [sys.executable, "-m", "confroc"]
HEAVY = (
    "matplotlib",
    "numba",
    "scipy.stats",
    "scipy.optimize",
    "pandas",
    "polars",
    "jinja2",
    "sklearn",
    "joblib",
)


def areas(*args: str, stdin: bytes) -> dict[str, object]:
    done = invoke(main, ["auc", "-", *OPTIONS, "--json", *args], input=stdin)
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)
    assert content["data"]["source"] == "standard input"
    found: dict[str, object] = content["auc_interval"]["s100b"]
    return found


def test_standard_input_of_every_kind(tmp_path: Path) -> None:
    import polars as pl

    text = Path(EXAMPLE).read_bytes()
    direct = json.loads(invoke(main, ["auc", EXAMPLE, *OPTIONS, "--json"]).stdout)["auc_interval"]["s100b"]
    frame = pl.read_csv(EXAMPLE)
    frame.write_parquet(tmp_path / "rows.parquet")
    frame.write_ipc(tmp_path / "rows.arrow", compression="uncompressed")
    counted = invoke(main, ["counts", EXAMPLE, *OPTIONS, "-o", str(tmp_path / "counts.parquet")])
    assert counted.exit_code == 0
    piped = [
        text,
        gzip.compress(text),
        *((tmp_path / n).read_bytes() for n in ("rows.parquet", "counts.parquet")),
    ]
    pytest.importorskip("pyarrow")
    piped.append((tmp_path / "rows.arrow").read_bytes())
    for stdin in piped:
        assert areas(stdin=stdin) == direct


def test_standard_input_that_cannot_be_read() -> None:
    for stdin, words in ((b"", "The file is empty"), (b"a,b\n1,2\n", "`--label` must be a column")):
        done = invoke(main, ["auc", "-", *OPTIONS], input=stdin)
        assert done.exit_code == 2
        assert words in done.stderr
    done = invoke(main, ["auc", "-", *OPTIONS], input=b"PAR1 and no more")
    assert done.exit_code == 2
    for stdin in (b"", b"PAR1 and no more", b"a,b\n1,2,3\n", b"\x1f\x8b", b"\xff"):
        for args in ((), ("--validation", "-")):
            source, costs = (
                (EXAMPLE, ("--false-negative", "5", "--false-positive", "1")) if args else ("-", ())
            )
            done = invoke(main, ["cost" if args else "auc", source, *OPTIONS, *costs, *args], input=stdin)
            assert done.exit_code == 2
            assert "got 'standard input'" in done.stderr
            assert "scratch" not in done.stderr


def test_sql_is_a_source() -> None:
    query = f"SELECT * FROM '{EXAMPLE}' WHERE wfns > 1"
    done = invoke(main, ["auc", query, *OPTIONS, "--json"])
    assert json.loads(done.stdout)["data"]["n_rows"] == 74


def loaded(*args: str, modules: tuple[str, ...]) -> str:
    code = (
        "import sys\nfrom confroc.cli import main\ntry:\n    main(sys.argv[1:], prog_name='confroc')\n"
        f"except SystemExit: pass\nprint('LOADED', [m for m in {modules} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True)
    return done.stdout.rpartition("LOADED ")[2].strip()


@pytest.mark.slow
def test_commands_load_only_what_they_need() -> None:
    assert loaded("--help", modules=("numpy", "scipy", "duckdb", "rich", *HEAVY)) == "[]"
    assert loaded("compar", modules=("numpy", "scipy", "duckdb", "rich", *HEAVY)) == "[]"
    assert loaded("auc", EXAMPLE, *OPTIONS, modules=("confroc.auditing", *HEAVY)) == "[]"
    # The test of score intervals is a root.
    rest = [name for name in HEAVY if name != "scipy.optimize"]
    both = [EXAMPLE, *OPTIONS, "--score", "ndka"]
    assert loaded("compare", *both, modules=("confroc.auditing", *rest)) == "[]"
    sizes = ["--n-pos", "50", "--n-neg", "50"]
    assert loaded("power", "--auc", "0.8", *sizes, modules=("duckdb", "rich", *HEAVY)) == "[]"
    # The number of cases is a root.
    assert loaded("power", "--auc", "0.8", modules=("duckdb", "rich", *rest)) == "[]"


def test_the_list_of_commands_is_that_of_the_commands() -> None:
    context = main.make_context("confroc", ["auc", "--help"], resilient_parsing=True)
    shown = invoke(main, ["--help"]).stdout
    for name, entry in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert f"{name} " in shown
        assert entry.summary.split()[0] in shown
        own = invoke(main, [name, "--help"]).stdout
        assert f"Example:\n    confroc {name}" in own


CALLS = {
    "auc": (confroc.auc_interval, confroc.auc_test, confroc.interval),
    "roc": (
        confroc.tpr_at_fpr,
        confroc.fpr_at_tpr,
        confroc.rates_at_threshold,
        confroc.rates_at_positive_rate,
    ),
    "threshold": (confroc.threshold_at, confroc.best_threshold),
    "band": (confroc.roc_band, read_segments),
    "pr": (
        confroc.average_precision,
        confroc.average_precision_difference,
        confroc.precision_at_recall,
        confroc.pr_band,
    ),
    "compare": (
        confroc.auc_equality_test,
        confroc.curve_test,
        confroc.auc_comparison,
        confroc.auc_difference,
        confroc.roc_difference_band,
    ),
    "compare-rates": (
        confroc.tpr_difference_at_fpr,
        confroc.rates_difference_at_threshold,
        confroc.rates_difference_at_positive_rate,
        confroc.aligned_thresholds,
    ),
    "calibration": (confroc.calibration_band,),
    "confusion": (confroc.confusion_at_threshold,),
    "cost": (confroc.expected_cost, confroc.cost_curve, confroc.cost_difference_band),
    "decision": (confroc.net_benefit,),
    "forecast": (confroc.auc_forecast, confroc.drift_monitor, read_segments),
    "power": (confroc.auc_power, confroc.auc_sample_size),
    "power-rate": (confroc.rate_sample_size,),
    "counts": (confroc.write_counts,),
    "report": (confroc.report, read_segments),
}
SHARED = {
    "source",
    "as_json",
    "as_csv",
    "as_latex",
    "quiet",
    "plot",
    "force",
    "fail_below",
    *inspect.signature(confroc.read_scores).parameters,
    "sample_weight",
    "weight_kind",
    "cluster",
    "strata",
}
ONLY_HERE = {
    "decision": {"interventions_avoided"},
    "auc": {"fold", "case"},
    "forecast": {"difference", "nearest"},
    "compare": {"against", "band", "curve_test", "equality_test", "statistic"},
    "compare-rates": {"against", "dominance", "threshold"},
    "pr": {"band"},
}
OTHERWISE = {
    "auc": "--null-auc",
    "as_json": "--json",
    "as_csv": "--csv",
    "as_latex": "--latex",
    "model": "--auc",
    "model_b": "--auc-b",
    "names": "--name",
    "path": "--output",
    "ratio": "--prior",
    "rng": "--seed",
    "sample_weight": "--weight",
}


@pytest.mark.parametrize("name", CALLS)
def test_options_are_called_as_the_arguments(name: str) -> None:
    command = main.get_command(main.make_context("confroc", ["auc", "--help"], resilient_parsing=True), name)
    assert command is not None
    known = SHARED | ONLY_HERE.get(name, set())
    for function in CALLS[name]:
        known |= {*inspect.signature(function).parameters, *keywords_of(function)}
    for parameter in command.params:
        assert parameter.name in known
        if isinstance(parameter, click.Option):
            called = OTHERWISE.get(parameter.name, f"--{parameter.name.replace('_', '-')}")
            assert max(parameter.opts, key=len) == called


def test_short_options() -> None:
    long = [
        "auc",
        EXAMPLE,
        *OPTIONS,
        "--method",
        "bootstrap",
        "--n-resamples",
        "99",
        "--confidence-level",
        "0.9",
    ]
    short = ["auc", EXAMPLE, "-l", "outcome", "-p", "Poor", "-s", "s100b"]
    short += ["-m", "bootstrap", "-n", "99", "-c", "0.9", "-j", "2", "-q"]
    assert invoke(main, short).output == invoke(main, long).stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [*CONFROC, "auc", EXAMPLE, *OPTIONS], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_an_error_of_one_line() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*CONFROC, "auc", EXAMPLE, *OPTIONS], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "Error: [Errno 28] No space left on device\n")


ODD = "s\x1b[31mred\x07\u202e"
SHOWN = "s\\u001b[31mred\\u0007\\u202e"


@pytest.fixture
def odd(tmp_path: Path) -> str:
    """A file with a column whose name would change a terminal's colors."""
    path = tmp_path / "mark[bold]x[@click=x].csv"
    path.write_text(Path(EXAMPLE).read_text(encoding="utf-8").replace("s100b", ODD), encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_names_do_not_command_the_terminal(odd: str, tmp_path: Path) -> None:
    args = [odd, "--label", "outcome", "--pos-label", "Poor", "--score", ODD]
    page = str(tmp_path / "page.html")
    commands = (("auc",), ("band", "-n", "50"), ("report", "-o", page), ("compare", "--score", "ndka"))
    for command, *more in (*commands, ("auc", "--json")):
        done = invoke(main, [command, *args, *more])
        assert done.exit_code == 0
        assert SHOWN in done.output
        assert not set(done.output) & {"\x1b", "\x07", "\u202e"}
    assert list(json.loads(done.stdout)["auc_interval"]) == [ODD]
    done = invoke(main, ["auc", *args[:5], "--score", "nix"])
    assert done.exit_code == 2
    assert "31mred" in done.stderr
    assert not set(done.output) & {"\x1b", "\x07", "\u202e"}
    pair = confroc.read_scores(odd, label="outcome", pos_label="Poor", score=(ODD, "ndka"))
    assert isinstance(pair, confroc.PairedScores)
    groups = confroc.UnpairedScores(*pair.models, names=pair.names)
    cost = confroc.expected_cost_difference(
        pair, false_negative=1, false_positive=1, threshold_a=1, threshold_b=1
    )
    test = confroc.auc_equality_test(pair, n_resamples=20, rng=0)
    for told in (pair, groups, confroc.auc_difference(pair), confroc.auc_comparison(groups), cost, test):
        assert SHOWN in str(told)
        assert "\x1b" not in str(told)


def test_progress_takes_names_as_they_are(
    odd: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("confroc._progress.DELAY", -1.0)
    monkeypatch.setenv("COLUMNS", "400")
    with pytest.raises(SystemExit):
        main(["auc", odd, "--label", "outcome", "--pos-label", "Poor", "--score", ODD])
    assert "mark[bold]x[@click=x].csv" in capsys.readouterr().err.replace("\n", "")
    with confroc.progress_bar("[/]", 2) as report:
        report(1)


@pytest.mark.skipif(sys.platform != "linux", reason="names of bytes that are not UTF-8")
def test_output_is_utf_8_and_escapes_names_that_are_not(tmp_path: Path) -> None:
    both = [EXAMPLE, *OPTIONS, "--score", "ndka"]
    args = [*CONFROC, "compare", *both, "--plot", str(tmp_path / "na\udcff.svg")]
    done = subprocess.run(
        args, capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    assert "-0.0514" in done.stdout.decode("utf-8")
    assert "na\\udcff.svg" in done.stderr.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_an_interrupt_ends_in_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200_000)
    data = tmp_path / "data.csv"
    rows = "\n".join(f"{c},{s:.6f}" for c, s in zip(y, rng.normal(size=len(y)) + y, strict=True))
    data.write_text(f"y,s\n{rows}\n", encoding="utf-8")
    folder = tmp_path / "work"
    folder.mkdir()
    args = [*CONFROC, "band", str(data), "--label", "y", "--score", "s", "--method", "threshold_averaging"]
    args += ["--n-resamples", "1000000", "--plot", str(folder / "band.png")]
    process = subprocess.Popen(
        args, stderr=subprocess.PIPE, cwd=folder, env=os.environ | {"TMPDIR": str(folder)}
    )
    # Reading makes a folder for DuckDB's own use; then it is well under way.
    waited = time.monotonic() + 60
    while not any(folder.iterdir()) and time.monotonic() < waited:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.decode().strip() == "Interrupted."
    assert process.returncode == 130
    assert list(folder.iterdir()) == []


def test_tables_do_not_depend_on_the_width_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [EXAMPLE, *OPTIONS, "--score", "ndka"]
    for args in (
        ["roc", *both, "--threshold", "0.2", "--fpr", "0.1", "--tpr", "0.5", "--positive-rate", "0.2"],
        ["threshold", EXAMPLE, *OPTIONS, "--fpr", "0.1"],
        ["cost", *both, "--w", "0.2"],
    ):
        shown = []
        for width in ("40", "300"):
            monkeypatch.setenv("COLUMNS", width)
            done = invoke(main, args)
            assert done.exit_code == 0, done.output
            assert "\x1b" not in done.output
            shown.append(done.stdout)
        assert shown[0] == shown[1]


def test_quiet_keeps_results_notes_and_errors(tmp_path: Path) -> None:
    args = ["band", EXAMPLE, *OPTIONS, "--n-resamples", "50", "--plot", str(tmp_path / "band.svg")]
    loud, quiet = invoke(main, args), invoke(main, [*args, "--quiet"])
    assert "note: s100b: The lower limit is zero" in loud.stderr
    assert "wrote " in loud.stderr
    assert quiet.stderr == loud.stderr.partition("wrote ")[0]
    assert quiet.stdout == loud.stdout
    done = invoke(main, ["auc", "none.csv", *OPTIONS, "-q"])
    assert (done.exit_code, done.stderr.startswith("Error: `FILE` must be")) == (2, True)


PLOTS = {
    "auc": [],
    "roc": ["--fpr", "0.1", "--threshold", "0.2"],
    "threshold --fpr 0.1": [],
    "threshold --criterion youden": ["--n-resamples", "50"],
    "band": ["--n-resamples", "50"],
    "compare": [],
    "cost": ["--false-negative", "5", "--false-positive", "1", "--n-resamples", "50"],
    "cost --w 0.2 --w 0.8": [],
    "calibration": [],
    "decision --risk 0.2 --risk 0.4": ["--threshold", "0.3"],
    "decision --risk 0.2 --interventions-avoided": ["--threshold", "0.3"],
    "pr": ["--recall", "0.5"],
    "pr --band": ["--n-resamples", "50"],
    "forecast": ["--jeffreys", "0.1"],
}
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("command", slow(PLOTS, *(set(PLOTS) - {"auc", "band", "compare", "calibration"})))
def test_plots_are_written_whole(command: str, tmp_path: Path) -> None:
    both = [EXAMPLE, *OPTIONS, "--score", "ndka"]
    for kind in MAGIC if command == "auc" else ("png",):
        path = tmp_path / f"{command}.{kind}"
        path.touch()
        name, *more = command.split()
        done = invoke(main, [name, *both, *more, *PLOTS[command], "--plot", str(path)])
        assert done.exit_code == 0, done.output
        assert path.read_bytes().startswith(MAGIC[kind])
        assert len(path.read_bytes()) > 4000
    assert len(list(tmp_path.iterdir())) == (3 if command == "auc" else 1)


def test_a_plot_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    args = ["auc", EXAMPLE, *OPTIONS, "--plot"]
    done = invoke(main, [*args, str(tmp_path / "none" / "x.png")])
    assert done.exit_code == 2
    assert "be in an existing folder" in done.stderr
    (tmp_path / "x.png").mkdir()
    done = invoke(main, [*args, str(tmp_path / "x.png")])
    assert done.exit_code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["x.png"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    done = invoke(main, ["auc", str(tmp_path / "score.csv"), *OPTIONS])
    assert done.exit_code == 2
    assert "Error: `FILE` must be an existing file or a pattern; got '" in done.stderr
    assert "score.csv'. Check the path; download remote files first." in done.stderr


# --- completion --------------------------------------------------------------------------------------


def completed(line: str) -> list[str]:
    """What the shell is offered; the last word is the one being typed."""
    *words, last = line.split(" ")[1:]
    asked = ShellComplete(main, {}, "confroc", "_CONFROC_COMPLETE")
    return [item.value for item in asked.get_completions(words, last)]


def test_completion_of_commands_options_methods_and_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert completed("confroc co") == [
        "compare", "compare-rates", "confusion", "cost", "counts", "completion"
    ]  # fmt: skip
    assert completed("confroc auc --conf") == ["--confidence-level"]
    assert completed("confroc auc --method boot") == ["bootstrap", "bootstrap_bca"]
    assert completed("confroc interval --statistic g") == ["gini"]
    assert completed("confroc auc examples/asah.csv --label o") == ["outcome"]
    assert completed("confroc auc examples/asah.csv --fold w") == ["wfns"]
    assert completed("confroc auc examples/asah.csv --score s100b --score ") == ["outcome", "ndka", "wfns"]
    assert completed("confroc forecast examples/asah.csv --segment-column w") == ["wfns"]
    assert completed("confroc auc none.csv --label o") == []
    counts = tmp_path / "counts.parquet"
    assert invoke(main, ["counts", EXAMPLE, *OPTIONS, "-o", str(counts)]).exit_code == 0
    assert completed(f"confroc auc {counts} --score ") == ["outcome", "s100b"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert f"_CONFROC_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.slow
def test_bash_really_completes(tmp_path: Path) -> None:
    """Load the script in bash and let its function complete a line."""
    confroc = tmp_path / "confroc"
    confroc.write_text(f'#!/bin/sh\nexec {sys.executable} -m confroc "$@"\n', encoding="utf-8")
    confroc.chmod(0o755)
    script = (
        'eval "$(confroc completion bash)"\n'
        "COMP_WORDS=(confroc auc examples/asah.csv --label out); COMP_CWORD=4\n"
        "_confroc_completion confroc\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, env=env, cwd=ROOT
    )
    assert done.stdout.strip() == "outcome"


# --- progress ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_progress_is_for_terminals() -> None:
    import pty

    def errors_on_a_terminal(*more: str) -> str:
        own, its = pty.openpty()
        args = [*CONFROC, "auc", EXAMPLE, *OPTIONS, "--method", "bootstrap", "-n", "800000", *more]
        env = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=its, env=env)
        os.close(its)
        found = b""
        # The end of a pseudo-terminal is an error on Linux.
        with contextlib.suppress(OSError):
            while chunk := os.read(own, 4096):
                found += chunk
        os.close(own)
        assert process.wait() == 0
        return found.decode()

    shown = errors_on_a_terminal()
    assert "auc_interval" in shown
    assert "resamples" in shown
    assert " of 800,000, 0:00:" in shown
    assert " left" in shown
    assert errors_on_a_terminal("--quiet") == ""
    piped = invoke(main, ["band", EXAMPLE, *OPTIONS, "--method", "ks_regions"])
    assert piped.stderr.startswith("note: ")
