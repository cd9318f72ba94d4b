"""What every room of the simulator stands on: geometry, compiled kernels, checked data, words."""
