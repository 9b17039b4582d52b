"""The `band` command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import numpy as np

import confroc
from confroc import methods
from confroc.bands.averaging import DISTRIBUTIONS
from confroc.bands.ball import METRICS
from confroc.bands.fixed_width import SLOPES
from confroc.bands.local_levels import CALIBRATIONS
from confroc.cli.options import ONE, Data, choice, command, data_options, output_options, resampling_options
from confroc.cli.output import Output
from confroc.cli.wording import about, percent
from confroc.results import one_sided_limits

if TYPE_CHECKING:
    from confroc.results import Band

SHOWN = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


@command(ONE)
@data_options()
@choice("--method", methods.ROC_BAND.names, "equal_local_levels", "Band method.")
@choice(
    "--calibration",
    CALIBRATIONS,
    "bootstrap",
    "Of equal_local_levels: close to nominal, or by proof for every sample size (wider).",
)
@choice("--distribution", DISTRIBUTIONS, "normal", "Of vertical_averaging and threshold_averaging.")
@choice("--slope", SLOPES, "corrected", "Of fixed_width.")
@choice("--metric", METRICS, "db", "Of bootstrap.")
@click.option(
    "--smoothing/--no-smoothing",
    default=True,
    show_default=True,
    help="Of bootstrap: resample from smoothed scores.",
)
@click.option(
    "--joint/--no-joint",
    default=True,
    show_default=True,
    help="Of ks_regions: the level is that of both rates together, or of each.",
)
@click.option(
    "--fpr",
    "part",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    help="Hold only between these false positive rates.",
)
@resampling_options(999)
@output_options(plot="the curves inside their bands")
def band(
    data: Data,
    method: Any,
    calibration: Any,
    distribution: Any,
    slope: Any,
    metric: Any,
    smoothing: bool,
    joint: bool,
    part: tuple[float, float] | None,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print a simultaneous confidence band: it holds the whole true curve with the stated confidence.

    The table shows the band at a few rates; --json prints all of it.
    """
    with out:
        cases = data.read(out)
        found = {
            name: confroc.roc_band(
                model,
                method=method,
                calibration=calibration,
                distribution=distribution,
                slope=slope,
                metric=metric,
                smoothing=smoothing,
                joint=joint,
                fpr=part,
                confidence_level=data.confidence_level,
                n_resamples=n_resamples,
                rng=seed,
            )
            for name, model in out.each(cases.models, "band")
        }
        out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()])
        if out.as_json:
            out.json({"band": {name: value.to_dict() for name, value in found.items()}}, cases)
            return
        out.remark(found)
        kind = next(iter(found.values())).kind
        out.table(
            f"Confidence band for the whole curve, {percent(data.confidence_level)} {kind} ({method})",
            ["model", "FPR", "TPR", "lower", "upper"],
            [[name, *row] for name, value in found.items() for row in _rows(value, part)],
            about(cases),
        )


def _rows(band: Band, part: tuple[float, float] | None) -> list[list[str]]:
    at = np.array(SHOWN) if part is None else np.linspace(*part, 6)
    curve = one_sided_limits(band.at, band.estimate, at)[1]
    lower = one_sided_limits(band.at, band.lower, at)[0]
    upper = one_sided_limits(band.at, band.upper, at)[1]
    return [
        [f"{f:.4g}", *(f"{v:.4f}" for v in rest)] for f, *rest in zip(at, curve, lower, upper, strict=True)
    ]
