"""Readings made elsewhere: page files of other programs, taken in as readings of the open book."""
