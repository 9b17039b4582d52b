"""Methods for a rate at a value of the other rate, of one model and of the difference between two.

The threshold is the r-th highest score of the negatives and varies between samples; given it, the true
positives are binomial (Dugas & Gadoury 2009, §4). Exchanging the classes gives the false positive rate at a
true positive rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError, check_size, false_positives, make_rng, rate_counts, warned
from confroc._types import Ends, FloatArray, Sampling, Size
from confroc.base import Contrast, Method, Outcome, Resampling, method_class
from confroc.bootstrap import Bootstrap
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.difference import (
    PairDesign,
    check_pair_sizes,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.exact.full import RateLaw, over_class_sizes, quantiles
from confroc.exact.tpr import (
    CountLaw,
    count_cells,
    count_laws,
    gathered,
    law_moments,
    law_quantiles,
    spread_laws,
)
from confroc.hypotheses import Hypothesis
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import Kernel
from confroc.models.resampler import Center, Smoothing, resampler
from confroc.points.beta_difference import difference_laws, normal_scores
from confroc.points.beta_mixture import beta_mixture
from confroc.points.kernel import kernel_curve
from confroc.points.rate_difference import (
    difference_replicates,
    moved_inside_ties,
    ranked_designs,
    replicates_at,
    replicates_by_rank,
)
from confroc.points.smoothed import curve_at, error_of_resample, standard_error
from confroc.points.threshold_methods import CAFFO_NOTE
from confroc.resample import (
    N_RESAMPLES,
    Tails,
    by_generator,
    draws_of,
    error_ends,
    percentile_ends,
    resamples_or,
    tails,
)
from confroc.scores import PairedScores, Scores, UnpairedScores
from confroc.scores.counting import one_by_one
from confroc.statistics.rates import RateAtRate

TPR, FPR = ("tpr_at_fpr", "interval"), ("fpr_at_tpr", "interval")
DIFFERENCE = ("tpr_at_fpr", "difference")

Ranks: TypeAlias = Literal["interpolated", "published"]
Samples: TypeAlias = Sequence[tuple[Scores, tuple[int, int]]]
"""One or two samples, and the sizes of their resamples."""

FEW = 5.0
"""Number of cases expected above or below the threshold from which these methods attain their level."""
FEW_CASES = (
    "This method under-covers at rates with fewer than five cases expected on one side. "
    "Use method='beta_mixture'."
)
FEW_FOR_TWO = (
    "With fewer than five negatives expected above a threshold, intervals for the difference under-cover "
    "where a curve is steep."
)
UNSEEN = (
    "False positive rates below 1/n_neg cannot be estimated; at least 1/fpr negatives are needed. "
    "See `rate_sample_size`."
)
IDENTICAL_RESAMPLES = "All resamples are identical at some rates; 'beta_mixture' is used there."


@method_class
class RateMethod(Method):
    """Base class of methods for a rate at a rate: certain rates, and warnings."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals at each rate."""
        s = x.statistic
        if not x.single and s != x.statistics[1]:
            rule = f"be the same for both models with method {self.name!r}"
            raise ArgumentError("statistic", rule, x.statistics, "Use the same rates for both models.")
        found = self.one(s.turned(x.table), s, level) if x.single else self.two(x, level)
        known = s.places if x.single else 0.0
        lower, upper = (np.where(s.certain, known, end) for end in found.ends)
        notes = found.notes + warn_zero_width((upper - lower)[~s.certain], "beta_mixture")
        if s.given == "fpr" and (s.places * min(t.n_neg for t in x.tables) < 1.0 - 1e-9).any():
            notes += (UNSEEN,)
        if found.estimate is not None:
            found = found._replace(estimate=s.shaped(np.where(s.certain, known, found.estimate)))
        return found._replace(lower=s.shaped(lower), upper=s.shaped(upper), notes=notes)

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return intervals for the true positive rate at the requested rates."""
        raise NotImplementedError

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return intervals for the difference of the true positive rates of two models."""
        raise NotImplementedError


def tested(found: Outcome, x: Contrast, level: float, score: Callable[[float], FloatArray]) -> Outcome:
    """Add a test whose statistic is a normal score of a null value.

    Scores on the wrong side of the estimate count as 0, as intervals contain their estimates.
    """

    def statistic(null: float) -> FloatArray:
        found = score(null)
        return np.where(np.sign(found) == np.sign(np.ravel(x.value) - null), found, 0.0)

    hypothesis = x.hypothesis or Hypothesis("two-sided", None, level)
    value, pvalue = hypothesis.test(statistic)
    return found._replace(statistic=value, pvalue=pvalue)


@method_class
class BetaMixture(RateMethod):
    """Mixture of Beta distributions.

    Includes the uncertainty of the threshold, also where it depends on one or two cases. Limits are quantiles
    of a mixture of Jeffreys's distributions over the possible positions of the true threshold (jointly for
    two models) among the sample's cases. The difference of two models under-covers (0.82 to 0.90 of 0.95)
    with one or two negatives expected above the threshold if a curve is steep there.
    """

    name = "beta_mixture"
    dependence = "resized"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("brown2001",)
    caution = "Conservative at rates of one or two cases, or for nearly identical models."

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return quantiles of the mixture."""
        return Outcome(*beta_mixture(scores, s.asked, level))

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return quantiles of the mixture for both models, and the corresponding test."""
        laws, tail = difference_laws(x.data, x.statistic.places), tails(level)[0]
        few = (min(table.n_neg for table in x.tables) * x.statistic.asked < FEW * (1.0 - 1e-9)).any()
        ends = Outcome(-laws[1].end(tail), laws[0].end(tail), notes=(FEW_FOR_TWO,) if few else ())
        return tested(ends, x, level, partial(normal_scores, laws))


# --- thresholds by rank ------------------------------------------------------------------------------


@method_class
class RankMethod(RateMethod):
    """Base class of methods whose threshold is a case of a bootstrap sample.

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in a bootstrap sample. Default: as in the sample. Applies to both
        of two disjoint test sets.
    ranks : {"interpolated", "published"}
        "interpolated": at the exact rate, interpolated between the adjacent ranks, and along ties as on the
        curve. "published": Algorithms 4 and 5 of Dugas & Gadoury (2009) as printed, with the score of the
        r-th highest negative as threshold, r = floor(fpr * m_neg), and cases tied with it predicted positive.
    """

    size: Size = None
    ranks: Ranks = "interpolated"

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return the intervals, and a note if they depend on few cases."""
        size = s.oriented(check_size(self.size, *s.oriented((scores.n_pos, scores.n_neg))))
        rate_counts(s.given, s.asked, size[1], "negatives" if s.given == "fpr" else "positives")
        ends = self.of_samples([(scores, size)], s.asked, level)
        return Outcome(*ends, notes=_few_cases(size[1], s.asked))

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the limits for independent models, or for two models on the same cases."""
        pair, rate = x.data, x.statistic.places
        sizes = check_pair_sizes(pair, self.size)
        m_neg = min(size[1] for size in sizes)
        rate_counts("fpr", rate, m_neg, "negatives")
        if isinstance(pair, UnpairedScores):
            ends = self.of_samples([(pair.a, sizes[0]), (pair.b, sizes[1])], rate, level)
        else:
            ends = self._of_pair(pair, rate, level)
        return Outcome(*ends, notes=_few_cases(m_neg, rate))

    def _of_pair(self, pair: PairedScores, rate: FloatArray, level: float) -> Ends:
        """Return limits interpolated between the adjacent ranks, as on the curve."""
        whole = pair_design(pair, rate, self.size)
        if self.ranks == "published":
            return self.at_ranks(pair, whole, level)
        lower, upper = np.zeros((2, len(rate)))
        for design, weight in ranked_designs(rate, whole):
            low, high = self.at_ranks(pair, design, level)
            moved = moved_inside_ties(pair, design)
            lower, upper = lower + weight * (low + moved), upper + weight * (high + moved)
        return lower, upper

    def laws(self, scores: Scores, rate: FloatArray, m_neg: int) -> list[CountLaw]:
        """Return the distribution of the positives above the threshold at each rate."""
        if self.ranks == "published":
            return count_laws(scores, false_positives(rate, m_neg), m_neg)
        return spread_laws(scores, rate, m_neg)

    def of_samples(self, samples: Samples, rate: FloatArray, level: float) -> Ends:
        """Return the limits for one model, or for two on disjoint test sets."""
        raise NotImplementedError

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the limits for two models on the same cases at given ranks of the thresholds."""
        raise NotImplementedError


def _few_cases(m_neg: int, rate: FloatArray) -> tuple[str, ...]:
    """Warn of a threshold with few cases above or below it, and return the note."""
    expected = m_neg * np.minimum(rate, 1.0 - rate)
    return warned(FEW_CASES, where=bool(((expected > 0.0) & (expected < FEW * (1.0 - 1e-9))).any()))


@method_class
class MomentsMethod(RankMethod):
    """Base class of normal intervals with moments of the exact bootstrap distribution."""

    added: ClassVar[float] = 0.0
    """Pseudo-counts: successes and failures for one model, discordant cases of each kind for two."""

    def of_samples(self, samples: Samples, rate: FloatArray, level: float) -> Ends:
        """Return the limits for one model, or for two on disjoint test sets."""
        moments = [
            law_moments(self.laws(t, rate, size[1]), t.n_pos, size[0], len(samples) * self.added)
            for t, size in samples
        ]
        (mean, variance), *second = moments
        for other_mean, other_variance in second:
            mean, variance = mean - other_mean, variance + other_variance
        half_width = normal_quantile(level) * np.sqrt(variance)
        return mean - half_width, mean + half_width

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the limits for two models on the same cases at given ranks of the thresholds."""
        mean, variance = difference_moments(pair, design, self.added)
        half_width = normal_quantile(level) * np.sqrt(variance)
        return mean - half_width, mean + half_width

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals and the test by their center and half-width."""
        found = super().two(x, level)

        def score(null: float) -> FloatArray:
            with np.errstate(divide="ignore", invalid="ignore"):
                above = (found.lower + found.upper - 2.0 * null) / (found.upper - found.lower)
            return np.asarray(normal_quantile(level) * above)

        return tested(found, x, level, score)


@method_class
class AgrestiCoullAtRate(MomentsMethod):
    """Exact bootstrap moments, smoothed.

    Normal interval with the mean and variance of the exact bootstrap distribution after adding two successes
    and two failures at every threshold (Algorithm 4 and eqs. 6-7 of Dugas & Gadoury 2009).
    """

    name = "agresti_coull"
    serves = (TPR, FPR)
    papers = ("dugas2009",)
    caution = (
        "Under-covers with fewer than five cases expected on one side of the threshold, especially "
        "with a large other class."
    )
    added = 2.0


@method_class
class AgrestiMinAtRate(MomentsMethod):
    """Exact bootstrap moments, smoothed.

    Normal interval with the mean and variance of the exact bootstrap distribution (eqs. 24-27 of Dugas &
    Gadoury 2009) after adding one half to each count of discordant positives and one to the concordant ones;
    for disjoint test sets one success and one failure are added to each (Agresti–Caffo).
    """

    name = "agresti_min"
    serves = (DIFFERENCE,)
    papers = ("dugas2009", "agresti2005", "agresti2000")
    added = 0.5

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals; those of disjoint test sets with a note."""
        found = super().two(x, level)
        if isinstance(x.data, UnpairedScores):
            return found._replace(notes=(CAFFO_NOTE, *found.notes))
        return found


@method_class
class WaldAtRate(MomentsMethod):
    """Exact bootstrap moments.

    Normal interval with the mean and variance of the exact bootstrap distribution, without pseudo-counts. For
    comparison.
    """

    name = "wald"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = "Zero width and no coverage at rates of 0 and 1, or for identical predictions."


@method_class
class BootstrapAtRate(RankMethod, Bootstrap):
    """Percentile bootstrap.

    Percentiles of the rates, or of their differences, in resamples with re-estimated thresholds.
    """

    name = "bootstrap"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = "Under-covers at rates near 0 and 1."

    def of_samples(self, samples: Samples, rate: FloatArray, level: float) -> Ends:
        """Return the limits for one model, or for two on disjoint test sets."""
        draw = draws_of(self, level)
        drawn = replicates_by_rank if self.ranks == "published" else replicates_at
        first, *second = (drawn(scores, rate, size, draw) for scores, size in samples)
        return percentile_ends(first - second[0] if second else first, level)

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals; the ranks on both sides of a rate share one generator."""
        going_on: Any = {"rng": make_rng(self.rng)}
        return RankMethod.two(replace(self, **going_on), x, level)

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the limits for two models on the same cases at given ranks of the thresholds."""
        return percentile_ends(difference_replicates(pair, design, draws_of(self, level)), level)


@method_class
class ExactBootstrapAtRate(RankMethod):
    """Exact bootstrap.

    Quantiles of the limiting distribution of the bootstrap (eqs. 5 and 23 of Dugas & Gadoury 2009), without
    resampling.

    Attributes
    ----------
    sampling : {"stratified", "full"}
        Resample each class separately, or all cases so that class sizes vary; then the distribution is a
        mixture over class sizes, available for one model and up to about 4,000 cases.
    """

    name = "exact_bootstrap"
    guarantee = "bootstrap"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = BootstrapAtRate.caution
    sampling: Sampling = "stratified"

    def of_samples(self, samples: Samples, rate: FloatArray, level: float) -> Ends:
        """Return the limits for one model, or for two on disjoint test sets."""
        (scores, size), *second = samples
        if second or self.sampling == "full":
            laws = [[self._law(*sample, f) for sample in samples] for f in rate]
            lower, upper = np.array([quantiles(law, tails(level), *less) for law, *less in laws]).T
        else:
            found = self.laws(scores, rate, size[1])
            lower, upper = law_quantiles(found, scores.n_pos, size[0], tails(level)).T
        return lower, upper

    def _law(self, scores: Scores, size: tuple[int, int], rate: float) -> RateLaw:
        """The distribution of the true positive rate at one rate."""
        if self.sampling == "full":
            law_of = partial(replace(self, sampling="stratified")._law, scores, rate=rate)
            return over_class_sizes((scores.n_pos, scores.n_neg), size, law_of)
        # With variable class sizes the rate may be below 1/m_neg.
        (law,) = self.laws(scores, np.array([max(rate, 1.0 / size[1])]), size[1])
        counts, pmf = count_cells(gathered(law, scores.n_pos, size[0]), size[0])
        return RateLaw(counts / size[0], pmf)

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the limits for two models on the same cases at given ranks of the thresholds."""
        if self.sampling == "full":
            rule = "be 'stratified' for a paired difference with method 'exact_bootstrap'"
            raise ArgumentError("sampling", rule, "full", "Use method 'bootstrap'.")
        return tuple(difference_quantiles(pair, design, tails(level)).T)


# --- smooth curves -----------------------------------------------------------------------------------


@method_class
class KernelRates(RateMethod):
    """Kernel smoothing.

    Normal interval around the smooth curve of two kernel estimates (Hall, Hyndman & Fan 2004), with
    bandwidths after Hall & Hyndman (2003). For continuous scores; not invariant under monotone transforms.

    Attributes
    ----------
    bandwidth : float, (float, float) or str, optional
        Standard deviation of the kernel in units of the scores, common or as (positives, negatives), or a
        rule: "curve", 1.06·s·n^(−1/4); "distribution", n^(−1/3); "density", n^(−1/5); "hall_hyndman" or
        "normal_reference". See `KernelModel.fit`. Default of "kernel": half of Hall & Hyndman's (2003); of
        the smoothed bootstraps "curve".
    kernel : {"gaussian", "uniform"}
        The uniform kernel extends √3 bandwidths to each side. Variances use Gaussian kernels with separate
        bandwidths.
    """

    name = "kernel"
    serves = (TPR, FPR)
    papers = ("hall2004", "hall2003")
    caution = "Under-covers where the curve is near 0 or 1."
    # A smooth curve depends on the values of the scores, not only on their order.
    widens = False
    bandwidth: Bandwidth | None = None
    kernel: Kernel = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bandwidth is not None:
            check_bandwidth(self.bandwidth)

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return the interval around the smooth curve."""
        width = None if self.bandwidth is None else check_bandwidth(self.bandwidth)
        width = s.oriented(width) if isinstance(width, tuple) else width
        z = normal_quantile(level)
        curve = kernel_curve(scores, s.asked, z, width, self.kernel)
        inner = curve.tpr[~s.certain]
        few = bool((scores.n_pos * np.minimum(inner, 1.0 - inner) < FEW).any())
        ends = clipped(curve.tpr, z * curve.standard_error)
        return Outcome(*ends, estimate=curve.tpr, notes=warned(FEW_CASES, where=few))


@method_class
class ByErrors(RateMethod, Resampling):
    """Base class of intervals from errors of resamples.

    Attributes
    ----------
    sampling : {"stratified", "full"}
        Resample each class separately, or pairs of score and class so that class sizes vary.
    tails : {"symmetric", "basic", "percentile"}
        "symmetric": the quantile of the absolute errors on both sides. "basic": quantiles of the errors with
        equal tails, reversed. "percentile": the same, not reversed.
    """

    papers = ("bertail2008",)
    caution = "Not invariant under non-linear transforms of the scores."
    # Errors of resamples do not include the effect of rounding.
    widens = False
    studentized: ClassVar[bool] = False
    sampling: Sampling = "stratified"
    tails: Tails = "symmetric"

    @property
    def smoothing(self) -> Smoothing:
        """Noise added to resampled scores."""
        return Smoothing(None)

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return the rate plus and minus errors of resamples."""
        lower, upper = self._ends(scores, s.asked, s.curve(scores), level)
        degenerate = (upper - lower <= 4e-16) & ~s.certain
        if not degenerate.any():
            return Outcome(lower, upper)
        lower[degenerate], upper[degenerate] = beta_mixture(scores, s.asked[degenerate], level)
        return Outcome(lower, upper, notes=warned(IDENTICAL_RESAMPLES, where=True))

    def _ends(self, scores: Scores, fpr: FloatArray, estimate: FloatArray, level: float) -> Ends:
        """Return the limits around the curve's value at each rate, clipped to [0, 1].

        Errors are those from the sample's curve, or from the smooth one that resamples are drawn from
        (Bertail, Clémençon & Vayatis 2008, remark 3).
        """
        one_by_one("the symmetric bootstraps", scores.n_pos + scores.n_neg)
        smoothing = self.smoothing
        draws = resampler(scores, smoothing, self.sampling)
        center = draws.smooth_tpr(fpr) if smoothing.center == "smoothed" else estimate
        error = partial(error_of_resample, draws, fpr, center, self.studentized)
        count = resamples_or(N_RESAMPLES, self.n_resamples)
        low, high = error_ends(by_generator(error, count, self.rng, self.n_jobs), level, self.tails)
        if self.studentized:
            _, at = curve_at(draws.pos, draws.neg, fpr)
            scale = standard_error(draws.pos, draws.neg, estimate, at, fpr)
            low, high = low * scale, high * scale
        return np.clip(estimate + low, 0.0, 1.0), np.clip(estimate + high, 0.0, 1.0)


@method_class
class SmoothedRates(ByErrors):
    """Smoothed bootstrap.

    The rate plus and minus a quantile of the errors of resamples with added noise, by default Gaussian with
    bandwidth 1.06·s·n^(−1/4) (Bertail, Clémençon & Vayatis 2008, §3.1).

    Attributes
    ----------
    bandwidth : float, (float, float) or str
        Standard deviation of the noise in units of the scores, common or as (positives, negatives), or a
        rule: "curve" (default), 1.06·s·n^(−1/4); "density", n^(−1/5); "distribution", n^(−1/3);
        "hall_hyndman" or "normal_reference". See `KernelModel.fit`.
    kernel : {"gaussian", "uniform"}
        Distribution of the noise.
    center : {"empirical", "smoothed"}
        The curve that centers the errors of resamples: that of the sample, or the kernel curve that resamples
        are drawn from (remark 3 of Bertail, Clémençon & Vayatis 2008).
    """

    name = "smoothed_bootstrap"
    serves = (TPR,)
    bandwidth: Bandwidth = "curve"
    kernel: Kernel = "gaussian"
    center: Center = "empirical"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bandwidth(self.bandwidth)

    @property
    def smoothing(self) -> Smoothing:
        """Noise added to resampled scores."""
        return Smoothing(self.bandwidth, self.kernel, self.center)


@method_class
class SmoothedStudentizedRates(SmoothedRates):
    """Studentized smoothed bootstrap.

    As "smoothed_bootstrap", with each error divided by its estimated standard deviation (eqs. 4 and 5 of
    Bertail, Clémençon & Vayatis 2008), from kernel densities with bandwidth 1.06·s·n^(−1/3).
    """

    name = "smoothed_studentized_bootstrap"
    studentized = True


@method_class
class NaiveRates(ByErrors):
    """Symmetric bootstrap.

    The rate plus and minus a quantile of the errors of resamples. If all resamples are identical, the
    interval is that of "beta_mixture".
    """

    name = "naive_bootstrap"
    serves = (TPR,)
    caution = "Less accurate than with smoothing."


@method_class
class NaiveStudentizedRates(ByErrors):
    """Studentized bootstrap.

    As "naive_bootstrap", with each error divided by its estimated standard deviation.
    """

    name = "naive_studentized_bootstrap"
    serves = (TPR,)
    studentized = True
