"""The gallery of published results."""
