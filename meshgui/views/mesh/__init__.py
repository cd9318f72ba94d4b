"""The mesh: a canvas in 3D or a flat one, with its controls."""
