"""The flit-level network: routes, the wormhole kernel, patterns of communication, and the record of it."""
