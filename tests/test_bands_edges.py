"""Bands at their edges: curves that are none, samples without variation, methods that promise nothing."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confroc import ConfrocWarning, Scores, auc_interval, roc_curve
from confroc.bands import roc_band
from confroc.bands.roc import ROC_BAND
from confroc.models import BinormalModel
from confroc.resample import check_resamples, critical_rank
from confroc.results import Band

SMALL = BinormalModel.from_auc(0.8, b=0.9).sample(40, 50, rng=1)


# --- what a curve is ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("curve", "rule"),
    [
        (([0.0, np.nan, 1.0], [0.0, 0.5, 1.0]), "finite"),
        (([0.0, 0.5, 1.0], [0.0, np.nan, 1.0]), "finite"),
        (([0.0, 0.5, 1.0], [0.0, np.inf, 1.0]), "finite"),
        (([0.0, 0.6, 0.4, 1.0], [0.0, 0.5, 0.6, 1.0]), "non-decreasing"),
        (([], []), "one value"),
        (([0.0, 1.0], [0.0, 0.5, 1.0]), "one value"),
        (([0.2, 1.0], [0.3, 1.0]), "cover"),
        (([0.0, 0.8], [0.0, 0.9]), "cover"),
        (([0.0, 100.0], [0.0, 100.0]), "between 0 and 1"),
        (([[0.0, 1.0]], [[0.0, 1.0]]), "one-dimensional"),
        pytest.param(lambda x: np.full(len(x), np.nan), "finite", id="nan"),
        pytest.param(lambda x: x[1:], "one value", id="short"),
        pytest.param(lambda _: 0.5, "be an array, a list", id="scalar"),
    ],
    ids=str,
)
def test_what_is_no_curve_is_refused(curve, rule):
    band = roc_band(SMALL, method="ks_regions")
    with pytest.raises(ValueError, match=f"`curve` must .*{rule}"):
        band.contains(curve)


def test_a_curve_of_the_part_that_the_band_is_for_is_enough():
    band = roc_band(SMALL, method="ks_regions", fpr=(0.1, 0.3))
    at = np.linspace(0.1, 0.3, 9)
    assert band.contains((at, roc_curve(SMALL).tpr_at(at)))
    assert not band.contains((at, np.full(9, 0.01)))
    with pytest.raises(ValueError, match=r"cover fpr 0\.1 to 0\.3"):
        band.contains((at[1:], roc_curve(SMALL).tpr_at(at[1:])))


def random_polyline(rng):
    """Between 0 and 1 with jumps: abscissae in eighths, some of them twice."""
    x = np.concatenate([[0.0], np.sort(rng.integers(1, 8, int(rng.integers(0, 9)))) / 8.0, [1.0]])
    # A third vertex at one abscissa is no limit from either side.
    x = x[np.concatenate([[True, True], x[2:] != x[:-2]])]
    return x, rng.integers(0, 9, len(x)) / 8.0


@given(seed=st.integers(0, 100_000))
@settings(max_examples=150, deadline=None)
def test_contains_against_dense_sampling(seed):
    rng = np.random.default_rng(seed)
    x, y = random_polyline(rng)
    at, lower = random_polyline(rng)
    if rng.random() < 0.7:
        # Edges that leave some room, so that both answers come up.
        lower = np.minimum(lower, 0.25)
    upper = np.minimum(1.0, lower + rng.integers(2, 9) / 8.0)
    band = Band(
        at=at,
        estimate=lower,
        lower=lower,
        upper=upper,
        confidence_level=0.9,
        method="ks_regions",
        guarantee="none",
    )

    def value(knots, ordinates, place):
        # By hand: the straight piece over the place, which is never a knot.
        j = next(i for i in range(len(knots) - 1) if knots[i] < place < knots[i + 1])
        share = (place - knots[j]) / (knots[j + 1] - knots[j])
        return ordinates[j] + share * (ordinates[j + 1] - ordinates[j])

    # Just beside each eighth, where one-sided limits are, and between them.
    eighths = np.arange(9) / 8.0
    places = np.concatenate([eighths[1:] - 1e-7, eighths[:-1] + 1e-7, eighths[:-1] + 0.0625])
    slack = 4e-6
    dense = all(value(at, lower, p) - slack <= value(x, y, p) <= value(at, upper, p) + slack for p in places)
    assert band.contains((x, y)) == dense


# --- how many resamples ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "needed"), [(0.8, 10), (0.9, 20), (0.95, 40), (0.99, 200), (0.999, 2000), (0.9998, 10_000)]
)
def test_a_level_needs_two_over_its_complement(level, needed):
    assert check_resamples(needed, level) == needed
    with pytest.raises(ValueError, match=f"be at least {needed} at this level"):
        check_resamples(needed - 1, level)
    # Whoever gives no number gets enough.
    assert check_resamples(None, level, 199) == max(199, needed)
    assert check_resamples(None, 0.5, 199) == 199
    with pytest.raises(ValueError, match=r"got 199\. Use more resamples, or a lower level\."):
        check_resamples(None, 1.0 - 1e-14, 199)


def test_the_remedy_for_few_resamples_is_the_same_at_every_level():
    scores = Scores([1, 1, 0, 0], [4, 2, 3, 1])
    for level in (0.99, 1.0 - 1e-9):
        with pytest.raises(ValueError, match="Use more resamples, or a lower level") as caught:
            auc_interval(scores, method="bootstrap", n_resamples=50, confidence_level=level)
        # No 1 - 1, and as many as the level needs, to its rounding.
        needed = float(re.search(r"be at least (\d+) at this level;", str(caught.value))[1])
        assert needed == pytest.approx(2.0 / (1.0 - level), rel=1e-6)


@pytest.mark.parametrize("digits", range(1, 8))
def test_critical_ranks_of_round_levels(digits):
    # (B + 1)·level is whole: with 10^d − 1 resamples and a level of 1 − 10^−d all but the largest.
    count = 10**digits - 1
    assert critical_rank(count, 1.0 - 10.0**-digits) == count
    assert critical_rank(2 * count + 1, 1.0 - 10.0**-digits) == 2 * count


# --- samples without variation --------------------------------------------------------------------------

with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConfrocWarning)
    DEGENERATE = {
        "perfect separation": Scores([1] * 10 + [0] * 10, range(20, 0, -1)),
        "area 0": Scores([0] * 10 + [1] * 10, range(20, 0, -1)),
        "all ties": Scores([1] * 10 + [0] * 10, [1] * 20),
        "one case per class": Scores([1, 0], [2, 1]),
    }
OPTIONS = [
    *({"method": name} for name in ROC_BAND.names),
    {"calibration": "exact"},
    {"method": "bootstrap", "smoothing": False},
    {"method": "bootstrap", "metric": "sup"},
    {"method": "bootstrap", "metric": "sup", "smoothing": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("case", DEGENERATE)
def test_no_band_is_without_width_in_silence(case, options):
    few = (
        {}
        if "calibration" in options
        else ROC_BAND.taken(options.get("method", ROC_BAND.default), {"n_resamples": 49})
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            band = roc_band(DEGENERATE[case], rng=1, **few, **options)
        except ValueError:
            # Some have no answer; another test looks at what they recommend.
            return
    said = [note for note in band.notes if "zero width" in note]
    assert bool(said) == (band.area < 1e-9)
    assert bool(said) == any("zero width" in str(w.message) for w in caught)
    simple = {"equal_local_levels", "ks_regions"}
    if str(band.method) in simple:
        assert band.area > 0.3


def test_a_kernel_without_spread_recommends_a_band_with_width():
    with pytest.raises(ValueError, match="Use a method without a kernel, such as the default"):
        roc_band(DEGENERATE["one case per class"], method="bootstrap", n_resamples=49)
    assert roc_band(DEGENERATE["one case per class"], n_resamples=49).area > 0.5


@pytest.mark.parametrize(
    "options", [{"method": "auc_hull"}, {"method": "bootstrap", "metric": "sup"}], ids=str
)
def test_methods_that_promise_nothing_say_so(options):
    with pytest.warns(ConfrocWarning, match="under-covers the whole curve"):
        band = roc_band(SMALL, confidence_level=0.9, n_resamples=49, rng=1, **options)
    assert band.guarantee == "none"
    assert any("under-covers" in note for note in band.notes)
