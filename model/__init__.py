"""How does each component behave? A folder for each, of the same names as in `spec/`."""
