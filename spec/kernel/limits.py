"""How large may everything get? Each limit of the system is written here and nowhere else."""

PARTITION_BITS = 6
PARTITIONS = 1 << PARTITION_BITS
LANE_ROW = 8  # partitions of a lane that are looked at together
LANE_ROWS = PARTITIONS // LANE_ROW
ROOT = 0  # the partition that boot creates
REGISTERS = 6  # x1 .. x6: the arguments of a hypercall
SLOT_BITS = 6
SLOTS = 1 << SLOT_BITS  # capability slots of one partition
CAPABILITIES = PARTITIONS * SLOTS
DEPTH_LIMIT = 8  # derivations between a capability and its root
COUNTER_LIMIT = 0xFFFFFFFF  # a generation or lineage that reaches it retires its slot
ANCESTRY_LIMIT = 8  # creators between a partition and the root partition

PAGES = 1024
PAGE_BITS = 12
PAGE_WORDS = 512
CONSOLE_WORDS = 128  # words that one call may write to the console as bytes
CONSOLE_TEXT_WORDS = 64  # and as text, where every character may begin a line
LONGEST_CALL = 100_000  # instructions of one entry into the kernel, from the vector to the exception return
REGION_BITS = 6
REGIONS = PAGES >> REGION_BITS  # a region capability covers 64 pages
PAGES_PER_PARTITION_BITS = 7
PAGES_PER_PARTITION = 1 << PAGES_PER_PARTITION_BITS
PACKAGE_LIMIT = 64  # pages of a boot package, without its header
MAPPING_BITS = 2
MAPPINGS_PER_PAGE = 1 << MAPPING_BITS  # ordinal 0 is the owner's, 1 .. 3 are readers'

EDGES = 256
MESSAGE_BITS = 3
MESSAGES_PER_EDGE = 1 << MESSAGE_BITS
HEADER_RESERVED = 4  # words that fill the header of a message to 64 bytes
PAYLOAD_WORDS = 32  # of one message, 256 bytes
NOTIFICATIONS = 256
GRAPH_ROW_BITS = 3
GRAPH_ROWS = 1 << GRAPH_ROW_BITS  # edges that one call tells of

RECORDS = 4096
DRAIN_LIMIT = 8  # records that one read copies, and one discard drops, at most
KERNEL_RESERVE = 256  # undrained records of the kernel itself: about its boot, and about who ran
DRAIN_RESERVE = 2 * (RECORDS // DRAIN_LIMIT)  # beyond shares, to empty the log: a read and a discard per batch
ROOT_QUOTA = RECORDS - KERNEL_RESERVE - DRAIN_RESERVE  # undrained records of the root partition, which it shares out

PROOF_ROOTS = 4
MERKLE_LEVELS = 16
PROOF_WINDOW = 60_000_000_000  # longest validity of a proof, ns

PPM = 1_000_000
RING_1_SCORE = 950_000  # to be exceeded, with consensus, for ring 1
RING_2_SCORE = 600_000  # to be exceeded for ring 2
ELEVATE_1_SCORE = 850_000  # to be reached, with an attestation, to elevate to ring 1
ELEVATE_2_SCORE = 500_000  # to be reached to elevate to ring 2
ELEVATION_DEFAULT = 300  # s
ELEVATION_LIMIT = 3600  # s
SECOND = 1_000_000_000  # ns
BURST = 2 * SECOND  # every bucket is full after this long, whatever its ring
SELF = (1 << 38) - 1  # as a handle: the caller's own partition
QUANTUM = 10_000_000  # ns, also the scheduler epoch
SHARES = 1000  # of the processor, in all
SHARE_NS = QUANTUM // SHARES  # of each quantum, for each share
LEAST_SHARE = 5  # that comes with the number of a partition
PATIENCE_LIMIT = 1 << 36  # ns; longest rest without asking again, about 68 s
HORIZON_BITS = 20
URGENCY_BITS = 10  # a deadline is urgent within 2^20 steps of 2^10 ns, about 1.07 s
DEADLINE_LIMIT = 1 << 40  # ns from now
PRESSURE_BITS = 20  # cut pressure in millionths
CLAIMS = 16  # on the processor: none, that of one that rests, of one that can run, and of one that is urgent
CLAIM_BITS = 17  # urgency and pressure that a step of the claim stands for
MESSAGES_PER_EPOCH = 1000  # messages that one partition sends and receives
DEVICES = 32  # virtio-mmio transports of the machine
SECTOR = 512  # bytes
QUEUE_SIZE = 4  # descriptors of a queue, a power of two: three for a request, and one that is never used
LEASE_LIMIT = 1 << 36  # ns; longest lease without renewal, about 68 s
BUDGET_LIMIT = 1 << 30  # bytes that may be moved on one lease without renewal
CLOCK_LIMIT = 1 << 63  # ns; times beyond it are not accepted as the start of anything
