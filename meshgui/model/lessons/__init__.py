"""Lessons: their files, pictures, moments and checks."""
