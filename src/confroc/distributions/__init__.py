"""Laws of counts and of proportions, and the intervals that rest on them.

`counts` has the binomial law, the difference of two discordant counts, that of two independent proportions,
and the window outside of which a law has no mass worth computing; `order_statistics` the Beta law of the
place of the r-th of m draws; `proportions` the confidence intervals; `mixtures` quantiles of mixtures of
Beta laws, and the weighted sum of two χ² laws; `multiplicity` and `max_t` what several intervals and tests at
once ask of each, without and with their correlations.
"""

from confroc.distributions.counts import (
    ROUNDING,
    binomial_cells,
    binomial_pmf,
    binomial_window,
    independent_law,
    independent_quantiles,
    inner,
    matched_law,
    matched_quantiles,
    reach,
)
from confroc.distributions.max_t import (
    RANK_TOLERANCE,
    MaxT,
    ResampledMaxT,
    closed_pairs,
    single_step,
    step_down,
    unit_vectors,
)
from confroc.distributions.mixtures import (
    beta_mixture_quantile,
    chi2_sum_quantile,
    chi2_sum_tail,
    log_beta,
)
from confroc.distributions.multiplicity import holm, joint_level
from confroc.distributions.order_statistics import beta_window, gauss_nodes, order_cdf, order_masses
from confroc.distributions.proportions import (
    agresti_caffo,
    agresti_coull,
    agresti_min,
    bonett_price,
    bootstrap_quantiles,
    clipped,
    clopper_pearson,
    containing,
    exact_bootstrap,
    independent_bootstrap,
    independent_difference,
    jeffreys,
    matched_bootstrap,
    matched_difference,
    normal_quantile,
    square_and_add_ends,
    wald,
    warn_zero_width,
    wilson,
)

__all__ = [
    "RANK_TOLERANCE",
    "ROUNDING",
    "MaxT",
    "ResampledMaxT",
    "agresti_caffo",
    "agresti_coull",
    "agresti_min",
    "beta_mixture_quantile",
    "beta_window",
    "binomial_cells",
    "binomial_pmf",
    "binomial_window",
    "bonett_price",
    "bootstrap_quantiles",
    "chi2_sum_quantile",
    "chi2_sum_tail",
    "clipped",
    "clopper_pearson",
    "closed_pairs",
    "containing",
    "exact_bootstrap",
    "gauss_nodes",
    "holm",
    "independent_bootstrap",
    "independent_difference",
    "independent_law",
    "independent_quantiles",
    "inner",
    "jeffreys",
    "joint_level",
    "log_beta",
    "matched_bootstrap",
    "matched_difference",
    "matched_law",
    "matched_quantiles",
    "normal_quantile",
    "order_cdf",
    "order_masses",
    "reach",
    "single_step",
    "square_and_add_ends",
    "step_down",
    "unit_vectors",
    "wald",
    "warn_zero_width",
    "wilson",
]
