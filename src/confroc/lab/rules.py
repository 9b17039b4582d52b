"""What is judged: intervals of which methods, against which truth."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc._calls import public
from confroc._check import ArgumentTypeError, ConfrocWarning
from confroc._types import Sampling
from confroc.lab.coverage import Coverage
from confroc.lab.populations import CopulaPair, NormalPair, Population
from confroc.lab.samples import Samples


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
        if isinstance(self.population, (NormalPair, CopulaPair)) or not hasattr(self.population, "rates"):
            raise ArgumentTypeError(
                "population",
                "have one model",
                type(self.population).__name__,
                "Use a rule for two models, such as `Rule('auc_difference', ...)`.",
            )
        found: Population = self.population
        return found

    @property
    def models(self) -> tuple[Population, Population]:
        """The two models of the population, which must be a pair."""
        if not isinstance(self.population, (NormalPair, CopulaPair)):
            raise ArgumentTypeError(
                "population",
                "be a NormalPair or a CopulaPair",
                type(self.population).__name__,
                "Use a rule for one model, such as `Rule('auc_interval', ...)`.",
            )
        return self.population.a, self.population.b


Judge: TypeAlias = Callable[[Any, Drawn], list[Coverage]]
"""Takes a rule; counts, per method and quantity, what the intervals of all samples contain."""


@public
@dataclass(frozen=True)
class Rule:
    """How methods are judged: by which function's intervals, at which places.

    Attributes
    ----------
    function : str or callable
        A public function: "auc_interval", "auc_difference", "auc_comparison", "rates_at_threshold",
        "rates_difference_at_threshold", "rates_at_positive_rate", "rates_difference_at_positive_rate",
        "tpr_at_fpr", "fpr_at_tpr", "tpr_difference_at_fpr", "cost_curve", "cost_difference", "expected_cost",
        "expected_cost_difference", "roc_band" or "roc_difference_band"; or a `Judge`, for a study with a
        question of its own.
    methods : tuple of str
        Names of the function's methods, where it says so with options: "method:option=value,option=value".
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

    function: str | Judge
    methods: tuple[str, ...]
    at: tuple[float, ...] = ()
    confidence_level: float = 0.9
    n_resamples: int = 100
    by_score: bool = False


@contextmanager
def quiet() -> Iterator[None]:
    """A study counts what goes wrong; it need not be warned of it a thousand times."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        yield


def parse(method: str) -> tuple[Any, dict[str, Any]]:
    """Split "method:option=value,..." into the method and its options."""
    name, _, rest = method.partition(":")
    options: dict[str, Any] = {}
    for item in rest.split(",") if rest else []:
        key, _, value = item.partition("=")
        options[key] = int(value) if value.isdigit() else {"True": True, "False": False}.get(value, value)
    return name, options
