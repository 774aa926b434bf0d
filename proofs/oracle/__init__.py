"""Do the prover's rules say what the processor does? What each side makes of one instruction."""
