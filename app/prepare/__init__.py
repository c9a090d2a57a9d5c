"""What happens to a page image before it is read: pure functions on pixels and coordinates.

Masters are never altered: a `Treatment` says what is done, `app.prepare.treat` does it on a copy.
"""
