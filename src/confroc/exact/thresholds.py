"""Exact bootstrap distribution of the threshold with r false positives.

Draw m of the n negatives with replacement. The threshold is the r-th largest of the draws, the negative at a
proportion ~ Beta(r, m - r + 1) of the ranking from the top (Dugas & Gadoury 2009, eqs. 3-4). That
distribution has a standard deviation of sqrt(r (m - r) / m^3), so only a window of negatives is needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_size, false_positives
from confroc._types import FloatArray, IntArray, Size
from confroc.distributions import beta_window, order_masses
from confroc.results import Distribution
from confroc.scores import Scores, accepts_one_model, check_scores

MOST_RETURNED = 2_000_000
"""Maximum number of values of a full distribution or of its lattice."""


def check_support(name: str, values: int) -> None:
    """Raise if the distribution has too many values."""
    if values > MOST_RETURNED:
        raise ArgumentError(
            name,
            f"give a distribution of at most {MOST_RETURNED:,} values",
            values,
            "Use fewer cases, or intervals by method 'exact_bootstrap'.",
        )


@accepts_one_model
def threshold_pmf(scores: Scores, *, fpr: ArrayLike, size: Size = None) -> Distribution[FloatArray]:
    """Exact bootstrap distribution of the threshold at a given false positive rate.

    Parameters
    ----------
    scores : Scores
    fpr, size
        As in `tpr_pmf`.

    Returns
    -------
    support : ndarray of shape (k,)
        Distinct scores of negatives, in decreasing order.
    pmf : ndarray of shape (k,), or (h, k) when `fpr` is an array
        Probability that the r-th largest negative score of a bootstrap sample equals each of them.

    Raises
    ------
    ValueError
        A rate is not in [1/m_neg, 1], or `size` is not a pair of positive integers.

    See Also
    --------
    tpr_pmf : Distribution of the true positive rate.
    joint_threshold_pmf : Thresholds of two models.

    Notes
    -----
    Negatives with equal scores are one support point. Exact up to rounding error (eqs. 3-4 of [1]_).

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.exact import threshold_pmf
    >>> support, pmf = threshold_pmf(Scores([1, 0, 1, 0], [4, 3, 2, 1]), fpr=0.5)
    >>> support, pmf
    (array([3., 1.]), array([0.75, 0.25]))
    """
    table = check_scores("scores", scores)
    m_neg = check_size(size, table.n_pos, table.n_neg)[1]
    r = false_positives(fpr, m_neg)
    support = np.flatnonzero(table.neg)
    pmf = np.zeros((len(r), len(support)))
    for i, law in enumerate(windows(table, r, m_neg)):
        pmf[i, np.searchsorted(support, law.rows)] = law.pmf
    return Distribution(table.score[support], pmf.reshape((*np.shape(fpr), len(support))))


class ThresholdLaw(NamedTuple):
    """The relevant thresholds at one rate: rows of the score table and their probabilities."""

    rows: IntArray
    pmf: FloatArray


def windows(scores: Scores, r: IntArray, m_neg: int) -> list[ThresholdLaw]:
    """Return the distribution of the threshold at each number of false positives."""
    n = scores.n_neg
    neg_above = scores.neg_above
    low, high = beta_window(r, m_neg)
    first = np.searchsorted(neg_above, np.floor(low * n).astype(np.int64), side="right")
    last = np.minimum(np.searchsorted(neg_above, np.ceil(high * n).astype(np.int64)) + 1, len(neg_above))
    laws = []
    for i, count in enumerate(r.tolist()):
        rows = first[i] + np.flatnonzero(scores.neg[first[i] : last[i]] > 0)
        start = int(neg_above[rows[0] - 1]) if rows[0] > 0 else 0
        edges = np.concatenate([[start], neg_above[rows]])
        laws.append(ThresholdLaw(rows, order_masses(count, m_neg, edges, n)))
    return laws
