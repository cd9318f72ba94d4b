"""Fields, rows and tables of fields, built from the schema of what is edited."""
