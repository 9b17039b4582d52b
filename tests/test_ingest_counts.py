"""Count tables as files: what was written is what every reader gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import PairedScores, Scores, read_scores
from confroc.ingest import read_cases, read_counts, write_counts


def rows(n: int = 400, seed: int = 0) -> Any:
    import pandas as pd

    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, "ill", "well")
    a = np.round(rng.normal(size=n) + (y == "ill"), 1)
    a[:3] = np.nan
    return pd.DataFrame({"y": y, "a": a, "b": rng.normal(size=n) + (y == "ill")})


OPTIONS: dict[str, Any] = {"label": "y", "pos_label": "ill", "nan_policy": "omit"}


@pytest.mark.parametrize("resolution", [None, 20])
def test_written_counts_read_as_the_rows_did(resolution: int | None, tmp_path: Path) -> None:
    cases = read_cases(rows(), scores=["a", "b"], pairs=True, resolution=resolution, **OPTIONS)
    path = write_counts(cases, tmp_path / "counts.parquet")
    again = read_cases(path, label="y", scores=["a", "b"], pairs=True)
    assert (again.models, again.pairs) == (cases.models, cases.pairs)
    for name in ("label", "positive", "negative", "n_rows", "n_dropped"):
        assert getattr(again, name) == getattr(cases, name)
    assert again.models["b"].n_dropped == 3
    assert again.models["b"].fpr_error == cases.models["b"].fpr_error
    pair = cases.pairs["a", "b"]
    assert read_counts(path) == pair
    assert read_scores(path, score=("a", "b"), **OPTIONS) == pair
    assert read_scores(str(path), label="y", score=("b", "a")) == pair.swapped()
    assert read_scores(path, label="y", score="b") == pair.b
    single = read_cases(rows(), scores=["b"], resolution=resolution, **OPTIONS)
    assert (
        read_scores(write_counts(single, tmp_path / "b.parquet"), label="y", score="b") == single.models["b"]
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.parquet", "counts.parquet"]


def test_days_add_up(tmp_path: Path) -> None:
    import pandas as pd

    for day in range(3):
        write_counts(
            read_cases(rows(seed=day), scores=["a", "b"], pairs=True, **OPTIONS), tmp_path / f"{day}.parquet"
        )
    whole = read_cases(
        pd.concat([rows(seed=day) for day in range(3)]), scores=["a", "b"], pairs=True, **OPTIONS
    )
    total = read_cases(str(tmp_path / "*.parquet"), label="y", scores=["a", "b"], pairs=True)
    assert total.pairs == whole.pairs
    assert (total.n_rows, total.n_dropped) == (whole.n_rows, whole.n_dropped)


def test_bare_scores_and_names(tmp_path: Path) -> None:
    scores = Scores([0, 1, 1], [0.1, 0.1, 0.9])
    assert read_scores(write_counts(scores, tmp_path / "s.parquet"), label="label", score="score") == scores
    pair = PairedScores([0, 1, 1], [0.1, 0.1, 0.9], [1, 2, 3])
    path = write_counts(pair, tmp_path / "p.parquet", label="y", score=("m", "n"), positive="ill")
    assert read_scores(path, label="y", score=("m", "n"), pos_label="ill") == pair


def test_files_are_small_and_open_anywhere(tmp_path: Path) -> None:
    import polars as pl

    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 100_000)
    scores = Scores(y, np.round(rng.normal(size=y.size) + y, 2))
    path = write_counts(scores, tmp_path / "s.parquet")
    assert path.stat().st_size < 20 * len(scores.score) + 2000
    table = pl.read_parquet(path)
    assert table.columns == ["score", "pos", "neg"]
    assert table["pos"].sum() == scores.n_pos


def test_bad_counts_files(tmp_path: Path) -> None:
    scores = Scores([0, 1, 1], [0.1, 0.1, 0.9])
    with pytest.raises(ValueError, match=r"`path` must end in \.parquet"):
        write_counts(scores, tmp_path / "s.csv")
    with pytest.raises(ValueError, match=r"`score` must name 1 column\(s\)"):
        write_counts(scores, tmp_path / "s.parquet", score=("a", "b"))
    with pytest.raises(ValueError, match="`counts` must hold one model, or two with their pair"):
        write_counts(read_cases(rows(), scores=["a", "b"], **OPTIONS), tmp_path / "s.parquet")
    with pytest.raises(OSError, match="none"):
        write_counts(scores, tmp_path / "none" / "s.parquet")
    assert list(tmp_path.iterdir()) == []
    path = write_counts(scores, tmp_path / "s.parquet")
    for options, message in (
        ({"label": "y", "score": "score"}, "`label` must be a column of the data; got 'y'.*'label'"),
        ({"label": "label", "score": "t"}, "`score` must be a column of the data; got 't'"),
        (
            {"label": "label", "score": "score", "pos_label": "0"},
            "`pos_label` must be the label that was counted",
        ),
        ({"label": "label", "score": "score", "resolution": 99}, "`resolution` must be left out"),
    ):
        with pytest.raises(ValueError, match=message):
            read_scores(path, **options)  # type: ignore[call-overload]
    rows().to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="`source` must be a table of counts"):
        read_counts(tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match="`source` must be all rows or all count tables"):
        read_scores(str(tmp_path / "*.parquet"), label="label", score="score")
    (tmp_path / "rows.parquet").unlink()
    write_counts(scores, tmp_path / "t.parquet", positive="yes")
    with pytest.raises(
        ValueError, match=r"`source` must agree on 'positive' in all files \('1'\); got 'yes'"
    ):
        read_counts(str(tmp_path / "*.parquet"))
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ValueError, match="`source` must be a readable table"):
        read_counts(cut)


def test_an_old_file_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    path = write_counts(Scores([0, 1], [0, 1]), tmp_path / "s.parquet")
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_counts(Scores([0, 1, 1], [0, 1, 2]), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s.parquet"]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"x\.parquet cannot be written .*make the folder first"):
        write_counts(Scores([0, 1], [1, 2]), tmp_path / "nowhere" / "x.parquet")
