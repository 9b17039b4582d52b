"""Run the command line: `python -m confroc_lab`."""

from confroc_lab.cli import main

if __name__ == "__main__":
    main()
