"""Many models, or many groups, at once: areas, differences, one joint test, and who may be best."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from confroc._check import ArgumentTypeError, check_choice, check_level, check_settings, warn
from confroc._types import RNG, Ends, FloatArray, IntArray
from confroc.auc.bootstrap import joint_replicates, replicates
from confroc.auc.contrasts import (
    area_vectors,
    chi_squared,
    chi_squared_pvalue,
    difference_vectors,
    distinct_models,
)
from confroc.auc.difference import DifferenceQuestion, decided
from confroc.auc.interval import (
    NOISE,
    AreaQuestion,
    Noise,
    area_bounds,
    area_errors,
    area_interval,
    area_label,
    by_replicates,
    interval_of,
    slope_of,
)
from confroc.auc.testing import Hypothesis, TestedDifference
from confroc.curve import CurvePart, check_part
from confroc.distributions import (
    MaxT,
    ResampledMaxT,
    closed_pairs,
    holm,
    joint_level,
    single_step,
    step_down,
)
from confroc.influence import AreaEstimate, Moments, difference_of_placements, estimate_area
from confroc.methods import Method
from confroc.methods.auc import AUC_COMPARISON
from confroc.resample import N_RESAMPLES, check_resamples, least_resamples, percentile_ends, spawn
from confroc.results import (
    Adjustment,
    Comparison,
    Differences,
    Interval,
    Intervals,
    JointTest,
    Kind,
    notes_of,
)
from confroc.scores import Pair, PairedScores, Scores, UnpairedScores, difference_errors, widened

ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)


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
    scores : PairedScores or UnpairedScores
        Two or more models on the same cases, or two or more samples of disjoint cases.
    method : {"score_delong", "delong", "bootstrap"}
        How each area's interval and each difference's interval and test are made, as in `auc_interval` and
        `auc_difference`.

        score_delong : score intervals with DeLong's correlation of the areas. The joint test is Wald's
            chi-squared with DeLong's covariance, for two models the test of their difference.
        delong : DeLong, DeLong & Clarke-Pearson (1988): normal intervals, tests and chi-squared with the
            covariance of all areas.
        bootstrap : percentiles of stratified resamples of whole cases, with all their scores, at the level
            that the largest of the resampled errors asks for; each group is resampled by itself.
    adjust : {"max_t", "holm", "bonferroni", "none"}
        How intervals, tests and the set of models that may be best allow for the number of models.

        max_t : by the law of the largest of all differences over their standard errors, normal with the
            correlations that the differences have ("bootstrap": resampled). P-values are those of the closed
            test of all pairs, which makes use of what equalities imply (if a = b and b = c then a = c); for
            more than 10 models, and against a `reference`, those of stepping down.
        holm : Holm's (1979) p-values, Bonferroni's intervals.
        bonferroni : p-values times their number, intervals at 1 − α over it.
        none : each interval and each test by itself.
    reference : str, optional
        Name of the model that all others are compared with (after Dunnett 1955); by default all pairs are
        compared.
    max_fpr, min_tpr, standardize
        For partial areas, as in `auc_difference`.
    confidence_level : float
        In (0, 1); of all intervals of areas together, of all intervals of differences together, and of the
        set of models that may be best.
    n_resamples : int, optional
        For "bootstrap". Default: 2,000, or as many as the simultaneous level needs.
    rng, n_jobs
        For "bootstrap": generator or seed, threads (the result does not depend on them).

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
        changes nothing but its own rows. Rounded scores widen the intervals as in `auc_difference`.

    Raises
    ------
    ValueError
        For an unknown method, adjustment or reference, and for partial areas or "bootstrap" of models whose
        joint counts were not kept: read them with `resolution=`.

    Warns
    -----
    ConfrocWarning
        As `auc_interval` and `auc_difference`, once for all models and pairs alike.

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
    auc_new - auc_chance +0.3600 (95 % interval -0.1023 to +0.7370, p = 0.1573; score_delong, paired)
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
    areas, differences = _areas(asked), _differences(asked)
    test = _joint_test(asked)
    notes = notes_of(areas, differences, test)
    for note in notes:
        warn(note)
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
    )


def check_several(scores: object) -> None:
    """Refuse what is neither models on the same cases nor samples of disjoint ones."""
    if not isinstance(scores, PairedScores | UnpairedScores):
        raise ArgumentTypeError(
            "scores",
            "be a PairedScores or an UnpairedScores",
            type(scores).__name__,
            "Build one with PairedScores(y_true, score_a, score_b, ...) for models on the same cases, or "
            "with UnpairedScores(north, south, ...) for groups.",
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonQuestion:
    """The arguments of `auc_comparison`, checked, and what its parts share.

    Areas and variances are raw, not standardized. Models that agree count once: `chosen` are those that
    count, in an order of their own, and `pairs` all pairs of places among them.
    """

    scores: Pair
    method: str
    adjust: Adjustment
    reference: int | None
    part: CurvePart | None
    standardize: bool
    level: float
    n_resamples: int | None
    rng: RNG
    n_jobs: int

    @property
    def row(self) -> Method:
        """What the register says of the method."""
        return AUC_COMPARISON.methods[self.method]

    @property
    def kind(self) -> Kind:
        """What the confidence level is of."""
        return "pointwise" if self.adjust == "none" else "simultaneous"

    @property
    def design(self) -> Literal["paired", "unpaired"]:
        """What the results call the samples."""
        return "paired" if isinstance(self.scores, PairedScores) else "unpaired"

    @property
    def models(self) -> tuple[Scores, ...]:
        """Each model or group by itself."""
        return self.scores.models if isinstance(self.scores, PairedScores) else self.scores.samples

    @property
    def width(self) -> float:
        """The greatest that a raw area can be."""
        return 1.0 if self.part is None else self.part.width

    @property
    def slope(self) -> float:
        """What turns raw areas into the result's units."""
        return slope_of(self.part, standardize=self.standardize)

    @cached_property
    def estimates(self) -> list[AreaEstimate]:
        """Areas as shares of the part's width, and what is known of their sampling law."""
        return [estimate_area(model, self.part) for model in self.models]

    @cached_property
    def areas(self) -> FloatArray:
        """The areas."""
        return self.width * np.array([e.auc for e in self.estimates])

    @cached_property
    def moments(self) -> dict[tuple[int, int], tuple[Moments, Moments]]:
        """Of models on the same cases, the spread of the differences of their placements."""
        if not isinstance(self.scores, PairedScores):
            return {}
        pairs = combinations(range(len(self.models)), 2)
        return {pair: difference_of_placements(self.scores, self.part, pair) for pair in pairs}

    @cached_property
    def replicates(self) -> FloatArray:
        """Resampled areas of all models, shape (n, k)."""
        least = self.level if self.adjust == "none" else joint_level(self.level, max(1, len(self.shown)))
        default = max(N_RESAMPLES, least_resamples(least))
        n = check_resamples(self.n_resamples, least, default)
        if isinstance(self.scores, PairedScores):
            return joint_replicates(self.scores, self.part, n, self.rng, None, self.n_jobs)
        streams = spawn(self.rng, len(self.models))
        columns = (
            replicates(model, self.part, n, stream, (model.n_pos, model.n_neg), self.n_jobs)
            for model, stream in zip(self.models, streams, strict=True)
        )
        return np.stack(list(columns), axis=1)

    # --- what counts, and how it moves together --------------------------------------------------------

    @cached_property
    def _counted(self) -> tuple[IntArray, IntArray]:
        k = len(self.models)
        agree = np.eye(k, dtype=bool)
        for (i, j), moments in self.moments.items():
            # A single case differs from nothing.
            same = not any(m.variance > 0.0 for m in moments) and self.areas[i] == self.areas[j]
            agree[i, j] = agree[j, i] = same
        return distinct_models(agree, self.areas, np.nan_to_num([e.variance for e in self.estimates]))

    @property
    def chosen(self) -> IntArray:
        """The models that count."""
        return self._counted[0]

    @property
    def standing_for(self) -> IntArray:
        """For each model, the place among those that count."""
        return self._counted[1]

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of places among the models that count."""
        return list(combinations(range(len(self.chosen)), 2))

    @cached_property
    def rounding(self) -> list[Ends]:
        """How far below and above each raw area the exact one may lie."""
        return [area_errors(model, self.part) for model in self.models]

    @cached_property
    def variances(self) -> FloatArray:
        """Variances of the areas; those of the method's intervals where DeLong's say nothing."""
        own = np.array([self.width**2 * e.variance for e in self.estimates])
        for i in np.flatnonzero(~(own > 0.0)):
            own[i] = (self.interval(int(i), self.level).standard_error / self.slope) ** 2
        return own

    @cached_property
    def apart(self) -> FloatArray:
        """Variances of the differences of the areas that count."""
        found = np.add.outer(self.variances, self.variances)
        if self.method == "bootstrap":
            found = np.var(self.replicates[:, :, None] - self.replicates[:, None, :], axis=0, ddof=1)
        else:
            for (i, j), (of_pos, of_neg) in self.moments.items():
                known = of_pos.variance + of_neg.variance
                if not math.isnan(known):
                    found[i, j] = found[j, i] = known
        np.fill_diagonal(found, 0.0)
        return np.asarray(found[np.ix_(self.chosen, self.chosen)])

    @cached_property
    def rows(self) -> list[tuple[int, int]]:
        """The places of both models of each difference."""
        if self.reference is None:
            return list(combinations(range(len(self.models)), 2))
        return [(i, self.reference) for i in range(len(self.models)) if i != self.reference]

    @cached_property
    def shown(self) -> list[tuple[int, int]]:
        """The pairs of models that count whose differences are asked for."""
        if self.reference is None:
            return self.pairs
        return [pair for pair in self.pairs if self.standing_for[self.reference] in pair]

    @cached_property
    def law(self) -> MaxT:
        """Of the largest of all differences, each over its standard error."""
        return self._law(self.pairs)

    @cached_property
    def law_shown(self) -> MaxT:
        """The same of those that are asked for."""
        return self.law if self.reference is None else self._law(self.shown)

    def _law(self, pairs: Sequence[tuple[int, int]]) -> MaxT:
        if self.method != "bootstrap":
            return MaxT(difference_vectors(self.apart, pairs))
        values = self.replicates[:, self.chosen]
        return ResampledMaxT(np.stack([values[:, j] - values[:, i] for i, j in pairs], axis=1))

    @cached_property
    def level_of_differences(self) -> float:
        """The level at which each interval of a difference is made."""
        if self.adjust == "none" or not self.shown:
            return self.level
        return (
            self.law_shown.pointwise_level(self.level)
            if self.adjust == "max_t"
            else joint_level(self.level, len(self.shown))
        )

    @cached_property
    def level_of_areas(self) -> float:
        """The level at which each interval of an area is made."""
        d = len(self.chosen)
        if self.adjust == "none" or d == 1:
            return self.level
        if self.adjust != "max_t":
            return joint_level(self.level, d)
        if self.method == "bootstrap":
            return ResampledMaxT(self.replicates[:, self.chosen]).pointwise_level(self.level)
        if self.design == "unpaired":
            return float(self.level ** (1.0 / d))
        return MaxT(area_vectors(self.variances[self.chosen], self.apart)).pointwise_level(self.level)

    # --- one area, one difference ----------------------------------------------------------------------

    def interval(self, i: int, level: float) -> Interval:
        """One area's interval, not widened for rounded scores."""
        model = self.models[i]
        size = model.n_pos, model.n_neg
        asked = AreaQuestion(
            model, self.part, self.estimates[i], level, None, None, size, None, 1, Noise(**NOISE)
        )
        if self.method != "bootstrap":
            return interval_of(asked, self.method, standardize=self.standardize)
        answer = by_replicates(asked, self.replicates[:, i], lambda values: percentile_ends(values, level))
        return area_interval(asked, "bootstrap", answer, standardize=self.standardize)

    def difference(self, i: int, j: int, level: float) -> tuple[TestedDifference, Method, str]:
        """One difference's interval and test as in `auc_difference`, by which method, and what to mind."""
        asked = DifferenceQuestion(
            pair=self.scores,
            models=(i, j),
            a=self.models[i],
            b=self.models[j],
            part=self.part,
            areas=(self.estimates[i], self.estimates[j]),
            slope=self.slope,
            hypothesis=Hypothesis("two-sided", None, level),
            moments=self.moments.get((i, j)) or self.moments.get((j, i)),
        )
        if self.method != "bootstrap":
            return decided(asked, self.method)
        return decided(asked, "bootstrap", self.replicates[:, i] - self.replicates[:, j])

    @cached_property
    def tested(self) -> dict[tuple[int, int], tuple[TestedDifference, Method, str]]:
        """All differences that are asked for, and those of all models that count."""
        level = self.level_of_differences
        found = {row: self.difference(*row, level) for row in self.rows}
        for a, b in self.pairs:
            i, j = sorted((int(self.chosen[a]), int(self.chosen[b])))
            if (i, j) not in found and (j, i) not in found:
                found[i, j] = self.difference(i, j, level)
        return found

    def test_of(self, a: int, b: int) -> TestedDifference:
        """The test of two of the models that count, whichever is subtracted."""
        i, j = int(self.chosen[a]), int(self.chosen[b])
        return (self.tested.get((i, j)) or self.tested[j, i])[0]


# --- the parts of the result ---------------------------------------------------------------------------


def _areas(asked: ComparisonQuestion) -> Intervals:
    level, part, names = asked.level_of_areas, asked.part, asked.scores.names
    each = [asked.interval(i, level) for i in range(len(names))]
    bounds, slope = area_bounds(part, standardize=asked.standardize), asked.slope
    down, up = slope * np.array(asked.rounding).T
    found = Intervals(
        quantity=area_label(part, standardize=asked.standardize),
        at_name="model" if asked.design == "paired" else "group",
        at=np.array(names),
        **{
            end: np.array([getattr(interval, end) for interval in each])
            for end in ("estimate", "lower", "upper")
        },
        confidence_level=asked.level,
        method=asked.method,
        guarantee=asked.row.guarantee,
        notes=_gathered((name, note) for name, own in zip(names, each, strict=True) for note in own.notes),
        kind=asked.kind,
    )
    return widened(found, down, up, bounds=bounds)


def _differences(asked: ComparisonQuestion) -> Differences:
    names, rows, most = asked.scores.names, asked.rows, asked.slope * asked.width
    tests = [asked.tested[row][0] for row in rows]
    hypothesis = Hypothesis("two-sided", None, asked.level)
    ends = np.array([hypothesis.ends(test.low, test.high, most) for test in tests])
    alone = np.array([min(1.0, test.pvalue) for test in tests])
    adjusted, single = _adjusted(asked, alone)
    labels = [f"{names[i]} - {names[j]}" for i, j in rows]
    found = Differences(
        quantity=area_label(asked.part, standardize=asked.standardize),
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
        design=asked.design,
        confidence_level=asked.level,
        method=asked.method,
        guarantee=asked.row.guarantee,
        notes=_gathered((label, asked.tested[row][2]) for label, row in zip(labels, rows, strict=True)),
        kind=asked.kind,
    )
    down, up = (
        asked.slope * np.array([difference_errors(asked.rounding[i], asked.rounding[j]) for i, j in rows]).T
    )
    return widened(found, down, up, bounds=(-most, most))


def _adjusted(asked: ComparisonQuestion, alone: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Adjusted p-values of the differences asked for, and those adjusted in one step."""
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
    statistic, df = chi_squared(asked.areas[asked.chosen], asked.apart)
    pvalue = chi_squared_pvalue(statistic, df)
    notes: tuple[str, ...] = ()
    if len(asked.chosen) == 2 and asked.method != "delong":
        test = asked.test_of(0, 1)
        statistic, df, pvalue = test.statistic**2, 1, min(1.0, test.pvalue)
    elif not all(asked.apart[pair] > 0.0 for pair in asked.pairs):
        alone = [asked.test_of(*pair).pvalue for pair in asked.pairs]
        pvalue = float(single_step(asked.law, alone).min())
        notes = (
            "the variance of a difference is zero, so the p-value of the joint test is that of the most "
            "significant difference, adjusted.",
        )
    return JointTest(
        quantity=area_label(asked.part, standardize=asked.standardize),
        statistic=statistic,
        df=df,
        pvalue=pvalue,
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


def _gathered(cautions: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """One note for all that are alike but for their numbers, with the first one's name and how many."""
    alike: dict[str, list[tuple[str, str]]] = {}
    for name, caution in cautions:
        if caution:
            alike.setdefault(re.sub(r"[0-9.]+", "", caution), []).append((name, caution))
    return tuple(
        f"{found[0][0]}{f' and {len(found) - 1} more' if len(found) > 1 else ''}: {found[0][1]}"
        for found in alike.values()
    )
