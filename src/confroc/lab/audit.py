"""The audit: which methods attain their level on data like yours.

The user's sample, smoothed or as it is, becomes a population whose truth is known; samples of the user's size
are drawn from it and given to every method. What the audit says holds for that population: it knows the shape
of the curve only as well as the sample does, and nothing of changes to come.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._calls import public
from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    check_callable,
    check_choice,
    check_count,
    check_level,
    check_size,
    make_rng,
)
from confroc._types import RNG
from confroc.lab.coverage import Coverage
from confroc.lab.populations import SamplePopulation
from confroc.lab.rules import Rule
from confroc.lab.run import Progress, run_study
from confroc.lab.smoothed import SmoothedCopy
from confroc.lab.study import Cell, Study
from confroc.methods import FUNCTIONS
from confroc.results import Result
from confroc.scores import Scores, check_scores

Source: TypeAlias = Literal["smoothed", "resampled"]
SOURCES = ("smoothed", "resampled")

SHORTFALL = 0.01
"""Coverage below the level that is let pass, beyond one Monte Carlo standard error."""

BUDGET = 400_000_000
"""Cases drawn per kind of statement, over all samples, beyond which samples are fewer (at least 200)."""

FEWEST_TO_DECIDE = 1000
"""Samples for intervals below which coverages differ by chance as much as methods do."""

LARGEST_FOR_BANDS = 20_000
"""Cases beyond which bands are left out: some take the square of their number."""


def _closed_forms(function: str, *left_out: str) -> tuple[str, ...]:
    """The methods of a function that need no resampling, which would take too long here."""
    rows = FUNCTIONS[function].methods.values()
    return tuple(row.name for row in rows if "n_resamples" not in row.options and row.name not in left_out)


# Left out is what needs more than the order of the scores, and what has no form for many samples at once.
AREA_METHODS = _closed_forms("auc_interval", "binormal", "cortes_mohri", "exact_bootstrap")
POINT_METHODS = _closed_forms("tpr_at_fpr", "kernel")
RATE_METHODS = _closed_forms("rates_at_threshold")
# Bands differ a hundredfold in the time they take; these are what people choose between.
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
    """What the audit found of one method for one kind of statement.

    Attributes
    ----------
    statement, method : str
    coverage, error : float
        At the place where it is least, with its Monte Carlo standard error.
    at : float
        That place; nan where there is one only.
    mean_coverage, width : float
        Mean over the places; for bands the width is the area, for rectangles the area.
    failures : float
        Share of samples without an interval.
    attains_level : bool
        Whether the coverage is close enough to the level everywhere; see `audit`.
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


@public
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Audit(Result):
    """Coverage and width of every method on a population made of one's own sample.

    Attributes
    ----------
    n_pos, n_neg : int
        Size of the samples.
    population : {"smoothed", "resampled"}
    auc : float
        Of the population.
    categories : int
        Distinct scores of the population; 0 when scores are taken as continuous.
    confidence_level : float
    replications : dict
        Samples per kind of statement.
    verdicts : tuple of Verdict
    recommendation : dict
        The recommended method of each kind of statement.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain Python values; each verdict is a dict."""
        return {**super().to_dict(), "verdicts": [v._asdict() for v in self.verdicts]}

    _spare = ("error", "at", "failures", "mean_coverage")

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(v, name) for v in self.verdicts] for name in Verdict._fields}

    def _shown(self, most: int | None) -> tuple[dict[str, Any], int | None]:
        """Of more methods than that, first those recommended, then those that attain their level."""
        best = [(not v.recommended, not v.attains_level) for v in self.verdicts]
        ranked = sorted(range(len(best)), key=lambda row: best[row])
        rows = sorted(ranked[:most])
        return {name: [values[row] for row in rows] for name, values in self._columns().items()}, None

    def _heading(self) -> str:
        made = f"samples of {self.n_pos} + {self.n_neg}"
        return f"Audit: coverage on the {self.population} data, {made}, auc {self.auc:.4f}"


@public
def audit(
    scores: Scores,
    *,
    confidence_level: float = 0.95,
    size: tuple[int, int] | None = None,
    population: Source = "smoothed",
    replications: int = 2000,
    band_replications: int = 200,
    bands: bool = True,
    rng: RNG = None,
    n_jobs: int = 1,
    progress: Progress | None = None,
) -> Audit:
    """Find out which interval and band methods attain their level on data like these.

    Parameters
    ----------
    scores : Scores
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (n_pos, n_neg) of the samples; by default the data's own.
    population : {"smoothed", "resampled"}
        smoothed : the normal scores of the sample's pooled ranks with a little noise, or its categories when
            many cases tie; see `SmoothedCopy`.
        resampled : the very cases of the sample, drawn with replacement. For a sample much larger than
            `size`; with about as many cases as are drawn, repeated scores tie as they never did.
    replications, band_replications : int
        Samples for intervals and for bands; fewer when samples are very large, as `notes` says. With 2,000
        the standard error of a coverage of 0.95 is 0.005, with 200 it is 0.015, so that one band in twenty
        that attains its level is taken for one that does not.
    bands : bool
        Audit bands too; they take most of the time.
    rng : Generator, int or None
    n_jobs : int
        Processes; the result does not depend on it.
    progress : callable, optional
        As in `run_study`.

    Returns
    -------
    Audit
        A method attains its level when its coverage, where it is least, is within one Monte Carlo standard
        error and one percentage point of the level. Recommended is the narrowest of those whose mean coverage
        over the places is within one Monte Carlo standard error of the level; or else of those that
        attain theirs; when none does, the one that comes closest.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.lab import audit
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> found = audit(scores, replications=500, bands=False, rng=1)
    >>> [v.method for v in found.verdicts if v.statement == "both rates at a threshold" and v.attains_level]
    ['agresti_coull', 'wilson', 'clopper_pearson']
    """
    check_scores("scores", scores)
    level = check_level(confidence_level)
    n_pos, n_neg = check_size(size, scores.n_pos, scores.n_neg)
    check_callable("progress", progress)
    for name, value in (("replications", replications), ("band_replications", band_replications)):
        check_count(name, value, minimum=20, maximum=MOST_RESAMPLES)
    if min(scores.n_pos, scores.n_neg) < 2 or len(scores.score) < 2:
        raise ArgumentError(
            "scores",
            "hold two cases of each class and two different scores",
            scores,
            "There is no spread to make a population of.",
        )
    check_choice("population", population, SOURCES)
    made = SmoothedCopy.of(scores) if population == "smoothed" else SamplePopulation.of(scores)
    seed = int(make_rng(rng).integers(2**31))
    n = n_pos + n_neg
    notes: tuple[str, ...] = ()
    if population == "resampled" and (10 * n_pos > scores.n_pos or 10 * n_neg > scores.n_neg):
        notes += (
            f"samples of {n_pos} + {n_neg} from {scores.n_pos} + {scores.n_neg} cases hold many of them "
            "twice and so tie; take a smaller `size`, or the smoothed population.",
        )
    if replications < FEWEST_TO_DECIDE:
        error = math.sqrt(level * (1.0 - level) / replications)
        notes += (
            f"{replications} samples do not decide between methods: a coverage of {level:.12g} has a "
            f"standard error of {error:.2g}. Draw 2000 or more before you leave a default.",
        )
    if replications > max(200, BUDGET // n):
        replications = max(200, BUDGET // n)
        notes += (f"{replications} samples are drawn: more of {n} cases would take very long.",)
    if bands and n > LARGEST_FOR_BANDS:
        bands = False
        notes += (f"bands are left out beyond {LARGEST_FOR_BANDS} cases; audit them with a smaller `size`.",)
    cells = {
        name: Cell(name=name, population=made, size=(n_pos, n_neg), rule=rule, chunk=_chunk(n, name))
        for name, rule in _rules(level, n_neg, bands).items()
    }
    verdicts: list[Verdict] = []
    counts = {name: band_replications if name == "band" else replications for name in cells}
    studies = [
        Study(name=name, cells=(cell,), replications=counts[name], seed=seed) for name, cell in cells.items()
    ]
    for number, study in enumerate(studies):
        tell = None if progress is None else _part_of(progress, number, len(studies))
        verdicts += _verdicts(
            run_study(study, n_jobs=n_jobs, progress=tell).cells[0].counts, study.name, level
        )
    notes += tuple(
        f"no method attains its level for the {v.statement}: recommended is the one that comes closest, "
        f"{v.method}."
        for v in verdicts
        if v.recommended and not v.attains_level
    )
    return Audit(
        n_pos=n_pos,
        n_neg=n_neg,
        population=population,
        auc=made.auc,
        categories=0 if made.support is None else len(made.support),
        confidence_level=level,
        replications=counts,
        verdicts=tuple(verdicts),
        recommendation={v.statement: v.method for v in verdicts if v.recommended},
        notes=notes,
    )


def _chunk(n: int, name: str) -> int:
    return 5 if name == "band" else max(10, min(250, 2_000_000 // n))


def _part_of(progress: Progress, number: int, of: int) -> Progress:
    def tell(done: float, total: float) -> None:
        progress(number + done / total, float(of))

    return tell


def _rules(level: float, n_neg: int, bands: bool) -> dict[str, Rule]:
    """A rule for each kind of statement."""
    found = {"area": Rule("auc_interval", AREA_METHODS, confidence_level=level)}
    if rates := tuple(f for f in FPR if f * n_neg >= 1.0):
        found["TPR at an FPR"] = Rule("tpr_at_fpr", POINT_METHODS, rates, confidence_level=level)
    found["both rates at a threshold"] = Rule(
        "rates_at_threshold", RATE_METHODS, POSITIVE_RATE, confidence_level=level
    )
    if bands:
        found["band"] = Rule("roc_band", BAND_METHODS, confidence_level=level, n_resamples=200)
    return found


QUANTITY = {"area": "auc", "TPR at an FPR": "tpr", "both rates at a threshold": "joint", "band": "curve"}


def _verdicts(counts: Sequence[Coverage], statement: str, level: float) -> list[Verdict]:
    rows = []
    for c in counts:
        if c.quantity != QUANTITY[statement]:
            continue
        lost = float((c.failures / np.maximum(c.n + c.failures, 1)).max())
        if not c.n.all():
            nothing = math.nan
            rows.append(Verdict(statement, c.method, nothing, nothing, nothing, nothing, nothing, lost))
            continue
        worst = int(np.argmin(c.share))
        rows.append(
            Verdict(
                statement,
                c.method,
                coverage=float(c.share[worst]),
                error=float(c.error[worst]),
                at=float(c.at[worst]),
                mean_coverage=float(c.share.mean()),
                width=float(c.mean_width.mean()),
                failures=lost,
                attains_level=bool((c.share + c.error >= level - SHORTFALL).all()) and lost < 0.05,
            )
        )
    attaining = [v for v in rows if v.attains_level]
    # A method a little below the level throughout is let pass, but not preferred for being narrow.
    on_target = [v for v in attaining if v.mean_coverage + v.error >= level]
    best = (
        min(on_target or attaining, key=lambda v: v.width)
        if attaining
        else max(rows, key=lambda v: -1.0 if math.isnan(v.coverage) else v.coverage)
    )
    return [v._replace(recommended=v is best) for v in rows]
