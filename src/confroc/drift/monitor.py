"""A drift monitor: which new segments differ from a reference sample, and which leave its forecast.

A population stability index is never zero, drift or not, and the smaller the samples the larger it is. What
it is worth shows beside its law without drift. Between the order statistics of a sample lie shares of its
continuous population that are a Dirichlet vector, whatever the population is; so new cases of it fall into
bins that hold k₁, …, k_K of the sample's cases by multinomial counts with Dirichlet(k₁, …, k_K + 1) shares,
the last bin having no lower edge. Indices of such counts, floors and all, are the law; with ties it is close.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confroc._calls import public
from confroc._check import ArgumentError, ArgumentTypeError, check_count, check_items, check_level, make_rng
from confroc._types import RNG, BoolArray, FloatArray, IntArray
from confroc.auc import auc_interval
from confroc.drift.divergence import MOST_BINS, Divergence, bin_edges, class_divergences, shares
from confroc.drift.forecast import Forecast, auc_forecast
from confroc.drift.radius import mean_size
from confroc.resample import N_RESAMPLES, resamples_or
from confroc.results import Inference, notes_of
from confroc.scores import Scores, check_scores

COLUMNS = (
    "n_pos",
    "n_neg",
    "divergence_pos",
    "divergence_neg",
    "divergence",
    "divergence_without_drift",
    "divergence_pvalue",
    "psi",
    "psi_without_drift",
    "pvalue",
    "drifted",
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
        Its bounds are those that segments' areas are held against.
    segment : tuple of str
        Names.
    n_pos, n_neg : ndarray of int, shape (k,)
    divergence_pos, divergence_neg, divergence : ndarray of shape (k,)
        Each class's divergence from the reference on the reference's quantile bins, and their sum.
    divergence_without_drift, divergence_pvalue : ndarray of shape (k,)
        Of that sum, as below of the index.
    psi : ndarray of shape (k,)
        The population stability index: the symmetric divergence, both classes added.
    psi_without_drift : ndarray of shape (k,)
        The mean index of samples of these sizes from one population.
    pvalue : ndarray of shape (k,)
        Share of such samples whose index is at least as large, the segment itself counted as one.
    drifted : ndarray of bool, shape (k,)
        Whether that p-value, adjusted for the number of segments (Holm 1979), is at most 1 −
        `confidence_level`: the segment's scores differ from the reference's beyond sampling noise.
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
    divergence_without_drift: FloatArray
    divergence_pvalue: FloatArray
    psi: FloatArray
    psi_without_drift: FloatArray
    pvalue: FloatArray
    drifted: BoolArray
    auc: FloatArray
    lower: FloatArray
    upper: FloatArray
    outside: BoolArray
    beyond: BoolArray

    _spare = ("divergence", "psi_without_drift", "n_pos", "n_neg")

    def __len__(self) -> int:
        return len(self.segment)

    def _columns(self) -> Mapping[str, Any]:
        return {"segment": list(self.segment), **{name: getattr(self, name) for name in COLUMNS}}

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """The rows without the parts of the divergence."""
        columns, gap = super()._shown(most)
        return {name: v for name, v in columns.items() if name[:11] != "divergence_"}, gap

    def _claims(self) -> list[str]:
        bounds = f"{self.forecast.lower:.4f} to {self.forecast.upper:.4f} ({self.forecast.method})"
        return [*super()._claims(), f"outside and beyond: of the forecast {bounds}"]


@public
def drift_monitor(
    reference: Scores,
    segments: Mapping[str, Scores] | Sequence[Scores],
    *,
    forecast: Forecast | None = None,
    n_bins: int = 10,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
) -> DriftTable:
    """Hold new segments against a reference sample and its forecast.

    Parameters
    ----------
    reference : Scores
    segments : mapping of names to Scores, or sequence of Scores
    forecast : Forecast, optional
        From `auc_forecast(reference, ...)`. Default: "calibrated" at `confidence_level` for a segment of the
        mean size and no drift, so a segment outside shows drift that sampling does not explain.
    n_bins : int
        Quantile bins of each class for the divergences, shares floored at 1e-4. Without any drift the index
        is about (n_bins − 1)·Σ(1/n + 1/m) over the classes, n and m being the reference's and the segment's
        cases, and more where bins are empty.
    confidence_level : float
        Of the segments' own intervals, and of all that `drifted` says together.
    n_resamples : int, optional
        Samples without drift that each index is compared with; default 2,000.
    rng : Generator, int or None
        For these.

    Returns
    -------
    DriftTable
        `outside` and `beyond` are for each row by itself: with many segments some fall outside by chance.
        P-values are exact for scores without ties, up to the number of samples. In large samples the law they
        come from is a weighted χ² (Morin's Fig. 6 names that with 9 degrees of freedom): a class's index is
        (1/n + 1/m)·χ², its "kl" divergence half of that, with `n_bins` − 1 degrees of freedom.

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
    Morin (2018), section 3.5, and eq. 17 for the population stability index. Holm S (1979). Scandinavian
    Journal of Statistics 6, 65–70.

    Examples
    --------
    >>> from confroc import Scores, auc_forecast, drift_monitor
    >>> reference = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> worse = Scores.from_counts(range(5), pos=[18, 19, 20, 21, 22], neg=[42, 41, 40, 39, 38])
    >>> forecast = auc_forecast(reference, psi=0.1)
    >>> table = drift_monitor(reference, {"same": reference, "worse": worse}, forecast=forecast, rng=1)
    >>> table.psi.round(3), table.drifted, table.auc.round(3), table.outside
    (array([0.   , 0.427]), array([False,  True]), array([0.76, 0.53]), array([False,  True]))
    """
    check_scores("reference", reference)
    remedy = "Pass new samples to check, e.g. [next_month], or a dict of them by name."
    if isinstance(segments, Mapping):
        named = dict(segments)
    else:
        named = {str(i): s for i, s in enumerate(check_items("segments", segments, remedy))}
    if not named:
        raise ArgumentError("segments", "hold at least one segment", segments, remedy)
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
    check_level(confidence_level)
    check_count("n_bins", n_bins, minimum=2, maximum=MOST_BINS)
    count, generator = resamples_or(N_RESAMPLES, n_resamples), make_rng(rng)
    parts = np.array([class_divergences(s, reference, divergence, n_bins) for s in listed])
    psi = np.array([sum(class_divergences(s, reference, index, n_bins)) for s in listed])
    total = parts.sum(axis=1)
    none = [without_drift(reference, s, (divergence, index), n_bins, count, generator) for s in listed]
    usual = np.array([laws.mean(axis=1) for laws in none])
    pvalues = np.array(
        [
            [(1.0 + np.sum(law >= own - 1e-12)) / (1.0 + count) for law, own in zip(laws, both, strict=True)]
            for laws, both in zip(none, zip(total, psi, strict=True), strict=True)
        ]
    )
    intervals = [auc_interval(s, confidence_level=confidence_level) for s in listed]
    auc, lower, upper = (np.array([getattr(i, k) for i in intervals]) for k in ("estimate", "lower", "upper"))
    return DriftTable(
        forecast=forecast,
        segment=tuple(named),
        n_pos=np.array([s.n_pos for s in listed]),
        n_neg=np.array([s.n_neg for s in listed]),
        divergence_pos=parts[:, 0],
        divergence_neg=parts[:, 1],
        divergence=total,
        divergence_without_drift=usual[:, 0],
        divergence_pvalue=pvalues[:, 0],
        psi=psi,
        psi_without_drift=usual[:, 1],
        pvalue=pvalues[:, 1],
        drifted=_holm(pvalues[:, 1]) <= 1.0 - confidence_level + 1e-12,
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


def without_drift(
    reference: Scores,
    segment: Scores,
    divergences: Sequence[Divergence],
    n_bins: int,
    n_resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Divergences, in rows, of samples of a segment's sizes from the reference's own population."""
    total = np.zeros((len(divergences), n_resamples))
    for name in ("pos", "neg"):
        count, m = getattr(reference, name), int(getattr(segment, name).sum())
        own = shares(reference.score, count, bin_edges(reference.score, count, n_bins))
        held = own * count.sum()
        held[-1] += 1.0
        drawn = rng.multinomial(m, rng.dirichlet(held, n_resamples)) / m
        total += [d.between_each(drawn, own) for d in divergences]
    return total


def _holm(pvalue: FloatArray) -> FloatArray:
    """P-values adjusted for their number (Holm 1979)."""
    order = np.argsort(pvalue, kind="stable")
    adjusted = np.empty(len(pvalue))
    adjusted[order] = np.maximum.accumulate(pvalue[order] * np.arange(len(pvalue), 0, -1))
    return np.minimum(adjusted, 1.0)
