"""Arrays in place of a table: `auc_interval(y_true, y_score)`, `auc_difference(y_true, score_a, score_b)`.

The first positional argument of a function is a table; functions of any statistic accept that second. These
decorators build the table from arrays and pass `pos_label`, `nan_policy` and, for several models, `names`
to it.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from numpy.typing import ArrayLike

from confroc._keywords import check_keywords
from confroc.base import Statistic, keywords_of
from confroc.scores.pair import PairedScores, is_columns
from confroc.scores.single import Scores
from confroc.scores.unpaired import UnpairedScores

P = ParamSpec("P")
Table = TypeVar("Table", contravariant=True)
Result = TypeVar("Result", covariant=True)

TABLE_OPTIONS = ("sample_weight", "weight_kind", "cluster", "strata", "pos_label", "nan_policy", "names")
"""Arguments of the table's constructor only; `names` for several models."""
ARRAYS = "Arrays also accept `pos_label`, `sample_weight`, `cluster` and the other arguments of `Scores`."
FORMS = {1: "y_true and y_score as two arrays", 2: "y_true, score_a and score_b as three arrays"}
"""Both are added to the description of a function's table; forms by the largest number of models."""


class OfOneModel(Protocol[Table, P, Result]):
    """A function of one model's table, or of labels and scores."""

    @property
    def __name__(self) -> str: ...

    @overload
    def __call__(self, table: Table, /, *args: P.args, **options: P.kwargs) -> Result: ...
    @overload
    def __call__(
        self, y_true: ArrayLike, y_score: ArrayLike, /, *statistic: Statistic, **options: Any
    ) -> Result: ...


class OfModels(Protocol[Table, P, Result]):
    """A function of several models' table, or of labels and score columns."""

    @property
    def __name__(self) -> str: ...

    @overload
    def __call__(self, table: Table, /, *args: P.args, **options: P.kwargs) -> Result: ...
    @overload
    def __call__(
        self,
        y_true: ArrayLike,
        score: ArrayLike | Mapping[str, ArrayLike],
        /,
        *scores: ArrayLike | Statistic | tuple[Statistic, Statistic],
        **options: Any,
    ) -> Result: ...


def accepts_one_model(
    function: Callable[Concatenate[Table, P], Result],
) -> OfOneModel[Table, P, Result]:
    """Make a function of one model accept (y_true, y_score) in place of its table."""
    accepting: OfOneModel[Table, P, Result] = _accepting(function, 1, 1)
    return accepting


def accepts_two_models(function: Callable[Concatenate[Table, P], Result]) -> OfModels[Table, P, Result]:
    """Make a function of two models accept (y_true, score_a, score_b) in place of its table."""
    accepting: OfModels[Table, P, Result] = _accepting(function, 2, 2)
    return accepting


def accepts_several_models(function: Callable[Concatenate[Table, P], Result]) -> OfModels[Table, P, Result]:
    """Make a function of two or more models accept labels and score columns in place of its table."""
    accepting: OfModels[Table, P, Result] = _accepting(function, 2, None)
    return accepting


def accepts_models(function: Callable[Concatenate[Table, P], Result]) -> OfModels[Table, P, Result]:
    """Make a function of one or more models accept labels and score columns in place of its table."""
    accepting: OfModels[Table, P, Result] = _accepting(function, 1, None)
    return accepting


def _accepting(function: Callable[..., Any], least: int, most: int | None) -> Any:
    """Make a function of `least` to `most` models accept arrays in place of its table."""
    named = inspect.signature(function).parameters
    required = (p for p in named.values() if p.kind is p.KEYWORD_ONLY and p.default is p.empty)
    keywords = [f"{p.name}=..." for p in required] or ["its options"]
    after = [p.name for p in [*named.values()][1:] if p.kind is p.POSITIONAL_OR_KEYWORD]
    tables = "one table" if least == 1 else "one PairedScores(y_true, a, b), UnpairedScores(a, b)"
    table = "a Scores" if most == 1 else tables
    positional = f"{function.__name__}() accepts {' and a '.join([f'{table} or arrays', *after])} by position"
    accepted = " and ".join([positional, *keywords[:1]])

    def check(given: Mapping[str, Any], *more: str) -> None:
        if not given.keys() <= named.keys() and not after:
            # Functions of any statistic check the options of their methods themselves.
            check_keywords(function, [*named, *keywords_of(function), *more], given)

    @functools.wraps(function)
    def call(*data: Any, **options: Any) -> Any:
        if len(data) > 1 and after and after[0] not in options:
            *data, options[after[0]] = data  # type: ignore[assignment]
        if len(data) < 2:
            check(options)
            return function(*data, **options)
        if isinstance(data[0], Scores | PairedScores | UnpairedScores) or (most and len(data) > most + 1):
            raise TypeError(f"{accepted} by keyword.")
        several = least > 1 or (most != 1 and (len(data) > 2 or is_columns(data[1])))
        table_options = TABLE_OPTIONS if several else TABLE_OPTIONS[:-1]
        given = {name: options.pop(name) for name in table_options if name in options}
        check(options, *table_options)
        return function(PairedScores(*data, **given) if several else Scores(*data, **given), **options)

    form = FORMS.get(most or 0, "y_true and one array for each model")
    described = re.compile(rf"\n( *){next(iter(named))} : .*")
    call.__doc__ = described.sub(rf"\g<0>, or {form}\n\1    {ARRAYS}", function.__doc__ or "", count=1)
    return call
