"""Readings of a bootstrap ball: what is resampled, and where curves are compared (BCV's Table 1).

Bertail, Clémençon & Vayatis (2008) do not state which curves are compared in their Table 1, and where. The
same resamples are therefore evaluated in several ways. This implementation is independent of the library's
ball: pairs of a score and a class are drawn and sorted together, and curves are compared over the union of
their steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import special

from balls import between_edges, true_curve
from confroc.auditing.bands import WHOLE, counted_curve
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.rules import Drawn, Rule, parse
from confroc_lab._types import BoolArray, FloatArray

FINE = 2000
"""Steps of the smooth curves, at least."""

REACH = np.float32(np.sqrt(3.0))
"""Standard deviations to which the uniform kernel reaches."""


@numba.njit(nogil=True, cache=True)
def distances(f: NDArray[np.float64], g: NDArray[np.float64]) -> tuple[float, float]:
    """Sup distance and d_B of two step curves with any numbers of equal steps."""
    n, m = f.shape[0], g.shape[0]
    i = j = f_reaches = f_exceeds = g_reaches = g_exceeds = 0
    sup = db = start = 0.0
    while i < n and j < m:
        ahead = (i + 1) * m - (j + 1) * n
        end = (i + 1) / n if ahead <= 0 else (j + 1) / m
        # Steps at which one curve reaches and exceeds the other's value; they only move right.
        while f_reaches < n and f[f_reaches] < g[j]:
            f_reaches += 1
        while f_exceeds < n and f[f_exceeds] <= g[j]:
            f_exceeds += 1
        while g_reaches < m and g[g_reaches] < f[i]:
            g_reaches += 1
        while g_exceeds < m and g[g_exceeds] <= f[i]:
            g_exceeds += 1
        a0 = max(f_reaches / n - start, start - f_exceeds / n, 0.0)
        a1 = max(f_reaches / n - end, end - f_exceeds / n, 0.0)
        b0 = max(g_reaches / m - start, start - g_exceeds / m, 0.0)
        b1 = max(g_reaches / m - end, end - g_exceeds / m, 0.0)
        across = max(min(a0, b0), min(a1, b1))
        turn = (a1 - a0) - (b1 - b0)
        if turn != 0.0:
            # Two distances linear over a step: the smaller one may be largest where they cross.
            u = min(max((b0 - a0) / turn, 0.0), 1.0)
            across = max(across, min(a0 + u * (a1 - a0), b0 + u * (b1 - b0)))
        vertical = abs(f[i] - g[j])
        sup = max(sup, vertical)
        db = max(db, min(vertical, across))
        start = end
        if ahead <= 0:
            i += 1
        if ahead >= 0:
            j += 1
    return sup, db


@numba.njit(nogil=True, cache=True)
def curves_apart(
    positive: NDArray[np.bool_],
    center: NDArray[np.float64],
    own: float,
    at: float,
    out: NDArray[np.float64],
) -> None:
    """Distances of each resample's curve from a curve.

    Rows of `positive` are resamples' classes by increasing score. A row of `out` takes the sup distance, d_B,
    the sup distance of the curves as drawn from (0, 0), and the error of the rate at one false positive rate.
    """
    size = positive.shape[1]
    curve = np.empty(size)
    for row in range(positive.shape[0]):
        positives = 0
        negatives = 0
        for k in range(size - 1, -1, -1):
            if positive[row, k]:
                positives += 1
            else:
                curve[negatives] = positives
                negatives += 1
        if positives == 0 or negatives == 0:
            out[row] = np.inf
            continue
        steps = curve[:negatives] / positives
        sup, db = distances(center, steps)
        out[row, 0] = sup
        out[row, 1] = db
        # Where both curves start upwards from (0, 0), each one's first vertex stands against the other's top.
        out[row, 2] = max(sup, max(steps[0], center[0]))
        out[row, 3] = steps[min(int(at * negatives + 1e-9), negatives - 1)] - own


class Plan(NamedTuple):
    """How resamples are made: noise ("", a rule or a number), its shape, pairs, scale and centre."""

    noise: str = ""
    kernel: str = "gaussian"
    sampling: str = "full"
    scale: str = "score"
    center: str = "empirical"


def fitted_probabilities(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Probabilities of the probit model that fits best, by Newton's method with the expected information."""
    x = np.concatenate([pos, neg])
    y = np.repeat([1.0, 0.0], [len(pos), len(neg)])
    design = np.stack([np.ones_like(x), x])
    beta = np.zeros(2)
    for _ in range(50):
        eta = np.clip(beta @ design, -8.0, 8.0)
        p, density = special.ndtr(eta), np.exp(-0.5 * eta * eta) / np.sqrt(2.0 * np.pi)
        weight = density / (p * (1.0 - p))
        step = np.linalg.solve((design * (weight * density)) @ design.T, design @ (weight * (y - p)))
        beta += step
        if np.abs(step).max() < 1e-10:
            break
    fitted = special.ndtr(beta @ design)
    return fitted[: len(pos)], fitted[len(pos) :]


def bandwidths(plan: Plan, pos: FloatArray, neg: FloatArray) -> tuple[float, float]:
    """Standard deviation of the noise of either class."""
    power = {"density": -0.2, "curve": -0.25, "distribution": -1.0 / 3.0}
    if not plan.noise:
        return 0.0, 0.0
    if plan.noise not in power:
        return float(plan.noise), float(plan.noise)
    h_pos, h_neg = (1.06 * float(x.std()) * len(x) ** power[plan.noise] for x in (pos, neg))
    return h_pos, h_neg


def resampled_classes(
    plan: Plan, pos: FloatArray, neg: FloatArray, n_resamples: int, rng: np.random.Generator
) -> BoolArray:
    """Which cases of each resample, in increasing order of their scores, are positive.

    "full": pairs as drawn from the sample. "swapped": the classes' weights exchanged, as step 2 of the
    algorithm prints them. "stratified": each class separately.
    """
    n_pos, n_neg = len(pos), len(neg)
    n = n_pos + n_neg
    cases = np.concatenate([pos, neg])
    order = np.argsort(cases)
    is_pos = order < n_pos
    of_pos, of_neg = np.flatnonzero(is_pos), np.flatnonzero(~is_pos)
    if plan.sampling == "stratified":
        sides = (of_pos[rng.integers(n_pos, size=(n_resamples, n_pos))],
                 of_neg[rng.integers(n_neg, size=(n_resamples, n_neg))])  # fmt: skip
        drawn = np.concatenate(sides, axis=1).astype(np.uint16)
    elif plan.sampling == "swapped":
        # A positive with probability n⁻/n.
        positive = rng.random((n_resamples, n)) < n_neg / n
        u = rng.random((n_resamples, n))
        drawn = np.where(positive, of_pos[(u * n_pos).astype(int)], of_neg[(u * n_neg).astype(int)])
        drawn = drawn.astype(np.uint16)
    else:
        drawn = rng.integers(n, size=(n_resamples, n), dtype=np.uint16)
    if not plan.noise:
        drawn.sort(axis=1)
        return is_pos[drawn]
    h_pos, h_neg = bandwidths(plan, pos, neg)
    if plan.kernel == "gaussian":
        noise = rng.standard_normal((n_resamples, n), dtype=np.float32)
    else:
        noise = 2.0 * REACH * (rng.random((n_resamples, n), dtype=np.float32) - np.float32(0.5))
    noise *= np.where(is_pos, h_pos, h_neg).astype(np.float32)[drawn]
    noise += cases[order].astype(np.float32)[drawn]
    # The last bit of a score says its class.
    bits = noise.view(np.uint32)
    bits &= ~np.uint32(1)
    bits |= is_pos[drawn]
    noise.sort(axis=1)
    return (bits & np.uint32(1)).astype(np.bool_)


def smooth_steps(plan: Plan, pos: FloatArray, neg: FloatArray, steps: int) -> FloatArray:
    """The kernel ROC curve at the middles of many steps, from sums over a grid of thresholds."""
    h = bandwidths(plan, pos, neg)
    wide = 8.0 * max(h)
    at = np.linspace(max(pos.max(), neg.max()) + wide, min(pos.min(), neg.min()) - wide, 3000)
    if plan.kernel == "gaussian":
        tail = [special.ndtr((x - at[:, None]) / w).mean(axis=1) for x, w in zip((pos, neg), h, strict=True)]
    else:
        tail = [
            np.clip(0.5 + (x - at[:, None]) / (2.0 * REACH * w), 0.0, 1.0).mean(axis=1)
            for x, w in zip((pos, neg), h, strict=True)
        ]
    return np.interp((np.arange(steps) + 0.5) / steps, tail[1], tail[0])


def ends_of(errors: FloatArray, level: float, tails: str) -> tuple[float, float]:
    """Limits of an interval, from the estimate, by the errors of resamples."""
    ordered = np.sort(errors)
    b = len(ordered)
    if tails == "symmetric":
        half = float(np.sort(np.abs(errors))[_rank(b, level) - 1])
        return -half, half
    # The smallest value whose share of the resamples reaches the probability.
    low, high = (
        float(ordered[max(int(np.ceil(b * p - 1e-9)), 1) - 1])
        for p in (0.5 * (1.0 - level), 0.5 * (1.0 + level))
    )
    return (low, high) if tails == "percentile" else (-high, -low)


def _rank(b: int, level: float) -> int:
    """(1 + B)·level, which according to remark 1 should be an integer."""
    return min(b, int(np.ceil((b + 1) * level - 1e-9)))


def parsed(method: str, level: float) -> tuple[str, str, float, Plan]:
    """Metric or "point", tails, level and plan of a method such as "ball:metric=sup,noise=curve"."""
    name, options = parse(method)
    tails, metric = options.pop("tails", "symmetric"), options.pop("metric", "point")
    level = float(options.pop("level", level))
    if (name == "ball") != (metric != "point"):
        raise ValueError(f"{method}: a ball has a metric, a point has none")
    return metric, tails, level, Plan(**options)


def readings(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Evaluator bootstrap balls and intervals at one false positive rate in several ways.

    Methods are "ball:metric=sup" or "ball:metric=db", and "point"; with noise=, kernel=, sampling=, scale=,
    center= as `Plan` has them, for points tails=, and level= where it is not the rule's.

    Quantities of balls: "distance", the true curve taken at the middle of each step is no further away than
    the ball's radius; "exact", the same anywhere, ends of steps included; "drawn" (sup only), the same with
    curves as drawn from (0, 0), resampled ones too; "curve", the true curve lies between the ball's edges,
    whose area is the width. "tpr": the rate.
    """
    (fpr,) = rule.at
    samples, vertices = drawn.samples, true_curve(drawn.model)
    plans = [parsed(method, rule.confidence_level) for method in rule.methods]
    n, reps = samples.n_neg, samples.reps
    steps = n * max(1, FINE // n)
    middle, fine = (np.interp((np.arange(k) + 0.5) / k, *vertices) for k in (n, steps))
    ends_left, ends_right = (np.interp((np.arange(n) + k) / n, *vertices) for k in (0.0, 1.0))
    truth = float(np.interp(fpr, *vertices))
    found: dict[tuple[str, str], list[Any]] = {}
    for row in range(reps):
        x_pos, x_neg = samples.pos[row], samples.neg[row]
        order = np.argsort(-x_neg)
        own = np.searchsorted(np.sort(-x_pos), -x_neg[order]) / len(x_pos)
        rate = own[min(int(fpr * n + 1e-9), n - 1)]
        sup, db = distances(own, middle)
        exact = max(float(np.abs(own - ends_left).max()), float(np.abs(own - ends_right).max()))
        db_exact = distances(own, fine)[1]
        errors: dict[Plan, FloatArray] = {}
        for method, (metric, tails, level, plan) in zip(rule.methods, plans, strict=True):
            if plan not in errors:
                pos, neg = (x_pos, x_neg) if plan.scale == "score" else fitted_probabilities(x_pos, x_neg)
                smooth = plan.center == "smoothed"
                center = smooth_steps(plan, pos, neg, steps) if smooth else own
                at = float(np.interp(fpr * steps, np.arange(steps) + 0.5, center)) if smooth else rate
                out = np.empty((rule.n_resamples, 4))
                again = resampled_classes(plan, pos, neg, rule.n_resamples, drawn.rng)
                curves_apart(again, center, at, fpr, out)
                errors[plan] = out
            made = errors[plan]
            if metric == "point":
                low, high = ends_of(made[:, 3], level, tails)
                found.setdefault((method, "tpr"), []).append((rate + min(low, 0.0), rate + max(high, 0.0)))
                continue
            rank = _rank(rule.n_resamples, level) - 1
            delta, drawn_delta = (
                float(np.sort(made[:, k])[rank]) for k in ((0, 2) if metric == "sup" else (1, 1))
            )
            apart = {"distance": (sup, delta), "exact": (exact, delta), "drawn": (exact, drawn_delta)}
            if metric == "db":
                apart = {"distance": (db, delta), "exact": (db_exact, delta)}
            for quantity, pair in apart.items():
                found.setdefault((method, quantity), []).append(pair)
            between = between_edges(
                own, delta, delta if metric == "db" else 0.0, lambda t: np.interp(t, *vertices)
            )
            found.setdefault((method, "curve"), []).append(between)
    return [
        _counted(method, quantity, np.array(rows), fpr, truth) for (method, quantity), rows in found.items()
    ]


def _counted(method: str, quantity: str, rows: FloatArray, fpr: float, truth: float) -> Coverage:
    if quantity == "tpr":
        low, high = np.clip(rows.T, 0.0, 1.0)
        return counted(method, "tpr", np.array([fpr]), np.array([truth]), low[:, None], high[:, None])
    if quantity == "curve":
        ends = np.where(rows[:, :2].T > 0.0, [[-1.0], [1.0]], [[1.0], [-1.0]])
        return counted_curve(method, ends, rows[:, 2])
    distance, delta = rows[:, :1], rows[:, 1:]
    return counted(method, quantity, WHOLE, distance, np.zeros_like(delta), delta)
