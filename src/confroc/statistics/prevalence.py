"""Operating conditions: the weight w, unit costs, and the target prevalence, known or estimated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, Words, as_floats, as_values, check_rate
from confroc._types import BoolArray, Ends, FloatArray, Sampling
from confroc.distributions import binomial_cells
from confroc.moments import influence_moments
from confroc.resample import check_sampling
from confroc.scores import Pair, Scores, models_of

DEFAULT_GRID = 101
LEAST_SHARE = 1e-100
"""Minimum prevalence of a cost curve that is estimated from other cases."""

Count: TypeAlias = tuple[float, float]
"""(positives, cases) of another sample."""
Prior: TypeAlias = float | Count
"""Target prevalence: known, or (positives, cases) of another sample that estimates it."""


def check_w(w: ArrayLike | None) -> FloatArray:
    """Return weights in [0, 1]; by default 101 equally spaced ones."""
    return np.linspace(0.0, 1.0, DEFAULT_GRID) if w is None else check_rate("w", w)


def check_unit_cost(name: str, value: ArrayLike) -> FloatArray:
    """Return unit costs, positive and finite."""
    values = as_values(name, value)
    # The squares of costs times counts must not overflow.
    good = (values >= 1e-100) & (values <= 1e100)
    return _all(
        name,
        values,
        good,
        "be positive and finite, from 1e-100 to 1e100",
        "Give the cost of one error, e.g. 5.",
    )


def check_share(name: str, value: ArrayLike) -> FloatArray:
    """Return proportions in (0, 1)."""
    values = as_values(name, value)
    good = (values > 0.0) & (values < 1.0)
    return _all(name, values, good, "lie strictly between 0 and 1", "Write 10% as 0.1.")


def check_risks(table: Scores, where: str, remedy: str) -> FloatArray:
    """Return the scores of a table, after checking that they are probabilities."""
    low, high = float(table.score[-1]), float(table.score[0])
    if low < 0.0 or high > 1.0:
        rule = f"contain risks between 0 and 1{where}"
        raise ArgumentError("scores", rule, Words(f"scores from {low:g} to {high:g}"), remedy)
    return np.asarray(table.score, dtype=np.float64)


def _all(name: str, values: FloatArray, good: BoolArray, rule: str, remedy: str) -> FloatArray:
    if not good.all():
        raise ArgumentError(name, rule, float(values[~good][0]), remedy)
    return values


def share_of(tables: Iterable[Scores]) -> float:
    """Return the prevalence of one sample, or of two together."""
    pos, neg = (sum(counts) for counts in zip(*((s.n_pos, s.n_neg) for s in tables), strict=True))
    return float(pos / (pos + neg))


ESTIMATED_PREVALENCE = "The interval includes the uncertainty of the prevalence."
KNOWN_PREVALENCE = "Prevalence is taken from the sample and treated as known."


class Prevalence(NamedTuple):
    """Target prevalence: known, or estimated from cases other than those of the sample."""

    value: float
    cases: float | None = None
    positives: float | None = None

    @property
    def uncertain(self) -> bool:
        """Whether it is an estimate from other cases."""
        return self.cases is not None

    def check_whole(self) -> None:
        """Refuse counts that cannot be resampled."""
        counts = self.positives or 0.0, self.cases or 0.0
        if any(count % 1.0 or count >= 2.0**53 for count in counts):
            rule = "be whole counts if cases are resampled"
            raise ArgumentError("prior", rule, counts, "Give whole counts, or use the default method.")

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on an estimated prevalence."""
        return () if self.cases is None else (ESTIMATED_PREVALENCE,)

    @property
    def variance(self) -> float:
        """Variance of the estimate; zero for a known prevalence."""
        return self.value * (1.0 - self.value) / self.cases if self.cases else 0.0

    def resampled(self, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Return estimates of the prevalence in resamples; fractional counts are blurred."""
        assert self.cases is not None
        whole = math.ceil(min(self.cases, 2.0**53))
        shares = rng.binomial(whole, self.value, n_resamples) / whole
        # The range is widened so that the variance is that of the fractional number of cases.
        return np.asarray(self.value + (shares - self.value) * math.sqrt(whole / self.cases))

    def law(self) -> tuple[FloatArray, FloatArray]:
        """Return the possible estimates in resamples with their probabilities; a known prevalence has one."""
        if self.cases is None:
            return np.array([self.value]), np.ones(1)
        self.check_whole()
        counts, mass = binomial_cells(self.value, int(self.cases))
        return counts / self.cases, mass / mass.sum()


def read_prior(prior: Prior | None, sampling: Sampling | None) -> tuple[Prevalence | None, Sampling]:
    """Return the target prevalence, or None for that of the sample, and the sampling; each has a default."""
    if sampling is not None:
        check_sampling(sampling)
    if prior is None:
        return None, sampling or "full"
    return stated_prevalence(prior, sampling), "stratified"


def stated_prevalence(prior: Prior, sampling: Sampling | None = None) -> Prevalence:
    """Return the target prevalence that replaces the estimate from the sample."""
    if sampling == "full":
        rule = "be omitted under sampling='full', which estimates it from the sample"
        raise ArgumentError("prior", rule, prior, "Omit `sampling` or `prior`.")
    if not isinstance(prior, Sequence) and not np.ndim(prior):
        return Prevalence(float(check_share("prior", prior)[0]))
    counts = as_floats("prior", prior)
    if counts.shape != (2,) or not 0.0 < counts[0] < counts[1] < np.inf:
        rule = "be a proportion, or (positives, cases) with 0 < positives < cases"
        raise ArgumentError("prior", rule, prior, "Write 12 positives among 150 cases as (12, 150).")
    k, n = counts.tolist()
    return Prevalence(k / n, n, k)


def share_in_use(
    data: Scores | Pair, prior: Prior | None, sampling: Sampling | None
) -> tuple[Prevalence, Sampling]:
    """Return the target prevalence, by default that of the sample, and the sampling."""
    share, sampling = read_prior(prior, sampling)
    return share or Prevalence(share_of(models_of(data))), sampling


def share_in_curve(
    data: Scores | Pair, prior: Count | None, sampling: Sampling
) -> tuple[Prevalence, Sampling]:
    """Return the prevalence in w, which may be estimated from other cases, and the sampling."""
    sampling = check_sampling(sampling)
    if prior is None:
        return Prevalence(share_of(models_of(data))), sampling
    if type(prior) not in (list, tuple) and np.ndim(prior) == 0:
        rule = "be (positives, cases), since a known prevalence is part of w"
        raise ArgumentError("prior", rule, prior, "Omit it, or write 12 among 150 cases as (12, 150).")
    share, sampling = share_in_use(data, prior, None if sampling == "stratified" else sampling)
    if share.value < LEAST_SHARE:
        # The squares of the unit costs of w must not overflow.
        rule = f"be a prevalence of at least {LEAST_SHARE:g}"
        raise ArgumentError("prior", rule, prior, "Omit `prior`.")
    return share, sampling


def prevalence_ends(
    table: Scores,
    prior: Prior | None,
    sampling: Sampling | None,
    level: float,
    ends: Callable[[Any, Any, float], Ends],
) -> tuple[float, float]:
    """Return an interval for the target prevalence by a method for proportions; of zero width if known."""
    share, sampling = share_in_use(table, prior, None if prior else sampling)
    if sampling == "stratified" and not share.uncertain:
        return share.value, share.value
    cases = share.cases or _cases_of(table, share.value)
    low, high = ends(np.array([share.value * cases]), cases, level)
    return float(low[0]), float(high[0])


def _cases_of(table: Scores, share: float) -> float:
    """Return the number of unweighted cases that would estimate the prevalence equally well."""
    if table.design is None:
        return float(table.n_pos + table.n_neg)
    spread = share * (1.0 - share)
    d = len(table.score)
    parts = influence_moments((np.full(d, spread), np.full(d, -spread)), table)
    n = float(table.n_pos + table.n_neg)
    return spread / max(sum(m.variance for m in parts), spread / n)
