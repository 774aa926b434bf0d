"""How do the workers of a Dask cluster decide obligations? Workers with the same sources take one job at a time each.

Their proofs are kept here, too. A worker that is gone, or has other sources, is reported by name. What is left is
decided here.
"""

import logging
import os
from contextlib import contextmanager
from typing import Any

from corollary.proofs import cache, fingerprint, second

EXTRA = "the extra `cluster` is not installed: run `pip install -e .[cluster] -c constraints.txt`"
LOCAL = "local:"
PATIENCE = 10  # seconds for a scheduler to answer
BEGINNING = 60  # seconds for a worker to begin and to read its sources
ROOTS = (
    "corollary.proofs.prove",
    "corollary.proofs.cover",
    "corollary.proofs.outside",
    "corollary.proofs.machine.obligations",
    "corollary.proofs.machine.handlers",
    "corollary.proofs.machine.called",
)


class Unusable(Exception):
    """No cluster can be used as asked; the message says what to do."""


class Away(Unusable):
    """The cluster does not answer, or none of its workers can be used."""


class There:
    """A worker of a cluster, identified by its address."""

    def __init__(self, client, address):
        self.client, self.name = client, address
        self.executor = client.get_executor(workers=[address], allow_other_workers=False, pure=False, retries=0)

    def submit(self, function, *arguments):
        """Return a future of what a function returns there, with the proofs that the worker kept."""
        return self.executor.submit(done, function, *arguments)

    def is_gone(self):
        """Has the scheduler lost the worker, or does the scheduler not answer?"""
        try:
            return self.client.status != "running" or self.name not in addresses(self.client)
        except OSError:
            return True

    def taken(self, answer):
        """Return the result of a job, and keep the worker's proofs here, too."""
        result, files = answer
        for id_, text in files.items():
            cache.kept_or_told(lambda id_=id_, text=text: cache.write_whole(cache.path_of(id_), text))
        return result


def done(function, *arguments):
    """Do a job on a worker; return its result, and the files of the proofs that it kept."""
    answer = function(*arguments)
    ids = [row["id"] for row in answer[0] if row["result"] == "proved"] if isinstance(answer, tuple) else []
    return answer, {id_: cache.path_of(id_).read_text() for id_ in ids if cache.path_of(id_).exists()}


def identity():
    """Return a fingerprint of the code that decides in this process.

    Raises `LookupError` when the sources here have changed since the process began.
    """
    rewritten = fingerprint.rewritten()
    if rewritten:
        raise LookupError(f"{rewritten[0]} was written since the process began: start it again")
    return fingerprint.digest(fingerprint.of_sources(), *map(fingerprint.of_code, ROOTS))


def readied(option):
    """Prepare a worker, and return its identity.

    The worker changes to the folder of its sources, and learns whether a second opinion is wanted.
    """
    os.chdir(fingerprint.ROOT)
    if os.environ.get(second.SWITCH, "") != option:
        os.environ[second.SWITCH] = option
        fingerprint.forget()
    return identity()


@contextmanager
def opened(where):
    """Open a client of a cluster.

    `where` is the address of a scheduler, or `local:N` for N workers here. Raises `Unusable` or `Away`.
    """
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
    quiet: Any = None
    with (
        LocalCluster(int(count), threads_per_worker=1, dashboard_address=quiet, silence_logs=logging.CRITICAL) as made,
        connected(Client, made) as client,
    ):
        client.wait_for_workers(int(count), BEGINNING)
        yield client


def connected(make, where):
    """Return a client of a scheduler. Raises `Away` if nobody answers."""
    try:
        return make(where, timeout=PATIENCE)
    except (OSError, ValueError) as problem:
        raise Away(f"no scheduler answers at {where} ({type(problem).__name__})") from None


def addresses(client):
    """Return the addresses of the workers that the scheduler knows."""
    return list(client.scheduler_info(n_workers=-1)["workers"])


def usable(client, say):
    """Yield the workers with the same sources as here; `say` reports each of the others."""
    option = os.environ.get(second.SWITCH, "")
    mine = identity()
    for address in addresses(client):
        why = refusal(client, address, mine, option)
        if why:
            say(f"{address} is not used: {why}")
        else:
            yield There(client, address)


def refusal(client, address, mine, option):
    """Return why a worker cannot be used, or an empty text."""
    try:
        theirs = client.submit(readied, option, workers=[address], allow_other_workers=False, pure=False).result(
            BEGINNING
        )
    except Exception as problem:  # whatever is wrong there, the worker is not used
        return f"{type(problem).__name__}: {problem}".splitlines()[0]
    return "" if theirs == mine else "its sources are others than those here"
