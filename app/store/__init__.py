"""Everything read or typed, in one SQLite file a book."""
