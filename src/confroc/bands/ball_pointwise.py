"""Smoothed and studentized bootstrap intervals at given false positive rates.

The pointwise companions of the ball bands (Bertail, Clémençon & Vayatis 2008, §3.3 and eqs. 4–5).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_count, check_level, false_positives
from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.ball import bandwidths
from confroc.resample import N_RESAMPLES, check_resamples, critical_value, in_threads, spawn
from confroc.results import Intervals
from confroc.scores import Scores, check_scores


def _density(sample: FloatArray, h: float, at: FloatArray) -> FloatArray:
    standard = (at[:, None] - sample) / h
    value: FloatArray = np.exp(-0.5 * standard**2).mean(axis=1) / (h * math.sqrt(2.0 * math.pi))
    return value


def _error(
    pos: FloatArray, neg: FloatArray, tpr: FloatArray, threshold: FloatArray, r: IntArray
) -> FloatArray:
    """Root of eq. 4 for the sample's own sizes, with density bandwidths 1.06·s·n^(−1/3).

    A rate of half a case is added to the binomial part, which would vanish with the rate.
    """
    g, h = (
        _density(x, 1.06 * max(float(x.std()), np.finfo(float).tiny) * len(x) ** (-1.0 / 3.0), threshold)
        for x in (pos, neg)
    )
    fpr = r / len(neg)
    slope = np.divide(g, h, out=np.zeros_like(g), where=h > 0.0)
    eased = (tpr * len(pos) + 0.5) / (len(pos) + 1.0)
    variance = slope**2 * fpr * (1.0 - fpr) / len(neg) + eased * (1.0 - eased) / len(pos)
    root: FloatArray = np.sqrt(variance)
    return root


def smoothed_tpr_at_fpr(
    scores: Scores,
    fpr: ArrayLike,
    *,
    smoothing: bool = True,
    studentized: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
    n_jobs: int = 1,
) -> Intervals:
    """Bootstrap interval for the true positive rate at each false positive rate.

    Parameters
    ----------
    scores : Scores
    fpr : float or array-like of shape (h,)
        In [1/n_neg, 1].
    smoothing : bool
        Add Gaussian noise of bandwidth 1.06·s·n^(−1/4) to each resampled score (Bertail, Clémençon &
        Vayatis 2008, §3.1); False is the naive bootstrap, which is less accurate.
    studentized : bool
        Divide each resampled error by its own estimate of the standard deviation (eqs. 4 and 5), whose
        kernel densities have bandwidth 1.06·s·n^(−1/3).
    confidence_level : float
        In (0, 1), of each interval by itself.
    n_resamples : int
        At least 2/(1 − confidence_level).
    rng : Generator, seed or None
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    Intervals
        Symmetric about the empirical rate, cut to [0, 1]. Guarantee: bootstrap. With smoothing or
        studentizing the ends change under non-linear transforms of the scores.

    Raises
    ------
    ValueError
        A rate below 1/n_neg, too few resamples, or scores without spread in a class.

    Examples
    --------
    >>> from confroc.bands import smoothed_tpr_at_fpr
    >>> from confroc.models import BinormalModel
    >>> scores = BinormalModel.from_auc(0.85).sample(200, 200, rng=1)
    >>> found = smoothed_tpr_at_fpr(scores, 0.2, n_resamples=199, rng=1)
    >>> bool(found.lower[0] < 0.729 < found.upper[0])
    True
    """
    check_scores("scores", scores)
    level = check_level(confidence_level)
    resamples = check_resamples(n_resamples, level)
    check_count("n_jobs", n_jobs)
    n_neg = scores.n_neg
    r = false_positives(fpr, n_neg)
    pos, neg = (np.repeat(scores.score, count)[::-1] for count in (scores.pos, scores.neg))
    h_pos, h_neg = bandwidths(scores)

    def rates(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
        # With r negatives above it the threshold is at the next one below.
        threshold = neg[n_neg - 1 - np.minimum(r, n_neg - 1)]
        tpr = 1.0 - np.searchsorted(pos, threshold, side="right") / len(pos)
        return np.where(r == n_neg, 1.0, tpr), threshold

    estimate, threshold = rates(pos, neg)

    def one(seed: np.random.SeedSequence) -> FloatArray:
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = []
        for sample, h in ((pos, h_pos), (neg, h_neg)):
            again = generator.choice(sample, len(sample))
            drawn.append(np.sort(again + h * generator.standard_normal(len(sample)) if smoothing else again))
        tpr, at = rates(drawn[0], drawn[1])
        error = np.abs(tpr - estimate)
        return error / _error(drawn[0], drawn[1], tpr, at, r) if studentized else error

    errors = np.array(in_threads(one, spawn(rng, resamples), n_jobs))
    half = np.array([critical_value(column, level) for column in errors.T])
    if studentized:
        half = half * _error(pos, neg, estimate, threshold, r)
    method = ("smoothed" if smoothing else "naive") + ("_studentized" if studentized else "") + "_bootstrap"
    return Intervals(
        quantity="tpr",
        at_name="fpr",
        at=r / n_neg,
        estimate=estimate,
        lower=np.clip(estimate - half, 0.0, 1.0),
        upper=np.clip(estimate + half, 0.0, 1.0),
        confidence_level=level,
        method=method,
        guarantee="bootstrap",
    )
