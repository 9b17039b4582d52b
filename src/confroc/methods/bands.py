"""The methods of bands around whole curves."""

from __future__ import annotations

from confroc.methods.register import Method, function

RESAMPLING = ("n_resamples", "rng", "n_jobs")
ONE_RATE = (
    "It joins intervals for one false positive rate at a time, so as a band it contains the whole curve far "
    "less often than its level says."
)

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
            ("calibration", "n_resamples", "rng"),
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
        Method(
            "fixed_width",
            "Fixed-width band",
            "The curve displaced along one slanted direction, by the distance within which the stated share "
            "of resampled curves lie.",
            "bootstrap",
            "simultaneous",
            (*RESAMPLING, "slope"),
            "Its width is the same everywhere, so it is too wide at both ends of the curve.",
            ("campbell1994", "macskassy2004"),
        ),
        Method(
            "working_hotelling",
            "Working–Hotelling band",
            "A hyperbolic band around the binormal curve fitted by maximum likelihood.",
            "asymptotic",
            "simultaneous",
            (),
            "It holds only when the true curve is binormal.",
            ("ma1993", "macskassy2004"),
        ),
        Method(
            "working_hotelling_pointwise",
            "Working–Hotelling intervals, joined",
            "Intervals around the binormal curve fitted by maximum likelihood, for each rate by itself.",
            "asymptotic",
            "pointwise",
            (),
            ONE_RATE,
            ("ma1993", "macskassy2004"),
        ),
        Method(
            "vertical_averaging",
            "Vertical averaging",
            "Intervals for the true positive rates of resampled curves at 100 false positive rates, joined.",
            "bootstrap",
            "pointwise",
            (*RESAMPLING, "distribution", "trials", "n_points"),
            ONE_RATE,
            ("macskassy2004",),
        ),
        Method(
            "threshold_averaging",
            "Threshold averaging",
            "Intervals for the true positive rates of resampled curves at 100 thresholds, joined.",
            "bootstrap",
            "pointwise",
            (*RESAMPLING, "distribution", "trials", "n_points", "joined"),
            ONE_RATE,
            ("macskassy2004",),
        ),
        Method(
            "bootstrap",
            "Bootstrap ball",
            "All curves within a distance of the empirical one, the distance that the stated share of "
            "resampled curves keep; resampled scores are smoothed by noise unless told otherwise.",
            "bootstrap",
            "simultaneous",
            (*RESAMPLING, "metric", "smoothing", "bandwidth", "kernel", "center", "sampling"),
            "With smoothing it changes under non-linear transforms of the scores. In the sup norm it loses "
            "the curve where it is steep, and nothing is promised.",
            ("bertail2008",),
        ),
        Method(
            "auc_hull",
            "Hull of the middle areas",
            "Upper and lower hull of the resampled curves whose areas are in the middle.",
            "none",
            "simultaneous",
            RESAMPLING,
            "No proof says that it covers, and in simulations it covers less than its level.",
            ("macskassy2004",),
        ),
    ],
)

ROC_DIFFERENCE_BAND = function(
    "roc_difference_band",
    "Band around the difference of two curves",
    [
        Method(
            "equal_local_levels",
            "Equal local levels, calibrated by the smoothed bootstrap",
            "Both curves' rates get bounds from the laws of order statistics, and the difference lies "
            "between the differences of these bounds. Their one level is chosen so that the band would "
            "contain the whole difference in the stated share of smoothed resamples of these cases. Each "
            "case keeps both its scores, so what the models have in common is used.",
            "bootstrap",
            "simultaneous",
            RESAMPLING,
            papers=("bertail2008",),
        ),
        Method(
            "studentized_bootstrap",
            "Studentized smoothed bootstrap",
            "One multiple of the difference's standard deviation at each false positive rate, chosen so "
            "that the band would contain the whole difference in the stated share of smoothed resamples. "
            "Each case keeps both its scores, so what the models have in common is used.",
            "none",
            "simultaneous",
            RESAMPLING,
            "It covers less than its level where a curve is steep, and more where the models are equal.",
            ("bertail2008",),
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

CALIBRATION_BAND = function(
    "calibration_band",
    "Band around the calibration curve",
    [
        Method(
            "isotonic_blocks",
            "Binomial bounds of blocks of scores",
            "Exact binomial bounds of the share of positives in every block of neighbouring scores, all of "
            "them together at the level; at each score the best of those that a probability growing with the "
            "score allows.",
            "finite-sample",
            "simultaneous",
            ("n_groups",),
            "It takes for granted that the probability of a positive does not fall as the score grows, and "
            "that cases were drawn whatever their class.",
            ("dimitriadis2023",),
        ),
    ],
)
