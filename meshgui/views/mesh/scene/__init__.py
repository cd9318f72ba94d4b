"""The scene of the mesh and its network, which both canvases draw."""
