"""Scores of test cases from a fitted classifier.

An estimator has `classes_` and `predict_proba` or `decision_function`, as in scikit-learn, which is not
imported here.
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
    """Raise if X and labels are swapped or in different order, or labels are unknown to a classifier."""
    same_rows(X=X, y_true=y_true)
    flat = getattr(X, "ndim", 2) == 1 and getattr(getattr(X, "dtype", None), "kind", "O") in "biuf"
    if flat and getattr(y_true, "ndim", 1) == 2 and y_true.shape[1] > 1:
        rule = "be the cases"
        raise ArgumentError("X", rule, X.shape, "Pass X first, then y_true.")
    if getattr(y_true, "ndim", 1) != 1:
        as_column("y_true", y_true)
    labels: set[str] | None = None
    for estimator in estimators:
        if len(classes := _classes(estimator)) == 2:
            labels = _texts(y_true) if labels is None else labels
            _check_labels(_texts(classes), labels)


def _classes(estimator: Any) -> NDArray[Any]:
    """The classes of a fitted classifier; empty if not fitted or multi-output."""
    classes: Any = getattr(estimator, "classes_", ())
    return np.asarray(() if len(classes) == 0 or np.ndim(classes[0]) else classes)


def _texts(labels: Any) -> set[str]:
    """The labels of a column as text; empty if it does not contain classes."""
    try:
        found = coded_labels("y_true", as_column("y_true", labels))[0]
    except ArgumentError:
        return set()
    return {text_of(label) for label in found if label is not None} if len(found) <= MOST_LABELS else set()


def _check_labels(known: set[str], labels: set[str]) -> None:
    """Raise if no label is a class of the classifier, unless both need no `pos_label`."""
    shared = any(same_label(one, other) for one in labels for other in known)
    if shared or not labels or not known or (_plain(labels) and _plain(known)):
        return
    rule = f"contain the classes of the classifier, {listed(sorted(known))}"
    remedy = "Pass labels of these classes."
    raise ArgumentError("y_true", rule, ", ".join(sorted(map(label_shown, labels))), remedy)


def _plain(labels: set[str]) -> bool:
    """Whether the labels need no `pos_label`."""
    try:
        split_labels(labels, None)
    except ArgumentError:
        return False
    return True


def responses(estimator: Any, X: Any, pos_label: object, response_method: str) -> FloatArray:
    """Return one score per case; high scores indicate the positive class."""
    check_choice("response_method", response_method, ("auto", *RESPONSES))
    classes, found = _classes(estimator), type(estimator).__name__
    if len(classes) == 0:
        remedy = "Fit it first, or, for other models, pass the scores to Scores(y_true, y_score)."
        raise ArgumentTypeError("estimator", "be a classifier fitted to one column of classes", found, remedy)
    if len(classes) != 2:
        remedy = "Fit one class against the rest."
        raise ArgumentError("estimator", "have two classes", f"{len(classes)} classes", remedy)
    # Checked before predicting, which may be slow.
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
    # The decision function refers to the second class.
    return values if positive == 1 else -values
