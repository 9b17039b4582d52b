"""Band objects: containment, area, ranges, notes; and what holds for every method."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confroc import ConfrocWarning, Scores, roc_curve
from confroc.bands import roc_band
from confroc.bands.base import BandMethod, BandOutcome
from confroc.bands.calibration import IsotonicBlocks
from confroc.bands.edges import Edges, cut_to_range, edges_on_one_grid, envelope, outermost, without_collinear
from confroc.bands.ks_regions import KsRegions, KsRegionsDifference
from confroc.bands.roc import ROC_BAND
from confroc.base import method_class
from confroc.models import BinormalModel
from confroc.results import Band

BAND_METHODS = ROC_BAND.names
POINTWISE = [name for name, method in ROC_BAND.methods.items() if method.kind == "pointwise"]
TRUTH = BinormalModel.from_auc(0.8, b=0.9)
SMALL = TRUTH.sample(40, 50, rng=1)


def quiet_band(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        few = ROC_BAND.taken(options.get("method", ROC_BAND.default), {"n_resamples": 99})
        few = {} if options.get("calibration") == "exact" else few
        return roc_band(scores, rng=1, **few | options)


def edge_at(x, y, at, side):
    """Value of a polyline with jumps, by scanning its pieces (second source for the grid functions)."""
    found = []
    for a, b, ya, yb in zip(x[:-1], x[1:], y[:-1], y[1:], strict=True):
        if a < at < b or (a < b and ((at == b and side == "left") or (at == a and side == "right"))):
            found.append(ya + (yb - ya) * (at - a) / (b - a))
    return found[0]


def square(lower, upper, at_range=(0.0, 1.0)):
    x = np.array([0.0, 0.25, 0.25, 0.5, 0.5, 1.0])
    return Band(
        at=x,
        estimate=x,
        lower=np.array(lower),
        upper=np.array(upper),
        confidence_level=0.95,
        method="ks_regions",
        guarantee="finite-sample",
        at_range=at_range,
    )


STEPS = square([0.0, 0.0, 0.2, 0.2, 0.4, 0.4], [0.5, 0.5, 0.7, 0.7, 1.0, 1.0])


def test_area_and_vacuous_ends_by_hand():
    assert STEPS.area == pytest.approx(0.25 * 0.5 + 0.25 * 0.5 + 0.5 * 0.6)
    assert STEPS.lower_vacuous_until == 0.25
    assert STEPS.upper_vacuous_from == 0.5


def test_contains_checks_both_sides_of_a_jump():
    inside = ([0.0, 0.25, 0.25, 0.5, 1.0], [0.1, 0.5, 0.6, 0.7, 1.0])
    assert STEPS.contains(inside)
    # The jump of the curve comes 1e-9 before the band's.
    early = ([0.0, 0.25 - 1e-9, 0.25 - 1e-9, 0.5, 1.0], [0.1, 0.5, 0.6, 0.7, 1.0])
    assert not STEPS.contains(early)


def test_contains_a_function_decides_at_the_joints():
    assert STEPS.contains(lambda x: np.minimum(1.0, 0.45 + 0.2 * x))
    # At 0.25 from the left the upper edge is 0.5 and this curve 0.5 + 1e-6.
    assert not STEPS.contains(lambda x: np.minimum(1.0, 0.45 + 1e-6 + 0.2 * x))
    assert not STEPS.contains(lambda x: 0.3 * x)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_grid_functions_against_scanning(seed):
    rng = np.random.default_rng(seed)

    def polyline():
        n = int(rng.integers(2, 6))
        x = np.sort(rng.integers(-1, 9, n) / 8.0)
        return np.concatenate([[-1.0], x, [2.0]]), np.sort(rng.integers(0, 9, n + 2) / 8.0)

    lower, upper, other = polyline(), polyline(), polyline()
    one = edges_on_one_grid(*upper, *lower)
    both = envelope([one, edges_on_one_grid(*other, *lower)])
    kept = without_collinear(one)
    for at in (0.1, 0.125, 0.3, 0.5, 0.77, 0.875):
        for side in ("left", "right"):
            exact = np.clip(edge_at(*upper, at, side), 0.0, 1.0)
            # Grids hold all joints inside the square, and clipping bends lines only outside [0, 1].
            assert edge_at(one.at, one.upper, at, side) == pytest.approx(exact, abs=1e-12)
            assert edge_at(kept.at, kept.upper, at, side) == pytest.approx(exact, abs=1e-9)
            assert edge_at(kept.at, kept.lower, at, side) == pytest.approx(
                edge_at(one.at, one.lower, at, side), abs=1e-9
            )
            largest = max(exact, np.clip(edge_at(*other, at, side), 0.0, 1.0))
            assert edge_at(both.at, both.upper, at, side) >= largest - 1e-12


def test_cut_to_range_keeps_the_inside_and_frees_the_outside():
    edges = Edges(np.array([0.0, 1.0]), np.array([0.0, 0.8]), np.array([0.2, 1.0]))
    cut = cut_to_range(edges, (0.25, 0.5))
    band = Band(
        at=cut.at,
        estimate=cut.at,
        lower=cut.lower,
        upper=cut.upper,
        confidence_level=0.9,
        method="fixed_width",
        guarantee="bootstrap",
        at_range=(0.25, 0.5),
    )
    assert band.area == pytest.approx(0.25 * 0.2)
    assert band.contains(([0.0, 0.25, 0.25, 0.5, 0.5, 1.0], [1.0, 1.0, 0.3, 0.45, 0.0, 0.0]))
    assert not band.contains(([0.0, 0.4, 1.0], [0.0, 0.7, 1.0]))
    # A range that ends at 0 or 1 frees nothing there.
    for fpr_range in ((0.0, 0.5), (0.5, 1.0)):
        cut = cut_to_range(edges, fpr_range)
        end = int(fpr_range[1])
        assert (cut.lower[-end], cut.upper[-end]) == (0.8 * end, 0.2 + 0.8 * end)


@pytest.mark.parametrize("method", BAND_METHODS)
def test_every_band_is_a_band(method):
    band = quiet_band(SMALL, method=method)
    assert (np.diff(band.at) >= 0.0).all()
    assert band.at[0] == 0.0
    assert band.at[-1] == 1.0
    assert (band.lower >= 0.0).all()
    assert (band.upper <= 1.0).all()
    assert (band.lower <= band.upper + 1e-12).all()
    assert str(band.method) == method
    assert 0.0 < band.area < 1.0
    assert band.kind == ("pointwise" if method in POINTWISE else "simultaneous")
    if method not in ("working_hotelling", "working_hotelling_pointwise", "threshold_averaging"):
        # Those are drawn around another curve than the empirical one.
        middle = (band.at > 0.1) & (band.at < 0.9)
        assert (band.estimate[middle] >= band.lower[middle] - 1e-9).all()
        assert (band.estimate[middle] <= band.upper[middle] + 1e-9).all()


@pytest.mark.parametrize("method", BAND_METHODS)
def test_every_band_repeats_with_its_seed_whatever_the_threads(method):
    one, two = quiet_band(SMALL, method=method), quiet_band(SMALL, method=method, n_jobs=2)
    np.testing.assert_array_equal(one.lower, two.lower)
    np.testing.assert_array_equal(one.upper, two.upper)


@pytest.mark.parametrize(
    "options",
    [{"method": m} for m in BAND_METHODS if m != "bootstrap"]
    + [{"method": "bootstrap", "smoothing": False}, {"calibration": "exact"}],
    ids=str,
)
def test_bands_ignore_increasing_transforms(options):
    moved = Scores.from_counts(np.exp(SMALL.score), SMALL.pos, SMALL.neg)
    one, two = quiet_band(SMALL, **options), quiet_band(moved, **options)
    np.testing.assert_array_equal(one.upper, two.upper)
    np.testing.assert_array_equal(one.lower, two.lower)


@pytest.mark.parametrize("method", BAND_METHODS)
def test_a_range_frees_the_outside(method):
    band = quiet_band(SMALL, method=method, fpr=(0.1, 0.3))
    whole = quiet_band(SMALL, method=method)
    outside = (band.at < 0.1) | (band.at > 0.3)
    assert (band.lower[outside] == 0.0).all()
    assert (band.upper[outside] == 1.0).all()
    assert band.at_range == (0.1, 0.3)
    assert band.area < whole.area
    inner = slice(np.searchsorted(band.at, 0.1, "right") - 1, np.searchsorted(band.at, 0.3, "left") + 1)
    middle = 0.5 * (band.lower + band.upper)[inner]
    x = np.concatenate([[0.0, 0.1], np.clip(band.at[inner], 0.1, 0.3), [0.3, 1.0]])
    assert band.contains((x, np.concatenate([[1.0, 1.0], middle, [0.0, 0.0]])))


def test_a_range_makes_the_default_tighter():
    scores = TRUTH.sample(200, 200, rng=3)
    part = roc_band(scores, fpr=(0.0, 0.1), n_resamples=499, rng=1)
    whole = roc_band(scores, n_resamples=499, rng=1)
    cut = np.concatenate([np.unique(whole.at[whole.at < 0.1]), [0.1]])
    area = np.trapezoid(np.interp(cut, whole.at, whole.upper - whole.lower), cut)
    assert part.area < 0.98 * area


def test_a_method_that_does_not_resample_needs_no_resamples():
    for options in ({"method": "ks_regions"}, {"calibration": "exact"}):
        assert roc_band(SMALL, confidence_level=0.9999, **options).confidence_level == 0.9999


@pytest.mark.parametrize("method", POINTWISE)
def test_methods_that_under_cover_say_so(method):
    with pytest.warns(ConfrocWarning, match="under-covers the whole curve"):
        band = roc_band(SMALL, method=method, rng=1, **ROC_BAND.taken(method, {"n_resamples": 50}))
    assert "under-covers the whole curve" in band.notes[0]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"method": "ks"}, "`method`"),
        ({"n_resamples": 10}, "`n_resamples`"),
        ({"confidence_level": 0.999, "n_resamples": 999}, "`n_resamples`"),
        ({"confidence_level": 95}, "`confidence_level`"),
        ({"fpr": (0.3, 0.2)}, "`fpr`"),
        ({"fpr": (0.3, 1.2)}, "`fpr`"),
        ({"fpr": 0.3}, "`fpr`"),
        ({"calibration": "bootstrapped"}, "`calibration`"),
        ({"metric": "l2"}, "`metric`"),
        ({"slope": "steep"}, "`slope`"),
        ({"distribution": "beta"}, "`distribution`"),
        ({"n_jobs": 0}, "`n_jobs`"),
        ({"rng": -1}, "`rng`"),
    ],
    ids=str,
)
def test_bad_input_is_named(options, name):
    with pytest.raises(ValueError, match=name):
        roc_band(SMALL, **options)


def test_scores_are_required():
    with pytest.raises(TypeError, match="`scores`"):
        roc_band([1, 0])


def test_envelopes_some_places_at_a_time_are_the_same(monkeypatch):
    x = np.linspace(0.0, 1.0, 23)
    polylines = [(x, np.sqrt(x)), (x**2, x), (np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.2, 0.9, 1.0]))]
    at = np.linspace(0.0, 1.0, 40)
    whole = outermost(np.maximum, at, *polylines)
    monkeypatch.setattr("confroc.bands.edges.BLOCK", 7)
    np.testing.assert_array_equal(outermost(np.maximum, at, *polylines), whole)


def test_level_is_95_percent_unless_given():
    scores = Scores.from_counts([3, 2, 1], pos=[3, 2, 1], neg=[1, 2, 4])
    default, given = (roc_band(scores, method="ks_regions", **o) for o in ({}, {"confidence_level": 0.95}))
    assert default.confidence_level == 0.95
    np.testing.assert_array_equal(default.upper, given.upper)


def test_perfect_separation_has_bands_without_a_model():
    perfect = Scores.from_counts([2, 1], pos=[30, 0], neg=[0, 30])
    for options in ({"method": "ks_regions"}, {}, {"calibration": "exact"}):
        band = quiet_band(perfect, **options)
        assert band.contains(roc_curve(perfect))
        assert band.contains(BinormalModel.from_auc(0.99).tpr)
    with pytest.raises(ValueError, match="operating points"):
        roc_band(perfect, method="working_hotelling")


def test_one_case_a_class_says_almost_nothing():
    band = quiet_band(Scores([1, 0], [1.0, 0.0]))
    assert band.area > 0.8


# --- methods as objects ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", BAND_METHODS)
def test_the_method_of_a_result_makes_it_again(method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        band = roc_band(SMALL, method=method)
        classes = {type(m).__name__: type(m) for m in ROC_BAND.methods.values()}
        again = roc_band(SMALL, method=eval(repr(band.method), classes))
    assert again == band


def test_an_object_stands_for_its_name_and_options():
    assert roc_band(SMALL, method=KsRegions(joint=False)) == roc_band(SMALL, method="ks_regions", joint=False)
    exact = roc_band(SMALL, calibration="exact", rng=1)
    assert repr(exact.method) == "EqualLocalLevels(calibration='exact')"


def test_a_method_of_ones_own_gets_what_all_bands_share():
    @method_class
    class Everything(BandMethod):
        """All curves.

        From 0 to 1.
        """

        def band(self, data, level, fpr_range):  # noqa: ARG002
            return BandOutcome(Edges(np.array([0.0, 1.0]), np.zeros(2), np.ones(2)), notes=("All.",))

    rounded = Scores.from_counts([3, 1], pos=[5, 3], neg=[2, 6], score_max=[4, 2])
    band = roc_band(rounded, method=Everything())
    assert band.area == 1.0
    assert band.notes[0] == "All."
    assert any("rounded" in note for note in band.notes)


def test_methods_of_other_functions_are_refused():
    for other in (KsRegionsDifference(), IsotonicBlocks()):
        with pytest.raises(ValueError, match="`method` must be a method of `roc_band`"):
            roc_band(SMALL, method=other)
    with pytest.raises(ValueError, match="`joint` must be an option of the method object"):
        roc_band(SMALL, method=KsRegions(), joint=False)
