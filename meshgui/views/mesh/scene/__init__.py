"""What is drawn of the mesh and its network, whichever canvas draws it."""
