"""The machine as it is drawn: boxes, marks and packets with their colours, cuts, and the camera."""
