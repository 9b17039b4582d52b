"""First calls in another library's manner are answered by the line to type, and that line works."""

from __future__ import annotations

import importlib
import inspect
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from scipy.sparse import csr_array

import confroc
from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    auc,
    bands,
    cost,
    drift,
    exact,
    ingest,
    lab,
    plot,
    points,
    sklearn,
)
from confroc._check import ArgumentError, ArgumentTypeError
from confroc.cli import main

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 60)
A, B = Y + RNG.normal(size=60), Y + RNG.normal(size=60)


class Model:
    """A fitted classifier, as far as this package looks at one."""

    classes_ = np.array([0, 1])

    def predict(self, X: Any) -> Any:
        return (np.asarray(X)[:, 0] > 0.5).astype(int)

    def predict_proba(self, X: Any) -> Any:
        p = 1.0 / (1.0 + np.exp(-np.asarray(X)[:, 0]))
        return np.c_[1.0 - p, p]


class Forest(Model):
    """One that has a length, but only once it is fitted."""

    def __init__(self, *trees: Model) -> None:
        self.trees = trees

    def __len__(self) -> int:
        if not self.trees:
            raise AttributeError("not fitted")
        return len(self.trees)


class Three(Model):
    """One of three classes."""

    classes_ = np.array(["a", "b", "c"])


class Words(Model):
    """One that was fitted to words."""

    classes_ = np.array(["no", "yes"])


class Frame:
    """What looks like a data frame."""

    columns = ("y", "s")


def _names() -> dict[str, Any]:
    one, other = Scores(Y, A), Scores(Y, B)
    return {
        **{name: getattr(confroc, name) for name in confroc.__all__},
        **{name: getattr(module, name) for module in (cost, exact, lab, sklearn) for name in module.__all__},
        "np": np,
        "y": Y,
        "y_true": Y,
        "s": A,
        "y_score": A,
        "t": B,
        "score_a": A,
        "score_b": B,
        "scores": one,
        "scores_a": one,
        "scores_b": other,
        "fewer": Scores(Y[:40], B[:40]),
        "pair": PairedScores(Y, A, B, names=["lr", "rf"]),
        "two": UnpairedScores(one, other),
        "X": np.c_[A, B],
        "model": Model(),
        "forest": Forest(Model(), Model()),
        "unfitted": Forest(),
        "model_a": Model(),
        "model_b": Model(),
        "three": Three(),
        "words": Words(),
        "confroc": confroc,
        "frame": Frame(),
        "pandas": pd,
        "sklearn": sklearn,
        "csr_array": csr_array,
    }


NAMES = _names()

REFLEXES = {
    # labels and scores where a sample is wanted
    "auc_interval(y, s)": "auc_interval(Scores(y_true, y_score))",
    "roc_curve(y, s)": "roc_curve(Scores(y_true, y_score))",
    "roc_curve(list(y), list(s))": "roc_curve(Scores(y_true, y_score))",
    "roc_band(y_true=y, y_score=s, n_resamples=50)": "roc_band(Scores(y_true, y_score), n_resamples=50)",
    "auc_interval(y_true=y, y_score=s)": "auc_interval(Scores(y_true, y_score))",
    "auc_interval(y, s, alpha=0.1)": "auc_interval(Scores(y_true, y_score), confidence_level=0.9)",
    "tpr_at_fpr(y, s, 0.1)": "tpr_at_fpr(Scores(y_true, y_score), 0.1)",
    "tpr_at_fpr(y, s, [0.1, 0.2])": "tpr_at_fpr(Scores(y_true, y_score), [0.1, 0.2])",
    "tpr_pmf(y, s, 0.1)": "tpr_pmf(Scores(y_true, y_score), 0.1)",
    "auc_difference(y, s, t)": "auc_difference(PairedScores(y_true, score_a, score_b))",
    "auc_difference(y, s)": "auc_difference(PairedScores(y_true, score_a, score_b))",
    "auc_difference(y_true=y, y_score=s)": "auc_difference(PairedScores(y_true, score_a, score_b))",
    "auc_difference(scores, scores_b)": "auc_difference(PairedScores(y_true, score_a, score_b))",
    "auc_comparison(scores, fewer)": "auc_comparison(UnpairedScores(scores_a, scores_b))",
    "auc_comparison(y, s, t, names=['u', 'v'])": "(PairedScores(y_true, score_a, score_b, names=['u', 'v']))",
    "tpr_at_fpr(scores, specificity=0.8)": "tpr_at_fpr(scores, 0.2)",
    "fpr_at_tpr(scores, specificity=0.8)": "to tpr_at_fpr as `fpr`; got 0.8. Write tpr_at_fpr(scores, fpr=0",
    "tpr_at_fpr(scores, recall=0.8)": "Write fpr_at_tpr(scores, tpr=0.8)",
    "auc_sample_size(0.8, 0.7)": "auc_sample_size(0.8, model_b=0.7)",
    "roc_band(scores, n_boot=50)": "roc_band(scores, n_resamples=50).",
    "confroc.auc(y, s)": "roc_curve(Scores(y_true, y_score)).auc",
    "auc_interval(scores, scores_b)": "auc_interval(scores_a)",
    "auc_interval(model, X, y)": "auc_interval(Scores.from_estimator(model, X, y_true))",
    "auc_interval(forest, X, y)": "auc_interval(Scores.from_estimator(model, X, y_true))",
    "auc_interval(unfitted, X, y)": "auc_interval(Scores.from_estimator(model, X, y_true))",
    "auc_interval(y, s, pos_label=1)": "auc_interval(Scores(y_true, y_score, pos_label=1))",
    "auc_difference(y, s, t, nan_policy='omit')": "(y_true, score_a, score_b, nan_policy='omit'))",
    "auc_interval(frame, label='u', score='v', pos_label='p')": "label='u', score='v', pos_label='p'))",
    "auc_difference(model, model)": "PairedScores.from_estimators({'a': model_a, 'b': model_b}, X, y_true)",
    "report(y, s)": "report(Scores(y_true, y_score), 'report.html')",
    "report(y, s, t)": "report(PairedScores(y_true, score_a, score_b), 'report.html')",
    "report(y, s, 'a.html')": "report(Scores(y_true, y_score), 'a.html')",
    "report(scores, scores_b, 'a.html')": "report(PairedScores(y_true, score_a, score_b), 'a.html')",
    "auc_sample_size(y, s)": "auc_sample_size(Scores(y_true, y_score))",
    "auc_sample_size(scores=scores)": "given as `model`; got 'Scores'. Write auc_sample_size(scores)",
    "auc_sample_size(auc_a=0.8, auc_b=0.75)": "auc_sample_size(0.8, model_b=0.75)",
    "auc_sample_size(0.8, baseline=0.7)": "auc_sample_size(0.8, null_auc=0.7)",
    "auc_sample_size(0.8, precision=0.1)": "auc_sample_size(0.8, width=0.1)",
    "auc_sample_size(0.8, prevalence=0.1)": "auc_sample_size(0.8, ratio=9)",
    "auc_sample_size(0.8, beta=0.2)": "auc_sample_size(0.8, power=0.8)",
    "auc_sample_size(0.8, delta=0.05)": "auc_sample_size(0.8, model_b=0.75)",
    "auc_sample_size(0.8, n_pos=100)": "auc_power(0.8, n_pos=100)",
    "auc_interval(0.8, 100, 100)": "auc_power(0.8, n_pos=100, n_neg=100) has. Write auc_interval(Scores(",
    "auc_sample_size()": "auc_sample_size(0.8)",
    "auc_power(0.8, 100, 120)": "auc_power(0.8, n_pos=100, n_neg=120)",
    "PairedScores.from_estimators(model, model, X, y)": "({'a': model_a, 'b': model_b}, X, y_true)",
    "PairedScores.from_estimators([model] * 2, X, y, names=['a', 'b'])": "'b': model_b}, X, y_true)",
    "Scores(model, X, y)": "Scores.from_estimator(model, X, y_true)",
    "Scores(frame, 'income', 'p')": "read_scores(frame, label='income', score='p')",
    "auc_interval(frame, 'income', 'p')": "auc_interval(read_scores(frame, label='income', score='p'))",
    "UnpairedScores(n=scores, s=scores_b)": "UnpairedScores(scores_a, scores_b)",
    "PairedScores(y, a=s, b=t)": "Write PairedScores(y_true, score_a, score_b, names=['a', 'b']).",
    "PairedScores(y, a=s, b=t, pos_label=1)": "score_b, names=['a', 'b'], pos_label=1).",
    "PairedScores(y, s, t, labels=['u', 'v'])": "PairedScores(y_true, score_a, score_b, names=['u', 'v'])",
    "read_scores(y, s)": "be a file or a table; got 'ndarray, ndarray'. Write Scores(",
    "Scores(y, s, t)": "PairedScores(y_true, score_a, score_b)",
    # another library's names of arguments
    "auc_interval(scores, seed=0)": "`rng`; got 0. Write auc_interval(scores, rng=0)",
    "auc_interval(scores, random_state=3, alpha=0.05)": "auc_interval(scores, rng=3, confidence_level=0.95)",
    "roc_band(scores, random_seed=np.int64(7), n_boot=50)": "roc_band(scores, rng=7, n_resamples=50",
    "auc_interval(scores, ci=95)": "auc_interval(scores, confidence_level=0.95)",
    "auc_interval(scores, level=0.9)": "auc_interval(scores, confidence_level=0.9)",
    "auc_interval(scores, conf_level=90.0)": "auc_interval(scores, confidence_level=0.9)",
    "auc_interval(scores, confidence=0.99)": "auc_interval(scores, confidence_level=0.99)",
    "auc_interval(scores, ci=True)": "auc_interval(scores, confidence_level=0.95)",
    "auc_interval(scores, n_bootstraps=99, workers=2)": "n_resamples=99, method='bootstrap', n_jobs=2)",
    "auc_interval(scores, B=500, n_threads=1)": "n_resamples=500, method='bootstrap', n_jobs=1)",
    "auc_interval(scores, methd='delong')": "'method'? Write auc_interval(scores, method='delong')",
    "auc_interval(scores, foo=1)": "Besides it takes method, max_fpr, ",
    "auc_interval(scores, sample_weight=s)": "by Scores.from_counts(score, pos, neg). Write auc_",
    "auc_interval(scores, partial_auc=0.2)": "auc_interval(scores, max_fpr=0.2)",
    "auc_interval(scores, pos_label=1)": "Scores(y_true, y_score, pos_label=...). Write auc_interval(scores)",
    "roc_curve(scores, drop_intermediate=False)": "Every threshold is kept. Write roc_curve(scores)",
    "roc_curve(scores, seed=1)": "It takes no `rng`. Write roc_curve(scores)",
    "auc_sample_size(0.8, alpha=0.05)": "auc_sample_size(0.8, significance_level=0.05)",
    "auc_sample_size(0.8, confidence_level=0.9)": "auc_sample_size(0.8, significance_level=0.1)",
    "tpr_at_fpr(scores, at=0.1)": "tpr_at_fpr(scores, 0.1)",
    "Scores(y_test=y, y_pred=s)": "`y_test` must be given as `y_true`; got 'ndarray'. Write Scores(y_true, ",
    "Scores(y, s, positive=1)": "Scores(y_true, y_score, pos_label=1)",
    "read_scores(frame, y_true='y', y_score='s')": "read_scores(source, label='y', score='s')",
    # what is given by keyword, once, or not at all
    "auc_interval(scores, 'delong')": "auc_interval(scores, method='delong')",
    "auc_interval(scores, 0.9)": "auc_interval(scores, confidence_level=0.9)",
    "auc_interval(scores, 0.05)": "auc_interval(scores, confidence_level=0.95)",
    "roc_band(scores, 99)": "roc_band(scores, n_resamples=99)",
    "tpr_at_fpr(scores, 0.1, 'wald')": "tpr_at_fpr(scores, 0.1, method='wald')",
    "auc_difference(pair, 'less')": "auc_difference(pair, alternative='less')",
    "expected_cost(scores, 10, 1)": "expected_cost(scores, false_negative=10, false_positive=1)",
    "expected_cost(scores)": "expected_cost(scores, false_negative=10, false_positive=1)",
    "read_scores(frame, 'y', 's')": "read_scores(source, label='y', score='s')",
    "Scores(y, s, 1)": "Scores(y_true, y_score, pos_label=1)",
    "Scores(y)": "`y_score` must be given; got nothing. Write Scores(y_true, y_score)",
    "tpr_at_fpr(scores)": "tpr_at_fpr(scores, 0.1)",
    "tpr_at_fpr(scores, 0.1, fpr=0.2)": "`fpr` must be given once; got 0.2. Write tpr_at_fpr(scores, 0.1)",
    "Scores(y, s, labels=[0, 1])": "Write Scores(y_true, y_score, pos_label=1).",
    "auc_interval(0.8, n_pos=50, n_neg=60)": "Write auc_power(0.8, n_pos=50, n_neg=60).",
    "Scores('y', 'lr', data=frame)": "Write read_scores(frame, label='y', score='lr').",
    "PairedScores('y', 'lr', 'nb', data=frame)": "Write read_scores(frame, label='y', score=('lr', 'nb')).",
    "Scores(y, s, name='LR')": "One model has no name here; pictures take it, .plot(name=...). Write S",
    "auc_difference(pair, paired=False)": "in an UnpairedScores as unpaired. Write auc_difference(pair).",
    "auc_difference(scores, scores_b, paired=True)": "Write auc_difference(PairedScores(y_true, score_a, sc",
    "auc_difference(scores, scores_b, paired=False)": "auc_difference(UnpairedScores(scores_a, scores_b)).",
    "cost_curve(scores, false_negative=5, false_positive=1)": "Write expected_cost(scores, false_negative=5",
    "cost_difference(pair, false_negative=5, false_positive=1)": "Write expected_cost_difference(pair, false",
    "calibration_band(scores, n_bins=10)": "It needs no bins: it is made from the cases themselves. Write",
    "auc_interval()": "`scores` must be given; got nothing. Write auc_interval(scores)",
    "report(scores)": "report(scores, 'report.html')",
    "BinormalModel.from_auc()": "Write BinormalModel.from_auc(0.8)",
}


@pytest.mark.parametrize("call", REFLEXES)
def test_the_line_to_type_instead(call: str) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        eval(call, dict(NAMES))
    message = str(caught.value)
    assert REFLEXES[call] in message
    assert len(message) < 420
    # Remedies are there to be typed.
    line = re.search(r"Write (.*)\.$", message)
    assert line is not None, message
    if not any(word in line[1] for word in ("report(", "read_scores(")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", confroc.ConfrocWarning)
            assert eval(line[1], dict(NAMES)) is not None


# --- every public name ---------------------------------------------------------------------------------


def _callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in (confroc, cost, exact, lab, plot, sklearn, auc, bands, drift, ingest, points):
        for name in module.__all__:
            found = getattr(module, name)
            if (
                inspect.ismodule(found)
                or not callable(found)
                or inspect.isabstract(found)
                or getattr(found, "_is_protocol", False)
            ):
                continue
            # Results are made by functions; named tuples and warnings as Python makes them.
            if isinstance(found, type) and issubclass(found, tuple | Warning | confroc.results.Inference):
                continue
            yield f"{module.__name__}.{name}", found


CALLABLES = dict(_callables())


@pytest.mark.parametrize("name", CALLABLES)
def test_every_public_name_answers(name: str) -> None:
    function = CALLABLES[name]
    if any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values()):
        with pytest.raises(ArgumentError, match="zzz"):
            function(zzz=0)
        return
    called = name.split(".")[-1]
    with pytest.raises(ArgumentTypeError, match=f"`zzz` must be an argument of {called}; got 0"):
        function(zzz=0)


def test_a_call_is_answered_in_the_signature_s_own_words() -> None:
    function = confroc.auc_interval
    assert str(inspect.signature(function)).startswith("(scores: 'Scores', *, method: 'str' = ")
    assert str(inspect.signature(Scores)).startswith("(y_true: 'ArrayLike', y_score: 'ArrayLike', *")
    assert function.__doc__ == inspect.unwrap(function).__doc__
    assert pickle.loads(pickle.dumps(function)) is function


def test_errors_of_a_call_that_fits_stay_what_they_are() -> None:
    def progress(*done: int) -> None:
        raise TypeError(f"my own at {done}")

    with pytest.raises(TypeError, match="my own") as caught:
        lab.audit(NAMES["scores"], replications=20, band_replications=20, progress=progress)  # type: ignore[call-arg]
    assert not isinstance(caught.value, ArgumentError)


# --- arguments of the wrong kind ------------------------------------------------------------------------

CV: Any = {"estimator": [Model()], "indices": {"test": [np.arange(60)]}}
HIDDEN = np.ma.masked_array(A, np.arange(60) < 5)

HALVES = [(np.arange(30), A[:30]), (np.arange(30, 60), A[30:])]
FOLDS = sklearn.CrossValidatedScores(Y, HALVES)

REFUSED = {
    "Scores.from_estimator(words, X, y)": "fitted to, 'no', 'yes'; got '0, 1'. Where 1 means yes, write "
    "Scores(y_true, estimator.predict_proba(X)[:, 1]).",
    "Scores.from_estimator(words, X, y, pos_label='yes')": "Where 1 means yes, write",
    "Scores.from_estimator(model, X, pandas.Series(y).map({1: 'yes', 0: 'no'}))": "Where yes means 1, write "
    "Scores(y_true, estimator.predict_proba(X)[:, 1], pos_label='yes').",
    "PairedScores.from_estimators({'a': words, 'b': words}, X, y)": "Where 1 means yes, write",
    "sklearn.from_cv_results(cv, X, ['no', 'yes'] * 30)": "Pass the X and y that",
    "sklearn.auc_scorer(model, X, y)": "got 'Model'. Write scoring=auc_scorer().",
    "sklearn.auc_scorer(needs_proba=True)": "These are method, max_fpr, min_tpr,",
    "sklearn.auc_scorer(pos_label='a')(three, X, y)": ". In a cross-validation fit the models to y == 'a'.",
    "roc_band(folds)": "Every fold has scores of its own: write scores.fold_scores.",
    "auc_interval(folds)": "Every fold has scores of its own: write sklearn.cross_validated_auc(scores).",
    "auc_difference(folds)": "scores of its own: write sklearn.cross_validated_auc_difference(cv_a, cv_b).",
    "auc_comparison(folds)": "scores of its own: write sklearn.cross_validated_auc_difference(cv_a, cv_b).",
    "auc_interval(s)": "Build one with Scores(y_true, y_score).",
    "auc_interval(frame)": "Build one with read_scores(frame, label='y', score='s').",
    "auc_interval('a.csv')": "Build one with read_scores('a.csv', label='y', score='s').",
    "auc_interval(model)": "Build one with Scores.from_estimator(model, X, y_true).",
    "auc_interval(pair)": "e.g. scores['lr'].",
    "auc_interval(two)": "e.g. scores['a'].",
    "roc_band(pair)": "e.g. scores['lr'].",
    "auc_interval([scores, scores_b])": "Build one with scores[0].",
    "roc_band([model, model])": "Scores.from_estimator(scores[0], X, y_true)",
    "auc_difference([scores, scores_b])": "UnpairedScores(*pair); for models on the same cases with Pa",
    "auc_difference([model, model])": "PairedScores.from_estimators(dict(zip('ab', pair)), X, y_true).",
    "auc_comparison([forest, model], X, y)": "from_estimators(dict(zip('ab', models)), X, y_true)).",
    "PairedScores.from_estimators([forest, model], X, y)": "dict(zip('ab', estimators)), X, y_true).",
    "Scores(np.r_[1.0, s[1:]], y, pos_label=1)": "Write Scores(y_true, y_score).",
    "PairedScores(np.r_[1.0, s[1:]], y, y, pos_label=1)": "Write Scores(y_true, y_score).",
    "auc_comparison([model] * 4)": "from_estimators(dict(zip('abcd', scores)), X, y_true).",
    "auc_comparison(y, {'a': s, 'b': t})": "PairedScores(y_true, *y_scores.values(), names=list(y_scores))).",
    "auc_comparison({'a': s, 'b': t}, y)": "PairedScores(y_true, *y_scores.values(), names=list(y_scores))).",
    "auc_comparison({'a': s, 'b': t})": "with PairedScores(y_true, *scores.values(), names=list(scores)) f",
    "auc_difference(y, [s, t])": "Write auc_difference(PairedScores(y_true, *y_scores)).",
    "auc_difference([s, t], y)": "Write auc_difference(PairedScores(y_true, *y_scores)).",
    "cross_validated_auc(model, X, y)": "(model, X, y, return_estimator=True, return_indices=True), X, y)).",
    "cross_validated_auc(model, X, y, cv=5)": "return_indices=True, cv=5), X, y)).",
    "PairedScores(y, s, t, 'u', 'v')": "Write PairedScores(y_true, score_a, score_b, names=['u', 'v']).",
    "PairedScores(frame, ['u', 'v'])": "Write read_scores(frame, label='y', score=('u', 'v')).",
    "PairedScores(frame, 'u', 'v')": "Write read_scores(frame, label='y', score=('u', 'v')).",
    "PairedScores(y, model, model)": "Write PairedScores.from_estimators({'a': model_a, ",
    "PairedScores(model, model, X, y)": "Write PairedScores.from_estimators({'a': model_a, ",
    "Scores.from_estimator(X, y, model)": "The classifier comes first: Scores.from_estimator(model, X, y_t",
    "Scores.from_estimator(model, y, X)": "Write Scores.from_estimator(estimator, X, y_true).",
    "PairedScores.from_estimators({'u': model, 'v': model}, y, X)": "from_estimators(estimators, X, y_true).",
    "Scores.from_estimator(model.predict_proba, X, y)": "Pass the classifier itself, estimator.__self__.",
    "Scores.from_estimator(three, X, y)": "Scores(y_true, estimator.predict_proba(X)[:, 2], pos_label='c').",
    "Scores.from_estimator(three, X, y, pos_label='b')": "estimator.predict_proba(X)[:, 1], pos_label='b').",
    "Scores(y, np.c_[1.0 - s, s].tolist())": "the column of the positive class, [p[1] for p in y_score].",
    "Scores(y, None)": "got 'NoneType'. Pass one value per case.",
    "Scores(y, 's')": "Pass the column itself, e.g. frame['s'].",
    "Scores(y, dict(enumerate(s)))": "Pass its values, list(y_score.values()).",
    "Scores(y, set(s))": "A set has no order: keep one value per case in a list.",
    "Scores(y, (v for v in s))": "Pass one value per case, list(y_score).",
    "Scores(y, np.arange(60).astype('M8[s]'))": "`y_score` must hold numbers; got 'datetime64[s]'.",
    "read_scores(pandas.DataFrame({'s': s}), label='y', score=pandas.Series(s, name='s'))": "score='s'.",
    "read_scores(pandas.DataFrame({'s': s}), label=y, score=s)": "Columns at hand make a Scores(y_true, y_s",
    "read_scores({'y': y, 's': s}, label='y', score='s')": "Make a frame of it: pandas.DataFrame(source).",
    "report(pair, 'a.html', threshold=[0.3, 0.4])": "Write threshold={'lr': 0.3, 'rf': 0.4}.",
    "report('a.html', scores)": "Write report(scores, 'a.html').",
    "report({'a': s, 'b': t}, 'a.html')": "*scores.values(), names=list(scores)), 'a.html').",
    "report([model, model], 'a.html')": "from_estimators(dict(zip('ab', scores)), X, y_true), 'a.html').",
    "report(scores, 'a.html', validation='b.csv')": "read_scores('b.csv', label='y', score='s').",
    "report(pair, 'a.html', validation='b.csv')": "read_scores('b.csv', label='y', score=('lr', 'rf')).",
    "auc_sample_size(0.5)": "`model` must differ from `null_auc`, 0.5; got 0.5. No number of cases",
    "auc_sample_size(0.8, model_b=0.8)": "`model` must differ from the other; got 'equal areas'. No number",
    "PairedScores(y, pandas.DataFrame({'a': s, 'b': t}))": "*y_scores.to_numpy().T, names=list(",
    "auc_interval(from_cv_results(cv, X, y))": "write sklearn.cross_validated_auc(scores).",
    "auc_difference(scores)": "PairedScores(y_true, score_a, score_b) for models on the same cases, or",
    "auc_comparison({'n': scores, 's': scores_b})": "UnpairedScores(*scores.values(), names=list(scores))",
    "Scores(s, y)": "the labels, which come first, then the scores; got 'numbers as scores are",
    "PairedScores(s, t, y)": "Write Scores(y_true, y_score).",
    "Scores(s, np.where(y, 'bad', 'good'))": "the labels, which come first",
    "Scores(y, model.predict_proba(X))": "positive class, as predict_proba has it: y_score[:, 1].",
    "Scores(y, model)": "Let it score the cases: Scores.from_estimator(model, X, y_true).",
    "PairedScores(y, {'a': s, 'b': t})": "PairedScores(y_true, *y_scores.values(), names=list(y_scores)).",
    "(lambda lower, upper: 0)(*auc_interval(scores))": "Write result.lower, result.upper.",
    "list(rates_at_threshold(scores, 0.5))": "Write result.at, result.fpr.",
    "Scores.from_counts(s[:2], np.ma.array([1, 2], mask=[0, 1]), [3, 2])": "got '1 masked'. Where masked is "
    "none, fill them: pos.filled(0).",
    "PairedScores(y, [s, t])": "PairedScores(y_true, *y_scores).",
    "PairedScores(y, np.c_[s, t])": "PairedScores(y_true, *y_scores.T).",
    "PairedScores(scores, scores_b)": "UnpairedScores(scores_a, scores_b) for disjoint cases.",
    "dict(enumerate(roc_curve(scores)))": "fpr, tpr, threshold = curve.fpr, curve.tpr, curve.threshold.",
    "PairedScores.from_estimators([model, model], X, y)": "(dict(zip('ab', estimators)), X, y_true).",
    "PairedScores.from_estimators([('a', model), ('b', model)], X, y)": "(dict(estimators), X, y_true).",
    "PairedScores.from_estimators(model, X, y)": "classifier, Scores.from_estimator(model, X, y_true).",
    "auc_sample_size(PairedScores(y, s, t, s + t))": "e.g. scores['a', 'b'], between",
    "read_scores(pandas.DataFrame({'tree': s}), label='target', score='tree')": "got 'target'. The columns",
    "auc_comparison(pair, baseline='lr')": "auc_comparison(scores, reference='lr')",
    "auc_comparison(pair, correction='holm')": "auc_comparison(scores, adjust='holm')",
    "auc_interval(scores, method='bca')": "Did you mean 'bootstrap_bca'?",
    "auc_interval(scores, method='hanley')": "Did you mean 'hanley_mcneil'?",
    "UnpairedScores({'a': scores, 'b': scores_b})": "UnpairedScores(*samples.values(), names=list(samples)).",
    "Scores(y, pandas.DataFrame({'s': s}))": "Pass its only column, y_score.to_numpy()[:, 0].",
    "Scores(y, np.c_[s, s, s])": "one, y_score[:, 1], and its name as pos_label.",
    "Scores(y, model.predict_proba)": "Call it, and pass what it returns, e.g. y_score(X)[:, 1].",
    "Scores(y, csr_array(s))": "Make it dense: y_score.toarray().ravel().",
    "rates_at_threshold(scores, 'youden')": "`threshold` must be a number, or several; got 'youden'. Give a",
    "auc_sample_size((0.8, 0.7))": "For two models write model=0.8, model_b=0.7.",
    "auc_sample_size(frame)": "Make a pilot sample of it: read_scores(frame, label='y', score='s').",
    "auc_difference(pair, 'lr', 'rf')": "Write auc_difference(pair['lr', 'rf']).",
    "pair['LR']": "Did you mean 'lr'?",
    "drift_monitor(scores, scores_b)": "e.g. [next_month]",
    "from_cv_results((cv, cv), X, y)": "from_cv_results(cv_results[0], X, y), and compare two by",
    "from_cv_results({'lr': cv}, X, y)": "from_cv_results(cv_results['lr'], X, y)",
    "auc_scorer(alpha=0.1)": "Write auc_scorer(confidence_level=0.9).",
    "Scores(np.where(y, '>50K', '<=50K'), s)": "The labels are '<=50K', '>50K'; pass one of them, e.g. pos",
    # what is masked is missing, wherever it is given
    "Scores(y, hidden)": "got '5 missing'",
    "Scores(np.ma.masked_array(y, hidden.mask), s)": "got '5 missing'",
    "Scores(y, Held(hidden))": "got '5 missing'",
    "Scores.from_counts(hidden, y, 1 - y)": "got '5 missing'",
    "PairedScores(y, s, hidden)": "got '5 missing'",
    "Scores.from_estimator(Hiding(), X, y)": "got '5 missing'",
    "CrossValidatedScores(y, [(np.ma.masked_array(np.arange(60), hidden.mask), s)])": "got '5 missing'",
    "tpr_at_fpr(scores, np.ma.masked_array([0.1, 0.2], [0, 1]))": "`fpr` must lie between 0 and 1; got nan",
    "rates_at_threshold(scores, [np.ma.masked_array(1.0, True)])": "`threshold` must not hold NaN",
    "forecast_curve(scores, np.ma.masked_array([0.1, 0.2], [0, 1]))": "`radius` must be one finite number",
    "RocCurve(fpr=hidden, tpr=hidden, threshold=hidden, auc=0.5)": "hold no masked values; got '5 masked'",
}


class Held:
    """A column of another library that hides its mask until it is asked for an array."""

    dtype = "float64"

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.values


class Hiding(Model):
    """A classifier that leaves out some cases."""

    def predict_proba(self, X: Any) -> Any:
        found = super().predict_proba(X)
        return np.ma.masked_array(found, np.c_[HIDDEN.mask, HIDDEN.mask])


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_refused_says_what_to_type(call: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        eval(call, {**NAMES, "cv": CV, "folds": FOLDS, "hidden": HIDDEN, "Held": Held, "Hiding": Hiding})
    assert REFUSED[call] in str(caught.value)


def test_masked_cases_are_left_out_when_asked_for() -> None:
    assert Scores(Y, HIDDEN, nan_policy="omit") == Scores(Y[5:], A[5:])


def test_predicted_classes_are_no_scores() -> None:
    with pytest.warns(confroc.ConfrocWarning, match=r"`y_score` holds two values only.*predict_proba\(X\)"):
        one = Scores(Y, (A > 0.5).astype(int))
    with pytest.warns(confroc.ConfrocWarning, match=r"`score_tree` holds two values only"):
        pair = PairedScores(Y, A, np.where(A > 0.5, 1, -1), names=["lr", "tree"])
    said = "the scores are predicted classes, two values only: their curve has one threshold."
    for result in (confroc.auc_interval(one), confroc.tpr_at_fpr(one, 0.1), confroc.roc_band(one, rng=0)):
        assert said in result.notes
    assert said in one._repr_html_()
    for result in (confroc.auc_difference(pair), confroc.auc_comparison(pair)):
        assert f"tree: {said}" in result.notes


MODELS = "PairedScores.from_estimators({'a': model_a, 'b': model_b}, X, y_true)"
BEST = "expected_cost(Scores(y_true, y_score), false_negative=10, false_positive=1)"
NOT_THERE = {
    "scores.plot()": "'Scores' object has no attribute 'plot'; write "
    "from confroc.plot import CurveDisplay; CurveDisplay.from_scores(scores)",
    "pair.plot()": "; write auc_comparison(scores).plot()",
    "two.plot()": "; write auc_comparison(scores).plot()",
    "scores.fpr": "; write roc_curve(scores).fpr",
    "scores.roc_auc": "; write scores.auc",
    "pair.auc": "; write scores.a.auc, or auc_comparison(scores)",
    "auc_interval(scores).ci": "; write result.lower, result.upper",
    "auc_interval(scores).auc": "; write result.estimate",
    "auc_difference(pair).p": "; write result.pvalue",
    "auc_difference(pair).diff": "; write result.estimate",
    "auc_interval(scores).se": "; write result.standard_error",
    "tpr_at_fpr(scores, 0.1).tpr": "; write result.at, result.estimate",
    "auc_sample_size(0.8).n": "; write result.n_pos + result.n_neg",
    "roc_curve(scores).roc_auc": "; write curve.auc",
    "scores.roc_curve()": "; write roc_curve(scores)",
    "pair.rf": "'PairedScores' object has no attribute 'rf'; write scores['rf']",
    "confroc.roc_auc_score": "; write auc_interval(Scores(y_true, y_score))",
    "confroc.DetCurveDisplay": "; write roc_curve(Scores(y_true, y_score)).plot(scale='probit')",
    "confroc.delong_test": "; write auc_difference(PairedScores(y_true, score_a, score_b))",
    "confroc.optimal_threshold": f"; write {BEST}",
    "confroc.youden": f"; write {BEST}",
    "roc_curve(scores).optimal_threshold": f"; write {BEST.replace('Scores(y_true, y_score)', 'scores')}",
    "confroc.decision_curve": "; write net_benefit(Scores(y_true, y_score), 0.2)",
    "confroc.brier_score": "; write calibration_band(Scores(y_true, y_score))",
    "confroc.partial_auc": "; write auc_interval(Scores(y_true, y_score), max_fpr=0.1)",
    "confroc.permutation_test": "(PairedScores(y_true, score_a, score_b), method='permutation')",
    "confroc.compare": "; write auc_comparison(PairedScores(y_true, score_a, score_b))",
    "rates_at_threshold(scores, 0.2).ppv": "; write points.predictive_values(scores, threshold)",
    "rates_at_threshold(scores, 0.2).sensitivity": "; write result.tpr",
    "confroc.rates_difference_at_threshold(pair, 0.2, 0.2).specificity": "; write -result.fpr.estimate",
    "rates_at_threshold(scores, 0.2).specificity": "; write 1.0 - result.fpr.estimate",
    "confroc.auc_intervals": ". Did you mean 'auc_interval'?",
    "auc_difference(pair).se": "; write result.standard_error",
    "auc_interval(scores).to_pandas()": "; write result.to_frame('pandas')",
    "roc_curve(scores).to_polars()": "; write result.to_frame('polars')",
    "auc_comparison(pair).to_df()": "; write result.to_frame()",
    "tpr_at_fpr(scores, 0.1)._asdict()": "no attribute '_asdict'",
    "auc_difference(pair).p_value": ". Did you mean 'pvalue'?",
    "auc_comparison(pair).pvalues": "; write result.differences.pvalue",
    "PairedScores.from_estimator(model, X, y)": f"no attribute 'from_estimator'; write {MODELS}",
    "Scores.from_estimators([model, model], X, y)": f"; write {MODELS}",
    "Scores.from_predictions(y, s)": "; write Scores(y_true, y_score)",
    "Scores.from_dataframe(frame)": "; write read_scores(frame, label='y', score='s')",
    "Scores.from_estimatr": ". Did you mean 'from_estimator'?",
    "type(auc_interval(scores)).lower": "type object 'Interval' has no attribute 'lower'; its objects have",
    "scores._repr_png_": "no attribute '_repr_png_'",
}


@pytest.mark.parametrize("call", NOT_THERE)
def test_what_is_not_there_says_what_to_type(call: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(NOT_THERE[call]) + "$"):
        eval(call, dict(NAMES))


def test_the_plot_to_type_has_the_interval_of_the_area() -> None:
    _, _, line = NOT_THERE["scores.plot()"].partition("write ")
    names = NAMES | {"ax": Figure().add_subplot()}
    exec(line.replace("(scores)", "(scores, ax=ax)"), names)
    _, words = names["ax"].get_legend_handles_labels()
    assert re.fullmatch(r"AUC [\d.]+ \([\d.]+–[\d.]+\)", words[0])


NOT_THERE_TO_IMPORT = {
    "roc_auc_score": "from confroc import Scores, auc_interval; auc_interval(Scores(y_true, y_score))",
    "RocCurveDisplay": "from confroc import Scores, roc_curve; roc_curve(Scores(y_true, y_score)).plot()",
    "precision_recall_curve": "; rates_at_positive_rate(Scores(y_true, y_score), 0.1)",
    "det_curve": "; roc_curve(Scores(y_true, y_score)).plot(scale='probit')",
    "auc_intervals": ". Did you mean 'auc_interval'?",
    "from_cv_results": "write from confroc.sklearn import from_cv_results",
    "CurveDisplay": "write from confroc.plot import CurveDisplay",
    "gini": "write from confroc.auc import gini",
    "xyzzy": "cannot import name 'xyzzy' from 'confroc'",
}


@pytest.mark.parametrize("name", NOT_THERE_TO_IMPORT)
def test_what_is_not_there_to_import_says_what_to_type(name: str) -> None:
    with pytest.raises(ImportError, match=re.escape(NOT_THERE_TO_IMPORT[name]) + "$"):
        exec(f"from confroc import {name}", {})
    assert not hasattr(confroc, name)
    if NOT_THERE_TO_IMPORT[name].startswith("from"):
        exec(NOT_THERE_TO_IMPORT[name], {"y_true": Y, "y_score": A})


def test_modules_that_no_name_loads_are_imported_all_the_same() -> None:
    names: dict[str, Any] = {}
    exec("from confroc import auc, cli", names)
    assert (names["auc"].__name__, names["cli"].__name__) == ("confroc.auc", "confroc.cli")


# --- lower scores that mean more likely positive ---------------------------------------------------------


@pytest.mark.filterwarnings("ignore:AUC of:confroc.ConfrocWarning")
def test_a_minus_turns_scores() -> None:
    one, pair, two = NAMES["scores"], NAMES["pair"], NAMES["two"]
    assert -one == Scores(Y, -A)
    turned = -one
    assert -turned == one
    turned = -pair
    assert turned == PairedScores(Y, -A, -B)
    assert turned.names == pair.names
    assert (-two).a == -one
    rounded = Scores.from_counts([1, 2, 5], [3, 1, 2], [1, 2, 4], score_max=[1.5, 3, 5], n_dropped=2)
    other = -rounded
    assert other.score.tolist() == [-1.5, -3.0, -5.0]
    assert (other.score_max.tolist(), other.n_dropped) == ([-1.0, -2.0, -5.0], 2)
    assert other.auc == pytest.approx(1.0 - rounded.auc)
    assert other.auc_error == pytest.approx(rounded.auc_error)


@pytest.mark.filterwarnings("ignore:AUC of:confroc.ConfrocWarning")
def test_a_minus_before_a_column(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    rows = (f"{y},{a},{b},{'nw'[i % 2]}" for i, (y, a, b) in enumerate(zip(Y, A, B, strict=True)))
    path.write_text("\n".join(["y,a,-b,site", *rows, ""]))
    assert confroc.read_scores(path, label="y", score="-a") == Scores(Y, -A)
    # A column's own name comes first.
    assert confroc.read_scores(path, label="y", score="-b") == Scores(Y, B)
    pair = confroc.read_scores(path, label="y", score=("-a", "-b"))
    assert pair == PairedScores(Y, -A, B)
    assert pair.names == ("-a", "-b")
    sites = confroc.read_scores(path, label="y", score="-a", group="site")
    assert sites["n"] == Scores(Y[::2], -A[::2])
    confroc.write_counts(PairedScores(Y, A, B), tmp_path / "counts.parquet", score=["a", "b"], label="y")
    assert confroc.read_scores(tmp_path / "counts.parquet", label="y", score="-a") == Scores(Y, -A)
    with pytest.raises(ArgumentError, match="name distinct columns"):
        confroc.read_scores(path, label="y", score=("a", "-a"))


def test_a_low_area_names_the_minus(tmp_path: Path) -> None:
    with pytest.warns(confroc.ConfrocWarning, match=r"pass -Scores\(...\); confroc never flips"):
        Scores(Y, -A)
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["y,a", *(f"{y},{-a}" for y, a in zip(Y, A, strict=True)), ""]))
    with pytest.warns(confroc.ConfrocWarning, match="pass -a as the score"):
        confroc.read_scores(path, label="y", score="a")


def test_the_pilot_s_own_ratio() -> None:
    few = Scores.from_counts([1, 2, 3], pos=[2, 3, 15], neg=[50, 20, 10])
    found, told = confroc.auc_sample_size(few), confroc.auc_sample_size(few, ratio=4.0)
    assert (found.n_pos, found.n_neg, found.power) == (told.n_pos, told.n_neg, told.power)
    against = "the power is that of telling the AUC from 0.5, chance; `null_auc` sets another"
    instead = f"{against}, `width` plans for the interval's width instead."
    assert found.notes == (instead, "4 negatives for each positive, as in the pilot sample.")
    assert told.notes == confroc.auc_sample_size(0.8).notes == (instead,)
    assert confroc.auc_power(0.8, n_pos=30).notes == (f"{against}.",)
    for known in ({"null_auc": 0.5}, {"width": 0.1}, {"model_b": 0.7}):
        assert confroc.auc_sample_size(0.8, **known).notes == ()
    assert confroc.auc_power(few, n_pos=30).power == confroc.auc_power(few, n_pos=30, n_neg=120).power
    assert confroc.auc_power(0.8, n_pos=30).n_neg == 30


def test_the_command_line_names_its_own_option(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("income,s\n>50K,2\n<=50K,1\n")
    found = CliRunner().invoke(main, ["auc", str(path), "--label", "income", "--score", "s"])
    assert "The labels are '<=50K', '>50K'; pass one of them, e.g. --pos-label '>50K'." in found.output


def test_a_result_is_read_by_name() -> None:
    found: Any = confroc.auc_interval(Scores(Y, A))
    with pytest.raises(ArgumentTypeError, match=r"got .an unpacking.. Write result.lower, result.upper"):
        _, _ = found
    with pytest.raises(ArgumentTypeError, match=r"got '\[0\]'. Write result.lower, result.upper"):
        found[0]


NUMBERS: dict[str, Callable[[Any], object]] = {
    "float": float,
    "int": int,
    "round": lambda r: round(r, 3),
    "format": lambda r: f"{r:.3f}",
    "above": lambda r: r > 0.9,
    "below a numpy number": lambda r: np.float64(0.9) < r,
    "sorted": lambda r: sorted([r, r]),
    "minus": lambda r: 1 - r,
    "sum": lambda r: sum([r, r]),
    "mean": lambda r: np.mean([r, r]),
}


@pytest.mark.parametrize("use", NUMBERS)
def test_a_result_is_no_number(use: str) -> None:
    for result in (confroc.auc_interval(Scores(Y, A)), confroc.auc_difference(NAMES["pair"])):
        with pytest.raises(ArgumentTypeError, match=r"be read by name.*Write result\.estimate\.$"):
            NUMBERS[use](result)
        assert f"{result}" == str(result)


def test_a_curve_is_no_number() -> None:
    curve: Any = confroc.roc_curve(Scores(Y, A))
    with pytest.raises(ArgumentTypeError, match=r"Write result\.auc\.$"):
        float(curve)


@pytest.mark.parametrize("make", [pd.DataFrame, pd.Series, dict, lambda r: pd.DataFrame([r])])
def test_a_result_says_where_its_table_is(make: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"result\.upper\. All of it is in result\.to_frame\(\)\."):
        make(confroc.auc_interval(Scores(Y, A)))
    with pytest.raises(ArgumentTypeError, match=r"All of it is in curve\.to_frame\(\)\."):
        make(confroc.roc_curve(Scores(Y, A)))


PACKAGES = {
    "auc": "Write roc_curve(Scores(y_true, y_score)).auc.",
    "plot": "Write roc_curve(Scores(y_true, y_score)).plot().",
    "cost": "Call one of binormal_threshold, cost_band,",
    "exact": "Call one of joint_threshold_pmf, threshold_pmf, tpr_difference_pmf, tpr_pmf.",
    "lab": "Call one of ",
    "sklearn": "Call one of ",
    "points": "Call one of ",
    "bands": "Call one of ",
    "drift": "Call one of ",
}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_no_function(name: str) -> None:
    package = importlib.import_module(f"confroc.{name}")
    with pytest.raises(ArgumentTypeError, match=re.escape(PACKAGES[name])) as caught:
        package(NAMES["scores"])
    assert f"`{name}` must be no function but some; got 'a call'." in str(caught.value)
