"""What does each operation do, in words that a reader would use?

They are not the operations' own words, except for those in the ledger. For each operation: when it succeeds (if and
only if), and what it then makes of each field that may change, at every index.
"""
