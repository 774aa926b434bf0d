"""How many agents, sessions and sagas are governed, and how large may their numbers be?"""

AGENTS = 1 << 16
SEATS = 1 << 17
SESSIONS = 1 << 16
SAGAS = 1 << 12
STEPS = 64  # of a saga, and bits of the word that says where its compensation failed
RETRIES_LIMIT = 255
ANCESTRY_LIMIT = 8  # parents between a seat and one without a parent
SPAN_LIMIT = 1 << 60  # ns in which a bucket fills
WINDOW = 60_000_000_000  # ns in which calls are counted
BASELINE = 600  # calls in as long that are usual
LOW = 2 * BASELINE  # calls in as long that are a breach
MEDIUM = 5 * BASELINE
HIGH = 10 * BASELINE
CRITICAL = 20 * BASELINE
WEIGHT_LIMIT = 1 << 20  # more calls count for this
CLOCK_LIMIT = 1 << 63  # ns; times beyond it are not accepted as the start of anything
TIME_LIMIT = 1 << 62  # ns; the longest time that anything may last
LAST = (1 << 64) - 1  # no generation and no delta has this number
