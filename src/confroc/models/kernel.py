"""The ROC curve of two Gaussian kernel estimates, and their bandwidths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import ArgumentError, check_choice, check_count, check_rate, make_rng
from confroc._types import RNG, FloatArray, IntArray
from confroc.scores import Scores, check_scores

Bandwidth: TypeAlias = Literal["hall_hyndman", "normal_reference"]

BANDWIDTHS = ("hall_hyndman", "normal_reference")


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelModel:
    """ROC curve of two Gaussian kernel estimates, one per class (Lloyd 1998).

    Attributes
    ----------
    scores : Scores
    bandwidth_pos, bandwidth_neg : float
        Standard deviation of the kernel laid on each case of that class, in units of the scores.

    Notes
    -----
    Not invariant under transforms of the scores: the kernel measures distances between them.

    Examples
    --------
    >>> from confroc.models import BinormalModel, KernelModel
    >>> truth = BinormalModel.from_auc(0.85)
    >>> model = KernelModel.fit(truth.sample(2000, 2000, rng=1))
    >>> abs(model.auc - truth.auc) < 0.02
    True
    """

    scores: Scores
    bandwidth_pos: float
    bandwidth_neg: float

    def __post_init__(self) -> None:
        check_scores("scores", self.scores)
        for name in ("bandwidth_pos", "bandwidth_neg"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ArgumentError(name, "be finite and positive", value, "Use `KernelModel.fit`.")

    @classmethod
    def fit(cls, scores: Scores, *, bandwidth: Bandwidth = "hall_hyndman") -> Self:
        """Kernel estimate with bandwidths of the order n^(−1/3) that suits distribution functions.

        Parameters
        ----------
        scores : Scores
        bandwidth : {"hall_hyndman", "normal_reference"}
            hall_hyndman : bandwidths that minimise the leading mean squared error of the ROC curve
                integrated over the false positive rate (Hall & Hyndman 2003), with both classes'
                densities taken as normal in the constants.
            normal_reference : bandwidths that minimise the leading integrated mean squared error of
                each class's own distribution function (Lloyd & Yong 1999), 4^(1/3)·s·n^(−1/3).

        Returns
        -------
        KernelModel

        Raises
        ------
        ValueError
            When all scores of a class are equal, so that it has no spread to scale a kernel by.
        """
        check_scores("scores", scores)
        check_choice("bandwidth", bandwidth, BANDWIDTHS)
        mean_pos, sd_pos = _moments("pos", scores.score, scores.pos)
        mean_neg, sd_neg = _moments("neg", scores.score, scores.neg)
        if bandwidth == "normal_reference":
            h_pos = float(np.cbrt(4.0 / scores.n_pos)) * sd_pos
            h_neg = float(np.cbrt(4.0 / scores.n_neg)) * sd_neg
        else:
            h_pos, h_neg = hall_hyndman_bandwidths(
                mean_pos, sd_pos, scores.n_pos, mean_neg, sd_neg, scores.n_neg
            )
        return cls(scores=scores, bandwidth_pos=h_pos, bandwidth_neg=h_neg)

    def _survival(self, at: FloatArray, positive: bool) -> FloatArray:
        """Smoothed share of a class with score >= at."""
        count = self.scores.pos if positive else self.scores.neg
        h = self.bandwidth_pos if positive else self.bandwidth_neg
        member = count > 0
        score, weight = self.scores.score[member], count[member] / count.sum()
        out = np.empty(at.shape)
        rows = max(1, 2_000_000 // len(score))
        for first in range(0, len(at), rows):
            part = slice(first, first + rows)
            out[part] = _weighted(special.ndtr((score - at[part, None]) / h), weight)
        return out

    def _threshold(self, rate: FloatArray, positive: bool) -> FloatArray:
        """Threshold exceeded by this share of a class, by bisection to the last bit."""
        h = 40.0 * max(self.bandwidth_pos, self.bandwidth_neg)
        low = np.full(rate.shape, self.scores.score[-1] - h)
        high = np.full(rate.shape, self.scores.score[0] + h)
        for _ in range(60):
            middle = 0.5 * (low + high)
            above = self._survival(middle, positive) > rate
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.where(rate >= 1.0, -np.inf, np.where(rate <= 0.0, np.inf, 0.5 * (low + high)))

    def tpr(self, fpr: ArrayLike) -> FloatArray:
        """True positive rate at each false positive rate.

        Parameters
        ----------
        fpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
        """
        return self._survival(self._threshold(check_rate("fpr", fpr), positive=False), positive=True)

    def fpr(self, tpr: ArrayLike) -> FloatArray:
        """False positive rate at each true positive rate.

        Parameters
        ----------
        tpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
        """
        return self._survival(self._threshold(check_rate("tpr", tpr), positive=True), positive=False)

    @property
    def auc(self) -> float:
        """Area under the smooth curve: the mean of Φ((x − y)/h) over pairs, h² = h₊² + h₋²."""
        h = math.hypot(self.bandwidth_pos, self.bandwidth_neg)
        pos, neg = self.scores.pos > 0, self.scores.neg > 0
        y, weight = self.scores.score[neg], self.scores.neg[neg] / self.scores.n_neg
        x, total = self.scores.score[pos], 0.0
        rows = max(1, 2_000_000 // len(y))
        for first in range(0, len(x), rows):
            part = slice(first, first + rows)
            above = _weighted(special.ndtr((x[part, None] - y) / h), weight)
            total += float(np.einsum("i,i->", self.scores.pos[pos][part], above))
        return total / self.scores.n_pos

    def sample(self, n_pos: int, n_neg: int, rng: RNG = None) -> Scores:
        """Draw a test set: cases with replacement, each moved by its class's Gaussian noise.

        Parameters
        ----------
        n_pos, n_neg : int
            At least 1.
        rng : Generator, seed or None

        Returns
        -------
        Scores
        """
        generator = make_rng(rng)
        drawn = []
        for name, m, count, h in (
            ("n_pos", n_pos, self.scores.pos, self.bandwidth_pos),
            ("n_neg", n_neg, self.scores.neg, self.bandwidth_neg),
        ):
            case = generator.integers(count.sum(), size=check_count(name, m))
            row = np.searchsorted(np.cumsum(count), case, side="right")
            drawn.append(self.scores.score[row] + h * generator.standard_normal(m))
        label = np.repeat([True, False], [n_pos, n_neg])
        return Scores(label, np.concatenate(drawn))


def _weighted(values: FloatArray, weight: FloatArray) -> FloatArray:
    # Not `@`: the threads of a linear algebra library cost more here than they save.
    return np.asarray(np.einsum("ij,j->i", values, weight))


def _moments(name: str, score: FloatArray, count: IntArray) -> tuple[float, float]:
    mean = float(np.average(score, weights=count))
    n = int(count.sum())
    spread = math.sqrt(float(np.einsum("i,i->", count, (score - mean) ** 2)) / max(1, n - 1))
    if not spread > 0.0:
        raise ArgumentError(
            "scores", f"have spread in class `{name}` for a kernel", spread, "Use no kernel here."
        )
    return mean, spread


def hall_hyndman_bandwidths(
    mean_pos: float, sd_pos: float, n_pos: int, mean_neg: float, sd_neg: float, n_neg: int
) -> tuple[float, float]:
    """Bandwidths (h₊, h₋) for the ROC curve of two kernel distribution functions, normal constants.

    With densities f (positives) and g (negatives) the error of the curve at p is that of F̂ at
    u = G⁻¹(1 − p) less f(u)/g(u) times that of Ĝ. Squared, integrated over p (dp = g du), the leading terms
    of a Gaussian kernel give

        h₊³ = π^(−1/2) ∫fg / (n₊ ∫f′²g),    h₋³ = π^(−1/2) ∫f² / (n₋ ∫(g′f)²/g)

    (Hall & Hyndman 2003, whose cross term of the two biases is left out here). The integrals of normal
    densities are closed: f² is a normal density of half the variance over 2√π s.
    """
    square_f = 1.0 / (2.0 * math.sqrt(math.pi) * sd_pos)
    v_f, v_g = sd_pos**2 / 2.0, sd_neg**2
    # f²g = square_f · overlap · normal density with mean m and variance v.
    overlap = _normal_density(mean_pos - mean_neg, v_f + v_g)
    v = v_f * v_g / (v_f + v_g)
    m = (mean_pos * v_g + mean_neg * v_f) / (v_f + v_g)
    rough_f = square_f * overlap * ((m - mean_pos) ** 2 + v) / sd_pos**4
    rough_g = square_f * overlap * ((m - mean_neg) ** 2 + v) / sd_neg**4
    cross = _normal_density(mean_pos - mean_neg, sd_pos**2 + sd_neg**2)
    gain = 1.0 / math.sqrt(math.pi)
    h_pos, h_neg = np.cbrt([gain * cross / (n_pos * rough_f), gain * square_f / (n_neg * rough_g)]).tolist()
    return h_pos, h_neg


def _normal_density(x: float, variance: float) -> float:
    return math.exp(-0.5 * x * x / variance) / math.sqrt(2.0 * math.pi * variance)
