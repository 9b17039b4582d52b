"""`python -m confroc` is the `confroc` command, and so is what `pip` installs."""

from __future__ import annotations

import atexit
import gc
import os
import sys

YOUNG = 20_000
"""New objects from which Python looks for cycles among them: imports alone make hundreds of times its 700."""


def run() -> None:
    """Run the command; an interrupt may come before there is one."""
    gc.set_threshold(YOUNG)
    ended: list[int] = []
    # Registered first, so called last.
    atexit.register(_leave, ended)
    try:
        from confroc.cli import main
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except RuntimeError as error:
        # Python 3.11's way to pass an interrupt on that falls into the making of a class.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        raise SystemExit(130) from None
    try:
        main(prog_name="confroc")
    except SystemExit as end:
        if isinstance(end.code, int | None):
            ended.append(end.code or 0)
        raise


def _leave(ended: list[int]) -> None:
    """End the process at once when all is said: to take the interpreter apart is a tenth of a report's time.

    Threads have ended by now, and whatever else wanted to be called at the end has been.
    """
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (AttributeError, OSError, ValueError):
        # Python has words of its own for streams that are closed.
        return
    if ended:
        os._exit(ended[0])


if __name__ == "__main__":
    run()
