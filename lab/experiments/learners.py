"""Populations made of real data: a model fitted on a part scores the rest, which is the population.

Needs scikit-learn (`pip install confroc[sklearn]`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc_lab import SamplePopulation
from confroc_lab._types import FloatArray
from datasets import Table, data_folder, load

Scale: TypeAlias = Literal["log_odds", "probability"]

TRAINING = {"abalone": 1000, "chess": 5000, "covertype": 5000, "credit": 500, "telescope": 1000}
"""Training cases (Dugas & Gadoury 2009, appendix C); adult comes split."""

SORTED = ("chess", "telescope")
"""Sets that are shuffled because their file is sorted."""

POOL, HELD = 256_000, 125_000
"""Cases of Covertype to learn from and to evaluate with (Macskassy & Provost 2004, section 5.3)."""

DIGITS = 9
"""Decimals of the scores that are kept, so that equal cases tie whatever the order of the additions."""


def _needs_sklearn() -> None:
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise ImportError(
            "This experiment fits models with scikit-learn. Run `pip install confroc[sklearn]`."
        ) from None


def split(name: str, tables: list[Table]) -> tuple[Table, Table]:
    """Training and test cases of a data set."""
    if len(tables) == 2:
        return tables[0], tables[1]
    x, positive = tables[0]
    order = np.arange(len(x))
    if name in SORTED:
        np.random.Generator(np.random.PCG64(2009)).shuffle(order)
    parts = order[: TRAINING[name]], order[TRAINING[name] :]
    train, test = (Table(x[rows], positive[rows]) for rows in parts)
    return train, test


def logistic_scores(train: Table, test: Table) -> FloatArray:
    """Log odds of the test cases by logistic regression without penalty, attributes standardized."""
    _needs_sklearn()
    from sklearn.linear_model import LogisticRegression

    mean, sd = train.x.mean(axis=0), train.x.std(axis=0)
    varies = sd > 0.0
    z_train, z_test = ((t.x[:, varies] - mean[varies]) / sd[varies] for t in (train, test))
    model = LogisticRegression(C=1e6, max_iter=2000, tol=1e-6).fit(z_train, train.positive)
    scores = np.round(np.asarray(model.decision_function(z_test), dtype=np.float64), DIGITS) + 0.0
    return np.asarray(scores, dtype=np.float64)


def _population(scores: FloatArray, positive: NDArray[np.bool_]) -> SamplePopulation:
    return SamplePopulation(np.sort(scores[positive]), np.sort(scores[~positive]))


@functools.lru_cache(maxsize=16)
def _logistic_population(name: str, scale: Scale, folder: Path | None) -> SamplePopulation:
    train, test = split(name, load(name, folder))
    scores = logistic_scores(train, test)
    return _population(special.expit(scores) if scale == "probability" else scores, test.positive)


@dataclass(frozen=True)
class LogisticOn:
    """Test cases of a UCI data set, scored by logistic regression (Dugas & Gadoury 2009, appendix C).

    Attributes
    ----------
    name : {"abalone", "adult", "chess", "covertype", "credit", "telescope"}
    scale : {"log_odds", "probability"}
        Of the scores; only methods that smooth them notice.
    """

    name: str
    scale: Scale = "log_odds"

    def prepare(self, folder: Path | None) -> SamplePopulation:
        """Read the data, fit the model, and return the population of test scores."""
        return _logistic_population(self.name, self.scale, data_folder(folder))


@functools.lru_cache(maxsize=1)
def _covertype(folder: Path | None) -> Table:
    return load("covertype", folder)[0]


def _pools(
    training: int, pool: int, test: int, seed: int, folder: Path | None
) -> tuple[Table, NDArray[np.intp], NDArray[np.intp]]:
    """Covertype, the rows drawn with replacement to learn from, and the rows held back."""
    table = _covertype(folder)
    rng = np.random.Generator(np.random.PCG64(seed))
    order = rng.permutation(len(table.x))
    rows, held = order[:pool], order[pool : pool + test]
    return table, rows[rng.integers(len(rows), size=training)], held


@functools.lru_cache(maxsize=8)
def _tree_population(training: int, pool: int, test: int, seed: int, folder: Path | None) -> SamplePopulation:
    _needs_sklearn()
    from sklearn.tree import DecisionTreeClassifier

    table, drawn, held = _pools(training, pool, test, seed, folder)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=seed)
    tree.fit(table.x[drawn], table.positive[drawn])
    leaf = tree.apply(table.x[drawn])
    n = np.bincount(leaf)
    p = np.bincount(leaf, weights=table.positive[drawn])
    laplace = (p + 1.0) / (n + 2.0)
    return _population(laplace[tree.apply(table.x[held])], table.positive[held])


@dataclass(frozen=True)
class TreeOnCovertype:
    """Covertype cases scored by an unpruned tree with Laplace-corrected leaves (Macskassy & Provost 2004).

    A stand-in for C4.5: binary splits by entropy, at least two cases a leaf; a leaf with p positives and n
    negatives scores (p + 1)/(p + n + 2).

    Attributes
    ----------
    training : int
        Cases drawn with replacement from the model-generation pool.
    pool, test : int
        Sizes of the model-generation and ROC-generation pools.
    seed : int
    """

    training: int = 1000
    pool: int = POOL
    test: int = HELD
    seed: int = 2004

    def prepare(self, folder: Path | None) -> SamplePopulation:
        """Read the data, grow the tree, and return the population of test scores."""
        return _tree_population(self.training, self.pool, self.test, self.seed, data_folder(folder))


Learner: TypeAlias = Literal["logistic regression", "naive Bayes", "random forest"]


@functools.lru_cache(maxsize=8)
def _learner_population(learner: Learner, training: int, seed: int, folder: Path | None) -> SamplePopulation:
    _needs_sklearn()
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB

    table, drawn, held = _pools(training, POOL, HELD, seed, folder)
    train, test = (Table(table.x[rows], table.positive[rows]) for rows in (drawn, held))
    if learner == "logistic regression":
        return _population(logistic_scores(train, test), test.positive)
    if learner == "naive Bayes":
        joint = GaussianNB().fit(train.x, train.positive).predict_joint_log_proba(test.x)
        scores = joint[:, 1] - joint[:, 0]
    else:
        forest = RandomForestClassifier(n_estimators=200, random_state=seed).fit(train.x, train.positive)
        scores = forest.predict_proba(test.x)[:, 1]
    return _population(np.round(np.asarray(scores, dtype=np.float64), DIGITS) + 0.0, test.positive)


@dataclass(frozen=True)
class LearnerOnCovertype:
    """Covertype cases as `TreeOnCovertype` splits them, scored by a learner with many distinct scores.

    Attributes
    ----------
    learner : {"logistic regression", "naive Bayes", "random forest"}
        Log odds by logistic regression; log odds by Gaussian naive Bayes; the mean probability of 200 trees.
    training : int
    seed : int
    """

    learner: Learner
    training: int = 1000
    seed: int = 2004

    def prepare(self, folder: Path | None) -> SamplePopulation:
        """Read the data, fit the learner, and return the population of test scores."""
        return _learner_population(self.learner, self.training, self.seed, data_folder(folder))
