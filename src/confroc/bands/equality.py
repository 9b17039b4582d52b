"""Permutation tests of equal ROC curves, not only of equal AUCs.

Two curves that cross may have the same AUC. For paired scores, both models' ranks of a case are exchanged at
random (Venkatraman & Begg 1996). For two test sets, each case is first assigned its projection, the
proportion of a mixed population with a higher score on its own model's curve; under the null hypothesis
projections of a class have the same distribution in both sets, so they are exchanged between them
(Venkatraman 2000).

References
----------
Venkatraman ES, Begg CB (1996). A distribution-free procedure for comparing receiver operating characteristic
curves from a paired experiment. Biometrika 83, 835–848.
Venkatraman ES (2000). A permutation test to compare receiver operating characteristic curves. Biometrics 56,
1134–1138.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from confroc._check import MOST_RESAMPLES, DesignError, check_choice, check_count, make_rng
from confroc._progress import steps
from confroc._types import RNG, BoolArray, FloatArray, IntArray
from confroc.auc.permutation import mid_ranks
from confroc.resample import N_RESAMPLES, spawn, units_of
from confroc.results import Test
from confroc.scores import Pair, PairedScores, Scores, accepts_two_models, check_pair, check_scores
from confroc.scores.counting import one_by_one

CurveTest = Literal["venkatraman"]

HELD = 10_000
"""Block size, in ranks of resamples: its arrays stay in the processor's cache."""


@accepts_two_models
def curve_test(
    pair: Pair,
    /,
    *,
    method: CurveTest = "venkatraman",
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
) -> Test:
    """Test whether two models have the same ROC curve.

    `auc_difference` tests whether they have the same AUC; it has more power if one curve dominates the other,
    and none if the curves cross with equal AUCs.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
        Whole clusters are exchanged (one identifier per row). Sampling weights are not supported.
    method : {"venkatraman"}
    n_resamples : int
        Number of random exchanges.
    rng : Generator, seed or None

    Returns
    -------
    Test
        Two-sided. For paired scores `statistic` is Σₖ 2·|FNₐ(k) − FN_b(k)| over all numbers k of cases
        predicted negative (Venkatraman & Begg 1996), the difference of the numbers of errors. For two test
        sets it is the area between both curves as functions of the predicted-positive rate. Tied scores are
        interpolated. The p-value includes the sample among the exchanges. Guarantee: asymptotic, since ranks
        are only approximately exchangeable.

    Raises
    ------
    ValueError
        Sampling weights, or pairs without joint counts.

    See Also
    --------
    auc_difference : Difference in AUC.
    roc_difference_band : Where the curves differ.

    Examples
    --------
    >>> import pandas
    >>> from confroc import curve_test
    >>> data = pandas.read_csv("examples/asah.csv")
    >>> print(curve_test(data["outcome"] == "Poor", data["s100b"], data["ndka"], rng=0))
    all ROC curves equal: statistic 709 (two-sided, p = 0.1969; venkatraman, paired)
    """
    check_choice("method", method, get_args(CurveTest))
    check_pair("pair", pair, dependent=True)
    count = check_count("n_resamples", n_resamples, maximum=MOST_RESAMPLES)
    if isinstance(pair, PairedScores):
        observed, found = _exchanged(pair, count, rng)
    else:
        observed, found = _divided((pair.a, pair.b), count, rng)
    # Ties of the discrete statistic count against rejection, up to rounding error.
    extreme = int(np.count_nonzero(found >= observed * (1.0 - 1e-9)))
    return Test(
        quantity="ROC curves",
        statistic=observed,
        pvalue=(1.0 + extreme) / (1.0 + count),
        least_pvalue=1.0 / (1.0 + count),
        alternative="two-sided",
        n_resamples=count,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        method=method,
        guarantee="asymptotic",
        kind="simultaneous",
    )


# --- paired scores -------------------------------------------------------------------------------------


def _exchanged(pair: PairedScores, count: int, rng: RNG) -> tuple[float, FloatArray]:
    """Statistic of the sample and of random exchanges of the ranks of each case or cluster."""
    one_by_one("a permutation test", pair.n_pos + pair.n_neg, name="pair")
    rows, positive, unit = _cases(pair)
    ranks = [mid_ranks(s)[index[rows]] for s, index in ((pair.a, pair.index_a), (pair.b, pair.index_b))]
    levels, code = np.unique(np.concatenate(ranks), return_inverse=True)
    a, b = 2 * code.reshape(2, -1) + positive
    both = np.bincount(a, minlength=2 * len(levels)) + np.bincount(b, minlength=2 * len(levels))
    observed = _errors_apart(a[None], both)
    generator, units, found = make_rng(rng), int(unit.max()) + 1, []
    step = max(1, HELD // len(rows))
    for start in steps(range(0, count, step), "blocks of exchanges"):
        size = min(step, count - start)
        bits = np.frombuffer(generator.bytes(size * -(-units // 8)), np.uint8).reshape(size, -1)
        swap = np.unpackbits(bits, axis=1, count=units).view(bool)
        found.append(_errors_apart(np.where(swap[:, unit], b, a), both))
    return float(observed[0]), np.concatenate(found)


def _cases(pair: PairedScores) -> tuple[IntArray, BoolArray, IntArray]:
    """Row, class and cluster of each case."""
    design = pair.design
    if design is not None and (design.weighted or len(design.clusters) > 1):
        rule = "have no sampling weights, and at most one cluster identifier per row, for a permutation test"
        raise DesignError("pair", rule, str(pair), "Use auc_difference.")
    if design is None or not design.clusters:
        d = np.arange(len(pair.pos))
        rows = np.concatenate([np.repeat(d, pair.pos), np.repeat(d, pair.neg)])
        return rows, np.arange(len(rows)) < pair.n_pos, np.arange(len(rows))
    return tuple(np.repeat(v, design.count) for v in (design.row, design.positive, units_of(design)))  # type: ignore[return-value]


def _errors_apart(code: IntArray, both: IntArray) -> FloatArray:
    """Sum of the differences of the numbers of errors of two models, for each row of `code`, shape (k,).

    `code` has twice the rank of each case under one model, plus one for a positive, and `both` the counts of
    codes under both models.
    """
    k, n = code.shape
    code = code + len(both) * np.arange(k)[:, None]
    one = np.bincount(code.ravel(), minlength=k * len(both)).reshape(k, len(both))
    missed = []
    for counts in (one, both - one):
        cases = counts[:, ::2] + counts[:, 1::2]
        share = counts[:, 1::2] / np.maximum(cases, 1)
        missed.append(np.repeat(share.ravel(), cases.ravel()).reshape(k, n))
    difference = missed[0]
    difference -= missed[1]
    np.cumsum(difference, axis=1, out=difference)
    return np.asarray(2.0 * np.abs(difference, out=difference).sum(axis=1))


# --- two test sets -------------------------------------------------------------------------------------


def _divided(samples: tuple[Scores, Scores], count: int, rng: RNG) -> tuple[float, FloatArray]:
    """Statistic of the sample and of random divisions of the projections of each class."""
    for s in samples:
        check_scores("pair", s, widens=True)
    share = sum(s.n_pos for s in samples) / sum(s.n_pos + s.n_neg for s in samples)
    levels, code = np.unique(np.concatenate([_projections(s, share) for s in samples]), return_inverse=True)
    parts = np.split(code, [len(samples[0].pos)])
    counts = [
        [np.bincount(c, side, len(levels)).astype(np.int64) for c, side in zip(parts, of_class, strict=True)]
        for of_class in ([s.pos for s in samples], [s.neg for s in samples])
    ]
    pooled = [a + b for a, b in counts]
    # One by one is faster where few cases share a score.
    ways: list[Literal["count", "marginals"]] = [
        "count" if p.sum() < 10 * len(p) else "marginals" for p in pooled
    ]

    def area(pos: IntArray, neg: IntArray) -> float:
        return _area_between([(pos, neg), (pooled[0] - pos, pooled[1] - neg)], share)

    found = []
    for seed in steps(spawn(rng, count), "divisions"):
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [
            generator.multivariate_hypergeometric(p, int(c[0].sum()), method=way)
            for p, c, way in zip(pooled, counts, ways, strict=True)
        ]
        found.append(area(drawn[0], drawn[1]))
    return area(counts[0][0], counts[1][0]), np.array(found)


def _projections(scores: Scores, share: float) -> FloatArray:
    """Predicted-positive rate at each distinct score, ties one half, at this prevalence."""
    pos, neg = (
        (above - 0.5 * own) / n
        for above, own, n in (
            (scores.pos_above, scores.pos, scores.n_pos),
            (scores.neg_above, scores.neg, scores.n_neg),
        )
    )
    return np.asarray(share * pos + (1.0 - share) * neg)


def _area_between(curves: list[tuple[IntArray, IntArray]], share: float) -> float:
    """Area between two curves of the TPR against the predicted-positive rate."""
    lines = []
    for pos, neg in curves:
        tpr, fpr = (np.append(0.0, np.cumsum(n)) / n.sum() for n in (pos, neg))
        lines.append((share * tpr + (1.0 - share) * fpr, tpr))
    at = np.sort(np.concatenate([rate for rate, _ in lines]))
    gap = np.interp(at, *lines[0]) - np.interp(at, *lines[1])
    first, last = gap[:-1], gap[1:]
    # A trapezoid, or two triangles if the lines cross.
    both = np.abs(first) + np.abs(last)
    crossed = (first * first + last * last) / np.where(both > 0.0, both, 1.0)
    return float(np.dot(np.diff(at), np.where(first * last < 0.0, crossed, both)) / 2.0)
