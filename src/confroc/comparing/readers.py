"""Multi-reader multi-case studies: two treatments (modalities, displays) rated by several readers.

Obuchowski & Rockette (1995) analyze the values of readers and treatments by an analysis of variance with
correlated errors, since the readers rate the same cases; the error covariances come from the influence
function.

References
----------
Obuchowski NA, Rockette HE (1995). Communications in Statistics - Simulation and Computation 24, 285–308.
Hillis SL (2007). Statistics in Medicine 26, 596–619.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_choice, check_instance
from confroc._types import FloatArray
from confroc.base import Statistic
from confroc.hypotheses import by_standard_error, check_hypothesis
from confroc.inference import bounds_of, minus
from confroc.influence import has_influence
from confroc.results import Difference, label_of_two
from confroc.scores import PairedScores
from confroc.statistics import Auc

Readers = Literal["random", "fixed"]
OF_RATINGS = "Pass {'first': {'reader 1': scores, ...}, 'second': {...}}, with the same readers."


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ReaderComparison(Difference):
    """The difference between two treatments over readers and cases.

    Attributes
    ----------
    treatments, readers : tuple of str
    values : ndarray of shape (2, r)
        The statistic of each treatment and reader.
    df : float
        Degrees of freedom of Student's T, by Hillis (2007); infinite for fixed readers.
    variance, cov1, cov2, cov3 : float
        Error variance of one value, and error covariances of two values with the same reader, with the same
        treatment, and with neither.
    quantity, estimate, lower, upper, standard_error, statistic, pvalue
        As in `Difference`; `statistic` squared is the F of the analysis of variance.

    See Also
    --------
    reader_comparison : Returns one.
    """

    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    values: FloatArray
    df: float
    variance: float
    cov1: float
    cov2: float
    cov3: float

    def _columns(self) -> Mapping[str, Any]:
        """One row of scalars."""
        lists = (np.ndarray, tuple, dict)
        return {name: [v] for name, v in self._parts().items() if not isinstance(v, lists)}


def reader_comparison(
    y_true: ArrayLike,
    ratings: Mapping[str, Mapping[str, ArrayLike]],
    /,
    statistic: Statistic | None = None,
    *,
    readers: Readers = "random",
    pos_label: object = None,
    confidence_level: float = 0.95,
) -> ReaderComparison:
    """Compare two treatments rated by several readers on the same cases.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes of the cases.
    ratings : mapping of two treatments to mappings, or data frames, of readers to scores
        Scores by treatment and reader; the readers are the same for both treatments.
    statistic : Statistic, optional
        Default: AUC.
    readers : {"random", "fixed"}
        "random": inference to the population of readers. "fixed": inference to these readers.
    pos_label
        As in `Scores`.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    ReaderComparison
            Difference first − second of the means over readers, with interval and test. Guarantee: asymptotic
            in the number of cases.

    Raises
    ------
    ValueError
        Not two treatments, fewer than two readers, or different readers; as in `Scores`.

    See Also
    --------
    auc_difference : One reader.

    References
    ----------
    Obuchowski NA, Rockette HE (1995). Communications in Statistics - Simulation and Computation 24, 285–308.
    Hillis SL (2007). Statistics in Medicine 26, 596–619.

    Examples
    --------
    >>> from confroc import reader_comparison
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> old = {"x": [1, 2, 3, 5, 4, 5, 5, 2], "y": [1, 3, 2, 4, 3, 5, 4, 4]}
    >>> new = {"x": [1, 2, 2, 3, 4, 5, 5, 4], "y": [2, 1, 2, 4, 5, 5, 4, 4]}
    >>> print(reader_comparison(y_true, {"new": new, "old": old}))
    auc_new - auc_old +0.1875 (95% CI -0.1835 to +0.5585, p = 0.2289;
      obuchowski_rockette, paired)
    """
    check_choice("readers", readers, get_args(Readers))
    hypothesis = check_hypothesis("two-sided", None, confidence_level)
    statistic = Auc() if statistic is None else statistic
    check_instance("statistic", statistic, Statistic, "Use one of confroc.statistics, e.g. Auc().")
    if not (statistic.is_number and has_influence(statistic)):
        rule = "be a scalar statistic with an influence function"
        raise ArgumentError("statistic", rule, statistic.label, "Use e.g. Auc() or AveragePrecision().")
    treatments, named, columns = _read(ratings)
    names = [f"{treatment} {reader}" for treatment in treatments for reader in named]
    pair = PairedScores(y_true, *columns, names=names, pos_label=pos_label)
    r = len(named)
    values = np.reshape([statistic.value(model) for model in pair.models], (2, r))
    errors = _error_covariances(_covariance(statistic, pair).reshape(2, r, 2, r))
    variance, cov1, cov2, cov3 = errors
    mean = values.mean(axis=1)
    difference = float(mean[0] - mean[1])
    # Mean square of treatment × reader: half the variance of the readers' differences.
    interaction = 0.5 * float(np.var(values[0] - values[1], ddof=1))
    shared = max(0.0, r * (cov2 - cov3))
    if readers == "random":
        square = interaction + shared
        df = square**2 / interaction**2 * (r - 1) if interaction > 0.0 else math.inf
    else:
        square = max(0.0, variance - cov1 + (r - 1) / r * shared)
        df = math.inf
    found = by_standard_error(difference, math.sqrt(2.0 / r * square), df, hypothesis)
    if found is None:
        remedy = "Compare the values directly."
        raise ArgumentError("ratings", "vary between readers or cases", "no variance", remedy)
    low, high = bounds_of(minus(pair, (statistic, statistic)))
    return ReaderComparison(
        quantity=label_of_two(statistic.label, *treatments),
        estimate=difference,
        lower=max(low, float(found.lower)),
        upper=min(high, float(found.upper)),
        standard_error=float(found.standard_error),
        statistic=float(found.statistic),
        pvalue=float(found.pvalue),
        design="paired",
        confidence_level=hypothesis.interval_level,
        method="obuchowski_rockette",
        guarantee="asymptotic",
        treatments=treatments,
        readers=named,
        values=values,
        df=df,
        variance=variance,
        cov1=cov1,
        cov2=cov2,
        cov3=cov3,
    )


def _read(ratings: Any) -> tuple[tuple[str, ...], tuple[str, ...], list[Any]]:
    """Return the treatments, the readers, and the score columns by treatment and reader."""
    treatments = tuple(ratings) if isinstance(ratings, Mapping) else ()
    found = [list(ratings[name]) for name in treatments]
    if len(treatments) != 2 or len(found[0]) < 2 or set(found[0]) != set(found[1]):
        shape = {str(name): list(map(str, each)) for name, each in zip(treatments, found, strict=True)}
        rule = "contain two treatments, each rated by the same two or more readers"
        raise ArgumentError("ratings", rule, shape or type(ratings).__name__, OF_RATINGS)
    columns = [ratings[treatment][reader] for treatment in treatments for reader in found[0]]
    return tuple(map(str, treatments)), tuple(map(str, found[0])), columns


def _covariance(statistic: Statistic, pair: PairedScores) -> FloatArray:
    """Jackknife covariance of the values of all models over the cases, from influence values.

    Omitting a case from a class of n changes the value by its influence divided by n − 1.
    """
    influences = [statistic.influence(model) for model in pair.models]
    total = np.zeros((len(influences), len(influences)))
    for side, count in enumerate((pair.pos, pair.neg)):
        n = int(count.sum())
        rows = np.stack([v[side][index] for v, index in zip(influences, pair.index, strict=True)])
        total += (rows * count) @ rows.T / (n - 1) ** 2
    cases = pair.n_pos + pair.n_neg
    return np.asarray((cases - 1) / cases * total)


def _error_covariances(covariance: FloatArray) -> tuple[float, float, float, float]:
    """Means over treatments and readers of the variances and of the three covariances."""
    r = covariance.shape[1]
    own, other = np.eye(r, dtype=bool), ~np.eye(r, dtype=bool)
    same = np.stack([covariance[0, :, 0, :], covariance[1, :, 1, :]])
    across = covariance[0, :, 1, :]
    means = same[:, own].mean(), across[own].mean(), same[:, other].mean(), across[other].mean()
    variance, cov1, cov2, cov3 = map(float, means)
    return variance, cov1, cov2, cov3
