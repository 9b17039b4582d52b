"""The options of the methods of each function, as types for `**options`; None stands for a default.

Made from the classes of the methods by `python tests/typed_options.py`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

import numpy as np


class Settings(TypedDict, total=False):
    """How a computation runs: every method accepts these, and uses them if it resamples."""

    rng: np.random.Generator | np.random.SeedSequence | int | None
    n_jobs: int


class AucComparisonOptions(Settings, total=False):
    """Options of the methods of `auc_comparison`."""

    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class AucDifferenceOptions(Settings, total=False):
    """Options of the methods of `auc_difference`."""

    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class AucForecastOptions(Settings, total=False):
    """Options of the methods of `auc_forecast`."""

    n_bins: int | None
    n_resamples: int | None


class AucIntervalOptions(Settings, total=False):
    """Options of the methods of `auc_interval`."""

    bandwidth: (
        Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
        | float
        | tuple[float, float]
        | None
    )
    center: Literal["empirical", "smoothed"] | None
    error_rate: float | None
    kernel: Literal["gaussian", "uniform"] | None
    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None
    tails: Literal["symmetric", "basic", "percentile"] | None


class AucPowerOptions(Settings, total=False):
    """Options of the methods of `auc_power`."""

    n_resamples: int | None
    variance: Literal["empirical", "obuchowski"] | None


class AucSampleSizeOptions(Settings, total=False):
    """Options of the methods of `auc_sample_size`."""

    n_resamples: int | None
    variance: Literal["empirical", "obuchowski"] | None


class AveragePrecisionOptions(Settings, total=False):
    """Options of the methods of `average_precision`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class AveragePrecisionDifferenceOptions(Settings, total=False):
    """Options of the methods of `average_precision_difference`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class CalibrationBandOptions(Settings, total=False):
    """Options of the methods of `calibration_band`."""

    calibration: Literal["bootstrap", "exact"] | None
    n_groups: int | None
    n_resamples: int | None


class ConfusionAtThresholdOptions(Settings, total=False):
    """Options of the methods of `confusion_at_threshold`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class CostBandOptions(Settings, total=False):
    """Options of the methods of `cost_band`."""

    n_resamples: int | None


class CostCurveOptions(Settings, total=False):
    """Options of the methods of `cost_curve`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class CostDifferenceOptions(Settings, total=False):
    """Options of the methods of `cost_difference`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class CostDifferenceBandOptions(Settings, total=False):
    """Options of the methods of `cost_difference_band`."""

    n_resamples: int | None


class ExpectedCostOptions(TypedDict, total=False):
    """Options of the methods of `expected_cost`."""

    size: tuple[int, int] | None


class ExpectedCostDifferenceOptions(Settings, total=False):
    """Options of the methods of `expected_cost_difference`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class FprAtTprOptions(Settings, total=False):
    """Options of the methods of `fpr_at_tpr`."""

    bandwidth: (
        Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
        | float
        | tuple[float, float]
        | None
    )
    kernel: Literal["gaussian", "uniform"] | None
    n_resamples: int | None
    ranks: Literal["interpolated", "published"] | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class NetBenefitOptions(Settings, total=False):
    """Options of the methods of `net_benefit`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class NetBenefitDifferenceOptions(Settings, total=False):
    """Options of the methods of `net_benefit_difference`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class PrBandOptions(Settings, total=False):
    """Options of the methods of `pr_band`."""

    bandwidth: (
        Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
        | float
        | tuple[float, float]
        | None
    )
    calibration: Literal["bootstrap", "exact"] | None
    center: Literal["empirical", "smoothed"] | None
    distribution: Literal["normal", "binomial", "empirical"] | None
    joined: Literal["vertical", "box", "diamond"] | None
    joint: bool | None
    kernel: Literal["gaussian", "uniform"] | None
    metric: Literal["sup", "db", "hausdorff"] | None
    n_points: int | None
    n_resamples: int | None
    slope: Literal["corrected", "published"] | None
    smoothing: bool | None
    trials: Literal["positives", "curves"] | None


class PrecisionAtRecallOptions(Settings, total=False):
    """Options of the methods of `precision_at_recall`."""

    rate: Literal["beta_mixture", "agresti_coull", "wald", "kernel"] | None


class RatesAtPositiveRateOptions(Settings, total=False):
    """Options of the methods of `rates_at_positive_rate`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class RatesAtThresholdOptions(Settings, total=False):
    """Options of the methods of `rates_at_threshold`."""

    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class RatesDifferenceAtPositiveRateOptions(Settings, total=False):
    """Options of the methods of `rates_difference_at_positive_rate`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class RatesDifferenceAtThresholdOptions(Settings, total=False):
    """Options of the methods of `rates_difference_at_threshold`."""

    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None


class RiskCoverageCurveOptions(Settings, total=False):
    """Options of the methods of `risk_coverage_curve`."""

    n_resamples: int | None
    size: tuple[int, int] | None


class RocBandOptions(Settings, total=False):
    """Options of the methods of `roc_band`."""

    bandwidth: (
        Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
        | float
        | tuple[float, float]
        | None
    )
    calibration: Literal["bootstrap", "exact"] | None
    center: Literal["empirical", "smoothed"] | None
    distribution: Literal["normal", "binomial", "empirical"] | None
    joined: Literal["vertical", "box", "diamond"] | None
    joint: bool | None
    kernel: Literal["gaussian", "uniform"] | None
    metric: Literal["sup", "db", "hausdorff"] | None
    n_points: int | None
    n_resamples: int | None
    sampling: Literal["stratified", "full"] | None
    slope: Literal["corrected", "published"] | None
    smoothing: bool | None
    trials: Literal["positives", "curves"] | None


class RocDifferenceBandOptions(Settings, total=False):
    """Options of the methods of `roc_difference_band`."""

    n_resamples: int | None


class TprAtFprOptions(Settings, total=False):
    """Options of the methods of `tpr_at_fpr`."""

    bandwidth: (
        Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
        | float
        | tuple[float, float]
        | None
    )
    center: Literal["empirical", "smoothed"] | None
    kernel: Literal["gaussian", "uniform"] | None
    n_resamples: int | None
    ranks: Literal["interpolated", "published"] | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None
    tails: Literal["symmetric", "basic", "percentile"] | None


class TprDifferenceAtFprOptions(Settings, total=False):
    """Options of the methods of `tpr_difference_at_fpr`."""

    n_resamples: int | None
    ranks: Literal["interpolated", "published"] | None
    sampling: Literal["stratified", "full"] | None
    size: tuple[int, int] | None
