"""What does each operation do, in words that a reader would use? None of it calls what the operations themselves call.

For each: when it succeeds (if and only if), and what it then makes of each field that may change, at every index.
"""
