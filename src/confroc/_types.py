"""Names for types that many modules share."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
Ends: TypeAlias = tuple[FloatArray, FloatArray]
"""The lower and the upper ends of several intervals."""

RNG: TypeAlias = np.random.Generator | np.random.SeedSequence | int | None
"""What stands for a random generator, as in SPEC 7."""

Size: TypeAlias = tuple[int, int] | None
"""(m_pos, m_neg) of a bootstrap sample; None is the sample's own."""

Sampling: TypeAlias = Literal["stratified", "full"]
"""Whether class sizes are fixed, or vary with the share of positives."""
