"""Reading the data of a command from files, SQL or standard input, and completion of column names."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc._check import ArgumentError
from confroc._files import temporary_folder
from confroc.cli.output import Output, Unusable, about, failure
from confroc.scores import class_sizes

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from confroc.ingest import Cases
    from confroc.ingest.cases import DesignColumns
    from confroc.ingest.segments import Segments
    from confroc.scores import Pair, Scores, UnpairedScores
    from confroc.sklearn import CrossValidatedScores

DESIGN = ("sample_weight", "weight_kind", "cluster", "strata")
COLUMNS = ("label", "score", "pos_label", "nan_policy", "resolution", "decimal", *DESIGN)
"""Arguments of readers."""
STANDARD_INPUT = "-"
SHOWN = "standard input"
ENDINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x1f\x8b": ".csv.gz"}
"""File endings by the first bytes of standard input; the default is CSV."""
CHUNK = 2**20


@dataclass(frozen=True)
class Data:
    """A source, and the values of `COLUMNS` with which to read it."""

    source: str
    columns: Mapping[str, Any]

    @property
    def score(self) -> tuple[str, ...]:
        """The score columns."""
        found: tuple[str, ...] = self.columns["score"]
        return found

    @property
    def _options(self) -> dict[str, Any]:
        found = {name: value for name, value in self.columns.items() if name not in DESIGN}
        return {"scores" if name == "score" else name: value for name, value in found.items()}

    @property
    def _design(self) -> DesignColumns:
        """The columns of weights, clusters and strata."""
        from confroc.ingest.cases import DesignColumns

        weight, kind, cluster, strata = (self.columns.get(name) for name in DESIGN)
        if cluster and len(cluster) > 2:
            raise click.UsageError(f"Give --cluster at most twice; got {len(cluster)} values.")
        one = cluster[0] if cluster and len(cluster) == 1 else cluster or None
        return DesignColumns(weight, kind or "sampling", one, strata)

    def read(
        self, out: Output, *, pairs: bool = False, source: str | None = None, called: str = "data"
    ) -> Cases:
        """Read the cases; see `confroc.ingest.read_cases`.

        Parameters
        ----------
        out : Output
        pairs : bool
            Read all models jointly, for comparisons.
        source : str, optional
            Default: FILE.
        called : str
            Key of the data in the output, if any.
        """
        from confroc.ingest import read_cases

        source = self.source if source is None else source
        out.doing(f"reading {source}")
        with opened(source) as path:
            both = pairs and len(self.score) > 1
            cases = read_cases(path, paired=both, design=self._design, **self._options)
        return _reported(cases, source, out, called)

    def read_other(
        self, out: Output, option: str, source: str, *, pairs: bool = False, called: str = ""
    ) -> Cases:
        """Read the same columns of another source, the value of an option."""
        if source == self.source == STANDARD_INPUT:
            raise click.UsageError(f"--{option} and FILE cannot both be standard input.")
        try:
            return self.read(out, pairs=pairs, source=source, called=called)
        except ArgumentError as error:
            raise Unusable(f"--{option}: {failure(error).message}") from None

    def read_only(self, out: Output, option: str, source: str, score: str) -> Scores:
        """Read one score column of another source, the value of an option."""
        one = replace(self, columns={**self.columns, "score": (score,)})
        return next(iter(one.read_other(out, option.replace("_", "-"), source).models.values()))

    def read_segments(self, out: Output, column: str | None, files: bool) -> tuple[Cases, Segments]:
        """Read all cases, and their segments by column or file; see `confroc.ingest.read_segments`."""
        from confroc.ingest import read_segments

        if column is not None and files:
            raise click.UsageError("Give either --segment-column or --segment-files.")
        if files and self.source == STANDARD_INPUT:
            raise click.UsageError("--segment-files requires several files, e.g. months/*.csv.")
        out.doing(f"counting the segments of {self.source}")
        with opened(self.source) as path:
            own: Any = {**self._options, **self._design._asdict()}
            cases, parts = read_segments(path, segment_column=column, segment_files=files, **own)
        shown = _reported(cases, self.source, out)
        return shown, {new: parts[old] for old, new in zip(cases.models, shown.models, strict=True)}

    def read_folds(
        self, out: Output, column: str | None, case: str | None
    ) -> dict[str, CrossValidatedScores]:
        """Read each model's scores by fold and case; without a column return an empty mapping."""
        from confroc.ingest.reading import read_cases, read_folds
        from confroc.sklearn import CrossValidatedScores

        if column is None and case is not None:
            raise click.UsageError("--case requires --fold.")
        if column is None:
            return {}
        if self.columns["resolution"] is not None:
            raise click.UsageError("--fold cannot be combined with --resolution.")
        if case is not None and self._design.weight_kind == "frequency":
            raise click.UsageError("--case cannot be combined with --weight-kind frequency.")
        out.doing(f"reading the folds of {self.source}")
        with opened(self.source) as path:
            cases = read_cases(path, **self._options)
            own = self.columns["label"], self.score, cases.positive, self.columns["nan_policy"]
            y_true, folds, rows = read_folds(path, column, case, *own, self._design, self.columns["decimal"])
        found = {name: CrossValidatedScores(y_true, parts, **rows) for name, parts in folds.items()}
        tested = replace(cases, models={name: folds.cases for name, folds in found.items()})
        shown = _by_column(tested, self.source)
        out.note_data("data", about(shown))
        return dict(zip(shown.models, found.values(), strict=True))

    def read_groups(self, out: Output, column: str) -> UnpairedScores:
        """Read the cases of one model by the groups in a column."""
        from confroc.ingest import read_cases, read_scores

        out.doing(f"counting the groups of {self.source}")
        with opened(self.source) as path:
            cases = read_cases(path, design=self._design, **self._options)
            own = {
                **self.columns,
                **self._design._asdict(),
                "score": self.score[0],
                "pos_label": cases.positive,
            }
            groups: UnpairedScores = read_scores(path, group=column, **own)
        n_pos, n_neg = map(sum, zip(*map(class_sizes, groups.samples), strict=True))
        data = about(_by_column(cases, self.source)) | {"n_pos": n_pos, "n_neg": n_neg}
        out.all_reversed = bool(cases.turned)
        # Cases without a group are dropped.
        out.note_data("data", data | {"n_dropped": round(data["n_rows"] - n_pos - n_neg)})
        return groups

    def read_compared(
        self, out: Output, group: str | None, against: str | None
    ) -> tuple[Pair | None, dict[tuple[str, str], Pair]]:
        """Read several models, one model in several groups, or each model in two files; and all pairs."""
        if group is not None and (against is not None or len(self.score) > 1):
            raise click.UsageError("--group requires a single --score column and no --against.")
        if group is None and against is None and len(self.score) < 2:
            raise click.UsageError("Give two or more --score columns, or one with --group or --against.")
        if against is not None:
            first, second = self.read(out), self.read_other(out, "against", against, called="against")
            files = [Path(cases.source).name for cases in (first, second)]
            return None, {
                (f"{name} ({files[0]})", f"{name} ({files[1]})"): confroc.UnpairedScores(
                    model, second.models[name]
                )
                for name, model in first.models.items()
            }
        scores = self.read(out, pairs=True).scores if group is None else self.read_groups(out, group)
        return scores, pairs_of(scores)


def pairs_of(
    scores: Pair | None, names: Iterable[tuple[str, str]] | None = None
) -> dict[tuple[str, str], Any]:
    """Return pairs of models, by default all, with names a and b as in results."""
    if scores is None:
        return {}
    pairs = {two: scores[two] for two in (combinations(scores.names, 2) if names is None else names)}
    return {two: type(pair)._remade({**pair._made_of(), "names": ("a", "b")}) for two, pair in pairs.items()}


def _by_column(cases: Cases, source: str) -> Cases:
    """Name models by their columns, without the signs of reversed ones, and standard input."""
    names = {name: name.removeprefix("-") if name in cases.turned else name for name in cases.models}
    pair = cases.scores
    return replace(
        cases,
        source=SHOWN if source == STANDARD_INPUT else cases.source,
        models={names[name]: model for name, model in cases.models.items()},
        scores=pair and type(pair)._remade({**pair._made_of(), "names": tuple(names.values())}),
        turned=tuple(names[name] for name in cases.turned),
    )


def _reported(cases: Cases, source: str, out: Output, called: str = "data") -> Cases:
    cases = _by_column(cases, source)
    out.note_data(called, about(cases))
    out.all_reversed = len(cases.turned) == len(cases.models)
    return cases


@contextmanager
def opened(source: str) -> Iterator[str]:
    """Return the path or SQL for readers; standard input is first copied to a temporary file."""
    if source != STANDARD_INPUT:
        yield source
        return
    stream = sys.stdin.buffer
    with temporary_folder() as folder:
        first = stream.read(CHUNK)
        ending = next((e for magic, e in ENDINGS.items() if first.startswith(magic)), ".csv")
        path = folder / f"standard-input{ending}"
        with path.open("wb") as file:
            file.write(first)
            shutil.copyfileobj(stream, file, CHUNK)
        try:
            yield str(path)
        except ArgumentError as error:
            # The user does not know the name of the copy.
            error.value = SHOWN if error.value == str(path) else error.value
            error.remedy = error.remedy.replace(str(path), SHOWN)
            raise


def column_names(source: str) -> list[str]:
    """Return the column names of a file without reading its rows, or none if it cannot be read."""
    try:
        from confroc.ingest.counts import counts_about
        from confroc.ingest.files import CSV, csv_header, found_files, open_file

        files = found_files(source)
        name = files[0].name.lower()
        if name.endswith(CSV):
            return csv_header(files[0])[0]
        if counted := counts_about(files):
            return [counted[0]["label"], *counted[0]["scores"]]
        with open_file(source) as table:
            return list(table.columns)
    except (OSError, ValueError, ImportError):
        return []


def complete_column(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the columns of FILE as completions."""
    from click.shell_completion import CompletionItem

    # While an option lacks its value, click keeps FILE in the remaining words.
    names = column_names("\n".join(ctx.params.get("source") or ctx.args[:1]))
    taken = ctx.params.get(str(param.name)) or ()
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and name not in taken]
