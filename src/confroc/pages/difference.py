"""A band for the difference of two curves that is quick at any size."""

from __future__ import annotations

import numpy as np

from confroc.bands import roc_band, roc_difference_band
from confroc.curve import roc_curve
from confroc.pages.data import SEED
from confroc.results import DifferenceBand, one_sided_limits
from confroc.scores import PairedScores

MANY = 5_000
"""Cases from which the bootstrap's band takes seconds a pair, and one without resampling is narrow enough."""


def difference_band(pair: PairedScores, level: float) -> DifferenceBand:
    """Return a simultaneous band for the difference of true positive rates, a − b.

    With many cases it is made of two bands (Kolmogorov's, at level (1 + level)/2 each, so that both hold
    together with `level`): the difference lies between the differences of their edges. That uses
    nothing of what the models have in common, so it is wider than it could be, and it holds by proof.
    """
    if pair.n_pos + pair.n_neg < MANY:
        return roc_difference_band(pair, confidence_level=level, rng=SEED)
    n = min(pair.n_neg, pair.n_pos)
    at = np.unique(np.concatenate([[0.0], np.geomspace(1.0 / n, 1.0, 150), np.linspace(0.0, 1.0, 201)]))
    bands = [
        roc_band(scores, method="ks_regions", confidence_level=0.5 * (1.0 + level))
        for scores in (pair.a, pair.b)
    ]
    low_a, low_b = (one_sided_limits(band.at, band.lower, at)[0] for band in bands)
    high_a, high_b = (one_sided_limits(band.at, band.upper, at)[1] for band in bands)
    tpr_a, tpr_b = (roc_curve(scores).tpr_at(at) for scores in (pair.a, pair.b))
    return DifferenceBand(
        quantity="tpr_a - tpr_b",
        at=at,
        estimate=tpr_a - tpr_b,
        lower=np.clip(low_a - high_b, -1.0, 1.0),
        upper=np.clip(high_a - low_b, -1.0, 1.0),
        confidence_level=level,
        method="ks_regions",
        guarantee="finite-sample",
        design="paired",
    )


def a_leads(band: DifferenceBand, fpr: float) -> bool:
    """Whether the band is above zero at this one of its abscissae."""
    return bool(band.lower[np.searchsorted(band.at, fpr)] > 0.0)
