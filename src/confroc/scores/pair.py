"""Scores of two or more models on the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, Self, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    as_floats,
    check_choice,
    check_count,
    check_instance,
    check_names,
    check_omitted,
    held,
)
from confroc._keywords import checks_keywords
from confroc._types import FloatArray, IntArray
from confroc.results import Frozen, Plottable, sealed, shown
from confroc.scores.design import (
    Design,
    SampledCases,
    WeightKind,
    another_design,
    check_identified,
    gathered,
    is_simple,
    read_rows,
    sampled_cases,
)
from confroc.scores.labels import (
    NAN_POLICIES,
    NanPolicy,
    check_both_classes,
    check_case_count,
    check_not_swapped,
    complete_cases,
    same_length,
    same_rows,
)
from confroc.scores.predictions import ResponseMethod, check_cases, responses
from confroc.scores.single import Scores, counts_shown, notes_of_classes
from confroc.scores.tables import (
    JointTable,
    check_counts,
    check_finite,
    joint_cases,
    joint_counts,
    joint_table,
    rows_of,
)

# `score_max` of each model, if it differs from `score`.
Highest: TypeAlias = Sequence[FloatArray | None] | None

OF_ROWS = ("index", "pos", "neg")
"""Attributes with one value per distinct row of scores."""


class PlacementSums(NamedTuple):
    """Sums that give the covariance of paired AUCs without a table of joint counts.

    Attributes
    ----------
    second, fourth : ndarray of shape (2, k, k)
        Sums over the positives, and over the negatives, of the squares and fourth powers of the difference
        between two models' placements, centered within the class.
    """

    second: FloatArray
    fourth: FloatArray


class PairedScores(shown.Printed, Plottable, Frozen):
    """Scores of two or more models on the same cases, as counts per distinct row of scores.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    *y_scores : array-like of shape (n,), or one mapping, data frame or list of arrays
        Scores of each model for the same cases, in the same order; two models at least. A mapping or data
        frame of columns also gives the names.
    names : sequence of str, optional
        Names of the models, used in results; default "a", "b", "c", ...
    sample_weight, weight_kind, cluster, strata, pos_label, nan_policy
        As in `Scores`. "omit" drops a case when its label or one of its scores is missing.

    Attributes
    ----------
    names : tuple of str
    models : tuple of Scores
        Each model; also `pair["name"]` and `pair[0]`. Several names or positions give a `PairedScores` of
        these models.
    a, b : Scores
        The first two models.
    joint : bool
        Whether joint counts are available. Without them, as when `read_scores` reads very many cases, only
        AUCs and their covariances can be computed; all else raises an error.
    pos, neg : ndarray of int, shape (d,)
        Positives and negatives with each distinct row of scores, by decreasing score of the first model,
        then of the second, ...
    index : tuple of ndarray of int, shape (d,)
        For each model, the position of the row's score in its `score`.
    index_a, index_b, score_a, score_b : ndarray of shape (d,)
        Positions and scores of the first two models.
    n_pos, n_neg, n_dropped : int
    design : Design or None
        As in `Scores`.

    Raises
    ------
    ValueError
        Fewer than two models, names that are not distinct or not one per model, an unknown name; as in
        `Scores`.

    See Also
    --------
    UnpairedScores : Models on disjoint cases.
    read_scores : From files, SQL and data frames.
    auc_comparison : Compares all models.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [0.5, 0.1, 0.9, 0.1])
    >>> pair.a.auc, pair.b.auc
    (0.75, 1.0)
    >>> many = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [3, 4, 2, 1], [4, 1, 3, 2], names=["x", "y", "z"])
    >>> many["z"].auc, many["z", "x"].names
    (1.0, ('z', 'x'))
    >>> PairedScores([1, 0, 1, 0], {"new": [4, 3, 2, 1], "old": [3, 4, 2, 1]}).names
    ('new', 'old')
    """

    names: tuple[str, ...]
    models: tuple[Scores, ...]
    index: tuple[IntArray, ...]
    pos: IntArray
    neg: IntArray
    n_pos: int
    n_neg: int
    n_dropped: int
    sums: PlacementSums | None
    design: Design | None

    @checks_keywords
    def __init__(
        self,
        y_true: ArrayLike,
        *y_scores: ArrayLike | Mapping[str, ArrayLike],
        names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "sampling",
        cluster: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
        strata: ArrayLike | None = None,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> None:
        check_choice("nan_policy", nan_policy, NAN_POLICIES)
        rows = read_rows(sample_weight, weight_kind, cluster, strata)
        columns: Sequence[Any] = y_scores
        if len(columns) == 1 and is_columns(columns[0]):
            check_omitted("with a mapping or a data frame", "Rename the columns.", names=names)
            named = _columns_of(columns[0])
            names, columns = list(named), list(named.values())
        elif len(columns) == 1 and isinstance(columns[0], list | tuple) and any(map(np.ndim, columns[0])):
            columns = columns[0]
        called = _several(columns, names)
        same_rows(y_true=y_true, **{f"score_{name}": v for name, v in zip(called, columns, strict=True)})
        given: dict[str, Any] = {}
        with check_not_swapped(y_true, columns, pos_label):
            for name, values in zip(called, columns, strict=True):
                given[f"score_{name}"] = as_floats(f"score_{name}", values)
            if rows is None:
                positive, found, dropped = complete_cases(y_true, pos_label, nan_policy, **given)
                cases = SampledCases(positive, found, int(dropped.sum()))
            else:
                cases = sampled_cases(y_true, pos_label, nan_policy, rows, **given)
        self._fill_cases(cases, called)
        for name, model in self.items():
            model._warn_of_ranking(f"score_{name}")

    @classmethod
    def from_counts(
        cls,
        score_a: ArrayLike,
        score_b: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        score_a_max: ArrayLike | None = None,
        score_b_max: ArrayLike | None = None,
        n_dropped: int = 0,
        names: Sequence[str] | None = None,
    ) -> Self:
        """Build from a table of counts per pair of scores, in any order; counts of equal pairs are added.

        `score_a_max` and `score_b_max` are as `score_max` in `Scores.from_counts`.
        """
        columns = (score_a, score_b)
        pair = cls._counted(
            columns, pos, neg, (score_a_max, score_b_max), n_dropped, _several(columns, names)
        )
        pair._warn_below_half()
        return pair

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y_true: ArrayLike,
        *,
        pos_label: object = None,
        response_method: ResponseMethod = "auto",
        **options: Any,
    ) -> Self:
        """Score the same test cases with two or more fitted classifiers.

        Parameters
        ----------
        estimators : mapping of names to fitted classifiers
            In the order of the models.
        X, y_true, pos_label, response_method, **options
            As in `Scores.from_estimator`, whose errors are raised.

        Returns
        -------
        PairedScores
            With the mapping's names.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.linear_model import LogisticRegression
        >>> from confroc import PairedScores, auc_difference
        >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
        >>> models = {"new": LogisticRegression(C=1.0), "old": LogisticRegression(C=1e-4)}
        >>> fitted = {name: model.fit(X[:200], y[:200]) for name, model in models.items()}
        >>> print(auc_difference(PairedScores.from_estimators(fitted, X[200:], y[200:])))
        auc_new - auc_old +0.0...
        """
        given: Any = estimators
        names = list(given) if isinstance(given, Mapping) else type(given).__name__
        if not isinstance(names, list) or len(names) < 2:
            rule = "map two or more names to classifiers"
            raise ArgumentError("estimators", rule, names, "Pass {'a': model_a, 'b': model_b}.")
        check_names("estimators", names, len(names))
        check_cases(estimators.values(), X, y_true)
        columns = [responses(e, X, pos_label, response_method) for e in estimators.values()]
        return cls(y_true, *columns, names=names, pos_label=pos_label, **options)

    @classmethod
    def _counted(
        cls,
        columns: Sequence[ArrayLike],
        pos: ArrayLike,
        neg: ArrayLike,
        score_max: Sequence[ArrayLike | None],
        n_dropped: int,
        names: tuple[str, ...],
    ) -> Self:
        """Check a table of counts and build from it, without warnings."""
        scores = {f"score_{name}": column for name, column in zip(names, columns, strict=True)}
        checked = {name: check_finite(name, column) for name, column in scores.items()}
        n_pos, n_neg = check_counts("pos", pos), check_counts("neg", neg)
        same_length(**checked, pos=n_pos, neg=n_neg)
        check_both_classes(int(n_pos.sum()), int(n_neg.sum()))
        dropped = check_count("n_dropped", n_dropped, minimum=0)
        highest = [
            None if top is None else Scores._counted(low, n_pos, n_neg, top, 0).score_max
            for low, top in zip(checked.values(), score_max, strict=True)
        ]
        return cls._of(list(checked.values()), n_pos, n_neg, dropped, highest, names)

    @classmethod
    def _of(
        cls,
        columns: Sequence[FloatArray],
        pos: NDArray[Any],
        neg: NDArray[Any],
        dropped: int = 0,
        highest: Highest = None,
        names: tuple[str, ...] | None = None,
        design: Design | None = None,
        lone: bool = False,
    ) -> Self:
        """Build from a valid table, without checks or warnings.

        The design refers to the given rows, which must all have cases.
        """
        kept = (pos > 0) | (neg > 0)
        if not kept.all():
            columns, pos, neg = [column[kept] for column in columns], pos[kept], neg[kept]
        pair = cls.__new__(cls)
        table = joint_counts(columns, pos, neg)
        design = None if design is None else design.moved(rows_of(table, columns))
        pair._fill(table, highest, dropped, names or usual_names(len(columns)), design, lone)
        return pair

    @classmethod
    def _without_joint(
        cls, models: Sequence[Scores], sums: PlacementSums, names: tuple[str, ...], dropped: int = 0
    ) -> Self:
        """Build from models on the same cases without joint counts, only with `sums`."""
        return cls._remade({"models": tuple(models), "sums": sums, "names": names, "dropped": dropped})

    def _fill(
        self,
        table: JointTable,
        highest: Highest,
        dropped: int,
        names: tuple[str, ...],
        design: Design | None = None,
        lone: bool = False,
    ) -> None:
        """Set the attributes; `highest` is the `score_max` of each model, for rounded scores."""
        design = None if design is None or is_simple(design) else design
        first = table.models[0]
        # If the first model's scores are distinct across rows, its counts are those of the rows; share them.
        counts = first if len(first.score) == len(table.pos) else table
        self.__dict__["index"] = tuple(map(sealed, table.places))
        self.__dict__.update(pos=sealed(counts.pos), neg=sealed(counts.neg))
        models = []
        for model, place, top in zip(table.models, table.places, highest or [None] * len(names), strict=True):
            own = None if top is None or np.array_equal(top, model.score) else top
            of_model = None if design is None else design.moved(place)
            models.append(Scores._of(model, own, dropped=dropped, design=of_model, lone=lone))
        self._set(tuple(models), None, dropped, names, design)

    def _fill_cases(self, cases: SampledCases, names: tuple[str, ...]) -> None:
        positive, columns, dropped, rows = cases
        n_pos = int(np.count_nonzero(positive))
        check_both_classes(n_pos, len(positive) - n_pos)
        table, design, lone = joint_cases(columns, positive), None, False
        if rows is not None:
            row = rows_of(table, columns)
            order = np.argsort(row)
            design = gathered(rows, order, row[order], positive)
            scores = [model.score for model in table.models]
            table = joint_table(scores, table.places, *design.counts(len(table.pos)))
            lone = len(design.clusters) < len(rows.clusters)
        self._fill(table, None, dropped, names, design, lone)

    @classmethod
    def _sampled(cls, cases: SampledCases, names: tuple[str, ...]) -> Self:
        """Build from complete cases, without warnings."""
        pair = cls.__new__(cls)
        pair._fill_cases(cases, names)
        return pair

    def _resized(self, n_pos: float, n_neg: float) -> Self:
        """Return independent cases with the same curves and other class sizes."""
        models = tuple(model._resized(n_pos, n_neg) for model in self.models)
        pair = self.__new__(type(self))
        pos = sealed(self.pos * (models[0].n_pos / self.n_pos))
        neg = sealed(self.neg * (models[0].n_neg / self.n_neg))
        pair.__dict__.update(index=self.index, pos=pos, neg=neg)
        pair._set(models, None, self.n_dropped, self.names)
        return pair

    def _set(
        self,
        models: tuple[Scores, ...],
        sums: PlacementSums | None,
        dropped: int,
        names: tuple[str, ...],
        design: Design | None = None,
    ) -> None:
        sizes = {"n_pos": models[0].n_pos, "n_neg": models[0].n_neg, "n_dropped": dropped}
        self.__dict__.update(sizes, names=names, models=models, sums=sums, design=design)

    def __getattr__(self, name: str) -> NoReturn:
        # Called only for attributes not set.
        if name not in OF_ROWS or "names" not in self.__dict__:
            error = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(error, name=name, obj=self)
        raise ArgumentError(
            "scores",
            "have joint counts for this method or option",
            f"AUCs and covariances of {self.n_pos + self.n_neg:,} cases",
            "Read with e.g. resolution=4096, which rounds scores and counts them jointly.",
        )

    @property
    def joint(self) -> bool:
        """Whether joint counts are available."""
        return self.sums is None

    @property
    def a(self) -> Scores:
        """The first model."""
        return self.models[0]

    @property
    def b(self) -> Scores:
        """The second model."""
        return self.models[1]

    @property
    def index_a(self) -> IntArray:
        """Position of each row's score in `a.score`."""
        return self.index[0]

    @property
    def index_b(self) -> IntArray:
        """Position of each row's score in `b.score`."""
        return self.index[1]

    @cached_property
    def score_a(self) -> FloatArray:
        """The first model's score of each distinct row."""
        return self._column(0)

    @cached_property
    def score_b(self) -> FloatArray:
        """The second model's score of each distinct row."""
        return self._column(1)

    def _column(self, place: int) -> FloatArray:
        """A model's score of each distinct row."""
        return sealed(self.models[place].score[self.index[place]])

    def items(self) -> Iterator[tuple[str, Scores]]:
        """Each name with its model."""
        return zip(self.names, self.models, strict=True)

    @overload
    def __getitem__(self, name: str | int) -> Scores: ...
    @overload
    def __getitem__(self, name: list[Any] | tuple[Any, ...]) -> PairedScores: ...
    def __getitem__(self, name: str | int | list[Any] | tuple[Any, ...]) -> Scores | PairedScores:
        """One model by name or position, or several models in the given order."""
        if isinstance(name, str | int | np.integer):
            return self.models[place_of(name, self.names)]
        at = places_of(name, self.names)
        if at == list(range(len(self.names))):
            return self
        names = tuple(self.names[i] for i in at)
        if self.sums is not None:
            sums = PlacementSums(*(sealed(part[:, at][:, :, at]) for part in self.sums))
            return PairedScores._without_joint([self.models[i] for i in at], sums, names, self.n_dropped)
        highest = [None if self.models[i].exact else self.models[i].score_max for i in at]
        columns = [self._column(i) for i in at]
        known = self.n_dropped, highest, names, self.design, self.a._lone
        return PairedScores._of(columns, self.pos, self.neg, *known)

    def __neg__(self) -> Self:
        """Return the same cases with all scores negated."""
        return self._turned(range(len(self.names)), self.names)

    def _turned(self, places: Iterable[int], names: tuple[str, ...]) -> Self:
        """Negate the scores of these models, without warnings, and rename all models."""
        turned = set(places)
        with held():
            models = [-m if i in turned else m for i, m in enumerate(self.models)]
        if self.sums is not None:
            if 0 < len(turned) < len(models):
                raise ArgumentError(
                    "scores",
                    "have joint counts to negate some of the models",
                    f"AUCs and covariances of {self.n_pos + self.n_neg:,} cases",
                    "Negate all models, or read with e.g. resolution=4096.",
                )
            return self._without_joint(models, self.sums, names, self.n_dropped)
        columns = [
            sealed(-m.score_max[self.index[i]]) if i in turned else self._column(i)
            for i, m in enumerate(self.models)
        ]
        highest = [None if m.exact else m.score_max for m in models]
        known = self.n_dropped, highest, names, self.design, self.a._lone
        return self._of(columns, self.pos, self.neg, *known)

    def _warn_below_half(self) -> None:
        for name, model in self.items():
            model._warn_below_half(f"score_{name}")

    def _made_of(self) -> dict[str, Any]:
        shared = {"names": self.names, "dropped": self.n_dropped}
        if self.sums is not None:
            return {"models": self.models, "sums": self.sums} | shared
        table = JointTable(tuple(model._table for model in self.models), self.index, self.pos, self.neg)
        highest = tuple(None if model.exact else model.score_max for model in self.models)
        return {"table": table, "highest": highest, "design": self.design, "lone": self.a._lone} | shared

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Self:
        pair = cls.__new__(cls)
        if "table" in made_of:
            pair._fill(**made_of)
        else:
            pair._set(**made_of)
        return pair

    def merge(self, other: PairedScores) -> PairedScores:
        """Add up two disjoint test sets scored by the same models; clusters as in `Scores.merge`."""
        check_instance("other", other, PairedScores, "Pass PairedScores(y_true, ...).")
        if other.names != self.names:
            remedy = "Put its models into this order: other[names]."
            raise ArgumentError("other", f"have the models {list(self.names)}", list(other.names), remedy)
        check_case_count("other", sum(s.n_pos + s.n_neg for s in (self, other)))
        check_identified(self.a._lone or other.a._lone)
        places = range(len(self.names))
        columns = [np.concatenate([self._column(i), other._column(i)]) for i in places]
        pos, neg = (np.concatenate([getattr(s, c) for s in (self, other)]) for c in ("pos", "neg"))
        if (self.design is None) != (other.design is None):
            raise another_design()
        if self.design is not None and other.design is not None:
            design = self.design.joined(other.design.moved(np.arange(len(other.pos)) + len(self.pos)))
            counts = design.counts(len(columns[0]))
            dropped = self.n_dropped + other.n_dropped
            return PairedScores._of(columns, *counts, dropped, None, self.names, design)
        highest = [_merged_ends(*models) for models in zip(self.models, other.models, strict=True)]
        return PairedScores._of(columns, pos, neg, self.n_dropped + other.n_dropped, highest, self.names)

    def __eq__(self, other: object) -> bool:
        """Whether the cases are equal; names are ignored."""
        if not isinstance(other, PairedScores):
            return NotImplemented
        if self.models != other.models or self.joint != other.joint or self.design != other.design:
            return False
        if self.sums is not None and other.sums is not None:
            return all(map(np.array_equal, self.sums, other.sums))
        rows = zip((*self.index, self.pos, self.neg), (*other.index, other.pos, other.neg), strict=True)
        return all(np.array_equal(mine, theirs) for mine, theirs in rows)

    def __hash__(self) -> int:
        return hash(self.models)

    def _table(self) -> shown.Table:
        of = "pairs" if len(self.models) == 2 else "rows"
        claims = f"{len(self.pos):,} distinct {of} of scores" if self.joint else "without joint counts"
        models = dict(self.items())
        notes = notes_of_classes(*self.models)
        return shown.samples("PairedScores", models, claims=claims, notes=notes)

    def __str__(self) -> str:
        line = repr(self)
        return line if len(line) <= shown.PAGE else super().__str__()

    def __repr__(self) -> str:
        distinct = f"distinct={len(self.pos)}" if self.joint else "joint=False"
        areas = ", ".join(f"auc_{name}={model.auc:.4f}" for name, model in self.items())
        dropped = f", n_dropped={self.n_dropped}" if self.n_dropped else ""
        return shown.visible(f"PairedScores({counts_shown(self)}, {distinct}, {areas}{dropped})")


def usual_names(n: int) -> tuple[str, ...]:
    """Default names of models or groups."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return tuple(letters[:n]) if n <= len(letters) else tuple(f"m{i}" for i in range(1, n + 1))


def is_columns(value: object) -> bool:
    """Whether a value is a mapping or a data frame."""
    return isinstance(value, Mapping) or hasattr(type(value), "columns")


def _columns_of(value: Any) -> dict[str, ArrayLike]:
    """Return the columns of a mapping or a data frame by name."""
    if isinstance(value, Mapping):
        return dict(value)
    import narwhals

    try:
        frame = narwhals.from_native(value, eager_only=True)
    except (TypeError, narwhals.exceptions.NarwhalsError):
        rule = "be a mapping or an in-memory data frame with distinct column names"
        remedy = "Collect the frame and rename repeated columns."
        raise ArgumentError("y_scores", rule, type(value).__name__, remedy) from None
    return {str(name): frame.get_column(name).to_native() for name in frame.columns}


def _several(columns: Sequence[Any], names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of two or more models."""
    if len(columns) < 2:
        remedy = "Pass one score column per model. For one model use `auc_interval`."
        raise ArgumentError("y_scores", "contain scores of two or more models", len(columns), remedy)
    return usual_names(len(columns)) if names is None else check_names("names", names, len(columns))


def place_of(name: str | int | np.integer[Any], names: Sequence[str]) -> int:
    """Return the position of a model or group, given by name or position."""
    if isinstance(name, str):
        if name not in names:
            check_choice("name", name, names)
        return names.index(name)
    if isinstance(name, bool) or not -len(names) <= name < len(names):
        # IndexError ends a loop over the models.
        raise IndexError(f"there are {len(names)} models: {', '.join(map(repr, names))}")
    return int(name) % len(names)


def places_of(requested: Any, names: Sequence[str]) -> list[int]:
    """Return the positions of two or more distinct models or groups."""
    found = list(requested) if isinstance(requested, list | tuple) else None
    if found is None or not all(isinstance(name, str | int | np.integer) for name in found):
        remedy = f"Use e.g. [{names[0]!r}], or [{names[0]!r}, {names[1]!r}]."
        raise ArgumentTypeError("name", "be a name or a list of names", requested, remedy)
    places = [place_of(name, names) for name in found]
    if len(places) < 2 or len(set(places)) < len(places):
        remedy = f"For one of them use [{names[0]!r}]."
        raise ArgumentError("name", "contain two or more distinct names", found, remedy)
    return places


def _merged_ends(mine: Scores, theirs: Scores) -> FloatArray | None:
    return None if mine.exact and theirs.exact else mine.merge(theirs).score_max
