"""A test of a hypothesis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from confroc.results.base import Inference
from confroc.results.shown import pvalue, visible


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Test(Inference):
    """A test that a quantity has a given value, or that it is equal for all models.

    Attributes
    ----------
    quantity : str
        The tested quantity, e.g. "auc" or "auc_a - auc_b".
    statistic : float
        For several models, the Wald statistic of all contrasts, which is printed as F if `df_denominator` is
        finite. For one quantity, (estimate − null_value) / standard error; infinite if that is zero.
    pvalue : float
    least_pvalue : float
        The smallest p-value possible with these resamples, printed with "≤"; 0 for closed forms.
    df : int, optional
        Rank of the contrasts: number of models − 1, less if some models have identical rankings.
    df_denominator : float, optional
        Denominator degrees of freedom of the F distribution; infinite for chi-squared.
    design : {"paired", "unpaired"}, optional
    estimate, null_value : float, optional
        For one quantity: estimate and value under the null hypothesis.
    alternative : {"two-sided", "less", "greater"}, optional
    distance : float, optional
        Divergence between the resampled null population and the sample, summed over classes.
    divergence : {"kl", "jeffreys", "chi2"}, optional
    n_resamples : int, optional
    confidence_level : float
        NaN; a test has no level.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    auc_test, auc_equality_test : Return one.
    auc_comparison : Returns one of all models.
    """

    _sparse = True
    quantity: str
    estimate: float | None = None
    null_value: float | None = None
    statistic: float
    df: int | None = None
    df_denominator: float | None = None
    pvalue: float
    least_pvalue: float = 0.0
    alternative: Literal["two-sided", "less", "greater"] | None = None
    design: Literal["paired", "unpaired"] | None = None
    distance: float | None = None
    divergence: Literal["kl", "jeffreys", "chi2"] | None = None
    n_resamples: int | None = None
    confidence_level: float = math.nan

    @property
    def null_hypothesis(self) -> str:
        """The null hypothesis as text: "auc = 0.7", "all auc equal"."""
        name = visible(self.quantity)
        return f"all {name} equal" if self.null_value is None else f"{name} = {self.null_value:g}"

    def _sentence(self) -> str:
        second = "" if self.df_denominator in (None, math.inf) else f" and {self.df_denominator:.4g}"
        found = {
            "estimate": None if self.estimate is None else f"{self.estimate:.4f}",
            "df": None if self.df is None else f"{self.df}{second}",
        }
        numbers = [f"{name} {value}" for name, value in found.items() if value is not None]
        words = [*numbers, self.alternative, pvalue(self.pvalue, self.least_pvalue)]
        of = ", ".join(filter(None, [str(self.method), self.design]))
        name, value = "statistic" if self.df is None else "chi-squared", self.statistic
        if self.df and second:
            # Of the Wald statistic with the distribution of `wald_test`.
            rest = float(self.df_denominator or 0.0)
            name, value = "F", value * rest / (self.df * (rest + self.df - 1))
        return f"{self.null_hypothesis}: {name} {value:.4g} ({', '.join(filter(None, words))}; {of})"
