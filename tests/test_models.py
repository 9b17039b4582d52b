"""Binormal maximum likelihood and the kernel curve against second sources."""

import csv
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from confroc import ConfrocWarning, Scores
from confroc.models import BinormalModel, KernelModel, hall_hyndman_bandwidths, truth_runs
from confroc.models.bandwidths import ClassSample, class_samples
from confroc.models.kernel_grid import kernel_tpr, make_grid

CT = Scores.from_counts([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])


def likelihood(scores, a, b, cut):
    """Multinomial log-likelihood of the rating table, written out; unlike the library's, over all scores."""
    ends = np.concatenate([[-np.inf], cut, [np.inf]])
    p = np.diff(stats.norm.cdf(ends))
    q = np.diff(stats.norm.cdf(b * ends - a))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(scores.neg[::-1] > 0, scores.neg[::-1] * np.log(p), 0.0)
        terms += np.where(scores.pos[::-1] > 0, scores.pos[::-1] * np.log(q), 0.0)
    return terms.sum() if np.isfinite(terms).all() else -1e9


def generic_fit(scores):
    """Maximize by a derivative-free optimizer over a, log b and the logs of the gaps of the cut-points."""
    d = len(scores.score)

    def loss(theta):
        cut = np.concatenate([[theta[2]], theta[2] + np.cumsum(np.exp(theta[3:]))])
        return -likelihood(scores, theta[0], math.exp(theta[1]), cut)

    start = np.concatenate([[1.0, 0.0, -1.0], np.zeros(d - 2) - 0.5])
    found = start
    for _ in range(4):
        found = optimize.minimize(
            loss,
            found,
            method="Nelder-Mead",
            options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 40_000, "maxfev": 40_000},
        ).x
    return found[0], math.exp(found[1]), -loss(found)


def test_generic_optimizer_agrees_on_the_ct_ratings():
    model = BinormalModel.fit(CT)
    a, b, value = generic_fit(CT)
    assert model.log_likelihood == pytest.approx(value, abs=1e-8)
    assert (model.a, model.b) == pytest.approx((a, b), abs=2e-4)


def test_ct_ratings_match_the_published_area():
    # Hanley & McNeil (1982), maximum likelihood: area 0.911, standard error 0.029.
    model = BinormalModel.fit(CT)
    assert model.auc == pytest.approx(0.911, abs=5e-4)
    assert model.auc_standard_error == pytest.approx(0.0295, abs=6e-4)


@pytest.mark.slow
def test_van_dyke_readers(data_folder):
    with (data_folder / "vandyke1993_mrmc.csv").open() as file:
        rows = list(csv.DictReader(file))
    checked = 0
    for reader in "12345":
        for treatment in "12":
            mine = [r for r in rows if r["reader"] == reader and r["treatment"] == treatment]
            scores = Scores([int(r["truth"]) for r in mine], [float(r["rating"]) for r in mine])
            if (reader, treatment) in {("2", "2"), ("4", "2")}:
                # These leave no two inner operating points.
                with pytest.raises(ValueError, match="operating points"):
                    BinormalModel.fit(scores)
                continue
            model = BinormalModel.fit(scores)
            if len(scores.score) == 5:
                a, b, value = generic_fit(scores)
                assert model.log_likelihood >= value - 1e-7
                assert model.auc == pytest.approx(special.ndtr(a / math.hypot(1.0, b)), abs=2e-4)
            checked += 1
    assert checked == 8


@pytest.mark.parametrize("information", ["observed", "expected"])
def test_covariance_against_numerical_second_derivatives(information):
    scores = BinormalModel.from_auc(0.8, b=0.8).sample(60, 70, rng=4)
    # Few categories keep the numerical Hessian accurate.
    coarse = Scores.from_counts(
        np.arange(6, 0, -1),
        *[np.add.reduceat(c, np.linspace(0, len(c), 7).astype(int)[:-1]) for c in (scores.pos, scores.neg)],
    )
    model = BinormalModel.fit(coarse, information=information)
    a, b = model.a, model.b

    def loss(theta):
        return -likelihood(coarse, theta[0], theta[1], theta[2:])

    # The cut-points at the maximum: profile them with the fitted a and b.
    start = special.ndtri(np.cumsum(coarse.neg[::-1])[:-1] / coarse.n_neg * 0.98 + 0.01)
    cut = optimize.minimize(
        lambda c: loss(np.concatenate([[a, b], c])),
        start,
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000},
    ).x
    theta = np.concatenate([[a, b], cut])
    ends = np.concatenate([[-np.inf], cut, [np.inf]])
    if information == "observed":
        step = 1e-4
        eye = np.eye(len(theta)) * step
        matrix = np.array(
            [
                [
                    loss(theta + u + v) - loss(theta + u - v) - loss(theta - u + v) + loss(theta - u - v)
                    for v in eye
                ]
                for u in eye
            ]
        ) / (4 * step**2)
    else:

        def cells(t):
            e = np.concatenate([[-np.inf], t[2:], [np.inf]])
            return np.diff(stats.norm.cdf(e)), np.diff(stats.norm.cdf(t[1] * e - t[0]))

        step = 1e-6
        eye = np.eye(len(theta)) * step
        slopes = [[(cells(theta + u)[k] - cells(theta - u)[k]) / (2 * step) for u in eye] for k in (0, 1)]
        matrix = sum(
            n * np.einsum("ik,jk,k->ij", np.array(s), np.array(s), 1.0 / p)
            for n, s, p in zip((coarse.n_neg, coarse.n_pos), slopes, cells(theta), strict=True)
        )
    assert len(ends) == 7
    np.testing.assert_allclose(model.covariance, np.linalg.inv(matrix)[:2, :2], rtol=2e-3)


@pytest.mark.parametrize("auc", [0.05, 0.5, 0.7, 0.95, 0.999])
@pytest.mark.parametrize("b", [0.5, 1.0, 2.0])
def test_recovers_the_truth_from_many_cases(auc, b):
    truth = BinormalModel.from_auc(auc, b=b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        scores = truth.sample(40_000, 40_000, rng=7)
    model = BinormalModel.fit(scores)
    # Five standard errors for 30 numbers: a false alarm once in 60,000 seeds.
    error = np.sqrt(np.diag(model.covariance))
    assert abs(model.a - truth.a) < 5 * error[0]
    assert abs(model.b - truth.b) < 5 * error[1]
    assert model.n_iter < 60


def test_swapping_the_classes_turns_the_curve():
    scores = BinormalModel.from_auc(0.8, b=0.7).sample(80, 120, rng=2)
    swapped = Scores.from_counts(-scores.score, pos=scores.neg, neg=scores.pos)
    one, other = BinormalModel.fit(scores), BinormalModel.fit(swapped)
    assert other.b == pytest.approx(1.0 / one.b, rel=1e-6)
    assert other.a == pytest.approx(one.a / one.b, rel=1e-6)
    assert other.auc == pytest.approx(one.auc, abs=1e-9)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-8)


@given(seed=st.integers(0, 10_000), power=st.sampled_from([1.0, 3.0]))
@settings(max_examples=25, deadline=None)
def test_only_the_order_counts(seed, power):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        scores = BinormalModel.from_auc(0.75, b=0.9).sample(40, 40, rng=seed)
        moved = Scores.from_counts(np.exp(scores.score * power), scores.pos, scores.neg)
    assert BinormalModel.fit(moved).a == BinormalModel.fit(scores).a


def test_truth_runs_merge_only_single_class_neighbors():
    runs = truth_runs(Scores.from_counts([6, 5, 4, 3, 2, 1], pos=[2, 1, 0, 3, 4, 0], neg=[0, 0, 5, 1, 2, 7]))
    np.testing.assert_array_equal(runs.pos, [0, 4, 3, 0, 3])
    np.testing.assert_array_equal(runs.neg, [7, 2, 1, 5, 0])


@pytest.mark.parametrize(
    ("pos", "neg"),
    [([3, 0], [0, 3]), ([2, 1, 0], [0, 1, 2]), ([2, 0, 2], [0, 4, 0])],
    ids=["perfect", "one inner point", "hook"],
)
def test_degenerate_curves_say_why(pos, neg):
    with pytest.raises(ValueError, match=r"`scores` must have .*; got .*"):
        BinormalModel.fit(Scores.from_counts(np.arange(len(pos), 0, -1), pos=pos, neg=neg))


def test_from_moments_and_formulas():
    model = BinormalModel.from_moments(mean_pos=3.0, mean_neg=1.0, sd_pos=2.0, sd_neg=1.5)
    exact = stats.norm.cdf(2.0 / math.hypot(2.0, 1.5))
    assert model.auc == pytest.approx(exact)
    area, _ = integrate.quad(lambda x: float(model.tpr([x])[0]), 0.0, 1.0)
    assert area == pytest.approx(exact, abs=1e-8)
    np.testing.assert_allclose(model.fpr(model.tpr([0.01, 0.4])), [0.01, 0.4], rtol=1e-9)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: BinormalModel(a=math.inf, b=1.0), "`a`"),
        (lambda: BinormalModel(a=1.0, b=0.0), "`b`"),
        (lambda: BinormalModel.from_auc(1.0), "`auc`"),
        (lambda: BinormalModel.from_moments(mean_pos=1.0, sd_pos=-1.0), "`sd_pos`"),
        (lambda: KernelModel(scores=CT, bandwidth_pos=0.0, bandwidth_neg=1.0), "`bandwidth_pos`"),
        (lambda: KernelModel.fit(Scores([1, 1, 0, 0], [2, 2, 1, 0])), "`scores`"),
        (lambda: KernelModel.fit(CT, bandwidth="silverman"), "`bandwidth`"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()


def test_hall_hyndman_constants_by_numerical_integration():
    m1, s1, n1, m0, s0, n0 = 1.3, 0.8, 70, 0.2, 1.1, 90
    f, g = stats.norm(m1, s1).pdf, stats.norm(m0, s0).pdf

    def df(u):
        return -(u - m1) / s1**2 * f(u)

    def dg(u):
        return -(u - m0) / s0**2 * g(u)

    def area(func):
        return integrate.quad(func, -8.0, 10.0, limit=200)[0]

    gain = 1.0 / math.sqrt(math.pi)  # 2∫u K(u) W(u) du of the Gaussian kernel, checked below
    assert 2 * area(lambda u: u * stats.norm.pdf(u) * stats.norm.cdf(u)) == pytest.approx(gain, rel=1e-8)
    h1 = (gain * area(lambda u: f(u) * g(u)) / (n1 * area(lambda u: df(u) ** 2 * g(u)))) ** (1 / 3)
    h0 = (gain * area(lambda u: f(u) ** 2) / (n0 * area(lambda u: (dg(u) * f(u)) ** 2 / g(u)))) ** (1 / 3)
    assert hall_hyndman_bandwidths(m1, s1, n1, m0, s0, n0) == pytest.approx((h1, h0), rel=1e-6)


def test_normal_reference_minimizes_the_error_of_a_normal_distribution_function():
    # Leading MISE of a kernel distribution function: −h/(n√π) + h⁴/4·∫f′².
    n, sd = 50, 1.7
    rough = integrate.quad(lambda u: (u / sd**2 * stats.norm.pdf(u, scale=sd)) ** 2, -20, 20)[0]
    best = optimize.minimize_scalar(
        lambda h: -h / (n * math.sqrt(math.pi)) + h**4 / 4 * rough,
        bounds=(0.01, 3.0),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    rng = np.random.default_rng(0)
    drawn = rng.standard_normal(2 * n)
    drawn[:n] += 5.0
    scores = Scores(np.repeat([1, 0], n), drawn)
    spread = np.repeat(scores.score, scores.neg).std(ddof=1)
    model = KernelModel.fit(scores, bandwidth="normal_reference")
    assert model.bandwidth_neg == pytest.approx(best * spread / sd, rel=1e-4)


@pytest.mark.slow
def test_kernel_curve_by_direct_sums():
    scores = BinormalModel.from_auc(0.8).sample(15, 20, rng=3)
    model = KernelModel.fit(scores)
    pos, neg = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)
    h = math.hypot(model.bandwidth_pos, model.bandwidth_neg)
    assert model.auc == pytest.approx(stats.norm.cdf((pos[:, None] - neg) / h).mean(), abs=1e-12)
    at = np.array([0.05, 0.3, 0.9])
    tpr = model.tpr(at)
    np.testing.assert_allclose(model.fpr(tpr), at, rtol=1e-9)
    area, _ = integrate.quad(lambda x: float(model.tpr([x])[0]), 0.0, 1.0, limit=200, epsabs=1e-7)
    assert area == pytest.approx(model.auc, abs=1e-5)
    assert model.tpr([0.0, 1.0]).tolist() == [0.0, 1.0]


def test_kernel_samples_have_the_smooth_curve():
    model = KernelModel.fit(BinormalModel.from_auc(0.8).sample(50, 60, rng=3))
    drawn = model.sample(20_000, 20_000, rng=5)
    # Standard error of the area is at most 0.5/√20,000 = 0.0035; five of them.
    assert drawn.auc == pytest.approx(model.auc, abs=0.018)


def uniform_cdf(u):
    return np.clip(0.5 + u / (2.0 * math.sqrt(3.0)), 0.0, 1.0)


@pytest.mark.parametrize("bandwidth", [(0.4, 0.9), (1.3, 0.2), "distribution", 0.5])
def test_uniform_kernel_by_direct_sums(bandwidth):
    scores = BinormalModel.from_auc(0.8).sample(15, 20, rng=3)
    model = KernelModel.fit(scores, bandwidth=bandwidth, kernel="uniform")
    pos, neg = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)
    x = np.linspace(-1.0, 2.0, 7)
    survival = [
        1.0 - uniform_cdf((x[:, None] - cases) / h).mean(axis=1)
        for cases, h in ((pos, model.bandwidth_pos), (neg, model.bandwidth_neg))
    ]
    np.testing.assert_allclose(model.tpr(survival[1]), survival[0], atol=1e-9)
    # The chance that one noisy case exceeds another, by a sum over the quantiles of the positive's noise.
    u = math.sqrt(3.0) * (2.0 * (np.arange(4000) + 0.5) / 4000 - 1.0)
    gap = pos[:, None, None] + model.bandwidth_pos * u - neg[:, None]
    assert model.auc == pytest.approx(uniform_cdf(gap / model.bandwidth_neg).mean(), abs=1e-6)
    drawn = model.sample(20_000, 20_000, rng=5)
    assert drawn.auc == pytest.approx(model.auc, abs=0.018)


@pytest.mark.parametrize("kernel", ["gaussian", "uniform"])
def test_the_curve_on_a_grid_is_the_curve_by_bisection(kernel):
    scores = BinormalModel.from_auc(0.85).sample(40, 60, rng=3)
    model = KernelModel.fit(scores, bandwidth="curve", kernel=kernel)
    at = np.array([0.0, 0.003, 0.05, 0.2, 0.5, 0.9, 1.0])
    samples = class_samples(scores)
    found = kernel_tpr(samples, (model.bandwidth_neg, model.bandwidth_pos), kernel, at)
    np.testing.assert_allclose(found, model.tpr(at), atol=2e-3)


@pytest.mark.parametrize("bandwidths", [(0.1, 0.4), (0.03, 0.031), (2.0, 0.7)])
def test_grid_is_an_eighth_of_a_bandwidth_fine_and_holds_every_case(bandwidths):
    scores = BinormalModel.from_auc(0.85).sample(40, 60, rng=3)
    grid = make_grid(class_samples(scores), bandwidths)
    assert 1 / 17 < grid.step / min(bandwidths) < 1 / 7.9
    np.testing.assert_allclose(np.diff(grid.x), grid.step, rtol=1e-9)
    for shares, count in zip(grid.shares, (scores.neg, scores.pos), strict=True):
        assert shares.sum() == pytest.approx(1.0, rel=1e-12)
        assert shares @ grid.x == pytest.approx(scores.score @ count / count.sum(), rel=1e-9)


def test_scale_is_the_standard_deviation_of_a_normal_class_whatever_its_extremes():
    n, sd = 20_000, 3.0
    normal = sd * stats.norm.ppf((np.arange(n) + 0.5) / n)
    spoilt = normal.copy()
    spoilt[[0, -1]] = -1e9, 1e9
    flat = np.linspace(0.0, 1.0, n)
    for cases, wanted in (
        (normal, sd),
        (spoilt, sd),
        (flat, flat.std()),
        (np.repeat([0.0, 1.0], [80, 20]), 0.4),
    ):
        score, counts = np.unique(cases, return_counts=True)
        assert ClassSample(score, counts).scale == pytest.approx(
            wanted, rel=6e-3 if len(cases) == 100 else 6e-4
        )


def test_bandwidths_are_those_asked_for():
    scores = BinormalModel.from_auc(0.8).sample(50, 60, rng=3)
    pos, neg = (np.repeat(scores.score, c) for c in (scores.pos, scores.neg))
    assert KernelModel.fit(scores, bandwidth=0.25).bandwidth_neg == 0.25
    for rule, power in (("curve", -1 / 4), ("density", -1 / 5), ("distribution", -1 / 3)):
        model = KernelModel.fit(scores, bandwidth=rule)
        wanted = [1.06 * x.std() * len(x) ** power for x in (pos, neg)]
        assert [model.bandwidth_pos, model.bandwidth_neg] == pytest.approx(wanted)
