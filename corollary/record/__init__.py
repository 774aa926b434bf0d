"""What happened? The witness log of a kernel, judged and gone through again."""
