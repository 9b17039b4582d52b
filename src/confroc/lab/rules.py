"""What is judged: intervals of which methods, against which truth."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from confroc._check import ArgumentTypeError, ConfrocWarning
from confroc._types import Sampling
from confroc.lab.coverage import Coverage
from confroc.lab.populations import AnyPopulation, NormalPair, Population
from confroc.lab.samples import Samples

Judge: TypeAlias = Callable[["Rule", Samples, Any, np.random.Generator, Sampling], list[Coverage]]
"""Counts, per method and quantity, what the intervals of all samples hold."""


@dataclass(frozen=True)
class Rule:
    """How methods are judged: by which function's intervals, at which places.

    Attributes
    ----------
    function : str or callable
        A public function: "auc_interval", "auc_difference", "rates_at_threshold",
        "rates_difference_at_threshold", "tpr_at_fpr", "tpr_difference_at_fpr", "cost_curve",
        "cost_difference" or "roc_band"; or a `Judge`, for a study with a question of its own.
    methods : tuple of str
        Names of the function's methods, where it says so with options: "method:option=value,option=value".
    at : tuple of float
        Places. For thresholds the share of all cases called positive, which does not depend on the scale
        of the scores: each stands for the population's threshold with that share. A false positive rate
        stands for r = floor(fpr·n_neg) false positives; a sample with r = 0 gives no interval, and the truth
        is that at r/n_neg. For costs the operating condition w, in (0, 1), with the population's best
        threshold.
    confidence_level : float
    n_resamples : int
        For the methods that resample.
    """

    function: str | Judge
    methods: tuple[str, ...]
    at: tuple[float, ...] = ()
    confidence_level: float = 0.9
    n_resamples: int = 100


def one_model(population: AnyPopulation) -> Population:
    """Return a population of one model, or say that the rule needs one."""
    if isinstance(population, NormalPair) or not hasattr(population, "rates"):
        raise ArgumentTypeError(
            "population", "have one model", type(population).__name__, "Use a function for its kind."
        )
    return population


def two_models(population: AnyPopulation) -> tuple[Population, Population]:
    """Return the two models of a pair, or say that the rule needs one."""
    if not isinstance(population, NormalPair):
        raise ArgumentTypeError(
            "population", "be a NormalPair", type(population).__name__, "Use a function for one model."
        )
    return population.a, population.b


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
        options[key] = {"True": True, "False": False}.get(value, value)
    return name, options
