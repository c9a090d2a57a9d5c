"""Readings joined into one neutral document, and the formats written from it."""
