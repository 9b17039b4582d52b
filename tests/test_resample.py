"""The bootstrap engine: seeds, threads, and the laws it draws from."""

from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

import confroc
from confroc import PairedScores, UnpairedScores, resample
from confroc._kernels import draw
from confroc.auc.bootstrap import exact_bootstrap_covariance, exact_bootstrap_variance
from confroc.scores.counting import Cells
from confroc.statistics.areas_resampled import joint_replicates

TABLE = Cells(np.array([3, 1, 0, 2]), np.array([0, 2, 2, 1]))


def both(pos: Any, neg: Any) -> Any:
    return np.concatenate([pos, neg])


ONES = Cells(np.ones(77, int), np.ones(133, int))
TIED = Cells(np.array([3, 1, 0, 2] * 30), np.array([0, 2, 2, 1] * 30))


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize(
    ("table", "size"),
    [
        (ONES, (77, 133)),
        (TIED, (180, 150)),
        (TIED, (300, 20)),
        (TABLE, (6, 5)),
        (TABLE, (3, 2)),
        (TABLE, (900, 1)),
    ],
    ids=["untied", "tied", "tied, another size", "tiny", "tiny, fewer cases", "row by row"],
)
def test_threads_change_no_bit(table: Cells, size: tuple[int, int], sampling: Any, monkeypatch: Any) -> None:
    def run(n_jobs: int) -> Any:
        return resample.resample(both, table, 300, 7, size=size, sampling=sampling, n_jobs=n_jobs)

    for much in (np.inf, 0):
        monkeypatch.setattr(resample, "MUCH", much)
        one = run(1)
        assert (one.sum(axis=1) == sum(size)).all()
        if sampling == "stratified":
            assert (one[:, : len(table.pos)].sum(axis=1) == size[0]).all()
        assert not (one[:, np.concatenate([table.pos, table.neg]) == 0]).any()
        for n_jobs in (2, 3):
            np.testing.assert_array_equal(run(n_jobs), one)


@pytest.mark.parametrize("table", [ONES, TIED], ids=["untied", "tied"])
def test_the_kernel_draws_the_same_as_plain_code(table: Cells, monkeypatch: Any) -> None:
    found = []
    for compiled in (resample._kernels.compiled, lambda kernel: kernel):
        monkeypatch.setattr(resample._kernels, "compiled", compiled)
        found.append(np.zeros((20, len(table.pos)), int))
        sampler = resample.multinomial(table.pos, int(table.pos.sum()), compiled=True)
        sampler(np.random.default_rng(5), found[-1])
    np.testing.assert_array_equal(*found)


def test_what_is_compiled_depends_on_sizes_only(monkeypatch: Any) -> None:
    few = Cells(np.array([600, 400]), np.array([500, 500]))
    monkeypatch.setattr(resample._kernels, "compiled", None)
    monkeypatch.setattr(resample, "MUCH", 100 * 11)
    for _ in range(5):
        resample.resample(both, TABLE, 99, 1, size=(6, 5))
    with pytest.raises(TypeError, match="not callable"):
        resample.resample(both, TABLE, 100, 1, size=(6, 5))
    # Drawing row by row compiles nothing.
    assert resample.resample(both, few, 3, 1, size=(1000, 1000)).sum() == 6000


def test_replicates_differ_and_repeat_with_the_seed() -> None:
    first = resample.resample(both, TABLE, 50, 1, size=(6, 5))
    np.testing.assert_array_equal(first, resample.resample(both, TABLE, 50, 1, size=(6, 5)))
    assert len(np.unique(first, axis=0)) > 20
    assert not np.array_equal(first, resample.resample(both, TABLE, 50, 2, size=(6, 5)))
    generator = np.random.default_rng(1)
    resample.resample(both, TABLE, 50, generator, size=(6, 5))
    # A generator that is passed on moves on.
    assert not np.array_equal(first, resample.resample(both, TABLE, 50, generator, size=(6, 5)))


@pytest.fixture(params=["numpy", "compiled", "runs"])
def by_case(request: Any, monkeypatch: Any) -> None:
    """Draw case by case: by numpy, by the kernel, or by its plain code in several runs."""
    monkeypatch.setattr(resample, "MUCH", np.inf if request.param == "numpy" else 0)
    if request.param == "runs":
        monkeypatch.setattr(resample._kernels, "compiled", lambda kernel: kernel)
        for module in (resample, draw):
            monkeypatch.setattr(module, "RUN", 4)


@pytest.mark.usefixtures("by_case")
@pytest.mark.parametrize("by_row", [False, True])
def test_stratified_draws_follow_the_multinomial_law(by_row: bool) -> None:
    """Chi-square over all outcomes, for each way of drawing; false alarm 0.1% each, seed fixed.

    A probability of 0.22 instead of 0.2 is found with a power of 0.99.
    """
    pos, m = np.array([3, 1, 2]), 3
    pooled: Any = lambda found: found  # noqa: E731
    if by_row:
        # As many draws and rows, but each of many cases.
        pos, m = 20 * pos, 60
        pooled = lambda found: np.minimum(found // 10, 4)  # noqa: E731
    drawn = resample.resample(both, Cells(pos, np.array([1, 0, 0])), 20_000, 11, size=(m, 1))[:, :3]
    law: Counter[tuple[int, ...]] = Counter()
    outcomes = [k for k in itertools.product(range(m + 1), repeat=3) if sum(k) == m]
    for outcome, share in zip(outcomes, stats.multinomial.pmf(outcomes, m, pos / pos.sum()), strict=True):
        law[tuple(pooled(np.array(outcome)).tolist())] += share
    seen = Counter(map(tuple, pooled(drawn).tolist()))
    cells = [cell for cell, share in law.items() if share * 20_000 >= 5]
    expected = np.array([law[cell] for cell in cells]) * 20_000
    observed = np.array([seen[cell] for cell in cells])
    rest = [20_000 - observed.sum()], [20_000 - expected.sum()]
    if rest[1][0] >= 5:
        observed, expected = (np.append(x, y) for x, y in zip((observed, expected), rest, strict=True))
    assert stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue > 1e-3


def occupied(n: int, m: int) -> Any:
    """Law of how many of n cases are among m draws: a case is added that is new, or not."""
    law = np.zeros(n + 1)
    law[0] = 1.0
    for _ in range(m):
        law = law * np.arange(n + 1) / n + np.append(0.0, law[:-1] * (n - np.arange(n)) / n)
    return law


@pytest.mark.usefixtures("by_case")
def test_many_draws_follow_the_multinomial_law() -> None:
    """The laws of the first case, of the last, of a half and of how many are drawn at all.

    Chi-square, false alarm 0.1% each, seed fixed; the last one sees whether cases depend on each other.
    """
    n = 150
    drawn = resample.resample(both, Cells(np.ones(n, int), np.ones(1, int)), 5000, 5, size=(n, 1))[:, :n]
    binomial = [(drawn[:, 0], 1 / n), (drawn[:, -1], 1 / n), (drawn[:, ::2].sum(axis=1), 0.5)]
    checks = [(found, stats.binom.pmf(np.arange(n + 1), n, share)) for found, share in binomial]
    checks.append(((drawn > 0).sum(axis=1), occupied(n, n)))
    for found, law in checks:
        expected, observed = law * 5000, np.bincount(found, minlength=n + 1)
        often = expected >= 5
        observed, expected = (np.append(x[often], x[~often].sum()) for x in (observed, expected))
        assert stats.chisquare(observed, expected).pvalue > 1e-3


@pytest.mark.slow
def test_means_and_variances_are_those_of_infinitely_many_resamples() -> None:
    """z-scores of 200 data sets follow the normal law (Kolmogorov; false alarm 0.1% each).

    A bias of 0.02 of the bootstrap's standard error is found with a power of 0.98.
    """
    g, z = np.random.default_rng(8), []
    for seed in range(200):
        y = g.permutation(np.repeat([0, 1], (45, 40)))
        a = (g.normal(size=85) + y).round(1)
        pair = PairedScores(y, a, a + g.normal(size=85))
        areas = joint_replicates(pair, None, 500, seed, None, 1)
        difference = areas[:, 0] - areas[:, 1]
        var_a, var_b = (exact_bootstrap_variance(model) for model in pair.models)
        cov = exact_bootstrap_covariance(pair, (pair.a, pair.b))
        row = []
        for values, mean, var in (
            (areas[:, 0], pair.a.auc, var_a),
            (difference, pair.a.auc - pair.b.auc, var_a + var_b - 2 * cov),
        ):
            square = (values - mean) ** 2
            row += [
                (values.mean() - mean) / np.sqrt(var / 500),
                (square.mean() - var) / (square.std() / 500**0.5),
            ]
        z.append(row)
    for column in np.array(z).T:
        assert stats.kstest(stats.norm.cdf(column), "uniform").pvalue > 1e-3


def test_full_draws_follow_the_binomial_split_given_both_classes() -> None:
    """The number of positives is binomial, cut off at both ends; false alarm 0.1%, seed fixed."""
    drawn = resample.resample(
        lambda p, q: np.array([p.sum(), q.sum()]), TABLE, 20_000, 3, size=(2, 3), sampling="full"
    )
    assert (drawn.sum(axis=1) == 5).all()
    law = np.asarray(stats.binom.pmf([1, 2, 3, 4], 5, 6 / 11))
    seen = np.bincount(drawn[:, 0], minlength=6)
    assert seen[0] == seen[5] == 0
    assert stats.chisquare(seen[1:5], law / law.sum() * 20_000).pvalue > 1e-3


def test_a_randomized_statistic_gets_the_replicates_own_stream() -> None:
    draw = lambda p, q, generator: generator.random(2)  # noqa: E731, ARG005
    drawn = resample.resample(draw, TABLE, 200, 4, size=(6, 5), randomized=True)
    assert len(np.unique(drawn)) == 400
    again = resample.resample(draw, TABLE, 200, 4, size=(6, 5), randomized=True, n_jobs=2)
    np.testing.assert_array_equal(drawn, again)


PUBLIC: list[Any] = [
    lambda d, **k: confroc.rates_at_threshold(d.a, threshold=[0, 1], method="bootstrap", **k),
    lambda d, **k: confroc.tpr_at_fpr(d.a, fpr=[0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.fpr_at_tpr(d.a, tpr=[0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.rates_at_positive_rate(d.a, positive_rate=[0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.rates_difference_at_threshold(
        d, threshold_a=0, threshold_b=1, method="bootstrap", **k
    ),
    lambda d, **k: confroc.rates_difference_at_threshold(
        UnpairedScores(d.a, d.a), threshold_a=0, threshold_b=1, method="bootstrap", **k
    ),
    lambda d, **k: confroc.tpr_difference_at_fpr(d, fpr=0.2, method="bootstrap", **k),
    lambda d, **k: confroc.tpr_difference_at_fpr(UnpairedScores(d.a, d.a), fpr=0.2, method="bootstrap", **k),
    lambda d, **k: confroc.cost_curve(d.a, w=[0.2, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.cost_difference(d, w=[0.2, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.cost_band(d.a, w=[0.2, 0.5], **k),
    lambda d, **k: confroc.cost_difference_band(d, w=[0.2, 0.5], **k),
    lambda d, **k: confroc.net_benefit(d.a, risk=0.3, threshold=0, method="bootstrap", **k),
    lambda d, **k: confroc.net_benefit_difference(
        d, risk=0.3, threshold_a=0, threshold_b=0, method="bootstrap", **k
    ),
    lambda d, **k: confroc.expected_cost(d.a, false_negative=2, false_positive=1, **k),
]


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("call", PUBLIC)
def test_jobs_change_no_public_result(call: Any) -> None:
    g = np.random.default_rng(2)
    y = g.integers(0, 2, 90)
    a = g.normal(size=90) + y
    pair = PairedScores(y, a, 0.5 * a + g.normal(size=90))
    one, two = (call(pair, n_resamples=150, rng=9, n_jobs=jobs).to_dict() for jobs in (1, 2))
    np.testing.assert_equal(two, one)


GENERATOR = np.random.default_rng(5)
Y = np.arange(200) % 2
SCORE_A, SCORE_B = GENERATOR.normal(size=(2, 200)) + Y
PAIR = PairedScores(Y, SCORE_A, SCORE_B)
APART = UnpairedScores(PAIR.a, PAIR.b)
RATES = np.linspace(0.05, 0.9, 100)
KEEPING: dict[str, Any] = {
    **{
        f"roc_band, {method}": lambda n, method=method: confroc.roc_band(PAIR.a, method=method, n_resamples=n)
        for method in (
            "equal_local_levels",
            "vertical_averaging",
            "threshold_averaging",
            "auc_hull",
            "bootstrap",
        )
    },
    **{
        f"roc_difference_band, {method}, {of}": lambda n, method=method, pair=pair: (
            confroc.roc_difference_band(pair, method=method, n_resamples=n)
        )
        for method in ("equal_local_levels", "studentized_bootstrap")
        for of, pair in (("paired", PAIR), ("unpaired", APART))
    },
    "cost_band": lambda n: confroc.cost_band(PAIR.a, n_resamples=n),
    "cost_band, full": lambda n: confroc.cost_band(PAIR.a, n_resamples=n, sampling="full"),
    "cost_difference_band": lambda n: confroc.cost_difference_band(PAIR, n_resamples=n),
    "cost_difference_band, unpaired": lambda n: confroc.cost_difference_band(APART, n_resamples=n),
    "cost_curve": lambda n: confroc.cost_curve(PAIR.a, w=RATES, method="bootstrap", n_resamples=n),
    "tpr_at_fpr": lambda n: confroc.tpr_at_fpr(PAIR.a, fpr=RATES, method="bootstrap", n_resamples=n),
    "tpr_at_fpr, smoothed": lambda n: confroc.tpr_at_fpr(
        PAIR.a, fpr=RATES, method="smoothed_bootstrap", n_resamples=n
    ),
    "rates_at_threshold": lambda n: confroc.rates_at_threshold(
        PAIR.a, threshold=RATES, method="bootstrap", n_resamples=n
    ),
    "auc_interval, smoothed": lambda n: confroc.auc_interval(
        PAIR.a, method="smoothed_bootstrap", n_resamples=n
    ),
    "auc_comparison": lambda n: confroc.auc_comparison(
        PairedScores(Y, *(SCORE_A + i * SCORE_B for i in range(6))), method="bootstrap", n_resamples=n
    ),
    "auc_test": lambda n: confroc.auc_test(PAIR.a, null_auc=0.6, method="nearest_population", n_resamples=n),
    "auc_equality_test": lambda n: confroc.auc_equality_test(PAIR, n_resamples=n),
}


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("name", KEEPING)
def test_resamples_that_no_memory_holds_are_refused_before_they_are_drawn(name: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(
            ValueError, match=r"`n_resamples` must be at most .* memory; got 10000000\. Use fewer"
        ):
            KEEPING[name](10**7)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # One block of resamples shows how many numbers each keeps.
    assert peak < 60 * 2**20


def test_as_many_numbers_are_kept_as_the_error_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(n_resamples: int) -> Any:
        return resample.resample(both, TABLE, n_resamples, 7, size=(6, 5))

    def draw(n_resamples: int) -> Any:
        return resample.by_generator(lambda generator: generator.normal(size=70), n_resamples, 7, 1)

    for work, each in ((run, 8), (draw, 70)):
        expected = work(50)
        monkeypatch.setattr(resample, "MOST_KEPT", 50 * each)
        np.testing.assert_array_equal(work(50), expected)
        assert expected.size == 50 * each
        with pytest.raises(ValueError, match=f"be at most 50 to fit {each} numbers per resample"):
            work(51)
        monkeypatch.undo()
