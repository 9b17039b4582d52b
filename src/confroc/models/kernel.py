"""The ROC curve of two kernel estimates, and draws from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import (
    MOST_DRAWN,
    ArgumentError,
    check_choice,
    check_count,
    check_number,
    check_rate,
    make_rng,
)
from confroc._types import RNG, FloatArray
from confroc.distributions import inner
from confroc.models.bandwidths import Bandwidth, class_bandwidths, class_samples, unit_scaled
from confroc.models.kernel_grid import KERNELS, REACH, Kernel, kernel_cdf
from confroc.results import FrozenFields, shown
from confroc.scores import Scores, check_scores

LARGEST_TABLE = 2_000_000
"""Block size, in differences between points and cases."""


def kernel_survival(
    score: FloatArray, weight: FloatArray, bandwidth: float, at: FloatArray, kernel: Kernel = "gaussian"
) -> FloatArray:
    """Smoothed proportion of cases with score >= at: the sum of weight · K((score − at)/bandwidth)."""
    flat = at.ravel()
    out = np.empty(flat.shape)
    rows = max(1, LARGEST_TABLE // len(score))
    for first in range(0, len(flat), rows):
        part = slice(first, first + rows)
        values = kernel_cdf((score - flat[part, None]) / bandwidth, kernel)
        # Not `@`: BLAS threads are slower here.
        out[part] = np.einsum("ij,j->i", values, weight)
    return out.reshape(at.shape)


def kernel_density(cases: FloatArray, bandwidth: float, at: FloatArray) -> FloatArray:
    """Kernel density of single cases at given points."""
    standard = (at[:, None] - cases) / bandwidth
    return np.asarray(np.exp(-0.5 * standard**2).mean(axis=1) / (bandwidth * math.sqrt(2.0 * math.pi)))


def kernel_draw(
    generator: np.random.Generator,
    cases: FloatArray,
    bandwidth: float,
    size: int | tuple[int, int],
    kernel: Kernel = "gaussian",
) -> FloatArray:
    """Draw from a kernel estimate: cases with replacement plus noise with this standard deviation."""
    drawn = cases[generator.integers(len(cases), size=size)]
    if bandwidth > 0.0 and kernel == "gaussian":
        drawn += bandwidth * generator.standard_normal(size)
    elif bandwidth > 0.0:
        drawn += bandwidth * generator.uniform(-REACH, REACH, size)
    return drawn


_CORNERS = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class KernelModel(shown.Printed, FrozenFields):
    """ROC curve of two kernel estimates, one per class [1]_.

    Attributes
    ----------
    scores : Scores
    bandwidth_pos, bandwidth_neg : float
        Standard deviation of the kernel of that class, in units of the scores.
    kernel : {"gaussian", "uniform"}
        Shape of the kernel.

    See Also
    --------
    BinormalModel : Smooth curve that depends only on the order of the scores.
    tpr_at_fpr : With ``method="kernel"``, intervals around a kernel curve.

    Notes
    -----
    Not invariant under nonlinear transforms of the scores. Near the limits of double precision, distances are
    those of scores divided by a power of two.

    References
    ----------
    .. [1] Lloyd, C. J. (1998). JASA 93, 1356–1364.
    .. [2] Lloyd, C. J. & Yong, Z. (1999). Statistics & Probability Letters 44, 221–228.
    .. [3] Hall, P. & Hyndman, R. J. (2003). Statistics & Probability Letters 64, 181–189.

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
    kernel: Kernel = "gaussian"

    def __post_init__(self) -> None:
        check_scores("scores", self.scores)
        for name in ("bandwidth_pos", "bandwidth_neg"):
            value = check_number(name, getattr(self, name))
            if not value > 0.0:
                raise ArgumentError(name, "be positive", value, "Use `KernelModel.fit`.")
            object.__setattr__(self, name, value)
        check_choice("kernel", self.kernel, KERNELS)

    def _table(self) -> shown.Table:
        columns: dict[str, list[Any]] = {
            "positives": [self.scores.n_pos],
            "negatives": [self.scores.n_neg],
            "bandwidth_pos": [self.bandwidth_pos],
            "bandwidth_neg": [self.bandwidth_neg],
        }
        return shown.Table(f"KernelModel: {self.kernel} kernels on the scores", columns, 1)

    @classmethod
    def fit(
        cls, scores: Scores, *, bandwidth: Bandwidth = "hall_hyndman", kernel: Kernel = "gaussian"
    ) -> Self:
        """Kernel estimate, by default with optimal bandwidths for the curve.

        Parameters
        ----------
        scores : Scores
        bandwidth : float, (float, float) or str
            Standard deviation of the kernel in units of the scores, common or as (positives, negatives), or a
            rule:

            hall_hyndman : (default) minimizes the leading mean squared error of the ROC curve integrated over
                the false positive rate (Hall & Hyndman 2003), with constants for normal densities.
            normal_reference : minimizes the leading integrated mean squared error of each class's
                distribution function (Lloyd & Yong 1999), 4^(1/3)·s·n^(−1/3).
            curve, distribution, density : 1.06·s·n^(−1/4), n^(−1/3) or n^(−1/5), as for smoothed resamples in
                `roc_band`.
        kernel : {"gaussian", "uniform"}
            The uniform one extends √3 bandwidths to each side.

        Returns
        -------
        KernelModel

        Raises
        ------
        ValueError
            All scores of a class are equal, a bandwidth that is neither positive nor a rule, or an unknown
            kernel.
        """
        check_scores("scores", scores)
        unit, exponent = unit_scaled(scores)
        neg, pos = class_samples(unit)
        h_pos, h_neg = class_bandwidths(bandwidth, pos, neg, exponent)
        largest = max(abs(float(scores.score[0])), abs(float(scores.score[-1])))
        with np.errstate(over="ignore", under="ignore"):
            widths: list[float] = np.ldexp([h_pos, h_neg], exponent).tolist()
        if not 0.0 < min(widths) <= max(widths) < math.inf:
            rule, remedy = "have a bandwidth that is a double", "Multiply or divide them by 2.0**100."
            raise ArgumentError("scores", rule, largest, remedy)
        return cls(scores=scores, bandwidth_pos=widths[0], bandwidth_neg=widths[1], kernel=kernel)

    def _unit(self) -> KernelModel:
        """The same model with scores below 1."""
        unit, exponent = unit_scaled(self.scores)
        if exponent == 0:
            return self
        h_pos, h_neg = (math.ldexp(h, -exponent) for h in (self.bandwidth_pos, self.bandwidth_neg))
        return KernelModel(scores=unit, bandwidth_pos=h_pos, bandwidth_neg=h_neg, kernel=self.kernel)

    def _survival(self, at: FloatArray, positive: bool) -> FloatArray:
        """Smoothed proportion of a class with score >= at."""
        count = self.scores.pos if positive else self.scores.neg
        h = self.bandwidth_pos if positive else self.bandwidth_neg
        member = count > 0
        return kernel_survival(self.scores.score[member], count[member] / count.sum(), h, at, self.kernel)

    def _threshold(self, rate: FloatArray, positive: bool) -> FloatArray:
        """Lowest threshold exceeded by at most this proportion of a class."""
        from scipy.optimize.elementwise import find_root

        def excess(t: FloatArray, wanted: FloatArray) -> FloatArray:
            return self._survival(t, positive) - wanted

        h = 40.0 * max(self.bandwidth_pos, self.bandwidth_neg)
        ends = self.scores.score[-1] - h, self.scores.score[0] + h
        most, least = self._survival(np.array(ends), positive)
        # Use the lowest of the thresholds with the same rate.
        found = find_root(excess, ends, args=(np.nextafter(rate, 1.0),)).x
        return np.where(rate >= most, -np.inf, np.where(rate <= least, np.inf, found))

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
        unit = self._unit()
        return unit._survival(unit._threshold(check_rate("fpr", fpr), positive=False), positive=True)

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
        unit = self._unit()
        return unit._survival(unit._threshold(check_rate("tpr", tpr), positive=True), positive=False)

    @property
    def auc(self) -> float:
        """Area under the smooth curve: the mean over pairs of the probability that x exceeds y with noise.

        For the Gaussian kernel it is Φ((x − y)/h), h² = h₊² + h₋².
        """
        unit = self._unit()
        scores, h = unit.scores, math.hypot(unit.bandwidth_pos, unit.bandwidth_neg)
        pos, neg = scores.pos > 0, scores.neg > 0
        if self.kernel == "uniform":
            return unit._uniform_area()
        # The proportion of negatives below each positive.
        below = kernel_survival(-scores.score[neg], scores.neg[neg] / scores.n_neg, h, -scores.score[pos])
        return inner(scores.pos[pos], below) / scores.n_pos

    def _uniform_area(self) -> float:
        """The AUC by the distribution of the difference between two uniform noises, a trapezoid."""
        pos, neg = (self.scores.score[count > 0] for count in (self.scores.pos, self.scores.neg))
        a, b = self.bandwidth_pos, self.bandwidth_neg
        unit = REACH * max(a, b)
        # Drop a noise that is negligible compared with the other.
        a, b = max(a / max(a, b), 1e-6), max(b / max(a, b), 1e-6)
        weight = self.scores.neg[self.scores.neg > 0] / self.scores.n_neg
        total = 0.0
        for x, count in zip(pos, self.scores.pos[self.scores.pos > 0], strict=True):
            gap = np.clip((x - neg) / unit, -a - b, a + b)
            # Squares of the positive parts of distances to the trapezoid's corners.
            corner = [np.square(np.maximum(gap + s * a + t * b, 0.0)) for s, t in _CORNERS]
            wins = (corner[0] - corner[1] - corner[2]) / (8.0 * a * b)
            total += float(count) * inner(np.clip(wins, 0.0, 1.0), weight)
        return total / self.scores.n_pos

    def sample(self, n_pos: int, n_neg: int, rng: RNG = None) -> Scores:
        """Draw a test set: cases with replacement plus noise with the bandwidth of the class.

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
            cases = np.repeat(self.scores.score, count)
            # Overflow is rejected as infinite.
            with np.errstate(over="ignore"):
                m = check_count(name, m, maximum=MOST_DRAWN)
                drawn.append(kernel_draw(generator, cases, h, m, self.kernel))
        label = np.repeat([True, False], [n_pos, n_neg])
        return Scores(label, np.concatenate(drawn))
