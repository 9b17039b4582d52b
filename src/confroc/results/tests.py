"""Which of two models is better on both axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from confroc._types import FloatArray
from confroc.base import Guarantee, Kind, Method
from confroc.results.base import Result


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dominance(Result):
    """Probabilities that one model is better than the other on both axes at once.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    a_over_b : ndarray of shape (h,)
        Probability that a has no more false positives and no fewer true positives than b, and is strictly
        better on at least one axis.
    b_over_a : ndarray of shape (h,)
    design : {"paired", "unpaired"}
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    dominance_at_threshold : Makes one.
    """

    threshold_a: FloatArray
    threshold_b: FloatArray
    a_over_b: FloatArray
    b_over_a: FloatArray
    design: Literal["paired", "unpaired"]
    method: Method | str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def __len__(self) -> int:
        return len(self.threshold_a)

    def _columns(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in ("threshold_a", "threshold_b", "a_over_b", "b_over_a")}
