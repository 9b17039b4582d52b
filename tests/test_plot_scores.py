"""Distributions of scores and calibration curves: what is drawn is what the cases and the band say."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.figure import Figure

from confroc import Scores, calibration_band
from confroc.plot import CalibrationDisplay, ScoresDisplay
from confroc.scores.binning import binned

g = np.random.default_rng(6)
Y = np.repeat([1, 0], [300, 700])
RISKS = Scores(Y, g.random(1000) * (0.3 + 0.7 * Y))
TAIL = Scores(Y, np.exp(2.0 * g.normal(size=1000) + Y))
GRADES = Scores(Y, g.integers(1, 5, 1000) + Y)


HUGE = Scores([0, 1, 0, 1], [-1.7e308, 1.7e308, 3e17, 2e300])


@pytest.mark.parametrize(
    "scores", [RISKS, TAIL, GRADES, HUGE, *(Scores([0, 1], [v, v]) for v in (2.0, -1e17))]
)
def test_bins_hold_every_case_once(scores: Scores) -> None:
    bins = binned(scores)
    assert bins.pos.sum() == pytest.approx(1.0)
    assert bins.neg.sum() == pytest.approx(1.0)
    assert (np.diff(bins.edges) > 0.0).all()
    # The innermost bins, counted from the cases.
    for k in range(1, len(bins.pos) - 1):
        inside = (scores.score >= bins.edges[k]) & (scores.score < bins.edges[k + 1])
        assert bins.pos[k] == pytest.approx(scores.pos[inside].sum() / scores.n_pos)


@pytest.mark.parametrize("scores", [HUGE, Scores([0, 1], [-1e17, -1e17]), Scores([0, 1], [1.7e308, 1.7e308])])
def test_scores_of_any_size_are_drawn(scores: Scores) -> None:
    for display in (ScoresDisplay(scores), CalibrationDisplay(calibration_band(scores), scores)):
        figure = Figure()
        display.plot(ax=figure.add_subplot())
        figure.savefig(io.BytesIO())


def test_axes_that_can_be_read() -> None:
    assert binned(RISKS).edges[[0, -1]].tolist() == [0.0, 1.0]
    tail = binned(TAIL)
    assert (tail.log, tail.clipped) == (True, True)
    assert "logarithmic" in tail.words
    assert "more extreme scores" in tail.words
    # One far case does not press all others into one bin.
    far = binned(Scores(np.append(Y, 0), np.append(g.normal(size=1000) + Y, -1e9)))
    assert far.clipped
    assert far.edges[0] > -10.0
    grades = binned(GRADES)
    assert len(grades.pos) == len(GRADES.score)
    assert grades.words == ""


@pytest.mark.parametrize(
    "scores",
    [
        RISKS,
        TAIL,
        GRADES,
        Scores([1, 1, 1, 0, 0, 0, 0], [1.15, 2.02, 4.36, 1.02, 1.1, 1.16, 1.45]),
        Scores([1, 0, 0, 1], [0.1, 0.11, 0.9, 0.91]),
        Scores([1, 0, 0, 1], [1, 2, 5, 9]),
        Scores([1, 0], [3, 3]),
    ],
)
def test_bars_are_equally_wide_for_their_heights_to_be_shares(scores: Scores) -> None:
    bins = binned(scores)
    wide = np.diff(np.log(bins.edges) if bins.log else bins.edges)
    assert wide == pytest.approx(wide[0])


def test_grades_have_a_bar_each_also_where_some_are_missing() -> None:
    bins = binned(Scores.from_counts([1, 2, 5, 9], pos=[1, 0, 1, 2], neg=[2, 1, 1, 0]))
    assert bins.edges.tolist() == np.arange(0.5, 10.0).tolist()
    assert bins.pos.tolist() == [0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.5]


def test_a_tie_of_half_the_class_stays_visible() -> None:
    marker = np.concatenate([np.full(50, 4.5), 5.0 + g.random(50), 5.0 * g.random(100)])
    assert binned(Scores(np.repeat([1, 0], 100), marker)).pos.max() >= 0.5


def test_calibration_marks_what_is_rejected() -> None:
    off = Scores.from_counts([0.1, 0.5, 0.9], pos=[100, 300, 500], neg=[900, 700, 500])
    band = calibration_band(off)
    shown = band.plot(ax=Figure(figsize=(3.5, 3.5)).add_subplot())
    assert isinstance(shown, CalibrationDisplay)
    assert shown.marks_ is not None
    assert [tuple(p[:, 0]) for p in shown.marks_.get_segments()] == list(band.miscalibrated_at)
    assert shown.cases_ is None
    # Without the cases, marks at the foot show the distinct scores.
    assert sorted(shown.ax_.lines[-1].get_xdata()) == [0.1, 0.5, 0.9]
    assert set(shown.ax_.lines[-1].get_ydata()) == {0.0}
    fair = Scores.from_counts([0.1, 0.5, 0.9], pos=[100, 500, 900], neg=[900, 500, 100])
    shown = CalibrationDisplay.from_scores(fair, ax=Figure().add_subplot(), name="model")
    assert shown.marks_ is None
    assert shown.cases_ is not None
    assert shown.line_.get_label() == "model"
    assert shown.ax_.get_xlabel() == "Score"
    marker = CalibrationDisplay.from_scores(TAIL, ax=Figure().add_subplot())
    assert marker.ax_.get_xscale() == "log"
    # No diagonal: nothing but the curve is a line.
    assert len(marker.ax_.lines) == 1


def rare(scale: float, far: int = 0) -> Scores:
    """Calibrated probabilities up to 17 times the scale, a thousand cases of each, and so many at 0.9."""
    risk = np.append(scale * np.arange(1, 18), 0.9)
    n = np.append(np.full(17, 1000), far)
    pos = np.round(n * risk).astype(int)
    return Scores.from_counts(risk[n > 0], pos=pos[n > 0], neg=(n - pos)[n > 0])


@pytest.mark.parametrize(
    ("scores", "end", "title"),
    [
        (rare(0.01), 0.2, "Score"),
        (rare(0.01, far=12), 0.2, "Score (12 beyond 0.2)"),
        (rare(0.001), 0.02, "Score"),
        (rare(0.01, far=200), 1.0, "Score"),
        (RISKS, 1.0, "Score"),
        # Where the curve is high over low scores, the axes hold it too.
        (Scores.from_counts([0.01, 0.02], pos=[10, 60], neg=[290, 140]), 0.4, "Score"),
    ],
)
def test_calibration_of_rare_outcomes_is_shown_where_the_cases_are(
    scores: Scores, end: float, title: str
) -> None:
    shown = CalibrationDisplay.from_scores(scores, ax=Figure().add_subplot())
    limits = pytest.approx((-0.01 * end, 1.01 * end))
    assert shown.ax_.get_ylim() == limits
    assert shown.ax_.get_xlabel() == title
    assert (shown.ax_.get_xlim()[1], shown.ax_.get_aspect()) == (limits.expected[1], 1.0)
    assert shown.cases_ is not None
    assert shown.cases_.get_data().values.max() == pytest.approx(0.12 * end)


def test_without_the_cases_each_distinct_score_counts_as_one() -> None:
    risk = np.append(np.linspace(0.001, 0.17, 200), 0.9)
    scores = Scores.from_counts(risk, pos=np.round(1000 * risk).astype(int), neg=np.full(201, 500))
    shown = calibration_band(scores).plot(ax=Figure().add_subplot())
    assert shown.ax_.get_ylim()[1] < 0.6
    assert "(some beyond 0." in shown.ax_.get_xlabel()


def test_distribution_is_drawn_as_counted() -> None:
    shown = ScoresDisplay(GRADES).plot(ax=Figure().add_subplot(), name="grades")
    assert shown.positives_.get_data().values.tolist() == shown.bins_.pos.tolist()
    assert [t.get_text() for t in shown.ax_.get_legend().get_texts()] == ["negatives", "positives of grades"]
