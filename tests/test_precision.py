"""Precision and recall: scikit-learn to the last digit, leave-one-out, enumeration, bands carried over."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import special
from sklearn import metrics

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    average_precision,
    average_precision_difference,
    comparison,
    difference,
    fpr_at_tpr,
    interval,
    pr_band,
    pr_curve,
    precision_at_recall,
    read_scores,
    roc_band,
    roc_curve,
)
from confroc.plot import PrBandDisplay, PrCurveDisplay
from confroc.statistics import AveragePrecision, PrecisionAtRecall

rng = np.random.default_rng(5)
Y = np.repeat([1, 0], [40, 160])
S = np.round(rng.normal(size=200) + 1.2 * Y, 1)
ONE = Scores(Y, S)
ASAH = Path(__file__).resolve().parents[1] / "examples" / "asah.csv"


# --- the average precision -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "expected"),
    [("s100b", 0.6856209231721957), ("ndka", 0.48624872262242125), ("wfns", 0.6803366371169433)],
)
def test_average_precisions_of_asah(score: str, expected: float) -> None:
    scores = read_scores(ASAH, label="outcome", pos_label="Poor", score=score)
    assert average_precision(scores).estimate == pytest.approx(expected, abs=1e-15)


def test_scikit_learns_numbers_with_weights() -> None:
    weight = rng.integers(1, 4, 200)
    for kind, given in (("frequency", weight), ("sampling", weight / 7.0)):
        table = Scores(Y, S, sample_weight=given, weight_kind=kind)  # type: ignore[arg-type]
        expected = metrics.average_precision_score(Y, S, sample_weight=given)
        assert average_precision(table).estimate == pytest.approx(expected, abs=1e-14)
        precision, recall, threshold = metrics.precision_recall_curve(Y, S, sample_weight=given)
        curve = pr_curve(table)
        assert curve.precision == pytest.approx(precision[::-1], abs=1e-14)
        assert curve.recall == pytest.approx(recall[::-1], abs=1e-14)
        assert (curve.threshold[:0:-1] == threshold).all()
        assert curve.average_precision == pytest.approx(expected, abs=1e-14)


def test_a_prior_is_a_weight_of_the_negatives_and_a_part_is_the_area_of_its_steps() -> None:
    weight = np.where(Y == 1, 1.0, 0.95 / 0.05 * 40 / 160)
    expected = metrics.average_precision_score(Y, S, sample_weight=weight)
    assert AveragePrecision(prior=0.05).value(ONE) == pytest.approx(expected, abs=1e-14)
    curve = pr_curve(ONE, prior=0.05)
    assert curve.average_precision == pytest.approx(expected, abs=1e-14)
    assert curve.precision[-1] == pytest.approx(0.05)
    middle = (np.arange(30_000) + 0.5) / 30_000 * 0.3
    part = AveragePrecision(max_recall=0.3, prior=0.05)
    assert part.value(ONE) == pytest.approx(curve.precision_at(middle).mean(), abs=1e-4)
    assert part.label == "average_precision[max_recall=0.3, prior=0.05]"


def left_out(statistic: AveragePrecision, y: Any, s: Any) -> Any:
    """The statistic without each of the cases."""
    rows = range(len(y))
    return np.array([statistic.value(Scores(np.delete(y, i), np.delete(s, i))) for i in rows])


def test_influence_and_bias_are_those_of_leaving_out_a_case() -> None:
    """Exactly, for the prevalence of the sample, estimated or fixed."""
    y, s = np.r_[Y[:9], Y[-17:]], np.r_[S[:9], S[-17:]]
    table = Scores(y, s)
    row = np.searchsorted(-table.score, -s)
    without, n, size = left_out(AveragePrecision(), y, s), 26, np.where(y == 1, 9, 17)
    mean = np.where(y == 1, without[:9].mean(), without[9:].mean())
    expected = {
        "full": (n - 1) * size / n * (without.mean() - without),
        "stratified": (size - 1) * (mean - without),
    }
    for sampling, values in expected.items():
        of_pos, of_neg = AveragePrecision(sampling=sampling).influence(table)  # type: ignore[arg-type]
        assert np.where(y == 1, of_pos[row], of_neg[row]) == pytest.approx(values, abs=1e-13)
    bias = float(((size - 1) / size * (without - AveragePrecision().value(table))).sum())
    assert AveragePrecision().bias(table) == pytest.approx(bias, abs=1e-13)


def test_influence_of_a_part_is_nearly_that_of_leaving_out_a_case() -> None:
    """Where the part ends between two positives, the next of them stands in for the one left out."""
    s = rng.normal(size=200) + 1.2 * Y
    table, statistic = Scores(Y, s), AveragePrecision(max_recall=0.6, sampling="stratified")
    without = left_out(statistic, Y, s)
    row = np.searchsorted(-table.score, -s)
    of_pos, of_neg = statistic.influence(table)
    for side, found, size in ((Y == 1, of_pos, 40), (Y == 0, of_neg, 160)):
        expected = (size - 1) * (without[side].mean() - without[side])
        assert np.corrcoef(found[row[side]], expected)[0, 1] > 0.99
        assert found[row[side]].std() == pytest.approx(expected.std(), rel=0.05)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_moments_of_all_rankings() -> None:
    """All rankings of up to five positives and negatives: their mean is Bestgen's (2015) formula.

    The bias by the jackknife is, in the mean, a third of the true one or more; the variance exceeds the true
    one by up to a quarter, where there are no fewer negatives than positives.
    """
    for n_pos, n_neg in itertools.combinations_with_replacement((2, 3, 4, 5), 2):
        n, statistic = n_pos + n_neg, AveragePrecision(sampling="stratified")
        values, biases, variances = [], [], []
        for places in itertools.combinations(range(n), n_pos):
            pos = np.zeros(n, dtype=np.int64)
            pos[list(places)] = 1
            table = Scores.from_counts(np.arange(n, 0, -1.0), pos, 1 - pos)
            values.append(statistic.value(table))
            biases.append(statistic.bias(table))
            sides = zip(statistic.influence(table), (pos, 1 - pos), (n_pos, n_neg), strict=True)
            variances.append(sum(float(np.dot(v**2, c)) / m / (m - 1) for v, c, m in sides))
        harmonic = float((1.0 / np.arange(1, n + 1)).sum()) / n
        assert np.mean(values) == pytest.approx((n_pos - 1) / (n - 1) * (1.0 - harmonic) + harmonic)
        bias = np.mean(values) - n_pos / n
        assert 0.3 * bias < np.mean(biases) < 0.8 * bias
        assert 1.0 < np.mean(variances) / np.var(values) < 1.25


def test_interval_difference_and_comparison() -> None:
    found = average_precision(ONE)
    assert found == interval(ONE, AveragePrecision())
    assert found.method.name == "corrected_logit"  # type: ignore[union-attr]
    plain = average_precision(ONE, method="logit")
    # The estimate is too high.
    assert found.lower < plain.lower
    assert found.upper < plain.upper + 0.01
    resampled = average_precision(ONE, method="bootstrap", rng=1)
    assert resampled.standard_error == pytest.approx(plain.standard_error, rel=0.15)
    fixed = average_precision(ONE, sampling="stratified")
    assert fixed.standard_error < found.standard_error
    pair = PairedScores(Y, {"new": S, "old": np.round(rng.normal(size=200) + 0.8 * Y, 1)})
    two = average_precision_difference(pair, prior=0.1)
    assert two == difference(pair, AveragePrecision(prior=0.1))
    assert two.quantity == "average_precision_new - average_precision_old [prior=0.1]"
    assert comparison(pair, AveragePrecision(prior=0.1))["new", "old"].estimate == pytest.approx(two.estimate)


def test_without_an_error_the_lower_limit_is_that_of_the_area() -> None:
    with pytest.warns(ConfrocWarning, match="Every positive outranks every negative"):
        found = average_precision(np.repeat([1, 0], 25), np.arange(50, 0, -1))
    assert 0.8 < found.lower < 0.95
    assert (found.estimate, found.upper) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"prior": 1.5}, "`prior` must lie strictly between 0 and 1"),
        ({"prior": (3, 9)}, "`prior`"),
        ({"prior": 0.1, "sampling": "full"}, "`prior` must be omitted under sampling='full'"),
        ({"max_recall": 0.0}, "`max_recall` must be above 0 and at most 1"),
        ({"sampling": "half"}, "`sampling`"),
    ],
)
def test_impossible_questions(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        average_precision(ONE, **wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("n_pos", "n_neg", "auc"), [(25, 225, 0.7), (50, 450, 0.85), (25, 25, 0.85)])
def test_coverage_of_the_default_interval(n_pos: int, n_neg: int, auc: float) -> None:
    """Of 1,000 samples the 95% interval contains the truth in 0.92 to 0.98.

    The seed is fixed. Were it not, the coverages of docs/theory/precision.md, 0.946 to 0.955, would leave
    this range with probability below 0.002.
    """
    rng, n, shift = np.random.default_rng(11), n_pos + n_neg, np.sqrt(2.0) * special.ndtri(auc)
    recall = (np.arange(100_000) + 0.5) / 100_000
    odds = n_neg / n_pos * special.ndtr(special.ndtri(recall) - shift)
    truth, hits = float(np.mean(recall / (recall + odds))), 0
    for _ in range(1000):
        y = rng.random(n) < n_pos / n
        found = average_precision(y, rng.normal(size=n) + shift * y)
        hits += found.lower <= truth <= found.upper
    assert 0.92 <= hits / 1000 <= 0.98


# --- points of the curve ---------------------------------------------------------------------------------


def test_precision_at_a_recall_is_the_curve_and_carries_the_interval_over() -> None:
    recall = np.array([0.1, 0.43, 0.8, 1.0])
    found = precision_at_recall(ONE, recall=recall, prior=0.03)
    assert found.estimate == pytest.approx(pr_curve(ONE, prior=0.03).precision_at(recall, interpolate=True))
    fpr = fpr_at_tpr(ONE, tpr=recall)
    for end, other in ((found.lower, fpr.upper), (found.upper, fpr.lower)):
        assert end == pytest.approx(0.03 * recall / (0.03 * recall + 0.97 * other))
    assert np.array_equal(found.threshold, fpr.threshold, equal_nan=True)
    # An estimated prevalence widens it, one from few other cases more.
    widths = [
        precision_at_recall(ONE, recall=recall, **given).upper
        - precision_at_recall(ONE, recall=recall, **given).lower
        for given in ({"sampling": "stratified"}, {}, {"prior": (4, 20)})
    ]
    assert (widths[0][1:] < widths[1][1:]).all()
    assert (widths[1][1:] < widths[2][1:]).all()
    one = interval(ONE, PrecisionAtRecall(0.8, prior=0.03))
    assert (one.lower, one.upper) == pytest.approx((found.lower[2], found.upper[2]))
    with pytest.raises(ValueError, match="`recall` must be above 0"):
        precision_at_recall(ONE, recall=0.0)


def test_steps_and_interpolation_of_the_curve() -> None:
    """Davis and Goadrich's (2006) example: between 5 of 20 at (5, 5) and (10, 30) precision is not linear."""
    table = Scores.from_counts([3, 2, 1], pos=[5, 5, 10], neg=[5, 25, 1970])
    curve = pr_curve(table)
    assert curve.precision_at([0.25, 0.3, 0.5]) == pytest.approx([0.5, 0.25, 0.25])
    found = curve.precision_at([0.3, 0.35, 0.4, 0.45], interpolate=True)
    assert found == pytest.approx([6 / 16, 7 / 22, 8 / 28, 9 / 34])


# --- the band --------------------------------------------------------------------------------------------


def near(band: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A rising curve that runs along the edges of a band, a little inside or outside."""
    at = np.unique(np.r_[0.0, band.at[rng.integers(0, len(band.at), 12)], rng.random(6), 1.0])
    low, high = (np.interp(at, band.at, edge) for edge in (band.lower, band.upper))
    share = np.clip(rng.choice([0.0, 0.5, 1.0]) + rng.normal(scale=0.1, size=len(at)), -0.02, 1.02)
    tpr = np.maximum.accumulate(np.clip(low + share * (high - low), 0.0, 1.0))
    at, tpr = np.r_[0.0, at, 1.0], np.r_[0.0, tpr, 1.0]
    if rng.random() < 0.5:
        # As steps.
        at, tpr = np.repeat(at, 2)[1:], np.repeat(tpr, 2)[:-1]
    return at, tpr


@pytest.mark.parametrize(
    "options", [{"method": "ks_regions"}, {"calibration": "exact"}, {"method": "working_hotelling"}]
)
def test_the_band_contains_what_the_band_of_the_roc_curve_contains(options: dict[str, Any]) -> None:
    band = pr_band(ONE, prior=0.04, **options)
    assert band.guarantee == roc_band(ONE, **options).guarantee
    rng, answers = np.random.default_rng(3), []
    for _ in range(300):
        fpr, tpr = near(band.roc, rng)
        answers.append(band.roc.contains((fpr, tpr)))
        curve = pr_curve(ONE, prior=0.04)
        object.__setattr__(curve, "recall", tpr)
        object.__setattr__(curve, "fpr", fpr)
        assert band.contains(curve) == answers[-1]
    assert 20 < sum(answers) < 280
    curve, inside = pr_curve(ONE, prior=0.04), band.roc.contains(roc_curve(ONE))
    assert band.contains(curve) == inside
    # The same from precisions alone.
    assert band.contains((curve.recall[1:], curve.precision[1:])) == inside
    assert not band.contains((curve.recall[1:], np.clip(2.5 * curve.precision[1:], 0.0, 1.0)))


def test_an_estimated_prevalence_takes_a_fifth_of_the_error() -> None:
    band = pr_band(ONE, method="ks_regions")
    assert band.roc.confidence_level * (1.0 - 0.01) == pytest.approx(0.95)
    low, high = (special.betaincinv(40 + i, 161 - i, p) for i, p in ((0, 0.005), (1, 0.995)))
    assert band.prevalence == pytest.approx((low, high))
    assert "uncertainty of the prevalence" in " ".join(band.notes)
    fixed = pr_band(ONE, method="ks_regions", sampling="stratified")
    assert fixed.prevalence == (0.2, 0.2)
    assert fixed.roc.confidence_level == 0.95
    assert fixed.area < band.area
    elsewhere = pr_band(ONE, method="ks_regions", prior=(4, 20))
    assert elsewhere.prevalence[0] < band.prevalence[0] < band.prevalence[1] < elsewhere.prevalence[1]


@pytest.mark.slow
def test_coverage_of_the_finite_sample_band() -> None:
    """Of 400 samples with a prevalence of 0.2 the 95% band contains the true curve in 0.92 or more.

    The seed is fixed. Were it not, a coverage of 0.95 would fail with probability 0.004.
    """
    rng, hits = np.random.default_rng(4), 0

    def true_precision(recall: Any) -> Any:
        fpr = special.ndtr(special.ndtri(recall) - 1.2)
        return 0.2 * recall / (0.2 * recall + 0.8 * fpr)

    for _ in range(400):
        y = rng.random(200) < 0.2
        band = pr_band(y, rng.normal(size=200) + 1.2 * y, method="ks_regions")
        hits += band.contains(true_precision)
    assert hits / 400 >= 0.92


# --- pictures ----------------------------------------------------------------------------------------------


def test_displays() -> None:
    for result, kind in ((pr_curve(ONE), PrCurveDisplay), (pr_band(ONE, method="ks_regions"), PrBandDisplay)):
        shown = result.plot(name="model")
        assert isinstance(shown, kind)
        assert (shown.ax_.get_xlabel(), shown.ax_.get_ylabel()) == ("Recall", "Precision")
        again = result.plot(ax=shown.ax_)
        assert sum(text.get_text().startswith("F1") for text in again.ax_.texts) == 4
        plt.close("all")
    shown = PrBandDisplay.from_predictions(Y, S, band_kwargs={"method": "ks_regions"}, name="model")
    assert shown.line_.get_label().startswith("model, AP 0.")
    steps = PrCurveDisplay.from_predictions(Y, S).line_
    assert steps.get_drawstyle() == "steps-pre"
    with pytest.raises(ValueError, match="average_precision"):
        PrCurveDisplay(pr_curve(ONE), average_precision(ONE, prior=0.3))
    plt.close("all")


def test_the_roc_curve_is_that_of_the_precision_recall_curve() -> None:
    roc, curve = roc_curve(ONE), pr_curve(ONE)
    assert (curve.recall == roc.tpr).all()
    assert (curve.fpr == roc.fpr).all()
    assert str(curve).startswith("Precision-recall curve: average precision")
    assert curve.to_dict()["prevalence"] == 0.2
