"""What colleagues expect beside the curve: distributions of the scores, calibration, gains."""

from __future__ import annotations

from typing import Any

import numpy as np

from confroc.bands import calibration_band
from confroc.pages import words
from confroc.pages.curves import MANY
from confroc.pages.figures import described_figure
from confroc.pages.section import ENDS, FEW, ReportData, Section, band_record, claims, noted
from confroc.plot.calibration import reach
from confroc.plot.distribution import Bins, binned
from confroc.points import rates_at_positive_rate
from confroc.results import CalibrationBand, between

SHARES = (0.1, 0.2, 0.3, 0.5)
"""Shares flagged at which gains are tabulated."""


def described(data: ReportData) -> Section:
    """Show distributions, calibration in bands, and gains; of many models, those of the leading few."""
    shown = sorted(data.models, key=lambda name: -data.models[name].auc)[:FEW]
    panels: list[dict[str, Any]] = []
    record: list[dict[str, Any]] = []
    notes, uses = [], []
    for row, (name, scores) in enumerate(data.models.items()):
        if name not in shown:
            continue
        band, said = noted(calibration_band, scores, confidence_level=data.confidence_level)
        # Among so many cases the normal interval is as good, and takes no time.
        method = "agresti_coull" if min(scores.n_pos, scores.n_neg) >= MANY else "beta_mixture"
        found, about = noted(
            rates_at_positive_rate, scores, SHARES, method=method, confidence_level=data.confidence_level
        )
        # Nobody knows whether a number between 0 and 1 is meant as a probability; these are not.
        what = "all equal" if len(scores.score) == 1 else "predicted classes" if scores._classes else ""
        sentence = f"These scores are {what}: there is no calibration to judge." if what else verdict(band)
        end = reach(band, scores)
        bins = binned(scores, end)
        gains = [
            {"positive_rate": share}
            | {end: float(getattr(found.tpr, end)[i]) for end in ENDS}
            | {"lift": float(found.tpr.estimate[i]) / share}
            for i, share in enumerate(SHARES)
        ]
        alt = f"Scores of {name} in either class, and the probability of a positive at each score. {sentence}"
        figure = described_figure(bins, band, row=row, key=f"described-{row}", alt=alt, end=end)
        panels.append({
            "model": name,
            "row": row,
            "figure": figure,
            "sentence": sentence,
            "axis": f"both axes end at {end:g}; {_beyond(bins)}" if end < 1.0 and bins.beyond else bins.words,
            "gains": gains,
            "notes": (*said, *about),
        })  # fmt: skip
        record.append({
            "model": name,
            "distribution": _bins_record(bins),
            "calibration": band_record(band, said, ENDS)
            | {"calibrated": band.calibrated, "miscalibrated_at": [list(s) for s in band.miscalibrated_at]},
            "gains": {"rows": gains, "notes": list(about)} | claims(found),
        })  # fmt: skip
        notes += [(name, text) for text in (*said, *about)]
        uses += [("calibration_band", name, band.method), ("rates_at_positive_rate", name, found.method)]
    return Section(
        key="described",
        title="The scores: distributions, calibration, gains",
        template="described.html",
        view={
            "panels": panels,
            "shares": SHARES,
            "left_out": len(data.models) - len(shown),
            "probabilities": any(entry["calibration"]["calibrated"] is not None for entry in record),
        },
        record=record,
        notes=notes,
        uses=uses,
    )


def _beyond(bins: Bins) -> str:
    """Say what the last bar of probabilities holds."""
    return f"the last bars hold the {words.plural(bins.beyond, 'case')} beyond"


def _bins_record(bins: Bins) -> dict[str, Any]:
    shares = {name: getattr(bins, name).tolist() for name in ("edges", "pos", "neg")}
    return shares | {"clipped": bins.clipped, "log": bins.log}


def verdict(band: CalibrationBand) -> str:
    """Say whether the scores may be the probabilities, and if not, where and which way they are off."""
    if band.calibrated is None:
        low, high = band.at_range
        ends = between(low, high)
        return f"These scores ({ends}) are no probabilities, so there is no diagonal to compare with."
    if band.calibrated:
        # The reach of the band says what "not rejected" does not.
        width = float(np.median(band.upper - band.lower))
        return (
            "Taken as probabilities, their calibration is not rejected: the band contains the diagonal, and "
            f"others besides (its median width is {words.number(round(width, 2))})."
        )
    # In the middle of a stretch the whole band is on one side of the diagonal.
    rarer: list[tuple[float, float]] = []
    more: list[tuple[float, float]] = []
    for stretch in band.miscalibrated_at:
        middle = 0.5 * sum(stretch)
        (rarer if float(band.at_score(middle).upper[0]) < middle else more).append(stretch)
    parts = [
        f"positives are {way} than the score says at {_listed(stretches)}"
        for stretches, way in ((rarer, "rarer"), (more, "more frequent"))
        if stretches
    ]
    return f"Taken as probabilities, their calibration is rejected: {', and '.join(parts)}."


def _ends(low: float, high: float) -> str:
    """Return a stretch in two digits, or as many as tell its ends apart."""
    texts = [(f"{low:.{digits}g}", f"{high:.{digits}g}") for digits in range(2, 18)]
    return " to ".join(next((pair for pair in texts if pair[0] != pair[1]), texts[-1]))


def _listed(stretches: list[tuple[float, float]]) -> str:
    """Return the widest stretches in words."""
    told, rest = words.widest(stretches)
    return f"scores {words.listed([_ends(*ends) for ends in told] + rest, 'and')}"
