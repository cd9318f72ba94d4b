"""The panel of packets and channels."""
