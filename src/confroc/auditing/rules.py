"""Rules: methods to evaluate, places, and level."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentTypeError, held
from confroc._progress import work
from confroc._types import Sampling
from confroc.auditing.coverage import Coverage
from confroc.auditing.populations import Population
from confroc.auditing.samples import Samples

quiet = held
"""Keep warnings about single samples; failures are counted."""
progress = work
"""Show the progress of a study."""


class Drawn(NamedTuple):
    """Samples of one size, their population, and the random stream for resampling."""

    samples: Samples
    population: Any
    sampling: Sampling
    rng: np.random.Generator

    @property
    def share(self) -> float:
        """Prevalence in the samples."""
        n_pos, n_neg = self.samples.n_pos, self.samples.n_neg
        return float(self.population.share) if self.sampling == "full" else n_pos / (n_pos + n_neg)

    @property
    def model(self) -> Population:
        """The population; raises if it has two models."""
        if not hasattr(self.population, "rates"):
            remedy = "Use a rule for several models, such as `Rule('auc_difference', ...)`."
            raise ArgumentTypeError("population", "have one model", type(self.population).__name__, remedy)
        found: Population = self.population
        return found

    @property
    def models(self) -> tuple[Population, Population]:
        """The two models of the population; raises if it is not a pair."""
        if not hasattr(self.population, "a"):
            remedy = "Use a rule for one model, such as `Rule('auc_interval', ...)`."
            raise ArgumentTypeError("population", "be a pair", type(self.population).__name__, remedy)
        return self.population.a, self.population.b


Evaluator: TypeAlias = Callable[[Any, Drawn], list[Coverage]]
"""Counts the intervals that contain the truth, by method and quantity, for a rule and samples."""


@dataclass(frozen=True)
class Rule:
    """Methods of a function to evaluate, and places.

    Attributes
    ----------
    function : str or callable
        An `Evaluator`, or the name of a public function that has one.
    methods : tuple of str
        Names of methods, optionally with options "method:option=value,option=value".
    at : tuple of float
        Places. For thresholds the predicted-positive rate, which does not depend on the scale of the scores:
        the threshold is that of the population. At a false positive rate the truth is the true curve's value;
        a method that requires r = floor(fpr·n_neg) >= 1 gives no interval at a lower rate. For costs the
        operating condition w, in (0, 1), with the population's best threshold. For a comparison the common
        AUC of all models.
    confidence_level : float
    n_resamples : int
        For resampling methods.
    by_score : bool
        At thresholds: whether places are the thresholds themselves, common to two models, not
        predicted-positive rates.
    """

    function: str | Evaluator
    methods: tuple[str, ...]
    at: tuple[float, ...] = ()
    confidence_level: float = 0.9
    n_resamples: int = 100
    by_score: bool = False


def ways(function: Callable[..., Any], rule: Rule, **options: Any) -> list[Callable[[Any], Any]]:
    """Return the function with each method and the level of a rule."""
    level = rule.confidence_level
    return [functools.partial(function, method=m, confidence_level=level, **options) for m in rule.methods]


def parse(method: str) -> tuple[Any, dict[str, Any]]:
    """Split "method:option=value,..." into the method and its options."""
    name, _, rest = method.partition(":")
    options: dict[str, Any] = {}
    for item in rest.split(",") if rest else []:
        key, _, value = item.partition("=")
        options[key] = int(value) if value.isdigit() else {"True": True, "False": False}.get(value, value)
    return name, options
