"""Laws of counts and of proportions, and the intervals that rest on them.

`counts` has the binomial and the hypergeometric law, the difference of two discordant counts, that of two
independent proportions, the window outside of which a law has no mass worth computing, and the quantiles of
any discrete distribution;
`order_statistics` the Beta law of the place of the r-th of m draws; `proportions` the confidence
intervals; `mixtures` quantiles of mixtures of Beta laws, and the weighted sum of two χ² laws;
`multiplicity` and `max_t` what several intervals and tests at once ask of each, without and with their
correlations.
"""

from confroc.distributions.counts import (
    ROUNDING,
    binomial_cells,
    binomial_pmf,
    binomial_window,
    discrete_quantile,
    first_reaching,
    hypergeometric_tails,
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
    cholesky_rows,
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
    smooth_quantile,
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
    t_quantile,
    wald,
    warn_zero_width,
    wilson,
    wilson_limit,
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
    "cholesky_rows",
    "clipped",
    "clopper_pearson",
    "closed_pairs",
    "containing",
    "discrete_quantile",
    "exact_bootstrap",
    "first_reaching",
    "gauss_nodes",
    "holm",
    "hypergeometric_tails",
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
    "smooth_quantile",
    "square_and_add_ends",
    "step_down",
    "t_quantile",
    "unit_vectors",
    "wald",
    "warn_zero_width",
    "wilson",
    "wilson_limit",
]
