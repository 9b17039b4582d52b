"""Base classes of band methods."""

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
from confroc.scores import Scores
from confroc.statistics.area import Auc

ONE_RATE = "Pointwise level; coverage of the whole curve is much lower."

Calibration: TypeAlias = Literal["bootstrap", "exact"]


class BandOutcome(NamedTuple):
    """Result of a band method.

    Attributes
    ----------
    edges : Edges
    curve : RocCurve, optional
        The curve inside the band, if not that of the data.
    estimate : ndarray, optional
        For a difference, its values on the grid of the edges, used unchanged.
    used : Method, optional
        The method used, if another one or with other options.
    guarantee : str, optional
        If it differs from the method's.
    notes : tuple of str
    pvalue : float
        P-value of the hypothesis of calibration; NaN for other bands.
    least_pvalue : float
        The smallest p-value possible with these resamples; 0 for closed forms.
    """

    edges: Edges
    curve: RocCurve | None = None
    estimate: FloatArray | None = None
    used: Method | None = None
    guarantee: Guarantee | None = None
    notes: tuple[str, ...] = ()
    pvalue: float = math.nan
    least_pvalue: float = 0.0


@method_class
class BandMethod(Method):
    """A method for a simultaneous band of a whole curve.

    A method returns edges. The caller adds the common steps: the range of the abscissae, widening for rounded
    scores (done by the method for a difference), notes, and the curve.

    Attributes
    ----------
    of_curves : bool
        Whether several curves are accepted in place of a table.
    """

    serves: ClassVar[tuple[tuple[str, Ability], ...]] = (("roc", "band"),)
    instead: ClassVar[str] = "Use 'equal_local_levels' with its default calibration."
    of_curves: ClassVar[bool] = False
    kind: ClassVar[Kind] = "simultaneous"

    def band(self, data: Any, level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the edges of a band for a table, a pair of models, or several tables with one curve each.

        Parameters
        ----------
        data : Scores, PairedScores, UnpairedScores or tuple of Scores
        level : float
            Probability that the band contains the whole curve.
        fpr_range : (float, float)
            Range of abscissae of the band. The edges may extend beyond it.
        """
        raise NotImplementedError


B = TypeVar("B", bound=BandMethod)


def allowing(method: B, scores: Scores) -> tuple[B, Scores]:
    """Return the method for the cases of a table, and the table it uses.

    If this is an equally informative sample of independent cases, effective sizes are those for the AUC:
    placements are at least as dependent as indicators of exceeding a threshold.
    """
    if scores.design is None:
        return method, scores
    method = for_dependent(method)
    return method, scores if method.dependence == "own" else resized(one(scores, Auc())).table


@method_class
class ResampledBand(Resampling, BandMethod):
    """Base class of resampling band methods.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples, at least 2/(1 − confidence_level), or 2 for averaging with "normal" or "binomial"
        intervals. Default: 999, or as many as the level requires.
    """

    def count(self, level: float) -> int:
        """Return the number of resamples for a quantile."""
        return check_resamples(self.n_resamples, level, N_BAND_RESAMPLES)


@method_class
class CalibratedBand(ResampledBand):
    """Base class of bands with a local level calibrated by resampling or exactly.

    Attributes
    ----------
    calibration : {"bootstrap", "exact"}
        Calibration of the local level; "exact" draws no resamples.
    """

    calibration: Calibration = "bootstrap"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.calibration == "exact" and self.n_resamples is not None:
            rule = "be omitted with calibration 'exact'"
            raise ArgumentError("n_resamples", rule, self.n_resamples, "Omit it.")

    @property
    def guarantee(self) -> Guarantee:
        """Basis of the coverage."""
        return "finite-sample" if self.calibration == "exact" else "bootstrap"
