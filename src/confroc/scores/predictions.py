"""Scores of test cases from a fitted classifier.

An estimator is whatever has `classes_` and `predict_proba` or `decision_function`, as scikit-learn's have;
nothing here imports scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentError, ArgumentTypeError, as_column, check_choice
from confroc._types import FloatArray
from confroc.scores.labels import (
    MOST_LABELS,
    coded_labels,
    label_shown,
    listed,
    read_labels,
    same_label,
    same_rows,
    split_labels,
    text_of,
)

ResponseMethod: TypeAlias = Literal["auto", "predict_proba", "decision_function"]

RESPONSES = ("predict_proba", "decision_function")


def check_cases(estimators: Iterable[Any], X: Any, y_true: Any) -> None:
    """Refuse labels in the place of the cases, in another order, or none of which belongs to a classifier."""
    same_rows(X=X, y_true=y_true)
    flat = getattr(X, "ndim", 2) == 1 and getattr(getattr(X, "dtype", None), "kind", "O") in "biuf"
    if flat and getattr(y_true, "ndim", 1) == 2 and y_true.shape[1] > 1:
        rule = "be the cases, which come before their labels"
        raise ArgumentError("X", rule, X.shape, "Pass X, then y_true.")
    if getattr(y_true, "ndim", 1) != 1:
        as_column("y_true", y_true)
    labels: set[str] | None = None
    for estimator in estimators:
        if len(classes := _classes(estimator)) == 2:
            labels = _texts(y_true) if labels is None else labels
            _check_labels(_texts(classes), labels)


def _classes(estimator: Any) -> NDArray[Any]:
    """The classes that a classifier was fitted to; none without a fit, or with several columns of them."""
    classes: Any = getattr(estimator, "classes_", ())
    return np.asarray(() if len(classes) == 0 or np.ndim(classes[0]) else classes)


def _texts(labels: Any) -> set[str]:
    """The labels of a column as text; none where it is no column of classes."""
    try:
        found = coded_labels("y_true", as_column("y_true", labels))[0]
    except ArgumentError:
        return set()
    return {text_of(label) for label in found if label is not None} if len(found) <= MOST_LABELS else set()


def _check_labels(known: set[str], labels: set[str]) -> None:
    """Refuse labels that have none of the classes among them, unless both need no `pos_label`."""
    shared = any(same_label(one, other) for one in labels for other in known)
    if shared or not labels or not known or (_plain(labels) and _plain(known)):
        return
    raise ArgumentError(
        "y_true",
        f"hold the labels that the classifier was fitted to, {listed(sorted(known))}",
        ", ".join(sorted(map(label_shown, labels))),
        "Pass those, or labels and scores, Scores(y_true, y_score, pos_label=...).",
    )


def _plain(labels: set[str]) -> bool:
    """Whether the labels alone determine which of them is positive."""
    try:
        split_labels(labels, None)
    except ArgumentError:
        return False
    return True


def responses(estimator: Any, X: Any, pos_label: object, response_method: str) -> FloatArray:
    """Return one score per case, high ones speaking for the positive class."""
    check_choice("response_method", response_method, ("auto", *RESPONSES))
    classes, found = _classes(estimator), type(estimator).__name__
    if len(classes) == 0:
        remedy = "Pass the classifier itself, fitted, or its scores to Scores(y_true, y_score)."
        raise ArgumentTypeError("estimator", "be fitted to one column of classes", found, remedy)
    if len(classes) != 2:
        remedy = "For more than two classes, fit it to one class against the rest, y == label."
        raise ArgumentError("estimator", "have two classes", f"{len(classes)} classes", remedy)
    # Before predicting, which may take long.
    positive = int(np.flatnonzero(read_labels(classes, pos_label)[0])[0])
    wanted = RESPONSES if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if hasattr(estimator, name)), None)
    if method is None:
        remedy = "Use an estimator that has " + " or ".join(f"`{name}`" for name in wanted) + "."
        raise ArgumentTypeError("response_method", f"be a method of {found}", response_method, remedy)
    values = getattr(estimator, method)(X)
    if np.ma.is_masked(values):
        values = values.astype(np.float64).filled(np.nan)
    values = np.asarray(values, dtype=np.float64)
    if method == "predict_proba":
        return values[:, positive]
    # The decision function speaks for the second class.
    return values if positive == 1 else -values
