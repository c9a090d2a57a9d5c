"""Word lists made from public-domain books, one file a language, and what makes them (`make`)."""
