"""`python -m confroc` is the `confroc` command, and so is what `pip` installs."""

from __future__ import annotations


def run() -> None:
    """Run the command; an interrupt may come before there is one."""
    try:
        from confroc.cli import main
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except RuntimeError as error:
        # Python 3.11's way to pass an interrupt on that falls into the making of a class.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        raise SystemExit(130) from None
    main(prog_name="confroc")


if __name__ == "__main__":
    run()
