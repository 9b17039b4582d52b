"""Forecasts and segments on the command line, against the library called by hand on pandas' groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from confroc import PairedScores, Scores, auc_forecast, drift_monitor, roc_band
from confroc._files import json_text
from confroc.cli import main
from confroc.plot import DriftDisplay
from support import Done, invoke

MONTHS = ("2024-01", "2024-02", "2024-03", "2024-10")


def run(*args: str) -> Done:
    return invoke(main, ["forecast", *args])


def content(*args: str) -> dict[str, Any]:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def months(tmp_path: Path) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    parts = []
    for number, month in enumerate(MONTHS):
        y = rng.integers(0, 2, 200)
        # The model loses its power in the last month.
        s = rng.normal(size=200) + (0.0 if number == 3 else 1.5) * y
        parts.append(pd.DataFrame({"y": y, "s": s.round(2), "t": rng.normal(size=200), "month": month}))
    frame = pd.concat(parts).sample(frac=1.0, random_state=1)
    frame.to_csv(tmp_path / "all.csv", index=False)
    frame.to_parquet(tmp_path / "all.parquet")
    return frame


def scores(frame: pd.DataFrame, score: str = "s") -> Scores:
    return Scores(frame["y"].to_numpy(), frame[score].to_numpy())


@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
@pytest.mark.usefixtures("months")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_plot_draws_the_segments_of_each_model(
    more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: dict[str, list[str]] = {}
    draw = DriftDisplay.plot

    def plot(self: DriftDisplay, **given: Any) -> DriftDisplay:
        shown: DriftDisplay = draw(self, **given)
        drawn[given["name"]] = [tick.get_text() for tick in shown.ax_.get_xticklabels()]
        return shown

    monkeypatch.setattr(DriftDisplay, "plot", plot)
    args = [str(tmp_path / "all.csv"), "--label", "y", "--score", "s", "--score", "t"]
    path = tmp_path / "segments.png"
    done = run(*args, "--segment-column", "month", "--plot", str(path), *more)
    assert done.exit_code == 0, done.output
    assert path.stat().st_size > 0
    assert drawn == {"s": [*MONTHS[1:]], "t": [*MONTHS[1:]]}


@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
@pytest.mark.parametrize("kind", ["csv", "parquet", "sql"])
def test_segments_by_column(kind: str, months: pd.DataFrame, tmp_path: Path) -> None:
    source = f"FROM '{tmp_path / 'all.parquet'}'" if kind == "sql" else str(tmp_path / f"all.{kind}")
    args = [source, "--label", "y", "--score", "s", "--score", "t", "--segment-column", "month"]
    found = content(*args)
    for name in ("s", "t"):
        segments = {month: scores(part, name) for month, part in months.groupby("month")}
        next_one = auc_forecast(scores(months, name), segments=list(segments.values()))
        assert found["auc_forecast"][name]["source"] == "segments"
        assert found["auc_forecast"][name]["radius"] == pytest.approx(next_one.radius, rel=1e-12)
        assert found["auc_forecast"][name]["lower"] == pytest.approx(next_one.lower, abs=1e-9)
        first = segments.pop(MONTHS[0])
        table = drift_monitor(first, segments).to_dict()
        monitor = found["drift_monitor"][name]
        assert found["reference"] == [MONTHS[0]]
        assert monitor["segment"] == list(MONTHS[1:])
        for key in ("n_pos", "n_neg", "positive_rate", "psi", "jeffreys", "auc", "lower", "upper"):
            assert monitor[key] == pytest.approx(table[key], rel=1e-9), key
        # A forecast from all segments does not judge them.
        assert monitor["outside"] is None
        assert monitor["auc_pvalue"] == pytest.approx(drift_monitor(first, segments).auc_pvalue, rel=1e-9)
    assert found["drift_monitor"]["s"]["population_drifted"] == [False, False, True]
    assert found["drift_monitor"]["t"]["population_drifted"] == [False, False, False]


def test_segments_from_standard_input(months: pd.DataFrame, tmp_path: Path) -> None:
    args = ["--label", "y", "--score", "s", "--segment-column", "month", "--json"]
    done = invoke(main, ["forecast", "-", *args], input=months.to_csv(index=False))
    assert done.exit_code == 0, done.output
    found, expected = json.loads(done.stdout), content(str(tmp_path / "all.csv"), *args)
    assert found["data"].pop("source") == "standard input"
    expected["data"].pop("source")
    assert found == expected


def test_the_monitor_is_printed(months: pd.DataFrame, tmp_path: Path) -> None:
    args = [str(tmp_path / "all.csv"), "--label", "y", "--score", "s", "--segment-column", "month"]
    done = run(*args, "--reference", "2024-02", "--jeffreys", "0.1")
    assert done.exit_code == 0, done.output
    assert "Segments compared with 2024-02" in done.stdout
    assert "outside: interval outside the forecast" in done.stdout
    table = run(*args, "--reference", "2024-02", "--jeffreys", "0.1", "--csv").stdout.split("\n\n")[1]
    head, *lines = [line.split(",") for line in table.split()]
    rows = dict(zip(head, map(list, zip(*lines, strict=True)), strict=True))
    assert rows["segment"] == ["2024-01", "2024-03", "2024-10"]
    assert rows["auc_drifted"] == rows["population_drifted"] == ["false", "false", "true"]
    part = scores(months[months["month"] == "2024-02"])
    assert f"forecast {auc_forecast(part, jeffreys=0.1).lower:.4f}" in done.stdout


@pytest.mark.filterwarnings("ignore:The forecast is wide")
def test_several_references_are_joined(months: pd.DataFrame, tmp_path: Path) -> None:
    args = [str(tmp_path / "all.csv"), "--label", "y", "--score", "s", "--segment-column", "month"]
    args += ["--method", "calibrated"]
    found = content(*args, *(f"--reference={m}" for m in MONTHS[:3]))["drift_monitor"]["s"]
    own = [scores(months[months["month"] == m]) for m in MONTHS[:3]]
    whole = scores(months[months["month"].isin(MONTHS[:3])])
    expected = auc_forecast(whole, segments=own, method="calibrated")
    assert found["segment"] == [MONTHS[3]]
    assert found["forecast"]["radius"] == pytest.approx(expected.radius, rel=1e-9)


def test_segments_are_in_their_own_order(tmp_path: Path) -> None:
    rows = [f"{y},{s},{month}" for month in (10, 9, 2) for y, s in ((0, 1), (1, 2), (1, 1), (0, 2))]
    (tmp_path / "data.csv").write_text("y,s,m\n" + "\n".join(rows), encoding="utf-8")
    args = [
        str(tmp_path / "data.csv"),
        "--label",
        "y",
        "--score",
        "s",
        "--segment-column",
        "m",
        "--jeffreys",
        "1",
    ]
    found = content(*args)
    assert found["reference"] + found["drift_monitor"]["s"]["segment"] == ["2", "9", "10"]


@pytest.mark.slow
def test_segments_by_file(months: pd.DataFrame, tmp_path: Path) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    options = ["--label", "y", "--score", "s"]
    for month, part in months.groupby("month"):
        part.to_csv(folder / f"{month}.csv", index=False)
        counted = str(folder / f"{month}.parquet")
        done = invoke(main, ["counts", str(folder / f"{month}.csv"), *options, "-o", counted])
        assert done.exit_code == 0
    expected = content(str(tmp_path / "all.csv"), *options, "--segment-column", "month")
    for ending in ("csv", "parquet"):
        found = content(str(folder / f"*.{ending}"), *options, "--segment-files")
        for part in ("auc_forecast", "drift_monitor", "forecast_curve"):
            assert found[part] == expected[part]


def test_missing_values_and_rounding(months: pd.DataFrame, tmp_path: Path) -> None:
    holes = months.reset_index(drop=True)
    holes.loc[holes.index[:7], "month"] = None
    holes.loc[holes.index[5:12], "t"] = np.nan
    path = str(tmp_path / "holes.csv")
    holes.to_csv(path, index=False)
    args = [path, "--label", "y", "--score", "s", "--score", "t", "--segment-column", "month"]
    assert "--nan-policy omit" in run(*args).stderr
    found = content(*args, "--nan-policy", "omit")["drift_monitor"]["s"]
    kept = holes.dropna()
    sizes = [len(part) for _, part in kept.groupby("month")]
    assert [p + n for p, n in zip(found["n_pos"], found["n_neg"], strict=True)] == sizes[1:]
    only = [path, "--label", "y", "--score", "s", "--segment-column", "month"]
    assert "7 missing in 'month'" in run(*only).stderr
    rounded = content(str(tmp_path / "all.csv"), *only[1:], "--resolution", "20")
    exact = content(str(tmp_path / "all.csv"), *only[1:])
    error = rounded["data"]["rounding"]["s"]["auc_error"]
    assert error > 0.0
    assert rounded["drift_monitor"]["s"]["auc"] == pytest.approx(exact["drift_monitor"]["s"]["auc"], abs=0.05)
    assert rounded["drift_monitor"]["s"]["auc"] != exact["drift_monitor"]["s"]["auc"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--segment-column", "mont"], "`--segment-column` must be a column of the data"),
        (["--segment-column", "mont"], "Did you mean 'month'?"),
        (
            ["--segment-column", "s"],
            "`--segment-column` must differ from the label and score columns",
        ),
        (["--segment-column", "month", "--reference", "2024-2"], "Did you mean '2024-02'?"),
        (["--segment-column", "month", *(f"--reference={m}" for m in MONTHS)], "leave at least one segment"),
        (
            ["--segment-column", "month", "--jeffreys", "0.1", "--radius", "0.1"],
            "`--radius` must not be combined",
        ),
        (["--segment-files"], "`--segment-files` must give at least two groups"),
    ],
)
def test_what_segments_cannot_be(more: list[str], words: str, months: pd.DataFrame, tmp_path: Path) -> None:
    assert len(months) == 800
    done = run(str(tmp_path / "all.csv"), "--label", "y", "--score", "s", *more)
    assert done.exit_code == 2
    assert words in done.stderr


def test_count_tables_have_no_segment_column(months: pd.DataFrame, tmp_path: Path) -> None:
    assert len(months) == 800
    counted = str(tmp_path / "counts.parquet")
    options = ["--label", "y", "--score", "s"]
    invoke(main, ["counts", str(tmp_path / "all.csv"), *options, "-o", counted])
    done = run(counted, *options, "--segment-column", "month")
    assert done.exit_code == 2
    assert "segment" in done.stderr
    done = invoke(main, ["forecast", "-", *options, "--segment-files"], input="y,s\n")
    assert "--segment-files requires several files, e.g. months" in done.stderr


def test_the_hourglass_follows_the_forecast() -> None:
    example = str(Path(__file__).resolve().parents[1] / "examples" / "asah.csv")
    args = [example, "--label", "outcome", "--pos-label", "Poor", "--score", "s100b"]
    found = content(*args, "--jeffreys", "0.1", "--method", "paper")
    hourglass, forecast = found["forecast_curve"]["s100b"], found["auc_forecast"]["s100b"]
    assert hourglass["method"] == forecast["divergence"] == "jeffreys"
    at = np.array(hourglass["at"])
    for side in ("lower", "upper"):
        assert np.interp(np.log(0.1), np.log(at), hourglass[side]) == pytest.approx(forecast[side], abs=2e-3)
    calibrated = content(*args, "--method", "calibrated")["auc_forecast"]["s100b"]
    assert calibrated["confidence_level"] == 0.95


def test_differences_of_every_two_models(months: pd.DataFrame, tmp_path: Path) -> None:
    args = [str(tmp_path / "all.csv"), "--label", "y", "--score", "s", "--score", "t"]
    pair = PairedScores(months["y"], months["s"], months["t"])
    for more, options in (
        ((), {}),
        (("--jeffreys", "0.1"), {"jeffreys": 0.1}),
        (("--radius", "0.05", "--size", "50", "60"), {"radius": 0.05, "size": (50, 60)}),
    ):
        found = content(*args, "--difference", *more)["auc_forecast"]
        expected = auc_forecast(pair, **options).to_dict()  # type: ignore[arg-type]
        assert found["s - t"] == json.loads(json_text(expected))
        assert found["s"]["lower"] == pytest.approx(auc_forecast(pair.a, **options).lower, abs=1e-12)  # type: ignore[arg-type]
    for more in (("--segment-column", "month"), ()):
        done = run(*(args if more else args[:5]), "--difference", *more)
        assert done.exit_code == 2
        assert "--difference requires two --score columns" in done.stderr


@pytest.mark.filterwarnings("ignore:This method under-covers the whole curve")
def test_bands_of_given_curves(months: pd.DataFrame, tmp_path: Path) -> None:
    args = [str(tmp_path / "all.csv"), "--label", "y", "--score", "s", "--segment-column", "month"]
    args += ["--method", "vertical_averaging", "--confidence-level", "0.6", "--json"]
    done = invoke(main, ["band", *args])
    assert done.exit_code == 0, done.output
    expected = roc_band(
        [scores(part) for _, part in months.groupby("month")],
        method="vertical_averaging",
        confidence_level=0.6,
    )
    assert json.loads(done.stdout)["roc_band"]["s"] == json.loads(json_text(expected.to_dict()))
