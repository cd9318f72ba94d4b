"""The pages that come with the program, and the search in them."""
