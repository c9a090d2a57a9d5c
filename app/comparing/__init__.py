"""Compares a checkpoint with its own code, which runs only where a person has allowed it."""
