"""What do tests of agents with a manager boot? Some agents, once; all that they told is kept."""

from corollary.emulation import agents, mending, package
from corollary.emulation.ending import Log
from corollary.emulation.machine import remembering, start
from corollary.emulation.verdict import Transcript
from corollary.language.layout import decode
from corollary.spec.kernel.state import Kernel


class Booted:
    """A boot of agents with a manager: what was booted, what it told, the log, and the state in the end."""

    def __init__(self, chosen, judge, folder):
        self.chosen, self.judge = chosen, judge
        self.system, self.run = package.with_agents(chosen, folder), Transcript(bytes(range(32)), mending.names(chosen))
        with remembering() as (shared, state):
            for line in start(self.system, self.run.key, *shared, **agents.PACE):
                self.run.take(line)
            self.state = state()
        self.log, self.kernel = Log(self.run.records), decode(self.state, Kernel)

    def wrong(self):
        """Return the rows of the whole verdict that are not as expected."""
        return [row for row in self.judge.verdict(self.run, self.system, self.chosen, self.state) if not row.good]

    def bad(self, run=None, log=None, kernel=None):
        """Return who is in rows about agents that are not as expected, and in which, if something else had been."""
        rows = self.judge.rows_of_agents(run or self.run, log or self.log, self.chosen, kernel or self.kernel)
        return {(row.who, row.attempt) for row in rows if not row.good}

    def partitions(self, number):
        """Return the partitions that an agent had."""
        return list(mending.partitions(self.run, number))
