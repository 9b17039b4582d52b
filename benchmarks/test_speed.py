"""Time of every public function, by pytest-benchmark.

Run it by `pytest benchmarks/test_speed.py --benchmark-columns=median,iqr,rounds --benchmark-sort=name`; add
`--benchmark-autosave`, and later `--benchmark-compare`, to see what a change has done. The functions and
their arguments are those of `growth.py`, on 100,000 cases; scikit-learn stands beside the curve.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import confroc
from growth import GROUPS, Sample

pytest.importorskip("pytest_benchmark", reason="needs pytest-benchmark")

CASES = 100_000


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(CASES, Path(tmp_path_factory.mktemp("benchmark")))


@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, works in GROUPS.items() for name in works]
)
def test_function(group: str, name: str, sample: Sample, benchmark: Any) -> None:
    benchmark.group = group
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", confroc.ConfrocWarning)
        GROUPS[group][name](sample)
        benchmark.pedantic(GROUPS[group][name], args=(sample,), rounds=3)


def test_scikit_learn_curve(sample: Sample, benchmark: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn")
    benchmark.group = "Curve from arrays"
    benchmark(lambda: (metrics.roc_curve(sample.y, sample.a), metrics.roc_auc_score(sample.y, sample.a)))


def test_curve(sample: Sample, benchmark: Any) -> None:
    benchmark.group = "Curve from arrays"
    benchmark(lambda: confroc.roc_curve(confroc.Scores(sample.y, sample.a)))
