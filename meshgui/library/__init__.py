"""What `import meshgui` gives: runs and sweeps as objects, their tables as columns of NumPy."""
