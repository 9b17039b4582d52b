"""Areas of many models, or of many groups, at once."""

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
    "Areas of many models or groups",
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
    """Areas of many models, or of many groups, with intervals and tests that allow for their number.

    Parameters
    ----------
    scores : PairedScores, UnpairedScores or (y_true, score, ...)
        Two or more models on the same cases, or two or more samples of disjoint cases.
    adjust : {"max_t", "holm", "bonferroni", "none"}
        How intervals, tests and the set of models that may be best allow for the number of models.

        max_t : by the distribution of the largest of all differences over their standard errors, normal with
            the correlations that the differences have ("bootstrap": resampled). P-values are those of the
            closed test of all pairs, which makes use of what equalities imply (if a = b and b = c then a =
            c); for more than 10 models, and against a `reference`, those of stepping down.
        holm : Holm's (1979) p-values, Bonferroni's intervals.
        bonferroni : p-values times their number, intervals at 1 − α over it.
        none : each interval and each test by itself.
    reference : str, optional
        Name of the model that all others are compared with (after Dunnett 1955); by default all pairs are
        compared.
    max_fpr, min_tpr, standardize
        For partial areas, as in `auc_difference`; all methods but "permutation".
    method : str or Method
        {methods}

        The joint test is Wald's with DeLong's covariance, for "delong" by the chi-squared distribution,
        otherwise by an F distribution that allows for the covariance's being estimated (Krishnamoorthy & Yu
        2004). Of two models it is the test of their difference. "permutation" exchanges two and has no joint
        test; the notes of the joint test report this.
    confidence_level : float
        In (0, 1); of all intervals of areas together, of all intervals of differences together, and of the
        set of models that may be best.
    {options}

    Returns
    -------
    Comparison
        `intervals` and `differences` with simultaneous intervals, `test` of equal areas, `may_be_best` (Hsu's
        multiple comparison with the best), `largest_gap`, and `comparison["new", "old"]`. Differences are the
        earlier model minus the later one, or each other one minus the reference. Guarantee: asymptotic, or
        bootstrap.

        An interval excludes zero exactly where `pvalue_single_step` is at most 1 − `confidence_level`
        (method "bootstrap": nearly). The p-value of the closed test, `pvalue`, is never larger, and may find
        a difference whose interval holds zero: no simultaneous intervals agree with it in every case.

        Models that agree in every case, as a model and a monotone transform of it do, count once: a copy
        changes nothing but its own rows, and `alike` names it. Rounded scores widen the intervals as in
        `auc_difference`.

    Raises
    ------
    ValueError
        For an unknown method, adjustment or reference, and for partial areas or "bootstrap" of models whose
        joint counts were not kept: read them with `resolution=`.

    Warns
    -----
    ConfrocWarning
        As `auc_interval` and `auc_difference`, once for all models and pairs.

    See Also
    --------
    auc_interval : One area.
    auc_difference : Two areas; one-sided tests, non-inferiority, equivalence.
    read_scores : Many models, or groups, of any number of cases.

    Notes
    -----
    The largest of the observed differences is `largest_gap`; its simultaneous interval allows for its having
    been chosen. With copies left aside, the adjusted p-values of two models are those of `auc_difference`.

    `may_be_best` contains the truly best model with probability `confidence_level`. Of several that are
    equally good it contains each with this probability, but all together less often: k equal models with
    0.90, 0.87, 0.80 and 0.68 for k = 2, 3, 5 and 10 at 95 %. The closed test has the joint guarantee: with
    the same probability it finds no difference among any of them.

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
    >>> from confroc import PairedScores, auc_comparison
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> new, old = [1, 2, 3, 6, 4, 5, 7, 8, 9, 10], [4, 1, 2, 8, 7, 3, 9, 5, 6, 10]
    >>> chance = [3, 9, 1, 7, 5, 4, 8, 2, 10, 6]
    >>> comparison = auc_comparison(PairedScores(y, new, old, chance, names=["new", "old", "chance"]))
    >>> print(comparison["new", "chance"])
    auc_new - auc_chance +0.3600 (95 % simultaneous interval -0.0168 to +0.7368, p = 0.06917;
      score_delong, paired)
    Note: Tests of 'score_delong' are conservative ...
    >>> comparison.differences.pvalue.round(4)
    array([0.104 , 0.0692, 0.5938])
    >>> comparison.may_be_best
    ('new', 'old')
    """
    chosen = AUC_COMPARISON.chosen(method, options, auc_comparison)
    statistic = Auc(max_fpr, min_tpr, standardize)
    return compare(scores, statistic, chosen, adjust, reference, confidence_level)
