"""What every pointwise method shares: honest warnings, and percentile ends of resamples."""

from __future__ import annotations

import math

import numpy as np

from confroc._check import ArgumentError, check_choice, check_count, warn
from confroc._types import FloatArray, Sampling, Size
from confroc.resample import SAMPLINGS
from confroc.results import Guarantee, Intervals

BOOTSTRAPS = ("bootstrap", "exact_bootstrap")


def guarantee_of(method: str) -> Guarantee:
    """Return what the level of a method rests on."""
    if method == "clopper_pearson":
        return "finite-sample"
    return "bootstrap" if method in BOOTSTRAPS else "asymptotic"


def notes_of(*sides: Intervals) -> tuple[str, ...]:
    """Return the notes of all sides, each once."""
    return tuple(dict.fromkeys(note for side in sides for note in side.notes))


def warn_zero_width(width: FloatArray, method: str, remedy: str) -> tuple[str, ...]:
    """Warn about, and note, intervals that claim to know a rate exactly."""
    empty = int(np.count_nonzero(width <= 0.0))
    if not empty:
        return ()
    note = (
        f"{empty} interval(s) of method {method!r} have zero width because the sample shows no variation "
        f"there; they do not show the doubt that is left. Use {remedy!r}."
    )
    warn(note)
    return (note,)


def warn_few_cases(rate: FloatArray, n: int) -> tuple[str, ...]:
    """Warn about, and note, smooth-curve intervals with fewer than five cases expected on one side."""
    few = int(np.count_nonzero(n * np.minimum(rate, 1.0 - rate) < 5.0))
    if not few:
        return ()
    note = (
        f"At {few} of {len(rate)} rates the curve is so close to 0 or 1 that fewer than five cases are "
        "expected beyond it; 'kernel' covers less than its level there. Use 'agresti_coull'."
    )
    warn(note)
    return (note,)


def check_resamples(n_resamples: object, level: float) -> int:
    """Return the number of resamples; at least one must be expected beyond each end of the interval."""
    needed = math.ceil(2.0 / (1.0 - level) - 1e-9)
    count = check_count("n_resamples", n_resamples)
    if count < needed:
        raise ArgumentError(
            "n_resamples",
            f"be at least 2/(1 - {level:.6g}) = {needed}, so that both tails hold a resample",
            count,
            "Ask for more resamples, or use 'exact_bootstrap', which needs none.",
        )
    return count


def tails(level: float) -> tuple[float, float]:
    """Return the two probabilities between which a central interval lies."""
    return (1.0 - level) / 2.0, (1.0 + level) / 2.0


def percentile_ends(replicates: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the two percentiles of resampled values, along the first axis.

    A percentile is the smallest value whose cumulative share reaches the level, the same definition as
    for the exact laws, so that the two methods agree in the limit.
    """
    low, high = np.quantile(replicates, tails(level), axis=0, method="inverted_cdf")
    return low, high


def check_sampling(sampling: object, method: str) -> Sampling:
    """Return the way of resampling; drawing both classes together is for "bootstrap" only."""
    check_choice("sampling", sampling, SAMPLINGS)
    if sampling == "full" and method != "bootstrap":
        raise ArgumentError(
            "sampling", f"be 'stratified' with method {method!r}", sampling, "Use method 'bootstrap'."
        )
    return "full" if sampling == "full" else "stratified"


def refuse_size(size: Size, method: str, remedy: str) -> None:
    """Raise when a sample size is given to a method that only knows the sample's own."""
    if size is not None:
        raise ArgumentError("size", f"be left out with method {method!r}", size, remedy)
