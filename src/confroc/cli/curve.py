"""The `roc` and `band` commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import numpy as np

import confroc
from confroc.bands import BAND_METHODS
from confroc.cli.options import (
    Data,
    Helpful,
    data_options,
    json_option,
    percent,
    print_json,
    print_table,
    seed_option,
    told_plainly,
)
from confroc.results import one_sided_limits

if TYPE_CHECKING:
    from confroc.results import Band, Intervals

DEFAULT_FPR = (0.01, 0.05, 0.1, 0.2, 0.5)
BAND_FPR = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


@click.command(cls=Helpful)
@data_options
@click.option("--fpr", "rates", type=float, multiple=True, help="False positive rate; repeat for more.")
@click.option(
    "--threshold", "thresholds", type=float, multiple=True, help="Score threshold; repeat for more."
)
@seed_option
@json_option
def roc(
    data: Data, rates: tuple[float, ...], thresholds: tuple[float, ...], seed: int, as_json: bool
) -> None:
    """Print points of the ROC curve with intervals: TPR at given FPRs, both rates at given thresholds.

    JSON output adds the whole curve and its simultaneous band.
    """
    with told_plainly():
        cases = data.read()
        level = data.confidence_level
        n_neg = next(iter(cases.models.values())).n_neg
        wanted = rates
        if not rates and not thresholds:
            wanted = tuple(f for f in DEFAULT_FPR if f * n_neg >= 1)
        content: dict[str, Any] = {}
        fpr_rows, threshold_rows = [], []
        for name, model in cases.models.items():
            entry: dict[str, Any] = {"curve": confroc.roc_curve(model).to_dict()} if as_json else {}
            if wanted:
                points = confroc.tpr_at_fpr(model, wanted, confidence_level=level)
                entry["tpr_at_fpr"] = points.to_dict()
                fpr_rows += [[name, *row] for row in _interval_rows(points)]
            if thresholds:
                regions = confroc.rates_at_threshold(model, thresholds, confidence_level=level)
                entry["rates_at_threshold"] = regions.to_dict()
                for (t, *tpr), (_, *fpr) in zip(
                    _interval_rows(regions.tpr), _interval_rows(regions.fpr), strict=True
                ):
                    threshold_rows.append([name, t, *fpr, *tpr])
            if as_json:
                entry["band"] = confroc.roc_band(model, confidence_level=level, rng=seed).to_dict()
            content[name] = entry
        if as_json:
            print_json("roc", cases, {"roc": content})
            return
        if fpr_rows:
            print_table(
                f"True positive rate at a false positive rate, {percent(level)} pointwise intervals",
                ["model", "FPR", "TPR", "lower", "upper"],
                fpr_rows,
                cases,
            )
        if threshold_rows:
            print_table(
                f"Rates at a threshold, {percent(level)} joint rectangles",
                ["model", "threshold", "FPR", "lower", "upper", "TPR", "lower", "upper"],
                threshold_rows,
                cases,
            )


def _interval_rows(intervals: Intervals) -> list[list[str]]:
    columns = (intervals.at, intervals.estimate, intervals.lower, intervals.upper)
    return [[f"{at:.6g}", *(f"{v:.4f}" for v in values)] for at, *values in zip(*columns, strict=True)]


@click.command(cls=Helpful)
@data_options
@click.option(
    "--method",
    type=click.Choice(BAND_METHODS),
    default="equal_local_levels",
    show_default=True,
    help="Band method.",
)
@click.option(
    "--fpr",
    "part",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    help="Hold only between these false positive rates.",
)
@seed_option
@json_option
def band(data: Data, method: Any, part: tuple[float, float] | None, seed: int, as_json: bool) -> None:
    """Print a simultaneous confidence band: it holds the whole true curve with the stated confidence."""
    with told_plainly():
        cases = data.read()
        found = {
            name: confroc.roc_band(
                model, method=method, fpr=part, confidence_level=data.confidence_level, rng=seed
            )
            for name, model in cases.models.items()
        }
        if as_json:
            print_json("band", cases, {"band": {name: value.to_dict() for name, value in found.items()}})
            return
        rows = [[name, *row] for name, value in found.items() for row in _band_rows(value, part)]
        print_table(
            f"Confidence band for the whole curve, {percent(data.confidence_level)} simultaneous ({method})",
            ["model", "FPR", "lower TPR", "upper TPR"],
            rows,
            cases,
        )


def _band_rows(band: Band, part: tuple[float, float] | None) -> list[list[str]]:
    low, high = part or (0.0, 1.0)
    at = np.array([f for f in BAND_FPR if low <= f <= high] if part is None else np.linspace(low, high, 6))
    lower = one_sided_limits(band.fpr, band.lower, at)[0]
    upper = one_sided_limits(band.fpr, band.upper, at)[1]
    return [[f"{f:.6g}", f"{a:.4f}", f"{b:.4f}"] for f, a, b in zip(at, lower, upper, strict=True)]
