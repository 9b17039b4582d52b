"""Thresholds of a reversed column are printed and given in its numbers."""

from __future__ import annotations

import csv
import importlib
import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from confroc.cli import main
from confroc.ingest.reversal import PLACE
from confroc.results import Result
from support import invoke

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "asah.csv"
PLACES = {"threshold", "threshold_a", "threshold_b", "guaranteed", "score"}
COSTS = ["--false-negative", "5", "--false-positive", "1", "-n", "200"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write both scores with either sign."""
    with EXAMPLE.open() as file:
        rows = [(r["outcome"], float(r["s100b"]), float(r["ndka"])) for r in csv.DictReader(file)]
    path = tmp_path_factory.mktemp("reversed") / "both.csv"
    lines = [f"{int(y == 'Poor')},{a},{b},{-a},{-b}" for y, a, b in rows]
    path.write_text("\n".join(["y,a,b,low_a,low_b", *lines]))
    return str(path)


def tables(*args: str) -> dict[str, Any]:
    """Return the columns of all printed tables, without names of models."""
    done = invoke(main, (*args, "--csv"))
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = {}
    for i, part in enumerate(done.stdout.strip().split("\n\n")):
        head, *rows = csv.reader(part.splitlines())
        for name, values in zip(head, zip(*rows, strict=True), strict=True):
            if name not in ("model", "pair", "metric"):
                found[f"{i} {name}"] = [float(v) if v[-1:].isdigit() else v for v in values]
    return found


@pytest.mark.parametrize(
    ("command", "models", "places"),
    [
        ("auc", "a b", []),
        ("roc --fpr 0.1 --tpr 0.8", "a b", []),
        ("roc --threshold", "a", [0.3]),
        ("threshold --fpr 0.1", "a", []),
        ("threshold --criterion youden -n 200", "a", []),
        ("confusion --threshold", "a b", [0.3]),
        ("calibration -n 100", "a", []),
        ("cost " + " ".join(COSTS), "a", []),
        ("cost " + " ".join(COSTS) + " --threshold", "a b", [0.3]),
        ("cost --w 0.4", "a b", []),
        ("decision --risk 0.4 --threshold", "a b", [0.3]),
        ("compare-rates --threshold", "a b", [0.3, 11.0]),
        ("compare-rates --threshold-a", "a b", [0.3]),
        ("compare-rates --fpr 0.1", "a b", []),
        ("interval --statistic ks", "a", []),
        ("interval --statistic metric=ppv,", "a", [0.3]),
        ("compare --statistic metric=ppv,", "a b", [0.3]),
    ],
)
def test_reversed_columns_have_thresholds_of_their_own(
    data: str, command: str, models: str, places: list[float]
) -> None:
    def called(sign: str, low: str) -> dict[str, Any]:
        scores = [word for m in models.split() for word in ("-s", f"{low}{m}")]
        values = [f"{-x if sign else x}" for x in places]
        own = f"{command}{values[0]}".split() if command.endswith(",") else [*command.split(), *values]
        return tables(own[0], data, "-l", "y", *scores, *own[1:])

    high, low = called("", ""), called("-", "-low_")
    assert high.keys() == low.keys()
    for name, values in low.items():
        column = name.partition(" ")[2]
        place, _, end = column.rpartition("_")
        if place in PLACES and end in ("lower", "upper"):
            other = {"lower": "upper", "upper": "lower"}[end]
            assert [-x for x in values] == high[f"{name.removesuffix(end)}{other}"], name
        elif column in PLACES:
            assert [-x if x != "" else x for x in values] == high[name], name
        else:
            assert values == high[name], name


def test_printed_thresholds_attain_their_rates(data: str) -> None:
    with Path(data).open() as file:
        negatives = [float(r["low_a"]) for r in csv.DictReader(file) if r["y"] == "0"]
    found = tables("threshold", data, "-l", "y", "-s", "-low_a", "--fpr", "0.1")
    (at,), (rate,) = found["0 threshold"], found["0 attained_fpr"]
    assert sum(x <= at for x in negatives) / len(negatives) == pytest.approx(rate)


def test_the_direction_is_printed_even_without_notes(data: str) -> None:
    line = "low_a: predicted positive at or below the threshold"
    for quiet in ([], ["-q"]):
        done = invoke(main, ("confusion", data, "-l", "y", "-s", "-low_a", "--threshold", "-0.3", *quiet))
        assert line in done.stdout
    assert line not in invoke(main, ("auc", data, "-l", "y", "-s", "a")).stdout


def test_one_statistic_for_three_columns_requires_one_direction(data: str) -> None:
    args = ["compare", data, "-l", "y", "-s", "a", "-s", "b", "-s", "-low_a", "--statistic", "metric=ppv,0.3"]
    done = invoke(main, tuple(args))
    assert done.exit_code == 2
    assert "of the same direction" in done.stderr


@pytest.mark.slow
def test_the_numbers_of_a_report_have_thresholds_of_the_column(data: str, tmp_path: Path) -> None:
    def numbers(column: str, name: str) -> dict[str, Any]:
        path = str(tmp_path / f"{name}.html")
        named = ["--name", f"{column.removeprefix('-')}=B", "-o", path]
        done = invoke(main, ("report", data, "-l", "y", "-s", "a", "-s", column, *named))
        assert done.exit_code == 0, done.stderr
        found: dict[str, Any] = json.loads(Path(path).with_suffix(".json").read_text())
        return found

    def turned(value: Any) -> Any:
        return [turned(v) for v in value] if isinstance(value, list) else value and -value

    seen = set()

    def compare(high: Any, low: Any, way: tuple[str, ...], whose: str) -> None:
        if isinstance(high, dict):
            assert high.keys() == low.keys()
            for name in high.keys() - {"data_sha256", "created", "command", "reversed"}:
                compare(high[name], low[name], (*way, name), high.get("model", whose))
        elif isinstance(high, list) and high and isinstance(high[0], dict):
            for one, other in zip(high, low, strict=True):
                compare(one, other, way, whose)
        elif whose == "B" and way[-1].removesuffix("_lower").removesuffix("_upper") in {*PLACES, "edges"}:
            seen.add(way[0])
            if not way[-1].endswith(("_lower", "_upper")):
                assert turned(low) == high, way
        elif way[0] in ("curves", "recommended", "thresholds", "described", "tpr_at_fpr"):
            assert low == high or way[-1] in ("shown", "optimism", "threshold_a", "threshold_b"), way

    high, low = numbers("b", "high"), numbers("-low_b", "low")
    compare(high, low, (), "")
    assert {"curves", "recommended", "thresholds", "described"} <= seen
    assert [high["data"]["reversed"], low["data"]["reversed"]] == [[], ["B"]]
    ends = [
        [of["recommended"]["models"][1][f"threshold_{end}"] for end in ("lower", "upper")]
        for of in (high, low)
    ]
    assert ends[0] == turned(ends[1][::-1])
    assert [entry["reversed"] for entry in low["thresholds"]] == [False, True]


def test_names_of_reversed_columns_have_no_sign(data: str) -> None:
    both = (data, "-l", "y", "-s", "a", "-s", "-low_b")
    for args in (("auc",), ("compare",), ("cost", *COSTS), ("forecast", "--difference", "--jeffreys", "0.1")):
        done = invoke(main, (args[0], *both, *args[1:]))
        assert done.exit_code == 0, done.stderr
        assert "low_b" in done.stdout
        assert "-low_b" not in done.output
    assert {*json.loads(invoke(main, ("auc", *both, "--json")).stdout)["auc_interval"]} == {"a", "low_b"}
    done = invoke(main, ("counts", *both, "-o", "counts.parquet"))
    assert (done.exit_code, "without a minus sign" in done.stderr) == (2, True)


def test_fields_named_after_thresholds_change_their_sign() -> None:
    """A new field for a threshold has one of the declared names."""
    for module in ("points", "cost", "bands", "drift", "planning", "auditing"):
        importlib.import_module(f"confroc.{module}")

    def all_of(cls: type) -> set[type]:
        return {cls}.union(*map(all_of, cls.__subclasses__()))

    names = {field.name for cls in all_of(Result) if is_dataclass(cls) for field in fields(cls)}
    named = {name for name in names if re.search("threshold|cutoff|score|guaranteed", name)}
    assert {"threshold", "threshold_a", "guaranteed"} <= named
    others = {"guaranteed_fpr", "guaranteed_tpr", "threshold_source", "scores"}
    assert {name for name in named if not PLACE.fullmatch(name)} == others
