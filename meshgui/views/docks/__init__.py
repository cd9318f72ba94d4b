"""The panels around the mesh: their records, docks, sizes, and how each perspective arranges them."""
