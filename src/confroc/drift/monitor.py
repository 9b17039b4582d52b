"""A drift monitor: which new segments leave the forecast made from a reference sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.auc import auc_interval
from confroc.drift.divergence import Divergence, class_divergences
from confroc.drift.forecast import Forecast, auc_forecast, mean_size
from confroc.results import Inference, notes_of
from confroc.scores import Scores, check_scores

COLUMNS = (
    "n_pos",
    "n_neg",
    "divergence_pos",
    "divergence_neg",
    "divergence",
    "psi",
    "auc",
    "lower",
    "upper",
    "outside",
    "beyond",
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DriftTable(Inference):
    """New segments against a reference: one row a segment.

    Attributes
    ----------
    forecast : Forecast
        Of the reference; its bounds are those that segments are held against.
    segment : tuple of str
        Names.
    n_pos, n_neg : ndarray of int, shape (k,)
    divergence_pos, divergence_neg, divergence : ndarray of shape (k,)
        Each class's divergence from the reference on the reference's quantile bins, and their sum.
    psi : ndarray of shape (k,)
        The population stability index: the symmetric divergence, both classes added.
    auc, lower, upper : ndarray of shape (k,)
        The segment's own area and its interval.
    outside : ndarray of bool, shape (k,)
        Whether the area itself lies outside the forecast.
    beyond : ndarray of bool, shape (k,)
        Whether the whole interval does, so that the segment's sampling error does not explain it.
    confidence_level, method, guarantee, notes, kind
        Of the segments' intervals; as in `Inference`.
    """

    forecast: Forecast
    segment: tuple[str, ...]
    n_pos: IntArray
    n_neg: IntArray
    divergence_pos: FloatArray
    divergence_neg: FloatArray
    divergence: FloatArray
    psi: FloatArray
    auc: FloatArray
    lower: FloatArray
    upper: FloatArray
    outside: BoolArray
    beyond: BoolArray

    def __len__(self) -> int:
        return len(self.segment)

    def _columns(self) -> Mapping[str, Any]:
        return {"segment": list(self.segment), **{name: getattr(self, name) for name in COLUMNS}}

    def _shown(self, most: int | None) -> Mapping[str, Any]:
        """The rows without the divergence of each class, so that they fit a line."""
        return {name: v for name, v in super()._shown(most).items() if name[:11] != "divergence_"}

    def _claims(self) -> list[str]:
        return [*super()._claims(), f"reference {self.forecast}"]


def drift_monitor(
    reference: Scores,
    segments: Mapping[str, Scores] | Sequence[Scores],
    *,
    forecast: Forecast | None = None,
    n_bins: int = 10,
    confidence_level: float = 0.95,
) -> DriftTable:
    """Hold new segments against the forecast of a reference sample.

    Parameters
    ----------
    reference : Scores
    segments : mapping of names to Scores, or sequence of Scores
    forecast : Forecast, optional
        From `auc_forecast(reference, ...)`. Default: "calibrated" at `confidence_level` for a segment of the
        mean size and no drift, so a segment outside shows drift that sampling does not explain.
    n_bins : int
        Quantile bins of each class for the divergences, shares floored at 1e-4. Without any drift a
        divergence "kl" is about (n_bins − 1)/2·(1/n₊ + 1/n₋), the index twice that.
    confidence_level : float
        Of the segments' own intervals.

    Returns
    -------
    DriftTable
        Each row by itself: with many segments some fall outside by chance.

    Raises
    ------
    ValueError
        Without segments.

    See Also
    --------
    auc_forecast : Makes the forecast.
    confroc.ingest.read_segments : Reads segments by a column or from files.

    References
    ----------
    Morin (2018), section 3.5, and eq. 17 for the population stability index.

    Examples
    --------
    >>> from confroc import Scores, auc_forecast, drift_monitor
    >>> reference = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> worse = Scores.from_counts(range(5), pos=[18, 19, 20, 21, 22], neg=[42, 41, 40, 39, 38])
    >>> forecast = auc_forecast(reference, psi=0.1)
    >>> table = drift_monitor(reference, {"same": reference, "worse": worse}, forecast=forecast)
    >>> table.psi.round(3), table.auc.round(3), table.outside
    (array([0.   , 0.427]), array([0.76, 0.53]), array([False,  True]))
    """
    check_scores("reference", reference)
    named = dict(segments) if isinstance(segments, Mapping) else {str(i): s for i, s in enumerate(segments)}
    if not named:
        raise ArgumentError("segments", "hold at least one segment", segments, "Pass new samples to check.")
    for name, s in named.items():
        check_scores(f"segments[{name}]", s)
    listed = list(named.values())
    if forecast is None:
        forecast = auc_forecast(
            reference,
            method="calibrated",
            confidence_level=confidence_level,
            size=mean_size(listed),
        )
    elif not isinstance(forecast, Forecast):
        raise ArgumentTypeError(
            "forecast", "be a Forecast", type(forecast).__name__, "Make one with auc_forecast(reference)."
        )
    divergence, index = Divergence(forecast.divergence), Divergence("jeffreys")
    parts = np.array([class_divergences(s, reference, divergence, n_bins) for s in listed])
    intervals = [auc_interval(s, confidence_level=confidence_level) for s in listed]
    auc, lower, upper = (np.array([getattr(i, k) for i in intervals]) for k in ("estimate", "lower", "upper"))
    return DriftTable(
        forecast=forecast,
        segment=tuple(named),
        n_pos=np.array([s.n_pos for s in listed]),
        n_neg=np.array([s.n_neg for s in listed]),
        divergence_pos=parts[:, 0],
        divergence_neg=parts[:, 1],
        divergence=parts.sum(axis=1),
        psi=np.array([sum(class_divergences(s, reference, index, n_bins)) for s in listed]),
        auc=auc,
        lower=lower,
        upper=upper,
        outside=(auc < forecast.lower) | (auc > forecast.upper),
        beyond=(upper < forecast.lower) | (lower > forecast.upper),
        confidence_level=confidence_level,
        method=" or ".join(dict.fromkeys(i.method for i in intervals)),
        guarantee="asymptotic",
        notes=notes_of(*intervals),
    )
