"""Numbers stay what they were: every recorded result again, bit for bit.

The last bits differ with other versions of NumPy and SciPy or on another processor. There the numbers are
held to a relative 1e-6 instead, which leaves room for what root finding makes of last bits. The number of
threads matters only to cases listed in `TOLERANCE`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from recorded.cases import CASES, RESULTS, TOLERANCE, environment, result_of

RECORDED: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
FEWEST = 200


def flat(kept: Any) -> list[float]:
    """Return the numbers of one recorded array; of a thinned one, its length and sum first."""
    return kept if isinstance(kept, list) else [kept["length"], kept["sum"], *kept["some"]]


def test_every_case_is_recorded_and_every_record_has_its_case() -> None:
    assert set(CASES) == set(RECORDED["cases"])
    assert len(CASES) >= FEWEST


def test_tolerances_belong_to_cases_and_have_a_reason() -> None:
    assert set(TOLERANCE) <= set(CASES)
    for name, (largest, reason) in TOLERANCE.items():
        assert largest > 0.0, name
        assert reason.strip().endswith("."), f"{name} needs a sentence that says why"


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_recorded(name: str) -> None:
    wanted, found = RECORDED["cases"][name], result_of(name)
    assert list(found) == list(wanted)
    largest = TOLERANCE[name][0] if name in TOLERANCE else 0.0
    elsewhere = RECORDED["environment"] != environment()
    for key, kept in wanted.items():
        old, new = flat(kept), flat(found[key])
        made = f"{name}, {key}; recorded with {RECORDED['environment']}, found with {environment()}"
        if elsewhere:
            np.testing.assert_allclose(new, old, rtol=1e-6, atol=max(largest, 1e-9), err_msg=made)
        elif largest:
            np.testing.assert_allclose(new, old, rtol=0.0, atol=largest, err_msg=made)
        else:
            np.testing.assert_array_equal(new, old, err_msg=made)
