"""Confidence interval for one model's area, whole or partial."""

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
    """Confidence interval for the area under the ROC curve, or under a part of it.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    max_fpr, min_tpr : float, optional
        Area under the curve for false positive rates from 0 to `max_fpr`, or to the right of it for true
        positive rates from `min_tpr` to 1. DeLong-type variance that includes the estimation of the
        threshold. Methods: "score_delong", "delong", "logit_delong" and the three by resampling.
    standardize : bool
        Put a partial area on McClish's (1989) scale: chance 0.5, perfect separation 1.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Interval
        `standard_error` is the method's own; for the score intervals ("score_delong", "newcombe",
        "upper_bound") half their width over the quantile used, which is never zero.
        `estimate` is the empirical area (for "binormal" Φ(δ̂)). Tied pairs count one half. Bounds lie inside
        [0, 1], for a partial area inside [0, its width]. For rounded scores they are moved outwards by the
        most that rounding can have changed the area (`Scores.auc_error`; for a partial area the areas of the
        least and the greatest curve that the exact scores can have); "binormal" and "smoothed_bootstrap" warn
        instead. Guarantee: bootstrap for the methods of that name, otherwise asymptotic.

    Raises
    ------
    ValueError
        For an unknown method, one that has no partial form, or an argument out of range.

    Warns
    -----
    ConfrocWarning
        When the method's standard error is zero or undefined (perfect separation, all scores equal, one case
        in a class). It then does not show the remaining uncertainty, so "newcombe" is used instead, which
        the result's `method` and `notes` report. Also when "delong", "hanley_mcneil", "exact_bootstrap",
        "bootstrap" or "cortes_mohri" is used where it is known to under-cover.

    See Also
    --------
    auc_difference : Two areas.
    auc_test : Test that the area is a given one.
    RocCurve.partial_auc : A partial area without an interval.
    confroc.methods : The methods' guarantees, and the papers behind them.

    Notes
    -----
    The coverage behind the default and the warnings is in the theory page, with the command that measures it.

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
    >>> scores = Scores([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(auc_interval(scores))
    auc 0.9375 (95 % interval 0.5124 to 0.9946; score_delong)
    >>> print(auc_interval(scores, method="newcombe"))
    auc 0.9375 (95 % interval 0.5133 to 0.9946; newcombe)
    >>> print(auc_interval(scores, max_fpr=0.5, standardize=True))
    auc[max_fpr=0.5, standardized] 0.9167 (95 % interval 0.5634 to 0.9931; score_delong)
    """
    chosen = AUC_INTERVAL.chosen(method, options, auc_interval)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    statistic = Auc(max_fpr, min_tpr, standardize)
    return interval_of(infer(one(scores, statistic), chosen, level), statistic, level)
