"""Bands of rounded scores hold the bands of the exact ones."""

from __future__ import annotations

import numpy as np
import pytest

from confroc import ConfrocWarning, PairedScores, Scores, roc_band, roc_curve, roc_difference_band
from confroc.results.polyline import one_sided_limits


def tables(seed: int, levels: int) -> tuple[Scores, Scores]:
    """The same 80 cases exactly, and in levels of neighboring scores."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [50, 30])
    s = rng.normal(size=80) + 1.2 * y
    exact = Scores(y, s)
    cuts = np.sort(rng.choice(np.arange(1, 80), levels - 1, replace=False))
    parts = np.split(np.argsort(s), cuts)
    rounded = Scores.from_counts(
        [s[p].min() for p in parts],
        pos=[int(y[p].sum()) for p in parts],
        neg=[int((1 - y[p]).sum()) for p in parts],
        score_max=[s[p].max() for p in parts],
    )
    assert not rounded.exact
    return exact, rounded


# The region band is a fixed shape around the empirical curve, so containment must be exact.
@pytest.mark.parametrize("levels", [3, 12, 40])
@pytest.mark.parametrize("seed", range(8))
def test_region_bands_of_rounded_scores_contain_those_of_exact_ones(seed: int, levels: int) -> None:
    exact, rounded = tables(seed, levels)
    inner, outer = (roc_band(s, method="ks_regions") for s in (exact, rounded))
    at = np.union1d(inner.at, outer.at)
    for side in (0, 1):
        lower, upper = (
            [one_sided_limits(band.at, getattr(band, edge), at)[side] for band in (inner, outer)]
            for edge in ("lower", "upper")
        )
        assert (lower[1] <= lower[0] + 1e-9).all()
        assert (upper[1] >= upper[0] - 1e-9).all()
    assert outer.contains(roc_curve(exact))
    assert any("widened" in note for note in outer.notes)
    if levels == 40:
        assert outer.area < 1.0


def test_the_default_band_is_wider_by_the_bound_and_not_more() -> None:
    exact, rounded = tables(1, 60)
    as_if_exact = Scores.from_counts(rounded.score, pos=rounded.pos, neg=rounded.neg)
    plain, wide = (roc_band(s, n_resamples=199, rng=1) for s in (as_if_exact, rounded))
    bound = rounded.fpr_error + rounded.tpr_error
    assert plain.area < wide.area <= plain.area + 2.0 * bound
    assert wide.contains(roc_curve(exact))


def test_smoothing_the_values_of_rounded_scores_warns() -> None:
    _, rounded = tables(2, 30)
    with pytest.warns(ConfrocWarning, match="rounded"):
        roc_band(rounded, method="bootstrap", n_resamples=99, rng=1)


def test_difference_bands_widen_by_both_models_errors() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 60)
    a, b = rng.normal(size=(2, 120)) + y
    exact = PairedScores(y, np.round(a, 1), np.round(b, 1))
    rounded = PairedScores.from_counts(
        exact.score_a,
        exact.score_b,
        exact.pos,
        exact.neg,
        score_a_max=exact.score_a + 0.05,
        score_b_max=exact.score_b + 0.05,
    )
    plain, wide = (roc_difference_band(p, n_resamples=99, rng=1) for p in (exact, rounded))
    grown = (plain.lower - wide.lower) + (wide.upper - plain.upper)
    assert (grown >= 0.0).all()
    assert grown.max() > 0.0
    assert "widened" in " ".join(wide.notes)
