"""What the experiment window and the gallery share."""
