"""Many models: significant differences, and the models that may be best.

Seven classifiers on the same test cases have 21 pairs. Without adjustment, tests at 5% often find a
difference between equal models. `auc_comparison` computes simultaneous intervals and adjusted p-values, and
lists the models that may be best.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from confroc import PairedScores, Scores, UnpairedScores, auc_comparison, roc_curve
from confroc.plot import CurveDisplay

X, y = make_classification(1200, 12, n_informative=5, flip_y=0.15, class_sep=0.7, random_state=3)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=600, random_state=0)
models = {
    "logistic regression": LogisticRegression(),
    "linear discriminant": LinearDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
    "nearest neighbors": KNeighborsClassifier(15),
    "decision tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "random forest": RandomForestClassifier(random_state=0),
    "gradient boosting": GradientBoostingClassifier(random_state=0),
}
fitted = {name: model.fit(X_train, y_train) for name, model in models.items()}
scores = PairedScores.from_estimators(fitted, X_test, y_test)

compared = auc_comparison(scores)
print(compared)
print("may be best:", ", ".join(compared.may_be_best))
print(compared["random forest", "decision tree"])
forest_and_pairs = compared.plot()

# %%
# All curves in one figure, with a legend below the axes:

display = None
for name, model in scores.items():
    display = CurveDisplay(roc_curve(model)).plot(ax=display.ax_ if display else None, name=name)

# %%
# If one model is in use, only the differences from it matter. They are fewer, so their intervals are shorter.

against_one = auc_comparison(scores, reference="logistic regression").plot()

# %%
# Groups of cases are compared in the same way. Here the groups are ranges of the first feature. The joint
# test is of equal areas in all groups; the interval of the largest gap allows for its selection.

third = (X_test[:, 0] > -0.6).astype(int) + (X_test[:, 0] > 0.6)
forest = fitted["random forest"].predict_proba(X_test)[:, 1]
groups = UnpairedScores(
    *(Scores(y_test[third == part], forest[third == part]) for part in range(3)),
    names=["low", "middle", "high"],
)
by_group = auc_comparison(groups)
print(by_group.test)
print(by_group.largest_gap)
by_group.plot()

plt.show()
