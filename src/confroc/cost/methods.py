"""The methods of costs and net benefits, for one model and for the difference of two."""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import numpy as np

from confroc import distributions
from confroc._check import make_rng, warned
from confroc._types import FloatArray, Size
from confroc.base import Contrast, Guarantee, Method, Outcome, Resampling, method_class
from confroc.cost.exact_law import Mixing, quantiles, steps_of
from confroc.distributions import warn_zero_width
from confroc.resample import check_resamples, percentile_ends, tails
from confroc.statistics.linear_cost import AGRESTI, NONE, LinearCost, Pseudo, trials
from confroc.statistics.prevalence import Prevalence

APPROXIMATE = "Some exact bootstrap distributions are too large; their quantiles are approximated by moments."
ANGLES = 65
"""Ways to divide the standard errors between the share of positives and the rates, an odd number."""

NO_WIDTH = "Has no width, and so no coverage, where no error is observed."

ONE = (("cost", "interval"), ("cost_per_case", "interval"), ("net_benefit", "interval"))
TWO = (("cost", "difference"), ("cost_per_case", "difference"), ("net_benefit", "difference"))


@method_class
class CostMethod(Method):
    """What the methods of costs share."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of a cost, or of a difference of two, at each place."""
        priced = x.statistic.linear_of(x, getattr(self, "size", None))
        lower, upper, notes = self.ends(priced, level)
        notes += warn_zero_width(upper - lower, "newcombe" if priced.alone else "agresti_min")
        offset = x.statistic.offset_of(x)
        return Outcome(offset + lower, offset + upper, offset + priced.mean(), notes=notes)

    def ends(self, priced: LinearCost, level: float) -> Solution:
        """Return both ends, not yet cut to the possible range, and notes."""
        raise NotImplementedError


class Solution(NamedTuple):
    """Both ends at each place, and notes."""

    lower: FloatArray
    upper: FloatArray
    notes: tuple[str, ...] = ()


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
class NewcombeCost(CostMethod):
    """Score intervals carried through the cost.

    Wilson's limits of the two error rates, squared, weighted by what the errors cost, and added (Newcombe
    1998; Zou & Donner 2008). It leaves room for errors that were never seen, near w = 0 and 1 and beyond the
    observed scores. With an uncertain prevalence, an end is the furthest cost that z standard errors reach
    when the prevalence's limit has sin θ of them and both rates' arms cos θ.
    """

    name = "newcombe"
    serves = ONE
    papers = ("newcombe1998", "zou2008", "wilson1927")

    def ends(self, priced: LinearCost, level: float) -> Solution:
        """Return both ends, not yet cut to the possible range, and notes."""
        if priced.share is not None:
            return _newcombe_at_share(priced, level, priced.share)
        # The distance from the estimate to each end of a rate's own interval replaces z standard errors in
        # the variance of a sum. Nothing vanishes when an error count is zero.
        part, rates, prices = priced.parts[0], priced.rates(), (priced.alpha, priced.beta)
        spread = np.sqrt(rates.xx * rates.yy)
        correlation = np.divide(rates.xy, spread, out=np.zeros_like(spread), where=spread > 0.0)
        correlation = correlation * np.sign(priced.alpha) * np.sign(priced.beta)
        cases = trials(part.sample.n_pos, part.sample.n_neg, priced.sampling)
        x, y = _arms(priced, cases, level)
        down, up = np.sqrt(np.maximum(x * x + y * y + 2.0 * correlation * x * y, 0.0))
        mean = rates.mean(*prices)
        return Solution(mean - down, mean + up)


def _arms(priced: LinearCost, cases: tuple[int, int], level: float) -> list[FloatArray]:
    """Of each rate, the priced distances from its estimate to Wilson's limits: downwards and upwards."""
    arms = []
    for k, n, price in zip(priced.parts[0].found, cases, (priced.alpha, priced.beta), strict=True):
        low, high = distributions.wilson(k, n, level)
        down, up, turned = k / n - low, high - k / n, price < 0.0
        arms.append(np.abs(price) * np.stack([np.where(turned, up, down), np.where(turned, down, up)]))
    return arms


def _newcombe_at_share(priced: LinearCost, level: float, share: Prevalence) -> Solution:
    """The same with three proportions, the share of positives among them: π·αx + (1 − π)·βy.

    The share multiplies the rates, so that its own distance cannot just be added. It gets sin θ of the z
    standard errors and the rates get cos θ; each end is the furthest over all θ.
    """
    sample = priced.parts[0].sample
    cases = sample.n_pos, sample.n_neg
    prices = priced.alpha, priced.beta
    miss, alarm = (p * k / n for p, k, n in zip(prices, priced.parts[0].found, cases, strict=True))
    x, y = _arms(priced, cases, level)
    lower, upper = np.full_like(miss, np.inf), np.full_like(miss, -np.inf)
    for angle in np.linspace(-np.pi / 2.0, np.pi / 2.0, ANGLES).tolist():
        value = share.limit(math.sin(angle) * distributions.normal_quantile(level))
        down, up = math.cos(angle) * np.hypot(value * x, (1.0 - value) * y)
        centre = value * miss + (1.0 - value) * alarm
        lower, upper = np.minimum(lower, centre - down), np.maximum(upper, centre + up)
    return Solution(lower, upper)


@method_class
class NormalCost(OfAnySampleSize):
    """What normal intervals share: the mean and variance of the data after adding pseudo-cases."""

    added: ClassVar[Pseudo] = NONE

    def ends(self, priced: LinearCost, level: float) -> Solution:
        """Return both ends, not yet cut to the possible range, and notes."""
        half = distributions.normal_quantile(level) * priced.error(self.added)
        centre = priced.mean(self.added)
        return Solution(centre - half, centre + half)


@method_class
class AgrestiCoullCost(NormalCost):
    """Normal distribution after adding pseudo-cases.

    A normal distribution fitted after adding two errors and two correct cases to each class.
    """

    name = "agresti_coull"
    serves = ONE
    papers = ("agresti1998", "dugas2009cost")
    caution = (
        "Covers a little less than its level in the middle with few cases, where both rates are drawn "
        "towards one half."
    )
    added = AGRESTI


@method_class
class AgrestiMinCost(NormalCost):
    """Normal distribution after adding pseudo-cases.

    A normal distribution fitted after adding ½ to each of the four cells of each class's table of both
    models' calls; for two test sets, one error and one correct case to each class.
    """

    name = "agresti_min"
    serves = TWO
    papers = ("agresti2005", "agresti2000", "dugas2009cost")
    added = AGRESTI


@method_class
class WaldCost(NormalCost):
    """Normal distribution fitted to the bootstrap distribution.

    A normal distribution with the bootstrap distribution's own mean and variance.
    """

    name = "wald"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH


@method_class
class BootstrapCost(OfAnySampleSize, Resampling):
    """Bootstrap percentiles.

    Percentiles of the costs of resampled cases, thresholds held fixed.
    """

    name = "bootstrap"
    serves = (*ONE, *TWO)
    papers = ("dugas2009cost",)
    caution = NO_WIDTH

    def ends(self, priced: LinearCost, level: float) -> Solution:
        """Return both ends, not yet cut to the possible range, and notes."""
        count = check_resamples(self.n_resamples, level)
        drawn = priced.replicates(count, make_rng(self.rng), self.n_jobs)
        return Solution(*percentile_ends(drawn, level))


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

    def ends(self, priced: LinearCost, level: float) -> Solution:
        """Return both ends, not yet cut to the possible range, and notes."""
        h, mixing = len(priced.alpha), Mixing.of(priced.share)
        ends, approximate = np.empty((h, 2)), False
        for row in range(h):
            ends[row], exact = quantiles(steps_of(priced, row), tails(level), mixing)
            approximate |= not exact
        return Solution(ends[:, 0], ends[:, 1], warned(APPROXIMATE, where=approximate))
