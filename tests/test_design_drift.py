"""The drift monitor of clusters, weights and strata: against copies of cases, Kish, and simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from confroc import ConfrocWarning, Scores, UnpairedScores, auc_difference, auc_interval, drift_monitor
from confroc.cli import main
from confroc.drift.monitor import informative_sizes
from confroc.ingest import read_segments
from support import invoke


def rows(
    rng: np.random.Generator, clusters: int, each: int, rho: float = 0.6, shift: float = 0.0
) -> pd.DataFrame:
    """Rows of patients of one label each, who share a part of their scores."""
    patient = np.repeat(np.arange(clusters), each)
    y = (rng.random(clusters) < 0.35)[patient]
    score = 1.2 * y + np.sqrt(rho) * rng.standard_normal(clusters)[patient] + shift
    score = score + np.sqrt(1.0 - rho) * rng.standard_normal(len(patient))
    return pd.DataFrame({"label": y.astype(int), "score": score, "patient": patient})


def table(d: pd.DataFrame, **given: Any) -> Scores:
    return Scores(d["label"], d["score"], **given)


@pytest.mark.filterwarnings("ignore:Samples share clusters")
def test_copies_of_cases_are_as_informative_as_the_cases() -> None:
    rng = np.random.default_rng(1)
    alone = rows(rng, 800, 1)
    copied = table(pd.concat([alone] * 5), cluster=[*alone["patient"]] * 5)
    plain = table(alone)
    known = (plain.n_pos, plain.n_neg, 800)
    assert informative_sizes(plain) == (known, 800)
    found = informative_sizes(copied)
    # The degrees of freedom of the variance take a few.
    assert found.bins == pytest.approx(known, rel=0.02)
    assert found.rate == pytest.approx(800, rel=0.02)
    segment = rows(rng, 200, 1)
    five = table(pd.concat([segment] * 5), cluster=[*segment["patient"]] * 5)
    one = drift_monitor(plain, [table(segment)], n_resamples=20_000, rng=1)
    # Also where nothing drifted, since unadjusted p-values are shown.
    assert "adjusted (Holm)" in " ".join(str(one).split())
    other = drift_monitor(copied, [five], n_resamples=20_000, rng=1)
    for name in ("psi", "jeffreys", "positive_rate", "auc"):
        assert getattr(one, name)[0] == pytest.approx(getattr(other, name)[0], rel=1e-9)
    for name in ("psi_pvalue", "jeffreys_pvalue", "rate_pvalue", "auc_pvalue", "rate_lower", "rate_upper"):
        assert getattr(one, name)[0] == pytest.approx(getattr(other, name)[0], abs=0.1)


def test_sizes_of_weights_are_kishs() -> None:
    rng = np.random.default_rng(2)
    d = rows(rng, 4000, 1)
    weight = rng.lognormal(0.0, 0.7, 4000)
    kish = weight.sum() ** 2 / (weight**2).sum()
    found = informative_sizes(table(d, sample_weight=weight))
    assert found.rate == pytest.approx(kish, rel=0.05)
    assert found.bins[2] == pytest.approx(kish, rel=0.1)


def test_strata_make_the_rate_more_precise() -> None:
    rng = np.random.default_rng(3)
    d = rows(rng, 600, 1)
    n = informative_sizes(table(d, strata=d["label"] ^ (rng.random(600) < 0.1))).rate
    assert n > 1200
    plain = informative_sizes(table(d, strata=rng.integers(0, 3, 600)))
    assert plain.rate == pytest.approx(600, rel=0.03)
    assert max(plain.bins) <= 600


def test_clusters_of_one_and_frequencies() -> None:
    rng = np.random.default_rng(4)
    reference, segment = rows(rng, 300, 1), rows(rng, 120, 1)
    plain = drift_monitor(table(reference), [table(segment)], rng=1)
    alone, weighted = (
        table(d, cluster=d["patient"], sample_weight=np.ones(len(d))) for d in (reference, segment)
    )
    assert drift_monitor(alone, [weighted], rng=1) == plain
    times = rng.integers(0, 4, 120)
    again = segment.iloc[np.repeat(np.arange(120), times)]
    for given in ({}, {"cluster": "patient"}):
        two = [
            table(d, **{k: d[v] for k, v in given.items()}, **more)
            for d, more in ((again, {}), (segment, {"sample_weight": times, "weight_kind": "frequency"}))
        ]
        one, other = (drift_monitor(table(reference), [s], rng=1) for s in two)
        assert one == other


@pytest.mark.filterwarnings("ignore:.*below 0.5")
@pytest.mark.filterwarnings("ignore:Samples share clusters")
def test_the_areas_are_those_of_auc_interval() -> None:
    rng = np.random.default_rng(5)
    reference, segment = (table(d, cluster=d["patient"]) for d in (rows(rng, 150, 4), rows(rng, 60, 4)))
    found = drift_monitor(reference, [segment], rng=1)
    own = auc_interval(segment)
    assert (found.lower[0], found.upper[0]) == (own.lower, own.upper)
    assert found.forecast.lower == auc_interval(reference).lower
    patients = np.repeat(np.arange(60), 4)
    # A weak model. Without a forecast it is compared with the reference.
    low = table(
        rows(rng, 60, 4).assign(score=lambda d: 0.05 * d["label"] + d["score"] % 1.0), cluster=patients
    )
    p = float(drift_monitor(reference, [low], rng=1).auc_pvalue[0])
    assert p == auc_difference(UnpairedScores(reference, low)).pvalue < 0.05


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*below 0.5")
@pytest.mark.filterwarnings("ignore:Samples share clusters")
def test_false_alarms_and_power() -> None:
    alarms = {}
    for shift in (0.0, 1.0):
        rng, found = np.random.default_rng(6), []
        for _ in range(40):
            made = [rows(rng, 200, 5), rows(rng, 80, 5, shift=shift)]
            reference, segment = (table(d, cluster=d["patient"]) for d in made)
            monitor = drift_monitor(reference, [segment], confidence_level=0.9, n_resamples=200, rng=rng)
            found.append(monitor.population_drifted[0] or monitor.auc_drifted[0])
        alarms[shift] = np.mean(found)
    # At most 10%, but for 2.1 standard errors.
    assert alarms[0.0] <= 0.2
    assert alarms[1.0] >= 0.9


# --- reading and the command line --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pd.DataFrame]:
    rng = np.random.default_rng(7)
    parts = [rows(rng, n, 4).assign(month=m) for m, n in (("jan", 150), ("feb", 60), ("mar", 60))]
    d = pd.concat(parts, ignore_index=True)
    d["patient"] = d["month"] + d["patient"].astype(str)
    d["weight"] = 0.2 + rng.random(len(d))
    d["site"] = rng.integers(0, 2, len(d)) + 2 * (d["month"] == "jan")
    path = tmp_path_factory.mktemp("months") / "rows.csv"
    d.to_csv(path, index=False)
    for month, part in d.groupby("month"):
        part.to_csv(path.with_name(f"{month}.txt"), index=False)
    return path, d


@pytest.mark.parametrize("names", [{"cluster": "patient"}, {"sample_weight": "weight", "cluster": "patient"}])
def test_segments_are_read_with_their_design(
    months: tuple[Path, pd.DataFrame], names: dict[str, str]
) -> None:
    path, d = months
    own: Any = {"label": "label", "scores": ["score"], **names}
    _, found = read_segments(path, segment_column="month", **own)
    _, files = read_segments(str(path.with_name("*.txt")), segment_files=True, **own)
    for month, part in d.groupby("month"):
        expected = table(part, **{name: part[column] for name, column in names.items()})
        assert found["score"][month].design is not None
        for scores in (found["score"][month], files["score"][month]):
            assert auc_interval(scores).lower == pytest.approx(auc_interval(expected).lower, rel=1e-12)
            assert scores.n_pos == pytest.approx(expected.n_pos)


def test_the_command_line_compares_clustered_segments(months: tuple[Path, pd.DataFrame]) -> None:
    path, _ = months
    args = ["forecast", str(path), "--label", "label", "--score", "score", "--segment-column", "month"]
    args += ["--reference", "jan", "--cluster", "patient", "--weight", "weight", "--seed", "1"]
    done = invoke(main, [*args, "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    columns = {"sample_weight": "weight", "cluster": "patient"}
    _, parts = read_segments(path, label="label", scores=["score"], segment_column="month", **columns)
    by_month = parts["score"]
    expected = drift_monitor(by_month["jan"], {m: by_month[m] for m in ("feb", "mar")}, rng=1).to_dict()
    monitor = found["drift_monitor"]["score"]
    for name in ("psi_pvalue", "rate_pvalue", "auc_pvalue", "lower"):
        assert monitor[name] == list(expected[name])
    assert "auc_forecast" not in found
    for more, message in (
        (["--jeffreys", "0.1"], "require data without --weight"),
        (["--reference", "feb"], "give one --reference"),
    ):
        done = invoke(main, [*args, *more])
        assert done.exit_code != 0
        assert message in done.stderr


def test_clusters_in_several_samples_are_noted() -> None:
    rng = np.random.default_rng(4)
    first, second = rows(rng, 60, 2), rows(rng, 60, 2)
    others = second["patient"] + 1000
    reference = table(first, cluster=first["patient"])
    with pytest.warns(ConfrocWarning, match="Samples share clusters"):
        drift_monitor(reference, {"May": table(second, cluster=second["patient"])}, n_resamples=199)
    drift_monitor(reference, {"May": table(second, cluster=others)}, n_resamples=199)
