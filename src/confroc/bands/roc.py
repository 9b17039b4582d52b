"""`roc_band`: one call for every band of one model's ROC curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from confroc._check import ArgumentError, check_level, warned
from confroc._options import RocBandOptions

# Their classes enter themselves into the register.
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
    "This method contains the whole curve less often than its level. Use method='equal_local_levels', or "
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
    """Confidence band that contains the whole true ROC curve with a stated probability.

    Parameters
    ----------
    scores : Scores, list of Scores, UnpairedScores or (y_true, y_score)
        One model's test cases; weights, clusters and strata are allowed for, unless the method refuses them.
        Or a list of two or more, each with a curve of its own: the folds of a cross-validation, learners
        fitted to resamples, sites. The band is then made of these curves in place of resamples (Macskassy &
        Provost 2004, §3), around their mean, and is about the next curve of their kind. Methods
        'fixed_width', 'vertical_averaging', 'threshold_averaging' (scores of all curves on one scale) and
        'auc_hull' accept it.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Part of the false positive rates, from lo to hi, for which the band is wanted. Outside it the
        edges are 0 and 1. `equal_local_levels` with bootstrap calibration then contains the curve there
        only, which makes it tighter; other methods are cut from their full band.
    {options}

    Returns
    -------
    Band
        Edges inside [0, 1]; `contains` is exact for step and polyline curves. `kind` is "pointwise" for
        the three methods that join pointwise intervals. A note names the lowest rates where the lower edge
        is zero. With rounded scores the edges are moved outwards by what the rounding can have changed
        (not for the smoothed bootstrap, which smooths the scores themselves). Of curves that are given, the
        curve is their mean, and the guarantee "none".

    Raises
    ------
    ValueError
        An unknown option, an impossible level or range, fewer resamples or curves than the level can resolve,
        curves given to a method that accepts none, a binormal likelihood without a maximum, or a class
        without spread where scores are smoothed.

    Warns
    -----
    ConfrocWarning
        For the three methods that join pointwise intervals, `auc_hull`, the sup norm, the smoothed bootstrap
        of rounded scores, and a band without width: under perfect separation, an area of 0 or nothing but
        ties all plain resamples are identical.

    See Also
    --------
    roc_difference_band : Band for the difference of two curves.
    tpr_at_fpr : Interval at one false positive rate.
    confroc.audit : Coverage of the bands on samples like these.

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
        rule = "be one that is made of curves where these are given"
        raise ArgumentError("method", rule, chosen.name, MADE_OF_CURVES)
    chosen, taken = allowing(chosen, data) if isinstance(data, Scores) else (chosen, data)
    edges, curve, _, used, guarantee, notes, _ = chosen.band(taken, level, fpr_range)
    used = used or chosen
    if isinstance(data, Scores):
        if used.widens:
            edges, notes = widened_edges(edges, data), notes + moved_note(data)
        notes += notes_of_classes(data)
    notes = warned(UNDER_COVERS, where=used.kind == "pointwise" or used.guarantee == "none") + notes
    # Handed on, so that no edges are held that have served.
    held = [edges]
    del edges
    held.append(without_collinear(held.pop()))
    held.append(cut_to_range(held.pop(), fpr_range))
    if curve is None:
        # Made only when no more is held of the edges than the band needs.
        curve = outline(data) if isinstance(data, Scores) else given(data).centre
    guarantee = guarantee or used.guarantee
    return band_of(held.pop(), curve, used, level, guarantee=guarantee, notes=notes, fpr_range=fpr_range)
