"""A study of one area or of two: what it asks, and the size and power it has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from confroc._check import sentence
from confroc.auc.binormal_variances import (
    Parts,
    delong_parts,
    empirical_covariance,
    obuchowski_covariance,
    obuchowski_variance,
    sum_parts,
)
from confroc.auc.placements import delong_covariances
from confroc.models import BinormalModel
from confroc.results import Guarantee, Kind, Result
from confroc.scores import PairedScores, Scores

PowerMethod: TypeAlias = Literal["asymptotic", "simulation"]
POWER_METHODS = ("asymptotic", "simulation")
Sided: TypeAlias = Literal["two-sided", "one-sided"]
SIDES = ("two-sided", "one-sided")
Variance: TypeAlias = Literal["empirical", "obuchowski"]
VARIANCES = ("empirical", "obuchowski")
Model: TypeAlias = BinormalModel | float
Design: TypeAlias = Model | Scores | PairedScores


@dataclass(frozen=True, kw_only=True)
class Power(Result):
    """Size and power of a study of one area or of two.

    Attributes
    ----------
    n_pos, n_neg : int
    power : float
        Chance to reject the null hypothesis; NaN when a width was asked for.
    width : float
        Expected width of the two-sided interval of level 1 − significance_level, of the area or of the
        difference.
    effect : float
        Difference from the null hypothesis.
    significance_level : float
    alternative : {"two-sided", "one-sided"}
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
    guarantee: Guarantee = "asymptotic"
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        power = "" if math.isnan(self.power) else f"power {self.power:.3f}, "
        return (
            f"{self.n_pos} positives and {self.n_neg} negatives: {power}interval width {self.width:.4f} "
            f"({self.alternative} {self.significance_level:g}; {self.method})"
        )


class Question(NamedTuple):
    """Effect, and its estimate's variance if the null hypothesis holds and if it does not."""

    effect: float
    null: Parts
    actual: Parts
    null_auc: float = 0.5
    first: BinormalModel | None = None
    second: BinormalModel | None = None
    correlation: tuple[float, float] = (0.0, 0.0)


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
    return Question(effect, null, actual)


def question(
    design: Design, second: Model | None, null_auc: float, correlation: tuple[float, float], variance: str
) -> Question:
    """Effect and variances of the study that the arguments of `power` describe."""
    if isinstance(design, PairedScores):
        shared = Parts(
            *(c * n for c, n in zip(delong_covariances(design), (design.n_pos, design.n_neg), strict=True))
        )
        return _two(
            design.a.auc - design.b.auc, delong_parts(design.a), delong_parts(design.b), shared, variance
        )
    if isinstance(design, Scores):
        at_null = _one(BinormalModel.from_auc(null_auc), variance)
        return Question(design.auc - null_auc, at_null, delong_parts(design), null_auc)
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


def _model(name: str, value: object) -> BinormalModel:
    if isinstance(value, BinormalModel):
        return value
    if isinstance(value, int | float) and 0.0 < value < 1.0:
        return BinormalModel.from_auc(float(value))
    remedy = "Give an expected AUC such as 0.8, or a BinormalModel; a pilot sample goes in `model`."
    raise ValueError(sentence(name, "be a BinormalModel or an AUC strictly between 0 and 1", value, remedy))
