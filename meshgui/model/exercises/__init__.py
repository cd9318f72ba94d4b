"""Exercises: their questions, answers, logs and hand-ins."""
