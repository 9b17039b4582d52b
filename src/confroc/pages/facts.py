"""Facts for the sentences of the report: which models differ significantly.

AUCs differ significantly where the adjusted p-value is at most one less the level, as in plots: if all models
are equal, the probability of any such sentence is at most that. Costs differ significantly where their
simultaneous interval excludes zero. The set of models that may be the best contains the best model with the
stated confidence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import TypeAlias

from confroc.results import Comparison, Difference, Interval

Names: TypeAlias = tuple[str, str]


def rivals(leader: str, names: Collection[str], found: Mapping[Names, Interval]) -> list[str]:
    """Return the models whose cost is not significantly higher than that of the leader."""
    dearer = {b for (a, b), it in found.items() if a == leader and it.upper < 0.0}
    dearer |= {a for (a, b), it in found.items() if b == leader and it.lower > 0.0}
    return [name for name in names if name != leader and name not in dearer]


def identical(found: Comparison, a: str, b: str) -> bool:
    """Whether two models rank all cases identically."""
    return any({a, b} <= set(names) for names in found.alike)


def distinct(found: Comparison) -> list[str]:
    """Return the ranking without copies: only the first of models that rank all cases identically."""
    copies = {name for names in found.alike for name in names[1:]}
    return [name for name in found.ranking if name not in copies]


def distinct_pairs(found: Comparison) -> list[Names]:
    """Return the pairs compared without copies, the better model first."""
    return list(combinations(distinct(found), 2))


def pairs_of(found: Comparison) -> list[Names]:
    """Return all pairs compared."""
    return [(str(a), str(b)) for a, b in zip(found.differences.a, found.differences.b, strict=True)]


def significant(it: Difference) -> bool:
    """Whether the adjusted p-value of a difference is at most one less the level."""
    return it.pvalue <= 1.0 - it.confidence_level
