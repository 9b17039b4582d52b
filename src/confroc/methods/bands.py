"""The methods of bands around whole curves."""

from __future__ import annotations

from confroc.methods.register import Method, function

ROC_BAND = function(
    "roc_band",
    "Band around the curve",
    [
        Method(
            "equal_local_levels",
            "Equal local levels, calibrated by the smoothed bootstrap",
            "At every threshold both classes' rates get bounds from the laws of order statistics, all "
            "with the same local level, so that the band is narrow at the ends of the curve. The level is"
            " chosen so that the band would contain the whole curve in the stated share of smoothed "
            "resamples of these cases. It depends on the ranks of the scores only.",
            "bootstrap",
            "simultaneous",
            ("calibration", "n_resamples", "rng", "n_jobs"),
            papers=("bertail2008",),
        ),
        Method(
            "ks_regions",
            "Simultaneous joint confidence regions",
            "Kolmogorov's exact bounds on both classes' rates at all thresholds together. It assumes "
            "nothing about the scores, at the price of being wide, above all at both ends of the curve.",
            "finite-sample",
            "simultaneous",
            ("joint",),
            papers=("campbell1994", "macskassy2004"),
        ),
    ],
)

ROC_DIFFERENCE_BAND = function(
    "roc_difference_band",
    "Band around the difference of two curves",
    [
        Method(
            "studentized_bootstrap",
            "Studentized smoothed bootstrap",
            "One multiple of the difference's standard deviation at each false positive rate, chosen so "
            "that the band would contain the whole difference in the stated share of smoothed resamples. "
            "Each case keeps both its scores, so what the models have in common is used.",
            "bootstrap",
            "simultaneous",
            ("n_resamples", "rng", "n_jobs"),
            papers=("bertail2008",),
        ),
        Method(
            "ks_regions",
            "Two simultaneous regions",
            "A band by Kolmogorov's bounds around each curve, both at a level high enough that they hold "
            "together; the difference lies between the differences of their edges. It assumes nothing "
            "about the scores and uses nothing of what the models have in common, so it is wider than it "
            "could be.",
            "finite-sample",
            "simultaneous",
            papers=("campbell1994", "macskassy2004"),
        ),
    ],
)
