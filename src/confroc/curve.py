"""The empirical ROC curve: vertices, interpolation, convex hull and areas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import _kernels
from confroc._check import ArgumentError, check_flag, check_rate
from confroc._kernels.merge import rates
from confroc._types import FloatArray, IntArray
from confroc.results import Plottable, Result, one_sided_limits, sealed
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import kept_rows

CHUNK = 2**16
"""Block size, so that intermediate results fit the cache."""

Steps: TypeAlias = Callable[[slice | IntArray], tuple[FloatArray, FloatArray]]
Counts: TypeAlias = IntArray | FloatArray


class CurvePart(NamedTuple):
    """A part of the curve: `width` along one axis, and whether that is the vertical one."""

    width: float
    vertical: bool = False

    @property
    def label(self) -> str:
        """Label of the part in results."""
        return f"min_tpr={1.0 - self.width:g}" if self.vertical else f"max_fpr={self.width:g}"

    def turned(self, pos: Counts, neg: Counts) -> tuple[Counts, Counts]:
        """Reflect a curve's steps in the anti-diagonal if the part lies on the vertical axis.

        The part is then at the lower left, and its area is one for small false positive rates.
        """
        return (neg[::-1], pos[::-1]) if self.vertical else (pos, neg)

    def standardized(self, area: float) -> float:
        """The part's area on McClish's (1989) scale: ½ for chance and 1 for perfect separation."""
        chance = 0.5 * self.width * self.width
        return 0.5 * (1.0 + (area - chance) / (self.width - chance))


def check_part(
    max_fpr: float | None, min_tpr: float | None, *, standardize: bool = False
) -> CurvePart | None:
    """Return the part of the curve given by the two arguments, None for the whole curve.

    The area under the whole curve needs no standardization.
    """
    check_flag("standardize", standardize)
    given = {name: end for name, end in (("max_fpr", max_fpr), ("min_tpr", min_tpr)) if end is not None}
    if not given:
        if standardize:
            remedy = "The whole AUC needs no standardization; omit it."
            raise ArgumentError("standardize", "be used with `max_fpr` or `min_tpr`", standardize, remedy)
        return None
    if len(given) > 1:
        both = max_fpr, min_tpr
        raise ArgumentError("max_fpr", "not be combined with `min_tpr`", both, "Choose one of them.")
    ((name, end),) = given.items()
    # The first rate of a list would be the wrong end of a range.
    if np.size(end) != 1:
        raise ArgumentError(name, "be one rate", end, f"Pass one number, e.g. {name}=0.5.")
    rate = float(check_rate(name, end)[0])
    part = CurvePart(rate) if name == "max_fpr" else CurvePart(1.0 - rate, vertical=True)
    # One case of 10^12 is the smallest rate.
    if part.width < 1e-12:
        raise ArgumentError(name, "leave a part of the curve", end, "Widen the range.")
    return part


def area_of_counts(pos: Counts, neg: Counts, part: CurvePart | None = None) -> float:
    """Area under the curve of a table of counts, or under a part of it; ties count one half.

    Parameters
    ----------
    pos, neg : ndarray of shape (d,)
        Positives and negatives per decreasing score, or numbers proportional to them.
    part : CurvePart, optional
        Only the rows up to its end are used. Its area is not standardized.
    """
    if part is None:
        won = passed = 0.0
        for start in range(0, len(pos), CHUNK):
            own, other = pos[start : start + CHUNK], neg[start : start + CHUNK]
            above = np.cumsum(own)
            won += float(np.dot(other.astype(np.float64), above - 0.5 * own + passed))
            passed += float(above[-1])
        return won / (passed * float(neg.sum()))
    own, other = part.turned(pos, neg)
    x = np.cumsum(other)
    end = part.width * float(x[-1])
    # The row whose step includes the end of the part; earlier rows lie inside. A vertical step at the end
    # belongs to the rest of the curve, also after rounding.
    last = min(int(np.searchsorted(x, end * (1.0 - 1e-12))), len(x) - 1)
    y = np.cumsum(own[: last + 1])
    inside = np.einsum("i,i->", y[:last] - 0.5 * own[:last], other[:last])
    share = min(1.0, (end - float(x[last] - other[last])) / float(other[last]))
    height = float(y[last] - own[last]) + 0.5 * share * float(own[last])
    return (float(inside) + share * float(other[last]) * height) / (float(x[-1]) * float(own.sum()))


def hull_vertices(length: int, steps: Steps) -> IntArray:
    """Vertices of the smallest concave path above one of `length` steps, as numbers of steps before them.

    `steps` returns what lies between the vertices of a slice, or between those listed: (dx, dy). The hull of
    a long path is the hull of its parts' hulls. Zero steps end no block.
    """
    if length <= CHUNK:
        return _hull(*steps(slice(0, length + 1)))
    parts = [np.zeros(1, dtype=np.int64)]
    for start in range(0, length, CHUNK):
        part = slice(start, min(start + CHUNK, length) + 1)
        parts.append(start + _hull(*steps(part))[1:])
    vertices = np.concatenate(parts)
    return vertices[_hull(*steps(vertices))]


def _hull(dx: FloatArray, dy: FloatArray) -> IntArray:
    from scipy.optimize import isotonic_regression

    weight = dx + dy
    moves = None
    if not weight.min() > 0.0:
        moves = np.flatnonzero(weight)
        dy, weight = dy[moves], weight[moves]
        if not len(moves):
            return np.zeros(1, dtype=np.int64)
    blocks = isotonic_regression(dy / weight, weights=weight, increasing=False).blocks.astype(np.int64)
    return blocks if moves is None else np.append(0, moves[blocks[1:] - 1] + 1)


def calibration_blocks(scores: Scores) -> IntArray:
    """Ends of the blocks of isotonic regression of the class on the score, as row numbers of `scores`.

    They are the vertices of the curve's convex hull, for any numbers of positives and negatives.
    """
    return hull_vertices(len(scores.score), _steps(scores))


def _steps(scores: Scores) -> Steps:
    x, y = (np.append(0, above) for above in (scores.neg_above, scores.pos_above))

    def steps(at: slice | IntArray) -> tuple[FloatArray, FloatArray]:
        return np.diff(x[at]) / scores.n_neg, np.diff(y[at]) / scores.n_pos

    return steps


def calibrated(scores: Scores) -> FloatArray:
    """Probability of a positive at each distinct score, by isotonic regression of the class on the score.

    At equal prevalence of both classes, where it follows from the slopes of the curve's convex hull for any
    numbers of positives and negatives.
    """
    vertices = calibration_blocks(scores)
    run, rise = _steps(scores)(vertices)
    return np.repeat(rise / (run + rise), np.diff(vertices))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RocCurve(Plottable, Result):
    """An ROC curve: operating points of all thresholds, joined by straight lines.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (d + 1,)
        Proportion of negatives and of positives with score >= threshold, from (0, 0) to (1, 1). Tied
        positives and negatives form one diagonal step.
    threshold : ndarray of shape (d + 1,)
        Decreasing; the first is inf (no case is predicted positive).
    auc : float
        Area under the curve.

    See Also
    --------
    roc_curve : Returns one.
    roc_band : Simultaneous confidence band.
    """

    _title = "ROC curve"
    fpr: FloatArray
    tpr: FloatArray
    threshold: FloatArray
    auc: float

    def __iter__(self) -> Iterator[FloatArray]:
        """Unpack as `fpr, tpr, threshold`."""
        return iter((self.fpr, self.tpr, self.threshold))

    def tpr_at(self, fpr: ArrayLike) -> FloatArray:
        """Largest true positive rate of the curve at each false positive rate.

        Parameters
        ----------
        fpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
            At a vertical step, its upper end. A rate within rounding error of a vertex is taken to be at the
            vertex.

        See Also
        --------
        tpr_at_fpr : Confidence intervals.

        Examples
        --------
        >>> from confroc import Scores, roc_curve
        >>> roc_curve(Scores([1, 0, 1, 0], [4, 3, 2, 1])).tpr_at([0, 0.25, 0.5])
        array([0.5, 0.5, 1. ])
        """
        return one_sided_limits(self.fpr, self.tpr, _at_vertex(self.fpr, check_rate("fpr", fpr)))[1]

    def fpr_at(self, tpr: ArrayLike) -> FloatArray:
        """Smallest false positive rate of the curve at each true positive rate.

        Parameters
        ----------
        tpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
            At a horizontal step, its left end. A rate within rounding error of a vertex is taken to be at the
            vertex.

        See Also
        --------
        fpr_at_tpr : Confidence intervals.
        """
        return one_sided_limits(self.tpr, self.fpr, _at_vertex(self.tpr, check_rate("tpr", tpr)))[0]

    def _keep(self, kept: NDArray[Any], auc: float) -> RocCurve:
        fpr, tpr = sealed(kept_rows(self.fpr, kept)), sealed(kept_rows(self.tpr, kept))
        # `outline` has one threshold for all.
        one = self.threshold.strides == (0,)
        threshold = self.threshold[: len(fpr)] if one else sealed(kept_rows(self.threshold, kept))
        return RocCurve(fpr=fpr, tpr=tpr, threshold=threshold, auc=auc)

    def corners(self) -> RocCurve:
        """Return the curve without vertices inside straight segments."""
        return self._keep(_at_corners(self), self.auc)

    def convex_hull(self) -> RocCurve:
        """Return the smallest concave curve above this one.

        Its vertices are the thresholds that are optimal for some costs and prevalence. Computed by isotonic
        regression of class on score (Fawcett & Niculescu-Mizil 2007), in linear time. Which of several
        collinear vertices are kept depends on rounding.

        Examples
        --------
        >>> from confroc import Scores, roc_curve
        >>> roc_curve(Scores([1, 0, 1, 0], [4, 3, 2, 1])).convex_hull().auc
        0.875
        """
        kept = hull_vertices(len(self.fpr) - 1, lambda at: (np.diff(self.fpr[at]), np.diff(self.tpr[at])))
        return self._keep(kept, float(np.trapezoid(self.tpr[kept], self.fpr[kept])))

    def partial_auc(
        self, *, max_fpr: float | None = None, min_tpr: float | None = None, standardize: bool = False
    ) -> float:
        """Area under a part of the curve.

        Parameters
        ----------
        max_fpr : float, optional
            Area under the curve for false positive rates from 0 to `max_fpr`.
        min_tpr : float, optional
            Area to the right of the curve for true positive rates from `min_tpr` to 1.
        standardize : bool
            Rescale to 0.5 for chance and 1 for perfect separation (McClish 1989).

        Returns
        -------
        float

        Raises
        ------
        ValueError
            Not exactly one of `max_fpr` in (0, 1] and `min_tpr` in [0, 1).
        """
        part = check_part(max_fpr, min_tpr)
        if part is None:
            raise ArgumentError("max_fpr", "be given, or `min_tpr`", None, "The whole area is `auc`.")
        # Reflection in the anti-diagonal turns `min_tpr` into `max_fpr`.
        x, y = (1.0 - self.tpr[::-1], 1.0 - self.fpr[::-1]) if part.vertical else (self.fpr, self.tpr)
        # The rest of the curve is one step.
        kept = min(int(np.searchsorted(x, part.width, side="right")) + 1, len(x))
        rise, run = np.empty(kept), np.empty(kept)
        for step, v in ((rise, y), (run, x)):
            np.subtract(v[1:kept], v[: kept - 1], out=step[:-1])
            step[-1] = 1.0 - v[kept - 1]
        area = area_of_counts(rise, run, CurvePart(part.width))
        return part.standardized(area) if standardize else area


def _at_corners(curve: RocCurve) -> NDArray[np.bool_]:
    kept = np.ones(len(curve.fpr), dtype=bool)
    for start in range(1, len(kept) - 1, CHUNK):
        stop = min(start + CHUNK, len(kept) - 1)
        dx, dy = np.diff(curve.fpr[start - 1 : stop + 1]), np.diff(curve.tpr[start - 1 : stop + 1])
        # Purely horizontal or vertical steps multiply to exactly zero; diagonals keep their vertices.
        kept[start:stop] = np.abs(dx[:-1] * dy[1:] - dx[1:] * dy[:-1]) > 0.0
    return kept


def joints(curve: RocCurve) -> FloatArray:
    """False positive rates of a curve's `corners`."""
    return np.asarray(kept_rows(curve.fpr, _at_corners(curve)))


def _at_vertex(vertices: FloatArray, rate: FloatArray) -> FloatArray:
    """Return the rates, rounded to a vertex within rounding error: 3 * 0.1 becomes 0.3."""
    near = np.searchsorted(vertices, rate - 1e-12)
    nearest = vertices[np.minimum(near, len(vertices) - 1)]
    return np.where(np.abs(nearest - rate) <= 1e-12, nearest, rate)


@accepts_one_model
def roc_curve(scores: Scores) -> RocCurve:
    """Empirical ROC curve.

    Parameters
    ----------
    scores : Scores

    Returns
    -------
    RocCurve
        One vertex per distinct score, plus the origin.

    See Also
    --------
    roc_band : Simultaneous confidence band.
    auc_interval : Confidence interval for the AUC.
    tpr_at_fpr : Confidence intervals for points of the curve.

    References
    ----------
    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861–874.

    Examples
    --------
    >>> from confroc import roc_curve
    >>> curve = roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.6, 0.1])
    >>> curve.fpr
    array([0. , 0. , 0.5, 0.5, 1. ])
    >>> curve.threshold
    array([inf, 0.9, 0.8, 0.6, 0.1])
    """
    check_scores("scores", scores, dependent=True)
    return curve_of(scores)


def turns_of_counts(pos: IntArray, neg: IntArray) -> tuple[IntArray, IntArray]:
    """Negatives and positives above each vertex, except inside horizontal or vertical segments.

    The table of counts may have empty rows, as in a resample.
    """
    sides = neg, pos
    found: tuple[list[IntArray], list[IntArray]] = ([], [])
    # The last row of a block precedes the next block; a first row of both classes ends at the origin.
    passed, last = [-1, -1], [1, 1]
    for start in range(0, len(pos), CHUNK):
        part = slice(start, start + CHUNK)
        rows = [side[part] for side in sides]
        held = (rows[0] != 0) | (rows[1] != 0)
        if not held.all():
            rows = [row[held] for row in rows]
        rows = [np.append(before, row) for before, row in zip(last, rows, strict=True)]
        none = [row == 0 for row in rows]
        turn = ~((none[0][1:] & none[0][:-1]) | (none[1][1:] & none[1][:-1]))
        for i, row in enumerate(rows):
            above = np.cumsum(row)
            above += passed[i]
            found[i].append(above[:-1][turn])
            passed[i], last[i] = above[-1] - row[-1], row[-1]
    for of_class, before, final in zip(found, passed, last, strict=True):
        of_class.append(np.array([before + final]))
    above_neg = np.concatenate(found[0])
    found[0].clear()
    return above_neg, np.concatenate(found[1])


def outline(scores: Scores) -> RocCurve:
    """Return the curve without vertices inside horizontal or vertical segments.

    Interpolated values and `corners` are exactly the same; thresholds are NaN.
    """
    if scores.pos.dtype.kind == "f":  # Sums of weights round, and would differ from those of the curve.
        return curve_of(scores)
    neg, pos = turns_of_counts(scores.pos, scores.neg)
    fpr = neg / scores.n_neg
    del neg
    tpr = pos / scores.n_pos
    threshold = np.broadcast_to(sealed(np.array(np.nan)), len(fpr))
    return RocCurve(fpr=sealed(fpr), tpr=sealed(tpr), threshold=threshold, auc=scores.auc)


def curve_of(scores: Scores) -> RocCurve:
    """Return the curve, for callers that handle rounded scores themselves."""
    d = len(scores.score)
    if d >= _kernels.BIG:
        fpr, tpr = np.empty(d + 1), np.empty(d + 1)
        _kernels.compiled(rates)(scores.pos, scores.neg, scores.n_pos, scores.n_neg, fpr, tpr)
    else:
        fpr, tpr = np.zeros(d + 1), np.zeros(d + 1)
        np.divide(scores.neg_above, scores.n_neg, out=fpr[1:])
        np.divide(scores.pos_above, scores.n_pos, out=tpr[1:])
    return RocCurve(fpr=sealed(fpr), tpr=sealed(tpr), threshold=scores.threshold, auc=scores.auc)
