"""Simultaneous bands: what they claim, how ranges are read off, and coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from confroc import PairedScores, Scores, UnpairedScores, roc_curve
from confroc._types import Sampling
from confroc.cost import binormal_threshold, cost_band, cost_curve, cost_difference, cost_difference_band
from confroc.cost.band import full_factor, negative_pieces
from confroc.results import Band
from support import sample

SAMPLINGS: tuple[Sampling, ...] = ("stratified", "full")


def pair_sample(rng: np.random.Generator, n: int = 80) -> PairedScores:
    z = rng.normal(size=2 * n)
    y = np.repeat([1, 0], n)
    return PairedScores(y, 2.0 * y + z, y + 0.6 * z + 0.8 * rng.normal(size=2 * n))


def test_band_over_all_w_holds_between_its_entries() -> None:
    """Pieces end where a threshold changes; on each the cost is one straight line."""
    scores = sample(1, 80, 80, 1.5)
    validation = sample(2, 80, 80, 1.5)
    band = cost_band(scores, validation=validation, n_resamples=200, rng=1)
    assert isinstance(band, Band)
    assert band.at_range == (0.0, 1.0)
    assert band.everywhere
    assert (band.at[0], band.at[-1]) == (0.0, 1.0)
    np.testing.assert_array_equal(band.at[1:-1:2], band.at[2::2])
    np.testing.assert_array_equal(band.threshold[0::2], band.threshold[1::2])
    middle = (band.at[0::2] + band.at[1::2]) / 2
    curve = cost_curve(scores, w=middle, validation=validation)
    np.testing.assert_array_equal(curve.threshold, band.threshold[0::2])
    np.testing.assert_allclose(curve.estimate, (band.estimate[0::2] + band.estimate[1::2]) / 2, atol=1e-14)
    assert band.kind == "simultaneous"
    assert band.guarantee == "bootstrap"


def test_critical_value_by_a_plain_bootstrap() -> None:
    """The same quantile from resampled score vectors, with errors counted case by case."""
    rng = np.random.default_rng(3)
    scores = sample(rng, 40, 40, 1.5)
    pos = np.repeat(scores.score, scores.pos)
    neg = np.repeat(scores.score, scores.neg)
    w, t = np.array([0.2, 0.5, 0.8]), np.array([1.3, 0.7, 0.1])
    band = cost_band(scores, w=w, threshold=t, n_resamples=4000, rng=1)
    truth = w * (pos[:, None] < t).mean(axis=0) + (1 - w) * (neg[:, None] >= t).mean(axis=0)
    largest = []
    for _ in range(4000):
        fn = (rng.choice(pos, 40)[:, None] < t).sum(axis=0)
        fp = (rng.choice(neg, 40)[:, None] >= t).sum(axis=0)
        p, q = (fn + 2) / 44, (fp + 2) / 44
        spread = np.sqrt(w**2 * p * (1 - p) / 44 + (1 - w) ** 2 * q * (1 - q) / 44)
        largest.append(np.max(np.abs(w * p + (1 - w) * q - truth) / spread))
    # The 95% quantile of 4000 draws has a standard error of about 0.03 here: false alarm 1e-6 for both.
    assert band.critical == pytest.approx(float(np.quantile(largest, 0.95)), abs=0.2)
    p, q = ((pos[:, None] < t).sum(axis=0) + 2) / 44, ((neg[:, None] >= t).sum(axis=0) + 2) / 44
    spread = np.sqrt(w**2 * p * (1 - p) / 44 + (1 - w) ** 2 * q * (1 - q) / 44)
    np.testing.assert_allclose(band.upper, w * p + (1 - w) * q + band.critical * spread, atol=1e-12)


def true_cost(t: Any, w: Any, shift: float = 1.5) -> Any:
    return w * ndtr(t - shift) + (1 - w) * ndtr(-t)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["given", "same_sample"])
def test_coverage(source: str) -> None:
    """Of 100 samples fewer than 84 are covered with probability 1e-5 at coverage 0.95, 0.98 at 0.75."""
    rng = np.random.default_rng(5)
    w = np.linspace(0, 1, 41)
    best = binormal_threshold(w, mean_pos=1.5, sd_pos=1)
    covered = 0
    for i in range(100):
        given: dict[str, Any] = {"threshold": best} if source == "given" else {}
        band = cost_band(sample(rng, 60, 60, 1.5), w=w, n_resamples=100, rng=i, **given)
        covered += band.contains((w, true_cost(band.threshold, w)))
    assert covered >= 84


@pytest.mark.slow
def test_difference_band_coverage() -> None:
    """Of 60 samples fewer than 48 are covered with probability 7e-6 at coverage 0.95, 0.94 at 0.70."""
    rng = np.random.default_rng(6)
    w = np.linspace(0, 1, 31)
    t_a, t_b = binormal_threshold(w, mean_pos=2, sd_pos=1), binormal_threshold(w, mean_pos=1, sd_pos=1)
    truth = true_cost(t_a, w, 2.0) - true_cost(t_b, w, 1.0)
    covered = 0
    for i in range(60):
        band = cost_difference_band(
            pair_sample(rng), w=w, threshold_a=t_a, threshold_b=t_b, n_resamples=200, rng=i
        )
        covered += band.contains((w, truth))
    assert covered >= 48


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("design", ["paired", "unpaired"])
@pytest.mark.parametrize("source", ["same_sample", "validation", "given"])
def test_difference_bands_run_in_every_setting(sampling: Any, design: str, source: str) -> None:
    rng = np.random.default_rng(7)
    pair: Any = pair_sample(rng)
    other: Any = pair_sample(rng)
    if design == "unpaired":
        pair, other = UnpairedScores(pair.a, pair.b), UnpairedScores(other.a, other.b)
    options: dict[str, Any] = {
        "same_sample": {},
        "validation": {"validation": other},
        "given": {"threshold_a": 0.9, "threshold_b": 0.5},
    }
    band = cost_difference_band(pair, sampling=sampling, n_resamples=100, rng=1, **options[source])
    assert band.design == design
    assert band.threshold_source == source
    assert (band.lower < band.upper).all()
    assert (band.lower >= -1).all()
    assert 1.5 < band.critical < 6
    w = (band.at[0::2] + band.at[1::2]) / 2
    t_a, t_b = band.threshold_a[0::2], band.threshold_b[0::2]
    pointwise = cost_difference(pair, w=w, sampling=sampling, threshold_a=t_a, threshold_b=t_b)
    if sampling == "stratified":
        half = (band.estimate[0::2] + band.estimate[1::2]) / 2
        np.testing.assert_allclose(pointwise.estimate, half, atol=1e-14)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_ranges_are_where_the_band_is_on_one_side(sampling: Any) -> None:
    pair = pair_sample(np.random.default_rng(8), 400)
    band = cost_difference_band(pair, sampling=sampling, n_resamples=300, rng=2)
    ranges = band.cheaper()
    assert [r.cheaper for r in ranges] == ["a"]
    (r,) = ranges
    assert 0.0 < r.low < 0.3
    assert 0.7 < r.high < 1.0
    assert f"{r}".endswith("model a is cheaper (95% simultaneous)")
    inside = (band.at >= r.low) & (band.at <= r.high)
    assert (band.upper[inside] <= 1e-12).all()
    assert (band.upper[~inside] >= -1e-12).all()
    flipped = PairedScores.from_counts(pair.score_b, pair.score_a, pair.pos, pair.neg)
    (other,) = cost_difference_band(flipped, sampling=sampling, n_resamples=300, rng=2).cheaper()
    assert other.cheaper == "b"


def test_costs_under_both_samplings_differ_by_a_factor() -> None:
    scores, w = Scores.from_counts([2, 1], pos=[30, 20], neg=[15, 85]), np.linspace(0.0, 1.0, 11)
    full, stratified = (
        cost_curve(scores, w=w, threshold=2, sampling=s).estimate for s in ("full", "stratified")
    )
    np.testing.assert_allclose(full, full_factor(w, 50 / 150) * stratified, rtol=1e-12)


def test_where_one_model_is_cheaper_than_none() -> None:
    scores = sample(9, 500, 500, 1.5)
    for sampling in SAMPLINGS:
        band = cost_band(scores, sampling=sampling, n_resamples=200, rng=1)
        (r,) = band.cheaper()
        assert r.cheaper == "model"
        assert 0.0 < r.low < 0.3
        assert 0.7 < r.high < 1.0
    # A threshold that calls everybody positive is no better than a trivial classifier, and worse for small w.
    band = cost_band(scores, threshold=-100, n_resamples=200, rng=1)
    assert [r.cheaper for r in band.cheaper()] == ["trivial"]
    assert band.cheaper()[0].high < 0.5


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("w", [None, [0.9, 0.2, 0.5]], ids=["everywhere", "at some w"])
def test_what_a_band_contains(sampling: Sampling, w: Any) -> None:
    """A fixed threshold's cost by its vertices and as a function; the edges, and a little beyond them."""
    scores = sample(12, 80, 80, 1.5)
    band = cost_band(scores, w=w, threshold=0.7, sampling=sampling, n_resamples=100, rng=1)
    fnr, fpr = scores.pos[scores.score < 0.7].sum() / 80, scores.neg[scores.score >= 0.7].sum() / 80

    def cost(w: Any) -> Any:
        # Under full sampling, half of the cases positive, divided by the larger unit cost.
        return (w * fnr + (1 - w) * fpr) / (1 if sampling == "stratified" else 2 * np.maximum(w, 1 - w))

    ends = np.array([0.0, 1.0])
    np.testing.assert_allclose(band.estimate, cost(band.at), atol=1e-15)
    assert band.contains(cost)
    assert band.contains((ends, cost(ends)))
    assert not band.contains(lambda w: cost(w) + 0.5)
    for edge, out in ((band.lower, -1e-6), (band.upper, 1e-6)):
        assert band.contains((band.at, edge))
        assert not band.contains((band.at, edge + out))
    # A peak between two entries matters only if the band is for all w.
    peak = np.array([0.0, 0.3, 0.35, 0.4, 1.0])
    assert band.contains((peak, cost(peak) + 0.5 * (peak == 0.35))) == (w is not None)
    with pytest.raises(TypeError, match="`curve` must be"):
        band.contains(roc_curve(scores))


def test_a_band_at_some_w_shows_its_entries() -> None:
    w = np.linspace(0.1, 0.9, 33)
    band = cost_band(sample(14, 80, 80, 1.5), w=w, n_resamples=100, rng=1)
    shown = np.array([float(line.split()[0]) for line in str(band).splitlines()[2:12]])
    assert np.abs(shown[:, None] - w).min(axis=1).max() < 5e-4


def test_a_difference_band_contains_differences() -> None:
    pair = pair_sample(np.random.default_rng(13))
    band = cost_difference_band(pair, w=[0.5, 0.2], threshold_a=[0.8, 0.9], threshold_b=0.4, n_resamples=100)
    assert isinstance(band, Band)
    assert band.design == "paired"
    np.testing.assert_array_equal(band.at, [0.2, 0.5])
    np.testing.assert_array_equal(band.threshold_a, [0.9, 0.8])
    assert band.contains((band.at, band.estimate))
    assert not band.contains((band.at, band.upper + 0.01))


def test_pieces_of_a_straight_edge() -> None:
    at = np.array([0.0, 0.2, 0.2, 0.6, 0.6, 1.0])
    edge = np.array([1.0, -1.0, -0.5, -0.5, 0.5, -0.5])
    # Zero at 0.1; negative to 0.6; a jump above; zero again at 0.8.
    got = negative_pieces(at, edge, everywhere=True)
    np.testing.assert_allclose(got, [(0.1, 0.6), (0.8, 1.0)])
    got = negative_pieces(np.array([0.1, 0.2, 0.3, 0.4]), np.array([-1.0, -1.0, 1.0, -1.0]), everywhere=False)
    assert got == [(0.1, 0.2), (0.4, 0.4)]
    assert negative_pieces(at, np.ones(6), everywhere=True) == []


def test_reproducible_and_frozen() -> None:
    scores = sample(10, 80, 80, 1.5)
    one, two = (cost_band(scores, n_resamples=100, rng=4) for _ in range(2))
    np.testing.assert_array_equal(one.upper, two.upper)
    with pytest.raises(AttributeError):
        one.critical = 1.0  # type: ignore[misc]
    assert one.to_dict()["kind"] == "simultaneous"


def test_bad_input() -> None:
    scores = sample(11, 80, 80, 1.5)
    with pytest.raises(ValueError, match="`w` must be given with several values of `threshold`"):
        cost_band(scores, threshold=[0.1, 0.2])
    with pytest.raises(ValueError, match="`n_resamples` must be at least"):
        cost_band(scores, n_resamples=5)
    with pytest.raises(ValueError, match="`threshold` must be omitted"):
        cost_band(scores, threshold=1, validation=scores)
    with pytest.raises(ValueError, match="`w` must lie"):
        cost_difference_band(pair_sample(np.random.default_rng(1)), w=1.5)
