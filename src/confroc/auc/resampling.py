"""Resampling methods for AUCs: bootstraps and the permutation test."""

from __future__ import annotations

import math

import numpy as np

from confroc._check import check_omitted, check_size
from confroc._types import RNG, Size
from confroc.auc.bootstrap import (
    exact_bootstrap_covariance,
    exact_bootstrap_variance,
    smoothed_replicates,
)
from confroc.auc.methods import (
    COMPARISON,
    DIFFERENCE,
    INTERVAL,
    Answer,
    AreaMethod,
    Delong,
    floats,
    normal,
    wald,
)
from confroc.auc.pairs import NEGLIGIBLE, AreaPair
from confroc.auc.permutation import PermutationTest, division_test, swap_test
from confroc.base import Contrast, Outcome, Resampling, method_class
from confroc.bootstrap import Bootstrap, BootstrapBca
from confroc.hypotheses import by_standard_error
from confroc.inference import resized
from confroc.influence import AreaEstimate
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import Kernel
from confroc.models.resampler import Center, Smoothing
from confroc.resample import Tails, check_resamples, error_ends
from confroc.scores import PairedScores, UnpairedScores, models_of
from confroc.statistics.areas_resampled import resample_size

PERMUTED = "P-values of differences are from permutation tests; the intervals are DeLong's and may disagree."


def _of_resamples(found: Outcome, x: Contrast, area: AreaEstimate) -> Answer:
    """An interval by resampling, as fractions of the part's width."""
    least, unit = x.statistic.bounds[0], x.statistic.unit
    lower, upper = ((float(end) - least) / unit for end in found.ends)
    if upper - lower > 1e-12:
        # At low levels the percentiles of a skewed distribution may exclude the estimate.
        lower, upper = min(lower, area.auc), max(upper, area.auc)
    return area.auc, lower, upper, float(found.standard_error) / unit


@method_class
class AreaBootstrap(AreaMethod, Bootstrap):
    """Percentile bootstrap.

    Percentiles of the AUCs of stratified resamples. For two models on the same cases, whole cases are drawn
    with both scores; the p-value is that of the difference divided by its bootstrap standard error.
    """

    name = "bootstrap"
    serves = (INTERVAL, DIFFERENCE, COMPARISON)
    caution = "Under-covers with few cases or an AUC near 1."
    few_df = True

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        return _of_resamples(Bootstrap.__call__(self, x, level), x, area)

    def difference(self, pair: AreaPair, level: float) -> Outcome | None:
        """Return interval and test of two AUCs."""
        found = Bootstrap.__call__(self, pair.x, level)
        low, high = (float(end) for end in found.ends)
        if high - low > 1e-12:
            low, high = min(low, pair.difference), max(high, pair.difference)
        se = float(found.standard_error)
        return by_standard_error(pair.difference, se, math.inf, pair.hypothesis, (low, high))


@method_class
class AreaBootstrapBca(AreaMethod, BootstrapBca):
    """Bias-corrected and accelerated bootstrap.

    Percentiles of the AUCs of stratified resamples, adjusted for bias and skewness (Efron 1987).
    """

    name = "bootstrap_bca"
    serves = (INTERVAL,)
    caution = ""

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        return _of_resamples(BootstrapBca.__call__(self, x, level), x, area)


@method_class
class SmoothedBootstrapArea(AreaMethod, Resampling):
    """Smoothed bootstrap.

    Estimate ± a quantile of the errors of stratified resamples with added noise (Bertail, Clémençon & Vayatis
    2008, remark 4).

    Attributes
    ----------
    bandwidth : float, (float, float) or str
        Standard deviation of the noise in units of the scores, common or as (positives, negatives), or a
        rule: "curve", 1.06·s·n^(−1/4); "density", n^(−1/5); "distribution", n^(−1/3);
        "hall_hyndman" or "normal_reference". See `KernelModel.fit`.
    kernel : {"gaussian", "uniform"}
        Distribution of the noise.
    center : {"empirical", "smoothed"}
        AUC that centers the errors of resamples: that of the sample, or of the kernel curve.
    tails : {"symmetric", "basic", "percentile"}
        Type of interval from the errors of resamples.
    """

    name = "smoothed_bootstrap"
    dependence = "refused"
    serves = (INTERVAL,)
    papers = ("bertail2008",)
    caution = "Not invariant under non-linear transforms of the scores."
    bandwidth: Bandwidth = "curve"
    kernel: Kernel = "gaussian"
    center: Center = "empirical"
    tails: Tails = "symmetric"
    widens = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bandwidth(self.bandwidth)

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        count, table, part = check_resamples(self.n_resamples, level), x.table, x.statistic.part
        if min(np.count_nonzero(table.pos), np.count_nonzero(table.neg)) < 2:
            # No standard deviation for a bandwidth rule.
            return area.auc, math.nan, math.nan, math.nan
        noise = Smoothing(self.bandwidth, self.kernel, self.center)
        values, middle = smoothed_replicates(table, part, noise, count, self.rng, self.n_jobs)
        width = 1.0 if part is None else part.width
        low, high = floats(error_ends((values - middle) / width, level, self.tails))
        lower, upper = max(area.auc + min(low, 0.0), 0.0), min(area.auc + max(high, 0.0), 1.0)
        return area.auc, lower, upper, float(np.std(values, ddof=1)) / width


@method_class
class ExactBootstrapArea(AreaMethod):
    """Infinite bootstrap.

    Estimate ± z·SE with the variance of infinitely many stratified resamples, in closed form (Bandos,
    Rockette & Gur 2006).

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in a resample. Default: as in the sample.
    """

    name = "exact_bootstrap"
    dependence = "refused"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("bandos2006",)
    caution = "Under-covers with few cases or an AUC near 1."
    few_df = True
    whole = ("interval", "difference")
    size: Size = None
    guarantee = "bootstrap"

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        size = check_size(self.size, x.table.n_pos, x.table.n_neg)
        return wald(area, exact_bootstrap_variance(x.table, size), level)

    def difference(self, pair: AreaPair, level: float) -> Outcome | None:  # noqa: ARG002
        """Return interval and test of two AUCs."""
        size, models = resample_size(pair.x, self.size), pair.x.tables
        data, only = pair.x.data, pair.x.only or (None, None)
        own = (models_of(data)[place] for place in pair.x.models)
        parts = [
            exact_bootstrap_variance(full, size, () if extra is None else (shared, extra))
            for full, shared, extra in zip(models, own, only, strict=True)
        ]
        shared = exact_bootstrap_covariance(data, models, size) if isinstance(data, PairedScores) else 0.0
        variance = sum(parts) - 2.0 * shared
        return normal(pair, pair.unit**2 * variance if variance > NEGLIGIBLE * sum(parts) else 0.0)


@method_class
class Permutation(AreaMethod):
    """Permutation test.

    P-value by permutation; the interval is DeLong's, since permutation tests only the null hypothesis of no
    difference. Paired (after Bandos, Rockette & Gur 2005): each case's two ranks are swapped or not, in all
    2ⁿ ways; exact for small samples, normal approximation for larger ones. Unpaired: the cases of each class
    are divided at random between the test sets, and studentized differences are compared (Chung & Romano
    2013). Whole clusters are swapped or divided.

    Attributes
    ----------
    n_resamples : int, optional
        Number of random divisions of disjoint test sets. Default: 2,000, or as many as the level requires.
    rng : Generator, seed or None
        Source of randomness of the divisions.
    """

    name = "permutation"
    dependence = "own"
    serves = (DIFFERENCE, COMPARISON)
    papers = ("bandos2005", "chung2013", "delong1988")
    whole = ("difference",)
    uses_cases = True
    n_resamples: int | None = None
    rng: RNG = None

    def _of_two(self, pair: AreaPair, level: float) -> Outcome:
        only = dict(zip(("only_a", "only_b"), pair.x.only, strict=False))
        remedy = "Omit it, or use 'score_delong'."
        check_omitted("with method 'permutation'", remedy, margin=pair.hypothesis.margin, **only)
        found = Delong()._of_two(AreaPair(resized(pair.x)), level)
        return found._replace(used=self, notes=(PERMUTED, *found.notes), **self._test(pair)._asdict())

    def _test(self, pair: AreaPair) -> PermutationTest:
        data = pair.x.data
        two = data if len(data.names) == 2 and pair.x.models == (0, 1) else data[pair.x.models]
        alternative = pair.hypothesis.alternative
        if not isinstance(two, UnpairedScores):
            where = "for paired scores with method 'permutation'"
            check_omitted(where, "All swaps are counted; omit it.", n_resamples=self.n_resamples)
            return swap_test(two, alternative, pair.hypothesis.tests)
        count = check_resamples(self.n_resamples, pair.hypothesis.level)
        return division_test(two, alternative, count, self.rng)
