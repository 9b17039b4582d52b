"""What commands share: how one is made, which data it reads, and the options of methods and resampling."""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from confroc._check import ArgumentError
from confroc._files import temporary_folder
from confroc.cli.group import DATA, Helpful, Named, column_names, misused
from confroc.cli.output import FIGURES, Output, about
from confroc.methods import FUNCTIONS
from confroc.models.bandwidths import RULES
from confroc.models.kernel_grid import KERNELS
from confroc.models.resampler import CENTERS
from confroc.resample import TAILS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from confroc.ingest import Cases
    from confroc.ingest.segments import Segments
    from confroc.scores import NanPolicy, PairedScores, UnpairedScores

    StrType = click.ParamType[str]
else:
    StrType = click.ParamType

Function = Callable[..., None]
Decorator = Callable[[Function], Function]

ONE = f"{DATA} --score s100b"
BOTH = f"{ONE} --score ndka"
STANDARD_INPUT = STANDARD_OUTPUT = "-"
SHOWN = "standard input"
READ = ("source", "against", "validation", "experiment")
"""Arguments that name what is read."""
KINDS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x1f\x8b": ".csv.gz"}
"""How the first bytes tell what is piped; anything else is CSV."""
CHUNK = 2**20


class FigureFile(StrType):
    """A picture's path, of a kind that can be drawn."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the ending."""
        if not str(value).lower().endswith(FIGURES):
            self.fail(f"{value!r} does not end in {', '.join(FIGURES)}.", param, ctx)
        return str(value)


class OutputFile(StrType):
    """A file to be written, of which standard output takes none."""

    name = "file"

    def __init__(self, example: str) -> None:
        self.example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse the sign for standard output."""
        if value == STANDARD_OUTPUT:
            remedy = f"Standard output takes no files; type e.g. -o {self.example}."
            self.fail(f"It must name a file; got {value!r}. {remedy}", param, ctx)
        return str(value)


def command(
    name: str,
    example: str,
    *,
    gives: Mapping[str, Any] | None = None,
    may_give: Mapping[str, Any] | None = None,
    plot: str | None = None,
    writes: bool = False,
) -> Callable[[Function], Helpful]:
    """Make a command of a function, which is called with `out` and with the options that were given.

    Parameters
    ----------
    name : str
        As it is typed, "auc" or "lab audit".
    example : str
        What follows the name in an example.
    gives, may_give : mapping of str to type, optional
        What its JSON holds always, and what it holds when asked for: `Result` types, `dict[str, T]` for one a
        model, `list[T]` for one a pair of models. Without any there is no `--json`.
    plot : str, optional
        What `--plot` draws; without it there is no such option.
    writes : bool
        Whether it writes files besides, and so takes `--force`.
    """

    def made(function: Function) -> Helpful:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            shown = {name: given.pop(name) for name in ("as_json", "quiet", "plot", "force") if name in given}
            reads = [str(given[name]) for name in READ if given.get(name) not in (None, STANDARD_INPUT)]
            if "source" in given:
                own = {field: given.pop(field) for field in Data.__dataclass_fields__}
                stray = [name for name, value in own.items() if value not in (None, (), "raise")]
                if own["source"] is None and stray:
                    raise misused(f"--{stray[0].replace('_', '-')} says how to read FILE; give FILE, too.")
                given["data"] = None if own["source"] is None else Data(**own)
            with Output(name, reads=reads, **shown) as out:
                function(out=out, **{k: v for k, v in given.items() if v is not None and v != ()})

        make = functools.partial(click.command, cls=Helpful, gives=gives, may_give=may_give)
        found: Helpful = make(name.split()[-1], example=f"confroc {name} {example}".rstrip())(run)
        if plot is not None:
            words = f"Also draw {plot} ({', '.join(ending.lstrip('.') for ending in FIGURES)})."
            found.params.append(click.Option(["--plot"], type=FigureFile(), metavar="PATH", help=words))
        if plot is not None or writes:
            words = "Replace files that confroc did not write, too."
            found.params.append(click.Option(["--force"], is_flag=True, help=words))
        if gives is not None:
            words = "Print JSON instead of tables."
            found.params.append(click.Option(["--json", "as_json"], is_flag=True, help=words))
        words = "Nothing on the error stream but errors."
        found.params.append(click.Option(["-q", "--quiet"], is_flag=True, help=words))
        return found

    return made


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


def option(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option: its flags, and where it differs, what the argument is called in Python."""
    return click.option(*flags.split(), metavar=metavar, help=help, **more)


number = functools.partial(option, type=float)
whole = functools.partial(option, type=int)


def flag(flags: str, help: str) -> Decorator:
    """Make an option without a value."""
    return click.option(*flags.split(), is_flag=True, help=help)


# --- data ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Data:
    """The options that say which data to read."""

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
            Put all models together, to be compared.
        source : str, optional
            Another one than FILE.
        called : str
            What the output calls these data; if it is empty, only rows left out of them are told.
        """
        from confroc.ingest import read_cases

        source = self.source if source is None else source
        out.doing(f"reading {source} ...")
        with opened(source, out) as path:
            cases = read_cases(path, paired=pairs and len(self.score) > 1, **self._options())
        return _told(cases, source, out, called)

    def read_segments(self, out: Output, column: str | None) -> tuple[Cases, Segments]:
        """Read all cases, and the same by a column or by file; see `confroc.ingest.read_segments`."""
        from confroc.ingest import read_segments

        out.doing(f"counting the segments of {self.source} ...")
        if column is None:
            cases, parts = read_segments(self.source, segment_files=True, **self._options())
        else:
            with opened(self.source, out) as path:
                cases, parts = read_segments(path, segment_column=column, **self._options())
        return _told(cases, self.source, out), parts

    def read_groups(self, out: Output, column: str) -> UnpairedScores:
        """Read one model's cases by the groups that a column names."""
        from confroc.ingest import read_cases, read_scores

        out.compared = "group"
        out.doing(f"counting the groups of {self.source} ...")
        with opened(self.source, out) as path:
            cases = read_cases(path, **self._options())
            one = self._options() | {"score": self.score[0], "pos_label": cases.positive, "group": column}
            del one["scores"]
            groups: UnpairedScores = read_scores(path, **one)
        data = about(_told(cases, self.source, out))
        n_pos, n_neg = (sum(getattr(s, n) for s in groups.samples) for n in ("n_pos", "n_neg"))
        # Cases without a group are left out, too.
        dropped = data["n_dropped"] + data["n_pos"] + data["n_neg"] - n_pos - n_neg
        out.data["data"] = {**data, "n_pos": n_pos, "n_neg": n_neg, "n_dropped": dropped}
        return groups


def pairs_of(scores: PairedScores | None) -> dict[tuple[str, str], PairedScores]:
    """Return every two models that were read together, in the order given."""
    return {} if scores is None else {two: scores[two] for two in combinations(scores.names, 2)}


def _told(cases: Cases, source: str, out: Output, called: str = "data") -> Cases:
    if source == STANDARD_INPUT:
        cases = dataclasses.replace(cases, source=SHOWN)
    if called:
        out.data[called] = about(cases)
    else:
        out.beside.append(about(cases))
    return cases


@contextmanager
def opened(source: str, out: Output) -> Iterator[str]:
    """Give a path or SQL that readers take; standard input is kept in a file for so long."""
    if source != STANDARD_INPUT:
        yield source
        return
    if sys.stdin is None or sys.stdin.closed:
        raise ArgumentError("source", "be open where it is standard input", source, "Name a file.")
    if sys.stdin.isatty():
        out.still()
        click.echo("reading standard input; end it with Ctrl-D", err=True)
    stream = sys.stdin.buffer
    with temporary_folder() as folder:
        first = stream.read(CHUNK)
        ending = next((e for magic, e in KINDS.items() if first.startswith(magic)), ".csv")
        path = folder / f"standard-input{ending}"
        with path.open("wb") as file:
            while first:
                file.write(first)
                first = stream.read(CHUNK)
        out.aliases |= {str(path): SHOWN, path.name: SHOWN}
        yield str(path)


def complete_column(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the columns of the file already named on the line."""
    from click.shell_completion import CompletionItem

    # An option that still waits for its value keeps click from telling which of the words is FILE.
    names = column_names(str(ctx.params.get("source") or next(iter(ctx.args), "")))
    taken = ctx.params.get(str(param.name)) or ()
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and name not in taken]


def data_options(*, required: bool = True) -> Decorator:
    """Add the options of `Data`, which the command gets as `data`."""
    column: dict[str, Any] = {"required": required, "shell_complete": complete_column}
    more = "Score column; repeat it for more models. Higher means more likely positive; -COLUMN turns it."
    gaps = "Rows with a missing label or score: stop (raise, the default), or drop them and say so (omit)."
    return together(
        click.argument("source", metavar="FILE" if required else "[FILE]", required=required),
        option("-l --label", "COLUMN", "Column of true classes.", **column),
        option("-s --score", "COLUMN", more, multiple=True, **column),
        option(
            "-p --pos-label", "LABEL", "The positive class; not needed for 0/1, -1/1 and true/false labels."
        ),
        option(
            "--nan-policy", "NAME", gaps, type=Named(["raise", "omit"]), default="raise", show_default=True
        ),
        whole(
            "--resolution",
            "LEVELS",
            "Round scores to at most so many levels while reading, for very many distinct ones. "
            "What that may change is bounded, and reported.",
        ),
    )


def given(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return those of the options that another function takes, too."""
    return {name: options[name] for name in names if name in options}


SAMPLING = ("confidence_level", "n_resamples", "rng", "sampling", "n_jobs")


def apportioned(
    options: Mapping[str, Any], *functions: str, others: str | None = None
) -> tuple[dict[str, Any], ...]:
    """Return the options of each of a command's functions, of which the first one has the method chosen.

    The first gets all, the others those of `SAMPLING` and the method that `others` names. The number of
    resamples and the way of sampling go to those that have a use for them; where none has, the first gets
    them, and refuses them.
    """
    common = given(options, *SAMPLING) | ({} if others is None else {"method": others})
    parts = [dict(options), *(dict(common) for _ in functions[1:])]
    shared(parts, functions)
    return tuple(parts)


def shared(parts: Sequence[dict[str, Any]], functions: Sequence[str]) -> None:
    """Take what only resampling needs from those that have no use for it, unless none has."""
    for name in ("n_resamples", "sampling"):
        takes = [
            _takes(function, part.get("method"), name)
            for function, part in zip(functions, parts, strict=True)
        ]
        for part, taken in zip(parts, takes if any(takes) else [True, *takes[1:]], strict=True):
            if not taken:
                part.pop(name, None)


def _takes(function: str, method: str | None, option: str) -> bool:
    """Whether a function has a use for an option, with a method or with its default.

    One without methods resamples, in one way. A method that the function lacks is for it to refuse.
    """
    entry = FUNCTIONS.get(function)
    if entry is None:
        return option == "n_resamples"
    row = entry.methods.get(method or entry.default)
    return row is None or option in row.options


def choice(flags: str, names: Sequence[str], help: str, *, default: str | None = None) -> Decorator:
    """Make an option that takes one of several names, and lists them; the first one is the default."""
    listed = f"One of {', '.join(names)}; by default {default or names[0]}."
    return option(flags, "NAME", f"{help} {listed}", type=Named(names))


def method(function: str, help: str) -> Decorator:
    """Make the option for the methods of a function, as the register has them."""
    return choice("-m --method", FUNCTIONS[function].names, help)


level_option = number(
    "-c --confidence-level", "LEVEL", "Confidence level of every interval.", default=0.95, show_default=True
)
seed_option = whole(
    "--seed rng",
    "N",
    "Seed of whatever resamples; the same seed gives the same numbers.",
    default=0,
    show_default=True,
)
jobs_option = whole(
    "-j --n-jobs",
    "N",
    "Threads that resample, 1 by default; -1 takes all cores. The numbers do not depend on it.",
)


def resampling_options(default: int, *, jobs: bool = True) -> Decorator:
    """Add the number of resamples, their seed and the number of threads."""
    words = f"Resamples, for methods that draw them; by default {default}."
    return together(whole("-n --n-resamples", "N", words), seed_option, *([jobs_option] if jobs else []))


def sampling_option(names: Sequence[str]) -> Decorator:
    """Make the option for the way in which a bootstrap of rates draws cases."""
    words = "How cases are drawn: each class by itself, or all together, so that class sizes vary too."
    return choice("--sampling", names, words, default="stratified, with --positive-rate full")


class Bandwidths(StrType):
    """A bandwidth: 0.3, or 0.3,0.5 for the positives and the negatives, or the name of a rule."""

    name = "bandwidth"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read one number, or two around a comma; anything else is a name, or no bandwidth."""
        if not isinstance(value, str):
            return value
        try:
            widths = tuple(float(part) for part in value.split(","))
        except ValueError:
            return value
        if len(widths) > 2:
            self.fail(f"{value!r} has more than two numbers.", param, ctx)
        return widths[0] if len(widths) == 1 else widths


class Share(StrType):
    """A share of positives: 0.1, or where counts are taken, 12/150 for what 12 among 150 cases tell."""

    name = "share"

    def __init__(self, *, counts: bool = False) -> None:
        self.counts = counts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number, or two around a stroke."""
        if not isinstance(value, str):
            return value
        try:
            numbers = tuple(float(part) for part in value.split("/"))
        except ValueError:
            numbers = ()
        if len(numbers) not in (1, 2) or (len(numbers) == 2 and not self.counts):
            known = f"{numbers[0] / numbers[1]:.4g}" if len(numbers) == 2 and numbers[1] else "0.1"
            rest = (
                f"neither a share, as {known}, nor a count, as 12/150"
                if self.counts
                else f"no share; type {known}, which is taken as known. `confroc cost` takes counts"
            )
            self.fail(f"{value!r} is {rest}.", param, ctx)
        return numbers if len(numbers) == 2 else numbers[0]


def smoothing_options(methods: str, *, tails: bool = True) -> Decorator:
    """Add what says how resampled scores are smoothed."""
    words = (
        f"Of {methods}: standard deviation of the noise, as 0.3, or 0.3,0.5 for positives and negatives; or "
        f"one of {', '.join(RULES)}."
    )
    made = [
        option("--bandwidth", "WIDTH", words, type=Bandwidths()),
        choice("--kernel", KERNELS, f"Of {methods}: shape of the noise."),
        choice("--center", CENTERS, "Of the smoothed bootstraps: the curve from which errors are taken."),
    ]
    if tails:
        made.append(choice("--tails", TAILS, "Of bootstraps by errors: how these become an interval."))
    return together(*made)


partial_area_options = together(
    number("--max-fpr", "RATE", "Area up to this false positive rate only."),
    number("--min-tpr", "RATE", "Area above this true positive rate only."),
    flag("--standardize", "Put a partial area on McClish's scale: chance 0.5, perfect 1."),
)
