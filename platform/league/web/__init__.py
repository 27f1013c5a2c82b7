"""The pages, and what a reader's browser needs for them."""
