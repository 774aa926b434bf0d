"""What is proved, and what must be trusted? Results, for people."""
