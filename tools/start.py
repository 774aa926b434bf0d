"""How does the console command begin? A program that is run without options starts at once; everything else goes by the command line of `tools.cli`."""

import sys
from pathlib import Path


def main():
    """The console script."""
    command, *arguments = sys.argv[1:] or [""]
    if command == "run" and is_plain(arguments):
        from tools.run import run
        sys.exit(run(Path(arguments[0]).read_bytes(), [Path(arguments[0]).name, *arguments[1:]]))
    from tools.cli import main as other
    other()


def is_plain(arguments):
    """Are these a file that is there, and what a program is given, without any option?"""
    return arguments != [] and Path(arguments[0]).is_file() and not any(argument.startswith("-") for argument in arguments)


if __name__ == "__main__":
    main()
