"""Rules: which methods are evaluated, where, and at which level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentTypeError
from confroc._types import Sampling
from confroc.auditing.coverage import Coverage
from confroc.auditing.populations import Population
from confroc.auditing.samples import Samples


class Drawn(NamedTuple):
    """Samples of one size, what they were drawn from, and the random stream of whatever resamples."""

    samples: Samples
    population: Any
    sampling: Sampling
    rng: np.random.Generator

    @property
    def share(self) -> float:
        """Share of positives among all cases from which samples are drawn this way."""
        n_pos, n_neg = self.samples.n_pos, self.samples.n_neg
        return float(self.population.share) if self.sampling == "full" else n_pos / (n_pos + n_neg)

    @property
    def model(self) -> Population:
        """The population, which must be of one model."""
        if not hasattr(self.population, "rates"):
            remedy = "Use a rule for several models, such as `Rule('auc_difference', ...)`."
            raise ArgumentTypeError("population", "have one model", type(self.population).__name__, remedy)
        found: Population = self.population
        return found

    @property
    def models(self) -> tuple[Population, Population]:
        """The two models of the population, which must be a pair."""
        if not hasattr(self.population, "a"):
            remedy = "Use a rule for one model, such as `Rule('auc_interval', ...)`."
            raise ArgumentTypeError("population", "be a pair", type(self.population).__name__, remedy)
        return self.population.a, self.population.b


Evaluator: TypeAlias = Callable[[Any, Drawn], list[Coverage]]
"""Accepts a rule and samples; counts, by method and quantity, the intervals that contain the truth."""


@dataclass(frozen=True)
class Rule:
    """Which methods of a function are evaluated, at which places.

    Attributes
    ----------
    function : str or callable
        An `Evaluator`, or the name of a public function for which there is one.
    methods : tuple of str
        Names of the function's methods, or with options "method:option=value,option=value".
    at : tuple of float
        Places. For thresholds the share of all cases called positive, which does not depend on the scale
        of the scores: each stands for the population's threshold with that share. At a false positive rate
        the truth is the true curve's value there; a method that needs r = floor(fpr·n_neg) >= 1 gives no
        interval at a lower rate. For costs the operating condition w, in (0, 1), with the population's best
        threshold. For a comparison an area that all models have.
    confidence_level : float
    n_resamples : int
        For the methods that resample.
    by_score : bool
        At thresholds: whether places are the thresholds themselves, the same for two models, and not shares
        called positive.
    """

    function: str | Evaluator
    methods: tuple[str, ...]
    at: tuple[float, ...] = ()
    confidence_level: float = 0.9
    n_resamples: int = 100
    by_score: bool = False


def parse(method: str) -> tuple[Any, dict[str, Any]]:
    """Split "method:option=value,..." into the method and its options."""
    name, _, rest = method.partition(":")
    options: dict[str, Any] = {}
    for item in rest.split(",") if rest else []:
        key, _, value = item.partition("=")
        options[key] = int(value) if value.isdigit() else {"True": True, "False": False}.get(value, value)
    return name, options
