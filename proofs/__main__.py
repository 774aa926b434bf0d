"""`python -m corollary.proofs NAME [TEXT]`: decide all obligations of a component, or those whose id contains TEXT."""

import sys

from corollary.language.component import declared
from corollary.proofs.verify import main

sys.exit(main(declared(sys.argv[1]), "".join(sys.argv[2:3])))
