"""The methods of areas after drift."""

from __future__ import annotations
