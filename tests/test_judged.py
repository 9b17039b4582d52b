"""The prevalence behind the verdicts of a judge that errs."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from confroc import ConfrocWarning, Scores, confusion_at_threshold, corrected_prevalence

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")


def lang_reiczigel(k: float, n: float, found: Any, missed: Any) -> tuple[float, float]:
    """Lang & Reiczigel 2014, eqs. 4, 6, 7, 16 and 17, at 95%; eq. 4 with (1 − P)² in its last term."""
    z = stats.norm.ppf(0.975)
    n_p, n_se, n_sp = n + z * z, found[1] + 2, missed[1] + 2
    p, se, sp = (k + z * z / 2) / n_p, (found[0] + 1) / n_se, (missed[0] + 1) / n_sp
    middle = (p + sp - 1) / (se + sp - 1)
    parts = middle**2 * se * (1 - se) / n_se, (1 - middle) ** 2 * sp * (1 - sp) / n_sp
    shift = 2 * z * z * (middle * se * (1 - se) / n_se - (1 - middle) * sp * (1 - sp) / n_sp)
    half = z * math.sqrt(p * (1 - p) / n_p + sum(parts)) / (se + sp - 1)
    return max(0.0, middle + shift - half), min(1.0, middle + shift + half)


@pytest.mark.parametrize(
    ("k", "n", "found", "missed"),
    [
        (640, 1000, (92, 100), (85, 100)),
        (20, 100, (45, 50), (45, 50)),
        (60, 400, (160, 200), (285, 300)),
        (23, 150, (58, 60), (71, 80)),
    ],
)
def test_interval_is_close_to_that_of_lang_and_reiczigel(k: int, n: int, found: Any, missed: Any) -> None:
    own = corrected_prevalence(k, n, sensitivity=found, specificity=missed)
    assert own.confidence_interval == pytest.approx(lang_reiczigel(k, n, found, missed), abs=0.004)


@quiet
def test_published_examples_of_known_rates() -> None:
    """Examples of epiR's `epi.prev`: brucellosis in cows, H. pylori in infants (Moujaber et al. 2008)."""
    cows = corrected_prevalence(23, 150, sensitivity=0.96, specificity=0.89)
    assert (round(cows.estimate, 3), cows.lower, round(cows.upper, 2)) == (0.051, 0.0, 0.13)
    children = corrected_prevalence(6, 151, sensitivity=0.964, specificity=0.927)
    assert (children.estimate, children.lower) == (0.0, 0.0)
    # 0.013 by Clopper & Pearson's limit, which is conservative.
    assert 0.006 < children.upper < 0.013


def test_a_perfect_judge_changes_nothing() -> None:
    scores = Scores.from_counts([2, 1], pos=[37, 13], neg=[9, 91])
    plain = confusion_at_threshold(scores, threshold=2).tpr
    found = corrected_prevalence(37, 50, sensitivity=1.0, specificity=1.0)
    assert found.confidence_interval == pytest.approx(plain.confidence_interval, rel=1e-12)


@quiet
def test_coverage_by_enumeration() -> None:
    n, cases = 10, 7
    sizes = range(n + 1), range(cases + 1), range(cases + 1)
    ends = np.empty((n + 1, cases + 1, cases + 1, 2))
    for k, found, missed in itertools.product(*sizes):
        # No estimate where the judge is no better than chance: the whole range.
        ends[k, found, missed] = 0.0, 1.0
        if found + missed > cases:
            given = {"sensitivity": (found, cases), "specificity": (missed, cases)}
            ends[k, found, missed] = corrected_prevalence(k, n, **given).confidence_interval
    covered = []
    for true, se, sp in itertools.product((0.0, 0.1, 0.5, 0.8, 1.0), (0.75, 0.9), (0.8, 0.95)):
        p = (n, true * se + (1.0 - true) * (1.0 - sp)), (cases, se), (cases, sp)
        mass = [stats.binom.pmf(range(m + 1), m, rate) for m, rate in p]
        inside = (ends[..., 0] <= true) & (true <= ends[..., 1])
        covered.append(np.einsum("i,j,k,ijk->", *mass, inside))
    assert min(covered) > 0.94
    assert np.mean(covered) > 0.95


def test_what_is_noted_and_refused() -> None:
    with pytest.warns(ConfrocWarning, match="outside"):
        found = corrected_prevalence(1, 50, sensitivity=0.9, specificity=0.9)
    assert found.estimate == 0.0
    assert "was clipped" in found.notes[0]
    with pytest.warns(ConfrocWarning, match="not significantly better than chance"):
        found = corrected_prevalence(5, 10, sensitivity=(4, 6), specificity=(4, 6))
    assert found.confidence_interval == (0.0, 1.0)
    with pytest.raises(ValueError, match="`sensitivity` must exceed 1 together with `specificity`"):
        corrected_prevalence(5, 10, sensitivity=0.5, specificity=0.5)
    with pytest.raises(ValueError, match="`k` must be whole counts"):
        corrected_prevalence(11, 10, sensitivity=0.9, specificity=0.9)
    with pytest.raises(ValueError, match=r"`specificity` must lie between 0 and 1; got 1\.2"):
        corrected_prevalence(5, 10, sensitivity=0.9, specificity=1.2)


def test_verdicts_that_contradict_the_error_rates_leave_everything_possible() -> None:
    with pytest.warns(ConfrocWarning, match="outside"):
        found = corrected_prevalence(100, 1000, sensitivity=0.92, specificity=0.85)
    assert (found.estimate, found.lower, found.upper) == (0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="whole counts"):
        corrected_prevalence(0.64, 1000, sensitivity=0.92, specificity=0.85)
