"""Distributions of the scores, calibration, and gains."""

from __future__ import annotations

from typing import Any

from confroc.bands import CalibrationBand, calibration_band
from confroc.bands.calibration import reach
from confroc.pages import words
from confroc.pages.figures import described_figure
from confroc.pages.section import ENDS, FEW, SEED, ReportData, Section, band_record, claims, noted
from confroc.pages.templating import sentence
from confroc.points import rates_at_positive_rate
from confroc.scores import Scores
from confroc.scores.binning import binned

SHARES = (0.1, 0.2, 0.3, 0.5)
"""Predicted-positive rates of the table of gains."""


def described(data: ReportData) -> Section:
    """Show distributions, calibration in bands, and gains, with many models those of the leading ones."""
    shown = sorted(data.models, key=lambda name: -data.models[name].auc)[:FEW]
    panels: list[dict[str, Any]] = []
    record: list[dict[str, Any]] = []
    notes, uses = [], []
    for row, (name, scores) in enumerate(data.models.items()):
        if name not in shown:
            continue
        band, remarks = noted(calibration_band, scores, confidence_level=data.confidence_level, rng=SEED)
        found, about = noted(
            rates_at_positive_rate, scores, positive_rate=SHARES, confidence_level=data.confidence_level
        )
        # Other scores between 0 and 1 may be probabilities.
        what = "constant" if len(scores.score) == 1 else "classes" if scores._classes else ""
        turned = name in data.turned
        verdict = calibration(name, band, scores, what, turned=turned)
        end = reach(band, scores)
        bins = binned(scores, end)
        gains = [
            {"positive_rate": share}
            | {end: float(getattr(found.tpr, end)[i]) for end in ENDS}
            | {"lift": float(found.tpr.estimate[i]) / share}
            for i, share in enumerate(SHARES)
        ]
        alt = f"Scores in either class, and the probability of a positive at each score. {verdict}"
        figure = described_figure(bins, band, row=row, alt=alt, end=end, turned=turned)
        panels.append({
            "model": name,
            "row": row,
            "figure": figure,
            "sentence": verdict,
            "tested": band.calibrated is not None and not what,
            "bins": bins,
            "end": end,
            "gains": gains,
            "notes": (*remarks, *about),
        })  # fmt: skip
        record.append({
            "model": name,
            "distribution": bins._asdict() | {"clipped": bins.clipped},
            "calibration": band_record(band, remarks, ENDS)
            | {"calibrated": band.calibrated, "miscalibrated_at": [list(s) for s in band.miscalibrated_at]},
            "gains": {"rows": gains, "notes": list(about)} | claims(found),
        })  # fmt: skip
        notes += [(name, text) for text in (*remarks, *about)]
        uses += [
            ("calibration_band", name, str(band.method)),
            ("rates_at_positive_rate", name, str(found.method)),
        ]
    probabilities = any(entry["calibration"]["calibrated"] is not None for entry in record)
    return Section(
        key="described",
        title="Calibration" if probabilities else "Scores",
        template="described.html",
        view={
            "panels": panels,
            "guarantee": record[0]["calibration"]["guarantee"],
            "heads": [f"Highest {words.percent(share)}" for share in SHARES],
            "left_out": len(data.models) - len(shown),
            "probabilities": probabilities,
        },
        record=record,
        headlines=[p["sentence"] for p in panels if p["tested"] and p["model"] == data.leader],
        notes=notes,
        uses=uses,
    )


def calibration(
    name: str, band: CalibrationBand, scores: Scores, what: str = "", *, turned: bool = False
) -> str:
    """Return the sentence on the calibration of a model.

    `what` is a kind of scores that cannot be calibrated, or empty.
    It states the observed scores at which the band excludes the diagonal. If the scores are a column with its
    sign reversed (`turned`), it states the column's values.
    """
    low, high = band.at_range
    # Within a range that excludes the diagonal, the band is on one side of it.
    rarer: list[tuple[float, float]] = []
    more: list[tuple[float, float]] = []
    for start, stop in band.miscalibrated_at:
        middle = 0.5 * (start + stop)
        observed = scores.score[(scores.score >= start) & (scores.score <= stop)]
        if len(observed):
            found = float(f"{observed[-1]:.3g}"), float(f"{observed[0]:.3g}")
            (rarer if float(band.at_score(middle).estimate[0]) < middle else more).append(found)
    return sentence(
        "calibration",
        name=name,
        what=what,
        calibrated=band.calibrated,
        ends=(-high, -low) if turned else (low, high),
        percentages=low >= 0.0 and 10.0 < high <= 100.0,
        rarer=rarer,
        more=more,
        level=band.confidence_level,
    )
