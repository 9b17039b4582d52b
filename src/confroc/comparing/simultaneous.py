"""Shared parts of a comparison of several models: distinct models, spread, and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from confroc._check import held
from confroc._types import FloatArray, IntArray
from confroc.base import Contrast, Kind, Method, Statistic
from confroc.bootstrap import Bootstrap, model_replicates
from confroc.comparing.contrasts import difference_vectors, distinct_models, value_vectors
from confroc.distributions import MaxT, ResampledMaxT, joint_level
from confroc.hypotheses import Hypothesis
from confroc.inference import Inferred, family_of, infer, minus
from confroc.influence import Spread, needs_influence, spread_of
from confroc.resample import N_RESAMPLES, check_kept, check_resamples, least_resamples
from confroc.results import Adjustment
from confroc.scores import Pair, PairedScores, Scores, models_of

IDENTICAL = "Models with identical rankings count once; `alike` lists them."


@dataclass(frozen=True, kw_only=True, eq=False)
class Simultaneous:
    """Checked arguments and shared intermediate results of a comparison.

    Models with identical rankings count once: `chosen` are the distinct models, in canonical order, and
    `pairs` all pairs of positions among them.
    """

    scores: Pair
    statistic: Statistic
    method: Method
    adjust: Adjustment
    reference: int | None
    level: float

    @property
    def kind(self) -> Kind:
        """Whether the confidence level is pointwise or simultaneous."""
        return "pointwise" if self.adjust == "none" else "simultaneous"

    @cached_property
    def of_one(self) -> Method:
        """Method of the intervals of single models: this one if made for them, else their default."""
        family = family_of(self.statistic, "interval")
        own = (self.statistic.name, "interval") in self.method.serves or family.default == str(self.method)
        chosen: Method = self.method if own else family.chosen(None, {})
        return chosen

    @property
    def models(self) -> tuple[Scores, ...]:
        """Table of each model or group."""
        return models_of(self.scores)

    @property
    def resamples(self) -> bool:
        """Whether the spread is computed from resamples."""
        return isinstance(self.method, Bootstrap)

    @cached_property
    def spread(self) -> Spread:
        """Values and variances of differences of all models, copies included."""
        if self.resamples and not (self.statistic.regular and hasattr(self.statistic, "spread")):
            return self._of_resamples(None)
        if not self.resamples:
            needs_influence(self.method, self.statistic)
        found = spread_of(self.statistic, self.scores)
        return self._of_resamples(found) if self.resamples else found

    def _of_resamples(self, found: Spread | None) -> Spread:
        """The spread with variances of differences from resamples."""
        draws: Any = self.method
        d = len(self.models) if found is None else len(self._count(found)[0])
        requested = d * (d - 1) // 2 if self.reference is None else d - 1
        least = self.level if self.adjust == "none" else joint_level(self.level, max(1, requested))
        count = check_resamples(draws.n_resamples, least, max(N_RESAMPLES, least_resamples(least)))
        check_kept(count, len(self.models) ** 2)
        values = model_replicates(self.statistic, self.scores, draws, count)
        difference_variances = np.var(values[:, :, None] - values[:, None, :], axis=0, ddof=1)
        np.fill_diagonal(difference_variances, 0.0)
        if found is None:
            own = np.array([self.statistic.value(table) for table in self.models])
            same = np.eye(len(own), dtype=bool)
            if isinstance(self.scores, PairedScores):
                same = (values[:, :, None] == values[:, None, :]).all(axis=0) & (own[:, None] == own)
            return Spread(own, values.var(axis=0, ddof=1), difference_variances, (), same, {}, (), values)
        return found._replace(difference_variances=difference_variances, resampled=values)

    # --- distinct models and their spread ---------------------------------------------------------------

    @cached_property
    def _counted(self) -> tuple[IntArray, IntArray]:
        return self._count(self.spread)

    def _count(self, spread: Spread) -> tuple[IntArray, IntArray]:
        agree = spread.identical.copy()
        for i, j in np.argwhere(agree & ~np.eye(len(agree), dtype=bool)).tolist():
            agree[i, j] = self._exchangeable(i, j)
        return distinct_models(agree, spread.values, np.nan_to_num(spread.variances))

    def _exchangeable(self, i: int, j: int) -> bool:
        """Whether two models with identical rankings stay identical when cases are resampled or permuted."""
        if not isinstance(self.scores, PairedScores) or not self.method.uses_cases:
            return True
        # Perfect rankings stay perfect in resamples, but permutation also uses ranks within a class.
        a, b = self.models[i].auc, self.models[j].auc
        perfect = self.resamples and a == b and a in (0.0, 1.0)
        return perfect or bool(np.array_equal(self.scores.index[i], self.scores.index[j]))

    @property
    def chosen(self) -> IntArray:
        """Positions of the distinct models."""
        return self._counted[0]

    @property
    def representative(self) -> IntArray:
        """For each model, the position of its representative among the distinct models."""
        return self._counted[1]

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """Names of models with identical rankings, by set, in the given order."""
        names, places = np.array(self.scores.names), dict.fromkeys(self.representative.tolist())
        sets = (tuple(names[self.representative == place].tolist()) for place in places)
        return tuple(same for same in sets if len(same) > 1)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of positions among the distinct models."""
        return list(combinations(range(len(self.chosen)), 2))

    @cached_property
    def variances(self) -> FloatArray:
        """Variances of the values; from the method's intervals if they are zero or undefined."""
        own = self.spread.variances.copy()
        for i in np.flatnonzero(~(own > 0.0)):
            own[i] = self.interval(int(i), self.level).inferred.standard_error ** 2
        return own

    @cached_property
    def difference_variances(self) -> FloatArray:
        """Variances of the differences of the distinct models."""
        found = self.spread.difference_variances.copy()
        if not self.resamples:
            unknown = ~(self.spread.variances > 0.0)
            both = np.add.outer(self.variances, self.variances)
            for i, j in np.argwhere(unknown[:, None] | unknown).tolist():
                known = self.spread.moments.get((i, j)) or self.spread.moments.get((j, i))
                if known is None or np.isnan(known[0].variance + known[1].variance):
                    found[i, j] = both[i, j]
        np.fill_diagonal(found, 0.0)
        return np.asarray(found[np.ix_(self.chosen, self.chosen)])

    @cached_property
    def rows(self) -> list[tuple[int, int]]:
        """Positions of both models of each requested difference."""
        if self.reference is None:
            return list(combinations(range(len(self.models)), 2))
        return [(i, self.reference) for i in range(len(self.models)) if i != self.reference]

    @cached_property
    def shown(self) -> list[tuple[int, int]]:
        """Requested differences as pairs of distinct models."""
        if self.reference is None:
            return self.pairs
        return [pair for pair in self.pairs if self.representative[self.reference] in pair]

    @property
    def shares(self) -> list[tuple[FloatArray, float]]:
        """Components of `difference_variances` by class and group, with degrees of freedom."""
        at = np.ix_(self.chosen, self.chosen)
        return [(share[at], df) for share, df in self.spread.shares]

    @cached_property
    def distribution(self) -> MaxT:
        """Distribution of the largest of all standardized differences."""
        return self._distribution(self.pairs)

    @cached_property
    def distribution_shown(self) -> MaxT:
        """Distribution of the largest of the requested standardized differences."""
        return self.distribution if self.reference is None else self._distribution(self.shown)

    def _distribution(self, pairs: Sequence[tuple[int, int]]) -> MaxT:
        if self.spread.resampled is None:
            return MaxT(difference_vectors(self.difference_variances, pairs))
        values = self.spread.resampled[:, self.chosen]
        return ResampledMaxT(np.stack([values[:, j] - values[:, i] for i, j in pairs], axis=1))

    @cached_property
    def level_of_differences(self) -> float:
        """Level of each interval of a difference."""
        if self.adjust == "none" or not self.shown:
            return self.level
        return (
            self.distribution_shown.pointwise_level(self.level)
            if self.adjust == "max_t"
            else joint_level(self.level, len(self.shown))
        )

    @cached_property
    def level_of_values(self) -> float:
        """Level of each interval of a single model."""
        d = len(self.chosen)
        if self.adjust == "none" or d == 1:
            return self.level
        if self.adjust != "max_t":
            return joint_level(self.level, d)
        if self.spread.resampled is not None:
            return ResampledMaxT(self.spread.resampled[:, self.chosen]).pointwise_level(self.level)
        if not isinstance(self.scores, PairedScores):
            return float(self.level ** (1.0 / d))
        return MaxT(value_vectors(self.variances[self.chosen], self.difference_variances)).pointwise_level(
            self.level
        )

    # --- one model, one difference ----------------------------------------------------------------------

    def interval(self, i: int, level: float) -> Cautioned:
        """Interval of one model."""
        known: dict[str, Any] = {}
        if self.spread.estimates:
            known["areas"] = (self.spread.estimates[i],)
        if self.spread.resampled is not None:
            known["replicates"] = self.spread.resampled[:, i]
        table = self.models[i]
        return _found(Contrast(table, (table,), (self.statistic,), known=known), self.of_one, level)

    def _difference(self, i: int, j: int, level: float) -> Contrast:
        known: dict[str, Any] = {}
        moments = self.spread.moments.get((i, j)) or self.spread.moments.get((j, i))
        if moments is not None:
            known["moments"] = moments
        if self.spread.estimates:
            known["areas"] = (self.spread.estimates[i], self.spread.estimates[j])
        if self.spread.resampled is not None:
            known["replicates"] = self.spread.resampled[:, i] - self.spread.resampled[:, j]
        hypothesis = Hypothesis("two-sided", None, level, max(1, len(self.pairs)))
        return minus(self.scores, (self.statistic, self.statistic), hypothesis, (i, j), **known)

    @cached_property
    def tested(self) -> dict[tuple[int, int], Cautioned]:
        """All requested differences, and those of all distinct models."""
        level, rows = self.level_of_differences, list(self.rows)
        for a, b in self.pairs:
            i, j = sorted((int(self.chosen[a]), int(self.chosen[b])))
            if (i, j) not in rows and (j, i) not in rows:
                rows.append((i, j))
        requested = [self._difference(*row, level) for row in rows]
        more = self.method.known_of(requested)
        whole = [replace(x, known={**x.known, **known}) for x, known in zip(requested, more, strict=True)]
        return {row: _found(x, self.method, level) for row, x in zip(rows, whole, strict=True)}

    @cached_property
    def intervals(self) -> list[Cautioned]:
        """Intervals of all models at the adjusted level."""
        return [self.interval(i, self.level_of_values) for i in range(len(self.models))]

    def test_of(self, a: int, b: int) -> Inferred:
        """Test of two distinct models, in either order."""
        i, j = int(self.chosen[a]), int(self.chosen[b])
        return (self.tested.get((i, j)) or self.tested[j, i]).inferred

    # --- notes ------------------------------------------------------------------------------------------

    @property
    def cautions_of_values(self) -> tuple[str, ...]:
        """Distinct warnings about the intervals of single models."""
        return tuple(dict.fromkeys(text for found in self.intervals for text in found.cautions))

    @property
    def _of_distinct(self) -> list[Cautioned]:
        """Requested differences of distinct models."""
        place = self.representative
        return [self.tested[i, j] for i, j in self.rows if place[i] != place[j]]

    @property
    def cautions_of_differences(self) -> tuple[str, ...]:
        """Distinct warnings about differences of distinct models."""
        return tuple(dict.fromkeys(text for found in self._of_distinct for text in found.cautions))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on the tests and intervals of differences."""
        notes = (note for found in self._of_distinct for note in found.inferred.notes)
        return tuple(dict.fromkeys((*((IDENTICAL,) if self.alike else ()), *notes)))


class Cautioned(NamedTuple):
    """An interval and its warnings."""

    inferred: Inferred
    cautions: tuple[str, ...]


def _found(x: Contrast, method: Method, level: float) -> Cautioned:
    with held() as cautions:
        found = infer(x, method, level, widens=False)
    return Cautioned(found, tuple(cautions))
