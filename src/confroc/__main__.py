"""`python -m confroc` is the `confroc` command."""

from confroc.cli import main

if __name__ == "__main__":
    main(prog_name="confroc")
