"""Area under the ROC curve or under a part of it, and the Gini coefficient."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from confroc._check import check_size
from confroc._types import Ends, FloatArray, Sampling
from confroc.base import Contrast, Statistic
from confroc.curve import CurvePart, area_of_counts, check_part
from confroc.influence import AreaEstimate, Spread, area_spread, estimate_area, placements
from confroc.resample import spawn
from confroc.scores import Pair, PairedScores, Scores, errors_of
from confroc.statistics.areas_resampled import joint_replicates, refuse_size, replicates, resample_size


@dataclass(frozen=True)
class Auc(Statistic):
    """Area under the ROC curve: the probability that a positive has a higher score than a negative.

    Ties count one half.

    Attributes
    ----------
    max_fpr, min_tpr : float, optional
        Partial area for false positive rates from 0 to `max_fpr`, or to the right of the curve for true
        positive rates from `min_tpr` to 1.
    standardize : bool
        Rescale a partial area to 0.5 for chance and 1 for perfect separation (McClish 1989).

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import Auc
    >>> Auc().value(Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]))
    0.8888888888888888
    """

    max_fpr: float | None = None
    min_tpr: float | None = None
    standardize: bool = False

    name: ClassVar[str] = "auc"
    title: ClassVar[str] = "Area under the curve"
    monotone: ClassVar[bool] = True
    default_method: ClassVar[str] = "score_delong"
    default_difference: ClassVar[str] = "score_delong"

    def __post_init__(self) -> None:
        _ = self.part

    @functools.cached_property
    def part(self) -> CurvePart | None:
        """The part of the curve; None for the whole curve."""
        part = check_part(self.max_fpr, self.min_tpr, standardize=self.standardize)
        return None if part is not None and part.width == 1.0 and not self.standardize else part

    @property
    def bounds(self) -> tuple[float, float]:
        """Minimum and maximum of the area."""
        if self.part is None or not self.standardize:
            return 0.0, 1.0 if self.part is None else self.part.width
        return self.part.standardized(0.0), self.part.standardized(self.part.width)

    @property
    def unit(self) -> float:
        """Factor and offset from areas relative to the width of the part to the units of the statistic."""
        return self.bounds[1] - self.bounds[0]

    @property
    def slope(self) -> float:
        """Factor and offset from areas that are not standardized to the units of the statistic."""
        return self.unit if self.part is None else self.unit / self.part.width

    @property
    def note(self) -> str:
        """Name of the part in results; empty for the whole area."""
        if self.part is None:
            return ""
        return f"[{self.part.label}{', standardized' if self.standardize else ''}]"

    @property
    def label(self) -> str:
        """Name of the area in results."""
        return f"auc{self.note}"

    def scaled(self, share: Any) -> Any:
        """Return areas relative to the width of the part in the units of the statistic."""
        least, most = self.bounds
        return least + (most - least) * share

    def estimate(self, table: Scores) -> AreaEstimate:
        """Return the area relative to the width of the part, with DeLong's variance."""
        return estimate_area(table, self.part)

    def value(self, table: Scores) -> float:
        """Return the area."""
        return float(self.scaled(table.auc if self.part is None else self.estimate(table).auc))

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the placements, centered in each class (DeLong, DeLong & Clarke-Pearson 1988)."""
        of_pos, of_neg = placements(table, self.part)
        return self.slope * of_pos, self.slope * of_neg

    def rounding(self, table: Scores) -> Ends:
        """Return bounds on the effect of rounded scores, below and above the area."""
        if self.part is None or table.exact:
            error = np.asarray(self.slope * table.auc_error)
            return error, error
        down, up = errors_of(table, lambda s: area_of_counts(s.pos, s.neg, self.part))
        return self.slope * down, self.slope * up

    def replicates(self, x: Contrast, draws: Any, count: int) -> FloatArray:
        """Return areas, or differences between two, in resamples."""
        least: float = self.bounds[0]
        sampling = self._sampling(draws)
        if x.single:
            table = x.table
            own = check_size(draws.size, table.n_pos, table.n_neg)
            values = replicates(table, self.part, count, draws.rng, own, draws.n_jobs, sampling)
            return np.asarray(least + self.slope * values)
        size = resample_size(x, draws.size)
        if isinstance(x.data, PairedScores):
            pair = x.data if len(x.data.names) == 2 and x.models == (0, 1) else x.data[x.models]
            settings = count, draws.rng, size, draws.n_jobs
            a, b = joint_replicates(
                pair, self.part, *settings, full=x.tables, only=x.only, sampling=sampling
            ).T
        else:
            a, b = self._of_samples(x.tables, draws, count)
        return np.asarray((least + self.slope * a) - (least + self.slope * b))

    def model_replicates(self, data: Pair, draws: Any, count: int) -> FloatArray:
        """Return the areas of k models in the same resamples, or of k samples, shape (n, k)."""
        if isinstance(data, PairedScores):
            size = None if draws.size is None else check_size(draws.size, data.n_pos, data.n_neg)
            sampling = self._sampling(draws)
            settings = count, draws.rng, size, draws.n_jobs
            values = joint_replicates(data, self.part, *settings, sampling=sampling)
        else:
            refuse_size(draws.size)
            values = np.stack(self._of_samples(data.samples, draws, count), axis=1)
        return np.asarray(self.bounds[0] + self.slope * values)

    @staticmethod
    def _sampling(draws: Any) -> Sampling:
        return draws.sampling or "stratified"

    def _of_samples(self, tables: Sequence[Scores], draws: Any, count: int) -> list[FloatArray]:
        streams, sampling = spawn(draws.rng, len(tables)), self._sampling(draws)
        return [
            replicates(t, self.part, count, stream, (t.n_pos, t.n_neg), draws.n_jobs, sampling)
            for t, stream in zip(tables, streams, strict=True)
        ]

    def spread(self, data: Pair) -> Spread:
        """Return the areas of several models with the variances of their differences."""
        return area_spread(data, self.part, self.unit, self.scaled)


@dataclass(frozen=True)
class Gini(Auc):
    """Gini coefficient 2·AUC − 1, in [−1, 1]; also called accuracy ratio or Somers' D.

    References
    ----------
    Somers RH (1962). A new asymmetric measure of association for ordinal variables. American Sociological
    Review 27, 799–811.

    Examples
    --------
    >>> from confroc import interval
    >>> from confroc.statistics import Gini
    >>> print(interval([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], Gini()))
    gini 0.8750 (95% CI 0.0247 to 0.9892; score_delong)
    """

    max_fpr: None = field(default=None, init=False, repr=False)
    min_tpr: None = field(default=None, init=False, repr=False)
    standardize: bool = field(default=False, init=False, repr=False)

    title: ClassVar[str] = "Gini coefficient"

    @property
    def bounds(self) -> tuple[float, float]:
        """Minimum and maximum of the value."""
        return -1.0, 1.0

    @property
    def label(self) -> str:
        """Name in results."""
        return "gini"
