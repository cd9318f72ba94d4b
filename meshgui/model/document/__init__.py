"""What is opened, edited, saved and recovered, and how its window is arranged."""
