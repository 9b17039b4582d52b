"""The difference of two areas: interval, and tests of difference, equivalence and non-inferiority."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import ArgumentError, check_settings, check_size, warn
from confroc._types import RNG, Ends, FloatArray, Size
from confroc.auc.asymptotic import (
    areas_correlation,
    newcombe_ends,
    ranked_alike_reach,
    score_delong_ends,
)
from confroc.auc.bootstrap import (
    exact_bootstrap_covariance,
    exact_bootstrap_variance,
    joint_replicates,
    replicates,
)
from confroc.auc.interval import area_errors, slope_of
from confroc.auc.permutation import PermutationTest, division_test, swap_test
from confroc.auc.testing import (
    FARTHEST,
    Alternative,
    AucDifference,
    Hypothesis,
    TestedDifference,
    by_standard_error,
    check_hypothesis,
    square_and_add,
)
from confroc.curve import CurvePart, check_part
from confroc.influence import (
    AreaEstimate,
    Moments,
    difference_of_placements,
    estimate_area,
    pooled_df,
    shared_covariances,
)
from confroc.methods.auc import AUC_DIFFERENCE
from confroc.resample import check_resamples, percentile_ends, spawn
from confroc.results import Guarantee
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_errors,
    difference_label,
    notes_of_classes,
    widened,
)

DesignName: TypeAlias = Literal["paired", "partially_paired", "unpaired"]
UNRELIABLE_DF = 10.0
UNRELIABLE_SHARE = 0.4
"""Degrees of freedom of the difference's variance, in number and as a share of what the cases allow, below
both of which intervals built on it alone under-cover: one class is small, or most cases are ranked
identically."""
NEGLIGIBLE = 1e-14
"""Share of two variances that rounding leaves of their difference where two models agree on every case."""

PERMUTED = "The p-value is from the permutation test; the interval is not, and may disagree with it."
PARTLY_PAIRED = "Only some cases have scores of both models."
NO_SPREAD = "The variance of the difference is zero or undefined; Newcombe's interval is reported instead."
IDENTICAL_RANKING = (
    "Both models rank every pair of cases identically; the interval allows for pairs that they rank "
    "differently in the population."
)
UNCORRELATED = "The variance of the difference is zero or undefined; the areas are treated as uncorrelated."
UNDER_COVERS = "This method under-covers in small samples and near AUC 1. Use method='score_delong'."


@accepts_two_models
def auc_difference(
    pair: Pair,
    *,
    method: str = "score_delong",
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    only_a: Scores | None = None,
    only_b: Scores | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    size: Size = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> AucDifference:
    """Difference of two areas, a − b: interval and test.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    method : {"score_delong", "delong", "bootstrap", "exact_bootstrap", "permutation", "newcombe"}
        score_delong : the two areas' intervals of this name (see `auc_interval`), their arms squared and
            added with DeLong's correlation of the areas (after Zou & Donner 2008), so that arms are uneven
            near 1. Attains its level from ten cases a class on, with either class the larger; never of zero
            width. The statistic is the normal quantile at which the interval reaches the null value.
        delong : DeLong, DeLong & Clarke-Pearson (1988). Paired: normal reference, with the covariance of the
            two areas. Unpaired: the variances add, and Student's t with Welch-Satterthwaite degrees of
            freedom is the reference, as in pROC. Under-covers where few cases shape the difference.
        bootstrap : percentile interval; p-value from the difference over its bootstrap standard
            deviation and the normal distribution. Stratified; whole cases are drawn, with both their scores.
        exact_bootstrap : normal interval and test with the variance of infinitely many resamples, in
            closed form, O(n log n). With `only_a` or `only_b` the cases with both scores and those with one
            are resampled each by themselves.
        permutation : the p-value from exchanging cases; `standard_error` is that under the null hypothesis.
            The interval is DeLong's, since exchanging tests no difference but zero.

            Paired (after Bandos, Rockette & Gur 2005): each case's two scores, as ranks within their models,
            are swapped or not in all 2ⁿ ways; exact for small samples (a few hundred cases) and normal for
            larger ones, with a note.

            Unpaired: the cases of each class are divided anew between the two test sets `n_resamples` times,
            and the difference over its DeLong standard error is compared. Exact if both sets come from one
            population scored on one scale (one model in two groups); asymptotically valid for equal areas
            of any two (Chung & Romano 2013). Invariant under a transform of both models' scores together.

            Not with `only_a` or `only_b`: paired cases swap ranks, but a case with one score could only
            change models with that score, which tests nothing unless both models share one scale.
        newcombe : the two Newcombe intervals, their arms squared and added (Newcombe 1998), as for
            independent samples: cautious for a pair that agrees. Needs no spread in the data, so the methods
            by one standard error fall back on it.
    max_fpr, min_tpr : float, optional
        Difference of the areas for false positive rates from 0 to `max_fpr`, or to the right of the curves
        for true positive rates from `min_tpr` to 1; each model's threshold there is estimated, and the
        variance includes that. Methods "score_delong", "delong" (the covariance of the partial placements),
        "bootstrap" and "newcombe". Where a part holds some ten cases of a class, "score_delong" covers 0.92
        to 0.97 and "delong" 0.80 to 0.95.
    standardize : bool
        Put both partial areas on McClish's (1989) scale first; a margin is then on that scale too.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What the p-value is evidence for: a − b ≠ 0, < 0, > 0, > −margin ("a is not worse by the margin"), or
        |a − b| < margin (two one-sided tests, Schuirmann 1987).
    margin : float, optional
        In (0, 1); for the last two alternatives only.
    only_a, only_b : Scores, optional
        Further cases that only one of the models has scored (a partially paired design). Not with
        "permutation". Which cases have both scores must not depend on the scores.
    confidence_level : float
        In (0, 1).
    n_resamples, size, rng, n_jobs
        For "bootstrap": resamples (default: 2,000), (m_pos, m_neg) of each (default: the sample's own; also
        for "exact_bootstrap"), generator or seed, threads (the result does not depend on them). The unpaired
        "permutation" accepts `n_resamples` and `rng` too.

    Returns
    -------
    AucDifference
        Bounds are cut to [−1, 1], for a partial area to what its width allows; one-sided alternatives have a
        one-sided interval, as in SciPy. Tied pairs count one half. Rounded scores widen the interval by the
        most that rounding can have changed both areas; the p-value is that of the rounded scores. Guarantee:
        asymptotic, bootstrap, or for the exact permutation tests finite-sample (of the p-value, under
        exchangeability).

    Raises
    ------
    ValueError
        For an unknown method or alternative, a margin missing or out of place, or a method that the design
        does not have.

    Warns
    -----
    ConfrocWarning
        When the variance of the difference is zero or undefined, e.g. when both models separate the
        classes perfectly: "score_delong" then treats the areas as uncorrelated, the others use "newcombe"
        instead, which the result's `method` and `notes` report. Where both models rank all cases identically,
        as a model and a monotone transform of it do, "score_delong" gives no more than
        ±(1 − (1 − confidence_level)^(1/m)), m = min(n₊, n₋): if they ranked a greater share of all pairs
        differently, m pairs that share no case would seldom all be ranked identically. Also when so few cases
        shape the difference that the variance used by the other methods is very imprecise.

    See Also
    --------
    auc_interval : One area.
    auc_equality_test : Test of equal areas by resampling from the nearest population where they are.
    auc_power, auc_sample_size : Plan a comparison.
    confroc.methods : The methods' guarantees, and the papers behind them.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Bandos AI, Rockette HE, Gur D (2005). Statistics in Medicine 24, 2873–2893.
    Chung E, Romano JP (2013). The Annals of Statistics 41, 484–507.
    Newcombe RG (1998). Statistics in Medicine 17, 873–890.
    Zou GY, Donner A (2008). Statistics in Medicine 27, 1693–1702.
    Schuirmann DJ (1987). Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.

    Examples
    --------
    >>> from confroc import PairedScores, auc_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> print(auc_difference(pair))
    auc_a - auc_b +0.1875 (95 % interval -0.0697 to +0.4312, p = 0.1623; score_delong, paired)
    >>> round(auc_difference(pair, method="permutation").pvalue, 6)
    0.171875
    >>> print(auc_difference(pair, max_fpr=0.5))
    auc_a - auc_b [max_fpr=0.5] +0.1875 (95 % interval +0.0375 to +0.3037, p = 0.006374; score_delong, paired)
    """
    check_pair("pair", pair, widens=True)
    given = {"only_a": only_a, "only_b": only_b, "margin": margin, "size": size}
    AUC_DIFFERENCE.check(method, max_fpr=max_fpr, min_tpr=min_tpr, n_resamples=n_resamples, **given)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    check_settings(rng, n_jobs)
    part = check_part(max_fpr, min_tpr, standardize=standardize)
    a, b = _all_cases(pair, only_a, only_b)
    if size is not None:
        if not isinstance(pair, PairedScores) or (a, b) != (pair.a, pair.b):
            raise ArgumentError("size", "be left out unless all cases are paired", size, "Leave it out.")
        size = check_size(size, pair.n_pos, pair.n_neg)
    asked = DifferenceQuestion(
        pair=pair,
        a=a,
        b=b,
        only=(only_a, only_b),
        part=part,
        areas=(estimate_area(a, part), estimate_area(b, part)),
        slope=slope_of(part, standardize=standardize),
        hypothesis=hypothesis,
        n_resamples=n_resamples,
        size=size,
        rng=rng,
        n_jobs=n_jobs,
    )
    found = decided(asked, method)
    notes: tuple[str, ...] = ()
    if asked.design == "partially_paired" and isinstance(pair, PairedScores):
        notes = (PARTLY_PAIRED,)
    if found.caution:
        warn(found.caution)
    if method == "permutation":
        notes += (PERMUTED,)
    notes += tuple(filter(None, [found.caution])) + notes_of_classes(*dict(pair.items()).values())
    test = found.test
    lower, upper = hypothesis.ends(test.low, test.high, asked.unit)
    label = "" if part is None else f" [{part.label}{', standardized' if standardize else ''}]"
    result = AucDifference(
        quantity=difference_label("auc", pair, label),
        estimate=asked.difference,
        lower=lower,
        upper=upper,
        standard_error=test.standard_error,
        statistic=test.statistic,
        pvalue=min(1.0, test.pvalue),
        least_pvalue=test.least_pvalue,
        design=asked.design,
        confidence_level=hypothesis.level,
        method=found.method,
        guarantee=found.guarantee,
        notes=notes,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
    )
    down, up = difference_errors(area_errors(a, part), area_errors(b, part))
    return widened(result, asked.slope * down, asked.slope * up, bounds=(-asked.unit, asked.unit))


class Decided(NamedTuple):
    """Interval and test, their method and guarantee, and a warning or an empty string."""

    test: TestedDifference
    method: str
    guarantee: Guarantee
    caution: str


def decided(asked: DifferenceQuestion, method: str, values: FloatArray | None = None) -> Decided:
    """Return interval and test by a method, or by "newcombe" where it needs a standard error and has none.

    `values` are resampled differences, not standardized, where there are some already.
    """
    row = AUC_DIFFERENCE.methods[method]
    found = _DO[method](asked) if values is None else by_replicates(asked, values)
    caution = ""
    if found is None:
        found, row = _newcombe(asked), AUC_DIFFERENCE.methods["newcombe"]
        caution = NO_SPREAD
    elif method == "score_delong":
        if asked.ranked_alike:
            caution = IDENTICAL_RANKING
        elif math.isnan(asked.correlation):
            caution = UNCORRELATED
    elif method != "newcombe" and asked.delong[2] < min(UNRELIABLE_DF, UNRELIABLE_SHARE * _most_df(asked)):
        caution = UNDER_COVERS
    if method != "permutation":
        return Decided(found, row.name, row.guarantee, caution)
    tested = _exchanged(asked)
    found = found._replace(
        standard_error=tested.standard_error,
        statistic=tested.statistic,
        pvalue=tested.pvalue,
        least_pvalue=tested.least_pvalue,
    )
    return Decided(found, method, tested.guarantee, caution)


@dataclass(frozen=True, kw_only=True, eq=False)
class DifferenceQuestion:
    """What every method receives: the checked arguments of `auc_difference`, and both areas.

    `a` and `b` are all cases of each model, `only` those that the other one has not scored; `models` are
    their places in `pair`, which may hold more. `moments` are those of the differences of their placements,
    where they are known already, and `tests` is the number of such comparisons.
    """

    pair: Pair
    models: tuple[int, int] = (0, 1)
    a: Scores
    b: Scores
    only: tuple[Scores | None, Scores | None] = (None, None)
    part: CurvePart | None
    areas: tuple[AreaEstimate, AreaEstimate]
    slope: float
    hypothesis: Hypothesis
    moments: tuple[Moments, Moments] | None = None
    tests: int = 1
    n_resamples: int | None = None
    size: Size = None
    rng: RNG = None
    n_jobs: int = 1

    @property
    def design(self) -> DesignName:
        """What the result calls the test sets."""
        if not isinstance(self.pair, PairedScores):
            return "unpaired"
        return "paired" if self.only == (None, None) else "partially_paired"

    @property
    def unit(self) -> float:
        """The greatest difference there can be."""
        return self.slope * (1.0 if self.part is None else self.part.width)

    @property
    def difference(self) -> float:
        """The difference of the areas, in the result's units."""
        return self.unit * (self.areas[0].auc - self.areas[1].auc)

    @cached_property
    def delong(self) -> tuple[float, float, float]:
        """DeLong's variance of the difference, not standardized, and two degrees of freedom.

        The variance is NaN or 0 when undefined or nothing varies. Degrees of freedom are those of the
        reference distribution, and those of the variance estimate itself.
        """
        pair, part = self.pair, self.part
        if isinstance(pair, PairedScores) and self.design == "paired":
            moments = self.moments or difference_of_placements(pair, part, self.models)
            variance = moments[0].variance + moments[1].variance
            return variance, math.inf, pooled_df(*moments) if variance > 0.0 else 0.0
        scale = 1.0 if part is None else part.width**2
        parts = np.array([scale * e.variance for e in self.areas])
        variance = float(parts.sum())
        known_df = pooled_df(*self.areas[0].moments, *self.areas[1].moments)
        if isinstance(pair, PairedScores):
            variance -= 2.0 * sum(shared_covariances(pair, self.a, self.b, part))
            return (variance if variance > NEGLIGIBLE * parts.sum() else 0.0), math.inf, known_df
        n = np.array([s.n_pos + s.n_neg for s in (self.a, self.b)])
        df = float(variance**2 / np.sum(parts**2 / (n - 1))) if variance > 0.0 else math.inf
        return variance, df, known_df

    @cached_property
    def ranked_alike(self) -> bool:
        """Whether both models order every pair of a positive and a negative identically, ties included.

        They do where no case's placement differs: of cases of one class in the order of their placements, a
        case's placement determines how many of the other class are below it, and so which.
        """
        if self.part is not None or self.design != "paired":
            return False
        # A single case has no variance, and with equal areas no difference either.
        return not self.delong[0] > 0.0 and self.areas[0].auc == self.areas[1].auc

    @cached_property
    def each(self) -> FloatArray:
        """Both areas, their variances and degrees of freedom, and their positives and negatives."""
        rows = [(e.auc, e.variance if e.df > 0.0 else 0.0, e.df, e.n_pos, e.n_neg) for e in self.areas]
        return np.array(rows).T

    @cached_property
    def correlation(self) -> float:
        """DeLong's correlation of the two areas; NaN if nothing is known of it."""
        if not isinstance(self.pair, PairedScores):
            return 0.0
        width = 1.0 if self.part is None else self.part.width
        a, b = self.areas
        return float(areas_correlation(a.variance, b.variance, self.delong[0] / width**2))


def _all_cases(pair: Pair, only_a: Scores | None, only_b: Scores | None) -> tuple[Scores, Scores]:
    """All cases that each model has scored."""
    if not isinstance(pair, PairedScores):
        for name, value in (("only_a", only_a), ("only_b", only_b)):
            if value is not None:
                raise ArgumentError(
                    name, "come with a PairedScores", "UnpairedScores", "Merge it into the pair."
                )
        return pair.a, pair.b
    a, b = (
        own if other is None else own.merge(check_scores(name, other, widens=True))
        for name, own, other in (("only_a", pair.a, only_a), ("only_b", pair.b, only_b))
    )
    return a, b


def _most_df(asked: DifferenceQuestion) -> int:
    """Degrees of freedom if every case varied equally."""
    models = (asked.a,) if asked.design == "paired" else (asked.a, asked.b)
    return sum(s.n_pos + s.n_neg - 2 for s in models)


# --- the methods: interval and test, or None where nothing varies --------------------------------------


def _by_variance(asked: DifferenceQuestion, variance: float, df: float = math.inf) -> TestedDifference | None:
    se = math.sqrt(asked.slope**2 * variance) if variance > 0.0 else math.nan
    return by_standard_error(asked.difference, se, df, asked.hypothesis)


def _delong(asked: DifferenceQuestion) -> TestedDifference | None:
    variance, df, _ = asked.delong
    return _by_variance(asked, variance, df)


def _bootstrap(asked: DifferenceQuestion) -> TestedDifference | None:
    n = check_resamples(asked.n_resamples, asked.hypothesis.central_level)
    return by_replicates(asked, _replicates(asked, n))


def by_replicates(asked: DifferenceQuestion, values: FloatArray) -> TestedDifference | None:
    """Return percentiles of resampled differences, not standardized, and the normal test by their spread."""
    level = asked.hypothesis.central_level
    values = asked.slope * values
    if len(values) < 2:
        return None
    se = float(np.std(values, ddof=1))
    low, high = percentile_ends(values, level)
    ends = float(low), float(high)
    if ends[1] - ends[0] > 1e-12:
        # At low levels the percentiles of a skewed distribution may leave the estimate out.
        ends = min(ends[0], asked.difference), max(ends[1], asked.difference)
    return by_standard_error(asked.difference, se, math.inf, asked.hypothesis, ends)


def _replicates(asked: DifferenceQuestion, n: int) -> FloatArray:
    pair, part, models, n_jobs = asked.pair, asked.part, (asked.a, asked.b), asked.n_jobs
    if isinstance(pair, PairedScores):
        values = joint_replicates(pair, part, n, asked.rng, asked.size, n_jobs, full=models, only=asked.only)
        return values[:, 0] - values[:, 1]
    a, b = (
        replicates(s, part, n, stream, (s.n_pos, s.n_neg), n_jobs)
        for s, stream in zip(models, spawn(asked.rng, 2), strict=True)
    )
    return a - b


def _exact_bootstrap(asked: DifferenceQuestion) -> TestedDifference | None:
    pair, models = asked.pair, (asked.a, asked.b)
    parts = [
        exact_bootstrap_variance(full, asked.size, () if extra is None else (own, extra))
        for full, own, extra in zip(models, (pair.a, pair.b), asked.only, strict=True)
    ]
    shared = exact_bootstrap_covariance(pair, models, asked.size) if isinstance(pair, PairedScores) else 0.0
    variance = sum(parts) - 2.0 * shared
    return _by_variance(asked, variance if variance > NEGLIGIBLE * sum(parts) else 0.0)


def _newcombe(asked: DifferenceQuestion) -> TestedDifference:
    auc, _, _, n_pos, n_neg = asked.each

    def ends_at(z: float) -> Ends:
        return newcombe_ends(auc, n_pos, n_neg, z)

    return square_and_add(asked.areas, asked.unit, asked.hypothesis, ends_at)


def _score_delong(asked: DifferenceQuestion) -> TestedDifference:
    auc, variance, df, n_pos, n_neg = asked.each

    def ends_at(z: float) -> Ends:
        return score_delong_ends(auc, variance, df, n_pos, n_neg, float(special.ndtr(-z)))

    correlation = 0.0 if math.isnan(asked.correlation) else asked.correlation
    found = square_and_add(asked.areas, asked.unit, asked.hypothesis, ends_at, correlation)
    return _where_ranked_alike(asked, found) if asked.ranked_alike else found


def _where_ranked_alike(asked: DifferenceQuestion, found: TestedDifference) -> TestedDifference:
    """No wider than pairs that other cases may order differently allow (`ranked_alike_reach`)."""
    size, unit = (asked.a.n_pos, asked.a.n_neg), asked.unit

    def reach(level: float) -> float:
        return unit * float(ranked_alike_reach(1.0 - level, *size))

    def statistic(null: float) -> float:
        alike = math.exp(min(size) * math.log1p(-min(1.0 - 1e-16, abs(null) / unit)))
        return math.copysign(min(FARTHEST, max(0.0, -float(special.ndtri(alike)))), -null)

    most = reach(asked.hypothesis.level)
    bound, pvalue = asked.hypothesis.test(statistic)
    if pvalue < found.pvalue:
        found = found._replace(statistic=bound, pvalue=pvalue)
    # One standard error to either side.
    error = min(found.standard_error, reach(math.erf(math.sqrt(0.5))))
    return found._replace(low=max(found.low, -most), high=min(found.high, most), standard_error=error)


def _exchanged(asked: DifferenceQuestion) -> PermutationTest:
    """The p-value of method "permutation", whose interval is DeLong's."""
    pair = asked.pair if len(asked.pair.names) == 2 and asked.models == (0, 1) else asked.pair[asked.models]
    alternative = asked.hypothesis.alternative
    if isinstance(pair, PairedScores):
        if asked.n_resamples is not None:
            rule = "be left out where the same cases have both scores, with method 'permutation'"
            raise ArgumentError(
                "n_resamples", rule, asked.n_resamples, "All swaps are counted: leave it out."
            )
        return swap_test(pair, alternative, asked.tests)
    count = check_resamples(asked.n_resamples, asked.hypothesis.level)
    return division_test(pair, alternative, count, asked.rng)


_DO = AUC_DIFFERENCE.table(
    {
        "score_delong": _score_delong,
        "delong": _delong,
        "bootstrap": _bootstrap,
        "exact_bootstrap": _exact_bootstrap,
        "permutation": _delong,
        "newcombe": _newcombe,
    }
)
