"""Scores of two models, each on cases of its own; and what is accepted where two models are compared."""

from __future__ import annotations

from typing import Any, TypeAlias

from confroc._check import ArgumentTypeError
from confroc.results import Frozen, shown
from confroc.scores.pair import PairedScores
from confroc.scores.single import Scores, check_scores, warn_of_rounding


class UnpairedScores(Frozen):
    """Two models, each on a test set of its own; no case is in both.

    Parameters
    ----------
    a, b : Scores

    Raises
    ------
    TypeError
        When `a` or `b` is not a `Scores`.

    See Also
    --------
    PairedScores : Two models on the same cases.

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores
    >>> UnpairedScores(Scores([0, 1], [1, 2]), Scores([0, 1, 1], [1, 2, 3]))
    UnpairedScores(a=Scores(n_pos=1, n_neg=1, distinct=2, auc=1.0000),
                   b=Scores(n_pos=2, n_neg=1, distinct=3, auc=1.0000))
    """

    __slots__ = ("_a", "_b")
    _a: Scores
    _b: Scores

    def __init__(self, a: Scores, b: Scores) -> None:
        # Rounded scores are the business of the inference to come.
        object.__setattr__(self, "_a", check_scores("a", a, widens=True))
        object.__setattr__(self, "_b", check_scores("b", b, widens=True))

    @property
    def a(self) -> Scores:
        """The first model's scores."""
        return self._a

    @property
    def b(self) -> Scores:
        """The second model's scores."""
        return self._b

    def _made_of(self) -> dict[str, Any]:
        return {"a": self.a, "b": self.b}

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(shown.samples("UnpairedScores", {"a": self.a, "b": self.b}))

    def __repr__(self) -> str:
        return f"UnpairedScores(a={self.a!r}, b={self.b!r})"


Pair: TypeAlias = PairedScores | UnpairedScores


def check_pair(name: str, value: object, *, widens: bool = False) -> Pair:
    """Return `value` if it is a PairedScores or an UnpairedScores; see `check_scores` for `widens`."""
    if not isinstance(value, PairedScores | UnpairedScores):
        raise ArgumentTypeError(
            name,
            "be a PairedScores or an UnpairedScores",
            type(value).__name__,
            "Build one with PairedScores(y_true, score_a, score_b).",
        )
    if not widens:
        for model, scores in (("a", value.a), ("b", value.b)):
            warn_of_rounding(f"{name}.{model}", scores)
    return value
