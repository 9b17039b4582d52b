"""What the methods of bands share: the class, what it returns, and the number of resamples."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from confroc._check import ArgumentError
from confroc._types import FloatArray
from confroc.bands.edges import Edges, FprRange
from confroc.base import Ability, Guarantee, Kind, Method, Resampling, method_class
from confroc.curve import RocCurve
from confroc.inference import for_dependent, one, resized
from confroc.resample import N_BAND_RESAMPLES, check_resamples
from confroc.scores import Pair, Scores, models_of
from confroc.statistics.area import Auc

ONE_RATE = "Its level is that of one rate at a time; as a band it covers the whole curve far less often."

Calibration: TypeAlias = Literal["bootstrap", "exact"]


class BandOutcome(NamedTuple):
    """What a method of bands returns.

    Attributes
    ----------
    edges : Edges
    curve : RocCurve, optional
        The curve in the band where it is not that of the data.
    estimate : ndarray, optional
        Of a difference, its values on the grid of the edges. They are then used as they are.
    used : Method, optional
        The method really used, where it is another one or some of its options play no part.
    guarantee : str, optional
        Where it is not the method's.
    notes : tuple of str
    pvalue : float
        Of the hypothesis that the scores are calibrated probabilities; NaN of other bands.
    """

    edges: Edges
    curve: RocCurve | None = None
    estimate: FloatArray | None = None
    used: Method | None = None
    guarantee: Guarantee | None = None
    notes: tuple[str, ...] = ()
    pvalue: float = math.nan


@method_class
class BandMethod(Method):
    """A way to make a band around a whole curve.

    A method returns edges. The function that was called adds what all bands share: the range of the
    abscissae, rounded scores (of a difference the method allows for them), notes, and the curve.

    Attributes
    ----------
    of_curves : bool
        Whether several curves can be given in place of a table.
    """

    serves: ClassVar[tuple[tuple[str, Ability], ...]] = (("roc", "band"),)
    instead: ClassVar[str] = "Use 'equal_local_levels' with its default calibration."
    of_curves: ClassVar[bool] = False

    @property
    def kind(self) -> Kind:
        """Whether the level is for one rate at a time or for the whole curve."""
        return "simultaneous"

    def band(self, data: Any, level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the edges of a band of a table, a pair of models, or several tables with a curve each.

        Parameters
        ----------
        data : Scores, PairedScores, UnpairedScores or tuple of Scores
        level : float
            Probability that the band contains the whole curve.
        fpr_range : (float, float)
            Abscissae for which the band is wanted. The edges may go on beyond them.
        """
        raise NotImplementedError


B = TypeVar("B", bound=BandMethod)


def allowing(method: B, data: Scores | Pair) -> tuple[B, Any]:
    """Return the method for the cases of a table, and the table that it is given.

    Where it is given a sample of independent cases, that is as informative of the area: cases vary together
    in their placements at least as much as in being above a threshold.
    """
    if all(table.design is None for table in models_of(data)):
        return method, data
    method = for_dependent(method)
    if method.dependence == "own":
        return method, data
    assert isinstance(data, Scores)
    return method, resized(one(data, Auc())).table


@method_class
class ResampledBand(Resampling, BandMethod):
    """What methods of bands that draw resamples share.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples, at least 2/(1 − confidence_level), or 2 for averaging with "normal" or "binomial"
        intervals. Default: 999, or as many as the level needs.
    """

    def count(self, level: float) -> int:
        """Return the number of resamples from which a quantile is read."""
        return check_resamples(self.n_resamples, level, N_BAND_RESAMPLES)


@method_class
class CalibratedBand(ResampledBand):
    """What methods of bands share whose local level is calibrated by resamples, or exactly.

    Attributes
    ----------
    calibration : {"bootstrap", "exact"}
        How the local level is found; "exact" draws no resamples.
    """

    calibration: Calibration = "bootstrap"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.calibration == "exact" and self.n_resamples is not None:
            rule = "be left out with calibration 'exact'"
            raise ArgumentError("n_resamples", rule, self.n_resamples, "Leave it out.")

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "finite-sample" if self.calibration == "exact" else "bootstrap"
