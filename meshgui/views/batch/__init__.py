"""What windows that make runs share: threads, stores, the shell of experiments and gallery."""
