"""The methods of points of the curve."""

from __future__ import annotations
