"""`roc_band`: one call for every band of one model's ROC curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from confroc._check import (
    ArgumentError,
    check_choice,
    check_count,
    check_flag,
    check_level,
    check_settings,
    warned,
)
from confroc._types import RNG, Sampling
from confroc.bands.averaging import (
    DISTRIBUTIONS,
    JOINED,
    SWEEP_POINTS,
    TRIALS,
    Distribution,
    Joined,
    Trials,
    threshold_averaging,
    vertical_averaging,
)
from confroc.bands.ball import METRICS, Metric, ball
from confroc.bands.curves import check_curves, enough_curves, given, resampled
from confroc.bands.edges import (
    Edges,
    FprRange,
    band_of,
    check_range,
    cut_to_range,
    widened_edges,
    without_collinear,
)
from confroc.bands.fixed_width import SLOPES, Slope, fixed_width
from confroc.bands.hull import auc_hull
from confroc.bands.ks_regions import ks_regions
from confroc.bands.local_levels import CALIBRATIONS, Calibration, equal_local_levels, exact_guarantee
from confroc.bands.working_hotelling import working_hotelling
from confroc.curve import RocCurve, outline
from confroc.methods import Method
from confroc.methods.bands import ROC_BAND
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import KERNELS, Kernel
from confroc.models.resampler import CENTERS, Center
from confroc.resample import N_BAND_RESAMPLES, SAMPLINGS, check_resamples, resamples_or
from confroc.results import Band, Guarantee
from confroc.scores import Scores, UnpairedScores, accepts_one_model, moved_note, notes_of_classes

# The options of a method in the register are the keyword arguments of its function; for those that are made
# of many curves, resampling's aside.
_OF_CURVES: dict[str, Callable[..., Edges]] = {
    "fixed_width": fixed_width,
    "vertical_averaging": vertical_averaging,
    "threshold_averaging": threshold_averaging,
    "auc_hull": auc_hull,
}


def _of_resamples(
    method: Callable[..., Edges],
    scores: Scores,
    level: float,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
    **options: Any,
) -> Edges:
    return method(resampled(scores, n_resamples=n_resamples, rng=rng, n_jobs=n_jobs), level, **options)


_EDGES: dict[str, Callable[..., Edges]] = {
    "equal_local_levels": equal_local_levels,
    "ks_regions": ks_regions,
    "working_hotelling": partial(working_hotelling, simultaneous=True),
    "working_hotelling_pointwise": partial(working_hotelling, simultaneous=False),
    "bootstrap": ball,
    **{name: partial(_of_resamples, method) for name, method in _OF_CURVES.items()},
}
_DO = ROC_BAND.table(_EDGES)

UNDER_COVERS = (
    "This method contains the whole curve less often than its level. Use method='equal_local_levels', or "
    "'fixed_width' for several curves."
)
TRIALS_OF_CURVES = "With trials='curves' the width depends on the number of curves, not on that of the cases."
OF_CURVES = (
    "The band is made of several curves and refers to the next such curve, not to one model's true curve."
)
SHARED_SCALE = "Threshold averaging requires that the scores of all curves share one scale."

DEFAULTS: Mapping[str, Any] = {
    "calibration": "bootstrap",
    "joint": True,
    "slope": "corrected",
    "distribution": "normal",
    "trials": "positives",
    "joined": "vertical",
    "n_points": SWEEP_POINTS,
    "metric": "db",
    "smoothing": True,
    "bandwidth": "curve",
    "kernel": "gaussian",
    "center": "empirical",
    "sampling": "stratified",
}
"""What stands for an option of a method that is left out."""

MOST_POINTS = 10_000
"""Most points of a sweep."""

CHOICES: Mapping[str, Sequence[str]] = {
    "calibration": CALIBRATIONS,
    "slope": SLOPES,
    "distribution": DISTRIBUTIONS,
    "trials": TRIALS,
    "joined": JOINED,
    "metric": METRICS,
    "kernel": KERNELS,
    "center": CENTERS,
    "sampling": SAMPLINGS,
}

SMOOTH = ("bandwidth", "kernel", "center")
"""Options of the bootstrap ball for the smoothing of its resamples."""


@accepts_one_model
def roc_band(
    scores: Scores | Sequence[Scores] | UnpairedScores,
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
    trials: Trials | None = None,
    joined: Joined | None = None,
    n_points: int | None = None,
    metric: Metric | None = None,
    smoothing: bool | None = None,
    bandwidth: Bandwidth | None = None,
    kernel: Kernel | None = None,
    center: Center | None = None,
    sampling: Sampling | None = None,
) -> Band:
    """Confidence band that contains the whole true ROC curve with a stated probability.

    Parameters
    ----------
    scores : Scores, list of Scores, UnpairedScores or (y_true, y_score)
        One model's test cases. Or a list of two or more, each with a curve of its own: the folds of a
        cross-validation, learners fitted to resamples, sites. The band is then made of these curves in place
        of resamples [2]_ (§3), around their mean, and is about the next curve of their kind. Methods
        'fixed_width', 'vertical_averaging', 'threshold_averaging' (scores of all curves on one scale) and
        'auc_hull' accept it.
    method : str
        equal_local_levels : (default) at every threshold each class's rate gets an interval from the
            Beta distributions of order statistics, all with the same local level, so the band is narrow in
            the tails. `calibration` fixes the level.
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
        bootstrap : ball around the curve in the sup norm, the pseudo-metric d_B or Hausdorff's distance [4]_,
            from a naive or a smoothed bootstrap. Bootstrap; no guarantee in the sup norm, with which it
            under-covers.
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
        For methods that resample, 999 by default; at least 2/(1 − confidence_level), or 2 for averaging with
        "normal" or "binomial" intervals. As many curves there must be where they are given.
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
        For the averaging methods [2]_ (§3.2), "normal" by default.
    trials : {"positives", "curves"}
        For the averaging methods with distribution "binomial": what the variance μ(1 − μ) is divided by, the
        number of positives (default) or, as in [2]_, the number of curves, on which alone the width then
        depends; that warns.
    joined : {"vertical", "box", "diamond"}
        For `threshold_averaging`: "vertical" (default) leaves out the intervals of the false positive rate,
        as [2]_ does (§3.5); "box" and "diamond" join the corners of both intervals' rectangle, or their ends.
    n_points : int
        For the averaging methods: points of the sweep, 100 by default as in [2]_ (§3.3).
    metric : {"sup", "db", "hausdorff"}
        For `bootstrap`; "db" by default. "hausdorff" is the distance of the curves completed by their jumps,
        in the maximum norm: it moves the curve along falling diagonals.
    smoothing : bool
        For `bootstrap`: add noise to resampled scores (default); not invariant under transforms.
    bandwidth : float, (float, float) or str
        Of that noise: its standard deviation in units of the scores, for both classes or as (positives,
        negatives), or the name of a rule: "curve" (default), 1.06·s·n^(−1/4), which theorem 2 of [4]_ admits;
        "density", n^(−1/5) as in its remark 2; "distribution", n^(−1/3); "hall_hyndman" or "normal_reference"
        as in `KernelModel.fit`.
    kernel : {"gaussian", "uniform"}
        Shape of that noise. The uniform one reaches √3 bandwidths to either side.
    center : {"empirical", "smoothed"}
        For `bootstrap`: the curve from which the distance of the smoothed resamples is taken, the sample's
        (default) or the kernel curve that they come from (remark 3 of [4]_). The ball lies around the
        sample's curve either way.
    sampling : {"stratified", "full"}
        For `bootstrap`: draw each class by itself (default), or pairs of a score and a class, as step 2 of
        the algorithm of [4]_ does, so that class sizes vary.

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
    # Methods that use the scores' values move with them by more than counts show.
    by_value = ROC_BAND.check(method).name == "bootstrap" and smoothing is not False
    samples = check_curves("scores", scores, widens=not by_value)
    options: dict[str, Any] = {
        "calibration": calibration,
        "joint": joint,
        "slope": slope,
        "distribution": distribution,
        "trials": trials,
        "joined": joined,
        "n_points": n_points,
        "metric": metric,
        "smoothing": smoothing,
        "bandwidth": bandwidth,
        "kernel": kernel,
        "center": center,
        "sampling": sampling,
    }
    row = ROC_BAND.check(method, n_resamples=n_resamples, **options)
    for name in SMOOTH:
        if smoothing is False and options[name] is not None:
            raise ArgumentError(
                name, "be left out without smoothing", options[name], "Leave out `smoothing=False`."
            )
    options = {
        name: default if options[name] is None else options[name] for name, default in DEFAULTS.items()
    }
    for name, allowed in CHOICES.items():
        check_choice(name, options[name], allowed)
    for name in ("joint", "smoothing"):
        check_flag(name, options[name])
    check_bandwidth(options["bandwidth"])
    check_count("n_points", options["n_points"], minimum=2, maximum=MOST_POINTS)
    if trials is not None and options["distribution"] != "binomial":
        raise ArgumentError(
            "trials",
            f"be left out with distribution {options['distribution']!r}",
            trials,
            "Leave it out, or use distribution='binomial'.",
        )
    level = check_level(confidence_level)
    fpr_range = check_range(fpr)
    check_settings(rng, n_jobs)
    # An interval of mean and variance has no quantiles that few curves could not estimate.
    by_quantile = "distribution" not in row.options or options["distribution"] == "empirical"
    if isinstance(samples, tuple):
        edges, mean, notes = _given_edges(samples, level, row, options, n_resamples, by_quantile)
        guarantee: Guarantee = "none"
    else:
        exact = method == "equal_local_levels" and calibration == "exact"
        if exact and n_resamples is not None:
            raise ArgumentError(
                "n_resamples", "be left out with calibration 'exact'", n_resamples, "Leave it out."
            )
        count = N_BAND_RESAMPLES
        if "n_resamples" in row.options and not exact:
            few = partial(resamples_or, count, minimum=2)
            count = check_resamples(n_resamples, level, count) if by_quantile else few(n_resamples)
        options |= {"n_resamples": count, "rng": rng, "n_jobs": n_jobs}
        carry_out = _DO[method]
        if method == "equal_local_levels":
            carry_out = partial(carry_out, fpr_range=fpr_range)
        edges = carry_out(samples, level, **ROC_BAND.taken(method, options))
        notes = ()
        guarantee = exact_guarantee(samples) if exact else row.guarantee
        if not by_value:
            edges, notes = widened_edges(edges, samples), moved_note(samples)
        notes += notes_of_classes(samples)
    sup = method == "bootstrap" and options["metric"] == "sup"
    if sup:
        guarantee = "none"
    short = row.kind == "pointwise" or row.guarantee == "none" or sup
    by_curve = options["trials"] == "curves"
    notes = warned(UNDER_COVERS, where=short) + warned(TRIALS_OF_CURVES, where=by_curve) + notes
    # Handed on, so that no edges are held that have served.
    held = [edges]
    del edges
    held.append(without_collinear(held.pop()))
    held.append(cut_to_range(held.pop(), fpr_range))
    return band_of(
        held.pop(),
        # Made only when no more is held of the edges than the band needs.
        outline(samples) if isinstance(samples, Scores) else mean,
        row,
        level,
        guarantee=guarantee,
        notes=notes,
        fpr_range=fpr_range,
    )


def _given_edges(
    samples: tuple[Scores, ...],
    level: float,
    row: Method,
    options: Mapping[str, Any],
    n_resamples: int | None,
    by_quantile: bool,
) -> tuple[Edges, RocCurve, tuple[str, ...]]:
    """Return the edges of a band of curves that are given, their mean, and its notes."""
    if row.name not in _OF_CURVES:
        raise ArgumentError(
            "method",
            "be one that is made of curves where these are given",
            row.name,
            f"Use {' or '.join(map(repr, _OF_CURVES))}, or pass one Scores.",
        )
    if n_resamples is not None:
        raise ArgumentError("n_resamples", "be left out where curves are given", n_resamples, "Leave it out.")
    if by_quantile:
        enough_curves("scores", len(samples), level)
    curves = given(samples)
    taken = {name: value for name, value in ROC_BAND.taken(row.name, options).items() if name in DEFAULTS}
    edges = _OF_CURVES[row.name](curves, level, **taken)
    notes = (OF_CURVES, SHARED_SCALE) if row.name == "threshold_averaging" else (OF_CURVES,)
    return edges, curves.centre, notes
