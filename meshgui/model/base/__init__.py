"""What every room of the model stands on: signals, limits, kinds of pictures, recent files, faults."""
