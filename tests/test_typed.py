"""Calls as mypy sees them: `mypy` checks this file, and an error that is expected must be one."""

from __future__ import annotations

import numpy as np
import pytest

from confroc import (
    Interval,
    Intervals,
    PairedScores,
    Scores,
    auc_comparison,
    auc_difference,
    auc_interval,
    expected_cost,
    report,
    roc_band,
    tpr_at_fpr,
)
from confroc.results import Difference

Y, A, B = [1, 1, 0, 0, 1, 0], [6, 2, 3, 1, 5, 4], np.array([4.0, 6.0, 2.0, 1.0, 5.0, 3.0])
ONE, PAIR = Scores(Y, A), PairedScores(Y, A, B)


def test_types_of_results() -> None:
    interval: Interval = auc_interval(ONE, confidence_level=0.9)
    of_arrays: Interval = auc_interval(Y, A, confidence_level=0.9)
    assert interval == of_arrays
    rates: Intervals = tpr_at_fpr(Y, A, fpr=[0.4, 0.7])
    assert rates == tpr_at_fpr(ONE, fpr=[0.4, 0.7])
    difference: Difference = auc_difference(Y, A, B, pos_label=1)
    assert difference == auc_difference(PAIR)
    assert auc_comparison(Y, {"a": A, "b": B}) == auc_comparison(PAIR)
    given = roc_band([ONE, Scores(Y, B)] * 2, method="fixed_width", confidence_level=0.5)
    assert given.guarantee == "none"


def test_types_of_wrong_calls() -> None:
    with pytest.raises(TypeError, match="`scores` must be a Scores"):
        auc_interval("scores")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="unexpected keyword argument 'methd'"):
        auc_interval(ONE, methd="delong")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="by position and fpr="):
        tpr_at_fpr(ONE, 0.1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'fpr'"):
        tpr_at_fpr(ONE)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="by position and its options by"):
        auc_interval(Y, A, B)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="by position and path="):
        report(ONE, "report.html")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="missing 2 required keyword-only arguments"):
        expected_cost(ONE)  # type: ignore[call-overload]
