"""How do the workers of a Dask cluster decide obligations? Those that have the same sources, one job at a time each.

What they prove is kept here, too. Whoever is gone, or has other sources, is told by name; what is left is decided here.
"""

import logging
import os
from contextlib import contextmanager

from proofs import cache, fingerprint, second

EXTRA = "the extra `cluster` is not installed: run `pip install -e .[cluster] -c constraints.txt`"
LOCAL = "local:"
PATIENCE = 10       # seconds in which a scheduler answers
BEGINNING = 60      # seconds in which a worker has begun, and has read its sources
ROOTS = ("proofs.prove", "proofs.cover", "proofs.outside", "proofs.machine.obligations", "proofs.machine.handlers", "proofs.machine.called")


class Unusable(Exception):
    """No cluster can be meant; the message tells what to do."""


class Away(Unusable):
    """Nobody answers for a cluster."""


class There:
    """A worker of a cluster, by its address."""

    def __init__(self, client, address):
        self.client, self.name = client, address
        self.executor = client.get_executor(workers=[address], allow_other_workers=False, pure=False, retries=0)

    def submit(self, function, *arguments):
        """A future of what a function returns there, with the proofs that it kept there."""
        return self.executor.submit(done, function, *arguments)

    def is_gone(self):
        """Does the scheduler know the worker no more, or does nobody answer for it?"""
        try:
            return self.client.status != "running" or self.name not in addresses(self.client)
        except OSError:
            return True

    def taken(self, answer):
        """What came of a job; the proofs that were kept there are kept here."""
        result, files = answer
        for id_, text in files.items():
            cache.kept_or_told(lambda id_=id_, text=text: cache.write_whole(cache.path_of(id_), text))
        return result


def done(function, *arguments):
    """Do a job on a worker: what comes of it, and the files of the proofs that it kept."""
    answer = function(*arguments)
    ids = [row["id"] for row in answer[0] if row["result"] == "proved"] if isinstance(answer, tuple) else []
    return answer, {id_: cache.path_of(id_).read_text() for id_ in ids if cache.path_of(id_).exists()}


def identity():
    """What decides in this process, as one text; raises `LookupError` where other sources lie here by now."""
    rewritten = fingerprint.rewritten()
    if rewritten:
        raise LookupError(f"{rewritten[0]} was written since the process began: start it again")
    return fingerprint.digest(fingerprint.of_sources(), *map(fingerprint.of_code, ROOTS))


def readied(option):
    """A worker's identity, once it works in the folder of its sources and knows whether a second opinion is wanted."""
    os.chdir(fingerprint.ROOT)
    if os.environ.get(second.SWITCH, "") != option:
        os.environ[second.SWITCH] = option
        fingerprint.forget()
    return identity()


@contextmanager
def opened(where):
    """A client of a cluster: of a scheduler's address, or of so many workers here, as `local:N`. Raises `Unusable`, or `Away`."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise Unusable(EXTRA) from None
    if not where.startswith(LOCAL):
        with connected(Client, where) as client:
            yield client
        return
    count = where.removeprefix(LOCAL)
    if not count.isdecimal() or not int(count):
        raise Unusable(f"{where} names no number of workers: write `{LOCAL}4`, or the address of a scheduler")
    with LocalCluster(int(count), threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL) as made, connected(Client, made) as client:
        client.wait_for_workers(int(count), BEGINNING)
        yield client


def connected(make, where):
    """A client of a scheduler; `Away` if nobody answers."""
    try:
        return make(where, timeout=PATIENCE)
    except (OSError, ValueError) as problem:
        raise Away(f"no scheduler answers at {where} ({type(problem).__name__})") from None


def addresses(client):
    """The workers that the scheduler knows."""
    return list(client.scheduler_info(n_workers=-1)["workers"])


def usable(client, say):
    """The workers whose sources are those that lie here; `say` is told of each that has others."""
    option = os.environ.get(second.SWITCH, "")
    mine = identity()
    for address in addresses(client):
        why = refusal(client, address, mine, option)
        if why:
            say(f"{address} is not used: {why}")
        else:
            yield There(client, address)


def refusal(client, address, mine, option):
    """Why a worker cannot be used, or nothing."""
    try:
        theirs = client.submit(readied, option, workers=[address], allow_other_workers=False,
                               pure=False).result(BEGINNING)
    except Exception as problem:  # whatever is wrong there, it is not used
        return f"{type(problem).__name__}: {problem}".splitlines()[0]
    return "" if theirs == mine else "its sources are others than those here"
