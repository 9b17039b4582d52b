"""Samples of disjoint cases: test sets, groups, sites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeAlias, overload

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError, check_names
from confroc.results import Frozen, Plottable, label_of_two, shown
from confroc.scores.pair import PairedScores, place_of, places_of, usual_names
from confroc.scores.single import (
    Scores,
    check_scores,
    notes_of_classes,
)


class UnpairedScores(shown.Printed, Plottable, Frozen):
    """Two or more samples of disjoint cases: models each on a test set of its own, groups, sites.

    Parameters
    ----------
    *samples : Scores, or one mapping of names to Scores
        Two or more samples.
    names : sequence of str, optional
        Names of the samples, used in results; default "a", "b", "c", ...

    Attributes
    ----------
    names : tuple of str
    samples : tuple of Scores
        Also `groups["name"]` and `groups[0]`. Several names or positions give an `UnpairedScores`.
    by : str
        Name of the grouping, for tables and figures: the `group=` column of `read_scores`, else "group".
    a, b : Scores
        The first two samples.

    Raises
    ------
    TypeError
        A sample is not a `Scores`.
    ValueError
        Fewer than two samples, or names that are not distinct or not one per sample.

    See Also
    --------
    PairedScores : Models on the same cases.
    read_scores : Reads groups with `group=`.

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores
    >>> north, south = Scores([0, 1], [1, 2]), Scores([0, 1, 1], [1, 2, 3])
    >>> UnpairedScores(north, south, names=["north", "south"])
    UnpairedScores(north=Scores(n_pos=1, n_neg=1, distinct=2, auc=1.0000),
                   south=Scores(n_pos=2, n_neg=1, distinct=3, auc=1.0000))
    """

    __slots__ = ("by", "names", "samples")
    names: tuple[str, ...]
    samples: tuple[Scores, ...]
    by: str

    def __init__(self, *samples: Scores | Mapping[str, Scores], names: Sequence[str] | None = None) -> None:
        if len(samples) == 1 and names is None and isinstance(samples[0], Mapping):
            names, samples = list(samples[0]), tuple(samples[0].values())
        if len(samples) < 2:
            remedy = "Pass one Scores per sample."
            raise ArgumentError("samples", "be two or more", len(samples), remedy)
        called = usual_names(len(samples)) if names is None else check_names("names", names, len(samples))
        # Functions of the samples check rounded scores themselves.
        checked = tuple(
            check_scores(name, s, widens=True, dependent=True)
            for name, s in zip(called, samples, strict=True)
        )
        object.__setattr__(self, "names", called)
        object.__setattr__(self, "samples", checked)
        object.__setattr__(self, "by", "group")

    @classmethod
    def _by(cls, column: str, samples: Sequence[Scores], names: Sequence[str]) -> Self:
        """Samples defined by the values of a column."""
        groups = cls(*samples, names=names)
        object.__setattr__(groups, "by", column)
        return groups

    @property
    def a(self) -> Scores:
        """The first sample."""
        return self.samples[0]

    @property
    def b(self) -> Scores:
        """The second sample."""
        return self.samples[1]

    def items(self) -> Iterator[tuple[str, Scores]]:
        """Each name with its sample."""
        return zip(self.names, self.samples, strict=True)

    @overload
    def __getitem__(self, name: str | int) -> Scores: ...
    @overload
    def __getitem__(self, name: list[Any] | tuple[Any, ...]) -> UnpairedScores: ...
    def __getitem__(self, name: str | int | list[Any] | tuple[Any, ...]) -> Scores | UnpairedScores:
        """One sample by name or position, or several samples in the given order."""
        if isinstance(name, str | int | np.integer):
            return self.samples[place_of(name, self.names)]
        at = places_of(name, self.names)
        return UnpairedScores._by(self.by, [self.samples[i] for i in at], [self.names[i] for i in at])

    def __neg__(self) -> Self:
        """Return the same samples with all scores negated."""
        return self._by(self.by, [-sample for sample in self.samples], self.names)

    def _made_of(self) -> dict[str, Any]:
        return {"samples": self.samples, "names": self.names, "by": self.by}

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Self:
        # Older pickles have no `by`.
        return cls._by(made_of.get("by", "group"), made_of["samples"], made_of["names"])

    def __eq__(self, other: object) -> bool:
        """Whether the samples are equal; names are ignored."""
        if not isinstance(other, UnpairedScores):
            return NotImplemented
        return self.samples == other.samples

    def __hash__(self) -> int:
        return hash(self.samples)

    def _table(self) -> shown.Table:
        models = dict(self.items())
        return shown.samples("UnpairedScores", models, by=self.by, notes=notes_of_classes(*self.samples))

    def __repr__(self) -> str:
        samples = ", ".join(f"{name}={sample!r}" for name, sample in self.items())
        return shown.visible(f"UnpairedScores({samples})")


Pair: TypeAlias = PairedScores | UnpairedScores


def no_pair(name: str, value: object) -> ArgumentTypeError:
    """Return the error for values that are neither PairedScores nor UnpairedScores."""
    remedy = (
        "Pass labels and score columns, PairedScores(y_true, score_a, score_b), or for disjoint cases "
        "UnpairedScores(scores_a, scores_b)."
    )
    return ArgumentTypeError(name, "be a PairedScores or an UnpairedScores", type(value).__name__, remedy)


def check_pair(name: str, value: object, *, widens: bool = False, dependent: bool = False) -> Pair:
    """Return `value` if it is a PairedScores or an UnpairedScores; options as in `check_scores`."""
    if not isinstance(value, PairedScores | UnpairedScores):
        raise no_pair(name, value)
    if len(value.names) != 2:
        remedy = "Select two, scores['a', 'b'], or compare all with `auc_comparison`."
        raise ArgumentError(name, "contain two models", list(value.names), remedy)
    for scores in (value.a, value.b):
        check_scores(name, scores, widens=widens, dependent=dependent)
    return value


def models_of(data: Scores | Pair) -> tuple[Scores, ...]:
    """Return the table of each model or sample."""
    if isinstance(data, Scores):
        return (data,)
    return data.models if isinstance(data, PairedScores) else data.samples


def difference_label(quantity: str, pair: Pair, sign: str = "-") -> str:
    """Name the quantity of a difference between two models; see `label_of_two`."""
    a, b = pair.names
    return label_of_two(quantity, a, b, sign)
