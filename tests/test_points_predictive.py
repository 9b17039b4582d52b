"""Predictive values at a threshold, against scipy's own interval of a proportion."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from confroc import Scores
from confroc.points import predictive_values


def test_predictive_values_are_shares_of_those_called_so() -> None:
    scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    ppv, npv = predictive_values(scores, threshold=[np.inf, 2.0, -np.inf], confidence_level=0.9)
    # Nobody is called positive above all scores, and nobody negative below them.
    assert np.isnan([ppv.estimate[0], ppv.lower[0], ppv.upper[0], npv.estimate[2]]).all()
    assert npv.estimate[0] == 100 / 150
    for found, k, n in ((ppv, 45, 65), (npv, 80, 85)):
        interval = stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
        assert found.estimate[1] == k / n
        assert (found.lower[1], found.upper[1]) == pytest.approx((interval.low, interval.high), abs=1e-12)
        assert (str(found.method), found.kind, found.at_name) == ("wilson", "pointwise", "threshold")
    with pytest.raises(ValueError, match="`threshold`"):
        predictive_values(scores, threshold=np.nan)


@pytest.mark.filterwarnings("ignore:.*predicted classes")
def test_predictive_values_attain_their_level_when_cases_are_drawn_whatever_their_class() -> None:
    # 400 samples of 150 cases; 3 standard deviations of the count of misses at 90 % are 18, so a coverage
    # of 0.80 would be found in 99.9 % of runs.
    rng = np.random.default_rng(8)
    missed = np.zeros(2)
    for _ in range(400):
        y = (rng.random(150) < 0.4).astype(int)
        called = rng.random(150) < np.where(y == 1, 0.7, 0.2)
        truth = (0.28 / 0.4, 0.48 / 0.6)
        for k, found in enumerate(predictive_values(Scores(y, called), threshold=1.0, confidence_level=0.9)):
            missed[k] += not found.lower[0] <= truth[k] <= found.upper[0]
    assert (np.abs(missed - 40) <= 18).all()


def test_one_case_on_a_side_is_enough() -> None:
    # The highest score is called positive alone, and all but the lowest: Wilson's interval of 1 of 1.
    scores = Scores.from_counts([3, 2, 1], pos=[1, 4, 0], neg=[0, 5, 1])
    ppv, npv = predictive_values(scores, threshold=[3, 2])
    low = stats.binomtest(1, 1).proportion_ci(method="wilson").low
    assert (ppv.estimate[0], ppv.lower[0], ppv.upper[0]) == pytest.approx((1.0, low, 1.0))
    assert (npv.estimate[1], npv.lower[1], npv.upper[1]) == pytest.approx((1.0, low, 1.0))
