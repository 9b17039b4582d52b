"""Error sentences."""

from __future__ import annotations


def invalid(argument: str, rule: str, value: object, remedy: str) -> ValueError:
    """Return an error that states the argument, the rule, the value received and the remedy."""
    return ValueError(f"`{argument}` must {rule}; got {value!r}. {remedy}")
