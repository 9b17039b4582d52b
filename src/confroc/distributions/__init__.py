"""Distributions of counts and proportions, and intervals based on them.

`counts` has the binomial and the hypergeometric distribution, differences of two discordant counts and of two
independent proportions, windows outside of which the mass is negligible, and quantiles of discrete
distributions; `order_statistics` the Beta distribution of the position of the r-th of m draws; `proportions`
the confidence intervals; `mixtures` quantiles of Beta mixtures, and the weighted sum of two χ² variables;
`multiplicity` and `max_t` multiple tests and intervals, without and with correlations.
"""

from confroc.distributions.counts import (
    ROUNDING,
    bernstein_bound,
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
    matched_pmf,
    matched_quantiles,
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
    Parts,
    ShareGap,
    beta_mixture_quantile,
    beta_pairs,
    chi2_sum_quantile,
    chi2_sum_tail,
    log_beta,
    shifted_betas,
    smooth_quantile,
    trinomial_differences,
)
from confroc.distributions.multiplicity import holm, joint_level
from confroc.distributions.order_statistics import beta_window, gauss_nodes, order_cdf, order_masses
from confroc.distributions.proportions import (
    agresti_coull,
    agresti_min,
    biased_quantile,
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
    mid_p_limit,
    normal_quantile,
    square_and_add_ends,
    t_quantile,
    wald,
    warn_zero_width,
    wilson,
    wilson_limit,
)
