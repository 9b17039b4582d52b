"""The report's section on scores: what it says of calibration, which models it shows, what the file holds."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from confroc import PairedScores, Scores, calibration_band, rates_at_positive_rate
from confroc._files import json_text
from confroc.pages.described import calibration, described
from confroc.pages.section import SEED, ReportData

g = np.random.default_rng(4)
RISK = g.random(3000)
Y = g.random(3000) < RISK


def data(models: dict[str, Scores]) -> ReportData:
    return ReportData(models=models, n_rows=3000, n_dropped=0)


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (RISK, "m is not significantly miscalibrated (95% band)."),
        (np.sqrt(RISK), "m is miscalibrated: positives are less frequent than predicted at scores of"),
        (RISK**2, "m is miscalibrated: positives are more frequent than predicted at scores of"),
        (
            10.0 * RISK - 5.0,
            "m: proportion of positives at scores from ",
        ),
        (100.0 * RISK, "If they are percentages, divide the column by 100 and make the report again."),
    ],
    ids=["calibrated", "too high", "too low", "marker", "percentages"],
)
def test_calibration(score: Any, said: str) -> None:
    scores = Scores(Y, score)
    assert said in calibration("m", calibration_band(scores), scores)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_calibration_of_classes_and_constants_is_not_assessed() -> None:
    models = {"classes": Scores(Y, (RISK > 0.3).astype(float)), "constant": Scores(Y, np.full(3000, 0.2))}
    section = described(data(models))
    told = {panel["model"]: panel["sentence"] for panel in section.view["panels"]}
    assert told["classes"] == "classes: the scores are predicted classes, so calibration cannot be assessed."
    assert told["constant"] == "constant: all scores are equal, so calibration cannot be assessed."


def test_calibration_names_both_directions_and_the_widest_range_of_each() -> None:
    extreme = np.where(RISK > 0.5, 1.0 - 2.0 * (1.0 - RISK) ** 2, 2.0 * RISK**2)
    scores = Scores(Y, extreme)
    text = calibration("m", calibration_band(scores), scores)
    assert "less frequent than predicted at scores of 0." in text
    assert " and more frequent than predicted at scores of 0." in text
    assert text.count(" to ") <= 2


def test_negative_scores_can_be_read() -> None:
    scores = Scores.from_counts([-2.5, 0.5], pos=[10, 50], neg=[90, 50])
    assert "from −2.5 to 0.5." in calibration("m", calibration_band(scores), scores)


def test_miscalibration_is_stated_at_observed_scores() -> None:
    """The band excludes the diagonal from 0.34 to 0.5 and from 0.54 to 0.9, where two scores are."""
    over = Scores.from_counts([0.1, 0.5, 0.9], pos=[100, 300, 500], neg=[900, 700, 500])
    band = calibration_band(over, calibration="exact")
    assert calibration("m", band, over).endswith(
        "less frequent than predicted at scores of 0.5 (and 1 shorter range)."
    )


def test_numbers_are_the_librarys() -> None:
    pair = PairedScores(Y, RISK, 5.0 * RISK + g.normal(size=3000), names=["risk", "marker"])
    section = described(data({name: pair[name] for name in pair.names}))
    first, second = json.loads(json_text(section.record))
    assert (first["model"], first["calibration"]["calibrated"]) == ("risk", True)
    assert second["calibration"]["calibrated"] is None
    band = calibration_band(pair["risk"], rng=SEED)
    assert set(first["calibration"]["score"]) <= set(band.at.tolist())
    assert first["calibration"]["guarantee"] == "bootstrap"
    found = rates_at_positive_rate(pair["risk"], positive_rate=[0.1, 0.5])
    tenth, half = first["gains"]["rows"][0], first["gains"]["rows"][-1]
    assert (tenth["estimate"], half["lower"]) == (found.tpr.estimate[0], found.tpr.lower[1])
    assert tenth["lift"] == pytest.approx(tenth["estimate"] / 0.1)
    assert sum(first["distribution"]["pos"]) == pytest.approx(1.0)
    assert {use[0] for use in section.uses} == {"calibration_band", "rates_at_positive_rate"}


def test_rare_outcomes_are_drawn_up_to_where_the_cases_are() -> None:
    rare = Scores.from_counts([0.01, 0.1, 0.17, 0.9], pos=[10, 100, 170, 6], neg=[990, 900, 830, 1])
    panel = described(data({"rare": rare})).view["panels"][0]
    assert (panel["end"], panel["bins"].beyond) == (0.2, 7)
    assert re.findall(r">(0[.\d]*)</text>", panel["figure"]) == ["0", "0.05", "0.1", "0.15", "0.2"] * 2
    panel = described(data({"usual": Scores(Y, RISK)})).view["panels"][0]
    assert (panel["end"], panel["bins"].words) == (1.0, "")
    assert re.findall(r">([01][.\d]*)</text>", panel["figure"]) == ["0", "0.2", "0.4", "0.6", "0.8", "1"] * 2


def test_of_many_models_the_leading_three() -> None:
    models = {f"m{k}": Scores(Y, RISK + k * g.normal(size=3000)) for k in (3, 0, 2, 1)}
    section = described(data(models))
    assert [panel["model"] for panel in section.view["panels"]] == ["m0", "m2", "m1"]
    assert section.view["left_out"] == 1
    # The colors are those that the models have elsewhere on the page.
    assert [panel["row"] for panel in section.view["panels"]] == [1, 2, 3]
