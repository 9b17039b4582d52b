"""Interval methods for costs and net benefits, of one model and of the difference between two."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from confroc import distributions
from confroc._check import make_rng, warned
from confroc._types import Size
from confroc.base import Contrast, Guarantee, Method, Outcome, Resampling, method_class
from confroc.bootstrap import Bootstrap
from confroc.cost.exact_law import Mixing, quantiles, steps_of
from confroc.distributions import warn_zero_width
from confroc.resample import check_resamples, percentile_ends, tails
from confroc.statistics.linear_cost import AGRESTI, NONE, LinearCost, Pseudo
from confroc.statistics.prevalence import Prevalence

APPROXIMATE = "Some exact bootstrap distributions are too large; their quantiles are approximated by moments."
ROUNDS = 2
"""Iterations of dividing the deviate when the prevalence is estimated."""

NO_WIDTH = "Has zero width, and so zero coverage, if no error is observed."

ONE = (("cost", "interval"), ("cost_per_case", "interval"), ("net_benefit", "interval"))
TWO = (("cost", "difference"), ("cost_per_case", "difference"), ("net_benefit", "difference"))


@method_class
class CostMethod(Method):
    """Base class of methods for costs."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of a cost, or of a difference, at each place."""
        priced = x.statistic.linear_of(x, getattr(self, "size", None))
        found, offset = self.ends(priced, level), x.statistic.offset_of(x)
        lower, upper = found.ends
        notes = found.notes + warn_zero_width(upper - lower, "mid_p" if priced.alone else "agresti_min")
        return Outcome(offset + lower, offset + upper, offset + priced.mean(), notes=notes)

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both limits, not yet clipped to the possible range, and notes."""
        raise NotImplementedError


@method_class
class OfAnySampleSize(CostMethod):
    """Base class of methods with an option for the sample size.

    Attributes
    ----------
    size : (int, int), optional
        Numbers of positives and negatives in the sample for which the interval is computed. Default: as
        observed.
    """

    size: Size = None


@method_class
class MidPCost(CostMethod):
    """Mid-P limits of all proportions combined.

    The width is positive even without observed errors. Each limit is the cost at proportions whose squared
    mid-P deviates add up to z², in proportion to the squares of their separate effects at z. The proportions
    are both error rates and, if it is estimated, the prevalence.
    """

    name = "mid_p"
    dependence = "resized"
    serves = ONE
    papers = ("lancaster1961", "newcombe1998", "zou2008")

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both limits, not yet clipped to the possible range, and notes."""
        z = distributions.normal_quantile(level) * np.array([[-1.0], [1.0]])
        sample, share = priced.parts[0].sample, priced.share
        if priced.sampling == "full":
            share = Prevalence(sample.share, sample.n_pos + sample.n_neg, sample.n_pos)
        # Rates along the first axis, limits along the second.
        prices, counts = (
            np.stack(both)[:, None] for both in ((priced.alpha, priced.beta), priced.parts[0].found)
        )
        cases = np.array([sample.n_pos, sample.n_neg])[:, None, None]
        away = z * np.sign(prices)
        reach = np.abs(prices * (distributions.mid_p_limit(counts, cases, away) - counts / cases))
        if share is None:
            part = reach / np.maximum(np.hypot(*reach), 1e-300)
            return Outcome(*(prices * distributions.mid_p_limit(counts, cases, away * part)).sum(axis=0))
        rates, value = counts / cases, np.full(reach.shape[1:], share.value)
        least, most = distributions.mid_p_limit(share.positives, share.cases, z[:, 0])
        for _ in range(ROUNDS):
            slope = z * (prices[0] * rates[0] - prices[1] * rates[1])
            drift = np.abs(slope / z) * np.where(slope > 0.0, most - share.value, share.value - least)
            distance = np.stack([value * reach[0], (1.0 - value) * reach[1], drift])
            part = distance / np.maximum(np.linalg.norm(distance, axis=0), 1e-300)
            rates = distributions.mid_p_limit(counts, cases, away * part[:2])
            moved = np.abs(z) * np.sign(slope) * part[2]
            value = distributions.mid_p_limit(share.positives, share.cases, moved)
        return Outcome(*(value * prices[0] * rates[0] + (1.0 - value) * prices[1] * rates[1]))


@method_class
class NormalCost(OfAnySampleSize):
    """Base class of normal intervals, from the mean and variance after adding pseudo-cases."""

    added: ClassVar[Pseudo] = NONE
    added_chosen: ClassVar[Pseudo] = NONE
    """If the thresholds were chosen on the same cases."""

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both limits, not yet clipped to the possible range, and notes."""
        added = self.added_chosen if priced.chosen else self.added
        half = distributions.normal_quantile(level) * priced.error(added)
        center = priced.mean(added)
        return Outcome(center - half, center + half)


@method_class
class AgrestiCoullCost(NormalCost):
    """Normal approximation after adding pseudo-cases.

    The pseudo-cases are two errors and two correct cases in each class.
    """

    name = "agresti_coull"
    dependence = "resized"
    serves = ONE
    papers = ("agresti1998", "dugas2009cost")
    caution = (
        "Slightly under-covers for intermediate w in small samples, since both rates are shrunk towards one "
        "half."
    )
    added = added_chosen = AGRESTI


@method_class
class AgrestiMinCost(NormalCost):
    """Normal approximation after adding pseudo-cases.

    Close to nominal coverage even in small samples. For paired models, ½ is added to each cell of each
    class's 2 × 2 table of both models' predictions (1 if thresholds are chosen on the same cases, where
    errors are close to the thresholds). For unpaired models, one error and one correct case are added to each
    class.
    """

    name = "agresti_min"
    dependence = "resized"
    serves = TWO
    papers = ("agresti2005", "agresti2000", "bonett2012", "dugas2009cost")
    added = AGRESTI
    added_chosen = AGRESTI._replace(paired=1.0)


@method_class
class WaldCost(NormalCost):
    """Normal approximation.

    A normal distribution with the mean and variance of the bootstrap distribution.
    """

    name = "wald"
    dependence = "resized"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH


@method_class
class BootstrapCost(OfAnySampleSize, Resampling):
    """Bootstrap percentiles.

    Percentiles of the costs in resamples of the cases, at fixed thresholds.
    """

    name = "bootstrap"
    dependence = "own"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH

    @property
    def of_dependent(self) -> Method:
        """Percentiles of resamples of whole clusters."""
        return Bootstrap(n_resamples=self.n_resamples, rng=self.rng, n_jobs=self.n_jobs, size=self.size)

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both limits, not yet clipped to the possible range, and notes."""
        count = check_resamples(self.n_resamples, level)
        drawn = priced.replicates(count, make_rng(self.rng), self.n_jobs)
        return Outcome(*percentile_ends(drawn, level))


@method_class
class ExactBootstrapCost(OfAnySampleSize):
    """Percentiles of the exact bootstrap distribution.

    Percentiles of the bootstrap distribution, computed without resampling.
    """

    name = "exact_bootstrap"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH

    @property
    def guarantee(self) -> Guarantee:
        """Kind of guarantee of the level."""
        return "bootstrap"

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both limits, not yet clipped to the possible range, and notes."""
        h, mixing = len(priced.alpha), Mixing.of(priced.share)
        ends, approximate = np.empty((h, 2)), False
        for row in range(h):
            ends[row], exact = quantiles(steps_of(priced, row), tails(level), mixing)
            approximate |= not exact
        return Outcome(ends[:, 0], ends[:, 1], notes=warned(APPROXIMATE, where=approximate))
