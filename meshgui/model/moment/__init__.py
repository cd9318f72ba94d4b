"""What is so at one moment of a run: its instant, packets and jobs, and the sentence that says it."""
