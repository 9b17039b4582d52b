"""`python -m confroc` is the `confroc` command."""

import gc


def start() -> None:
    """Run the command line in a process of its own."""
    # Loading the libraries makes many objects and no garbage; looking for it 700 objects apart, Python's
    # habit, takes a tenth of a short run.
    gc.set_threshold(100_000, 50, 50)
    from confroc.cli import main

    main(prog_name="confroc")


if __name__ == "__main__":
    start()
