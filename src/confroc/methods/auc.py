"""The methods of areas under the curve."""

from __future__ import annotations
