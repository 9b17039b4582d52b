"""Names for array types."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
Ends: TypeAlias = tuple[FloatArray, FloatArray]
"""The lower and the upper ends of several intervals."""
Sampling: TypeAlias = Literal["stratified", "full"]
"""Whether class sizes are fixed, or vary with the share of positives."""
