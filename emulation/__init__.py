"""Does the machine code do what the model does? An emulator tries many states, without code of the prover."""
