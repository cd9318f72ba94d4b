"""Help pages, drawn from Markdown."""
