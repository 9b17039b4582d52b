"""The bibliography: every paper that a method, a docstring or the report cites, once."""

from __future__ import annotations

from typing import NamedTuple


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
    "ma1993": Paper(
        "Ma G, Hall WJ (1993). Confidence bands for receiver operating characteristic curves. Medical "
        "Decision Making 13(3), 191–197.",
        "10.1177/0272989X9301300304",
    ),
}
