"""Opening scans: one file a kind, and the child process that alone decodes them."""
