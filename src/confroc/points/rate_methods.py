"""The methods of one rate at a value of the other, for one model and for the difference of two.

The threshold is the r-th highest score of the negatives and varies from sample to sample; given it, the
true positives are binomial (Dugas & Gadoury 2009, §4). Exchanging the classes turns the question into that
for the false positive rate at a given true positive rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError, check_size, false_positives, make_rng, rate_counts, warned
from confroc._types import Ends, FloatArray, Sampling, Size
from confroc.base import Contrast, Guarantee, Method, Outcome, Resampling, method_class
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
    Draw,
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
Sides: TypeAlias = tuple[tuple[Scores, tuple[int, int]], tuple[Scores, tuple[int, int]]]
"""Two samples, and the sizes of their resamples."""

FEW = 5.0
"""Cases expected above the threshold, or below it, from which those methods attain their level."""
FEW_CASES = (
    "This method under-covers at rates with fewer than five cases expected on one side. "
    "Use method='beta_mixture'."
)
UNSEEN = (
    "The sample does not show false positive rates below 1/n_neg. At least 1/fpr negatives are needed; "
    "`rate_sample_size` plans a study."
)
IDENTICAL_RESAMPLES = "All resamples are identical at some rates; 'beta_mixture' is used there."


@method_class
class RateMethod(Method):
    """What the methods of a rate at a rate share: rates that are certain, and warnings."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals at each rate."""
        s = x.statistic
        found = self.one(s.turned(x.table), s, level) if x.single else self._of_two(x, level)
        known = s.places if x.single else 0.0
        lower, upper = (np.where(s.certain, known, end) for end in found.ends)
        notes = found.notes + warn_zero_width((upper - lower)[~s.certain], "beta_mixture")
        if s.given == "fpr" and (s.places * min(t.n_neg for t in x.tables) < 1.0 - 1e-9).any():
            notes += (UNSEEN,)
        if found.estimate is not None:
            found = found._replace(estimate=s.shaped(np.where(s.certain, known, found.estimate), s.place))
        return found._replace(lower=s.shaped(lower, s.place), upper=s.shaped(upper, s.place), notes=notes)

    def _of_two(self, x: Contrast, level: float) -> Outcome:
        s, other = x.statistics
        if s != other:
            rule = f"be the same for both models with method {self.name!r}"
            raise ArgumentError("statistic", rule, (s, other), "Use the same rates for both models.")
        return self.two(x, level)

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return intervals for the true positive rate at the rates asked, all above 0 or as certain as 1."""
        raise NotImplementedError

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return intervals for the difference of the true positive rates of two models."""
        raise NotImplementedError


def tested(found: Outcome, x: Contrast, level: float, score: Callable[[float], FloatArray]) -> Outcome:
    """Add the test whose statistic is a normal score of a null value.

    As an interval contains its estimate, a score against the estimate's side counts as 0.
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

    Quantiles of a mixture of Jeffreys's distributions over the places where the true threshold, or those of
    two models together, may stand among the sample's cases. The uncertainty of the threshold is included,
    also where one or two cases decide it.
    """

    name = "beta_mixture"
    dependence = "resized"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("brown2001",)
    caution = "Conservative where the rate stands for one or two cases, or two models hardly differ."

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return quantiles of the mixture."""
        return Outcome(*beta_mixture(scores, s.asked, level))

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return quantiles of the mixture for both models, and the test by the same."""
        laws, tail = difference_laws(x.data, x.statistic.places), tails(level)[0]
        ends = Outcome(-laws[1].end(tail), laws[0].end(tail))
        return tested(ends, x, level, partial(normal_scores, laws))


# --- thresholds that are cases of a sample -----------------------------------------------------------


@method_class
class RankMethod(RateMethod):
    """What methods share whose threshold is a case of a bootstrap sample.

    Attributes
    ----------
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample. Default: the sample's own. For disjoint
        test sets it holds for both.
    ranks : {"interpolated", "published"}
        "interpolated": at the rate itself, in proportion to the nearness of the ranks on either side, and
        along ties as the curve runs. "published": Algorithms 4 and 5 of Dugas & Gadoury (2009) as printed.
        The threshold is the score of the r-th highest negative, r = floor(fpr * m_neg); cases tied with it
        are positive.
    """

    size: Size = None
    ranks: Ranks = "interpolated"

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return the intervals, and a note where they rest on few cases."""
        size = s.oriented(check_size(self.size, *s.oriented((scores.n_pos, scores.n_neg))))
        rate_counts(s.given, s.asked, size[1], "negatives" if s.given == "fpr" else "positives")
        ends = self.by_rank(scores, s.asked, size, level)
        expected = size[1] * np.minimum(s.asked, 1.0 - s.asked)
        few = bool(((expected > 0.0) & (expected < FEW * (1.0 - 1e-9))).any())
        return Outcome(*ends, notes=warned(FEW_CASES, where=few))

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the ends of independent models from their own distributions, else of both together."""
        pair, rate = x.data, x.statistic.places
        sizes = check_pair_sizes(pair, self.size)
        m_neg = min(size[1] for size in sizes)
        rate_counts("fpr", rate, m_neg, "negatives")
        if isinstance(pair, UnpairedScores):
            lower, upper = self.independent(((pair.a, sizes[0]), (pair.b, sizes[1])), rate, level)
        else:
            lower, upper = self._of_pair(pair, rate, level)
        expected = m_neg * np.minimum(rate, 1.0 - rate)
        few = bool(((expected > 0.0) & (expected < FEW * (1.0 - 1e-9))).any())
        return Outcome(lower, upper, notes=warned(FEW_CASES, where=few))

    def _of_pair(self, pair: PairedScores, rate: FloatArray, level: float) -> Ends:
        """Return ends interpolated between the ranks on either side, as the curve's rates are."""
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

    def by_rank(self, scores: Scores, rate: FloatArray, size: tuple[int, int], level: float) -> Ends:
        """Return the ends for one model."""
        raise NotImplementedError

    def independent(self, sides: Sides, rate: FloatArray, level: float) -> Ends:
        """Return the ends for two models on disjoint test sets."""
        raise NotImplementedError

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the ends for two models on the same cases whose thresholds have given ranks."""
        raise NotImplementedError


@method_class
class MomentsMethod(RankMethod):
    """What normal intervals with the moments of the exact bootstrap distribution share."""

    added: ClassVar[float] = 0.0
    """Pseudo-cases: successes and failures of one model, discordant cases of each kind of two."""

    def by_rank(self, scores: Scores, rate: FloatArray, size: tuple[int, int], level: float) -> Ends:
        """Return the ends for one model."""
        mean, variance = law_moments(self.laws(scores, rate, size[1]), scores.n_pos, size[0], self.added)
        return clipped(mean, normal_quantile(level) * np.sqrt(variance))

    def independent(self, sides: Sides, rate: FloatArray, level: float) -> Ends:
        """Return the ends for two models on disjoint test sets, each smoothed as a pair's models are."""
        (mean_a, variance_a), (mean_b, variance_b) = (
            law_moments(self.laws(scores, rate, size[1]), scores.n_pos, size[0], 2.0 * self.added)
            for scores, size in sides
        )
        middle, half_width = mean_a - mean_b, normal_quantile(level) * np.sqrt(variance_a + variance_b)
        return middle - half_width, middle + half_width

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the ends for two models on the same cases whose thresholds have given ranks."""
        mean, variance = difference_moments(pair, design, self.added)
        half_width = normal_quantile(level) * np.sqrt(variance)
        return mean - half_width, mean + half_width

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals and the test by their centre and half-width."""
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
        "Under-covers where fewer than five cases are expected on one side of the threshold, the more the "
        "larger the other class is."
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

    Normal interval with the mean and variance of the exact bootstrap distribution, nothing added. For
    comparison.
    """

    name = "wald"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = "Zero width, and no coverage, at rates of 0 and 1, or where two models agree on every case."


@method_class
class BootstrapAtRate(RankMethod, Bootstrap):
    """Bootstrap percentiles.

    Percentiles of the rates, or of their differences, in resamples, each with thresholds of its own.
    """

    name = "bootstrap"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = "Under-covers at rates near 0 and 1."

    def by_rank(self, scores: Scores, rate: FloatArray, size: tuple[int, int], level: float) -> Ends:
        """Return the ends for one model."""
        return percentile_ends(self._replicates(scores, rate, size, draws_of(self, level)), level)

    def _replicates(self, scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
        published = self.ranks == "published"
        return (replicates_by_rank if published else replicates_at)(scores, rate, size, draw)

    def independent(self, sides: Sides, rate: FloatArray, level: float) -> Ends:
        """Return the ends for two models on disjoint test sets."""
        draw = draws_of(self, level)
        a, b = (self._replicates(scores, rate, size, draw) for scores, size in sides)
        return percentile_ends(a - b, level)

    def two(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals; one generator serves the ranks on both sides of a rate."""
        going_on: Any = {"rng": make_rng(self.rng)}
        return RankMethod.two(replace(self, **going_on), x, level)

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the ends for two models on the same cases whose thresholds have given ranks."""
        return percentile_ends(difference_replicates(pair, design, draws_of(self, level)), level)


@method_class
class ExactBootstrapAtRate(RankMethod):
    """Exact bootstrap.

    Quantiles of the distribution to which bootstrap percentiles converge (eqs. 5 and 23 of Dugas & Gadoury
    2009), without resampling.

    Attributes
    ----------
    sampling : {"stratified", "full"}
        Draw each class by itself, or both together so that class sizes vary; then the distribution is a
        mixture over the class sizes, of one model and of up to some 4,000 cases.
    """

    name = "exact_bootstrap"
    serves = (TPR, FPR, DIFFERENCE)
    papers = ("dugas2009",)
    caution = BootstrapAtRate.caution
    sampling: Sampling = "stratified"

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "bootstrap"

    def by_rank(self, scores: Scores, rate: FloatArray, size: tuple[int, int], level: float) -> Ends:
        """Return the ends for one model."""
        if self.sampling == "full":
            lower, upper = np.array([quantiles(self._law(scores, f, size), tails(level)) for f in rate]).T
            return lower, upper
        laws = self.laws(scores, rate, size[1])
        lower, upper = law_quantiles(laws, scores.n_pos, size[0], tails(level)).T
        return lower, upper

    def _law(self, scores: Scores, rate: float, size: tuple[int, int]) -> RateLaw:
        """The distribution of the true positive rate at one rate."""
        if self.sampling == "full":
            alone = replace(self, sampling="stratified")
            return over_class_sizes((scores.n_pos, scores.n_neg), size, partial(alone._law, scores, rate))
        # Where class sizes vary the rate may be below 1/m_neg.
        (law,) = self.laws(scores, np.array([max(rate, 1.0 / size[1])]), size[1])
        counts, pmf = count_cells(gathered(law, scores.n_pos, size[0]), size[0])
        return RateLaw(counts / size[0], pmf)

    def independent(self, sides: Sides, rate: FloatArray, level: float) -> Ends:
        """Return the ends for two models on disjoint test sets."""
        laws = [[self._law(scores, f, size) for scores, size in sides] for f in rate]
        lower, upper = np.array([quantiles(a, tails(level), b) for a, b in laws]).T
        return lower, upper

    def at_ranks(self, pair: PairedScores, design: PairDesign, level: float) -> Ends:
        """Return the ends for two models on the same cases whose thresholds have given ranks."""
        if self.sampling == "full":
            rule = "be 'stratified' for a difference on the same cases with method 'exact_bootstrap'"
            raise ArgumentError("sampling", rule, "full", "Use method 'bootstrap', which has it.")
        lower, upper = difference_quantiles(pair, design, tails(level)).T
        return lower, upper


# --- smooth curves -----------------------------------------------------------------------------------


@method_class
class KernelRates(RateMethod):
    """Kernel smoothing.

    Normal interval around the smooth curve of two kernel estimates (Hall, Hyndman & Fan 2004), with
    bandwidths after Hall & Hyndman (2003). For continuous scores; it changes under a monotone transform of
    them.

    Attributes
    ----------
    bandwidth : float, (float, float) or str, optional
        The kernel's standard deviation in units of the scores, for both classes or as (positives, negatives),
        or the name of a rule: "curve", 1.06·s·n^(−1/4); "distribution", n^(−1/3); "density", n^(−1/5);
        "hall_hyndman" or "normal_reference" as in `KernelModel.fit`. Default of "kernel": half of Hall &
        Hyndman's (2003); of the smoothed bootstraps "curve".
    kernel : {"gaussian", "uniform"}
        The uniform kernel reaches √3 bandwidths to either side. Variances are estimated with Gaussian kernels
        and bandwidths of their own.
    """

    name = "kernel"
    serves = (TPR, FPR)
    papers = ("hall2004", "hall2003")
    caution = "Under-covers where the curve is near 0 or 1."
    bandwidth: Bandwidth | None = None
    kernel: Kernel = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bandwidth is not None:
            check_bandwidth(self.bandwidth)

    @property
    def widens(self) -> bool:
        """A smooth curve moves with the scores by more than counts show."""
        return False

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
    """What methods share whose width is that of their resamples' errors.

    Attributes
    ----------
    sampling : {"stratified", "full"}
        Draw each class by itself, or pairs of a score and a class, so that class sizes vary.
    tails : {"symmetric", "basic", "percentile"}
        "symmetric": the quantile of the absolute errors to both sides. "basic": quantiles of the errors that
        leave out the same share on either side, reversed. "percentile": the same not reversed.
    """

    papers = ("bertail2008",)
    caution = "It changes under non-linear transforms of the scores."
    studentized: ClassVar[bool] = False
    sampling: Sampling = "stratified"
    tails: Tails = "symmetric"

    @property
    def widens(self) -> bool:
        """Errors of resamples do not show what rounding changed."""
        return False

    @property
    def smoothing(self) -> Smoothing:
        """The noise that resampled scores get."""
        return Smoothing(None)

    def one(self, scores: Scores, s: RateAtRate, level: float) -> Outcome:
        """Return the rate plus and minus errors of resamples."""
        lower, upper = self._ends(scores, s.asked, s.curve(scores), level)
        alike = (upper - lower <= 4e-16) & ~s.certain
        if not alike.any():
            return Outcome(lower, upper)
        lower[alike], upper[alike] = beta_mixture(scores, s.asked[alike], level)
        return Outcome(lower, upper, notes=warned(IDENTICAL_RESAMPLES, where=True))

    def _ends(self, scores: Scores, fpr: FloatArray, estimate: FloatArray, level: float) -> Ends:
        """Return the ends around the curve's own value at each rate, cut to [0, 1].

        Errors are those from the sample's curve, or from the smooth one that resamples come from (Bertail,
        Clémençon & Vayatis 2008, remark 3).
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

    The rate plus and minus a quantile of the errors of resamples whose scores get noise, by default Gaussian
    of bandwidth 1.06·s·n^(−1/4) (Bertail, Clémençon & Vayatis 2008, §3.1).

    Attributes
    ----------
    bandwidth : float, (float, float) or str
        Standard deviation of the noise in units of the scores, for both classes or as (positives,
        negatives), or the name of a rule: "curve" (default), 1.06·s·n^(−1/4); "density", n^(−1/5);
        "distribution", n^(−1/3); "hall_hyndman" or "normal_reference" as in `KernelModel.fit`.
    kernel : {"gaussian", "uniform"}
        Distribution of the noise.
    center : {"empirical", "smoothed"}
        The curve from which the errors of resamples are taken: the sample's, or the kernel curve from which
        resamples are drawn (remark 3 of Bertail, Clémençon & Vayatis 2008).
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
        """The noise that resampled scores get."""
        return Smoothing(self.bandwidth, self.kernel, self.center)


@method_class
class SmoothedStudentizedRates(SmoothedRates):
    """Studentized smoothed bootstrap.

    As "smoothed_bootstrap", each error divided by its own estimate of the standard deviation (eqs. 4 and 5 of
    Bertail, Clémençon & Vayatis 2008), whose kernel densities have bandwidth 1.06·s·n^(−1/3).
    """

    name = "smoothed_studentized_bootstrap"
    studentized = True


@method_class
class NaiveRates(ByErrors):
    """Symmetric bootstrap.

    The rate plus and minus a quantile of the errors of resamples. Where all resamples are identical the
    interval is that of "beta_mixture".
    """

    name = "naive_bootstrap"
    serves = (TPR,)
    caution = "Less accurate than with smoothing."


@method_class
class NaiveStudentizedRates(ByErrors):
    """Studentized bootstrap.

    As "naive_bootstrap", each error divided by its own estimate of the standard deviation.
    """

    name = "naive_studentized_bootstrap"
    serves = (TPR,)
    studentized = True
