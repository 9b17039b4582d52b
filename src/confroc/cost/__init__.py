"""Cost curves, expected costs, net benefit and best thresholds.

`conditions.py` converts between w and unit costs and computes the lower envelope. `thresholds.py` chooses
thresholds, and `threshold_set.py` computes their confidence sets. `curve.py` and `band.py` contain pointwise
intervals and simultaneous bands of the cost at each w, `best.py` the best threshold by any criterion,
`decision.py` the cost for given unit costs, and `net_benefit.py` net benefit. `methods.py` contains the
methods of pointwise intervals, `resampled_errors.py` that of bands, and `exact_law.py` exact bootstrap
distributions. The statistics are in `statistics/cost.py` and `statistics/linear_cost.py`.
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
