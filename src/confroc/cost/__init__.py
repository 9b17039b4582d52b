"""Cost curves: what a model's errors cost under every operating condition, and how sure that is.

`geometry.py` holds w, unit costs and the lower envelope, `thresholds.py` the choice of thresholds,
`intervals.py` pointwise intervals, `pmf.py` exact laws, `band.py` simultaneous bands, `benefit.py` net
benefit and `decision.py` the threshold and the cost for given unit costs. Beneath them, `tallies.py` counts
errors, `moments.py` turns counts into rates, `score.py` and `law.py` are two of the methods, `problem.py`
puts them together, `rounded.py` bounds what rounded scores change, and `calibration.py` and `ranges.py`
serve the bands.
"""

from confroc.cost.band import CostBand, CostDifferenceBand, cost_band, cost_difference_band
from confroc.cost.benefit import NetBenefit, net_benefit, net_benefit_difference
from confroc.cost.decision import ExpectedCost, expected_cost
from confroc.cost.geometry import CostEnvelope, cost_weight, lower_envelope, trivial_cost, unit_costs
from confroc.cost.intervals import CostCurve, CostDifference, cost_curve, cost_difference
from confroc.cost.pmf import cost_difference_pmf, cost_pmf
from confroc.cost.ranges import WeightRange
from confroc.cost.thresholds import binormal_threshold, cost_optimism

__all__ = [
    "CostBand",
    "CostCurve",
    "CostDifference",
    "CostDifferenceBand",
    "CostEnvelope",
    "ExpectedCost",
    "NetBenefit",
    "WeightRange",
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
    "lower_envelope",
    "net_benefit",
    "net_benefit_difference",
    "trivial_cost",
    "unit_costs",
]
