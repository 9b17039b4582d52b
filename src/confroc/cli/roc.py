"""The `roc` command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import confroc
from confroc.cli.figures import draw_points
from confroc.cli.options import (
    BOTH,
    Data,
    Decorator,
    choice,
    command,
    data_options,
    output_options,
    resampling_options,
)
from confroc.cli.output import Output
from confroc.cli.wording import about, percent
from confroc.methods import RATES_AT_THRESHOLD, TPR_AT_FPR

if TYPE_CHECKING:
    from confroc.results import Intervals

DEFAULT_FPR = (0.01, 0.05, 0.1, 0.2, 0.5)
METHODS = tuple(dict.fromkeys((*TPR_AT_FPR.names, *RATES_AT_THRESHOLD.names)))


class Asked(NamedTuple):
    """One kind of point: the function that answers, its places, and the table of the answers."""

    function: Callable[..., Any]
    at: tuple[float, ...]
    title: str
    columns: tuple[str, ...]
    sides: tuple[str, ...]


def _rates(flag: str, name: str, help: str) -> Decorator:
    return click.option(flag, name, type=float, multiple=True, metavar="RATE", help=help)


@command(f"{BOTH} --fpr 0.1 --threshold 0.2")
@data_options()
@_rates("--fpr", "fpr", "False positive rate at which to give the TPR; repeat for more.")
@_rates("--tpr", "tpr", "True positive rate at which to give the FPR; repeat for more.")
@_rates("--positive-rate", "positive_rate", "Share of the cases that can be flagged; repeat for more.")
@click.option(
    "--threshold",
    "thresholds",
    type=float,
    multiple=True,
    metavar="SCORE",
    help="Score threshold at which to give both rates; repeat for more.",
)
@choice("--method", METHODS, "agresti_coull", "Interval method.")
@resampling_options(2000)
@output_options(plot="the curves with these points")
def roc(
    data: Data,
    fpr: tuple[float, ...],
    tpr: tuple[float, ...],
    positive_rate: tuple[float, ...],
    thresholds: tuple[float, ...],
    method: Any,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print points of the ROC curve with intervals, each point by itself.

    Points are asked for by false positive rate, true positive rate, threshold, or share of cases flagged;
    without any of these, a few false positive rates are shown. --json adds the whole curve. For a statement
    about all points at once, see `confroc band`.
    """
    with out:
        cases = data.read(out)
        if not (fpr or tpr or positive_rate or thresholds):
            n_neg = next(iter(cases.models.values())).n_neg
            fpr = tuple(f for f in DEFAULT_FPR if f * n_neg >= 1)
        level = f"{percent(data.confidence_level)} pointwise intervals"
        asked = {
            "tpr_at_fpr": Asked(
                confroc.tpr_at_fpr,
                fpr,
                f"True positive rate at a false positive rate, {level}",
                ("FPR", "TPR", "lower", "upper"),
                (),
            ),
            "fpr_at_tpr": Asked(
                confroc.fpr_at_tpr,
                tpr,
                f"False positive rate at a true positive rate, {level}",
                ("TPR", "FPR", "lower", "upper"),
                (),
            ),
            "rates_at_threshold": Asked(
                confroc.rates_at_threshold,
                thresholds,
                f"Rates at a threshold, {percent(data.confidence_level)} joint rectangles",
                ("threshold", "FPR", "lower", "upper", "TPR", "lower", "upper"),
                ("fpr", "tpr"),
            ),
            "rates_at_positive_rate": Asked(
                confroc.rates_at_positive_rate,
                positive_rate,
                f"When a share of the cases is flagged, {level}",
                ("flagged", "TPR", "lower", "upper", "precision", "lower", "upper"),
                ("tpr", "precision"),
            ),
        }
        asked = {key: question for key, question in asked.items() if question.at}
        options = {
            "method": method,
            "confidence_level": data.confidence_level,
            "n_resamples": n_resamples,
            "rng": seed,
        }
        found = {
            name: {key: question.function(model, question.at, **options) for key, question in asked.items()}
            for name, model in out.each(cases.models, "points")
        }
        out.draw(lambda ax: draw_points(ax, cases.models, found))
        if out.as_json:
            content = {
                name: {"curve": confroc.roc_curve(model).to_dict()}
                | {key: value.to_dict() for key, value in found[name].items()}
                for name, model in cases.models.items()
            }
            out.json({"roc": content}, cases)
            return
        for key, question in asked.items():
            out.remark({name: results[key] for name, results in found.items()})
            out.table(
                question.title,
                ["model", *question.columns],
                [[name, *row] for name in found for row in _rows(found[name][key], question.sides)],
                about(cases),
            )


def _rows(found: Any, sides: tuple[str, ...]) -> list[list[str]]:
    parts: list[Intervals] = [getattr(found, side) for side in sides] or [found]
    return [
        [f"{at:.4g}", *(f"{v[i]:.4f}" for part in parts for v in (part.estimate, part.lower, part.upper))]
        for i, at in enumerate(found.at)
    ]
