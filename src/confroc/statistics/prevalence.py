"""Operating conditions: the weight w, unit costs, and the prevalence in use, known or estimated elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, as_floats, as_values, check_rate
from confroc._types import BoolArray, Ends, FloatArray, Sampling
from confroc.distributions import binomial_cells
from confroc.moments import influence_moments
from confroc.resample import check_sampling
from confroc.scores import Pair, Scores, models_of

DEFAULT_GRID = 101
LEAST_SHARE = 1e-100
"""Least share of positives of a curve that is estimated from other cases."""

Count: TypeAlias = tuple[float, float]
"""So many positives among so many cases seen elsewhere."""
Prior: TypeAlias = float | Count
"""Share of positives in use: known, or so many of so many cases seen elsewhere."""


def check_w(w: ArrayLike | None) -> FloatArray:
    """Return weights in [0, 1]; None means 101 of them, evenly spaced."""
    return np.linspace(0.0, 1.0, DEFAULT_GRID) if w is None else check_rate("w", w)


def check_unit_cost(name: str, value: ArrayLike) -> FloatArray:
    """Return unit costs, positive and finite."""
    values = as_values(name, value)
    # Their squares times squared counts stay within what doubles hold.
    good = (values >= 1e-100) & (values <= 1e100)
    return _all(
        name,
        values,
        good,
        "be positive and finite, from 1e-100 to 1e100",
        "Give what one such error costs, e.g. 5.",
    )


def check_share(name: str, value: ArrayLike) -> FloatArray:
    """Return shares strictly between 0 and 1."""
    values = as_values(name, value)
    good = (values > 0.0) & (values < 1.0)
    return _all(name, values, good, "lie strictly between 0 and 1", "Write 10 % as 0.1.")


def check_risks(table: Scores, where: str, remedy: str) -> FloatArray:
    """Return the scores of a table, which must be risks."""
    low, high = float(table.score[-1]), float(table.score[0])
    if low < 0.0 or high > 1.0:
        rule = f"contain risks between 0 and 1{where}"
        raise ArgumentError("scores", rule, f"scores from {low:g} to {high:g}", remedy)
    return np.asarray(table.score, dtype=np.float64)


def _all(name: str, values: FloatArray, good: BoolArray, rule: str, remedy: str) -> FloatArray:
    if not good.all():
        raise ArgumentError(name, rule, float(values[~good][0]), remedy)
    return values


def share_of(tables: Iterable[Scores]) -> float:
    """Share of positives in one test set, or in two together."""
    pos, neg = (sum(counts) for counts in zip(*((s.n_pos, s.n_neg) for s in tables), strict=True))
    return float(pos / (pos + neg))


ESTIMATED_PREVALENCE = "The interval includes the uncertainty of the prevalence."
KNOWN_PREVALENCE = "Prevalence is taken from the sample and treated as known."


class Prevalence(NamedTuple):
    """Share of positives in use: known, or estimated from so many cases other than the sample's."""

    value: float
    cases: float | None = None
    positives: float | None = None

    @property
    def uncertain(self) -> bool:
        """Whether it is an estimate from other cases."""
        return self.cases is not None

    def check_whole(self) -> None:
        """Refuse counts of which no resample can be drawn."""
        counts = self.positives or 0.0, self.cases or 0.0
        if any(count % 1.0 or count >= 2.0**53 for count in counts):
            rule = "be whole counts where these cases are resampled"
            raise ArgumentError("prior", rule, counts, "Give whole counts, or leave out `method`.")

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on an estimated prevalence."""
        return () if self.cases is None else (ESTIMATED_PREVALENCE,)

    @property
    def variance(self) -> float:
        """Variance of the estimate; zero for a known share."""
        return self.value * (1.0 - self.value) / self.cases if self.cases else 0.0

    def resampled(self, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Shares estimated from as many newly drawn cases; counts between two whole ones are blurred."""
        assert self.cases is not None
        whole = math.ceil(min(self.cases, 2.0**53))
        shares = rng.binomial(whole, self.value, n_resamples) / whole
        # A little further than the whole number of cases would go, so that the variance is that of the count.
        return np.asarray(self.value + (shares - self.value) * math.sqrt(whole / self.cases))

    def law(self) -> tuple[FloatArray, FloatArray]:
        """Possible shares among as many newly drawn cases, and their probabilities; the known one alone."""
        if self.cases is None:
            return np.array([self.value]), np.ones(1)
        self.check_whole()
        counts, mass = binomial_cells(self.value, int(self.cases))
        return counts / self.cases, mass / mass.sum()


def read_prior(prior: Prior | None, sampling: Sampling | None) -> tuple[Prevalence | None, Sampling]:
    """Share of positives in use, None for the sample's, and way of sampling, each by default by the other."""
    if sampling is not None:
        check_sampling(sampling)
    if prior is None:
        return None, sampling or "full"
    return stated_prevalence(prior, sampling), "stratified"


def stated_prevalence(prior: Prior, sampling: Sampling | None = None) -> Prevalence:
    """Return the share of positives in use that is stated instead of estimated from the sample."""
    if sampling == "full":
        rule = "be left out under sampling='full', which estimates it from the sample"
        raise ArgumentError("prior", rule, prior, "Leave out `sampling` or `prior`.")
    if not isinstance(prior, Sequence) and not np.ndim(prior):
        return Prevalence(float(check_share("prior", prior)[0]))
    counts = as_floats("prior", prior)
    if counts.shape != (2,) or not 0.0 < counts[0] < counts[1] < np.inf:
        rule = "be a share, or a count of positives above 0 and the larger one of all cases"
        raise ArgumentError("prior", rule, prior, "Write 12 positives among 150 cases as (12, 150).")
    k, n = counts.tolist()
    return Prevalence(k / n, n, k)


def share_in_use(
    data: Scores | Pair, prior: Prior | None, sampling: Sampling | None
) -> tuple[Prevalence, Sampling]:
    """The same with the sample's own share."""
    share, sampling = read_prior(prior, sampling)
    return share or Prevalence(share_of(models_of(data))), sampling


def share_in_curve(
    data: Scores | Pair, prior: Count | None, sampling: Sampling
) -> tuple[Prevalence, Sampling]:
    """Share of positives behind w, which may be the estimate of other cases, and way of sampling."""
    sampling = check_sampling(sampling)
    if prior is None:
        return Prevalence(share_of(models_of(data))), sampling
    if type(prior) not in (list, tuple) and np.ndim(prior) == 0:
        rule = "be a count of positives and one of all cases: the w of a curve holds a known share already"
        raise ArgumentError("prior", rule, prior, "Leave it out, or write 12 among 150 cases as (12, 150).")
    share, sampling = share_in_use(data, prior, None if sampling == "stratified" else sampling)
    if share.value < LEAST_SHARE:
        # Squares of the unit costs that w stands for stay within what doubles hold.
        rule = f"contain a positive among {1.0 / LEAST_SHARE:g} cases or fewer"
        raise ArgumentError("prior", rule, prior, "Leave it out: so small a share is as good as none.")
    return share, sampling


def prevalence_ends(
    table: Scores,
    prior: Prior | None,
    sampling: Sampling | None,
    level: float,
    ends: Callable[[Any, Any, float], Ends],
) -> tuple[float, float]:
    """Interval for the share of positives in use, by a method for proportions; twice a known one."""
    share, sampling = share_in_use(table, prior, None if prior else sampling)
    if sampling == "stratified" and not share.uncertain:
        return share.value, share.value
    cases = share.cases or _cases_of(table, share.value)
    low, high = ends(np.array([share.value * cases]), cases, level)
    return float(low[0]), float(high[0])


def _cases_of(table: Scores, share: float) -> float:
    """Number of independent cases of one weight from which the share of positives is known as well."""
    if table.design is None:
        return float(table.n_pos + table.n_neg)
    spread = share * (1.0 - share)
    d = len(table.score)
    parts = influence_moments((np.full(d, spread), np.full(d, -spread)), table)
    n = float(table.n_pos + table.n_neg)
    return spread / max(sum(m.variance for m in parts), spread / n)
