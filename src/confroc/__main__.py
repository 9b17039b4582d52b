"""`python -m confroc` is the `confroc` command."""

from confroc.cli import main

main(prog_name="confroc")
