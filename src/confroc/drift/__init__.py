"""Population drift: nearest populations with a given AUC, AUC forecasts, tests and a monitor."""

from confroc.drift.area_tests import auc_equality_test, auc_test
from confroc.drift.forecast import Forecast, ForecastCurve, auc_forecast, forecast_curve
from confroc.drift.monitor import DriftTable, drift_monitor
from confroc.drift.nearest import Tilted, nearest_distribution
