"""Formulas on arrays of counts and areas, and further parts, on which confroc-lab builds its studies.

They are batched, or compute one step of a public function. They are collected here so that nothing else of
confroc depends on what the studies use.
"""

from confroc.auc.asymptotic import (
    areas_correlation,
    hanley_mcneil_variance,
    logit_ends,
    newcombe_ends,
    ranked_alike_reach,
    score_delong_ends,
    score_delong_variance,
    score_ends,
    upper_bound_ends,
    wald_ends,
)
from confroc.auc.bootstrap import exact_bootstrap_variance
from confroc.bands.averaging import threshold_averaging, vertical_averaging
from confroc.bands.ball import db_distance, steps_of, sup_distance
from confroc.bands.curves import resampled as resampled_curve
from confroc.bands.edges import Edges, band_of
from confroc.bands.fixed_width import fixed_width
from confroc.bands.hull import auc_hull
from confroc.cost.band import full_factor
from confroc.cost.conditions import Prior, models_of
from confroc.cost.decision import decided
from confroc.cost.error_rates import Errors, PricedErrors, linear_form
from confroc.cost.intervals import Resampling
from confroc.cost.intervals import ends as cost_ends
from confroc.cost.thresholds import Binormal, optimal_thresholds
from confroc.cost.thresholds import within as thresholds_within
from confroc.distributions import (
    RANK_TOLERANCE,
    agresti_min,
    bonett_price,
    containing,
    matched_difference,
    matched_quantiles,
    normal_quantile,
    square_and_add_ends,
)
from confroc.drift.divergence import DIVERGENCES, Divergence, class_divergences
from confroc.drift.radius import chance_distance
from confroc.models.bandwidths import class_bandwidths, class_samples
from confroc.resample import critical_value, least_resamples, percentile_ends, tails
from confroc.results import one_sided_limits
from confroc.scores.counting import Discordant

__all__ = [
    "DIVERGENCES",
    "RANK_TOLERANCE",
    "Binormal",
    "Discordant",
    "Divergence",
    "Edges",
    "Errors",
    "PricedErrors",
    "Prior",
    "Resampling",
    "agresti_min",
    "areas_correlation",
    "auc_hull",
    "band_of",
    "bonett_price",
    "chance_distance",
    "class_bandwidths",
    "class_divergences",
    "class_samples",
    "containing",
    "cost_ends",
    "critical_value",
    "db_distance",
    "decided",
    "exact_bootstrap_variance",
    "fixed_width",
    "full_factor",
    "hanley_mcneil_variance",
    "least_resamples",
    "linear_form",
    "logit_ends",
    "matched_difference",
    "matched_quantiles",
    "models_of",
    "newcombe_ends",
    "normal_quantile",
    "one_sided_limits",
    "optimal_thresholds",
    "percentile_ends",
    "ranked_alike_reach",
    "resampled_curve",
    "score_delong_ends",
    "score_delong_variance",
    "score_ends",
    "square_and_add_ends",
    "steps_of",
    "sup_distance",
    "tails",
    "threshold_averaging",
    "thresholds_within",
    "upper_bound_ends",
    "vertical_averaging",
    "wald_ends",
]
