"""The binormal ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import (
    MOST_DRAWN,
    ArgumentError,
    as_floats,
    check_choice,
    check_count,
    check_inside,
    check_items,
    check_number,
    check_rate,
    make_rng,
)
from confroc._types import RNG, FloatArray
from confroc.models.binormal_fit import INFORMATIONS, Information, maximize, refuse_degenerate, truth_runs
from confroc.results import FrozenFields, read_only, shown
from confroc.scores import Scores, check_scores


def _covariance(given: object) -> FloatArray:
    rows = [as_floats("covariance", row) for row in check_items("covariance", given, "Pass two rows of two.")]
    if [len(row) for row in rows] != [2, 2]:
        raise ArgumentError(
            "covariance", "be two rows of two numbers", given, "Pass the covariance of a and b."
        )
    return np.array(rows)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BinormalModel(shown.Printed, FrozenFields):
    """Binormal ROC curve TPR = Φ(a + b·Φ⁻¹(FPR)).

    After some increasing transform of the scores negatives are N(0, 1) and positives N(a/b, 1/b²), so a is
    the difference of means and b the negatives' standard deviation, both in units of the positives' standard
    deviation.

    Attributes
    ----------
    a, b : float
        b > 0; b = 1 means equal variances.
    covariance : ndarray of shape (2, 2), or None
        Covariance of the estimates (a, b); None if not fitted.
    information : {"observed", "expected"}, or None
        Information matrix of the covariance.
    log_likelihood : float
        At the maximum, over truth-run categories; NaN if not fitted.
    n_categories, n_iter : int
        Truth-run categories and Newton steps of the fit; 0 if not fitted.

    Raises
    ------
    ValueError
        `a` is not finite, or `b` is not finite and positive.

    Examples
    --------
    >>> from confroc.models import BinormalModel
    >>> model = BinormalModel.from_auc(0.85, b=0.8)
    >>> round(model.auc, 6)
    0.85
    >>> model.tpr([0.05, 0.2]).round(4)
    array([0.5045, 0.7434])
    """

    a: float
    b: float
    covariance: FloatArray | None = None
    information: Information | None = None
    log_likelihood: float = math.nan
    n_categories: int = 0
    n_iter: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", check_number("a", self.a))
        object.__setattr__(self, "b", check_number("b", self.b))
        if not self.b > 0.0:
            raise ArgumentError("b", "be positive", self.b, "It is a ratio of standard deviations.")
        if self.covariance is not None:
            object.__setattr__(self, "covariance", read_only(_covariance(self.covariance)))

    def _table(self) -> shown.Table:
        columns = {"a": [self.a], "b": [self.b], "auc": [self.auc]}
        if self.covariance is not None:
            spread = np.sqrt(np.diag(self.covariance))
            columns |= {"standard_error_a": [float(spread[0])], "standard_error_b": [float(spread[1])]}
        fit = (
            f"standard errors: {self.information} information; {self.n_categories} categories; "
            f"log likelihood {self.log_likelihood:.4f}"
        )
        return shown.Table(
            "BinormalModel: TPR = Φ(a + b·Φ⁻¹(FPR))", columns, 1, fit if self.information else ""
        )

    @classmethod
    def from_moments(
        cls, *, mean_pos: float, mean_neg: float = 0.0, sd_pos: float = 1.0, sd_neg: float = 1.0
    ) -> Self:
        """Model of normal scores with given means and standard deviations.

        Parameters
        ----------
        mean_pos, mean_neg : float
        sd_pos, sd_neg : float
            Positive.
        """
        above, below = check_number("mean_pos", mean_pos), check_number("mean_neg", mean_neg)
        spread = {"sd_pos": check_number("sd_pos", sd_pos), "sd_neg": check_number("sd_neg", sd_neg)}
        for name, value in spread.items():
            if not value > 0.0:
                raise ArgumentError(name, "be positive", value, "Pass a standard deviation.")
        return cls(a=(above - below) / spread["sd_pos"], b=spread["sd_neg"] / spread["sd_pos"])

    @classmethod
    def from_auc(cls, auc: float, *, b: float = 1.0) -> Self:
        """Model with a given AUC and ratio of standard deviations (negatives to positives).

        Parameters
        ----------
        auc : float
            Strictly between 0 and 1.
        b : float
            Positive.
        """
        area, ratio = check_inside("auc", auc, "Use e.g. 0.8."), check_number("b", b)
        return cls(a=float(special.ndtri(area)) * math.hypot(1.0, ratio), b=ratio)

    @classmethod
    def fit(cls, scores: Scores, *, information: Information = "observed", max_iter: int = 200) -> Self:
        """Maximum likelihood fit to continuous or ordinal scores, as in ROCKIT and LABROC4.

        Parameters
        ----------
        scores : Scores
            Reduced to truth-run categories (Metz, Herman & Shen 1998), whose likelihood is that of rating
            data (Dorfman & Alf 1969). Only the order of the scores is used; tied scores of both classes are
            one category.
        information : {"observed", "expected"}
            Information matrix for the covariance; does not affect the estimate.
        max_iter : int
            Maximum number of Newton steps.

        Returns
        -------
        BinormalModel
            Estimates, covariance and log-likelihood. Guarantee of inferences from the covariance: asymptotic,
            if the curve is binormal.

        Raises
        ------
        ValueError
            Fewer than two operating points strictly inside the ROC square (perfect separation, two
            categories), or a likelihood without maximum (a curve of vertical and horizontal segments).

        Notes
        -----
        A Newton step costs O(K) for K categories: the block of the K − 1 cut-points of the information is
        tridiagonal and is eliminated by a Schur complement. If the observed information is not positive
        definite, the expected one is used; steps are halved until the likelihood increases.

        Examples
        --------
        >>> from confroc import Scores
        >>> from confroc.models import BinormalModel
        >>> ct = Scores.from_counts([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
        >>> model = BinormalModel.fit(ct)
        >>> round(model.auc, 4), round(model.auc_standard_error, 4)
        (0.9113, 0.0295)
        """
        check_scores("scores", scores)
        check_choice("information", information, INFORMATIONS)
        check_count("max_iter", max_iter)
        runs = truth_runs(scores)
        refuse_degenerate(runs)
        fit = maximize(runs, information, max_iter)
        return cls(information=information, n_categories=len(runs.pos), **fit._asdict())

    @property
    def auc(self) -> float:
        """Area under the curve, Φ(a/√(1 + b²))."""
        return float(special.ndtr(self.a / math.hypot(1.0, self.b)))

    @property
    def auc_standard_error(self) -> float:
        """Standard error of the AUC by the delta method; NaN if not fitted."""
        if self.covariance is None:
            return math.nan
        root = math.hypot(1.0, self.b)
        density = math.exp(-0.5 * (self.a / root) ** 2) / math.sqrt(2.0 * math.pi)
        gradient = density * np.array([1.0 / root, -self.a * self.b / root**3])
        return math.sqrt(float(gradient @ self.covariance @ gradient))

    def tpr(self, fpr: ArrayLike) -> FloatArray:
        """True positive rate at each false positive rate.

        Parameters
        ----------
        fpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
        """
        return np.asarray(special.ndtr(self.a + self.b * special.ndtri(check_rate("fpr", fpr))))

    def fpr(self, tpr: ArrayLike) -> FloatArray:
        """False positive rate at each true positive rate.

        Parameters
        ----------
        tpr : array-like of shape (h,)
            In [0, 1].

        Returns
        -------
        ndarray of shape (h,)
        """
        return np.asarray(special.ndtr((special.ndtri(check_rate("tpr", tpr)) - self.a) / self.b))

    def sample(self, n_pos: int, n_neg: int, rng: RNG = None) -> Scores:
        """Draw a test set: negatives N(0, 1), positives N(a/b, 1/b²).

        Parameters
        ----------
        n_pos, n_neg : int
            At least 1.
        rng : Generator, seed or None

        Returns
        -------
        Scores
        """
        generator = make_rng(rng)
        pos = (self.a + generator.standard_normal(check_count("n_pos", n_pos, maximum=MOST_DRAWN))) / self.b
        neg = generator.standard_normal(check_count("n_neg", n_neg, maximum=MOST_DRAWN))
        label = np.repeat([True, False], [n_pos, n_neg])
        return Scores(label, np.concatenate([pos, neg]))
