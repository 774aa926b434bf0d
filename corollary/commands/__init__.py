"""What can one ask for from a shell? Every command of `corollary`."""
