"""Binormal maximum likelihood on truth-run categories, in O(categories) per Newton step."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy import special

from confroc._check import ArgumentError
from confroc._types import FloatArray, IntArray
from confroc.distributions import inner
from confroc.models.ranks import normal_scores
from confroc.scores import Scores

Information: TypeAlias = Literal["observed", "expected"]

INFORMATIONS: tuple[Information, ...] = get_args(Information)

CHUNK = 2**14
"""Block size, so that intermediate results fit the cache."""

LARGEST = 30.0
"""|a|, b or 1/b beyond which the likelihood is considered unbounded."""


class TruthRuns(NamedTuple):
    """Counts per truth-run category, by increasing score."""

    pos: IntArray
    neg: IntArray


def truth_runs(scores: Scores) -> TruthRuns:
    """Merge adjacent scores with cases of one class only (Metz, Herman & Shen 1998).

    Cut-points inside such a run cannot change the maximum of the likelihood. A score shared by both classes
    remains a category.
    """
    pos, neg = scores.pos[::-1], scores.neg[::-1]
    kind = np.where(neg == 0, np.int8(1), np.where(pos == 0, np.int8(0), np.int8(2)))
    first = np.flatnonzero(np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 2)]))
    return TruthRuns(np.add.reduceat(pos, first), np.add.reduceat(neg, first))


def refuse_degenerate(runs: TruthRuns) -> None:
    """Raise if too few operating points are inside the square to determine two parameters."""
    tp, fp = np.cumsum(runs.pos)[:-1], np.cumsum(runs.neg)[:-1]
    inside = int(np.count_nonzero((tp > 0) & (tp < runs.pos.sum()) & (fp > 0) & (fp < runs.neg.sum())))
    if inside < 2:
        raise ArgumentError(
            "scores",
            "have at least 2 operating points strictly inside the ROC square for a binormal fit",
            inside,
            "The maximum likelihood estimate is undefined; use another method.",
        )


class _Cells(NamedTuple):
    """One class's cell probabilities between cut-points, and normal ordinates at the cut-points."""

    cut: FloatArray
    prob: FloatArray
    ordinate: FloatArray


def _ends(cut: FloatArray, first: int, last: int) -> FloatArray:
    """Cell limits from the first to the last cell, ±infinity outside the cut-points."""
    ends = np.empty(last - first + 2)
    ends[0], ends[-1] = -np.inf, np.inf
    low, high = max(first - 1, 0), min(last + 1, len(cut))
    ends[low - first + 1 : high - first + 1] = cut[low:high]
    return ends


def _probabilities(ends: FloatArray) -> FloatArray:
    low, high = ends[:-1], ends[1:]
    # The difference is accurate in the lower tail, so cells above zero are mirrored.
    mirrored = low > 0.0
    return np.asarray(
        special.ndtr(np.where(mirrored, -low, high)) - special.ndtr(np.where(mirrored, -high, low))
    )


def _cells(ends: FloatArray) -> _Cells:
    cut = ends[1:-1]
    return _Cells(cut, _probabilities(ends), np.exp(-0.5 * cut * cut) / math.sqrt(2.0 * math.pi))


def _log_likelihood(runs: TruthRuns, a: float, b: float, cut: FloatArray) -> float:
    total = 0.0
    for start in range(0, len(runs.neg), CHUNK):
        part = slice(start, min(start + CHUNK, len(runs.neg)))
        ends = _ends(cut, start, part.stop - 1)
        of_neg, of_pos = _probabilities(ends), _probabilities(b * ends - a)
        if not ((of_neg > 0.0).all() and (of_pos > 0.0).all()):
            return -math.inf
        total += float(np.sum(special.xlogy(runs.neg[part], of_neg)))
        total += float(np.sum(special.xlogy(runs.pos[part], of_pos)))
    return total


class _Quadratic(NamedTuple):
    """Gradient and information: cut-points (tridiagonal), their border with (a, b), and the corner."""

    gradient_cut: FloatArray
    gradient: FloatArray
    border: FloatArray  # (2, K - 1)
    corner: FloatArray  # (2, 2)


def _class_terms(
    count: IntArray, n: int, cells: _Cells, observed: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gradient and information with respect to one class's cut-points u.

    With w_k = count_k/p_k the gradient at u_k is φ(u_k)(w_k − w_{k+1}). The information is the sum over cells
    of W_k ∂p_k ∂p_kᵀ, W = count/p² observed or n/p expected; the observed one also has −∂²p.
    """
    # Each cut-point is the upper limit of one cell and the lower limit of the next. Ratios of ordinate to
    # probability stay moderate in the far tails, where both vanish.
    as_upper, as_lower = cells.ordinate / cells.prob[:-1], cells.ordinate / cells.prob[1:]
    gradient = as_upper * count[:-1] - as_lower * count[1:]
    weight = count if observed else n * cells.prob
    diagonal = as_upper**2 * weight[:-1] + as_lower**2 * weight[1:]
    if observed:
        # The derivative of the ordinate is −u times the ordinate.
        diagonal += cells.cut * gradient
    off = -as_lower[:-1] * as_upper[1:] * weight[1:-1]
    return gradient, diagonal, off


def _times(diagonal: FloatArray, off: FloatArray, v: FloatArray) -> FloatArray:
    product: FloatArray = diagonal * v
    product[:-1] += off * v[1:]
    product[1:] += off * v[:-1]
    return product


def _quadratic(
    runs: TruthRuns, a: float, b: float, cut: FloatArray, observed: bool
) -> tuple[_Quadratic, FloatArray]:
    """Return the parts, and the diagonal and subdiagonal of the information, shape (2, K - 1)."""
    n_neg, n_pos = int(runs.neg.sum()), int(runs.pos.sum())
    k = len(cut)
    gradient_cut, bands, border = np.empty(k), np.empty((2, k)), np.empty((2, k))
    gradient, corner = np.zeros(2), np.zeros((2, 2))
    for start in range(0, k, CHUNK):
        stop = min(start + CHUNK, k)
        # One more cut-point on each side, because adjacent ones are coupled.
        first, last = max(start - 1, 0), min(stop + 1, k)
        ends, cells = _ends(cut, first, last), slice(first, last + 1)
        own, here = slice(start - first, stop - first), slice(start, stop)
        g0, d0, o0 = _class_terms(runs.neg[cells], n_neg, _cells(ends), observed)
        # The positives' cut-points are u = b·c − a: ∂u/∂c = b, ∂u/∂a = −1, ∂u/∂b = c.
        g1, d1, o1 = _class_terms(runs.pos[cells], n_pos, _cells(b * ends - a), observed)
        c = cut[first:last]
        sums, along = (_times(d1, o1, v)[own] for v in (np.ones_like(c), c))
        bands[0, here] = (d0 + b * b * d1)[own]
        bands[1, first : last - 1] = o0 + b * b * o1
        c, g1 = c[own], g1[own]
        gradient_cut[here] = g0[own] + b * g1
        border[0, here] = -b * sums
        border[1, here] = b * along - g1 if observed else b * along  # g1 from ∂²u/∂b∂c = 1
        gradient += (-g1.sum(), inner(g1, c))
        corner += ((sums.sum(), -along.sum()), (-along.sum(), inner(c, along)))
    bands[1, -1] = 0.0
    return _Quadratic(gradient_cut, gradient, border, corner), bands


def _eliminate(q: _Quadratic, bands: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Schur complement of (a, b) and the solved border; None if not positive definite.

    The bands are overwritten.
    """
    from scipy.linalg import LinAlgError, solveh_banded

    solved = np.empty((len(q.gradient_cut), 3), order="F")
    solved[:, :2], solved[:, 2] = q.border.T, q.gradient_cut
    try:
        solved = solveh_banded(
            bands, solved, lower=True, check_finite=False, overwrite_ab=True, overwrite_b=True
        )
    except (LinAlgError, ValueError):
        return None
    schur = q.corner - np.array([[inner(row, solved[:, i]) for i in (0, 1)] for row in q.border])
    if not (np.isfinite(schur).all() and schur[0, 0] > 0.0 and np.linalg.det(schur) > 0.0):
        return None
    return schur, solved[:, :2], solved[:, 2]


def _start(runs: TruthRuns) -> tuple[float, float, FloatArray]:
    """Moments of the normal scores of pooled ranks, per class; cut-points between the categories."""
    both = runs.pos + runs.neg
    z = normal_scores(both)
    mean, sd = [], []
    for count in (runs.neg, runs.pos):
        m = float(np.average(z, weights=count))
        mean.append(m)
        sd.append(max(math.sqrt(float(np.average((z - m) ** 2, weights=count))), 0.05))
    cut = (special.ndtri(np.cumsum(both)[:-1] / both.sum()) - mean[0]) / sd[0]
    return (mean[1] - mean[0]) / sd[1], sd[0] / sd[1], cut


class Fit(NamedTuple):
    """Maximum likelihood estimate and covariance of (a, b)."""

    a: float
    b: float
    covariance: FloatArray
    log_likelihood: float
    n_iter: int


def maximize(runs: TruthRuns, information: Information, max_iter: int) -> Fit:
    """Newton steps from the normal scores of pooled ranks, halved until the likelihood increases."""
    a, b, cut = _start(runs)
    value = _log_likelihood(runs, a, b, cut)
    for n_iter in range(1, max_iter + 1):
        q, bands = _quadratic(runs, a, b, cut, observed=True)
        parts = _eliminate(q, bands)
        if parts is None:
            q, bands = _quadratic(runs, a, b, cut, observed=False)
            parts = _eliminate(q, bands)
        # Free arrays as long as the categories early.
        del bands
        if parts is None:
            break
        schur, border, own = parts
        step = np.linalg.solve(schur, q.gradient - np.array([inner(row, own) for row in q.border]))
        step_cut = own - border @ step
        # Twice the predicted increase of the log-likelihood, which has no units.
        promise = float(q.gradient @ step) + inner(q.gradient_cut, step_cut)
        del q, parts, border, own
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
        del trial, step_cut
        if abs(a) > LARGEST or abs(math.log(b)) > math.log(LARGEST):
            break
        if promise < 1e-10 and scale == 1.0:
            final = _eliminate(*_quadratic(runs, a, b, cut, observed=information == "observed"))
            if final is None:
                break
            covariance = np.asarray(np.linalg.inv(final[0]), dtype=np.float64)
            return Fit(float(a), float(b), covariance, value, n_iter)
    raise ArgumentError(
        "scores",
        "have a likelihood with a maximum for a binormal fit",
        f"one that still increases at a = {a:.3g}, b = {b:.3g}",
        "The curve has only vertical and horizontal segments; use a method without a model.",
    )
