"""Drift: the closest populations with another area, forecasts of the area, and tests built on them."""

from confroc.drift.bounds import forecast_curve
from confroc.drift.forecast import Forecast, auc_forecast
from confroc.drift.monitor import DriftTable, drift_monitor
from confroc.drift.nearest import Tilted, nearest_distribution
from confroc.drift.nulls import NullTest, auc_equality_test, auc_test

__all__ = [
    "DriftTable",
    "Forecast",
    "NullTest",
    "Tilted",
    "auc_equality_test",
    "auc_forecast",
    "auc_test",
    "drift_monitor",
    "forecast_curve",
    "nearest_distribution",
]
