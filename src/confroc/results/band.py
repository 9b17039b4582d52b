"""A simultaneous band for a whole curve, and what it contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from confroc._types import FloatArray
from confroc.results.base import Guarantee, Kind, Result, read_only
from confroc.results.polyline import one_sided_limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc import plot


class Curve(Protocol):
    """Anything with the coordinates of an ROC curve, such as `RocCurve`."""

    @property
    def fpr(self) -> FloatArray:
        """Non-decreasing false positive rates."""
        ...

    @property
    def tpr(self) -> FloatArray:
        """The true positive rates that go with them."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Band(Result):
    """A simultaneous confidence band for a whole ROC curve.

    Attributes
    ----------
    fpr : ndarray of shape (g,)
        Non-decreasing abscissae from 0 to 1; a repeated value is a jump of one of the edges.
    lower, upper : ndarray of shape (g,)
        The edges, linear between neighbouring abscissae, inside [0, 1].
    tpr : ndarray of shape (g,)
        The empirical curve on the same abscissae.
    confidence_level : float
        Probability that the band holds the whole true curve.
    method, guarantee, notes, kind
        As in `Interval`.
    """

    fpr: FloatArray
    tpr: FloatArray
    lower: FloatArray
    upper: FloatArray
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "simultaneous"

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr", "lower", "upper"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def _columns(self) -> Mapping[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr, "lower": self.lower, "upper": self.upper}

    @property
    def area(self) -> float:
        """Area between the two edges."""
        return float(np.trapezoid(self.upper - self.lower, self.fpr))

    def contains(self, curve: Curve | tuple[ArrayLike, ArrayLike]) -> bool:
        """Whether a curve lies inside the band everywhere.

        Parameters
        ----------
        curve : RocCurve, or (fpr, tpr)
            Joined by straight lines, as ROC curves are; repeated fpr are vertical steps.

        Notes
        -----
        Exact: curve and edges are linear between their joint abscissae, so the one-sided limits there
        decide. Rounding of 1e-12 is forgiven.
        """
        x, y = curve if isinstance(curve, tuple) else (curve.fpr, curve.tpr)
        x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        at = np.union1d(x, self.fpr)
        inside = True
        sides = zip(
            one_sided_limits(x, y, at),
            one_sided_limits(self.fpr, self.lower, at),
            one_sided_limits(self.fpr, self.upper, at),
            strict=True,
        )
        for value, low, high in sides:
            inside &= bool(((value >= low - 1e-12) & (value <= high + 1e-12)).all())
        return inside

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.BandDisplay:
        """Draw the curve inside its band; see `confroc.plot.BandDisplay`."""
        from confroc.plot import BandDisplay

        return BandDisplay(self).plot(ax=ax, **kwargs)
