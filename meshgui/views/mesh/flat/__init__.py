"""The flat canvas, without OpenGL."""
