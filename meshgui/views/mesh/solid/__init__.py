"""The canvas in 3D, with OpenGL."""
