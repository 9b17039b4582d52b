"""Support for scikit-learn estimators, scorers and cross-validation.

scikit-learn is imported only when needed: an estimator is any object with `classes_` and `predict_proba` or
`decision_function`.
"""

from confroc.sklearn.cross_validation import (
    CrossValidatedAuc,
    CrossValidatedDifference,
    cross_validated_auc,
    cross_validated_auc_difference,
    from_cv_results,
)
from confroc.sklearn.folds import CrossValidatedScores
from confroc.sklearn.scorer import AucScorer, auc_scorer

__all__ = [
    "AucScorer",
    "CrossValidatedAuc",
    "CrossValidatedDifference",
    "CrossValidatedScores",
    "auc_scorer",
    "cross_validated_auc",
    "cross_validated_auc_difference",
    "from_cv_results",
]
