"""Difference between two AUCs: interval, and tests of difference, equivalence and non-inferiority."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from confroc._check import check_omitted
from confroc._options import AucDifferenceOptions
from confroc.auc import methods, resampling  # noqa: F401
from confroc.auc.pairs import design_of
from confroc.base import Contrast, Method, family, lists_methods
from confroc.hypotheses import Alternative, check_hypothesis
from confroc.inference import difference_of, infer
from confroc.results import Difference
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_two_models,
    check_pair,
    check_scores,
)
from confroc.statistics.area import Auc

AUC_DIFFERENCE = family(
    "auc_difference", "Difference of two AUCs", methods.DIFFERENCE, "score_delong", papers=("zou2008",)
)

PARTLY_PAIRED = "Only some cases have scores of both models."


@accepts_two_models
@lists_methods(AUC_DIFFERENCE)
def auc_difference(
    pair: Pair,
    /,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    only_a: Scores | None = None,
    only_b: Scores | None = None,
    method: str | Method = "score_delong",
    confidence_level: float = 0.95,
    **options: Unpack[AucDifferenceOptions],
) -> Difference:
    """Difference between two AUCs, a − b: interval and test.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    max_fpr, min_tpr : float, optional
        Difference of the areas for false positive rates from 0 to `max_fpr`, or to the right of the curves
        for true positive rates from `min_tpr` to 1. The variance includes the estimation of each model's
        threshold. Methods "score_delong", "delong" (covariance of the partial placements), "bootstrap" and
        "newcombe". If a part has about ten cases of a class, coverage of nominal 95% intervals is 0.92 to
        0.97 for "score_delong" and 0.80 to 0.95 for "delong".
    standardize : bool
        Use McClish's (1989) scale for both partial areas and for the margin.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        Alternative hypothesis: a − b ≠ 0, < 0, > 0, > −margin ("a is not worse than b by the margin"), or
        |a − b| < margin (two one-sided tests, Schuirmann 1987).
    margin : float, optional
        In (0, 1), for the last two alternatives.
    only_a, only_b : Scores, optional
        Further cases that only one of the models has scored (partially paired design). Not with
        "permutation". Which cases have both scores must not depend on the scores.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Difference
        Limits are clipped to [−1, 1], or to the range of the partial area. One-sided alternatives have a
        one-sided interval, as in SciPy; for equivalence with `confidence_level` 1 − α the level of the
        interval is 1 − 2α, so that it is within ±margin exactly where p < α. Tied pairs count one half. For
        rounded scores the interval is widened by the bound on the effect of rounding; the p-value is that of
        the rounded scores. Guarantee: asymptotic, bootstrap, or finite-sample for the p-value of exact
        permutation tests (under exchangeability).

    Raises
    ------
    ValueError
        Unknown method or alternative, a missing or unexpected margin, or a method that is not available for
        the design.

    Warns
    -----
    ConfrocWarning
        The variance of the difference is zero or undefined, e.g. if both models separate the classes
        perfectly: "score_delong" then treats the AUCs as uncorrelated, and the others use "newcombe", as
        `method` and `notes` report. If both models have identical rankings, e.g. a model and its monotone
        transform, "score_delong" returns at most ±(1 − (1 − confidence_level)^(1/m)), m = min(n₊, n₋): if
        the models ordered a larger proportion of pairs differently, m disjoint pairs would rarely all be
        ordered identically. Also if the variance used by other methods is very imprecise in small samples.

    See Also
    --------
    auc_interval : One AUC.
    auc_equality_test : Test of equal AUCs by resampling from the nearest null population.
    auc_power, auc_sample_size : Plan a comparison.
    confroc.methods : Guarantees and papers of the methods.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Bandos AI, Rockette HE, Gur D (2005). Statistics in Medicine 24, 2873–2893.
    Chung E, Romano JP (2013). The Annals of Statistics 41, 484–507.
    Newcombe RG (1998). Statistics in Medicine 17, 873–890.
    Zou GY, Donner A (2008). Statistics in Medicine 27, 1693–1702.
    Schuirmann DJ (1987). Journal of Pharmacokinetics and Biopharmaceutics 15, 657–680.

    Examples
    --------
    >>> from confroc import PairedScores, auc_difference
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> new, old = [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6]
    >>> print(auc_difference(y_true, new, old))
    auc_a - auc_b +0.1875 (95% CI -0.0839 to +0.4589, p = 0.1727; score_delong, paired)
    >>> pair = PairedScores(y_true, {"new": new, "old": old})
    >>> round(auc_difference(pair, method="permutation").pvalue, 6)
    0.171875
    >>> print(auc_difference(pair, max_fpr=0.5))
    auc_new - auc_old [max_fpr=0.5] +0.1875 (95% CI +0.0084 to +0.3666, p = 0.04073;
      score_delong, paired)
    """
    check_pair("pair", pair, widens=True, dependent=True)
    chosen = AUC_DIFFERENCE.chosen(method, options, auc_difference)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    statistic, tables = Auc(max_fpr, min_tpr, standardize), _all_cases(pair, only_a, only_b)
    x = Contrast(pair, tables, (statistic, statistic), (1.0, -1.0), (0, 1), hypothesis, (only_a, only_b))
    found = difference_of(infer(x, chosen, hypothesis.central_level), statistic, pair, hypothesis)
    design = design_of(x)
    notes = (PARTLY_PAIRED, *found.notes) if design == "partially_paired" else found.notes
    return replace(found, design=design, notes=notes)


def _all_cases(pair: Pair, only_a: Scores | None, only_b: Scores | None) -> tuple[Scores, Scores]:
    """All cases of each model."""
    if not isinstance(pair, PairedScores):
        check_omitted("with UnpairedScores", "Merge it into the pair.", only_a=only_a, only_b=only_b)
        return pair.a, pair.b
    a, b = (
        own if other is None else own.merge(check_scores(name, other, widens=True, dependent=True))
        for name, own, other in (("only_a", pair.a, only_a), ("only_b", pair.b, only_b))
    )
    return a, b
