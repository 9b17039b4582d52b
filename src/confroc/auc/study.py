"""A study of one area or of two: what it asks, and the size and power it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from confroc._check import ArgumentError
from confroc.auc.binormal_variances import (
    Parts,
    delong_parts,
    empirical_covariance,
    obuchowski_covariance,
    obuchowski_variance,
    sum_parts,
)
from confroc.influence import delong_covariances
from confroc.models import BinormalModel
from confroc.results import Guarantee, Kind, Result
from confroc.scores import PairedScores, Scores, UnpairedScores

PowerMethod: TypeAlias = Literal["asymptotic", "simulation"]
POWER_METHODS = ("asymptotic", "simulation")
Sided: TypeAlias = Literal["two-sided", "one-sided", "non-inferiority", "equivalence"]
SIDES = ("two-sided", "one-sided", "non-inferiority", "equivalence")
MARGIN_SIDES = ("non-inferiority", "equivalence")
Variance: TypeAlias = Literal["empirical", "obuchowski"]
VARIANCES = ("empirical", "obuchowski")
Model: TypeAlias = BinormalModel | float
Pilot: TypeAlias = Scores | PairedScores | UnpairedScores
Design: TypeAlias = Model | Pilot


@dataclass(frozen=True, kw_only=True, repr=False)
class Power(Result):
    """Size and power of a study of one area or of two.

    Attributes
    ----------
    n_pos, n_neg : int
        Cases; of each model when two have test sets of their own.
    power : float
        Chance to reject the null hypothesis.
    width : float
        Expected width of the two-sided interval of level 1 − significance_level, of the area or of the
        difference.
    effect : float
        The area less that of the null hypothesis, or the difference of two areas.
    significance_level : float
    alternative : {"two-sided", "one-sided", "non-inferiority", "equivalence"}
    margin : float or None
        The smallest difference that matters, for the last two.
    standard_error : float
        Monte Carlo error of the power; 0 for the asymptotic formula.
    method, guarantee, notes, kind
        As in `Interval`.
    """

    n_pos: int
    n_neg: int
    power: float
    width: float
    effect: float
    significance_level: float
    alternative: Sided
    standard_error: float
    method: PowerMethod
    margin: float | None = None
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        aim = "" if self.margin is None else f" by {self.margin:g}, level"
        return (
            f"{self.n_pos} positives and {self.n_neg} negatives: power {self.power:.3f}, interval width "
            f"{self.width:.4f} ({self.alternative}{aim} {self.significance_level:g}; {self.method})"
        )


class Test(NamedTuple):
    """What is tested, and at which level."""

    alternative: Sided
    level: float
    margin: float | None = None


class Question(NamedTuple):
    """Effect, and its estimate's variance if the null hypothesis holds and if it does not."""

    effect: float
    null: Parts
    actual: Parts
    null_auc: float = 0.5
    first: BinormalModel | None = None
    second: BinormalModel | None = None
    correlation: tuple[float, float] = (0.0, 0.0)
    two: bool = False


def _one(model: BinormalModel, variance: str) -> Parts:
    return (
        obuchowski_variance(model)
        if variance == "obuchowski"
        else empirical_covariance(model, model, (1.0, 1.0))
    )


def _two(effect: float, a: Parts, b: Parts, shared: Parts, variance: str) -> Question:
    actual = sum_parts((1.0, a), (1.0, b), (-2.0, shared))
    # Obuchowski & McClish take both models as the first; DeLong's test estimates the actual variance.
    null = sum_parts((2.0, a), (-2.0, shared)) if variance == "obuchowski" else actual
    return Question(effect, null, actual, two=True)


def question(
    design: Design, second: Model | None, null_auc: float, correlation: tuple[float, float], variance: str
) -> Question:
    """Effect and variances of the study that the arguments of `auc_power` describe."""
    if isinstance(design, Scores | PairedScores | UnpairedScores):
        return _of_pilot(design, null_auc, variance)
    first = _model("model", design)
    own = _one(first, variance)
    if second is None:
        at_null = _one(BinormalModel.from_auc(null_auc, b=first.b), variance)
        return Question(first.auc - null_auc, at_null, own, null_auc, first)
    other = _model("model_b", second)
    covariance = obuchowski_covariance if variance == "obuchowski" else empirical_covariance
    shared = covariance(first, other, correlation)
    asked = _two(first.auc - other.auc, own, _one(other, variance), shared, variance)
    return asked._replace(first=first, second=other, correlation=correlation)


def _of_pilot(design: Pilot, null_auc: float, variance: str) -> Question:
    if isinstance(design, Scores):
        at_null = _one(BinormalModel.from_auc(null_auc), variance)
        asked = Question(design.auc - null_auc, at_null, delong_parts(design), null_auc)
    else:
        shared = Parts(0.0, 0.0)
        if isinstance(design, PairedScores):
            of_pos, of_neg = delong_covariances(design)
            shared = Parts(of_pos * design.n_pos, of_neg * design.n_neg)
        difference = design.a.auc - design.b.auc
        asked = _two(difference, delong_parts(design.a), delong_parts(design.b), shared, variance)
    # About 1e-17 is left where two models agree on every case.
    if not asked.actual.at(1.0) > 1e-14:
        raise ArgumentError(
            "model",
            "be a pilot sample whose DeLong variance is not zero",
            design,
            "Perfect, constant or identical scores say nothing of a study's power; give an expected AUC.",
        )
    return asked


def _model(name: str, value: object) -> BinormalModel:
    if isinstance(value, BinormalModel):
        return value
    if isinstance(value, int | float) and 0.0 < value < 1.0:
        return BinormalModel.from_auc(float(value))
    remedy = "Give an expected AUC such as 0.8, or a BinormalModel; a pilot sample goes in `model`."
    raise ArgumentError(name, "be a BinormalModel or an AUC strictly between 0 and 1", value, remedy)
