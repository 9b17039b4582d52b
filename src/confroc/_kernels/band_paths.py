"""How far a band must be widened, in normal deviates, to hold a known curve: one resample at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

prange = range


def entropy_term(k: float, n: float) -> float:
    """S ln S + T ln T with S = k + 1/2 and T = n − k − 1/2; 0 where one of them is not positive."""
    s = k + 0.5
    t = n - k - 0.5
    if s <= 0.0 or t <= 0.0:
        return 0.0
    return s * math.log(s) + t * math.log(t)


def binomial_deviate(k: float, n: float, p: float, entropy: float, log_np: float, log_nq: float) -> float:
    """Φ⁻¹(P(Bin(n, p) <= k)) by Peizer & Pratt (1968), to about 0.1 %; ∓40 for k < 0 and k >= n."""
    if k < 0.0:
        return -40.0
    if k >= n:
        return 40.0
    q = 1.0 - p
    s = k + 0.5
    t = n - s
    d = s + 1.0 / 6.0 - (n + 1.0 / 3.0) * p + 0.02 * (q / (k + 1.0) - p / (n - k) + (q - 0.5) / (n + 1.0))
    off = s - n * p
    spread = (1.0 + 1.0 / (6.0 * n)) * n * p * q
    if off * off <= 1e-6 * spread:
        return d / math.sqrt(spread)
    gain = max(entropy - s * log_np - t * log_nq, 0.0)
    return d / abs(off) * math.sqrt(2.0 * gain / (1.0 + 1.0 / (6.0 * n)))


def segment_distance(a0: float, b0: float, a1: float, b1: float) -> float:
    """Least √(a₊² + b₊²) on the segment from (a0, b0) to (a1, b1), with a0 <= a1 and b0 >= b1."""
    da = a1 - a0
    db = b0 - b1
    # The part where both are positive lies between start and stop.
    start = -a0 / da if a0 < 0.0 and da > 0.0 else 0.0
    stop = b0 / db if b1 < 0.0 and db > 0.0 else 1.0
    if (a0 <= 0.0 and b0 <= 0.0) or (a1 <= 0.0 and b1 <= 0.0):
        return 0.0
    if a0 <= 0.0 and b1 <= 0.0 and stop <= start <= 1.0:
        return 0.0
    length = da * da + db * db
    foot = (b0 * db - a0 * da) / length if length > 0.0 else 0.0
    foot = min(max(foot, start), stop)
    foot = min(max(foot, 0.0), 1.0)
    a = max(a0 + foot * da, 0.0)
    b = max(b0 - foot * db, 0.0)
    return math.sqrt(a * a + b * b)


def one_side(
    ka: NDArray[np.int64],
    pa: NDArray[np.float64],
    log_pa: NDArray[np.float64],
    log_qa: NDArray[np.float64],
    na: int,
    kb: NDArray[np.int64],
    pb: NDArray[np.float64],
    log_pb: NDArray[np.float64],
    log_qb: NDArray[np.float64],
    nb: int,
    used: NDArray[np.bool_],
    least: float,
) -> float:
    """Largest, over true points i, of the distance from the origin to the path j -> (a, b), or `least`.

    a is the deviate by which class a's lower bound at ka[j] must be moved to reach pa[i], b the one for
    class b's upper bound at kb[j] to reach pb[i]. Along the path a grows and b falls.
    """
    g = ka.shape[0]
    ea = np.empty(g)
    eb = np.empty(g)
    for j in range(g):
        ea[j] = entropy_term(ka[j] - 1.0, na)
        eb[j] = entropy_term(float(kb[j]), nb)
    for i in range(g):
        if not used[i]:
            continue
        a = binomial_deviate(ka[i] - 1.0, na, pa[i], ea[i], log_pa[i], log_qa[i])
        b = -binomial_deviate(float(kb[i]), nb, pb[i], eb[i], log_pb[i], log_qb[i])
        best = math.sqrt(max(a, 0.0) ** 2 + max(b, 0.0) ** 2)
        a0 = a
        b0 = b
        j = i + 1
        while j < g and best > least and a0 < best and b0 > 0.0:
            a1 = binomial_deviate(ka[j] - 1.0, na, pa[i], ea[j], log_pa[i], log_qa[i])
            b1 = -binomial_deviate(float(kb[j]), nb, pb[i], eb[j], log_pb[i], log_qb[i])
            best = min(best, segment_distance(a0, b0, a1, b1))
            a0 = a1
            b0 = b1
            j += 1
        a1 = a
        b1 = b
        j = i - 1
        while j >= 0 and best > least and b1 < best and a1 > 0.0:
            a0 = binomial_deviate(ka[j] - 1.0, na, pa[i], ea[j], log_pa[i], log_qa[i])
            b0 = -binomial_deviate(float(kb[j]), nb, pb[i], eb[j], log_pb[i], log_qb[i])
            best = min(best, segment_distance(a0, b0, a1, b1))
            a1 = a0
            b1 = b0
            j -= 1
        least = max(least, best)
    return least


def critical_deviates(
    neg: NDArray[np.int64],
    pos: NDArray[np.int64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    n_neg: int,
    n_pos: int,
    used: NDArray[np.bool_],
    out: NDArray[np.float64],
) -> None:
    """Fill `out` with the deviate at which each resample's band holds the true curve (x, y).

    `neg`, `pos` of shape (B, G) hold each resample's counts above the G thresholds whose true rates
    are x and y.
    """
    log_px = np.log(n_neg * x)
    log_qx = np.log(n_neg * (1.0 - x))
    log_py = np.log(n_pos * y)
    log_qy = np.log(n_pos * (1.0 - y))
    for r in prange(out.shape[0]):
        upper = one_side(neg[r], x, log_px, log_qx, n_neg, pos[r], y, log_py, log_qy, n_pos, used, 0.0)
        out[r] = one_side(pos[r], y, log_py, log_qy, n_pos, neg[r], x, log_px, log_qx, n_neg, used, upper)
