"""Comparison of the AUCs of several models or groups."""

from __future__ import annotations

from typing import Unpack

from confroc._options import AucComparisonOptions
from confroc.auc import methods, resampling  # noqa: F401
from confroc.base import Method, family, lists_methods
from confroc.comparing.comparison import COMPARED, compare
from confroc.results import Comparison
from confroc.scores import Pair, accepts_several_models
from confroc.statistics.area import Auc

AUC_COMPARISON = family(
    "auc_comparison",
    "Comparison of AUCs",
    methods.COMPARISON,
    "score_delong",
    kind="simultaneous",
    papers=COMPARED,
)


@accepts_several_models
@lists_methods(AUC_COMPARISON)
def auc_comparison(
    scores: Pair,
    /,
    *,
    adjust: str = "max_t",
    reference: str | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    method: str | Method = "score_delong",
    confidence_level: float = 0.95,
    **options: Unpack[AucComparisonOptions],
) -> Comparison:
    """Compare the AUCs of several models or groups, adjusted for multiplicity.

    Parameters
    ----------
    scores : PairedScores or UnpairedScores
        Two or more models on the same cases, or two or more samples of disjoint cases.
    adjust : {"max_t", "holm", "bonferroni", "none"}
        Adjustment of intervals, tests and the set of models that may be best for multiplicity.

        max_t : the distribution of the largest of all standardized differences, normal with their
            correlations ("bootstrap": resampled). P-values are those of the closed test of all pairs, which
            uses logical implications (if a = b and b = c then a = c); for more than 10 models, and with a
            `reference`, step-down p-values.
        holm : Holm's (1979) p-values, Bonferroni intervals.
        bonferroni : p-values times their number m, intervals at level 1 − α/m.
        none : unadjusted.
    reference : str, optional
        Name of the model that all others are compared with (Dunnett 1955). Default: all pairs are compared.
    max_fpr, min_tpr, standardize
        Partial areas, as in `auc_difference`; not for "permutation".
    method : str or Method
        {methods}

        The joint test is a Wald test with DeLong's covariance: for "delong" with the chi-squared
        distribution, otherwise with an F distribution that accounts for the estimated covariance
        (Krishnamoorthy & Yu 2004). For two models it is the test of their difference. "permutation" compares
        pairs only and reports this Wald test.
    confidence_level : float
        In (0, 1); the joint level of all intervals of AUCs, of all intervals of differences, and of the set
        of models that may be best.
    {options}

    Returns
    -------
    Comparison
        `intervals` and `differences` with simultaneous intervals, `test` of equal AUCs, `may_be_best` (Hsu's
        multiple comparisons with the best), `largest_gap`, and `comparison["new", "old"]`. Differences are
        earlier model minus later, or other model minus reference. Guarantee: asymptotic, or bootstrap.

        An interval excludes zero exactly where `pvalue_single_step` is at most 1 − `confidence_level`
        (approximately for "bootstrap"). The closed-test p-value, `pvalue`, is never larger, so it may be
        significant although the interval includes zero.

        Models with identical rankings, e.g. a model and its monotone transform, count once and are listed in
        `alike`. For rounded scores the intervals are widened as in `auc_difference`.

    Raises
    ------
    ValueError
        Unknown method, adjustment or reference; partial areas or "bootstrap" for models without joint counts
        (read them with `resolution=`).

    Warns
    -----
    ConfrocWarning
        As in `auc_interval` and `auc_difference`, once for all models and pairs.

    See Also
    --------
    auc_interval : One AUC.
    auc_difference : Two AUCs; one-sided tests, non-inferiority, equivalence.
    read_scores : Reads several models or groups.

    Notes
    -----
    The simultaneous interval of `largest_gap` accounts for its selection. For two models, apart from copies,
    the adjusted p-values are those of `auc_difference`. `may_be_best` contains the truly best model with
    probability `confidence_level`. If several are equally good, it contains each with this probability, but
    all of them less often: k equal models with probability 0.90, 0.87, 0.80 and 0.68 for k = 2, 3, 5 and 10
    at 95%. The closed test controls the joint error: with probability `confidence_level` it finds no
    difference among equal models.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Blanche P, Dartigues JF, Riou J (2022). Biometrics 78, 352–363.
    Hsu JC (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall.
    Krishnamoorthy K, Yu J (2004). Statistics & Probability Letters 66, 161–169.
    Dunnett CW (1955). Journal of the American Statistical Association 50, 1096–1121.
    Holm S (1979). Scandinavian Journal of Statistics 6, 65–70.

    Examples
    --------
    >>> from confroc import auc_comparison
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> new, old = [1, 2, 3, 6, 4, 5, 7, 8, 9, 10], [4, 1, 2, 8, 7, 3, 9, 5, 6, 10]
    >>> chance = [3, 9, 1, 7, 5, 4, 8, 2, 10, 6]
    >>> comparison = auc_comparison(y, {"new": new, "old": old, "chance": chance})
    >>> print(comparison["new", "chance"])
    auc_new - auc_chance +0.3600 (95% simultaneous CI -0.1238 to +0.8438, p = 0.1719;
      score_delong, paired)
    >>> comparison.differences.pvalue.round(4)
    array([0.1719, 0.1719, 0.6062])
    >>> comparison.may_be_best
    ('new', 'old', 'chance')
    """
    chosen = AUC_COMPARISON.chosen(method, options, auc_comparison)
    statistic = Auc(max_fpr, min_tpr, standardize)
    return compare(scores, statistic, chosen, adjust, reference, confidence_level)
