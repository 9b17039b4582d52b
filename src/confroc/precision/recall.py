"""Precision at a recall, from the interval of the false positive rate."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level
from confroc._options import PrecisionAtRecallOptions
from confroc._types import Ends, FloatArray, Sampling
from confroc.base import Contrast, Method, Outcome, family, lists_methods, method_class
from confroc.distributions import jeffreys
from confroc.inference import infer, intervals_of, one
from confroc.points.rate import FPR_AT_TPR
from confroc.results import Intervals
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.precision import PrecisionAtRecall, odds_of, precision_of
from confroc.statistics.prevalence import Prior, prevalence_ends


@method_class
class FromFpr(Method):
    """Transformed interval of the false positive rate.

    The interval of the false positive rate at the recall, by a method of `fpr_at_tpr`, transformed to
    precision. For an estimated prevalence its interval is combined: logarithms of the false positive rate and
    of the odds, squared and added (Zou & Donner 2008).

    Attributes
    ----------
    rate : {"beta_mixture", "agresti_coull", "wald", "kernel"}
        Method of `fpr_at_tpr`.
    """

    name = "from_fpr"
    dependence = "own"
    serves = (("precision_at_recall", "interval"),)
    papers = ("zou2008",)
    rate: Literal["beta_mixture", "agresti_coull", "wald", "kernel"] = "beta_mixture"
    # The interval of the false positive rate is already widened.
    widens = False

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval."""
        s, table = x.statistic, x.table
        method = FPR_AT_TPR.chosen(self.rate, {})
        found = infer(one(table, s.fpr), method, level)
        shares = prevalence_ends(table, s.prior, s.sampling, level, jeffreys)
        high, low = map(odds_of, shares)
        odds = odds_of(s.share(table).value)
        ends = _product((found.lower, found.estimate, found.upper), (low, odds, high))
        # In units of the odds, for `precision_of`.
        lower, upper = (precision_of(s.places, end / odds, odds) for end in reversed(ends))
        shaped = (s.shaped(lower), s.shaped(upper))
        return Outcome(*shaped, guarantee=found.guarantee, notes=found.notes)


def _product(rate: tuple[FloatArray, ...], odds: tuple[float, ...]) -> Ends:
    """Interval of a rate times odds, by square-and-add of logarithms."""
    ends = []
    for side in (0, 2):
        end, spread = rate[side], abs(np.log(odds[side] / odds[1]))
        ratio = np.divide(end, rate[1], out=np.full(len(end), np.inf), where=rate[1] > 0.0)
        with np.errstate(divide="ignore"):
            distance = np.abs(np.log(ratio))
        # hypot(distance, spread) − distance, which is 0 if the rate may be 0.
        more = spread**2 / np.maximum(distance + np.hypot(distance, spread), 1e-300)
        ends.append(odds[1] * end * np.exp(more if side else -more))
    return ends[0], ends[1]


PRECISION_AT_RECALL = family(
    "precision_at_recall",
    "Precision at a recall",
    ("precision_at_recall", "interval"),
    "from_fpr",
)


@accepts_one_model
@lists_methods(PRECISION_AT_RECALL)
def precision_at_recall(
    scores: Scores,
    /,
    *,
    recall: ArrayLike,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "from_fpr",
    confidence_level: float = 0.95,
    **options: Unpack[PrecisionAtRecallOptions],
) -> Intervals:
    """Precision at a given recall.

    Parameters
    ----------
    scores : Scores
    recall : float or array-like of shape (h,)
        Recalls (true positive rates) in (0, 1].
    prior : float or (float, float), optional
        Prevalence in the target population: known, or counts (positives, cases) from another sample. Default:
        that of the sample.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence of the sample is estimated or fixed. Default: "full" without `prior`,
        "stratified" with it.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Intervals
        `at` is the recall. `estimate` is the precision at the smallest false positive rate with that recall,
        equal to `pr_curve(scores).precision_at(recall, interpolate=True)`.

    Raises
    ------
    ValueError
        A recall outside (0, 1], and as in `fpr_at_tpr`.

    See Also
    --------
    fpr_at_tpr : False positive rate, independent of the prevalence.
    pr_band : Simultaneous band.

    References
    ----------
    Zou GY, Donner A (2008). Construction of confidence limits about effect measures: a general approach.
    Statistics in Medicine 27, 1693–1702.

    Examples
    --------
    >>> from confroc import Scores, precision_at_recall
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(precision_at_recall(y_true, y_score, recall=0.5))
    Intervals: precision
    recall  precision   lower   upper  threshold
       0.5     1.0000  0.8346  1.0000        100
    95%; pointwise; method: from_fpr; guarantee: asymptotic
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> found = precision_at_recall(scores, recall=[0.2, 0.6])
    >>> found.estimate.round(3), found.lower.round(3), found.upper.round(3)
    (array([0.8  , 0.667]), array([0.67 , 0.567]), array([0.883, 0.761]))
    """
    chosen = PRECISION_AT_RECALL.chosen(method, options, precision_at_recall)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    statistic = PrecisionAtRecall(np.atleast_1d(recall), prior, sampling)
    level = check_level(confidence_level)
    return intervals_of(infer(one(scores, statistic), chosen, level), "precision", statistic.at, level)
