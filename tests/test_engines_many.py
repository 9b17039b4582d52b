"""Many models on any engine: areas and covariances without joint counts are those of the arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import PairedScores, auc_difference, read_scores, roc_difference_band, write_counts
from confroc.influence import delong_covariance, difference_of_placements
from confroc.ingest import counting, read_cases
from confroc.ingest.sql import SqlTable
from test_engines_local import SCORES, local_sources, messy

OPTIONS: dict[str, Any] = {"label": "y", "pos_label": "ill", "nan_policy": "omit"}
MODELS = ("s", "t", "k", "f", "g")


def five() -> Any:
    """Ties, gaps, zeros of both signs, whole numbers, single precision; the last is nearly the second."""
    frame = messy()
    return frame.assign(g=frame["t"] + 1e-9 * (frame.index % 7 == 0))


def whole(frame: Any) -> Any:
    frame = frame.dropna()
    return frame[frame["y"] != " "]


@pytest.fixture
def without_joint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of cases, no joint counts are kept unless asked for."""
    monkeypatch.setattr(counting, "MOST_JOINT", 0)


def sums_case_by_case(frame: Any, names: tuple[str, ...]) -> Any:
    """Sums of powers of differences, from ranks of single cases: quadratic, and without any table."""
    positive = (frame["y"] == "ill").to_numpy()
    columns = []
    for name in names:
        x = frame[name].to_numpy().astype(float)
        wins = (x[positive][:, None] > x[~positive]) + 0.5 * (x[positive][:, None] == x[~positive])
        columns.append((wins.mean(axis=1) - wins.mean(), wins.mean(axis=0) - wins.mean()))
    k = len(names)
    sums = np.zeros((2, 2, k, k))
    for side in (0, 1):
        for i, j in np.ndindex(k, k):
            apart = columns[i][side] - columns[j][side]
            sums[:, side, i, j] = (apart**2).sum(), (apart**4).sum()
    return sums


@pytest.mark.usefixtures("without_joint")
@pytest.mark.parametrize("k", [2, 3, 5])
def test_frames_in_memory_give_the_sums_over_cases(k: int) -> None:
    names = MODELS[:k]
    found = read_scores(five(), score=names, **OPTIONS)
    assert not found.joint
    assert found.names == names
    expected = sums_case_by_case(whole(five()[["y", *names]]), names)
    np.testing.assert_allclose(found.sums, expected, rtol=1e-12, atol=1e-17)


@pytest.mark.slow
@pytest.mark.usefixtures("without_joint")
def test_every_engine_gives_what_arrays_give(tmp_path: Path) -> None:
    rows = whole(messy())
    arrays = PairedScores(rows["y"], *(rows[name] for name in SCORES), names=SCORES, pos_label="ill")
    expected = delong_covariance(arrays)
    for name, source in local_sources(tmp_path).items():
        found = read_scores(source, score=SCORES, **OPTIONS)
        assert not found.joint, name
        assert found.models == arrays.models, name
        assert (found.names, found.n_dropped) == (tuple(SCORES), len(messy()) - len(rows)), name
        np.testing.assert_allclose(delong_covariance(found), expected, rtol=1e-12, err_msg=name)
        for i, j in np.ndindex(4, 4):
            if i != j:
                there = difference_of_placements(found, models=(i, j))
                here = difference_of_placements(arrays, models=(i, j))
                np.testing.assert_allclose(there, here, rtol=1e-12, err_msg=name)


@pytest.mark.usefixtures("without_joint")
@pytest.mark.parametrize("method", ["delong", "score_delong", "newcombe"])
def test_the_difference_of_areas_needs_no_joint_counts(method: Any, tmp_path: Path) -> None:
    rows = whole(five())
    rows.to_parquet(tmp_path / "five.parquet")
    arrays = PairedScores(rows["y"], *(rows[name] for name in MODELS), names=MODELS, pos_label="ill")
    found = read_scores(tmp_path / "five.parquet", score=MODELS, **OPTIONS)
    # Also of a model and what is nearly its copy.
    for two in (("s", "k"), ("k", "s"), ("t", "g")):
        here, there = (auc_difference(scores[two], method=method) for scores in (arrays, found))
        for name in ("estimate", "lower", "upper", "standard_error", "pvalue"):
            expected = getattr(here, name)
            assert getattr(there, name) == pytest.approx(expected, rel=1e-11, abs=1e-300), (two, name)


@pytest.mark.usefixtures("without_joint")
def test_joint_counts_are_asked_for_by_a_resolution() -> None:
    found = read_scores(messy(), score=("s", "t"), **OPTIONS)
    remedy = r"resolution=\d+"
    with pytest.raises(ValueError, match=remedy):
        roc_difference_band(found)
    with pytest.raises(ValueError, match=remedy):
        auc_difference(found, method="bootstrap", rng=1)
    with pytest.raises(ValueError, match=remedy):
        auc_difference(found, max_fpr=0.2)
    joint = read_scores(messy(), score=("s", "t"), resolution=4096, **OPTIONS)
    assert joint.joint
    auc_difference(joint, max_fpr=0.2)


def test_few_rows_of_scores_keep_joint_counts_of_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read_scores(messy(), score=("k", "t"), **OPTIONS)
    distinct = len(expected.a.score) * len(expected.b.score)
    monkeypatch.setattr(counting, "MOST_JOINT", 2000)
    assert not read_scores(messy(), score=("k", "t"), **OPTIONS).joint
    frame = messy().assign(t=lambda rows: rows["t"].round())
    assert read_scores(frame, score=("k", "t"), **OPTIONS).joint
    assert 2 * distinct > 2000


def test_many_models_with_levels_do_not_outgrow_their_numbers() -> None:
    # 500 levels of twelve models: their product is far beyond 64 bits.
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 2000)
    import pandas as pd

    columns = {f"m{i}": rng.normal(size=y.size) + y for i in range(12)}
    found = read_scores(pd.DataFrame({"y": y, **columns}), label="y", score=list(columns), resolution=500)
    for name, model in found.items():
        alone = read_scores(pd.DataFrame({"y": y, **columns}), label="y", score=name, resolution=500)
        assert model == alone
    assert len(found.pos) == y.size


@pytest.mark.usefixtures("without_joint")
def test_a_file_that_changes_before_the_last_pass_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.parquet"
    whole(messy()).to_parquet(path)
    look_up = SqlTable.difference_sums

    def after_a_change(self: SqlTable, *args: Any) -> Any:
        # As many rows, one of them with a score that no table has.
        frame = whole(messy()).reset_index(drop=True)
        frame.loc[7, "s"] = 1e7
        frame.to_parquet(path)
        return look_up(self, *args)

    monkeypatch.setattr(SqlTable, "difference_sums", after_a_change)
    with pytest.raises(ValueError, match="`source` must not change while it is read"):
        read_scores(path, score=("s", "t"), **OPTIONS)


@pytest.mark.usefixtures("without_joint")
def test_the_users_connection_is_left_as_it_was() -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE mine AS SELECT hash(range) % 2 AS y, range AS s, -range AS t FROM range(9)"
        )
        with pytest.warns(match="below 0.5|AUC"):
            assert not read_scores(connection.table("mine"), label="y", score=("s", "t")).joint
        assert connection.sql("SHOW TABLES").fetchall() == [("mine",)]
        assert connection.sql("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]
        connection.execute("SET python_enable_replacements = false")
        with pytest.raises(ValueError, match="Run `SET python_enable_replacements = true`"):
            read_scores(connection.table("mine"), label="y", score=("s", "t"))


@pytest.mark.slow
@pytest.mark.parametrize("resolution", [None, 40])
def test_counts_of_many_models_are_written_and_read(resolution: int | None, tmp_path: Path) -> None:
    frame = five()
    cases = read_cases(frame, scores=MODELS, paired=True, resolution=resolution, **OPTIONS)
    path = write_counts(cases, path=tmp_path / "all.parquet")
    assert read_scores(path, label="y", score=MODELS) == cases.scores
    assert read_scores(path, label="y", score=MODELS).names == MODELS
    assert read_scores(path, label="y", score="k") == cases.models["k"]
    assert cases.scores is not None
    some = read_scores(path, label="y", score=("g", "s", "t"))
    assert (some, some.names) == (cases.scores["g", "s", "t"], ("g", "s", "t"))
    for i, part in enumerate((frame[:700], frame[700:])):
        whole = read_cases(part, scores=MODELS, paired=True, **OPTIONS)
        write_counts(whole, path=tmp_path / f"part{i}.parquet")
    if resolution is None:
        assert read_scores(str(tmp_path / "part*.parquet"), label="y", score=MODELS) == cases.scores


def test_counts_carry_the_names_of_models(tmp_path: Path) -> None:
    y, scores = [1, 0, 1, 0], ([4, 3, 2, 1], [3, 4, 2, 1], [4, 1, 3, 2])
    named = PairedScores(y, *scores, names=["new", "old", "older"])
    path = write_counts(named, path=tmp_path / "named.parquet")
    assert read_scores(path, label="label", score=("new", "older")).names == ("new", "older")
    path = write_counts(PairedScores(y, *scores), path=tmp_path / "usual.parquet")
    found = read_scores(path, label="label", score=("score_a", "score_b", "score_c"))
    assert found == named


@pytest.mark.usefixtures("without_joint")
def test_models_without_joint_counts_are_not_written(tmp_path: Path) -> None:
    cases = read_cases(messy(), scores=("s", "t"), paired=True, **OPTIONS)
    for counts in (cases, cases.scores):
        with pytest.raises(ValueError, match=r"`counts` must contain joint counts.*resolution="):
            write_counts(counts, path=tmp_path / "no.parquet")  # type: ignore[arg-type]
    assert not (tmp_path / "no.parquet").exists()
