"""A scorer for scikit-learn that can return the interval of the AUC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from confroc._check import ArgumentError, check_choice
from confroc._keywords import suggest
from confroc.auc import auc_interval
from confroc.base import keywords_of
from confroc.scores import Scores
from confroc.scores.predictions import RESPONSES, ResponseMethod, check_cases, responses

Bound: TypeAlias = Literal["estimate", "lower", "upper", "all"]

BOUNDS = ("estimate", "lower", "upper", "all")


@dataclass(frozen=True)
class AucScorer:
    """A scorer `(estimator, X, y) -> float` for scikit-learn's `scoring=`; see `auc_scorer`."""

    bound: Bound = "estimate"
    pos_label: object = None
    response_method: ResponseMethod = "auto"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float | dict[str, float]:
        """Return the AUC on the sample, a limit of its interval, or all three by name."""
        check_cases([estimator], X, y)
        values = responses(estimator, X, self.pos_label, self.response_method)
        scores = Scores(y, values, sample_weight=sample_weight, pos_label=self.pos_label)
        found = auc_interval(scores, **self.options)
        if self.bound == "all":
            return {"auc": found.estimate, "auc_lower": found.lower, "auc_upper": found.upper}
        return float(getattr(found, self.bound))


def auc_scorer(
    *,
    bound: Bound = "estimate",
    pos_label: object = None,
    response_method: ResponseMethod = "auto",
    **options: Any,
) -> AucScorer:
    """Return a scorer based on `auc_interval`, for `cross_val_score`, `GridSearchCV` etc.

    Parameters
    ----------
    bound : {"estimate", "lower", "upper", "all"}
        Quantity to return. "lower" prefers a model with a precise estimate to one that looks better on few
        cases; "all" gives `auc`, `auc_lower` and `auc_upper` as three metrics.
    pos_label, response_method
        As in `Scores.from_estimator`.
    **options
        Passed to `auc_interval`: `method`, `confidence_level`, `max_fpr`, ...

    Returns
    -------
    AucScorer
        Can be pickled, so `n_jobs` works. Supports `sample_weight` as sampling weights.

    Raises
    ------
    ValueError
        Unknown `bound` or option.

    See Also
    --------
    confroc.auc_interval : Methods and options of the interval.
    cross_validated_auc : Interval over all folds.

    Notes
    -----
    Each interval is for one fitted model on its test cases. Limits averaged over folds are not an interval;
    use `cross_validated_auc`.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from confroc.sklearn import auc_scorer
    >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
    >>> cross_val_score(LogisticRegression(), X, y, scoring=auc_scorer(bound="lower"), cv=3).round(3)
    array([0.739, 0.63 , 0.806])
    """
    check_choice("bound", bound, BOUNDS)
    check_choice("response_method", response_method, ("auto", *RESPONSES))
    allowed = keywords_of(auc_interval)
    for name in options:
        if name not in allowed:
            rule = "be options of auc_interval"
            raise ArgumentError("options", rule, name, f"{suggest(name, allowed)}See `auc_interval`.")
    return AucScorer(bound=bound, pos_label=pos_label, response_method=response_method, options=options)
