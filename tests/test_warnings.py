"""Warnings: once for each cause and line of a program, whatever the data."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import confroc
from confroc import ConfrocWarning, PairedScores, Scores, ScoreStream, UnpairedScores
from confroc._check import held, warn
from support import slow


def arrays(i: int, n: int = 12) -> tuple[Any, Any, Any]:
    """Small samples: perfect, reversed and others."""
    rng = np.random.default_rng(i)
    y = np.arange(n) % 2
    shift = (-9.0, 0.0, 0.5, 9.0)[i % 4]
    return y, rng.normal(size=n) + shift * y, rng.normal(size=n) + shift * y


def rounded(i: int) -> Scores:
    y, a, _ = arrays(i, 60)
    stream = ScoreStream([-3.0, -1.0 - i / 99, 0.0, 1.0, 3.0])
    stream.update(y, a)
    return stream.scores()


def written(i: int, folder: Path) -> Path:
    """Rows with a column that repeats, whose file has no end; numbers differ by file, the name does not."""
    rows = "\n".join(f"{j % 2},{np.random.default_rng(j + i).normal()},{j // 2}" for j in range(20 + i))
    path = folder / "cases.csv"
    path.write_text(f"y,s,patient\n{rows}", encoding="utf-8")
    return path


CALLS: dict[str, Callable[[int, Path], Any]] = {
    "scores": lambda i, _: Scores(*arrays(i)[:2]),
    "predicted classes": lambda i, _: Scores(np.arange(40) % 2, np.arange(40 + i)[i:] % 3 > 0),
    "turned": lambda i, _: -Scores(*arrays(i)[:2]),
    "auc_interval": lambda i, _: confroc.auc_interval(*arrays(i)[:2], method="delong"),
    "auc_difference": lambda i, _: confroc.auc_difference(*arrays(i), method="delong"),
    "auc_comparison": lambda i, _: confroc.auc_comparison(
        PairedScores(*arrays(i), arrays(i + 4)[1]), method="delong"
    ),
    "auc_equality_test": lambda i, _: confroc.auc_equality_test(*arrays(i), n_resamples=20, rng=0),
    "average_precision": lambda i, _: confroc.average_precision(*arrays(i)[:2]),
    "tpr_at_fpr": lambda i, _: confroc.tpr_at_fpr(*arrays(i)[:2], fpr=0.2, method="exact_bootstrap"),
    "rates_at_threshold": lambda i, _: confroc.rates_at_threshold(
        *arrays(i)[:2], threshold=0.1, method="wald"
    ),
    "roc_band": lambda i, _: confroc.roc_band(*arrays(i)[:2], method="bootstrap", n_resamples=60, rng=0),
    "pointwise band": lambda i, _: confroc.roc_band(*arrays(i)[:2], method="ks_regions"),
    "auc_forecast": lambda i, _: confroc.auc_forecast(*arrays(i)[:2], jeffreys=0.1),
    "rounded scores": lambda i, _: confroc.auc_equality_test(
        UnpairedScores(rounded(i), rounded(i + 4)), n_resamples=20, rng=0
    ),
    "audit": lambda i, _: confroc.audit(Scores(*arrays(4 * i + 2, 40)[:2]), replications=20, rng=0),
    "auc_power": lambda i, _: confroc.auc_power(
        0.95, n_pos=5 + i, n_neg=6, method="simulation", n_resamples=20, rng=0
    ),
    "read_scores": lambda i, folder: confroc.read_scores(written(i, folder), label="y", score="s"),
    "corrected_prevalence": lambda i, _: confroc.corrected_prevalence(
        1, 100 + i, sensitivity=(6, 10), specificity=(5, 10)
    ),
}


SILENT = ("audit", "auc_power")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", slow(CALLS, "auc_forecast", "audit"))
def test_each_cause_is_shown_once_in_a_loop(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's filter shows a text once a line, unless something made it forget what it has shown."""
    shown: list[str] = []
    monkeypatch.setattr(warnings, "showwarning", lambda message, *_args, **_more: shown.append(str(message)))
    with held():
        # Libraries that are loaded now change the filters.
        for i in range(8):
            CALLS[name](i, tmp_path)
    for i in range(8):
        CALLS[name](i, tmp_path)
    counts = Counter(shown)
    assert all(times == 1 for times in counts.values()), counts
    assert counts or name in SILENT


def test_held_warnings_are_kept_in_order_and_not_shown() -> None:
    with held() as outer:
        warn("first")
        with held() as inner:
            warn("second")
        warn("third")
    assert (outer, inner) == (["first", "third"], ["second"])
    with pytest.warns(ConfrocWarning, match="fourth"):
        warn("fourth")
