"""Misspelled names: the closest one, and Python's error for an argument."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

CLOSE = 0.75
"""Similarity of a misspelled name."""

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
    ("fn", "false_negative", "Use `false_negative`."),
    ("fp", "false_positive", "Use `false_positive`."),
    ("n_threads", "n_jobs", "Use `n_jobs`."),
    ("weights", "sample_weight", "Use `sample_weight`."),
    ("groups", "cluster", "Use `cluster`."),
    ("cutoff", "threshold", "Use `threshold`."),
    ("sensitivity", "tpr", "Use `tpr`."),
    ("specificity", "fpr", "Use `fpr`, which is 1 - specificity."),
    ("positive", "pos_label", "Use `pos_label`."),
    ("weight", "sample_weight", "Use `sample_weight`."),
    ("prevalence", "prior", "Use `prior`."),
    ("prevalence", "ratio", "Use `ratio`, which is (1 - prevalence) / prevalence."),
    ("prior", "ratio", "Use `ratio`, which is (1 - prevalence) / prevalence."),
    ("correction", "adjust", "Use `adjust`."),
    ("ppv", "precision", "Use `precision`."),
    ("npv", "precision", "Reverse labels and scores; the NPV is then `precision`."),
    ("drop_intermediate", "scores", "All vertices are kept."),
    ("y_true", "scores", "Pass the labels by position."),
    ("y_score", "scores", "Pass the scores by position."),
    *(
        (name, table, f"With a table, pass `{name}` to its constructor.")
        for name in ("pos_label", "sample_weight", "cluster", "strata")
        for table in ("scores", "pair")
    ),
)
"""Common argument names of other libraries, the corresponding argument, and a hint."""


def checks_keywords(function: F) -> F:
    """Raise errors with close matches for unknown keywords."""
    named = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        check_keywords(function, named, options)
        return function(*args, **options)

    return call  # type: ignore[return-value]


def check_keywords(function: Callable[..., Any], named: Iterable[str], given: Iterable[str]) -> None:
    """Raise Python's error for an unknown keyword, with a close match."""
    for name in given:
        if name in named:
            continue
        hints = [*filter(None, [other_name(name, named)])]
        hints += [f"Did you mean `{own}`?" for own in difflib.get_close_matches(name, named, 1, CLOSE)]
        hints.append(f"See help({function.__name__}).")
        raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}. {hints[0]}")


def other_name(name: str, named: Iterable[str]) -> str:
    """Return the hint for an argument name of other libraries, or ""."""
    return next((hint for other, own, hint in OTHER_NAMES if other == name and own in named), "")


def suggest(value: object, allowed: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str:
    """Return "Did you mean 'x'? " if `value` is close to an allowed word, a part of it or longer, else "".

    Synonyms, in lower case, stand for allowed words.
    """
    spelled, given = {word.casefold(): word for word in allowed}, str(value).casefold()
    spelled |= {other: own for other, own in (synonyms or {}).items() if own in spelled}
    close = difflib.get_close_matches(given, spelled, n=1, cutoff=0.65)
    # A single letter, such as a column's name, is part of too many words.
    close += [w for w in spelled if min(len(w), len(given)) > 1 and (w in given or given in w)]
    return f"Did you mean {spelled[close[0]]!r}? " if close else ""
