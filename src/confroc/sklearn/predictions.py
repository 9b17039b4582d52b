"""From a fitted classifier and test cases to scores."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, ArgumentTypeError, check_choice
from confroc._types import FloatArray
from confroc.scores import PairedScores, Scores
from confroc.scores.labels import read_labels

ResponseMethod: TypeAlias = Literal["auto", "predict_proba", "decision_function"]

RESPONSES = ("predict_proba", "decision_function")


@overload
def from_estimator(
    estimator: tuple[Any, Any],
    X: Any,
    y: ArrayLike,
    *,
    pos_label: object = None,
    response_method: ResponseMethod = "auto",
) -> PairedScores: ...


@overload
def from_estimator(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    pos_label: object = None,
    response_method: ResponseMethod = "auto",
) -> Scores: ...


def from_estimator(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    pos_label: object = None,
    response_method: ResponseMethod = "auto",
) -> Scores | PairedScores:
    """Score test cases with a fitted classifier, or with two.

    Parameters
    ----------
    estimator : fitted classifier, or tuple of two
        Of two classes; a pipeline, a search or a calibrated classifier as well. Two make a paired sample.
    X : whatever the estimator predicts from, n cases
        Passed on untouched. They must not be the cases that the estimator was fitted to.
    y : array-like of shape (n,)
        Their labels.
    pos_label : label, optional
        The positive class; not needed for {0, 1}, {−1, 1} and booleans.
    response_method : {"auto", "predict_proba", "decision_function"}
        Where the score comes from; "auto" takes `predict_proba` if there is one. Both are turned so that
        high scores speak for `pos_label`, as in scikit-learn.

    Returns
    -------
    Scores, or PairedScores for two estimators
        Ties stay ties: a tree or a calibrated model gives few distinct scores, and that is accounted for.

    Raises
    ------
    TypeError
        When the estimator is no classifier, or lacks the response.
    ValueError
        When it knows more or fewer than two classes, or `pos_label` is needed or unknown.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from confroc import auc_interval, from_estimator
    >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
    >>> model = LogisticRegression().fit(X[:200], y[:200])
    >>> print(auc_interval(from_estimator(model, X[200:], y[200:])))
    auc 0.8764 (95 % interval 0.7760 to 0.9330; score_delong)
    """
    check_choice("response_method", response_method, ("auto", *RESPONSES))
    if isinstance(estimator, tuple):
        if len(estimator) != 2:
            raise ArgumentError(
                "estimator", "be one classifier or a pair", len(estimator), "Pass (first, second)."
            )
        a, b = (responses(e, X, pos_label, response_method) for e in estimator)
        return PairedScores(y, a, b, pos_label=pos_label)
    return Scores(y, responses(estimator, X, pos_label, response_method), pos_label=pos_label)


def responses(estimator: Any, X: Any, pos_label: object, response_method: str) -> FloatArray:
    """Return one score per case, high ones speaking for the positive class."""
    classes = np.asarray(getattr(estimator, "classes_", ()))
    if classes.ndim != 1 or len(classes) == 0:
        raise ArgumentTypeError(
            "estimator",
            "be a fitted classifier",
            type(estimator).__name__,
            "It has no `classes_`: fit it first, or pass its scores to Scores(y_true, y_score).",
        )
    if len(classes) != 2:
        raise ArgumentError(
            "estimator",
            "tell two classes apart",
            f"{len(classes)} classes",
            "Make one class against the rest, and fit that.",
        )
    # Before predicting, which may take long.
    positive = int(np.flatnonzero(read_labels(classes, pos_label)[0])[0])
    wanted = RESPONSES if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if hasattr(estimator, name)), None)
    if method is None:
        raise ArgumentTypeError(
            "response_method",
            f"be a method of {type(estimator).__name__}",
            response_method,
            "Use an estimator that has " + " or ".join(f"`{name}`" for name in wanted) + ".",
        )
    values = np.asarray(getattr(estimator, method)(X), dtype=np.float64)
    if method == "predict_proba":
        return values[:, positive]
    # The decision function speaks for the second class.
    return values if positive == 1 else -values
