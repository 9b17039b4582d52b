"""The methods of costs and net benefits, for one model and for the difference of two."""

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
"""Of dividing the deviate where the prevalence multiplies the rates."""

NO_WIDTH = "Has no width, and so no coverage, where no error is observed."

ONE = (("cost", "interval"), ("cost_per_case", "interval"), ("net_benefit", "interval"))
TWO = (("cost", "difference"), ("cost_per_case", "difference"), ("net_benefit", "difference"))


@method_class
class CostMethod(Method):
    """What the methods of costs share."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of a cost, or of a difference of two, at each place."""
        priced = x.statistic.linear_of(x, getattr(self, "size", None))
        found, offset = self.ends(priced, level), x.statistic.offset_of(x)
        lower, upper = found.ends
        notes = found.notes + warn_zero_width(upper - lower, "mid_p" if priced.alone else "agresti_min")
        return Outcome(offset + lower, offset + upper, offset + priced.mean(), notes=notes)

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both ends, not yet cut to the possible range, and notes."""
        raise NotImplementedError


@method_class
class OfAnySampleSize(CostMethod):
    """What methods share that give the uncertainty of a sample of any size.

    Attributes
    ----------
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in the sample whose uncertainty is wanted, of each model. Default:
        the sample's own.
    """

    size: Size = None


@method_class
class MidPCost(CostMethod):
    """Mid-P limits of all proportions together.

    Each end is the cost at proportions whose mid-P deviates have z² as the sum of their squares, divided
    between them as the squares of what each alone would add at z. The proportions are both error rates and,
    where it is uncertain, the prevalence. It leaves room for errors that were never seen, near w = 0 and 1
    and beyond the observed scores.
    """

    name = "mid_p"
    dependence = "resized"
    serves = ONE
    papers = ("lancaster1961", "newcombe1998", "zou2008")

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both ends, not yet cut to the possible range, and notes."""
        z = distributions.normal_quantile(level) * np.array([[-1.0], [1.0]])
        sample, share = priced.parts[0].sample, priced.share
        if priced.sampling == "full":
            share = Prevalence(sample.share, sample.n_pos + sample.n_neg, sample.n_pos)
        # Rates along the first axis, ends along the second.
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
    """What normal intervals share: the mean and variance of the data after adding pseudo-cases."""

    added: ClassVar[Pseudo] = NONE
    added_chosen: ClassVar[Pseudo] = NONE
    """Where the thresholds were chosen on the same cases."""

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both ends, not yet cut to the possible range, and notes."""
        added = self.added_chosen if priced.chosen else self.added
        half = distributions.normal_quantile(level) * priced.error(added)
        centre = priced.mean(added)
        return Outcome(centre - half, centre + half)


@method_class
class AgrestiCoullCost(NormalCost):
    """Normal distribution after adding pseudo-cases.

    A normal distribution fitted after adding two errors and two correct cases to each class.
    """

    name = "agresti_coull"
    dependence = "resized"
    serves = ONE
    papers = ("agresti1998", "dugas2009cost")
    caution = (
        "Covers a little less than its level in the middle with few cases, where both rates are drawn "
        "towards one half."
    )
    added = added_chosen = AGRESTI


@method_class
class AgrestiMinCost(NormalCost):
    """Normal distribution after adding pseudo-cases.

    A normal distribution fitted after adding ½ to each of the four cells of each class's table of both
    models' calls, 1 where thresholds are chosen on the same cases, since the next error is right beside them;
    for two test sets, one error and one correct case to each class.
    """

    name = "agresti_min"
    dependence = "resized"
    serves = TWO
    papers = ("agresti2005", "agresti2000", "bonett2012", "dugas2009cost")
    added = AGRESTI
    added_chosen = AGRESTI._replace(paired=1.0)


@method_class
class WaldCost(NormalCost):
    """Normal distribution fitted to the bootstrap distribution.

    A normal distribution with the bootstrap distribution's own mean and variance.
    """

    name = "wald"
    dependence = "resized"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH


@method_class
class BootstrapCost(OfAnySampleSize, Resampling):
    """Bootstrap percentiles.

    Percentiles of the costs of resampled cases, thresholds held fixed.
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
        """Return both ends, not yet cut to the possible range, and notes."""
        count = check_resamples(self.n_resamples, level)
        drawn = priced.replicates(count, make_rng(self.rng), self.n_jobs)
        return Outcome(*percentile_ends(drawn, level))


@method_class
class ExactBootstrapCost(OfAnySampleSize):
    """Percentiles of the exact bootstrap distribution.

    The percentiles that infinitely many resamples would have, without resampling.
    """

    name = "exact_bootstrap"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "bootstrap"

    def ends(self, priced: LinearCost, level: float) -> Outcome:
        """Return both ends, not yet cut to the possible range, and notes."""
        h, mixing = len(priced.alpha), Mixing.of(priced.share)
        ends, approximate = np.empty((h, 2)), False
        for row in range(h):
            ends[row], exact = quantiles(steps_of(priced, row), tails(level), mixing)
            approximate |= not exact
        return Outcome(ends[:, 0], ends[:, 1], notes=warned(APPROXIMATE, where=approximate))
