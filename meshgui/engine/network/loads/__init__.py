"""Says who sends to whom under a steady load, and measures how long packets then take."""
