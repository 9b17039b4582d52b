"""Immutable objects: their arrays are read-only, and copies compare equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import ArgumentError


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Make a new, unshared array read-only without copying it."""
    array = np.asarray(array)
    array.flags.writeable = False
    # A view cannot be made writable again.
    return array.view()


def read_only(array: ArrayLike, dtype: Any = np.float64) -> NDArray[Any]:
    """Return a read-only array, copied if the original is writable."""
    values = np.asarray(array, dtype=dtype)
    return sealed(values.copy()) if _writable(values) else values


def _writable(values: Any) -> bool:
    """Whether an array or its base is writable."""
    while isinstance(values, np.ndarray):
        if values.flags.writeable:
            return True
        values = values.base
    return False


def frozen(value: Any) -> Any:
    """Return a value with every array, list and dict in it made read-only."""
    if isinstance(value, np.ndarray):
        if np.ma.is_masked(value):
            gaps = f"{int(np.ma.getmaskarray(value).sum())} masked"
            raise ArgumentError(
                "array", "contain no masked values", gaps, "Drop them with array.compressed()."
            )
        return read_only(value, value.dtype)
    if isinstance(value, Mapping):
        return MappingProxyType({name: frozen(inner) for name, inner in value.items()})
    if type(value) in (list, tuple):
        return tuple(frozen(inner) for inner in value)
    return value


def _plain(value: Any) -> Any:
    """Return a picklable version of a frozen value."""
    return dict(value) if isinstance(value, MappingProxyType) else value


def identical(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays elementwise; NaN equals NaN."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(identical(v, other[name]) for name, v in one.items())
    return bool(one == other or (one != one and other != other))


class Frozen:
    """Base of immutable objects that equal their copies.

    `_made_of` returns the parts of an object, and `_remade` builds one from them. Copies, pickle and joblib
    use both, so that copied arrays are read-only too.
    """

    __slots__ = ()

    def _made_of(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Any:
        return cls(**made_of)

    def __reduce_ex__(self, protocol: object) -> Any:
        return type(self)._remade, ({name: _plain(value) for name, value in self._made_of().items()},)

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse("set", name)

    def __delattr__(self, name: str) -> None:
        self._refuse("delete", name)

    def _refuse(self, what: str, name: str) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__} is read-only; cannot {what} {name!r}. Build a new one instead."
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Frozen):
            return NotImplemented
        return identical(self._made_of(), other._made_of())

    def __hash__(self) -> int:
        # Equal objects need equal hashes, so arrays and NaN are left out.
        parts = [v for v in self._made_of().values() if isinstance(v, str | int | float | Frozen) and v == v]
        return hash((type(self).__name__, *parts))


class FrozenFields(Frozen):
    """Immutable dataclasses."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Make arrays, lists and dicts read-only."""
        for name, value in self._made_of().items():
            object.__setattr__(self, name, frozen(value))

    def _made_of(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
