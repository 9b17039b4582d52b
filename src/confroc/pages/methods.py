"""What each method does, in plain words, and the papers behind it.

One entry per topic and method; a method without one is named as it is.
"""

from __future__ import annotations

from typing import NamedTuple


class Method(NamedTuple):
    """How a method is explained."""

    name: str
    text: str
    papers: tuple[str, ...] = ()


class Paper(NamedTuple):
    """How a paper is cited."""

    text: str
    doi: str = ""


PAPERS = {
    "delong1988": Paper(
        "DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Comparing the areas under two or more correlated "
        "receiver operating characteristic curves: a nonparametric approach. Biometrics 44(3), "
        "837–845.",
        "10.2307/2531595",
    ),
    "newcombe2006": Paper(
        "Newcombe RG (2006). Confidence intervals for an effect size measure based on the Mann–Whitney "
        "statistic. Part 2: asymptotic methods and evaluation. Statistics in Medicine 25(4), "
        "559–573.",
        "10.1002/sim.2324",
    ),
    "wilson1927": Paper(
        "Wilson EB (1927). Probable inference, the law of succession, and statistical inference. Journal of "
        "the American Statistical Association 22(158), 209–212.",
        "10.1080/01621459.1927.10502953",
    ),
    "birnbaum1957": Paper(
        "Birnbaum ZW, Klose OM (1957). Bounds for the variance of the Mann–Whitney statistic. The Annals of "
        "Mathematical Statistics 28(4), 933–945.",
        "10.1214/aoms/1177706794",
    ),
    "newcombe1998": Paper(
        "Newcombe RG (1998). Interval estimation for the difference between independent proportions: "
        "comparison of eleven methods. Statistics in Medicine 17(8), 873–890."
    ),
    "dugas2009": Paper(
        "Dugas C, Gadoury D (2009). Pointwise exact bootstrap distributions of ROC curves. CRM Working "
        "Paper 3284, Université de Montréal."
    ),
    "bertail2008": Paper(
        "Bertail P, Clémençon S, Vayatis N (2008). On bootstrapping the ROC curve. Advances in Neural "
        "Information Processing Systems 21."
    ),
    "dugas2009cost": Paper(
        "Dugas C, Gadoury D (2009). Pointwise exact bootstrap distributions of cost curves. Université de "
        "Montréal."
    ),
    "morin2018": Paper("Morin LP (2018). Forecast intervals for the area under the ROC curve."),
    "campbell1994": Paper(
        "Campbell G (1994). Advances in statistical methodology for the evaluation of diagnostic and "
        "laboratory tests. Statistics in Medicine 13(5–7), 499–508.",
        "10.1002/sim.4780130513",
    ),
    "macskassy2004": Paper(
        "Macskassy SA, Provost F (2004). Confidence bands for ROC curves: methods and an empirical study. "
        "Proceedings of the First Workshop on ROC Analysis in AI (ROCAI-2004), at ECAI-2004."
    ),
}

METHODS = {
    ("auc", "score_delong"): Method(
        "Score interval with DeLong's variance",
        "All areas that are within a given number of standard errors of the one observed. The errors are "
        "taken at each candidate area from Newcombe's model, and rescaled to the spread that DeLong's method "
        "finds in the data, as far as there are cases enough to know it. It leaves room for doubt even when "
        "the classes are separated perfectly.",
        ("delong1988", "newcombe2006"),
    ),
    ("auc", "delong"): Method(
        "DeLong",
        "The AUC plus and minus a multiple of its standard error, estimated without assuming any shape for "
        "the distribution of scores. With few cases, or an AUC near 1, it is right less often than it says.",
        ("delong1988",),
    ),
    ("auc", "logit_delong"): Method(
        "DeLong on the logit scale",
        "DeLong's standard error on the logit scale, transformed back, so that the interval stays inside "
        "0 and 1.",
        ("delong1988",),
    ),
    ("auc", "newcombe"): Method(
        "Newcombe, method 5",
        "All areas that are within a given number of standard errors of the one observed, the errors taken "
        "from a model at each candidate area. It needs no spread in the data, so it still leaves room for "
        "doubt when the classes are separated perfectly or there are few cases.",
        ("newcombe2006",),
    ),
    ("auc_difference", "delong"): Method(
        "DeLong, paired",
        "The difference of two areas and its standard error, allowing for both models having scored the "
        "same cases. The p-value belongs to the hypothesis that the two true areas are equal.",
        ("delong1988",),
    ),
    ("auc_difference", "newcombe"): Method(
        "Newcombe, squared and added",
        "The intervals of the two areas, combined as if the models had scored different cases: the cautious "
        "choice when the data show no spread from which to estimate a standard error.",
        ("newcombe1998", "newcombe2006"),
    ),
    ("tpr_at_fpr", "agresti_coull"): Method(
        "Exact bootstrap moments, smoothed",
        "Mean and variance of what an infinite number of bootstrap samples would give, after adding two "
        "successes and two failures, which keeps the interval honest at rates near 0 and 1. It includes the "
        "doubt about which threshold gives this false positive rate.",
        ("dugas2009",),
    ),
    ("operating_points", "wilson"): Method(
        "Wilson's score interval",
        "All rates within a given number of standard errors of the one observed, the errors taken at each "
        "candidate rate. It stays inside 0 and 1 and leaves room for doubt where no error was seen. The same "
        "intervals of both error rates, squared and added, give that of a cost.",
        ("wilson1927", "newcombe1998"),
    ),
    ("roc_difference_band", "studentized_bootstrap"): Method(
        "Studentised smoothed bootstrap",
        "One multiple of the difference's standard deviation at each false positive rate, chosen so that "
        "the band would hold the whole difference in the stated share of smoothed resamples. Each case "
        "keeps both its scores, so what the models have in common is used.",
        ("bertail2008",),
    ),
    ("roc_difference_band", "ks_regions"): Method(
        "Two simultaneous regions",
        "A band by Kolmogorov's bounds around each curve, both at a level high enough that they hold "
        "together; the difference lies between the differences of their edges. It assumes nothing about the "
        "scores and uses nothing of what the models have in common, so it is wider than it could be.",
        ("campbell1994", "macskassy2004"),
    ),
    ("auc", "upper_bound"): Method(
        "Birnbaum–Klose bound",
        "The widest that the standard error can be for any distributions with this area: safe, and wide.",
        ("birnbaum1957",),
    ),
    ("expected_cost", "newcombe"): Method(
        "Score intervals carried through the cost",
        "Newcombe's hybrid of the score intervals of both error rates, weighted by their costs. It leaves "
        "room for doubt where one kind of error was never seen.",
        ("dugas2009cost", "newcombe1998"),
    ),
    ("cost_band", "studentized_bootstrap"): Method(
        "Studentized bootstrap",
        "At each weight the cost plus and minus one multiple of its standard error, after adding two errors "
        "and two correct cases to each class. The multiple is chosen so that the band would hold all costs "
        "together in the stated share of resamples, the choice of thresholds included.",
        ("dugas2009cost",),
    ),
    ("auc_forecast", "paper"): Method(
        "Extreme areas within a distance",
        "The lowest and highest area over all populations whose scores are distributed no further from these "
        "than the budget. It says what drift can do, not how likely that is.",
        ("morin2018",),
    ),
    ("roc_band", "equal_local_levels"): Method(
        "Equal local levels, calibrated by the smoothed bootstrap",
        "At every threshold both classes' rates get bounds from the laws of order statistics, all with the "
        "same local level, so that the band is narrow at the ends of the curve. The level is chosen so that "
        "the band would hold the whole curve in the stated share of smoothed resamples of these cases. It "
        "depends on the ranks of the scores only.",
        ("bertail2008",),
    ),
    ("roc_band", "ks_regions"): Method(
        "Simultaneous joint confidence regions",
        "Kolmogorov's exact bounds on both classes' rates at all thresholds together. It assumes nothing "
        "about the scores, at the price of being wide, above all at both ends of the curve.",
        ("campbell1994", "macskassy2004"),
    ),
}

TOPICS = {
    "auc": "Area under the curve",
    "auc_difference": "Difference of areas",
    "tpr_at_fpr": "True positive rate at a false positive rate",
    "roc_band": "Band around the curve",
    "roc_difference_band": "Band around the difference of two curves",
    "operating_points": "Rates and predictive values at a threshold",
    "expected_cost": "Cost per case",
    "cost_band": "Band around the cost curve",
    "auc_forecast": "Area after drift",
}

KINDS = {
    "pointwise": "Holds for one number at a time. Among many such intervals, some are bound to miss.",
    "simultaneous": "Holds for the whole curve at once: all of it is inside with the stated probability.",
}

GUARANTEES = {
    "finite-sample": "The stated probability is proven for samples of every size.",
    "asymptotic": "The stated probability is reached as both classes grow; it is approximate with few cases.",
    "bootstrap": "The stated probability is reached as both classes grow, by imitating new samples.",
}


def method(topic: str, name: str) -> Method:
    """Return the explanation of a method, or its bare name."""
    return METHODS.get((topic, name), Method(name, ""))
