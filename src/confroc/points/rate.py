"""At a given false positive rate, the true positive rate of one model.

The threshold is the r-th highest score of the negatives and varies from sample to sample; given it, the
true positives are binomial (Dugas & Gadoury 2009, §4.1). Exchanging the classes turns the question into that
for the false positive rate at a given true positive rate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import methods
from confroc._check import check_choice, check_level, check_rate, check_size, ranks_of, rate_counts, warned
from confroc._types import RNG, BoolArray, Ends, FloatArray, IntArray, Sampling, Size
from confroc.curve import curve_of
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.tpr import law_moments, law_quantiles, spread_laws
from confroc.methods.points import FPR_AT_TPR, TPR_AT_FPR
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import KERNELS, Kernel
from confroc.models.resampler import CENTERS, Center, Smoothing
from confroc.points.beta_mixture import beta_mixture
from confroc.points.kernel import kernel_curve
from confroc.points.smoothed import bootstrap_ends
from confroc.points.threshold import intervals
from confroc.resample import (
    N_RESAMPLES,
    TAILS,
    Draw,
    Tails,
    check_draws,
    percentile_ends,
    resamples_or,
)
from confroc.resample import tails as tails_of
from confroc.results import Intervals
from confroc.scores import (
    CountTable,
    Scores,
    accepts_one_model,
    check_scores,
    errors_of,
    notes_of_classes,
)
from confroc.scores.counting import Cells, rows_reaching, sums_before

Given: TypeAlias = Literal["fpr", "tpr"]


# --- one model ---------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """One question: intervals for the true positive rate at given false positive rates.

    Given the true positive rate instead, classes and sizes are exchanged. The others are options of methods
    that smooth or resample scores.
    """

    scores: Scores
    rate: FloatArray
    size: tuple[int, int]
    given: Given
    bandwidth: Bandwidth | None = None
    kernel: Kernel = "gaussian"
    center: Center = "empirical"
    tails: Tails = "symmetric"

    def curve(self, scores: Scores) -> FloatArray:
        """The rates on a sample's own curve."""
        if self.given == "fpr":
            return curve_of(scores).tpr_at(self.rate)
        return curve_of(exchanged(scores)).fpr_at(self.rate)


def is_certain(given: str, rate: FloatArray) -> BoolArray:
    """Where the other rate is that of every curve: 1 at a false positive rate of 1, 0 at a true one of 0."""
    return np.asarray(rate == (1.0 if given == "fpr" else 0.0))


def replicates_at(asked: Asked, draw: Draw) -> FloatArray:
    """Return resampled true positive rates, of shape (n_resamples, h).

    Between two ranks one of them is drawn, in proportion to the other's distance. Inside a tie the threshold
    is one of the sample's negatives in a random order, each positive of the tie above it with the chance that
    interpolation gives: what `confroc.exact.tpr.spread_laws` does with all resamples at once.
    """
    scores, rate = asked.scores, asked.rate
    if not ((scores.pos > 0) & (scores.neg > 1)).any():
        return _untied_replicates(asked, draw)

    def statistic(pos: IntArray, neg: IntArray, rng: np.random.Generator) -> FloatArray:
        m_neg = int(neg.sum())
        low, between = ranks_of(rate, m_neg)
        # Under full sampling the number of negatives varies.
        rank = np.clip(low + (rng.random() < between), 1, m_neg)
        rows = rows_reaching(rank, neg)
        found, passed = sums_before(rows, pos, neg)
        tied, inside = pos[rows], scores.neg[rows]
        spread = (tied > 0) & (inside > 1)
        if spread.any():
            within = (rank - passed)[spread]
            depth = rng.beta(within, neg[rows][spread] - within + 1)
            share = np.ceil(depth * inside[spread]) / inside[spread]
            tied[spread] = rng.binomial(tied[spread], share)
        return np.asarray((found + tied) / pos.sum())

    return draw(statistic, scores, size=asked.size, randomised=True)


def _untied_replicates(asked: Asked, draw: Draw) -> FloatArray:
    """The same where no positives share a score with more than one negative, for many resamples at once."""
    at_pos, at_neg = np.flatnonzero(asked.scores.pos), np.flatnonzero(asked.scores.neg)
    weak = np.searchsorted(at_pos, at_neg, side="right")

    def statistic(pos: IntArray, neg: IntArray, rng: np.random.Generator) -> FloatArray:
        passed = np.cumsum(neg, axis=1)
        m_neg = passed[:, -1:]
        low, between = ranks_of(asked.rate, m_neg)
        rank = np.clip(low + (rng.random(m_neg.shape) < between), 1, m_neg)
        # One search for all: each resample's sums are lifted above those of the one before.
        each = np.arange(len(neg))[:, None]
        lift = each * (int(m_neg.max()) + 1)
        row = np.searchsorted((passed + lift).ravel(), (rank + lift).ravel()).reshape(rank.shape)
        above = np.zeros((len(pos), len(at_pos) + 1), np.int64)
        np.cumsum(pos, axis=1, out=above[:, 1:])
        return np.asarray(above[each, weak[row - each * len(at_neg)]] / above[:, -1:])

    table = Cells(asked.scores.pos[at_pos], asked.scores.neg[at_neg])
    return draw(statistic, table, size=asked.size, randomised=True, vectorized=True)


Found: TypeAlias = tuple[Ends, FloatArray | None]
"""The ends, and the estimate where it is not read off the sample's curve."""


def _mixture(asked: Asked, level: float, *_: object) -> Found:
    return beta_mixture(asked.scores, asked.rate, level), None


def _normal(a: float) -> Callable[..., Found]:
    """Use the moments of the exact distribution, a successes and failures added to each binomial."""

    def found(asked: Asked, level: float, *_: object) -> Found:
        laws = spread_laws(asked.scores, asked.rate, asked.size[1])
        mean, variance = law_moments(laws, asked.scores.n_pos, asked.size[0], a)
        return clipped(mean, normal_quantile(level) * np.sqrt(variance)), None

    return found


def _exact(asked: Asked, level: float, *_: object) -> Found:
    laws = spread_laws(asked.scores, asked.rate, asked.size[1])
    lower, upper = law_quantiles(laws, asked.scores.n_pos, asked.size[0], tails_of(level)).T
    return (lower, upper), None


def _resampled(asked: Asked, level: float, draw: Draw, *_: object) -> Found:
    return percentile_ends(replicates_at(asked, draw), level), None


def _smooth(asked: Asked, level: float, *_: object) -> Found:
    z = normal_quantile(level)
    curve = kernel_curve(asked.scores, asked.rate, z, asked.bandwidth, asked.kernel)
    return clipped(curve.tpr, z * curve.standard_error), curve.tpr


def _by_errors(*, smoothing: bool, studentized: bool) -> Callable[..., Found]:
    """Use the errors of resamples, around the sample's own rate."""

    def found(asked: Asked, level: float, _draw: object, *options: Any) -> Found:
        n_resamples, rng, sampling, n_jobs = options
        bandwidth = (asked.bandwidth or "curve") if smoothing else None
        ends = bootstrap_ends(
            asked.scores,
            asked.rate,
            asked.curve(asked.scores),
            level,
            n_resamples=resamples_or(N_RESAMPLES, n_resamples),
            rng=rng,
            n_jobs=n_jobs,
            smoothing=Smoothing(bandwidth, asked.kernel, asked.center),
            studentized=studentized,
            tails=asked.tails,
            sampling=sampling,
        )
        return ends, None

    return found


_FOUND: Mapping[str, Callable[..., Found]] = TPR_AT_FPR.table(
    {
        "beta_mixture": _mixture,
        "agresti_coull": _normal(2.0),
        "wald": _normal(0.0),
        "bootstrap": _resampled,
        "exact_bootstrap": _exact,
        "kernel": _smooth,
        "smoothed_bootstrap": _by_errors(smoothing=True, studentized=False),
        "smoothed_studentized_bootstrap": _by_errors(smoothing=True, studentized=True),
        "naive_bootstrap": _by_errors(smoothing=False, studentized=False),
        "naive_studentized_bootstrap": _by_errors(smoothing=False, studentized=True),
    }
)


BY_RANK = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap")
"""Methods whose threshold is a case of the sample: of rank 1 at least."""

BY_ERRORS = (
    "smoothed_bootstrap",
    "smoothed_studentized_bootstrap",
    "naive_bootstrap",
    "naive_studentized_bootstrap",
)
"""Methods whose width is that of their resamples' errors."""

WIDENED = ("beta_mixture", *BY_RANK)
"""Methods that allow for rounded scores; smoothing moves with the scores themselves, by more than that."""

FEW = 5.0
"""Cases expected above the threshold, or below it, from which those methods attain their level."""
FEW_CASES = (
    "This method under-covers at rates with fewer than five cases expected on one side. "
    "Use method='beta_mixture'."
)
IDENTICAL_RESAMPLES = "All resamples are identical at some rates; 'beta_mixture' is used there."


def warn_few_ranks(rate: FloatArray, m: int) -> tuple[str, ...]:
    """Warn about, and note, thresholds with few cases on one side."""
    expected = m * np.minimum(rate, 1.0 - rate)
    return warned(FEW_CASES, where=bool(((expected > 0.0) & (expected < FEW * (1.0 - 1e-9))).any()))


def with_uncertainty(
    asked: Asked, ends: Ends, level: float, open_ended: BoolArray
) -> tuple[Ends, tuple[str, ...]]:
    """Replace intervals of identical resamples by those of 'beta_mixture', with a note."""
    alike = (ends[1] - ends[0] <= 4e-16) & open_ended
    if not alike.any():
        return ends, ()
    lower, upper = ends[0].copy(), ends[1].copy()
    lower[alike], upper[alike] = beta_mixture(asked.scores, asked.rate[alike], level)
    return (lower, upper), warned(IDENTICAL_RESAMPLES, where=True)


def warn_few_cases(tpr: FloatArray, n: int) -> tuple[str, ...]:
    """Warn about, and note, a smooth curve with few cases expected beyond it."""
    return warned(FEW_CASES, where=bool((n * np.minimum(tpr, 1.0 - tpr) < FEW).any()))


def _checked(
    entry: methods.Function,
    scores: Scores,
    method: str,
    rate: ArrayLike,
    size: Size,
    n_resamples: int | None,
    **smooth: Any,
) -> tuple[tuple[int, int], FloatArray, dict[str, Any]]:
    """Check what both functions share; return a bootstrap sample's size, the rates and the options given."""
    check_scores("scores", scores, widens=str(method) in WIDENED)
    row = entry.check(method, size=size, n_resamples=n_resamples, **smooth)
    given = {name: value for name, value in smooth.items() if value is not None}
    if "bandwidth" in given:
        given["bandwidth"] = check_bandwidth(given["bandwidth"])
    for name, allowed in (("kernel", KERNELS), ("center", CENTERS), ("tails", TAILS)):
        if name in given:
            check_choice(name, given[name], allowed)
    m_pos, m_neg = check_size(size, scores.n_pos, scores.n_neg)
    name, m, cases = ("tpr", m_pos, "positives") if entry is FPR_AT_TPR else ("fpr", m_neg, "negatives")
    rates = check_rate(name, rate)
    if row.name in BY_RANK:
        # A rate that is certain needs no case.
        rate_counts(name, np.where(is_certain(name, rates), 1.0, rates), m, cases)
    return (m_pos, m_neg), rates, given


def _at_rate(asked: Asked, method: str, confidence_level: float, *options: Any) -> Intervals:
    """Intervals for the requested rate. `options` are those of `check_draws`."""
    row = TPR_AT_FPR.check(method)
    level = check_level(confidence_level)
    draw = check_draws(row, level, *options)
    at, certain = asked.rate, is_certain(asked.given, asked.rate)
    # In its place a rate that every method accepts.
    asked = asked._replace(rate=np.where(certain, 1.0, at))
    ends, own = _FOUND[row.name](asked, level, draw, *options)
    notes: tuple[str, ...] = ()
    if row.name in BY_RANK:
        notes = warn_few_ranks(asked.rate, asked.size[1])
    if own is not None:
        notes = warn_few_cases(own[~certain], asked.scores.n_pos)
    if row.name in BY_ERRORS:
        ends, alike = with_uncertainty(asked, ends, level, ~certain)
        notes += alike
    notes += warn_zero_width((ends[1] - ends[0])[~certain], "beta_mixture")
    notes += notes_of_classes(asked.scores)
    estimate = asked.curve(asked.scores) if own is None else own
    none = np.zeros(len(estimate))
    down, up = errors_of(asked.scores, asked.curve) if row.name in WIDENED else (none, none)
    # Both rates are 1 then, or both 0.
    estimate, lower, upper = (np.where(certain, at, v) for v in (estimate, *ends))
    errors = np.where(certain, 0.0, down), np.where(certain, 0.0, up)
    wanted = "tpr" if asked.given == "fpr" else "fpr"
    return intervals(row, level, wanted, asked.given, at, estimate, (lower, upper), errors, notes=notes)


@accepts_one_model
def tpr_at_fpr(
    scores: Scores,
    *,
    fpr: ArrayLike,
    method: str = "beta_mixture",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
    bandwidth: Bandwidth | None = None,
    kernel: Kernel | None = None,
    center: Center | None = None,
    tails: Tails | None = None,
) -> Intervals:
    """True positive rate at a given false positive rate.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    fpr : float or array-like of shape (h,)
        False positive rates in [0, 1]; for the four methods of [1]_ in [1/m_neg, 1].
    method : str
        beta_mixture : quantiles of a mixture of Jeffreys's Beta distributions of the true positive rate, over
            the binomial distribution of the number of negatives above the true threshold. Asymptotic, and
            built for rates that one or two negatives decide: there it contains the true rate in 93 to 100 %
            of samples at a level of 95 % (`lab/experiments/edges_rates.py`).
        agresti_coull : normal interval with the mean and variance of the exact bootstrap distribution, after
            two successes and two failures are added at every threshold (Algorithm 4 and eqs. 6-7 of [1]_).
            Asymptotic: where fewer than five negatives are expected above the threshold it covers too little,
            the less the more positives there are (at 95 %, one of 20 negatives and 500 positives: 0.7 to
            0.8), and warns.
        wald : the same without the addition. Zero width, and no coverage, where the sample's rate is
            0 or 1; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Covers too little near 0 and 1, like "wald".
            Guarantee: bootstrap.
        exact_bootstrap : quantiles of the distribution to which "bootstrap" converges (eq. 5), without
            resampling. Guarantee: bootstrap.
        kernel : normal interval around the smooth curve of two Gaussian kernel estimates [2]_, with
            bandwidths after [3]_. For continuous scores; it changes under a monotone transform of them.
            Covers too little where the curve is near 0 or 1, and warns there. Asymptotic.
        smoothed_bootstrap : the rate plus and minus a quantile of the errors of resamples whose scores get
            noise, by default Gaussian of bandwidth 1.06·s·n^(−1/4) (§3.1 of [4]_). Changes under a monotone
            transform of the scores. Guarantee: bootstrap.
        smoothed_studentized_bootstrap : the same, each error divided by its own estimate of the standard
            deviation (eqs. 4 and 5 of [4]_), whose kernel densities have bandwidth 1.06·s·n^(−1/3).
        naive_bootstrap : as "smoothed_bootstrap" without the noise; less accurate.
        naive_studentized_bootstrap : as "smoothed_studentized_bootstrap" without the noise. Where all
            resamples of one of these four are identical, as under perfect separation, its interval is that of
            "beta_mixture", with a note.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For the four
        methods of [1]_.
    n_resamples : int
        For methods that resample, 2,000 by default; at least 2/(1 - confidence_level).
    rng, sampling, n_jobs
        As in `rates_at_threshold`. With "full" sampling the smoothed and naive bootstraps draw pairs of a
        score and a class, as step 2 of the algorithm of [4]_ does.
    bandwidth : float, (float, float) or str
        For "kernel" and the smoothed bootstraps: the kernel's standard deviation in units of the scores, for
        both classes or as (positives, negatives), or the name of a rule: "curve", 1.06·s·n^(−1/4), the
        default of the smoothed bootstraps; "distribution", n^(−1/3); "density", n^(−1/5), which remark 2 of
        [4]_ names and its theorem 2 excludes; "hall_hyndman" or "normal_reference" as in `KernelModel.fit`.
        The default of "kernel" is that of [3]_, halved.
    kernel : {"gaussian", "uniform"}
        For the same methods. The uniform one reaches √3 bandwidths to either side. Variances are estimated
        with Gaussian kernels and bandwidths of their own.
    center : {"empirical", "smoothed"}
        For the smoothed bootstraps: what the errors of resamples are taken from, the sample's curve (default)
        or the kernel curve from which resamples are drawn (remark 3 of [4]_).
    tails : {"symmetric", "basic", "percentile"}
        For the smoothed and naive bootstraps. "symmetric" (default): the quantile of the absolute errors to
        both sides. "basic": quantiles of the errors that leave out the same share on either side, reversed
        (eq. 2 of [4]_). "percentile": the same not reversed, which without studentization are percentiles of
        the resampled rates.

    Returns
    -------
    Intervals
        `at` is the requested rate, `estimate` the curve's value there, as `RocCurve.tpr_at` reads it
        ("kernel": the smooth curve). Every interval contains its estimate. At a false positive rate of 1 it
        is [1, 1]. Bounds are cut to [0, 1]. With rounded scores they are widened by what the rounding can
        have changed (not for "kernel" and the symmetric bootstraps).

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method of [1]_; an unknown method; an impossible level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When a method of [1]_ is used where fewer than five negatives are expected above the threshold, or
        below it; when intervals have zero width, "kernel" is used near 0 or 1, or a method that smooths for
        rounded scores.

    See Also
    --------
    fpr_at_tpr : The reverse.
    tpr_difference_at_fpr : Two models.
    roc_band : All false positive rates at once.
    confroc.exact.tpr_pmf : The exact bootstrap distribution itself.

    Notes
    -----
    Every method gives the interval at the requested rate. Those of [1]_ take the score of the r-th highest
    negative of m_neg as the threshold, which is the rate r/m_neg; between two such rates their distribution
    is the mixture of the two distributions, in proportion to nearness. Inside a tie rates are interpolated,
    as on the curve: a tie's negatives are counted one by one, its positives evenly among them.

    Where the empirical curve rises vertically at `at`, `estimate` is the top of that step.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.
    .. [2] Hall, Hyndman & Fan (2004), Biometrika 91, 743-750.
    .. [3] Hall & Hyndman (2003), Statistics & Probability Letters 64, 181-189.
    .. [4] Bertail, Clémençon & Vayatis (2008), On bootstrapping the ROC curve, NIPS 21.

    Examples
    --------
    >>> from confroc import Scores, tpr_at_fpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> found = tpr_at_fpr(scores, fpr=[0.1, 0.3])
    >>> found.estimate, found.lower.round(3), found.upper.round(3)
    (array([0.4, 0.6]), array([0.214, 0.499]), array([0.503, 0.699]))
    """
    smooth = {"bandwidth": bandwidth, "kernel": kernel, "center": center, "tails": tails}
    size, rate, given = _checked(TPR_AT_FPR, scores, method, fpr, size, n_resamples, **smooth)
    asked = Asked(scores, rate, size, "fpr", **given)
    return _at_rate(asked, method, confidence_level, n_resamples, rng, sampling, n_jobs)


def exchanged(scores: Scores) -> Scores:
    """Return the same scores with the classes exchanged."""
    return Scores._of(
        CountTable(scores.score, scores.neg, scores.pos), None if scores.exact else scores.score_max
    )


@accepts_one_model
def fpr_at_tpr(
    scores: Scores,
    *,
    tpr: ArrayLike,
    method: str = "beta_mixture",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
    bandwidth: Bandwidth | None = None,
    kernel: Kernel | None = None,
) -> Intervals:
    """False positive rate that a given true positive rate costs.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    tpr : float or array-like of shape (h,)
        True positive rates in [0, 1]; for the methods of Dugas & Gadoury 0, or in [1/m_pos, 1].
    method : str
        "beta_mixture", "agresti_coull", "wald", "bootstrap", "exact_bootstrap" or "kernel", as in
        `tpr_at_fpr`.
    confidence_level, size, n_resamples, rng, sampling, n_jobs
        As in `tpr_at_fpr`.
    bandwidth, kernel
        For "kernel", as in `tpr_at_fpr`.

    Returns
    -------
    Intervals
        `at` is the requested rate; `estimate` the smallest false positive rate of the curve there, as
        `RocCurve.fpr_at` reads it ("kernel": the smooth curve). Every interval contains its estimate. At a
        true positive rate of 0 it is [0, 0]. Bounds are cut to [0, 1], and for rounded scores widened as in
        `tpr_at_fpr`.

    Raises
    ------
    ValueError
        A rate outside [0, 1], and as in `tpr_at_fpr`.

    Warns
    -----
    ConfrocWarning
        As in `tpr_at_fpr`, with the classes exchanged.

    See Also
    --------
    tpr_at_fpr : The reverse.
    rates_at_threshold : The threshold given instead of a rate.

    Notes
    -----
    The mathematics of `tpr_at_fpr` with the classes exchanged: the threshold stands between two positives,
    and given it the false positives are binomial.

    References
    ----------
    Dugas & Gadoury (2009), section 4.1, with the classes exchanged.

    Examples
    --------
    >>> from confroc import Scores, fpr_at_tpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> found = fpr_at_tpr(scores, tpr=0.6)
    >>> found.estimate.round(3), found.lower.round(3), found.upper.round(3)
    (array([0.3]), array([0.205]), array([0.405]))
    """
    smooth = {"bandwidth": bandwidth, "kernel": kernel}
    (m_pos, m_neg), rate, given = _checked(FPR_AT_TPR, scores, method, tpr, size, n_resamples, **smooth)
    if isinstance(given.get("bandwidth"), tuple):
        given["bandwidth"] = given["bandwidth"][::-1]
    asked = Asked(exchanged(scores), rate, (m_neg, m_pos), "tpr", **given)
    return _at_rate(asked, method, confidence_level, n_resamples, rng, sampling, n_jobs)
