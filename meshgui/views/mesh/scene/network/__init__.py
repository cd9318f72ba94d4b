"""The network of a scene: packets and channels as strokes, what is written over them and pointed at."""
