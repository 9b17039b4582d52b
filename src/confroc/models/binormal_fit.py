"""Binormal maximum likelihood on truth-run categories, in O(categories) per Newton step."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc._check import sentence
from confroc.scores import Scores

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Information: TypeAlias = Literal["observed", "expected"]

INFORMATIONS = ("observed", "expected")

LARGEST = 30.0
"""|a|, b or 1/b past which the likelihood is taken to rise for ever."""


class TruthRuns(NamedTuple):
    """Counts per truth-run category, by increasing score."""

    pos: IntArray
    neg: IntArray


def truth_runs(scores: Scores) -> TruthRuns:
    """Merge neighbouring scores that hold cases of one class only (Metz, Herman & Shen 1998).

    Cut-points inside such a run cannot change the maximum of the likelihood. A score shared by both
    classes stays a category of its own.
    """
    pos, neg = scores.pos[::-1], scores.neg[::-1]
    kind = np.where(neg == 0, 1, np.where(pos == 0, 0, 2))
    first = np.flatnonzero(np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 2)]))
    return TruthRuns(np.add.reduceat(pos, first), np.add.reduceat(neg, first))


def refuse_degenerate(runs: TruthRuns) -> None:
    """Raise when too few operating points are inside the square to determine two parameters."""
    tp, fp = np.cumsum(runs.pos)[:-1], np.cumsum(runs.neg)[:-1]
    inside = int(np.count_nonzero((tp > 0) & (tp < runs.pos.sum()) & (fp > 0) & (fp < runs.neg.sum())))
    if inside < 2:
        raise ValueError(
            sentence(
                "scores",
                "have at least 2 operating points strictly inside the ROC square for a binormal fit",
                inside,
                "The maximum likelihood estimate does not exist or is not unique; use another method.",
            )
        )


class _Cells(NamedTuple):
    """One class's cell probabilities between cut-points, and normal ordinates at the cut-points."""

    cut: FloatArray
    prob: FloatArray
    ordinate: FloatArray


def _cells(cut: FloatArray) -> _Cells:
    ends = np.concatenate([[-np.inf], cut, [np.inf]])
    low, high = ends[:-1], ends[1:]
    # The difference keeps its digits in the lower tail, so cells above zero are mirrored.
    mirrored = low > 0.0
    prob = special.ndtr(np.where(mirrored, -low, high)) - special.ndtr(np.where(mirrored, -high, low))
    ordinate = np.exp(-0.5 * cut * cut) / math.sqrt(2.0 * math.pi)
    return _Cells(cut, prob, ordinate)


def _weighted_log(count: IntArray, prob: FloatArray) -> float:
    return float(np.sum(special.xlogy(count, prob)))


def _log_likelihood(runs: TruthRuns, a: float, b: float, cut: FloatArray) -> float:
    of_neg, of_pos = _cells(cut), _cells(b * cut - a)
    if not ((of_neg.prob > 0.0).all() and (of_pos.prob > 0.0).all()):
        return -math.inf
    return _weighted_log(runs.neg, of_neg.prob) + _weighted_log(runs.pos, of_pos.prob)


class _Quadratic(NamedTuple):
    """Gradient and information: cut-points (tridiagonal), their border with (a, b), and the corner."""

    gradient_cut: FloatArray
    gradient: FloatArray
    diagonal: FloatArray
    off: FloatArray
    border: FloatArray  # (2, K - 1)
    corner: FloatArray  # (2, 2)


def _class_terms(
    count: FloatArray, expected: FloatArray, cells: _Cells, observed: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gradient and information with respect to one class's own cut-points u.

    With w_k = count_k/p_k the gradient at u_k is φ(u_k)(w_k − w_{k+1}). The information is the sum over
    cells of W_k ∂p_k ∂p_kᵀ, W = count/p² observed or n/p expected; the observed one also holds −∂²p.
    """
    # Each cut-point is the upper end of one cell and the lower end of the next. Ratios of ordinate to
    # probability stay moderate in the far tails, where both vanish.
    as_upper, as_lower = cells.ordinate / cells.prob[:-1], cells.ordinate / cells.prob[1:]
    gradient = as_upper * count[:-1] - as_lower * count[1:]
    weight = count if observed else expected * cells.prob
    diagonal = as_upper**2 * weight[:-1] + as_lower**2 * weight[1:]
    if observed:
        # The ordinate's derivative is −u times itself.
        diagonal += cells.cut * gradient
    off = -as_lower[:-1] * as_upper[1:] * weight[1:-1]
    return gradient, diagonal, off


def _times(diagonal: FloatArray, off: FloatArray, v: FloatArray) -> FloatArray:
    product: FloatArray = diagonal * v
    product[:-1] += off * v[1:]
    product[1:] += off * v[:-1]
    return product


def _quadratic(runs: TruthRuns, a: float, b: float, cut: FloatArray, observed: bool) -> _Quadratic:
    neg, pos = runs.neg.astype(np.float64), runs.pos.astype(np.float64)
    g0, d0, o0 = _class_terms(neg, np.full(len(neg), neg.sum()), _cells(cut), observed)
    # The positives' cut-points are u = b·c − a: ∂u/∂c = b, ∂u/∂a = −1, ∂u/∂b = c.
    g1, d1, o1 = _class_terms(pos, np.full(len(pos), pos.sum()), _cells(b * cut - a), observed)
    one, along = np.ones_like(cut), _times(d1, o1, cut)
    row_a, row_b = -b * _times(d1, o1, one), b * along
    if observed:
        row_b = row_b - g1  # from ∂²u/∂b∂c = 1
    sums = _times(d1, o1, one)
    corner = np.array([[sums.sum(), -along.sum()], [-along.sum(), cut @ along]])
    return _Quadratic(
        g0 + b * g1,
        np.array([-g1.sum(), g1 @ cut]),
        d0 + b * b * d1,
        o0 + b * b * o1,
        np.vstack([row_a, row_b]),
        corner,
    )


def _eliminate(q: _Quadratic) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Schur complement of (a, b) and the solved border; None when not positive definite."""
    from scipy.linalg import LinAlgError, solveh_banded

    bands = np.vstack([q.diagonal, np.append(q.off, 0.0)])
    right = np.column_stack([q.border.T, q.gradient_cut])
    try:
        solved = solveh_banded(bands, right, lower=True, check_finite=False)
    except (LinAlgError, ValueError):
        return None
    schur = q.corner - q.border @ solved[:, :2]
    if not (np.isfinite(schur).all() and schur[0, 0] > 0.0 and np.linalg.det(schur) > 0.0):
        return None
    return schur, solved[:, :2], solved[:, 2]


def _start(runs: TruthRuns) -> tuple[float, float, FloatArray]:
    """Moments of the normal scores of pooled ranks, per class; cut-points between the categories."""
    both = runs.pos + runs.neg
    n = both.sum()
    above = np.cumsum(both)
    z = special.ndtri((above - 0.5 * both) / n)
    mean, sd = [], []
    for count in (runs.neg, runs.pos):
        m = float(np.average(z, weights=count))
        mean.append(m)
        sd.append(max(math.sqrt(float(np.average((z - m) ** 2, weights=count))), 0.05))
    cut = (special.ndtri(above[:-1] / n) - mean[0]) / sd[0]
    return (mean[1] - mean[0]) / sd[1], sd[0] / sd[1], cut


class Fit(NamedTuple):
    """Where the likelihood is largest, and the covariance of (a, b) there."""

    a: float
    b: float
    covariance: FloatArray
    log_likelihood: float
    n_iter: int


def maximise(runs: TruthRuns, information: Information, max_iter: int) -> Fit:
    """Newton steps from the normal scores of pooled ranks, halved until the likelihood rises."""
    a, b, cut = _start(runs)
    value = _log_likelihood(runs, a, b, cut)
    for n_iter in range(1, max_iter + 1):
        q = _quadratic(runs, a, b, cut, observed=True)
        parts = _eliminate(q)
        if parts is None:
            q = _quadratic(runs, a, b, cut, observed=False)
            parts = _eliminate(q)
        if parts is None:
            break
        schur, border, own = parts
        step = np.linalg.solve(schur, q.gradient - q.border @ own)
        step_cut = own - border @ step
        # Twice the rise a quadratic model promises; it is free of units.
        promise = float(q.gradient @ step + q.gradient_cut @ step_cut)
        scale = min(1.0, 0.5 * b / -step[1]) if step[1] < 0.0 else 1.0
        while scale > 1e-12:
            trial = a + scale * step[0], b + scale * step[1], cut + scale * step_cut
            trial_value = _log_likelihood(runs, *trial)
            if trial_value >= value + 1e-4 * scale * promise - 1e-12 * abs(value):
                break
            scale *= 0.5
        else:
            break
        (a, b, cut), value = trial, trial_value
        if abs(a) > LARGEST or abs(math.log(b)) > math.log(LARGEST):
            break
        if promise < 1e-10 and scale == 1.0:
            final = _eliminate(_quadratic(runs, a, b, cut, observed=information == "observed"))
            if final is None:
                break
            covariance = np.asarray(np.linalg.inv(final[0]), dtype=np.float64)
            return Fit(float(a), float(b), covariance, value, n_iter)
    raise ValueError(
        sentence(
            "scores",
            "have a likelihood with a maximum for a binormal fit",
            f"one that still rises at a = {a:.3g}, b = {b:.3g}",
            "The curve is made of vertical and horizontal stretches; use a method without a model.",
        )
    )
