from . import auditing, cost, exact, methods, plot, results, sklearn, statistics
from ._check import ArgumentError, ConfrocWarning
from ._progress import progress_bar
from .auc import auc_comparison, auc_difference, auc_interval
from .auditing import audit
from .bands import calibration_band, roc_band, roc_difference_band
from .bands.equality import curve_test
from .comparing.readers import reader_comparison
from .cost import (
    best_threshold,
    cost_band,
    cost_curve,
    cost_difference,
    cost_difference_band,
    expected_cost,
    expected_cost_difference,
    net_benefit,
    net_benefit_difference,
)
from .curve import RocCurve, roc_curve
from .drift import (
    Forecast,
    auc_equality_test,
    auc_forecast,
    auc_test,
    drift_monitor,
    forecast_curve,
    nearest_distribution,
)
from .general import comparison, difference, interval, ratio
from .ingest import read_counts, read_scores, write_counts
from .models import BinormalModel, KernelModel
from .pages import report
from .planning import auc_power, auc_sample_size, power, rate_sample_size, sample_size
from .points import (
    aligned_thresholds,
    confusion_at_threshold,
    corrected_prevalence,
    dominance_at_threshold,
    equal_error_rate,
    fpr_at_tpr,
    rates_at_positive_rate,
    rates_at_threshold,
    rates_difference_at_positive_rate,
    rates_difference_at_threshold,
    risk_coverage_curve,
    threshold_at,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from .precision import (
    PrCurve,
    average_precision,
    average_precision_difference,
    pr_band,
    pr_curve,
    precision_at_recall,
)
from .results import (
    Band,
    Difference,
    Interval,
    Intervals,
    Regions,
)
from .scores import PairedScores, Scores, ScoreStream, UnpairedScores

__version__: str

__all__ = [
    "ArgumentError",
    "Band",
    "BinormalModel",
    "ConfrocWarning",
    "Difference",
    "Forecast",
    "Interval",
    "Intervals",
    "KernelModel",
    "PairedScores",
    "PrCurve",
    "Regions",
    "RocCurve",
    "ScoreStream",
    "Scores",
    "UnpairedScores",
    "aligned_thresholds",
    "auc_comparison",
    "auc_difference",
    "auc_equality_test",
    "auc_forecast",
    "auc_interval",
    "auc_power",
    "auc_sample_size",
    "auc_test",
    "audit",
    "auditing",
    "average_precision",
    "average_precision_difference",
    "best_threshold",
    "calibration_band",
    "comparison",
    "confusion_at_threshold",
    "corrected_prevalence",
    "cost",
    "cost_band",
    "cost_curve",
    "cost_difference",
    "cost_difference_band",
    "curve_test",
    "difference",
    "dominance_at_threshold",
    "drift_monitor",
    "equal_error_rate",
    "exact",
    "expected_cost",
    "expected_cost_difference",
    "forecast_curve",
    "fpr_at_tpr",
    "interval",
    "methods",
    "nearest_distribution",
    "net_benefit",
    "net_benefit_difference",
    "plot",
    "power",
    "pr_band",
    "pr_curve",
    "precision_at_recall",
    "progress_bar",
    "rate_sample_size",
    "rates_at_positive_rate",
    "rates_at_threshold",
    "rates_difference_at_positive_rate",
    "rates_difference_at_threshold",
    "ratio",
    "read_counts",
    "read_scores",
    "reader_comparison",
    "report",
    "results",
    "risk_coverage_curve",
    "roc_band",
    "roc_curve",
    "roc_difference_band",
    "sample_size",
    "sklearn",
    "statistics",
    "threshold_at",
    "tpr_at_fpr",
    "tpr_difference_at_fpr",
    "write_counts",
]
