"""Proper scoring rules: the log-loss and the Brier score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confroc._types import FloatArray, Sampling
from confroc.base import Statistic
from confroc.influence import centered
from confroc.resample import check_sampling
from confroc.scores import Scores
from confroc.statistics.prevalence import check_risks, share_of

LEAST_RISK = float(np.finfo(np.float64).eps)
"""Minimum distance of risks from 0 and 1 in the logarithm, as in scikit-learn."""


@dataclass(frozen=True)
class MeanLoss(Statistic):
    """Base class of mean losses of predicted probabilities."""

    sampling: Sampling = "full"

    lower_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_sampling(self.sampling)

    @property
    def together(self) -> bool:
        """Whether class sizes vary."""
        return self.sampling == "full"

    @staticmethod
    def loss(risk: FloatArray) -> FloatArray:
        """Return the loss if the outcome had this predicted probability."""
        raise NotImplementedError

    def losses(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the loss of a positive and of a negative at each distinct score."""
        risk = check_risks(table, "", "Pass predicted probabilities as scores.")
        return self.loss(risk), self.loss(1.0 - risk)

    def value(self, table: Scores) -> float:
        """Return the mean loss."""
        of_pos, of_neg = self.losses(table)
        return float(np.dot(of_pos, table.pos) + np.dot(of_neg, table.neg)) / (table.n_pos + table.n_neg)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the losses, centered over all cases if class sizes vary, otherwise within classes."""
        of_pos, of_neg = self.losses(table)
        if not self.together:
            share = share_of([table])
            of_pos, of_neg = share * of_pos, (1.0 - share) * of_neg
        return centered((of_pos, of_neg), table, self.together)


@dataclass(frozen=True)
class LogLoss(MeanLoss):
    """Log-loss: the mean of −log of the predicted probability of the outcome. Scores are in [0, 1].

    Parameters
    ----------
    sampling : {"full", "stratified"}
        Sampling of all cases, so the prevalence is estimated, or of each class separately.

    Notes
    -----
    As in scikit-learn, probabilities are clipped to [2.2e-16, 1 − 2.2e-16], so losses are at most 36.04.

    Examples
    --------
    >>> from confroc import Scores, interval
    >>> from confroc.statistics import LogLoss
    >>> risks = Scores([1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2, 0.2, 0.1])
    >>> print(interval(risks, LogLoss()))
    log_loss 0.3690 (95% CI 0.1440 to 0.9360; logit)
    """

    name: ClassVar[str] = "log_loss"
    title: ClassVar[str] = "Log-loss"

    @property
    def bounds(self) -> tuple[float, float]:
        """Zero, and the loss of a wrong prediction with probability 1."""
        return 0.0, -math.log(LEAST_RISK)

    @staticmethod
    def loss(risk: FloatArray) -> FloatArray:
        """Return the loss if the outcome had this predicted probability."""
        return np.asarray(-np.log(np.clip(risk, LEAST_RISK, 1.0 - LEAST_RISK)))


@dataclass(frozen=True)
class BrierScore(MeanLoss):
    """Brier score: the mean of (probability − outcome)². Scores are probabilities in [0, 1].

    Parameters
    ----------
    sampling : {"full", "stratified"}
        As in `LogLoss`.

    References
    ----------
    Brier GW (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review 78,
    1–3.

    Examples
    --------
    >>> from confroc import Scores, interval
    >>> from confroc.statistics import BrierScore
    >>> risks = Scores([1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2, 0.2, 0.1])
    >>> print(interval(risks, BrierScore()))
    brier_score 0.1100 (95% CI 0.0246 to 0.3769; logit)
    """

    name: ClassVar[str] = "brier_score"
    title: ClassVar[str] = "Brier score"

    @staticmethod
    def loss(risk: FloatArray) -> FloatArray:
        """Return the loss if the outcome had this predicted probability."""
        return np.asarray((1.0 - risk) ** 2)
