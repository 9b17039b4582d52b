"""A band for the difference of two curves that is quick at any size."""

from __future__ import annotations

from confroc.bands import roc_difference_band
from confroc.pages.data import SEED
from confroc.results import DifferenceBand
from confroc.scores import PairedScores

MANY = 5_000
"""Cases from which the bootstrap's band takes seconds a pair, and one without resampling is narrow enough."""


def difference_band(pair: PairedScores, level: float) -> DifferenceBand:
    """Return a simultaneous band for the difference of true positive rates, a − b.

    With many cases it needs no resampling, and is wider than it could be.
    """
    if pair.n_pos + pair.n_neg < MANY:
        return roc_difference_band(pair, confidence_level=level, rng=SEED)
    return roc_difference_band(pair, method="ks_regions", confidence_level=level)


def a_leads(band: DifferenceBand, fpr: float) -> bool:
    """Whether the band is above zero at this one of its abscissae."""
    return bool((band.lower[band.at == fpr] > 0.0).any())
