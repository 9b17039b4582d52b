"""Quantitative definitions of the statements on cost curves (Dugas & Gadoury 2009).

The words are the paper's; `words.py` has the numbers. Coverage is *on target* where its distance from the
level is at most the Monte Carlo errors of both studies. It is *better*, or its range on target *wider*,
where it is closer to the level on average over all operating conditions; *similar* where it differs by at
most these errors; *excellent* where it does not break down at any w from 0.1 to 0.9. An interval of zero
width counts as containing nothing: where no error is observed, [0, 0] contains the difference of equal
models but is uninformative, and the paper calls coverage impossible there.
"""

from __future__ import annotations

from typing import Any

from confroc_lab import Expected
from words import meant

LEVEL = 0.9
ENDS = (0.01, 0.99)
COST, DIFFERENCE = "cost", "cost_a - cost_b"


def claim(statement: str, says: str, cell: str, value: float, **more: Any) -> Expected:
    """The paper's statements about its own intervals in one cell."""
    given: dict[str, Any] = {"method": "wald", "wide": True, "quantity": COST} | more
    return Expected(
        statement=f"DGCOST-{statement}" if given.get("source", "paper") == "paper" else "",
        says=says,
        cell=cell,
        value=value,
        **given,
    )


def breaks(statement: str, says: str, cell: str, at: float, **more: Any) -> Expected:
    """Coverage breaks at a place."""
    return claim(statement, f"{says} (w = {at:g})", cell, meant("break"), at=at, relation="<=", **more)


def on_target(statement: str, says: str, cell: str, at: float, **more: Any) -> Expected:
    """Coverage is on target at a place."""
    return claim(statement, f"{says} (w = {at:g})", cell, LEVEL, at=at, **more)


def better(statement: str, says: str, cell: str, other: str, **more: Any) -> Expected:
    """Coverage is closer to nominal than that of another cell, on average over all places."""
    method = more.get("method", "wald")
    return claim(
        statement, says, cell, 0.0, statistic="distance", than=(other, method), relation="<=", **more
    )


def similar(statement: str, says: str, cell: str, than: tuple[str, str], at: float, **more: Any) -> Expected:
    """Coverage is like that of another cell or method at a place."""
    return claim(statement, f"{says} (w = {at:g})", cell, 0.0, at=at, than=than, **more)
