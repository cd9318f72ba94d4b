"""Lessons: the list to choose from, the steps with their text, and the questions in them."""
