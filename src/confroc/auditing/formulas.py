"""Vectorized formulas and other internals for the studies of confroc-lab.

They are batched, or compute one step of a public function. Collected here so that nothing else in confroc
depends on the studies.
"""

from confroc.auc.asymptotic import (
    hanley_mcneil_variance,
    identical_rankings_bound,
    logit_ends,
    newcombe_ends,
    score_delong_ends,
    score_delong_half_length,
    score_delong_variance,
    score_ends,
    upper_bound_ends,
    wald_ends,
)
from confroc.auc.bootstrap import exact_bootstrap_variance
from confroc.bands.ball import db_distance, steps_of, sup_distance
from confroc.bands.curves import resampled as resampled_curve
from confroc.bands.edges import band_of
from confroc.cost.band import full_factor
from confroc.cost.curve import COST_CURVE, COST_DIFFERENCE
from confroc.cost.decision import costs_per_case
from confroc.cost.methods import CostMethod
from confroc.cost.thresholds import Binormal
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
from confroc.inference import infer, minus, one
from confroc.influence import correlation_of
from confroc.models.bandwidths import class_bandwidths, class_samples
from confroc.resample import critical_value, least_resamples, percentile_ends, tails
from confroc.results import one_sided_limits
from confroc.scores import models_of
from confroc.scores.counting import Discordant
from confroc.statistics.cheapest import Criterion
from confroc.statistics.linear_cost import Errors, LinearCost, linear_form
from confroc.statistics.prevalence import Prior
