"""What many models and groups refuse: the argument in backticks, the rule, the value received, the remedy."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_difference,
    auc_interval,
    read_scores,
)

TRUTH = [0, 1, 0, 1, 1, 0]
NEW, OLD, FLAT = [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], [1] * 6
ROWS = pd.DataFrame({"y": TRUTH, "new": NEW, "old": OLD, "flat": FLAT, "site": list("nnnsss")})


@pytest.fixture(autouse=True)
def below_half() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        yield


def sample(score: Any = None) -> Scores:
    return Scores(TRUTH, NEW if score is None else score)


def three() -> PairedScores:
    return PairedScores(TRUTH, NEW, OLD, FLAT, names=["new", "old", "flat"])


def sites() -> UnpairedScores:
    return UnpairedScores(sample(), sample(OLD), sample(FLAT), names=["north", "south", "west"])


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "one model": (
        lambda: PairedScores(TRUTH, NEW),
        "`y_scores` must contain scores of two or more models; got 1. Pass one score column per "
        "model. For one model use `auc_interval`.",
    ),
    "one estimator": (
        lambda: PairedScores.from_estimators({"new": object()}, [[0.0]] * 6, TRUTH),
        "`estimators` must map two or more names to classifiers; got ['new']. "
        "Pass {'a': model_a, 'b': model_b}.",
    ),
    "one group": (
        lambda: UnpairedScores(sample()),
        "`samples` must be two or more; got 1. Pass one Scores per sample.",
    ),
    "duplicate names": (
        lambda: PairedScores(TRUTH, NEW, OLD, names=["m", "m"]),
        "`names` must be 2 different names; got ['m', 'm']. Pass 2 different names.",
    ),
    "duplicate names of groups": (
        lambda: UnpairedScores(sample(), sample(OLD), names=["n", "n"]),
        "`names` must be 2 different names; got ['n', 'n']. Pass 2 different names.",
    ),
    "an empty name": (
        lambda: PairedScores(TRUTH, NEW, OLD, names=["", "m"]),
        "`names[0]` must not be blank or contain NUL or lone surrogates; got ''. Rename it.",
    ),
    "too few names": (
        lambda: PairedScores(TRUTH, NEW, OLD, FLAT, names=["new", "old"]),
        "`names` must be 3 different names; got ['new', 'old']. Pass 3 different names.",
    ),
    "names in one word": (
        lambda: PairedScores(TRUTH, NEW, OLD, names="mn"),  # type: ignore[arg-type]
        "`names` must be a list; got 'str'. Pass 2 different names.",
    ),
    "numbers for names": (
        lambda: PairedScores(TRUTH, NEW, OLD, names=[1, 2]),  # type: ignore[list-item]
        "`names[0]` must be text; got 1. Pass the name as text, e.g. '0'.",
    ),
    "a model of another length": (
        lambda: PairedScores(TRUTH, NEW, OLD[:3], names=["new", "old"]),
        "`score_old` must have the length of `y_true`, 6; got 3. Pass one value per case in each.",
    ),
    "a model with a gap": (
        lambda: PairedScores(TRUTH, NEW, [1, 2, None, 4, 5, 6], names=["new", "old"]),
        "`score_old` must contain no missing values with nan_policy='raise'; got 1 missing. Remove them, "
        "or pass nan_policy='omit' to drop incomplete cases.",
    ),
    "a model of words": (
        lambda: PairedScores(TRUTH, NEW, list("abcdef"), names=["new", "old"]),
        "`score_old` must contain numbers; got 'a'. Convert the values to numbers.",
    ),
    "one class only": (
        lambda: PairedScores([1] * 6, NEW, OLD),
        "`y_true` must contain both classes; got 6 positives and 0 negatives. "
        "Check the labels and `pos_label`.",
    ),
    "a group of one class": (
        lambda: UnpairedScores(sample(), Scores([1, 1], [1, 2])),
        "`y_true` must contain both classes; got 2 positives and 0 negatives. "
        "Check the labels and `pos_label`.",
    ),
    "a group that is no Scores": (
        lambda: UnpairedScores(sample(), NEW, names=["north", "south"]),  # type: ignore[arg-type]
        "`south` must be a Scores; got 'list'. Pass labels and scores, Scores(y_true, y_score), or "
        "one of several models, scores[0].",
    ),
    "an unknown model": (
        lambda: three()["odl"],
        "`name` must be one of 'new', 'old', 'flat'; got 'odl'. Did you mean 'old'?",
    ),
    "an unknown group": (
        lambda: sites()["sooth"],
        "`name` must be one of 'north', 'south', 'west'; got 'sooth'. Did you mean 'south'?",
    ),
    "a list of one model": (
        lambda: three()[["new"]],
        "`name` must contain two or more distinct names; got ['new']. For one of them use ['new'].",
    ),
    "one model twice": (
        lambda: three()["new", "new"],
        "`name` must contain two or more distinct names; got ['new', 'new']. For one of them use ['new'].",
    ),
    "three where two are wanted": (
        lambda: auc_difference(three()),
        "`pair` must contain two models; got ['new', 'old', 'flat']. Select two, scores['a', 'b'], or "
        "compare all with `auc_comparison`.",
    ),
    "a matrix for columns": (
        lambda: PairedScores(TRUTH, np.column_stack([NEW, OLD])),
        "`y_scores` must contain scores of two or more models; got 1. Pass one score column per "
        "model. For one model use `auc_interval`.",
    ),
    "a list of groups": (
        lambda: UnpairedScores([sample(), sample(OLD)]),  # type: ignore[arg-type]
        "`samples` must be two or more; got 1. Pass one Scores per sample.",
    ),
    "several where one is wanted": (
        lambda: auc_interval(three()),  # type: ignore[arg-type]
        "`scores` must be a Scores; got 'PairedScores'. Pass labels and scores, Scores(y_true, y_score), "
        "or one of several models, scores['new'].",
    ),
    "one where several are wanted": (
        lambda: auc_comparison(sample()),  # type: ignore[arg-type]
        "`scores` must be a PairedScores or an UnpairedScores; got 'Scores'. Pass labels and score "
        "columns, PairedScores(y_true, score_a, score_b), or for disjoint cases "
        "UnpairedScores(scores_a, scores_b).",
    ),
    "an unknown reference": (
        lambda: auc_comparison(three(), reference="odl"),
        "`reference` must be one of 'new', 'old', 'flat'; got 'odl'. Did you mean 'old'?",
    ),
    "an unknown reference group": (
        lambda: auc_comparison(sites(), reference="sooth"),
        "`reference` must be one of 'north', 'south', 'west'; got 'sooth'. Did you mean 'south'?",
    ),
    "an unknown adjustment": (
        lambda: auc_comparison(three(), adjust="tukey"),  # type: ignore[arg-type]
        "`adjust` must be one of 'max_t', 'holm', 'bonferroni', 'none'; got 'tukey'. "
        "Choose one of these names.",
    ),
    "a level in per cent": (
        lambda: auc_comparison(three(), confidence_level=95),
        "`confidence_level` must lie between 0.001 and 0.999999999; got 95. Write 95% as 0.95.",
    ),
    "resamples that nobody draws": (
        lambda: auc_comparison(three(), n_resamples=100),
        "`n_resamples` must be omitted with method 'score_delong'; got 100. "
        "Methods with this option: 'bootstrap', 'permutation'.",
    ),
    "one name of a comparison": (
        lambda: auc_comparison(three())["new"],  # type: ignore[index]
        "`names` must be two different compared models; got 'new'. Use both, e.g. comparison['new', 'old'].",
    ),
    "one name of a comparison twice": (
        lambda: auc_comparison(three())["new", "new"],
        "`names` must be two different compared models; got ('new', 'new'). Use both, e.g. "
        "comparison['new', 'old'].",
    ),
    "an unknown name of a comparison": (
        lambda: auc_comparison(three())["new", "odl"],
        "`names` must be two compared models; got 'odl'. Did you mean 'old'? "
        "The names are 'new', 'old', 'flat'.",
    ),
    "a pair without the reference": (
        lambda: auc_comparison(three(), reference="flat")["new", "old"],
        "`names` must include the reference 'flat'; got ('new', 'old'). "
        "Omit `reference` to compare all pairs.",
    ),
    "a column that is not there": (
        lambda: read_scores(ROWS, label="y", score=("new", "odl")),
        "`score` must be a column of the data; got 'odl'. Did you mean 'old'? The columns are 'y', 'new', "
        "'old', "
        "'flat', 'site'.",
    ),
    "a group column that is not there": (
        lambda: read_scores(ROWS, label="y", score="new", group="sitte"),
        "`group` must be a column of the data; got 'sitte'. Did you mean 'site'? The columns are 'y', 'new', "
        "'old', 'flat', 'site'.",
    ),
    "a group of one class in a table": (
        lambda: read_scores(ROWS.assign(site=list("nnnnsz")), label="y", score="new", group="site"),
        "`group` must have both classes in every group, including 's'; got {'positives': 1, 'negatives': 0}. "
        "Use larger groups, or drop this one.",
    ),
    "one group in a table": (
        lambda: read_scores(ROWS.assign(site="n"), label="y", score="new", group="site"),
        "`group` must give at least two groups; got ['n']. Choose another column.",
    ),
    "a group that is missing": (
        lambda: read_scores(ROWS.assign(site=[*"nnnss", None]), label="y", score="new", group="site"),
        "`group` must contain no missing values with nan_policy='raise'; got 1 missing in 'site'. "
        "Supply the values, or pass nan_policy='omit' to drop these rows.",
    ),
    "groups of several models": (
        lambda: read_scores(ROWS, label="y", score=("new", "old"), group="site"),
        "`group` must be given with one score column; got ['new', 'old']. "
        "Read one model at a time, e.g. score='new'.",
    ),
    "groups by the label": (
        lambda: read_scores(ROWS, label="y", score="new", group="y"),
        "`group` must differ from the label and score columns; got 'y'. "
        "Pass the column of regions, sites, months, ...",
    ),
    "one column twice": (
        lambda: read_scores(ROWS, label="y", score=("new", "new")),
        "`score` must contain distinct columns other than the label; got ['new', 'new']. "
        "Pass columns of scores, each once.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_its_remedy(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == words


def test_a_model_with_all_scores_equal_is_no_error() -> None:
    flat = three()["flat"]
    assert flat.auc == 0.5
    interval = auc_interval(flat)
    assert interval.lower < 0.5 < interval.upper
    compared = auc_comparison(three())
    assert compared["new", "flat"].lower < compared["new", "flat"].estimate < compared["new", "flat"].upper
    assert 0.0 < compared["new", "flat"].pvalue <= 1.0
