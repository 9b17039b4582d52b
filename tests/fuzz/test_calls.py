"""Hostile calls of everything public: each ends in a sound result or in a clear refusal.

`CONFROC_FUZZ_CALLS` says how many; where it is given, they differ from run to run, and pytest prints how to
repeat what failed. `hostile.py` says what is called with what, and what may come of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import hostile
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confroc

pytestmark = pytest.mark.slow
CALLS = int(os.environ.get("CONFROC_FUZZ_CALLS", "2000"))


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Files, and a classifier, that arguments may name."""
    from sklearn.linear_model import LogisticRegression

    folder = tmp_path_factory.mktemp("hostile")
    rows = [f"{i % 2},{i * 7 % 10},{i * 3 % 7},{i % 3}" for i in range(40)]
    (folder / "a.csv").write_text("\n".join(["y,s,t,part", *rows, ""]))
    import polars as pl

    pl.read_csv(folder / "a.csv").write_parquet(folder / "a.parquet")
    confroc.write_counts(hostile.sample(30, 40), path=folder / "counts.parquet")
    features = np.arange(12.0).reshape(6, 2)
    fitted = LogisticRegression().fit(features, [0, 1, 0, 1, 0, 1])
    hostile.SPACE.update(FILES=str(folder), CLASSIFIER=fitted, FEATURES=features)
    before = os.getcwd()
    os.chdir(folder)
    yield
    os.chdir(before)
    import matplotlib.pyplot as plt

    plt.close("all")


def weight(name: str) -> int:
    """How many of the calls: more of functions with more arguments."""
    return 2 + len(hostile.parameters_of(name))


TOTAL = sum(map(weight, hostile.TARGETS))


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("name", hostile.TARGETS)
def test_hostile_calls(name: str) -> None:
    @hostile.settings_of(max(1, round(CALLS * weight(name) / TOTAL)))
    @given(st.data())
    def attack(data: st.DataObject) -> None:
        text = data.draw(hostile.calls(name))
        wrong = hostile.verdict(text)
        assert wrong is None, f"{text}\n    {wrong}"

    attack()
