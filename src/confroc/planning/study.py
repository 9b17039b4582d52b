"""A planned study: its effect, its variances, and its size and power by the normal formula.

Variances have two components, from positives and from negatives: n₊ times the variance is the first plus the
second divided by n₋/n₊. They are large-sample variances under binormal models, or DeLong's of a pilot sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import (
    ArgumentError,
    Words,
    check_choice,
    check_inside,
    check_items,
    check_level,
    check_number,
    check_omitted,
)
from confroc._types import FloatArray
from confroc.base import Method
from confroc.distributions import normal_quantile
from confroc.hypotheses import MARGIN_ALTERNATIVES, check_margin
from confroc.influence import delong_covariance, delong_variances
from confroc.models import BinormalModel
from confroc.results import Guarantee, Kind, Result
from confroc.scores import (
    PairedScores,
    Scores,
    UnpairedScores,
    check_pair,
    check_scores,
    class_sizes,
    models_of,
)

Sided: TypeAlias = Literal["two-sided", "one-sided", "non-inferiority", "equivalence"]
SIDES: tuple[Sided, ...] = ("two-sided", "one-sided", "non-inferiority", "equivalence")
Variance: TypeAlias = Literal["empirical", "obuchowski"]
Model: TypeAlias = BinormalModel | float
Pilot: TypeAlias = Scores | PairedScores | UnpairedScores

LARGEST = 10**9
"""Maximum number of positives."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Power(Result):
    """Size and power of a study of one model or of a difference.

    Attributes
    ----------
    n_pos, n_neg : int
        Numbers of cases, for each model if they have separate test sets.
    power : float
        Probability of rejecting the null hypothesis; NaN without one.
    width : float
        Expected width of the two-sided interval of level 1 − significance_level, for the AUC, difference or
        rate.
    effect : float
        AUC or rate minus that of the null hypothesis, or the difference between two AUCs.
    significance_level : float
    alternative : {"two-sided", "one-sided", "non-inferiority", "equivalence"}
    margin : float or None
        Smallest relevant difference, for the last two.
    standard_error : float
        Monte Carlo error of the power; 0 for the asymptotic formula.
    method, guarantee, notes, kind
        As in `Inference`.
    """

    n_pos: int
    n_neg: int
    power: float
    width: float
    effect: float
    significance_level: float
    alternative: Sided
    standard_error: float
    method: Method | str
    margin: float | None = None
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def _claims(self) -> list[str]:
        # A plan is neither pointwise nor simultaneous.
        claims = [claim for claim in super()._claims() if claim != self.kind]
        return [*claims, "effect: difference from the null hypothesis; width: expected width of the interval"]

    def _uninformative(self, name: str, value: Any) -> bool:
        # The formula has no Monte Carlo error.
        return super()._uninformative(name, value) or (name == "standard_error" and value == 0.0)

    def _sentence(self) -> str:
        aim = "" if self.margin is None else f" by {self.margin:g}, level"
        error = f" (Monte Carlo error {self.standard_error:.2g})" if self.standard_error else ""
        power = "" if math.isnan(self.power) else f"power {self.power:.3f}{error}, "
        n, size = self.n_pos + self.n_neg, f"{self.n_pos:,} positives and {self.n_neg:,} negatives"
        return (
            f"{size} ({n:,} cases, prevalence {self.n_pos / n:.3g}): {power}interval width "
            f"{self.width:.4f} ({self.alternative}{aim} {self.significance_level:g}; {self.method})"
        )


class Target(NamedTuple):
    """The target of a sample size: power or width."""

    power: float | None
    width: float | None


def check_target(power: float | None, width: float | None) -> Target:
    """Return the target of a sample size; default: power 0.8."""
    if power is not None and width is not None:
        raise ArgumentError("power", "not be combined with `width`", power, "Choose one.")
    if width is not None:
        return Target(None, check_inside("width", width, "Use e.g. 0.1."))
    return Target(check_inside("power", 0.8 if power is None else power, "Write 80% as 0.8."), None)


def check_ratio(ratio: float) -> float:
    """Return negatives per positive."""
    if not 1.0 / LARGEST <= check_number("ratio", ratio) <= LARGEST:
        rule = f"be positive and finite, from 1e-9 to {LARGEST:.0e}"
        raise ArgumentError("ratio", rule, ratio, "It is n_neg / n_pos.")
    return float(ratio)


def whole_sizes(n_pos: int, ratio: float) -> tuple[int, int]:
    """Numbers of positives and, `ratio` times as many, negatives, at least two."""
    return n_pos, max(2, math.ceil(n_pos * ratio - 1e-9))


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedStudy:
    """A test and a population.

    `effect` is the AUC minus `null_auc`, or the difference of two; `null` and `actual` are the variances of
    its estimate under the null hypothesis and in the population, in two components. `models` are one or two,
    or none for a pilot sample; `two` is whether the test is of a difference.
    """

    effect: float
    null: FloatArray
    actual: FloatArray
    alternative: Sided
    level: float
    margin: float | None = None
    null_auc: float = 0.5
    models: tuple[BinormalModel, ...] = ()
    correlation: tuple[float, float] = (0.0, 0.0)
    two: bool = False

    def __post_init__(self) -> None:
        check_choice("alternative", self.alternative, SIDES)
        if self.alternative in MARGIN_ALTERNATIVES and not self.two:
            rule, remedy = "be 'two-sided' or 'one-sided' for one model", "Change the null value."
            raise ArgumentError("alternative", rule, self.alternative, remedy)
        check_level(1.0 - check_number("significance_level", self.level))
        object.__setattr__(self, "level", float(self.level))
        object.__setattr__(self, "margin", check_margin(self.alternative, self.margin))

    @property
    def critical_value(self) -> float:
        """Normal quantile of the critical value."""
        tails = 2.0 if self.alternative == "two-sided" else 1.0
        return -float(special.ndtri(self.level / tails))

    @property
    def distances(self) -> tuple[float, ...]:
        """Distances from the null hypothesis; for equivalence, from both margins, the nearer first."""
        if self.margin is None:
            return (abs(self.effect),)
        if self.alternative == "non-inferiority":
            return (self.effect + self.margin,)
        return self.margin - abs(self.effect), self.margin + abs(self.effect)

    def power(self, n_pos: float, ratio: float) -> float:
        """Power with n₊ positives and `ratio` times as many negatives."""
        actual = math.sqrt(at_ratio(self.actual, ratio))
        # Tests with a margin, like DeLong's, estimate the actual variance.
        null = actual if self.margin is not None else math.sqrt(at_ratio(self.null, ratio))
        parts = [
            float(special.ndtr((math.sqrt(n_pos) * e - self.critical_value * null) / actual))
            for e in self.distances
        ]
        # Both one-sided tests must reject: not both fail to, but for a chance that is nil where it matters.
        return max(sum(parts) - (len(parts) - 1), 0.0)

    def width(self, n_pos: float, ratio: float) -> float:
        """Width of the interval with n₊ positives and `ratio` times as many negatives."""
        actual = math.sqrt(at_ratio(self.actual, ratio))
        return min(2.0, 2.0 * normal_quantile(1.0 - self.level) * actual / math.sqrt(n_pos))

    def by_formula(self, n_pos: int, n_neg: int, *, method: Method, notes: tuple[str, ...] = ()) -> Power:
        """Power and width by the normal formula."""
        ratio = n_neg / n_pos
        power, width = self.power(n_pos, ratio), self.width(n_pos, ratio)
        return self.reported((n_pos, n_neg), power, width, method, notes=notes)

    def reported(
        self,
        sizes: tuple[int, int],
        power: float,
        width: float,
        method: Method,
        *,
        standard_error: float = 0.0,
        notes: tuple[str, ...] = (),
    ) -> Power:
        """The result, with what describes the test."""
        return Power(
            n_pos=sizes[0],
            n_neg=sizes[1],
            power=power,
            width=width,
            effect=self.effect,
            significance_level=self.level,
            alternative=self.alternative,
            margin=self.margin,
            standard_error=standard_error,
            method=method,
            notes=notes,
        )

    def cases_needed(self, target: Target, ratio: float) -> int:
        """Smallest number of positives, with `ratio` times as many negatives, for the target."""
        power, width = target
        if power is None:
            assert width is not None
            n = at_ratio(self.actual, ratio) * (2.0 * normal_quantile(1.0 - self.level) / width) ** 2
        else:
            from scipy.optimize import brentq

            if self.margin is None and self.effect == 0.0:
                rule = "differ from the null hypothesis"
                remedy = "No sample size has power; plan for the width of the interval, e.g. width=0.1."
                raise ArgumentError("model", rule, Words("no difference"), remedy)
            if self.margin is not None and not self.distances[0] > 0.0:
                raise ArgumentError("margin", "contain the difference", self.margin, "Use a larger margin.")
            if self.power(2.0, ratio) >= power:
                return 2
            enough = self.power(LARGEST, ratio) >= power
            n = brentq(lambda n: self.power(n, ratio) - power, 2.0, LARGEST) if enough else math.inf
        if n > LARGEST:
            rule = "need fewer than 10⁹ positives"
            raise ArgumentError("model", rule, n, "The effect or width is too small.")
        return max(2, math.ceil(n - 1e-6))


def plan(
    model: Model | Pilot,
    model_b: Model | None,
    correlation: float | tuple[float, float] | None,
    variance: Variance,
    null_auc: float | None,
    alternative: Sided,
    level: float,
    margin: float | None,
) -> PlannedStudy:
    """The study described by the arguments of `auc_power`."""
    two = model_b is not None or isinstance(model, PairedScores | UnpairedScores)
    if two:
        check_omitted("with two models", "Their difference is tested.", null_auc=null_auc)
    if model_b is None:
        check_omitted("without `model_b`", "Omit it.", correlation=correlation)
    null_auc = 0.5 if null_auc is None else check_inside("null_auc", null_auc, "Chance is 0.5.")
    remedy = "Give a number for both classes, or (positives, negatives), e.g. (0.5, 0.5)."
    given: Any = 0.0 if correlation is None else correlation
    pair = check_items("correlation", given, remedy) if isinstance(given, Iterable) else (given, given)
    both = [check_number("correlation", r) for r in pair]
    if len(both) != 2 or not all(-1.0 < r < 1.0 for r in both):
        raise ArgumentError("correlation", "contain one or two numbers between -1 and 1", given, remedy)
    models: tuple[BinormalModel, ...] = ()
    shared = np.zeros(2)
    if isinstance(model, Pilot):
        check_omitted("with a pilot sample", "Pass a PairedScores.", model_b=model_b)
        check: Any = check_scores if isinstance(model, Scores) else check_pair
        samples = models_of(check("model", model, widens=True))
        areas = [s.auc for s in samples]
        own = [np.array(delong_variances(s)) * (s.n_pos, s.n_neg) for s in samples]
        if isinstance(model, PairedScores):
            shared = delong_covariance(model)[:, 0, 1] * (model.n_pos, model.n_neg)
    else:
        covariance = obuchowski_covariance if variance == "obuchowski" else empirical_covariance
        models = (planned_model("model", model),)
        if model_b is not None:
            models += (planned_model("model_b", model_b),)
            shared = covariance(models[0], models[1], (both[0], both[1]))
        areas = [m.auc for m in models]
        own = [binormal_variance(m, variance) for m in models]
    if two:
        effect = areas[0] - areas[1]
        actual = own[0] + own[1] - 2.0 * shared
        # Obuchowski & McClish use the first model for both; DeLong's test uses the actual variance.
        null = 2.0 * own[0] - 2.0 * shared if variance == "obuchowski" else actual
    else:
        effect, actual = areas[0] - null_auc, own[0]
        at_null = BinormalModel.from_auc(null_auc, b=models[0].b if models else 1.0)
        null = binormal_variance(at_null, variance)
    # Rounding leaves about 1e-17 for identical models.
    if isinstance(model, Pilot) and not at_ratio(actual, 1.0) > 1e-14:
        rule = "be a pilot sample whose DeLong variance is not zero"
        raise ArgumentError("model", rule, model, "Pass an expected AUC instead.")
    return PlannedStudy(
        effect=effect,
        null=null,
        actual=actual,
        alternative=alternative,
        level=level,
        margin=margin,
        null_auc=null_auc,
        models=models,
        correlation=(both[0], both[1]),
        two=two,
    )


def pilot_ratio(model: Model | Pilot) -> float:
    """Negative rows per positive row of a pilot sample; 1 without one."""
    if not isinstance(model, Pilot):
        return 1.0
    n_pos, n_neg = map(sum, zip(*map(class_sizes, models_of(model)), strict=True))
    return n_neg / n_pos


def planned_model(name: str, value: object) -> BinormalModel:
    """Return the model, or the binormal model with the given AUC."""
    if isinstance(value, BinormalModel):
        return value
    if isinstance(value, int | float | np.floating) and 0.0 < value < 1.0:
        return BinormalModel.from_auc(float(value))
    remedy = "Write 80% as 0.8; for a pilot sample pass BinormalModel.fit(scores)."
    raise ArgumentError(name, "be a BinormalModel or an AUC strictly between 0 and 1", value, remedy)


# --- variances, times n₊ -------------------------------------------------------------------------------


def at_ratio(parts: FloatArray, ratio: float) -> float:
    """Variance times n₊ at a ratio n₋/n₊ of the class sizes."""
    return float(parts[0] + parts[1] / ratio)


def binormal_variance(model: BinormalModel, variance: str) -> FloatArray:
    """Variance of the empirical AUC under a binormal model, in two components."""
    if variance == "obuchowski":
        return obuchowski_variance(model)
    return empirical_covariance(model, model, (1.0, 1.0))


def empirical_covariance(
    first: BinormalModel, second: BinormalModel, correlation: tuple[float, float]
) -> FloatArray:
    """Covariance of two empirical AUCs under binormal models, to first order; a variance if they are equal.

    Each component is the covariance of the two models' placements, Φ of normal scores, within a class.
    """
    h, k = (float(special.ndtri(m.auc)) for m in (first, second))
    scale = math.sqrt((1.0 + first.b**2) * (1.0 + second.b**2))
    r_pos, r_neg = correlation
    return np.array(
        [_tetrachoric(h, k, r_pos / scale), _tetrachoric(h, k, r_neg * first.b * second.b / scale)]
    )


def _tetrachoric(h: float, k: float, correlation: float) -> float:
    """P(X ≤ h, Y ≤ k) − Φ(h)Φ(k) for standard normals: Plackett's (1954) integral."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half = 0.5 * math.asin(correlation)
    r = np.sin(half * (nodes + 1.0))
    integrand = np.exp(-(h * h + k * k - 2.0 * h * k * r) / (2.0 * (1.0 - r * r)))
    return float(np.dot(weights, integrand)) * half / (2.0 * math.pi)


def obuchowski_variance(model: BinormalModel) -> FloatArray:
    """Variance of a binormal AUC (Obuchowski & McClish 1997), with uncorrelated â and b̂."""
    f, g = _slopes(model)
    a, b = model.a, model.b
    return np.array([f * f * (1.0 + a * a / 2.0) + g * g * b * b / 2.0, f * f * b * b + g * g * b * b / 2.0])


def obuchowski_covariance(
    first: BinormalModel, second: BinormalModel, correlation: tuple[float, float]
) -> FloatArray:
    """Covariance of two binormal AUCs (Obuchowski & McClish 1997)."""
    (f1, g1), (f2, g2) = _slopes(first), _slopes(second)
    (a1, b1), (a2, b2) = (first.a, first.b), (second.a, second.b)
    r_pos, r_neg = correlation
    pos = f1 * f2 * (r_pos + r_pos**2 * a1 * a2 / 2.0) + g1 * g2 * b1 * b2 * r_pos**2 / 2.0
    pos += (f1 * g2 * a1 * b2 + f2 * g1 * a2 * b1) * r_pos**2 / 2.0
    return np.array([pos, f1 * f2 * r_neg * b1 * b2 + g1 * g2 * b1 * b2 * r_neg**2 / 2.0])


def _slopes(model: BinormalModel) -> tuple[float, float]:
    """Derivatives of the AUC in a and in b."""
    scale = 1.0 + model.b**2
    f = math.exp(-(model.a**2) / 2.0 / scale) / math.sqrt(2.0 * math.pi * scale)
    return f, -f * model.a * model.b / scale
