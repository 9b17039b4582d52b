"""Cross-validation of clusters, weights and strata: against a jackknife, repeated rows and one test set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_validate

from confroc import auc_interval
from confroc.cli import main
from confroc.sklearn import (
    CrossValidatedScores,
    cross_validated_auc,
    cross_validated_auc_difference,
    from_cv_results,
)
from support import invoke

N, CLUSTERS = 600, 150
ENDS = ("estimate", "lower", "upper", "standard_error")


def sample(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, CLUSTERS, N)
    # Most clusters have one class.
    y = (rng.random(CLUSTERS) < 0.4)[cluster] ^ (rng.random(N) < 0.1)
    common = rng.standard_normal(CLUSTERS)[cluster]
    scores = [y + 0.8 * common + 0.6 * rng.standard_normal(N) for _ in range(2)]
    return {
        "y": y.astype(int),
        "cluster": cluster,
        "scores": scores,
        "weight": 0.2 + rng.random(N),
        "strata": cluster % 4,
    }


def folds_of(d: dict[str, Any], repeats: int = 2, k: int = 5) -> list[np.ndarray]:
    splits = (StratifiedGroupKFold(k, shuffle=True, random_state=r) for r in range(repeats))
    return [test for s in splits for _, test in s.split(d["y"], d["y"], d["cluster"])]


def mean_area(d: dict[str, Any], folds: list[np.ndarray], score: np.ndarray, left: np.ndarray) -> float:
    parts = [f[left[f]] for f in folds]
    return float(np.mean([roc_auc_score(d["y"][f], score[f], sample_weight=d["weight"][f]) for f in parts]))


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_standard_errors_are_those_of_a_jackknife_over_clusters(weighted: bool) -> None:
    d = sample(1)
    if not weighted:
        d["weight"] = np.ones(N)
    folds, (a, b) = folds_of(d, k=3), d["scores"]
    given = {"cluster": d["cluster"], "sample_weight": d["weight"]}
    cvs = [CrossValidatedScores(d["y"], [(f, s[f]) for f in folds], **given) for s in (a, b)]
    every = np.ones(N, bool)
    assert cross_validated_auc(cvs[0]).estimate == pytest.approx(mean_area(d, folds, a, every), abs=1e-12)
    without = [d["cluster"] != c for c in range(CLUSTERS)]
    areas = np.array([[mean_area(d, folds, s, left) for left in without] for s in (a, b)])
    for values, found in (
        (areas[0], cross_validated_auc(cvs[0])),
        (areas[0] - areas[1], cross_validated_auc_difference(*cvs)),
    ):
        jackknife = np.sqrt((CLUSTERS - 1) / CLUSTERS * ((values - values.mean()) ** 2).sum())
        assert found.standard_error == pytest.approx(jackknife, rel=0.05)
    alone = CrossValidatedScores(d["y"], [(f, a[f]) for f in folds])
    assert cross_validated_auc(alone).standard_error < 0.9 * cross_validated_auc(cvs[0]).standard_error


@pytest.mark.parametrize("names", ["cluster", "weight", "weight cluster", "weight cluster strata", "strata"])
def test_one_fold_is_one_test_set(names: str) -> None:
    d = sample(2)
    given = {"sample_weight" if n == "weight" else n: d[n] for n in names.split()}
    score = np.round(d["scores"][0], 1)
    cv = CrossValidatedScores(d["y"], [(np.arange(N), score)], **given)
    found, known = cross_validated_auc(cv), auc_interval(d["y"], score, **given)
    for name in ENDS:
        assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-10)


def test_clusters_of_one_and_equal_weights_are_cases() -> None:
    d = sample(3)
    folds = [(test, d["scores"][0][test]) for _, test in StratifiedKFold(4).split(d["y"], d["y"])]
    plain = cross_validated_auc(CrossValidatedScores(d["y"], folds))
    given = {"cluster": np.arange(N), "sample_weight": np.ones(N)}
    assert cross_validated_auc(CrossValidatedScores(d["y"], folds, **given)) == plain


def test_frequencies_are_repeated_rows() -> None:
    d = sample(4)
    times = np.random.default_rng(4).integers(0, 4, N)
    row = np.repeat(np.arange(N), times)
    folds, score = folds_of(d), d["scores"][0]
    for clusters in (False, True):
        given = {"cluster": d["cluster"]} if clusters else {}
        cv = CrossValidatedScores(
            d["y"], [(f, score[f]) for f in folds], sample_weight=times, weight_kind="frequency", **given
        )
        parts = [np.flatnonzero(np.isin(row, f)) for f in folds]
        again = {"cluster": d["cluster"][row]} if clusters else {}
        repeated = CrossValidatedScores(d["y"][row], [(f, score[row][f]) for f in parts], **again)
        found, known = cross_validated_auc(cv), cross_validated_auc(repeated)
        for name in (*ENDS, "times_tested"):
            assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-10)


def test_clusters_are_not_divided_between_folds() -> None:
    d = sample(5)
    folds = [(test, d["scores"][0][test]) for _, test in StratifiedKFold(4).split(d["y"], d["y"])]
    with pytest.raises(ValueError, match=r"`folds\[0\]` must contain all cases of a cluster or none.*groups"):
        CrossValidatedScores(d["y"], folds, cluster=d["cluster"])
    few = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    y = [1, 1, 1, 1, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="at least two cases or clusters of each class"):
        CrossValidatedScores(y, [([0, 1, 4, 5], [4.0, 3.0, 2.0, 1.0])], cluster=few)


def test_models_of_scikit_learn() -> None:
    d = sample(6)
    x = np.column_stack(d["scores"])
    keep: Any = {"return_estimator": True, "return_indices": True}
    kept = cross_validate(
        LogisticRegression(), x, d["y"], groups=d["cluster"], cv=StratifiedGroupKFold(5), **keep
    )
    cv = from_cv_results(kept, x, d["y"], cluster=d["cluster"])
    assert cv.cases.design is not None
    plain = from_cv_results(kept, x, d["y"])
    a, b = cross_validated_auc(cv), cross_validated_auc(plain)
    assert a.estimate == b.estimate
    assert a.standard_error > 1.2 * b.standard_error
    with pytest.raises(ValueError, match="`b` must have the weights, clusters and strata of `a`"):
        cross_validated_auc_difference(cv, plain)


@pytest.mark.parametrize("case", [False, True])
def test_on_the_command_line(tmp_path: Path, case: bool) -> None:
    d, score = sample(7), sample(8)["scores"][0]
    folds = folds_of(d, repeats=2 if case else 1)
    path = tmp_path / "folds.csv"
    rows = ["y,s,fold,id,patient,w,site"]
    for number, fold in enumerate(folds):
        for i in fold:
            design = f"{d['cluster'][i]},{float(d['weight'][i])!r},{d['strata'][i]}"
            rows.append(f"{d['y'][i]},{float(score[i])!r},{number},{i},{design}")
    path.write_text("\n".join([*rows, ""]), encoding="utf-8")
    args = ["auc", str(path), "--label", "y", "--score", "s", "--fold", "fold", "--cluster", "patient"]
    args += ["--weight", "w", "--strata", "site", "--json", *(["--case", "id"] if case else [])]
    done = invoke(main, args)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["cross_validated_auc"]["s"]
    given = {"cluster": d["cluster"], "sample_weight": d["weight"], "strata": d["strata"]}
    cv = CrossValidatedScores(d["y"], [(f, score[f]) for f in folds], **given)
    known = cross_validated_auc(cv)
    for name in ENDS:
        assert found[name] == pytest.approx(getattr(known, name), rel=1e-10)
