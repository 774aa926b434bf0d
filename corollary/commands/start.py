"""How does the console command begin, and how does it end? A program that is run without options starts at once; everything else goes by `corollary.commands.cli`.

Whatever ends a command early is told in a line: a signal, a missing file, a reader that went away, too little memory.
"""

import io
import os
import signal
import sys
import threading
import time
from pathlib import Path

PATIENCE = 0.4      # s that a command has to end by itself, once it is interrupted
FAILED, USAGE, INTERRUPTED = 1, 2, 130      # as shells tell of SIGINT
SIGNALED = 128      # a command that a signal ended exits with this and the signal's number
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main():
    """The console script."""
    sys.exit(ended(begin))


def begin():
    """Run what was asked for."""
    command, *arguments = sys.argv[1:] or [""]
    if command == "run" and is_plain(arguments):
        from corollary.commands.run import WrongUse, module_in, run
        try:
            sys.exit(run(module_in(Path(arguments[0])), [Path(arguments[0]).name, *arguments[1:]]))
        except WrongUse as wrong:
            print(wrong, file=sys.stderr)
            sys.exit(USAGE)
    from corollary.commands.cli import app
    app()


def is_plain(arguments):
    """Are these a file that is there, and what a program is given, without any option?"""
    return arguments != [] and Path(arguments[0]).is_file() and not any(argument.startswith("-") for argument in arguments)


def complete_streams():
    """What the caller has closed is as good as /dev/null: else the first file that is opened takes its place, and what is said goes there.

    What a stream has no character for is spelled out.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def watch_for_interrupts(came):
    """Let Ctrl-C end the process, and so a hang-up and a request to end, also while it computes in C, where Python hears of no signal.

    The numbers of the signals are added to those that `came`.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    awaited = [number for number in ENDING if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN]

    def hear(number, frame):
        came.append(number)
        raise KeyboardInterrupt

    def watch():
        while (number := os.read(reader, 1)[0]) not in awaited:
            pass
        time.sleep(PATIENCE)
        os.write(sys.stderr.fileno(), b"interrupted\n")
        os._exit(SIGNALED + number)

    def ignore(unraisable):     # it came while an object was given up, and is lost there: `watch` ends the process
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(unraisable)

    threading.Thread(target=watch, daemon=True).start()
    sys.unraisablehook = ignore
    for number in awaited:
        signal.signal(number, hear)


def ended(command):
    """The exit code of a command, which may leave by an exception of the operating system or of whoever runs it."""
    complete_streams()
    came = []
    try:
        watch_for_interrupts(came)
        command()
    except SystemExit as left:
        if came and left.code == INTERRUPTED:
            leave(came)
        return left.code
    except BrokenPipeError:         # nobody reads on, and nobody would read of it
        sys.stderr.close()
        return FAILED
    except BaseException as problem:
        if came or isinstance(problem, KeyboardInterrupt):      # ctypes makes an exception of its own of it
            leave(came or [signal.SIGINT])
        line = told(problem)
        if line is None:
            raise
        print(line, file=sys.stderr)
        return FAILED
    return 0


def leave(came):
    """End the process after some signals, in its own words: Python itself would say nothing, and die of SIGINT, where code that was made met it."""
    sys.stdout.flush()
    print("interrupted", file=sys.stderr, flush=True)
    os._exit(SIGNALED + came[0])


def told(problem):
    """What this machine has refused, or has not, in a line; None for what is a mistake of ours."""
    from codegen.build import Unable
    if isinstance(problem, Unable):
        return str(problem)
    if isinstance(problem, MemoryError):
        return "corollary: this machine has not enough memory for that"
    return f"{problem.filename or 'corollary'}: {problem.strerror or problem}" if isinstance(problem, OSError) else None


if __name__ == "__main__":
    main()
