"""The JSON that commands print, held against the schema that is made from the types of results."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from confroc.cli import main
from support import invoke, no_bare_token

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "asah.csv")
ONE = [EXAMPLE, "--label", "outcome", "--pos-label", "Poor", "--score", "s100b"]
BOTH = [*ONE, "--score", "ndka"]

FOLDS = f"SELECT *, row_number() OVER () % 2 AS fold FROM '{EXAMPLE}'"

# Every kind of output that the commands have.
RUNS = {
    "auc": ["auc", *BOTH],
    "auc of a part": ["auc", *BOTH, "--max-fpr", "0.1", "--standardize"],
    "auc, tested": ["auc", *BOTH, "--null-auc", "0.7"],
    "auc, rounded": ["auc", *BOTH, "--resolution", "20"],
    "roc": ["roc", *BOTH],
    "roc, all points": [
        "roc", *BOTH, "--fpr", "0.1", "--tpr", "0.5", "--threshold", "0.2", "--positive-rate", "0.2",
    ],
    "threshold": ["threshold", *BOTH, "--fpr", "0.1", "--fpr", "0.001"],
    "threshold, precision": ["threshold", *BOTH, "--precision", "0.7", "--prior", "0.2"],
    "threshold, criterion": ["threshold", *BOTH, "--criterion", "youden", "--n-resamples", "50"],
    "threshold, positive rate": ["threshold", *BOTH, "--positive-rate", "0.2"],
    "band": ["band", *BOTH, "--n-resamples", "50"],
    "band in part": ["band", *ONE, "--method", "ks_regions", "--fpr", "0.1", "0.5"],
    "auc over folds": ["auc", FOLDS, *BOTH[1:], "--fold", "fold"],
    "pr": [
        "pr", *BOTH, "--score", "wfns", "--recall", "0.5", "--recall", "0.8", "--band", "--n-resamples", "50",
    ],
    "pr, prior": ["pr", *ONE, "--prior", "0.1", "--max-recall", "0.5"],
    "calibration": ["calibration", *BOTH],
    "interval": ["interval", *BOTH, "--statistic", "average_precision"],
    "interval, with a value": ["interval", *BOTH, "--statistic", "tpr_at_fpr=0.1"],
    "compare": ["compare", *BOTH],
    "compare a statistic": ["compare", *BOTH, "--statistic", "average_precision"],
    "compare rates": ["compare", *BOTH, "--score", "wfns", "--statistic", "tpr_at_fpr=0.1", "-n", "400"],
    "compare costs": ["compare", *BOTH, "--score", "wfns", "--statistic", "cost_per_case=10,1"],
    "compare all": ["compare", *BOTH, "--score", "wfns", "--band", "--n-resamples", "50"],
    "compare, equality": ["compare", *BOTH, "--equality-test", "--n-resamples", "50"],
    "compare, curves": ["compare", *BOTH, "--curve-test", "--n-resamples", "50"],
    "compare, equality of three": [
        "compare", *BOTH, "--score", "wfns", "--equality-test", "--n-resamples", "50",
    ],
    "rates": [
        "compare-rates", *BOTH, "--fpr", "0.1", "--threshold", "0.2", "10", "--threshold", "0.5", "20",
        "--dominance", "--positive-rate", "0.2", "--threshold-a", "0.5", "--threshold-a", "1e9",
    ],
    "rates of two files": [
        "compare-rates", *ONE, "--against", EXAMPLE, "--threshold", "0.2", "0.2", "--positive-rate", "0.2",
        "--method", "bootstrap", "--sampling", "full", "--n-resamples", "100",
    ],
    "compare, equivalence": ["compare", *BOTH, "--alternative", "equivalence", "--margin", "0.1"],
    "compare, ten pairs": ["compare", *BOTH, "--score", "wfns", "--adjust", "holm", "--reference", "ndka"],
    "compare, groups": ["compare", *BOTH[:-2], "--group", "wfns", "--nan-policy", "omit"],
    "compare, unpaired": ["compare", *ONE, "--against", EXAMPLE],
    "confusion": ["confusion", *BOTH, "--threshold", "0.3", "--prior", "12/150"],
    "cost": ["cost", *ONE, "--false-negative", "5", "--false-positive", "1", "--n-resamples", "50"],
    "cost, two models": [
        "cost", *BOTH, "--score", "wfns", "--false-negative", "5", "--false-positive", "1",
        "--n-resamples", "50",
    ],
    "cost curve": ["cost", *BOTH, "--w", "0.2", "--w", "0.5", "--threshold-range", "observed"],
    "decision": ["decision", *BOTH, "--risk", "0.2", "--threshold", "0.2"],
    "cost, never positive": ["cost", *ONE, "--false-negative", "1", "--false-positive", "1000"],
    "cost, threshold": ["cost", *ONE, "--false-negative", "5", "--false-positive", "1", "--threshold", "0.2"],
    "forecast": ["forecast", *BOTH],
    "forecast, calibrated": ["forecast", *ONE, "--method", "calibrated"],
    "forecast, chi2": ["forecast", *ONE, "--radius", "0.3", "--divergence", "chi2", "--nearest", "0.6"],
    "forecast, segments": ["forecast", *BOTH, "--segment-column", "wfns"],
    "forecast, difference": ["forecast", *BOTH, "--difference", "--jeffreys", "0.1"],
    "power": ["power", "--auc", "0.8"],
    "power-rate": ["power-rate", "--auc", "0.95", "--fpr", "0.001", "--width", "0.2"],
    "power, simulated": [
        "power", "--auc", "0.8", "--auc-b", "0.7", "--correlation", "0.5", "0.5", "--method", "simulation",
        "--n-pos", "30", "--n-neg", "30", "--n-resamples", "50",
    ],
    "power, pilot": ["power", *BOTH, "--n-pos", "100", "--n-neg", "100"],
    "audit": ["audit", *ONE, "--replications", "20"],
}  # fmt: skip


@pytest.fixture(scope="module")
def outputs() -> dict[str, Any]:
    found = {}
    for name, args in RUNS.items():
        done = invoke(main, [*args, "--json"])
        assert done.exit_code == 0, (name, done.output)
        found[name] = json.loads(done.stdout, parse_constant=no_bare_token)
    return found


def complaints(schema: dict[str, Any], content: Any) -> list[str]:
    found = jsonschema.Draft202012Validator(schema).iter_errors(content)
    return [f"{list(error.absolute_path)}: {error.message[:200]}" for error in found]


def schema_for(name: str = "") -> dict[str, Any]:
    """What the command prints of the schema."""
    found: dict[str, Any] = json.loads(invoke(main, ["schema", *name.split()]).stdout)
    return found


@pytest.fixture(scope="module")
def schemas() -> dict[str, dict[str, Any]]:
    whole = schema_for()
    names = [one["properties"]["command"]["const"] for one in whole["oneOf"]]
    return {"": whole} | {name: schema_for(name) for name in names}


def test_the_schemas_are_schemas(schemas: dict[str, Any]) -> None:
    assert len(schemas) > 9
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    done = invoke(main, ["schema", "auk"])
    assert done.exit_code == 2
    assert "'auk' is not one of" in done.stderr


@pytest.mark.parametrize("name", RUNS)
def test_output_fits_its_schema(name: str, outputs: dict[str, Any], schemas: dict[str, Any]) -> None:
    content = outputs[name]
    assert complaints(schemas[content["command"]], content) == []
    assert complaints(schemas[""], content) == []
    assert content["schema"] == "confroc/1"


def test_every_command_with_json_is_run_here(outputs: dict[str, Any], schemas: dict[str, Any]) -> None:
    """All that the schemas allow is seen in some output."""
    assert {content["command"] for content in outputs.values()} == set(schemas) - {""}
    for name, schema in schemas.items():
        if name:
            seen = {key for content in outputs.values() if content["command"] == name for key in content}
            assert seen == set(schema["properties"]), name


def changed(content: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    """Copies of an output with one thing wrong in them."""
    here = content
    for step in path:
        here = here[step]
    if isinstance(here, dict):
        # Options of methods may be of any name.
        for key in here.keys() - {"options"}:
            yield from changed(content, (*path, key))
        wrong = copy.deepcopy(content)
        there = wrong
        for step in path:
            there = there[step]
        there["surplus"] = 1
        yield wrong
        return
    wrong = copy.deepcopy(content)
    there = wrong
    for step in path[:-1]:
        there = there[step]
    there[path[-1]] = {"wrong": "type"}
    yield wrong
    if isinstance(here, list) and here and isinstance(here[0], dict):
        yield from changed(content, (*path, 0))


DEGENERATE = {
    "perfect": [f"{int(i >= 10)},{i},{2 * i}" for i in range(20)],
    "constant": [f"{i % 2},1,2" for i in range(20)],
    "two cases": ["1,2,1", "0,1,2"],
}
ANYWAY = {
    "auc": [],
    "interval": ["--statistic", "average_precision"],
    "roc": ["--fpr", "1", "--tpr", "1", "--threshold", "1e9", "--positive-rate", "0.5"],
    "threshold": ["--tpr", "0.5"],
    "band": ["--n-resamples", "50"],
    "pr": ["--recall", "0.5", "--band", "--n-resamples", "50"],
    "compare": ["--band", "--n-resamples", "50"],
    "compare-rates": ["--fpr", "1", "--threshold", "1e9", "2", "--dominance", "--positive-rate", "0.5"],
    "cost": ["--false-negative", "1", "--false-positive", "1000", "--n-resamples", "50"],
    "forecast": ["--method", "paper", "--n-resamples", "50"],
}  # fmt: skip


@pytest.mark.parametrize("data", DEGENERATE)
@pytest.mark.parametrize("command", ANYWAY)
def test_hopeless_data_fit_the_schema_too(
    command: str, data: str, tmp_path: Path, schemas: dict[str, Any]
) -> None:
    path = tmp_path / "data.csv"
    path.write_text("\n".join(["y,s,t", *DEGENERATE[data]]), encoding="utf-8")
    args = [command, str(path), "--label", "y", "--score", "s", "--score", "t", *ANYWAY[command]]
    done = invoke(main, [*args, "--json"])
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout, parse_constant=no_bare_token)
    assert complaints(schemas[command], content) == []
    if data == "constant":
        assert invoke(main, args).exit_code == 0


@pytest.mark.parametrize(
    "name", ["auc", "roc, all points", "rates", "cost, two models", "forecast, segments"]
)
def test_the_schema_refuses_what_does_not_fit(
    name: str, outputs: dict[str, Any], schemas: dict[str, Any]
) -> None:
    content = outputs[name]
    validator = jsonschema.Draft202012Validator(schemas[content["command"]])
    # A surplus key where any model's name may stand is an entry of the wrong type; it is refused as well.
    wrong = list(changed(content, ()))
    assert len(wrong) > 20
    for one in wrong:
        assert not validator.is_valid(one)
    for key in ("schema", "command", "version", "notes", "data"):
        assert not validator.is_valid({k: v for k, v in content.items() if k != key})
    assert not validator.is_valid(content | {"schema": "confroc/2"})
