"""What all results share: plain dicts, data frames, and the words for what a result claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Kind: TypeAlias = Literal["pointwise", "simultaneous"]
Guarantee: TypeAlias = Literal["finite-sample", "asymptotic", "bootstrap"]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]

FRAME_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval, named as in SciPy."""

    low: float
    high: float


def read_only(array: ArrayLike, dtype: Any = np.float64) -> NDArray[Any]:
    """Return a view of the values that refuses to be written to."""
    values = np.asarray(array, dtype=dtype).view()
    values.flags.writeable = False
    return values


def frame(columns: Mapping[str, Any], backend: Backend | None = None) -> Any:
    """Return a data frame of the chosen library, or of the first one that is installed."""
    import importlib.util

    import narwhals

    names: tuple[Backend, ...] = FRAME_BACKENDS if backend is None else (backend,)
    for name in names:
        if importlib.util.find_spec(name) is not None:
            return narwhals.from_dict(dict(columns), backend=name).to_native()
    raise ImportError(
        f"`to_frame` needs one of {', '.join(names)}; none is installed. "
        f"Run `pip install {names[0]}`, or use `.to_dict()`."
    )


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


class Result:
    """What all results share."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, nested where the result is."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]

    def _columns(self) -> Mapping[str, Any]:
        raise NotImplementedError  # pragma: no cover

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library to use; by default the first of these that is installed.

        Raises
        ------
        ImportError
            When no such library is installed.
        """
        return frame(self._columns(), backend)

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        from confroc.results.notebook import result_page

        return result_page(self, self._columns())


def percent(level: float) -> str:
    """Return a level as text, e.g. "95 %"."""
    return f"{100 * level:.10g} %"
