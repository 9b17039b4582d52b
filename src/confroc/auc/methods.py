"""Methods for the AUC and for the difference between two AUCs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import special

from confroc._check import check_omitted, check_rate, warned
from confroc._types import Ends, FloatArray, IntArray
from confroc.auc import asymptotic
from confroc.auc.asymptotic import (
    identical_rankings_bound,
    newcombe_ends,
    score_delong_ends,
    score_delong_variance,
)
from confroc.auc.pairs import AreaPair
from confroc.base import Contrast, Method, Outcome, method_class
from confroc.distributions import normal_quantile
from confroc.hypotheses import FARTHEST, by_standard_error, square_and_add
from confroc.influence import AreaEstimate, Spread
from confroc.scores import Pair, PairedScores
from confroc.scores.counting import one_by_one
from confroc.statistics.area import Auc

FEW_DF = 20.0
"""Degrees of freedom of DeLong's variance below which intervals based on it alone under-cover."""

FEW_DF_OF_DIFFERENCE = 10.0
FEW_DF_SHARE = 0.4
"""Degrees of freedom of the variance of a difference, absolute and as a proportion of the maximum, below both
of which intervals based on it alone under-cover: one class is small, or most cases are ranked identically."""
FAR_FROM_NORMAL = 1.0
"""Standard errors between the binormal and the empirical AUC from which the interval has a note.

For normal scores this occurs in 4% of samples at AUC 0.96, and less often below.
"""

NO_SPREAD = "The standard error is zero or undefined; Newcombe's score interval is reported instead."
NO_SPREAD_OF_DIFFERENCE = (
    "The variance of the difference is zero or undefined; Newcombe's interval is reported instead."
)
UNDER_COVERS = "This method under-covers in small samples and near AUC 1. Use method='score_delong'."
TOO_NARROW = "'cortes_mohri' uses only the error rate; its intervals are usually too narrow."
NOT_NORMAL = (
    "The binormal AUC is more than one standard error from the empirical AUC: the scores are not normal. "
    "Use method='score_delong'."
)
IDENTICAL_RANKING = (
    "The two models rank the cases identically; the interval allows for differences in new cases."
)
UNCORRELATED = "The variance of the difference is zero or undefined; the AUCs are treated as uncorrelated."

Answer = tuple[float, float, float, float]
"""Estimate and limits as fractions of the part's width, and standard error."""


@method_class
class AreaMethod(Method):
    """Base of AUC methods: units, and Newcombe's interval if the variance is zero."""

    few_df: ClassVar[bool] = False
    """Whether the method under-covers if DeLong's variance is imprecise."""
    whole: ClassVar[tuple[str, ...]] = ()
    """Whether it supports only intervals, or differences, of the whole AUC."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of one AUC, or interval and test of the difference between two."""
        if ("interval" if x.single else "difference") in self.whole and x.statistic.part is not None:
            part = {"min_tpr": x.statistic.min_tpr, "max_fpr": x.statistic.max_fpr}
            check_omitted(f"with method {self.name!r}", "Omit it, or use 'score_delong'.", **part)
        return self._of_one(x, level) if x.single else self._of_two(AreaPair(x), level)

    def _of_one(self, x: Contrast, level: float) -> Outcome:
        area = (x.known.get("areas") or [x.statistic.estimate(x.table)])[0]
        auc, lower, upper, se = self.ends(x, area, level)
        used, notes = None, self.notes(area, auc, se)
        if not upper - lower > 1e-12 * (1.0 - auc if auc > 0.5 else auc):
            used, notes = Newcombe(), (NO_SPREAD,)
            auc, lower, upper, se = used.ends(x, area, level)
        s = x.statistic
        return Outcome(
            s.scaled(lower),
            s.scaled(upper),
            s.scaled(auc),
            s.unit * se,
            used=used,
            notes=tuple(n for note in notes for n in warned(note, where=True)),
        )

    def notes(self, area: AreaEstimate, auc: float, se: float) -> tuple[str, ...]:  # noqa: ARG002
        """Return the notes on an interval of one AUC."""
        return (UNDER_COVERS,) if self.few_df and area.df < FEW_DF else ()

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        raise NotImplementedError

    def _of_two(self, pair: AreaPair, level: float) -> Outcome:
        found, used = self.difference(pair, level), None
        if found is None:
            found = Newcombe().difference(pair, level)
            used = Newcombe()
            caution: tuple[str, ...] = (NO_SPREAD_OF_DIFFERENCE,)
        else:
            caution = self.cautions(pair)
        notes = tuple(n for note in caution for n in warned(note, where=True))
        return found._replace(used=found.used or used, notes=found.notes + notes)

    def cautions(self, pair: AreaPair) -> tuple[str, ...]:
        """Return the notes on a difference between two AUCs."""
        few = pair.delong[2] < min(FEW_DF_OF_DIFFERENCE, FEW_DF_SHARE * pair.most_df)
        return (UNDER_COVERS,) if few else ()

    def difference(self, pair: AreaPair, level: float) -> Outcome | None:
        """Return interval and test of two AUCs; None if nothing varies."""
        raise NotImplementedError


def wald(
    area: AreaEstimate,
    variance: float,
    level: float,
    ends: Callable[..., Ends] = asymptotic.wald_ends,
) -> Answer:
    """Estimate ± z standard errors; no limits if nothing varies or separation is perfect."""
    auc = area.auc
    se = math.sqrt(variance) if variance > 0.0 else math.nan
    if math.isnan(se) or not 0.0 < auc < 1.0:
        return auc, math.nan, math.nan, se
    lower, upper = floats(ends(auc, se**2, normal_quantile(level)))
    return auc, lower, upper, se


def floats(ends: Ends) -> tuple[float, float]:
    """Return two limits as floats."""
    return float(ends[0]), float(ends[1])


def normal(pair: AreaPair, variance: float, df: float = math.inf) -> Outcome | None:
    """Interval and test with a variance in the statistic's units."""
    se = math.sqrt(variance) if variance > 0.0 else math.nan
    return by_standard_error(pair.difference, se, df, pair.hypothesis)


INTERVAL, DIFFERENCE, COMPARISON = ("auc", "interval"), ("auc", "difference"), ("auc", "comparison")


@method_class
class ScoreDelong(AreaMethod):
    """Score interval with DeLong's variance.

    Valid in small samples and near AUC 1; the width is never zero. The interval contains all AUCs A with
    |Â − A| ≤ t·SE(A), where SE(A) follows Hanley & McNeil's model, rescaled to DeLong's variance, and t has
    the effective degrees of freedom of that variance. For two AUCs the longer of half that interval and
    t standard errors of each are squared and added with DeLong's correlation. With at least 10
    cases per class and an AUC up to 0.999, coverage is within 0.02 of nominal, except above 0.98 if the AUC
    is near 1 and one class is much larger than the other.
    """

    name = "score_delong"
    dependence = "resized"
    serves = (INTERVAL, DIFFERENCE, COMPARISON)
    papers = ("delong1988", "hanley1982", "newcombe2006")

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        auc, _, n_pos, n_neg = area
        variance = area.variance if area.df > 0.0 else 0.0
        tail = 0.5 * (1.0 - level)
        lower, upper = floats(score_delong_ends(auc, variance, area.df, n_pos, n_neg, tail))
        quantile = float(asymptotic.score_delong_quantile(area.df, tail))
        return auc, lower, upper, 0.5 * (upper - lower) / quantile

    def difference(self, pair: AreaPair, level: float) -> Outcome:  # noqa: ARG002
        """Return interval and test of two AUCs."""
        found: Outcome = pair.x.known.get("difference") or self._differences([pair])[0]
        return _where_identical(pair, found) if pair.identical else found

    def known_of(self, contrasts: Sequence[Contrast]) -> list[dict[str, Any]]:
        """Return the differences of AUCs, solved together."""
        return [{"difference": found} for found in self._differences([AreaPair(x) for x in contrasts])]

    def _differences(self, pairs: Sequence[AreaPair]) -> list[Outcome]:
        each = np.stack([pair.each for pair in pairs], axis=2)

        def ends_at(z: FloatArray, at: IntArray) -> Ends:
            auc, variance, df, n_pos, n_neg = each[:, :, at]
            return asymptotic.score_delong_half_length(auc, variance, df, n_pos, n_neg, z)

        return _squared_and_added(pairs, ends_at, np.nan_to_num([pair.correlation for pair in pairs]))

    def cautions(self, pair: AreaPair) -> tuple[str, ...]:
        """Return the notes on a difference between two AUCs."""
        if pair.identical:
            return (IDENTICAL_RANKING,)
        return (UNCORRELATED,) if math.isnan(pair.correlation) else ()

    def null_spread(self, data: Pair, statistic: Auc, spread: Spread) -> FloatArray | None:
        """Return the variances of the differences of disjoint samples if all AUCs are equal.

        Estimated variances would give all weight to a group with an AUC near 1.
        """
        if isinstance(data, PairedScores):
            return None
        each = spread.estimates
        auc, df, n_pos, n_neg = np.array([(e.auc, e.df, e.n_pos, e.n_neg) for e in each]).T
        known = np.array([e.variance if e.df > 0.0 else 0.0 for e in each])
        common = np.average(auc, weights=n_pos * n_neg / (n_pos + n_neg))
        own = statistic.unit**2 * score_delong_variance(common, auc, known, df, n_pos, n_neg)
        found = np.add.outer(own, own)
        np.fill_diagonal(found, 0.0)
        return np.asarray(found)


def _squared_and_added(
    pairs: Sequence[AreaPair], ends_at: Callable[[FloatArray, IntArray], Ends], correlation: FloatArray
) -> list[Outcome]:
    values, variances = (
        np.array([[getattr(e, name) for e in pair.areas] for pair in pairs]).T for name in ("auc", "variance")
    )
    # Only defined for correlated AUCs.
    errors = np.sqrt(np.where(correlation > 0.0, variances, 0.0))
    unit, hypothesis = pairs[0].unit, pairs[0].hypothesis
    found = square_and_add(values, errors, unit, hypothesis, ends_at, correlation)
    names = ("lower", "upper", "standard_error", "statistic", "pvalue")
    columns = [np.asarray(getattr(found, name)).tolist() for name in names]
    return [
        Outcome(**dict(zip(names, row, strict=True)), estimate=pair.difference)
        for pair, *row in zip(pairs, *columns, strict=True)
    ]


def _where_identical(pair: AreaPair, found: Outcome) -> Outcome:
    """Clip to the bound for identical rankings (`identical_rankings_bound`)."""
    table, unit = pair.x.table, pair.unit
    size = table.n_pos, table.n_neg

    def largest(level: float) -> float:
        return unit * float(identical_rankings_bound(1.0 - level, *size))

    def statistic(null: float) -> float:
        same = math.exp(min(size) * math.log1p(-min(1.0 - 1e-16, abs(null) / unit)))
        return math.copysign(min(FARTHEST, max(0.0, -float(special.ndtri(same)))), -null)

    most = largest(pair.hypothesis.level)
    bound, pvalue = pair.hypothesis.test(statistic)
    if pvalue < found.pvalue:
        found = found._replace(statistic=bound, pvalue=pvalue)
    # One standard error to each side.
    error = min(found.standard_error, largest(math.erf(math.sqrt(0.5))))
    return found._replace(lower=max(found.lower, -most), upper=min(found.upper, most), standard_error=error)


@method_class
class Delong(AreaMethod):
    """DeLong.

    Estimate ± z·SE with the nonparametric variance of DeLong, DeLong & Clarke-Pearson (1988). For two models
    on the same cases the variance includes the covariance; for disjoint test sets Student's t with
    Welch-Satterthwaite degrees of freedom is used, as in pROC.
    """

    name = "delong"
    dependence = "resized"
    serves = (INTERVAL, DIFFERENCE, COMPARISON)
    papers = ("delong1988",)
    caution = "Under-covers with few cases or an AUC near 1."
    few_df = True
    chi_squared = True

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        return wald(area, area.variance, level)

    def difference(self, pair: AreaPair, level: float) -> Outcome | None:  # noqa: ARG002
        """Return interval and test of two AUCs."""
        variance, df, _ = pair.delong
        return normal(pair, variance, df)


@method_class
class LogitDelong(AreaMethod):
    """DeLong on the logit scale.

    DeLong's standard error on the logit scale (Pepe 2003), transformed back; always inside (0, 1).
    """

    name = "logit_delong"
    dependence = "resized"
    serves = (INTERVAL,)
    papers = ("delong1988", "pepe2003")
    caution = "Under-covers if an empirical AUC of 1 is likely."

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        return wald(area, area.variance, level, asymptotic.logit_ends)


@method_class
class HanleyMcneil(AreaMethod):
    """Hanley and McNeil.

    Estimate ± z·SE with Hanley & McNeil's (1982) variance for exponential scores.
    """

    name = "hanley_mcneil"
    dependence = "resized"
    serves = (INTERVAL,)
    papers = ("hanley1982",)
    caution = "Under-covers near 1."
    few_df = True
    whole = ("interval",)

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        auc, _, n_pos, n_neg = area
        return wald(area, float(asymptotic.hanley_mcneil_variance(auc, n_pos, n_neg)), level)


@method_class
class BinormalArea(AreaMethod):
    """Binormal.

    Φ(δ̂ ± z·SE), where δ is the standardized difference of means (Reiser & Guttman 1986; Demidenko 2012).
    """

    name = "binormal"
    serves = (INTERVAL,)
    papers = ("reiser1986", "demidenko2012")
    caution = "Only for normal scores; not invariant under monotone transforms."
    whole = ("interval",)
    # Means and standard deviations of rounded scores give no bound on the AUC.
    widens = False

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        return asymptotic.binormal_interval(x.table, normal_quantile(level))

    def notes(self, area: AreaEstimate, auc: float, se: float) -> tuple[str, ...]:
        """Return the notes on an interval of one AUC."""
        return (NOT_NORMAL,) if abs(auc - area.auc) > FAR_FROM_NORMAL * se else ()


@method_class
class Newcombe(AreaMethod):
    """Newcombe, method 5.

    Score interval with Hanley & McNeil's variance (Newcombe 2006, method 5). It depends only on the AUC and
    the class sizes, so it is valid for few cases and for AUC 1. For two AUCs the arms are squared and added
    (Newcombe 1998), as for independent samples.
    """

    name = "newcombe"
    dependence = "resized"
    serves = (INTERVAL, DIFFERENCE)
    papers = ("newcombe2006", "newcombe1998")
    caution = "Inaccurate when scores are far from exponential; conservative for paired models."
    whole = ("interval",)

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        auc, _, n_pos, n_neg = area
        z = normal_quantile(level)
        lower, upper = floats(newcombe_ends(auc, n_pos, n_neg, z))
        return auc, lower, upper, 0.5 * (upper - lower) / z

    def difference(self, pair: AreaPair, level: float) -> Outcome:  # noqa: ARG002
        """Return interval and test of two AUCs."""
        auc, _, _, n_pos, n_neg = pair.each[:, :, None]

        def ends_at(z: FloatArray, at: IntArray) -> Ends:
            return newcombe_ends(auc[:, at], n_pos[:, at], n_neg[:, at], z)

        return _squared_and_added([pair], ends_at, np.zeros(1))[0]

    def cautions(self, pair: AreaPair) -> tuple[str, ...]:  # noqa: ARG002
        """Return the notes on a difference between two AUCs."""
        return ()


@method_class
class UpperBound(AreaMethod):
    """Birnbaum–Klose bound.

    Score interval with the largest possible variance, A(1 − A)/min(n₊, n₋). Conservative.
    """

    name = "upper_bound"
    dependence = "resized"
    serves = (INTERVAL,)
    papers = ("birnbaum1957",)
    whole = ("interval",)

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        auc, _, n_pos, n_neg = area
        z = normal_quantile(level)
        lower, upper = floats(asymptotic.upper_bound_ends(auc, n_pos, n_neg, z))
        return auc, lower, upper, 0.5 * (upper - lower) / z


@method_class
class UpperBoundWald(AreaMethod):
    """Birnbaum–Klose bound, Wald interval.

    Estimate ± z·SE with the largest possible variance for the estimated AUC (Morin 2018, eq. 25 as printed).
    """

    name = "upper_bound_wald"
    dependence = "resized"
    serves = (INTERVAL,)
    papers = ("birnbaum1957", "morin2018")
    caution = "The variance is zero under perfect separation and too small near it."
    whole = ("interval",)

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:  # noqa: ARG002
        """Return estimate, limits and standard error of one AUC."""
        auc, _, n_pos, n_neg = area
        return wald(area, auc * (1.0 - auc) / min(n_pos, n_neg), level)


@method_class
class CortesMohri(AreaMethod):
    """Cortes and Mohri.

    Estimate ± z·SE with the standard deviation of the AUC over all rankings of the given error rate (Cortes &
    Mohri 2004).

    Attributes
    ----------
    error_rate : float, optional
        Proportion of misclassified cases, in [0, 1]. Default: at the best threshold of the sample.
    """

    name = "cortes_mohri"
    serves = (INTERVAL,)
    papers = ("cortes2004",)
    caution = "Valid only for random rankings of that error rate; usually too narrow."
    whole = ("interval",)
    error_rate: float | None = None

    def ends(self, x: Contrast, area: AreaEstimate, level: float) -> Answer:
        """Return estimate, limits and standard error of one AUC."""
        scores = x.table
        n_pos, n_neg = scores.n_pos, scores.n_neg
        if self.error_rate is None:
            # Misclassified cases at the best threshold of the sample.
            errors = int(min(n_pos, (n_pos - scores.pos_above + scores.neg_above).min()))
        else:
            errors = round(float(check_rate("error_rate", self.error_rate)[0]) * (n_pos + n_neg))
        one_by_one("method 'cortes_mohri'", errors, "misclassified cases")
        return wald(area, asymptotic.cortes_mohri_moments(errors, n_pos, n_neg)[1], level)

    def notes(self, area: AreaEstimate, auc: float, se: float) -> tuple[str, ...]:  # noqa: ARG002
        """Return the notes on an interval of one AUC."""
        return (TOO_NARROW,)
