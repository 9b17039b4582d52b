"""Coverage in samples of clusters, of what other tests of clusters leave out.

80 clusters of 1 to 6 cases: 30% are positive, scores are normal with unit variance, half of it shared within
a cluster, and those of positives are 1.2 higher.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

from confroc import (
    BinormalModel,
    PairedScores,
    Scores,
    interval,
    rates_at_positive_rate,
    rates_difference_at_positive_rate,
    risk_coverage_curve,
    roc_band,
)
from confroc.bands import ks_statistic
from confroc.statistics import Metric

pytestmark = pytest.mark.slow

PREVALENCE, SHIFT, CUT, SHARE = 0.3, 1.2, 1.0, 0.3
CURVE = BinormalModel(a=SHIFT, b=1.0)


def rates(cut: float) -> tuple[float, float]:
    """True and false positive rate of the population."""
    return float(special.ndtr(SHIFT - cut)), float(special.ndtr(-cut))


def called(cut: float) -> float:
    tpr, fpr = rates(cut)
    return PREVALENCE * tpr + (1.0 - PREVALENCE) * fpr


TPR, FPR = rates(CUT)
PPV = PREVALENCE * TPR / called(CUT)
AT = optimize.brentq(lambda cut: called(cut) - SHARE, -5.0, 5.0)
PRECISION = PREVALENCE * rates(AT)[0] / SHARE


def drawn(rng: np.random.Generator, models: int = 1) -> Any:
    cluster = np.repeat(np.arange(80), rng.integers(1, 7, 80))
    y = rng.random(len(cluster)) < PREVALENCE
    shared = np.sqrt(0.5) * rng.normal(size=(models, 80))[:, cluster]
    score = SHIFT * y + shared + np.sqrt(0.5) * rng.normal(size=(models, len(y)))
    return (Scores if models == 1 else PairedScores)(y, *score, cluster=cluster)


def inside(found: Any, truth: float) -> bool:
    return bool(np.ravel(found.lower)[0] <= truth <= np.ravel(found.upper)[0])


COVERS: dict[str, Callable[[np.random.Generator], bool]] = {
    "ppv": lambda rng: inside(interval(drawn(rng), Metric("ppv", threshold=CUT)), PPV),
    "f1": lambda rng: inside(
        interval(drawn(rng), Metric("f1", threshold=CUT)), 2.0 * PPV * TPR / (PPV + TPR)
    ),
    "kolmogorov_smirnov": lambda rng: inside(ks_statistic(drawn(rng)), 2.0 * special.ndtr(SHIFT / 2.0) - 1.0),
    "roc_band": lambda rng: roc_band(drawn(rng)).contains(CURVE.tpr),
    "tpr at a predicted-positive rate": lambda rng: inside(
        rates_at_positive_rate(drawn(rng), positive_rate=SHARE).tpr, rates(AT)[0]
    ),
    "difference at a predicted-positive rate": lambda rng: inside(
        rates_difference_at_positive_rate(drawn(rng, 2), positive_rate=SHARE).tpr, 0.0
    ),
    "selective risk": lambda rng: inside(risk_coverage_curve(drawn(rng), coverage=SHARE), 1.0 - PRECISION),
}


@pytest.mark.parametrize("name", COVERS)
def test_coverage_of_clusters(name: str) -> None:
    """At least 176 of 200. False alarms at 0.95 in 2 of 100,000, at 0.8 missed in 2 of 1,000."""
    rng = np.random.default_rng(20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        covered = sum(COVERS[name](rng) for _ in range(200))
    assert covered >= 176
