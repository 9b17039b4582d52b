"""Areas under the accuracy–rejection and the risk–coverage curve of a classifier that may abstain.

A case is positive if the answer is correct, and its score is the confidence in the answer.

References
----------
Geifman Y, El-Yaniv R (2017). Selective classification for deep neural networks. NeurIPS 30, 4878–4887.
Nadeem MSA, Zucker JD, Hanczar B (2009). Accuracy-rejection curves (ARCs) for comparing classification methods
with a reject option. Proceedings of Machine Learning Research 8, 65–81.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from confroc._types import FloatArray, Sampling
from confroc.base import Statistic
from confroc.influence import centered
from confroc.scores import Scores


@dataclass(frozen=True)
class Auarc(Statistic):
    """Area under the accuracy-rejection curve: mean accuracy of the i most confident answers, over all i.

    A case is positive if the answer is correct, and its score is the confidence in the answer. For ties the
    value is the mean over all orders.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import Auarc, Aurc
    >>> answers = Scores([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    >>> round(Auarc().value(answers), 4), round(Aurc().value(answers), 4)
    (0.7917, 0.2083)
    """

    name: ClassVar[str] = "auarc"
    title: ClassVar[str] = "Area under the accuracy-rejection curve"
    monotone: ClassVar[bool] = True
    sampling: ClassVar[Sampling] = "full"
    together: ClassVar[bool] = True

    def value(self, table: Scores) -> float:
        """Return the mean accuracy.

        After N answers, P of them correct, the j-th of m tied answers, p of them correct, changes the mean
        accuracy to (P + jp/m)/(N + j) = r + (P − rN)/(N + j) with r = p/m. Sums of 1/(N + j) are differences
        of the digamma function, also for weights.
        """
        share, rest, before, size = _ties(table)
        inverse = special.digamma(before + size + 1.0) - special.digamma(before + 1.0)
        return float(np.sum(size * share + rest * inverse)) / (table.n_pos + table.n_neg)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by the numbers of correct and of wrong answers at each row, centered."""
        share, rest, before, size = _ties(table)
        inverse = special.digamma(before + size + 1.0) - special.digamma(before + 1.0)
        square = [special.polygamma(1, n + 1.0) for n in (before + size, before)]
        # An answer of a higher row adds one to N, and to P if it is correct.
        of_any = rest * (square[0] - square[1]) - share * inverse
        later, correct = (v.sum() - np.cumsum(v) for v in (of_any, inverse))
        own, turn = rest * square[0] + later, before / np.maximum(size, 1e-300) * inverse
        return centered((1.0 + own - (1.0 - share) * turn + correct, own + share * turn), table, True)


@dataclass(frozen=True)
class Aurc(Auarc):
    """Area under the risk-coverage curve: mean error rate of the i most confident answers, over all i.

    It is 1 − AUARC (see `Auarc`); smaller is better.
    """

    name: ClassVar[str] = "aurc"
    title: ClassVar[str] = "Area under the risk-coverage curve"
    lower_is_better: ClassVar[bool] = True

    def value(self, table: Scores) -> float:
        """Return the mean error rate."""
        return 1.0 - super().value(table)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the influence of a correct and of a wrong answer at each row, centered over all cases."""
        of_pos, of_neg = super().influence(table)
        return -of_pos, -of_neg


def _ties(table: Scores) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return for each row its accuracy r, P − rN, the number N of answers before it, and its own."""
    size = np.asarray(table.pos + table.neg, dtype=np.float64)
    share = np.divide(table.pos, size, out=np.zeros(len(size)), where=size > 0.0)
    before = table.pos_above + table.neg_above - size
    return share, table.pos_above - table.pos - share * before, before, size
