"""Power and sample size: pROC's numbers, the formula's own definition, and simulation."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

from confroc import PairedScores, Scores, UnpairedScores, auc_difference, difference, interval
from confroc.models import BinormalModel
from confroc.planning import Power, auc_power, auc_sample_size, power, rate_sample_size, sample_size
from confroc.planning.study import at_ratio, empirical_covariance, obuchowski_covariance, obuchowski_variance
from confroc.statistics import Auc, AveragePrecision, Metric, TprAtFpr
from support import slow

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "reference" / "proc_reference.json").read_text()
)["power"]


def test_one_area_agrees_with_proc() -> None:
    # pROC rounds 1/(32π) = 0.00995 to 0.0099 and √2 to 1.414, so its sample sizes are 0.5 to 0.7% smaller.
    for block in REFERENCE["one_auc_power"]:
        found = auc_power(
            block["auc"],
            n_pos=block["n_pos"],
            n_neg=block["n_neg"],
            significance_level=block["significance_level"],
            alternative=block["alternative"],
            variance="obuchowski",
        )
        assert found.power == pytest.approx(block["power"], abs=0.003)
    for block in REFERENCE["one_auc_sample_size"]:
        found = auc_sample_size(
            block["auc"],
            power=block["power"],
            ratio=block["ratio"],
            significance_level=block["significance_level"],
            alternative=block["alternative"],
            variance="obuchowski",
        )
        assert block["n_pos"] < found.n_pos < 1.008 * block["n_pos"] + 1


def test_one_area_with_procs_roundings() -> None:
    def variance(auc: float, ratio: float) -> float:
        a = stats.norm.ppf(auc) * 1.414
        return float(0.0099 * math.exp(-(a**2) / 2) * (5 * a**2 + 8 + (a**2 + 8) / ratio))

    for block in REFERENCE["one_auc_sample_size"]:
        tails = 2 if block["alternative"] == "two-sided" else 1
        z_a, z_b = stats.norm.isf(block["significance_level"] / tails), stats.norm.ppf(block["power"])
        v_0, v_a = (variance(a, block["ratio"]) for a in (0.5, block["auc"]))
        n = ((z_a * math.sqrt(v_0) + z_b * math.sqrt(v_a)) / (block["auc"] - 0.5)) ** 2
        assert n == pytest.approx(block["n_pos"], rel=1e-9)
        # The unrounded variance is the binormal one with equal spread.
        exact = at_ratio(obuchowski_variance(BinormalModel.from_auc(block["auc"])), block["ratio"])
        assert exact == pytest.approx(variance(block["auc"], block["ratio"]), rel=0.008)


def test_two_binormal_areas_agree_with_proc() -> None:
    q = REFERENCE["two_binormal"]["parameters"]["whole_area"]
    first, second = BinormalModel(a=q["A1"], b=q["B1"]), BinormalModel(a=q["A2"], b=q["B2"])
    for block in REFERENCE["two_binormal"]["results"]:
        if block["parameters"] != "whole_area":
            continue
        common: dict[str, Any] = {
            "model_b": second,
            "correlation": (q["ra"], q["rn"]),
            "significance_level": block["significance_level"],
            "alternative": block["alternative"],
            "variance": "obuchowski",
        }
        if block["solved_for"] == "power":
            found = auc_power(first, n_pos=int(block["n_pos"]), n_neg=int(block["n_neg"]), **common)
            assert found.power == pytest.approx(block["power"], abs=1e-12)
        else:
            ratio = block["n_neg"] / block["n_pos"]
            assert auc_sample_size(first, power=block["power"], ratio=ratio, **common).n_pos == math.ceil(
                block["n_pos"]
            )


def test_pilot_pair_agrees_with_proc(data_folder: Path) -> None:
    with (data_folder / "aSAH.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    y = [int(r["outcome"] == "Poor") for r in rows]
    for block in REFERENCE["two_paired_curves"]:
        pilot = PairedScores(y, *([float(r[block[k]]) for r in rows] for k in ("a", "b")))
        common: dict[str, Any] = {
            "significance_level": block["significance_level"],
            "alternative": block["alternative"],
            "variance": "obuchowski",
        }
        if block["solved_for"] == "power":
            # pROC does not take the absolute difference: b before a gives it the power of the wrong side.
            if pilot.a.auc < pilot.b.auc:
                continue
            found = auc_power(pilot, n_pos=41, n_neg=72, **common)
            assert found.power == pytest.approx(block["power"], abs=1e-9)
        else:
            found = auc_sample_size(pilot, power=block["power"], ratio=72 / 41, **common)
            assert found.n_pos == math.ceil(block["n_pos"])


def areas(pos: np.ndarray, neg: np.ndarray) -> np.ndarray:
    """Empirical areas of many samples without ties, one a row, by rank sums."""
    n_pos = pos.shape[1]
    ranks = np.argsort(np.argsort(np.concatenate([pos, neg], axis=1), axis=1), axis=1)[:, :n_pos] + 1
    return np.asarray((ranks.sum(axis=1) - n_pos * (n_pos + 1) / 2) / n_pos / neg.shape[1])


def test_variance_and_covariance_against_simulation() -> None:
    # 6,000 samples: a variance is known to 1.8%, the covariance to about as much; four of them, and 1% for
    # the second-order term that the formula leaves out.
    rng = np.random.default_rng(1)
    one, other, (r_pos, r_neg) = BinormalModel(a=1.3, b=0.7), BinormalModel(a=1.0, b=1.5), (0.6, 0.3)
    n_pos, n_neg = 100, 150
    normals = [rng.standard_normal((2, 6000, n)) for n in (n_pos, n_neg)]
    pos, neg = (
        np.stack([x[0], r * x[0] + math.sqrt(1 - r * r) * x[1]])
        for x, r in zip(normals, (r_pos, r_neg), strict=True)
    )
    first = areas((one.a + pos[0]) / one.b, neg[0])
    second = areas((other.a + pos[1]) / other.b, neg[1])
    found = np.cov(first, second)
    for model, at in ((one, 0), (other, 1)):
        expected = at_ratio(empirical_covariance(model, model, (1.0, 1.0)), n_neg / n_pos) / n_pos
        assert expected == pytest.approx(found[at, at], rel=0.08)
    expected = at_ratio(empirical_covariance(one, other, (r_pos, r_neg)), n_neg / n_pos) / n_pos
    assert expected == pytest.approx(found[0, 1], rel=0.15)


def test_variance_against_owens_t() -> None:
    # P(X ≤ h, Y ≤ h) = Φ(h) − 2T(h, √((1 − ρ)/(1 + ρ))).
    for model in (BinormalModel(a=1.3, b=0.7), BinormalModel(a=0.0, b=2.0), BinormalModel(a=4.0, b=1.0)):
        h, parts = stats.norm.ppf(model.auc), empirical_covariance(model, model, (1.0, 1.0))
        for part, rho in ((parts[0], 1 / (1 + model.b**2)), (parts[1], model.b**2 / (1 + model.b**2))):
            joint = model.auc - 2 * special.owens_t(h, math.sqrt((1 - rho) / (1 + rho)))
            assert part == pytest.approx(joint - model.auc**2, abs=1e-12)


def test_covariance_limits() -> None:
    model = BinormalModel(a=1.3, b=0.7)
    for covariance in (empirical_covariance, obuchowski_covariance):
        assert not covariance(model, model, (0.0, 0.0)).any()


def test_covariance_of_binormal_areas_by_moments_of_the_classes() -> None:
    """The area as a function of means and variances of two normal classes, differentiated numerically."""
    first, second, correlation = BinormalModel(a=1.3, b=0.7), BinormalModel(a=0.6, b=1.4), (0.6, 0.3)

    def area(moments: list[float]) -> float:
        mean_pos, var_pos, mean_neg, var_neg = moments
        return float(stats.norm.cdf((mean_pos - mean_neg) / math.sqrt(var_pos + var_neg)))

    def slopes(model: BinormalModel) -> tuple[list[float], list[float]]:
        at, step = [model.a, 1.0, 0.0, model.b**2], 1e-5
        found = []
        for i in range(4):
            above, below = ([v + side * step * (i == j) for j, v in enumerate(at)] for side in (1, -1))
            found.append((area(above) - area(below)) / (2 * step))
        return at, found

    (at, one), (other_at, other) = slopes(first), slopes(second)
    expected = []
    for i, r in zip((0, 2), correlation, strict=True):
        # Of samples of n the means have covariance rσσ′/n and the variances 2r²σ²σ′²/n.
        product = at[i + 1] * other_at[i + 1]
        expected.append(
            one[i] * other[i] * r * math.sqrt(product) + one[i + 1] * other[i + 1] * 2.0 * r**2 * product
        )
    assert obuchowski_covariance(first, second, correlation) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("null", "auc"), [(0.80, 0.84), (0.84, 0.80)])
def test_simulated_one_sided_power_is_near_the_formula(null: float, auc: float) -> None:
    aim = {"null_auc": null, "alternative": "one-sided", "n_pos": 300, "n_neg": 300}
    formula = auc_power(auc, **aim).power  # type: ignore[arg-type]
    simulated = auc_power(auc, method="simulation", n_resamples=200, rng=1, **aim).power  # type: ignore[arg-type]
    # Four standard errors of 200 studies.
    assert simulated == pytest.approx(formula, abs=4.0 * math.sqrt(0.25 / 200))
    assert formula > 0.5


def test_a_plan_has_two_negatives_at_least() -> None:
    assert auc_sample_size(0.999, ratio=1e-3, width=0.5).n_neg == 2


def test_size_and_power_are_inverse() -> None:
    for model_b, level in ((None, 0.05), (0.72, 0.01)):
        for wanted in (0.5, 0.8, 0.99):
            found = auc_sample_size(0.8, power=wanted, model_b=model_b, significance_level=level, ratio=3.0)
            assert found.power >= wanted
            assert found.n_neg == 3 * found.n_pos
            less = auc_power(
                0.8,
                n_pos=found.n_pos - 1,
                n_neg=3 * found.n_pos - 3,
                model_b=model_b,
                significance_level=level,
            )
            assert less.power < wanted


def test_width_is_reached() -> None:
    found = auc_sample_size(0.85, width=0.08, ratio=2.0)
    assert found.width <= 0.08
    assert auc_power(0.85, n_pos=found.n_pos - 1, n_neg=2 * found.n_pos - 2).width > 0.08


@pytest.mark.parametrize("two", slow([False, True], True))
def test_simulation_agrees_with_the_formula(two: bool) -> None:
    options: dict[str, Any] = {"model_b": 0.78, "correlation": (0.6, 0.6)} if two else {"null_auc": 0.75}
    asymptotic = auc_power(0.85, n_pos=120, n_neg=160, **options)
    simulated = auc_power(0.85, n_pos=120, n_neg=160, method="simulation", n_resamples=600, rng=1, **options)
    assert simulated.standard_error == pytest.approx(math.sqrt(simulated.power * (1 - simulated.power) / 600))
    # Four Monte Carlo errors, and the formula's own small-sample error of a few percent.
    assert simulated.power == pytest.approx(asymptotic.power, abs=4 * simulated.standard_error + 0.04)
    assert simulated.width == pytest.approx(asymptotic.width, rel=0.1)
    few: dict[str, Any] = {"n_pos": 120, "n_neg": 160, "method": "simulation", "n_resamples": 40, **options}
    assert auc_power(0.85, rng=1, **few) == auc_power(0.85, rng=1, **few)


MARGINS: tuple[dict[str, Any], ...] = (
    {"alternative": "one-sided"},
    {"alternative": "non-inferiority", "margin": 0.06},
    {"alternative": "equivalence", "margin": 0.09},
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aim", "correlation"),
    [*((aim, (0.6, 0.5)) for aim in MARGINS), (MARGINS[0], (0.0, 0.0))],
    ids=[*(aim["alternative"] for aim in MARGINS), "not correlated"],
)
def test_aims_of_two_models_by_simulation(aim: dict[str, Any], correlation: tuple[float, float]) -> None:
    first = 0.84 if "margin" not in aim else 0.8
    options: dict[str, Any] = {"model_b": BinormalModel.from_auc(0.79, b=0.8), "correlation": correlation}
    asymptotic = auc_power(first, n_pos=150, n_neg=150, **options, **aim)
    simulated = auc_power(
        first, n_pos=150, n_neg=150, method="simulation", n_resamples=500, rng=3, **options, **aim
    )
    # Four Monte Carlo errors of at most 0.022, and the formula's small-sample error of a few percent.
    assert simulated.power == pytest.approx(asymptotic.power, abs=4 * simulated.standard_error + 0.04)
    assert simulated.width == pytest.approx(asymptotic.width, rel=0.05)
    assert (simulated.alternative, simulated.margin) == (aim["alternative"], aim.get("margin"))
    found = auc_sample_size(first, power=0.8, **options, **aim)
    assert found.power >= 0.8
    less = auc_power(first, n_pos=found.n_pos - 1, n_neg=found.n_neg - 1, **options, **aim)
    assert less.power < 0.8


def test_margins_by_their_formula() -> None:
    options: dict[str, Any] = {"model_b": 0.78, "correlation": 0.5, "n_pos": 120, "n_neg": 240}
    wide = auc_power(0.8, **options)
    se = wide.width / 2 / stats.norm.isf(0.025)
    z = stats.norm.isf(0.05)
    one = auc_power(0.8, alternative="non-inferiority", margin=0.05, **options)
    assert one.power == pytest.approx(stats.norm.cdf((0.02 + 0.05) / se - z), rel=1e-9)
    both = auc_power(0.8, alternative="equivalence", margin=0.09, **options)
    tails = [stats.norm.cdf((0.09 + sign * 0.02) / se - z) for sign in (-1, 1)]
    assert both.power == pytest.approx(sum(tails) - 1, rel=1e-9)
    assert auc_power(0.8, alternative="equivalence", margin=0.03, **options).power == 0.0
    # A worse model within the margin is non-inferior, one beyond it never is.
    worse: dict[str, Any] = {"alternative": "non-inferiority", "model_b": 0.8, "correlation": (0.5, 0.5)}
    assert auc_sample_size(0.78, margin=0.05, **worse).power >= 0.8
    with pytest.raises(ValueError, match=r"`margin`.*difference"):
        auc_sample_size(0.74, margin=0.05, **worse)


def test_a_pilot_brings_its_share_of_positives() -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [20, 180])
    pilot = PairedScores(y, *(s * y + rng.standard_normal(200) for s in (1.6, 1.0)))
    # Two test sets of which one has many more negatives: the ratio of all cases.
    apart = UnpairedScores(pilot.a, Scores(np.repeat([1, 0], [20, 60]), rng.standard_normal(80) + 1.0))
    for sample, ratio in ((pilot.a, 9.0), (pilot, 9.0), (apart, 6.0)):
        found = auc_sample_size(sample, power=0.9)
        own = tuple(note for note in found.notes if "pilot" not in note)
        assert replace(found, notes=own) == auc_sample_size(sample, power=0.9, ratio=ratio)
        assert found.n_neg == math.ceil(found.n_pos * ratio - 1e-9)
        # A ratio that is given wins, and fewer negatives ask for more positives.
        even = auc_sample_size(sample, power=0.9, ratio=1)
        assert even.n_neg == even.n_pos > found.n_pos
        # By the formula of the one-sample test or of two areas, at that ratio.
        assert found.power >= 0.9 > auc_power(sample, n_pos=found.n_pos - 1, n_neg=found.n_neg - 9).power
        # With a pilot the formula's variance is that of the null hypothesis.
        found, other = (auc_power(sample, n_pos=9, n_neg=40, variance=v) for v in ("empirical", "obuchowski"))
        assert abs(found.power - other.power) > 1e-6
    assert auc_sample_size(0.8).n_neg == auc_sample_size(0.8).n_pos


def test_pilots_of_two_models() -> None:
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], 80)
    common = rng.standard_normal(160)
    pilot = PairedScores(y, *(s * y + common + 0.8 * rng.standard_normal(160) for s in (2.0, 1.2)))
    apart = UnpairedScores(pilot.a, pilot.b)
    found = {name: auc_power(p, n_pos=80, n_neg=80) for name, p in (("paired", pilot), ("unpaired", apart))}
    for name, p in (("paired", pilot), ("unpaired", apart)):
        se = auc_difference(p, method="delong").standard_error
        assert found[name].width == pytest.approx(2 * stats.norm.isf(0.025) * se, rel=1e-9)
        assert found[name].effect == pytest.approx(pilot.a.auc - pilot.b.auc, abs=1e-12)
    assert found["paired"].power > found["unpaired"].power


def test_simulated_level_is_the_significance_level() -> None:
    # Under the null hypothesis the power is the level: 0.05 ± four Monte Carlo errors of 0.0077 (p = 1e-4). A
    # level of 0.10 or of 0.01 would be found with probability 0.97.
    found = auc_power(0.8, n_pos=60, n_neg=80, null_auc=0.8, method="simulation", n_resamples=800, rng=4)
    assert found.power == pytest.approx(0.05, abs=0.031)


@pytest.mark.slow
def test_sample_size_by_simulation() -> None:
    found = auc_sample_size(0.75, power=0.8, method="simulation", n_resamples=200, rng=2)
    assert found.power == pytest.approx(0.8, abs=4 * 0.029)
    assert str(found.method) == "simulation"
    wide = auc_sample_size(0.75, width=0.3, method="simulation", n_resamples=100, rng=2)
    assert wide.width == pytest.approx(0.3, rel=0.02)


def test_pilot_of_one_model() -> None:
    rng = np.random.default_rng(3)
    pilot = Scores(np.repeat([1, 0], 50), np.r_[1 + rng.standard_normal(50), rng.standard_normal(50)])
    result = auc_power(pilot, n_pos=50, n_neg=50)
    assert isinstance(result, Power)
    assert result.effect == pytest.approx(pilot.auc - 0.5)
    assert "50 positives" in str(result)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"model": 1.0}, "`model`"),
        ({"model": 0.8, "model_b": "x"}, "`model_b`"),
        ({"model": 0.8, "alternative": "greater"}, "`alternative`"),
        ({"model": 0.8, "power": 1.0}, "`power`"),
        ({"model": 0.8, "power": 0.8, "width": 0.1}, "`power`.*combined"),
        ({"model": 0.8, "width": 2.0}, "`width`"),
        ({"model": 0.8, "ratio": 0.0}, "`ratio`"),
        ({"model": 0.5}, "`model`.*null"),
        ({"model": 0.8, "alternative": "equivalence", "margin": 0.1}, "`alternative`.*one model"),
        ({"model": 0.8, "model_b": 0.8, "alternative": "equivalence"}, "`margin`.*between 0 and 1"),
        ({"model": 0.8, "model_b": 0.7, "margin": 0.1}, "`margin`.*omitted"),
        ({"model": 0.8, "correlation": (1.0, 0.0), "model_b": 0.7}, "`correlation`"),
        ({"model": 0.8, "null_auc": 0.0}, "`null_auc`"),
        ({"model": 0.8, "null_auc": 0.7999999}, "10⁹"),
        ({"model": Scores([1, 0, 1, 0], [4, 3, 2, 1]), "method": "simulation"}, "`model`.*simulation"),
        ({"model": Scores([1, 0, 1, 0], [4, 3, 2, 1]), "model_b": 0.8}, "`model_b`.*pilot"),
    ],
)
def test_errors_name_the_argument(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        auc_sample_size(**arguments)


@pytest.mark.parametrize(
    ("a", "b"), [("ranks", "ranks"), ("ones", "ones"), ("ranks", "ones")], ids=["same", "constant", "perfect"]
)
def test_pilots_without_spread_are_refused(a: str, b: str) -> None:
    y = np.repeat([0, 1], 20)
    columns = {"ranks": np.arange(40.0), "ones": np.ones(40)}
    for pilot in (PairedScores(y, columns[a], columns[b]), Scores(y, columns[a])):
        with pytest.raises(
            ValueError, match="`model` must be a pilot sample whose DeLong variance is not zero"
        ):
            auc_power(pilot, n_pos=50, n_neg=50)
        with pytest.raises(ValueError, match="Pass an expected AUC"):
            auc_sample_size(pilot, width=0.1)


def test_a_study_has_the_pilots_share_of_negatives_unless_told() -> None:
    y = np.repeat([1, 0], [20, 60])
    pilot = Scores(y, np.random.default_rng(4).normal(size=80) + y)
    found = auc_sample_size(pilot, power=0.9)
    assert found.n_neg == pytest.approx(3 * found.n_pos, abs=1)
    assert replace(found, notes=found.notes[:1]) == auc_sample_size(pilot, power=0.9, ratio=3.0)
    assert auc_sample_size(pilot, power=0.9, ratio=1.0).n_neg < found.n_neg


@pytest.mark.slow
def test_plans_of_few_cases_are_noted_as_optimistic() -> None:
    asked = {"model": 0.95, "n_pos": 5, "n_neg": 47}
    found, simulated = auc_power(**asked), auc_power(method="simulation", n_resamples=300, rng=1, **asked)
    assert "less power" in found.notes[-1]
    assert simulated.width > 1.15 * found.width
    assert simulated.power <= found.power + 1e-6
    assert not auc_power(0.8, model_b=0.75, correlation=(0.5, 0.5), n_pos=200, n_neg=200).notes


def test_variances_of_two_areas_without_correlation_add_up() -> None:
    one, other = (auc_power(auc, null_auc=0.5, n_pos=200, n_neg=300) for auc in (0.8, 0.7))
    both = auc_power(0.8, model_b=0.7, n_pos=200, n_neg=300)
    assert both.width == pytest.approx(math.hypot(one.width, other.width), rel=1e-12)


@pytest.mark.parametrize("null_auc", [0.7999, 0.8001], ids=["above", "below"])
def test_simulated_one_sided_tests_of_one_area_have_their_level(null_auc: float) -> None:
    """So near the null hypothesis the power is the level, 0.3; with half of the level it would be 0.15.

    The Monte Carlo error of 400 studies is 0.023: a false alarm at four of it and 0.02 is below 1e-5.
    """
    options: dict[str, Any] = {"alternative": "one-sided", "significance_level": 0.3, "null_auc": null_auc}
    found = auc_power(0.8, n_pos=80, n_neg=100, method="simulation", n_resamples=400, rng=5, **options)
    assert found.power == pytest.approx(0.3, abs=0.11)
    assert auc_power(0.8, n_pos=80, n_neg=100, **options).power == pytest.approx(0.3, abs=0.01)


@pytest.mark.slow
def test_monte_carlo_error_is_the_spread_of_repeated_simulations() -> None:
    """The standard deviation of 40 powers is known to 11%; the error without its root would be 0.01."""
    found = [
        auc_power(0.8, n_pos=20, n_neg=20, null_auc=0.62, method="simulation", n_resamples=25, rng=seed)
        for seed in range(40)
    ]
    spread = np.std([one.power for one in found], ddof=1)
    error = np.mean([one.standard_error for one in found])
    assert error == pytest.approx(spread, rel=0.4)
    assert 0.05 < spread < 0.15


def test_rates_vary_as_planned() -> None:
    """Rates read off simulated samples: their spread, of 2,000 samples, is known to 1.6%.

    The first-order formula is within 3% here; a false alarm at 8% is a matter of 1e-3 at most, and without
    the threshold's part the spread would be a third too small.
    """
    model, fpr = BinormalModel(a=1.8, b=0.8), 0.1
    planned = rate_sample_size(model, fpr=fpr, width=0.1)
    rng = np.random.default_rng(4)
    neg = np.sort(rng.normal(size=(2000, planned.n_neg)), axis=1)
    threshold = neg[:, -1 - round(fpr * planned.n_neg)]
    pos = (rng.normal(size=(2000, planned.n_pos)) + model.a) / model.b
    rates = (pos > threshold[:, None]).mean(axis=1)
    half = 0.5 * planned.width / special.ndtri(0.975)
    assert np.std(rates) == pytest.approx(half, rel=0.08)
    assert planned.effect == pytest.approx(float(model.tpr(fpr)[0]) - fpr, rel=1e-12)
    assert 0.0995 < planned.width <= 0.1
    # Another division of as many cases is no better.
    total = planned.n_pos + planned.n_neg
    for ratio in (0.5, 1.0, 2.0, 4.0):
        other = rate_sample_size(model, fpr=fpr, width=0.1, ratio=ratio)
        assert other.n_pos + other.n_neg >= total - 2
        assert other.n_neg == math.ceil(other.n_pos * ratio - 1e-9)


def test_plans_of_rates_have_their_power() -> None:
    """The standard normal formula, written out, for a null rate of 0.5."""
    found = rate_sample_size(0.9, fpr=0.1, null_tpr=0.5, power=0.9, ratio=1.0)
    a, z = math.sqrt(2.0) * special.ndtri(0.9), special.ndtri(0.1)

    def variance(shift: float) -> float:
        rate = stats.norm.cdf(shift + z)
        slope = stats.norm.pdf(shift + z) / stats.norm.pdf(z)
        return float((rate * (1.0 - rate) + slope**2 * 0.09) / found.n_pos)

    effect = stats.norm.cdf(a + z) - 0.5
    critical = 1.959963984540054 * math.sqrt(variance(-z))
    power = stats.norm.cdf((effect - critical) / math.sqrt(variance(a)))
    assert found.power == pytest.approx(power, rel=1e-9)
    assert found.power >= 0.9


def test_few_negatives_beyond_the_threshold_are_planned_for() -> None:
    found = rate_sample_size(0.95, fpr=1e-4, width=0.2)
    assert found.n_neg == 50_000
    assert "five are expected" in found.notes[0]
    assert found.width == pytest.approx(0.2, abs=0.002)
    with pytest.raises(ValueError, match="`fpr` must lie strictly between 0 and 1"):
        rate_sample_size(0.95, fpr=0.0, width=0.2)
    with pytest.raises(ValueError, match="`model` must be a BinormalModel or an AUC"):
        rate_sample_size(1.5, fpr=0.1)
    with pytest.raises(ValueError, match="differ from the null hypothesis"):
        rate_sample_size(0.8, fpr=0.1, null_tpr=float(BinormalModel.from_auc(0.8).tpr(0.1)[0]), power=0.8)


def drawn(n: int, seed: int, clusters: int = 0) -> PairedScores:
    """Scores of two models, 30% positives; cases of a cluster share their class and part of their scores."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(clusters, size=n) if clusters else np.arange(n)
    y_true = (rng.random(clusters or n) < 0.3)[cluster]
    a = rng.normal(size=n) + 1.2 * y_true + (rng.normal(size=clusters)[cluster] if clusters else 0.0)
    b = 0.6 * rng.normal(size=n) + 0.6 * a + 0.4 * y_true
    return PairedScores(y_true, a, b, cluster=cluster if clusters else None)


def test_plans_of_the_area_are_those_of_its_own_function() -> None:
    pair = drawn(400, 1)
    for pilot, aim in ((pair.a, {"width": 0.1}), (pair, {"power": 0.9}), (pair, {"width": 0.05})):
        own = auc_sample_size(pilot, **aim)  # type: ignore[arg-type]
        any_of = sample_size(pilot, Auc(), **aim)  # type: ignore[arg-type]
        assert (any_of.n_pos, any_of.n_neg) == (own.n_pos, own.n_neg)
        assert any_of.width == pytest.approx(own.width, rel=1e-9)
    disjoint = UnpairedScores(pair.a, drawn(300, 2).b)
    own, any_of = auc_power(disjoint, n_pos=90, n_neg=110), power(disjoint, Auc(), n_pos=90, n_neg=110)
    assert any_of.power == pytest.approx(own.power, rel=1e-9)


@pytest.mark.parametrize(
    "statistic", [AveragePrecision(), Metric("f1", threshold=0.5), Metric("accuracy", threshold=0.5)]
)
def test_intervals_of_planned_samples_have_the_planned_width(statistic: Any) -> None:
    planned = sample_size(drawn(20_000, 3).a, statistic, width=0.1)
    assert math.isnan(planned.power)
    n = planned.n_pos + planned.n_neg
    widths = [found.upper - found.lower for found in (interval(drawn(n, s).a, statistic) for s in range(20))]
    # The standard error of the mean width is below 1%; the corrected interval of average precision is wider.
    assert np.mean(widths) == pytest.approx(0.1, rel=0.06)


@pytest.mark.slow
def test_planned_samples_reject_as_often_as_planned() -> None:
    statistic = Metric("balanced_accuracy", threshold=0.5)
    planned = sample_size(drawn(50_000, 4), statistic, power=0.7)
    n, runs = planned.n_pos + planned.n_neg, 400
    rejected = np.mean([difference(drawn(n, s), statistic).pvalue < 0.05 for s in range(runs)])
    # Three standard errors are 0.07.
    assert abs(rejected - 0.7) < 0.07


def test_clustered_pilots_plan_for_clustered_samples() -> None:
    clustered = drawn(6_000, 5, 600).a
    plain = Scores.from_counts(clustered.score, clustered.pos, clustered.neg)
    found = interval(clustered, Auc(), method="delong")
    planned = sample_size(clustered, Auc(), width=found.upper - found.lower)
    assert planned.n_pos + planned.n_neg == pytest.approx(6_000, rel=0.02)
    assert sample_size(plain, Auc(), width=planned.width).n_pos < 0.5 * planned.n_pos
    with pytest.raises(ValueError, match="`ratio` must be omitted where"):
        sample_size(clustered, Auc(), width=0.1, ratio=1.0)


def test_plans_of_weighted_pilots_keep_its_rows_by_class() -> None:
    # Half of the negatives were sampled; a plan for the width of the pilot is the pilot.
    pilot = drawn(4_000, 7).a
    y, s = (
        np.repeat([1, 0], [pilot.n_pos, pilot.n_neg]),
        np.r_[np.repeat(pilot.score, pilot.pos), np.repeat(pilot.score, pilot.neg)],
    )
    weighted = Scores(y, s, sample_weight=np.where(y == 1, 1.0, 2.0))
    for statistic in (Auc(), AveragePrecision()):
        found = interval(weighted, statistic, method="delong" if statistic == Auc() else "wald")
        planned = sample_size(weighted, statistic, width=found.upper - found.lower)
        # Intervals have Student quantiles, plans normal ones.
        assert planned.n_pos == pytest.approx(pilot.n_pos, rel=0.03)
        assert planned.n_neg / planned.n_pos == pytest.approx(pilot.n_neg / pilot.n_pos, rel=0.01)
    both = [sample_size(one, Auc(), null=pilot.auc - 0.05) for one in (weighted, pilot)]
    assert both[0].n_pos == pytest.approx(both[1].n_pos, abs=1.0)


def test_plans_of_any_statistic_refuse_what_they_cannot_plan() -> None:
    pair = drawn(200, 6)
    with pytest.raises(ValueError, match="`statistic` must be one number with an influence function"):
        sample_size(pair.a, TprAtFpr(0.1), width=0.1)
    with pytest.raises(ValueError, match="`null` must be given"):
        sample_size(pair.a, Auc(), power=0.8)
    with pytest.raises(ValueError, match="`pilot` must be a sample in which the statistic varies"):
        power(Scores([1, 1, 0, 0], [4, 3, 2, 1]), Auc(), n_pos=20)
    with pytest.raises(ValueError, match="`n_neg` must be omitted where"):
        power(pair, Metric("f1", threshold=0.5), n_pos=20, n_neg=20)


def test_clustered_pilot_samples_are_refused() -> None:
    y, s = np.repeat([1, 0], 20), np.r_[np.arange(20.0) + 5.0, np.arange(20.0)]
    for pilot in (
        Scores(y, s, cluster=np.arange(40) // 2),
        PairedScores(y, s, np.round(s), cluster=np.arange(40) // 2),
    ):
        with pytest.raises(ValueError, match="`model` must have no weights, clusters or strata"):
            auc_sample_size(pilot, width=0.2)
        with pytest.raises(ValueError, match="must have no weights, clusters or strata"):
            auc_power(pilot, n_pos=20)
