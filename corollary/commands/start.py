"""How does the console command start, and how does it end?

A WebAssembly program without options starts at once; everything else goes through `corollary.commands.cli`. When a
signal, a missing file or a lack of memory ends a command early, one line says so.
"""

import io
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from corollary.commands.exits import FAILED, INTERRUPTED, PASSED, SIGNALED, USAGE

PATIENCE = 0.4  # s that an interrupted command has to end by itself
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main():
    """Run the console script."""
    sys.exit(ended(begin))


def begin():
    """Run the command that was given."""
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
    """Are these an existing file and a program's arguments, without any option?"""
    return (
        arguments != [] and Path(arguments[0]).is_file() and not any(argument.startswith("-") for argument in arguments)
    )


def complete_streams():
    """Replace standard streams that the caller has closed by /dev/null.

    Otherwise the first file that is opened would take the place of the stream, and receive the messages. Characters
    that a stream cannot encode are written as escapes.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def watch_for_interrupts(came):
    """Let Ctrl-C, SIGTERM and SIGHUP end the process, even while C code runs and Python handles no signals.

    The numbers of the signals are appended to `came`.
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

    def ignore(unraisable):  # raised and lost in a finalizer: `watch` ends the process
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(unraisable)

    threading.Thread(target=watch, daemon=True).start()
    sys.unraisablehook = ignore
    for number in awaited:
        signal.signal(number, hear)


def ended(command):
    """Run a command and return its exit code; errors of the operating system and interrupts end in a line of text."""
    complete_streams()
    came = []
    try:
        watch_for_interrupts(came)
        code = code_of(command)
        if came and code == INTERRUPTED:
            leave(came)
        sys.stdout.flush()  # what Python cannot write later ends in a code that nobody knows
        return code
    except BrokenPipeError:  # nobody reads the output, so a message would not be read either
        forget_output()
        sys.stderr.close()
        return FAILED
    except BaseException as problem:
        if came or isinstance(problem, KeyboardInterrupt):  # ctypes turns it into another exception
            leave(came or [signal.SIGINT])
        line = told(problem)
        if line is None:
            raise
        forget_output()
        print(line, file=sys.stderr)
        return FAILED


def code_of(command):
    """Run a command and return the exit code that it leaves with."""
    try:
        command()
    except SystemExit as left:
        return left.code
    return PASSED


def forget_output():
    """Drop what could not be written, or Python would try it once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave(came):
    """Print that the process was interrupted, and end it with the first signal's exit code.

    Python by itself would say nothing, and would die of SIGINT, if generated code was interrupted.
    """
    with suppress(OSError):  # nobody reads it, or the disk is full
        sys.stdout.flush()
    with suppress(OSError):
        print("interrupted", file=sys.stderr, flush=True)
    os._exit(SIGNALED + came[0])


def told(problem):
    """Return a line that says what this machine refused or lacks, or None for a bug of ours."""
    from corollary.codegen.build import Unable

    if isinstance(problem, Unable):
        return str(problem)
    if isinstance(problem, MemoryError):
        return "corollary: this machine has not enough memory for that"
    return f"{problem.filename or 'corollary'}: {problem.strerror or problem}" if isinstance(problem, OSError) else None


if __name__ == "__main__":
    main()
