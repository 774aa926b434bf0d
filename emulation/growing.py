"""How does the log of a run reach its file while the machine runs? Record by record, so that others can watch it."""

from corollary.codegen.folders import write_whole
from corollary.emulation.verdict import log_of, log_so_far
from corollary.spec.kernel.memory_map import PHASES


class GrowingLog:
    """The file of a log, which takes in what a run brings."""

    def __init__(self, run, system, path):
        self.run, self.system, self.path, self.records = run, system, path, 0

    def grow(self):
        """Append the new records; return whether these are the first, with which the file begins anew.

        Nothing is written before the kernel has told all that it measured.
        """
        first, count = self.records, len(self.run.records)
        if count == first or len(self.run.measurements) < PHASES:
            return False
        data = log_so_far(self.run, self.system, first)
        if first:
            with self.path.open("ab") as file:
                file.write(data)
        else:
            write_whole(self.path, data)
        self.records = count
        return not first


def complete(run, system, path):
    """Write the whole log of a run that is over: append what is missing if the file holds its beginning.

    It does not if a checkpoint arrived late, after the record before which it stands. Then all is written anew.
    """
    data = log_of(run, system)
    there = path.read_bytes() if path.is_file() else b""
    if there and data.startswith(there):
        with path.open("ab") as file:
            file.write(data[len(there) :])
    else:
        write_whole(path, data)
