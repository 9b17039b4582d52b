"""Methods for rates at a threshold, of one model and of the difference between two.

At a fixed threshold the two rates of a model are independent binomial proportions. Two models on the same
cases differ only in the discordant ones, which exactly one of them predicts positive; their resampled counts
are trinomial (Dugas & Gadoury 2009, §3, eqs. 8-11). On disjoint test sets the rates of two models are
independent binomials.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ClassVar, TypeAlias

import numpy as np

from confroc import distributions
from confroc._check import check_size
from confroc._types import Ends, FloatArray, IntArray, Sampling, Size
from confroc.base import Contrast, Dependence, Method, Outcome, method_class
from confroc.bootstrap import Bootstrap
from confroc.distributions import warn_zero_width
from confroc.exact.difference import PairSizes, check_pair_sizes
from confroc.exact.full import RateLaw, over_class_sizes, quantiles
from confroc.resample import Draw, draws_of, percentile_ends, tails
from confroc.scores import PairedScores, Scores, UnpairedScores
from confroc.scores.counting import PairCounter, ThresholdCounter, counts_at, discordant_counts

INTERVAL, DIFFERENCE = ("rates_at_threshold", "interval"), ("rates_at_threshold", "difference")
DOMINANCE = ("rates_at_threshold", "dominance")

CAFFO_NOTE = "On disjoint test sets one success and one failure are added to each (Agresti & Caffo 2000)."


Independent: TypeAlias = tuple[IntArray, int, int, IntArray, int, int]
"""Successes, trials and resampled trials of a and of b."""


@method_class
class ThresholdMethod(Method):
    """Base class of methods for rates at a threshold: counts, and the warning about zero width."""

    dependence: ClassVar[Dependence] = "resized"

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of FPR and TPR, shape (2, h)."""
        lower, upper = self._of_one(x, level) if x.single else self._of_two(x, level)
        return Outcome(lower, upper, notes=_zero_width(x, upper - lower))

    def _of_one(self, x: Contrast, level: float) -> Ends:
        table = x.table
        above = counts_at(table, x.statistic.places)
        sizes = check_size(getattr(self, "size", None), table.n_pos, table.n_neg)
        m_pos, m_neg = ({"m": m} if isinstance(self, OfAnySize) else {} for m in sizes)
        return _stacked(
            self.proportion(above.neg, table.n_neg, level, **m_neg),
            self.proportion(above.pos, table.n_pos, level, **m_pos),
        )

    def _of_two(self, x: Contrast, level: float) -> Ends:
        (a, b), pair = (s.places for s in x.statistics), x.data
        sizes = check_pair_sizes(pair, getattr(self, "size", None))
        if isinstance(pair, PairedScores):
            d, (m_pos, m_neg) = discordant_counts(pair, a, b), sizes[0]
            return _stacked(
                self.matched(d.neg_10, d.neg_01, pair.n_neg, level, m=m_neg),
                self.matched(d.pos_10, d.pos_01, pair.n_pos, level, m=m_pos),
            )
        of_neg, of_pos = independent_counts(pair, a, b, sizes)
        return _stacked(self.independent(*of_neg, level), self.independent(*of_pos, level))

    proportion: ClassVar[Callable[..., Ends]]
    """Interval for k successes in n trials; with `size` also the number m of trials."""
    matched: ClassVar[Callable[..., Ends]]
    """Interval for a difference of matched proportions, from discordant counts."""
    independent: ClassVar[Callable[..., Ends]]
    """Interval for a difference of independent proportions, from counts as in `Independent`."""


@method_class
class OfAnySize(ThresholdMethod):
    """Base class of methods for samples of any size.

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in the sample whose uncertainty is computed. Default: as in the
        sample. Applies to both of two disjoint test sets.
    """

    size: Size = None


def _zero_width(x: Contrast, width: FloatArray) -> tuple[str, ...]:
    return warn_zero_width(width, "agresti_coull" if x.single else "bonett_price")


def _stacked(fpr: Ends, tpr: Ends) -> Ends:
    """Lower and upper limits of both rates."""
    return np.stack([fpr[0], tpr[0]]), np.stack([fpr[1], tpr[1]])


def independent_counts(
    pair: UnpairedScores, a: FloatArray, b: FloatArray, sizes: PairSizes
) -> tuple[Independent, Independent]:
    """Return the counts of both models, for FPR and for TPR."""
    above_a, above_b = counts_at(pair.a, a), counts_at(pair.b, b)
    (pos_a, neg_a), (pos_b, neg_b) = sizes
    return (
        (above_a.neg, pair.a.n_neg, neg_a, above_b.neg, pair.b.n_neg, neg_b),
        (above_a.pos, pair.a.n_pos, pos_a, above_b.pos, pair.b.n_pos, pos_b),
    )


@method_class
class AgrestiCoull(OfAnySize):
    """Agresti–Coull.

    Close to nominal coverage even in small samples. Wald interval after adding z²/2 successes and z²/2
    failures, two of each at 95% (Algorithm 1 of Dugas & Gadoury 2009).
    """

    name = "agresti_coull"
    serves = (INTERVAL,)
    papers = ("agresti1998", "dugas2009")
    caution = "Slightly conservative near 0 and 1."

    proportion = staticmethod(distributions.agresti_coull)


@method_class
class WaldRates(OfAnySize):
    """Wald.

    Normal interval with the mean and variance of the exact bootstrap distribution. For comparison.
    """

    name = "wald"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("dugas2009",)
    caution = "Zero width and no coverage at rates of 0 and 1, or for identical predictions."

    proportion = staticmethod(distributions.wald)
    matched = staticmethod(distributions.matched_difference)
    independent = staticmethod(distributions.independent_difference)


@method_class
class BootstrapRates(Bootstrap):
    """Percentile bootstrap.

    Percentiles of the rates, or of their differences, in resamples of whole cases.
    """

    name = "bootstrap"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("dugas2009",)
    caution = WaldRates.caution

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of FPR and TPR, shape (2, h)."""
        drawn = rate_replicates(x, draws_of(self, level), self.size)
        lower, upper = percentile_ends(drawn, level)
        return Outcome(lower, upper, notes=_zero_width(x, upper - lower))


def rate_replicates(x: Contrast, draw: Draw, size: Size = None) -> FloatArray:
    """Return resampled (FPR, TPR), or differences of them, of shape (n_resamples, 2, h).

    A case matters only through its position among the thresholds, so a resample costs O(h) for any sample
    size.
    """
    if isinstance(x.data, PairedScores):
        sizes = check_pair_sizes(x.data, size)
        counter_of_pair = PairCounter.of(x.data, *(s.places for s in x.statistics))
        table, pair_counter = counter_of_pair.compressed(x.data)

        def differences(pos: IntArray, neg: IntArray) -> FloatArray:
            difference = pair_counter.differences(pos, neg)
            return np.stack([difference.neg / neg.sum(), difference.pos / pos.sum()])

        return draw(differences, table, size=sizes[0])
    terms = zip(x.weights, x.statistics, x.tables, strict=True)
    drawn = [w * _replicates_of_one(t, s.places, size, draw) for w, s, t in terms]
    return np.asarray(sum(drawn[1:], drawn[0]))


def _replicates_of_one(scores: Scores, threshold: FloatArray, size: Size, draw: Draw) -> FloatArray:
    table, counter = ThresholdCounter.of(scores, threshold).compressed(scores)

    def rates(pos: IntArray, neg: IntArray) -> FloatArray:
        above = counter(pos, neg)
        return np.stack([above.neg / neg.sum(), above.pos / pos.sum()])

    return draw(rates, table, size=check_size(size, scores.n_pos, scores.n_neg))


@method_class
class ExactBootstrapRates(OfAnySize):
    """Exact bootstrap.

    Quantiles of the binomial or trinomial limiting distribution of the bootstrap, without resampling.

    Attributes
    ----------
    sampling : {"stratified", "full"}
        Resample each class separately, or all cases so that class sizes vary; then the distributions are
        mixtures over class sizes, for up to about 4,000 cases.
    """

    name = "exact_bootstrap"
    guarantee = "bootstrap"
    dependence = "refused"
    serves = (INTERVAL, DIFFERENCE, DOMINANCE)
    papers = ("dugas2009",)
    caution = WaldRates.caution
    proportion = staticmethod(distributions.exact_bootstrap)
    matched = staticmethod(distributions.matched_bootstrap)
    independent = staticmethod(distributions.independent_bootstrap)
    sampling: Sampling = "stratified"

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of FPR and TPR, shape (2, h)."""
        if self.sampling == "stratified":
            return super().__call__(x, level)
        ends = [
            [quantiles(law, tails(level), *less) for law, *less in self._full_laws(x, side)]
            for side in ("neg", "pos")
        ]
        lower, upper = np.moveaxis(np.array(ends), -1, 0)
        return Outcome(lower, upper, notes=_zero_width(x, upper - lower))

    def _full_laws(self, x: Contrast, side: str) -> list[tuple[RateLaw, ...]]:
        """Distributions at each threshold: of a rate, of a difference, or of two independent rates."""
        if isinstance(x.data, PairedScores):
            d = discordant_counts(x.data, *(s.places for s in x.statistics))
            counts = zip(*(getattr(d, f"{side}_{which}").tolist() for which in ("10", "01")), strict=True)
            return [(self._mixed(x.data, side, *up_down),) for up_down in counts]
        each = [
            [self._mixed(table, side, k) for k in getattr(counts_at(table, s.places), side).tolist()]
            for s, table in zip(x.statistics, x.tables, strict=True)
        ]
        return list(zip(*each, strict=True))

    def _mixed(self, table: Scores | PairedScores, side: str, up: int, down: int = 0) -> RateLaw:
        """Distribution of the mean over a class's draws, with `up` cases of value 1 and `down` of -1."""
        sample = table.n_pos, table.n_neg
        of = ("pos", "neg").index(side)

        def law_of(size: tuple[int, int]) -> RateLaw:
            m = size[of]
            return RateLaw(np.arange(-m, m + 1) / m, distributions.matched_pmf(up, down, sample[of], m))

        return over_class_sizes(sample, check_size(self.size, *sample), law_of)


@method_class
class WilsonRates(ThresholdMethod):
    """Wilson's score interval.

    Contains every rate whose z test against the observed rate is not significant. The width is positive even
    without observed errors.
    """

    name = "wilson"
    serves = (INTERVAL,)
    papers = ("wilson1927",)

    proportion = staticmethod(distributions.wilson)


@method_class
class ClopperPearson(ThresholdMethod):
    """Clopper–Pearson.

    Contains all rates that the binomial test does not reject; coverage is at least the level.
    """

    name = "clopper_pearson"
    guarantee = "finite-sample"
    serves = (INTERVAL,)
    papers = ("clopper1934",)
    caution = "Conservative."

    proportion = staticmethod(distributions.clopper_pearson)


@method_class
class JeffreysRates(ThresholdMethod):
    """Jeffreys.

    Equal-tailed Bayesian interval with the Beta(½, ½) prior; coverage is close to nominal on average over
    rates.
    """

    name = "jeffreys"
    serves = (INTERVAL,)
    papers = ("brown2001",)

    proportion = staticmethod(distributions.jeffreys)


@method_class
class PseudoCases(OfAnySize):
    """Base class of methods that add to discordant counts; Agresti & Caffo's for disjoint test sets."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the intervals of the differences of FPR and TPR, shape (2, h)."""
        found = super().__call__(x, level)
        if isinstance(x.data, PairedScores):
            return found
        return found._replace(notes=(CAFFO_NOTE, *found.notes))

    independent = staticmethod(functools.partial(distributions.independent_difference, a=1.0))


@method_class
class BonettPrice(PseudoCases):
    """Bonett–Price.

    At least nominal coverage even in small samples. Normal interval for a difference of matched proportions
    after adding one to each count of discordant cases; for disjoint test sets one success and one failure are
    added to each sample (Agresti–Caffo).
    """

    name = "bonett_price"
    serves = (DIFFERENCE,)
    papers = ("bonett2012", "agresti2000")
    caution = "Conservative with few discordant cases."

    matched = staticmethod(distributions.bonett_price)


@method_class
class AgrestiMin(PseudoCases):
    """Agresti–Min.

    Normal interval for a difference of matched proportions after adding one half to each count of discordant
    cases and one to the concordant ones (Algorithm 3 of Dugas & Gadoury 2009); for disjoint test sets one
    success and one failure are added to each (Agresti–Caffo).
    """

    name = "agresti_min"
    serves = (DIFFERENCE,)
    papers = ("agresti2005", "agresti2000", "dugas2009")
    caution = "Under-covers with few, one-sided discordant cases."

    matched = staticmethod(distributions.agresti_min)
