"""Would anybody notice a mistake? Mutants of the model, of the C, of the machine code and of the provers."""
