"""The network of a scene: packets and channels as strokes, their labels, and hovering."""
