"""The form that edits a scenario."""
