"""The audit of clusters, weights and strata: its samples, its population, and what it recommends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from confroc import Scores, auc_interval
from confroc.auditing import audit
from confroc.auditing.dependent import drawn_whole
from confroc.auditing.smoothed import SmoothedCopy


def sample(each: int = 5, **given: Any) -> Scores:
    rng = np.random.default_rng(1)
    patient = np.repeat(np.arange(60), each)
    y = patient < 22
    score = 1.5 * y + rng.standard_normal(60)[patient] + 0.5 * rng.standard_normal(len(patient))
    columns = {
        "cluster": patient,
        "sample_weight": rng.lognormal(0.0, 0.5, 60)[patient],
        "strata": patient % 3,
    }
    return Scores(y, score, **{name: columns[name] for name in given})


def test_samples_have_the_design() -> None:
    scores = sample(cluster=1, sample_weight=1, strata=1)
    design, copy = scores.design, SmoothedCopy.of(scores)
    assert design is not None
    found = drawn_whole(design, copy, np.random.default_rng(2), 20)
    for table in found.tables:
        drawn = table.design
        assert drawn is not None
        assert (drawn.n_clusters, drawn.rows) == (60, 300)
        assert [len(np.unique(drawn.clusters[0].code[drawn.stratum.code == h])) for h in range(3)] == [20] * 3
        # Clusters are whole: five rows of one class and one weight.
        codes = drawn.clusters[0].code
        assert (np.bincount(codes, drawn.count) == 5).all()
        for c in range(60):
            own = codes == c
            assert len(set(drawn.positive[own])) == 1
            assert np.ptp(drawn.weight[own]) < 1e-12
    assert found.n_pos == pytest.approx(scores.n_pos)


@pytest.mark.parametrize("names", [["cluster"], ["sample_weight"], ["cluster", "sample_weight"]])
def test_the_population_is_the_weighted_sample(names: list[str]) -> None:
    scores = sample(**dict.fromkeys(names, 1))
    exact = SmoothedCopy.of(scores, exact=True)
    assert exact.auc == pytest.approx(scores.auc, abs=1e-12)
    fpr, tpr = exact.rates(exact.support)
    assert tpr[::-1] == pytest.approx(scores.pos_above / scores.n_pos, abs=1e-12)
    assert fpr[::-1] == pytest.approx(scores.neg_above / scores.n_neg, abs=1e-12)
    smooth = SmoothedCopy.of(scores)
    assert smooth.auc == pytest.approx(scores.auc, abs=0.01)
    areas = [t.auc for t in drawn_whole(scores.design, smooth, np.random.default_rng(3), 400).tables]
    # Means of ratios of weights are biased by less than their standard error.
    assert np.mean(areas) == pytest.approx(smooth.auc, abs=4.0 * np.std(areas) / 20.0)
    assert np.std(areas) == pytest.approx(auc_interval(scores).standard_error, rel=0.2)


@pytest.mark.slow
def test_an_audit_of_clusters() -> None:
    scores = sample(cluster=1)
    found, again = (audit(scores, replications=60, rng=1, n_jobs=n) for n in (1, 2))
    assert found == again
    known = {v.method: v for v in found.verdicts if v.statement == "area"}
    assert known["score_delong"].coverage > 0.85
    # Intervals of independent cases would be a third as wide and cover two thirds.
    own = auc_interval(scores)
    assert known["score_delong"].width == pytest.approx(own.upper - own.lower, rel=0.25)
    assert "exact_bootstrap" not in {v.method for v in found.verdicts}
    text = str(found)
    assert "Not available for weighted, clustered or stratified cases" in text
    assert "60 clusters" in text


def test_what_an_audit_refuses() -> None:
    scores = sample(cluster=1)
    with pytest.raises(ValueError, match="`size` must be omitted with weights, clusters and strata"):
        audit(scores, size=(10, 10))
    rng = np.random.default_rng(4)
    y, pair = rng.random(60) < 0.5, (np.arange(60) % 7, np.arange(60) % 5)
    with pytest.raises(ValueError, match="`cluster` must have one identifier per row"):
        audit(Scores(y, y + rng.standard_normal(60), cluster=pair))


def test_independent_cases_are_audited_as_before() -> None:
    plain = sample(each=1)
    alone = sample(each=1, cluster=1)
    assert alone.design is None
    assert audit(plain, replications=40, rng=2) == audit(alone, replications=40, rng=2)
