"""Form fields and tables of fields, built from a JSON Schema."""
