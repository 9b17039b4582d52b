"""What the studies of drift count, against direct computations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from confroc.auditing.areas import delong
from confroc.auditing.rules import Drawn
from confroc.auditing.samples import Samples
from confroc.drift import auc_test, forecast_curve
from confroc.drift.divergence import Divergence, class_divergences
from confroc_lab import NormalPair, Rule, binormal_with_auc
from drifts import (
    CHI2_9,
    DrawnRegimes,
    chance_distances,
    curve_areas,
    directions,
    falls,
    levels_of_tests,
    tilted,
)
from regimes import Regimes, area_sd

LAW = binormal_with_auc(0.7, sd=0.5**0.5)


def drawn(n_pos: int, n_neg: int, reps: int, seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    return Drawn(Samples(*LAW.draw(rng, n_pos, n_neg, reps)), LAW, "stratified", rng)


def test_standard_deviation_of_an_area() -> None:
    """4,000 samples know it to 1.1 %."""
    for area in (0.6, 0.85):
        law = binormal_with_auc(area, sd=0.5**0.5)
        areas = delong(Samples(*law.draw(np.random.default_rng(1), 20, 70, 4000))).auc
        assert area_sd(law, 20, 70) == pytest.approx(areas.std(), rel=0.05)


def test_regimes_are_drawn_for_each_segment() -> None:
    low, high = Regimes.morin(0.55, 0.95).low, Regimes.morin(0.55, 0.95).high
    pos, neg = DrawnRegimes(low, high, 3).draw(np.random.default_rng(2), 600, 900, 200)
    assert pos.shape == (200, 600)
    means = pos.reshape(200, 3, 200).mean(axis=2) - neg.reshape(200, 3, 300).mean(axis=2)
    upper = (means > 0.7).astype(int)
    # 600 segments: one half give or take four standard errors, and in one sample they differ.
    assert upper.mean() == pytest.approx(0.5, abs=0.082)
    assert (np.ptp(upper, axis=1) == 1).mean() == pytest.approx(0.75, abs=0.13)


def test_chance_distances_are_those_of_the_segments() -> None:
    methods = ("as printed", "positives", "negatives", "both classes", "kl")
    asked = drawn(60, 120, 12, 3)
    found = chance_distances(Rule(chance_distances, methods=methods), asked)
    for i, counts in enumerate(found):
        assert (counts.method, counts.quantity) == (methods[i], "below")
    below = np.zeros(5)
    for i in range(12):
        first, second = (
            Samples(asked.samples.pos[i, a][None], asked.samples.neg[i, b][None]).scores(0)
            for a, b in ((slice(0, 30), slice(0, 60)), (slice(30, 60), slice(60, 120)))
        )
        of_whole = class_divergences(first, asked.samples.scores(i), Divergence("kl"), 10)
        limit = forecast_curve(first, radius=[1.0]).limit_without_drift
        below += [
            sum(of_whole) < CHI2_9,
            2 * 30 * of_whole[0] / 0.5 < CHI2_9,
            2 * 60 * of_whole[1] / 0.5 < CHI2_9,
            sum(of_whole) / (0.5 * 0.5 * (1 / 30 + 1 / 60)) < CHI2_9,
            sum(class_divergences(second, first, Divergence("kl"), 10)) < limit,
        ]
    assert [int(c.covered[0]) for c in found] == below.tolist()


def test_a_direction_goes_as_far_as_it_is_asked() -> None:
    logs = [np.random.default_rng(4).standard_normal(n) for n in (30, 50)]
    u, v = tilted(logs, 0.02)
    assert u.sum() == pytest.approx(1.0)
    assert sum(float(np.sum(p * np.log(p * len(p)))) for p in (u, v)) == pytest.approx(0.02, rel=1e-6)
    assert np.corrcoef(np.log(u), logs[0])[0, 1] == pytest.approx(1.0)


def test_no_direction_moves_the_area_further_than_the_bounds() -> None:
    (found,) = directions(Rule(directions, methods=("bins",), at=(0.0, 0.5, 1.0)), drawn(40, 60, 60, 5))
    # A share is positive, and one at most.
    assert found.covered[[0, 2]].tolist() == [0, 60]
    # The cosine to the steepest direction: cos² is Beta(1/2, 17/2); 60 draws, four standard errors.
    assert found.share[1] == pytest.approx(stats.beta(0.5, 8.5).cdf(0.25), abs=0.1)


def test_falls_and_curves_are_those_of_the_library() -> None:
    asked = drawn(30, 40, 5, 6)
    curve = curve_areas(Rule(curve_areas, methods=("kl", "delong"), at=(0.01, 0.3)), asked)
    area, share = falls(Rule(falls, methods=("area", "share of what is misplaced")), asked)
    made = [forecast_curve(asked.samples.scores(i), radius=[0.01, 0.3]) for i in range(5)]
    assert curve[0].mean_width == pytest.approx(np.mean([m.upper - m.lower for m in made], axis=0))
    assert curve[1].mean_width[0] == curve[1].mean_width[1]
    drop = [m.estimate[0] - m.lower[0] for m in made]
    assert area.mean_width[0] == pytest.approx(np.mean(drop))
    assert share.mean_width[0] == pytest.approx(
        np.mean([d / (1 - m.estimate[0]) for d, m in zip(drop, made, strict=True)])
    )


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_levels_are_those_of_the_tests() -> None:
    pair = NormalPair((1.0, 1.0), (0.0, 0.0), 1.0, 1.0, 0.5)
    rng = np.random.default_rng(7)
    samples = Samples(*pair.draw(rng, 12, 12, 8))
    rule = Rule(levels_of_tests, methods=("auc_test",), confidence_level=0.6, n_resamples=19)
    (found,) = levels_of_tests(rule, Drawn(samples, pair, "stratified", np.random.default_rng(8)))
    again = np.random.default_rng(8)
    kept = [
        auc_test(
            samples.pair(i).a, null_auc=pair.a.auc, method="nearest_population", n_resamples=19, rng=again
        ).pvalue
        > 0.4
        for i in range(8)
    ]
    assert found.covered[0] == sum(kept)
    assert 0 < sum(kept) < 8
