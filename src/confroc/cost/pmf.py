"""Exact bootstrap laws of costs and cost differences, whole."""

from __future__ import annotations

from confroc._check import ArgumentError, check_size
from confroc._types import FloatArray, Sampling, Size
from confroc.cost import law
from confroc.cost.intervals import check_sampling
from confroc.cost.moments import linear_form
from confroc.cost.problem import Part, Problem, one_model, pooled_share, two_models
from confroc.cost.thresholds import check_w, given_thresholds
from confroc.scores import Pair, Scores, check_pair, check_scores

LARGEST = 2_000_000
"""Most values a law may have when all are to be returned."""


def cost_pmf(
    scores: Scores, w: float, *, threshold: float, sampling: Sampling = "stratified", size: Size = None
) -> tuple[FloatArray, FloatArray]:
    """Exact bootstrap law of the normalised cost at a given threshold.

    Stratified: w·X/m₊ + (1 − w)·Y/m₋ with independent binomial error counts X and Y. Full: the counts of
    the two errors are trinomial. The law whose first two moments are eqs. 4-5 and 9-10 of Dugas & Gadoury
    (2009, cost curves).

    Parameters
    ----------
    scores : Scores
    w : float
        In [0, 1].
    threshold : float
    sampling : {"stratified", "full"}
        As in `cost_curve`.
    size : (int, int), optional
        (m_pos, m_neg), cases per bootstrap sample; by default the sample's own.

    Returns
    -------
    support : ndarray of shape (k,)
        Increasing; values nearer than 1e-12 are one.
    pmf : ndarray of shape (k,)
        Masses below 1e-15 are left out. Exact to 1e-10.

    Raises
    ------
    ValueError
        Bad arguments, or a law of more than two million values.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.cost import cost_pmf
    >>> support, pmf = cost_pmf(Scores([1, 1, 0, 0], [4, 2, 3, 1]), 0.5, threshold=3)
    >>> support, pmf.round(4)
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0.0625, 0.25  , 0.375 , 0.25  , 0.0625]))
    """
    check_scores("scores", scores)
    at, sampling = check_w(w), check_sampling(sampling)
    part = one_model(
        scores, given_thresholds("threshold", threshold, 1), check_size(size, scores.n_pos, scores.n_neg)
    )
    return _pmf((part,), at, part.sample.share, sampling)


def cost_difference_pmf(
    pair: Pair,
    w: float,
    *,
    threshold_a: float,
    threshold_b: float,
    sampling: Sampling = "stratified",
    size: Size = None,
) -> tuple[FloatArray, FloatArray]:
    """Exact bootstrap law of the difference a − b of two normalised costs at given thresholds.

    The law whose first two moments are eqs. 7-8 and 12-13 of Dugas & Gadoury (2009, cost curves), with
    the sign of a − b.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float
        In [0, 1].
    threshold_a, threshold_b : float
    sampling, size
        As in `cost_pmf`.

    Returns
    -------
    support, pmf : ndarray of shape (k,)
        As in `cost_pmf`.

    Raises
    ------
    ValueError
        As in `cost_pmf`.
    """
    check_pair("pair", pair)
    at, sampling = check_w(w), check_sampling(sampling)
    thresholds = (
        given_thresholds("threshold_a", threshold_a, 1),
        given_thresholds("threshold_b", threshold_b, 1),
    )
    parts = two_models(pair, thresholds[0], thresholds[1], None if size is None else check_size(size, 1, 1))
    return _pmf(parts, at, pooled_share(pair), sampling)


def _pmf(
    parts: tuple[Part, ...], at: FloatArray, share: float, sampling: Sampling
) -> tuple[FloatArray, FloatArray]:
    if len(at) != 1:
        raise ArgumentError("w", "be a single number", at.tolist(), "Ask for one law at a time.")
    steps = Problem(parts, *linear_form(at, share, sampling), sampling).steps(0)
    whole = law.law_of(steps, LARGEST, LARGEST)
    if whole is None or len(whole.outer) * len(whole.inner) > LARGEST:
        raise ArgumentError(
            "size",
            f"keep the law at no more than {LARGEST:,} values",
            [(part.sample.m_pos, part.sample.m_neg) for part in parts],
            "Use fewer cases, or method='exact_bootstrap' of `cost_curve`, which needs quantiles only.",
        )
    return whole.pmf()
