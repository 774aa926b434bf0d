"""How large is the graph, how long may a cut take, and when is a change of placement worth it?"""

NODES = 64  # agents, or partitions without agents
HOMES = 64  # partitions

FRACTION = 8  # bits: weights come with 16 fractional bits, and are kept with half of them
WEIGHT_MOST = (1 << 32) - 1  # of one pair, as it is kept: 2^24 units
TRAFFIC = 1 << 44  # bound of sums: more than the weights of all pairs together, so no sum is ever cut off
WHOLE = 1_000_000  # ppm

CUT_TIME = 50_000  # ns from the beginning of a cut until it is over budget
LATEST = (1 << 64) - 1 - CUT_TIME  # ns; the last time at which a cut may begin

GAIN_PART = 10  # a change must bring together a tenth of the traffic that it concerns, or free that much of a score
DWELL = 3  # consecutive epochs for which one change must be the best before it is recommended
REST = 16  # epochs in which nothing more is recommended for a partition after a change
LAST_EPOCH = 1 << 63
