"""Misspelt names of arguments: Python's own error, with the close match or the name used here."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

CLOSE = 0.75
"""Similarity at which one name may be another, misspelt."""

OTHER_NAMES = (
    ("seed", "rng", "Use `rng`."),
    ("random_state", "rng", "Use `rng`."),
    ("random_seed", "rng", "Use `rng`."),
    ("n_boot", "n_resamples", "Use `n_resamples`."),
    ("n_bootstrap", "n_resamples", "Use `n_resamples`."),
    ("n_bootstraps", "n_resamples", "Use `n_resamples`."),
    ("n_permutations", "n_resamples", "Use `n_resamples`."),
    ("alpha", "confidence_level", "Use `confidence_level`, which is 1 - alpha."),
    ("alpha", "significance_level", "Use `significance_level`."),
    ("ci", "confidence_level", "Use `confidence_level`, e.g. 0.95."),
    ("level", "confidence_level", "Use `confidence_level`, e.g. 0.95."),
    ("n_threads", "n_jobs", "Use `n_jobs`."),
    ("cutoff", "threshold", "Use `threshold`."),
    ("sensitivity", "tpr", "Use `tpr`."),
    ("prevalence", "prior", "Use `prior`."),
    ("correction", "adjust", "Use `adjust`."),
    ("y_true", "scores", "Pass the labels by position."),
    ("y_score", "scores", "Pass the scores by position."),
    ("pos_label", "scores", "Only arrays need it, a table has it."),
    ("pos_label", "pair", "Only arrays need it, a table has it."),
)
"""Well-known names of arguments, the argument of a function that each one means, and what to do."""


def checks_keywords(function: F) -> F:
    """Answer a keyword that a function does not have by the close match."""
    named = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        check_keywords(function, named, options)
        return function(*args, **options)

    return call  # type: ignore[return-value]


def check_keywords(function: Callable[..., Any], named: Iterable[str], given: Iterable[str]) -> None:
    """Raise Python's error for a keyword that is not among those named, with a close match."""
    for name in given:
        if name in named:
            continue
        hints = [hint for other, own, hint in OTHER_NAMES if other == name and own in named]
        hints += [f"Did you mean `{own}`?" for own in difflib.get_close_matches(name, named, 1, CLOSE)]
        error = f"{function.__qualname__}() got an unexpected keyword argument {name!r}"
        raise TypeError(". ".join([error, *hints[:1]]))
