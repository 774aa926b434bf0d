"""What is proved, and what is to be believed? Results, for people."""
