"""Multiplicity adjustment of tests and intervals, valid under any dependence.

References
----------
Holm S (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics
6, 65-70. The intervals are Bonferroni's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from confroc._types import FloatArray


def holm(pvalues: ArrayLike) -> FloatArray:
    """Return Holm's adjusted p-values; those at most α are significant at familywise level α.

    The i-th smallest of n is multiplied by n − i + 1, and made non-decreasing.

    Parameters
    ----------
    pvalues : array-like of shape (n,)
        In [0, 1].
    """
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def joint_level(confidence_level: float, n: int) -> float:
    """Return the Bonferroni level of each of n intervals for simultaneous coverage `confidence_level`."""
    return 1.0 - (1.0 - confidence_level) / max(n, 1)
