"""Counting the cases of a bootstrap resample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import IntArray


def count_drawn(cases: NDArray[np.int32], drawn: NDArray[np.uint32], counts: IntArray) -> None:
    """Add one to the row of every case drawn."""
    for i in range(drawn.shape[0]):
        counts[cases[drawn[i]]] += 1
