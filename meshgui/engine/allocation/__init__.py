"""Allocation strategies, one file each. The registry finds them; nothing else names them."""
