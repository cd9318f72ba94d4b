"""Published results, run again and compared."""
