"""How large may everything get? Each limit is written here and nowhere else; those of rings come along."""

from corollary.spec.ring import BURST as BURST
from corollary.spec.ring import ELEVATE_1_SCORE as ELEVATE_1_SCORE
from corollary.spec.ring import ELEVATE_2_SCORE as ELEVATE_2_SCORE
from corollary.spec.ring import ELEVATION_DEFAULT as ELEVATION_DEFAULT
from corollary.spec.ring import ELEVATION_LIMIT as ELEVATION_LIMIT
from corollary.spec.ring import PPM as PPM
from corollary.spec.ring import RING_1_SCORE as RING_1_SCORE
from corollary.spec.ring import RING_2_SCORE as RING_2_SCORE
from corollary.spec.ring import SECOND as SECOND

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
PACKAGE_LIMIT = 96  # pages of a boot package, without its header
RESTARTS = 3  # of the kernel by itself, before it stops for good
MAPPING_BITS = 2
MAPPINGS_PER_PAGE = 1 << MAPPING_BITS  # ordinal 0 is the owner's, 1 .. 3 are readers'

EDGES = 256
MESSAGE_BITS = 3
MESSAGES_PER_EDGE = 1 << MESSAGE_BITS
HEADER_RESERVED = 2  # words that fill the header of a message to 64 bytes
PAYLOAD_WORDS = 32  # of one message, 256 bytes
NOTIFICATIONS = 256
AGENT_BITS = 8
AGENTS = 1 << AGENT_BITS
CHILDREN = 4  # living ones that an agent has made
LINE_WORDS = 8  # what SHA-256 takes at a time
PART_LINES = 4  # of a module, measured at a time
PART_BITS = 4
PARTS = 1 << PART_BITS  # of a page
MODULE_LINES = 1 << 16  # the longest module, 4 MiB
UNIT_SHIFT = 21  # large memory comes in units of 2 MiB, as a descriptor of level 2 covers
BANK_UNIT_BITS = 6  # of the units of a bank, as many as a mask has bits
BANK_UNITS = 1 << BANK_UNIT_BITS
BANK_BITS = 1
BANKS = 1 << BANK_BITS
UNITS = BANKS * BANK_UNITS
ORDERS = BANK_UNIT_BITS  # a block of order k is 2^k units, at most half a bank
UNIT_PART_BITS = 5
UNIT_PARTS = 1 << UNIT_PART_BITS  # of a unit, cleared one at a time: 64 KiB
ALL_USE = 10_000  # a block is of that much use at most
WARM_BELOW = 7000  # of that, a hot block becomes warm
DORMANT_BELOW = 4000  # and a warm one dormant
COLD_BELOW = 1000  # and a dormant one cold
HOT_FROM = 8000  # a warm block becomes hot
WARM_FROM = 5000  # and a dormant one warm
DORMANT_FROM = 1000  # and a cold one dormant
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
ROOT_TRANSPORTS = 4  # the first of them: what stands behind these root may use and hand on
SECTOR = 512  # bytes
QUEUE_SIZE = 4  # descriptors of a queue, a power of two; a request has three at most
LEASE_LIMIT = 1 << 36  # ns; longest lease without renewal, about 68 s
BUDGET_LIMIT = 1 << 30  # bytes that may be moved on one lease without renewal
MERGE_SCORE = 7  # tenths of all that either carries, which go between two that are merged
WEIGHT_LIMIT = 1 << 40  # an edge that carried more counts for this
CLOCK_LIMIT = 1 << 63  # ns; times beyond it are not accepted as the start of anything
