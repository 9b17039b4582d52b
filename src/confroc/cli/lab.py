"""The `lab` commands."""

from confroc.lab.commands import lab

__all__ = ["lab"]
