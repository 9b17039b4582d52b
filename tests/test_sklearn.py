"""Fitted classifiers, scorers and cross-validation: from scikit-learn to scores and back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import special

import confroc
from confroc import PairedScores, Scores, auc_difference, auc_interval
from confroc.sklearn import (
    CrossValidatedScores,
    auc_scorer,
    cross_validated_auc,
    cross_validated_auc_difference,
    from_cv_results,
)

pytest.importorskip("sklearn", reason="needs scikit-learn: pip install scikit-learn")

from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

X, Y = make_classification(240, flip_y=0.2, random_state=3)
TRAIN, TEST = slice(0, 120), slice(120, None)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), LinearSVC()),
        CalibratedClassifierCV(LogisticRegression(), cv=3),
        DecisionTreeClassifier(max_depth=3),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3),
    ],
    ids=["logistic", "pipeline", "calibrated", "tree", "search"],
)
def test_areas_are_scikit_learns(model: object) -> None:
    model.fit(X[TRAIN], Y[TRAIN])
    value = model.predict_proba(X[TEST])[:, 1] if hasattr(model, "predict_proba") else None
    value = model.decision_function(X[TEST]) if value is None else value
    scores = Scores.from_estimator(model, X[TEST], Y[TEST])
    assert scores == Scores(Y[TEST], value)
    assert scores.auc == pytest.approx(roc_auc_score(Y[TEST], value), abs=1e-12)


@pytest.mark.parametrize("positive", ["no", "yes"])
@pytest.mark.parametrize("response", ["predict_proba", "decision_function"])
def test_scores_speak_for_the_positive_label(positive: str, response: str) -> None:
    words = np.where(Y == 1, "yes", "no")
    model = LogisticRegression().fit(X[TRAIN], words[TRAIN])
    scores = Scores.from_estimator(model, X[TEST], words[TEST], pos_label=positive, response_method=response)
    assert scores.n_pos == int((words[TEST] == positive).sum())
    # Turned, not flipped: the model ranks either class as well.
    assert scores.auc == pytest.approx(roc_auc_score(Y[TEST], model.decision_function(X[TEST])), abs=1e-12)


def test_two_estimators_make_a_pair() -> None:
    a = LogisticRegression().fit(X[TRAIN], Y[TRAIN])
    b = DecisionTreeClassifier(max_depth=2).fit(X[TRAIN], Y[TRAIN])
    pair = PairedScores.from_estimators({"new": a, "old": b}, X[TEST], Y[TEST])
    assert isinstance(pair, PairedScores)
    assert pair.a == Scores.from_estimator(a, X[TEST], Y[TEST])
    assert pair.b == Scores.from_estimator(b, X[TEST], Y[TEST])
    rows = np.arange(len(Y[TEST]))
    for given in ({"cluster": rows // 2}, {"sample_weight": rows % 3}, {"strata": rows % 2}):
        pair = PairedScores.from_estimators({"new": a, "old": b}, X[TEST], Y[TEST], **given)
        assert pair.a == Scores.from_estimator(a, X[TEST], Y[TEST], **given)
        assert pair.a == Scores(Y[TEST], a.predict_proba(X[TEST])[:, 1], **given)
        assert pair.a.design is not None
    counted = Scores.from_estimator(a, X[TEST], Y[TEST], sample_weight=rows % 3, weight_kind="frequency")
    assert counted.n_pos + counted.n_neg == (rows % 3).sum()


def test_errors_say_what_to_do() -> None:
    fitted = LogisticRegression().fit(X[TRAIN], Y[TRAIN])
    words = np.where(Y == 1, "yes", "no")
    two_columns = np.c_[Y, 1 - Y]
    three_classes = np.c_[Y, np.arange(240) % 3]
    for wrong in (
        LogisticRegression(),
        *(DecisionTreeClassifier().fit(X, y) for y in (two_columns, three_classes)),
    ):
        with pytest.raises(TypeError, match="`estimator` must be a classifier fitted to one column"):
            Scores.from_estimator(wrong, X, Y)
    with pytest.raises(ValueError, match=r"`estimator` must have two classes; got '3 classes'"):
        Scores.from_estimator(LogisticRegression().fit(X, np.arange(240) % 3), X, Y)
    with pytest.raises(ValueError, match="`pos_label` must name the positive class"):
        Scores.from_estimator(LogisticRegression().fit(X, words), X, words)
    with pytest.raises(TypeError, match="`response_method` must be a method of LinearSVC"):
        Scores.from_estimator(LinearSVC().fit(X, Y), X, Y, response_method="predict_proba")
    with pytest.raises(ValueError, match=r"`estimators` must map two or more names"):
        PairedScores.from_estimators({"new": fitted}, X, Y)
    with pytest.raises(ValueError, match=r"`bound` must be one of"):
        auc_scorer(bound="low")
    with pytest.raises(ValueError, match="Did you mean 'method'"):
        auc_scorer(methd="delong")


@pytest.mark.parametrize("n_classes", [3, 4])
def test_pairs_of_classes_are_no_scores_of_one_class(n_classes: int) -> None:
    y = np.arange(len(X)) % n_classes
    model = SVC(decision_function_shape="ovo").fit(X, y)
    for made in (
        lambda: Scores.from_estimator(model, X, y, pos_label=1),
        lambda: PairedScores.from_estimators({"a": model, "b": model}, X, y, pos_label=1),
        lambda: auc_scorer(pos_label=1)(model, X, y),
    ):
        with pytest.raises(ValueError, match=r"Fit one class against the rest\.$"):
            made()
    # The remedy, typed.
    assert Scores.from_estimator(SVC().fit(X, y == 1), X, y == 1).n_pos == np.count_nonzero(y == 1)
    # No column of theirs is named: with four classes there are six, and none of them is of one class.
    with pytest.raises(ValueError, match=r"`y_score` must be one-dim.*Pass one value per case") as caught:
        Scores(y, np.c_[model.decision_function(X), X[:, :1]], pos_label=1)
    assert "y_score[" not in str(caught.value)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_labels_of_several_classes_at_once_are_refused(n_labels: int) -> None:
    y = np.random.default_rng(2).integers(0, 2, (len(X), n_labels))
    model = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    for made in (
        lambda: Scores(y, X[:, 0]),
        lambda: Scores.from_estimator(model, X, y),
        lambda: Scores.from_estimator(LogisticRegression().fit(X, Y), X, y),
        lambda: auc_scorer()(model, X, y),
    ):
        with pytest.raises(ValueError, match=r"`y_true` must be one-dim.*Pass one value per case"):
            made()


def test_scorers_select_and_tabulate() -> None:
    found = cross_val_score(LogisticRegression(), X, Y, scoring=auc_scorer(), cv=3)
    assert np.allclose(found, cross_val_score(LogisticRegression(), X, Y, scoring="roc_auc", cv=3))
    every = cross_validate(LogisticRegression(), X, Y, scoring=auc_scorer(bound="all"), cv=3)
    assert np.array_equal(every["test_auc"], found)
    assert (every["test_auc_lower"] < found).all()
    assert (every["test_auc_upper"] > found).all()
    lower = pickle.loads(pickle.dumps(auc_scorer(bound="lower", confidence_level=0.8)))
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, scoring=lower, cv=3)
    search.fit(X, Y)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    model, weight = search.best_estimator_, 1.0 + np.arange(240) % 3
    weighted = auc_scorer(bound="lower")(model, X, Y, sample_weight=weight)
    assert weighted == auc_interval(Y, model.predict_proba(X)[:, 1], sample_weight=weight).lower


def test_cv_results_are_scored_fold_by_fold() -> None:
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    kept = cross_validate(
        LogisticRegression(), X, Y, cv=folds, scoring="roc_auc", return_estimator=True, return_indices=True
    )
    cv = from_cv_results(kept, X, Y)
    assert np.allclose(cv.fold_auc, kept["test_score"])
    assert (len(cv.folds), cv.n_pos + cv.n_neg, cv.times_tested) == (12, 240, 3.0)
    found = cross_validated_auc(cv)
    assert found.estimate == pytest.approx(kept["test_score"].mean())
    assert "does not include" in found.notes[0]
    with pytest.raises(ValueError, match="return_indices=True"):
        from_cv_results({"estimator": kept["estimator"]}, X, Y)
    with pytest.raises(ValueError, match="`X` must be the cases"):
        from_cv_results(kept, Y, X)
    with pytest.raises(ValueError, match=f"has cases, {len(Y)}; got 9"):
        from_cv_results(kept, X[:9], Y[:9])


def test_data_frames_are_passed_on_untouched() -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas: pip install pandas")
    table = pandas.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])], index=np.arange(240) + 1000)
    kept = cross_validate(LogisticRegression(), table, Y, cv=3, return_estimator=True, return_indices=True)
    plain = cross_validate(LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True)
    assert np.allclose(from_cv_results(kept, table, Y).fold_auc, from_cv_results(plain, X, Y).fold_auc)


# The tree has few distinct scores, of which explicit "delong" warns.
@pytest.mark.filterwarnings("ignore:This method under-covers")
def test_one_fold_is_delong() -> None:
    model = LogisticRegression().fit(X[TRAIN], Y[TRAIN])
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[TRAIN], Y[TRAIN])
    rows = np.arange(240)[TEST]
    cvs = [CrossValidatedScores(Y, [(rows, m.predict_proba(X[TEST])[:, 1])]) for m in (model, tree)]
    pair = PairedScores.from_estimators({"model": model, "tree": tree}, X[TEST], Y[TEST])
    for cv, scores in zip(cvs, (pair.a, pair.b), strict=True):
        found, known = cross_validated_auc(cv), auc_interval(scores, method="delong")
        assert found.estimate == pytest.approx(known.estimate, abs=1e-12)
        assert found.standard_error == pytest.approx(known.standard_error, rel=1e-10)
        score = auc_interval(scores)
        assert (found.lower, found.upper) == pytest.approx((score.lower, score.upper), abs=1e-9)
    found, known = cross_validated_auc_difference(*cvs), auc_difference(pair, method="delong")
    assert found.estimate == pytest.approx(known.estimate, abs=1e-12)
    assert found.standard_error == pytest.approx(known.standard_error, rel=1e-10)
    # The p-value is where the interval ends at zero.
    edge = cross_validated_auc_difference(*cvs, confidence_level=1.0 - found.pvalue)
    assert min(abs(edge.lower), abs(edge.upper)) == pytest.approx(0.0, abs=1e-12)


def test_contributions_by_brute_force() -> None:
    # Each case's contribution is the change of the mean area when its weight grows (an influence).
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], [9, 8])
    folds = []
    for _ in range(2):
        order = rng.permutation(17)
        halves = [np.concatenate([order[y[order] == c][h::2] for c in (0, 1)]) for h in (0, 1)]
        folds += [(half, np.round(rng.normal(size=len(half)) + y[half], 1)) for half in halves]
    cv = CrossValidatedScores(y, folds)

    def area(fold: tuple[np.ndarray, np.ndarray], weight: np.ndarray) -> float:
        top = bottom = 0.0
        for i, u in zip(*fold, strict=True):
            for j, v in zip(*fold, strict=True):
                if y[i] == 1 and y[j] == 0:
                    bottom += weight[i] * weight[j]
                    top += weight[i] * weight[j] * ((u > v) + 0.5 * (u == v))
        return top / bottom

    step = 1e-5
    for case in range(17):
        up, down = np.ones(17), np.ones(17)
        up[case] += step
        down[case] -= step
        expected = 0.0
        for fold in folds:
            if case in fold[0]:
                m = int((y[fold[0]] == y[case]).sum())
                # √(m/(m − 1)) makes the variance of each fold unbiased.
                expected += np.sqrt(m / (m - 1)) * (area(fold, up) - area(fold, down)) / (2 * step) / 4
        assert cv.contributions[case] == pytest.approx(expected, abs=1e-9)


def test_repeating_the_same_folds_changes_nothing() -> None:
    kept = cross_validate(
        LogisticRegression(), X, Y, cv=StratifiedKFold(4), return_estimator=True, return_indices=True
    )
    cv = from_cv_results(kept, X, Y)
    everywhere = [model.decision_function(X) for model in kept["estimator"]]
    folds = [(test, score[test]) for test, score in zip(kept["indices"]["test"], everywhere, strict=True)]
    thrice = CrossValidatedScores(Y, 3 * folds, everywhere=3 * everywhere)
    assert len(thrice.cross_areas) == 3
    one, three = cross_validated_auc(cv), cross_validated_auc(thrice)
    assert three.standard_error == pytest.approx(one.standard_error, rel=1e-12)
    assert (three.lower, three.upper) == pytest.approx((one.lower, one.upper), abs=1e-12)


def scored_everywhere(repeats: int, k: int, seed: int, *models: object) -> list[CrossValidatedScores]:
    """Models cross-validated on the same folds, with the scores of all cases by each fold's model."""
    folds = RepeatedStratifiedKFold(n_splits=k, n_repeats=repeats, random_state=seed)
    keep = {"return_estimator": True, "return_indices": True}
    return [from_cv_results(cross_validate(m, X, Y, cv=folds, **keep), X, Y) for m in models]


def by_direct_sum(areas: np.ndarray) -> float:
    """The sum over pairs of folds, term by term, of what each taught the model that tests the other."""
    k, total = len(areas), 0.0

    def taught(f: int, h: int) -> float:
        """What fold f taught the models, as it shows on fold h, were it k − 1 times as large."""
        others = [areas[h][g] for g in range(k) if g != h]
        return (k - 1) * (sum(others) / len(others) - areas[h][f])

    for h in range(k):
        for f in range(k):
            if f != h:
                # Less the mean of the row, products have (k − 2)²/(k − 1)² of their mean.
                total += taught(f, h) * taught(h, f) * ((k - 1) / (k - 2)) ** 2
    return total / (k * (k - 1)) ** 2


@pytest.mark.parametrize(("repeats", "k"), [(1, 5), (3, 4)])
def test_folds_that_train_each_others_models(repeats: int, k: int) -> None:
    logit, tree = LogisticRegression(), DecisionTreeClassifier(max_depth=2, random_state=0)
    a, b = scored_everywhere(repeats, k, 4, logit, tree)
    folds = RepeatedStratifiedKFold(n_splits=k, n_repeats=repeats, random_state=4)
    fitted = [logit.fit(X[train], Y[train]).decision_function(X) for train, _ in folds.split(X, Y)]
    tests = [test for _, test in folds.split(X, Y)]
    for repeat, areas in enumerate(a.cross_areas):
        here = slice(repeat * k, repeat * k + k)
        by_sklearn = [[roc_auc_score(Y[t], s[t]) for s in fitted[here]] for t in tests[here]]
        np.testing.assert_allclose(areas, by_sklearn, atol=1e-12)
        np.testing.assert_allclose(np.diagonal(areas), a.fold_auc[here], atol=1e-12)
    plain = [CrossValidatedScores(Y, cv.folds) for cv in (a, b)]
    assert plain[0].cross_areas == ()
    one, without = cross_validated_auc(a), cross_validated_auc(plain[0])
    extra = np.mean([by_direct_sum(areas) for areas in a.cross_areas])
    assert extra != 0.0
    expected = without.standard_error**2 + max(0.0, extra)
    assert one.standard_error**2 == pytest.approx(expected, rel=1e-10)
    assert one.estimate == without.estimate
    gap, alone = cross_validated_auc_difference(a, b), cross_validated_auc_difference(*plain)
    differences = [p - q for p, q in zip(a.cross_areas, b.cross_areas, strict=True)]
    extra = max(0.0, np.mean([by_direct_sum(areas) for areas in differences]))
    assert gap.standard_error**2 == pytest.approx(alone.standard_error**2 + extra, rel=1e-10)
    # The same learner twice: nothing differs, nor do the areas.
    with pytest.warns(confroc.ConfrocWarning, match="Newcombe's interval"):
        assert cross_validated_auc_difference(a, a).estimate == 0.0
    assert pickle.loads(pickle.dumps(a)) == a


def test_two_folds_and_single_ones_show_nothing_of_it() -> None:
    for splitter in (StratifiedKFold(2), StratifiedShuffleSplit(4, test_size=0.6, random_state=0)):
        kept = cross_validate(
            LogisticRegression(), X, Y, cv=splitter, return_estimator=True, return_indices=True
        )
        cv = from_cv_results(kept, X, Y)
        assert [len(areas) for areas in cv.cross_areas] in ([2], [1, 1, 1, 1])
        without = cross_validated_auc(CrossValidatedScores(Y, cv.folds))
        assert cross_validated_auc(cv).standard_error == without.standard_error


def test_scores_everywhere_are_checked() -> None:
    y, rows = np.repeat([0, 1], 6), np.arange(12)
    all_scores = np.random.default_rng(0).normal(size=(3, 12))
    parts = [rows[rows % 3 == f] for f in range(3)]
    folds = [(part, score[part]) for part, score in zip(parts, all_scores, strict=True)]
    cv = CrossValidatedScores(y, folds, everywhere=all_scores)
    assert [areas.shape for areas in cv.cross_areas] == [(3, 3)]
    with pytest.raises(ValueError, match="read-only"):
        cv.cross_areas[0][0, 0] = 1.0
    hole = all_scores.copy()
    hole[1, 2] = np.nan
    for everywhere, words in (
        (all_scores[:2], "`everywhere` must contain scores by 3 models, one per fold; got 2"),
        (all_scores[:, :11], r"`everywhere\[0\]` must contain one score for each of 12 cases; got 11"),
        (hole, r"`everywhere\[1\]` .*missing"),
        (all_scores[[0, 2, 1]], r"`everywhere\[1\]` must agree with folds\[1\] on its test cases"),
    ):
        with pytest.raises(ValueError, match=words):
            CrossValidatedScores(y, folds, everywhere=everywhere)
    with pytest.raises(TypeError, match="`everywhere` must be a list"):
        CrossValidatedScores(y, folds, everywhere=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`b` must have `everywhere` as `a` has"):
        cross_validated_auc_difference(cv, CrossValidatedScores(y, folds))


def test_perfect_folds_have_an_interval_of_some_width() -> None:
    y = np.repeat([0, 1], 10)
    halves = [np.r_[0:5, 10:15], np.r_[5:10, 15:20]]
    cv = CrossValidatedScores(y, [(h, y[h] + 0.1) for h in halves])
    found = cross_validated_auc(cv)
    assert (found.estimate, found.upper) == (1.0, 1.0)
    assert 0.6 < found.lower < 0.95
    assert found.standard_error > 0
    with pytest.warns(confroc.ConfrocWarning, match="Newcombe's interval"):
        same = cross_validated_auc_difference(cv, cv)
    assert same.lower < 0 < same.upper


def test_arms_of_models_that_no_case_tells_apart() -> None:
    """Of two perfect models, and of a perfect one and one that ranks all cases backwards.

    With one fold of 12 + 12 cases the interval of perfect scores is [l, 1], and by symmetry that of the
    others [0, 1 - l]: arms of 1 - l, squared and added.
    """
    y, rows = np.repeat([0, 1], 12), np.arange(24)
    perfect, backwards = (CrossValidatedScores(y, [(rows, s)]) for s in (rows, -rows))
    arm = 1.0 - auc_interval(Scores(y, rows)).lower
    assert 0.1 < arm < 0.3
    ends = {}
    for name, a, b in (
        ("same", perfect, perfect),
        ("better", perfect, backwards),
        ("worse", backwards, perfect),
    ):
        with pytest.warns(confroc.ConfrocWarning, match="Newcombe's interval"):
            found = cross_validated_auc_difference(a, b)
        ends[name] = found.lower, found.upper
    assert ends["same"] == pytest.approx((-arm, arm), abs=1e-9)
    assert ends["better"] == pytest.approx((1.0 - np.sqrt(2.0) * arm, 1.0), abs=1e-9)
    assert ends["worse"] == pytest.approx((-1.0, np.sqrt(2.0) * arm - 1.0), abs=1e-9)


def test_bad_folds_are_refused() -> None:
    y = np.array([0, 0, 0, 1, 1, 1])
    for folds, words in (
        ([], "at least one fold"),
        ([([0, 1, 3], [1.0, 2.0, 3.0])], "at least two cases or clusters of each class"),
        ([([0, 1, 3, 9], [1.0, 2.0, 3.0, 4.0])], "row numbers from 0 to 5"),
        ([([0, 1, 3, 3], [1.0, 2.0, 3.0, 4.0])], "each case once"),
        ([([3, 1, 0, 3], [1.0, 2.0, 3.0, 4.0])], "each case once"),
        ([([0, 1, 3, 4], [1.0, 2.0, 3.0])], "one score for each"),
        ([([0, 1, 3, 4], [1.0, 2.0, 3.0, np.nan])], "no missing values"),
    ):
        with pytest.raises(ValueError, match=words):
            CrossValidatedScores(y, folds)
    with pytest.raises(TypeError, match="row numbers"):
        CrossValidatedScores(y, [([0.5, 1.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0])])
    with pytest.raises(TypeError, match="from_cv_results"):
        cross_validated_auc([0.7, 0.8])
    a = CrossValidatedScores(y, [([0, 1, 3, 4], [1.0, 2.0, 3.0, 4.0])])
    b = CrossValidatedScores(y, [([0, 2, 3, 4], [1.0, 2.0, 3.0, 4.0])])
    with pytest.raises(ValueError, match="folds of `a`"):
        cross_validated_auc_difference(a, b)


@pytest.mark.slow
def test_intervals_contain_the_mean_true_area() -> None:
    # Two Gaussian classes and the direction between the training means: every fitted model's true area is
    # known, Φ(w·δ/(√2|w|)). 600 data sets of 40 + 40 cases, 5 folds, 2 repeats.
    # Were the coverage 0.95, fewer than 540 or more than 592 hits had probability 3e-6 and 2e-6 (binomial);
    # one of 0.88 is found out with probability 0.93, one of 0.995 with 0.99.
    rng = np.random.default_rng(20)
    p, m = 5, 40
    delta = np.full(p, 0.45)
    y = np.repeat([0, 1], m)
    hits, errors, claimed = 0, [], []
    for _ in range(600):
        x = rng.normal(size=(2 * m, p)) + y[:, None] * delta
        folds, everywhere, truth = [], [], []
        for _ in range(2):
            part = np.concatenate([rng.permutation(m) % 5 for _ in range(2)])
            for k in range(5):
                train, test = part != k, np.flatnonzero(part == k)
                w = x[train & (y == 1)].mean(axis=0) - x[train & (y == 0)].mean(axis=0)
                everywhere.append(x @ w)
                folds.append((test, everywhere[-1][test]))
                truth.append(special.ndtr(w @ delta / np.sqrt(2.0 * (w @ w))))
        found = cross_validated_auc(CrossValidatedScores(y, folds, everywhere=everywhere))
        hits += found.lower <= np.mean(truth) <= found.upper
        errors.append(found.estimate - np.mean(truth))
        claimed.append(found.standard_error)
    assert 540 <= hits <= 592
    # Of the error given the models; a spread of 600 is known to 3%, so that 15% is five of its own.
    assert np.sqrt(np.mean(np.square(claimed))) == pytest.approx(np.std(errors), rel=0.15)
