"""`roc_difference_band`: bands for the difference between two ROC curves, paired or unpaired."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from confroc._check import check_level
from confroc._options import RocDifferenceBandOptions
from confroc._types import FloatArray

# Imported to register their classes.
from confroc.bands import difference_levels, ks_regions, studentized  # noqa: F401
from confroc.bands.edges import (
    MOST_JOINTS,
    Edges,
    FprRange,
    both_limits,
    check_range,
    cut_to_range,
    merged,
    on_joints,
    zero_width,
)
from confroc.base import Method, family, lists_methods
from confroc.curve import joints, outline
from confroc.results import Band
from confroc.scores import Pair, PairedScores, accepts_two_models, check_pair, difference_label

ROC_DIFFERENCE_BAND = family(
    "roc_difference_band",
    "Band around the difference of two curves",
    ("roc_difference", "band"),
    "equal_local_levels",
)


@accepts_two_models
@lists_methods(ROC_DIFFERENCE_BAND)
def roc_difference_band(
    pair: Pair,
    /,
    *,
    method: str | Method = "equal_local_levels",
    confidence_level: float = 0.95,
    fpr: FprRange | None = None,
    **options: Unpack[RocDifferenceBandOptions],
) -> Band:
    """Simultaneous confidence band for the difference between two ROC curves, a − b.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Range of false positive rates (lo, hi) of the band; default: all. Resampling bands become narrower;
        the other is cut from the full band.
    {options}

    Returns
    -------
    Band
        Edges clipped to [−1, 1]. `different_at` lists where the band excludes zero. For rounded scores the
        edges are widened by the bound on the effect of rounding.

    Raises
    ------
    ValueError
        Too few resamples for the level, or an invalid range or level.

    See Also
    --------
    roc_band : Band for one curve.
    tpr_difference_at_fpr : Interval for the difference at one false positive rate.
    auc_difference : Difference in AUC.

    Notes
    -----
    Cases are resampled within classes. Each model's scores are the normal scores of its pooled ranks plus
    Gaussian noise of standard deviation 1.06·s·n^(−1/3) per class, so the band depends only on the order of
    each model's scores; ties are spread evenly over their ranks. For `equal_local_levels` the noise of the
    two models has the correlation of their scores. With more than 3,000 cases in a class resamples have
    3,000, and the radius is scaled by √(2 ln ln n); for `studentized_bootstrap` they have at most 20,000, and
    the standard deviation is scaled by √(m/n).

    Resampling bands are linear between some 100 to 10,000 rates; steps of `equal_local_levels` are a quarter
    of a standard deviation of the rate. Below the first rate (a twentieth of a case) and above the last,
    edges are constant; those of `studentized_bootstrap` also include zero there. The edges of `ks_regions`
    are linear between the joints of both bands; with more than 10,000 joints they are steps over some 1,000
    cells of the false positive rate, widened within each cell.

    References
    ----------
    Bertail, P., Clémençon, S. & Vayatis, N. (2008). On bootstrapping the ROC curve. NIPS 21.
    Campbell, G. (1994). Statistics in Medicine 13, 499–508.
    Macskassy, S. A. & Provost, F. (2004). Confidence bands for ROC curves. ROCAI-2004.

    Examples
    --------
    >>> import numpy as np
    >>> from confroc import roc_difference_band
    >>> rng = np.random.default_rng(1)
    >>> y_true = np.repeat([0, 1], 200)
    >>> new = 2.0 * y_true + rng.standard_normal(400)
    >>> old = new + 2.0 * rng.standard_normal(400)
    >>> band = roc_difference_band(y_true, new, old, n_resamples=199, rng=1)
    >>> bool(band.different_at), band.design
    (True, 'paired')
    >>> roc_difference_band(y_true, new, old, method="ks_regions").guarantee
    'finite-sample'
    """
    chosen = ROC_DIFFERENCE_BAND.chosen(method, options, roc_difference_band)
    check_pair("pair", pair, widens=chosen.widens)
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    found = chosen.band(pair, level, fpr_range)
    used = found.used or chosen
    at, estimate, lower, upper = (
        _laid_out(pair, found.edges, fpr_range)
        if found.estimate is None
        else (found.edges.at, found.estimate, found.edges.lower, found.edges.upper)
    )
    notes = found.notes if (upper - lower).max() > 1e-9 else found.notes + zero_width()
    return Band(
        quantity=difference_label("tpr", pair),
        at=at,
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=used,
        guarantee=found.guarantee or used.guarantee,
        kind=used.kind,
        notes=notes,
        at_range=fpr_range,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
    )


def _laid_out(pair: Pair, edges: Edges, fpr_range: FprRange) -> list[FloatArray]:
    """Return the grid, the empirical difference and the edges in a range."""
    found = cut_to_range(edges, fpr_range, least=-1.0)
    curves = outline(pair.a), outline(pair.b)
    at = merged(edges.at, *map(joints, curves))
    if len(at) > MOST_JOINTS:
        at = merged(edges.at)
    tpr_a, tpr_b = (both_limits(curve.fpr, curve.tpr, at) for curve in curves)
    return on_joints(
        merged(at, found.at),
        (np.repeat(at, 2), tpr_a - tpr_b),
        (found.at, found.lower),
        (found.at, found.upper),
    )
