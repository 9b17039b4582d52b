"""Numbers stay what they were: every recorded result again.

Processors and library versions change the last bits, and root finding makes a little more of them, so numbers
must agree to a relative 1e-9. `python tests/recorded/record.py --compare FILE` compares bit for bit, before
and after a change that should change no number.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from recorded.cases import CASES, RESULTS, assert_close, result_of

RECORDED: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))


def test_every_case_is_recorded_and_every_record_has_its_case() -> None:
    assert set(CASES) == set(RECORDED)


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_recorded(name: str) -> None:
    assert_close(result_of(name), RECORDED[name], name)
