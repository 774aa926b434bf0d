"""Do the prover's rules say what the processor does? Both take the same instruction."""
