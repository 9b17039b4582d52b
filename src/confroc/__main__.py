"""`python -m confroc` is the `confroc` command, and so is what `pip` installs."""

from __future__ import annotations

import gc


def run() -> None:
    """Run the command."""
    # Imports create far more objects than the garbage collector's threshold of 700.
    gc.set_threshold(20_000)
    from confroc.cli import main

    main(prog_name="confroc")


if __name__ == "__main__":
    run()
