"""Numba kernels: plain functions on arrays, compiled by call.

The functions here carry no decorator. `compiled` turns one into machine code the first time it is
asked to, so that importing confroc never imports numba, small data never waits for a compiler, and
tests can run every kernel as ordinary Python next to its compiled form.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

BIG = 250_000
"""Number of rows from which a compiled kernel repays the second it takes to load the compiler."""


@functools.cache
def _allow_in_kernels(func: FunctionType) -> None:
    """Let compiled code call the plain helper `func`, and whatever kernels it calls in turn."""
    from numba.extending import register_jitable

    _prepare(func)
    register_jitable(func)


def _prepare(func: FunctionType) -> None:
    scope = func.__globals__
    for name in func.__code__.co_names:
        value = scope.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith(__name__):
            _allow_in_kernels(value)


@functools.cache
def _compile(func: FunctionType) -> Any:
    import numba

    _prepare(func)
    code = numba.njit(nogil=True)(func)
    # Where no folder for the cache can be written to, each process compiles the function again.
    with suppress(RuntimeError):
        code.enable_caching()
    return code


def compiled(func: F) -> F:
    """Machine code for a module-level function of this package; made on the first call, kept on disk."""
    code: F = _compile(func)
    return code
