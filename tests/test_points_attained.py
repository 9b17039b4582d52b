"""Thresholds for a wanted rate, against every sample of a few cases and the binomial distribution."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from confroc import Scores, fpr_at_tpr, threshold_at, tpr_at_fpr

pytestmark = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")

RNG = np.random.default_rng(7)
CONTINUOUS = Scores(np.repeat([0, 1], [200, 150]), RNG.normal(size=350) + np.repeat([0.0, 1.0], [200, 150]))


def test_thresholds_are_those_that_the_rates_carry() -> None:
    found = threshold_at(CONTINUOUS, fpr=[0.05, 0.2])
    rate = tpr_at_fpr(CONTINUOUS, fpr=[0.05, 0.2])
    np.testing.assert_array_equal(found.threshold.estimate, rate.threshold)
    np.testing.assert_array_equal(found.rate.lower, rate.lower)
    other = threshold_at(CONTINUOUS, tpr=0.9)
    np.testing.assert_array_equal(other.threshold.estimate, fpr_at_tpr(CONTINUOUS, tpr=0.9).threshold)
    assert "guaranteed" in repr(found)


@pytest.mark.parametrize("masses", [(0.5, 0.3, 0.2), (0.7, 0.2, 0.1), (0.1, 0.8, 0.1), (0.25, 0.25, 0.5)])
@pytest.mark.parametrize("rate", [0.2, 0.3, 0.6])
@pytest.mark.parametrize("name", ["fpr", "tpr"])
def test_coverage_over_every_sample_of_five_of_tied_scores(
    masses: tuple[float, ...], rate: float, name: str
) -> None:
    # Scores 0, 1, 2; the other class, at -1, 0.5 and 3, must not matter.
    reach = np.cumsum(masses[::-1])[::-1]
    if name == "fpr":
        true = float(next((t for t in range(3) if reach[t] - masses[t] <= rate + 1e-12), 2))
    else:
        true = float(max(t for t in range(3) if reach[t] >= rate - 1e-12))
    covered = kept = 0.0
    for sample in itertools.combinations_with_replacement(range(3), 5):
        chance = float(stats.multinomial.pmf(np.bincount(sample, minlength=3), 5, masses))
        y = np.array([0] * 5 + [1] * 3) if name == "fpr" else np.array([1] * 5 + [0] * 3)
        table = Scores(y, [*sample, -1.0, 0.5, 3.0])
        found = threshold_at(table, confidence_level=0.7, **{name: rate})  # type: ignore[arg-type]
        covered += chance * bool(found.threshold.lower[0] <= true <= found.threshold.upper[0])
        at = found.guaranteed[0]
        attained = sum(m for s, m in enumerate(masses) if s >= at)
        kept += chance * (attained <= rate + 1e-12 if name == "fpr" else attained >= rate - 1e-12)
    assert covered >= 0.7 - 1e-12
    assert kept >= 0.7 - 1e-12


def test_number_of_negatives_needed() -> None:
    y = np.repeat([0, 1], [58, 5])
    found = threshold_at(Scores(y, np.arange(63.0)), fpr=0.05)
    assert found.guaranteed[0] == np.inf
    assert "at least 59 negatives are needed" in found.threshold.notes[0]
    enough = threshold_at(Scores(np.repeat([0, 1], [59, 5]), np.arange(64.0)), fpr=0.05)
    assert enough.guaranteed[0] == 59.0
    assert not enough.threshold.notes
    assert "29956 negatives" in threshold_at(CONTINUOUS, fpr=1e-4).threshold.notes[0]
    assert "positives" in threshold_at(CONTINUOUS, tpr=0.999).threshold.notes[0]


def test_refusals() -> None:
    with pytest.raises(ValueError, match="one of the two"):
        threshold_at(CONTINUOUS)
    with pytest.raises(ValueError, match="one of the two"):
        threshold_at(CONTINUOUS, fpr=0.1, tpr=0.9)
    with pytest.raises(ValueError, match="strictly between"):
        threshold_at(CONTINUOUS, fpr=0.0)
    clustered = Scores([0, 1, 0, 1], [1, 2, 3, 4], cluster=[1, 1, 2, 2])
    with pytest.raises(ValueError, match="independent"):
        threshold_at(clustered, fpr=0.5)
