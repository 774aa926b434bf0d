"""What does the manager answer, what is an agent in the middle of, and what is to be done next?"""

from corollary.language.types import Enum


class Status(Enum):
    """What an operation answers."""

    OK = 0
    OCCUPIED = 1  # the row has an agent
    BADGE_USED = 2  # badges grow
    WRONG_STATE = 3  # the agent is in a state in which this cannot be
    BUSY = 4  # the agent is in the middle of something
    WRONG_STEP = 5  # the agent is not in the middle of that
    OUTDATED = 6  # the outcome is of no task that is out
    NOTHING_TO_DO = 7
    ASKED = 8  # the task is out
    EXHAUSTED = 9  # there are no more numbers
    LAST_EPOCH = 10
    RESTING = 11  # the agent moved lately
    LANE_TAKEN = 12
    EMPTY = 13  # a snapshot without chunks
    WRONG_TICKET = 14  # the message is about another move
    WRONG_ROW = 15  # the message is from another row
    WRONG_CHUNK = 16
    INCOMPLETE = 17  # chunks are missing
    WRONG_HASH = 18
    WRONG_SIZE = 19
    WRONG_PLACE = 20
    DOUBLED = 21  # the message came before
    DONE = 22  # the agent has arrived: say so again
    VOID = 23  # the move was given up: say so
    DECIDED = 24  # the agent is handed over: say so again
    UNKNOWN = 25  # there never was such a move
    TOO_OFTEN = 26  # three times in the last epochs
    NOT_AWAITED = 27  # nobody is to be spawned again here
    UNSTEADY = 28  # the agent failed lately, or took more than its quota: the target would not know


class Step(Enum):
    """What an agent is in the middle of. In each row of the list below, what comes next has a lower number."""

    NONE = 0
    RETURNING = 1  # source: the move was given up, and the agent is to run again
    LEFT = 2  # source: the agent runs at the target
    COMMITTED = 3  # source: the agent is handed over; this is the record of the decision
    MOVED = 4  # source: the target has the whole snapshot
    RESERVED = 5  # source: the target has room
    SNAPPED = 6  # source: the snapshot is taken, and its hash
    STOPPED = 7  # source: the agent does not run
    ADMITTED = 8  # source: the agent may move
    ACCEPTED = 9  # target: the agent was handed over
    FILLED = 10  # target: the snapshot is whole, and has the right hash
    PROMISED = 11  # target: there is room
    FREEING = 12  # the receipt is in the log
    RECORDING = 13  # the snapshot is on the disk
    WRITING = 14  # the snapshot is compressed
    PACKING = 15  # the snapshot is taken
    FREEZING = 16  # the agent does not run
    STOPPING = 17  # the agent must be hibernated
    RESTORING = 18  # what was read is what was written
    UNPACKING = 19  # it is read
    READING = 20  # the agent is wanted again
    RESTARTING = 21
    RELOADING = 22
    REPLACING = 23
    REBOOTING = 24


class Verb(Enum):
    """What is to be done next for an agent."""

    NOTHING = 0
    SUSPEND = 1  # kernel
    RESUME = 2  # kernel; of an agent that runs, this is OK
    SNAPSHOT = 3  # kernel
    RESTORE = 4  # kernel: give the agent its edges, and let its snapshot run; where it runs already, this is OK
    RELEASE = 5  # kernel: free the pages of the agent, and after a move, all that it had here
    RESTART = 6  # kernel: begin the agent anew
    RELOAD = 7  # kernel: let the agent go on at its last checkpoint
    REPLACE = 8  # kernel: destroy the agent; its parent's policy spawns it again
    REBOOT = 9  # kernel: start again from the last checkpoint of all
    SEND_RESERVE = 10  # link, to the target
    SEND_CHUNK = 11  # link, to the target
    SEND_COMMIT = 12  # link, to the target
    ASK_CHUNK = 13  # link, to the source; when there are all, check the hash
    SEND_FILLED = 14  # link, to the source
    DECIDE = 15  # nothing: ask this manager for the decision
    COMPRESS = 16
    WRITE = 17  # disk
    RECORD = 18  # log
    READ = 19  # disk
    DECOMPRESS = 20


class Remedy(Enum):
    """What is done about a failure, from the least on: the classes F1 to F4."""

    NONE = 0
    RESTART = 1
    RELOAD = 2
    REPLACE = 3
    REBOOT = 4
