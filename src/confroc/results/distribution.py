"""Exact distributions: support and probabilities, unpacked like a tuple."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from confroc._types import FloatArray
from confroc.results import shown
from confroc.results.base import Backend, frame

S = TypeVar("S")


class Distribution(NamedTuple, Generic[S]):
    """A discrete distribution of one or two variables: support and probabilities.

    Attributes
    ----------
    support : ndarray of shape (k,), or two of them
        Possible values; for two variables, those of each.
    pmf : ndarray of shape (k,), or (k, j) of two; (h, k) or (h, k, j) for h distributions
        Probabilities.

    See Also
    --------
    confroc.exact.tpr_pmf : Returns one.
    """

    support: S
    pmf: FloatArray

    def _columns(self) -> Mapping[str, Any]:
        supports = self.support if isinstance(self.support, tuple) else (self.support,)
        names = ("value",) if len(supports) == 1 else ("a", "b")
        several = self.pmf.shape[: self.pmf.ndim - len(supports)]
        places = np.indices(self.pmf.shape).reshape(self.pmf.ndim, -1)
        columns = {"distribution": places[0]} if several else {}
        columns |= {
            name: np.asarray(values)[at]
            for name, values, at in zip(names, supports, places[len(several) :], strict=True)
        }
        return columns | {"probability": self.pmf.ravel()}

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return values and probabilities as a data frame of the given or the first installed library."""
        return frame(self._columns(), backend)

    def table(self, *, most: int = shown.MOST_ROWS) -> shown.Table:
        """Return the table that is printed: the most probable values in ascending order."""
        mass = self.pmf.ravel()
        rows = np.sort(np.argsort(-mass, kind="stable")[:most])
        columns = {name: values[rows] for name, values in self._columns().items()}
        held = f"total probability of the values shown: {mass[rows].sum() / max(mass.sum(), 1e-300):.4g}"
        return shown.Table(
            f"Distribution: {shown.cell(mass.size)} values",
            columns,
            mass.size,
            held if len(rows) < mass.size else "",
        )

    def __str__(self) -> str:
        return shown.as_text(self.table(), wide=shown.PAGE)

    def __repr__(self) -> str:
        return shown.as_line(self.table())

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(self.table())

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular; see `Result.to_latex`."""
        return shown.as_latex(self.table())
