"""What the parts of a comparison of many models share: who counts, how all move together, at which level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np

from confroc._types import RNG, Ends, FloatArray, IntArray
from confroc.auc.asymptotic import score_delong_variance
from confroc.auc.bootstrap import joint_replicates, replicates
from confroc.auc.contrasts import (
    area_vectors,
    difference_vectors,
    distinct_models,
)
from confroc.auc.difference import PERMUTED, Decided, DifferenceQuestion, decided
from confroc.auc.interval import (
    NOISE,
    AreaQuestion,
    Noise,
    area_errors,
    area_interval,
    by_replicates,
    interval_of,
    slope_of,
)
from confroc.auc.testing import Hypothesis, TestedDifference
from confroc.curve import CurvePart
from confroc.distributions import (
    MaxT,
    ResampledMaxT,
    joint_level,
)
from confroc.influence import AreaEstimate, Moments, difference_of_placements, estimate_area
from confroc.methods import Method
from confroc.methods.auc import AUC_COMPARISON
from confroc.resample import N_RESAMPLES, check_kept, check_resamples, least_resamples, percentile_ends, spawn
from confroc.results import (
    Adjustment,
    Interval,
    Kind,
)
from confroc.scores import Pair, PairedScores, Scores

FEW_MISRANKED = 10.0
"""Cases of a class, times one less the area, below which score intervals are conservative."""
IDENTICAL = "Models that rank every case identically count once; `alike` lists them."
CONSERVATIVE = (
    "Tests of 'score_delong' are conservative with few cases and areas near 1. Use method='permutation'."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparisonQuestion:
    """The arguments of `auc_comparison`, checked, and what its parts share.

    Areas and variances are raw, not standardized. Models that agree count once: `chosen` are those that
    count, in an order of their own, and `pairs` all pairs of places among them.
    """

    scores: Pair
    method: str
    adjust: Adjustment
    reference: int | None
    part: CurvePart | None
    standardize: bool
    level: float
    n_resamples: int | None
    rng: RNG
    n_jobs: int

    @property
    def row(self) -> Method:
        """The method's entry in the register."""
        return AUC_COMPARISON.methods[self.method]

    @property
    def kind(self) -> Kind:
        """What the confidence level is of."""
        return "pointwise" if self.adjust == "none" else "simultaneous"

    @property
    def design(self) -> Literal["paired", "unpaired"]:
        """What the results call the samples."""
        return "paired" if isinstance(self.scores, PairedScores) else "unpaired"

    @property
    def models(self) -> tuple[Scores, ...]:
        """Each model or group by itself."""
        return self.scores.models if isinstance(self.scores, PairedScores) else self.scores.samples

    @property
    def width(self) -> float:
        """The greatest that a raw area can be."""
        return 1.0 if self.part is None else self.part.width

    @property
    def slope(self) -> float:
        """What turns raw areas into the result's units."""
        return slope_of(self.part, standardize=self.standardize)

    @cached_property
    def estimates(self) -> list[AreaEstimate]:
        """Areas as shares of the part's width, and their sampling distribution."""
        return [estimate_area(model, self.part) for model in self.models]

    @cached_property
    def areas(self) -> FloatArray:
        """The areas."""
        return self.width * np.array([e.auc for e in self.estimates])

    @cached_property
    def moments(self) -> dict[tuple[int, int], tuple[Moments, Moments]]:
        """Of models on the same cases, the spread of the differences of their placements."""
        if not isinstance(self.scores, PairedScores):
            return {}
        pairs = combinations(range(len(self.models)), 2)
        return {pair: difference_of_placements(self.scores, self.part, pair) for pair in pairs}

    @cached_property
    def replicates(self) -> FloatArray:
        """Resampled areas of all models, shape (n, k)."""
        least = self.level if self.adjust == "none" else joint_level(self.level, max(1, len(self.shown)))
        default = max(N_RESAMPLES, least_resamples(least))
        n = check_resamples(self.n_resamples, least, default)
        check_kept(n, len(self.models) ** 2)
        if isinstance(self.scores, PairedScores):
            return joint_replicates(self.scores, self.part, n, self.rng, None, self.n_jobs)
        streams = spawn(self.rng, len(self.models))
        columns = (
            replicates(model, self.part, n, stream, (model.n_pos, model.n_neg), self.n_jobs)
            for model, stream in zip(self.models, streams, strict=True)
        )
        return np.stack(list(columns), axis=1)

    # --- what counts, and how it moves together --------------------------------------------------------

    @cached_property
    def _counted(self) -> tuple[IntArray, IntArray]:
        k = len(self.models)
        agree = np.eye(k, dtype=bool)
        for (i, j), moments in self.moments.items():
            # A single case differs from nothing.
            same = not any(m.variance > 0.0 for m in moments) and self.areas[i] == self.areas[j]
            agree[i, j] = agree[j, i] = same and self._exchangeable(i, j)
        return distinct_models(agree, self.areas, np.nan_to_num([e.variance for e in self.estimates]))

    def _exchangeable(self, i: int, j: int) -> bool:
        """Whether two models with identical rankings stay identical in what the method makes of the cases."""
        if self.method not in ("bootstrap", "permutation") or not isinstance(self.scores, PairedScores):
            return True
        # Perfect ones stay so in resamples, but ranks within a class count where models exchange them.
        perfect = self.models[i].auc == self.models[j].auc and self.models[i].auc in (0.0, 1.0)
        ranks = bool(np.array_equal(self.scores.index[i], self.scores.index[j]))
        return ranks or (perfect and self.method == "bootstrap")

    @property
    def chosen(self) -> IntArray:
        """The models that count."""
        return self._counted[0]

    @property
    def standing_for(self) -> IntArray:
        """For each model, the place among those that count."""
        return self._counted[1]

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The names of models that agree, those together that count once, each in the order given."""
        sets: dict[int, list[str]] = {}
        for name, place in zip(self.scores.names, self.standing_for.tolist(), strict=True):
            sets.setdefault(place, []).append(name)
        return tuple(tuple(names) for names in sets.values() if len(names) > 1)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of places among the models that count."""
        return list(combinations(range(len(self.chosen)), 2))

    @cached_property
    def rounding(self) -> list[Ends]:
        """How far below and above each raw area the exact one may lie."""
        return [area_errors(model, self.part) for model in self.models]

    @cached_property
    def variances(self) -> FloatArray:
        """Variances of the areas; those of the method's intervals where DeLong's are zero or undefined."""
        own = np.array([self.width**2 * e.variance for e in self.estimates])
        for i in np.flatnonzero(~(own > 0.0)):
            own[i] = (self.interval(int(i), self.level).standard_error / self.slope) ** 2
        return own

    @cached_property
    def apart(self) -> FloatArray:
        """Variances of the differences of the areas that count."""
        found = np.add.outer(self.variances, self.variances)
        if self.method == "bootstrap":
            found = np.var(self.replicates[:, :, None] - self.replicates[:, None, :], axis=0, ddof=1)
        else:
            for (i, j), (of_pos, of_neg) in self.moments.items():
                known = of_pos.variance + of_neg.variance
                if not math.isnan(known):
                    found[i, j] = found[j, i] = known
        np.fill_diagonal(found, 0.0)
        return np.asarray(found[np.ix_(self.chosen, self.chosen)])

    @cached_property
    def apart_if_equal(self) -> FloatArray:
        """Of groups by "score_delong", the variances of the differences where all areas are equal.

        Estimated variances would give all weight to a group whose area happens to be near 1.
        """
        each = [self.estimates[i] for i in self.chosen]
        auc, df, n_pos, n_neg = np.array([(e.auc, e.df, e.n_pos, e.n_neg) for e in each]).T
        known = np.array([e.variance if e.df > 0.0 else 0.0 for e in each])
        common = np.average(auc, weights=n_pos * n_neg / (n_pos + n_neg))
        own = self.width**2 * score_delong_variance(common, auc, known, df, n_pos, n_neg)
        found = np.add.outer(own, own)
        np.fill_diagonal(found, 0.0)
        return np.asarray(found)

    @cached_property
    def rows(self) -> list[tuple[int, int]]:
        """The places of both models of each difference."""
        if self.reference is None:
            return list(combinations(range(len(self.models)), 2))
        return [(i, self.reference) for i in range(len(self.models)) if i != self.reference]

    @cached_property
    def shown(self) -> list[tuple[int, int]]:
        """The pairs of models that count whose differences are requested."""
        if self.reference is None:
            return self.pairs
        return [pair for pair in self.pairs if self.standing_for[self.reference] in pair]

    @cached_property
    def shares(self) -> list[tuple[FloatArray, float]]:
        """What adds up to `apart`: each class's share, of each group, and with how many cases it is known."""
        k, found = len(self.models), []
        for place, model in enumerate(self.models if self.design == "unpaired" else self.models[:1]):
            sizes = model.n_pos, model.n_neg
            for side, n in enumerate(sizes):
                share = np.zeros((k, k))
                if self.design == "unpaired":
                    share[place] = share[:, place] = (
                        self.width**2 * self.estimates[place].moments[side].variance
                    )
                for pair, moments in self.moments.items():
                    share[pair] = share[pair[::-1]] = moments[side].variance
                np.fill_diagonal(share, 0.0)
                if n > 1:
                    found.append((share[np.ix_(self.chosen, self.chosen)], n - 1.0))
        return found

    @cached_property
    def law(self) -> MaxT:
        """Of the largest of all differences, each over its standard error."""
        return self._law(self.pairs)

    @cached_property
    def law_shown(self) -> MaxT:
        """The same of those requested."""
        return self.law if self.reference is None else self._law(self.shown)

    def _law(self, pairs: Sequence[tuple[int, int]]) -> MaxT:
        if self.method != "bootstrap":
            return MaxT(difference_vectors(self.apart, pairs))
        values = self.replicates[:, self.chosen]
        return ResampledMaxT(np.stack([values[:, j] - values[:, i] for i, j in pairs], axis=1))

    @cached_property
    def level_of_differences(self) -> float:
        """The level at which each interval of a difference is made."""
        if self.adjust == "none" or not self.shown:
            return self.level
        return (
            self.law_shown.pointwise_level(self.level)
            if self.adjust == "max_t"
            else joint_level(self.level, len(self.shown))
        )

    @cached_property
    def level_of_areas(self) -> float:
        """The level at which each interval of an area is made."""
        d = len(self.chosen)
        if self.adjust == "none" or d == 1:
            return self.level
        if self.adjust != "max_t":
            return joint_level(self.level, d)
        if self.method == "bootstrap":
            return ResampledMaxT(self.replicates[:, self.chosen]).pointwise_level(self.level)
        if self.design == "unpaired":
            return float(self.level ** (1.0 / d))
        return MaxT(area_vectors(self.variances[self.chosen], self.apart)).pointwise_level(self.level)

    # --- one area, one difference ----------------------------------------------------------------------

    @property
    def area_method(self) -> str:
        """The method of the areas' intervals: exchanging models does not test a single area."""
        return "score_delong" if self.method == "permutation" else self.method

    def interval(self, i: int, level: float) -> Interval:
        """One area's interval, not widened for rounded scores."""
        model = self.models[i]
        size = model.n_pos, model.n_neg
        asked = AreaQuestion(
            model, self.part, self.estimates[i], level, None, None, size, None, 1, Noise(**NOISE)
        )
        if self.method != "bootstrap":
            return interval_of(asked, self.area_method, standardize=self.standardize)
        answer = by_replicates(asked, self.replicates[:, i], lambda values: percentile_ends(values, level))
        return area_interval(asked, "bootstrap", answer, standardize=self.standardize)

    def difference(self, i: int, j: int, level: float) -> Decided:
        """One difference's interval and test as in `auc_difference`, and their notes."""
        asked = DifferenceQuestion(
            pair=self.scores,
            models=(i, j),
            a=self.models[i],
            b=self.models[j],
            part=self.part,
            areas=(self.estimates[i], self.estimates[j]),
            slope=self.slope,
            hypothesis=Hypothesis("two-sided", None, level),
            moments=self.moments.get((i, j)) or self.moments.get((j, i)),
            tests=max(1, len(self.pairs)),
            n_resamples=self.n_resamples,
            rng=self.rng,
        )
        if self.method != "bootstrap":
            return decided(asked, self.method)
        return decided(asked, "bootstrap", self.replicates[:, i] - self.replicates[:, j])

    @cached_property
    def tested(self) -> dict[tuple[int, int], Decided]:
        """All requested differences, and those of all models that count."""
        level = self.level_of_differences
        found = {row: self.difference(*row, level) for row in self.rows}
        for a, b in self.pairs:
            i, j = sorted((int(self.chosen[a]), int(self.chosen[b])))
            if (i, j) not in found and (j, i) not in found:
                found[i, j] = self.difference(i, j, level)
        return found

    @cached_property
    def intervals(self) -> list[Interval]:
        """All areas' intervals at the level that they need together."""
        return [self.interval(i, self.level_of_areas) for i in range(len(self.models))]

    def test_of(self, a: int, b: int) -> TestedDifference:
        """The test of two of the models that count, whichever is subtracted."""
        i, j = int(self.chosen[a]), int(self.chosen[b])
        return (self.tested.get((i, j)) or self.tested[j, i]).test

    # --- notes ------------------------------------------------------------------------------------------

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings about the intervals and tests, each once."""
        return tuple(dict.fromkeys(self.cautions_of_areas + self.cautions_of_differences))

    @property
    def cautions_of_areas(self) -> tuple[str, ...]:
        """Warnings about the intervals of areas, each once."""
        return tuple(dict.fromkeys(text for interval in self.intervals for text in interval.notes))

    @property
    def cautions_of_differences(self) -> tuple[str, ...]:
        """Warnings about differences of models that rank cases differently, each once."""
        place = self.standing_for
        apart = [self.tested[i, j].caution for i, j in self.rows if place[i] != place[j]]
        return tuple(dict.fromkeys(filter(None, apart)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on how tests and intervals of differences were made."""
        found: tuple[str, ...] = (PERMUTED,) if self.method == "permutation" else ()
        if self.alike:
            found += (IDENTICAL,)
        misranked = min(min(e.n_pos, e.n_neg) * (1.0 - e.auc) for e in self.estimates)
        several = len(self.chosen) > 2 and self.part is None
        if self.method == "score_delong" and several and misranked < FEW_MISRANKED:
            found += (CONSERVATIVE,)
        return found
