"""The methods of areas: intervals, differences and the planning of studies."""

from __future__ import annotations

from confroc.methods.register import Method, function

PART = ("max_fpr", "min_tpr")

AUC_INTERVAL = function(
    "auc_interval",
    "Area under the curve",
    [
        Method(
            "score_delong",
            "Score interval with DeLong's variance",
            "All areas that are within a given number of standard errors of the one observed. The errors are "
            "taken at each candidate area from Hanley and McNeil's model, and rescaled to the spread that "
            "DeLong's method finds in the data, as far as there are enough cases to know it. It has a width "
            "even where the classes are separated perfectly.",
            options=PART,
            papers=("delong1988", "hanley1982", "newcombe2006"),
        ),
        Method(
            "delong",
            "DeLong",
            "The AUC plus and minus a multiple of its standard error, estimated without assuming any shape "
            "for the distribution of scores.",
            options=PART,
            caution="Under-covers with few cases or an AUC near 1.",
            papers=("delong1988",),
        ),
        Method(
            "logit_delong",
            "DeLong on the logit scale",
            "DeLong's standard error on the logit scale, transformed back, so that the interval stays inside "
            "0 and 1.",
            options=PART,
            caution="Under-covers once an empirical AUC of 1 becomes likely.",
            papers=("delong1988", "pepe2003"),
        ),
        Method(
            "hanley_mcneil",
            "Hanley and McNeil",
            "The AUC plus and minus a multiple of the standard error that it has under exponential scores.",
            caution="Under-covers near 1.",
            papers=("hanley1982",),
        ),
        Method(
            "binormal",
            "Binormal",
            "Assumes normal scores in both classes, and carries an interval for the standardised difference "
            "of their means over to the area.",
            caution="For normal scores only: it changes with a transformation of the scores.",
            papers=("reiser1986", "demidenko2012"),
        ),
        Method(
            "newcombe",
            "Newcombe, method 5",
            "All areas that are within a given number of standard errors of the one observed, the errors "
            "taken from a model at each candidate area. It needs no spread in the data, so it has a width "
            "even where the classes are separated perfectly or there are few cases.",
            caution="Off where scores are far from exponential.",
            papers=("newcombe2006",),
        ),
        Method(
            "upper_bound",
            "Birnbaum–Klose bound",
            "The widest that the standard error can be for any distributions with this area: safe, and wide.",
            papers=("birnbaum1957",),
        ),
        Method(
            "upper_bound_wald",
            "Birnbaum–Klose bound about the estimate",
            "The AUC plus and minus a multiple of the largest standard error that any distributions with the "
            "estimated area can have.",
            caution="That error is zero where the classes are separated perfectly and too small near it.",
            papers=("birnbaum1957", "morin2018"),
        ),
        Method(
            "cortes_mohri",
            "Cortes and Mohri",
            "The AUC plus and minus a multiple of its standard deviation over all rankings that have the "
            "given error rate.",
            options=("error_rate",),
            caution="Covers only if the population is like those rankings; usually too narrow.",
            papers=("cortes2004",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "The central share of the areas of stratified resamples.",
            "bootstrap",
            options=(*PART, "size", "n_resamples", "rng", "n_jobs"),
            caution="Under-covers with few cases or an AUC near 1.",
            papers=("efron1987",),
        ),
        Method(
            "bootstrap_bca",
            "Bias-corrected and accelerated bootstrap",
            "Percentiles of the areas of stratified resamples, shifted for their bias and skewness.",
            "bootstrap",
            options=(*PART, "size", "n_resamples", "rng", "n_jobs"),
            papers=("efron1987",),
        ),
        Method(
            "smoothed_bootstrap",
            "Smoothed bootstrap",
            "The AUC plus and minus a quantile of the errors of stratified resamples whose scores get noise.",
            "bootstrap",
            options=(*PART, "n_resamples", "rng", "n_jobs", "bandwidth", "kernel", "center", "tails"),
            caution="It changes under non-linear transforms of the scores.",
            papers=("bertail2008",),
        ),
        Method(
            "exact_bootstrap",
            "Infinite bootstrap",
            "The AUC plus and minus a multiple of the standard error that infinitely many stratified "
            "resamples would show, in closed form.",
            "bootstrap",
            options=("size",),
            caution="Under-covers with few cases or an AUC near 1.",
            papers=("bandos2006",),
        ),
    ],
)

AUC_DIFFERENCE = function(
    "auc_difference",
    "Difference of two areas",
    [
        Method(
            "score_delong",
            "Score intervals with DeLong's correlation",
            "The score intervals of the two areas, combined: what both areas share, because both models have "
            "scored the same cases, cancels, and the rest adds up. The p-value belongs to the hypothesis "
            "that the two true areas are equal, unless another one is named.",
            options=(*PART, "margin", "only_a", "only_b"),
            papers=("delong1988", "zou2008", "newcombe1998"),
        ),
        Method(
            "delong",
            "DeLong",
            "The difference of two areas and its standard error; where both models have scored the same "
            "cases, what their scores have in common is used. The p-value belongs to the hypothesis that the "
            "two true areas are equal, unless another one is named.",
            options=(*PART, "margin", "only_a", "only_b"),
            caution="Under-covers where few cases shape the difference.",
            papers=("delong1988",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "The central share of the differences of resamples, in which whole cases are drawn with both "
            "their scores; the test divides the difference by the resamples' standard deviation.",
            "bootstrap",
            options=(*PART, "margin", "only_a", "only_b", "size", "n_resamples", "rng", "n_jobs"),
            papers=("efron1987",),
        ),
        Method(
            "exact_bootstrap",
            "Infinite bootstrap",
            "Normal interval and test with the variance of infinitely many resamples, in closed form.",
            "bootstrap",
            options=("margin", "only_a", "only_b", "size"),
            papers=("bandos2006",),
        ),
        Method(
            "permutation",
            "Permutation test",
            "The p-value from exchanging cases between the models or between the test sets; the interval is "
            "DeLong's.",
            options=("n_resamples", "rng"),
            papers=("bandos2005", "chung2013", "delong1988"),
        ),
        Method(
            "newcombe",
            "Newcombe, squared and added",
            "The intervals of the two areas, combined as if the models had scored different cases: the "
            "cautious choice when the data show no spread from which to estimate a standard error.",
            options=(*PART, "margin", "only_a", "only_b"),
            caution="Uses nothing of what the models have in common, so it is wide where they agree.",
            papers=("newcombe1998", "newcombe2006"),
        ),
    ],
)

AUC_COMPARISON = function(
    "auc_comparison",
    "Areas of many models or groups",
    [
        Method(
            "score_delong",
            "Score intervals with DeLong's correlation",
            "The score interval of each area, and of each difference the two of its areas combined, at the "
            "level that all of them together need. That level, and the p-values, come from the law of the "
            "largest of many differences that move together as DeLong's covariance says.",
            kind="simultaneous",
            options=PART,
            papers=("delong1988", "zou2008", "blanche2022", "hsu1996", "westfall1997", "krishnamoorthy2004"),
        ),
        Method(
            "delong",
            "DeLong",
            "Each area and each difference plus and minus a multiple of its standard error; what all models "
            "share, because they have scored the same cases, is used in the multiple. The joint test is "
            "DeLong's chi-squared.",
            kind="simultaneous",
            options=PART,
            caution="Under-covers where few cases shape a difference.",
            papers=("delong1988", "blanche2022", "hsu1996", "westfall1997"),
        ),
        Method(
            "bootstrap",
            "Bootstrap of all models at once",
            "Central shares of the areas and differences of resamples, in which whole cases are drawn with "
            "all their scores, as wide as the largest of the resampled errors asks for.",
            "bootstrap",
            "simultaneous",
            options=(*PART, "n_resamples", "rng", "n_jobs"),
            papers=("efron1987", "blanche2022", "hsu1996", "westfall1997"),
        ),
        Method(
            "permutation",
            "Permutation tests",
            "The p-value of each difference from exchanging cases between two models or two groups, adjusted "
            "as those of the other methods; the intervals are DeLong's.",
            kind="simultaneous",
            options=("n_resamples", "rng"),
            papers=("bandos2005", "chung2013", "delong1988", "blanche2022", "westfall1997"),
        ),
    ],
)

_PLANNING = [
    Method(
        "asymptotic",
        "Normal approximation",
        "By formula: normal, with the variance under the null hypothesis for the critical value and the "
        "actual one for the power.",
        options=("variance",),
        papers=("obuchowski1997", "delong1988"),
    ),
    Method(
        "simulation",
        "Simulation",
        "The share of simulated binormal samples in which the default interval or test rejects.",
        options=("n_resamples", "rng"),
    ),
]

AUC_POWER = function("auc_power", "Power of a study of areas", _PLANNING)
AUC_SAMPLE_SIZE = function("auc_sample_size", "Size of a study of areas", _PLANNING)
