"""The methods of costs and net benefits."""

from __future__ import annotations
