"""Does the machine code do what the model does? Asked of an emulator, on many states; nothing here is shared with the prover."""
