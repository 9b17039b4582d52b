"""`roc_band`: bands for one ROC curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from confroc._check import ArgumentError, check_level, warned
from confroc._options import RocBandOptions

# Imported to register their classes.
from confroc.bands import (  # noqa: F401
    averaging,
    ball,
    fixed_width,
    hull,
    ks_regions,
    local_levels,
    working_hotelling,
)
from confroc.bands.base import allowing
from confroc.bands.curves import check_curves, given
from confroc.bands.edges import (
    FprRange,
    band_of,
    check_range,
    cut_to_range,
    widened_edges,
    without_collinear,
)
from confroc.base import Method, family, lists_methods
from confroc.curve import outline
from confroc.results import Band
from confroc.scores import Scores, UnpairedScores, accepts_one_model, moved_note, notes_of_classes

ROC_BAND = family("roc_band", "Band around the curve", ("roc", "band"), "equal_local_levels")

UNDER_COVERS = (
    "This method under-covers the whole curve. Use method='equal_local_levels', or "
    "'fixed_width' for several curves."
)
MADE_OF_CURVES = (
    "Use 'fixed_width', 'vertical_averaging', 'threshold_averaging' or 'auc_hull', or pass one Scores."
)


@accepts_one_model
@lists_methods(ROC_BAND)
def roc_band(
    scores: Scores | Sequence[Scores] | UnpairedScores,
    /,
    *,
    method: str | Method = "equal_local_levels",
    confidence_level: float = 0.95,
    fpr: FprRange | None = None,
    **options: Unpack[RocBandOptions],
) -> Band:
    """Simultaneous confidence band for an ROC curve.

    Parameters
    ----------
    scores : Scores, list of Scores or UnpairedScores
        Test cases of one model; weights, clusters and strata are supported unless the method raises. Or a
        list of two or more samples, each with its curve: folds of a cross-validation, learners fitted to
        resamples, sites. The band is then computed from these curves in place of resamples (Macskassy &
        Provost 2004, §3), around their mean, and refers to the next such curve. Methods: 'fixed_width',
        'vertical_averaging', 'threshold_averaging' (scores on one scale) and 'auc_hull'.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Range of false positive rates (lo, hi) of the band. Outside, the edges are 0 and 1.
        `equal_local_levels` with bootstrap calibration then covers the curve in the range only, which makes
        it narrower; other methods are cut from their full band.
    {options}

    Returns
    -------
    Band
        Edges inside [0, 1]; `contains` is exact for step and polyline curves. `kind` is "pointwise" for the
        three methods that join pointwise intervals. A note reports the lowest rates where the lower edge is
        zero. For rounded scores the edges are widened by the bound on the effect of rounding (not for the
        smoothed bootstrap, which uses the scores themselves). For given curves the curve is their mean, and
        the guarantee "none".

    Raises
    ------
    ValueError
        Unknown option, invalid level or range, too few resamples or curves for the level, curves for a method
        that accepts none, a binormal likelihood without maximum, or a class without variance in a smoothed
        bootstrap.

    Warns
    -----
    ConfrocWarning
        Methods that join pointwise intervals, `auc_hull`, the sup norm, the smoothed bootstrap of rounded
        scores, and bands of zero width, if all resamples are identical (perfect separation, AUC 0, or all
        scores tied).

    See Also
    --------
    roc_difference_band : Band for the difference between two curves.
    tpr_at_fpr : Interval at one false positive rate.
    confroc.audit : Coverage of the bands on simulated samples like the data.

    References
    ----------
    Campbell, G. (1994). Statistics in Medicine 13, 499–508.
    Macskassy, S. A. & Provost, F. (2004). Confidence bands for ROC curves. ROCAI-2004.
    Ma, G. & Hall, W. J. (1993). Confidence bands for receiver operating characteristic curves.
    Medical Decision Making 13, 191–197.
    Bertail, P., Clémençon, S. & Vayatis, N. (2008). On bootstrapping the ROC curve. NIPS 21.

    Examples
    --------
    >>> from confroc import Scores, roc_band
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> round(roc_band(y_true, y_score, rng=0).area, 3)
    0.178
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> band = roc_band(scores, method="ks_regions")
    >>> print(band.kind, band.guarantee, round(band.area, 3))
    simultaneous finite-sample 0.172
    >>> band.contains(([0, 0.02, 0.2, 1], [0, 0.62, 0.9, 1]))
    True
    >>> exact = roc_band(scores, calibration="exact")
    >>> print(exact.guarantee, round(exact.area, 3))
    finite-sample 0.094
    """
    chosen = ROC_BAND.chosen(method, options, roc_band)
    data = check_curves("scores", scores, widens=chosen.widens)
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    if not (isinstance(data, Scores) or chosen.of_curves):
        rule = "be computed from curves if curves are given"
        raise ArgumentError("method", rule, chosen.name, MADE_OF_CURVES)
    chosen, taken = allowing(chosen, data) if isinstance(data, Scores) else (chosen, data)
    edges, curve, _, used, guarantee, notes, *_ = chosen.band(taken, level, fpr_range)
    used = used or chosen
    if isinstance(data, Scores):
        if used.widens:
            edges, notes = widened_edges(edges, data), notes + moved_note(data)
        notes += notes_of_classes(data)
    notes = warned(UNDER_COVERS, where=used.kind == "pointwise" or used.guarantee == "none") + notes
    # Passed on, so that edges are freed early.
    held = [edges]
    del edges
    held.append(without_collinear(held.pop()))
    held.append(cut_to_range(held.pop(), fpr_range))
    if curve is None:
        # Built last, to limit memory.
        curve = outline(data) if isinstance(data, Scores) else given(data).center
    guarantee = guarantee or used.guarantee
    return band_of(held.pop(), curve, used, level, guarantee=guarantee, notes=notes, fpr_range=fpr_range)
