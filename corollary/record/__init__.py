"""What happened? The witness log of a kernel, audited and replayed."""
