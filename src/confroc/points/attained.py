"""The threshold for a wanted false or true positive rate, its exact interval, and one that guarantees it.

The threshold is a quantile of one class's scores. Call it T when n cases are drawn and a share f reaches it:

    #{S ≥ T} is at least, and #{S > T} at most, a Bin(n, f) number of cases,

both equal to it where scores do not tie. So T lies between two order statistics with a probability that does
not depend on the distribution (David & Nagaraja 2003, section 7.1).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level, check_rate
from confroc._types import FloatArray, IntArray
from confroc.base import Guarantee, Method, method_class
from confroc.points.rate import fpr_at_tpr, tpr_at_fpr
from confroc.results import Intervals, sealed, shown
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.rates import FprAtTpr, TprAtFpr


@method_class
class OrderStatistics(Method):
    """Order statistics.

    Two scores of the class between which the quantile lies, by the binomial distribution, whatever that of
    the scores. Conservative where scores tie.
    """

    name = "order_statistics"
    serves = ()

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "finite-sample"


class AttainedThresholds(NamedTuple):
    """The threshold at each rate.

    Attributes
    ----------
    threshold : Intervals
        The sample's threshold and the interval of the population's.
    guaranteed : ndarray of shape (h,)
        The threshold that keeps the rate with the stated confidence.
    rate : Intervals
        The other rate there, the choice of the threshold included.
    """

    threshold: Intervals
    guaranteed: FloatArray
    rate: Intervals

    def table(self) -> shown.Table:
        """Return what is printed of the thresholds."""
        both = shown.beside("AttainedThresholds", self.threshold.table(most=None), self.rate.table(most=None))
        said = f"The interval of {self.rate.quantity}: {self.rate.method}; guarantee: {self.rate.guarantee}."
        columns = {**both.columns, "guaranteed": self.guaranteed.tolist()}
        return both._replace(columns=columns, notes=(said, *both.notes))

    def __str__(self) -> str:
        return shown.as_text(self.table(), wide=shown.PAGE)

    def __repr__(self) -> str:
        return shown.as_line(self.table())

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(self.table())

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular; see `Result.to_latex`."""
        return shown.as_latex(self.table())


@accepts_one_model
def threshold_at(
    scores: Scores,
    *,
    fpr: ArrayLike | None = None,
    tpr: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> AttainedThresholds:
    """Where to put the threshold for a wanted false positive rate, or a wanted true positive rate.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    fpr, tpr : float or array-like of shape (h,)
        Exactly one of them, strictly between 0 and 1.
    confidence_level : float
        In (0, 1); of each interval, and of each guaranteed threshold, by itself.

    Returns
    -------
    threshold : Intervals
        The sample's threshold, as `tpr_at_fpr` and `fpr_at_tpr` carry it, with an interval of the threshold
        that has the rate in the population. Guarantee: finite-sample, ties included.
    guaranteed : ndarray of shape (h,)
        The lowest threshold whose false positive rate is at most `fpr` in the population with this
        confidence, or the highest whose true positive rate is at least `tpr`. Guarantee: finite-sample, for
        each by itself. Where the class has too few cases for any, it is inf, or −inf, and a note names the
        number needed.
    rate : Intervals
        The other rate when one rate is as wanted, the uncertainty of the threshold included.

    Raises
    ------
    ValueError
        Both rates or none; a rate outside (0, 1); an impossible level; weights, clusters or strata, for which
        order statistics have no exact distribution.

    Warns
    -----
    ConfrocWarning
        For rounded scores, whose error the thresholds do not include.

    See Also
    --------
    tpr_at_fpr, fpr_at_tpr : The other rate alone, for weights and clusters too.
    rates_at_threshold : Both rates at a threshold chosen on other cases.

    Notes
    -----
    More than f are above the r-th highest of n negatives with probability P(Bin(n, f) < r). The guaranteed
    threshold is the next score of the sample above the one with the largest r for which that is at most
    1 − `confidence_level`: that negative itself may tie with others. It exists when (1 − f)ⁿ is as small.

    References
    ----------
    David HA, Nagaraja HN (2003). Order statistics, 3rd edition. Wiley. Section 7.1.

    Examples
    --------
    >>> from confroc import Scores, threshold_at
    >>> scores = Scores([0] * 100 + [1] * 100, [*range(100), *range(50, 150)])
    >>> found = threshold_at(scores, fpr=0.1)
    >>> found.threshold.estimate, found.threshold.lower, found.threshold.upper, found.guaranteed
    (array([90.]), array([83.]), array([95.]), array([96.]))
    """
    if (fpr is None) == (tpr is None):
        rule = "be given, or `tpr`, and not both"
        raise ArgumentError("fpr", rule, fpr, "Give one of the two rates.")
    check_scores("scores", scores)
    level, name = check_level(confidence_level), "tpr" if fpr is None else "fpr"
    at = check_rate(name, tpr if fpr is None else fpr)  # type: ignore[arg-type]
    if not ((at > 0.0) & (at < 1.0)).all():
        wrong = float(at[(at <= 0.0) | (at >= 1.0)][0])
        raise ArgumentError(name, "lie strictly between 0 and 1", wrong, "E.g. 0.05.")
    if name == "fpr":
        estimate = TprAtFpr(at).threshold_of(scores)
        rate = tpr_at_fpr(scores, fpr=at, confidence_level=level)
    else:
        estimate = FprAtTpr(at).threshold_of(scores)
        rate = fpr_at_tpr(scores, tpr=at, confidence_level=level)
    above, n = (scores.neg_above, scores.n_neg) if name == "fpr" else (scores.pos_above, scores.n_pos)
    tail = (1.0 - level) / 2.0
    lower = _ranked(scores, above, _binomial(1.0 - tail, n, at) + 1)
    upper = _ranked(scores, above, _binomial(tail, n, at))
    if name == "fpr":
        r = _binomial(1.0 - level, n, at)
        row = np.searchsorted(above, r)
        guaranteed = np.where((r > 0) & (row > 0), scores.score[np.maximum(row - 1, 0)], np.inf)
        some, miss = r > 0, 1.0 - at
    else:
        r = _binomial(level, n, at) + 1
        guaranteed, some, miss = _ranked(scores, above, r), r <= n, at
    notes: tuple[str, ...] = ()
    if np.isinf(guaranteed[some]).any():
        notes = ("No score of the sample is above the negative that a guaranteed threshold must exceed.",)
    if not some.all():
        needed = int(np.ceil(np.log1p(-level) / np.log(miss[~some])).max())
        cases = "negatives" if name == "fpr" else "positives"
        notes += (f"No threshold of the sample guarantees the rate: at least {needed} {cases} are needed.",)
    threshold = Intervals(
        quantity="threshold",
        at_name=name,
        at=at,
        estimate=estimate,
        lower=np.minimum(lower, estimate),
        upper=np.maximum(upper, estimate),
        confidence_level=level,
        method=OrderStatistics(),
        guarantee="finite-sample",
        notes=notes,
    )
    return AttainedThresholds(threshold, sealed(guaranteed), replace(rate, threshold=None))


def _binomial(probability: float, n: int, rate: FloatArray) -> IntArray:
    """Return the quantile of the number of n cases that a rate holds."""
    from scipy import stats  # Takes longer to import than all else here.

    return np.asarray(stats.binom.ppf(probability, n, rate)).astype(np.int64)


def _ranked(scores: Scores, above: IntArray, r: IntArray) -> FloatArray:
    """Return the r-th highest score of a class: inf at rank 0, −inf beyond its last case."""
    row = np.minimum(np.searchsorted(above, r), len(above) - 1)
    return np.where(r <= 0, np.inf, np.where(r > above[-1], -np.inf, scores.score[row]))
