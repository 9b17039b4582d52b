"""What commands share: how one is made, and options that several have."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from confroc import statistics
from confroc.base import Statistic
from confroc.cli.data import COLUMNS, STANDARD_INPUT, Data, complete_column
from confroc.cli.group import Command
from confroc.cli.output import FIGURES, Output, failure
from confroc.resample import SAMPLINGS


def _required(cls: type[Statistic]) -> list[str]:
    """Return the names of what must be given of a statistic."""
    return [name for name, p in inspect.signature(cls).parameters.items() if p.default is p.empty]


STATISTICS: dict[str, type[Statistic]] = {
    cls.name if _required(cls) else cls().label: cls
    for cls in (getattr(statistics, name) for name in statistics.__all__)
    if cls is not statistics.Custom and not hasattr(cls, "rates")
}
"""Statistics that are a number, by their names."""
PLAIN = [name for name, cls in STATISTICS.items() if not _required(cls)]
"""Statistics that need no value."""

Function = Callable[..., None]
Decorator = Callable[[Function], Function]

ONE = "asah.csv --label outcome --pos-label Poor --score s100b"
BOTH = f"{ONE} --score ndka"
READ = ("source", "against", "only_a", "only_b", "validation")
"""Arguments that name what is read."""
SHOWN = ("as_json", "quiet", "plot", "force", "fail_below")
"""Arguments of `Output`."""


def _picture(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    """Check the place of a picture before hours of work rather than after."""
    if value is None or (value.lower().endswith(FIGURES) and Path(value).resolve().parent.is_dir()):
        return value
    raise click.BadParameter(f"{value!r} must end in {', '.join(FIGURES)} and lie in a folder that exists.")


def command(
    name: str,
    example: str,
    *,
    gives: Mapping[str, Any] | Sequence[str] = (),
    may_give: Mapping[str, Any] | Sequence[str] = (),
    plot: str | None = None,
    writes: bool = False,
    gate: str | None = None,
) -> Callable[[Function], Command]:
    """Make a command of a function, which is called with `out` and with the options that were given.

    Parameters
    ----------
    name : str
        As it is typed.
    example : str
        What follows the name in an example.
    gives, may_give : mapping of str to type, or sequence of str
        What its JSON contains always, and on request; the types of what functions return need not be given.
        Without any there is no `--json`.
    plot : str, optional
        What `--plot` draws; without it there is no such option.
    writes : bool
        Whether it writes files besides, and so accepts `--force`.
    gate : str, optional
        What `--fail-below` compares with a limit; without it there is no such option.
    """

    def made(function: Function) -> Command:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            shown = {name: given.pop(name) for name in SHOWN if name in given}
            reads = [str(given[name]) for name in READ if given.get(name) not in (None, STANDARD_INPUT)]
            if "source" in given:
                columns = {name: given.pop(name) for name in COLUMNS}
                stray = [name for name, value in columns.items() if value not in (None, (), "raise")]
                source = given.pop("source")
                if source is None and stray:
                    raise click.UsageError(f"--{stray[0].replace('_', '-')} requires FILE.")
                given["data"] = None if source is None else Data(source, columns)
            try:
                with Output(name, reads=reads, **shown) as out:
                    function(out=out, **{k: v for k, v in given.items() if v not in (None, ())})
            except BrokenPipeError:
                raise
            except (ValueError, OSError, ImportError) as error:
                raise failure(error) from None

        epilog = f"\b\nExample:\n  confroc {name} {example}"
        found: Command = click.command(name, cls=Command, epilog=epilog)(run)
        found.gives, found.may_give = (
            dict(keys) if isinstance(keys, Mapping) else dict.fromkeys(keys) for keys in (gives, may_give)
        )
        if plot is not None:
            words = f"Also draw {plot} ({', '.join(ending.lstrip('.') for ending in FIGURES)})."
            found.params.append(click.Option(["--plot"], callback=_picture, metavar="PATH", help=words))
        if gate is not None:
            words = f"Exit with code 1 if the lower confidence limit of {gate} is below LIMIT."
            found.params.append(click.Option(["--fail-below"], type=float, metavar="LIMIT", help=words))
        flags = {
            "--force": "Replace files that confroc did not write, and reports of other data.",
            "--json as_json": "Print JSON instead of tables.",
            "-q --quiet": "Print only results and errors.",
        }
        wanted = (plot is not None or writes, bool(gives or may_give), True)
        for (words, help), yes in zip(flags.items(), wanted, strict=True):
            if yes:
                found.params.append(click.Option(words.split(), is_flag=True, help=help))
        return found

    return made


# --- options ---------------------------------------------------------------------------------------------


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


def option(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option: its flags, and where it differs, the name of the argument in Python."""
    return click.option(*flags.split(), metavar=metavar, help=help, **more)


def column(flags: str, help: str, **more: Any) -> Decorator:
    """Make an option for a column of FILE."""
    return option(flags, "COLUMN", help, shell_complete=complete_column, **more)


number = functools.partial(option, type=float)
whole = functools.partial(option, type=int)


def flag(flags: str, help: str) -> Decorator:
    """Make an option without a value."""
    return click.option(*flags.split(), is_flag=True, default=None, help=help)


def places(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option for numbers, which is repeated for more of them."""
    return number(flags, metavar, f"{help}; repeat for more.", multiple=True, **more)


def choice(flags: str, names: Iterable[str], help: str, *, default: str | None = None) -> Decorator:
    """Make an option for one of several names, of which the first is the default."""
    names = list(names)
    return click.option(
        *flags.split(), type=click.Choice(names), help=f"{help} Default: {default or names[0]}."
    )


def share(text: str, between: str = "/") -> Any:
    """Read 0.1 as a share of positives, and 12/150 as 12 positives among 150 cases."""
    numbers = tuple(map(float, text.split(between)))
    return numbers[0] if len(numbers) == 1 else numbers


def value(text: str) -> Any:
    """Read 0.3 as a number, and 0.3,0.5 as two; anything else is a word."""
    with suppress(ValueError):
        return share(text, ",")
    return text


def statistic(text: str) -> Statistic:
    """Read `ks` as a statistic, and `net_benefit=0.2,threshold=0.3` as one with values, by place or name."""
    name, _, rest = text.partition("=")
    try:
        cls = STATISTICS[name]
        needed = iter(_required(cls))
        given = [part.rpartition("=") for part in rest.split(",") if part]
        return cls(**{field or next(needed): value(word) for field, _, word in given})
    except (KeyError, StopIteration, TypeError):
        raise click.BadParameter(f"{text!r} is not one of {_listed}.") from None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


_listed = ", ".join(
    name if name in PLAIN else f"{name}={','.join(_required(cls)).upper()}"
    for name, cls in STATISTICS.items()
)


statistic_option = functools.partial(
    option,
    "--statistic",
    "NAME[=VALUE]",
    f"A statistic by its name: {_listed}. More of its options follow by name: net_benefit=0.2,threshold=0.3.",
    type=statistic,
    shell_complete=lambda _ctx, _param, start: [name for name in STATISTICS if name.startswith(start)],
)
level_option = number(
    "-c --confidence-level", "LEVEL", "Confidence level of every interval.", default=0.95, show_default=True
)
seed_option = whole(
    "--seed rng", "N", "Seed of the resampling (`rng` in Python).", default=0, show_default=True
)
jobs_option = whole(
    "-j --n-jobs",
    "N",
    "Threads for resampling; -1 uses all cores. The numbers do not depend on it. Default: 1.",
)
sampling_option = choice(
    "--sampling",
    SAMPLINGS,
    "Sampling of cases: each class by itself (stratified), or all cases (full).",
    default="stratified, with --positive-rate full",
)
prevalence_options = together(
    option(
        "--prior",
        "SHARE",
        "Prevalence in use: known, e.g. 0.1, or estimated by a count elsewhere, e.g. 12/150. Default: "
        "estimated from the sample.",
        type=share,
    ),
    choice(
        "--sampling",
        SAMPLINGS[::-1],
        "Whether the prevalence of the sample is an estimate (full), or known (stratified).",
        default="full without --prior, stratified with it",
    ),
)
joint_option = flag("--joint", "With --threshold: both rates are in their intervals together at the level.")
partial_area_options = together(
    number("--max-fpr", "RATE", "AUC up to this false positive rate only."),
    number("--min-tpr", "RATE", "AUC above this true positive rate only."),
    flag("--standardize", "Rescale a partial area (McClish): chance 0.5, perfect 1."),
)


def segment_options(what: str) -> Decorator:
    """Add the options by which a source is divided into parts, each of which is `what`."""
    return together(
        column("--segment-column", f"Each value of this column is {what}."),
        flag("--segment-files", f"Each file of the pattern FILE (rows or counts) is {what}."),
    )


def data_options(*, required: bool = True) -> Decorator:
    """Add the options of `Data`, which the command gets as `data`."""
    more = "Score column; repeat it for more models. Higher means more likely positive; -COLUMN reverses it."
    gaps = "Rows with a missing label or score: 'raise' stops, 'omit' drops them and reports how many."
    policy: dict[str, Any] = {
        "type": click.Choice(["raise", "omit"]),
        "default": "raise",
        "show_default": True,
    }
    return together(
        click.argument("source", metavar="FILE" if required else "[FILE]", required=required),
        column("-l --label", "Column of true classes.", required=required),
        column("-s --score", more, multiple=True, required=required),
        option(
            "-p --pos-label", "LABEL", "The positive class; not needed for 0/1, -1/1 and true/false labels."
        ),
        click.option("--nan-policy", help=gaps, **policy),
        whole(
            "--resolution",
            "LEVELS",
            "Round scores to at most so many levels while reading. Intervals widen by what this can change.",
        ),
        click.option(
            "--decimal",
            type=click.Choice([".", ","]),
            help="Decimal mark of CSV files. Default: detected, column by column.",
        ),
        column("--weight sample_weight", "Column of weights."),
        click.option(
            "--weight-kind",
            type=click.Choice(["sampling", "frequency"]),
            help="Weights of a sample, whose ratios alone matter (the default), or counts of equal rows.",
        ),
        column(
            "--cluster",
            "Column that identifies rows that belong together, e.g. patients; repeat it for two identifiers.",
            multiple=True,
        ),
        column("--strata", "Column of the strata from which rows, or clusters, were sampled separately."),
    )
