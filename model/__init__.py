"""Images in, text out: every engine that reads a page. Knows nothing of books, threads or Qt."""
