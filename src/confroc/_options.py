"""The options of the methods of each function, as types for `**options`; None stands for a default.

Made from the classes of the methods by `python tests/typed_options.py`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

import numpy as np


class Settings(TypedDict, total=False):
    """How a computation runs: every method accepts these, and uses them if it resamples."""

    rng: np.random.Generator | np.random.SeedSequence | int | None
    n_jobs: int


Bandwidth: TypeAlias = (
    Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
    | float
    | tuple[float, float]
    | None
)


class AucComparisonOptions(Settings, total=False):
    """Options of the methods of `auc_comparison`."""

    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class AucDifferenceOptions(AucComparisonOptions, total=False):
    """Options of the methods of `auc_difference`."""


class AucForecastOptions(Settings, total=False):
    """Options of the methods of `auc_forecast`."""

    n_bins: int | None
    n_resamples: int | None


class AucIntervalOptions(AucComparisonOptions, total=False):
    """Options of the methods of `auc_interval`."""

    bandwidth: Bandwidth
    center: Literal["empirical", "smoothed"] | None
    error_rate: float | None
    kernel: Literal["gaussian", "uniform"] | None
    tails: Literal["symmetric", "basic", "percentile"] | None


class AucPowerOptions(Settings, total=False):
    """Options of the methods of `auc_power`."""

    n_resamples: int | None
    variance: Literal["empirical", "obuchowski"] | None


class AucSampleSizeOptions(AucPowerOptions, total=False):
    """Options of the methods of `auc_sample_size`."""


class AveragePrecisionOptions(Settings, total=False):
    """Options of the methods of `average_precision`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class AveragePrecisionDifferenceOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `average_precision_difference`."""


class CalibrationBandOptions(Settings, total=False):
    """Options of the methods of `calibration_band`."""

    calibration: Literal["bootstrap", "exact"] | None
    n_groups: int | None
    n_resamples: int | None


class ConfusionAtThresholdOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `confusion_at_threshold`."""


class CostBandOptions(Settings, total=False):
    """Options of the methods of `cost_band`."""

    n_resamples: int | None


class CostCurveOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `cost_curve`."""


class CostDifferenceOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `cost_difference`."""


class CostDifferenceBandOptions(CostBandOptions, total=False):
    """Options of the methods of `cost_difference_band`."""


class ExpectedCostOptions(TypedDict, total=False):
    """Options of the methods of `expected_cost`."""

    size: tuple[int, int] | None


class ExpectedCostDifferenceOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `expected_cost_difference`."""


class FprAtTprOptions(AucComparisonOptions, total=False):
    """Options of the methods of `fpr_at_tpr`."""

    bandwidth: Bandwidth
    kernel: Literal["gaussian", "uniform"] | None
    ranks: Literal["interpolated", "published"] | None


class NetBenefitOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `net_benefit`."""


class NetBenefitDifferenceOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `net_benefit_difference`."""


class PrBandOptions(CostBandOptions, total=False):
    """Options of the methods of `pr_band`."""

    bandwidth: Bandwidth
    calibration: Literal["bootstrap", "exact"] | None
    center: Literal["empirical", "smoothed"] | None
    distribution: Literal["normal", "binomial", "empirical"] | None
    joined: Literal["vertical", "box", "diamond"] | None
    joint: bool | None
    kernel: Literal["gaussian", "uniform"] | None
    metric: Literal["sup", "db", "hausdorff"] | None
    n_points: int | None
    slope: Literal["corrected", "published"] | None
    smoothing: bool | None
    trials: Literal["positives", "curves"] | None


class PrecisionAtRecallOptions(Settings, total=False):
    """Options of the methods of `precision_at_recall`."""

    rate: Literal["beta_mixture", "agresti_coull", "wald", "kernel"] | None


class RatesAtPositiveRateOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `rates_at_positive_rate`."""


class RatesAtThresholdOptions(AucComparisonOptions, total=False):
    """Options of the methods of `rates_at_threshold`."""


class RatesDifferenceAtPositiveRateOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `rates_difference_at_positive_rate`."""


class RatesDifferenceAtThresholdOptions(AucComparisonOptions, total=False):
    """Options of the methods of `rates_difference_at_threshold`."""


class RiskCoverageCurveOptions(AveragePrecisionOptions, total=False):
    """Options of the methods of `risk_coverage_curve`."""


class RocBandOptions(PrBandOptions, total=False):
    """Options of the methods of `roc_band`."""

    sampling: Literal["stratified", "full"] | None


class RocDifferenceBandOptions(CostBandOptions, total=False):
    """Options of the methods of `roc_difference_band`."""


class TprAtFprOptions(FprAtTprOptions, total=False):
    """Options of the methods of `tpr_at_fpr`."""

    center: Literal["empirical", "smoothed"] | None
    tails: Literal["symmetric", "basic", "percentile"] | None


class TprDifferenceAtFprOptions(AucComparisonOptions, total=False):
    """Options of the methods of `tpr_difference_at_fpr`."""

    ranks: Literal["interpolated", "published"] | None
