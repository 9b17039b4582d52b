"""The one operation that compiled code has and its language lacks: the high half of a product."""

from __future__ import annotations

from typing import Any


def high_product(a: Any, b: Any) -> int:
    """The upper 64 bits of the product of two unsigned integers of 64 bits."""
    return (int(a) * int(b)) >> 64


def allow_high_product() -> None:
    """Let compiled code call `high_product`, as one instruction of the processor."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    ir: Any = cgutils.ir  # type: ignore[attr-defined]

    def high(_context: Any, _a: Any, _b: Any) -> Any:
        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(*(builder.zext(value, wide) for value in args))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), build

    one_instruction: Any = intrinsic(high)

    def product(a, b):  # type: ignore[no-untyped-def]
        return one_instruction(a, b)

    overload(high_product)(lambda a, b: product)  # noqa: ARG005
