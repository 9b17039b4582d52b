"""Shared type aliases."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
Ends: TypeAlias = tuple[FloatArray, FloatArray]
"""Lower and upper limits of several intervals."""

RNG: TypeAlias = np.random.Generator | np.random.SeedSequence | int | None
"""A random generator or seed, as in SPEC 7."""

Size: TypeAlias = tuple[int, int] | None
"""(m_pos, m_neg) of a bootstrap sample; None means as in the sample."""

Sampling: TypeAlias = Literal["stratified", "full"]
"""Whether class sizes are fixed, or vary with a random sample of all cases."""
