"""What a report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from confroc._check import ArgumentError, check_level
from confroc.scores import PairedScores, Scores, check_pair, check_scores

SEED = 0
"""Seed of whatever resamples, so that the same data give the same report."""


class UnitCosts(NamedTuple):
    """What one error of each kind costs, and the share of positives expected in use (None: the sample's)."""

    miss: float
    false_alarm: float
    prior: float | None = None


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """Models on one test set, and where they come from.

    Attributes
    ----------
    source : str
        Name of the file, query or frame.
    label, positive, negative : str
        The column of true classes, and what its two classes are called.
    n_rows, n_dropped : int
        Rows read, and rows left out because a label or a score was missing.
    models : mapping of str to Scores
        At least one, in the order of the report.
    pairs : mapping of (str, str) to PairedScores
        Models to compare on the cases both have scored; the difference is first minus second.
    confidence_level : float
        In (0, 1); of every interval and band.
    unit_costs : UnitCosts, optional
        Adds a section on costs.
    psi : float, optional
        Budget for drift, as a population stability index; adds a section on what to expect next.
    title : str, optional
    command : str, optional
        What was typed to make the report.

    Raises
    ------
    ValueError
        No models, a pair of models that are not there, an impossible level.
    """

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    models: Mapping[str, Scores]
    pairs: Mapping[tuple[str, str], PairedScores] = field(default_factory=dict)
    confidence_level: float = 0.95
    unit_costs: UnitCosts | None = None
    psi: float | None = None
    title: str | None = None
    command: str | None = None

    def __post_init__(self) -> None:
        check_level(self.confidence_level)
        if not self.models:
            raise ArgumentError("models", "hold at least one model", {}, "Name a score column.")
        for name, scores in self.models.items():
            check_scores(f"models[{name!r}]", scores)
        for names, pair in self.pairs.items():
            for name in names:
                if name not in self.models:
                    rule = f"compare models that are there ({', '.join(map(repr, self.models))})"
                    raise ArgumentError("pairs", rule, names, "Add the model, or leave the pair out.")
            check_pair(f"pairs[{names!r}]", pair)

    @property
    def heading(self) -> str:
        """The title, or one made from the last part of the source."""
        return self.title or f"ROC report: {self.source.replace(chr(92), '/').rstrip('/').rpartition('/')[2]}"
