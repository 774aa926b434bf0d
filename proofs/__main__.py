"""`python -m corollary.proofs [TEXT]`: decide all obligations, or those whose id contains TEXT."""

import sys

from corollary.proofs.verify import main

sys.exit(main(*sys.argv[1:2]))
