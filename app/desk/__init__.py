"""What makes proofreading quick: hyphens, and what the desk adds."""
