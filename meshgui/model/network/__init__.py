"""The tables of packets and channels, and the way of one packet."""
