"""The report's models by other names, by groups and by segments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import confroc
from confroc import PairedScores, Scores, UnpairedScores, auc_comparison, drift_monitor
from confroc.cli import main
from confroc.pages import ReportData
from confroc.pages.groups import groups, segments
from support import invoke

N = 600


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    y = (rng.random(N) < 0.4).astype(int)
    site = np.array(["east", "north", "west"])[rng.integers(0, 3, N)]
    month = np.array(["2026-01", "2026-02", "2026-03"])[np.arange(N) * 3 // N]
    # In the west the scores say nothing, and in March they are other ones.
    gain = np.where(site == "west", 0.0, 2.0)
    new = rng.normal(size=N) + gain * y + 1.5 * (month == "2026-03")
    return {"y": y, "new": new, "old": new + rng.normal(size=N), "site": site, "month": month}


@pytest.fixture(scope="module")
def path(rows: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("groups") / "rows.csv"
    lines = (",".join(map(str, row)) for row in zip(*rows.values(), strict=True))
    place.write_text("\n".join([",".join(rows), *lines, ""]), encoding="utf-8")
    return str(place)


def parts(rows: dict[str, Any], column: str, name: str) -> dict[str, Scores]:
    y, score, by = rows["y"], rows[name], rows[column]
    return {str(value): Scores(y[by == value], score[by == value]) for value in np.unique(by)}


def data_of(rows: dict[str, Any], **more: Any) -> ReportData:
    return ReportData(models={"new": Scores(rows["y"], rows["new"])}, n_rows=N, n_dropped=0, **more)


def test_groups_are_compared_as_by_the_library(rows: dict[str, Any]) -> None:
    by = parts(rows, "site", "new")
    sites = UnpairedScores(*by.values(), names=list(by))
    section = groups(data_of(rows, groups={"new": sites}, group="site"))
    assert section is not None
    found = auc_comparison(sites, rng=0)
    assert {**section.record["models"][0], **found.to_dict()} == section.record["models"][0]
    (line,) = section.headlines
    assert line == (
        "new: the AUC differs significantly by site: east and west, north and west "
        "(2 of 3 pairs, adjusted p-values)."
    )
    same = UnpairedScores(sites["east"], sites["north"], names=["a", "b"])
    section = groups(data_of(rows, groups={"new": same}))
    assert section is not None
    assert section.headlines[0].startswith("new: the AUC does not differ significantly by")


def test_segments_are_compared_with_the_first(rows: dict[str, Any]) -> None:
    by = parts(rows, "month", "new")
    section = segments(data_of(rows, segments={"new": by}, segment="month"))
    assert section is not None
    (first, reference), *later = by.items()
    found = drift_monitor(reference, dict(later), rng=0)
    record = section.record["models"][0]
    assert (record["reference"], record["psi"]) == (first, found.psi.tolist())
    assert section.headlines == [
        "new, compared with month 2026-01: prevalence or scores have drifted significantly in 2026-03."
    ]
    alone = segments(data_of(rows, segments={"new": dict([*by.items()][:2])}))
    assert alone is not None
    assert alone.headlines == ["new shows no significant drift from segment 2026-01 in 1 later segment."]


@pytest.mark.slow
def test_the_command_line_has_names_groups_and_segments(path: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    typed = ["report", path, "--label", "y", "--score=new", "--score=-old", "--name", "new=Model A"]
    done = invoke(main, [*typed, "--group", "site", "--segment-column", "month", "-o", str(page)])
    assert done.exit_code == 0, done.output
    content, html = json.loads(page.with_suffix(".json").read_text()), page.read_text().split("<footer")[0]
    assert [row["model"] for row in content["auc"]] == ["Model A", "old"]
    for part in ("groups", "segments"):
        assert [row["model"] for row in content[part]["models"]] == ["Model A", "old"]
    assert "-old" not in html
    for title in ("By site", "By month"):
        assert f">{title}</a>" in html
        assert f"<h2>{title}</h2>" in html
    done = invoke(main, [*typed, "--name", "new"])
    assert "--name must be COLUMN=NAME with a column of new, old; got 'new'." in done.output
    done = invoke(main, [*typed, "--name", "older=B", "-o", str(page), "--force"])
    assert "--name must be COLUMN=NAME with a column of new, old; got 'older=B'." in done.output


@pytest.mark.slow
def test_python_has_names_groups_and_segments(rows: dict[str, Any], tmp_path: Path) -> None:
    pair = PairedScores(rows["y"], rows["new"], rows["old"], names=["new", "-old"])
    by = {name: parts(rows, "month", name.lstrip("-")) for name in pair.names}
    made = confroc.report(pair, path=tmp_path / "a.html", names={"new": "A"}, segments=by, threshold=1.0)
    assert [*made.data.models] == ["A", "old"]
    assert made.data.scores is not None
    assert made.data.scores.names == ("A", "old")
    assert [*(made.data.segments or ())] == ["A", "old"]
    assert made.data.threshold == {"A": 1.0, "old": 1.0}
    assert any("old ≤ −1" in line for line in made.headlines)
    # The same again, as of a report that is changed.
    assert [*replace(made.data, title="again").models] == ["A", "old"]
    sites = parts(rows, "site", "new")
    groups_of = UnpairedScores(*sites.values(), names=list(sites))
    one = confroc.report(
        pair["new"], path=tmp_path / "b.html", names=["A"], groups=groups_of, segments=by["new"]
    )
    assert {"groups", "segments"} <= one.to_dict().keys()
    for names in ({"new": "-old", "-old": "-old"}, ["same", "same"]):
        with pytest.raises(ValueError, match="`names` must give each model a name of its own"):
            confroc.report(pair, path=tmp_path / "c.html", names=names)
    columns = rows["y"], rows["new"], rows["old"]
    at = {month: [column[rows["month"] == month] for column in columns] for month in by["new"]}
    months = {month: PairedScores(*own, names=pair.names) for month, own in at.items()}
    both = confroc.report(pair, path=tmp_path / "d.html", segments=months).to_dict()["segments"]["models"]
    each = made.to_dict()["segments"]["models"]
    assert [it["auc"] for it in both] == [it["auc"] for it in each]
    for given in ({"groups": {"new": groups_of}}, {"segments": by["new"]}):
        (name,) = given
        with pytest.raises(ValueError, match=rf"`{name}` must have an entry for each of 'new', '-old'"):
            confroc.report(pair, path=tmp_path / "c.html", **given)
    for given in ({"groups": groups_of}, {"segments": {"new": 1, "-old": 2}}, {"segments": [pair]}):
        with pytest.raises(TypeError, match="Give a mapping by the models' names"):
            confroc.report(pair, path=tmp_path / "c.html", **given)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_a_model_and_its_reverse_have_different_names(rows: dict[str, Any]) -> None:
    y, new = rows["y"], rows["new"]
    models = {"new": Scores(y, new), "-new": Scores(y, -new)}
    data = ReportData(models=models, n_rows=N, n_dropped=0, turned=("-new",))
    assert [*data.models] == ["new", "new (reversed)"]
    assert data.turned == ("new (reversed)",)


def test_the_digest_includes_weights_clusters_and_strata(rows: dict[str, Any]) -> None:
    y, new = rows["y"], rows["new"]
    patient, order = np.arange(N) // 2, np.random.default_rng(0).permutation(N)
    known: list[dict[str, Any]] = [
        {},
        {"cluster": patient},
        {"cluster": patient // 2},
        {"strata": rows["site"]},
        {"sample_weight": 1.0 + patient % 2},
    ]

    def digest(order: Any, given: dict[str, Any]) -> str:
        scores = Scores(y[order], new[order], **{name: value[order] for name, value in given.items()})
        return ReportData(models={"m": scores}, n_rows=N, n_dropped=0).fingerprint

    each = [digest(np.arange(N), given) for given in known]
    assert len(set(each)) == len(known)
    assert [digest(order, given) for given in known] == each
