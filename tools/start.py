"""How does the console command begin, and how does it end? A program that is run without options starts at once; everything else goes by `tools.cli`.

Whatever ends a command early is told in a line.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path

PATIENCE = 0.4      # s that a command has to end by itself, once it is interrupted
FAILED, USAGE, INTERRUPTED = 1, 2, 130      # as shells tell of SIGINT


def main():
    """The console script."""
    sys.exit(ended(begin))


def begin():
    """Run what was asked for."""
    command, *arguments = sys.argv[1:] or [""]
    if command == "run" and is_plain(arguments):
        from tools.run import WrongUse, run
        try:
            sys.exit(run(Path(arguments[0]).read_bytes(), [Path(arguments[0]).name, *arguments[1:]]))
        except WrongUse as wrong:
            print(wrong, file=sys.stderr)
            sys.exit(USAGE)
    from tools.cli import app
    app()


def is_plain(arguments):
    """Are these a file that is there, and what a program is given, without any option?"""
    return arguments != [] and Path(arguments[0]).is_file() and not any(argument.startswith("-") for argument in arguments)


def watch_for_interrupts():
    """Let Ctrl-C end the process also while it computes in C, where Python hears of no signal; the event tells that it came."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    came = threading.Event()

    def hear(number, frame):
        came.set()
        signal.default_int_handler(number, frame)

    def watch():
        while os.read(reader, 1) != bytes([signal.SIGINT]):
            pass
        time.sleep(PATIENCE)
        os.write(sys.stderr.fileno(), b"interrupted\n")
        os._exit(INTERRUPTED)

    def ignore(unraisable):     # it came while an object was given up, and is lost there: `watch` ends the process
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(unraisable)

    signal.signal(signal.SIGINT, hear)
    sys.unraisablehook = ignore
    threading.Thread(target=watch, daemon=True).start()
    return came


def ended(command):
    """The exit code of a command, which may leave by an exception of the operating system or of whoever runs it."""
    interrupted = watch_for_interrupts()
    try:
        command()
    except SystemExit as left:
        if left.code == INTERRUPTED:
            print("interrupted", file=sys.stderr)
        return left.code
    except BrokenPipeError:         # nobody reads on, and nobody would read of it
        sys.stderr.close()
        return FAILED
    except BaseException as problem:
        if interrupted.is_set():    # ctypes makes an exception of its own of it
            print("interrupted", file=sys.stderr)
            return INTERRUPTED
        if not isinstance(problem, OSError):
            raise
        print(f"{problem.filename or 'corollary'}: {problem.strerror or problem}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    main()
