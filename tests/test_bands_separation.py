"""KS and Gini: what a band allows, and an area on another scale."""

from __future__ import annotations

import numpy as np
import pytest

from confroc import (
    PairedScores,
    Scores,
    auc_comparison,
    auc_difference,
    auc_interval,
    comparison,
    difference,
    interval,
    roc_band,
)
from confroc.auc.difference import AUC_DIFFERENCE
from confroc.auc.interval import AUC_INTERVAL
from confroc.bands import ks_statistic
from confroc.bands.roc import ROC_BAND
from confroc.results import Difference, Interval
from confroc.statistics import Gini, KolmogorovSmirnov

g = np.random.default_rng(5)
Y = np.repeat([1, 0], [60, 90])
SCORES = Scores(Y, (g.normal(size=150) + Y).round(1))


def test_ks_is_the_greatest_distance_of_the_two_distributions() -> None:
    found = ks_statistic(SCORES, rng=1)
    # Counted by definition, case by case.
    score = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)
    by_hand = max(np.mean(score[0] >= t) - np.mean(score[1] >= t) for t in SCORES.score)
    assert found.estimate == pytest.approx(by_hand, abs=1e-12)
    assert found.lower < found.estimate < found.upper
    assert KolmogorovSmirnov().value(SCORES) == found.estimate
    assert (found.quantity, found.guarantee, str(found.method)) == ("ks", "bootstrap", "equal_local_levels")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "ks_regions"},
        {"calibration": "exact"},
        {"method": "bootstrap", "rng": 0, "n_resamples": 99},
    ],
)
def test_interval_is_what_curves_in_the_band_can_have(options: dict[str, object]) -> None:
    band = roc_band(SCORES, **options)  # type: ignore[arg-type]
    found = ks_statistic(SCORES, **options)  # type: ignore[arg-type]
    assert ks_statistic(SCORES, method=band.method) == found
    assert (found.method, found.guarantee) == (band.method, band.guarantee)
    at = np.linspace(0.0, 1.0, 4001)
    inner = band.at[np.searchsorted(band.at, at, side="right").clip(1, len(band.at)) - 1]
    assert found.upper >= np.max(np.interp(at, band.at, band.upper) - at) - 1e-9
    assert found.lower >= np.max(np.interp(inner, band.at, band.lower) - at) - 1e-3
    # A curve along either edge is inside the band, and has the end as its statistic.
    for edge, end in ((band.lower, found.lower), (band.upper, found.upper)):
        assert band.contains((band.at, edge))
        assert np.max(edge - band.at) == pytest.approx(end, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*predicted classes")
def test_perfect_and_useless_scores() -> None:
    perfect = ks_statistic(Scores(Y, Y.astype(float)), rng=0)
    assert perfect.estimate == perfect.upper == 1.0
    assert 0.5 < perfect.lower < 1.0
    useless = ks_statistic(Scores.from_counts([1.0], [30], [40]), rng=0)
    assert (useless.estimate, useless.lower) == (0.0, 0.0)


@pytest.mark.parametrize("method", [name for name, m in ROC_BAND.methods.items() if m.kind == "pointwise"])
def test_pointwise_bands_are_refused(method: str) -> None:
    with pytest.raises(ValueError, match="`method` must be one of 'equal_local_levels'"):
        ks_statistic(SCORES, method=method)


def test_options_are_those_of_the_band() -> None:
    with pytest.raises(
        TypeError, match=r"ks_statistic\(\) got an unexpected keyword argument 'calibraton'.*calibration"
    ):
        ks_statistic(SCORES, calibraton="exact")
    with pytest.raises(ValueError, match="`joint` must be left out with method 'equal_local_levels'"):
        ks_statistic(SCORES, joint=False)


METHODS = [name for name, m in AUC_INTERVAL.methods.items() if name not in ("bootstrap_bca", "cortes_mohri")]


@pytest.mark.parametrize("method", METHODS)
def test_gini_is_the_area_on_its_own_scale(method: str) -> None:
    options = {"rng": 0, "n_resamples": 199} if "n_resamples" in AUC_INTERVAL.methods[method].options else {}
    area = auc_interval(SCORES, method=method, **options)  # type: ignore[arg-type]
    found = interval(SCORES, Gini(), method=method, **options)
    assert isinstance(found, Interval)
    assert found.quantity == "gini"
    for name in ("estimate", "lower", "upper"):
        assert getattr(found, name) == pytest.approx(2.0 * getattr(area, name) - 1.0, abs=1e-12)
    assert (found.method, found.confidence_level) == (area.method, area.confidence_level)
    # Somers' D: pairs in order less pairs out of order, over all pairs.
    pos, neg = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)
    assert Gini().value(SCORES) == pytest.approx(np.sign(pos[:, None] - neg[None, :]).mean(), abs=1e-12)


@pytest.mark.parametrize("method", AUC_DIFFERENCE.names)
def test_differences_and_comparisons_of_gini_are_twice_those_of_areas(method: str) -> None:
    options = {"rng": 0, "n_resamples": 199} if method == "bootstrap" else {}
    pair = PairedScores(Y, g.normal(size=150) + Y, g.normal(size=150) + Y)
    area = auc_difference(pair, method=method, **options)  # type: ignore[arg-type]
    found = difference(pair, Gini(), method=method, **options)
    assert isinstance(found, Difference)
    assert found.pvalue == pytest.approx(area.pvalue, rel=1e-9)
    for name in ("estimate", "lower", "upper"):
        assert getattr(found, name) == pytest.approx(2.0 * getattr(area, name), abs=1e-12)
    many, areas = comparison(pair, Gini()), auc_comparison(pair)
    assert many.test.pvalue == pytest.approx(areas.test.pvalue, rel=1e-9)
    np.testing.assert_allclose(many.differences.lower, 2.0 * areas.differences.lower, rtol=1e-9)


def test_standard_error_of_gini_is_that_of_somers_d() -> None:
    found = interval(SCORES, Gini(), method="delong")
    assert isinstance(found, Interval)
    # Somers' D is a U-statistic whose kernel is the sign of a pair's difference; DeLong's variance of it.
    pos, neg = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)
    sign = np.sign(pos[:, None] - neg[None, :])
    variance = sum(sign.mean(axis=1 - k).var(ddof=1) / sign.shape[k] for k in (0, 1))
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)


@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5:confroc.ConfrocWarning")
def test_ks_of_scores_that_rank_backwards_is_no_absolute_value() -> None:
    # Two positives lead, all others come last: the curve is above the diagonal by 2/10, below it by 8/10.
    scores = Scores(np.repeat([1, 0, 1], [2, 20, 8]), np.arange(30.0)[::-1])
    assert ks_statistic(scores, rng=0).estimate == pytest.approx(0.2, abs=1e-12)
    assert ks_statistic(-scores, rng=0).estimate == pytest.approx(0.8, abs=1e-12)
