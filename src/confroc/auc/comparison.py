"""Many models, or many groups, at once: areas, differences, one joint test, and who may be best."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from confroc._check import check_choice, check_level, check_settings, warn
from confroc._types import RNG, FloatArray
from confroc.auc.contrasts import (
    WaldTest,
    wald_test,
)
from confroc.auc.interval import (
    area_bounds,
    area_label,
)
from confroc.auc.simultaneous import ComparisonQuestion
from confroc.auc.testing import Hypothesis
from confroc.curve import check_part
from confroc.distributions import (
    closed_pairs,
    holm,
    single_step,
    step_down,
)
from confroc.methods.auc import AUC_COMPARISON, AUC_INTERVAL
from confroc.results import (
    Adjustment,
    Comparison,
    Differences,
    Intervals,
    JointTest,
    notes_of,
)
from confroc.scores import (
    Pair,
    PairedScores,
    UnpairedScores,
    accepts_several_models,
    difference_errors,
    no_pair,
    notes_of_classes,
    widened,
)

ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)
TAKEN = {"lower", "upper", "may_be_best", "kind", "method", "guarantee", "design", "confidence_level"}
"""Columns of a table of areas, besides the area."""

NO_JOINT_COVARIANCE = "A difference has zero variance; the joint p-value is the smallest adjusted p-value."
JOINT_WALD = "The permutation test compares pairs; the joint test is Wald's with DeLong's covariance."


@accepts_several_models
def auc_comparison(
    scores: Pair,
    *,
    method: str = "score_delong",
    adjust: str = "max_t",
    reference: str | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> Comparison:
    """Areas of many models, or of many groups, with intervals and tests that allow for their number.

    Parameters
    ----------
    scores : PairedScores, UnpairedScores or (y_true, score, ...)
        Two or more models on the same cases, or two or more samples of disjoint cases.
    method : {"score_delong", "delong", "bootstrap", "permutation"}
        How each area's interval and each difference's interval and test are made, as in `auc_interval` and
        `auc_difference`.

        score_delong : score intervals with DeLong's correlation of the areas. With areas near 1 and few cases
            it is cautious: where fewer than some ten cases are misranked, differences are found far less
            often than the level allows, with a note.
        delong : DeLong, DeLong & Clarke-Pearson (1988): normal intervals and tests, and chi-squared with the
            covariance of all areas. Finds differences too often where a class has few cases.
        bootstrap : percentiles of stratified resamples of whole cases, with all their scores, at the level
            required by the largest of the resampled errors; each group is resampled by itself.
        permutation : p-values from exchanging cases between two models, or between two groups, as in
            `auc_difference`; they attain their level near 1 too, and are slightly above it
            where curves of equal area differ in shape. The intervals of differences are DeLong's, those of
            areas "score_delong".

        The joint test is Wald's with DeLong's covariance, for "delong" by the chi-squared distribution,
        otherwise by an F distribution that allows for the covariance's being estimated (Krishnamoorthy & Yu
        2004). Of two models it is the test of their difference. "permutation" exchanges two and has no joint
        test; the notes of the joint test report this.
    adjust : {"max_t", "holm", "bonferroni", "none"}
        How intervals, tests and the set of models that may be best allow for the number of models.

        max_t : by the distribution of the largest of all differences over their standard errors, normal with
            the correlations that the differences have ("bootstrap": resampled). P-values are those of the
            closed test of all pairs, which makes use of what equalities imply (if a = b and b = c then a =
            c); for more than 10 models, and against a `reference`, those of stepping down.
        holm : Holm's (1979) p-values, Bonferroni's intervals.
        bonferroni : p-values times their number, intervals at 1 − α over it.
        none : each interval and each test by itself.
    reference : str, optional
        Name of the model that all others are compared with (after Dunnett 1955); by default all pairs are
        compared.
    max_fpr, min_tpr, standardize
        For partial areas, as in `auc_difference`; all methods but "permutation".
    confidence_level : float
        In (0, 1); of all intervals of areas together, of all intervals of differences together, and of the
        set of models that may be best.
    n_resamples : int, optional
        For "bootstrap", and "permutation" of groups. Default: 2,000; for "bootstrap" as many as the
        simultaneous level needs, if those are more.
    rng, n_jobs
        Generator or seed of these; for "bootstrap" threads, on which the result does not depend.

    Returns
    -------
    Comparison
        `areas` and `differences` with simultaneous intervals, `test` of equal areas, `may_be_best` (Hsu's
        multiple comparison with the best), `largest_gap`, and `comparison["new", "old"]`. Differences are the
        earlier model minus the later one, or each other one minus the reference. Guarantee: asymptotic, or
        bootstrap.

        An interval excludes zero exactly where `pvalue_single_step` is at most 1 − `confidence_level`
        (method "bootstrap": nearly). The p-value of the closed test, `pvalue`, is never larger, and may find
        a difference whose interval holds zero: no simultaneous intervals agree with it in every case.

        Models that agree in every case, as a model and a monotone transform of it do, count once: a copy
        changes nothing but its own rows, and `alike` names it. Rounded scores widen the intervals as in
        `auc_difference`.

    Raises
    ------
    ValueError
        For an unknown method, adjustment or reference, and for partial areas or "bootstrap" of models whose
        joint counts were not kept: read them with `resolution=`.

    Warns
    -----
    ConfrocWarning
        As `auc_interval` and `auc_difference`, once for all models and pairs.

    See Also
    --------
    auc_interval : One area.
    auc_difference : Two areas; one-sided tests, non-inferiority, equivalence.
    read_scores : Many models, or groups, of any number of cases.

    Notes
    -----
    The largest of the observed differences is `largest_gap`; its simultaneous interval allows for its having
    been chosen. With copies left aside, the adjusted p-values of two models are those of `auc_difference`.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Blanche P, Dartigues JF, Riou J (2022). Biometrics 78, 352–363.
    Hsu JC (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall.
    Krishnamoorthy K, Yu J (2004). Statistics & Probability Letters 66, 161–169.
    Dunnett CW (1955). Journal of the American Statistical Association 50, 1096–1121.
    Holm S (1979). Scandinavian Journal of Statistics 6, 65–70.

    Examples
    --------
    >>> from confroc import PairedScores, auc_comparison
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> new, old = [1, 2, 3, 6, 4, 5, 7, 8, 9, 10], [4, 1, 2, 8, 7, 3, 9, 5, 6, 10]
    >>> chance = [3, 9, 1, 7, 5, 4, 8, 2, 10, 6]
    >>> comparison = auc_comparison(PairedScores(y, new, old, chance, names=["new", "old", "chance"]))
    >>> print(comparison["new", "chance"])
    auc_new - auc_chance +0.3600 (95 % simultaneous interval -0.1023 to +0.7370, p = 0.1573;
      score_delong, paired)
    Note: Tests of 'score_delong' are conservative ...
    >>> comparison.differences.pvalue.round(4)
    array([0.1573, 0.1573, 0.6089])
    >>> comparison.may_be_best
    ('new', 'old', 'chance')
    """
    check_several(scores)
    AUC_COMPARISON.check(method, max_fpr=max_fpr, min_tpr=min_tpr, n_resamples=n_resamples)
    chosen: Any = check_choice("adjust", adjust, ADJUSTMENTS)
    level = check_level(confidence_level)
    check_settings(rng, n_jobs)
    part = check_part(max_fpr, min_tpr, standardize=standardize)
    if reference is not None:
        check_choice("reference", reference, scores.names)
    asked = ComparisonQuestion(
        scores=scores,
        method=method,
        adjust=chosen,
        reference=None if reference is None else scores.names.index(reference),
        part=part,
        standardize=standardize,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
    )
    for caution in asked.cautions:
        warn(caution)
    areas, differences, test = _areas(asked), _differences(asked), _joint_test(asked)
    notes = tuple(dict.fromkeys((*asked.cautions, *notes_of(areas, differences, test))))
    notes += notes_of_classes(*dict(scores.items()).values())
    return Comparison(
        names=scores.names,
        areas=areas,
        differences=differences,
        test=test,
        may_be_best=tuple(scores.names[i] for i in _may_be_best(asked)),
        reference=reference,
        adjust=chosen,
        design=asked.design,
        confidence_level=level,
        method=method,
        guarantee=asked.row.guarantee,
        notes=notes,
        kind=asked.kind,
        alike=asked.alike,
    )


def check_several(scores: object) -> None:
    """Refuse what is neither models on the same cases nor samples of disjoint ones."""
    if not isinstance(scores, PairedScores | UnpairedScores):
        raise no_pair("scores", scores)


# --- the parts of the result ---------------------------------------------------------------------------


def _areas(asked: ComparisonQuestion) -> Intervals:
    part, names, each = asked.part, asked.scores.names, asked.intervals
    bounds, slope = area_bounds(part, standardize=asked.standardize), asked.slope
    down, up = slope * np.array(asked.rounding).T
    row = AUC_INTERVAL.methods[asked.area_method]
    found = Intervals(
        quantity=area_label(part, standardize=asked.standardize),
        at_name=_called(asked.scores),
        at=np.array(names),
        **{
            end: np.array([getattr(interval, end) for interval in each])
            for end in ("estimate", "lower", "upper")
        },
        confidence_level=asked.level,
        method=row.name,
        guarantee=row.guarantee,
        notes=asked.cautions_of_areas,
        kind=asked.kind,
    )
    return widened(found, down, up, bounds=bounds)


def _called(scores: Pair) -> str:
    """What the rows of a table are: a column that has the name of another one of the table gives way."""
    if isinstance(scores, PairedScores):
        return "model"
    return "group" if scores.by in TAKEN or scores.by.startswith("auc") else scores.by


def _differences(asked: ComparisonQuestion) -> Differences:
    names, rows, most = asked.scores.names, asked.rows, asked.slope * asked.width
    tests = [asked.tested[row].test for row in rows]
    hypothesis = Hypothesis("two-sided", None, asked.level)
    ends = np.array([hypothesis.ends(test.low, test.high, most) for test in tests])
    alone = np.array([min(1.0, test.pvalue) for test in tests])
    adjusted, single = _adjusted(asked, alone)
    found = Differences(
        quantity=area_label(asked.part, standardize=asked.standardize),
        at_name=_called(asked.scores),
        a=np.array([names[i] for i, _ in rows]),
        b=np.array([names[j] for _, j in rows]),
        estimate=np.array([most * (asked.estimates[i].auc - asked.estimates[j].auc) for i, j in rows]),
        lower=ends[:, 0],
        upper=ends[:, 1],
        standard_error=np.array([test.standard_error for test in tests]),
        statistic=np.array([test.statistic for test in tests]),
        pvalue=adjusted,
        pvalue_single_step=single,
        pvalue_unadjusted=alone,
        least_pvalue=max((test.least_pvalue for test in tests), default=0.0),
        design=asked.design,
        confidence_level=asked.level,
        method=asked.method,
        guarantee=asked.row.guarantee,
        notes=(*asked.remarks, *asked.cautions_of_differences),
        kind=asked.kind,
    )
    down, up = (
        asked.slope * np.array([difference_errors(asked.rounding[i], asked.rounding[j]) for i, j in rows]).T
    )
    return widened(found, down, up, bounds=(-most, most))


def _adjusted(asked: ComparisonQuestion, alone: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Adjusted p-values of the requested differences, and those adjusted in one step."""
    if asked.adjust == "none" or not asked.shown:
        return alone, alone
    p = np.minimum(1.0, [asked.test_of(*pair).pvalue for pair in asked.shown])
    if asked.adjust == "max_t":
        single = single_step(asked.law_shown, p)
        found = (
            step_down(asked.law_shown, p)
            if asked.reference is not None
            else closed_pairs(asked.law, p, len(asked.chosen))
        )
    else:
        single = np.minimum(1.0, len(p) * p)
        found = holm(p) if asked.adjust == "holm" else single
    # A model that agrees with another one has its p-values; between the two nothing is tested.
    place = {pair: n for n, pair in enumerate(asked.shown)}
    ends = np.sort(asked.standing_for[np.array(asked.rows)], axis=1).tolist()
    at = np.array([place.get((a, b), -1) for a, b in ends])
    return np.where(at < 0, alone, found[at]), np.where(at < 0, alone, single[at])


def _joint_test(asked: ComparisonQuestion) -> JointTest:
    areas = asked.areas[asked.chosen]
    if asked.design == "unpaired" and asked.method == "score_delong":
        test = wald_test(areas, asked.apart_if_equal)
    else:
        test = wald_test(areas, asked.apart, () if asked.method == "delong" else asked.shares)
    notes: tuple[str, ...] = ()
    if len(asked.chosen) == 2 and asked.method != "delong":
        alone = asked.test_of(0, 1)
        test = WaldTest(alone.statistic**2, 1, math.inf, min(1.0, alone.pvalue))
    elif not all(asked.apart[i, j] > 0.0 or areas[i] == areas[j] for i, j in asked.pairs):
        each = [min(1.0, asked.test_of(*pair).pvalue) for pair in asked.pairs]
        test = WaldTest(math.nan, test.df, math.inf, float(single_step(asked.law, each).min()))
        notes = (NO_JOINT_COVARIANCE,)
    elif asked.method == "permutation":
        notes = (JOINT_WALD,)
    return JointTest(
        quantity=area_label(asked.part, standardize=asked.standardize),
        **test._asdict(),
        design=asked.design,
        method=asked.method,
        guarantee=asked.row.guarantee,
        notes=notes,
    )


def _may_be_best(asked: ComparisonQuestion) -> list[int]:
    """The models of which none is better by Hsu's one-sided tests at the level."""
    places = {pair: n for n, pair in enumerate(asked.pairs)}
    alpha, d = 1.0 - asked.level, len(asked.chosen)
    areas = asked.areas[asked.chosen]
    best = []
    for i in range(d):
        better = [j for j in range(d) if areas[j] > areas[i]]
        # Hsu's test needs the most significant only; a model with the largest area may always be best.
        least = min((asked.test_of(i, j).pvalue for j in better), default=1.0)
        if asked.adjust == "max_t" and better:
            which = [places[min(i, j), max(i, j)] for j in range(d) if j != i]
            signs = [1 if j > i else -1 for j in range(d) if j != i]
            pvalue = asked.law.upper_tail(float(asked.law.quantile_alone(least)), which, signs)
        else:
            pvalue = 0.5 * least * (d - 1 if asked.adjust in ("holm", "bonferroni") else 1)
        best.append(not better or pvalue > alpha)
    return [i for i, place in enumerate(asked.standing_for) if best[place]]
