"""Would anyone notice a mistake? Mutants of the model, the C, the machine code and the provers."""
