"""What does the store of vectors consist of? Its index and its searches, in memory that a host lends."""

from corollary.codegen.program import Program
from corollary.model.vectors.store import (
    begin_nearest,
    delete_key,
    format,
    free_row,
    go_on,
    open_stored,
    put_row,
    row_of,
)

HOST = (format, open_stored, free_row, row_of, put_row, delete_key, begin_nearest, go_on)
"""What a host calls. The rest is hidden in a shared library."""

VECTORS = Program(
    lambda: HOST,
    common=("corollary.spec.vectors.limits", "corollary.spec.vectors.store"),
    typed=(
        "corollary.spec.vectors.vocabulary",
        "corollary.spec.vectors.state",
        "corollary.spec.vectors.store",
        "corollary.model.vectors.distance",
    ),
)
