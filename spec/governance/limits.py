"""How many agents, sessions and sagas are governed, and how large may their numbers be?"""

AGENTS = 1 << 16
SEATS = 1 << 17
SESSIONS = 1 << 16
SAGAS = 1 << 12
STEPS = 64  # of a saga, and bits of the word that says where its compensation failed
RETRIES_LIMIT = 255
ANCESTRY_LIMIT = 8  # parents between a seat and one without a parent
SPAN_LIMIT = 1 << 60  # ns in which a bucket fills
CLOCK_LIMIT = 1 << 63  # ns; times beyond it are not accepted as the start of anything
TIME_LIMIT = 1 << 62  # ns; the longest time that anything may last
LAST = (1 << 64) - 1  # no generation and no delta has this number
