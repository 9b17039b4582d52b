"""Coverage of the methods on simulated data like the user's.

The user's sample, smoothed or not, is a population with known true rates. Samples of the user's size are
drawn from it and passed to every method. The population has the shape of the sample's curve, which is only as
precise as the sample, and does not change over time.
"""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    check_choice,
    check_count,
    check_instance,
    check_jobs,
    check_level,
    check_omitted,
    check_size,
    held,
    make_rng,
)
from confroc._progress import work
from confroc._types import RNG
from confroc.auditing import dependent
from confroc.auditing.areas import auc_intervals
from confroc.auditing.bands import roc_bands
from confroc.auditing.coverage import Coverage, added
from confroc.auditing.populations import SamplePopulation
from confroc.auditing.rates import rates_at_threshold, tpr_at_fprs
from confroc.auditing.rules import Drawn, Evaluator, Rule
from confroc.auditing.samples import Samples
from confroc.auditing.smoothed import SmoothedCopy
from confroc.auditing.statistics import statistic_intervals
from confroc.base import Family, Statistic
from confroc.inference import family_of
from confroc.methods import FAMILIES
from confroc.results import Result
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.design import Design
from confroc.statistics.custom import A_STATISTIC

Source: TypeAlias = Literal["smoothed", "resampled"]
SOURCES: tuple[str, ...] = get_args(Source)

SHORTFALL = 0.01
"""Accepted difference of the coverage from the level, beyond one Monte Carlo standard error."""

NEARLY = 1.05
"""Maximum relative width at which the default is recommended."""
WIDER = "{statement}: the default, {default}, is {wider:.0%} wider than {method}."
SHORT = "{statement}: the default, {default}, has coverage {mean:.3f} on average and at least {least:.3f}."
TOO_FEW = "Too few samples to choose between methods; use 2000 replications or more."
ALLOWED = "attains_level allows for 0.01 and one Monte Carlo standard error (up to {error:.2g})"

BUDGET = 400_000_000
"""Total number of cases drawn per kind of statement; limits the number of samples (at least 200)."""

DEPENDENT_BUDGET = 100_000
"""The same for dependent cases, whose intervals are computed one by one."""
LEFT_OUT = "Not available for weighted, clustered or stratified cases: {names}."

FEWEST_TO_DECIDE = 1000
"""Number of samples below which Monte Carlo error is as large as differences of methods."""

LARGEST_FOR_BANDS = 20_000
"""Maximum number of cases for bands; some take time proportional to its square."""


def _closed_forms(entry: Family, *left_out: str) -> tuple[str, ...]:
    """The methods of a function without resampling, which is too slow here."""
    rows = entry.methods.values()
    return tuple(row.name for row in rows if "n_resamples" not in row.options and row.name not in left_out)


# Methods that need more than the order of the scores, or that are not vectorized, are excluded.
AREA_METHODS = _closed_forms(FAMILIES["auc_interval"], "binormal", "cortes_mohri", "exact_bootstrap")
POINT_METHODS = _closed_forms(FAMILIES["tpr_at_fpr"], "kernel")
RATE_METHODS = _closed_forms(FAMILIES["rates_at_threshold"])
# Computing times of bands differ a hundredfold; these are common choices.
BAND_METHODS = (
    "equal_local_levels",
    "equal_local_levels:calibration=exact",
    "ks_regions",
    "fixed_width",
    "working_hotelling",
)
FPR = (0.05, 0.1, 0.2, 0.4)
POSITIVE_RATE = (0.1, 0.3, 0.5, 0.7)


class Verdict(NamedTuple):
    """Coverage of one method for one kind of statement.

    Attributes
    ----------
    statement, method : str
    coverage, error : float
        Minimum coverage, with its Monte Carlo standard error.
    at : float
        Where coverage is minimal; nan if there is only one place.
    mean_coverage, width : float
        Means over the places; for bands and rectangles the width is the area.
    failures : float
        Proportion of samples without an interval.
    attains_level : bool
        Whether coverage is close to nominal or above everywhere; see `audit`.
    recommended : bool
    """

    statement: str
    method: str
    coverage: float
    error: float
    at: float
    mean_coverage: float
    width: float
    failures: float
    attains_level: bool = False
    recommended: bool = False


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Audit(Result):
    """Coverage and width of every method on a population built from the user's sample.

    Attributes
    ----------
    n_pos, n_neg : int
        Size of the samples.
    population : {"smoothed", "resampled"}
    auc : float
        AUC of the population.
    categories : int
        Number of distinct scores of the population; 0 for continuous scores.
    confidence_level : float
    replications : dict
        Number of samples per kind of statement.
    verdicts : tuple of Verdict
    recommendation : dict
        Recommended method for each kind of statement.
    notes : tuple of str
    """

    n_pos: int
    n_neg: int
    population: Source
    auc: float
    categories: int
    confidence_level: float
    replications: dict[str, int]
    verdicts: tuple[Verdict, ...]
    recommendation: dict[str, str]
    notes: tuple[str, ...] = ()

    def _parts(self) -> dict[str, Any]:
        return {**super()._parts(), "verdicts": [v._asdict() for v in self.verdicts]}

    _spare = ("error", "at", "failures", "mean_coverage")

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(v, name) for v in self.verdicts] for name in Verdict._fields}

    def _shown(self, most: int | None) -> tuple[dict[str, Any], int | None]:
        """Recommended methods first, then those that attain their level."""
        best = [(not v.recommended, not v.attains_level) for v in self.verdicts]
        ranked = sorted(range(len(best)), key=lambda row: best[row])
        rows = sorted(ranked[:most])
        return {name: [values[row] for row in rows] for name, values in self._columns().items()}, None

    def _heading(self) -> str:
        made = f"samples of {self.n_pos} + {self.n_neg}"
        return f"Audit: coverage on the {self.population} data, {made}, auc {self.auc:.4f}"

    def _claims(self) -> list[str]:
        errors = [v.error for v in self.verdicts if v.error == v.error]
        return [*super()._claims(), *([ALLOWED.format(error=max(errors))] if errors else [])]


class _Statement(NamedTuple):
    """One kind of statement: rule, methods, reported quantity, samples, and samples per chunk."""

    rule: Rule
    family: Family
    quantity: str
    replications: int
    chunk: int


@accepts_one_model
def audit(
    scores: Scores,
    *,
    statistics: Sequence[Statistic] = (),
    confidence_level: float = 0.95,
    size: tuple[int, int] | None = None,
    population: Source = "smoothed",
    replications: int = 2000,
    band_replications: int = 200,
    bands: bool = False,
    rng: RNG = None,
    n_jobs: int = 1,
) -> Audit:
    """Simulate the coverage of interval and band methods on data like the given sample.

    Parameters
    ----------
    scores : Scores
    statistics : sequence of Statistic
        Scalar statistics to add to the AUC and the rates, e.g. `AveragePrecision()`, with their methods
        without resampling.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (n_pos, n_neg) of the samples; default: as in the data. Not with weights, clusters or strata: samples
        then have as many clusters or rows in each stratum, drawn whole with their weights, and methods that
        require independent cases are excluded.
    population : {"smoothed", "resampled"}
        smoothed : the normal scores of the sample's pooled ranks with a little noise, or its categories if
            many cases are tied.
        resampled : the cases of the sample, drawn with replacement. For a sample much larger than `size`;
            otherwise samples contain many cases twice and so have additional ties.
    replications, band_replications : int
        Numbers of samples for intervals and for bands; reduced for very large samples, as `notes` reports.
        The standard error of a coverage of 0.95 is 0.005 with 2,000 samples and 0.015 with 200, so one
        band in twenty that attains its level appears not to.
    bands : bool
        Include bands, which take minutes instead of seconds.
    rng : Generator, int or None
    n_jobs : int
        Processes; the result does not depend on it.

    Returns
    -------
    Audit
        A method attains its level if its minimum coverage is within one Monte Carlo standard error plus one
        percentage point of the level. The recommended method is the narrowest of those with mean coverage
        within one Monte Carlo standard error of the level, or else of those that attain it; the default, if
        it attains its level and is at most 5% wider. If none attains its level, the closest one is
        recommended. A note gives the reason if another method than the default is recommended, unless there
        are too few samples to choose.

    See Also
    --------
    progress_bar : Shows how much of the audit is done.

    Examples
    --------
    >>> from confroc import Scores, audit
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> found = audit(scores, replications=500, rng=1)
    >>> [v.method for v in found.verdicts if v.statement == "both rates at a threshold" and v.attains_level]
    ['agresti_coull', 'wilson', 'clopper_pearson']
    """
    import joblib

    design = check_scores("scores", scores, dependent=True).design
    check_instance("statistics", statistics, Sequence, A_STATISTIC)
    for each in statistics:
        check_instance("statistics", each, Statistic, A_STATISTIC)
    level = check_level(confidence_level)
    if design is not None:
        dependent.check_design(design)
        remedy = "Samples have the design of the data."
        check_omitted("with weights, clusters and strata", remedy, size=size)
    n_pos, n_neg = check_size(size, round(scores.n_pos), round(scores.n_neg))
    check_jobs(n_jobs)
    for name, value in (("replications", replications), ("band_replications", band_replications)):
        check_count(name, value, minimum=20, maximum=MOST_RESAMPLES)
    if min(scores.n_pos, scores.n_neg) < 2 or len(scores.score) < 2:
        rule = "contain two cases of each class and two distinct scores"
        raise ArgumentError("scores", rule, scores, "Pass a larger sample.")
    check_choice("population", population, SOURCES)
    made: SmoothedCopy | SamplePopulation
    if design is not None or population == "smoothed":
        made = SmoothedCopy.of(scores, exact=population == "resampled")
    else:
        made = SamplePopulation.of(scores)
    seed = int(make_rng(rng).integers(2**31))
    n = n_pos + n_neg
    notes = []
    if (
        design is None
        and population == "resampled"
        and (10 * n_pos > scores.n_pos or 10 * n_neg > scores.n_neg)
    ):
        notes.append(
            "Samples contain many cases twice, and so have ties. Use a smaller `size`, or the smoothed "
            "population."
        )
    if replications < FEWEST_TO_DECIDE:
        notes.append(TOO_FEW)
    most = max(200, (BUDGET if design is None else DEPENDENT_BUDGET) // n)
    if replications > most:
        replications = most
        notes.append(f"Only {replications} samples are drawn, to limit the computing time.")
    if design is not None:
        bands = False
        notes.append(f"Samples have the design of the data: {design}.")
    if bands and n > LARGEST_FOR_BANDS:
        bands = False
        notes.append(f"Bands are omitted beyond {LARGEST_FOR_BANDS} cases. Use a smaller `size`.")
    statements = _statements(
        level, (n_pos, n_neg), statistics, replications, band_replications if bands else 0
    )
    if design is not None:
        statements, left_out = _of_dependent(statements)
        notes += [LEFT_OUT.format(names=", ".join(left_out))] if left_out else []
    verdicts: list[Verdict] = []
    with work("samples", sum(statement.replications for statement in statements.values())) as report:
        for name, statement in statements.items():
            starts = range(0, statement.replications, statement.chunk)
            # No more processes than chunks.
            jobs = min(joblib.effective_n_jobs(n_jobs), len(starts))
            given, evaluate = (statement, made, design, (n_pos, n_neg), seed), joblib.delayed(_chunk)
            found = joblib.Parallel(jobs, return_as="generator")(evaluate(name, *given, s) for s in starts)
            parts = []
            for start, counts in zip(starts, found, strict=True):
                parts.append(counts)
                report(min(statement.chunk, statement.replications - start))
            total = [_verdict(name, c, level) for c in added(parts) if c.quantity == statement.quantity]
            verdicts += total if TOO_FEW in notes else _recommended(total, level, statement.family.default)
    defaults = {name: statement.family.default for name, statement in statements.items()}
    if TOO_FEW not in notes:
        notes += _notes_on_defaults(verdicts, defaults)
    notes += [
        f"{v.statement}: no method attains its level; the recommended one is closest."
        for v in verdicts
        if v.recommended and not v.attains_level
    ]
    return Audit(
        n_pos=n_pos,
        n_neg=n_neg,
        population=population,
        auc=made.auc,
        categories=0 if made.support is None else len(made.support),
        confidence_level=level,
        replications={name: statement.replications for name, statement in statements.items()},
        verdicts=tuple(verdicts),
        recommendation={v.statement: v.method for v in verdicts if v.recommended},
        notes=tuple(notes),
    )


def _statements(
    level: float,
    size: tuple[int, int],
    statistics: Sequence[Statistic],
    replications: int,
    band_replications: int,
) -> dict[str, _Statement]:
    """The audited kinds of statements; no bands if `band_replications` is 0."""
    chunk = max(10, min(250, 2_000_000 // sum(size)))

    def intervals(
        evaluator: Evaluator,
        entry: Family,
        quantity: str,
        methods: tuple[str, ...],
        at: tuple[float, ...] = (),
    ) -> _Statement:
        rule = Rule(evaluator, methods, at, confidence_level=level)
        return _Statement(rule, entry, quantity, replications, chunk)

    of = FAMILIES
    found = {"area": intervals(auc_intervals, of["auc_interval"], "auc", AREA_METHODS)}
    if rates := tuple(f for f in FPR if f * size[1] >= 1.0):
        found["TPR at an FPR"] = intervals(tpr_at_fprs, of["tpr_at_fpr"], "tpr", POINT_METHODS, rates)
    found["both rates at a threshold"] = intervals(
        rates_at_threshold, of["rates_at_threshold"], "joint", RATE_METHODS, POSITIVE_RATE
    )
    for each in statistics:
        entry = family_of(each, "interval")
        evaluator = functools.partial(statistic_intervals, each)
        found[each.title.lower()] = intervals(evaluator, entry, each.label, _closed_forms(entry))
    if band_replications:
        rule = Rule(roc_bands, BAND_METHODS, confidence_level=level, n_resamples=200)
        found["band"] = _Statement(rule, of["roc_band"], "curve", band_replications, 5)
    return found


def _of_dependent(statements: dict[str, _Statement]) -> tuple[dict[str, _Statement], list[str]]:
    """The statements that support dependent cases, one per method, and the excluded methods."""
    evaluators: dict[Any, Evaluator] = {
        auc_intervals: dependent.areas,
        tpr_at_fprs: dependent.tprs,
        rates_at_threshold: dependent.rates,
    }
    found, left_out = {}, []
    for name, statement in statements.items():
        rule, rows = statement.rule, statement.family.methods
        kept = tuple(m for m in rule.methods if rows[m].dependence != "refused")
        left_out += [f"{m} ({statement.family.name})" for m in rule.methods if m not in kept]
        function = evaluators.get(rule.function, rule.function)
        chunk = max(10, statement.chunk // 5)
        if kept:
            rule = replace(rule, function=function, methods=kept)
            found[name] = statement._replace(rule=rule, chunk=chunk)
    return found, left_out


def _chunk(
    name: str,
    statement: _Statement,
    population: Any,
    design: Design | None,
    size: tuple[int, int],
    seed: int,
    start: int,
) -> list[Coverage]:
    """Draw and evaluate one chunk of samples; its random stream depends on seed, name and index only."""
    place = start // statement.chunk
    sequence = np.random.SeedSequence([seed, zlib.crc32(name.encode())], spawn_key=(place,))
    rng = np.random.Generator(np.random.SFC64(sequence))
    reps = min(statement.chunk, statement.replications - start)
    samples: Any
    if design is None:
        samples = Samples(*population.draw(rng, *size, reps))
    else:
        samples = dependent.drawn_whole(design, population, rng, reps)
    evaluate = statement.rule.function
    assert callable(evaluate)
    # What goes wrong with single samples is counted.
    with held():
        return evaluate(statement.rule, Drawn(samples, population, "stratified", rng))


def _verdict(statement: str, c: Coverage, level: float) -> Verdict:
    failures = float((c.failures / np.maximum(c.n + c.failures, 1)).max())
    if not c.n.all():
        nan = math.nan
        return Verdict(statement, c.method, nan, nan, nan, nan, nan, failures)
    worst = int(np.argmin(c.share))
    return Verdict(
        statement,
        c.method,
        coverage=float(c.share[worst]),
        error=float(c.error[worst]),
        at=float(c.at[worst]),
        mean_coverage=float(c.share.mean()),
        width=float(c.mean_width.mean()),
        failures=failures,
        attains_level=bool((c.share + c.error >= level - SHORTFALL).all()) and failures < 0.05,
    )


def _recommended(verdicts: list[Verdict], level: float, default: str) -> list[Verdict]:
    """Mark the narrowest method that attains its level, or else the closest one.

    The default is preferred, if it attains its level and is at most barely wider.
    """
    attaining = [v for v in verdicts if v.attains_level]
    # A method slightly below nominal everywhere is accepted, but not preferred for its width.
    on_target = [v for v in attaining if v.mean_coverage + v.error >= level]
    best = (
        min(on_target or attaining, key=lambda v: v.width)
        if attaining
        else max(verdicts, key=lambda v: -1.0 if math.isnan(v.coverage) else v.coverage)
    )
    own = next((v for v in attaining if v.method == default), best)
    best = own if own.width <= NEARLY * best.width else best
    return [v._replace(recommended=v is best) for v in verdicts]


def _notes_on_defaults(verdicts: list[Verdict], defaults: dict[str, str]) -> list[str]:
    """Give the reasons for recommendations other than the default."""
    notes = []
    for best in verdicts:
        default = defaults[best.statement]
        own = next((v for v in verdicts if (v.statement, v.method) == (best.statement, default)), best)
        if best.recommended and best is not own:
            text = WIDER if own.attains_level else SHORT
            wider = own.width / best.width - 1.0
            notes.append(
                text.format(
                    statement=best.statement, default=default, wider=wider, mean=own.mean_coverage,
                    least=own.coverage, method=best.method,
                )
            )  # fmt: skip
    return notes
