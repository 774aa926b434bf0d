"""What is each component, and what must always hold of it? A folder for each."""
