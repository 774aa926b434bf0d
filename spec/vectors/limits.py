"""How large is a store of vectors, and what do its special numbers mean?"""

ROWS = 8192  # of the index: row 0 holds the query of a search, the others a vector each
MOST = ROWS - 2  # vectors of a store: besides the query's, one row is spare, so that a full store takes new elements
MOST_DIMENSION = 1024  # elements of a vector
RANKS = 16  # vectors that a search finds, if there are as many
ANY = (1 << 64) - 1  # instead of an expected version: whatever it is
LAST = ANY - 1  # the last version of a store
