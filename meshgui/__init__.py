"""MeshGUI: processor allocation on mesh-connected machines, simulated exactly and shown."""

__version__ = "0.2.0"
