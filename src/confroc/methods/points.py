"""The methods of points of the curve: at a threshold, at a rate, at a share flagged."""

from __future__ import annotations

from confroc.methods.register import Method, function

RESAMPLED = ("size", "n_resamples", "rng", "sampling", "n_jobs")
"""Options of a method that draws resamples."""

SMOOTH = ("bandwidth", "kernel", "center")
"""Options of a method whose resamples are smoothed."""

_FAILS = "Zero width, and no coverage, where the sample's rate is 0 or 1."
_FAILS_PAIRED = "Zero width where the models agree on every case."

RATES_AT_THRESHOLD = function(
    "rates_at_threshold",
    "True and false positive rate at a threshold",
    [
        Method(
            "agresti_coull",
            "Agresti–Coull",
            "The normal interval for a proportion after adding two successes and two failures, which keeps "
            "it from closing up at rates near 0 and 1.",
            options=("size",),
            caution="Slightly conservative near 0 and 1; too short there at levels below 0.85.",
            papers=("agresti1998", "dugas2009"),
        ),
        Method(
            "wald",
            "Wald",
            "The normal interval for a proportion, which fits the exact bootstrap law's mean and variance. "
            "For comparison.",
            options=("size",),
            caution=_FAILS,
            papers=("dugas2009",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "Percentiles of the rates of resamples.",
            "bootstrap",
            options=RESAMPLED,
            caution=_FAILS,
            papers=("dugas2009",),
        ),
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "Quantiles of the binomial law to which bootstrap percentiles converge, without resampling.",
            "bootstrap",
            options=("size",),
            caution=_FAILS,
            papers=("dugas2009",),
        ),
        Method(
            "wilson",
            "Wilson's score interval",
            "All rates within a given number of standard errors of the one observed, the errors taken at "
            "each candidate rate. It stays inside 0 and 1 and has a width where no error was seen.",
            papers=("wilson1927",),
        ),
        Method(
            "clopper_pearson",
            "Clopper–Pearson",
            "All rates that a binomial test does not reject: coverage is never below the level.",
            "finite-sample",
            caution="Conservative.",
            papers=("clopper1934",),
        ),
        Method(
            "jeffreys",
            "Jeffreys",
            "Equal-tailed Bayesian interval under the Beta(½, ½) prior; its coverage is close to the level "
            "on average over rates.",
            papers=("brown2001",),
        ),
    ],
)

RATES_DIFFERENCE_AT_THRESHOLD = function(
    "rates_difference_at_threshold",
    "Difference of two models' rates, each at a threshold of its own",
    [
        Method(
            "bonett_price",
            "Bonett–Price",
            "The normal interval for a difference of matched proportions after adding one to each count of "
            "discordant cases; for disjoint test sets one success and one failure are added to each sample "
            "(Agresti–Caffo).",
            options=("size",),
            caution="Conservative where hardly any case is discordant.",
            papers=("bonett2012", "agresti2000"),
        ),
        Method(
            "agresti_min",
            "Agresti–Min",
            "The normal interval for a difference of matched proportions after adding one half to each count "
            "of discordant cases and one to the concordant ones; for disjoint test sets one success and one "
            "failure are added to each (Agresti–Caffo).",
            options=("size",),
            caution="Covers too little where few cases are discordant, most of them on one side.",
            papers=("agresti2005", "agresti2000", "dugas2009"),
        ),
        Method(
            "wald",
            "Wald",
            "The normal interval for a difference of proportions, without the addition. For comparison.",
            options=("size",),
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "Percentiles of the differences in resamples; each case keeps both its scores.",
            "bootstrap",
            options=RESAMPLED,
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "Quantiles of the law to which bootstrap percentiles converge: that of the difference of two "
            "discordant counts, without resampling.",
            "bootstrap",
            options=("size",),
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
    ],
)

DOMINANCE_AT_THRESHOLD = function(
    "dominance_at_threshold",
    "Probability that one model dominates the other",
    [
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "The probability, under the exact stratified bootstrap, of no more false positives and no fewer "
            "true positives, with one of the two strictly better.",
            "bootstrap",
            options=("size",),
            caution="A description: as a test of superiority it has little power.",
            papers=("dugas2009",),
        ),
    ],
)

_AT_A_RATE = [
    Method(
        "beta_mixture",
        "Mixture of Beta laws",
        "Quantiles of a mixture of Jeffreys's Beta laws over the binomial law of the number of cases above "
        "the true threshold. It includes the uncertainty about which threshold gives the rate, also where "
        "one or two cases decide it.",
        caution="Conservative where the rate stands for one or two cases.",
        papers=("brown2001",),
    ),
    Method(
        "agresti_coull",
        "Exact bootstrap moments, smoothed",
        "Mean and variance of what an infinite number of bootstrap samples would give, after adding two "
        "successes and two failures, which keeps the interval from closing up at rates near 0 and 1. It "
        "includes the uncertainty about which threshold gives the rate.",
        options=("size",),
        caution="Covers too little where the rate stands for a handful of cases, the less the larger the "
        "other class is.",
        papers=("dugas2009",),
    ),
    Method(
        "wald",
        "Exact bootstrap moments",
        "The same without the addition. For comparison.",
        options=("size",),
        caution=_FAILS,
        papers=("dugas2009",),
    ),
    Method(
        "bootstrap",
        "Bootstrap percentiles",
        "Percentiles of the rates of resamples, each with a threshold of its own.",
        "bootstrap",
        options=RESAMPLED,
        caution="Covers too little at rates near 0 and 1.",
        papers=("dugas2009",),
    ),
    Method(
        "exact_bootstrap",
        "Exact bootstrap",
        "Quantiles of the law to which bootstrap percentiles converge, without resampling.",
        "bootstrap",
        options=("size",),
        caution="Covers too little at rates near 0 and 1.",
        papers=("dugas2009",),
    ),
    Method(
        "kernel",
        "Kernel smoothing",
        "A normal interval around the smooth curve of two Gaussian kernel estimates. For continuous scores; "
        "it changes under a monotone transform of them.",
        options=("bandwidth", "kernel"),
        caution="Covers too little where the curve is near 0 or 1.",
        papers=("hall2004", "hall2003"),
    ),
]

_SYMMETRIC = [
    Method(
        name,
        title,
        summary,
        "bootstrap",
        options=("n_resamples", "rng", "n_jobs", "sampling", "tails", *(SMOOTH if "smooth" in name else ())),
        caution=caution,
        papers=("bertail2008",),
    )
    for name, title, summary, caution in (
        (
            "smoothed_bootstrap",
            "Smoothed bootstrap",
            "The rate plus and minus a quantile of the errors of resamples whose scores get Gaussian noise.",
            "It changes under non-linear transforms of the scores.",
        ),
        (
            "smoothed_studentized_bootstrap",
            "Studentized smoothed bootstrap",
            "The same with each error divided by its own estimate of the standard deviation.",
            "It changes under non-linear transforms of the scores.",
        ),
        (
            "naive_bootstrap",
            "Symmetric bootstrap",
            "The rate plus and minus a quantile of the errors of resamples.",
            "Less accurate than with smoothing.",
        ),
        (
            "naive_studentized_bootstrap",
            "Studentized bootstrap",
            "The same with each error divided by its own estimate of the standard deviation.",
            "It changes under non-linear transforms of the scores.",
        ),
    )
]

TPR_AT_FPR = function("tpr_at_fpr", "True positive rate at a false positive rate", [*_AT_A_RATE, *_SYMMETRIC])

FPR_AT_TPR = function("fpr_at_tpr", "False positive rate at a true positive rate", _AT_A_RATE)

TPR_DIFFERENCE_AT_FPR = function(
    "tpr_difference_at_fpr",
    "Difference of two models' true positive rates at a false positive rate",
    [
        Method(
            "beta_mixture",
            "Beta mixtures, joined",
            "Quantiles of the difference of the two models' mixtures of Jeffreys's Beta laws over the places "
            "of their thresholds, joined with the correlation that the models' calls show. Disjoint test "
            "sets are independent.",
            caution="Too short where few negatives are expected beyond a threshold and a curve is steep.",
            papers=("brown2001",),
        ),
        Method(
            "agresti_min",
            "Exact bootstrap moments, smoothed",
            "Mean and variance of what an infinite number of bootstrap samples would give, after adding one "
            "half to each count of discordant positives and one to the concordant ones; for disjoint test "
            "sets one success and one failure are added to each (Agresti–Caffo). It includes the uncertainty "
            "about both thresholds.",
            options=("size",),
            papers=("dugas2009", "agresti2005", "agresti2000"),
        ),
        Method(
            "wald",
            "Exact bootstrap moments",
            "The same without the addition. For comparison.",
            options=("size",),
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "Percentiles of the differences in resamples, each with thresholds of its own.",
            "bootstrap",
            options=RESAMPLED,
            papers=("dugas2009",),
        ),
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "Quantiles of the law to which bootstrap percentiles converge, without resampling.",
            "bootstrap",
            options=("size",),
            papers=("dugas2009",),
        ),
    ],
)

RATES_AT_POSITIVE_RATE = function(
    "rates_at_positive_rate",
    "Rates and precision when a share of the cases is flagged",
    [
        Method(
            "beta_mixture",
            "Mixture of Beta laws",
            "Quantiles of a mixture of Jeffreys's Beta laws for the shares of positives above and below the "
            "cut, over the binomial law of the number of cases above it. All rates follow from the two "
            "shares and the share flagged.",
            options=("sampling",),
            caution="Conservative where a rate stands for one or two cases.",
            papers=("brown2001",),
        ),
        Method(
            "agresti_coull",
            "Exact bootstrap moments, smoothed",
            "Mean and variance of the exact bootstrap law of the sample with two positives and two negatives "
            "added above all cases, and as many below.",
            options=("size", "sampling"),
            caution="Covers too little with few positives: the added cases move the false positive rate.",
            papers=("dugas2009",),
        ),
        Method(
            "wald",
            "Exact bootstrap moments",
            "The same without the addition. For comparison.",
            options=("size", "sampling"),
            caution=_FAILS,
            papers=("dugas2009",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "Percentiles of the rates of resamples, tied cases flagged in random order.",
            "bootstrap",
            options=RESAMPLED,
            caution=_FAILS,
            papers=("dugas2009",),
        ),
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "Quantiles of the law to which bootstrap percentiles converge, without resampling.",
            "bootstrap",
            options=("size", "sampling"),
            caution=_FAILS,
            papers=("dugas2009",),
        ),
    ],
)

RATES_DIFFERENCE_AT_POSITIVE_RATE = function(
    "rates_difference_at_positive_rate",
    "Difference of two models' rates when both flag the same share of the cases",
    [
        Method(
            "beta_mixture",
            "Beta mixtures, joined",
            "The two models' own intervals, quantiles of mixtures of Jeffreys's Beta laws over the places of "
            "their cuts; their arms are squared and added, with the correlation that the influence of each "
            "case on both rates shows. Disjoint test sets are independent.",
            options=("sampling",),
            papers=("brown2001", "newcombe1998", "zou2008"),
        ),
        Method(
            "wald",
            "Exact bootstrap moments",
            "The normal interval with the mean and variance of the exact bootstrap law, the models' "
            "correlation to first order. For comparison.",
            options=("size", "sampling"),
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
        Method(
            "bootstrap",
            "Bootstrap percentiles",
            "Percentiles of the differences in resamples, tied cases flagged in random order.",
            "bootstrap",
            options=RESAMPLED,
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
        Method(
            "exact_bootstrap",
            "Exact bootstrap",
            "Quantiles of the law to which bootstrap percentiles converge, without resampling.",
            "bootstrap",
            options=("size", "sampling"),
            caution=_FAILS_PAIRED,
            papers=("dugas2009",),
        ),
    ],
)
