"""Numba kernels: plain functions on arrays, compiled by call.

The functions here have no decorator. `compiled` compiles one on the first call, so that importing confroc
never imports numba, small data never wait for a compiler, and tests can run every kernel as ordinary Python.

"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

BIG = 250_000
"""Number of rows from which a compiled kernel is worth the second it takes to load the compiler."""


@functools.cache
def _allow_in_kernels(func: FunctionType) -> None:
    """Allow compiled code to call the helper `func` and the kernels it calls."""
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
    # Without a writable cache folder, each process compiles the function.
    with suppress(RuntimeError):
        code.enable_caching()
    return code


def compiled(func: F) -> F:
    """Compile a module-level function on the first call; cached on disk."""
    code: F = _compile(func)
    return code
