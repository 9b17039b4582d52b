"""What all rules share: drawing the samples and adding up what each batch of them says."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from confroc._check import ArgumentTypeError, ConfrocWarning
from confroc._types import Sampling
from confroc.lab.batch import Batch, draw
from confroc.lab.designs import AnyPopulation, NormalPair
from confroc.lab.populations import Population
from confroc.lab.rules.tallies import Tally, add


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How methods are judged: which intervals are made from a sample, and against which truth.

    Attributes
    ----------
    methods : tuple of str
        Names of the public functions' methods; for bands and forecasts also with options, written
        "method:option=value,option=value".
    confidence_level : float
    n_resamples : int
        For the methods that resample.
    """

    methods: tuple[str, ...]
    confidence_level: float = 0.9
    n_resamples: int = 100

    at_name = "at"

    def judge(
        self, batch: Batch, population: AnyPopulation, rng: np.random.Generator, share: float
    ) -> list[Tally]:
        """Count, per method and quantity, what the batch's intervals hold.

        `share` is the share of positives in the population that is sampled.
        """
        raise NotImplementedError  # pragma: no cover

    def run(
        self,
        population: AnyPopulation,
        size: tuple[int, int],
        sampling: Sampling,
        reps: int,
        rng: np.random.Generator,
    ) -> list[Tally]:
        """Draw `reps` samples and judge them all."""
        batches, lost = draw(population, size, sampling, rng, reps)
        share = population.share if sampling == "full" else size[0] / (size[0] + size[1])
        with quiet():
            total = add([self.judge(batch, population, rng, share) for batch in batches])
        return [t._replace(failures=t.failures + lost) for t in total]


def one_model(population: AnyPopulation) -> Population:
    """Return a population of one model, or say that the rule needs one."""
    if isinstance(population, NormalPair) or not hasattr(population, "rates"):
        raise ArgumentTypeError(
            "population", "have one model", type(population).__name__, "Use a rule for its kind."
        )
    return population


def two_models(population: AnyPopulation) -> tuple[Population, Population]:
    """Return the two models of a pair, or say that the rule needs one."""
    if not isinstance(population, NormalPair):
        raise ArgumentTypeError(
            "population", "be a NormalPair", type(population).__name__, "Use a rule for one model."
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
