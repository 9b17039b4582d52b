"""Bands of curves that are given, and the options of averaging, against averages by plain loops."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist, mean, stdev
from typing import Any

import numpy as np
import pytest

from confroc import ConfrocWarning, Scores, UnpairedScores, methods, roc_band, roc_curve
from confroc.bands.curves import resampled
from confroc.bands.edges import Edges
from confroc.bands.fixed_width import displacement
from confroc.models import BinormalModel
from confroc.results import Band
from confroc.sklearn import CrossValidatedScores

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

TRUTH = BinormalModel.from_auc(0.8, b=0.9)
SITES = [TRUTH.sample(20 + i % 3, 25 + i % 5, rng=i) for i in range(45)]
FOLDS = SITES[:6]
TAKERS = ("fixed_width", "vertical_averaging", "threshold_averaging", "auc_hull")


def cases(scores: Scores) -> tuple[list[float], list[float]]:
    """Scores of the positives and of the negatives, one by one."""
    pos, neg = (np.repeat(scores.score, n).tolist() for n in (scores.pos, scores.neg))
    return pos, neg


def above(values: list[float], threshold: float) -> float:
    return sum(v >= threshold for v in values) / len(values)


def tpr_by_looking(scores: Scores, x: float) -> float:
    """Largest true positive rate of a threshold whose false positive rate is at most x; no ties."""
    pos, neg = cases(scores)
    return max([above(pos, t) for t in pos + neg if above(neg, t) <= x + 1e-12], default=0.0)


def edge(band: Band | Edges, which: str, x: float) -> float:
    return float(np.interp(x, band.at, getattr(band, which)))


@pytest.mark.parametrize("distribution", ["normal", "binomial", "empirical"])
def test_vertical_averaging_of_given_curves_by_hand(distribution: Any) -> None:
    samples = SITES if distribution == "empirical" else FOLDS
    band = roc_band(
        samples, method="vertical_averaging", distribution=distribution, n_points=10, confidence_level=0.9
    )
    z = NormalDist().inv_cdf(0.95)
    for x in (0.1, 0.3, 0.7):
        rates = [tpr_by_looking(s, x) for s in samples]
        if distribution == "empirical":
            # The smallest values with a share of 5% and of 95% of 45 at or below them.
            low, high = sorted(rates)[2], sorted(rates)[42]
        else:
            center = mean(rates)
            # The mean of the variances of proportions of each curve's own positives.
            variance = mean(center * (1 - center) / s.n_pos for s in samples)
            half = z * (stdev(rates) if distribution == "normal" else math.sqrt(variance))
            low, high = center - half, center + half
        assert edge(band, "lower", x) == pytest.approx(max(low, 0.0), abs=1e-9)
        assert edge(band, "upper", x) == pytest.approx(min(high, 1.0), abs=1e-9)
        assert edge(band, "estimate", x + 1e-9) == pytest.approx(mean(rates), abs=1e-6)


@pytest.mark.parametrize("joined", ["vertical", "box", "diamond"])
def test_threshold_averaging_of_given_curves_by_hand(joined: Any) -> None:
    band = roc_band(FOLDS, method="threshold_averaging", n_points=9, confidence_level=0.8, joined=joined)
    z = NormalDist().inv_cdf(0.9)
    every = sorted({v for s in FOLDS for side in cases(s) for v in side}, reverse=True)
    points = []
    for i in range(9):
        t = every[round(i * (len(every) - 1) / 8)]
        fprs, tprs = ([above(cases(s)[side], t) for s in FOLDS] for side in (1, 0))
        points.append((mean(fprs), z * stdev(fprs), mean(tprs), z * stdev(tprs)))

    def allowed(x: float, y: float) -> bool:
        inner = min(max(x, 0.0), 1.0)
        return edge(band, "lower", inner) - 1e-9 <= min(max(y, 0.0), 1.0) <= edge(band, "upper", inner) + 1e-9

    for x, a, y, b in points[1:-1]:
        assert allowed(x, y + b)
        assert allowed(x, y - b)
        if joined == "vertical":
            assert edge(band, "upper", x) == pytest.approx(min(y + b, 1.0), abs=1e-9)
            assert edge(band, "lower", x) == pytest.approx(max(y - b, 0.0), abs=1e-9)
        else:
            assert allowed(x - a, y)
            assert allowed(x + a, y)
        if joined == "box":
            assert allowed(x - a, y + b)
            assert allowed(x + a, y - b)
            # And no further than the corner itself, where corners follow each other in order.
            if x - a > 0.0:
                assert edge(band, "upper", x - a) == pytest.approx(min(y + b, 1.0), abs=1e-9)


def test_joining_more_of_the_intervals_makes_a_wider_band() -> None:
    one, diamond, box = (
        roc_band(SITES[0], method="threshold_averaging", joined=joined, rng=1, n_resamples=200).area
        for joined in ("vertical", "diamond", "box")
    )
    assert one < diamond < box


def test_fixed_width_around_the_mean_contains_the_stated_share_of_the_given_curves() -> None:
    band = roc_band(SITES, method="fixed_width", confidence_level=0.9)
    # ⌈46·0.9⌉ of 45 curves; the last one touches an edge.
    assert sum(band.contains(roc_curve(s)) for s in SITES) == 42
    at = np.linspace(0.01, 0.99, 50) + 1e-7
    average = np.mean([roc_curve(s).tpr_at(at) for s in SITES], axis=0)
    np.testing.assert_allclose(np.interp(at, band.at, band.estimate), average, atol=1e-4)


def test_hull_of_given_curves_is_that_of_the_middle_areas() -> None:
    band = roc_band(SITES, method="auc_hull", confidence_level=0.8)
    order = sorted(SITES, key=lambda s: s.auc)
    # The smallest areas with a share of 10% and of 90% at or below them: the 5th and the 41st of 45.
    middle, others = order[4:41], order[:4] + order[41:]
    assert all(band.contains(roc_curve(s)) for s in middle)
    assert not all(band.contains(roc_curve(s)) for s in others)
    for x in np.linspace(0.013, 0.987, 60):
        rates = [tpr_by_looking(s, x) for s in middle]
        assert edge(band, "upper", x) == pytest.approx(max(rates), abs=1e-9)
        assert edge(band, "lower", x) == pytest.approx(min(rates), abs=1e-9)


def test_many_joints_are_laid_out_on_a_coarse_grid_that_loses_no_curve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = [TRUTH.sample(4000, 3001 + 2 * i, rng=i) for i in range(5)]
    exact = roc_band(samples, method="auc_hull", confidence_level=0.5)
    monkeypatch.setattr("confroc.bands.curves.MOST_JOINTS", 1000)
    band = roc_band(samples, method="auc_hull", confidence_level=0.5)
    order = sorted(samples, key=lambda s: s.auc)
    assert all(band.contains(roc_curve(s)) for s in order[1:4])
    assert len(band.at) < len(exact.at)
    for edge in (band.lower, band.upper):
        assert (band.at[0], band.at[-1], edge[0], edge[-1]) == (0.0, 1.0, 0.0, 1.0)
    assert exact.area < band.area < 1.1 * exact.area


@pytest.mark.slow
def test_the_next_curve_of_a_kind_is_inside_as_often_as_the_level_says() -> None:
    """Fixed width at 90%, 40 given curves of one population: 37 of 41 curves in any order, so .90.

    The center is the mean of the given, so a new one is a little further from it: 60 bands, ten new curves
    each, have a standard error of about .02, and .8 to .97 allows for five of them.
    """
    held = []
    for i in range(60):
        curves = [TRUTH.sample(15, 15, rng=1000 * i + j) for j in range(50)]
        band = roc_band(curves[:40], method="fixed_width", confidence_level=0.9)
        held += [band.contains(roc_curve(s)) for s in curves[40:]]
    assert 0.8 < np.mean(held) < 0.97


def test_a_band_of_given_curves_says_what_it_is_about() -> None:
    band = roc_band(SITES, method="fixed_width")
    assert band.guarantee == "none"
    assert "refers to the next such curve, not to one true curve" in band.notes[0]
    threshold = roc_band(FOLDS, method="threshold_averaging")
    assert any("one scale" in note for note in threshold.notes)
    assert threshold.kind == "pointwise"


def test_two_samples_that_share_no_case_are_two_curves() -> None:
    pair = UnpairedScores(SITES[0], SITES[1])
    bands = [roc_band(data, method="vertical_averaging") for data in (pair, [*SITES[:2]], (*SITES[:2],))]
    assert bands[0] == bands[1] == bands[2]


@pytest.mark.parametrize("method", methods.FAMILIES["roc_band"].names)
def test_methods_that_take_no_curves_refuse_them_by_name(method: str) -> None:
    if method in TAKERS:
        roc_band(SITES, method=method)
        return
    with pytest.raises(ValueError, match=r"`method` must be computed from curves.*fixed_width") as caught:
        roc_band(SITES, method=method)
    assert method in str(caught.value)


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (SITES[:39], {"method": "fixed_width"}, "`scores` must contain at least 40 curves"),
        (SITES[:39], {"method": "auc_hull"}, "40 curves"),
        (FOLDS, {"method": "vertical_averaging", "distribution": "empirical"}, "40 curves"),
        (SITES[:1], {"method": "fixed_width"}, r"two curves.*Pass one sample without a list"),
        ([*SITES, 3], {"method": "fixed_width"}, r"`scores\[45\]` must be a Scores"),
        (SITES, {"method": "fixed_width", "n_resamples": 99}, "`n_resamples` must be omitted"),
        ([], {"method": "fixed_width"}, "`scores` must be a Scores, or a list"),
        (FOLDS, {"method": "vertical_averaging", "trials": "curves"}, "`trials` must be omitted.*'normal'"),
        (FOLDS, {"method": "vertical_averaging", "n_points": 1}, "`n_points`"),
        (FOLDS, {"method": "vertical_averaging", "joined": "box"}, "`joined`.*threshold_averaging"),
        (FOLDS, {"method": "fixed_width", "n_points": 9}, "`n_points`"),
    ],
)
def test_what_makes_no_sense_is_refused(data: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        roc_band(data, **options)


def test_mean_and_variance_need_two_resamples_and_quantiles_as_many_as_the_level() -> None:
    for method, law in itertools.product(TAKERS[1:3], ("normal", "binomial")):
        roc_band(SITES[0], method=method, distribution=law, n_resamples=2, rng=0)
        with pytest.raises(ValueError, match="`n_resamples`"):
            roc_band(SITES[0], method=method, distribution=law, n_resamples=1)
        with pytest.raises(ValueError, match="be at least 40 at"):
            roc_band(SITES[0], method=method, distribution="empirical", n_resamples=39)
    with pytest.raises(ValueError, match="be at least 40 at"):
        roc_band(SITES[0], method="fixed_width", n_resamples=39)


def test_the_binomial_variance_as_printed_depends_on_the_number_of_curves_alone() -> None:
    small, large = TRUTH.sample(50, 50, rng=1), TRUTH.sample(1000, 1000, rng=1)
    z = NormalDist().inv_cdf(0.975)
    for scores, curves in ((small, 10), (large, 10), (small, 400), (large, 400)):
        with pytest.warns(ConfrocWarning, match="depends on the number of curves"):
            band = roc_band(
                scores,
                method="vertical_averaging",
                distribution="binomial",
                trials="curves",
                n_resamples=curves,
                rng=2,
            )
        low, high = edge(band, "lower", 0.1), edge(band, "upper", 0.1)
        middle = (low + high) / 2
        assert (high - low) / 2 == pytest.approx(z * math.sqrt(middle * (1 - middle) / curves), rel=1e-9)


def test_points_of_the_sweep_are_joined_by_straight_lines() -> None:
    band = roc_band(SITES[0], method="vertical_averaging", n_points=4, rng=0, n_resamples=50)
    for which in ("lower", "upper"):
        ends = [edge(band, which, x) for x in (0.25, 0.5)]
        assert edge(band, which, 0.4) == pytest.approx(0.4 * ends[0] + 0.6 * ends[1], abs=1e-9)
    fine = roc_band(SITES[0], method="vertical_averaging", n_points=100, rng=0, n_resamples=50)
    assert edge(fine, "lower", 0.25) == pytest.approx(edge(band, "lower", 0.25))
    assert abs(edge(fine, "lower", 0.4) - edge(band, "lower", 0.4)) > 1e-3


def test_folds_hand_over_their_curves() -> None:
    y = np.repeat([1, 0], [30, 40])
    score = np.random.default_rng(0).normal(size=70) + y
    parts = [np.arange(i, 70, 5) for i in range(5)]
    cv = CrossValidatedScores(y, [(part, score[part] * (i + 1)) for i, part in enumerate(parts)])
    np.testing.assert_allclose([s.auc for s in cv.fold_scores], cv.fold_auc)
    band = roc_band(cv.fold_scores, method="vertical_averaging")
    assert edge(band, "estimate", 0.5) == pytest.approx(mean(tpr_by_looking(s, 0.5) for s in cv.fold_scores))


def test_ten_curves_make_a_narrower_fixed_width_than_many() -> None:
    """Macskassy & Provost 2004, section 5.4.3: the largest of ten distances and the 95% quantile of 2,000.

    It is below it with probability .95^10 = .6, and by about a tenth on average; 200 tens err by 2%.
    """
    scores = TRUTH.sample(100, 100, rng=4)
    curves = resampled(scores, n_resamples=2000, rng=5, n_jobs=1)

    def distance(pos: Any, neg: Any, _: Any) -> Any:
        fpr, tpr = (np.concatenate([[0.0], np.cumsum(n) / n.sum()]) for n in (neg, pos))
        return np.array(displacement(curves.center.fpr, curves.center.tpr, fpr, tpr, 1.0))

    distances = curves.each(distance)
    largest, quantile = distances.reshape(200, 10).max(axis=1), np.sort(distances)[1900]
    assert 0.45 < (largest < quantile).mean() < 0.75
    assert largest.mean() < 0.98 * quantile
