"""`roc_band`: one call for every band of one model's ROC curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from confroc._check import ArgumentError, check_choice, check_flag, check_level, check_settings, warn
from confroc._types import RNG
from confroc.bands.averaging import DISTRIBUTIONS, Distribution, threshold_averaging, vertical_averaging
from confroc.bands.ball import METRICS, Metric, ball
from confroc.bands.edges import Edges, FprRange, band_of, check_range, widened_edges
from confroc.bands.fixed_width import SLOPES, Slope, fixed_width
from confroc.bands.hull import auc_hull
from confroc.bands.ks_regions import ks_regions
from confroc.bands.local_levels import CALIBRATIONS, Calibration, equal_local_levels, exact_guarantee
from confroc.bands.working_hotelling import working_hotelling
from confroc.methods.bands import ROC_BAND
from confroc.resample import N_BAND_RESAMPLES, check_resamples
from confroc.results import Band
from confroc.scores import Scores, check_scores, moved_note

# The options of a method in the register are the keyword arguments of its function.
_EDGES: dict[str, Callable[..., Edges]] = {
    "equal_local_levels": equal_local_levels,
    "ks_regions": ks_regions,
    "fixed_width": fixed_width,
    "working_hotelling": partial(working_hotelling, simultaneous=True),
    "working_hotelling_pointwise": partial(working_hotelling, simultaneous=False),
    "vertical_averaging": vertical_averaging,
    "threshold_averaging": threshold_averaging,
    "bootstrap": ball,
    "auc_hull": auc_hull,
}
_DO = ROC_BAND.table(_EDGES)

DEFAULTS: Mapping[str, Any] = {
    "calibration": "bootstrap",
    "joint": True,
    "slope": "corrected",
    "distribution": "normal",
    "metric": "db",
    "smoothing": True,
}
"""What stands for an option of a method that is left out."""

CHOICES: Mapping[str, Sequence[str]] = {
    "calibration": CALIBRATIONS,
    "slope": SLOPES,
    "distribution": DISTRIBUTIONS,
    "metric": METRICS,
}


def roc_band(
    scores: Scores,
    *,
    method: str = "equal_local_levels",
    confidence_level: float = 0.95,
    fpr: FprRange | None = None,
    calibration: Calibration | None = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
    joint: bool | None = None,
    slope: Slope | None = None,
    distribution: Distribution | None = None,
    metric: Metric | None = None,
    smoothing: bool | None = None,
) -> Band:
    """Confidence band that contains the whole true ROC curve with a stated probability.

    Parameters
    ----------
    scores : Scores
    method : str
        equal_local_levels : (default) at every threshold each class's rate gets an interval from the
            Beta laws of order statistics, all with the same local level, so the band is narrow in the
            tails. `calibration` fixes the level.
        ks_regions : simultaneous joint confidence regions [1]_ [2]_ (§3.6): rectangles of Kolmogorov's
            half-widths, exact quantiles for every sample size. Wide, above all at the ends of the curve.
            Finite-sample.
        fixed_width : the curve displaced along one slope by a bootstrapped distance [1]_ [2]_ (§3.7), the
            same everywhere. Bootstrap.
        working_hotelling : hyperbolic band around the binormal maximum likelihood curve [3]_ [2]_ (eq. 1,
            k = √(−2 ln α)). Asymptotic, and only when the curve is binormal.
        working_hotelling_pointwise : the same with the normal quantile. Under-covers as a band.
        vertical_averaging : intervals for the true positive rate at 100 false positive rates over
            resampled curves, joined [2]_ (§3.4). Under-covers as a band.
        threshold_averaging : the same at 100 thresholds (§3.5). Under-covers as a band.
        bootstrap : ball around the curve in the sup norm or the pseudo-metric d_B [4]_, from a naive or a
            smoothed bootstrap. Bootstrap; no guarantee in the sup norm, with which it under-covers.
        auc_hull : hull of the resampled curves with the middle areas [2]_ (§6). It under-covers. No
            guarantee.
    confidence_level : float
        In (0, 1).
    fpr : (float, float), optional
        Part of the false positive rates, from lo to hi, for which the band is wanted. Outside it the
        edges are 0 and 1. `equal_local_levels` with bootstrap calibration then contains the curve there
        only, which makes it tighter; other methods are cut from their full band.
    calibration : {"bootstrap", "exact"}
        For `equal_local_levels`. "bootstrap" (default): ellipses at the operating points, whose one radius is
        the quantile of the smallest that contains a smooth curve over its own resamples. Kernel smoothing is
        done on the normal scores of pooled ranks, so the band does not change under increasing
        transforms of the scores.
        "exact": rectangles; each class's local level comes from the exact chance that all order statistics of
        a uniform sample keep their intervals. Distribution-free and finite-sample, ties included (asymptotic
        past 30,000 cases of a class), and wider.
    n_resamples : int
        For methods that resample, 999 by default; at least 2/(1 − confidence_level).
    rng : Generator, seed or None
        The same seed gives the same band whatever the number of threads.
    n_jobs : int
        Threads for methods that resample tables of counts; the result does not depend on it.
    joint : bool
        For `ks_regions`: both rates together have the level, each class the root of it (True, the default),
        or each class has the level and both together only its square, as in [2]_ (False).
    slope : {"corrected", "published"}
        For `fixed_width`: −√(n₋/n₊), the ratio of the rates' standard deviations (default), or the
        −√(n₊/n₋) that [2]_ prints.
    distribution : {"normal", "binomial", "empirical"}
        For the averaging methods [2]_ (§3.2), "normal" by default. The binomial variance is that of a rate of
        n₊ cases.
    metric : {"sup", "db"}
        For `bootstrap`; "db" by default.
    smoothing : bool
        For `bootstrap`: add Gaussian noise to resampled scores (default); not invariant under transforms.

    Returns
    -------
    Band
        Edges inside [0, 1]; `contains` is exact for step and polyline curves. `kind` is "pointwise" for
        the three methods that join pointwise intervals. A note says below which rate the lower edge
        is zero. With rounded scores the edges are moved outwards by what the rounding can have changed
        (not for the smoothed bootstrap, which smooths the scores themselves).

    Raises
    ------
    ValueError
        An unknown option, an impossible level or range, fewer resamples than the level can resolve, a
        binormal likelihood without a maximum, or a class without spread where scores are smoothed.

    Warns
    -----
    ConfrocWarning
        For the three methods that join pointwise intervals, `auc_hull`, the sup norm, the smoothed bootstrap
        of rounded scores, and a band without width: under perfect separation, an area of 0 or nothing but
        ties all plain resamples are alike.

    See Also
    --------
    roc_difference_band : Band for the difference of two curves.
    tpr_at_fpr : Interval at one false positive rate.
    confroc.lab.audit : Coverage of the bands on samples like these.

    References
    ----------
    .. [1] Campbell, G. (1994). Statistics in Medicine 13, 499–508.
    .. [2] Macskassy, S. A. & Provost, F. (2004). Confidence bands for ROC curves. ROCAI-2004.
    .. [3] Ma, G. & Hall, W. J. (1993). Confidence bands for receiver operating characteristic curves.
       Medical Decision Making 13, 191–197.
    .. [4] Bertail, P., Clémençon, S. & Vayatis, N. (2008). On bootstrapping the ROC curve. NIPS 21.

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
    finite-sample 0.102
    """
    # Methods that use the scores' values move with them by more than counts can tell.
    by_value = ROC_BAND.check(method).name == "bootstrap" and smoothing is not False
    check_scores("scores", scores, widens=not by_value)
    options: dict[str, Any] = {
        "calibration": calibration,
        "joint": joint,
        "slope": slope,
        "distribution": distribution,
        "metric": metric,
        "smoothing": smoothing,
    }
    row = ROC_BAND.check(method, n_resamples=n_resamples, **options)
    options = {
        name: default if options[name] is None else options[name] for name, default in DEFAULTS.items()
    }
    for name, allowed in CHOICES.items():
        check_choice(name, options[name], allowed)
    for name in ("joint", "smoothing"):
        check_flag(name, options[name])
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    check_settings(rng, n_jobs)
    exact = method == "equal_local_levels" and calibration == "exact"
    if exact and n_resamples is not None:
        raise ArgumentError(
            "n_resamples", "be left out with calibration 'exact'", n_resamples, "Leave it out."
        )
    count = N_BAND_RESAMPLES
    if "n_resamples" in row.options and not exact:
        count = check_resamples(n_resamples, level, count)
    options |= {"n_resamples": count, "rng": rng, "n_jobs": n_jobs}
    carry_out = _DO[method]
    if method == "equal_local_levels":
        carry_out = partial(carry_out, fpr_range=fpr_range)
    edges = carry_out(scores, level, **ROC_BAND.taken(method, options))
    guarantee, short = row.guarantee, ""
    if exact:
        guarantee = exact_guarantee(scores)
    elif row.kind == "pointwise":
        short = "joins intervals for one rate at a time"
    elif row.guarantee == "none":
        short = "has no proof of coverage and falls short in simulations"
    elif method == "bootstrap" and options["metric"] == "sup":
        guarantee, short = "none", "with the sup norm loses the curve where it is steep"
    notes: tuple[str, ...] = ()
    if short:
        notes = (
            f"Method {method!r} {short}; the whole curve is inside far less often than {100 * level:.10g} % "
            "of the time. Use 'equal_local_levels' for a band.",
        )
        warn(notes[0])
    if not by_value:
        edges, notes = widened_edges(edges, scores), notes + moved_note(scores)
    return band_of(edges, scores, row, level, guarantee=guarantee, notes=notes, fpr_range=fpr_range)
