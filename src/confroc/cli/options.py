"""The decorator for commands, and options that several commands share."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from confroc import statistics
from confroc._keywords import other_name, suggest
from confroc.base import Statistic
from confroc.cli.data import COLUMNS, STANDARD_INPUT, Data, complete_column
from confroc.cli.group import Command
from confroc.cli.output import DEPENDENT, DESIGN_FLAGS, FIGURES, Output, as_typed, failure
from confroc.resample import SAMPLINGS


def required(cls: type[Statistic]) -> list[str]:
    """Return the names of a statistic's required arguments."""
    return [name for name, p in inspect.signature(cls).parameters.items() if p.default is p.empty]


STATISTICS: dict[str, type[Statistic]] = {
    cls.name if required(cls) else cls().label: cls
    for cls in (getattr(statistics, name) for name in statistics.__all__)
    if cls is not statistics.Custom and not hasattr(cls, "rates")
}
"""Statistics that are single numbers, by name."""

Function = Callable[..., None]
Decorator = Callable[[Function], Function]

ONE = "asah.csv --label outcome --pos-label Poor --score s100b"
BOTH = f"{ONE} --score ndka"
WIDEST_NAMES = 50
"""Most characters of names that the help lists next to their option."""
READ = ("source", "against", "only_a", "only_b", "validation")
"""Arguments that are files to read."""
SHOWN = ("as_json", "as_csv", "as_latex", "quiet", "plot", "force", "fail_below")
"""Arguments of `Output`."""


def _picture(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    """Check the ending of a picture before the computation."""
    if value is None or value.lower().endswith(FIGURES):
        return value
    raise click.BadParameter(f"{value!r} must end in {', '.join(FIGURES[:-1])} or {FIGURES[-1]}.")


def command(
    name: str,
    example: str,
    *,
    gives: Mapping[str, Any] | Sequence[str] = (),
    may_give: Mapping[str, Any] | Sequence[str] = (),
    plot: str | None = None,
    writes: bool = False,
    gate: str | None = None,
    tables: bool = True,
) -> Callable[[Function], Command]:
    """Make a command of a function, which receives `out` and the options that were given.

    Parameters
    ----------
    name : str
        Name of the command.
    example : str
        Arguments of the example in its help.
    gives, may_give : mapping of str to type, or sequence of str
        Keys of its JSON output, required and optional, with their types unless a key is the name of a
        function. Without any there is no `--json`.
    plot : str, optional
        What `--plot` draws; without it there is no such option.
    writes : bool
        Whether the command writes files, so that it has `--force`.
    gate : str, optional
        What `--fail-below` compares with its limit; without it there is no such option.
    tables : bool
        Whether a command with `--json` prints tables, so that it has `--csv`.
    """

    def made(function: Function) -> Command:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            shown = {name: given.pop(name) for name in SHOWN if name in given}
            if "source" in given:
                given["source"] = "\n".join(given["source"]) or None
            reads = [str(given[name]) for name in READ if given.get(name) not in (None, STANDARD_INPUT)]
            if "source" in given:
                columns = {name: given.pop(name) for name in COLUMNS if name in given}
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

        epilog = f"\b\nExample:\n  {_broken(f'confroc {name} {example}'.strip())}"
        found: Command = click.command(name, cls=Command, epilog=epilog)(run)
        found.gives, found.may_give = (
            dict(keys) if isinstance(keys, Mapping) else dict.fromkeys(keys) for keys in (gives, may_give)
        )
        found.remedy = functools.partial(_remedy, {str(parameter.name) for parameter in found.params})
        if plot is not None:
            words = f"Also draw {plot} ({', '.join(ending.lstrip('.') for ending in FIGURES)})."
            found.params.append(click.Option(["--plot"], callback=_picture, metavar="PATH", help=words))
        if gate is not None:
            words = f"Exit with code 1 if the lower confidence limit of {gate} is below LIMIT."
            found.params.append(click.Option(["--fail-below"], type=float, metavar="LIMIT", help=words))
        flags = {
            "--force": "Replace the output file whatever it contains.",
            "--json as_json": "Print JSON instead of tables.",
            "--csv as_csv": "Print the tables as CSV with all digits, separated by empty lines.",
            "--latex as_latex": "Print the tables as LaTeX.",
            "-q --quiet": "Print no progress and no names of written files.",
        }
        made_json = bool(gives or may_give)
        wanted = (plot is not None or writes, made_json, made_json and tables, made_json and tables, True)
        for (words, help), yes in zip(flags.items(), wanted, strict=True):
            if yes:
                found.params.append(click.Option(words.split(), is_flag=True, help=help))
        return found

    return made


def _broken(line: str) -> str:
    """Break a command line before options, so that each stays with its value."""
    parts = [part.replace(" ", "\ufeff") for part in line.split(" -")]
    lines = textwrap.wrap(" -".join(parts), 72, break_on_hyphens=False)
    return " \\\n    ".join(lines).replace("\ufeff", " ")


# --- options ---------------------------------------------------------------------------------------------


def together(*options: Decorator) -> Decorator:
    """Combine decorators."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


def option(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option from its flags, and the name of the Python argument if it differs."""
    return click.option(*flags.split(), metavar=metavar, help=help, **more)


def column(flags: str, help: str, **more: Any) -> Decorator:
    """Make an option for a column of FILE."""
    return option(flags, "COLUMN", help, shell_complete=complete_column, **more)


class Number(click.types.FloatParamType):
    """A number; an error on a percentage states the number to write."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        with suppress(ValueError):
            if isinstance(value, str) and value.endswith("%"):
                self.fail(f"{value!r} is not a number. Write {float(value[:-1]) / 100.0:g}.", param, ctx)
        return super().convert(value, param, ctx)


class Name(click.Choice):  # type: ignore[type-arg]
    """One of several names; an error on another one suggests the closest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name."""
        if value not in self.choices and (close := suggest(value, self.choices)):
            self.fail(f"{value!r} is not one of {', '.join(self.choices)}. {close}".strip(), param, ctx)
        return super().convert(value, param, ctx)


number = functools.partial(option, type=Number())
whole = functools.partial(option, type=int)


PER_MODEL = "Threshold to evaluate: give it once for all models, or once per --score, in the same order."


def per_model(threshold: Sequence[float], scores: Sequence[str]) -> tuple[float, ...]:
    """Return the threshold of each model from one for all, or one for each."""
    if len(threshold) not in (1, len(scores)):
        raise click.UsageError("Give --threshold once, or once for each --score column.")
    return (*threshold,) * (len(scores) if len(threshold) == 1 else 1)


def flag(flags: str, help: str) -> Decorator:
    """Make an option without a value."""
    return click.option(*flags.split(), is_flag=True, default=None, help=help)


def places(flags: str, metavar: str, help: str, **more: Any) -> Decorator:
    """Make an option for one or more numbers."""
    return number(flags, metavar, f"{help}; repeat for more.", multiple=True, **more)


def choice(flags: str, names: Iterable[str], help: str, *, default: str | None = None) -> Decorator:
    """Make an option for one of several names; the first is the default."""
    names = list(names)
    listed, help = None, f"{help} Default: {default or names[0]}."
    if len("|".join(names)) > WIDEST_NAMES:
        listed, help = "NAME", f"{help} One of {', '.join(names)}."
    return click.option(*flags.split(), type=Name(names), metavar=listed, help=help)


def share(text: str, between: str = "/") -> Any:
    """Parse a prevalence: 0.1, or 12/150 for 12 positives among 150 cases."""
    numbers = tuple(map(float, text.split(between)))
    return numbers[0] if len(numbers) == 1 else numbers


def prevalence(text: str) -> Any:
    """Parse the prevalence of an option."""
    try:
        return share(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a prevalence. Write 1% as 0.01, or 12/1200.") from None


def value(text: str, between: str = ",") -> Any:
    """Parse one number (0.3) or two (0.3,0.5); anything else remains a string."""
    with suppress(ValueError):
        return share(text, between)
    return text


def _form(name: str) -> str:
    """Return a statistic's name with its required parameters, and the threshold if it has one."""
    cls = STATISTICS[name]
    needed = f"={','.join(required(cls)).upper()}" if required(cls) else ""
    return name + needed + "[,THRESHOLD]" * ("threshold" in inspect.signature(cls).parameters)


def statistic(text: str) -> Statistic:
    """Parse a statistic: `ks`, or `metric=ppv,0.3,prior=0.1` with arguments by position and name."""
    name, _, rest = text.partition("=")
    if name not in STATISTICS:
        close = suggest(name, STATISTICS)
        raise click.BadParameter(
            f"{name!r} is not one of {', '.join(STATISTICS)}. {close}Choose one of them."
        )
    cls, given = STATISTICS[name], {}
    known = inspect.signature(cls).parameters
    places = [*required(cls), *(field for field in known if field == "threshold")]
    for part in filter(None, rest.split(",")):
        field, _, word = part.rpartition("=")
        field = field or next((place for place in places if place not in given), "")
        if field not in known or field in given:
            raise click.BadParameter(f"{part!r} fits no parameter of {name}. Write {_form(name)}. {_OTHERS}")
        given[field] = value(word, "/")
    if missing := [field for field in required(cls) if field not in given]:
        raise click.BadParameter(f"{text!r} lacks {missing[0].upper()}. Write {_form(name)}. {_OTHERS}")
    try:
        return cls(**given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _remedy(names: Iterable[str], flag: str) -> str:
    """Return what to write instead of an unknown option, or an empty text."""
    name = flag.lstrip("-").replace("-", "_")
    if not name.startswith(tuple(names)) and (hint := other_name(name, names)):
        return as_typed(hint)
    if flag in DESIGN_FLAGS:
        return DEPENDENT
    if "statistic" in names:
        found = [_form(one) for one, cls in STATISTICS.items() if required(cls) == [name]]
        return f"Write --statistic {found[0]}." if found else ""
    return ELSEWHERE.get(name, "").format(flag)


ELSEWHERE = {
    **dict.fromkeys(("fpr", "tpr", "threshold"), "Points on the curve: confroc roc {}."),
    **dict.fromkeys(("o", "output"), "Use --csv > FILE, or --plot PATH."),
    "group": "Comparison of groups: confroc compare {}.",
}
"""What to write instead of an option that the command lacks."""
_OTHERS = "Give other parameters by name, e.g. metric=ppv,0.3,prior=0.1."


statistic_option = functools.partial(
    option,
    "--statistic",
    "NAME[=VALUE]",
    f"Name of a statistic: {', '.join(map(_form, STATISTICS)).replace('[', ' [')}. {_OTHERS}",
    type=statistic,
    shell_complete=lambda _ctx, _param, start: [name for name in STATISTICS if name.startswith(start)],
)
level_option = number(
    "-c --confidence-level", "LEVEL", "Confidence level of every interval.", default=0.95, show_default=True
)
resamples_option = whole(
    "-n --n-resamples", "N", "Number of resamples. Default: as many as the level requires."
)
seed_option = whole("--seed rng", "N", "Seed of random numbers.", default=0, show_default=True)
jobs_option = whole(
    "-j --n-jobs", "N", "Parallel jobs; -1 uses all cores. Results do not depend on it. Default: 1."
)
resampling_options = together(resamples_option, seed_option, jobs_option)
sampling_option = choice(
    "--sampling",
    SAMPLINGS,
    "Sampling design: fixed class sizes (stratified), or a sample of all cases (full).",
    default="stratified, with --positive-rate full",
)
unit_cost_options = together(
    number("--false-negative", "COST", "Cost of one false negative, in any currency."),
    number("--false-positive", "COST", "Cost of one false positive, in the same currency."),
)
validation_option = option("--validation", "FILE", "Choose the threshold on the cases in this file instead.")
prevalence_options = together(
    option(
        "--prior",
        "SHARE",
        "Prevalence in the target population: known, e.g. 0.1, or estimated elsewhere, e.g. 12/150. "
        "Default: estimated from the sample.",
        type=prevalence,
    ),
    choice(
        "--sampling",
        SAMPLINGS[::-1],
        "Whether the sample estimates the prevalence (full), or the prevalence is known (stratified).",
        default="full without --prior, stratified with it",
    ),
)
joint_option = click.option(
    "--joint/--no-joint",
    default=None,
    help="With --threshold: the confidence level applies to both rates jointly, or to each (default).",
)
partial_area_options = together(
    number("--max-fpr", "RATE", "Partial AUC: up to this false positive rate."),
    number("--min-tpr", "RATE", "Partial AUC: above this true positive rate."),
    flag("--standardize", "Rescale a partial AUC to 0.5 for chance and 1 for perfection (McClish)."),
)


def segment_options(what: str) -> Decorator:
    """Add the options that divide a source into parts, each of which is `what`."""
    return together(
        column("--segment-column", f"Each value of this column is {what}."),
        flag("--segment-files", "As --segment-column, for each FILE (rows or counts)."),
    )


def data_options(*, required: bool = True, design: bool = True) -> Decorator:
    """Add the options of `Data`, which the command receives as `data`; without `design` no clusters."""
    more = (
        "Score column; repeat for more models. High scores indicate the positive class; with -COLUMN low "
        "scores do, and cases at or below a threshold are predicted positive."
    )
    gaps = "What to do with rows that lack a label or score: stop (raise), or drop and count them (omit)."
    policy: dict[str, Any] = {
        "type": click.Choice(["raise", "omit"]),
        "default": "raise",
        "show_default": True,
    }
    return together(
        click.argument("source", metavar="FILE..." if required else "[FILE]...", required=required, nargs=-1),
        column("-l --label", "Column of labels, the true classes.", required=required),
        column("-s --score", more, multiple=True, required=required),
        option(
            "-p --pos-label", "LABEL", "Label of the positive class; not required for 0/1, -1/1, true/false."
        ),
        click.option("--nan-policy", help=gaps, **policy),
        whole(
            "--resolution",
            "LEVELS",
            "Round scores to at most this number of levels. Intervals are widened by the rounding error.",
        ),
        click.option(
            "--decimal",
            type=click.Choice([".", ","]),
            help="Decimal mark of CSV files. Default: detected for each column.",
        ),
        *(design_options if design else ()),
    )


design_options = (
    column("--weight sample_weight", "Column of weights."),
    click.option(
        "--weight-kind",
        type=click.Choice(["sampling", "frequency"]),
        help="Sampling weights (only ratios matter), or frequencies of rows. Default: sampling.",
    ),
    column(
        "--cluster",
        "Column of cluster identifiers, e.g. patients; repeat for crossed clusters.",
        multiple=True,
    ),
    column("--strata", "Column of strata from which rows, or clusters, were sampled separately."),
)
