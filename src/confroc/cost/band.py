"""Simultaneous bands for cost curves and cost differences.

The band is C̃(w) ± c·s̃(w): cost and standard error after adding pseudo-cases, as the smoothed pointwise
methods do, which keeps both sensible where no error is seen, and one c for all w from `calibration.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level, make_rng
from confroc._types import RNG, FloatArray, Sampling
from confroc.cost.calibration import chosen_draws, chosen_pair_draws, critical_value, edges, fixed_draws
from confroc.cost.geometry import envelope, trivial_cost
from confroc.cost.intervals import CostCurve, CostDifference, check_sampling
from confroc.cost.moments import linear_form
from confroc.cost.problem import Problem, one_model, pooled_share, two_models
from confroc.cost.ranges import Side, WeightRange, all_ranges, cut, full_factor
from confroc.cost.rounded import cost_errors, pair_cost_errors
from confroc.cost.thresholds import OPTIMISTIC, Source, check_w, choose, choose_pair, optimal_thresholds
from confroc.points.shared import check_resamples
from confroc.results import Kind
from confroc.scores import Pair, PairedScores, Scores, check_pair, check_scores, widened
from confroc.scores.counting import rows_above

FEW = 50
Edges: TypeAlias = list[tuple[Side, FloatArray]]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostBand(CostCurve):
    """A band that holds the model's cost at all w together.

    Attributes
    ----------
    critical : float
        Half-width of the band in standard errors.
    prior : float
        The sample's share of positives.
    everywhere : bool
        True if the level is for all w from 0 to 1: the edges then are straight between neighbouring
        entries of `at` (times the normalising factor, under full sampling), and a repeated w is a change
        of threshold. False if it is for the entries of `at` only.
    at, estimate, lower, upper, threshold, ...
        As in `CostCurve`.
    """

    critical: float
    prior: float
    everywhere: bool
    kind: Kind = "simultaneous"

    def useful(self) -> tuple[WeightRange, ...]:
        """Ranges of w where the model is cheaper than both trivial classifiers, jointly at the level.

        The reverse, where a trivial classifier is surely cheaper, is listed too.
        """
        factor = full_factor(self.at, self.prior) if self.sampling == "full" else np.ones_like(self.at)
        # Against straight pieces only min(w, 1 − w) bends, at one half, where a piece is cut in two.
        at, (lower, upper) = cut(self.at, 0.5, (self.lower / factor, self.upper / factor), self.everywhere)
        trivial = trivial_cost(at)
        edges: Edges = [("model", upper - trivial), ("trivial", trivial - lower)]
        return all_ranges(edges, at, self.confidence_level, self.everywhere)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostDifferenceBand(CostDifference):
    """A band that holds the difference of two models' costs at all w together.

    Attributes
    ----------
    critical : float
        Half-width of the band in standard errors.
    prior : float
        The sample's share of positives.
    everywhere : bool
        As in `CostBand`.
    at, estimate, lower, upper, threshold_a, threshold_b, ...
        As in `CostDifference`.
    """

    critical: float
    prior: float
    everywhere: bool
    kind: Kind = "simultaneous"

    def cheaper(self) -> tuple[WeightRange, ...]:
        """Ranges of w where one model is cheaper than the other, jointly at the level.

        Examples
        --------
        >>> from confroc import PairedScores, cost_difference_band
        >>> y = [0] * 200 + [1] * 200
        >>> a = list(range(200)) + list(range(120, 320))
        >>> b = [(37 * i) % 200 + (10 if i >= 200 else 0) for i in range(400)]
        >>> band = cost_difference_band(PairedScores(y, a, b), [0.3, 0.4, 0.5, 0.6], rng=1)
        >>> print(*band.cheaper())
        from w = 0.3 to 0.6 model a is cheaper, jointly at 95 %
        """
        factor = full_factor(self.at, self.prior) if self.sampling == "full" else np.ones_like(self.at)
        edges: Edges = [("a", self.upper / factor), ("b", -self.lower / factor)]
        return all_ranges(edges, self.at, self.confidence_level, self.everywhere)


def _places(w: ArrayLike | None, chosen_on: tuple[Scores, ...], **given: ArrayLike | None) -> FloatArray:
    """The w asked for, or the ends of all pieces on which no threshold changes, each piece's two ends."""
    if w is not None:
        return check_w(w)
    ends = np.array([0.0, 1.0])
    for name, threshold in given.items():
        if threshold is not None and np.size(threshold) > 1:
            raise ArgumentError(
                "w", f"be given with several values of `{name}`", None, "Give one w per threshold."
            )
    if all(threshold is None for threshold in given.values()):
        ends = np.unique(np.concatenate([envelope(scores).w for scores in chosen_on]))
    return np.repeat(ends, 2)[1:-1]


def _piecewise(scores: Scores, at: FloatArray) -> FloatArray:
    """Cheapest threshold on each piece, at both its ends."""
    middle = 0.5 * (at[0::2] + at[1::2])
    return np.repeat(optimal_thresholds(scores, middle), 2)


def cost_band(
    scores: Scores,
    w: ArrayLike | None = None,
    *,
    threshold: ArrayLike | None = None,
    validation: Scores | None = None,
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostBand:
    """Band that holds the model's cost at all w together.

    Parameters
    ----------
    scores : Scores
    w : float or array-like of shape (h,), optional
        In [0, 1]: the band is then for these w together. By default it is for all w from 0 to 1, and
        its entries are both ends of each piece on which the threshold stays the same.
    threshold, validation
        As in `cost_curve`. Without either, thresholds are chosen on `scores`; the band then is for the
        cost that these thresholds would have in the population, and pays for the choice.
    sampling : {"stratified", "full"}
        As in `cost_curve`.
    confidence_level : float
        In (0, 1).
    n_resamples : int
    rng : Generator, int or None
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    CostBand
        Inside [0, 1]. Guarantee: bootstrap (largest studentised error over w, after adding two errors
        and two correct cases to each class). Under-covers by some points with few
        cases: 0.88 to 0.98 instead of 0.95 at 25 a class, 0.92 to 1.00 at 100, and 0.93 to 1.00 at 1,000
        (`experiments/cost_bands.py`); below 50 cases in a class `notes` says so.

    Raises
    ------
    ValueError, TypeError
        As in `cost_curve`; also thresholds for several w when `w` is left out.

    Notes
    -----
    A resample that chooses thresholds anew picks among 512 at most: the corners of the sample's hull and
    evenly spread ones. Time: n_resamples times the number of w.

    Examples
    --------
    >>> from confroc import Scores, cost_band
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> band = cost_band(scores, rng=1)
    >>> [(r.cheaper, round(r.low, 2), round(r.high, 2)) for r in band.useful()]
    [('model', 0.13, 0.82)]
    """
    check_scores("scores", scores, widens=True)
    sampling = check_sampling(sampling)
    level = check_level(confidence_level)
    resamples = check_resamples(n_resamples, level)
    chosen_on = scores if validation is None else check_scores("validation", validation, widens=True)
    at = _places(w, (chosen_on,), threshold=threshold)
    thresholds, source = choose(scores, at, threshold, validation)
    if w is None and source != "given":
        thresholds = _piecewise(chosen_on, at)
    part = one_model(scores, thresholds)
    share = part.sample.share
    form = linear_form(at, share, sampling)
    problem = Problem((part,), *form, sampling)
    if source != "same_sample":
        draws = fixed_draws(part)
    else:
        draws = chosen_draws(scores, rows_above(scores.score, thresholds), *_per_error(problem, scores))
    critical = critical_value(problem, [draws], level, resamples, make_rng(rng), n_jobs)
    estimate, lower, upper = edges(problem, critical)
    # Between two entries of `at` the costs at their threshold are straight, and the cheapest are concave: the
    # errors there are no larger than what lies between those at the entries.
    anew = at if source == "same_sample" else None
    errors = cost_errors(scores, thresholds, form, sampling, chosen_at=anew)
    band = CostBand(
        quantity="cost",
        at_name="w",
        at=at,
        estimate=estimate,
        lower=np.clip(lower, 0.0, 1.0),
        upper=np.clip(upper, 0.0, 1.0),
        confidence_level=level,
        method="studentised_bootstrap",
        guarantee="bootstrap",
        notes=_notes(source, scores),
        threshold=thresholds,
        threshold_source=source,
        sampling=sampling,
        critical=critical,
        prior=share,
        everywhere=w is None,
    )
    return widened(band, *errors, bounds=(0.0, 1.0))


def cost_difference_band(
    pair: Pair,
    w: ArrayLike | None = None,
    *,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    validation: Pair | None = None,
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostDifferenceBand:
    """Band that holds the difference a − b of two models' costs at all w together.

    Where it stays below zero model a is cheaper, above zero model b, for all those w jointly:
    `CostDifferenceBand.cheaper` lists the ranges.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float or array-like of shape (h,), optional
        As in `cost_band`.
    threshold_a, threshold_b, validation
        As in `cost_difference`. Without them thresholds are chosen on `pair`, and the band is for the
        costs those thresholds would have in the population.
    sampling, confidence_level, n_resamples, rng, n_jobs
        As in `cost_band`.

    Returns
    -------
    CostDifferenceBand
        Inside [−1, 1]. Guarantee: bootstrap (as in `cost_band`, with the pseudo-cases of "agresti_min").

    Raises
    ------
    ValueError, TypeError
        As in `cost_difference`; also thresholds for several w when `w` is left out.

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores, cost_difference_band
    >>> a = Scores.from_counts([3, 2, 1], pos=[90, 8, 2], neg=[2, 18, 80])
    >>> b = Scores.from_counts([3, 2, 1], pos=[60, 30, 10], neg=[20, 40, 40])
    >>> band = cost_difference_band(UnpairedScores(a, b), rng=1)
    >>> [(r.cheaper, round(r.low, 1), round(r.high, 1)) for r in band.cheaper()]
    [('a', 0.1, 0.9)]
    """
    check_pair("pair", pair, widens=True)
    sampling = check_sampling(sampling)
    level = check_level(confidence_level)
    resamples = check_resamples(n_resamples, level)
    chosen_on = pair if validation is None else check_pair("validation", validation, widens=True)
    at = _places(w, (chosen_on.a, chosen_on.b), threshold_a=threshold_a, threshold_b=threshold_b)
    threshold_a, threshold_b, source = choose_pair(pair, at, threshold_a, threshold_b, validation)
    if w is None and source != "given":
        threshold_a, threshold_b = _piecewise(chosen_on.a, at), _piecewise(chosen_on.b, at)
    parts = two_models(pair, threshold_a, threshold_b)
    share = pooled_share(pair)
    form = linear_form(at, share, sampling)
    problem = Problem(parts, *form, sampling)
    own_a, own_b = rows_above(pair.a.score, threshold_a), rows_above(pair.b.score, threshold_b)
    if source != "same_sample":
        draws = [fixed_draws(part) for part in parts]
    elif isinstance(pair, PairedScores):
        draws = [chosen_pair_draws(pair, own_a, own_b, *_per_error(problem, pair.a))]
    else:
        draws = [
            chosen_draws(scores, own, *_per_error(problem, scores))
            for scores, own in ((pair.a, own_a), (pair.b, own_b))
        ]
    critical = critical_value(problem, draws, level, resamples, make_rng(rng), n_jobs)
    estimate, lower, upper = edges(problem, critical)
    anew = at if source == "same_sample" else None
    errors = pair_cost_errors(pair, (threshold_a, threshold_b), form, sampling, chosen_at=anew)
    band = CostDifferenceBand(
        quantity="cost_a - cost_b",
        at_name="w",
        at=at,
        estimate=estimate,
        lower=np.clip(lower, -1.0, 1.0),
        upper=np.clip(upper, -1.0, 1.0),
        confidence_level=level,
        method="studentised_bootstrap",
        guarantee="bootstrap",
        notes=_notes(source, pair.a, pair.b),
        threshold_a=threshold_a,
        threshold_b=threshold_b,
        threshold_source=source,
        sampling=sampling,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        critical=critical,
        prior=share,
        everywhere=w is None,
    )
    return widened(band, *errors, bounds=(-1.0, 1.0))


def _per_error(problem: Problem, scores: Scores) -> tuple[FloatArray, FloatArray]:
    """What one false negative and one false positive add to the cost."""
    if problem.sampling == "full":
        return problem.alpha, problem.beta
    return problem.alpha / scores.n_pos, problem.beta / scores.n_neg


def _notes(source: Source, *models: Scores) -> tuple[str, ...]:
    notes: tuple[str, ...] = (OPTIMISTIC,) if source == "same_sample" else ()
    fewest = min(n for s in models for n in (s.n_pos, s.n_neg))
    if fewest < FEW:
        notes += (f"With {fewest} cases in a class the band holds somewhat less often than its level says.",)
    return notes
