"""Confidence interval for the AUC or a partial AUC."""

from __future__ import annotations

from typing import Unpack

from confroc._check import check_level
from confroc._options import AucIntervalOptions
from confroc.auc import methods, resampling  # noqa: F401
from confroc.base import Method, family, lists_methods
from confroc.inference import infer, interval_of, one
from confroc.results import Interval
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.area import Auc

AUC_INTERVAL = family("auc_interval", "Area under the curve", methods.INTERVAL, "score_delong")


@accepts_one_model
@lists_methods(AUC_INTERVAL)
def auc_interval(
    scores: Scores,
    /,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = False,
    method: str | Method = "score_delong",
    confidence_level: float = 0.95,
    **options: Unpack[AucIntervalOptions],
) -> Interval:
    """Confidence interval for the AUC or a partial AUC.

    Parameters
    ----------
    scores : Scores
    max_fpr, min_tpr : float, optional
        Area under the curve for false positive rates from 0 to `max_fpr`, or to the right of it for true
        positive rates from `min_tpr` to 1. The variance includes the estimation of the threshold. Methods:
        "score_delong", "delong", "logit_delong", "bootstrap", "bootstrap_bca" and "smoothed_bootstrap".
    standardize : bool
        Use McClish's (1989) scale for a partial area: 0.5 for chance, 1 for perfect separation.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Interval
        `estimate` is the empirical AUC (for "binormal" Φ(δ̂)); tied pairs count one half. `standard_error` is
        that of the method; for score intervals ("score_delong", "newcombe", "upper_bound") half the width
        divided by the quantile, which is never zero. Limits lie inside [0, 1], or [0, width] for a partial
        area. For rounded scores they are widened by the bound on the effect of rounding
        (`Scores.auc_error`; for a partial area from the lowest and highest possible curves); "binormal" and
        "smoothed_bootstrap" warn instead. Guarantee: bootstrap for bootstrap methods, otherwise asymptotic.

    Raises
    ------
    ValueError
        Unknown method, one without a partial form, or an argument out of range.

    Warns
    -----
    ConfrocWarning
        The standard error of a method other than the default is zero or undefined (perfect separation, all
        scores equal, one case in a class). "newcombe" is then used instead, as `method` and `notes` report.
        Also if "delong", "hanley_mcneil", "exact_bootstrap", "bootstrap" or "cortes_mohri" is used where it
        under-covers.

    See Also
    --------
    auc_difference : Two AUCs.
    auc_test : Test of a given AUC.
    RocCurve.partial_auc : Partial area without interval.
    confroc.methods : Guarantees and papers of the methods.

    Notes
    -----
    Measured coverage of the methods is documented in the theory pages.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
    Newcombe RG (2006). Statistics in Medicine 25, 559–573.
    Hanley JA, McNeil BJ (1982). Radiology 143, 29–36.
    Birnbaum ZW, Klose OM (1957). The Annals of Mathematical Statistics 28, 933–945.
    McClish DK (1989). Medical Decision Making 9, 190–195.

    Examples
    --------
    >>> from confroc import Scores, auc_interval
    >>> y_true, y_score = [1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> print(auc_interval(y_true, y_score))
    auc 0.9375 (95% CI 0.5124 to 0.9946; score_delong)
    >>> scores = Scores(y_true, y_score)
    >>> print(auc_interval(scores, method="newcombe"))
    auc 0.9375 (95% CI 0.5133 to 0.9946; newcombe)
    >>> print(auc_interval(scores, max_fpr=0.5, standardize=True))
    auc[max_fpr=0.5, standardized] 0.9167 (95% CI 0.5634 to 0.9931; score_delong)
    """
    chosen = AUC_INTERVAL.chosen(method, options, auc_interval)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    statistic = Auc(max_fpr, min_tpr, standardize)
    return interval_of(infer(one(scores, statistic), chosen, level), statistic, level)
