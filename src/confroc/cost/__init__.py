"""Cost curves: the cost of a model's errors under every operating condition, with its uncertainty.

`conditions.py` holds w, unit costs and the least cost at each w, `thresholds.py` the choice of thresholds,
`threshold_set.py` the thresholds that may be the best, `curve.py` and `band.py` pointwise intervals and
simultaneous bands for the cost at each w, `best.py` the best threshold by any criterion, `decision.py` the
cost for given unit costs, `net_benefit.py` net benefit. Beneath them, `methods.py` holds the methods of
pointwise intervals, `resampled_errors.py` that of bands, `exact_law.py` exact bootstrap distributions. The
statistics are in `statistics/cost.py`, and the linear function of two rates that all of them are in
`statistics/linear_cost.py`.
"""

from confroc.cost.band import CostBand, WeightRange, cost_band, cost_difference_band
from confroc.cost.best import BestThreshold, ThresholdCurve, best_threshold
from confroc.cost.conditions import CostEnvelope, cost_weight, lower_envelope, trivial_cost, unit_costs
from confroc.cost.curve import CostCurve, cost_curve, cost_difference
from confroc.cost.decision import (
    ExpectedCost,
    expected_cost,
    expected_cost_difference,
)
from confroc.cost.exact_law import cost_difference_pmf, cost_pmf
from confroc.cost.net_benefit import DecisionCurve, net_benefit, net_benefit_difference
from confroc.cost.thresholds import binormal_threshold, cost_optimism

__all__ = [
    "BestThreshold",
    "CostBand",
    "CostCurve",
    "CostEnvelope",
    "DecisionCurve",
    "ExpectedCost",
    "ThresholdCurve",
    "WeightRange",
    "best_threshold",
    "binormal_threshold",
    "cost_band",
    "cost_curve",
    "cost_difference",
    "cost_difference_band",
    "cost_difference_pmf",
    "cost_optimism",
    "cost_pmf",
    "cost_weight",
    "expected_cost",
    "expected_cost_difference",
    "lower_envelope",
    "net_benefit",
    "net_benefit_difference",
    "trivial_cost",
    "unit_costs",
]
