"""What commands share: how one is made, which data it reads, and the options of methods and resampling."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from confroc._check import ArgumentError, sentence
from confroc._files import WrongEndingError, temporary_folder
from confroc.cli.group import Command
from confroc.cli.output import FIGURES, About, Output, about
from confroc.methods import FUNCTIONS
from confroc.models.bandwidths import RULES
from confroc.models.kernel_grid import KERNELS
from confroc.models.resampler import CENTERS
from confroc.resample import TAILS
from confroc.results.shown import visible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from confroc.ingest import Cases
    from confroc.ingest.segments import Segments
    from confroc.scores import NanPolicy, Pair, UnpairedScores

Function = Callable[..., None]
Decorator = Callable[[Function], Function]

ONE = "asah.csv --label outcome --pos-label Poor --score s100b"
BOTH = f"{ONE} --score ndka"
STANDARD_INPUT = "-"
SHOWN = "standard input"
READ = ("source", "against", "validation")
"""Arguments that name what is read."""
ENDINGS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x1f\x8b": ".csv.gz"}
"""Endings by the first bytes of what is piped; anything else is CSV."""
CHUNK = 2**20


def _picture(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    """Check the place of a picture before hours of work rather than after."""
    if value is None or (value.lower().endswith(FIGURES) and Path(value).resolve().parent.is_dir()):
        return value
    raise click.BadParameter(f"{value!r} must end in {', '.join(FIGURES)} and lie in a folder that exists.")


def command(
    name: str,
    example: str,
    *,
    gives: Mapping[str, Any] | None = None,
    may_give: Mapping[str, Any] | None = None,
    plot: str | None = None,
    writes: bool = False,
) -> Callable[[Function], Command]:
    """Make a command of a function, which is called with `out` and with the options that were given.

    Parameters
    ----------
    name : str
        As it is typed.
    example : str
        What follows the name in an example.
    gives, may_give : mapping of str to type, optional
        What its JSON contains always, and on request: `Result` types, `dict[str, T]` for one a model,
        `list[T]` for one a pair of models. Without any there is no `--json`.
    plot : str, optional
        What `--plot` draws; without it there is no such option.
    writes : bool
        Whether it writes files besides, and so accepts `--force`.
    """

    def made(function: Function) -> Command:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            shown = {name: given.pop(name) for name in ("as_json", "quiet", "plot", "force") if name in given}
            reads = [str(given[name]) for name in READ if given.get(name) not in (None, STANDARD_INPUT)]
            if "source" in given:
                own = {field: given.pop(field) for field in Data.__dataclass_fields__}
                stray = [name for name, value in own.items() if value not in (None, (), "raise")]
                if own["source"] is None and stray:
                    raise click.UsageError(f"--{stray[0].replace('_', '-')} requires FILE.")
                given["data"] = None if own["source"] is None else Data(**own)
            try:
                with Output(name, reads=reads, **shown) as out:
                    function(out=out, **{k: v for k, v in given.items() if v is not None and v != ()})
            except BrokenPipeError:
                raise
            except (ValueError, OSError, ImportError) as error:
                raise failure(error) from None

        make = functools.partial(click.command, cls=Command, gives=gives, may_give=may_give)
        epilog = f"\b\nExample:\n  confroc {name} {example}"
        found: Command = make(name.split()[-1], epilog=epilog)(run)
        if plot is not None:
            words = f"Also draw {plot} ({', '.join(ending.lstrip('.') for ending in FIGURES)})."
            found.params.append(click.Option(["--plot"], callback=_picture, metavar="PATH", help=words))
        if plot is not None or writes:
            words = "Replace files that confroc did not write, and reports of other data."
            found.params.append(click.Option(["--force"], is_flag=True, help=words))
        if gives is not None:
            words = "Print JSON instead of tables."
            found.params.append(click.Option(["--json", "as_json"], is_flag=True, help=words))
        words = "Print only results and errors."
        found.params.append(click.Option(["-q", "--quiet"], is_flag=True, help=words))
        return found

    return made


def failure(error: Exception) -> click.ClickException:
    """Return an error of the library, with the names that are typed for those of arguments.

    It is wrong usage if the value of an option is to blame; options of text name data or files.
    """
    if not isinstance(error, ArgumentError):
        return click.ClickException(visible(str(error)))
    name, bracket, item = error.argument.partition("[")
    argument, rule, remedy, usage = name, error.rule, error.remedy, isinstance(error, WrongEndingError)
    for parameter in click.get_current_context().command.params:
        option = isinstance(parameter, click.Option)
        typed = max(parameter.opts, key=len) if option else parameter.human_readable_name.strip("[]")
        # In rules and remedies arguments are in backticks.
        rule, remedy = (text.replace(f"`{parameter.name}`", f"`{typed}`") for text in (rule, remedy))
        if parameter.name == name:
            argument = typed
            usage |= option and not isinstance(parameter.type, click.types.StringParamType)
    message = sentence(f"{argument}{bracket}{item}", rule, error.value, remedy)
    return (click.UsageError if usage else click.ClickException)(visible(message))


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


def option(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option: its flags, and where it differs, the name of the argument in Python."""
    return click.option(*flags.split(), metavar=metavar, help=help, **more)


number = functools.partial(option, type=float)
whole = functools.partial(option, type=int)


def flag(flags: str, help: str) -> Decorator:
    """Make an option without a value."""
    return click.option(*flags.split(), is_flag=True, help=help)


# --- data ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Data:
    """The options that determine which data are read."""

    source: str
    label: str
    score: tuple[str, ...]
    pos_label: str | None
    nan_policy: NanPolicy
    resolution: int | None

    def _options(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "scores": self.score,
            "pos_label": self.pos_label,
            "nan_policy": self.nan_policy,
            "resolution": self.resolution,
        }

    def read(
        self, out: Output, *, pairs: bool = False, source: str | None = None, called: str = "data"
    ) -> Cases:
        """Read the cases; see `confroc.ingest.read_cases`.

        Parameters
        ----------
        out : Output
        pairs : bool
            Join all models, to be compared.
        source : str, optional
            Another one than FILE.
        called : str
            The name of these data in the output, if any.
        """
        from confroc.ingest import read_cases

        source = self.source if source is None else source
        out.doing(f"reading {source} ...")
        with opened(source) as path:
            cases = read_cases(path, paired=pairs and len(self.score) > 1, **self._options())
        return _reported(cases, source, out, called)

    def read_other(
        self, out: Output, option: str, source: str, *, pairs: bool = False, called: str = ""
    ) -> Cases:
        """Read the same columns of another source, which an option names."""
        if source == self.source == STANDARD_INPUT:
            raise click.UsageError(f"--{option} and FILE cannot both be standard input.")
        try:
            return self.read(out, pairs=pairs, source=source, called=called)
        except ArgumentError as error:
            raise click.ClickException(f"--{option}: {failure(error).message}") from None

    def read_segments(self, out: Output, column: str | None) -> tuple[Cases, Segments]:
        """Read all cases, and the same by a column or by file; see `confroc.ingest.read_segments`."""
        from confroc.ingest import read_segments

        out.doing(f"counting the segments of {self.source} ...")
        if column is None:
            cases, parts = read_segments(self.source, segment_files=True, **self._options())
        else:
            with opened(self.source) as path:
                cases, parts = read_segments(path, segment_column=column, **self._options())
        return _reported(cases, self.source, out), parts

    def read_groups(self, out: Output, column: str) -> UnpairedScores:
        """Read the cases of one model by the groups in a column."""
        from confroc.ingest import read_cases, read_scores

        out.doing(f"counting the groups of {self.source} ...")
        with opened(self.source) as path:
            cases = read_cases(path, **self._options())
            one = self._options() | {"score": self.score[0], "pos_label": cases.positive, "group": column}
            del one["scores"]
            groups: UnpairedScores = read_scores(path, **one)
        n_pos, n_neg = (sum(getattr(s, n) for s in groups.samples) for n in ("n_pos", "n_neg"))
        data: About = {**about(_named(cases, self.source)), "n_pos": n_pos, "n_neg": n_neg}
        # Cases without a group are dropped, too.
        data["n_dropped"] = data["n_rows"] - n_pos - n_neg
        out.data["data"] = data
        out.note_dropped(data)
        return groups

    def read_compared(
        self, out: Output, group: str | None, against: str | None
    ) -> tuple[Pair | None, dict[tuple[str, str], Pair]]:
        """Read models on the same cases, one in several groups, or each in two files; and all pairs."""
        import confroc

        if group is not None and (against is not None or len(self.score) > 1):
            raise click.UsageError(
                "--group compares the groups of one model: give one --score, and no --against."
            )
        if group is None and against is None and len(self.score) < 2:
            raise click.UsageError("Give at least two --score columns, or one with --group or --against.")
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


def pairs_of(scores: Pair | None) -> dict[tuple[str, str], Any]:
    """Return every two models that were read together, in the order given."""
    return {} if scores is None else {two: scores[two] for two in combinations(scores.names, 2)}


def _named(cases: Cases, source: str) -> Cases:
    return dataclasses.replace(cases, source=SHOWN) if source == STANDARD_INPUT else cases


def _reported(cases: Cases, source: str, out: Output, called: str = "data") -> Cases:
    cases = _named(cases, source)
    out.note_dropped(about(cases))
    if called:
        out.data[called] = about(cases)
    return cases


@contextmanager
def opened(source: str) -> Iterator[str]:
    """Give a path or SQL that readers accept; standard input is copied to a temporary file."""
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
            # The copy has no name that was typed.
            error.value = SHOWN if error.value == str(path) else error.value
            error.remedy = error.remedy.replace(str(path), SHOWN)
            raise


def column_names(source: str) -> list[str]:
    """Return the column names of a file, without reading its rows; none if it cannot be read."""
    try:
        from confroc.ingest.counts import counts_about
        from confroc.ingest.files import CSV, PARQUET, csv_header, found_files, open_file

        files = found_files(source)
        name = files[0].name.lower()
        if name.endswith(CSV):
            return csv_header(files[0])[0]
        if not name.endswith(PARQUET):
            return []
        about = counts_about(files)
        if about:
            return [about[0]["label"], *about[0]["scores"]]
        with open_file(source) as table:
            return list(table.columns)
    except (OSError, ValueError, ImportError):
        return []


def complete_column(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the columns of FILE."""
    from click.shell_completion import CompletionItem

    # While an option lacks its value, click has FILE among the remaining words.
    names = column_names(str(ctx.params.get("source") or next(iter(ctx.args), "")))
    taken = ctx.params.get(str(param.name)) or ()
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and name not in taken]


def data_options(*, required: bool = True) -> Decorator:
    """Add the options of `Data`, which the command gets as `data`."""
    column: dict[str, Any] = {"required": required, "shell_complete": complete_column}
    more = "Score column; repeat it for more models. Higher means more likely positive; -COLUMN reverses it."
    gaps = "Rows with a missing label or score: 'raise' stops, 'omit' drops them and reports how many."
    return together(
        click.argument("source", metavar="FILE" if required else "[FILE]", required=required),
        option("-l --label", "COLUMN", "Column of true classes.", **column),
        option("-s --score", "COLUMN", more, multiple=True, **column),
        option(
            "-p --pos-label", "LABEL", "The positive class; not needed for 0/1, -1/1 and true/false labels."
        ),
        click.option(
            "--nan-policy",
            type=click.Choice(["raise", "omit"]),
            help=gaps,
            default="raise",
            show_default=True,
        ),
        whole(
            "--resolution",
            "LEVELS",
            "Round scores to at most so many levels while reading. Intervals widen by what this can change.",
        ),
    )


def split(options: Mapping[str, Any], functions: Sequence[Callable[..., Any]]) -> list[dict[str, Any]]:
    """Return the options of each of a command's functions.

    An option goes to every function that accepts it with its method; if none does, the first one refuses it.
    """
    parts: list[dict[str, Any]] = [{} for _ in functions]
    for name, value in options.items():
        if not any(name in inspect.signature(function).parameters for function in functions):
            names = " or ".join(function.__name__ for function in functions)
            raise click.UsageError(f"--{name.replace('_', '-')} is no option of {names}.")
        users = [
            part
            for part, function in zip(parts, functions, strict=True)
            if _accepts(function, name, value, options.get("method"))
        ]
        for part in users or parts[:1]:
            part[name] = value
    return parts


def _accepts(function: Callable[..., Any], option: str, value: Any, method: str | None) -> bool:
    """Whether a function accepts an option with a method, or with its default method."""
    if option not in inspect.signature(function).parameters:
        return False
    entry = FUNCTIONS.get(function.__name__)
    if entry is None:
        return True
    if option == "method":
        return value in entry.methods
    row = entry.methods.get(method or entry.default, entry.methods[entry.default])
    return option in row.options or not any(option in other.options for other in entry.methods.values())


def given(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return those of the options that were given."""
    return {name: options[name] for name in names if name in options}


def choice(flags: str, names: Sequence[str], help: str, *, default: str | None = None) -> Decorator:
    """Make an option for one of several names, of which the first is the default."""
    return click.option(
        *flags.split(), type=click.Choice(names), help=f"{help} Default: {default or names[0]}."
    )


def method(function: str, help: str) -> Decorator:
    """Make the option for the methods of a function."""
    return choice("-m --method", FUNCTIONS[function].names, help)


level_option = number(
    "-c --confidence-level", "LEVEL", "Confidence level of every interval.", default=0.95, show_default=True
)
seed_option = whole(
    "--seed rng",
    "N",
    "Seed of the resampling (`rng` in Python).",
    default=0,
    show_default=True,
)
jobs_option = whole(
    "-j --n-jobs",
    "N",
    "Threads for resampling; -1 uses all cores. The numbers do not depend on it. Default: 1.",
)


def resampling_options(default: int, *, jobs: bool = True) -> Decorator:
    """Add the number of resamples, their seed and the number of threads."""
    words = f"Number of resamples, for methods that resample. Default: {default}."
    return together(whole("-n --n-resamples", "N", words), seed_option, *([jobs_option] if jobs else []))


def sampling_option(names: Sequence[str]) -> Decorator:
    """Make the option for how a bootstrap of rates samples cases."""
    words = "Sampling of cases: each class by itself (stratified), or all cases (full)."
    return choice("--sampling", names, words, default="stratified, with --positive-rate full")


def bandwidth(value: str) -> Any:
    """Read 0.3, or 0.3,0.5 for the positives and the negatives; anything else is the name of a rule."""
    try:
        widths = tuple(float(part) for part in value.split(","))
    except ValueError:
        return value
    return widths[0] if len(widths) == 1 else widths


def share(value: str) -> Any:
    """Read 0.1 as a share of positives, and 12/150 as 12 positives among 150 cases."""
    numbers = tuple(float(part) for part in value.split("/"))
    return numbers[0] if len(numbers) == 1 else numbers


def smoothing_options(methods: str, *, tails: bool = True) -> Decorator:
    """Add the options of smoothed resampling."""
    words = (
        f"Of {methods}: standard deviation of the noise, e.g. 0.3, or 0.3,0.5 for positives and negatives; "
        f"or one of {', '.join(RULES)}."
    )
    made = [
        option("--bandwidth", "WIDTH", words, type=bandwidth),
        choice("--kernel", KERNELS, f"Of {methods}: shape of the noise."),
        choice("--center", CENTERS, "Of the smoothed bootstraps: the curve from which errors are computed."),
    ]
    if tails:
        made.append(choice("--tails", TAILS, "Of bootstraps by errors: how these give an interval."))
    return together(*made)


partial_area_options = together(
    number("--max-fpr", "RATE", "AUC up to this false positive rate only."),
    number("--min-tpr", "RATE", "AUC above this true positive rate only."),
    flag("--standardize", "Rescale a partial area (McClish): chance 0.5, perfect 1."),
)
