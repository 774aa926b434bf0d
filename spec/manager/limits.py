"""How many agents are managed, how many move at once, and how long is remembered what happened to one?"""

AGENTS = 256
PARTITIONS = 64
LANES = 8  # migrations under way at once, in and out
PEERS = 16  # managers that agents move to and from; this one is among them, for moves between partitions
EPOCHS = 16  # for which an event counts, and for which an agent stays after a move
FIRST_EPOCH = EPOCHS  # what never happened is of epoch 0, which is long ago from the beginning
LAST_EPOCH = 1 << 63
LAST_NUMBER = (1 << 64) - 1  # no task and no move has this number
