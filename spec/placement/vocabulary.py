"""What does the placement component answer, and in which stage is a cut?"""

from corollary.language.types import Enum


class Status(Enum):
    """What an operation answers."""

    OK = 0
    BUSY = 1  # a cut is under way: the graph may not change
    NODE_UNKNOWN = 2
    NODE_KNOWN = 3  # it is in the graph already
    CONNECTED = 4  # it still has traffic
    SAME_HOME = 5
    TOO_FEW_NODES = 6  # fewer than two cannot be cut
    TOO_LATE = 7  # the clock is about to end
    WRONG_STAGE = 8  # the cut needs another step
    OVER_BUDGET = 9  # the cut has used up its steps or its time
    NO_CUT = 10  # none is under way, or none is complete and of the graph as it is
    LAST_EPOCH = 11
    NOT_SURVEYED = 12  # sums of traffic are missing, or older than the graph
    DEGRADED = 13  # the last cut was given up
    RECOVERING = 14
    OUTSTANDING = 15  # a recommendation is being carried out
    NOT_OUTSTANDING = 16
    RESTING = 17  # a partition was changed lately
    TOO_LITTLE = 18  # less would be gained than a tenth
    WORSE = 19  # a partition would score worse, or none better
    NOT_BETTER = 20  # this epoch has a better candidate
    NOT_HELD = 21  # no change was the best for long enough


class Stage(Enum):
    """What the cut under way needs next."""

    IDLE = 0  # no cut is under way
    LOADING = 1  # the traffic of a node
    TAKING = 2  # the vertex that has most traffic with those taken
    JOINING = 3  # the traffic of one vertex with the last two taken, added up
    CLOSING = 4  # the last two taken made one


class Change(Enum):
    """What is recommended."""

    NOTHING = 0
    MIGRATE = 1  # a node to another partition
    MERGE = 2  # a partition into another one
    SPLIT = 3  # some nodes of a partition into one of their own
