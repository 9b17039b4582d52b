"""scikit-learn: fitted models, a search by the lower limit, and cross-validation.

Displays accept fitted classifiers, as those of scikit-learn do. The scorer selects by the lower confidence
limit of the area. After cross-validation the interval is for the mean area of the fitted models on new cases;
a case tested in three repeats counts once.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, cross_validate, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from confroc.plot import BandDisplay, IntervalDisplay
from confroc.sklearn import auc_scorer, cross_validated_auc, cross_validated_auc_difference, from_cv_results

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
logistic = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
search = GridSearchCV(
    DecisionTreeClassifier(random_state=0), {"max_depth": [2, 3, 5]}, scoring=auc_scorer(bound="lower"), cv=3
)
search.fit(X_train, y_train)
print(f"depth {search.best_params_['max_depth']} has the highest lower limit: {search.best_score_:.3f}")

folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
validated = {}
for name, model in (("logistic", logistic), ("tree", search.best_estimator_)):
    kept = cross_validate(model, X, y, cv=folds, return_estimator=True, return_indices=True)
    validated[name] = from_cv_results(kept, X, y)
areas = {name: cross_validated_auc(cv) for name, cv in validated.items()}
for name, area in areas.items():
    print(f"{name}: {area}")
print(cross_validated_auc_difference(validated["logistic"], validated["tree"]))

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
for model in (logistic, search.best_estimator_):
    BandDisplay.from_estimator(model, X_test, y_test, ax=left, band_kwargs={"rng": 0})
IntervalDisplay(list(areas.values())).plot(ax=right, name=list(areas))

plt.show()
