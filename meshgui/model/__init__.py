"""What the views look at, as plain Python with change events: where we are, and what is selected."""
