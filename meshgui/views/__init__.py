"""The window: Qt and pyqtgraph, a room for each feature. `docs/house.md` draws them."""
